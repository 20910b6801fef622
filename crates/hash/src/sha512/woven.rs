//! The rounds of SHA-512 (BMI2) with places for the vector instructions of a message schedule
//! between theirs, for implementations that have W\[t\] + K\[t\] in memory.
//!
//! Differences from [`rounds`](super::rounds), for CPUs with four units for integers
//! rather than five:
//!
//! 1. A round takes as few instructions as possible: d + T1 is the new e, and T1 goes on to become
//!    the new a. The chain from one round's e to the next is then five cycles, but 22 instructions
//!    on four units are five and a half.
//! 2. ch(e, f, g) is ((f ⊕ g) ∧ e) ⊕ g, and maj(a, b, c) is ((a ⊕ b) ∧ (b ⊕ c)) ⊕ b; this round's
//!    a ⊕ b is the next one's b ⊕ c. Work that does not depend on the last e and a comes early.
//! 3. Vector instructions are woven in evenly, few at a time: many at once would keep the rounds
//!    waiting.
//! 4. The order was tried out, and so were the places: the CPU gives an instruction to a unit
//!    before it knows when it can start.

/// A round in assembly, and six pieces of other code that are woven into it; W\[t\] + K\[t\] is at
/// `$wk`. The new e is where d was, the new a where h was; b ⊕ c and the next one change places.
macro_rules! round {
    (
        [$a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal],
        $b_xor_c:literal $next:literal,
        $wk:expr,
        [$p0:expr, $p1:expr, $p2:expr, $p3:expr, $p4:expr, $p5:expr]
    ) => {
        concat! {
            "mov ", $next, ", ", $f, "\n",
            "xor ", $next, ", ", $g, "\n",
            "add ", $h, ", qword ptr [", $wk, "]\n",
            "rorx rsi, ", $e, ", 14\n",
            $p0, "\n",
            "rorx rdi, ", $e, ", 18\n",
            "and ", $next, ", ", $e, "\n",
            "xor rsi, rdi\n",
            "rorx rdi, ", $e, ", 41\n",
            $p1, "\n",
            "xor ", $next, ", ", $g, "\n", // ch(e, f, g)
            "add ", $h, ", ", $next, "\n",
            "xor rsi, rdi\n", // Σ1(e)
            "add ", $h, ", rsi\n", // T1
            $p2, "\n",
            "mov ", $next, ", ", $a, "\n",
            "add ", $d, ", ", $h, "\n", // the new e
            "xor ", $next, ", ", $b, "\n", // the next b ⊕ c
            "rorx rdi, ", $a, ", 34\n",
            $p3, "\n",
            "and ", $b_xor_c, ", ", $next, "\n",
            "rorx rsi, ", $a, ", 28\n",
            "xor ", $b_xor_c, ", ", $b, "\n", // maj(a, b, c)
            "xor rsi, rdi\n",
            $p4, "\n",
            "add ", $h, ", ", $b_xor_c, "\n",
            "rorx rdi, ", $a, ", 39\n",
            "xor rsi, rdi\n", // Σ0(a)
            "add ", $h, ", rsi\n", // the new a
            $p5, "\n",
        }
    };
}

/// Two rounds, with their words side by side at `$wk`, and twelve pieces of other code.
macro_rules! two_rounds {
    (
        [$a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal],
        $wk:expr,
        [$p0:expr, $p1:expr, $p2:expr, $p3:expr, $p4:expr, $p5:expr, $($more:expr),+]
    ) => {
        concat!(
            $crate::sha512::woven::round!([$a $b $c $d $e $f $g $h], "r13" "r14", $wk,
                [$p0, $p1, $p2, $p3, $p4, $p5]),
            $crate::sha512::woven::round!([$h $a $b $c $d $e $f $g], "r14" "r13",
                concat!($wk, " + 8"), [$($more),+]),
        )
    };
}

/// Two rounds and nothing else.
macro_rules! bare_rounds {
    ($v:tt, $wk:expr) => {
        $crate::sha512::woven::two_rounds!(
            $v,
            $wk,
            ["", "", "", "", "", "", "", "", "", "", "", ""]
        )
    };
}

/// What a macro makes of each two of sixteen rounds, one after the other: it gets the names of the
/// working variables, and the number of the two.
macro_rules! sixteen_rounds {
    ($two:ident $(, $more:tt)?) => {
        concat!(
            $two!(["rax" "rcx" "rdx" "r8" "r9" "r10" "r11" "r12"], 0 $(, $more)?),
            $two!(["r11" "r12" "rax" "rcx" "rdx" "r8" "r9" "r10"], 1 $(, $more)?),
            $two!(["r9" "r10" "r11" "r12" "rax" "rcx" "rdx" "r8"], 2 $(, $more)?),
            $two!(["rdx" "r8" "r9" "r10" "r11" "r12" "rax" "rcx"], 3 $(, $more)?),
            $two!(["rax" "rcx" "rdx" "r8" "r9" "r10" "r11" "r12"], 4 $(, $more)?),
            $two!(["r11" "r12" "rax" "rcx" "rdx" "r8" "r9" "r10"], 5 $(, $more)?),
            $two!(["r9" "r10" "r11" "r12" "rax" "rcx" "rdx" "r8"], 6 $(, $more)?),
            $two!(["rdx" "r8" "r9" "r10" "r11" "r12" "rax" "rcx"], 7 $(, $more)?),
        )
    };
}

