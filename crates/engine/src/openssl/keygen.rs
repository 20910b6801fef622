//! Key generation.

use super::ffi::Libcrypto;
use super::ffi::keys::{Generator, Key, KeyType, Setting};
use crate::op::{self, item};
use crate::serve::Engine;
use crate::{Item, der};

/// What a key looks like when it travels.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// The bytes of its standard, and the seed where there is one.
    Raw,
    /// A scalar and a point.
    Curve,
    /// PKCS#1.
    Rsa,
    /// Numbers of this length.
    Numbers(usize),
}

/// What keys to generate.
#[derive(Clone, Copy)]
pub(super) struct Recipe {
    pub(super) kind: KeyType,
    pub(super) settings: &'static [Setting],
    pub(super) group: Option<&'static std::ffi::CStr>,
    pub(super) form: Form,
}

impl Recipe {
    pub(super) fn raw(kind: KeyType) -> Self {
        Recipe {
            kind,
            settings: &[],
            group: None,
            form: Form::Raw,
        }
    }

    pub(super) fn generator(&self, lib: Libcrypto) -> Result<Generator, String> {
        Generator::new(lib, self.kind, self.settings, self.group)
    }

    /// Whether the library has such keys.
    pub(super) fn works(&self, lib: Libcrypto) -> bool {
        self.generator(lib).is_ok()
    }

    /// Whether the library gives the bytes of a key that it made.
    pub(super) fn tells(&self, lib: Libcrypto) -> bool {
        let made = self.generator(lib).and_then(|mut g| g.generate());
        made.and_then(|key| tell(&key, self.form)).is_ok()
    }
}

pub(super) fn register(engine: &mut Engine, lib: Libcrypto, name: &str, recipe: Recipe) {
    engine.single(&format!("{name}/keygen"), move |_, _| {
        Ok(op::telling(
            (recipe.generator(lib)?, None),
            |(generator, key)| {
                *key = Some(generator.generate()?);
                Ok(())
            },
            move |(_, key)| tell(key.as_ref().ok_or("no key was made")?, recipe.form),
        ))
    });
}

fn tell(key: &Key, form: Form) -> Result<Item, String> {
    match form {
        Form::Raw => {
            let [private, public] = key.raw()?;
            let mut told = item([("private_key", &private), ("public_key", &public)]);
            // Ed25519 and its like have no seed but the private key.
            told.extend(key.seed().map(|seed| ("seed".to_owned(), seed)));
            Ok(told)
        }
        Form::Curve => {
            let der = key.to_private_der()?;
            let parts = der::ec_private_parts(&der);
            let (scalar, point) = parts.ok_or("the key made has an encoding of another shape")?;
            Ok(item([("private_key", scalar), ("public_key", point)]))
        }
        Form::Rsa => Ok(item([
            ("private_key", &key.to_private_der()?),
            ("public_key", &key.to_public_der()?),
        ])),
        Form::Numbers(len) => Ok(item([
            ("private_key", &key.number(c"priv", len)?),
            ("public_key", &key.number(c"pub", len)?),
        ])),
    }
}
