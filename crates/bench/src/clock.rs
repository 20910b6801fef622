//! The core's clock, by a reference loop: a chain of additions and exclusive ors, each of which
//! waits for the one before. Either takes one cycle on every processor of interest, so the time
//! of the chain is the length of a cycle, whatever the clock does: turbo, throttling, a governor.
//!
//! Constants stay in registers on purpose: recent processors add small immediates for nothing.

use std::hint::black_box;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::stats::{quantile, significant, sorted};

/// Additions and exclusive ors of one chain: about 20 µs of them.
const CHAIN: u32 = 1 << 16;

/// Chains of one reading; the fastest counts, because interruptions only ever lengthen one.
const CHAINS: usize = 4;

/// By how much the clock may vary before it is called unsteady.
const STEADY: f64 = 0.03;

/// Cycles in a nanosecond, now. It takes less than 0.1 ms.
///
/// ```
/// assert!(adamant_bench::clock::cycles_per_ns() > 0.0);
/// ```
#[must_use]
pub fn cycles_per_ns() -> f64 {
    let fastest = (0..CHAINS)
        .map(|_| {
            let start = Instant::now();
            black_box(chain(black_box(1), black_box(3), black_box(5)));
            start.elapsed().as_nanos()
        })
        .min();
    f64::from(CHAIN) / fastest.unwrap_or(1).max(1) as f64
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

/// What the clock did in a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
