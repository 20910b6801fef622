//! ECDSA and SM2.

use adamant::ec::sm2::{self, DEFAULT_IDENTITY};
use adamant::ec::weierstrass::{Curve, PrivateKey, PublicKey, Signature};
use adamant::family::Hash as _;
use adamant::hash::Sm3;

use super::{Choice, Encoding, Scheme, Signs, Verifies, verdict};
use crate::Failure;
use crate::keys::hashes::{Hash, Message, with_hash};

const ECDSA: &[Choice] = &[Choice::Hash, Choice::Encoding, Choice::Digest];
const SM2: &[Choice] = &[Choice::Identity, Choice::Encoding, Choice::Digest];

fn encode<C: Curve<W>, const W: usize>(scheme: &Scheme, signature: &Signature<C, W>) -> Vec<u8> {
    match scheme.encoding.unwrap_or_default() {
        Encoding::Der => signature.to_der().as_ref().to_vec(),
        Encoding::Fixed => signature.as_ref().to_vec(),
    }
}

/// The signature, unless it is none.
fn decode<C: Curve<W>, const W: usize>(scheme: &Scheme, bytes: &[u8]) -> Option<Signature<C, W>> {
    match scheme.encoding.unwrap_or_default() {
        Encoding::Der => Signature::from_der(bytes).ok(),
        Encoding::Fixed => Signature::try_from(bytes).ok(),
    }
}

/// The hash, and its digest of the message.
fn digest<C: Curve<W>, const W: usize>(
    scheme: &Scheme,
    message: Message,
) -> Result<(Hash, Vec<u8>), Failure> {
    scheme.allow("ECDSA", ECDSA)?;
    let usual = Hash::of_length(C::Hash::OUTPUT_LEN);
    let hash = scheme.hash.unwrap_or(usual);
    Ok((hash, hash.of(message)?))
}

impl<C: Curve<W>, const W: usize> Signs for PrivateKey<C, W> {
    fn sign(&self, scheme: &Scheme, message: Message) -> Result<Vec<u8>, Failure> {
        let (hash, digest) = digest::<C, W>(scheme, message)?;
        let signature = with_hash!(hash, H => self.sign_prehashed_with::<H>(&digest));
        Ok(encode(scheme, &signature))
    }
}

impl<C: Curve<W>, const W: usize> Verifies for PublicKey<C, W> {
    fn verify(&self, scheme: &Scheme, message: Message, signature: &[u8]) -> Result<bool, Failure> {
        let (_, digest) = digest::<C, W>(scheme, message)?;
        let Some(signature) = decode(scheme, signature) else {
            return Ok(false);
        };
        verdict(self.verify_prehashed(&digest, &signature))
    }
}

/// e: SM3 of Z, which stands for identity and key, and of the message.
fn message_digest(
    key: &sm2::PublicKey,
    scheme: &Scheme,
    message: Message,
) -> Result<[u8; 32], Failure> {
    scheme.allow("SM2", SM2)?;
    if message.is_digest {
        let digest = message.digest("sm3", 32)?;
        return Ok(core::array::from_fn(|i| digest[i]));
    }
    let identity = scheme.identity.as_ref();
    let mut hash = Sm3::new();
    hash.update(&key.identity_digest(identity.map_or(DEFAULT_IDENTITY, |id| &id.0))?);
    message.input.feed(|piece| hash.update(piece))?;
    Ok(hash.finalize())
}

impl Signs for sm2::PrivateKey {
    fn sign(&self, scheme: &Scheme, message: Message) -> Result<Vec<u8>, Failure> {
        let digest = message_digest(&self.public_key(), scheme, message)?;
        Ok(encode(scheme, &self.sign_prehashed(&digest)))
    }
}

impl Verifies for sm2::PublicKey {
    fn verify(&self, scheme: &Scheme, message: Message, signature: &[u8]) -> Result<bool, Failure> {
        let digest = message_digest(self, scheme, message)?;
        let Some(signature) = decode(scheme, signature) else {
            return Ok(false);
        };
        verdict(self.verify_prehashed(&digest, &signature))
    }
}
