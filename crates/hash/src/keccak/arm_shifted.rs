//! KECCAK-p\[1600, n\] where operands of logical instructions are rotated for nothing.
//!
//! A lane is kept rotated: what was computed from lanes that have yet to be rotated by `r` bits
//! has to be rotated by `r` itself, and where two are to be rotated by different amounts, an
//! instruction rotates its second operand by the difference. So χ's result, b0 ⊕ (¬b1 ∧ b2), is kept
//! as b0 or as b2 is; one of the two for each lane, such that after a round every lane is
//! kept as it was before ([`KEPT`]). That this can be follows from lane (0, 0), which ρ and π leave
//! alone: a lane kept as one that is kept as … as that one is fixed. No instruction of a round is
//! then a rotation.
//!
//! The rounds are in assembly, in which each lane stays in a register as in `arm_sha3`: a compiler runs
//! out of them, and takes some rotations out of the instructions again. Of 30 registers, five are left
//! for θ, which needs six: it has that of lane (0, 0), which is in memory meanwhile.

use super::portable64::ROTATIONS;
use super::{Rate, Rounds, State, one_by_one};

/// The place from which π takes each lane.
const FROM: [usize; 25] = {
    let mut from = [0; 25];
    let mut i = 0;
    while i < 25 {
        let (x, y) = (i % 5, i / 5);
        from[y + 5 * ((2 * x + 3 * y) % 5)] = i;
        i += 1;
    }
    from
};

/// How far each lane is still to be rotated to the left: kept as b0 is, if that is known first.
const KEPT: [u32; 25] = {
    let mut kept = [None; 25];
    kept[0] = Some(0);
    let mut known = 1;
    while known < 25 {
        let mut i = 1;
        while i < 25 {
            let (b0, b2) = (FROM[i], FROM[(i + 2) % 5 + i / 5 * 5]);
            if kept[i].is_none() {
                kept[i] = match (kept[b0], kept[b2]) {
                    (Some(bits), _) => Some((bits + ROTATIONS[b0]) % 64),
                    (None, Some(bits)) => Some((bits + ROTATIONS[b2]) % 64),
                    (None, None) => None,
                };
                known += kept[i].is_some() as usize;
            }
            i += 1;
        }
    }
    let mut all = [0; 25];
    let mut i = 0;
    while i < 25 {
        all[i] = kept[i].unwrap();
        i += 1;
    }
    all
};

/// An array of what the macro makes of 0, 1, …: rotations are to be constants, which the bodies of
/// loops do not have.
macro_rules! array {
    ($of:ident) => {
        [
            $of!(0),
            $of!(1),
            $of!(2),
            $of!(3),
            $of!(4),
            $of!(5),
            $of!(6),
            $of!(7),
            $of!(8),
            $of!(9),
            $of!(10),
            $of!(11),
            $of!(12),
            $of!(13),
            $of!(14),
            $of!(15),
            $of!(16),
            $of!(17),
            $of!(18),
            $of!(19),
            $of!(20),
            $of!(21),
            $of!(22),
            $of!(23),
            $of!(24),
        ]
    };
}

/// The register of a lane, or of one of five words beside them. x18 belongs to some systems.
#[rustfmt::skip]
macro_rules! x {
    (0) => { "x0" };
    (1) => { "x1" };
    (2) => { "x2" };
    (3) => { "x3" };
    (4) => { "x4" };
    (5) => { "x5" };
    (6) => { "x6" };
    (7) => { "x7" };
    (8) => { "x8" };
    (9) => { "x9" };
    (10) => { "x10" };
    (11) => { "x11" };
    (12) => { "x12" };
    (13) => { "x13" };
    (14) => { "x14" };
    (15) => { "x15" };
    (16) => { "x16" };
    (17) => { "x17" };
    (18) => { "x20" };
    (19) => { "x21" };
    (20) => { "x22" };
    (21) => { "x23" };
    (22) => { "x24" };
    (23) => { "x25" };
    (24) => { "x26" };
    (25) => { "x27" };
    (26) => { "x28" };
    (27) => { "x30" };
    (28) => { "x19" };
    (29) => { "x29" };
}
/// a ⊕ b, where b is rotated to the right.
macro_rules! eor {
    ($to:tt = $a:tt $b:tt $(, $bits:tt)?) => {
        concat!("eor ", x!($to), ", ", x!($a), ", ", x!($b) $(, ", ror #", $bits)?, "\n")
    };
}
/// a ∧ ¬b, where b is rotated to the right.
macro_rules! bic {
    ($to:tt = $a:tt $b:tt $(, $bits:tt)?) => {
        concat!("bic ", x!($to), ", ", x!($a), ", ", x!($b) $(, ", ror #", $bits)?, "\n")
    };
}

