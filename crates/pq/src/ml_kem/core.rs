//! K-PKE and ML-KEM (FIPS 203, 5 to 7) for a matrix of `K` rows, on `N` items side by side.
//!
//! One operation and eight of them are the same code: the hashes of all items share the lanes of
//! [`run`]. The algorithms' numbers stand at their steps.

use super::poly::{Backend, Poly};
use crate::sponge::{Fill, Job, SHA3_256, SHA3_512, SHAKE128, SHAKE256, Serial, Sink, run, run_to};
use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Secret, SecretVec, Wipe};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::Range;

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

/// An encapsulation key.
#[derive(Clone)]
pub(super) struct Public<const K: usize> {
    pub(super) backend: Backend,
    /// Â by rows, and t̂ behind it: K·K + K polynomials, or none where these are not kept.
    kept: Vec<Poly>,
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
            kept: Vec::new(),
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

/// A polynomial of Â in the making.
struct Uniform {
    /// The number of its key among those at hand, and its own in the matrix.
    key: usize,
    at: usize,
    /// How many coefficients are known.
    count: usize,
}

impl Uniform {
    /// Takes bytes of SHAKE128; whether these are enough.
    #[inline]
    fn take(&mut self, backend: Backend, a: &mut [Poly], block: &[u8]) -> bool {
        self.count = backend.sample_ntt(&mut a[self.at], self.count, block);
        self.count == 256
    }
}

/// Algorithm 13, lines 3 to 7, for the polynomials `places` of Â: the jobs.
fn matrix_jobs<'a, const K: usize, T>(
    rho: &'a [u8; 32],
    key: usize,
    places: Range<usize>,
    wrap: impl Fn(Uniform) -> T,
) -> impl Iterator<Item = Job<'a, T>> {
    places.map(move |at| {
        let place = Uniform { key, at, count: 0 };
        Job::to(SHAKE128, [rho], wrap(place)).tail([(at % K) as u8, (at / K) as u8])
    })
}

/// Where matrices go, and other outputs meanwhile.
struct Matrices<'m, const N: usize> {
    backend: Backend,
    a: [&'m mut [Poly]; N],
}

/// A place of these.
enum Place<'a> {
    Uniform(Uniform),
    Bytes(&'a mut [u8]),
}

impl<const N: usize> Sink<Place<'_>> for Matrices<'_, N> {
    #[inline]
    fn take(&mut self, place: &mut Place, block: &[u8]) -> bool {
        match place {
            Place::Uniform(poly) => poly.take(self.backend, self.a[poly.key], block),
            Place::Bytes(out) => Fill.take(out, block),
        }
    }
}

/// A job beside those of another lifetime.
fn shorter<'s, 'l: 's>(job: Job<'l>) -> Job<'s> {
    job
}

/// Â and t̂ of the keys that do not keep them, to `own`; `good` where all numbers of t̂ are below q.
/// Other hashes are done on the way, if there is any such key.
fn expand<'a, const K: usize, const N: usize>(
    keys: [&Public<K>; N],
    own: &mut [Vec<Poly>; N],
    good: &mut [bool; N],
    others: impl Iterator<Item = Job<'a>>,
) {
    let Some(Public { backend, .. }) = keys.iter().find(|key| key.kept.is_empty()) else {
        return;
    };
    for n in 0..N {
        if !keys[n].kept.is_empty() {
            continue;
        }
        own[n] = polys::<K, 1>();
        for (t, bytes) in own[n][K * K..].iter_mut().zip(&keys[n].t_bytes) {
            good[n] &= backend.decode_ntt(t, bytes).declassify(); // The key is public.
        }
    }
    let others = others.map(|job| job.map(Place::Bytes));
    let lacking = keys.iter().enumerate();
    let lacking = lacking.filter(|(_, key)| key.kept.is_empty());
    let jobs =
        lacking.flat_map(|(n, key)| matrix_jobs::<K, _>(&key.rho, n, 0..K * K, Place::Uniform));
    let mut matrices = Matrices {
        backend: *backend,
        a: own.each_mut().map(|polys| &mut polys[..]),
    };
    run_to(backend.keccak(), others.chain(jobs), &mut matrices);
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

/// A piece of a key in the making.
enum Piece {
    Uniform(Uniform),
    /// A polynomial of s, or behind these of e, and how many bytes of its randomness are known.
    Noise {
        key: usize,
        at: usize,
        len: usize,
    },
}

/// The parts of a key: Â and t̂, the encapsulation key, and what is secret.
type Parts<'k, const K: usize> = (&'k mut [Poly], &'k mut Public<K>, &'k mut Secrets<K>);

