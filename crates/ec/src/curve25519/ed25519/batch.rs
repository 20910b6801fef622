//! Many keys and signatures at once.
//!
//! Signatures are verified by a random combination of their equations: with odd numbers z_i of 128
//! bits that nobody could foresee, all of them hold, but for a chance of 2^-127, if
//! `[8](sum z_i S_i) B = [8] sum ([z_i k_i] A_i + [z_i] R_i)`. Where that fails, each is looked at
//! alone. The z_i come from a hash of all keys, messages and signatures, so that the same batch
//! gives the same verdicts, and whoever changes a signature changes them all.

use super::super::kernel::Check;
use super::super::same_length;
use super::super::scalar::Scalar;
use super::domain::Domain;
use super::{Backend, PrivateKey, PublicKey, Rule, Signature, clamp};
use crate::curve25519::edwards::Affine;
use adamant_base::{Error, Rng, Secret, Wipe, ct};
use adamant_hash::Sha512;
use alloc::vec;
use alloc::vec::Vec;

/// Items whose inversions, or hashes, are done at once.
const CHUNK: usize = 64;
/// Items that share an equation, and with it its doublings.
const COMBINED: usize = 4 * CHUNK;
/// Fewer items than this are verified alone.
const WORTH_IT: usize = 3;
/// Messages from this length on are hashed where they lie, one by one.
const LONG: usize = 4096;

/// The bytes that the short ones of these messages and as many prefixes of 64 bytes take.
fn room<'a>(messages: impl Iterator<Item = &'a [u8]>) -> usize {
    let short = messages.filter(|message| message.len() < LONG);
    short.map(|message| 64 + message.len()).sum()
}

/// Hashes a prefix of 32 or 64 bytes and a message, for each: side by side those that find a place
/// in the scratch, which is wiped then, one by one the others.
fn hash_all<const N: usize>(items: &[([u8; N], &[u8])], out: &mut [[u8; 64]], scratch: &mut [u8]) {
    let (mut used, mut ends, mut count) = (0, [0; CHUNK], 0);
    let mut places = [None; CHUNK];
    for ((prefix, message), place) in items.iter().zip(&mut places) {
        let end = used + N + message.len();
        if message.len() < LONG && end <= scratch.len() {
            scratch[used..used + N].copy_from_slice(prefix);
            scratch[used + N..end].copy_from_slice(message);
            *place = Some(count);
            (ends[count], used, count) = (end, end, count + 1);
        }
    }
    let mut inputs: [&[u8]; CHUNK] = [&[]; CHUNK];
    let mut digests = Secret::new([[0; 64]; CHUNK]);
    let mut start = 0;
    for (input, end) in inputs.iter_mut().zip(ends).take(count) {
        *input = &scratch[start..end];
        start = end;
    }
    Sha512::digest_batch(&inputs[..count], &mut digests[..count]).expect("as many places");
    for (((prefix, message), out), place) in items.iter().zip(out).zip(places) {
        *out = match place {
            Some(place) => digests[place],
            None => {
                let mut hash = Sha512::new();
                hash.update(prefix);
                hash.update(message);
                hash.finalize()
            }
        };
    }
    scratch[..used].wipe();
}

/// Makes `count` keys, as [`PrivateKey::generate`] does one by one.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
pub fn keygen_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<PrivateKey>, Error> {
    let backend = Backend::best();
    let mut keys = Vec::with_capacity(count);
    while keys.len() < count {
        let len = CHUNK.min(count - keys.len());
        let mut seeds = Secret::new([[0; 32]; CHUNK]);
        for seed in &mut seeds[..len] {
            rng.fill(seed)?;
        }
        let mut inputs: [&[u8]; CHUNK] = [&[]; CHUNK];
        for (input, seed) in inputs.iter_mut().zip(&*seeds) {
            *input = seed;
        }
        let mut expanded = Secret::new([[0; 64]; CHUNK]);
        Sha512::digest_batch(&inputs[..len], &mut expanded[..len])?;
        let mut scalars = Secret::new([[0; 32]; CHUNK]);
        for (expanded, scalar) in expanded.iter_mut().zip(&mut *scalars) {
            clamp(expanded);
            scalar.copy_from_slice(&expanded[..32]);
        }
        let mut points = [Affine::NEUTRAL; CHUNK];
        backend.mul_base_batch(&scalars[..len], &mut points[..len]);
        for ((seed, expanded), point) in seeds.iter().zip(&*expanded).zip(points).take(len) {
            keys.push(PrivateKey::from_parts(seed, expanded, point, backend));
        }
    }
    Ok(keys)
}

