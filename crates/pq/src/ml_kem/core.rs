//! K-PKE and ML-KEM (FIPS 203, 5 to 7) for a matrix of `K` rows, on `N` items side by side.
//!
//! One operation and eight of them are the same code: the hashes of all items share the lanes of
//! [`run`]. The algorithms' numbers stand at their steps.

use super::poly::{Backend, DRAW, Poly};
use crate::sponge::{Job, SHA3_256, SHA3_512, SHAKE128, SHAKE256, run};
use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Secret, Wipe};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::array::from_fn;

/// η₁ of a parameter set (FIPS 203, 8, table 2).
const fn eta1(k: usize) -> usize {
    if k == 2 { 3 } else { 2 }
}

/// η₂ of every parameter set.
const ETA2: usize = 2;

/// Bytes of a polynomial of u: 32·d_u.
const fn u_bytes(k: usize) -> usize {
    32 * if k == 4 { 11 } else { 10 }
}

/// An encapsulation key with its matrix.
pub(super) struct Public<const K: usize> {
    pub(super) backend: Backend,
    /// Â, by rows: K·K polynomials.
    a: Vec<Poly>,
    /// t̂.
    t: [Poly; K],
    pub(super) t_bytes: [[u8; 384]; K],
    pub(super) rho: [u8; 32],
    /// H(ek).
    pub(super) h: [u8; 32],
}

/// A decapsulation key. Its parts stay where they were made: what is secret is never moved, and
/// the encapsulation key is shared with those who ask for it.
#[derive(Clone)]
pub(super) struct Private<const K: usize> {
    secret: Box<Secret<Secrets<K>>>,
    pub(super) public: Arc<Public<K>>,
}

/// What of a decapsulation key is secret.
#[derive(Clone)]
struct Secrets<const K: usize> {
    /// ŝ.
    s: [Poly; K],
    /// d, and z: what is given out for a wrong ciphertext comes from the latter.
    seed: [u8; 64],
    /// Whether d is known: where the key came from it.
    has_d: bool,
}

impl<const K: usize> Secrets<K> {
    fn z(&self) -> &[u8; 32] {
        &halves(&self.seed)[1]
    }
}

impl<const K: usize> Wipe for Secrets<K> {
    fn wipe(&mut self) {
        self.s.wipe();
        self.seed.wipe();
    }
}

impl<const K: usize> Private<K> {
    /// Room for a key.
    fn room(backend: Backend) -> Self {
        Private {
            secret: Box::new(Secret::new(Secrets {
                s: [Poly::ZERO; K],
                seed: [0; 64],
                has_d: false,
            })),
            public: Public::room(backend),
        }
    }

    /// d and z, where the key came from them.
    pub(super) fn seed(&self) -> Option<Secret<[u8; 64]>> {
        self.secret.has_d.then(|| Secret::new(self.secret.seed))
    }
}

impl<const K: usize> Public<K> {
    /// Room for a key.
    fn room(backend: Backend) -> Arc<Self> {
        Arc::new(Public {
            backend,
            a: Vec::new(),
            t: [Poly::ZERO; K],
            t_bytes: [[0; 384]; K],
            rho: [0; 32],
            h: [0; 32],
        })
    }
}

/// What a room for a key leads to before it is shared.
fn inside<T>(room: &mut Arc<T>) -> &mut T {
    Arc::get_mut(room).expect("not shared yet")
}

/// Algorithm 13, lines 3 to 7: the jobs that give the bytes of Â.
fn matrix_jobs<'a, const K: usize>(
    rho: &'a [u8],
    draws: &'a mut [[[u8; DRAW]; K]; K],
) -> impl Iterator<Item = Job<'a>> {
    let rows = draws.iter_mut().enumerate();
    rows.flat_map(move |(i, row)| {
        let places = row.iter_mut().enumerate();
        places.map(move |(j, draw)| Job::new(SHAKE128, [rho], draw).tail([j as u8, i as u8]))
    })
}

/// Â from its bytes.
fn matrix<const K: usize>(backend: Backend, rho: &[u8], draws: &[[[u8; DRAW]; K]; K]) -> Vec<Poly> {
    let mut matrix = Vec::with_capacity(K * K);
    for (n, draw) in draws.as_flattened().iter().enumerate() {
        matrix.push(Poly::ZERO);
        if backend.sample_ntt(&mut matrix[n], draw) {
            continue;
        }
        let mut bytes = draw.to_vec();
        loop {
            bytes.resize(2 * bytes.len(), 0);
            let job = Job::new(SHAKE128, [rho], &mut bytes);
            run(backend.keccak(), [job.tail([(n % K) as u8, (n / K) as u8])]);
            if backend.sample_ntt(&mut matrix[n], &bytes) {
                break;
            }
        }
    }
    matrix
}

