//! Multiplications in assembly, with `mulx`, `adcx` and `adox`, for fields of four and six words.
//!
//! `adcx` and `adox` keep a carry each, in two different flags, so that a row of a product adds its
//! low and its high halves at once. No compiler emits them. The product grows by a row for each word
//! of a factor, and each row is followed by one that clears its lowest word with a multiple of p
//! (Montgomery's reduction); what remains stays below 2p. The register that held the cleared word
//! is the top one of the next row.

pub(crate) mod p256;
pub(crate) mod p521;
pub(crate) mod secp256k1;
pub(crate) mod sm2p256v1;

use super::modulus::Modulus;

/// p, then -1 / p mod 2^64, then two numbers for the reduction of P-384, where the assembly reads
/// them.
#[repr(C)]
pub(crate) struct Constants<const W: usize>([u64; W], u64, u64, u64);

impl<const W: usize> Constants<W> {
    pub(crate) const fn new(p: &Modulus<W>) -> Self {
        Constants(p.words, p.n0, 0xffff_ffff_0000_0001, 0xffff_ffff)
    }
}

/// `t += [from] * rdx`, as the text of the assembly: as many words of `t` as there are names, two
/// more than words at `from`; the last is 0 before.
#[rustfmt::skip] // an instruction a line
macro_rules! row {
    (@word $from:literal $at:literal $t:literal $u:literal) => {
        concat!(
            "mulx {y}, {x}, [", $from, " + ", $at, "]\n",
            "adcx ", $t, ", {x}\n",
            "adox ", $u, ", {y}\n",
        )
    };
    (@carries $t:literal $u:literal) => {
        concat!(
            "mov edx, 0\n",
            "adcx ", $t, ", rdx\n",
            "adox ", $u, ", rdx\n",
            "adcx ", $u, ", rdx\n",
        )
    };
    ($from:literal, $t0:literal $t1:literal $t2:literal $t3:literal $t4:literal $t5:literal) => {
        concat!(
            "xor {x:e}, {x:e}\n",
            row!(@word $from 0 $t0 $t1),
            row!(@word $from 8 $t1 $t2),
            row!(@word $from 16 $t2 $t3),
            row!(@word $from 24 $t3 $t4),
            row!(@carries $t4 $t5),
        )
    };
    ($from:literal, $t0:literal $t1:literal $t2:literal $t3:literal $t4:literal $t5:literal
        $t6:literal $t7:literal) => {
        concat!(
            "xor {x:e}, {x:e}\n",
            row!(@word $from 0 $t0 $t1),
            row!(@word $from 8 $t1 $t2),
            row!(@word $from 16 $t2 $t3),
            row!(@word $from 24 $t3 $t4),
            row!(@word $from 32 $t4 $t5),
            row!(@word $from 40 $t5 $t6),
            row!(@carries $t6 $t7),
        )
    };
}
pub(crate) use row;

/// One word of a factor: its row, and the row that clears the lowest word.
#[rustfmt::skip] // an instruction a line
macro_rules! step {
    (any, $at:literal, $n0:literal, $first:literal $($t:literal)*) => {
        concat!(
            "mov rdx, [{b} + ", $at, "]\n",
            row!("{a}", $first $($t)*),
            "mov rdx, [rip + {p} + ", $n0, "]\n",
            "imul rdx, ", $first, "\n",
            row!("rip + {p}", $first $($t)*),
        )
    };
    // For p = 2^384 - 2^128 - 2^96 + 2^32 - 1 and the lowest word t, the multiple is m p with
    // m = (2^32 + 1) t mod 2^64, which is 2^384 m - (2^128 + 2^96 - 2^32 + 1) m. Of the second
    // product the lowest word is t, and the others are (2^64 - 2^32 + 1) m / 2^64 +
    // (2^32 - 1) m + 2^64 m.
    (p384, $at:literal, $n0:literal, $t0:literal $t1:literal $t2:literal $t3:literal $t4:literal
        $t5:literal $t6:literal $t7:literal) => {
        concat!(
            "mov rdx, [{b} + ", $at, "]\n",
            row!("{a}", $t0 $t1 $t2 $t3 $t4 $t5 $t6 $t7),
            "mov rdx, ", $t0, "\n",
            "shl rdx, 32\n",
            "add rdx, ", $t0, "\n",
            "mulx {x}, {y}, [rip + {p} + 56]\n",
            "mulx ", $t0, ", {y}, [rip + {p} + 64]\n",
            "add {y}, {x}\n",
            "mov {x:e}, 0\n",
            "adc ", $t0, ", rdx\n",
            "adc {x}, 0\n",
            "sub ", $t1, ", {y}\n",
            "sbb ", $t2, ", ", $t0, "\n",
            "sbb ", $t3, ", {x}\n",
            "sbb ", $t4, ", 0\n",
            "sbb ", $t5, ", 0\n",
            "sbb rdx, 0\n",
            "mov ", $t0, ", 0\n",
            "add ", $t6, ", rdx\n",
            "adc ", $t7, ", 0\n",
        )
    };
}
pub(crate) use step;

/// `t` less p, if it is not below p, for four or six words and the one above them.
#[rustfmt::skip] // an instruction a line
macro_rules! reduce_once {
    ($($t:literal $copy:literal $at:literal $sub:literal),*; $top:literal) => {
        concat!(
            $( "mov ", $copy, ", ", $t, "\n", )*
            $( $sub, " ", $copy, ", [rip + {p} + ", $at, "]\n", )*
            "sbb ", $top, ", 0\n",
            $( "cmovnc ", $t, ", ", $copy, "\n", )*
        )
    };
}
pub(crate) use reduce_once;

