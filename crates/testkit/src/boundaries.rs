//! Inputs at which kernels go other ways, from what the rows of a table state of themselves.
//!
//! A kernel's faults lie where its paths meet: at a whole number of steps, a byte before or after,
//! at the shortest input of a longer path, where its counters carry. A row names these places
//! (`steps [64, 512] counters [32]` in [`adamant_base::backends!`]), and the tests of an operation
//! take those of all its rows together, so that each row is also tried where another changes.
//!
//! A test varies dimensions, each a list of numbers: a length, the start of a counter, the
//! length of a header, how updates are cut, how far the buffer lies from a line. [`pairs`] gives
//! cases in which every value of one dimension meets every value of every other; [`all`] gives all
//! combinations, for the long form of the same test. The expected result comes from an
//! implementation that shares no code with the rows.
//!
//! ```
//! use adamant_testkit::{TestRng, boundaries};
//! # mod sum {
//! #     adamant_base::backends! {
//! #         /// Adds up bytes.
//! #         pub struct Backend {
//! #             /// The sum.
//! #             fn sum(bytes: &[u8]) -> u64;
//! #         }
//! #         _ => portable steps [8, 64];
//! #     }
//! #     mod portable { pub fn sum(bytes: &[u8]) -> u64 { bytes.iter().map(|b| u64::from(*b)).sum() } }
//! # }
//! use sum::Backend;
//! let lengths = boundaries::lengths(1, Backend::implementations());
//! assert!([0, 7, 8, 9, 63, 64, 65, 73, 127, 128, 129].iter().all(|n| lengths.contains(n)));
//! for [len, offset] in boundaries::pairs(1, [&lengths, &boundaries::OFFSETS]) {
//!     let mut data = TestRng::new(len as u64).bytes(len);
//!     let expected = data.iter().fold(0, |sum, byte| sum + u64::from(*byte));
//!     for backend in Backend::available() {
//!         let sum = boundaries::in_place(&mut data, offset, |data| backend.sum(data));
//!         assert_eq!(sum, expected, "{backend:?}: {len} bytes, {offset} after a line");
//!     }
//! }
//! ```

use crate::TestRng;
use adamant_base::Implementation;
#[cfg(feature = "std")]
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};

/// Lengths of nonces, where a mode takes any.
pub const NONCES: core::ops::RangeInclusive<usize> = 1..=33;

/// How many low bits of a counter run over, where any do: see [`before_wrap`].
pub const WRAPS: [usize; 4] = [8, 16, 24, 32];

/// Bytes between the start of a cache line and that of a buffer.
pub const OFFSETS: [usize; 8] = [0, 1, 8, 15, 16, 31, 33, 63];

/// Bytes of a line.
const LINE: usize = 64;

/// Whole multiples of the longest step that lengths go up to.
const LONGEST: usize = 2;

/// Multiples of a step that are tried below a next one that is many times as long: the first, and the
/// last [`LAST`].
const FIRST: usize = 1024;

/// See [`FIRST`].
const LAST: usize = 3;

/// The lengths at which an implementation goes another way, of these and of the `unit` in which
/// input is counted (a block's bytes): at, a byte before and a byte after
///
/// * every multiple of a step, from zero up to past the next longer step, or to twice the longest; of
///   very many the first and the last;
/// * after one step, each of the shorter ones, as it is and as often as it fits.
pub fn lengths<'a>(
    unit: usize,
    implementations: impl IntoIterator<Item = &'a Implementation>,
) -> Vec<usize> {
    let stated = implementations.into_iter().flat_map(|row| row.steps);
    edges(&sorted([unit].iter().chain(stated).copied().collect()))
}

/// Numbers of items at which an implementation of many items goes another way: as [`lengths`], of
/// the lanes that these state.
pub fn counts<'a>(implementations: impl IntoIterator<Item = &'a Implementation>) -> Vec<usize> {
    let stated = implementations.into_iter().flat_map(|row| row.lanes);
    edges(&sorted(stated.copied().collect()))
}

