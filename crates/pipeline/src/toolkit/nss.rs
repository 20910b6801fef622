//! NSS: keys and signatures of its `softoken`, beneath this project's encoders.

use std::path::Path;

use adamant::hazmat::base::same_length;
use adamant::x509::{PublicKey, SubjectPublicKeyInfo};
use adamant_engine::nss::signer::{self as library, Library, PrivateKey, Scheme};
use adamant_pki::provider::Verdict;
use adamant_pki::{Algorithm, Error, Provider, Result};

/// NSS from version 3.52 on, loaded at run time.
///
/// Keys are objects of PKCS #11, which is what `PK11_…` of `libnss3` calls; each part of a batch
/// is signed or verified in a session of its own.
pub struct Nss {
    library: Library,
    name: &'static str,
}

/// A private key of NSS, with its public part as this project reads it.
pub struct Key {
    key: PrivateKey,
    public_key: PublicKey,
}

impl Nss {
    /// The library in the folder, or the one that the system finds. Of each a program keeps a few
    /// octets, its name.
    ///
    /// # Errors
    /// [`Error::Library`] if there is none.
    pub fn load(folder: Option<&Path>) -> Result<Self> {
        let library = Library::load(folder).map_err(Error::Library)?;
        let name = format!("nss {}", library.version()).leak();
        Ok(Nss { library, name })
    }

    fn scheme(&self, algorithm: &str) -> Result<Scheme> {
        let lacks = || Error::Library(format!("NSS lacks {algorithm}"));
        self.library.scheme(algorithm).ok_or_else(lacks)
    }
}

impl Provider for Nss {
    type Key = Key;
    type Verifier = library::Verifier;

    fn name(&self) -> &'static str {
        self.name
    }

    fn has(&self, algorithm: Algorithm) -> bool {
        self.scheme(algorithm.name()).is_ok()
    }

    fn generate_batch(&self, algorithm: Algorithm, count: usize) -> Result<Vec<Key>> {
        let scheme = self.scheme(algorithm.name())?;
        let keys = (0..count).map(|_| {
            let key = scheme.generate().map_err(Error::Library)?;
            let public_key = PublicKey::from_der(key.spki())?;
            Ok(Key { key, public_key })
        });
        keys.collect()
    }

    fn public_key(&self, key: &Key) -> PublicKey {
        key.public_key.clone()
    }

    fn sign_batch(&self, key: &Key, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>> {
        key.key.sign(messages).map_err(Error::Library)
    }

    fn verifier(&self, spki: &[u8]) -> Result<library::Verifier> {
        let name = match PublicKey::from_der(spki)? {
            PublicKey::Rsa(_) => "rsa-2048",
            PublicKey::P256(_) => "ecdsa-p256",
            PublicKey::P384(_) => "ecdsa-p384",
            PublicKey::P521(_) => "ecdsa-p521",
            _ => "such keys",
        };
        let octets = SubjectPublicKeyInfo::from_der(spki)?.key;
        let verifier = self.scheme(name)?.verifier(octets);
        verifier.map_err(Error::Library)
    }

    fn verify_batch(
        &self,
        verifier: &library::Verifier,
        items: &[(&[u8], &[u8])],
        verdicts: &mut [Verdict],
    ) -> Result<()> {
        same_length(items.len(), verdicts.len())?;
        let valid = verifier.verify(items).map_err(Error::Library)?;
        for (verdict, valid) in verdicts.iter_mut().zip(valid) {
            *verdict = if valid {
                Ok(())
            } else {
                Err(adamant::Error::BadSignature)
            };
        }
        Ok(())
    }
}
