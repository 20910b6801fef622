//! The operations over multiplication in assembly, with `mulx`, `adcx` and `adox`.
//!
//! `adcx` and `adox` keep a carry each, in two different flags, so that a row of a product adds its
//! low and its high halves at once. No compiler emits them. The steps are those of
//! [`Fe::mul`](super::field::Fe::mul): the product, then the reduction that clears a word at a time,
//! then one subtraction of p, taken or not by conditional moves.
#![allow(unsafe_code)]

use super::field::P;
use core::arch::asm;

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

/// `{t}` plus the product of the four words at `{a}` with the word at `{b}` plus an offset, as the
/// text of the assembly: `$t4` is new.
#[rustfmt::skip] // an instruction a line
macro_rules! row {
    ($offset:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
        concat!(
            "mov rdx, [{b} + ", $offset, "]\n",
            "xor {x:e}, {x:e}\n",
            "mulx {y}, {x}, [{a}]\n",
            "adcx ", $t0, ", {x}\n",
            "adox ", $t1, ", {y}\n",
            "mulx {y}, {x}, [{a} + 8]\n",
            "adcx ", $t1, ", {x}\n",
            "adox ", $t2, ", {y}\n",
            "mulx {y}, {x}, [{a} + 16]\n",
            "adcx ", $t2, ", {x}\n",
            "adox ", $t3, ", {y}\n",
            "mulx ", $t4, ", {x}, [{a} + 24]\n",
            "mov edx, 0\n",
            "adcx ", $t3, ", {x}\n",
            "adox ", $t4, ", rdx\n",
            "adcx ", $t4, ", rdx\n",
        )
    };
}

/// `a * b`.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn multiply(a: &Fe, b: &Fe) -> Fe {
    let [t0, t1, t2, t3]: Limbs;
    // SAFETY: reads the four words behind each of the two references, and writes registers alone;
    // the features are the function's.
    unsafe {
        asm!(
            concat!(
                "mov rdx, [{b}]\n",
                "mulx {t1}, {t0}, [{a}]\n",
                "mulx {t2}, {x}, [{a} + 8]\n",
                "add {t1}, {x}\n",
                "mulx {t3}, {x}, [{a} + 16]\n",
                "adc {t2}, {x}\n",
                "mulx {t4}, {x}, [{a} + 24]\n",
                "adc {t3}, {x}\n",
                "adc {t4}, 0\n",
                row!(8, "{t1}", "{t2}", "{t3}", "{t4}", "{t5}"),
                row!(16, "{t2}", "{t3}", "{t4}", "{t5}", "{t6}"),
                row!(24, "{t3}", "{t4}", "{t5}", "{t6}", "{t7}"),
                reduction!(),
            ),
            a = inout(reg) a => _,
            b = inout(reg) b => _,
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            t4 = out(reg) _,
            t5 = out(reg) _,
            t6 = out(reg) _,
            t7 = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            p3 = const P[3],
            two32 = const 1u64 << 32,
            out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    Fe([t0, t1, t2, t3])
}

/// `a^2`: each product of two different words once, doubled, and the squares of the words.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn square(a: &Fe) -> Fe {
    let [t0, t1, t2, t3]: Limbs;
    // SAFETY: reads the four words behind the reference, and writes registers alone; the features
    // are the function's.
    unsafe {
        asm!(
            concat!(
                "mov rdx, [{a}]\n",
                "mulx {t2}, {t1}, [{a} + 8]\n",
                "mulx {t3}, {x}, [{a} + 16]\n",
                "add {t2}, {x}\n",
                "mulx {t4}, {x}, [{a} + 24]\n",
                "adc {t3}, {x}\n",
                "adc {t4}, 0\n",
                "mov rdx, [{a} + 8]\n",
                "xor {b:e}, {b:e}\n",
                "mulx {y}, {x}, [{a} + 16]\n",
                "adcx {t3}, {x}\n",
                "adox {t4}, {y}\n",
                "mulx {t5}, {x}, [{a} + 24]\n",
                "adcx {t4}, {x}\n",
                "adox {t5}, {b}\n",
                "mov rdx, [{a} + 16]\n",
                "mulx {t6}, {x}, [{a} + 24]\n",
                "adcx {t5}, {x}\n",
                "adcx {t6}, {b}\n",
                "mov rdx, [{a}]\n",
                "xor {t7:e}, {t7:e}\n",
                "mulx {y}, {t0}, rdx\n",
                "adcx {t1}, {t1}\n",
                "adox {t1}, {y}\n",
                "mov rdx, [{a} + 8]\n",
                "mulx {y}, {x}, rdx\n",
                "adcx {t2}, {t2}\n",
                "adox {t2}, {x}\n",
                "adcx {t3}, {t3}\n",
                "adox {t3}, {y}\n",
                "mov rdx, [{a} + 16]\n",
                "mulx {y}, {x}, rdx\n",
                "adcx {t4}, {t4}\n",
                "adox {t4}, {x}\n",
                "adcx {t5}, {t5}\n",
                "adox {t5}, {y}\n",
                "mov rdx, [{a} + 24]\n",
                "mulx {y}, {x}, rdx\n",
                "adcx {t6}, {t6}\n",
                "adox {t6}, {x}\n",
                "adcx {t7}, {t7}\n",
                "adox {t7}, {y}\n",
                reduction!(),
            ),
            a = inout(reg) a => _,
            b = out(reg) _,
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            t4 = out(reg) _,
            t5 = out(reg) _,
            t6 = out(reg) _,
            t7 = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            p3 = const P[3],
            two32 = const 1u64 << 32,
            out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    Fe([t0, t1, t2, t3])
}

super::kernel::implementation!(multiply, square, #[target_feature(enable = "bmi2,adx")]);
