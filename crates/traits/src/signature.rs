//! Signatures: `signature::Signer`, `signature::Verifier` and what goes with them, a module for each
//! algorithm with a `SigningKey`, a `VerifyingKey` and a `Signature`.
//!
//! ```
//! use adamant_traits::rng::ToRandCore;
//! use adamant_traits::signature::ed25519::{Signature, SigningKey};
//! use signature::{Keypair, SignatureEncoding, Signer, Verifier};
//!
//! let key = SigningKey::generate_from(&mut ToRandCore(adamant::SystemRng)).unwrap();
//! let signature: Signature = key.sign(b"message");
//! let signature = Signature::try_from(&signature.to_bytes()[..]).unwrap();
//! key.verifying_key().verify(b"message", &signature).unwrap();
//! ```
//!
//! | module | algorithm | `Signer` is |
//! |---|---|---|
//! | [`p224`], [`p256`], [`p384`], [`p521`], [`secp256k1`], [`brainpoolp256r1`], … | ECDSA | RFC 6979 |
//! | [`ed25519`], [`ed448`] | EdDSA | RFC 8032 |
//! | [`sm2`] | SM2 under the default identity | with a nonce as of RFC 6979 |
//! | [`ml_dsa_44`], [`ml_dsa_65`], [`ml_dsa_87`] | ML-DSA without a context | deterministic |
//! | [`rsa`] | RSASSA-PKCS1-v1_5 and RSASSA-PSS | `RandomizedSigner`: blinding is random |

use crate::rng::FromRandCore;
use rand_core::TryCryptoRng;
use signature::Error;

/// What the other side sees of an error: nothing.
fn opaque<E>(_: E) -> Error {
    Error::new()
}

/// The types of a signature: bytes of a fixed length.
macro_rules! signature_type {
    ($ours:ty, $len:expr) => {
        /// A signature in its encoding of fixed length.
        #[derive(Clone, PartialEq, Eq)]
        pub struct Signature(pub $ours);

        impl core::fmt::Debug for Signature {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("Signature(")?;
                for byte in self.0.as_ref() as &[u8] {
                    write!(f, "{byte:02x}")?;
                }
                f.write_str(")")
            }
        }

        impl TryFrom<&[u8]> for Signature {
            type Error = Error;

            fn try_from(bytes: &[u8]) -> Result<Self, Error> {
                <ours::PublicKey as adamant::family::Verifier>::signature(bytes)
                    .map(Signature)
                    .map_err(opaque)
            }
        }

        impl TryFrom<Signature> for [u8; $len] {
            type Error = Error;

            fn try_from(signature: Signature) -> Result<Self, Error> {
                (signature.0.as_ref() as &[u8]).try_into().map_err(opaque)
            }
        }

        impl SignatureEncoding for Signature {
            type Repr = [u8; $len];
        }
    };
}

macro_rules! signatures {
    ($([$($title:literal)+] $module:ident, $ours:path, $len:expr;)*) => { $(
        #[doc = concat!($($title,)+ ".")]
        pub mod $module {
            use super::*;
            use $ours as ours;
            use signature::{Keypair, SignatureEncoding, Signer, Verifier};

            /// A private key, with its public key.
            #[derive(Clone)]
            pub struct SigningKey(pub ours::PrivateKey);

            /// A public key.
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub struct VerifyingKey(pub ours::PublicKey);

            signature_type!(ours::Signature, $len);

            impl SigningKey {
                /// A new key from this generator.
                ///
                /// # Errors
                /// Those of the generator.
                pub fn generate_from<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
                    ours::PrivateKey::generate(&mut FromRandCore::new(rng))
                        .map(SigningKey)
                        .map_err(opaque)
                }
            }

            impl core::fmt::Debug for SigningKey {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    f.write_str("SigningKey { .. }")
                }
            }

            impl Signer<Signature> for SigningKey {
                fn try_sign(&self, message: &[u8]) -> Result<Signature, Error> {
                    Ok(Signature(self.0.sign(message)))
                }
            }

            impl Keypair for SigningKey {
                type VerifyingKey = VerifyingKey;

                fn verifying_key(&self) -> VerifyingKey {
                    VerifyingKey(self.0.public_key())
                }
            }

            impl Verifier<Signature> for VerifyingKey {
                fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
                    self.0.verify(message, &signature.0).map_err(opaque)
                }
            }
        }
    )* };
}

