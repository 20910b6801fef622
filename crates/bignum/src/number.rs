//! A number of fixed capacity.

use crate::{MAX_LIMBS, limbs};
use adamant_base::{Secret, Wipe};
use core::ops::{Deref, DerefMut};

/// A number of up to [`MAX_LIMBS`] limbs; wiped when dropped. It is used as the slice of its limbs.
///
/// ```
/// use adamant_bignum::Number;
/// let number = Number::from_be_bytes(&[1, 0, 0, 0, 0, 0, 0, 0, 2], 2).unwrap();
/// assert_eq!(number[..], [2, 1]);
/// ```
#[derive(Clone)]
pub struct Number {
    limbs: Secret<[u64; MAX_LIMBS]>,
    len: usize,
}

impl Number {
    /// Zero in `len` limbs.
    ///
    /// # Panics
    /// When these are more than [`MAX_LIMBS`].
    #[must_use]
    pub fn zero(len: usize) -> Self {
        assert!(len <= MAX_LIMBS);
        Number {
            limbs: Secret::new([0; MAX_LIMBS]),
            len,
        }
    }

    /// The number of these limbs.
    ///
    /// # Panics
    /// When they are more than [`MAX_LIMBS`].
    #[must_use]
    pub fn from_limbs(limbs: &[u64]) -> Self {
        let mut number = Self::zero(limbs.len());
        number.copy_from_slice(limbs);
        number
    }

    /// The number of these big-endian bytes in `len` limbs; `None` where it does not fit, which is
    /// public.
    #[inline]
    #[must_use]
    pub fn from_be_bytes(bytes: &[u8], len: usize) -> Option<Self> {
        if len > MAX_LIMBS {
            return None;
        }
        let mut number = Self::zero(len);
        // A number that does not fit is refused.
        if !limbs::from_be_bytes(bytes, &mut number).declassify() {
            return None;
        }
        Some(number)
    }

    /// This number in `len` limbs: cut, or followed by zeros.
    ///
    /// # Panics
    /// When these are more than [`MAX_LIMBS`].
    #[must_use]
    pub fn resized(mut self, len: usize) -> Self {
        assert!(len <= MAX_LIMBS);
        if len < self.len {
            self.limbs[len..].wipe();
        }
        self.len = len;
        self
    }
}

impl Deref for Number {
    type Target = [u64];
    #[inline]
    fn deref(&self) -> &[u64] {
        &self.limbs[..self.len]
    }
}

impl DerefMut for Number {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.limbs[..self.len]
    }
}
