//! Products of words for ARM64, as the text of assembly: `mul` and `umulh` for the halves of products, and
//! a chain of carries for each, which a compiler would take out of the flag and put back.
//!
//! `{w}`, `{x}` and `{y}` are overwritten; so is `{z}` by products of four words by four, whose factors are
//! in `{a0}` to `{a3}` and `{b0}` to `{b3}`.

/// `$t4:…:$t0` is `$t3:…:$t0` plus the product of the words `$a3:…:$a0` with `$b`, as the text of the
/// assembly.
#[rustfmt::skip] // an instruction a line
macro_rules! arm_row {
    (
        $a0:literal $a1:literal $a2:literal $a3:literal, $b:literal,
        $t0:literal $t1:literal $t2:literal $t3:literal $t4:literal
    ) => {
        concat!(
            "mul {w}, ", $a0, ", ", $b, "\n",
            "mul {x}, ", $a1, ", ", $b, "\n",
            "mul {y}, ", $a2, ", ", $b, "\n",
            "mul {z}, ", $a3, ", ", $b, "\n",
            "adds ", $t0, ", ", $t0, ", {w}\n",
            "umulh {w}, ", $a0, ", ", $b, "\n",
            "adcs ", $t1, ", ", $t1, ", {x}\n",
            "umulh {x}, ", $a1, ", ", $b, "\n",
            "adcs ", $t2, ", ", $t2, ", {y}\n",
            "umulh {y}, ", $a2, ", ", $b, "\n",
            "adcs ", $t3, ", ", $t3, ", {z}\n",
            "umulh {z}, ", $a3, ", ", $b, "\n",
            "adc ", $t4, ", {z}, xzr\n", // A high half is below 2^64 - 1.
            "adds ", $t1, ", ", $t1, ", {w}\n",
            "adcs ", $t2, ", ", $t2, ", {x}\n",
            "adcs ", $t3, ", ", $t3, ", {y}\n",
            "adc ", $t4, ", ", $t4, ", xzr\n",
        )
    };
}

/// The product of the words `{a0}` to `{a3}` with `{b0}` to `{b3}`, in `{t0}` to `{t7}`.
#[rustfmt::skip] // an instruction a line
macro_rules! arm_product {
    () => {
        concat!(
            "mul {t0}, {a0}, {b0}\n",
            "umulh {t1}, {a0}, {b0}\n",
            "mul {w}, {a1}, {b0}\n",
            "umulh {t2}, {a1}, {b0}\n",
            "mul {x}, {a2}, {b0}\n",
            "umulh {t3}, {a2}, {b0}\n",
            "mul {y}, {a3}, {b0}\n",
            "umulh {t4}, {a3}, {b0}\n",
            "adds {t1}, {t1}, {w}\n",
            "adcs {t2}, {t2}, {x}\n",
            "adcs {t3}, {t3}, {y}\n",
            "adc {t4}, {t4}, xzr\n",
            arm_row!("{a0}" "{a1}" "{a2}" "{a3}", "{b1}", "{t1}" "{t2}" "{t3}" "{t4}" "{t5}"),
            arm_row!("{a0}" "{a1}" "{a2}" "{a3}", "{b2}", "{t2}" "{t3}" "{t4}" "{t5}" "{t6}"),
            arm_row!("{a0}" "{a1}" "{a2}" "{a3}", "{b3}", "{t3}" "{t4}" "{t5}" "{t6}" "{t7}"),
        )
    };
}

/// The end of a square: the words from `{t1}` to `{t6}`, to which `{w}` and `{x}` are added in the place of
/// the third, doubled, and the squares of the words; `{y}` and `{z}` are the first two of these above the
/// lowest word.
#[rustfmt::skip] // an instruction a line
macro_rules! arm_squares_added {
    () => {
        concat!(
            "mul {t0}, {a0}, {a0}\n",
            "adds {t3}, {t3}, {w}\n",
            "umulh {w}, {a1}, {a1}\n",
            "adcs {t4}, {t4}, {x}\n",
            "mul {x}, {a2}, {a2}\n",
            "adcs {t5}, {t5}, xzr\n",
            "adc {t6}, {t6}, xzr\n",
            "adds {t1}, {t1}, {t1}\n",
            "adcs {t2}, {t2}, {t2}\n",
            "adcs {t3}, {t3}, {t3}\n",
            "adcs {t4}, {t4}, {t4}\n",
            "adcs {t5}, {t5}, {t5}\n",
            "adcs {t6}, {t6}, {t6}\n",
            "adc {t7}, xzr, xzr\n",
            "adds {t1}, {t1}, {y}\n",
            "umulh {y}, {a2}, {a2}\n",
            "adcs {t2}, {t2}, {z}\n",
            "mul {z}, {a3}, {a3}\n",
            "adcs {t3}, {t3}, {w}\n",
            "umulh {w}, {a3}, {a3}\n",
            "adcs {t4}, {t4}, {x}\n",
            "adcs {t5}, {t5}, {y}\n",
            "adcs {t6}, {t6}, {z}\n",
            "adc {t7}, {t7}, {w}\n",
        )
    };
}

