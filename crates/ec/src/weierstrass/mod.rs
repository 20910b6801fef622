//! Curves y^2 = x^3 + a x + b over prime fields: the short Weierstrass form of SP 800-186, SEC 2
//! and RFC 5639, with ECDSA (FIPS 186-5) and ECDH (SP 800-56A) on all of them.
//!
//! Keys and signatures are generic over [`Curve`]; each curve's module has their names for it.
//!
//! | module | holds |
//! |---|---|
//! | [`p256`], [`p384`], … | a curve of [`schemes!`](adamant_base::schemes): its numbers, its field, its implementations |
//! | [`sm2p256v1`], [`sm2`] | the curve of GB/T 32918; its signatures, encryption and key exchange |
//! | `curve` | what keys ask of a curve, and a curve of its implementation |
//! | `operations` | what keys and signatures do, as functions of each curve that are compiled once |
//! | `keys`, `ecdsa`, `signature` | keys and ECDH; ECDSA; signatures and their encodings |
//! | `field`, `modulus`, `square_root` | integers modulo p and modulo the order |
//! | `point`, `table`, `endomorphism` | sums of points, multiples of the base point, scalars in halves |
//! | `kernel` | multiplications and the verification equation, on 64-bit words |
//! | `rows` | the macros that make a curve's implementations from these and a field |
//! | `small` | all of that in one code for all curves, small rather than fast |
//! | `words` | the words, and their products on CPUs that multiply 64, 32 or 16 bits |
//! | `arm_mul` | field multiplications in assembly for ARM64, those modulo the orders, and others for cores that multiply 64 bits slowly |
//! | `x86_adx`, `adx_words` | field multiplications in assembly, and the text they share |
//! | `x86_ifma512` | single multiplications on four lanes, batches on eight |

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod adx_words;

#[cfg(target_arch = "aarch64")]
mod arm_mul;
pub(crate) mod curve;
pub(crate) mod ecdsa;
mod endomorphism;
mod field;
mod kernel;
mod keys;
pub(crate) mod modulus;
mod naf;
mod operations;
mod point;
mod rows;
mod signature;
#[cfg(feature = "alloc")]
pub mod sm2;
pub mod sm2p256v1;
#[cfg_attr(
    not(any(feature = "lab", feature = "small")),
    allow(dead_code, unused_imports, unused_macros)
)]
mod small;
mod square_root;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod words;
#[cfg(target_arch = "x86_64")]
mod x86_adx;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "alloc"))]
mod x86_ifma512;

/// The curves of the list of the schemes, a file each.
macro_rules! curves {
    (curves { $({ $feature:tt $curve:ident $module:ident $($_c:tt)* })* } $($_groups:tt)*) => {
        $(pub mod $module;)*
    };
}
adamant_base::schemes!(curves);

pub use curve::{Bytes, Curve};
pub(crate) use curve::{Check, Group};
pub use ecdsa::sign_batch_into;
#[cfg(feature = "alloc")]
pub use ecdsa::{sign_batch, verify_batch, verify_batch_into};
pub use keys::{PrivateKey, PublicKey, agree_batch_into};
#[cfg(feature = "alloc")]
pub use keys::{agree_batch, generate_batch};
pub use signature::{DerSignature, Signature};
