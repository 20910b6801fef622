//! Natural numbers, slow and plain: the reference for the arithmetic.

use core::cmp::Ordering;

/// 32-bit digits, least significant first, none of them zero at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Integer(Vec<u32>);

impl Integer {
    fn trimmed(mut digits: Vec<u32>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Integer(digits)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let digits = bytes.chunks(4).map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(word)
        });
        Self::trimmed(digits.collect())
    }

    pub(crate) fn to_bytes<const N: usize>(&self) -> [u8; N] {
        assert!(self.0.len() * 4 <= N);
        let mut out = [0; N];
        for (to, digit) in out.chunks_mut(4).zip(&self.0) {
            to.copy_from_slice(&digit.to_le_bytes());
        }
        out
    }

    pub(crate) fn from_words(words: &[u64]) -> Self {
        Self::from_bytes(
            &words
                .iter()
                .flat_map(|w| w.to_le_bytes())
                .collect::<Vec<_>>(),
        )
    }

    pub(crate) fn power_of_two(exponent: usize) -> Self {
        let mut digits = vec![0; exponent / 32];
        digits.push(1 << (exponent % 32));
        Integer(digits)
    }

    /// p = 2^255 - 19.
    pub(crate) fn prime() -> Self {
        Self::power_of_two(255).sub(&19u32.into())
    }

    /// l = 2^252 + 27742317777372353535851937790883648493.
    pub(crate) fn order() -> Self {
        let low = 27742317777372353535851937790883648493u128;
        Self::power_of_two(252).add(&Self::from_bytes(&low.to_le_bytes()))
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        let mut digits = Vec::new();
        let mut carry = 0;
        for i in 0..=self.0.len().max(other.0.len()) {
            let digit = |x: &Self| u64::from(x.0.get(i).copied().unwrap_or(0));
            carry += digit(self) + digit(other);
            digits.push(carry as u32);
            carry >>= 32;
        }
        Self::trimmed(digits)
    }

    pub(crate) fn sub(&self, other: &Self) -> Self {
        let mut digits = Vec::new();
        let mut borrow = 0;
        for i in 0..self.0.len() {
            let digit = |x: &Self| i64::from(x.0.get(i).copied().unwrap_or(0));
            let difference = digit(self) - digit(other) + borrow;
            digits.push(difference as u32);
            borrow = difference >> 32;
        }
        assert!(borrow == 0 && other.0.len() <= self.0.len(), "negative");
        Self::trimmed(digits)
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        let mut digits = vec![0u32; self.0.len() + other.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (j, b) in other.0.iter().enumerate() {
                carry += u64::from(digits[i + j]) + u64::from(*a) * u64::from(*b);
                digits[i + j] = carry as u32;
                carry >>= 32;
            }
            digits[i + other.0.len()] = carry as u32;
        }
        Self::trimmed(digits)
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let lengths = self.0.len().cmp(&other.0.len());
        lengths.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// The remainder, bit by bit.
    pub(crate) fn rem(&self, modulus: &Self) -> Self {
        let mut rest = Integer(Vec::new());
        for i in (0..32 * self.0.len()).rev() {
            rest = rest.add(&rest);
            if self.0[i / 32] >> (i % 32) & 1 == 1 {
                rest = rest.add(&1u32.into());
            }
            if rest.compare(modulus).is_ge() {
                rest = rest.sub(modulus);
            }
        }
        rest
    }
}

impl From<u32> for Integer {
    fn from(x: u32) -> Self {
        Self::trimmed(vec![x])
    }
}

#[test]
fn the_reference_counts() {
    let (a, b): (u128, u128) = (0xffff_ffff_0000_0001_8000_0000, 0x1234_5678_9abc);
    let integer = |x: u128| Integer::from_bytes(&x.to_le_bytes());
    assert_eq!(integer(a).add(&integer(b)), integer(a + b));
    assert_eq!(integer(a).sub(&integer(b)), integer(a - b));
    assert_eq!(integer(a >> 32).mul(&integer(b)), integer((a >> 32) * b));
    assert_eq!(integer(a).rem(&integer(b)), integer(a % b));
}
