//! Medians, quartiles and bootstrap intervals.
//!
//! The interval of a median is the percentile bootstrap: draw as many values as there are, with
//! replacement, take the median, and again; the middle 95 % of those medians are the interval.
//!
//! Disturbances of a machine last for several rounds, so neighbouring samples are alike, and drawn
//! one by one they would promise more than they hold. They are drawn in blocks of neighbours
//! (the circular block bootstrap; Politis, Romano, 1992) of the cube root of their number.
//!
//! Where samples come in spells, between which the programs are started anew, a program keeps its
//! place in memory for a spell, and that place makes a difference; so does what else the machine
//! did then: first spells are drawn, then blocks within them.
//!
//! Of a few spells that is too narrow: draws from `k` spells vary by `√((k - 1) / k)` of what
//! other spells would, and a spread that is itself known from `k` values needs Student's quantile
//! with `k - 1` degrees of freedom in place of the normal one (Hesterberg, "What teachers should
//! know about the bootstrap", 2015, section 3.2). So both ends are moved away from the median, by
//! that factor.
//!
//! Where the times themselves are chance (a search for primes), a median would tell another thing
//! than what many of them take: there both sides have their means, and the values are drawn one by
//! one.
//!
//! The draws come from SplitMix64 with a fixed seed, so the same samples give the same interval.

/// Resamplings of one interval.
const RESAMPLES: usize = 2000;
const SEED: u64 = 0x5eed;

/// A median, or a ratio of means, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The median or the ratio.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The `q` quantile of values in ascending order, linear between two of them.
///
/// # Panics
/// When there is no value.
#[must_use]
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, above) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    below + (above - below) * place.fract()
}

/// The median.
///
/// ```
/// assert_eq!(adamant_bench::stats::median(&[3.0, 1.0, 2.0, 10.0]), 2.5);
/// ```
///
/// # Panics
/// When there is no value.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    quantile(&sorted(values), 0.5)
}

/// Half the distance between the quartiles, as a part of the median: how steady the values are.
///
/// # Panics
/// When there is no value.
#[must_use]
pub fn spread(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    (quantile(&sorted, 0.75) - quantile(&sorted, 0.25)) / 2.0 / quantile(&sorted, 0.5)
}

/// The median and its 95 % bootstrap interval.
///
/// ```
/// use adamant_bench::stats::estimate;
/// let ratios = [1.31, 1.30, 1.29, 1.33, 1.30, 1.28, 1.31, 1.30, 2.00];
/// let e = estimate(&ratios);
/// assert_eq!(e.value, 1.30);
/// assert!(e.low >= 1.29 && e.high <= 1.31); // the outlier does not matter
/// ```
///
/// # Panics
/// When there is no value.
#[must_use]
pub fn estimate(values: &[f64]) -> Estimate {
    estimate_of_spells(values, values.len())
}

/// The median and its 95 % bootstrap interval, of values in spells of this many each.
///
/// ```
/// use adamant_bench::stats::{estimate, estimate_of_spells};
/// // Steady within a spell, but not from one to the next.
/// let ratios = [1.0, 1.0, 1.0, 1.3, 1.3, 1.3, 1.1, 1.1, 1.1];
/// let e = estimate_of_spells(&ratios, 3);
/// assert_eq!(e.value, 1.1);
/// assert!(e.low < 1.0 && e.high > 1.3); // a fourth may differ by more than those three
/// ```
///
/// # Panics
/// When there is no value, or the values are not whole spells.
#[must_use]
pub fn estimate_of_spells(values: &[f64], spell: usize) -> Estimate {
    let n = values.len();
    assert!(n.is_multiple_of(spell), "whole spells");
    let sorted = sorted(values);
    // The place of each value among the sorted ones: a resampling then counts places, and its
    // median is found by adding up the counts.
    let order = order(values);
    let mut places = vec![0; n];
    for (place, &at) in order.iter().enumerate() {
        places[at] = place;
    }
    let block = (spell as f64).cbrt() as usize;
    let mut state = SEED;
    let mut draw = |count: usize| {
        let random = u128::from(split_mix_64(&mut state));
        ((random * count as u128) >> 64) as usize
    };
    let mut medians = Vec::with_capacity(RESAMPLES);
    let mut counts = vec![0; n];
    for _ in 0..RESAMPLES {
        counts.fill(0);
        for _ in 0..n / spell {
            let first = spell * draw(n / spell);
            let mut drawn = 0;
            while drawn < spell {
                let start = draw(spell);
                let len = block.min(spell - drawn);
                for i in start..start + len {
                    counts[places[first + i % spell]] += 1;
                }
                drawn += len;
            }
        }
        // The middle value, or the mean of the middle two.
        let (below, above) = ((n - 1) / 2, n / 2);
        let median = (sorted[nth(&counts, below)] + sorted[nth(&counts, above)]) / 2.0;
        medians.push(median);
    }
    medians.sort_by(f64::total_cmp);
    let (low, high) = (quantile(&medians, 0.025), quantile(&medians, 0.975));
    let median = median(values);
    // By the factor in their ratio to the median, as times are ratios.
    let widened = |end: f64| match n / spell {
        2.. if median > 0.0 && end > 0.0 => median * (end / median).powf(widening(n / spell)),
        _ => end,
    };
    Estimate {
        value: median,
        low: widened(low),
        high: widened(high),
    }
}

