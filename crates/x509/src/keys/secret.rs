//! Octets of private keys, wiped when they are dropped.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Deref;

use adamant_base::Wipe;
use adamant_der::pem;

/// An encoded private key, wiped when dropped.
///
/// The buffer was made large enough at once, so that no copies are left behind.
pub struct SecretBytes(Vec<u8>);

impl SecretBytes {
    pub(super) const fn new(octets: Vec<u8>) -> Self {
        Self(octets)
    }

    /// As PEM (RFC 7468) with this label.
    pub fn to_pem(&self, label: &str) -> SecretText {
        SecretText(pem::encode(label, self))
    }
}

impl Deref for SecretBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for SecretBytes {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

/// A private key as PEM, wiped when dropped.
pub struct SecretText(String);

impl Deref for SecretText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Drop for SecretText {
    fn drop(&mut self) {
        let mut octets = core::mem::take(&mut self.0).into_bytes();
        octets.wipe();
    }
}
