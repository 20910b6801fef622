//! What the samples of a run say: Welch's t-test and the correlation with the Hamming weight.
//!
//! Disturbances of the machine only ever make a run longer, so the slowest samples of all classes
//! together are cropped at several quantiles, and the crop that speaks loudest counts. Which
//! samples fall away does not depend on their classes alone, so samples that are alike stay alike.
//!
//! Reference: O. Reparaz, J. Balasch, I. Verbauwhede, "Dude, is my code constant time?", 2016.

use serde::Serialize;

/// A statistic beyond this, in either direction, calls for a second look. Samples that are alike
/// pass it once in 100,000 times.
pub const THRESHOLD: f64 = 4.5;

/// The parts of the samples that the tests look at.
const CROPS: [f64; 5] = [1.0, 0.99, 0.9, 0.75, 0.5];

/// What the secrets of a timed run were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Always the same.
    Fixed,
    /// Random.
    Random,
    /// Random, with many different parts of ones among their bits.
    Weighed,
}

/// One timed run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) class: Class,
    /// The Hamming weight of the secrets.
    pub(crate) weight: f64,
    pub(crate) ns: f64,
}

/// What one series of samples says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Timed runs.
    pub samples: usize,
    /// The median of their times in nanoseconds.
    pub ns: f64,
    /// Welch's t of the times under the fixed secret against those under random ones.
    pub t: f64,
    /// The least difference between the means of the two in nanoseconds that passes
    /// [`THRESHOLD`].
    pub detectable_ns: f64,
    /// Pearson's correlation of time and Hamming weight.
    pub correlation: f64,
    /// The correlation's own t.
    pub correlation_t: f64,
}

impl Run {
    pub(crate) fn of(samples: &[Sample]) -> Self {
        let times = |class| {
            samples
                .iter()
                .filter(move |s| s.class == class)
                .map(|s| s.ns)
        };
        let (fixed, random): (Vec<_>, Vec<_>) = (
            times(Class::Fixed).collect(),
            times(Class::Random).collect(),
        );
        let weighed: Vec<_> = samples
            .iter()
            .filter(|s| s.class == Class::Weighed)
            .collect();

        let both = sorted(fixed.iter().chain(&random).copied());
        let (mut t, mut error) = (0.0_f64, f64::INFINITY);
        for limit in CROPS.map(|part| quantile(&both, part)) {
            let below = |times: &[f64]| -> Vec<f64> {
                times.iter().copied().filter(|&ns| ns <= limit).collect()
            };
            let crop = welch(&below(&fixed), &below(&random));
            t = louder(t, crop.t);
            error = error.min(crop.error);
        }

        let all = sorted(weighed.iter().map(|s| s.ns));
        let (mut correlation, mut correlation_t) = (0.0, 0.0);
        for limit in CROPS.map(|part| quantile(&all, part)) {
            let below = weighed.iter().filter(|s| s.ns <= limit);
            let pairs: Vec<_> = below.map(|s| (s.weight, s.ns)).collect();
            let (r, r_t) = pearson(&pairs);
            if louder(correlation_t, r_t) != correlation_t {
                (correlation, correlation_t) = (r, r_t);
            }
        }

        let every = sorted(samples.iter().map(|s| s.ns));
        Run {
            samples: samples.len(),
            ns: quantile(&every, 0.5),
            t,
            detectable_ns: THRESHOLD * if error.is_finite() { error } else { 0.0 },
            correlation,
            correlation_t,
        }
    }

    /// Whether a statistic passes the threshold here and, in the same direction, in `other`.
    pub(crate) fn agrees(&self, other: &Run) -> bool {
        let agree = |a: f64, b: f64| a.abs().min(b.abs()) > THRESHOLD && a * b > 0.0;
        agree(self.t, other.t) || agree(self.correlation_t, other.correlation_t)
    }
}

fn louder(a: f64, b: f64) -> f64 {
    if b.abs() > a.abs() { b } else { a }
}

fn sorted(times: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut times: Vec<_> = times.collect();
    times.sort_by(f64::total_cmp);
    times
}

/// The least of the sorted values that so large a part of them does not exceed.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = (part * sorted.len() as f64).ceil() as usize;
    sorted.get(place.max(1) - 1).copied().unwrap_or(0.0)
}

struct Welch {
    t: f64,
    /// The standard error of the difference of the means.
    error: f64,
}

/// Groups smaller than this say nothing.
const GROUP: usize = 30;

/// Beyond any doubt; JSON has no infinity.
const CERTAIN: f64 = 1e6;

fn welch(a: &[f64], b: &[f64]) -> Welch {
    if a.len().min(b.len()) < GROUP {
        return Welch {
            t: 0.0,
            error: f64::INFINITY,
        };
    }
    let moments = |x: &[f64]| {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        let squares: f64 = x.iter().map(|v| (v - mean).powi(2)).sum();
        (mean, squares / (n - 1.0) / n)
    };
    let ((mean_a, error_a), (mean_b, error_b)) = (moments(a), moments(b));
    let error = (error_a + error_b).sqrt();
    Welch {
        t: bounded(mean_a - mean_b, error),
        error,
    }
}

