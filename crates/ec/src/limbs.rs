//! What field elements of all forms have in common: an array of limbs, and one type of their functions.
//! Limbs come from words of 64 bits, which the compiler, who reads tables, does far faster than from
//! bytes.

/// Functions of the trait of a field that are those of the type itself.
macro_rules! own {
    ($($f:ident($($x:ident: $t:ty),*) $(-> $out:ty)?;)*) => {$(
        #[inline(always)]
        fn $f($($x: $t),*) $(-> $out)? {
            Self::$f($($x),*)
        }
    )*};
}
pub(crate) use own;

/// Selections among elements `Fe` of limbs of this type.
macro_rules! selections {
    (swap $limb:ty) => {
        #[cfg_attr(feature = "small", inline(never))]
        #[cfg_attr(not(feature = "small"), inline(always))]
        fn swap(bit: u64, a: &mut Fe, b: &mut Fe) {
            let mask = adamant_base::ct::barrier(bit.wrapping_neg()) as $limb;
            for i in 0..a.0.len() {
                let t = mask & (a.0[i] ^ b.0[i]);
                a.0[i] ^= t;
                b.0[i] ^= t;
            }
        }
    };
    (assign $limb:ty) => {
        #[inline(always)]
        fn assign(&mut self, mask: u64, from: Fe) {
            for i in 0..self.0.len() {
                self.0[i] ^= mask as $limb & (self.0[i] ^ from.0[i]);
            }
        }
        #[inline(always)]
        fn or_masked(&mut self, mask: u64, from: &Fe) {
            for i in 0..self.0.len() {
                self.0[i] |= mask as $limb & from.0[i];
            }
        }
    };
}
pub(crate) use selections;

/// The words of which these are the bytes, least significant first.
#[inline(always)]
pub(crate) const fn words<const BYTES: usize, const WORDS: usize>(
    bytes: &[u8; BYTES],
) -> [u64; WORDS] {
    const { assert!(BYTES == 8 * WORDS) };
    let (parts, _) = bytes.as_chunks();
    let (mut words, mut i) = ([0; WORDS], 0);
    while i < WORDS {
        words[i] = u64::from_le_bytes(parts[i]);
        i += 1;
    }
    words
}

/// Bits of a number: one more than the place of the highest that is set.
#[cfg(any(feature = "weierstrass", target_arch = "aarch64"))]
pub(crate) const fn bits<const W: usize>(x: &[u64; W]) -> usize {
    let mut i = W;
    while i > 0 && x[i - 1] == 0 {
        i -= 1;
    }
    if i == 0 {
        0
    } else {
        64 * i - x[i - 1].leading_zeros() as usize
    }
}

/// So many bits, below 64, of a number of these words, from this one on.
#[inline(always)]
pub(crate) const fn bits_at(words: &[u64], at: usize, bits: usize) -> u64 {
    let (i, shift) = (at / 64, at % 64);
    let mut x = words[i] >> shift;
    if shift + bits > 64 && i + 1 < words.len() {
        x |= words[i + 1] << (64 - shift);
    }
    x & ((1 << bits) - 1)
}

/// A number of these words in limbs of so many bits.
#[inline(always)]
pub(crate) const fn split<const LIMBS: usize>(words: &[u64], bits: usize) -> [u64; LIMBS] {
    let (mut limbs, mut i) = ([0; LIMBS], 0);
    while i < LIMBS {
        limbs[i] = bits_at(words, bits * i, bits);
        i += 1;
    }
    limbs
}

/// The three coordinates of a point of a file, of its words.
pub(crate) const fn coordinates<const WORDS: usize>(file: &[u64], i: usize) -> &[[u64; WORDS]; 3] {
    let (coordinates, _) = file.as_chunks();
    let (points, _) = coordinates.as_chunks();
    &points[i]
}
