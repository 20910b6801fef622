//! Numbers of `W` 64-bit words, the lowest first: what all curves share.
//!
//! Nothing here branches on a value.

use super::modulus;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
use crate::thumb_words;
use adamant_base::ct::Choice;

/// `a + b + carry`: the low word and the carry.
#[inline(always)]
pub(crate) const fn adc(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (s, c0) = a.overflowing_add(b);
    let (s, c1) = s.overflowing_add(carry as u64);
    (s, c0 | c1)
}

/// `a - b - borrow`: the low word and the borrow.
#[inline(always)]
pub(crate) const fn sbb(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (d, b0) = a.overflowing_sub(b);
    let (d, b1) = d.overflowing_sub(borrow as u64);
    (d, b0 | b1)
}

/// How an implementation multiplies two words.
pub(crate) trait Product: Sized {
    /// Whether shifts and differences take less time than a product by a number that has few bits.
    const IS_SHORT: bool = true;

    /// `a * b`: the low and the high word.
    fn mul(a: u64, b: u64) -> (u64, u64);

    /// `a * b` mod 2^64.
    #[inline(always)]
    fn mul_low(a: u64, b: u64) -> u64 {
        Self::mul(a, b).0
    }

    /// The product of numbers: its lower and its upper half.
    #[inline(always)]
    fn wide<const W: usize>(a: &[u64; W], b: &[u64; W]) -> ([u64; W], [u64; W]) {
        modulus::mul_wide::<Self, W>(a, b)
    }

    /// The square of a number in the same way.
    #[inline(always)]
    fn wide_square<const W: usize>(a: &[u64; W]) -> ([u64; W], [u64; W]) {
        modulus::square_wide::<Self, W>(a)
    }
}

/// Products of 64 bits by 64.
pub(crate) struct By64;

/// Products of 32 bits by 32 to 64, for machines of 32 bits.
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
pub(crate) struct By32;

/// Products of 32 bits that keep the low 32, for small cores: on some, the time of the longer ones
/// depends on the operands.
#[cfg(feature = "lab")]
pub(crate) struct By16;

/// Products of eight words of 32 bits in assembly, and others as these.
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
pub(crate) struct ByThumb;

impl Product for By64 {
    const IS_SHORT: bool = false;

    #[inline(always)]
    fn mul(a: u64, b: u64) -> (u64, u64) {
        let product = u128::from(a) * u128::from(b);
        (product as u64, (product >> 64) as u64)
    }

    #[inline(always)]
    fn mul_low(a: u64, b: u64) -> u64 {
        a.wrapping_mul(b)
    }
}

#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
impl Product for By32 {
    #[inline(always)]
    fn mul(a: u64, b: u64) -> (u64, u64) {
        by_halves(a, b, |a, b| u64::from(a) * u64::from(b))
    }
}

#[cfg(feature = "lab")]
impl Product for By16 {
    #[inline(always)]
    fn mul(a: u64, b: u64) -> (u64, u64) {
        by_halves(a, b, |a, b| {
            let (a0, a1, b0, b1) = (a & 0xffff, a >> 16, b & 0xffff, b >> 16);
            let low = a0 * b0;
            // Each sum is at most (2^16 - 1)^2 + 2 (2^16 - 1) = 2^32 - 1.
            let middle = a0 * b1 + (low >> 16);
            let other = a1 * b0 + (middle & 0xffff);
            let high = a1 * b1 + (middle >> 16) + (other >> 16);
            u64::from(high) << 32 | u64::from(other << 16 | low & 0xffff)
        })
    }
}

#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
impl Product for ByThumb {
    #[inline(always)]
    fn mul(a: u64, b: u64) -> (u64, u64) {
        let [a, b, c, d] = thumb_words::product_of_two(a, b).map(u64::from);
        (b << 32 | a, d << 32 | c)
    }

    fn wide<const W: usize>(a: &[u64; W], b: &[u64; W]) -> ([u64; W], [u64; W]) {
        match (a.first_chunk(), b.first_chunk()) {
            (Some(a), Some(b)) if W == 4 => halves(&thumb_words::product(&narrow(a), &narrow(b))),
            _ => modulus::mul_wide::<Self, W>(a, b),
        }
    }

    fn wide_square<const W: usize>(a: &[u64; W]) -> ([u64; W], [u64; W]) {
        match a.first_chunk() {
            Some(a) if W == 4 => halves(&thumb_words::squared(&narrow(a))),
            _ => modulus::square_wide::<Self, W>(a),
        }
    }
}

/// Four words as eight.
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
fn narrow(words: &[u64; 4]) -> [u32; 8] {
    core::array::from_fn(|i| (words[i / 2] >> (32 * (i % 2))) as u32)
}

