//! Keys by the contract of their schemes ([`Signer`], [`Verifier`]): what each signs with as a rule,
//! and, but for ECDSA, alone (RFC 8410, RFC 9881, RFC 9909; SM2 under the identity that GM/T 0009 and
//! RFC 8998 give to all).

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;
use adamant_base::family::{Signer, Verifier};

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

usual! {
    "ecdsa" P224 adamant_ec p224 EcdsaWithSha224;
    "ecdsa" P256 adamant_ec p256 EcdsaWithSha256;
    "ecdsa" P384 adamant_ec p384 EcdsaWithSha384;
    "ecdsa" P521 adamant_ec p521 EcdsaWithSha512;
    "ecdsa" Secp256k1 adamant_ec secp256k1 EcdsaWithSha256;
    "ecdsa" BrainpoolP256r1 adamant_ec brainpoolp256r1 EcdsaWithSha256;
    "ecdsa" BrainpoolP384r1 adamant_ec brainpoolp384r1 EcdsaWithSha384;
    "ecdsa" BrainpoolP512r1 adamant_ec brainpoolp512r1 EcdsaWithSha512;
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

alone! {
    "sm" Sm2 adamant_ec sm2 Sm2WithSm3;
    "curve25519" Ed25519 adamant_ec ed25519 Ed25519;
    "curve448" Ed448 adamant_ec ed448 Ed448;
    "ml-dsa" MlDsa44 adamant_pq ml_dsa_44 MlDsa44;
    "ml-dsa" MlDsa65 adamant_pq ml_dsa_65 MlDsa65;
    "ml-dsa" MlDsa87 adamant_pq ml_dsa_87 MlDsa87;
    "slh-dsa" SlhDsaSha2_128s adamant_pq slh_dsa_sha2_128s SlhDsaSha2_128s;
    "slh-dsa" SlhDsaSha2_128f adamant_pq slh_dsa_sha2_128f SlhDsaSha2_128f;
    "slh-dsa" SlhDsaSha2_192s adamant_pq slh_dsa_sha2_192s SlhDsaSha2_192s;
    "slh-dsa" SlhDsaSha2_192f adamant_pq slh_dsa_sha2_192f SlhDsaSha2_192f;
    "slh-dsa" SlhDsaSha2_256s adamant_pq slh_dsa_sha2_256s SlhDsaSha2_256s;
    "slh-dsa" SlhDsaSha2_256f adamant_pq slh_dsa_sha2_256f SlhDsaSha2_256f;
    "slh-dsa" SlhDsaShake128s adamant_pq slh_dsa_shake_128s SlhDsaShake128s;
    "slh-dsa" SlhDsaShake128f adamant_pq slh_dsa_shake_128f SlhDsaShake128f;
    "slh-dsa" SlhDsaShake192s adamant_pq slh_dsa_shake_192s SlhDsaShake192s;
    "slh-dsa" SlhDsaShake192f adamant_pq slh_dsa_shake_192f SlhDsaShake192f;
    "slh-dsa" SlhDsaShake256s adamant_pq slh_dsa_shake_256s SlhDsaShake256s;
    "slh-dsa" SlhDsaShake256f adamant_pq slh_dsa_shake_256f SlhDsaShake256f;
}
