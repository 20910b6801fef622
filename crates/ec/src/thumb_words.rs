//! Products of numbers of eight words in the instructions that every 32-bit ARM core has, the smallest too:
//! registers `r0` to `r7`, and a multiplication that keeps the low 32 bits. A product of two words is
//! four of their halves.
//!
//! Compilers give these eight registers to addresses and carries and have none left for words: here the
//! factors are on the stack, and columns of products are added up in three registers, the lowest word
//! first.

#![allow(unsafe_code)] // assembly

use core::arch::naked_asm;
use core::mem::MaybeUninit;

/// The halves of the words at `[sp, $i]` and `[sp, $j]`, and from them the product of the words in
/// `r4` and `r3`, as the text of the assembly. `r0` to `r2` are overwritten.
#[rustfmt::skip] // an instruction a line
macro_rules! thumb_product {
    ($i:literal, $j:literal) => {
        concat!(
            "ldr r0, [sp, #4*(", $i, ")]\n",
            "ldr r1, [sp, #4*(", $j, ")]\n",
            "uxth r2, r0\n",
            "lsrs r0, r0, #16\n",
            "lsrs r3, r1, #16\n",
            "uxth r1, r1\n",
            "movs r4, r1\n",
            "muls r4, r2, r4\n",
            "muls r2, r3, r2\n",
            "muls r3, r0, r3\n",
            "muls r1, r0, r1\n",
            "lsls r0, r2, #16\n",
            "lsrs r2, r2, #16\n",
            "adds r4, r4, r0\n",
            "adcs r3, r2\n",
            "lsls r0, r1, #16\n",
            "lsrs r1, r1, #16\n",
            "adds r4, r4, r0\n",
            "adcs r3, r1\n",
        )
    };
}

/// Adds the products of these words to the column `$c0`, `$c1`, `$c2`, of which the last begins at zero;
/// its lowest word is at `[r12, $at]`.
#[rustfmt::skip] // an instruction a line
macro_rules! thumb_column {
    ($c0:literal $c1:literal $c2:literal, $at:literal; $($i:literal $j:literal),*) => {
        concat!(
            "movs ", $c2, ", #0\n",
            $(
                thumb_product!($i, $j),
                "movs r0, #0\n",
                "adds ", $c0, ", ", $c0, ", r4\n",
                "adcs ", $c1, ", r3\n",
                "adcs ", $c2, ", r0\n",
            )*
            "mov r0, r12\n",
            "str ", $c0, ", [r0, #4*", $at, "]\n",
        )
    };
}

/// Keeps what the caller wants back and where the result goes, and has the eight words at `r1` on the
/// stack, as the text of the assembly; `thumb_end` is its other end.
#[rustfmt::skip] // an instruction a line
macro_rules! thumb_begin {
    ($words:literal) => {
        concat!(
            "push {{r4, r5, r6, r7, lr}}\n",
            "sub sp, #4*", $words, "\n",
            "mov r12, r0\n",
            "mov r0, sp\n",
            "ldm r1!, {{r4, r5, r6, r7}}\n",
            "stm r0!, {{r4, r5, r6, r7}}\n",
            "ldm r1!, {{r4, r5, r6, r7}}\n",
            "stm r0!, {{r4, r5, r6, r7}}\n",
        )
    };
}
#[rustfmt::skip] // an instruction a line
macro_rules! thumb_end {
    ($words:literal) => {
        concat!(
            "add sp, #4*", $words, "\n",
            "pop {{r4, r5, r6, r7, pc}}\n",
        )
    };
}

/// Two words from `[r0]` on become twice themselves, and the carry.
#[rustfmt::skip] // an instruction a line
macro_rules! thumb_double {
    () => {
        concat!(
            "ldr r3, [r0]\n",
            "ldr r4, [r0, #4]\n",
            "adcs r3, r3\n",
            "adcs r4, r4\n",
            "stm r0!, {{r3, r4}}\n",
        )
    };
}

/// Adds the square of the word at `[sp, $i]` to the two from `[r0]` on, with the carry that is the lowest
/// bit of `r7` before and after it.
#[rustfmt::skip] // an instruction a line
macro_rules! thumb_square {
    ($i:literal) => {
        concat!(
            "ldr r2, [sp, #4*", $i, "]\n",
            "uxth r3, r2\n",
            "lsrs r2, r2, #16\n",
            "movs r1, r3\n",
            "muls r1, r2, r1\n",
            "muls r3, r3, r3\n",
            "muls r2, r2, r2\n",
            "lsls r4, r1, #17\n",
            "lsrs r1, r1, #15\n",
            "adds r3, r3, r4\n",
            "adcs r2, r1\n",
            "lsrs r7, r7, #1\n",
            "ldr r4, [r0]\n",
            "ldr r5, [r0, #4]\n",
            "adcs r4, r3\n",
            "adcs r5, r2\n",
            "stm r0!, {{r4, r5}}\n",
            "adcs r7, r7\n",
        )
    };
}