/// Keys in the making, with the room of each.
struct Making<'k, const K: usize, const N: usize> {
    backend: Backend,
    keys: [Parts<'k, K>; N],
    /// Where more than a block of randomness is put together.
    noise: SecretVec<[[u8; 192]; K]>,
    /// Polynomials that are missing: of s, of e and of each row of Â.
    missing: [([usize; 2], [usize; K]); N],
    /// Rows of t that are done.
    done: [usize; N],
    /// H(ek) of a single key.
    hash: Option<Serial>,
}

impl<const K: usize, const N: usize> Making<'_, K, N> {
    /// A block of randomness for a polynomial of s or e; whether it was enough.
    fn noise(&mut self, key: usize, at: usize, len: &mut usize, block: &[u8]) -> bool {
        let wanted = 64 * eta1(K);
        let (polys, _, secret) = &mut self.keys[key];
        let vector = at / K;
        // t̂ is ê until the product is added.
        let polys = match vector {
            0 => &mut secret.s,
            _ => &mut polys[K * K..],
        };
        if wanted <= block.len() {
            self.backend
                .sample_poly_cbd(&mut polys[at % K], &block[..wanted]);
        } else {
            let bytes = &mut self.noise[2 * key + vector][at % K][..wanted];
            let now = block.len().min(wanted - *len);
            bytes[*len..*len + now].copy_from_slice(&block[..now]);
            *len += now;
            if *len < wanted {
                return false;
            }
            self.backend.sample_poly_cbd(&mut polys[at % K], bytes);
        }
        let missing = &mut self.missing[key].0[vector];
        *missing -= 1;
        if *missing == 0 {
            self.backend.ntt(polys);
        }
        true
    }

    /// Algorithm 13, lines 18 to 20, for the rows of t̂ that nothing is missing for.
    fn rows(&mut self, key: usize) {
        let (noise, rows) = &self.missing[key];
        let from = self.done[key];
        let ready = rows[from..].iter().take_while(|missing| **missing == 0);
        let to = from + ready.count();
        // One by one takes longer: that is for the hash that waits for them.
        if from == to || *noise != [0; 2] || (self.hash.is_none() && to < K) {
            return;
        }
        self.done[key] = to;
        let backend = self.backend;
        let (polys, Public { t_bytes, .. }, secret) = &mut self.keys[key];
        let (a, t) = polys.split_at_mut(K * K);
        let mut products = Secret::new([Poly::ZERO; K]);
        let products = &mut products[from..to];
        backend.multiply(products, &a[K * from..K * to], false, &secret.s);
        backend.add(&mut t[from..to], products);
        for (bytes, t) in t_bytes[from..to].iter_mut().zip(&mut t[from..to]) {
            backend.encode_ntt(bytes, t);
            ct::mark_public(bytes); // The public key.
            ct::mark_public_value(&mut t.0);
            if let Some(hash) = &mut self.hash {
                hash.push(bytes);
            }
        }
    }
}

impl<const K: usize, const N: usize> Sink<Piece> for Making<'_, K, N> {
    fn take(&mut self, piece: &mut Piece, block: &[u8]) -> bool {
        let key = match piece {
            Piece::Uniform(poly) => {
                let key = poly.key;
                if !poly.take(self.backend, self.keys[key].0, block) {
                    return false;
                }
                self.missing[key].1[poly.at / K] -= 1;
                key
            }
            Piece::Noise { key, at, len } => {
                if !self.noise(*key, *at, len, block) {
                    return false;
                }
                *key
            }
        };
        self.rows(key);
        true
    }

    fn serial(&mut self) -> Option<&mut Serial> {
        self.hash.as_mut()
    }
}

/// Room for Â and t̂ of `N` keys.
pub(super) fn polys<const K: usize, const N: usize>() -> Vec<Poly> {
    vec![Poly::ZERO; N * (K * K + K)]
}

/// The key of d || z, which keeps its matrix.
pub(super) fn keygen_one<const K: usize>(backend: Backend, seed: &[u8; 64]) -> Private<K> {
    let mut room = polys::<K, 1>();
    let [mut key] = keygen(backend, [seed], &mut room);
    inside(&mut key.public).kept = room;
    key
}

