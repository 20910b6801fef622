//! As `arm_aes`, for CPUs with SHA-3's instructions, one of which is the exclusive or of three
//! registers: compilers find where.

pub(super) use super::arm_aes::{encrypt, ghash, init};

use super::AesGcmKey;
use super::arm_aes::{
    Counters, Group, absorb_group, finish, first_keys, first_round, fused, last_round, quarter,
    two_rounds,
};
use crate::aes::arm_aes::{self as aes, WIDE};
use crate::ghash::arm_aes::{self as hash, Product, reverse};
use crate::ghash::{POWERS, lengths};
use adamant_base::Secret;
use adamant_base::simd::{in_order8, load_u8, store_u8};
use core::arch::aarch64::{
    uint64x2_t, vaeseq_u8, vaesmcq_u8, vdupq_n_u8, vdupq_n_u64, veorq_u8, veorq_u64,
};
use core::hint::black_box;

fused!("neon,aes,sha3");