/// The product of two words of 64 bits, at `to`.
#[unsafe(naked)]
unsafe extern "C" fn multiply_two(to: *mut [u32; 4], a: u64, b: u64) {
    naked_asm!(
        // The first is in `r2` and `r3`, the second on the stack, seven words above it then.
        "push {{r2, r3, r4, r5, r6, r7, lr}}",
        "mov r12, r0",
        "movs r5, #0",
        "movs r6, #0",
        thumb_column!("r5" "r6" "r7", "0"; "0" "7"),
        thumb_column!("r6" "r7" "r5", "1"; "0" "8", "1" "7"),
        thumb_column!("r7" "r5" "r6", "2"; "1" "8"),
        "str r5, [r0, #12]",
        "add sp, #8",
        "pop {{r4, r5, r6, r7, pc}}",
    )
}

/// The product of two numbers, at `to`.
#[rustfmt::skip] // a column a line
#[unsafe(naked)]
unsafe extern "C" fn multiply(to: *mut [u32; 16], a: *const [u32; 8], b: *const [u32; 8]) {
    naked_asm!(
        concat!(
            thumb_begin!("16"),
            "ldm r2!, {{r4, r5, r6, r7}}\n",
            "stm r0!, {{r4, r5, r6, r7}}\n",
            "ldm r2!, {{r4, r5, r6, r7}}\n",
            "stm r0!, {{r4, r5, r6, r7}}\n",
            "movs r5, #0\n",
            "movs r6, #0\n",
            thumb_column!("r5" "r6" "r7", "0"; "0" "8+0"),
            thumb_column!("r6" "r7" "r5", "1"; "0" "8+1", "1" "8+0"),
            thumb_column!("r7" "r5" "r6", "2"; "0" "8+2", "1" "8+1", "2" "8+0"),
            thumb_column!("r5" "r6" "r7", "3"; "0" "8+3", "1" "8+2", "2" "8+1", "3" "8+0"),
            thumb_column!("r6" "r7" "r5", "4"; "0" "8+4", "1" "8+3", "2" "8+2", "3" "8+1", "4" "8+0"),
            thumb_column!("r7" "r5" "r6", "5"; "0" "8+5", "1" "8+4", "2" "8+3", "3" "8+2", "4" "8+1", "5" "8+0"),
            thumb_column!("r5" "r6" "r7", "6"; "0" "8+6", "1" "8+5", "2" "8+4", "3" "8+3", "4" "8+2", "5" "8+1", "6" "8+0"),
            thumb_column!("r6" "r7" "r5", "7"; "0" "8+7", "1" "8+6", "2" "8+5", "3" "8+4", "4" "8+3", "5" "8+2", "6" "8+1", "7" "8+0"),
            thumb_column!("r7" "r5" "r6", "8"; "1" "8+7", "2" "8+6", "3" "8+5", "4" "8+4", "5" "8+3", "6" "8+2", "7" "8+1"),
            thumb_column!("r5" "r6" "r7", "9"; "2" "8+7", "3" "8+6", "4" "8+5", "5" "8+4", "6" "8+3", "7" "8+2"),
            thumb_column!("r6" "r7" "r5", "10"; "3" "8+7", "4" "8+6", "5" "8+5", "6" "8+4", "7" "8+3"),
            thumb_column!("r7" "r5" "r6", "11"; "4" "8+7", "5" "8+6", "6" "8+5", "7" "8+4"),
            thumb_column!("r5" "r6" "r7", "12"; "5" "8+7", "6" "8+6", "7" "8+5"),
            thumb_column!("r6" "r7" "r5", "13"; "6" "8+7", "7" "8+6"),
            thumb_column!("r7" "r5" "r6", "14"; "7" "8+7"),
            "str r5, [r0, #4*15]\n",
            thumb_end!("16"),
        ),
    )
}

