//! Encapsulation and decapsulation (FIPS 203, 5.2, 5.3, 6.2 and 6.3), of `N` items side by side.

use super::keys::{ETA2, Private, Public, eta1, halves};
use super::matrix::{expand, shorter};
use super::poly::{Backend, Poly};
use crate::sponge::{Job, SHA3_512, SHAKE256, run};
use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Secret, Wipe};
use alloc::vec::Vec;
use core::array::from_fn;

/// Bytes of a polynomial of u: 32·d_u.
const fn u_bytes(k: usize) -> usize {
    32 * if k == 4 { 11 } else { 10 }
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
