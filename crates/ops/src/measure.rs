//! How long an operation takes on one core.
//!
//! A row is measured in many samples of the same number of iterations: long enough that reading
//! the clock does not show, short enough that most of them pass undisturbed on a busy machine.
//! The median says how fast, the distance between the quartiles how steady.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cold::Evictor;
use crate::{Operation, Prepared, Size};

/// The most samples of one row.
const SAMPLES: u64 = 1000;

/// Seconds of one sample, unless there would be too many.
const SAMPLE: f64 = 1e-3;

/// With fewer calls than these, or in less time, figures carry two digits.
const FEW_CALLS: u64 = 10;
const SHORT: Duration = Duration::from_millis(5);

/// How long to measure one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effort {
    /// About this long in all, a fifth of it to warm up.
    Seconds(f64),
    /// Exactly this many timed iterations, after one to warm up.
    Iterations(u64),
}

/// The speed of one operation at one size on one implementation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measurement {
    /// The name of the operation.
    pub op: String,
    /// Bytes of message or output, 0 if there is none.
    pub bytes: usize,
    /// Items of a batch, 1 for single operations.
    pub batch: usize,
    /// The implementation.
    pub backend: String,
    /// Nanoseconds for one item.
    pub ns_per_op: f64,
    /// Items in a second.
    pub ops_per_s: f64,
    /// Megabytes (10^6 bytes) of message or output in a second.
    pub mb_per_s: f64,
    /// Half the distance between the quartiles of the samples, as a part of the median; `None` if there
    /// was one sample only.
    pub spread: Option<f64>,
}

/// Binds the calling thread to the last core that it may run on, and says which.
///
/// Threads started later inherit the binding: measure in a thread of its own where others
/// follow. `None` where the system has no such call or refuses it.
///
/// ```
/// std::thread::spawn(adamant_ops::pin).join().unwrap();
/// ```
pub fn pin() -> Option<usize> {
    let core = core_affinity::get_core_ids()?.pop()?;
    core_affinity::set_for_current(core).then_some(core.id)
}

/// Binds the calling thread to the core of this number among those that it may run on, from the first
/// on, and starts anew after the last; otherwise as [`pin`], which finds that core alone in programs
/// that the thread starts.
pub fn pin_to(number: usize) -> Option<usize> {
    let cores = core_affinity::get_core_ids()?;
    let core = *cores.get(number.checked_rem(cores.len())?)?;
    core_affinity::set_for_current(core).then_some(core.id)
}

/// How long `iterations` runs take.
pub fn time(prepared: &mut dyn Prepared, iterations: u64) -> Duration {
    let start = Instant::now();
    prepared.run(iterations);
    start.elapsed()
}

/// Warms up for about `warm_up` (one iteration at least), and says how many iterations then take
/// about `sample`: 1 at least.
pub fn calibrate(prepared: &mut dyn Prepared, warm_up: Duration, sample: Duration) -> u64 {
    let start = Instant::now();
    let mut iterations = 1;
    loop {
        let elapsed = time(prepared, iterations);
        // The second condition ends the growth of runs that take no time at all.
        if start.elapsed() >= warm_up || iterations > u64::MAX / 4 {
            let one = elapsed.as_secs_f64().max(1e-9) / iterations as f64;
            return ((sample.as_secs_f64() / one) as u64).max(1);
        }
        // Double while the runs are short beside what is left to warm up.
        if elapsed * 4 < warm_up {
            iterations *= 2;
        }
    }
}

