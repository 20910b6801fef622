//! A certification authority on OpenSSL: what a pipeline of certificates is compared with.

use std::ffi::CStr;

use super::curves::CURVES;
use super::ffi::Libcrypto;
use super::ffi::keys::KeyType;
use super::keygen::{Form, Recipe};
use super::signatures::{RSA, WHOLE};

pub use super::ffi::x509::{Authority, Facts, Item, PrivateKey, Verifier};

/// How keys are made and what they sign with.
#[derive(Clone, Copy)]
pub struct Scheme {
    lib: Libcrypto,
    recipe: Recipe,
    digest: Option<&'static CStr>,
}

impl Scheme {
    /// The scheme of a name: `ecdsa-p256`, `rsa-2048` (PKCS #1 v1.5 with SHA-256), `ed25519`,
    /// `ml-dsa-65` and their like. SM2 is not among them: OpenSSL takes it with an empty identity
    /// in lists and responses.
    ///
    /// # Errors
    /// A sentence where the library lacks it.
    pub fn new(lib: Libcrypto, name: &str) -> Result<Self, String> {
        let raw = |&(_, kind, _): &(_, KeyType, _)| (Recipe::raw(kind), None);
        let curve = |wanted: &str| {
            let curve = CURVES.iter().find(|curve| curve.name == wanted)?;
            Some((
                recipe(KeyType::EC, curve.settings, Form::Curve),
                Some(curve.digest),
            ))
        };
        let found = match name.strip_prefix("ecdsa-") {
            Some(name) => curve(name),
            None => RSA
                .iter()
                .find(|row| row.0 == name)
                .map(|row| (recipe(KeyType::RSA, row.1, Form::Rsa), Some(c"SHA256")))
                .or_else(|| WHOLE.iter().find(|row| row.0 == name).map(raw)),
        };
        let (recipe, digest) = found.ok_or_else(|| format!("{name} is not offered"))?;
        let scheme = Scheme {
            lib,
            recipe,
            digest,
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
        Authority::new(key, self.digest, facts)
    }
}

fn recipe(kind: KeyType, settings: &'static [super::ffi::keys::Setting], form: Form) -> Recipe {
    Recipe {
        kind,
        settings,
        group: None,
        form,
    }
}
