//! A clock that stops while its thread waits for a core that others have.
//!
//! On a busy machine a run of a few milliseconds is interrupted more often than not, for as long
//! as it takes itself. Linux tells how long a thread has waited, in nanoseconds
//! (`/proc/thread-self/schedstat`); that is taken off. Where no such thing is told, and for the
//! time that a hypervisor gives to others, it is an ordinary monotonic clock.

use std::fs;
use std::time::{Duration, Instant};

/// Measures how long the calling thread works.
///
/// ```
/// use adamant_engine::stopwatch::Stopwatch;
/// let watch = Stopwatch::start();
/// let sum: u64 = std::hint::black_box(0..1000).sum();
/// assert!(watch.elapsed().as_nanos() > 0 && sum == 499_500);
/// ```
pub struct Stopwatch {
    waited: Option<Duration>,
    start: Instant,
}

impl Stopwatch {
    /// Starts.
    #[must_use]
    pub fn start() -> Self {
        // The clock is read last here and first at the end: reading a file takes microseconds.
        Stopwatch {
            waited: waited(),
            start: Instant::now(),
        }
    }

    /// The time since the start in which the thread had a core. Ask in the thread that started it.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let passed = self.start.elapsed();
        let waited = self.waited.zip(waited());
        let waited = waited.map_or(Duration::ZERO, |(before, now)| now.saturating_sub(before));
        // Waits outside of the interval, between the two readings, are no part of it.
        passed.checked_sub(waited).unwrap_or(passed)
    }
}

/// How long the calling thread has waited for a core since it began; `None` where the system does
/// not tell.
///
/// ```
/// use adamant_engine::stopwatch::waited;
/// let before = waited();
/// assert!(before <= waited());
/// ```
#[must_use]
pub fn waited() -> Option<Duration> {
    parse(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// The second number: nanoseconds.
fn parse(schedstat: &str) -> Option<Duration> {
    let nanoseconds = schedstat.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    #[test]
    fn schedstat() {
        let told = Some(Duration::from_nanos(77_000));
        assert_eq!(parse("4190000 77000 12\n"), told);
        assert_eq!(parse("4190000"), None);
        assert_eq!(parse("a b c"), None);
    }

    #[test]
    fn it_never_runs_ahead() {
        let all = Instant::now();
        let watch = Stopwatch::start();
        sleep(Duration::from_millis(2));
        // To sleep is not to wait for a core.
        let elapsed = watch.elapsed();
        assert!(elapsed >= Duration::from_millis(1), "{elapsed:?}");
        assert!(elapsed <= all.elapsed());
    }
}