/// The square of the words `{a0}` to `{a3}`, in `{t0}` to `{t7}`: each product of two different words
/// once, doubled, and the squares of the words.
#[rustfmt::skip] // an instruction a line
macro_rules! arm_square {
    () => {
        concat!(
            "mul {t1}, {a0}, {a1}\n",
            "umulh {t2}, {a0}, {a1}\n",
            "mul {w}, {a0}, {a2}\n",
            "umulh {t3}, {a0}, {a2}\n",
            "mul {x}, {a0}, {a3}\n",
            "umulh {t4}, {a0}, {a3}\n",
            "mul {y}, {a1}, {a3}\n",
            "umulh {t5}, {a1}, {a3}\n",
            "mul {z}, {a2}, {a3}\n",
            "umulh {t6}, {a2}, {a3}\n",
            "adds {t2}, {t2}, {w}\n",
            "mul {w}, {a1}, {a2}\n",
            "adcs {t3}, {t3}, {x}\n",
            "umulh {x}, {a1}, {a2}\n",
            "adcs {t4}, {t4}, {y}\n",
            "umulh {y}, {a0}, {a0}\n",
            "adcs {t5}, {t5}, {z}\n",
            "mul {z}, {a1}, {a1}\n",
            "adc {t6}, {t6}, xzr\n",
            arm_squares_added!(),
        )
    };
}

/// Half of the product, `$half`, of each word `$a` with `$b` is added to the word `$t` in its place, the
/// first by `$first`, the others with the carry.
#[cfg(feature = "weierstrass")]
#[rustfmt::skip] // an instruction a line
macro_rules! arm_halves {
    ($half:literal $b:literal $first:literal; [] [$($t:literal)*]) => { "" };
    ($half:literal $b:literal $first:literal; [$a:literal] [$t:literal $($above:literal)*]) => {
        concat!(
            $half, " {w}, ", $a, ", ", $b, "\n",
            $first, " ", $t, ", ", $t, ", {w}\n",
        )
    };
    (
        $half:literal $b:literal $first:literal;
        [$a0:literal $a1:literal] [$t0:literal $t1:literal $($t:literal)*]
    ) => {
        concat!(
            $half, " {w}, ", $a0, ", ", $b, "\n",
            $half, " {x}, ", $a1, ", ", $b, "\n",
            $first, " ", $t0, ", ", $t0, ", {w}\n",
            "adcs ", $t1, ", ", $t1, ", {x}\n",
        )
    };
    (
        $half:literal $b:literal $first:literal;
        [$a0:literal $a1:literal $a2:literal $($a:literal)*]
        [$t0:literal $t1:literal $t2:literal $($t:literal)*]
    ) => {
        concat!(
            $half, " {w}, ", $a0, ", ", $b, "\n",
            $half, " {x}, ", $a1, ", ", $b, "\n",
            $half, " {y}, ", $a2, ", ", $b, "\n",
            $first, " ", $t0, ", ", $t0, ", {w}\n",
            "adcs ", $t1, ", ", $t1, ", {x}\n",
            "adcs ", $t2, ", ", $t2, ", {y}\n",
            arm_halves!($half $b "adcs"; [$($a)*] [$($t)*]),
        )
    };
}

/// `$top:$t…:$t0` is `$t…:$t0` plus the product of the words `$last:$a…` with `$b`; after `new`, it is
/// the product.
#[cfg(feature = "weierstrass")]
#[rustfmt::skip] // an instruction a line
macro_rules! arm_long_row {
    ($b:literal; , $last:literal; $t0:literal, $top:literal) => {
        concat!(
            arm_halves!("mul" $b "adds"; [$last] [$t0]),
            "umulh ", $top, ", ", $last, ", ", $b, "\n",
            "adc ", $top, ", ", $top, ", xzr\n", // A high half is below 2^64 - 1.
        )
    };
    ($b:literal; $($a:literal)*, $last:literal; $t0:literal $($t:literal)*, $top:literal) => {
        concat!(
            arm_halves!("mul" $b "adds"; [$($a)* $last] [$t0 $($t)*]),
            "umulh ", $top, ", ", $last, ", ", $b, "\n",
            "adc ", $top, ", ", $top, ", xzr\n",
            arm_halves!("umulh" $b "adds"; [$($a)*] [$($t)*]),
            "adc ", $top, ", ", $top, ", xzr\n",
        )
    };
    (new $b:literal; $($a:literal)*, $last:literal; $t0:literal $($t:literal)*, $top:literal) => {
        concat!(
            arm_long_row!(@low $b; [$($a)* $last] [$t0 $($t)*]),
            "umulh ", $top, ", ", $last, ", ", $b, "\n",
            arm_halves!("umulh" $b "adds"; [$($a)*] [$($t)*]),
            "adc ", $top, ", ", $top, ", xzr\n",
        )
    };
    (@low $b:literal; [$($a:literal)*] [$($t:literal)*]) => {
        concat!($("mul ", $t, ", ", $a, ", ", $b, "\n",)*)
    };
}

/// Words are doubled, to one more.
#[cfg(feature = "weierstrass")]
#[rustfmt::skip] // an instruction a line
macro_rules! arm_double {
    ($first:literal $($t:literal)*, $top:literal) => {
        concat!(
            "adds ", $first, ", ", $first, ", ", $first, "\n",
            $("adcs ", $t, ", ", $t, ", ", $t, "\n",)*
            "adc ", $top, ", xzr, xzr\n",
        )
    };
}

/// The squares of words are added to two words each; the lowest is new.
#[cfg(feature = "weierstrass")]
#[rustfmt::skip] // an instruction a line
macro_rules! arm_squares {
    ($a0:literal, $t0:literal $t1:literal; $($a:literal $low:literal $high:literal),*) => {
        concat!(
            "mul ", $t0, ", ", $a0, ", ", $a0, "\n",
            "umulh {w}, ", $a0, ", ", $a0, "\n",
            "adds ", $t1, ", ", $t1, ", {w}\n",
            $(
                "mul {x}, ", $a, ", ", $a, "\n",
                "umulh {y}, ", $a, ", ", $a, "\n",
                "adcs ", $low, ", ", $low, ", {x}\n",
                "adcs ", $high, ", ", $high, ", {y}\n",
            )*
        )
    };
}