/// Measures one row. Call [`pin`] first.
///
/// ```
/// use adamant_ops::{Effort, Size, measure, registry};
/// let registry = registry();
/// let op = registry.iter().find(|op| op.name() == "sha256/digest").unwrap();
/// let size = Size { bytes: 1000, batch: 1 };
/// let row = measure(op.as_ref(), size, Some("portable"), Effort::Seconds(0.01)).unwrap();
/// assert_eq!((row.bytes, row.batch, row.backend.as_str()), (1000, 1, "portable"));
/// assert!((row.mb_per_s - 1e6 / row.ns_per_op).abs() < 0.01 * row.mb_per_s);
/// ```
///
/// # Errors
/// A sentence: see [`Operation::prepare`].
pub fn measure(
    op: &dyn Operation,
    size: Size,
    backend: Option<&str>,
    effort: Effort,
) -> Result<Measurement, String> {
    let inputs = op.inputs(size);
    let mut prepared = op.prepare(size, &inputs, backend)?;
    let prepared = prepared.as_mut();
    let counts: Vec<u64> = match effort {
        Effort::Seconds(seconds) => {
            let seconds = seconds.clamp(1e-6, 1e6);
            let (warm_up, timed) = (seconds * 0.2, seconds * 0.8);
            let sample = SAMPLE.max(timed / SAMPLES as f64);
            let count = calibrate(
                prepared,
                Duration::from_secs_f64(warm_up),
                Duration::from_secs_f64(sample),
            );
            // Slow operations take longer than a sample for one iteration.
            let one = time(prepared, count).as_secs_f64().max(1e-9);
            let samples = ((timed / one) as u64).clamp(1, SAMPLES);
            vec![count; samples as usize]
        }
        Effort::Iterations(total) => {
            prepared.run(1);
            split(total)
        }
    };
    let samples = counts.iter().map(|&count| (count, time(prepared, count)));
    let samples: Vec<_> = samples.collect();
    Ok(measurement(op, size, prepared, &samples))
}

/// Measures one row by this many single calls, before each of which the evictor has emptied the
/// caches; reading the clock is in their times. Call [`pin`] first.
///
/// ```
/// use adamant_ops::{Evictor, Size, measure_cold, registry};
/// let registry = registry();
/// let op = registry.iter().find(|op| op.name() == "sha256/digest").unwrap();
/// let size = Size { bytes: 64, batch: 1 };
/// let row = measure_cold(op.as_ref(), size, None, 3, &mut Evictor::new()).unwrap();
/// assert!(row.ns_per_op > 0.0);
/// ```
///
/// # Errors
/// A sentence: see [`Operation::prepare`].
pub fn measure_cold(
    op: &dyn Operation,
    size: Size,
    backend: Option<&str>,
    calls: u64,
    evictor: &mut Evictor,
) -> Result<Measurement, String> {
    let inputs = op.inputs(size);
    let mut prepared = op.prepare(size, &inputs, backend)?;
    let prepared = prepared.as_mut();
    prepared.run(1);
    let samples = (0..calls.max(1)).map(|_| {
        evictor.evict();
        (1, time(prepared, 1))
    });
    let samples: Vec<_> = samples.collect();
    Ok(measurement(op, size, prepared, &samples))
}

/// What samples say: iterations, and how long they took.
fn measurement(
    op: &dyn Operation,
    size: Size,
    prepared: &dyn Prepared,
    samples: &[(u64, Duration)],
) -> Measurement {
    let of_item = |(iterations, taken): &(u64, Duration)| {
        taken.as_secs_f64() * 1e9 / (*iterations as f64 * size.batch as f64)
    };
    let (median, spread) = median_and_spread(samples.iter().map(of_item).collect());
    let calls: u64 = samples.iter().map(|sample| sample.0).sum();
    let taken: Duration = samples.iter().map(|sample| sample.1).sum();
    let carries_little = calls < FEW_CALLS || taken < SHORT;
    let round = |x: f64, digits: i32| match carries_little {
        true => two_digits(x),
        false => round(x, digits),
    };
    let ops_per_s = 1e9 / median;
    Measurement {
        op: op.name().to_owned(),
        bytes: size.bytes,
        batch: size.batch,
        backend: prepared.backend().to_owned(),
        ns_per_op: round(median, 3),
        ops_per_s: round(ops_per_s, 1),
        mb_per_s: round(ops_per_s * size.bytes as f64 / 1e6, 3),
        spread: (samples.len() > 1).then(|| round(spread, 4)),
    }
}

/// Splits iterations into at most [`SAMPLES`] parts, as even as can be.
fn split(total: u64) -> Vec<u64> {
    let total = total.max(1);
    let samples = total.min(SAMPLES);
    let part = |i| total / samples + u64::from(i < total % samples);
    (0..samples).map(part).collect()
}

/// The median, and half the distance between the quartiles as a part of it.
fn median_and_spread(mut samples: Vec<f64>) -> (f64, f64) {
    samples.sort_by(f64::total_cmp);
    let at = |q: f64| {
        let place = q * (samples.len() - 1) as f64;
        let below = samples[place.floor() as usize];
        below + (samples[place.ceil() as usize] - below) * place.fract()
    };
    // The clock's own resolution bounds what can be told.
    let median = at(0.5).max(1e-3);
    (median, (at(0.75) - at(0.25)) / 2.0 / median)
}

