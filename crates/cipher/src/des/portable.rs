//! DES on 64 blocks side by side, in integers of 64 bits.

use super::RoundKeys;
use super::circuit;
use super::serial::crypt_each;
pub(super) use super::serial::{cbc_encrypt, cbc_mac};
use super::tables::{INITIAL, SCHEDULE, TARGET, selected};

pub(super) type V = u64;

/// This many blocks take no longer one by one.
pub(super) const FEW: usize = 5;

#[inline(always)]
pub(super) fn zero() -> V {
    0
}

#[inline(always)]
pub(super) fn splat(x: u64) -> V {
    x
}

#[inline(always)]
pub(super) fn xor(a: V, b: V) -> V {
    a ^ b
}

#[inline(always)]
pub(super) fn and(a: V, b: V) -> V {
    a & b
}

#[inline(always)]
pub(super) fn not(a: V) -> V {
    !a
}

#[inline(always)]
pub(super) fn left(x: V, by: u32) -> V {
    x << by
}

#[inline(always)]
pub(super) fn right(x: V, by: u32) -> V {
    x >> by
}

#[inline(always)]
pub(super) fn load([block]: &[[u8; 8]; 1]) -> V {
    u64::from_le_bytes(*block)
}

#[inline(always)]
pub(super) fn store([block]: &mut [[u8; 8]; 1], x: V) {
    *block = x.to_le_bytes();
}

#[inline(always)]
pub(super) fn s_box<const S: usize>(x: [V; 6]) -> [V; 4] {
    circuit::polynomials!(S, x, 0)
}

circuit::lanes! { features: [], words: 1, at_once: 64 }