/// Algorithms 16 (ML-KEM.KeyGen_internal) and 13 (K-PKE.KeyGen), each from d || z; Â and t̂ are left
/// in the room.
pub(super) fn keygen<const K: usize, const N: usize>(
    backend: Backend,
    seeds: [&[u8; 64]; N],
    room: &mut [Poly],
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
    let mut keys: [Private<K>; N] = from_fn(|n| {
        let mut key = Private::room(backend);
        let public = inside(&mut key.public);
        public.rho = halves(&g[n])[0];
        let secret = &mut **key.secret;
        (secret.seed, secret.has_d) = (*seeds[n], true);
        key
    });
    let several_blocks = 64 * eta1(K) > SHAKE256.rate();
    let mut rooms = room.chunks_exact_mut(K * K + K);
    let mut making = Making::<K, N> {
        backend,
        keys: keys.each_mut().map(|key| {
            let room = rooms.next().expect("room for each key");
            (room, inside(&mut key.public), &mut **key.secret)
        }),
        noise: SecretVec::from(if several_blocks {
            vec![[[0; 192]; K]; 2 * N]
        } else {
            Vec::new()
        }),
        missing: [([K; 2], [K; K]); N],
        done: [0; N],
        hash: (N == 1).then(|| Serial::new(SHA3_256, 384 * K + 32)),
    };
    let noise = |places: Range<usize>| {
        g.iter().enumerate().flat_map(move |(key, g)| {
            let [_, sigma] = halves(g);
            places.clone().map(move |at| {
                let place = Piece::Noise { key, at, len: 0 };
                Job::to(SHAKE256, [sigma], place).tail([at as u8])
            })
        })
    };
    let matrix = |places: Range<usize>| {
        g.iter().enumerate().flat_map(move |(key, g)| {
            let [rho, _] = halves(g);
            matrix_jobs::<K, _>(rho, key, places.clone(), Piece::Uniform)
        })
    };
    // The first row of a single key is wanted soon; of many keys, all jobs of one kind go together.
    let (s, row) = if N == 1 { (K, K) } else { (2 * K, 0) };
    let jobs = noise(0..s).chain(matrix(0..row));
    let jobs = jobs.chain(noise(s..2 * K)).chain(matrix(row..K * K));
    run_to(keccak, jobs, &mut making);
    if let Some(mut hash) = making.hash.take() {
        let public = inside(&mut keys[0].public);
        hash.push(&public.rho);
        hash.finish(keccak.one, &mut public.h);
        return keys;
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
    /// Reads t̂ and ρ of each key, with the modulus check of 7.2. Other hashes are done on the way.
    ///
    /// # Panics
    /// Where a key has another length than t̂ and ρ.
    pub(super) fn read<'a, const N: usize>(
        keys: [&'a [u8]; N],
        backend: Backend,
        others: impl Iterator<Item = Job<'a>>,
    ) -> [Result<Arc<Self>, Error>; N] {
        let read = keys.map(|bytes| {
            let mut room = Self::room(backend);
            let public = inside(&mut room);
            let (t_bytes, rho) = bytes.as_chunks::<384>();
            public.t_bytes.copy_from_slice(t_bytes);
            public.rho.copy_from_slice(rho);
            room
        });
        let mut good = [true; N];
        let mut kept = [const { Vec::new() }; N];
        let mut hashed = [[0; 32]; N];
        let hashes = keys.iter().zip(&mut hashed);
        let hashes = hashes.map(|(bytes, h)| Job::new(SHA3_256, [bytes], h));
        expand(
            read.each_ref().map(|room| &**room),
            &mut kept,
            &mut good,
            hashes.chain(others.map(shorter)),
        );
        let mut parts = good.into_iter().zip(kept).zip(hashed);
        read.map(|mut room| {
            let ((good, kept), h) = parts.next().expect("those of each key");
            let public = inside(&mut room);
            (public.kept, public.h) = (kept, h);
            good.then_some(room).ok_or(Error::BadPublicKey)
        })
    }

    /// Reads a key.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Arc<Self>, Error> {
        let [key] = Self::read([bytes], backend, core::iter::empty());
        key
    }
}

