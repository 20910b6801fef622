//! Keys by the contract of their schemes ([`Signer`], [`Verifier`]): what each signs with as a rule,
//! and, but for ECDSA, alone (RFC 8410, RFC 9881, RFC 9909; SM2 under the identity that GM/T 0009 and
//! RFC 8998 give to all).

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;
use adamant_base::family::{Signer, Verifier};

#[cfg(any(
    feature = "ecdsa",
    feature = "sm",
    feature = "curve25519",
    feature = "curve448"
))]
use adamant_ec as ec;
#[cfg(any(feature = "ml-dsa", feature = "slh-dsa"))]
use adamant_pq as pq;

use super::{SigningKey, Signs, Verifies};
use crate::{AlgorithmIdentifier, PublicKey, Result, SignatureAlgorithm};

fn sign<K: Signer>(key: &K, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
    signature.extend_from_slice(&K::Verifier::signature_to_x509(&key.sign(message)));
    Ok(())
}

fn verify<V: Verifier>(key: &V, message: &[u8], signature: &[u8]) -> Result<(), CryptoError> {
    let signature = V::signature_from_x509(signature);
    key.verify(message, &signature.map_err(|_| CryptoError::BadSignature)?)
}

macro_rules! usual {
    ($($feature:tt $variant:ident $from:ident $module:ident $algorithm:ident;)*) => { $(
        #[cfg(feature = $feature)]
        impl SigningKey for $from::$module::PrivateKey {
            fn algorithm(&self) -> SignatureAlgorithm {
                SignatureAlgorithm::$algorithm
            }

            fn public_key(&self) -> PublicKey {
                PublicKey::$variant(self.verifier())
            }

            fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
                sign(self, message, signature)
            }
        }
    )* };
}

macro_rules! alone {
    ($($feature:tt $variant:ident $from:ident $module:ident $algorithm:ident;)*) => {
        usual! { $($feature $variant $from $module $algorithm;)* }

        $(
            #[cfg(feature = $feature)]
            impl Signs for $from::$module::PrivateKey {}

            #[cfg(feature = $feature)]
            impl Verifies for $from::$module::PublicKey {
                fn verify_with(
                    &self,
                    _: &AlgorithmIdentifier<'_>,
                    algorithm: SignatureAlgorithm,
                    message: &[u8],
                    signature: &[u8],
                ) -> Option<Result<(), CryptoError>> {
                    (algorithm == SignatureAlgorithm::$algorithm)
                        .then(|| verify(self, message, signature))
                }
            }
        )*
    };
}

/// The rows, of the list of the schemes.
macro_rules! rows {
    (
        curves { $({ $cf:tt $curve:ident $cm:ident $w:literal $bytes:literal $name:literal $oid:literal
            $algorithm:ident $($_c:tt)* })* }
        signatures { $({ $sf:tt $signs:ident $sc:ident $sm:ident $($_s:tt)* })* }
        $($_groups:tt)*
    ) => {
        usual! { $($cf $curve ec $cm $algorithm;)* }
        alone! {
            $($sf $signs $sc $sm $signs;)*
            "sm" Sm2 ec sm2 Sm2WithSm3;
        }
    };
}
adamant_base::schemes!(rows);
