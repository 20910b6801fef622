//! Curve25519 and its twisted Edwards form, edwards25519 (RFC 7748, RFC 8032).
//!
//! | module | holds |
//! |---|---|
//! | [`ed25519`] | signatures |
//! | [`x25519`] | key agreement |
//! | `group` | points and scalars, in [`hazmat`](crate::hazmat) |
//! | [`ristretto`] | the group ristretto255 |
//! | [`hash_to_curve`] | points for messages |
//! | `keygen` | batches of new keys, for both |
//! | `arithmetic` | the next two, opened in [`hazmat`](crate::hazmat) |
//! | `field` | arithmetic modulo 2^255 - 19 |
//! | `fields` | what the formulas ask of it, on words of every size |
//! | `scalar` | arithmetic modulo the order of the base point |
//! | `edwards` | points and their sums |
//! | `encoding` | points in bytes |
//! | `halved` | scalars of half the length, for verification |
//! | `roots` | square roots of quotients |
//! | `table` | multiples of the base point |
//! | `rows` | more of them, for digits of five bits |
//! | `memory` | memory for multiples of many points |
//! | `kernel` | scalar multiplications and the verification equation, and the rows that they make |
//! | `portable64`, `x86_bmi2` | these on 64-bit words, compiled for any 64-bit CPU and for one with `mulx` |
//! | `arm_mul` | these on four words, for ARM64 |
//! | `arm_umull` | the same with two field elements side by side, for cores that multiply 64 bits slowly |
//! | `arm_thumb` | these on eight words, for the smallest ARM cores |
//! | `portable32`, `portable16` | these for CPUs whose multiplication takes 32 or 16 bits |
//! | `bignum` | X25519 over integers modulo a prime like any other |
//! | `x86_ifma` | the same with four field elements side by side in AVX-512 registers |
//! | `x86_sse2` | X25519 with two field elements side by side, and inverses, for 32-bit x86 |
//! | `lanes` | batches, a lane for each item, and the field that four and two lanes share |
//! | `x86_ifma_x8`, `x86_avx2_x4` | these lanes |

pub(crate) mod arithmetic;
pub mod ed25519;
#[cfg(feature = "alloc")]
pub(crate) mod group;
#[cfg(feature = "alloc")]
pub mod hash_to_curve;
#[cfg(feature = "alloc")]
pub mod ristretto;
pub mod x25519;

#[cfg(target_arch = "aarch64")]
mod arm_mul;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
mod arm_thumb;
#[cfg(all(target_arch = "aarch64", feature = "simd"))]
mod arm_umull;
#[cfg(feature = "lab")]
mod bignum;
mod edwards;
mod encoding;
mod field;
mod fields;
mod halved;
mod kernel;
mod keygen;
mod ladder;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
mod lanes;
mod memory;
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", not(feature = "small")))
))]
mod portable16;
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", feature = "small"))
))]
mod portable32;
#[cfg(target_pointer_width = "64")]
mod portable64;
mod roots;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"),
    feature = "simd"
))]
mod rows;
mod scalar;
mod table;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod x86_avx2;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod x86_avx2_x4;
#[cfg(target_arch = "x86_64")]
mod x86_bmi2;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
mod x86_ifma;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
mod x86_ifma_x8;
#[cfg(all(target_arch = "x86", feature = "simd"))]
mod x86_sse2;

#[cfg(test)]
pub(crate) mod tests;

#[cfg(feature = "alloc")]
pub use group::TableSize;
#[cfg(feature = "alloc")]
pub use ristretto::{RistrettoPoint, RistrettoTable};
pub use scalar::Scalar;