/// [`PrivateKey::sign`] for many messages: `out[i]` is the signature of `items[i]`. The
/// implementation is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
pub fn sign_batch(items: &[(&PrivateKey, &[u8])], out: &mut [Signature]) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    let chunks = items.chunks(CHUNK);
    let rooms = chunks.map(|items| room(items.iter().map(|(_, message)| *message)));
    let mut scratch = vec![0; rooms.max().unwrap_or(0)];
    sign_batch_within(items, out, &mut scratch)
}

/// As [`sign_batch`], without heap: the messages are hashed side by side in the scratch, 64 at a
/// time with 64 bytes before each. Those that find no place there, and those of 4096 bytes and more,
/// are hashed one by one. The scratch is wiped.
///
/// ```
/// use adamant_ec::ed25519::{PrivateKey, sign_batch_within};
/// let key = PrivateKey::from_seed(&[7; 32]);
/// let items = [(&key, &b"one"[..]), (&key, b"two")];
/// let mut signatures = [key.sign(b""); 2];
/// sign_batch_within(&items, &mut signatures, &mut [0; 2 * (64 + 3)])?;
/// assert_eq!(signatures, [key.sign(b"one"), key.sign(b"two")]);
/// # Ok::<(), adamant_base::Error>(())
/// ```
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
pub fn sign_batch_within(
    items: &[(&PrivateKey, &[u8])],
    out: &mut [Signature],
    scratch: &mut [u8],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let len = items.len();
        if let [(key, message)] = items {
            out[0] = key.sign(message);
            continue;
        }
        let mut hashes = Secret::new([[0; 64]; CHUNK]);
        let mut prefixed: [([u8; 32], &[u8]); CHUNK] = [([0; 32], &[]); CHUNK];
        for (to, (key, message)) in prefixed.iter_mut().zip(items) {
            *to = (*key.prefix, message);
        }
        hash_all(&prefixed[..len], &mut hashes[..len], scratch);
        for (prefix, _) in &mut prefixed {
            prefix.wipe();
        }
        let mut inputs = Secret::new([[0; 32]; CHUNK]);
        let mut nonces = Secret::new([Scalar::ZERO; CHUNK]);
        for (i, hash) in hashes[..len].iter().enumerate() {
            nonces[i] = Scalar::reduce_wide(hash);
            inputs[i] = nonces[i].to_bytes();
        }
        let mut points = [Affine::NEUTRAL; CHUNK];
        let backend = items[0].0.public.backend;
        backend.mul_base_batch(&inputs[..len], &mut points[..len]);
        let mut challenges: [([u8; 64], &[u8]); CHUNK] = [([0; 64], &[]); CHUNK];
        for (((key, message), point), to) in items.iter().zip(&mut points).zip(&mut challenges) {
            ct::mark_public_value(point); // R is half of the signature.
            to.0[..32].copy_from_slice(&point.compress());
            to.0[32..].copy_from_slice(&key.public.bytes);
            to.1 = message;
        }
        hash_all(&challenges[..len], &mut hashes[..len], scratch);
        for (i, (key, _)) in items.iter().enumerate() {
            let k = Scalar::reduce_wide(&hashes[i]);
            let (halves, _) = challenges[i].0.as_chunks::<32>();
            out[i] = key.signature(&halves[0], &k, &nonces[i]);
        }
    }
    Ok(())
}

/// [`PublicKey::verify`] for many signatures: `out[i]` is what `items[i]` gives. The implementation
/// is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
pub fn verify_batch(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    verify_all(Rule::Rfc8032, items, out)
}

/// [`PublicKey::verify_zip215`] for many signatures: `out[i]` is what `items[i]` gives. The
/// implementation is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
pub fn verify_batch_zip215(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    verify_all(Rule::Zip215, items, out)
}

/// [`PublicKey::verify_strict`] for many signatures: `out[i]` is what `items[i]` gives. Equations
/// without the cofactor cannot be combined: each is checked for itself, several side by side. The
/// implementation is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
pub fn verify_batch_strict(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    verify_all(Rule::Strict, items, out)
}

fn verify_all(
    rule: Rule,
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(COMBINED).zip(out.chunks_mut(COMBINED)) {
        let backend = items[0].0.backend;
        if items.len() < WORTH_IT {
            for ((key, message, signature), out) in items.iter().zip(out) {
                let key = key.with_backend(backend);
                *out = key.verify_in(&Domain::Pure, rule, message, signature);
            }
            continue;
        }
        let mut places = Vec::with_capacity(items.len());
        let mut checks = Vec::with_capacity(items.len());
        let mut transcript = Vec::with_capacity(96 * items.len());
        for (i, items) in items.chunks(CHUNK).enumerate() {
            prepare(rule, backend, items, |j, check, hash| {
                places.push(CHUNK * i + j);
                checks.push(check);
                transcript.extend_from_slice(hash);
                transcript.extend_from_slice(&items[j].2.0[32..]);
            });
        }
        out.fill(Err(Error::BadSignature));
        if rule != Rule::Strict
            && checks.len() >= WORTH_IT
            && combined(backend, &checks, &transcript)
        {
            places.iter().for_each(|i| out[*i] = Ok(()));
            continue;
        }
        let mut verdicts = vec![false; checks.len()];
        backend.verify_batch_vartime(rule.equation(), &checks, &mut verdicts);
        for (i, _) in places.iter().zip(verdicts).filter(|(_, valid)| *valid) {
            out[*i] = Ok(());
        }
    }
    Ok(())
}