fn round(x: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (x * scale).round() / scale
}

/// To two significant digits.
fn two_digits(x: f64) -> f64 {
    match x.abs().log10().floor() {
        power if power.is_finite() => round(x, 1 - power as i32),
        _ => x,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Item;

    #[test]
    fn few_calls_carry_two_digits() {
        assert_eq!(two_digits(80_182_022.0), 80_000_000.0);
        assert_eq!(two_digits(0.012_34), 0.012);
        assert_eq!(two_digits(0.0), 0.0);
        let registry = crate::registry();
        let op = registry
            .iter()
            .find(|op| op.name() == "sha256/digest")
            .unwrap();
        let size = Size {
            bytes: 64,
            batch: 1,
        };
        let inputs = op.inputs(size);
        let prepared = op.prepare(size, &inputs, None).unwrap();
        let of = |samples: &[(u64, u64)]| {
            let took = |&(calls, us)| (calls, Duration::from_micros(us));
            let samples: Vec<_> = samples.iter().map(took).collect();
            let m = measurement(op.as_ref(), size, prepared.as_ref(), &samples);
            (m.ns_per_op, m.spread)
        };
        assert_eq!(of(&[(1, 81_234)]), (81_000_000.0, None));
        assert_eq!(of(&[(5, 61_170), (4, 48_936)]).0, 12_000_000.0);
        assert_eq!(of(&[(5, 61_170), (5, 61_170)]), (12_234_000.0, Some(0.0)));
        assert_eq!(of(&[(1000, 2345), (1000, 2345)]), (2300.0, Some(0.0)));
        assert_eq!(of(&[(1000, 2500), (1000, 2500)]), (2500.0, Some(0.0)));
        assert_eq!(of(&[(1000, 2567), (1000, 2567)]), (2567.0, Some(0.0)));
    }

    #[test]
    fn quartiles() {
        let (median, spread) = median_and_spread(vec![4.0, 2.0, 1.0, 3.0, 5.0]);
        assert_eq!((median, spread), (3.0, 1.0 / 3.0));
        assert_eq!(median_and_spread(vec![7.0]), (7.0, 0.0));
        assert_eq!(median_and_spread(vec![1.0, 2.0]).0, 1.5);
    }

    /// A digest of one block takes some 50 ns in a loop and microseconds from memory.
    #[test]
    fn cold_calls_are_slower() {
        let registry = crate::registry();
        let op = registry.iter().find(|op| op.name() == "sha256/digest");
        let size = Size {
            bytes: 16,
            batch: 1,
        };
        let op = op.unwrap().as_ref();
        let warm = measure(op, size, None, Effort::Iterations(21)).unwrap();
        let cold = measure_cold(op, size, None, 21, &mut Evictor::new()).unwrap();
        assert!(
            cold.ns_per_op > warm.ns_per_op,
            "{} ns cold, {} warm",
            cold.ns_per_op,
            warm.ns_per_op
        );
    }

    #[test]
    fn iterations_are_exact() {
        for total in [1, 2, 14, 15, 16, 1000] {
            let parts = split(total);
            assert_eq!(parts.iter().sum::<u64>(), total);
            assert!(parts.iter().max().unwrap() - parts.iter().min().unwrap() <= 1);
        }
    }

    struct Sleep(u64);

    impl Prepared for Sleep {
        fn run(&mut self, iterations: u64) {
            self.0 += iterations;
            std::thread::sleep(Duration::from_micros(200) * iterations as u32);
        }
        fn outputs(&mut self) -> Vec<Item> {
            Vec::new()
        }
        fn backend(&self) -> &'static str {
            "asleep"
        }
    }

    #[test]
    fn calibration_finds_the_order() {
        let mut sleep = Sleep(0);
        let count = calibrate(
            &mut sleep,
            Duration::from_millis(20),
            Duration::from_millis(20),
        );
        // Sleeps overrun on a busy machine, they never end early.
        assert!((1..=100).contains(&count), "{count}");
        assert!(sleep.0 > 1);
    }
}
