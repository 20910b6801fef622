//! An implementation from elsewhere against the portable one: what users run on their own.
//!
//! It is tried at the boundaries that its description states and at [`COUNTS`]. What is wrong is returned, not panicked: the caller may have another
//! implementation to fall back on.

use crate::TestRng;
use crate::boundaries::{self, OFFSETS, before_wrap, in_place};
use adamant_base::{BlockCipher, Implementation};
use alloc::{format, string::String, vec::Vec};
use core::array;
use core::fmt;

/// The first case in which an implementation differs from the portable one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The function.
    pub function: &'static str,
    /// The case.
    pub case: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { function, case } = self;
        write!(f, "{function} differs from the portable one: {case}")
    }
}

impl core::error::Error for Mismatch {}

/// Compares one result of a function with that of the portable implementation.
///
/// ```
/// use adamant_testkit::conformance::same;
/// assert!(same("sum", &7, &7, format_args!("3 and 4")).is_ok());
/// let mismatch = same("sum", &6, &7, format_args!("3 and 4")).unwrap_err();
/// assert_eq!(mismatch.to_string(), "sum differs from the portable one: 3 and 4");
/// ```
///
/// # Errors
/// [`Mismatch`] where they differ.
pub fn same<T: PartialEq + ?Sized>(
    function: &'static str,
    result: &T,
    expected: &T,
    case: fmt::Arguments<'_>,
) -> Result<(), Mismatch> {
    if result == expected {
        return Ok(());
    }
    let case = format!("{case}");
    Err(Mismatch { function, case })
}

/// Numbers of blocks that are tried of every implementation: whoever states no steps has some.
pub const COUNTS: [usize; 14] = [3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 300];