/// The jobs of PRF_η (4.3): η·64 bytes for each of the places, from the number `from` on.
fn prf_jobs<'a, const BYTES: usize>(
    key: &'a [u8; 32],
    from: usize,
    bytes: usize,
    places: &'a mut [[u8; BYTES]],
) -> impl Iterator<Item = Job<'a>> {
    let places = places.iter_mut().enumerate();
    places.map(move |(n, place)| {
        Job::new(SHAKE256, [key], &mut place[..bytes]).tail([(from + n) as u8])
    })
}

/// Room for the randomness of η ≤ 3.
type Noise = [u8; 192];

fn halves(g: &[u8; 64]) -> &[[u8; 32]; 2] {
    g.as_chunks().0.try_into().expect("64 bytes")
}

/// Algorithms 16 (ML-KEM.KeyGen_internal) and 13 (K-PKE.KeyGen), each from d || z.
pub(super) fn keygen<const K: usize, const N: usize>(
    backend: Backend,
    seeds: [&[u8; 64]; N],
) -> [Private<K>; N] {
    let keccak = backend.keccak();
    let mut g = Secret::new([[0; 64]; N]);
    let jobs = seeds.iter().zip(&mut *g);
    run(
        keccak,
        jobs.map(|(seed, g)| Job::new(SHA3_512, [&seed[..32]], g).tail([K as u8])),
    );
    let g = &*g;
    for g in g {
        ct::mark_public(&g[..32]); // ρ is part of the public key.
    }
    let mut draws = [[[[0; DRAW]; K]; K]; N];
    // Of s, then of e.
    let mut noise = Secret::new([[[[0; 192]; K]; 2]; N]);
    let jobs = g.iter().zip(&mut draws).zip(&mut *noise);
    run(
        keccak,
        jobs.flat_map(|((g, draws), noise)| {
            let [rho, sigma] = halves(g);
            let places = noise.as_flattened_mut();
            matrix_jobs(rho, draws).chain(prf_jobs(sigma, 0, 64 * eta1(K), places))
        }),
    );
    let mut keys: [Private<K>; N] = from_fn(|_| Private::room(backend));
    let mut e = Secret::new([Poly::ZERO; K]);
    for (n, key) in keys.iter_mut().enumerate() {
        let public = inside(&mut key.public);
        public.rho = halves(&g[n])[0];
        public.a = matrix(backend, &public.rho, &draws[n]);
        let secret = &mut **key.secret;
        (secret.seed, secret.has_d) = (*seeds[n], true);
        let s = &mut secret.s;
        for (to, noise) in [&mut *s, &mut *e].into_iter().zip(&noise[n]) {
            for (poly, noise) in to.iter_mut().zip(noise) {
                backend.sample_poly_cbd(poly, &noise[..64 * eta1(K)]);
            }
            backend.ntt(to);
        }
        let Public { a, t, t_bytes, .. } = public;
        backend.multiply(t, a, false, s);
        backend.add(t, &*e);
        for (bytes, t) in t_bytes.iter_mut().zip(t) {
            backend.encode_ntt(bytes, t);
            ct::mark_public(bytes); // The public key.
            ct::mark_public_value(&mut t.0);
        }
    }
    run(
        keccak,
        keys.iter_mut().map(|key| {
            let public = inside(&mut key.public);
            let parts = [public.t_bytes.as_flattened(), &public.rho];
            Job::new(SHA3_256, parts, &mut public.h)
        }),
    );
    keys
}

impl<const K: usize> Public<K> {
    /// Reads t̂ and ρ, with the modulus check of 7.2.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Arc<Self>, Error> {
        let (t_bytes, rho) = bytes.as_chunks::<384>();
        if t_bytes.len() != K || rho.len() != 32 {
            return Err(Error::BadPublicKey);
        }
        let mut room = Self::room(backend);
        let public = inside(&mut room);
        public.t_bytes.copy_from_slice(t_bytes);
        public.rho.copy_from_slice(rho);
        for (t, bytes) in public.t.iter_mut().zip(t_bytes) {
            if !backend.decode_ntt(t, bytes).declassify() {
                return Err(Error::BadPublicKey); // The key is public.
            }
        }
        let mut draws = [[[0; DRAW]; K]; K];
        let hash = Job::new(SHA3_256, [bytes], &mut public.h);
        let jobs = matrix_jobs(rho, &mut draws);
        run(backend.keccak(), [hash].into_iter().chain(jobs));
        public.a = matrix(backend, rho, &draws);
        Ok(room)
    }
}