/// One round on words that are kept as [`KEPT`] says, with the constant at `$at` of those that come
/// next. An operand's rotation is the difference of what it and the one before have yet to be rotated.
macro_rules! round {
    ($at:literal) => {
        concat!(
            // θ: the parities of columns in 25 to 29, and what is added to columns 1, 3, 0, 2, 4.
            eor!(25 = 0 5, 36),
            eor!(26 = 1 6, 44),
            eor!(27 = 2 7, 17),
            eor!(28 = 3 8, 36),
            eor!(29 = 4 9, 17),
            eor!(25 = 25 10, 38),
            eor!(26 = 26 11, 1),
            eor!(27 = 27 12, 2),
            eor!(28 = 28 13, 56),
            eor!(29 = 29 14, 11),
            eor!(25 = 25 15, 2),
            eor!(26 = 26 16, 25),
            eor!(27 = 27 17, 1),
            eor!(28 = 28 18, 15),
            eor!(29 = 29 19, 35),
            eor!(25 = 25 20, 31),
            eor!(26 = 26 21, 6),
            eor!(27 = 27 22, 14),
            eor!(28 = 28 23, 25),
            eor!(29 = 29 24, 14),
            "str x0, [sp, #32]\n",
            eor!(0 = 25 27, 28),
            eor!(27 = 27 29, 63),
            eor!(29 = 29 26, 9),
            eor!(26 = 26 28, 24),
            eor!(28 = 28 25, 63),
            // ρ and π.
            eor!(6 = 6 0, 45),
            eor!(25 = 7 26, 57),
            eor!(7 = 10 29, 55),
            eor!(10 = 2 26, 10),
            eor!(2 = 12 26, 8),
            eor!(12 = 13 27, 37),
            eor!(13 = 19 28),
            eor!(19 = 23 27, 4),
            eor!(23 = 15 29, 27),
            eor!(15 = 3 27, 29),
            eor!(3 = 18 27, 14),
            eor!(18 = 17 26, 9),
            eor!(17 = 11 0, 24),
            eor!(11 = 8 27, 57),
            eor!(8 = 16 0),
            eor!(16 = 9 28, 18),
            eor!(9 = 22 26, 60),
            eor!(22 = 14 28, 24),
            eor!(14 = 20 29, 62),
            eor!(20 = 4 28, 35),
            eor!(4 = 24 28, 21),
            eor!(24 = 21 0, 19),
            eor!(21 = 5 29, 57),
            "ldr x5, [sp, #32]\n",
            eor!(5 = 5 29, 29),
            eor!(29 = 1 0, 25),
            // χ and ι.
            "ldr x19, [sp, #16]\n",
            bic!(0 = 2 6, 51),
            bic!(1 = 3 2, 58),
            bic!(26 = 4 3, 29),
            eor!(0 = 5 0, 52),
            eor!(1 = 6 1, 19),
            bic!(27 = 5 4, 29),
            eor!(2 = 26 2, 23),
            bic!(26 = 6 5, 25),
            eor!(3 = 27 3, 58),
            eor!(4 = 4 26, 10),
            "ldr x19, [x19, #", $at, "]\n",
            bic!(5 = 7 16, 55),
            bic!(6 = 8 7, 16),
            bic!(26 = 9 8, 37),
            eor!(5 = 15 5, 63),
            eor!(6 = 6 16, 7),
            bic!(27 = 15 9, 10),
            eor!(7 = 26 7, 53),
            bic!(26 = 16 15, 10),
            eor!(8 = 27 8, 47),
            eor!(9 = 9 26, 44),
            bic!(15 = 17 21, 34),
            bic!(16 = 18 17, 15),
            bic!(26 = 19 18, 46),
            eor!(15 = 20 15, 28),
            eor!(16 = 21 16, 15),
            bic!(27 = 20 19, 31),
            eor!(17 = 17 26, 3),
            bic!(26 = 21 20, 2),
            eor!(18 = 18 27, 51),
            eor!(19 = 26 19, 33),
            bic!(20 = 22 11, 44),
            bic!(21 = 23 22, 40),
            bic!(26 = 24 23, 46),
            eor!(20 = 10 20, 34),
            eor!(21 = 11 21, 44),
            bic!(27 = 10 24, 12),
            eor!(22 = 26 22, 22),
            bic!(26 = 11 10, 50),
            eor!(23 = 23 27, 6),
            eor!(24 = 24 26, 2),
            bic!(10 = 12 25, 9),
            bic!(11 = 13 12, 39),
            bic!(26 = 14 13, 43),
            eor!(10 = 29 10, 57),
            eor!(11 = 25 11, 16),
            bic!(27 = 29 14, 39),
            eor!(12 = 12 26, 46),
            bic!(26 = 25 29, 62),
            eor!(13 = 13 27, 46),
            eor!(14 = 26 14, 37),
            "eor x0, x0, x19\n",
        )
    };
}

