//! Encapsulation and decapsulation (FIPS 203, 5.2, 5.3, 6.2 and 6.3), of `N` items side by side.

use super::MANY;
use super::arithmetic::Backend;
use super::keys::{ETA2, MAX_K, Private, Public, eta1, expand, halves, shorter};
use super::matrix::Matrix;
use super::poly::Poly;
use crate::sponge::{Job, SHA3_512, SHAKE256, run};
use adamant_base::ct::{self, Choice};
use adamant_base::shared::Shared;
use adamant_base::{Error, Secret, Wipe};
use core::array::from_fn;
use core::slice::from_mut;

/// Bytes of a polynomial of u: 32·d_u.
const fn u_bytes(k: usize) -> usize {
    32 * if k == 4 { 11 } else { 10 }
}

/// The randomness of an encryption: η·64 bytes for each polynomial of y, e₁ and e₂ in a row.
type Randomness = [u8; 64 * 2 * (2 * MAX_K + 1)];

/// Bytes of randomness of the polynomials of y, and of each of the others.
const fn random_bytes(k: usize) -> (usize, usize) {
    (64 * eta1(k) * k, 64 * ETA2)
}
const _: () = assert!({
    let (y, each) = random_bytes(2);
    y + 3 * each <= size_of::<Randomness>()
});

/// Algorithm 14 (K-PKE.Encrypt) of each message, with the randomness r from the second half of each
/// g; other hashes go first.
fn encrypt<'a>(
    keys: &[&Shared<Public>],
    own: &[Matrix],
    messages: &[&[u8; 32]],
    g: &[[u8; 64]],
    randomness: &mut [Randomness],
    ciphertexts: &mut [&mut [u8]],
    others: &mut dyn Iterator<Item = Job<'a>>,
) {
    let Some(Public { backend, .. }) = keys.first().map(|key| &***key) else {
        return;
    };
    let k = keys[0].k();
    let (of_y, each) = random_bytes(k);
    {
        // PRF_η (4.3).
        let jobs = g.iter().zip(&mut *randomness).flat_map(|(g, randomness)| {
            let (y, rest) = randomness.split_at_mut(of_y);
            let places = y
                .chunks_exact_mut(of_y / k)
                .chain(rest.chunks_exact_mut(each));
            places
                .take(2 * k + 1)
                .enumerate()
                .map(move |(number, place)| {
                    Job::new(SHAKE256, [&halves(g)[1]], place).tail([number as u8])
                })
        });
        run(backend.keccak(), others.map(shorter).chain(jobs));
    }
    let mut polys = Secret::new([Poly::ZERO; 2 * MAX_K + 2]);
    let (y, rest) = polys.split_at_mut(MAX_K);
    let (u, rest) = rest.split_at_mut(MAX_K);
    let (y, u) = (&mut y[..k], &mut u[..k]);
    let (v, e) = rest.split_at_mut(1);
    for (n, key) in keys.iter().enumerate() {
        // The matrix and t that the key keeps, or those made here.
        let (a, t) = match &key.kept[..] {
            [] => own[n].split_at(k * k),
            kept => kept.split_at(k * k),
        };
        let (of_y, of_e) = randomness[n].split_at(of_y);
        for (y, random) in y.iter_mut().zip(of_y.chunks_exact(of_y.len() / k)) {
            backend.sample_poly_cbd(y, random);
        }
        let mut of_e = of_e.chunks_exact(each);
        let mut sample = |to: &mut Poly| {
            let random = of_e.next().expect("2·k + 1 polynomials");
            backend.sample_poly_cbd(to, random);
        };
        backend.ntt(y);
        let (c1, c2) = ciphertexts[n].split_at_mut(k * u_bytes(k));
        backend.multiply(u, a, true, y);
        backend.inverse_ntt(u);
        for (c, u) in c1.chunks_exact_mut(u_bytes(k)).zip(&mut *u) {
            sample(&mut e[0]);
            backend.add(from_mut(u), e);
            backend.compress(c, u);
        }
        backend.multiply(v, t, false, y);
        backend.inverse_ntt(v);
        sample(&mut e[0]);
        backend.add(v, e);
        backend.add_message(&mut v[0], messages[n]);
        backend.compress(c2, &v[0]);
    }
}

/// Algorithm 15 (K-PKE.Decrypt).
fn decrypt(key: &Private, ciphertext: &[u8], message: &mut [u8; 32]) {
    let backend = key.public.backend;
    let k = key.public.k();
    let (c1, c2) = ciphertext.split_at(k * u_bytes(k));
    let mut u = [Poly::ZERO; MAX_K];
    let u = &mut u[..k];
    for (u, c) in u.iter_mut().zip(c1.chunks_exact(u_bytes(k))) {
        backend.decompress(u, c);
    }
    backend.ntt(u);
    let mut w = Secret::new([Poly::ZERO; 2]);
    let (product, v) = w.split_at_mut(1);
    backend.multiply(product, &key.s, false, u);
    backend.inverse_ntt(product);
    backend.decompress(&mut v[0], c2);
    backend.subtract(&mut v[0], &product[0]);
    backend.to_message(message, &v[0]);
}

