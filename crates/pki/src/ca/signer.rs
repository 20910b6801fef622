//! The CA's key, wherever it is.

use adamant::x509::{KeyAlgorithm, PrivateKey, PublicKey, SignatureAlgorithm, verify_signature};

use crate::provider::Provider;
use crate::{Adamant, Algorithm, Result};

/// A key that signs for a certification authority: in memory, in a device, or recorded by a test.
pub trait CaSigner: Send + Sync {
    /// The algorithm of the signatures.
    fn algorithm(&self) -> SignatureAlgorithm;

    /// The key that verifies.
    fn public_key(&self) -> PublicKey;

    /// Signs messages; the results are the contents of BIT STRINGs.
    ///
    /// # Errors
    /// Whatever kept the key from it.
    fn sign_batch(&self, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>>;
}

/// Whether the provider has batches for these signatures.
fn has_batches(key: KeyAlgorithm, signature: SignatureAlgorithm) -> bool {
    Algorithm::all().any(|known| known.key() == key && known.signature() == signature)
}

/// A CA's public key, with which everything is checked that its signer made.
pub(super) struct Checker {
    key: PublicKey,
    algorithm: SignatureAlgorithm,
    /// Whether the provider verifies batches of it.
    batches: bool,
}

impl Checker {
    pub(super) fn new(key: PublicKey, algorithm: SignatureAlgorithm) -> Self {
        let kind = key.algorithm();
        Self {
            batches: kind.is_some_and(|kind| has_batches(kind, algorithm)),
            key,
            algorithm,
        }
    }

    /// The first of these messages whose signature does not verify.
    pub(super) fn first_wrong(&self, items: &[(&[u8], &[u8])]) -> Result<Option<usize>> {
        if !self.batches {
            let wrong = |(message, signature): &(&[u8], &[u8])| {
                let algorithm = self.algorithm.identifier();
                verify_signature(&self.key, &algorithm, message, signature).is_err()
            };
            return Ok(items.iter().position(wrong));
        }
        let mut verdicts = vec![Err(adamant::Error::BadSignature); items.len()];
        Adamant.verify_batch(&self.key, items, &mut verdicts)?;
        Ok(verdicts.iter().position(Result::is_err))
    }
}

/// A private key in memory, with its usual algorithm.
///
/// ```
/// use adamant::x509::{KeyAlgorithm, PrivateKey};
/// use adamant_pki::ca::{CaSigner, LocalKey};
///
/// let key = PrivateKey::generate(KeyAlgorithm::P256, &mut adamant::SystemRng)?;
/// let key = LocalKey::new(key)?;
/// assert_eq!(key.sign_batch(&[b"one", b"two"])?.len(), 2);
/// # Ok::<(), adamant_pki::Error>(())
/// ```
pub struct LocalKey {
    key: PrivateKey,
    algorithm: SignatureAlgorithm,
    /// Whether the provider signs batches of it.
    batches: bool,
}

impl LocalKey {
    /// The key, if it is one that signs.
    ///
    /// # Errors
    /// [`crate::Error::X509`] otherwise.
    pub fn new(key: PrivateKey) -> Result<Self> {
        let algorithm = key.signer()?.algorithm();
        Ok(Self {
            batches: has_batches(key.algorithm(), algorithm),
            algorithm,
            key,
        })
    }

    /// The key.
    #[must_use]
    pub fn private_key(&self) -> &PrivateKey {
        &self.key
    }
}

impl CaSigner for LocalKey {
    fn algorithm(&self) -> SignatureAlgorithm {
        self.algorithm
    }

    fn public_key(&self) -> PublicKey {
        self.key.public_key()
    }

    fn sign_batch(&self, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>> {
        if self.batches {
            return Adamant.sign_batch(&self.key, messages);
        }
        let signer = self.key.signer()?;
        let sign = |message: &&[u8]| {
            let mut signature = Vec::new();
            signer.sign(message, &mut signature)?;
            Ok(signature)
        };
        messages.iter().map(sign).collect()
    }
}
