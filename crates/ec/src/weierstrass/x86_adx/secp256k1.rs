//! The field of secp256k1: the product, then 2^256 = 2^32 + 977 twice, then one subtraction of p,
//! taken or not by conditional moves.
#![allow(unsafe_code)] // assembly

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

operations!(reduction; c = C);