/// The implementation of a curve whose field has four or six words.
macro_rules! implementation {
    (any, $curve:ident, 4) => {
        use crate::weierstrass::curve::Derived;
        use crate::weierstrass::x86_adx::{Constants, reduce_once, row, step};
        use core::arch::asm;

        static P: Constants<4> = Constants::new($curve::FIELD);

        /// `a * b`.
        #[inline]
        #[target_feature(enable = "bmi2,adx")]
        fn multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
            let [t0, t1, t2, t3]: [u64; 4];
            // SAFETY: reads the four words after each of the two references and the constants
            // beside, and writes only registers; the features are the function's.
            unsafe {
                asm!(
                    concat!(
                        step!(any, 0, 32, "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}"),
                        step!(any, 8, 32, "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t0}"),
                        step!(any, 16, 32, "{t2}" "{t3}" "{t4}" "{t5}" "{t0}" "{t1}"),
                        step!(any, 24, 32, "{t3}" "{t4}" "{t5}" "{t0}" "{t1}" "{t2}"),
                        reduce_once!("{t4}" "{a}" 0 "sub", "{t5}" "{b}" 8 "sbb",
                            "{t0}" "{x}" 16 "sbb", "{t1}" "{y}" 24 "sbb"; "{t2}"),
                    ),
                    a = inout(reg) a => _,
                    b = inout(reg) b => _,
                    t0 = inout(reg) 0u64 => t2,
                    t1 = inout(reg) 0u64 => t3,
                    t2 = inout(reg) 0u64 => _,
                    t3 = inout(reg) 0u64 => _,
                    t4 = inout(reg) 0u64 => t0,
                    t5 = inout(reg) 0u64 => t1,
                    x = out(reg) _,
                    y = out(reg) _,
                    p = sym P,
                    out("rdx") _,
                    options(pure, readonly, nostack),
                );
            }
            [t0, t1, t2, t3]
        }

        crate::weierstrass::x86_adx::rest!($curve, 4);
    };
    ($reduction:ident, $curve:ident, 6) => {
        use crate::weierstrass::curve::Derived;
        use crate::weierstrass::x86_adx::{Constants, reduce_once, row, step};
        use core::arch::asm;

        static P: Constants<6> = Constants::new($curve::FIELD);

        /// `a * b`.
        #[inline]
        #[target_feature(enable = "bmi2,adx")]
        fn multiply(a: &[u64; 6], b: &[u64; 6]) -> [u64; 6] {
            let [t0, t1, t2, t3, t4, t5]: [u64; 6];
            // SAFETY: reads the six words after each of the two references and the constants
            // beside, and writes only registers; the features are the function's.
            unsafe {
                asm!(
                    concat!(
                        step!($reduction, 0, 48, "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}"),
                        step!($reduction, 8, 48, "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t0}"),
                        step!($reduction, 16, 48, "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t0}" "{t1}"),
                        step!($reduction, 24, 48, "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t0}" "{t1}" "{t2}"),
                        step!($reduction, 32, 48, "{t4}" "{t5}" "{t6}" "{t7}" "{t0}" "{t1}" "{t2}" "{t3}"),
                        step!($reduction, 40, 48, "{t5}" "{t6}" "{t7}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}"),
                        reduce_once!("{t6}" "{a}" 0 "sub", "{t7}" "{b}" 8 "sbb",
                            "{t0}" "{x}" 16 "sbb", "{t1}" "{y}" 24 "sbb",
                            "{t2}" "rdx" 32 "sbb", "{t3}" "{t5}" 40 "sbb"; "{t4}"),
                    ),
                    a = inout(reg) a => _,
                    b = inout(reg) b => _,
                    t0 = inout(reg) 0u64 => t2,
                    t1 = inout(reg) 0u64 => t3,
                    t2 = inout(reg) 0u64 => t4,
                    t3 = inout(reg) 0u64 => t5,
                    t4 = inout(reg) 0u64 => _,
                    t5 = inout(reg) 0u64 => _,
                    t6 = inout(reg) 0u64 => t0,
                    t7 = inout(reg) 0u64 => t1,
                    x = out(reg) _,
                    y = out(reg) _,
                    p = sym P,
                    out("rdx") _,
                    options(pure, readonly, nostack),
                );
            }
            [t0, t1, t2, t3, t4, t5]
        }

        crate::weierstrass::x86_adx::rest!($curve, 6);
    };
    ($field:ident, $curve:ident, 4) => {
        use crate::weierstrass::x86_adx::$field::{multiply, square};

        crate::weierstrass::rows::implementation!(
            $curve, 4, multiply, square; multiply, square,
            #[target_feature(enable = "bmi2,adx")]
        );
    };
    ($field:ident, $curve:ident, $w:tt) => {
        use crate::weierstrass::x86_adx::$field::{multiply, square};

        crate::weierstrass::rows::implementation!(
            $curve, $w, multiply, square, #[target_feature(enable = "bmi2,adx")]
        );
    };
}
pub(crate) use implementation;

/// The square is the product of an element with itself.
macro_rules! rest {
    ($curve:ident, $w:literal) => {
        /// `a^2`.
        #[inline]
        #[target_feature(enable = "bmi2,adx")]
        fn square(a: &[u64; $w]) -> [u64; $w] {
            multiply(a, a)
        }

        crate::weierstrass::rows::implementation!(
            $curve, $w, multiply, square, #[target_feature(enable = "bmi2,adx")]
        );
    };
}
pub(crate) use rest;