/// Algorithm 17 (ML-KEM.Encaps_internal) for each key and m, to the secret and the ciphertext.
pub(super) fn encapsulate<const N: usize>(
    keys: [&Shared<Public>; N],
    messages: [&[u8; 32]; N],
    mut places: [(&mut [u8; 32], &mut [u8]); N],
) {
    let mut own = [const { Matrix::none() }; N];
    let mut g = Secret::new([[0; 64]; N]);
    let mut randomness = Secret::new([[0; size_of::<Randomness>()]; N]);
    encapsulate_all(
        &keys,
        &messages,
        &mut places.each_mut().map(|(_, c)| &mut **c),
        &mut own,
        &mut g[..],
        &mut randomness[..],
    );
    for (g, (secret, ciphertext)) in g.iter().zip(places) {
        ct::mark_public(ciphertext); // It travels.
        *secret = halves(g)[0];
    }
}

/// Once for all numbers of keys.
fn encapsulate_all(
    keys: &[&Shared<Public>],
    messages: &[&[u8; 32]],
    ciphertexts: &mut [&mut [u8]],
    own: &mut [Matrix],
    g: &mut [[u8; 64]],
    randomness: &mut [Randomness],
) {
    let Some(Public { backend, .. }) = keys.first().map(|key| &***key) else {
        return;
    };
    let none = &mut core::iter::empty();
    expand(keys, own, &mut [true; MANY][..keys.len()], none);
    let jobs = keys.iter().zip(messages).zip(&mut *g);
    let jobs = jobs.map(|((key, m), g)| Job::new(SHA3_512, [*m, &key.h], g));
    run(backend.keccak(), jobs);
    encrypt(keys, own, messages, g, randomness, ciphertexts, none);
}

/// J (4.4) of z and a ciphertext: what is given out where the ciphertext is wrong.
fn rejection<'a>(z: &'a [u8], ciphertext: &'a [u8], out: &'a mut [u8; 32]) -> Job<'a> {
    Job::new(SHAKE256, [z, ciphertext], out)
}

/// What decapsulation computes on the way.
struct Room<const N: usize> {
    messages: [[u8; 32]; N],
    g: [[u8; 64]; N],
    j: [[u8; 32]; N],
    randomness: [Randomness; N],
}

impl<const N: usize> Wipe for Room<N> {
    fn wipe(&mut self) {
        self.messages.as_flattened_mut().wipe();
        self.g.as_flattened_mut().wipe();
        self.j.as_flattened_mut().wipe();
        self.randomness.as_flattened_mut().wipe();
    }
}

/// Algorithm 18 (ML-KEM.Decaps_internal) for each key and ciphertext. `again` is room for
/// ciphertexts; `rejected` has the secrets for wrong ones, if they are known.
pub(super) fn decapsulate<const N: usize>(
    keys: [&Private; N],
    ciphertexts: [&[u8]; N],
    mut secrets: [&mut [u8; 32]; N],
    mut again: [&mut [u8]; N],
    rejected: Option<&[[u8; 32]; N]>,
) {
    let mut room = Secret::new(Room {
        messages: [[0; 32]; N],
        g: [[0; 64]; N],
        j: [[0; 32]; N],
        randomness: [[0; size_of::<Randomness>()]; N],
    });
    let Room {
        messages,
        g,
        j,
        randomness,
    } = &mut *room;
    for n in 0..N {
        decrypt(keys[n], ciphertexts[n], &mut messages[n]);
    }
    decapsulate_all(
        &keys,
        &keys.map(|key| &key.public),
        &ciphertexts,
        &messages.each_ref(),
        &mut secrets,
        &mut again,
        rejected.map(|rejected| &rejected[..]),
        &mut [const { Matrix::none() }; N],
        g,
        j,
        randomness,
    );
}

/// What follows decryption, once for all numbers of keys.
fn decapsulate_all(
    keys: &[&Private],
    publics: &[&Shared<Public>],
    ciphertexts: &[&[u8]],
    messages: &[&[u8; 32]],
    secrets: &mut [&mut [u8; 32]],
    again: &mut [&mut [u8]],
    rejected: Option<&[[u8; 32]]>,
    own: &mut [Matrix],
    g: &mut [[u8; 64]],
    j: &mut [[u8; 32]],
    randomness: &mut [Randomness],
) {
    let Some(Public { backend, .. }) = publics.first().map(|key| &***key) else {
        return;
    };
    // J goes with the matrices, if there are any to compute, or else with the PRF.
    let jobs = keys.iter().zip(ciphertexts).zip(&mut *j);
    let mut jobs = jobs
        .filter(|_| rejected.is_none())
        .map(|((key, c), out)| rejection(key.secret.z(), c, out));
    expand(publics, own, &mut [true; MANY][..keys.len()], &mut jobs);
    let g_jobs = publics.iter().zip(messages).zip(&mut *g);
    let g_jobs = g_jobs.map(|((key, m), g)| Job::new(SHA3_512, [*m, &key.h], g));
    run(backend.keccak(), g_jobs);
    encrypt(publics, own, messages, g, randomness, again, &mut jobs);
    let rejected = rejected.unwrap_or(j);
    for n in 0..keys.len() {
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
pub(super) fn decapsulate_encoded<const N: usize>(
    k: usize,
    backend: Backend,
    keys: [&[u8]; N],
    ciphertexts: [&[u8]; N],
    again: [&mut [u8]; N],
) -> [Result<Secret<[u8; 32]>, Error>; N] {
    let mut rejected = Secret::new([[0; 32]; N]);
    let jobs = keys.iter().zip(ciphertexts).zip(&mut *rejected);
    let jobs = jobs.map(|((key, c), out)| rejection(&key[key.len() - 32..], c, out));
    let keys = Private::read(k, keys, backend, &mut { jobs });
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