impl<const K: usize> Private<K> {
    /// Reads ŝ, ek, H(ek) and z of each key, with the checks of 7.3 and of the keys inside. Other
    /// hashes are done on the way.
    ///
    /// # Panics
    /// Where a key has another length than these.
    pub(super) fn read<'a, const N: usize>(
        keys: [&'a [u8]; N],
        backend: Backend,
        others: impl Iterator<Item = Job<'a>>,
    ) -> [Result<Self, Error>; N] {
        let parts = keys.map(|bytes| {
            let (s, rest) = bytes.split_at(384 * K);
            let (public, rest) = rest.split_at(384 * K + 32);
            let (h, z) = rest.split_at(32);
            (s, public, h, z)
        });
        let publics = Public::read(parts.map(|(_, public, ..)| public), backend, others);
        let mut parts = parts.into_iter();
        publics.map(|public| {
            let (s_bytes, _, h, z) = parts.next().expect("one for each key");
            let public = public.ok().filter(|public| public.h == *h);
            let mut key = Private::room(backend);
            key.public = public.ok_or(Error::BadPrivateKey)?;
            let secret = &mut **key.secret;
            for (s, bytes) in secret.s.iter_mut().zip(s_bytes.as_chunks().0) {
                let _ = backend.decode_ntt(s, bytes); // The standard reduces.
            }
            secret.seed[32..].copy_from_slice(z);
            Ok(key)
        })
    }

    /// Reads a key.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        let [key] = Self::read([bytes], backend, core::iter::empty());
        key
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
    /// The same key with its matrix kept.
    pub(super) fn expanded(this: &Arc<Self>) -> Arc<Self> {
        if !this.kept.is_empty() {
            return Arc::clone(this);
        }
        let mut own = [Vec::new()];
        expand([this], &mut own, &mut [true], core::iter::empty());
        let mut public = Self::clone(this);
        [public.kept] = own;
        Arc::new(public)
    }

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

/// Algorithm 14 (K-PKE.Encrypt) of each message to Â and t̂, with the randomness r from the second half of
/// each g; other hashes go first.
fn encrypt<'a, const K: usize, const N: usize>(
    backend: Backend,
    keys: [&[Poly]; N],
    messages: [&[u8; 32]; N],
    g: &[[u8; 64]; N],
    ciphertexts: [&mut [u8]; N],
    others: impl Iterator<Item = Job<'a>>,
) {
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
        run(backend.keccak(), others.map(shorter).chain(jobs));
    }
    let mut polys = Secret::new([[Poly::ZERO; K]; 3]);
    let mut v = Secret::new([Poly::ZERO; 2]);
    for n in 0..N {
        let (a, t) = keys[n].split_at(K * K);
        let randomness = &randomness[n];
        let [y, e1, u] = &mut *polys;
        let [v, e2] = &mut *v;
        for i in 0..K {
            backend.sample_poly_cbd(&mut y[i], &randomness.y[i][..64 * eta1(K)]);
            backend.sample_poly_cbd(&mut e1[i], &randomness.e1[i][..64 * ETA2]);
        }
        backend.sample_poly_cbd(e2, &randomness.e2[0][..64 * ETA2]);
        backend.ntt(y);
        let (c1, c2) = ciphertexts[n].split_at_mut(K * u_bytes(K));
        backend.multiply(u, a, true, y);
        backend.inverse_ntt(u);
        backend.add(u, e1);
        for (c, u) in c1.chunks_exact_mut(u_bytes(K)).zip(u) {
            backend.compress(c, u);
        }
        let v = core::slice::from_mut(v);
        backend.multiply(v, t, false, y);
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

/// Â and t̂ of each key: what it keeps, or its own of these.
fn polys_of<'p, const K: usize, const N: usize>(
    keys: [&'p Public<K>; N],
    own: &'p [Vec<Poly>; N],
) -> [&'p [Poly]; N] {
    from_fn(|n| match &keys[n].kept[..] {
        [] => &own[n][..],
        kept => kept,
    })
}

/// Algorithm 17 (ML-KEM.Encaps_internal) for each key and m, to the secret and the ciphertext.
pub(super) fn encapsulate<const K: usize, const N: usize>(
    keys: [&Public<K>; N],
    messages: [&[u8; 32]; N],
    mut places: [(&mut [u8; 32], &mut [u8]); N],
) {
    let Some(Public { backend, .. }) = keys.first() else {
        return;
    };
    let mut own = [const { Vec::new() }; N];
    expand(keys, &mut own, &mut [true; N], core::iter::empty());
    let mut g = Secret::new([[0; 64]; N]);
    let jobs = keys.iter().zip(messages).zip(&mut *g);
    let jobs = jobs.map(|((key, m), g)| Job::new(SHA3_512, [m, &key.h], g));
    run(backend.keccak(), jobs);
    let ciphertexts = places.each_mut().map(|(_, c)| &mut **c);
    let polys = polys_of(keys, &own);
    encrypt::<K, N>(
        *backend,
        polys,
        messages,
        &g,
        ciphertexts,
        core::iter::empty(),
    );
    for (g, (secret, ciphertext)) in g.iter().zip(places) {
        ct::mark_public(ciphertext); // It travels.
        *secret = halves(g)[0];
    }
}

/// J (4.4) of z and a ciphertext: what is given out where the ciphertext is wrong.
fn rejection<'a>(z: &'a [u8], ciphertext: &'a [u8], out: &'a mut [u8; 32]) -> Job<'a> {
    Job::new(SHAKE256, [z, ciphertext], out)
}