fn edges(steps: &[usize]) -> Vec<usize> {
    let mut lengths = vec![0, 1];
    // Nothing has multiples of zero.
    let steps = &steps[steps.partition_point(|step| *step == 0)..];
    for (i, &step) in steps.iter().enumerate() {
        let last = match steps.get(i + 1) {
            Some(next) => next.div_ceil(step) + 1,
            None => LONGEST,
        };
        let first = 1..=last.min(FIRST);
        let ends = first.chain(last.saturating_sub(LAST).max(FIRST) + 1..=last);
        let multiples = ends.map(|k| step.saturating_mul(k));
        let shorter = steps[..i].iter();
        let behind = shorter.flat_map(|s| [*s, (step - 1) / s * s]);
        let behind = behind.map(|len| step.saturating_add(len));
        for edge in multiples.chain(behind) {
            lengths.extend([edge - 1, edge, edge.saturating_add(1)]);
        }
    }
    sorted(lengths)
}

/// Blocks in the largest group that counters of these implementations form; one where none states
/// any.
pub fn group<'a>(implementations: impl IntoIterator<Item = &'a Implementation>) -> usize {
    let stated = implementations.into_iter().flat_map(|row| row.counters);
    stated.copied().max().unwrap_or(1)
}

/// Distances in blocks from a counter's start to where it runs over: every place in a group, and
/// some in the group before.
pub fn distances(group: usize) -> Vec<usize> {
    sorted(
        (1..=group)
            .chain([group + 1, 2 * group - 1, 2 * group])
            .collect(),
    )
}

/// A counter whose low `bits` run over `distance` blocks further on; above them it is `number`.
///
/// ```
/// use adamant_testkit::boundaries::before_wrap;
/// assert_eq!(before_wrap(0x1234_5678, 16, 3), 0x1233_fffd);
/// ```
#[must_use]
pub fn before_wrap(number: u128, bits: usize, distance: usize) -> u128 {
    (number >> bits << bits).wrapping_sub(distance as u128)
}

/// Cuts data into updates: of `piece` bytes, or if that is zero, all at once.
pub fn pieces(data: &[u8], piece: usize) -> impl Iterator<Item = &[u8]> {
    data.chunks(if piece == 0 { data.len().max(1) } else { piece })
}

/// [`pieces`] of a buffer that is worked on in place.
pub fn pieces_mut(data: &mut [u8], piece: usize) -> impl Iterator<Item = &mut [u8]> {
    let piece = if piece == 0 { data.len().max(1) } else { piece };
    data.chunks_mut(piece)
}

/// Runs a function on data that begins `offset` bytes after the start of a cache line; it may
/// change them.
///
/// # Panics
/// When a byte beside them has changed.
pub fn in_place<T>(data: &mut [u8], offset: usize, run: impl FnOnce(&mut [u8]) -> T) -> T {
    let mut moved = Moved::new(data, offset);
    let out = run(moved.data());
    moved.back(data);
    out
}

/// Data in the middle of a buffer.
struct Moved {
    buffer: Vec<u8>,
    range: core::ops::Range<usize>,
}

impl Moved {
    const AROUND: u8 = 0xa5;

    fn new(data: &[u8], offset: usize) -> Self {
        let mut buffer = vec![Self::AROUND; data.len() + offset + 2 * LINE];
        let start = buffer.as_ptr().align_offset(LINE) + offset;
        let range = start..start + data.len();
        buffer[range.clone()].copy_from_slice(data);
        Moved { buffer, range }
    }

    fn data(&mut self) -> &mut [u8] {
        &mut self.buffer[self.range.clone()]
    }

    fn back(&mut self, data: &mut [u8]) {
        data.copy_from_slice(self.data());
        let (before, behind) = (..self.range.start, self.range.end..);
        let mut around = self.buffer[before].iter().chain(&self.buffer[behind]);
        let untouched = around.all(|byte| *byte == Self::AROUND);
        assert!(untouched, "wrote outside its {} bytes", data.len());
    }
}

/// How much of the combinations of some dimensions a test goes through.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
pub enum Cover {
    /// [`pairs`], by this seed: for every run of the tests.
    Pairs(u64),
    /// [`all`], or the share of them that `ADAMANT_SHARE` names: for the long form.
    All,
}