/// Hands on the items, at most [`CHUNK`], whose points are those that the rule admits, each with
/// the hash of R, A and its message.
fn prepare(
    rule: Rule,
    backend: Backend,
    items: &[(&PublicKey, &[u8], &Signature)],
    mut good: impl FnMut(usize, Check, &[u8; 64]),
) {
    let len = items.len();
    let mut encodings = [[0; 32]; CHUNK];
    let mut inputs = Vec::with_capacity(len);
    for (encoding, (key, message, signature)) in encodings.iter_mut().zip(items) {
        *encoding = *signature.halves().0;
        let mut prefix = [0; 64];
        prefix[..32].copy_from_slice(encoding);
        prefix[32..].copy_from_slice(&key.bytes);
        inputs.push((prefix, *message));
    }
    let mut hashes = [[0; 64]; CHUNK];
    let mut scratch = vec![0; room(items.iter().map(|(_, message, _)| *message))];
    hash_all(&inputs, &mut hashes[..len], &mut scratch);
    let mut points = [None; CHUNK];
    backend.decompress_batch_vartime(&encodings[..len], &mut points[..len]);
    for (i, (key, _, signature)) in items.iter().enumerate() {
        let Some(r) = points[i] else { continue };
        if rule.admits(&key.bytes, &key.point) && rule.admits(&encodings[i], &r) {
            let check = Check {
                a: key.point,
                k: *Scalar::reduce_wide(&hashes[i]).words(),
                s: *signature.halves().1.words(),
                r,
            };
            good(i, check, &hashes[i]);
        }
    }
}

/// Whether all signatures hold, by the combination of their equations. The transcript is 96 bytes
/// for each, all that they are made of.
fn combined(backend: Backend, checks: &[Check], transcript: &[u8]) -> bool {
    let mut base = Scalar::ZERO;
    let mut long = Vec::with_capacity(checks.len());
    let mut short = Vec::with_capacity(checks.len());
    for (check, z) in checks.iter().zip(coefficients(transcript)) {
        let z_words = [z as u64 | 1, (z >> 64) as u64, 0, 0];
        let z = Scalar::from_words(z_words);
        base = base.add(z.mul(&Scalar::from_words(check.s)));
        let zk = z.mul(&Scalar::from_words(check.k));
        long.push((zk.odd_words(), check.a));
        short.push((z_words, check.r));
    }
    backend.sum_is_small_vartime(base.words(), &long, &short)
}

/// A number of 128 bits for each 96 bytes of the transcript: SHA-512 in counter mode from the hash
/// of all of it, which is taken in eight parts side by side, and these together.
fn coefficients(transcript: &[u8]) -> impl Iterator<Item = u128> {
    let part = transcript.len().div_ceil(8).max(1);
    let parts: Vec<&[u8]> = transcript.chunks(part).collect();
    let mut digests = [[0; 64]; 8];
    Sha512::digest_batch(&parts, &mut digests[..parts.len()]).expect("as many places");
    let mut hash = Sha512::new();
    hash.update(b"adamant Ed25519 batch");
    hash.update(&(transcript.len() as u64).to_le_bytes());
    hash.update(digests.as_flattened());
    let seed = hash.finalize();
    // Four to a digest.
    let count = (transcript.len() / 96).div_ceil(4);
    let inputs: Vec<[u8; 72]> = (0..count as u64)
        .map(|i| {
            let mut input = [0; 72];
            input[..64].copy_from_slice(&seed);
            input[64..].copy_from_slice(&i.to_le_bytes());
            input
        })
        .collect();
    let inputs: Vec<&[u8]> = inputs.iter().map(<[u8; 72]>::as_slice).collect();
    let mut digests = vec![[0; 64]; count];
    Sha512::digest_batch(&inputs, &mut digests).expect("as many places");
    digests.into_iter().flat_map(|digest| {
        let (numbers, _) = digest.as_chunks::<16>();
        [0, 1, 2, 3].map(|i| u128::from_le_bytes(numbers[i]))
    })
}
