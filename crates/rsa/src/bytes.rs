//! Secret bytes whose number is known at run time alone.

use adamant_base::Wipe;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// Bytes that are wiped when dropped; no `Debug`, no `==`.
///
/// ```
/// let secret = adamant_rsa::SecretBytes::from(vec![1, 2]);
/// assert_eq!(secret[..], [1, 2]);
/// ```
pub struct SecretBytes(Vec<u8>);

impl SecretBytes {
    pub(crate) fn zeros(len: usize) -> Self {
        SecretBytes(alloc::vec![0; len])
    }
}

impl From<Vec<u8>> for SecretBytes {
    fn from(bytes: Vec<u8>) -> Self {
        SecretBytes(bytes)
    }
}

impl Deref for SecretBytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for SecretBytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for SecretBytes {
    fn drop(&mut self) {
        self.0.as_mut_slice().wipe();
    }
}

/// Limbs that are wiped when dropped, for products longer than a number may be.
pub(crate) struct SecretLimbs(Vec<u64>);

impl SecretLimbs {
    pub(crate) fn zeros(len: usize) -> Self {
        SecretLimbs(alloc::vec![0; len])
    }
}

impl Deref for SecretLimbs {
    type Target = [u64];
    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl DerefMut for SecretLimbs {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

impl Drop for SecretLimbs {
    fn drop(&mut self) {
        self.0.as_mut_slice().wipe();
    }
}
