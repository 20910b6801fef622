//! RSASSA-PSS and RSASSA-PKCS1-v1_5.

use adamant::SystemRng;
use adamant::family::Hash as _;
use adamant::rsa::{PrivateKey, PublicKey};

use super::{Choice, Padding, SaltLength, Scheme, Signs, Verifies, verdict};
use crate::Failure;
use crate::keys::hashes::{Hash, Message, with_hash};

const ALLOWED: &[Choice] = &[
    Choice::Hash,
    Choice::Padding,
    Choice::SaltLength,
    Choice::Digest,
];

/// The padding, the hash, and its digest of the message.
fn prepare(scheme: &Scheme, message: Message) -> Result<(Padding, Hash, Vec<u8>), Failure> {
    scheme.allow("RSA", ALLOWED)?;
    let padding = scheme.padding.unwrap_or(Padding::Pss);
    if padding == Padding::Pkcs1 && scheme.salt_length.is_some() {
        let sentence = "--salt-length is for --padding pss";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let hash = scheme.hash.unwrap_or(Hash::Sha256);
    Ok((padding, hash, hash.of(message)?))
}

impl Signs for PrivateKey {
    fn sign(&self, scheme: &Scheme, message: Message) -> Result<Vec<u8>, Failure> {
        let (padding, hash, digest) = prepare(scheme, message)?;
        let rng = &mut SystemRng;
        Ok(with_hash!(hash, H => match padding {
            Padding::Pkcs1 => self.sign_pkcs1_prehashed::<H>(&digest, rng),
            Padding::Pss => {
                let salt = match scheme.salt_length {
                    None => H::OUTPUT_LEN,
                    Some(SaltLength::Bytes(bytes)) => bytes,
                    Some(SaltLength::Any) => {
                        let sentence = "--salt-length any is for verifying";
                        return Err(Failure::Usage(sentence.to_owned()));
                    }
                };
                self.sign_pss_prehashed::<H, H>(&digest, salt, rng)
            }
        })?)
    }
}

impl Verifies for PublicKey {
    fn verify(&self, scheme: &Scheme, message: Message, signature: &[u8]) -> Result<bool, Failure> {
        let (padding, hash, digest) = prepare(scheme, message)?;
        verdict(with_hash!(hash, H => match padding {
            Padding::Pkcs1 => self.verify_pkcs1_prehashed::<H>(&digest, signature),
            Padding::Pss => {
                let salt = match scheme.salt_length {
                    None => Some(H::OUTPUT_LEN),
                    Some(SaltLength::Bytes(bytes)) => Some(bytes),
                    Some(SaltLength::Any) => None,
                };
                self.verify_pss_prehashed::<H, H>(&digest, salt, signature)
            }
        }))
    }
}