/// The working variables in registers, for [`sixteen_rounds`]: the assembly `$code` with these
/// operands and others.
macro_rules! rounds_asm {
    ($working:expr, $code:expr, [$($named:tt)*], $($rest:tt)*) => {{
        let [a, b, c, d, e, f, g, h, b_xor_c] = $working;
        core::arch::asm!(
            $code,
            $($named)*
            inout("rax") *a,
            inout("rcx") *b,
            inout("rdx") *c,
            inout("r8") *d,
            inout("r9") *e,
            inout("r10") *f,
            inout("r11") *g,
            inout("r12") *h,
            inout("r13") *b_xor_c,
            out("r14") _,
            $($rest)*
        );
    }};
}

/// a to h and b ⊕ c, before a block's rounds.
#[inline(always)]
pub(super) fn working([a, b, c, d, e, f, g, h]: [u64; 8]) -> [u64; 9] {
    [a, b, c, d, e, f, g, h, b ^ c]
}

/// After the last round: adds the working variables to the state.
#[inline(always)]
pub(super) fn add_to(state: &mut [u64; 8], working: &[u64; 9]) {
    for (word, x) in state.iter_mut().zip(working) {
        *word = word.wrapping_add(*x);
    }
}

/// Makes `compress` of blocks one after the other. `$two` makes two rounds for [`sixteen_rounds`],
/// with the schedule of the words sixteen rounds later woven in, whose words lie in the registers
/// `w0` to `w7`, two in each; it has the registers `t`, `u` and `v` and the operands that follow.
macro_rules! compress {
    (features: $features:literal, two: $two:ident, $($operands:tt)*) => {
        #[target_feature(enable = $features)]
        pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
            for block in blocks {
                compress_block(state, block);
            }
        }

        /// On a cache line, so that no vector crosses one.
        #[repr(align(64))]
        struct Aligned([u64; 16]);

        #[inline]
        #[target_feature(enable = $features)]
        #[allow(unsafe_code)] // The rounds are in assembly.
        fn compress_block(state: &mut [u64; 8], block: &[u8; 128]) {
            use core::arch::x86_64::{
                _mm_add_epi64, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi8,
            };
            use adamant_base::simd::{load128, store128};
            let big_endian = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
            let ([k0, later @ ..], []) = $crate::sha512::K.as_chunks::<16>() else {
                return; // never: K is not empty
            };
            // W[t] + K[t] of the sixteen rounds ahead, at t mod 16.
            let mut wk = Aligned([0u64; 16]);
            let mut w = [_mm_setzero_si128(); 8];
            for i in 0..8 {
                w[i] = _mm_shuffle_epi8(load128(&block.as_chunks::<16>().0[i]), big_endian);
                store128(
                    &mut wk.0.as_chunks_mut::<2>().0[i],
                    _mm_add_epi64(w[i], load128(&k0.as_chunks::<2>().0[i])),
                );
            }
            let [w0, w1, w2, w3, w4, w5, w6, w7] = w;
            let mut working = $crate::sha512::woven::working(*state);
            macro_rules! bare {
                ($v:tt, $i:literal) => {
                    $crate::sha512::woven::bare_rounds!($v, concat!("{wk} + 16*", $i))
                };
            }
            // SAFETY: the block reads the words of `later`, reads and writes the sixteen of `wk`,
            // and changes the named registers and the flags; what it pushes it takes away.
            unsafe {
                $crate::sha512::woven::rounds_asm!(
                    working.each_mut(),
                    concat!(
                        "push 4\n",
                        "2:\n",
                        $crate::sha512::woven::sixteen_rounds!($two),
                        "add {k}, 128\n",
                        "dec qword ptr [rsp]\n",
                        "jnz 2b\n",
                        $crate::sha512::woven::sixteen_rounds!(bare),
                        "pop rsi\n",
                    ),
                    [wk = in(reg) wk.0.as_mut_ptr(),
                    k = inout(reg) later.as_ptr() => _,
                    w0 = inout(xmm_reg) w0 => _,
                    w1 = inout(xmm_reg) w1 => _,
                    w2 = inout(xmm_reg) w2 => _,
                    w3 = inout(xmm_reg) w3 => _,
                    w4 = inout(xmm_reg) w4 => _,
                    w5 = inout(xmm_reg) w5 => _,
                    w6 = inout(xmm_reg) w6 => _,
                    w7 = inout(xmm_reg) w7 => _,
                    t = out(xmm_reg) _,
                    u = out(xmm_reg) _,
                    v = out(xmm_reg) _,
                    $($operands)*],
                    out("rdi") _,
                    out("rsi") _,
                );
            }
            $crate::sha512::woven::add_to(state, &working);
        }
    };
}

pub(super) use {bare_rounds, compress, round, rounds_asm, sixteen_rounds, two_rounds};