/// The ratio of two means and its 95 % bootstrap interval, of values that are independent of each
/// other.
///
/// ```
/// use adamant_bench::stats::ratio_of_means;
/// let e = ratio_of_means(&[1.0, 9.0, 2.0], &[1.0, 2.0]);
/// assert_eq!(e.value, 4.0 / 1.5);
/// ```
///
/// # Panics
/// When there is no value on either side.
#[must_use]
pub fn ratio_of_means(numerators: &[f64], denominators: &[f64]) -> Estimate {
    let mut state = SEED;
    let mut draw = |values: &[f64]| {
        let pick = |_| {
            let random = u128::from(split_mix_64(&mut state));
            values[((random * values.len() as u128) >> 64) as usize]
        };
        (0..values.len()).map(pick).sum::<f64>() / values.len() as f64
    };
    let resample = |_| draw(numerators) / draw(denominators);
    let ratios: Vec<f64> = (0..RESAMPLES).map(resample).collect();
    let ratios = sorted(&ratios);
    Estimate {
        value: mean(numerators) / mean(denominators),
        low: quantile(&ratios, 0.025),
        high: quantile(&ratios, 0.975),
    }
}

/// The mean.
///
/// # Panics
/// When there is no value.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    assert!(!values.is_empty(), "a mean of nothing");
    values.iter().sum::<f64>() / values.len() as f64
}

/// How much wider than the bootstrap's the interval of this many spells is, two at least.
fn widening(spells: usize) -> f64 {
    const NORMAL: f64 = 1.959_964;
    let freedom = (spells - 1) as f64;
    // The expansion of Student's quantile by Cornish and Fisher.
    let terms = [
        (NORMAL.powi(3) + NORMAL) / 4.0,
        (5.0 * NORMAL.powi(5) + 16.0 * NORMAL.powi(3) + 3.0 * NORMAL) / 96.0,
        (3.0 * NORMAL.powi(7) + 19.0 * NORMAL.powi(5) + 17.0 * NORMAL.powi(3) - 15.0 * NORMAL)
            / 384.0,
    ];
    let powers = (1..).map(|i| freedom.powi(i));
    let terms = terms.iter().zip(powers).map(|(term, power)| term / power);
    let student = NORMAL + terms.sum::<f64>();
    student / NORMAL * (spells as f64 / freedom).sqrt()
}

/// The place of the `n`th of the values that these counts tell, from 0 on.
fn nth(counts: &[usize], n: usize) -> usize {
    let mut seen = 0;
    let found = counts.iter().position(|&count| {
        seen += count;
        seen > n
    });
    found.unwrap_or_default()
}

