//! DES on 64 blocks side by side, in integers of 64 bits.

use super::RoundKeys;
use super::circuit;
use super::serial;
use super::tables::{INITIAL, SCHEDULE, TARGET, selected};

type V = u64;

/// This many blocks take no longer one by one.
pub(super) const FEW: usize = 5;

#[inline(always)]
fn zero() -> V {
    0
}

#[inline(always)]
fn splat(x: u64) -> V {
    x
}

#[inline(always)]
fn xor(a: V, b: V) -> V {
    a ^ b
}

#[inline(always)]
fn and(a: V, b: V) -> V {
    a & b
}

#[inline(always)]
fn not(a: V) -> V {
    !a
}

#[inline(always)]
fn left(x: V, by: u32) -> V {
    x << by
}

#[inline(always)]
fn right(x: V, by: u32) -> V {
    x >> by
}

#[inline(always)]
fn load([block]: &[[u8; 8]; 1]) -> V {
    u64::from_le_bytes(*block)
}

#[inline(always)]
fn store([block]: &mut [[u8; 8]; 1], x: V) {
    *block = x.to_le_bytes();
}

#[inline(always)]
fn s_box<const S: usize>(x: [V; 6]) -> [V; 4] {
    circuit::polynomials!(S, x, 0)
}

circuit::lanes! { features: [], words: 1, at_once: 64 }
