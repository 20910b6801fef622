//! The text of private keys, wiped when it is dropped.

use alloc::string::String;
use core::ops::Deref;

use adamant_base::Wipe;
use adamant_der::pem;

/// A private key as PEM, wiped when dropped.
///
/// ```
/// use adamant_x509::SecretText;
///
/// let text = SecretText::pem("EXAMPLE", &[0x05, 0x00]);
/// assert_eq!(*text, *"-----BEGIN EXAMPLE-----\nBQA=\n-----END EXAMPLE-----\n");
/// ```
pub struct SecretText(String);

impl SecretText {
    /// DER as PEM (RFC 7468) with this label.
    ///
    /// # Panics
    /// If the label is none (RFC 7468, section 3).
    pub fn pem(label: &str, der: &[u8]) -> Self {
        Self(pem::encode(label, der))
    }
}

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
