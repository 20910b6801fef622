//! The core's clock, by a reference loop: a chain of additions and exclusive ors, each of which
//! waits for the one before. Either takes one cycle on every processor of interest, so the time
//! of the chain is the length of a cycle, whatever the clock does: turbo, throttling, a governor.
//!
//! Constants stay in registers on purpose: recent processors add small immediates for nothing.
//!
//! A second loop runs many such chains side by side, as many operations in a cycle as the core can
//! begin. Where two threads of a processor share a core, it slows down when the other thread works,
//! which a machine rented out in parts cannot see by other means, and which slows down some code
//! more than other.

use std::hint::black_box;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::stats::{quantile, significant, sorted};

/// Additions and exclusive ors of one chain: about 20 µs of them.
const CHAIN: u32 = 1 << 16;

/// Chains of one reading; the fastest counts, because interruptions only ever lengthen one.
const CHAINS: usize = 4;

/// Chains side by side in the second loop.
const WIDTH: usize = 8;

/// By how much the clock may vary before it is called unsteady.
const STEADY: f64 = 0.03;

/// The part of its greatest width that a core has to itself.
const ALONE: f64 = 0.9;

/// What the core does at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Cycles in a nanosecond.
    pub cycles_per_ns: f64,
    /// Operations begun in a cycle where nothing waits.
    pub width: f64,
}

impl Reading {
    /// Reads the core. It takes less than 0.2 ms.
    ///
    /// ```
    /// let reading = adamant_bench::clock::Reading::now();
    /// assert!(reading.cycles_per_ns > 0.0 && reading.width > 0.0);
    /// ```
    #[must_use]
    pub fn now() -> Self {
        let one = fastest(|| chain(black_box(1), black_box(3), black_box(5)));
        let cycles_per_ns = f64::from(CHAIN) / one;
        let many = fastest(|| chains(black_box([1; WIDTH]), black_box(3), black_box(5)));
        Reading {
            cycles_per_ns,
            width: f64::from(CHAIN) / (many * cycles_per_ns),
        }
    }

    /// Whether the core had no other thread to serve, where this is the greatest width it showed.
    #[must_use]
    pub fn is_alone(&self, widest: f64) -> bool {
        self.width >= ALONE * widest
    }
}

/// Nanoseconds of the fastest of a few calls.
fn fastest<T>(mut work: impl FnMut() -> T) -> f64 {
    let times = (0..CHAINS).map(|_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_nanos()
    });
    times.min().unwrap_or(1).max(1) as f64
}

fn chain(mut x: u64, addend: u64, mask: u64) -> u64 {
    const UNROLLED: u32 = 16;
    for _ in 0..CHAIN / (2 * UNROLLED) {
        for _ in 0..UNROLLED {
            x = x.wrapping_add(addend) ^ mask;
        }
    }
    x
}

fn chains(mut x: [u64; WIDTH], addend: u64, mask: u64) -> [u64; WIDTH] {
    for _ in 0..CHAIN / (2 * WIDTH as u32) {
        for x in &mut x {
            *x = x.wrapping_add(addend) ^ mask;
        }
    }
    x
}

/// What the clock did in a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Cycles in a nanosecond: the median of all readings.
    pub cycles_per_ns: f64,
    /// The twentieth part of the readings lies below.
    pub low: f64,
    /// The twentieth part of the readings lies above.
    pub high: f64,
}

impl Clock {
    /// What these readings tell; `None` of nothing.
    #[must_use]
    pub fn of(readings: &[f64]) -> Option<Self> {
        if readings.is_empty() {
            return None;
        }
        let sorted = sorted(readings);
        let at = |q| significant(quantile(&sorted, q), 4);
        Some(Clock {
            cycles_per_ns: at(0.5),
            low: at(0.05),
            high: at(0.95),
        })
    }

    /// Whether it ran at one speed, near enough.
    #[must_use]
    pub fn is_steady(&self) -> bool {
        self.high <= self.low * (1.0 + STEADY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_is_what_it_says() {
        assert_eq!(CHAIN % 32, 0);
        let mut x = 1u64;
        for _ in 0..CHAIN / 2 {
            x = (x + 3) ^ 5;
        }
        assert_eq!(chain(1, 3, 5), x);
        let mut y = 1u64;
        for _ in 0..CHAIN / (2 * WIDTH as u32) {
            y = (y + 3) ^ 5;
        }
        assert_eq!(chains([1; WIDTH], 3, 5), [y; WIDTH]);
    }

    #[test]
    fn a_second_thread_shows() {
        let reading = |width| Reading {
            cycles_per_ns: 3.0,
            width,
        };
        assert!(reading(3.9).is_alone(4.0));
        assert!(!reading(2.0).is_alone(4.0));
    }

    #[test]
    fn drift_shows() {
        assert_eq!(Clock::of(&[]), None);
        let steady = Clock::of(&[3.0; 40]).unwrap();
        assert_eq!(
            (steady.cycles_per_ns, steady.low, steady.high),
            (3.0, 3.0, 3.0)
        );
        assert!(steady.is_steady());
        // One disturbed reading is no drift; a clock that sinks is.
        let mut readings = [3.0; 40];
        readings[7] = 1.0;
        assert!(Clock::of(&readings).unwrap().is_steady());
        let sinking: Vec<f64> = (0..40).map(|i| 3.5 - 0.02 * f64::from(i)).collect();
        let clock = Clock::of(&sinking).unwrap();
        assert!(
            !clock.is_steady() && clock.low < 2.8 && clock.high > 3.4,
            "{clock:?}"
        );
    }
}
