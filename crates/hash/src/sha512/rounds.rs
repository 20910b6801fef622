//! The rounds of SHA-512 in the general registers of x86-64 (BMI1 and BMI2), for implementations
//! that have W\[t\] + K\[t\] in memory.
//!
//! What this does differently from the portable code:
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

    /// Behind the last round: adds the working variables to the state.
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
        let h = next_e::<I, N>([d, e, f, g, h], wk);
        let d = next_a([a, b, d], &mut self.b_xor_c, h);
        let g = next_e::<J, N>([c, h, e, f, g], wk);
        let c = next_a([d, a, c], &mut self.b_xor_c, g);
        self.v = [c, d, a, b, g, h, e, f];
    }
}

/// A round's new e, with W\[t\] + K\[t\] at `wk[I]`.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
#[allow(unsafe_code)] // The round is in assembly.
fn next_e<const I: usize, const N: usize>([d, e, f, g, h]: [u64; 5], wk: &[u64; N]) -> u64 {
    const { assert!(I < N) };
    let next;
    // SAFETY: the block reads the word I of `wk`, and changes the named registers and the flags.
    unsafe {
        core::arch::asm!(
            "add {h}, qword ptr [{wk} + {i}]",
            "mov {x}, {e}",
            "and {x}, {f}",
            "add {h}, {d}",
            "andn {y}, {e}, {g}",
            "add {h}, {x}",
            "rorx {x}, {e}, 14",
            "add {h}, {y}", // + ch(e, f, g)
            "rorx {y}, {e}, 18",
            "xor {x}, {y}",
            "rorx {y}, {e}, 41",
            "xor {x}, {y}",
            "add {h}, {x}", // + Σ1(e)
            d = in(reg) d,
            e = in(reg) e,
            f = in(reg) f,
            g = in(reg) g,
            h = inout(reg) h => next,
            x = out(reg) _,
            y = out(reg) _,
            wk = in(reg) wk.as_ptr(),
            i = const 8 * I,
            options(pure, readonly, nostack),
        );
    }
    next
}

/// A round's new a; `b_xor_c` becomes the next one.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
#[allow(unsafe_code)] // The round is in assembly.
fn next_a([a, b, d]: [u64; 3], b_xor_c: &mut u64, next_e: u64) -> u64 {
    let next;
    // SAFETY: the block changes the named registers and the flags alone.
    unsafe {
        core::arch::asm!(
            "andn {sum}, {bc}, {b}",
            "and {bc}, {a}",
            "sub {sum}, {d}",
            "mov {d}, {a}",
            "xor {d}, {b}",
            "rorx {x}, {a}, 28",
            "rorx {y}, {a}, 34",
            "xor {x}, {y}",
            "rorx {y}, {a}, 39",
            "add {sum}, {e}", // T1
            "xor {x}, {y}",
            "add {sum}, {bc}", // + maj(a, b, c)
            "add {sum}, {x}", // + Σ0(a)
            a = in(reg) a,
            b = in(reg) b,
            d = inout(reg) d => *b_xor_c,
            e = in(reg) next_e,
            bc = inout(reg) *b_xor_c => _,
            sum = out(reg) next,
            x = out(reg) _,
            y = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    next
}
