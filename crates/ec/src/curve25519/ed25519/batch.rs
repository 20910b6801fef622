//! Many keys and signatures at once.
//!
//! Signatures are verified by a random combination of their equations: with odd numbers z_i of 128
//! bits that nobody could foresee, all of them hold, but for a chance of 2^-127, if
//! `[8](sum z_i S_i) B = [8] sum ([z_i k_i] A_i + [z_i] R_i)`. Where that fails, each is looked at
//! alone. The z_i come from a hash of all keys, messages and signatures, so that the same batch
//! gives the same verdicts, and whoever changes a signature changes them all.

use super::super::kernel::Check;
use super::super::memory::{Table, bytes_for, tables};
use super::super::scalar::{Scalar, words};
use super::{Backend, Domain, PrivateKey, PublicKey, Rule, Signature, secret};
use crate::curve25519::edwards::Affine;
use adamant_base::{Error, Rng, Secret, Wipe, ct, same_length};
use adamant_hash::Sha512;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
mod heap;

#[cfg(feature = "alloc")]
pub use heap::*;

/// Items whose inversions, or hashes, are done at once.
const CHUNK: usize = 64;
/// Fewer items than this are verified alone.
const WORTH_IT: usize = 3;
/// Messages from this length on are hashed where they lie, one by one.
const LONG: usize = 4096;

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
    Sha512::digest_batch_into(&inputs[..count], &mut digests[..count]).expect("as many places");
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

crate::curve25519::keygen::keygen!("ed25519");

/// Hands on `count` new keys.
fn generate(
    count: usize,
    rng: &mut impl Rng,
    mut each: impl FnMut(PrivateKey),
) -> Result<(), Error> {
    let backend = Backend::best();
    for start in (0..count).step_by(CHUNK) {
        let len = CHUNK.min(count - start);
        let mut seeds = Secret::new([[0; 32]; CHUNK]);
        for seed in &mut seeds[..len] {
            rng.fill(seed)?;
        }
        let mut inputs: [&[u8]; CHUNK] = [&[]; CHUNK];
        for (input, seed) in inputs.iter_mut().zip(&*seeds) {
            *input = seed;
        }
        let mut expanded = Secret::new([[0; 64]; CHUNK]);
        Sha512::digest_batch_into(&inputs[..len], &mut expanded[..len])?;
        let mut scalars = Secret::new([Scalar::ZERO; CHUNK]);
        let mut factors = Secret::new([[0; 32]; CHUNK]);
        for (i, expanded) in expanded[..len].iter().enumerate() {
            scalars[i] = *secret(expanded);
            factors[i] = scalars[i].to_bytes();
        }
        let mut points = [Affine::NEUTRAL; CHUNK];
        backend.mul_base_batch(&factors[..len], &mut points[..len]);
        for (i, point) in points[..len].iter().enumerate() {
            let scalar = Secret::new(scalars[i]);
            let (seed, expanded) = (&seeds[i], &expanded[i]);
            each(PrivateKey::from_parts(
                seed, expanded, scalar, *point, backend,
            ));
        }
    }
    Ok(())
}

/// As [`sign_batch_into`], without heap: the messages are hashed side by side in the scratch, 64 at a
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
#[cfg_attr(not(feature = "lab"), inline)]
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
            let (halves, _) = challenges[i].0.as_chunks::<32>();
            out[i] = key.respond(&halves[0], &nonces[i], &hashes[i]);
        }
    }
    Ok(())
}

/// What is verified: a key, a message, and a signature.
type Item<'a> = (&'a PublicKey, &'a [u8], &'a Signature);

/// The bytes of scratch with which [`verify_batch_within`] combines as many signatures: 24 KiB for
/// each eight of them. More than 64 are done 64 at a time.
#[must_use]
pub const fn verify_batch_scratch(signatures: usize) -> usize {
    let combined = if signatures < CHUNK {
        signatures
    } else {
        CHUNK
    };
    bytes_for(2 * combined.div_ceil(8))
}