/// A product's lower and upper half.
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
fn halves<const W: usize>(words: &[u32; 16]) -> ([u64; W], [u64; W]) {
    let word = |i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32;
    (
        core::array::from_fn(word),
        core::array::from_fn(|i| word(W + i)),
    )
}

/// `a * b` by four products of their halves.
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
#[inline(always)]
fn by_halves(a: u64, b: u64, mul: impl Fn(u32, u32) -> u64) -> (u64, u64) {
    let (a0, a1, b0, b1) = (a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32);
    let low = mul(a0, b0);
    // Each sum is at most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
    let middle = mul(a0, b1) + (low >> 32);
    let other = mul(a1, b0) + (middle & 0xffff_ffff);
    let high = mul(a1, b1) + (middle >> 32) + (other >> 32);
    (other << 32 | low & 0xffff_ffff, high)
}

/// `a + b` and the carry out of the top.
#[inline(always)]
pub(crate) const fn add<const W: usize>(a: &[u64; W], b: &[u64; W]) -> ([u64; W], bool) {
    let (mut sum, mut carry, mut i) = ([0; W], false, 0);
    while i < W {
        (sum[i], carry) = adc(a[i], b[i], carry);
        i += 1;
    }
    (sum, carry)
}

/// `a - b` and the borrow out of the top.
#[inline(always)]
pub(crate) const fn sub<const W: usize>(a: &[u64; W], b: &[u64; W]) -> ([u64; W], bool) {
    let (mut difference, mut borrow, mut i) = ([0; W], false, 0);
    while i < W {
        (difference[i], borrow) = sbb(a[i], b[i], borrow);
        i += 1;
    }
    (difference, borrow)
}

/// `x / 2^n` for n below 64.
#[inline]
pub(crate) const fn shift_right<const W: usize>(x: &[u64; W], n: u32) -> [u64; W] {
    let (mut shifted, mut i) = ([0; W], 0);
    while i < W {
        let above = if i + 1 < W { x[i + 1] } else { 0 };
        // Two shifts, as one by 64 is none.
        shifted[i] = x[i] >> n | above << 1 << (63 - n);
        i += 1;
    }
    shifted
}

/// The number in hexadecimal digits, the highest first, between which there may be spaces.
pub(crate) const fn from_hex<const W: usize>(digits: &str) -> [u64; W] {
    let (mut words, mut place, mut i) = ([0; W], 0, digits.len());
    while i > 0 {
        i -= 1;
        let digit = match digits.as_bytes()[i] {
            b' ' => continue,
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            _ => panic!("not a hexadecimal digit"),
        };
        words[place / 16] |= (digit as u64) << (4 * (place % 16));
        place += 1;
    }
    words
}

/// The number 1.
pub(crate) const fn one<const W: usize>() -> [u64; W] {
    let mut one = [0; W];
    one[0] = 1;
    one
}

/// Whether two public numbers are the same, when the crate is compiled.
pub(crate) const fn same<const W: usize>(a: &[u64; W], b: &[u64; W]) -> bool {
    let mut i = 0;
    while i < W && a[i] == b[i] {
        i += 1;
    }
    i == W
}

/// Whether `x` is 0.
#[inline(always)]
pub(crate) fn is_zero<const W: usize>(x: &[u64; W]) -> Choice {
    !Choice::nonzero(x.iter().fold(0, |all, word| all | word))
}

/// The number in big-endian bytes, of which there are at most `8 W`.
#[inline]
pub(crate) fn from_be_bytes<const W: usize>(bytes: &[u8]) -> [u64; W] {
    let mut words = [0; W];
    let (first, chunks) = bytes.as_rchunks::<8>();
    for (word, chunk) in words.iter_mut().zip(chunks.iter().rev()) {
        *word = u64::from_be_bytes(*chunk);
    }
    if !first.is_empty() {
        let word = first.iter().fold(0, |word, b| word << 8 | u64::from(*b));
        words[chunks.len()] = word;
    }
    words
}

/// The number in big-endian bytes, as many as there is room for.
#[inline]
pub(crate) fn to_be_bytes<const W: usize>(words: &[u64; W], bytes: &mut [u8]) {
    // Whole words are stores, whatever the length.
    let (first, chunks) = bytes.as_rchunks_mut::<8>();
    let whole = chunks.len();
    for (chunk, word) in chunks.iter_mut().rev().zip(words) {
        *chunk = word.to_be_bytes();
    }
    if let Some(word) = words.get(whole) {
        for (byte, i) in first.iter_mut().rev().zip(0u32..) {
            *byte = (word >> (8 * i)) as u8;
        }
    }
}
