//! The field of sm2p256v1: the product, the reduction that clears a word at a time, then one
//! subtraction of p, taken or not by conditional moves.
#![allow(unsafe_code)] // assembly

use crate::weierstrass::Curve;
use crate::weierstrass::sm2p256v1::Sm2P256v1;

/// The prime p.
const P: [u64; 4] = Sm2P256v1::P;

/// `t / 2^256` mod p for the product t in `{t0}` to `{t7}`, as the text of the assembly; the other
/// operands, and rdx, are for its use. The result is left in `{t0}` to `{t3}`.
///
/// m p + m = 2^64 (s 2^160 - s) for s = m (2^32 - 1): two multiplications, of which the second gives
/// s 2^32, and one subtraction and one addition.
#[rustfmt::skip] // an instruction a line
macro_rules! reduction {
    () => {
        concat!(
            "mov {b:e}, -1\n", // 2^32 - 1
            "mov {a}, {p1}\n", // 2^64 - 2^32
            reduction!("{t0}", "{t1}", "{t2}", "{t3}"),
            reduction!("{t1}", "{t2}", "{t3}", "{t0}"),
            reduction!("{t2}", "{t3}", "{t0}", "{t1}"),
            reduction!("{t3}", "{t0}", "{t1}", "{t2}"),
            "mov rdx, {p3}\n",
            "mov {b:e}, 0\n",
            "add {t0}, {t4}\n",
            "adc {t1}, {t5}\n",
            "adc {t2}, {t6}\n",
            "adc {t3}, {t7}\n",
            "adc {b}, 0\n",
            "mov {t4}, {t0}\n",
            "mov {t5}, {t1}\n",
            "mov {t6}, {t2}\n",
            "mov {t7}, {t3}\n",
            "sub {t4}, -1\n",
            "sbb {t5}, {a}\n",
            "sbb {t6}, -1\n",
            "sbb {t7}, rdx\n",
            "sbb {b}, 0\n",
            "cmovnc {t0}, {t4}\n",
            "cmovnc {t1}, {t5}\n",
            "cmovnc {t2}, {t6}\n",
            "cmovnc {t3}, {t7}",
        )
    };
    // m = $t0 becomes the new top word, of the multiple m p.
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal) => {
        concat!(
            "mov rdx, ", $t0, "\n",
            "mulx {y}, {x}, {b}\n",
            "mulx ", $t0, ", rdx, {a}\n",
            "sub ", $t1, ", {x}\n",
            "sbb ", $t2, ", {y}\n",
            "sbb rdx, 0\n",
            "sbb ", $t0, ", 0\n",
            "add ", $t3, ", rdx\n",
            "adc ", $t0, ", 0\n",
        )
    };
}

operations!(reduction; p1 = P[1], p3 = P[3]);