#[target_feature(enable = "neon")]
#[allow(unsafe_code)] // In assembly.
fn all_rounds(a: &mut State, rounds: Rounds) {
    let constants = rounds.constants().as_ptr_range();
    // SAFETY: the block reads the constants, of which there are some, and changes the named
    // registers, the flags, and what it pushes and takes away: two registers that no operand may be
    // in, where constants are and end, and a lane.
    unsafe {
        core::arch::asm!(
            "stp x19, x29, [sp, #-48]!",
            "stp x27, x28, [sp, #16]",
            "2:",
            round!(0),
            round!(8),
            "ldp x27, x28, [sp, #16]",
            "add x27, x27, #16",
            "str x27, [sp, #16]",
            "cmp x27, x28",
            "b.ne 2b",
            "ldp x19, x29, [sp], #48",
            inout("x0") a[0],
            inout("x1") a[1],
            inout("x2") a[2],
            inout("x3") a[3],
            inout("x4") a[4],
            inout("x5") a[5],
            inout("x6") a[6],
            inout("x7") a[7],
            inout("x8") a[8],
            inout("x9") a[9],
            inout("x10") a[10],
            inout("x11") a[11],
            inout("x12") a[12],
            inout("x13") a[13],
            inout("x14") a[14],
            inout("x15") a[15],
            inout("x16") a[16],
            inout("x17") a[17],
            inout("x20") a[18],
            inout("x21") a[19],
            inout("x22") a[20],
            inout("x23") a[21],
            inout("x24") a[22],
            inout("x25") a[23],
            inout("x26") a[24],
            inout("x27") constants.start => _,
            inout("x28") constants.end => _,
            out("x30") _,
        );
    }
}

#[inline(never)] // In `absorb` a call costs nothing.
#[target_feature(enable = "neon")]
pub(super) fn permute(state: &mut State, rounds: Rounds) {
    macro_rules! keep {
        ($i:literal) => {
            state[$i].rotate_right(const { KEPT[$i] })
        };
    }
    let mut a: State = array!(keep);
    all_rounds(&mut a, rounds);
    macro_rules! rotate {
        ($i:literal) => {
            a[$i].rotate_left(const { KEPT[$i] })
        };
    }
    *state = array!(rotate);
}

#[target_feature(enable = "neon")]
pub(super) fn absorb(state: &mut State, mut blocks: &[u8], rate: Rate, rounds: Rounds) {
    while let Some(block) = rate.next(&mut blocks) {
        for (lane, bytes) in state.iter_mut().zip(block) {
            *lane ^= u64::from_le_bytes(*bytes);
        }
        permute(state, rounds);
    }
}

one_by_one!(#[target_feature(enable = "neon")]);
