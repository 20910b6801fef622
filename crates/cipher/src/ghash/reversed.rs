//! Blocks as numbers, first byte highest: polynomials with their bits in reverse order, so that
//! products lack a bit. H is kept times x, which makes up for it.

/// x^63 + x^62 + x^57, which is x^-64 (x^7 + x^2 + x + 1) reversed.
pub(crate) const POLYNOMIAL: u64 = 0xc200_0000_0000_0000;

/// H times x: one bit up, and what leaves comes back by x^128 = x^127 + x^126 + x^121 + 1, the
/// reversed polynomial.
#[inline]
pub(crate) fn first_power(h: &[u8; 16]) -> [u8; 16] {
    let h = u128::from_be_bytes(*h);
    let carry = adamant_base::ct::Choice::from_bit((h >> 127) as u64).mask();
    let folded = u128::from(POLYNOMIAL & carry) << 64 | u128::from(1 & carry);
    (h << 1 ^ folded).to_le_bytes()
}
