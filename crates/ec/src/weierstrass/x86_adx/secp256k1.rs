//! The field of secp256k1: the product, then 2^256 = 2^32 + 977 twice, then one subtraction of p,
//! taken or not by conditional moves.
#![allow(unsafe_code)] // assembly

use core::arch::asm;

/// The product t in `{t0}` to `{t7}` modulo p, as the text of the assembly; the other operands, and
/// rdx, are for its use. The result is left in `{t0}` to `{t3}`.
#[rustfmt::skip] // an instruction a line
macro_rules! reduction {
    () => {
        concat!(
            "mov rdx, {c}\n",
            "xor {a:e}, {a:e}\n",
            "mulx {y}, {x}, {t4}\n",
            "adcx {t0}, {x}\n",
            "adox {t1}, {y}\n",
            "mulx {y}, {x}, {t5}\n",
            "adcx {t1}, {x}\n",
            "adox {t2}, {y}\n",
            "mulx {y}, {x}, {t6}\n",
            "adcx {t2}, {x}\n",
            "adox {t3}, {y}\n",
            "mulx {t4}, {x}, {t7}\n",
            "adcx {t3}, {x}\n",
            "adox {t4}, {a}\n",
            "adcx {t4}, {a}\n",
            "mulx {y}, {x}, {t4}\n",
            "add {t0}, {x}\n",
            "adc {t1}, {y}\n",
            "adc {t2}, 0\n",
            "adc {t3}, 0\n",
            "adc {a}, 0\n",
            // Less p is 2^256 - p more, without the bit above; there is one if t is not below p.
            "mov {t4}, {t0}\n",
            "mov {t5}, {t1}\n",
            "mov {t6}, {t2}\n",
            "mov {t7}, {t3}\n",
            "add {t4}, rdx\n",
            "adc {t5}, 0\n",
            "adc {t6}, 0\n",
            "adc {t7}, 0\n",
            "adc {a}, -1\n",
            "cmovc {t0}, {t4}\n",
            "cmovc {t1}, {t5}\n",
            "cmovc {t2}, {t6}\n",
            "cmovc {t3}, {t7}",
        )
    };
}

/// 2^256 - p.
const C: u64 = 0x1_0000_03d1;

/// `a * b`.
#[inline]
#[target_feature(enable = "bmi2,adx")]
pub(crate) fn multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let [t0, t1, t2, t3]: [u64; 4];
    // SAFETY: reads the four words behind each of the two references, and writes registers alone;
    // the features are the function's.
    unsafe {
        asm!(
            concat!(product_of_words!(), reduction!()),
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
            c = const C,
            out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    [t0, t1, t2, t3]
}

/// `a^2`.
#[inline]
#[target_feature(enable = "bmi2,adx")]
pub(crate) fn square(a: &[u64; 4]) -> [u64; 4] {
    let [t0, t1, t2, t3]: [u64; 4];
    // SAFETY: reads the four words behind the reference, and writes registers alone; the features
    // are the function's.
    unsafe {
        asm!(
            concat!(square_of_words!(), reduction!()),
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
            c = const C,
            out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    [t0, t1, t2, t3]
}
