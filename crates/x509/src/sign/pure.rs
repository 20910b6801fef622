//! EdDSA and the post-quantum signatures (RFC 8410, RFC 9881, RFC 9909): pure, without a context.

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;

use super::{SigningKey, Signs, Verifies};
use crate::{AlgorithmIdentifier, PublicKey, Result, SignatureAlgorithm};

macro_rules! pure {
    ($($feature:tt $variant:ident $from:ident $module:ident;)*) => { $(
        #[cfg(feature = $feature)]
        const _: () = {
            use $from::$module::{self, PrivateKey, Signature};

            impl SigningKey for PrivateKey {
                fn algorithm(&self) -> SignatureAlgorithm {
                    SignatureAlgorithm::$variant
                }

                fn public_key(&self) -> PublicKey {
                    PublicKey::$variant(PrivateKey::public_key(self))
                }

                fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<()> {
                    signature.extend_from_slice(&PrivateKey::sign(self, message).to_bytes());
                    Ok(())
                }
            }

            impl Signs for PrivateKey {}

            impl Verifies for $module::PublicKey {
                fn verify_with(
                    &self,
                    _: &AlgorithmIdentifier<'_>,
                    algorithm: SignatureAlgorithm,
                    message: &[u8],
                    signature: &[u8],
                ) -> Option<Result<(), CryptoError>> {
                    (algorithm == SignatureAlgorithm::$variant).then(|| {
                        let signature = Signature::from_bytes(signature);
                        self.verify(message, &signature.map_err(|_| CryptoError::BadSignature)?)
                    })
                }
            }
        };
    )* };
}

pure! {
    "curve25519" Ed25519 adamant_ec ed25519;
    "curve448" Ed448 adamant_ec ed448;
    "ml-dsa" MlDsa44 adamant_pq ml_dsa_44;
    "ml-dsa" MlDsa65 adamant_pq ml_dsa_65;
    "ml-dsa" MlDsa87 adamant_pq ml_dsa_87;
    "slh-dsa" SlhDsaSha2_128s adamant_pq slh_dsa_sha2_128s;
    "slh-dsa" SlhDsaSha2_128f adamant_pq slh_dsa_sha2_128f;
    "slh-dsa" SlhDsaSha2_192s adamant_pq slh_dsa_sha2_192s;
    "slh-dsa" SlhDsaSha2_192f adamant_pq slh_dsa_sha2_192f;
    "slh-dsa" SlhDsaSha2_256s adamant_pq slh_dsa_sha2_256s;
    "slh-dsa" SlhDsaSha2_256f adamant_pq slh_dsa_sha2_256f;
    "slh-dsa" SlhDsaShake128s adamant_pq slh_dsa_shake_128s;
    "slh-dsa" SlhDsaShake128f adamant_pq slh_dsa_shake_128f;
    "slh-dsa" SlhDsaShake192s adamant_pq slh_dsa_shake_192s;
    "slh-dsa" SlhDsaShake192f adamant_pq slh_dsa_shake_192f;
    "slh-dsa" SlhDsaShake256s adamant_pq slh_dsa_shake_256s;
    "slh-dsa" SlhDsaShake256f adamant_pq slh_dsa_shake_256f;
}
