//! SM3 with the instructions of ARM64, which came with those of SM4 (FEAT_SM3), for one stream or two,
//! interleaved: the rounds of a stream wait for each other.
//!
//! A state is A B C D and E F G H, the first of each in the highest word. A round is `sm3ss1`, which
//! makes SS1 of A, E and T, and `sm3tt1` and `sm3tt2`, which put the new A and E in and the others one
//! further; `sm3partw1` and `sm3partw2` make four words of the expansion. Stable compilers have them
//! in assembly only.

use super::T;
use adamant_base::simd::{from_fn, in_place, load_u8, load_u32, map, store_u32};
use core::arch::aarch64::{
    uint32x4_t, veorq_u32, vextq_u32, vreinterpretq_u32_u8, vrev32q_u8, vrev64q_u32,
};
use core::arch::asm;

/// A B C D and E F G H, from the highest word on.
type State = [uint32x4_t; 2];

/// From place j on: four words of which the highest is that of round j.
static PLACED: [u32; 3 + 64] = {
    let (mut placed, mut j) = ([0; 67], 0);
    while j < 64 {
        placed[j + 3] = T[j];
        j += 1;
    }
    placed
};

/// Makes functions of instructions that change their first operand.
macro_rules! instructions {
    ($($name:literal $function:ident $(<$index:ident>)?;)+) => { $(
        #[inline]
        #[target_feature(enable = "neon,sm4")]
        #[allow(unsafe_code)] // In assembly.
        fn $function $(<const $index: usize>)? (
            mut a: uint32x4_t,
            b: uint32x4_t,
            c: uint32x4_t,
        ) -> uint32x4_t {
            // SAFETY: the instruction reads and writes the named registers alone.
            unsafe {
                asm!(
                    instructions!(@ $name $($index)?),
                    a = inout(vreg) a,
                    b = in(vreg) b,
                    c = in(vreg) c,
                    $(i = const $index,)?
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            a
        }
    )+ };
    (@ $name:literal) => { concat!($name, " {a:v}.4s, {b:v}.4s, {c:v}.4s") };
    (@ $name:literal $index:ident) => { concat!($name, " {a:v}.4s, {b:v}.4s, {c:v}.s[{i}]") };
}
instructions! {
    "sm3partw1" part_w1;
    "sm3partw2" part_w2;
    "sm3tt1a" parity_a<I>;
    "sm3tt1b" majority_a<I>;
    "sm3tt2a" parity_e<I>;
    "sm3tt2b" choose_e<I>;
}

/// SS1 of a round.
#[inline]
#[target_feature(enable = "neon,sm4")]
#[allow(unsafe_code)] // In assembly.
fn ss1(abcd: uint32x4_t, efgh: uint32x4_t, t: uint32x4_t) -> uint32x4_t {
    let ss1;
    // SAFETY: the instruction reads and writes the named registers alone.
    unsafe {
        asm!(
            "sm3ss1 {ss1:v}.4s, {abcd:v}.4s, {efgh:v}.4s, {t:v}.4s",
            ss1 = lateout(vreg) ss1,
            abcd = in(vreg) abcd,
            efgh = in(vreg) efgh,
            t = in(vreg) t,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    ss1
}

/// The words in reverse order.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn reversed(words: uint32x4_t) -> uint32x4_t {
    let turned = vrev64q_u32(words);
    vextq_u32::<2>(turned, turned)
}

/// The next four words of the expansion from the last sixteen, oldest first.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn expand([w0, w1, w2, w3]: [uint32x4_t; 4]) -> uint32x4_t {
    let w9 = vextq_u32::<3>(w1, w2); // W[j-9..j-5]
    let w13 = vextq_u32::<3>(w0, w1); // W[j-13..j-9]
    let w6 = vextq_u32::<2>(w2, w3); // W[j-6..j-2]
    part_w2(part_w1(w9, w0, w3), w6, w13)
}

#[inline]
#[target_feature(enable = "neon,sm4")]
pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    compress_streams(core::array::from_mut(state), [blocks]);
}

/// Messages of the same length, side by side.
#[inline]
#[target_feature(enable = "neon,sm4")]
pub(super) fn compress_streams<const S: usize>(
    states: &mut [[u32; 8]; S],
    messages: [&[[u8; 64]]; S],
) {
    let mut v: [State; S] =
        from_fn(|s| from_fn(|half| reversed(load_u32(&states[s].as_chunks::<4>().0[half]))));
    let placed = in_place(&PLACED);
    for b in 0..messages[0].len() {
        let old = v;
        // The last sixteen words of the expansion.
        let mut w: [[uint32x4_t; 4]; S] = map(messages, |message| {
            let chunks = message[b].as_chunks::<16>().0;
            from_fn(|i| vreinterpretq_u32_u8(vrev32q_u8(load_u8(&chunks[i]))))
        });
        macro_rules! round {
            ($tt1:ident $tt2:ident $w:ident $w_w4:ident $i:literal $t:expr) => {
                if let Some(t) = placed[$t..].first_chunk() {
                    for s in 0..S {
                        let [abcd, efgh] = v[s];
                        let ss1 = ss1(abcd, efgh, load_u32(t));
                        v[s] = [
                            $tt1::<$i>(abcd, ss1, $w_w4[s]),
                            $tt2::<$i>(efgh, ss1, $w[s]),
                        ];
                    }
                }
            };
        }
        macro_rules! four_rounds {
            ($tt1:ident $tt2:ident, $($i:literal)+) => { $(
                let w0: [_; S] = from_fn(|s| w[s][$i % 4]);
                let w_w4: [_; S] = from_fn(|s| veorq_u32(w0[s], w[s][($i + 1) % 4]));
                if $i < 13 {
                    for w in &mut w {
                        w[$i % 4] = expand(from_fn(|j| w[($i + j) % 4]));
                    }
                }
                round!($tt1 $tt2 w0 w_w4 0 4 * $i);
                round!($tt1 $tt2 w0 w_w4 1 4 * $i + 1);
                round!($tt1 $tt2 w0 w_w4 2 4 * $i + 2);
                round!($tt1 $tt2 w0 w_w4 3 4 * $i + 3);
            )+ };
        }
        four_rounds!(parity_a parity_e, 0 1 2 3);
        four_rounds!(majority_a choose_e, 4 5 6 7 8 9 10 11 12 13 14 15);
        v = from_fn(|s| from_fn(|half| veorq_u32(v[s][half], old[s][half])));
    }
    for s in 0..S {
        for (to, half) in states[s].as_chunks_mut::<4>().0.iter_mut().zip(v[s]) {
            store_u32(to, reversed(half));
        }
    }
}
