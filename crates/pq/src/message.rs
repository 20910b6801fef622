//! What precedes a message that is signed (FIPS 204, algorithms 2 to 5; FIPS 205, algorithms
//! 22 to 25), and the type of what comes out.

use crate::list::List;
use adamant_base::{Error, same_length};

/// The functions that a message may be hashed with before HashML-DSA or HashSLH-DSA signs it
/// (FIPS 204, 5.4; FIPS 205, 10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PreHash {
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SHA-224.
    Sha224,
    /// SHA-512/224.
    Sha512_224,
    /// SHA-512/256.
    Sha512_256,
    /// SHA3-224.
    Sha3_224,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
    /// SHAKE128 with 32 bytes of output.
    Shake128,
    /// SHAKE256 with 64 bytes of output.
    Shake256,
}

impl PreHash {
    /// Bytes of the digest.
    #[must_use]
    pub fn digest_len(self) -> usize {
        use PreHash::*;
        match self {
            Sha224 | Sha512_224 | Sha3_224 => 28,
            Sha256 | Sha512_256 | Sha3_256 | Shake128 => 32,
            Sha384 | Sha3_384 => 48,
            Sha512 | Sha3_512 | Shake256 => 64,
        }
    }

    /// The DER of the identifier 2.16.840.1.101.3.4.2.n, then the digest.
    pub(crate) fn encode(self, digest: &[u8]) -> Result<List<u8, { 11 + 64 }>, Error> {
        same_length(self.digest_len(), digest.len())?;
        let mut out = List::zeros(11 + digest.len());
        let (identifier, place) = out.split_at_mut(11);
        identifier.copy_from_slice(&[6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, self as u8 + 1]);
        place.copy_from_slice(digest);
        Ok(out)
    }
}

/// The first two bytes of M′: 0 or, where the message was hashed beforehand, 1, then the length of
/// the context.
pub(crate) fn head(kind: u8, context: &[u8]) -> Result<[u8; 2], Error> {
    let len = u8::try_from(context.len()).map_err(|_| Error::BadParameter("context"))?;
    Ok([kind, len])
}

/// Makes the type of signatures of a parameter set, of `SIGNATURE_LEN` bytes, and the trait of its
/// public keys.
macro_rules! signature {
    () => {
        /// A signature: bytes of the right length, which only verification looks into.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct Signature([u8; SIGNATURE_LEN]);

        impl Signature {
            /// The signature of these bytes.
            #[inline]
            #[must_use]
            pub fn from_bytes(bytes: &[u8; SIGNATURE_LEN]) -> Self {
                Signature(*bytes)
            }

            /// The bytes.
            #[inline]
            #[must_use]
            pub fn to_bytes(&self) -> [u8; SIGNATURE_LEN] {
                self.0
            }
        }

        adamant_base::try_from_slice!(Signature(all));

        impl AsRef<[u8]> for Signature {
            #[inline]
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }

        impl fmt::Debug for Signature {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple("Signature").field(&self.0).finish()
            }
        }

        impl Verifier for PublicKey {
            type Signature = Signature;

            #[inline]
            fn signature(octets: &[u8]) -> Result<Signature, Error> {
                Signature::try_from(octets).map_err(|_| Error::BadSignature)
            }
            #[inline]
            fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
                PublicKey::verify(self, message, signature)
            }
            #[cfg(feature = "alloc")]
            #[cfg_attr(not(feature = "lab"), inline)]
            fn verify_batch(
                items: &[(&Self, &[u8], &Signature)],
            ) -> alloc::vec::Vec<Result<(), Error>> {
                verify_batch(items)
            }
        }
    };
}
pub(crate) use signature;

/// Makes the trait of the private keys of a parameter set, and batches.
#[cfg(feature = "alloc")]
macro_rules! signing {
    () => {
        impl Signer for PrivateKey {
            type Verifier = PublicKey;

            fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                PrivateKey::generate(rng)
            }
            #[inline]
            fn verifier(&self) -> PublicKey {
                self.public_key()
            }
            #[inline]
            fn sign(&self, message: &[u8]) -> Signature {
                PrivateKey::sign(self, message)
            }
            #[inline]
            fn check_pair(&self) -> Result<(), Error> {
                PrivateKey::check_pair(self)
            }
            fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<alloc::vec::Vec<Self>, Error> {
                generate_batch(count, rng)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn sign_batch(items: &[(&Self, &[u8])]) -> alloc::vec::Vec<Signature> {
                sign_batch(items)
            }
        }

        /// [`PrivateKey::sign`] for many messages: the signature of each item.
        #[cfg_attr(not(feature = "lab"), inline)]
        #[must_use]
        pub fn sign_batch(items: &[(&PrivateKey, &[u8])]) -> alloc::vec::Vec<Signature> {
            let mut out = alloc::vec![Signature([0; SIGNATURE_LEN]); items.len()];
            sign_batch_into(items, &mut out).expect("as many places");
            out
        }

        /// [`PublicKey::verify`] for many signatures: the verdict on each item.
        #[cfg_attr(not(feature = "lab"), inline)]
        #[must_use]
        pub fn verify_batch(
            items: &[(&PublicKey, &[u8], &Signature)],
        ) -> alloc::vec::Vec<Result<(), Error>> {
            let mut out = alloc::vec![Err(Error::BadSignature); items.len()];
            verify_batch_into(items, &mut out).expect("as many places");
            out
        }
    };
}
#[cfg(feature = "alloc")]
pub(crate) use signing;
