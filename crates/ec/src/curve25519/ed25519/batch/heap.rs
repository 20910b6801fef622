//! Batches whose memory is the heap's.

use super::super::super::kernel::Check;
use super::super::super::memory::bytes_for;
use super::super::{PrivateKey, PublicKey, Rule, Signature};
use super::{CHUNK, Item, LONG, Memory, sign_batch_within, verify_in};
use adamant_base::{Error, same_length};
use alloc::vec;
use alloc::vec::Vec;

/// Items that share an equation, and with it its doublings.
pub(super) const COMBINED: usize = 4 * CHUNK;

/// The bytes that the short ones of these messages and as many prefixes of 64 bytes take.
fn room<'a>(messages: impl Iterator<Item = &'a [u8]>) -> usize {
    let short = messages.filter(|message| message.len() < LONG);
    short.map(|message| 64 + message.len()).sum()
}

/// [`PrivateKey::sign`] for many messages. The implementation is that of the first key.
///
/// ```
/// use adamant_ec::ed25519::{PrivateKey, sign_batch, verify_batch};
/// let key = PrivateKey::from_seed(&[7; 32]);
/// let signatures = sign_batch(&[(&key, b"one"), (&key, b"two")]);
/// assert_eq!(signatures, [key.sign(b"one"), key.sign(b"two")]);
/// let public = key.public_key();
/// let verdicts = verify_batch(&[(&public, b"one", &signatures[0]), (&public, b"", &signatures[1])]);
/// assert!(verdicts[0].is_ok() && verdicts[1].is_err());
/// ```
#[cfg_attr(not(feature = "lab"), inline)]
#[must_use]
pub fn sign_batch(items: &[(&PrivateKey, &[u8])]) -> Vec<Signature> {
    let mut out = vec![Signature([0; 64]); items.len()];
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
    let chunks = items.chunks(CHUNK);
    let rooms = chunks.map(|items| room(items.iter().map(|(_, message)| *message)));
    let mut scratch = vec![0; rooms.max().unwrap_or(0)];
    sign_batch_within(items, out, &mut scratch)
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
    verify_all(Rule::Rfc8032, items, out)
}

/// [`PublicKey::verify_zip215`] for many signatures: a verdict on each. The implementation is that of the first
/// key.
#[cfg_attr(not(feature = "lab"), inline)]
#[must_use]
pub fn verify_batch_zip215(items: &[(&PublicKey, &[u8], &Signature)]) -> Vec<Result<(), Error>> {
    let mut out = vec![Err(Error::BadSignature); items.len()];
    verify_batch_zip215_into(items, &mut out).expect("as many places");
    out
}

/// [`PublicKey::verify_zip215`] for many signatures: `out[i]` is what `items[i]` gives. The
/// implementation is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn verify_batch_zip215_into(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    verify_all(Rule::Zip215, items, out)
}

/// [`PublicKey::verify_strict`] for many signatures: a verdict on each. The implementation is that of the first
/// key.
#[cfg_attr(not(feature = "lab"), inline)]
#[must_use]
pub fn verify_batch_strict(items: &[(&PublicKey, &[u8], &Signature)]) -> Vec<Result<(), Error>> {
    let mut out = vec![Err(Error::BadSignature); items.len()];
    verify_batch_strict_into(items, &mut out).expect("as many places");
    out
}

/// [`PublicKey::verify_strict`] for many signatures: `out[i]` is what `items[i]` gives. Equations
/// without the cofactor cannot be combined: each is checked for itself, several side by side. The
/// implementation is that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn verify_batch_strict_into(
    items: &[(&PublicKey, &[u8], &Signature)],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    verify_all(Rule::Strict, items, out)
}

#[cfg_attr(not(feature = "lab"), inline)]
fn verify_all(rule: Rule, items: &[Item], out: &mut [Result<(), Error>]) -> Result<(), Error> {
    let most = items.len().min(COMBINED);
    let tables = match rule {
        Rule::Strict => 0,
        Rule::Rfc8032 | Rule::Zip215 => 2 * most.div_ceil(8),
    };
    let chunks = items.chunks(CHUNK);
    let rooms = chunks.map(|items| room(items.iter().map(|(_, message, _)| *message)));
    let mut scratch = vec![0; rooms.max().unwrap_or(0).max(bytes_for(tables))];
    let memory = Memory {
        places: &mut vec![0; most],
        checks: &mut vec![Check::NONE; most],
        transcript: &mut vec![[0; 96]; most],
        scratch: &mut scratch,
    };
    verify_in(rule, items, out, memory)
}