impl<const K: usize> Private<K> {
    /// Reads ŝ, ek, H(ek) and z, with the checks of 7.3 and of the key inside.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        let bad = Error::BadPrivateKey;
        let (s_bytes, rest) = bytes.split_at_checked(384 * K).ok_or(bad)?;
        let (public, rest) = rest.split_at_checked(384 * K + 32).ok_or(bad)?;
        let (h, z) = rest.split_first_chunk::<32>().ok_or(bad)?;
        let z: &[u8; 32] = z.try_into().map_err(|_| bad)?;
        let public = Public::from_bytes(public, backend).map_err(|_| bad)?;
        if public.h != *h {
            return Err(bad);
        }
        let mut key = Private::room(backend);
        key.public = public;
        let secret = &mut **key.secret;
        for (s, bytes) in secret.s.iter_mut().zip(s_bytes.as_chunks().0) {
            let _ = backend.decode_ntt(s, bytes); // The standard reduces.
        }
        secret.seed[32..].copy_from_slice(z);
        Ok(key)
    }

    /// ŝ, ek, H(ek) and z in a row.
    pub(super) fn write(&self, to: &mut [u8]) {
        let (s, rest) = to.split_at_mut(384 * K);
        for (bytes, s) in s.as_chunks_mut().0.iter_mut().zip(&self.secret.s) {
            self.public.backend.encode_ntt(bytes, s);
        }
        let (public, rest) = rest.split_at_mut(384 * K + 32);
        self.public.write(public);
        rest[..32].copy_from_slice(&self.public.h);
        rest[32..].copy_from_slice(self.secret.z());
    }
}

impl<const K: usize> Public<K> {
    /// t̂ and ρ in a row.
    pub(super) fn write(&self, to: &mut [u8]) {
        let (t, rho) = to.split_at_mut(384 * K);
        t.copy_from_slice(self.t_bytes.as_flattened());
        rho.copy_from_slice(&self.rho);
    }
}

/// The randomness of an encryption.
struct Randomness<const K: usize> {
    y: [Noise; K],
    e1: [Noise; K],
    e2: [Noise; 1],
}

impl<const K: usize> Wipe for Randomness<K> {
    fn wipe(&mut self) {
        self.y.wipe();
        self.e1.wipe();
        self.e2.wipe();
    }
}

/// Algorithm 14 (K-PKE.Encrypt) of each message, with the randomness r from the second half of
/// each g; other hashes go first.
fn encrypt<'a, const K: usize, const N: usize>(
    keys: [&Public<K>; N],
    messages: [&[u8; 32]; N],
    g: &[[u8; 64]; N],
    ciphertexts: [&mut [u8]; N],
    others: impl Iterator<Item = Job<'a>>,
) {
    let Some(first) = keys.first() else {
        return;
    };
    let mut randomness = Secret::new(
        [const {
            Randomness::<K> {
                y: [[0; 192]; K],
                e1: [[0; 192]; K],
                e2: [[0; 192]; 1],
            }
        }; N],
    );
    {
        let jobs = g.iter().zip(&mut *randomness).flat_map(|(g, n)| {
            let [_, r] = halves(g);
            prf_jobs(r, 0, 64 * eta1(K), &mut n.y)
                .chain(prf_jobs(r, K, 64 * ETA2, &mut n.e1))
                .chain(prf_jobs(r, 2 * K, 64 * ETA2, &mut n.e2))
        });
        // Their lifetimes differ.
        fn shorter<'s, 'l: 's>(job: Job<'l>) -> Job<'s> {
            job
        }
        run(first.backend.keccak(), others.map(shorter).chain(jobs));
    }
    let mut polys = Secret::new([[Poly::ZERO; K]; 3]);
    let mut v = Secret::new([Poly::ZERO; 2]);
    for n in 0..N {
        let (key, randomness) = (keys[n], &randomness[n]);
        let backend = key.backend;
        let [y, e1, u] = &mut *polys;
        let [v, e2] = &mut *v;
        for i in 0..K {
            backend.sample_poly_cbd(&mut y[i], &randomness.y[i][..64 * eta1(K)]);
            backend.sample_poly_cbd(&mut e1[i], &randomness.e1[i][..64 * ETA2]);
        }
        backend.sample_poly_cbd(e2, &randomness.e2[0][..64 * ETA2]);
        backend.ntt(y);
        let (c1, c2) = ciphertexts[n].split_at_mut(K * u_bytes(K));
        backend.multiply(u, &key.a, true, y);
        backend.inverse_ntt(u);
        backend.add(u, e1);
        for (c, u) in c1.chunks_exact_mut(u_bytes(K)).zip(u) {
            backend.compress(c, u);
        }
        let v = core::slice::from_mut(v);
        backend.multiply(v, &key.t, false, y);
        backend.inverse_ntt(v);
        backend.add(v, core::slice::from_ref(e2));
        backend.add_message(&mut v[0], messages[n]);
        backend.compress(c2, &v[0]);
    }
}