/// As [`verify_batch_into`], without heap: as many signatures share an equation, up to 64, as the scratch
/// has room for (see [`verify_batch_scratch`]); where that is less than three, each is checked for
/// itself. Messages are hashed side by side where they find a place there, 64 bytes before each.
/// Takes about 80 KB of stack besides.
///
/// ```
/// use adamant_ec::ed25519::{PrivateKey, verify_batch_scratch, verify_batch_within};
/// let key = PrivateKey::from_seed(&[7; 32]);
/// let (public, signature) = (key.public_key(), key.sign(b"message"));
/// let mut scratch = [0; verify_batch_scratch(8)];
/// let mut verdicts = [Ok(()); 8];
/// let mut items = [(&public, &b"message"[..], &signature); 8];
/// items[5].1 = b"another";
/// verify_batch_within(&items, &mut verdicts, &mut scratch)?;
/// assert!(verdicts[5].is_err() && verdicts[6].is_ok());
/// # Ok::<(), adamant_base::Error>(())
/// ```
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn verify_batch_within(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
    scratch: &mut [u8],
) -> Result<(), Error> {
    verify_all_within(Rule::Rfc8032, items, out, scratch)
}

/// As [`verify_batch_zip215_into`], without heap: see [`verify_batch_within`].
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn verify_batch_zip215_within(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
    scratch: &mut [u8],
) -> Result<(), Error> {
    verify_all_within(Rule::Zip215, items, out, scratch)
}

/// As [`verify_batch_strict_into`], without heap: messages are hashed side by side where they find a
/// place in the scratch, 64 bytes before each.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn verify_batch_strict_within(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
    scratch: &mut [u8],
) -> Result<(), Error> {
    verify_all_within(Rule::Strict, items, out, scratch)
}

#[cfg_attr(not(feature = "lab"), inline)]
fn verify_all_within(
    rule: Rule,
    items: &[Item],
    out: &mut [Result<(), Error>],
    scratch: &mut [u8],
) -> Result<(), Error> {
    let memory = Memory {
        places: &mut [0; CHUNK],
        checks: &mut [Check::NONE; CHUNK],
        transcript: &mut [[0; 96]; CHUNK],
        scratch,
    };
    verify_in(rule, items, out, memory)
}

/// What a batch is verified in.
struct Memory<'a> {
    /// Where the items to be checked are in the batch.
    places: &'a mut [usize],
    /// These items.
    checks: &'a mut [Check],
    /// All that they are made of: the hash of R, A and the message, and S.
    transcript: &'a mut [[u8; 96]],
    /// The messages, and then the tables of multiples.
    scratch: &'a mut [u8],
}

#[cfg_attr(not(feature = "lab"), inline)]
fn verify_in(
    rule: Rule,
    items: &[Item],
    out: &mut [Result<(), Error>],
    memory: Memory,
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    let Memory {
        places,
        checks,
        transcript,
        scratch,
    } = memory;
    let mut most = checks.len().max(1);
    let combinable = 8 * (tables(scratch).len() / 2);
    let combine = rule != Rule::Strict && combinable >= WORTH_IT;
    if combine {
        most = most.min(combinable);
    }
    for (items, out) in items.chunks(most).zip(out.chunks_mut(most)) {
        let backend = items[0].0.backend;
        if items.len() < WORTH_IT {
            for ((key, message, signature), out) in items.iter().zip(out) {
                let key = key.with_backend(backend);
                *out = key.verify_by(rule, &Domain::PURE, message, signature);
            }
            continue;
        }
        let mut count = 0;
        for (i, items) in items.chunks(CHUNK).enumerate() {
            prepare(rule, backend, items, scratch, |j, r, hash| {
                let (key, _, signature) = items[j];
                places[count] = CHUNK * i + j;
                transcript[count][..64].copy_from_slice(hash);
                transcript[count][64..].copy_from_slice(&signature.0[32..]);
                checks[count] = Check {
                    a: key.point,
                    r,
                    ..Check::NONE
                };
                count += 1;
            });
        }
        out.fill(Err(Error::BadSignature));
        let (checks, transcript) = (&mut checks[..count], &transcript[..count]);
        if combine && count >= WORTH_IT && combined(backend, checks, transcript, tables(scratch)) {
            places[..count].iter().for_each(|i| out[*i] = Ok(()));
            continue;
        }
        for (check, entry) in checks.iter_mut().zip(transcript) {
            let (k, s) = numbers(entry);
            (check.k, check.s) = (*k.words(), *s.words());
        }
        for (checks, places) in checks.chunks(CHUNK).zip(places.chunks(CHUNK)) {
            let mut verdicts = [false; CHUNK];
            let verdicts = &mut verdicts[..checks.len()];
            backend.verify_batch_vartime(rule.equation(), checks, verdicts);
            for (i, _) in places.iter().zip(verdicts).filter(|(_, valid)| **valid) {
                out[*i] = Ok(());
            }
        }
    }
    Ok(())
}

