//! An implementation from elsewhere against the portable one: what users run on their own.
//!
//! It is tried at the boundaries that its description states and at [`COUNTS`]. What is wrong is
//! returned, not panicked: the caller may have another implementation to fall back on.

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
pub const COUNTS: [usize; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300,
    1023, 1024, 1025, 2000, 10_000,
];

/// The most blocks that meet every value of every other dimension: longer inputs are tried once.
const SHORT: usize = 300;

/// The largest boundaries that are tried: bytes of steps, blocks of counters, lanes.
const LARGEST: [usize; 3] = [4 << 20, 1 << 10, 1 << 10];

/// Refuses a description with boundaries too large to be tried.
///
/// # Errors
/// [`Mismatch`] in `implementation`.
pub fn within_reach(row: &Implementation) -> Result<(), Mismatch> {
    let stated = [row.steps, row.counters, row.lanes];
    for ((name, stated), largest) in ["steps", "counters", "lanes"]
        .iter()
        .zip(stated)
        .zip(LARGEST)
    {
        let case = format_args!("{name} {stated:?} go beyond {largest}");
        let within = stated.iter().all(|size| *size <= largest);
        same("implementation", &within, &true, case)?;
    }
    Ok(())
}

/// Numbers of blocks of so many bytes, of this implementation and [`COUNTS`].
///
/// # Errors
/// As [`within_reach`].
pub fn counts(block: usize, row: &Implementation) -> Result<Vec<usize>, Mismatch> {
    within_reach(row)?;
    let lengths = boundaries::lengths(block, [row]);
    let whole = lengths.iter().map(|len| len / block);
    Ok(sorted(whole.chain(COUNTS).collect()))
}

fn sorted(mut counts: Vec<usize>) -> Vec<usize> {
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// Numbers of items of batches that are tried of every implementation.
const BATCHES: [usize; 17] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65];

/// Sizes of batches at either end, where there are more than twice as many.
const MANY: usize = 32;

/// Batches of some of these items, by their places: of as many as the implementation states lanes, of
/// `BATCHES` and of all of them; of very many sizes the smallest and the largest. Each item is in
/// several.
///
/// # Errors
/// As [`within_reach`].
pub fn batches(items: usize, row: &Implementation) -> Result<Vec<Vec<usize>>, Mismatch> {
    within_reach(row)?;
    let stated = boundaries::counts([row]);
    let mut sizes = sorted(stated.into_iter().chain(BATCHES).chain([items]).collect());
    if sizes.len() > 2 * MANY {
        sizes.drain(MANY..sizes.len() - MANY);
    }
    let mut places = (0..items).cycle();
    Ok(sizes
        .iter()
        .map(|size| places.by_ref().take(*size).collect())
        .collect())
}