/// The square of a number, at `to`: each product of two different words once, doubled, and the squares of the
/// words.
#[rustfmt::skip] // a column a line
#[unsafe(naked)]
unsafe extern "C" fn square(to: *mut [u32; 16], a: *const [u32; 8]) {
    naked_asm!(
        concat!(
            thumb_begin!("8"),
            "movs r5, #0\n",
            "movs r6, #0\n",
            thumb_column!("r5" "r6" "r7", "1"; "0" "1"),
            thumb_column!("r6" "r7" "r5", "2"; "0" "2"),
            thumb_column!("r7" "r5" "r6", "3"; "0" "3", "1" "2"),
            thumb_column!("r5" "r6" "r7", "4"; "0" "4", "1" "3"),
            thumb_column!("r6" "r7" "r5", "5"; "0" "5", "1" "4", "2" "3"),
            thumb_column!("r7" "r5" "r6", "6"; "0" "6", "1" "5", "2" "4"),
            thumb_column!("r5" "r6" "r7", "7"; "0" "7", "1" "6", "2" "5", "3" "4"),
            thumb_column!("r6" "r7" "r5", "8"; "1" "7", "2" "6", "3" "5"),
            thumb_column!("r7" "r5" "r6", "9"; "2" "7", "3" "6", "4" "5"),
            thumb_column!("r5" "r6" "r7", "10"; "3" "7", "4" "6"),
            thumb_column!("r6" "r7" "r5", "11"; "4" "7", "5" "6"),
            thumb_column!("r7" "r5" "r6", "12"; "5" "7"),
            thumb_column!("r5" "r6" "r7", "13"; "6" "7"),
            "str r6, [r0, #4*14]\n",
            // The lowest word, and the carry of the highest, are not there yet.
            "movs r7, #0\n",
            "str r7, [r0]\n",
            "adds r7, r7, r7\n",
            thumb_double!(),
            thumb_double!(),
            thumb_double!(),
            thumb_double!(),
            thumb_double!(),
            thumb_double!(),
            thumb_double!(),
            "ldr r3, [r0]\n",
            "movs r4, #0\n",
            "adcs r3, r3\n",
            "adcs r4, r4\n",
            "stm r0!, {{r3, r4}}\n",
            "mov r0, r12\n",
            thumb_square!("0"),
            thumb_square!("1"),
            thumb_square!("2"),
            thumb_square!("3"),
            thumb_square!("4"),
            thumb_square!("5"),
            thumb_square!("6"),
            thumb_square!("7"),
            thumb_end!("8"),
        ),
    )
}

/// `a b`, the lowest word first.
#[cfg(feature = "weierstrass")]
pub(crate) fn product_of_two(a: u64, b: u64) -> [u32; 4] {
    let mut product = MaybeUninit::uninit();
    // SAFETY: the function writes all words of the product.
    unsafe {
        multiply_two(product.as_mut_ptr(), a, b);
        product.assume_init()
    }
}

/// `a b`, the lowest word first.
pub(crate) fn product(a: &[u32; 8], b: &[u32; 8]) -> [u32; 16] {
    let mut product = MaybeUninit::uninit();
    // SAFETY: the function reads two numbers and writes all words of a third.
    unsafe {
        multiply(product.as_mut_ptr(), a, b);
        product.assume_init()
    }
}

/// `a^2`.
pub(crate) fn squared(a: &[u32; 8]) -> [u32; 16] {
    let mut product = MaybeUninit::uninit();
    // SAFETY: the function reads one number and writes all words of another.
    unsafe {
        square(product.as_mut_ptr(), a);
        product.assume_init()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_testkit::TestRng;

    /// By the method of school.
    fn expected(a: &[u32; 8], b: &[u32; 8]) -> [u32; 16] {
        let mut product = [0; 16];
        for (i, a) in a.iter().enumerate() {
            let mut above = 0;
            for (j, b) in b.iter().enumerate() {
                let sum = u64::from(*a) * u64::from(*b) + u64::from(product[i + j]) + above;
                product[i + j] = sum as u32;
                above = sum >> 32;
            }
            product[i + 8] = above as u32;
        }
        product
    }

    #[test]
    fn products() {
        let mut rng = TestRng::new(1);
        let mut numbers = vec![
            [0; 8],
            [u32::MAX; 8],
            [0xffff; 8],
            [0xffff_0000; 8],
            [1 << 31; 8],
        ];
        for i in 0..8 {
            for word in [1, 0xffff, 1 << 16, u32::MAX] {
                let mut number = [0; 8];
                number[i] = word;
                numbers.push(number);
            }
        }
        for _ in 0..40 {
            numbers.push(
                rng.array::<32>()
                    .as_chunks()
                    .0
                    .try_into()
                    .map(|words: [[u8; 4]; 8]| words.map(u32::from_le_bytes))
                    .unwrap(),
            );
        }
        for a in &numbers {
            assert_eq!(squared(a), expected(a, a), "{a:x?}^2");
            for b in &numbers {
                assert_eq!(product(a, b), expected(a, b), "{a:x?} * {b:x?}");
            }
        }
    }
}