/// k and S of an entry of the transcript.
#[cfg_attr(not(feature = "lab"), inline)]
fn numbers(entry: &[u8; 96]) -> (Scalar, Scalar) {
    let (parts, _) = entry.as_chunks::<32>();
    let mut hash = [0; 64];
    hash.copy_from_slice(&entry[..64]);
    (
        Scalar::reduce_wide(&hash),
        Scalar::from_words(words(&parts[2])),
    )
}

/// Hands on the items, at most [`CHUNK`], whose points are those that the rule admits: R of each and
/// the hash of R, A and its message.
fn prepare(
    rule: Rule,
    backend: Backend,
    items: &[Item],
    scratch: &mut [u8],
    mut good: impl FnMut(usize, Affine, &[u8; 64]),
) {
    let len = items.len();
    let mut encodings = [[0; 32]; CHUNK];
    let mut inputs: [([u8; 64], &[u8]); CHUNK] = [([0; 64], &[]); CHUNK];
    for ((encoding, input), (key, message, signature)) in
        encodings.iter_mut().zip(&mut inputs).zip(items)
    {
        *encoding = *signature.halves().0;
        input.0[..32].copy_from_slice(encoding);
        input.0[32..].copy_from_slice(&key.bytes);
        input.1 = message;
    }
    let mut hashes = [[0; 64]; CHUNK];
    hash_all(&inputs[..len], &mut hashes[..len], scratch);
    let mut points = [None; CHUNK];
    backend.decompress_batch_vartime(&encodings[..len], &mut points[..len]);
    for (i, (key, _, _)) in items.iter().enumerate() {
        let Some(r) = points[i] else { continue };
        if rule.admits(&key.bytes, &key.point) && rule.admits(&encodings[i], &r) {
            good(i, r, &hashes[i]);
        }
    }
}

/// Whether all signatures hold, by the combination of their equations. The numbers in the checks
/// become those of the combination.
#[cfg_attr(not(feature = "lab"), inline)]
fn combined(
    backend: Backend,
    checks: &mut [Check],
    transcript: &[[u8; 96]],
    tables: &mut [Table],
) -> bool {
    let seed = seed(transcript.as_flattened());
    let mut base = Scalar::ZERO;
    let chunks = checks.chunks_mut(CHUNK).zip(transcript.chunks(CHUNK));
    for (i, (checks, transcript)) in chunks.enumerate() {
        let coefficients = coefficients(&seed, i);
        let entries = checks.iter_mut().zip(transcript);
        for ((check, entry), z) in entries.zip(coefficients.as_flattened().as_chunks().0) {
            let z = u128::from_le_bytes(*z);
            let z_words = [z as u64 | 1, (z >> 64) as u64, 0, 0];
            let z = Scalar::from_words(z_words);
            let (k, s) = numbers(entry);
            base = base.add(z.mul(&s));
            (check.k, check.s) = (z.mul(&k).odd_words(), z_words);
        }
    }
    backend.sum_is_small_vartime(base.words(), checks, tables)
}

/// The hash of the transcript, which is taken in eight parts side by side, and these together.
#[cfg_attr(not(feature = "lab"), inline)]
fn seed(transcript: &[u8]) -> [u8; 64] {
    let part = transcript.len().div_ceil(8).max(1);
    let mut parts: [&[u8]; 8] = [&[]; 8];
    let mut count = 0;
    for (to, part) in parts.iter_mut().zip(transcript.chunks(part)) {
        *to = part;
        count += 1;
    }
    let mut digests = [[0; 64]; 8];
    Sha512::digest_batch_into(&parts[..count], &mut digests[..count]).expect("as many places");
    let mut hash = Sha512::new();
    hash.update(b"adamant Ed25519 batch");
    hash.update(&(transcript.len() as u64).to_le_bytes());
    hash.update(digests.as_flattened());
    hash.finalize()
}

/// Numbers of 128 bits for a chunk of items, four to a digest: SHA-512 in counter mode.
#[cfg_attr(not(feature = "lab"), inline)]
fn coefficients(seed: &[u8; 64], chunk: usize) -> [[u8; 64]; CHUNK / 4] {
    let mut inputs = [[0; 72]; CHUNK / 4];
    for (i, input) in inputs.iter_mut().enumerate() {
        input[..64].copy_from_slice(seed);
        input[64..].copy_from_slice(&((CHUNK / 4 * chunk + i) as u64).to_le_bytes());
    }
    let inputs = inputs.each_ref().map(|input| input.as_slice());
    let mut digests = [[0; 64]; CHUNK / 4];
    Sha512::digest_batch_into(&inputs, &mut digests).expect("as many places");
    digests
}

#[cfg(test)]
mod tests;
