//! Curve25519 and its twisted Edwards form, edwards25519 (RFC 7748, RFC 8032).
//!
//! | module | holds |
//! |---|---|
//! | [`ed25519`] | signatures |
//! | [`x25519`] | key agreement |
//! | `arithmetic` | the next two, opened for benchmarks |
//! | `field` | arithmetic modulo 2^255 - 19 |
//! | `scalar` | arithmetic modulo the order of the base point |
//! | `edwards` | points and their sums |
//! | `table` | multiples of the base point |
//! | `kernel` | scalar multiplications and the verification equation, on 64-bit words |
//! | `portable64`, `x86_bmi2` | these, compiled for any 64-bit CPU and for one with `mulx` |
//! | `x86_ifma` | the same with four field elements side by side in AVX-512 registers |

#[doc(hidden)]
pub mod arithmetic;
pub mod ed25519;
pub mod x25519;

mod edwards;
mod field;
mod kernel;
mod portable64;
mod scalar;
mod table;
#[cfg(target_arch = "x86_64")]
mod x86_bmi2;
#[cfg(target_arch = "x86_64")]
mod x86_ifma;

#[cfg(test)]
pub(crate) mod tests;

use adamant_base::Error;

/// Checks that a batch has as many places for results as items.
pub(crate) fn same_length(items: usize, out: usize) -> Result<(), Error> {
    if items == out {
        Ok(())
    } else {
        Err(Error::BadLength {
            expected: items,
            actual: out,
        })
    }
}
