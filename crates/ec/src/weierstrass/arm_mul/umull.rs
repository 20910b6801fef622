//! Products of four words of which half, those of different words in squares, are of vectors of 32 bits,
//! two words side by side: as the text of assembly. A core that is busy with a product of 64 bits for
//! several cycles calculates both at the same time.

/// The products of the words whose lower halves are in `$al` and upper ones in `$ah` with those of `$bl`
/// and `$bh`, as halves of 64 bits. No sum passes 2^64: (2^32 - 1)^2 and twice 2^32 - 1 are less.
#[rustfmt::skip] // an instruction a line
macro_rules! umull_words {
    ($bl:literal $bh:literal, $low:literal $high:literal) => {
        concat!(
            "umull {", $low, ":v}.2d, {al:v}.2s, {", $bl, "\n",
            "umull {t:v}.2d, {al:v}.2s, {", $bh, "\n",
            "umull {", $high, ":v}.2d, {ah:v}.2s, {", $bh, "\n",
            "usra {t:v}.2d, {", $low, ":v}.2d, 32\n",
            "and {u:v}.16b, {t:v}.16b, {mask:v}.16b\n",
            "umlal {u:v}.2d, {ah:v}.2s, {", $bl, "\n",
            "usra {", $high, ":v}.2d, {t:v}.2d, 32\n",
            "usra {", $high, ":v}.2d, {u:v}.2d, 32\n",
            "sli {", $low, ":v}.2d, {u:v}.2d, 32\n",
        )
    };
}

/// The product of two words with one, from the halves of both, is added to three words, and its carry to
/// those above.
#[rustfmt::skip] // an instruction a line
macro_rules! umull_add {
    ($low:literal $high:literal; $t0:literal $t1:literal $t2:literal; $($above:literal)*) => {
        concat!(
            "umov {w}, {", $low, ":v}.d[0]\n",
            "umov {x}, {", $low, ":v}.d[1]\n",
            "umov {y}, {", $high, ":v}.d[0]\n",
            "umov {z}, {", $high, ":v}.d[1]\n",
            "adds {x}, {x}, {y}\n",
            "adc {z}, {z}, xzr\n",
            "adds ", $t0, ", ", $t0, ", {w}\n",
            "adcs ", $t1, ", ", $t1, ", {x}\n",
            "adcs ", $t2, ", ", $t2, ", {z}\n",
            $($above,)*
        )
    };
}

/// Two words in a register, and the lower and upper halves of words in two.
#[rustfmt::skip] // an instruction a line
macro_rules! umull_load {
    ($v:literal $first:literal $second:literal) => {
        concat!("fmov {", $v, ":d}, ", $first, "\n", "mov {", $v, ":v}.d[1], ", $second, "\n")
    };
    ($v:literal $first:literal $second:literal, $low:literal $high:literal) => {
        concat!(
            umull_load!($v $first $second),
            "xtn {", $low, ":v}.2s, {", $v, ":v}.2d\n",
            "shrn {", $high, ":v}.2s, {", $v, ":v}.2d, 32\n",
        )
    };
}

/// The product of the words `{a0}` to `{a3}` with `{b0}` to `{b3}`, in `{t0}` to `{t7}`: that of the upper
/// two is of vectors.
#[rustfmt::skip] // an instruction a line
macro_rules! umull_product {
    () => {
        concat!(
            umull_load!("av" "{a2}" "{a3}", "al" "ah"),
            umull_load!("bv" "{b0}" "{b1}"),
            umull_load!("cv" "{b2}" "{b3}"),
            "movi {mask:v}.2d, 0x00000000ffffffff\n",
            umull_words!("bv:v}.s[0]" "bv:v}.s[1]", "l0" "h0"),
            umull_words!("bv:v}.s[2]" "bv:v}.s[3]", "l1" "h1"),
            umull_words!("cv:v}.s[0]" "cv:v}.s[1]", "l2" "h2"),
            umull_words!("cv:v}.s[2]" "cv:v}.s[3]", "l3" "h3"),
            arm_long_row!(new "{a0}"; "{b0}" "{b1}" "{b2}", "{b3}"; "{t0}" "{t1}" "{t2}" "{t3}", "{t4}"),
            arm_long_row!("{a1}"; "{b0}" "{b1}" "{b2}", "{b3}"; "{t1}" "{t2}" "{t3}" "{t4}", "{t5}"),
            umull_add!("l0" "h0"; "{t2}" "{t3}" "{t4}"; "adcs {t5}, {t5}, xzr\n" "adc {t6}, xzr, xzr\n"),
            umull_add!("l1" "h1"; "{t3}" "{t4}" "{t5}"; "adc {t6}, {t6}, xzr\n"),
            umull_add!("l2" "h2"; "{t4}" "{t5}" "{t6}"; "adc {t7}, xzr, xzr\n"),
            umull_add!("l3" "h3"; "{t5}" "{t6}" "{t7}";),
        )
    };
}

/// The square of the words `{a0}` to `{a3}`, in `{t0}` to `{t7}`: the products of one of the lower two with
/// one of the upper two are of vectors.
#[rustfmt::skip] // an instruction a line
macro_rules! umull_square {
    () => {
        concat!(
            umull_load!("av" "{a0}" "{a1}", "al" "ah"),
            umull_load!("bv" "{a2}" "{a3}", "bl" "bh"),
            "movi {mask:v}.2d, 0x00000000ffffffff\n",
            umull_words!("bl:v}.2s" "bh:v}.2s", "l0" "h0"),
            "rev64 {bl:v}.2s, {bl:v}.2s\n",
            "rev64 {bh:v}.2s, {bh:v}.2s\n",
            umull_words!("bl:v}.2s" "bh:v}.2s", "l1" "h1"),
            "mul {t1}, {a0}, {a1}\n",
            "umulh {t2}, {a0}, {a1}\n",
            "mul {t5}, {a2}, {a3}\n",
            "umulh {t6}, {a2}, {a3}\n",
            "umov {w}, {l0:v}.d[0]\n",
            "umov {t3}, {h0:v}.d[0]\n",
            "umov {t4}, {l0:v}.d[1]\n",
            "umov {x}, {h0:v}.d[1]\n",
            "umov {y}, {l1:v}.d[0]\n",
            "umov {z}, {h1:v}.d[0]\n",
            "adds {t2}, {t2}, {w}\n",
            "adcs {t3}, {t3}, {y}\n",
            "adcs {t4}, {t4}, {z}\n",
            "adcs {t5}, {t5}, {x}\n",
            "adc {t6}, {t6}, xzr\n",
            "umov {w}, {l1:v}.d[1]\n",
            "umov {x}, {h1:v}.d[1]\n",
            "umulh {y}, {a0}, {a0}\n",
            "mul {z}, {a1}, {a1}\n",
            arm_squares_added!(),
        )
    };
}
