//! The units of the documents.

use std::fmt;

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds, of the whole batch.
    Ns,
    /// Microseconds, of the whole batch.
    Us,
    /// Milliseconds, of the whole batch.
    Ms,
    /// Seconds.
    S,
    /// Thousands of bytes a second.
    KBytesPerS,
    /// Millions of bytes a second.
    MBytesPerS,
    /// Operations a second.
    OpsPerS,
    /// Point multiplications a second.
    MulPerS,
    /// Thousands of items a second.
    KPerS,
    /// Bytes of memory.
    Bytes,
    /// Thousands of bytes of a file.
    KBytes,
    /// How many times as fast.
    Ratio,
}

const NAMES: [(&str, Unit); 12] = [
    ("ns", Unit::Ns),
    ("µs", Unit::Us),
    ("ms", Unit::Ms),
    ("s", Unit::S),
    ("kB/s", Unit::KBytesPerS),
    ("MB/s", Unit::MBytesPerS),
    ("ops/s", Unit::OpsPerS),
    ("mul/s", Unit::MulPerS),
    ("K/s", Unit::KPerS),
    ("bytes", Unit::Bytes),
    ("KB", Unit::KBytes),
    ("ratio", Unit::Ratio),
];

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = NAMES[*self as usize];
        f.write_str(name)
    }
}

impl Unit {
    /// The unit that documents write so.
    #[must_use]
    pub fn named(name: &str) -> Option<Unit> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, unit)| *unit)
    }

    /// What was measured in this unit: nanoseconds for an item, or bytes of memory or of a file,
    /// whichever the unit is of; `None` where it is of neither.
    ///
    /// ```
    /// use adamant_bench::suites::unit::Unit;
    /// // 8192 bytes in 4096 ns
    /// assert_eq!(Unit::MBytesPerS.of(4096.0, 8192, 1), Some(2000.0));
    /// // batches of 64 items, 500 ns an item
    /// assert_eq!(Unit::Us.of(500.0, 0, 64), Some(32.0));
    /// assert_eq!(Unit::OpsPerS.of(500.0, 0, 64), Some(2e6));
    /// // 1500 bytes
    /// assert_eq!(Unit::KBytes.of(1500.0, 0, 1), Some(1.5));
    /// assert_eq!(Unit::Ratio.of(500.0, 0, 1), None);
    /// ```
    #[must_use]
    pub fn of(self, value: f64, bytes: usize, batch: usize) -> Option<f64> {
        let whole = value * batch as f64;
        let per_ns = 1.0 / value;
        let value = match self {
            Unit::Ns => whole,
            Unit::Us => whole / 1e3,
            Unit::Ms => whole / 1e6,
            Unit::S => whole / 1e9,
            Unit::KBytesPerS => bytes as f64 * per_ns * 1e6,
            Unit::MBytesPerS => bytes as f64 * per_ns * 1e3,
            Unit::OpsPerS | Unit::MulPerS => per_ns * 1e9,
            Unit::KPerS => per_ns * 1e6,
            Unit::Bytes => value,
            Unit::KBytes => value / 1e3,
            Unit::Ratio => return None,
        };
        Some(value).filter(|value| value.is_finite())
    }
}

/// A figure with four significant digits at most, as many as the largest needs before the point.
#[must_use]
pub fn figure(value: f64) -> String {
    let digits = match value.abs() {
        0.0 => 0,
        x if x >= 99.95 => 0,
        x if x >= 9.995 => 1,
        x if x >= 0.9995 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        for (name, unit) in NAMES {
            assert_eq!(unit.to_string(), name);
            assert_eq!(Unit::named(name), Some(unit));
        }
        assert_eq!(Unit::named("GB/s"), None);
    }

    #[test]
    fn conversions() {
        // openHiTLS, appendix D and 3.1: SHA-256 of 8192 bytes in 19,318 ns is 424.1 MB/s.
        assert_eq!(
            figure(Unit::MBytesPerS.of(19_318.0, 8192, 1).unwrap()),
            "424"
        );
        let mb = Unit::MBytesPerS.of(19_318.0, 8192, 1).unwrap();
        assert!((mb - 424.06).abs() < 0.01);
        assert_eq!(Unit::KBytesPerS.of(19_318.0, 8192, 1), Some(mb * 1000.0));
        // The same document: X25519 in 18,362 ns is 54,462 a second (54,460).
        let ops = Unit::OpsPerS.of(18_362.0, 0, 1).unwrap();
        assert!((ops / 54_462.0 - 1.0).abs() < 1e-4);
        assert_eq!(Unit::MulPerS.of(18_362.0, 0, 1), Some(ops));
        // synta: 1024 certificates in 6.65 ms are 154.0 K/s.
        let item = 6.65e6 / 1024.0;
        assert!((Unit::KPerS.of(item, 0, 1024).unwrap() - 154.0).abs() < 0.05);
        assert!((Unit::Ms.of(item, 0, 1024).unwrap() - 6.65).abs() < 1e-9);
        assert_eq!(Unit::Ns.of(2.5, 0, 1), Some(2.5));
        assert_eq!(Unit::S.of(2.5e9, 0, 1), Some(2.5));
        assert_eq!(Unit::Bytes.of(1.0, 1, 1), Some(1.0));
        assert_eq!(Unit::KBytes.of(1500.0, 0, 1), Some(1.5));
        assert_eq!(Unit::Ratio.of(1.0, 1, 1), None);
        assert_eq!(Unit::MBytesPerS.of(0.0, 8192, 1), None);
    }

    #[test]
    fn figures() {
        let texts = [12345.6, 424.06, 42.42, 4.242, 0.4242].map(figure);
        assert_eq!(texts, ["12346", "424", "42.4", "4.24", "0.424"]);
    }
}