/// The modules, of the list of the schemes.
macro_rules! modules {
    (
        curves { $({ $cf:tt $curve:ident $cm:ident $words:literal $bytes:literal $name:literal
            $($_c:tt)* })* }
        signatures { $({ $sf:tt $signs:ident $sc:ident $sm:ident $command:literal $title:literal
            $oid:literal $standard:literal [$private:literal $public:literal $len:literal] })* }
        $($_groups:tt)*
    ) => {
        signatures! {
            $(["ECDSA on " $name] $cm, adamant::ec::$cm, 2 * $bytes;)*
            $([$title] $sm, adamant::$sc::$sm, $len;)*
            ["SM2 (GB/T 32918) under the default identity"] sm2, adamant::ec::sm2, 64;
        }
    };
}
adamant::hazmat::base::schemes!(modules);

/// RSA signatures: a module for each of the two paddings.
pub mod rsa {
    use super::*;
    use adamant::rsa as ours;
    use adamant::rsa::DigestInfo;
    use alloc::vec::Vec;
    use core::fmt;
    use core::marker::PhantomData;
    use signature::{Keypair, RandomizedSigner, SignatureEncoding, Verifier};

    /// A signature: as many bytes as the modulus has.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Signature(pub Vec<u8>);

    impl TryFrom<&[u8]> for Signature {
        type Error = Error;

        fn try_from(bytes: &[u8]) -> Result<Self, Error> {
            Ok(Signature(bytes.to_vec()))
        }
    }

    impl From<Signature> for Vec<u8> {
        fn from(signature: Signature) -> Self {
            signature.0
        }
    }

    impl SignatureEncoding for Signature {
        type Repr = Vec<u8>;
    }

    macro_rules! paddings {
        ($($title:literal: $module:ident, $sign:ident, $verify:ident;)*) => { $(
            #[doc = concat!($title, " over the digest by `H`, a hash of [`adamant::hash`].")]
            pub mod $module {
                use super::*;

                /// A private key.
                pub struct SigningKey<H>(pub ours::PrivateKey, PhantomData<fn() -> H>);

                /// A public key.
                pub struct VerifyingKey<H>(pub ours::PublicKey, PhantomData<fn() -> H>);

                impl<H> SigningKey<H> {
                    /// The key for signatures over the digest by `H`.
                    #[must_use]
                    pub fn new(key: ours::PrivateKey) -> Self {
                        SigningKey(key, PhantomData)
                    }
                }

                impl<H> VerifyingKey<H> {
                    /// The key for signatures over the digest by `H`.
                    #[must_use]
                    pub fn new(key: ours::PublicKey) -> Self {
                        VerifyingKey(key, PhantomData)
                    }
                }

                impl<H> Clone for VerifyingKey<H> {
                    fn clone(&self) -> Self {
                        Self::new(self.0.clone())
                    }
                }

                impl<H> fmt::Debug for SigningKey<H> {
                    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("SigningKey { .. }")
                    }
                }

                impl<H> fmt::Debug for VerifyingKey<H> {
                    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.debug_struct("VerifyingKey").field("bits", &self.0.bits()).finish()
                    }
                }

                impl<H: DigestInfo> RandomizedSigner<Signature> for SigningKey<H> {
                    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
                        &self,
                        rng: &mut R,
                        message: &[u8],
                    ) -> Result<Signature, Error> {
                        self.0.$sign::<H>(message, &mut FromRandCore::new(rng))
                            .map(Signature)
                            .map_err(opaque)
                    }
                }

                impl<H> Keypair for SigningKey<H> {
                    type VerifyingKey = VerifyingKey<H>;

                    fn verifying_key(&self) -> VerifyingKey<H> {
                        VerifyingKey::new(self.0.public_key())
                    }
                }

                impl<H: DigestInfo> Verifier<Signature> for VerifyingKey<H> {
                    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
                        self.0.$verify::<H>(message, &signature.0).map_err(opaque)
                    }
                }
            }
        )* };
    }

    paddings! {
        "RSASSA-PKCS1-v1_5": pkcs1v15, sign_pkcs1, verify_pkcs1;
        "RSASSA-PSS with a salt as long as the digest": pss, sign_pss, verify_pss;
    }
}