#[cfg(feature = "std")]
impl Cover {
    /// The cases.
    pub fn cases<'a, const N: usize>(
        self,
        dimensions: [&'a [usize]; N],
    ) -> Box<dyn Iterator<Item = [usize; N]> + 'a> {
        match self {
            Cover::Pairs(seed) => Box::new(pairs(seed, dimensions).into_iter()),
            Cover::All => {
                let share = Share::asked();
                let cases = (0..).zip(all(dimensions));
                Box::new(cases.filter_map(move |(i, case)| share.has(i).then_some(case)))
            }
        }
    }
}

/// One of some shares of the combinations, which are together all: `ADAMANT_SHARE=3/20` is the third
/// of twenty. Which share a combination is in has nothing to do with its values.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
struct Share {
    number: u64,
    of: u64,
}

#[cfg(feature = "std")]
impl Share {
    /// The one that the environment asks for; without a word there, all.
    fn asked() -> Self {
        let Ok(text) = std::env::var("ADAMANT_SHARE") else {
            return Share { number: 1, of: 1 };
        };
        Self::parse(&text).unwrap_or_else(|| panic!("ADAMANT_SHARE is {text:?}, not as 3/20 is"))
    }

    fn parse(text: &str) -> Option<Self> {
        let (number, of) = text.split_once('/')?;
        let (number, of) = (number.parse().ok()?, of.parse().ok()?);
        (1..=of).contains(&number).then_some(Share { number, of })
    }

    fn has(self, i: u64) -> bool {
        // The finaliser of splitmix64.
        let mut x = i.wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % self.of == self.number - 1
    }
}

/// Makes two tests of each function on a [`Cover`]: `pairwise`, and `exhaustive`, which is
/// ignored unless it is asked for.
///
/// ```
/// use adamant_testkit::boundaries::{self, Cover};
/// fn sums(cover: Cover) {
///     for [a, b, c] in cover.cases([&[1, 2], &[3, 4], &[5, 6]]) {
///         assert_eq!(a + b + c, c + b + a);
///     }
/// }
/// boundaries::tests! { sums }
/// # sums(Cover::All);
/// ```
#[cfg(feature = "std")]
#[macro_export]
#[doc(hidden)] // It is seen as `tests`.
macro_rules! boundaries_tests {
    ($($name:ident)+) => { $(
        mod $name {
            #[test]
            fn pairwise() {
                super::$name($crate::boundaries::Cover::Pairs(1));
            }

            #[test]
            #[ignore = "all combinations: minutes"]
            fn exhaustive() {
                super::$name($crate::boundaries::Cover::All);
            }
        }
    )+ };
}
#[cfg(feature = "std")]
#[doc(inline)]
pub use boundaries_tests as tests;

/// Every combination of a value of each dimension.
///
/// ```
/// let cases: Vec<[usize; 2]> = adamant_testkit::boundaries::all([&[1, 2], &[3, 4]]).collect();
/// assert_eq!(cases, [[1, 3], [2, 3], [1, 4], [2, 4]]);
/// ```
pub fn all<const N: usize>(dimensions: [&[usize]; N]) -> impl Iterator<Item = [usize; N]> {
    let count = dimensions.iter().map(|values| values.len()).product();
    (0..count).map(move |mut i: usize| {
        dimensions.map(|values| {
            let value = values[i % values.len()];
            i /= values.len();
            value
        })
    })
}

/// Cases in which each value of a dimension meets each value of every other: little more of them
/// than the two longest dimensions have pairs. The same `seed` gives the same cases.
///
/// They are made dimension by dimension, the longest first (the order of parameters of Lei and Tai,
/// "In-parameter-order: a test generation strategy for pairwise testing"): each case so far gets the
/// value that meets most values for the first time, and new cases bring together what is left.
///
/// # Panics
/// When a dimension has no value.
pub fn pairs<const N: usize>(seed: u64, dimensions: [&[usize]; N]) -> Vec<[usize; N]> {
    let values = pairs_in_order(seed, &dimensions);
    let (cases, _) = values.as_chunks();
    cases.to_vec()
}