/// Pearson's correlation of pairs, and its t.
fn pearson(pairs: &[(f64, f64)]) -> (f64, f64) {
    if pairs.len() < GROUP {
        return (0.0, 0.0);
    }
    let n = pairs.len() as f64;
    let (x, y) = pairs
        .iter()
        .fold((0.0, 0.0), |(x, y), p| (x + p.0, y + p.1));
    let (x, y) = (x / n, y / n);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for pair in pairs {
        let (dx, dy) = (pair.0 - x, pair.1 - y);
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    let r = if xx > 0.0 && yy > 0.0 {
        (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    (
        r,
        bounded(r * (n - 2.0).sqrt(), (1.0 - r * r).max(0.0).sqrt()),
    )
}

fn bounded(value: f64, error: f64) -> f64 {
    if value == 0.0 {
        0.0
    } else {
        (value / error).clamp(-CERTAIN, CERTAIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between 0 and 1, the same ones each time.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        /// Time of a machine with little noise and, now and then, a long disturbance.
        fn noise(&mut self) -> f64 {
            let small: f64 = (0..12).map(|_| self.next()).sum::<f64>() - 6.0;
            let long = if self.next() < 0.02 {
                5000.0 * self.next()
            } else {
                0.0
            };
            1000.0 + 10.0 * small + long
        }
    }

    /// Samples whose time depends on class and weight as `leak` says.
    fn samples(seed: u64, leak: impl Fn(Class, f64) -> f64) -> Vec<Sample> {
        let mut numbers = Numbers(seed);
        (0..30_000)
            .map(|_| {
                let (class, weight) = match (numbers.next() * 3.0) as u32 {
                    0 => (Class::Fixed, 100.0),
                    1 => (Class::Random, 128.0),
                    _ => (Class::Weighed, (256.0 * numbers.next()).floor()),
                };
                Sample {
                    class,
                    weight,
                    ns: numbers.noise() + leak(class, weight),
                }
            })
            .collect()
    }

    #[test]
    fn samples_that_are_alike_pass() {
        for seed in 0..20 {
            let run = Run::of(&samples(seed, |_, _| 0.0));
            assert!(run.t.abs() < THRESHOLD, "{run:?}");
            assert!(run.correlation_t.abs() < THRESHOLD, "{run:?}");
            assert!((990.0..1010.0).contains(&run.ns), "{run:?}");
        }
    }

    #[test]
    fn a_difference_between_classes_is_seen() {
        let slower = |class, _| if class == Class::Random { 2.0 } else { 0.0 };
        let (a, b) = (Run::of(&samples(1, slower)), Run::of(&samples(2, slower)));
        // The disturbances hide a difference as small as this one from the samples as they are.
        assert!(a.t < -THRESHOLD && b.t < -THRESHOLD, "{a:?} {b:?}");
        assert!(a.detectable_ns < 2.0, "{a:?}");
        assert!(a.agrees(&b) && a.correlation_t.abs() < THRESHOLD);
    }

    #[test]
    fn a_correlation_is_seen() {
        let by_weight = |class, weight| match class {
            Class::Weighed => weight / 100.0,
            _ => 0.0,
        };
        let (a, b) = (
            Run::of(&samples(1, by_weight)),
            Run::of(&samples(2, by_weight)),
        );
        assert!(a.correlation_t > THRESHOLD && a.correlation > 0.03, "{a:?}");
        assert!(a.agrees(&b) && a.t.abs() < THRESHOLD);
        let against = Run::of(&samples(3, |class, weight| -by_weight(class, weight)));
        assert!(against.correlation_t < -THRESHOLD && !a.agrees(&against));
        assert!(!a.agrees(&Run::of(&samples(1, |_, _| 0.0))));
    }

    #[test]
    fn small_and_even_samples_say_nothing_wrong() {
        let empty = Run::of(&[]);
        assert_eq!((empty.t, empty.correlation_t, empty.ns), (0.0, 0.0, 0.0));
        let even = |leak: f64| {
            let sample = |i: usize| {
                let class = [Class::Fixed, Class::Random][i % 2];
                let ns = if i.is_multiple_of(2) { 7.0 } else { 7.0 + leak };
                Sample {
                    class,
                    weight: 1.0,
                    ns,
                }
            };
            Run::of(&(0..100).map(sample).collect::<Vec<_>>())
        };
        assert_eq!(even(0.0).t, 0.0);
        assert_eq!(even(1.0).t, -CERTAIN);
    }

    #[test]
    fn textbook_values() {
        // Thirty ones and threes against thirty twos and fours: means 2 and 3, variances 30/29.
        let ones: Vec<f64> = (0..30).map(|i| [1.0, 3.0][i % 2]).collect();
        let twos: Vec<f64> = ones.iter().map(|v| v + 1.0).collect();
        let test = welch(&ones, &twos);
        let error = (2.0_f64 / 29.0).sqrt();
        assert!((test.error - error).abs() < 1e-12);
        assert!((test.t + 1.0 / error).abs() < 1e-12);
        // y = x on half of the pairs, a constant on the others.
        let pairs = (0..40).map(|i| [(1.0, 1.0), (3.0, 3.0), (1.0, 2.0), (3.0, 2.0)][i % 4]);
        let (r, t) = pearson(&pairs.collect::<Vec<_>>());
        assert!((r - 0.5_f64.sqrt()).abs() < 1e-12);
        assert!((t - 38_f64.sqrt()).abs() < 1e-9);
    }
}
