//! SHA-512 with scalar rounds (BMI2) beside a message schedule in vector registers (AVX2).
//!
//! Differences from the portable code:
//!
//! 1. The schedule is computed two words at a time in vector registers. W\[t\] + K\[t\] goes
//!    through memory to the scalar rounds, fourteen rounds ahead of them, so both kinds of
//!    units are busy.
//! 2. The rounds are those of [`woven`](super::woven).

use super::woven;

/// Two rounds, and the words sixteen rounds later: W\[t..t+2\] from W\[t-16..t-14\],
/// W\[t-15..t-13\], W\[t-7..t-5\] and W\[t-2..t\]. A rotation is a shift to each side; by
/// eight bits, it moves bytes.
#[rustfmt::skip] // a line for an instruction
macro_rules! two {
    ($v:tt, 0) => { two!($v, 0, 1, 4, 5, 7) };
    ($v:tt, 1) => { two!($v, 1, 2, 5, 6, 0) };
    ($v:tt, 2) => { two!($v, 2, 3, 6, 7, 1) };
    ($v:tt, 3) => { two!($v, 3, 4, 7, 0, 2) };
    ($v:tt, 4) => { two!($v, 4, 5, 0, 1, 3) };
    ($v:tt, 5) => { two!($v, 5, 6, 1, 2, 4) };
    ($v:tt, 6) => { two!($v, 6, 7, 2, 3, 5) };
    ($v:tt, 7) => { two!($v, 7, 0, 3, 4, 6) };
    ($v:tt, $i:literal, $i1:literal, $i4:literal, $i5:literal, $i7:literal) => {
        woven::two_rounds!($v, concat!("{wk} + 16*", $i), [
            concat!("vpalignr {t}, {w", $i1, "}, {w", $i, "}, 8\n", // W[t-15]
                "vpalignr {u}, {w", $i5, "}, {w", $i4, "}, 8"), // W[t-7]
            concat!("vpaddq {w", $i, "}, {w", $i, "}, {u}\n",
                "vpsrlq {u}, {t}, 1"),
            concat!("vpsllq {v}, {t}, 63\n",
                "vpxor {u}, {u}, {v}"),
            concat!("vpshufb {v}, {t}, {ror8}\n",
                "vpsrlq {t}, {t}, 7"),
            concat!("vpxor {u}, {u}, {v}\n",
                "vpxor {u}, {u}, {t}"), // σ0
            concat!("vpaddq {w", $i, "}, {w", $i, "}, {u}\n",
                "vpsrlq {t}, {w", $i7, "}, 19"), // W[t-2]
            concat!("vpsllq {u}, {w", $i7, "}, 45\n",
                "vpxor {t}, {t}, {u}"),
            concat!("vpsrlq {u}, {w", $i7, "}, 61\n",
                "vpsllq {v}, {w", $i7, "}, 3"),
            concat!("vpxor {t}, {t}, {u}\n",
                "vpsrlq {u}, {w", $i7, "}, 6"),
            concat!("vpxor {t}, {t}, {v}\n",
                "vpxor {t}, {t}, {u}"), // σ1
            concat!("vpaddq {w", $i, "}, {w", $i, "}, {t}\n",
                "vpaddq {t}, {w", $i, "}, xmmword ptr [{k} + 16*", $i, "]"),
            concat!("vmovdqa xmmword ptr [{wk} + 16*", $i, "], {t}")
        ])
    };
}

woven::compress! {
    features: "avx2,bmi1,bmi2",
    two: two,
    ror8 = in(xmm_reg) _mm_set_epi64x(0x080f_0e0d_0c0b_0a09, 0x0007_0605_0403_0201),
}
