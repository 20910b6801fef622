//! Planted leaks, each of which following must report, and clean code, which it must not. A name
//! begins with what is to be reported, and says in which file, where that is the library's.

use adamant_testkit::taint::{Operation, public, secret};
use core::hint::black_box;

adamant_base::backends! {
    /// In code of vectors.
    pub(crate) struct Backend {
        /// Branches on a mask of lanes.
        fn branch(x: u64) -> u64;
        /// Looks up by a lane of a product.
        fn index(x: u64, table: &[u8; 256]) -> u64;
        /// Divides by a lane of a round of AES.
        fn divide(x: u64) -> u64;
        /// Looks up by a round of SHA-256.
        fn hash(x: u64, table: &[u8; 256]) -> u64;
        /// Goes on for as long as lanes are left.
        fn compress(x: u64) -> u64;
        /// Branches on a product in a binary field.
        fn field(x: u64) -> u64;
        /// Loads a vector by secret indices.
        fn gather(x: u64, table: &[i32; 64]) -> u64;
        /// None: lanes are chosen by masks, and moved by constants.
        fn clean(x: u64, y: u64, table: &[i32; 64]) -> [u64; 2];
    }
    #[cfg(target_arch = "x86_64")]
    x86_vectors if ["avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512ifma",
        "avx512vbmi2", "vaes", "gfni", "sha"];
    #[cfg(target_arch = "aarch64")]
    arm_vectors if ["neon", "aes", "sha2"];
    _ => portable;
}

macro_rules! operations {
    ($($name:literal $run:expr;)*) => {
        pub(crate) const OPERATIONS: &[Operation] = &[$(Operation {
            name: $name,
            run: || { black_box($run); },
        }),*];
    };
}

#[cfg(target_arch = "aarch64")]
mod arm_vectors;
pub(crate) mod kernels;
#[cfg(target_arch = "x86_64")]
mod x86_vectors;

mod portable {
    pub(super) fn branch(x: u64) -> u64 {
        x
    }
    pub(super) fn index(x: u64, _: &[u8; 256]) -> u64 {
        x
    }
    pub(super) use branch as divide;
    pub(super) use branch as compress;
    pub(super) use branch as field;
    pub(super) use index as hash;
    pub(super) fn gather(x: u64, _: &[i32; 64]) -> u64 {
        x
    }
    pub(super) fn clean(x: u64, y: u64, _: &[i32; 64]) -> [u64; 2] {
        [x, y]
    }
}

const BYTES: [u8; 256] = [1; 256];
const WORDS: [i32; 64] = [1; 64];

operations! {
    "Branch on a secret" if secret(1u64) == 1 { black_box("one") } else { black_box("zero") };
    "Branch in a comparison of memory" black_box(&[7u8; 40][..]) == black_box(&secret([7u8; 40])[..]);
    "Address of a load" black_box(BYTES)[usize::from(secret(1u8))];
    "Address of a store" black_box(&mut [0u8; 256])[usize::from(secret(1u8))] = 1;
    "Address of the function that is called" FUNCTIONS[usize::from(black_box(secret(1u8)) & 1)](1);
    "Time of a division" black_box(7u64) / (secret(1u64) | 1);
    "Time of a division in floating point" black_box(7f64) / f64::from_bits(secret(1u64));
    "Branch on a mask of lanes" last().branch(secret(1));
    "Address by a lane of a product" last().index(secret(1), &black_box(BYTES));
    "Time of a division by a lane of AES" last().divide(secret(1));
    "Address by a round of SHA-256" last().hash(secret(1), &black_box(BYTES));
    "Branch on the number of lanes" last().compress(secret(1));
    "Branch on a product in a field" last().field(secret(1));
    "Address of a gather" last().gather(secret(1), &black_box(WORDS));
    "Address in crates/cipher/src/aes/tab_big" kernels::aes_tables();
    "Time of a division in crates/bignum/src/modulus" kernels::reduction();
    "clean vectors" {
        let [of_secret, of_public] = last().clean(secret(3), black_box(4), &black_box(WORDS));
        public(of_secret);
        black_box(BYTES)[of_public as usize % 256]
    };
    "clean choice" {
        let choice = adamant_base::ct::Choice::eq_u64(secret(1), 1);
        assert_eq!(public(choice.select_u64(10, 20)), 10);
    };
    "clean copy" {
        let (mut copy, length) = (vec![0u8; 100], black_box(100));
        copy[..length].copy_from_slice(&secret([7u8; 100])[..length]);
        copy.resize(10_000, 3);
        black_box(BYTES)[usize::from(copy[200])]
    };
    // The last one: what is allocated by a secret size leaves secrets in the allocator.
    "Time of a division in crates/hash/src/scrypt" kernels::scrypt();
}

const FUNCTIONS: [fn(u64) -> u64; 2] = [|x| x + 1, |x| x * 3];

/// Whether this CPU has what leaks are planted in.
#[cfg(target_arch = "x86_64")]
pub(crate) fn are_here() -> bool {
    Backend::named("x86_vectors").is_some()
}

/// The row of vectors, where it is.
fn last() -> Backend {
    Backend::best()
}
