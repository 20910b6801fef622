//! A register of ARM64 as a value with operators, for code that is generic over words of bits. The
//! program is compiled for CPUs with NEON, so no function needs `#[target_feature]`.
#![allow(unsafe_code)]

use super::{load_u8, store_u8};
use crate::Wipe;
use core::arch::aarch64::*;
use core::ops::{BitAnd, BitXor, BitXorAssign, Not};

/// 128 bits, or 16 bytes.
#[derive(Clone, Copy)]
pub struct Bits(uint8x16_t);

impl Bits {
    /// No bit set.
    // SAFETY: of the same size, and all bits are values.
    pub const ZERO: Self = Bits(unsafe { core::mem::transmute::<[u8; 16], uint8x16_t>([0; 16]) });

    /// These bytes.
    #[inline(always)]
    #[must_use]
    pub fn load(from: &[u8; 16]) -> Self {
        // SAFETY: the program is compiled for CPUs with NEON.
        Bits(unsafe { load_u8(from) })
    }

    /// Puts the bytes there.
    #[inline(always)]
    pub fn store(self, to: &mut [u8; 16]) {
        // SAFETY: the program is compiled for CPUs with NEON.
        unsafe { store_u8(to, self.0) };
    }

    /// This byte everywhere.
    #[inline(always)]
    #[must_use]
    pub fn repeat(byte: u8) -> Self {
        // SAFETY: the program is compiled for CPUs with NEON.
        Bits(unsafe { vdupq_n_u8(byte) })
    }

    /// All ones for each byte that has one of these bits, and zeros for others.
    #[inline(always)]
    #[must_use]
    pub fn test(self, bits: u8) -> Self {
        // SAFETY: the program is compiled for CPUs with NEON.
        Bits(unsafe { vtstq_u8(self.0, vdupq_n_u8(bits)) })
    }

    /// At each place the byte `N` further; the first come after the last.
    #[inline(always)]
    #[must_use]
    pub fn turn<const N: i32>(self) -> Self {
        // SAFETY: the program is compiled for CPUs with NEON.
        Bits(unsafe { vextq_u8::<N>(self.0, self.0) })
    }

    /// At place `i` byte `order[i]`.
    #[inline(always)]
    #[must_use]
    pub fn permute(self, order: &[u8; 16]) -> Self {
        // SAFETY: the program is compiled for CPUs with NEON.
        Bits(unsafe { vqtbl1q_u8(self.0, load_u8(order)) })
    }

    /// Each byte shifted to the left.
    #[inline(always)]
    #[must_use]
    pub fn shl<const N: i32>(self) -> Self {
        // SAFETY: the program is compiled for CPUs with NEON.
        Bits(unsafe { vshlq_n_u8::<N>(self.0) })
    }

    /// Each byte shifted to the right.
    #[inline(always)]
    #[must_use]
    pub fn shr<const N: i32>(self) -> Self {
        // SAFETY: the program is compiled for CPUs with NEON.
        Bits(unsafe { vshrq_n_u8::<N>(self.0) })
    }
}

macro_rules! operator {
    ($trait:ident::$name:ident = $instruction:ident) => {
        impl $trait for Bits {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: the program is compiled for CPUs with NEON.
                Bits(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}
operator!(BitAnd::bitand = vandq_u8);
operator!(BitXor::bitxor = veorq_u8);

impl BitXorAssign for Bits {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl Not for Bits {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the program is compiled for CPUs with NEON.
        Bits(unsafe { vmvnq_u8(self.0) })
    }
}

impl Wipe for Bits {
    fn wipe(&mut self) {
        let words = core::ptr::from_mut(self).cast::<[u64; 2]>();
        // SAFETY: of the same size, aligned for it, and all bits are values.
        unsafe { &mut *words }.wipe();
    }

    #[inline]
    fn wipe_all(values: &mut [Self]) {
        let words = core::ptr::from_mut(values) as *mut [[u64; 2]];
        // SAFETY: as above, and as many.
        unsafe { &mut *words }.as_flattened_mut().wipe();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits() {
        let bytes: [u8; 16] = core::array::from_fn(|i| 17 * i as u8);
        let check = |bits: Bits, expected: &dyn Fn(usize) -> u8| {
            let mut to = [0; 16];
            bits.store(&mut to);
            assert_eq!(to, core::array::from_fn(expected));
        };
        let x = Bits::load(&bytes);
        check(Bits::ZERO, &|_| 0);
        check(x & Bits::repeat(0x5a), &|i| bytes[i] & 0x5a);
        check(x ^ !Bits::repeat(0x5a), &|i| bytes[i] ^ 0xa5);
        check(x.test(0x41), &|i| {
            if bytes[i] & 0x41 != 0 { 0xff } else { 0 }
        });
        check(x.turn::<5>(), &|i| bytes[(i + 5) % 16]);
        check(x.permute(&[3; 16]), &|_| bytes[3]);
        check(x.shl::<3>(), &|i| bytes[i] << 3);
        check(x.shr::<3>(), &|i| bytes[i] >> 3);
        let mut all = [x; 3];
        all.wipe();
        for wiped in all {
            check(wiped, &|_| 0);
        }
    }
}