/// The values of [`pairs`], one case after the other.
fn pairs_in_order(seed: u64, dimensions: &[&[usize]]) -> Vec<usize> {
    /// Whatever value will do.
    const ANY: usize = usize::MAX;
    assert!(dimensions.iter().all(|values| !values.is_empty()));
    let mut rng = TestRng::new(seed);
    let mut order: Vec<usize> = (0..dimensions.len()).collect();
    order.sort_by_key(|&i| core::cmp::Reverse(dimensions[i].len()));
    let sizes: Vec<usize> = order.iter().map(|&i| dimensions[i].len()).collect();
    // Cases hold the numbers of values, the longest dimension's first.
    let mut cases: Vec<Vec<usize>> = vec![];
    for d in 0..sizes.len() {
        let size = sizes[d];
        // Which value of an earlier dimension has met which of this one.
        let mut met: Vec<Vec<bool>> = (0..d).map(|e| vec![false; sizes[e] * size]).collect();
        let meet = |met: &mut [Vec<bool>], case: &[usize]| {
            for (e, met) in met.iter_mut().enumerate().filter(|(e, _)| case[*e] != ANY) {
                met[case[e] * size + case[d]] = true;
            }
        };
        for case in &mut cases {
            let gain = |value: &usize| {
                let new = |e: &usize| case[*e] != ANY && !met[*e][case[*e] * size + value];
                (0..d).filter(new).count()
            };
            // Of the best a random one.
            let turn = rng.below(size);
            let values = (turn..size).chain(0..turn);
            case[d] = values.max_by_key(gain).unwrap_or(turn);
            meet(&mut met, case);
        }
        let before = cases.len();
        let mut add = |e: usize, a: usize, b: usize| {
            let fits = |case: &&mut Vec<usize>| case[d] == b && case[e] == ANY;
            match cases[before..].iter_mut().rev().take(size).find(fits) {
                Some(case) => case[e] = a,
                None => {
                    let mut case = vec![ANY; sizes.len()];
                    (case[e], case[d]) = (a, b);
                    cases.push(case);
                }
            }
        };
        for e in 0..d {
            let left = (0..met[e].len()).filter(|pair| !met[e][*pair]);
            left.for_each(|pair| add(e, pair / size, pair % size));
        }
        if d == 0 {
            (0..size).for_each(|b| add(0, b, b));
        }
    }
    let mut values = vec![];
    for case in cases {
        let mut in_order = vec![0; case.len()];
        for d in 0..case.len() {
            let any = rng.below(sizes[d]);
            let number = if case[d] == ANY { any } else { case[d] };
            in_order[order[d]] = dimensions[order[d]][number];
        }
        values.extend(in_order);
    }
    values
}

