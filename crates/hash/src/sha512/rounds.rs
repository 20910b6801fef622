//! The rounds of SHA-512 in the general registers of x86-64 (BMI1 and BMI2), for implementations
//! that have W\[t\] + K\[t\] in memory.
//!
//! Differences from the portable code:
//!
//! 1. `rorx` and `andn` leave their sources in place, and the order of the additions is fixed:
//!    Σ1(e) comes last. The chain from one round's e to the next is then four cycles: a rotation,
//!    two exclusive ors and one addition. A compiler orders a sum as it likes, so the round is in
//!    assembly.
//! 2. For this d must be in the sum before, so the new e is what is made first, and T1 is it less
//!    d.
//! 3. The terms of ch(e, f, g) have no bit in common, so each goes into the sum by itself. So it
//!    is with maj(a, b, c), which is a where b and c differ and b elsewhere; this round's a ⊕ b is
//!    the next one's b ⊕ c.
//! 4. The order of the instructions was tried out. Of what waits for a port, the CPU takes the
//!    oldest first: the rotations of e, which have two of five ports, begin a round, and the sum
//!    with d follows at once.

/// The working variables in a block's rounds.
pub(super) struct Working {
    /// a to h.
    v: [u64; 8],
    b_xor_c: u64,
}

impl Working {
    #[inline(always)]
    pub(super) fn new(state: &[u64; 8]) -> Self {
        Working {
            v: *state,
            b_xor_c: state[1] ^ state[2],
        }
    }

    /// After the last round: adds the working variables to the state.
    #[inline(always)]
    pub(super) fn add_to(&self, state: &mut [u64; 8]) {
        for (word, x) in state.iter_mut().zip(self.v) {
            *word = word.wrapping_add(x);
        }
    }

    /// Two rounds, with their W\[t\] + K\[t\] at `wk[I]` and `wk[J]`.
    #[inline]
    #[target_feature(enable = "bmi1,bmi2")]
    pub(super) fn two_rounds<const I: usize, const J: usize, const N: usize>(
        &mut self,
        wk: &[u64; N],
    ) {
        let [a, b, c, d, e, f, g, h] = self.v;
        // The new e is where h was, and the new a where d was.
        let (h, d) = round::<I, N>([a, b, d, e, f, g, h], &mut self.b_xor_c, wk);
        let (g, c) = round::<J, N>([d, a, c, h, e, f, g], &mut self.b_xor_c, wk);
        self.v = [c, d, a, b, g, h, e, f];
    }
}

/// A round's new e and a, with W\[t\] + K\[t\] at `wk[I]`; `b_xor_c` becomes the next one.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
#[allow(unsafe_code)] // The round is in assembly.
fn round<const I: usize, const N: usize>(
    [a, b, d, e, f, g, h]: [u64; 7],
    b_xor_c: &mut u64,
    wk: &[u64; N],
) -> (u64, u64) {
    const { assert!(I < N) };
    let (next_e, next_a);
    // SAFETY: the block reads the word I of `wk`, and changes the named registers and the flags.
    unsafe {
        core::arch::asm!(
            "rorx {x}, {e}, 14",
            "add {h}, {d}",
            "rorx {y}, {e}, 18",
            "add {h}, qword ptr [{wk} + {i}]",
            "xor {x}, {y}",
            "mov {y}, {f}",
            "and {y}, {e}",
            "add {h}, {y}",
            "rorx {y}, {e}, 41",
            "xor {x}, {y}",
            "andn {y}, {e}, {g}",
            "add {h}, {y}", // + ch(e, f, g)
            "add {h}, {x}", // + Σ1(e): the new e
            "andn {sum}, {bc}, {b}",
            "rorx {x}, {a}, 28",
            "sub {sum}, {d}",
            "mov {d}, {b}",
            "rorx {y}, {a}, 34",
            "xor {d}, {a}", // the next b ⊕ c
            "and {bc}, {a}",
            "xor {x}, {y}",
            "add {sum}, {bc}", // + maj(a, b, c)
            "rorx {y}, {a}, 39",
            "add {sum}, {h}", // T1
            "xor {x}, {y}",
            "add {sum}, {x}", // + Σ0(a): the new a
            a = in(reg) a,
            b = in(reg) b,
            d = inout(reg) d => *b_xor_c,
            e = in(reg) e,
            f = in(reg) f,
            g = in(reg) g,
            h = inout(reg) h => next_e,
            bc = inout(reg) *b_xor_c => _,
            sum = out(reg) next_a,
            x = out(reg) _,
            y = out(reg) _,
            wk = in(reg) wk.as_ptr(),
            i = const 8 * I,
            options(pure, readonly, nostack),
        );
    }
    (next_e, next_a)
}
