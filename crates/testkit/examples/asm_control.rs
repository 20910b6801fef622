//! Functions of known shape, which `tests/asm_scan.rs` expects the scan to tell apart.

use adamant_base::ct::Choice;
use std::hint::black_box;

fn main() {
    let x = black_box(3);
    black_box((
        leaky::branch(x),
        leaky::jump_table(x),
        leaky::indirect_call(x),
    ));
    black_box((
        leaky::division(x),
        leaky::comparison(&[1; 40], &black_box([1; 40])),
    ));
    black_box((
        leaky::in_callee(x),
        clean::choice(x),
        clean::blocks(black_box(&[x; 9][..])),
    ));
    for backend in kernel::Backend::available() {
        black_box(backend.mix(x));
    }
}

/// What must be found.
mod leaky {
    use super::black_box;

    #[inline(never)]
    pub(super) fn branch(secret: u64) -> u64 {
        if secret & 1 == 1 {
            black_box(5)
        } else {
            secret
        }
    }

    #[inline(never)]
    pub(super) fn jump_table(secret: u64) -> u64 {
        match secret & 7 {
            0 => black_box(secret + 1),
            1 => black_box(secret * 9),
            2 => black_box(secret ^ 77),
            3 => black_box(secret.rotate_left(3)),
            4 => black_box(!secret),
            5 => black_box(secret >> 3),
            6 => black_box(secret.swap_bytes()),
            _ => black_box(secret.reverse_bits()),
        }
    }

    #[inline(never)]
    pub(super) fn indirect_call(secret: u64) -> u64 {
        const TABLE: [fn(u64) -> u64; 2] = [branch, jump_table];
        TABLE[secret as usize & 1](secret)
    }

    #[inline(never)]
    pub(super) fn division(secret: u64) -> u64 {
        1_000_000 / (secret | 1)
    }

    #[inline(never)]
    pub(super) fn comparison(a: &[u8], b: &[u8; 40]) -> bool {
        a == b
    }

    /// Has no jump itself.
    #[inline(never)]
    pub(super) fn in_callee(secret: u64) -> u64 {
        branch(secret) ^ 1
    }
}

/// What must pass.
mod clean {
    use super::Choice;

    #[inline(never)]
    pub(super) fn choice(secret: u64) -> u64 {
        Choice::from_bit(secret & 1).select_u64(5, secret)
    }

    /// A loop over a public number of words.
    #[inline(never)]
    pub(super) fn blocks(words: &[u64]) -> u64 {
        words
            .iter()
            .fold(1, |a, &w| choice(w).wrapping_mul(a).rotate_left(7))
    }
}

/// A table in which one row leaks.
mod kernel {
    adamant_base::backends! {
        /// Mixes a secret.
        pub(super) struct Backend {
            /// One step.
            fn mix(x: u64) -> u64;
        }
        #[cfg(target_arch = "x86_64")]
        x86_popcnt if ["popcnt"];
        #[cfg(target_arch = "x86_64")]
        x86_ssse3 if ["ssse3"];
        _ => portable;
    }

    #[cfg(target_arch = "x86_64")]
    mod x86_popcnt {
        #[target_feature(enable = "popcnt")]
        pub(super) fn mix(x: u64) -> u64 {
            if x.count_ones() > 5 {
                super::super::black_box(1)
            } else {
                x ^ 3
            }
        }
    }
    #[cfg(target_arch = "x86_64")]
    mod x86_ssse3 {
        #[target_feature(enable = "ssse3")]
        pub(super) fn mix(x: u64) -> u64 {
            x.swap_bytes() ^ 3
        }
    }
    mod portable {
        pub(super) fn mix(x: u64) -> u64 {
            x.wrapping_mul(9) ^ 3
        }
    }
}