/// [`boundaries::pairs`] of numbers of blocks, offsets and other dimensions; the longest inputs once
/// each, and a few blocks at every offset in a line.
pub fn cases<const N: usize>(seed: u64, dimensions: [&[usize]; N]) -> Vec<[usize; N]> {
    let every: [usize; 64] = array::from_fn(|i| i);
    let counts = dimensions[0];
    let (short, long) = counts.split_at(counts.partition_point(|count| *count <= SHORT));
    let mut of_short = dimensions;
    of_short[0] = short;
    let mut cases = boundaries::pairs(seed, of_short);
    for (i, count) in long.iter().enumerate() {
        let mut case = dimensions.map(|values| values[i % values.len()]);
        case[0] = *count;
        cases.push(case);
    }
    let mut everywhere = dimensions;
    (everywhere[0], everywhere[1]) = (&[1, 2, 17], &every);
    cases.extend(boundaries::pairs(seed, everywhere));
    cases
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
pub fn bytes(rng: &mut TestRng, content: usize, len: usize) -> Vec<u8> {
    let mut bytes = rng.bytes(len);
    match content {
        1 => bytes.fill(0xff),
        2 => bytes.fill(0),
        _ => {}
    }
    bytes
}

/// How many contents there are.
pub const CONTENTS: [usize; 3] = [0, 1, 2];

/// Checks the compression function `own`, described by `of_own`, of a hash that begins with `iv` and has
/// blocks of `LEN` bytes.
///
/// # Errors
/// The first [`Mismatch`].
pub fn compression<T: Word, const LEN: usize>(
    of_own: &Implementation,
    iv: [T; 8],
    own: impl Fn(&mut [T; 8], &[[u8; LEN]]),
    portable: impl Fn(&mut [T; 8], &[[u8; LEN]]),
) -> Result<(), Mismatch> {
    const IV: usize = CONTENTS.len();
    let mut rng = TestRng::new(1);
    let counts = counts(LEN, of_own)?;
    let dimensions: [&[usize]; 4] = [&counts, &OFFSETS, &[0, 1, 2, IV], &CONTENTS];
    for [count, offset, of_state, of_blocks] in cases(1, dimensions) {
        let words = bytes(&mut rng, of_state, 64);
        let start: [T; 8] = match of_state {
            IV => iv,
            _ => array::from_fn(|i| {
                T::from_u64(u64::from_le_bytes(array::from_fn(|j| words[8 * i + j])))
            }),
        };
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

/// Checks a block cipher, `own`, described by `of_own`, in all its methods, beside one under the same
/// key.
///
/// # Errors
/// The first [`Mismatch`].
pub fn block_cipher(
    of_own: &Implementation,
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
    let counts = counts(16, of_own)?;
    let functions: [usize; FUNCTIONS.len()] = array::from_fn(|i| i);
    let dimensions: [&[usize]; 5] = [&counts, &OFFSETS, &functions, &CONTENTS, &CONTENTS];
    for [count, offset, function, of_data, of_start] in cases(2, dimensions) {
        let mut data = bytes(&mut rng, of_data, 16 * count);
        let start = bytes(&mut rng, of_start, 16);
        let start: [u8; 16] = array::from_fn(|i| start[i]);
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

    let distances = boundaries::distances(boundaries::group([of_own]).max(32));
    let widths: [usize; 17] = array::from_fn(|i| i);
    let dimensions: [&[usize]; 5] = [
        &counts,
        &OFFSETS,
        &distances,
        &[8, 16, 24, 32, 64, 120, 128],
        &widths,
    ];
    for [count, offset, distance, wrap, width] in cases(3, dimensions) {
        let mut data = rng.bytes(16 * count);
        let start = match wrap {
            128 => 0_u128.wrapping_sub(distance as u128),
            _ => before_wrap(u128::from_be_bytes(rng.array()), wrap, distance),
        };
        let start = start.to_be_bytes();
        let (mut counter, mut expected) = (start, (data.clone(), start));
        portable.ctr(&mut expected.1, width, expected.0.as_chunks_mut().0);
        in_place(&mut data, offset, |data| {
            own.ctr(&mut counter, width, data.as_chunks_mut().0);
        });
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
        let check = |own: &dyn Fn(&mut [u64; 8], &[[u8; 8]])| compression(&ROW, [9; 8], own, toy);
        assert_eq!(check(&toy), Ok(()));
        let faults: [&dyn Fn(&mut [u64; 8], &[[u8; 8]]); 8] = [
            &|state, blocks| {
                let begins = *state == [9; 8];
                toy(state, blocks);
                state[0] ^= u64::from(begins);
            },
            &|state, blocks| {
                toy(state, blocks);
                state[0] ^= u64::from(blocks.len() == 10 || blocks.len() > 5000);
            },
            &|state, blocks| {
                let misaligned = blocks.as_ptr() as usize % 64 == 52 && !blocks.is_empty();
                toy(state, blocks);
                state[0] ^= u64::from(misaligned);
            },
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

    #[test]
    fn boundaries_are_tried_or_refused() {
        static NONE: Implementation = Implementation::new("none", Features::NONE);
        static TRIED: Implementation = NONE.steps(&[0, 1 << 20]).lanes(&[0, 1000]);
        static REFUSED: [Implementation; 3] = [
            NONE.steps(&[usize::MAX]),
            NONE.counters(&[1 << 20]),
            NONE.lanes(&[usize::MAX]),
        ];
        assert_eq!(compression(&TRIED, [9; 8], toy, toy), Ok(()));
        let long = |state: &mut [u64; 8], blocks: &[[u8; 8]]| {
            toy(state, blocks);
            state[0] ^= u64::from(blocks.len() == 1 << 17);
        };
        assert!(compression(&TRIED, [9; 8], long, toy).is_err());
        for row in &REFUSED {
            let mismatch = compression(row, [9; 8], toy, toy).unwrap_err();
            assert_eq!(mismatch.function, "implementation");
            assert!(batches(10, row).is_err());
        }
        let batches = batches(10, &TRIED).unwrap();
        assert!(
            [0, 1, 10, 999, 1000, 1001]
                .iter()
                .all(|size| batches.iter().any(|b| b.len() == *size))
        );
        assert!((0..10).all(|item| batches.iter().filter(|b| b.contains(&item)).count() > 2));
    }

    static AES: Implementation = Implementation::new("toy", Features::NONE).counters(&[40]);

    /// A toy cipher, and the function that is wrong in it.
    struct Toy(&'static str);

    impl BlockCipher for Toy {
        type Block = [u8; 16];

        fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            let wrong = match self.0 {
                "encrypt_blocks" => blocks.len() > 32,
                "zeros" => blocks.contains(&[0; 16]),
                "ones" => blocks.contains(&[0xff; 16]),
                _ => false,
            };
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
            let start = u128::from_be_bytes(*counter);
            let before_wrap = |bits: u32| {
                1_u128
                    .checked_shl(bits)
                    .unwrap_or(0)
                    .wrapping_sub(start & (u128::MAX >> (128 - bits)))
            };
            // Counters of hardware have 32 bits, some of it.
            let last = if self.0 == "ctr" { width.min(4) } else { width };
            Loops(&Toy("")).ctr(counter, last, blocks);
            let wrong = match self.0 {
                "ctr of a group" => (34..40).contains(&before_wrap(8)) && blocks.len() > 40,
                "ctr late in 32 blocks" => (25..31).contains(&before_wrap(32)) && blocks.len() > 31,
                "ctr of 128 bits" => {
                    width == 16 && start.checked_add(blocks.len() as u128).is_none()
                }
                "ctr of 5 bytes" => width == 5,
                _ => false,
            };
            if wrong && let [first, ..] = blocks {
                first[0] ^= 1;
            }
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
        let check = |fault| block_cipher(&AES, &Toy(fault), &Toy(""));
        assert_eq!(check(""), Ok(()));
        for fault in ["encrypt_blocks", "decrypt_blocks", "ctr"] {
            let mismatch = check(fault).unwrap_err();
            assert!(mismatch.to_string().contains("blocks, "), "{mismatch}");
        }
        for fault in [
            "ctr",
            "ctr of a group",
            "ctr late in 32 blocks",
            "ctr of 128 bits",
            "ctr of 5 bytes",
        ] {
            assert_eq!(check(fault).unwrap_err().function, "ctr", "{fault}");
        }
        assert!(check("zeros").is_err() && check("ones").is_err());
    }
}