/// Algorithm 18 (ML-KEM.Decaps_internal) for each key and ciphertext. `again` is room for
/// ciphertexts; `rejected` has the secrets for wrong ones, if they are known.
pub(super) fn decapsulate<const K: usize, const N: usize>(
    keys: [&Private<K>; N],
    ciphertexts: [&[u8]; N],
    secrets: [&mut [u8; 32]; N],
    mut again: [&mut [u8]; N],
    rejected: Option<&[[u8; 32]; N]>,
) {
    let Some(Private { public, .. }) = keys.first() else {
        return;
    };
    let backend = public.backend;
    let mut messages = Secret::new([[0; 32]; N]);
    let mut g = Secret::new([[0; 64]; N]);
    let mut j = Secret::new([[0; 32]; N]);
    for n in 0..N {
        decrypt(keys[n], ciphertexts[n], &mut messages[n]);
    }
    let publics = keys.map(|key| &*key.public);
    // J goes with the matrices, if there are any to compute, or else with the PRF.
    let mut own = [const { Vec::new() }; N];
    let jobs = keys.iter().zip(ciphertexts).zip(&mut *j);
    let mut jobs = jobs
        .filter(|_| rejected.is_none())
        .map(|((key, c), out)| rejection(key.secret.z(), c, out));
    expand(publics, &mut own, &mut [true; N], &mut jobs);
    let g_jobs = keys.iter().zip(&*messages).zip(&mut *g);
    let g_jobs = g_jobs.map(|((key, m), g)| Job::new(SHA3_512, [m, &key.public.h], g));
    run(backend.keccak(), g_jobs);
    encrypt::<K, N>(
        backend,
        polys_of(publics, &own),
        messages.each_ref(),
        &g,
        again.each_mut().map(|c| &mut **c),
        jobs,
    );
    let rejected = rejected.unwrap_or(&j);
    for n in 0..N {
        let same = ct::eq(ciphertexts[n], again[n]);
        *secrets[n] = select(same, &halves(&g[n])[0], &rejected[n]);
        again[n].wipe();
    }
}

/// Reads keys and decapsulates with them once, for which all hashes that wait for nothing go
/// together.
///
/// # Panics
/// Where a key has another length than [`Private::read`] wants.
pub(super) fn decapsulate_encoded<const K: usize, const N: usize>(
    backend: Backend,
    keys: [&[u8]; N],
    ciphertexts: [&[u8]; N],
    again: [&mut [u8]; N],
) -> [Result<Secret<[u8; 32]>, Error>; N] {
    let mut rejected = Secret::new([[0; 32]; N]);
    let jobs = keys.iter().zip(ciphertexts).zip(&mut *rejected);
    let jobs = jobs.map(|((key, c), out)| rejection(&key[key.len() - 32..], c, out));
    let keys = Private::<K>::read(keys, backend, jobs);
    let mut secrets = [const { Secret::new([0; 32]) }; N];
    // Another key stands in for one that is wrong.
    if let Some(any) = keys.iter().flatten().next() {
        decapsulate(
            keys.each_ref().map(|key| key.as_ref().unwrap_or(any)),
            ciphertexts,
            secrets.each_mut().map(|secret| &mut **secret),
            again,
            Some(&rejected),
        );
    }
    let mut secrets = secrets.into_iter();
    keys.map(|key| {
        let secret = secrets.next().expect("one for each key");
        key.map(|_| secret)
    })
}

/// `a` where true, `b` where false.
fn select(choice: Choice, a: &[u8; 32], b: &[u8; 32]) -> [u8; 32] {
    let mask = choice.mask() as u8;
    from_fn(|i| b[i] ^ (mask & (a[i] ^ b[i])))
}