/// The geometric mean; `None` of nothing.
///
/// ```
/// assert_eq!(adamant_bench::stats::geometric_mean([0.5, 2.0]), Some(1.0));
/// ```
#[must_use]
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values
        .into_iter()
        .fold((0.0, 0u32), |(sum, count), x| (sum + x.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

/// `x` to this many significant digits.
#[must_use]
pub fn significant(x: f64, digits: i32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let places = digits - 1 - x.abs().log10().floor() as i32;
    // A power with a positive exponent is exact, its inverse is not.
    let scale = 10f64.powi(places.abs());
    if places >= 0 {
        (x * scale).round() / scale
    } else {
        (x / scale).round() * scale
    }
}

/// The places of the values, the least value's first; of equal ones the first comes first.
pub(crate) fn order(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    order
}

/// The items in ascending order of their keys: the one sort of [`order`], whatever they are.
pub(crate) fn ascending<T: Copy>(items: &[T], key: impl Fn(&T) -> f64) -> Vec<T> {
    let keys: Vec<f64> = items.iter().map(key).collect();
    order(&keys).into_iter().map(|i| items[i]).collect()
}

/// The values in ascending order.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
pub(crate) fn split_mix_64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generator() {
        // The first values from seed 0 of the reference implementation.
        let mut state = 0;
        assert_eq!(split_mix_64(&mut state), 0xe220_a839_7b1d_cdaf);
        assert_eq!(split_mix_64(&mut state), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn quantiles() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(quantile(&values, 0.0), 1.0);
        assert_eq!(quantile(&values, 0.25), 2.0);
        assert_eq!(quantile(&values, 0.9), 4.6);
        assert_eq!(quantile(&values, 1.0), 5.0);
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(spread(&[4.0, 2.0, 1.0, 3.0, 5.0]), 1.0 / 3.0);
    }

    #[test]
    fn intervals() {
        let same = estimate(&[2.0; 9]);
        assert_eq!((same.value, same.low, same.high), (2.0, 2.0, 2.0));
        let one = estimate(&[3.0]);
        assert_eq!((one.low, one.high), (3.0, 3.0));

        // For n values the interval of the median lies near the order statistics
        // n/2 ± 0.98 √n: of 1 to 100 those are about 40.5 and 60.5. They are shuffled, for what
        // comes in order is no sample.
        let mut values: Vec<f64> = (1..=100).map(f64::from).collect();
        let mut state = 7;
        values.sort_by_cached_key(|_| split_mix_64(&mut state));
        let e = estimate(&values);
        assert_eq!(e.value, 50.5);
        assert!((37.0..45.0).contains(&e.low), "{e:?}");
        assert!((56.0..64.0).contains(&e.high), "{e:?}");
        assert_eq!(e, estimate(&values), "the same samples, the same interval");
    }

    /// In how many of this many trials the median is in the interval of a sample.
    fn covered(trials: usize, median: f64, mut sample: impl FnMut() -> Vec<f64>) -> usize {
        let covers = |_: &usize| {
            let e = estimate(&sample());
            e.low <= median && median <= e.high
        };
        (0..trials).filter(covers).count()
    }

    /// About normal: the sum of twelve uniforms, of mean 0 and variance 1.
    fn normal(state: &mut u64) -> f64 {
        let uniform = |_| split_mix_64(state) as f64 / 2f64.powi(64) - 0.5;
        (0..12).map(uniform).sum()
    }

    /// Of many samples from a known distribution, about 95 % have its median in their interval.
    #[test]
    fn coverage() {
        let mut state = 1;
        for n in [25, 101] {
            let covered = covered(150, 2.0, || {
                (0..n).map(|_| 2.0 + normal(&mut state)).collect()
            });
            assert!(
                (135..=149).contains(&covered),
                "{covered} of 150, {n} samples"
            );
        }
    }

    /// The same where neighbours are alike, which an interval of independent draws misses: it
    /// would cover about 80 %.
    #[test]
    fn coverage_of_bursts() {
        let mut state = 2;
        let covered = covered(100, 0.0, || {
            let mut disturbance = 0.0;
            let sample = (0..301).map(|_| {
                disturbance = 0.5 * disturbance + normal(&mut state);
                disturbance
            });
            sample.collect()
        });
        assert!(covered >= 85, "{covered} of 100");
    }

    /// A machine that becomes half as fast on the way: the ratio within the rounds is covered all
    /// the same.
    #[test]
    fn coverage_under_drift() {
        let mut state = 3;
        let covered = covered(60, 1.25, || {
            let round = |i| {
                let speed = 1.0 + f64::from(i) / 151.0;
                let mut side = |ns: f64| ns * speed * (1.0 + 0.02 * normal(&mut state));
                side(125.0) / side(100.0)
            };
            (0..151).map(round).collect()
        });
        assert!(covered >= 53, "{covered} of 60");
    }

    /// Spells that differ among themselves more than their rounds do, few of them.
    #[test]
    fn coverage_of_few_spells() {
        let mut state = 4;
        for spells in [5, 7, 11] {
            let estimates = (0..200).map(|_| {
                let spell = |_| {
                    let place = 1.0 + 0.02 * normal(&mut state);
                    let round = |_| place * (1.0 + 0.005 * normal(&mut state));
                    (0..6).map(round).collect::<Vec<_>>()
                };
                let values: Vec<f64> = (0..spells).flat_map(spell).collect();
                estimate_of_spells(&values, 6)
            });
            let covered = estimates.filter(|e| e.low <= 1.0 && 1.0 <= e.high).count();
            println!("{covered} of 200, {spells} spells");
            assert!(
                (185..=198).contains(&covered),
                "{covered} of 200, {spells} spells"
            );
        }
    }

    #[test]
    fn student() {
        // Of the tables: 2.776, 2.447, 2.228 and 2.064 for 4, 6, 10 and 24 degrees of freedom.
        for (spells, quantile) in [(5, 2.776), (7, 2.447), (11, 2.228), (25, 2.064)] {
            let k = spells as f64;
            let expected = quantile / 1.96 * (k / (k - 1.0)).sqrt();
            assert!((widening(spells) / expected - 1.0).abs() < 4e-3, "{spells}");
        }
    }

    #[test]
    fn digits() {
        assert_eq!(significant(123.456, 4), 123.5);
        assert_eq!(significant(1_234_567.0, 4), 1_235_000.0);
        assert_eq!(significant(0.001_234_56, 4), 0.001_235);
        assert_eq!(significant(0.0, 4), 0.0);
        assert_eq!(geometric_mean([]), None);
        assert!((geometric_mean([1.0, 10.0, 100.0]).unwrap() - 10.0).abs() < 1e-12);
    }
}