/// Algorithm 15 (K-PKE.Decrypt).
fn decrypt<const K: usize>(key: &Private<K>, ciphertext: &[u8], message: &mut [u8; 32]) {
    let backend = key.public.backend;
    let (c1, c2) = ciphertext.split_at(K * u_bytes(K));
    let mut u = [Poly::ZERO; K];
    for (u, c) in u.iter_mut().zip(c1.chunks_exact(u_bytes(K))) {
        backend.decompress(u, c);
    }
    backend.ntt(&mut u);
    let mut w = Secret::new([Poly::ZERO; 2]);
    let (product, v) = w.split_at_mut(1);
    backend.multiply(product, &key.secret.s, false, &u);
    backend.inverse_ntt(product);
    backend.decompress(&mut v[0], c2);
    backend.subtract(&mut v[0], &product[0]);
    backend.to_message(message, &v[0]);
}

/// Algorithm 17 (ML-KEM.Encaps_internal) for each key and m, to the secret and the ciphertext.
pub(super) fn encapsulate<const K: usize, const N: usize>(
    keys: [&Public<K>; N],
    messages: [&[u8; 32]; N],
    mut places: [(&mut [u8; 32], &mut [u8]); N],
) {
    let mut g = Secret::new([[0; 64]; N]);
    let jobs = keys.iter().zip(messages).zip(&mut *g);
    let jobs = jobs.map(|((key, m), g)| Job::new(SHA3_512, [m, &key.h], g));
    if let Some(key) = keys.first() {
        run(key.backend.keccak(), jobs);
    }
    let ciphertexts = places.each_mut().map(|(_, c)| &mut **c);
    encrypt(keys, messages, &g, ciphertexts, core::iter::empty());
    for (g, (secret, ciphertext)) in g.iter().zip(places) {
        ct::mark_public(ciphertext); // It travels.
        *secret = halves(g)[0];
    }
}

/// Algorithm 18 (ML-KEM.Decaps_internal) for each key and ciphertext. `again` is room for
/// ciphertexts.
pub(super) fn decapsulate<const K: usize, const N: usize>(
    keys: [&Private<K>; N],
    ciphertexts: [&[u8]; N],
    secrets: [&mut [u8; 32]; N],
    mut again: [&mut [u8]; N],
) {
    let mut messages = Secret::new([[0; 32]; N]);
    let mut g = Secret::new([[0; 64]; N]);
    let mut rejected = Secret::new([[0; 32]; N]);
    for n in 0..N {
        decrypt(keys[n], ciphertexts[n], &mut messages[n]);
    }
    let jobs = keys.iter().zip(&*messages).zip(&mut *g);
    let jobs = jobs.map(|((key, m), g)| Job::new(SHA3_512, [m, &key.public.h], g));
    if let Some(key) = keys.first() {
        run(key.public.backend.keccak(), jobs);
    }
    let j = keys.iter().zip(ciphertexts).zip(&mut *rejected);
    let j = j.map(|((key, c), out)| Job::new(SHAKE256, [key.secret.z(), c], out));
    let publics = keys.map(|key| &*key.public);
    encrypt(
        publics,
        messages.each_ref(),
        &g,
        again.each_mut().map(|c| &mut **c),
        j,
    );
    for n in 0..N {
        let same = ct::eq(ciphertexts[n], again[n]);
        *secrets[n] = select(same, &halves(&g[n])[0], &rejected[n]);
        again[n].wipe();
    }
}

/// `a` where true, `b` where false.
fn select(choice: Choice, a: &[u8; 32], b: &[u8; 32]) -> [u8; 32] {
    let mask = choice.mask() as u8;
    from_fn(|i| b[i] ^ (mask & (a[i] ^ b[i])))
}
