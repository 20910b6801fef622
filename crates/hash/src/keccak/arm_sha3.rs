//! KECCAK-p\[1600, n\] with the instructions of FEAT_SHA3, each lane in a vector register: an exclusive
//! or of three, two with a rotation of one of them or of their sum, and χ. The registers' halves are
//! two states.
//!
//! The rounds are in assembly, as a compiler runs out of registers: of the 32, 25 hold lanes, one the
//! next round's constant, and six what θ adds. ρ and π put each lane where the last one moved away from,
//! but the first two of each row not into this row: χ writes there, and needs both to its end. They
//! go into the row where χ writes next, and those of the last row into two registers of θ's. So
//! after a round every lane is where it was before it, and no instruction is a move.

use super::{Rate, Rounds, State};
use adamant_base::simd::from_fn;
use core::arch::aarch64::{uint64x2_t, vcombine_u64, vcreate_u64, veorq_u64, vgetq_lane_u64};

/// Lane (x, y) of two states at x + 5y.
pub(super) type Pair = [uint64x2_t; 25];

/// The exclusive or of three registers.
macro_rules! eor3 {
    ($to:literal = $a:literal $b:literal $c:literal) => {
        concat!(
            "eor3 v", $to, ".16b, v", $a, ".16b, v", $b, ".16b, v", $c, ".16b\n",
        )
    };
}
/// a ⊕ (b rotated to the left by one).
macro_rules! rax1 {
    ($to:literal = $a:literal $b:literal) => {
        concat!("rax1 v", $to, ".2d, v", $a, ".2d, v", $b, ".2d\n")
    };
}
/// a ⊕ b, rotated to the left.
macro_rules! xar {
    ($to:literal = $a:literal $b:literal, $bits:literal) => {
        concat!(
            "xar v",
            $to,
            ".2d, v",
            $a,
            ".2d, v",
            $b,
            ".2d, #(64 - ",
            $bits,
            ")\n",
        )
    };
}
/// a ⊕ (¬b ∧ c).
macro_rules! bcax {
    ($to:literal = $a:literal $b:literal $c:literal) => {
        concat!(
            "bcax v", $to, ".16b, v", $a, ".16b, v", $c, ".16b, v", $b, ".16b\n",
        )
    };
}
/// χ of the row in b0, b1, and the last three of e0 to e4, where the result goes.
macro_rules! chi {
    ($b0:literal $b1:literal => $e0:literal $e1:literal $e2:literal $e3:literal $e4:literal) => {
        concat!(
            bcax!($e0 = $b0 $b1 $e2),
            bcax!($e1 = $b1 $e2 $e3),
            bcax!($e2 = $e2 $e3 $e4),
            bcax!($e3 = $e3 $e4 $b0),
            bcax!($e4 = $e4 $b0 $b1),
        )
    };
}

/// One round, with lanes in v0 to v24; v25 to v30 are for what it needs. `$load` comes before the
/// register `$constant` is read.
macro_rules! round {
    ($load:literal, $constant:literal) => {
        concat!(
            // θ: the parities of columns in 25 to 29, and what is added to columns 1, 3, 0, 2, 4.
            eor3!(25 = 0 5 10),
            eor3!(26 = 1 6 11),
            eor3!(27 = 2 7 12),
            eor3!(28 = 3 8 13),
            eor3!(29 = 4 9 14),
            eor3!(25 = 25 15 20),
            eor3!(26 = 26 16 21),
            eor3!(27 = 27 17 22),
            eor3!(28 = 28 18 23),
            eor3!(29 = 29 19 24),
            rax1!(30 = 25 27),
            rax1!(27 = 27 29),
            rax1!(29 = 29 26),
            rax1!(26 = 26 28),
            rax1!(28 = 28 25),
            // ρ and π.
            xar!(6 = 6 30, 44),
            xar!(25 = 7 26, 6),
            xar!(7 = 10 29, 3),
            xar!(10 = 2 26, 62),
            xar!(2 = 12 26, 43),
            xar!(12 = 13 27, 25),
            xar!(13 = 19 28, 8),
            xar!(19 = 23 27, 56),
            xar!(23 = 15 29, 41),
            xar!(15 = 3 27, 28),
            xar!(3 = 18 27, 21),
            xar!(18 = 17 26, 15),
            xar!(17 = 11 30, 10),
            xar!(11 = 8 27, 55),
            xar!(8 = 16 30, 45),
            xar!(16 = 9 28, 20),
            xar!(9 = 22 26, 61),
            xar!(22 = 14 28, 39),
            xar!(14 = 20 29, 18),
            xar!(20 = 4 28, 27),
            xar!(4 = 24 28, 14),
            xar!(24 = 21 30, 2),
            xar!(21 = 5 29, 36),
            "eor v5.16b, v0.16b, v29.16b\n",
            xar!(29 = 1 30, 1),
            // χ and ι.
            $load,
            chi!(5 6 => 0 1 2 3 4),
            chi!(15 16 => 5 6 7 8 9),
            chi!(20 21 => 15 16 17 18 19),
            chi!(10 11 => 20 21 22 23 24),
            chi!(29 25 => 10 11 12 13 14),
            "eor v0.16b, v0.16b, v", $constant, ".16b\n",
        )
    };
}

