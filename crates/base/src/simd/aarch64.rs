//! The registers of ARM64.

use core::arch::aarch64::*;

macro_rules! load_store {
    ($($load:ident $store:ident [$word:ident; $n:literal] $vector:ident $from:ident $to:ident;)*) => { $(
        #[doc = concat!("Loads a vector of `", stringify!($word), "`; no alignment is needed.")]
        #[inline]
        #[must_use]
        #[target_feature(enable = "neon")]
        #[allow(unsafe_code)]
        pub fn $load(from: &[$word; $n]) -> $vector {
            // SAFETY: `from` is valid for reads of exactly the register's size.
            unsafe { $from(from.as_ptr()) }
        }

        #[doc = concat!("Stores a vector of `", stringify!($word), "`; no alignment is needed.")]
        #[inline]
        #[target_feature(enable = "neon")]
        #[allow(unsafe_code)]
        pub fn $store(to: &mut [$word; $n], vector: $vector) {
            // SAFETY: `to` is valid for writes of exactly the register's size.
            unsafe { $to(to.as_mut_ptr(), vector) }
        }
    )* };
}
load_store! {
    load_u8 store_u8 [u8; 16] uint8x16_t vld1q_u8 vst1q_u8;
    load_u16 store_u16 [u16; 8] uint16x8_t vld1q_u16 vst1q_u16;
    load_u32 store_u32 [u32; 4] uint32x4_t vld1q_u32 vst1q_u32;
    load_u64 store_u64 [u64; 2] uint64x2_t vld1q_u64 vst1q_u64;
    load_i16 store_i16 [i16; 8] int16x8_t vld1q_s16 vst1q_s16;
    load_i32 store_i32 [i32; 4] int32x4_t vld1q_s32 vst1q_s32;
}

/// Loads four blocks of four words: vector `i` has word `i` of each.
#[inline]
#[must_use]
#[target_feature(enable = "neon")]
#[allow(unsafe_code)]
pub fn load_words(from: &[[u8; 16]; 4]) -> [uint32x4_t; 4] {
    // SAFETY: `from` is valid for reads of exactly the four registers' size, and the instruction
    // asks for no alignment.
    let uint32x4x4_t(a, b, c, d) = unsafe { vld4q_u32(from.as_ptr().cast()) };
    [a, b, c, d]
}

macro_rules! in_order {
    ($name:ident $vector:ident $($word:ident)*) => {
        /// Keeps what was computed before these registers apart from what is computed from
        /// them: compilers like to gather what a kernel has interleaved with care.
        ///
        /// Calls keep their order among each other.
        #[inline]
        #[target_feature(enable = "neon")]
        #[allow(unsafe_code)]
        pub fn $name([$($word),*]: &mut [$vector; [$(stringify!($word)),*].len()]) {
            // SAFETY: the block is empty.
            unsafe {
                core::arch::asm!(
                    concat!("/*" $(, " {", stringify!($word), ":v}")*, " */"),
                    $($word = inout(vreg) *$word,)*
                    options(nomem, nostack, preserves_flags)
                );
            }
        }
    };
}
in_order!(in_order3 uint64x2_t a b c);
in_order!(in_order8 uint8x16_t a b c d e f g h);

/// The same vector, kept apart as by [`in_order3`].
#[inline]
#[must_use]
#[target_feature(enable = "neon")]
#[allow(unsafe_code)]
pub fn in_order(mut vector: uint64x2_t) -> uint64x2_t {
    // SAFETY: the block is empty.
    unsafe {
        core::arch::asm!(
            "/* {0:v} */",
            inout(vreg) vector,
            options(nomem, nostack, preserves_flags)
        );
    }
    vector
}

/// The same vector, which the compiler takes for another. If it sees where the halves come from it
/// loads or computes each by itself, as a number.
#[inline]
#[must_use]
#[target_feature(enable = "neon")]
#[allow(unsafe_code)]
pub fn whole(mut vector: uint64x2_t) -> uint64x2_t {
    // SAFETY: the block is empty.
    unsafe {
        core::arch::asm!(
            "/* {0:v} */",
            inout(vreg) vector,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(unsafe_code)]
    fn misaligned_round_trips() {
        let bytes: [u8; 48] = core::array::from_fn(|i| i as u8);
        for offset in 0..16 {
            let from: &[u8; 16] = bytes[offset..][..16].try_into().unwrap();
            let mut to = [0u8; 16];
            // SAFETY: NEON is part of every CPU that Rust's targets for ARM64 run on.
            unsafe { store_u8(&mut to, load_u8(from)) };
            assert_eq!(&to, from);
        }
        let words = [1u64, u64::MAX];
        let mut to = [0; 2];
        // SAFETY: as above.
        unsafe { store_u64(&mut to, load_u64(&words)) };
        assert_eq!(to, words);
    }

    #[test]
    #[allow(unsafe_code)]
    fn words_of_blocks() {
        let lines: [u8; 65] = core::array::from_fn(|i| i as u8);
        let blocks = lines[1..].as_chunks().0.first_chunk().unwrap();
        // SAFETY: NEON is part of every CPU that Rust's targets for ARM64 run on.
        let words = unsafe { load_words(blocks) };
        for (i, vector) in words.into_iter().enumerate() {
            let mut to = [0; 4];
            // SAFETY: as above.
            unsafe { store_u32(&mut to, vector) };
            let word = |b: usize| u32::from_le_bytes([0, 1, 2, 3].map(|j| blocks[b][4 * i + j]));
            assert_eq!(to, [0, 1, 2, 3].map(word));
        }
    }
}
