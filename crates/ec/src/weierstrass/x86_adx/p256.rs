//! The field of P-256: the product, the reduction that clears a word at a time, then one
//! subtraction of p, taken or not by conditional moves.
#![allow(unsafe_code)] // assembly

use crate::weierstrass::Curve;
use crate::weierstrass::p256::P256;

/// `t / 2^256` mod p for the product t in `{t0}` to `{t7}`, as the text of the assembly; the other
/// operands, and rdx, are for its use. The result is left in `{t0}` to `{t3}`.
///
/// Words are shifted by a multiplication with 2^32: shifts share their two ports with the carries.
#[rustfmt::skip] // an instruction a line
macro_rules! reduction {
    () => {
        concat!(
            "mov {a}, {p3}\n",
            "mov {b}, {two32}\n",
            reduction!("{t0}", "{t1}", "{t2}", "{t3}"),
            reduction!("{t1}", "{t2}", "{t3}", "{t0}"),
            reduction!("{t2}", "{t3}", "{t0}", "{t1}"),
            reduction!("{t3}", "{t0}", "{t1}", "{t2}"),
            "mov rdx, {a}\n",
            "mov {a:e}, 0\n",
            "add {t0}, {t4}\n",
            "adc {t1}, {t5}\n",
            "adc {t2}, {t6}\n",
            "adc {t3}, {t7}\n",
            "adc {a}, 0\n",
            "mov {b:e}, -1\n", // 2^32 - 1, the second word of p
            "mov {t4}, {t0}\n",
            "mov {t5}, {t1}\n",
            "mov {t6}, {t2}\n",
            "mov {t7}, {t3}\n",
            "sub {t4}, -1\n",
            "sbb {t5}, {b}\n",
            "sbb {t6}, 0\n",
            "sbb {t7}, rdx\n",
            "sbb {a}, 0\n",
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
            "add ", $t1, ", {x}\n",
            "adc ", $t2, ", {y}\n",
            "mulx ", $t0, ", {x}, {a}\n",
            "adc ", $t3, ", {x}\n",
            "adc ", $t0, ", 0\n",
        )
    };
}

operations!(reduction; p3 = P256::P[3], two32 = 1u64 << 32);