/// Permutes both states.
#[inline]
#[target_feature(enable = "neon,sha3")]
#[allow(unsafe_code)] // In assembly.
pub(super) fn permute_pair(a: &mut Pair, rounds: Rounds) {
    let constants = rounds.constants().as_ptr_range();
    // SAFETY: the block reads the constants, of which there are some, and changes the named
    // registers and the flags.
    unsafe {
        core::arch::asm!(
            "2:",
            round!("ld2r {{v30.2d, v31.2d}}, [{constants}], #16\n", 30),
            round!("", 31),
            "cmp {constants}, {end}",
            "b.ne 2b",
            constants = inout(reg) constants.start => _,
            end = in(reg) constants.end,
            inout("v0") a[0],
            inout("v1") a[1],
            inout("v2") a[2],
            inout("v3") a[3],
            inout("v4") a[4],
            inout("v5") a[5],
            inout("v6") a[6],
            inout("v7") a[7],
            inout("v8") a[8],
            inout("v9") a[9],
            inout("v10") a[10],
            inout("v11") a[11],
            inout("v12") a[12],
            inout("v13") a[13],
            inout("v14") a[14],
            inout("v15") a[15],
            inout("v16") a[16],
            inout("v17") a[17],
            inout("v18") a[18],
            inout("v19") a[19],
            inout("v20") a[20],
            inout("v21") a[21],
            inout("v22") a[22],
            inout("v23") a[23],
            inout("v24") a[24],
            out("v25") _,
            out("v26") _,
            out("v27") _,
            out("v28") _,
            out("v29") _,
            out("v30") _,
            out("v31") _,
            options(pure, readonly, nostack),
        );
    }
}

#[inline]
#[target_feature(enable = "neon,sha3")]
pub(super) fn permute(state: &mut State, rounds: Rounds) {
    permute_each(state, &[], Rate::MOST, rounds);
}

#[inline]
#[target_feature(enable = "neon,sha3")]
pub(super) fn absorb(state: &mut State, blocks: &[u8], rate: Rate, rounds: Rounds) {
    if rate.fits(blocks) {
        permute_each(state, blocks, rate, rounds);
    }
}

#[target_feature(enable = "neon,sha3")]
pub(super) fn permute_two(a: &mut State, b: &mut State, rounds: Rounds) {
    let mut both: Pair = from_fn(|i| vcombine_u64(vcreate_u64(a[i]), vcreate_u64(b[i])));
    permute_pair(&mut both, rounds);
    *a = from_fn(|i| vgetq_lane_u64::<0>(both[i]));
    *b = from_fn(|i| vgetq_lane_u64::<1>(both[i]));
}

/// A word of one state, beside a zero of no state.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn single(word: u64) -> uint64x2_t {
    vcombine_u64(vcreate_u64(word), vcreate_u64(0))
}

/// The permutation after each block; once if there is none. In one place: what absorbs also ends.
#[inline(never)]
#[target_feature(enable = "neon,sha3")]
fn permute_each(state: &mut State, mut blocks: &[u8], rate: Rate, rounds: Rounds) {
    let mut a: Pair = from_fn(|i| single(state[i]));
    loop {
        if let Some(block) = rate.next(&mut blocks) {
            for i in 0..25 {
                if i < block.len() {
                    a[i] = veorq_u64(a[i], single(u64::from_le_bytes(block[i])));
                }
            }
        }
        permute_pair(&mut a, rounds);
        if !rate.fits(blocks) {
            break;
        }
    }
    *state = from_fn(|i| vgetq_lane_u64::<0>(a[i]));
}
