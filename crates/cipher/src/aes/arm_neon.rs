//! Bitsliced in planes of 128 bits, eight blocks at once, for CPUs without instructions for AES. Byte
//! `4 r + c` of a plane has a bit of each block. Chains have planes of 64 bits, with which the scalar units
//! are quicker.
//!
//! Lookups in vectors, as in `x86_ssse3`, would take twice as long: on such CPUs `tbl` is three times as
//! much work as other instructions.

use adamant_base::simd::Bits;

use super::portable::{Plane, State};
use super::sliced::Sliced;

/// Columns as rows, and back.
const TRANSPOSED: [u8; 16] = {
    let (mut order, mut i) = ([0; 16], 0);
    while i < 16 {
        order[i] = (4 * (i % 4) + i / 4) as u8;
        i += 1;
    }
    order
};

/// ShiftRows and its inverse.
const SHIFT_ROWS: [u8; 16] = rows(1);
const INVERSE_SHIFT_ROWS: [u8; 16] = rows(3);

/// Row r from `by` r columns ahead.
const fn rows(by: usize) -> [u8; 16] {
    let (mut order, mut i) = ([0; 16], 0);
    while i < 16 {
        let (r, c) = (i / 4, i % 4);
        order[i] = (4 * r + (c + by * r) % 4) as u8;
        i += 1;
    }
    order
}

/// Turns 8×8 bits on their side in eight words of bytes, as `transpose!` does with integers.
#[inline(always)]
fn turn(w: &mut State<Bits>) {
    macro_rules! step {
        ($step:literal, $mask:literal, $($low:literal)+) => {
            let mask = Bits::repeat($mask);
            $(
                let (a, b) = (w[$low], w[$low + $step]);
                let t = (a.shr::<$step>() ^ b) & mask;
                w[$low] = a ^ t.shl::<$step>();
                w[$low + $step] = b ^ t;
            )+
        };
    }
    step!(1, 0x55, 0 2 4 6);
    step!(2, 0x33, 0 1 4 5);
    step!(4, 0x0f, 0 1 2 3);
}

impl Plane for Bits {
    const BLOCKS: usize = 8;
    const ZERO: Self = Bits::ZERO;

    fn slice(blocks: &[[u8; 16]]) -> State<Self> {
        let mut w = [Bits::ZERO; 8];
        for (w, block) in w.iter_mut().zip(blocks) {
            *w = Bits::load(block).permute(&TRANSPOSED);
        }
        turn(&mut w);
        w
    }

    fn unslice(state: &State<Self>, blocks: &mut [[u8; 16]]) {
        let mut w = *state;
        turn(&mut w);
        for (w, block) in w.iter().zip(blocks) {
            w.permute(&TRANSPOSED).store(block);
        }
    }

    fn repeat(block: &[u8; 16]) -> State<Self> {
        let bytes = Bits::load(block).permute(&TRANSPOSED);
        core::array::from_fn(|i| bytes.test(1 << i))
    }

    #[inline(always)]
    fn rotate_rows(self, by: u32) -> Self {
        match by {
            1 => self.turn::<4>(),
            _ => self.turn::<8>(),
        }
    }

    #[inline(always)]
    fn rotate_columns(self, by: u32) -> Self {
        self.permute(match by {
            1 => &SHIFT_ROWS,
            _ => &INVERSE_SHIFT_ROWS,
        })
    }
}

super::portable::row! { Sliced<Bits>, chains: Sliced<u64> }
