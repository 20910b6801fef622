//! Many keys, signatures and verifications at once: hashes eight at a time, and the curve's work in
//! one call.

use super::*;
use adamant_base::{Wipe, same_length};
use alloc::vec;
use alloc::vec::Vec;

/// The items of a chunk.
const CHUNK: usize = 64;
/// Messages up to this length are copied after what is hashed before them.
const COPIED: usize = 4096;

/// [`Domain::hash`] of many lists of parts, without a context.
fn hash_all<const N: usize>(items: &[[&[u8]; N]], out: &mut [[u8; 114]]) {
    let mut first = 0;
    while first < items.len() {
        let mut buffer = Vec::new();
        let mut ends = [0; 8];
        let mut count = 0;
        for parts in items[first..].iter().take(8) {
            let length: usize = parts.iter().map(|part| part.len()).sum();
            if length > COPIED {
                break;
            }
            // Once and for all of them, so that no copy is left behind where it grows.
            buffer.reserve_exact(if count == 0 { 8 * (COPIED + 10) } else { 0 });
            let all = Domain::PURE.parts();
            let all = all.iter().chain(parts);
            all.for_each(|part| buffer.extend_from_slice(part));
            ends[count] = buffer.len();
            count += 1;
        }
        if count == 0 {
            out[first] = Domain::PURE.hash(&items[first]);
            first += 1;
            continue;
        }
        let start = |i: usize| if i == 0 { 0 } else { ends[i - 1] };
        let messages: [&[u8]; 8] =
            core::array::from_fn(|i| buffer.get(start(i)..ends[i]).unwrap_or(&[]));
        let out = &mut out[first..first + count];
        let hashed = Shake256::digest_batch_into(&messages[..count], out);
        debug_assert!(hashed.is_ok());
        buffer.as_mut_slice().wipe();
        first += count;
    }
}

/// Makes `count` keys, those that as many calls of [`PrivateKey::generate`] make.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
pub fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<PrivateKey>, Error> {
    let backend = Backend::best();
    let mut keys = Vec::with_capacity(count);
    while keys.len() < count {
        let len = CHUNK.min(count - keys.len());
        let mut seeds = Secret::new([[0; 57]; CHUNK]);
        for seed in &mut seeds[..len] {
            rng.fill(seed)?;
        }
        let mut messages: [&[u8]; CHUNK] = [&[]; CHUNK];
        for (message, seed) in messages.iter_mut().zip(&*seeds) {
            *message = seed;
        }
        let mut expanded = Secret::new([[0; 114]; CHUNK]);
        Shake256::digest_batch_into(&messages[..len], &mut expanded[..len])?;
        let mut words = Secret::new([[0; 7]; CHUNK]);
        for (words, expanded) in words.iter_mut().zip(&expanded[..len]) {
            *words = *secret(expanded).words();
        }
        let mut points = [Affine::NEUTRAL; CHUNK];
        backend.mul_base_batch(&words[..len], &mut points[..len]);
        for ((seed, expanded), point) in seeds[..len].iter().zip(&*expanded).zip(points) {
            let scalar = secret(expanded);
            keys.push(PrivateKey::from_parts(
                seed, expanded, scalar, point, backend,
            ));
        }
    }
    Ok(keys)
}

/// [`PrivateKey::sign`] for many messages. The implementation is that of the first key.
#[cfg_attr(not(feature = "lab"), inline)]
#[must_use]
pub fn sign_batch(items: &[(&PrivateKey, &[u8])]) -> Vec<Signature> {
    let mut out = vec![Signature([0; 114]); items.len()];
    sign_batch_into(items, &mut out).expect("as many places");
    out
}

/// [`PrivateKey::sign`] for many messages: `out[i]` is the signature of `items[i]`. The
/// implementation is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn sign_batch_into(items: &[(&PrivateKey, &[u8])], out: &mut [Signature]) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let len = items.len();
        let mut hashed: [[&[u8]; 2]; CHUNK] = [[&[]; 2]; CHUNK];
        for (to, (key, message)) in hashed.iter_mut().zip(items) {
            *to = [&*key.prefix, message];
        }
        let mut hashes = Secret::new([[0; 114]; CHUNK]);
        hash_all(&hashed[..len], &mut hashes[..len]);
        let mut nonces = Secret::new([[0; 7]; CHUNK]);
        for (nonce, hash) in nonces.iter_mut().zip(&hashes[..len]) {
            *nonce = *Scalar::reduce_wide(hash).words();
        }
        let mut points = [Affine::NEUTRAL; CHUNK];
        let backend = items[0].0.public.backend;
        backend.mul_base_batch(&nonces[..len], &mut points[..len]);
        ct::mark_public_value(&mut points); // R is half of the signature.
        let mut rs = [[0; 57]; CHUNK];
        for (r, point) in rs.iter_mut().zip(&points[..len]) {
            *r = point.compress();
        }
        let mut hashed: [[&[u8]; 3]; CHUNK] = [[&[]; 3]; CHUNK];
        for ((to, (key, message)), r) in hashed.iter_mut().zip(items).zip(&rs) {
            *to = [r, &key.public.bytes, message];
        }
        let mut ks = [[0; 114]; CHUNK];
        hash_all(&hashed[..len], &mut ks[..len]);
        for (i, ((key, _), signature)) in items.iter().zip(out).enumerate() {
            let nonce = Secret::new(Scalar::from_words(nonces[i]));
            *signature = key.respond(&rs[i], &nonce, &ks[i]);
        }
    }
    Ok(())
}

/// [`PublicKey::verify`] for many signatures: a verdict on each. The implementation is that of the first
/// key.
#[cfg_attr(not(feature = "lab"), inline)]
#[must_use]
pub fn verify_batch(items: &[(&PublicKey, &[u8], &Signature)]) -> Vec<Result<(), Error>> {
    let mut out = vec![Err(Error::BadSignature); items.len()];
    verify_batch_into(items, &mut out).expect("as many places");
    out
}

/// [`PublicKey::verify`] for many signatures: `out[i]` is what `items[i]` gives. The implementation
/// is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn verify_batch_into(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let mut hashed: [[&[u8]; 3]; CHUNK] = [[&[]; 3]; CHUNK];
        for (to, (key, message, signature)) in hashed.iter_mut().zip(items) {
            *to = [signature.halves().0, &key.bytes, message];
        }
        let mut ks = [[0; 114]; CHUNK];
        hash_all(&hashed[..items.len()], &mut ks[..items.len()]);
        let checks: Vec<Check> = items
            .iter()
            .zip(&ks)
            .map(|((key, _, signature), k)| {
                let (r, s) = signature.halves();
                key.check(r, s, k)
            })
            .collect();
        let mut verdicts = [false; CHUNK];
        let backend = items[0].0.backend;
        backend.verify_batch_vartime(&checks, &mut verdicts[..items.len()]);
        for ((result, valid), (key, _, signature)) in out.iter_mut().zip(verdicts).zip(items) {
            *result = verdict(valid && key.admits(signature.halves().0));
        }
    }
    Ok(())
}