fn sorted(mut values: Vec<usize>) -> Vec<usize> {
    values.sort_unstable();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_base::cpu::Features;

    fn cover<const N: usize>(dimensions: [&[usize]; N]) -> usize {
        let cases = pairs(3, dimensions);
        assert_eq!(cases, pairs(3, dimensions));
        for d in 0..N {
            for e in (0..N).filter(|e| *e != d) {
                for a in dimensions[d] {
                    for b in dimensions[e] {
                        let together = cases.iter().any(|case| (case[d], case[e]) == (*a, *b));
                        assert!(together, "{a} of {d} never meets {b} of {e}");
                    }
                }
            }
        }
        cases.len()
    }

    #[test]
    fn shares_are_together_all() {
        let shares: Vec<Share> = (1..=7).map(|number| Share { number, of: 7 }).collect();
        let mut sizes = [0; 7];
        for i in 0..7000 {
            let having: Vec<usize> = (0..7).filter(|s| shares[*s].has(i)).collect();
            assert_eq!(having.len(), 1, "{i}");
            sizes[having[0]] += 1;
        }
        assert!(
            sizes.iter().all(|size| (900..1100).contains(size)),
            "{sizes:?}"
        );
        for wrong in ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", "1 /3"] {
            assert!(Share::parse(wrong).is_none(), "{wrong:?}");
        }
        assert!(matches!(
            Share::parse("20/20"),
            Some(Share { number: 20, of: 20 })
        ));
    }

    #[test]
    fn every_pair_of_values_meets() {
        let values: Vec<usize> = (100..160).collect();
        assert_eq!(cover([&values[..7]]), 7);
        assert_eq!(cover([&values[..7], &values[..1]]), 7);
        assert_eq!(cover([&values[..3], &values[..50]]), 150);
        let count = cover([
            &values[..4],
            &values[..31],
            &values[..2],
            &values[..17],
            &values[..9],
        ]);
        assert!((31 * 17..31 * 17 * 11 / 10).contains(&count), "{count}");
        let count = cover([&values[..5]; 6]);
        assert!((25..50).contains(&count), "{count}");
    }

    #[test]
    fn lengths_lie_at_the_steps() {
        let row = Implementation::new("row", Features::NONE).steps(&[64, 16]);
        let lengths = lengths(4, [&row]);
        for k in 0..=5 {
            for d in 0..2 {
                assert!(lengths.contains(&(4 * k + d)) && lengths.contains(&(16 * k + d)));
            }
        }
        for len in [
            63, 64, 65, 67, 69, 79, 81, 111, 113, 123, 125, 127, 128, 129,
        ] {
            assert!(lengths.contains(&len), "{len}");
        }
        assert!(!lengths.contains(&100) && !lengths.contains(&130));
        assert!(lengths.is_sorted());
    }

    #[test]
    fn absurd_steps_have_edges_too() {
        let row = Implementation::new("row", Features::NONE).steps(&[0, 1 << 20, usize::MAX]);
        let lengths = lengths(1, [&row]);
        for len in [0, 64, 1 << 20, (1 << 20) + 1, (1 << 21) + 1, usize::MAX] {
            assert!(lengths.contains(&len), "{len}");
        }
        assert!(lengths.len() < 5000, "{}", lengths.len());
        let row = Implementation::new("row", Features::NONE).lanes(&[0, 0]);
        assert_eq!(counts([&row]), [0, 1]);
    }

    #[test]
    fn counts_lie_at_the_lanes() {
        let row = Implementation::new("row", Features::NONE).lanes(&[16, 3]);
        let counts = counts([&row]);
        for count in [0, 1, 2, 3, 4, 15, 16, 17, 19, 31, 32, 33] {
            assert!(counts.contains(&count), "{count}");
        }
        assert!(!counts.contains(&26) && !counts.contains(&34));
    }

    #[test]
    fn counters_run_over_where_they_should() {
        let row = Implementation::new("row", Features::NONE).counters(&[8, 32]);
        assert_eq!((group([&row]), group([])), (32, 1));
        let distances = distances(32);
        for residue in 0..32 {
            assert!(
                distances
                    .iter()
                    .any(|d| before_wrap(7 << 90, 8, *d) % 32 == residue)
            );
        }
        let start = before_wrap(u128::from(u64::MAX), 24, 5);
        assert_eq!((start + 4) >> 24, start >> 24);
        assert_eq!((start + 5) % (1 << 24), 0);
    }

    #[test]
    fn pieces_are_the_whole() {
        let data: Vec<u8> = (0..100).collect();
        for piece in [0, 1, 16, 99, 100, 101] {
            let cut: Vec<&[u8]> = pieces(&data, piece).collect();
            assert_eq!(cut.concat(), data);
            assert!(cut.iter().all(|cut| piece == 0 || cut.len() <= piece));
        }
        assert_eq!(pieces(&[], 0).count(), 0);
        let mut copy = data.clone();
        let cut: Vec<usize> = pieces_mut(&mut copy, 40).map(|cut| cut.len()).collect();
        assert_eq!(cut, [40, 40, 20]);
    }

    #[test]
    fn data_lie_where_they_should() {
        let mut data = vec![1, 2, 3];
        for offset in OFFSETS {
            in_place(&mut data, offset, |data| {
                assert_eq!(data.as_ptr() as usize % LINE, offset);
                data.reverse();
            });
        }
        assert_eq!(data, [1, 2, 3]);
        in_place(&mut data, 5, <[u8]>::reverse);
        assert_eq!(data, [3, 2, 1]);
    }
}
