//! Products of four words in assembly, with `mulx`, `adcx` and `adox`, for fields that reduce them in
//! their own way: macros that give the text.

/// `{t}` plus the product of the four words at `{a}` with the word at `{b}` plus an offset, as the
/// text of the assembly: `$t4` is new.
#[rustfmt::skip] // an instruction a line
macro_rules! product_row {
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

/// The product of the four words at `{a}` with the four at `{b}`, in `{t0}` to `{t7}`, as the text
/// of the assembly.
#[rustfmt::skip] // an instruction a line
macro_rules! product_of_words {
    () => {
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
            product_row!(8, "{t1}", "{t2}", "{t3}", "{t4}", "{t5}"),
            product_row!(16, "{t2}", "{t3}", "{t4}", "{t5}", "{t6}"),
            product_row!(24, "{t3}", "{t4}", "{t5}", "{t6}", "{t7}"),
        )
    };
}

/// The square of the four words at `{a}`: each product of two different words once, doubled, and the
/// squares of the words.
#[rustfmt::skip] // an instruction a line
macro_rules! square_of_words {
    () => {
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
        )
    };
}

/// `multiply` and `square` of a field of four words: the product, then its reduction in `{t0}` to
/// `{t7}`, as the text that the macro of this name gives, with these constants; the other operands,
/// and rdx, are for its use. The result is left in `{t0}` to `{t3}`.
macro_rules! operations {
    ($reduction:ident; $($constant:ident = $value:expr),*) => {
        /// `a * b`.
        #[inline]
        #[target_feature(enable = "bmi2,adx")]
        pub(crate) fn multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
            operations!(product_of_words, $reduction, a, [inout(reg) b => _]; $($constant = $value),*)
        }

        /// `a^2`.
        #[inline]
        #[target_feature(enable = "bmi2,adx")]
        pub(crate) fn square(a: &[u64; 4]) -> [u64; 4] {
            operations!(square_of_words, $reduction, a, [out(reg) _]; $($constant = $value),*)
        }
    };
    (
        $words:ident, $reduction:ident, $a:ident, [$($b:tt)*];
        $($constant:ident = $value:expr),*
    ) => {{
        let [t0, t1, t2, t3]: [u64; 4];
        // SAFETY: reads the four words after each reference, and writes only registers; the
        // features are the function's.
        unsafe {
            core::arch::asm!(
                concat!($words!(), $reduction!()),
                a = inout(reg) $a => _,
                b = $($b)*,
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
                $($constant = const $value,)*
                out("rdx") _,
                options(pure, readonly, nostack),
            );
        }
        [t0, t1, t2, t3]
    }};
}
