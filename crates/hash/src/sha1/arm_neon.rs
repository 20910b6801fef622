//! SHA-1 with scalar rounds beside a message schedule in vector registers (NEON).
//!
//! The schedule is computed four words at a time: W\[t\] = (W\[t-16\] ⊕ W\[t-14\] ⊕ W\[t-8\] ⊕
//! W\[t-3\]) <<< 1. The fourth needs the first, which is added to it afterwards, rotated by two.
//! W\[t\] + K goes through memory to the scalar rounds, sixteen rounds ahead of them, so both kinds
//! of units are busy. Behind `black_box` the compiler does not know what lies there, and does not
//! move words from vectors to scalar registers instead.

use super::K;
use crate::lanes::neon::{add, ror, splat, xor, xor3};
use adamant_base::simd::{from_fn, load_u8, map, store_u32};
use core::arch::aarch64::{uint32x4_t, vextq_u32, vreinterpretq_u32_u8, vrev32q_u8};
use core::hint::black_box;

#[target_feature(enable = "neon")]
pub(super) fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    let k = map(K, |k| splat(k));
    let mut wk = [0; 16];
    for block in blocks {
        let chunks = block.as_chunks::<16>().0;
        let mut w: [uint32x4_t; 4] =
            from_fn(|i| vreinterpretq_u32_u8(vrev32q_u8(load_u8(&chunks[i]))));
        for i in 0..4 {
            store_u32(&mut wk.as_chunks_mut::<4>().0[i], add(w[i], k[0]));
        }
        let [mut a, mut b, mut c, mut d, mut e] = *state;
        // Terms that do not need the last a are added up first. The variables change names instead
        // of places: the next round calls this one's $e its $a.
        macro_rules! round {
            ($f:ident $a:ident $b:ident $c:ident $d:ident $e:ident, $wk:expr) => {
                let sum = $f($e.wrapping_add($wk), $b, $c, $d);
                $e = sum.wrapping_add($a.rotate_left(5));
                $b = $b.rotate_left(30);
            };
        }
        // Four rounds each, and the words sixteen rounds later.
        macro_rules! rounds {
            ($($f:ident: $a:ident $b:ident $c:ident $d:ident $e:ident, $i:literal $($next:literal)?;)*) => { $(
                if $i == 0 {
                    black_box(&mut wk);
                }
                let now = wk.as_chunks::<4>().0[$i];
                $(next(&mut w, &mut wk, $i, k[$next]);)?
                round!($f $a $b $c $d $e, now[0]);
                round!($f $e $a $b $c $d, now[1]);
                round!($f $d $e $a $b $c, now[2]);
                round!($f $c $d $e $a $b, now[3]);
            )* };
        }
        rounds! {
            ch: a b c d e, 0 0;
            ch: b c d e a, 1 1;
            ch: c d e a b, 2 1;
            ch: d e a b c, 3 1;
            ch: e a b c d, 0 1;
            parity: a b c d e, 1 1;
            parity: b c d e a, 2 2;
            parity: c d e a b, 3 2;
            parity: d e a b c, 0 2;
            parity: e a b c d, 1 2;
            maj: a b c d e, 2 2;
            maj: b c d e a, 3 3;
            maj: c d e a b, 0 3;
            maj: d e a b c, 1 3;
            maj: e a b c d, 2 3;
            parity: a b c d e, 3 3;
            parity: b c d e a, 0;
            parity: c d e a b, 1;
            parity: d e a b c, 2;
            parity: e a b c d, 3;
        }
        for (word, x) in state.iter_mut().zip([a, b, c, d, e]) {
            *word = word.wrapping_add(x);
        }
    }
}

// The functions of the standard, added to `sum`: two are sums of terms without a common bit.

fn ch(sum: u32, x: u32, y: u32, z: u32) -> u32 {
    sum.wrapping_add(x & y).wrapping_add(!x & z)
}

fn parity(sum: u32, x: u32, y: u32, z: u32) -> u32 {
    sum.wrapping_add(x ^ y ^ z)
}

fn maj(sum: u32, x: u32, y: u32, z: u32) -> u32 {
    sum.wrapping_add(y & z).wrapping_add(x & (y ^ z))
}

/// The words sixteen after those of `w[i]`, in the place of these.
#[inline]
#[target_feature(enable = "neon")]
fn next(w: &mut [uint32x4_t; 4], wk: &mut [u32; 16], i: usize, k: uint32x4_t) {
    let [w0, w1, w2, w3] = from_fn(|j| w[(i + j) % 4]);
    let zero = splat(0);
    let w14 = vextq_u32::<2>(w0, w1); // W[t-14..t-10]
    let w_3 = vextq_u32::<1>(w3, zero); // W[t-3..t], and zero for W[t]
    let x = xor(xor3(w0, w14, w2), w_3);
    // W[t], rotated by one in W[t+3], by two of x.
    let first = ror::<30, 2>(vextq_u32::<1>(zero, x));
    w[i] = xor(ror::<31, 1>(x), first);
    store_u32(&mut wk.as_chunks_mut::<4>().0[i], add(w[i], k));
}