/// Numbers of blocks of so many bytes, of these implementations and [`COUNTS`].
pub fn counts<'a>(
    block: usize,
    implementations: impl IntoIterator<Item = &'a Implementation>,
) -> Vec<usize> {
    let lengths = boundaries::lengths(block, implementations);
    let whole = lengths.iter().map(|len| len / block);
    let mut counts: Vec<usize> = whole.chain(COUNTS).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// A word of a hash's state.
pub trait Word: Copy + PartialEq {
    /// From the low bits.
    fn from_u64(word: u64) -> Self;
}

impl Word for u32 {
    fn from_u64(word: u64) -> Self {
        word as u32
    }
}

impl Word for u64 {
    fn from_u64(word: u64) -> Self {
        word
    }
}

/// Bytes of some content: random ones, or all bits alike, with which sums carry through or nowhere.
fn bytes(rng: &mut TestRng, content: usize, len: usize) -> Vec<u8> {
    let mut bytes = rng.bytes(len);
    match content {
        0 => {}
        1 => bytes.fill(0xff),
        _ => bytes.fill(0),
    }
    bytes
}

/// How many contents there are.
const CONTENTS: [usize; 3] = [0, 1, 2];

/// Checks the compression function `own`, described by `of_own`, of a hash with blocks of `LEN` bytes.
///
/// # Errors
/// The first [`Mismatch`].
pub fn compression<T: Word, const LEN: usize>(
    of_own: &Implementation,
    own: impl Fn(&mut [T; 8], &[[u8; LEN]]),
    portable: impl Fn(&mut [T; 8], &[[u8; LEN]]),
) -> Result<(), Mismatch> {
    let mut rng = TestRng::new(1);
    let counts = counts(LEN, [of_own]);
    let dimensions: [&[usize]; 4] = [&counts, &CONTENTS, &CONTENTS, &OFFSETS];
    for [count, of_state, of_blocks, offset] in boundaries::pairs(1, dimensions) {
        let words = bytes(&mut rng, of_state, 64);
        let start: [T; 8] = array::from_fn(|i| {
            T::from_u64(u64::from_le_bytes(array::from_fn(|j| words[8 * i + j])))
        });
        let mut blocks = bytes(&mut rng, of_blocks, count * LEN);
        let (mut state, mut expected) = (start, start);
        portable(&mut expected, blocks.as_chunks().0);
        in_place(&mut blocks, offset, |blocks| {
            own(&mut state, blocks.as_chunks().0)
        });
        let case = format_args!("{count} blocks, {offset} bytes after the start of a line");
        same("compress", &state, &expected, case)?;
    }
    Ok(())
}

/// Checks a block cipher, `own`, in all its methods, beside one under the same key.
///
/// # Errors
/// The first [`Mismatch`].
pub fn block_cipher(
    own: &(impl BlockCipher<Block = [u8; 16]> + ?Sized),
    portable: &(impl BlockCipher<Block = [u8; 16]> + ?Sized),
) -> Result<(), Mismatch> {
    const FUNCTIONS: [&str; 7] = [
        "encrypt_blocks",
        "decrypt_blocks",
        "cbc_encrypt",
        "cbc_decrypt",
        "cbc_mac",
        "xts_encrypt",
        "xts_decrypt",
    ];
    let mut rng = TestRng::new(2);
    let counts = counts(16, []);
    let functions: [usize; FUNCTIONS.len()] = array::from_fn(|i| i);
    let dimensions: [&[usize]; 3] = [&counts, &functions, &OFFSETS];
    for [count, function, offset] in boundaries::pairs(2, dimensions) {
        let (mut data, start): (_, [u8; 16]) = (rng.bytes(16 * count), rng.array());
        let mut expected = (data.clone(), start);
        apply(
            portable,
            function,
            &mut expected.1,
            expected.0.as_chunks_mut().0,
        );
        let mut chain = start;
        in_place(&mut data, offset, |data| {
            apply(own, function, &mut chain, data.as_chunks_mut().0);
        });
        let case = format_args!("{count} blocks, {offset} bytes after the start of a line");
        same(FUNCTIONS[function], &(data, chain), &expected, case)?;
    }

    let distances = boundaries::distances(8);
    let dimensions: [&[usize]; 4] = [
        &counts,
        &distances,
        &[8, 16, 24, 32, 64, 120],
        &[0, 1, 2, 3, 4, 8, 16],
    ];
    for [count, distance, wrap, width] in boundaries::pairs(3, dimensions) {
        let mut data = rng.bytes(16 * count);
        let start = before_wrap(u128::from_be_bytes(rng.array()), wrap, distance).to_be_bytes();
        let (mut counter, mut expected) = (start, (data.clone(), start));
        portable.ctr(&mut expected.1, width, expected.0.as_chunks_mut().0);
        own.ctr(&mut counter, width, data.as_chunks_mut().0);
        let case = format_args!(
            "{count} blocks, the counter's low {wrap} bits run over after {distance}, its width is \
             {width} bytes"
        );
        same("ctr", &(data, counter), &expected, case)?;
    }
    Ok(())
}

/// One of the functions on whole blocks, by its number.
fn apply(
    cipher: &(impl BlockCipher<Block = [u8; 16]> + ?Sized),
    function: usize,
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) {
    match function {
        0 => cipher.encrypt_blocks(blocks),
        1 => cipher.decrypt_blocks(blocks),
        2 => cipher.cbc_encrypt(chain, blocks),
        3 => cipher.cbc_decrypt(chain, blocks),
        4 => cipher.cbc_mac(chain, blocks),
        5 => cipher.xts_encrypt(chain, blocks),
        _ => cipher.xts_decrypt(chain, blocks),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_base::cpu::Features;

    static ROW: Implementation = Implementation::new("toy", Features::NONE).steps(&[8 * 40]);

    /// A toy compression function: what its sums do with carries shows.
    fn toy(state: &mut [u64; 8], blocks: &[[u8; 8]]) {
        for block in blocks {
            for word in &mut *state {
                *word = word.rotate_left(9).wrapping_add(u64::from_le_bytes(*block));
            }
            state.rotate_left(1);
        }
    }

    #[test]
    fn faults_of_compression_are_found() {
        let check = |own: &dyn Fn(&mut [u64; 8], &[[u8; 8]])| compression(&ROW, own, toy);
        assert_eq!(check(&toy), Ok(()));
        let faults: [&dyn Fn(&mut [u64; 8], &[[u8; 8]]); 5] = [
            &|state, blocks| match blocks {
                [] => state[0] ^= 1,
                _ => toy(state, blocks),
            },
            &|state, blocks| toy(state, &blocks[..blocks.len().min(1)]),
            &|state, blocks| toy(state, &blocks[..blocks.len().min(39)]),
            &|state, blocks| {
                let misaligned = blocks.as_ptr() as usize % 16 == 15;
                toy(state, blocks);
                state[0] ^= u64::from(misaligned);
            },
            // No carry leaves the lower half.
            &|state, blocks| {
                for block in blocks {
                    let block = u64::from_le_bytes(*block);
                    for word in &mut *state {
                        let turned = word.rotate_left(9);
                        let low = (turned as u32).wrapping_add(block as u32);
                        *word = (turned >> 32).wrapping_add(block >> 32) << 32 | u64::from(low);
                    }
                    state.rotate_left(1);
                }
            },
        ];
        for (i, own) in faults.iter().enumerate() {
            assert!(check(own).is_err(), "{i}");
        }
    }

    /// A toy cipher, and the function that is wrong in it.
    struct Toy(&'static str);

    impl BlockCipher for Toy {
        type Block = [u8; 16];

        fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            let wrong = self.0 == "encrypt_blocks" && blocks.len() > 32;
            for block in blocks {
                *block =
                    (u128::from_le_bytes(*block).wrapping_mul(3) ^ u128::from(wrong)).to_le_bytes();
            }
        }
        fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            const THIRD: u128 = u128::MAX / 3 * 2 + 1;
            for block in blocks {
                let number = u128::from_le_bytes(*block) ^ u128::from(self.0 == "decrypt_blocks");
                *block = number.wrapping_mul(THIRD).to_le_bytes();
            }
        }
        fn ctr(&self, counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]]) {
            // Counters of hardware have 32 bits, some of it.
            let width = if self.0 == "ctr" { width.min(4) } else { width };
            Loops(&Toy("")).ctr(counter, width, blocks);
        }
    }

    /// The methods that the trait gives.
    struct Loops<'a>(&'a Toy);

    impl BlockCipher for Loops<'_> {
        type Block = [u8; 16];

        fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            self.0.encrypt_blocks(blocks);
        }
        fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            self.0.decrypt_blocks(blocks);
        }
    }

    #[test]
    fn faults_of_ciphers_are_found() {
        let check = |fault| block_cipher(&Toy(fault), &Toy(""));
        assert_eq!(check(""), Ok(()));
        for fault in ["encrypt_blocks", "decrypt_blocks", "ctr"] {
            let mismatch = check(fault).unwrap_err();
            assert!(mismatch.to_string().contains("blocks, "), "{mismatch}");
        }
        assert_eq!(check("ctr").unwrap_err().function, "ctr");
    }
}
