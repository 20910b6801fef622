//! DES in the instructions of ARMv6-M, which every 32-bit Arm with Thumb has: blocks one by one in
//! assembly, many side by side as portable code has them.

mod serial;

use super::RoundKeys;
use super::circuit;
use super::portable::{V, and, left, load, right, s_box, splat, store, xor, zero};
use super::tables::{INITIAL, SCHEDULE, TARGET, selected};

use serial::crypt_each;
pub(super) use serial::{cbc_encrypt, cbc_mac, round_key};

/// This many blocks take no longer one by one.
pub(super) const FEW: usize = 24;

circuit::lanes! { features: [], words: 1, at_once: 64 }
