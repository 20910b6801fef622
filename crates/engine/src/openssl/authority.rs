//! A certification authority on OpenSSL: what a pipeline of certificates is compared with.

use std::ffi::CStr;

use super::curves::{CURVES, KEMS, SM2, WHOLE};
use super::ffi::Libcrypto;
use super::ffi::keys::KeyType;
use super::ffi::x509::{Signing, request};
use super::keygen::{Form, Recipe};
use super::signatures::RSA;

pub use super::ffi::x509::{Authority, Item, PrivateKey, Verifier};
pub use crate::toolkit::Facts;

/// The identity of SM2 where none is agreed upon (GM/T 0009, 10), as in certificates.
const IDENTITY: &CStr = c"1234567812345678";

/// How keys are made and what they sign with.
#[derive(Clone, Copy)]
pub struct Scheme {
    lib: Libcrypto,
    recipe: Recipe,
    digest: Option<&'static CStr>,
    identity: Option<&'static CStr>,
}

impl Scheme {
    /// The scheme of a name: `ecdsa-p256`, `rsa-2048` (PKCS #1 v1.5 with SHA-256), `sm2` with the
    /// usual identity, `ed25519`, `ml-dsa-65` and their like; or `ml-kem-768` and its like, which
    /// generate keys and do not sign.
    ///
    /// # Errors
    /// A sentence where the library does not have it.
    pub fn new(lib: Libcrypto, name: &str) -> Result<Self, String> {
        let raw = |kind: KeyType| (Recipe::raw(kind), None);
        let curve = |wanted: &str| {
            let curve = CURVES.iter().find(|curve| curve.name == wanted)?;
            Some((
                recipe(KeyType::EC, curve.settings, Form::Curve),
                Some(curve.digest),
            ))
        };
        let rsa = || {
            let (_, settings) = RSA.iter().find(|row| row.0 == name)?;
            Some((recipe(KeyType::RSA, settings, Form::Rsa), Some(c"SHA256")))
        };
        let whole = || {
            let row = WHOLE.iter().find(|row| row.0 == name)?;
            Some(raw(row.1))
        };
        let kem = || {
            let row = KEMS.iter().find(|row| row.0 == name)?;
            Some(raw(row.1))
        };
        let sm2 = (name == "sm2").then_some(IDENTITY);
        let found = match name.strip_prefix("ecdsa-") {
            Some(name) => curve(name),
            None if sm2.is_some() => {
                Some((recipe(KeyType::SM2, &[], Form::Curve), Some(SM2.digest)))
            }
            None => rsa().or_else(whole).or_else(kem),
        };
        let (recipe, digest) = found.ok_or_else(|| format!("{name} is not offered"))?;
        let scheme = Scheme {
            lib,
            recipe,
            digest,
            identity: sm2,
        };
        if lib.x509.is_none() {
            return Err("this OpenSSL lacks functions for certificates".into());
        }
        scheme.recipe.generator(lib)?;
        Ok(scheme)
    }

    /// Generates keys.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn generate(&self, count: usize) -> Result<Vec<PrivateKey>, String> {
        let mut generator = self.recipe.generator(self.lib)?;
        let keys = (0..count).map(|_| generator.generate().map(PrivateKey));
        keys.collect()
    }

    /// An authority that signs so.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn authority(&self, key: PrivateKey, facts: Facts<'_>) -> Result<Authority, String> {
        Authority::new(key, self.signing()?, facts)
    }

    /// A request for a certificate with this name, signed so with the key that it is for.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn request(&self, key: &PrivateKey, common_name: &str) -> Result<Vec<u8>, String> {
        request(key, self.signing()?, common_name)
    }

    fn signing(&self) -> Result<Signing, String> {
        Signing::new(self.lib, self.digest, self.identity)
    }
}

/// Reads the SubjectPublicKeyInfo of a key that signs with the scheme of this name. All but the
/// identity of SM2 is said by the key and by what was signed.
///
/// # Errors
/// A sentence where the library cannot read it.
pub fn verifier(lib: Libcrypto, name: &str, spki: &[u8]) -> Result<Verifier, String> {
    let signing = match name {
        "sm2" => Signing::new(lib, Some(SM2.digest), Some(IDENTITY)),
        _ => Signing::new(lib, None, None),
    };
    Verifier::new(lib, signing?, spki)
}

fn recipe(kind: KeyType, settings: &'static [super::ffi::keys::Setting], form: Form) -> Recipe {
    Recipe {
        kind,
        settings,
        group: None,
        form,
    }
}
