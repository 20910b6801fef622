//! Keys of NSS that sign and verify many messages: what a pipeline of certificates is compared
//! with.

use std::ffi::c_ulong;
use std::path::Path;

use super::PUBLIC_KEY;
use super::ffi::{Mechanism, Softoken};
use super::keys::{
    CURVES, Curve, Key, MAX, SHA256_RSA, generate_rsa, read_numbers, read_point, rsa_key,
};
use crate::der;

/// The contents of `rsaEncryption`.
const RSA_ENCRYPTION: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];

/// A loaded NSS.
#[derive(Clone)]
pub struct Library {
    lib: Softoken,
    version: String,
}

/// How keys are made and what they sign with.
#[derive(Clone, Copy)]
pub struct Scheme {
    lib: Softoken,
    kind: Kind,
    mechanism: c_ulong,
}

#[derive(Clone, Copy)]
enum Kind {
    Curve(Curve),
    Rsa(c_ulong),
}

impl Library {
    /// Loads that of a folder, or the one that the system finds.
    ///
    /// # Errors
    /// A sentence if there is none.
    pub fn load(folder: Option<&Path>) -> Result<Self, String> {
        let (lib, version) = Softoken::load(folder)?;
        Ok(Library { lib, version })
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The scheme of a name, `ecdsa-p256` or `rsa-2048` (PKCS #1 v1.5 with SHA-256) and their
    /// like, unless it has none.
    #[must_use]
    pub fn scheme(&self, name: &str) -> Option<Scheme> {
        let lib = self.lib;
        let (kind, mechanism) = match name.split_once('-')? {
            ("ecdsa", name) => {
                let &(_, oid, size, ecdsa) = CURVES.iter().find(|row| row.0 == name)?;
                (Kind::Curve(Curve { lib, oid, size }), ecdsa)
            }
            ("rsa", bits) => (Kind::Rsa(bits.parse().ok()?), SHA256_RSA),
            _ => return None,
        };
        lib.has(mechanism).then_some(Scheme {
            lib,
            kind,
            mechanism,
        })
    }
}

/// A private key, an object of a session of its own.
pub struct PrivateKey {
    scheme: Scheme,
    key: Key,
    spki: Vec<u8>,
}

impl Scheme {
    /// Generates a key.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn generate(&self) -> Result<PrivateKey, String> {
        let (key, spki) = match self.kind {
            Kind::Curve(curve) => {
                let (session, [public, private]) = curve.generate()?;
                let point = read_point(&session, public)?;
                ((session, private), der::ec_spki(curve.oid, &point))
            }
            Kind::Rsa(bits) => {
                let (session, private) = generate_rsa(self.lib, bits)?;
                let numbers = read_numbers(&session, private, 2)?;
                let numbers: Vec<_> = numbers.iter().map(Vec::as_slice).collect();
                let oid = der::object_identifier(RSA_ENCRYPTION);
                let algorithm = der::element(0x30, &[&oid, &[5, 0]]);
                let bits = der::element(3, &[&[0], &der::sequence_of(&numbers)]);
                ((session, private), der::element(0x30, &[&algorithm, &bits]))
            }
        };
        Ok(PrivateKey {
            scheme: *self,
            key,
            spki,
        })
    }

    /// Reads a public key: the octets of the BIT STRING of its SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// A sentence where the library cannot read it.
    pub fn verifier(&self, octets: &[u8]) -> Result<Verifier, String> {
        let key = match self.kind {
            Kind::Curve(curve) => curve.public(octets)?,
            Kind::Rsa(_) => rsa_key(self.lib, PUBLIC_KEY, octets)?,
        };
        Ok(Verifier { scheme: *self, key })
    }
}

impl PrivateKey {
    /// The public key as SubjectPublicKeyInfo.
    #[must_use]
    pub fn spki(&self) -> &[u8] {
        &self.spki
    }

    /// Signs messages, in a session of this call; the signatures are as in certificates.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn sign(&self, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>, String> {
        let session = self.scheme.lib.session()?;
        let mechanism = Mechanism::plain(self.scheme.mechanism);
        let signed = messages.iter().map(|message| {
            let mut out = [0; MAX];
            let len = session.sign(&mechanism, self.key.1, message, &mut out)?;
            Ok(match self.scheme.kind {
                Kind::Curve(_) => der::signature(&out[..len]),
                Kind::Rsa(_) => out[..len].to_vec(),
            })
        });
        signed.collect()
    }
}

/// A public key, an object of a session of its own.
pub struct Verifier {
    scheme: Scheme,
    key: Key,
}

impl Verifier {
    /// Whether each signature holds for its message, in a session of this call.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn verify(&self, items: &[(&[u8], &[u8])]) -> Result<Vec<bool>, String> {
        let session = self.scheme.lib.session()?;
        let mechanism = Mechanism::plain(self.scheme.mechanism);
        let each = items.iter().map(|(message, signature)| {
            let raw;
            let signature = match self.scheme.kind {
                Kind::Curve(curve) => match der::raw_signature(signature, curve.size) {
                    Some(found) => {
                        raw = found;
                        &raw[..]
                    }
                    None => return Ok(false),
                },
                Kind::Rsa(_) => signature,
            };
            session.verify(&mechanism, self.key.1, message, signature)
        });
        each.collect()
    }
}
