//! The units of the documents.

use std::fmt;

use adamant_ops::Size;

/// What a figure counts: a row of the table of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit(usize);

/// A figure in the unit, of what was measured: nanoseconds for an item, or bytes of memory or of a
/// file, whichever the unit is of; the bytes of an item; the items of the batch. Times are those of
/// the whole batch.
type Figure = fn(f64, f64, f64) -> f64;

const UNITS: [(&str, Figure); 12] = [
    ("ns", |ns, _, batch| ns * batch),
    ("µs", |ns, _, batch| ns * batch / 1e3),
    ("ms", |ns, _, batch| ns * batch / 1e6),
    ("s", |ns, _, batch| ns * batch / 1e9),
    ("kB/s", |ns, bytes, _| bytes / ns * 1e6),
    ("MB/s", |ns, bytes, _| bytes / ns * 1e3),
    ("ops/s", |ns, _, _| 1e9 / ns),
    ("mul/s", |ns, _, _| 1e9 / ns),
    ("K/s", |ns, _, _| 1e6 / ns),
    ("bytes", |size, _, _| size),
    ("KB", |size, _, _| size / 1e3),
    // How many times as fast: of nothing that is measured.
    ("ratio", |_, _, _| f64::NAN),
];

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(UNITS[self.0].0)
    }
}

impl Unit {
    /// The unit that documents write so.
    #[must_use]
    pub fn named(name: &str) -> Option<Unit> {
        UNITS.iter().position(|(known, _)| *known == name).map(Unit)
    }

    /// What was measured in this unit; `None` where it is of something else.
    ///
    /// ```
    /// use adamant_bench::suites::unit::Unit;
    /// use adamant_ops::Size;
    /// let of = |unit: &str, value, bytes, batch| Unit::named(unit)?.of(value, Size { bytes, batch });
    /// // 8192 bytes in 4096 ns
    /// assert_eq!(of("MB/s", 4096.0, 8192, 1), Some(2000.0));
    /// // batches of 64 items, 500 ns an item
    /// assert_eq!(of("µs", 500.0, 0, 64), Some(32.0));
    /// assert_eq!(of("ops/s", 500.0, 0, 64), Some(2e6));
    /// // 1500 bytes
    /// assert_eq!(of("KB", 1500.0, 0, 1), Some(1.5));
    /// assert_eq!(of("ratio", 500.0, 0, 1), None);
    /// ```
    #[must_use]
    pub fn of(self, value: f64, size: Size) -> Option<f64> {
        let (_, figure) = UNITS[self.0];
        let figure = figure(value, size.bytes as f64, size.batch as f64);
        figure.is_finite().then_some(figure)
    }
}

/// A figure with four significant digits at most, as many as the largest needs before the point.
pub(crate) fn figure(value: f64) -> String {
    let is_below = |bound: &f64| value != 0.0 && value.abs() < *bound;
    let digits = [99.95, 9.995, 0.9995].into_iter().filter(is_below).count();
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known() {
        for (place, (name, _)) in UNITS.into_iter().enumerate() {
            assert_eq!(Unit(place).to_string(), name);
            assert_eq!(Unit::named(name), Some(Unit(place)));
        }
        assert_eq!(Unit::named("GB/s"), None);
    }

    fn of(unit: &str, value: f64, bytes: usize, batch: usize) -> Option<f64> {
        Unit::named(unit).unwrap().of(value, Size { bytes, batch })
    }

    #[test]
    fn conversions() {
        // openHiTLS, appendix D and 3.1: SHA-256 of 8192 bytes in 19,318 ns is 424.1 MB/s.
        assert_eq!(figure(of("MB/s", 19_318.0, 8192, 1).unwrap()), "424");
        let mb = of("MB/s", 19_318.0, 8192, 1).unwrap();
        assert!((mb - 424.06).abs() < 0.01);
        assert_eq!(of("kB/s", 19_318.0, 8192, 1), Some(mb * 1000.0));
        // The same document: X25519 in 18,362 ns is 54,462 a second (54,460).
        let ops = of("ops/s", 18_362.0, 0, 1).unwrap();
        assert!((ops / 54_462.0 - 1.0).abs() < 1e-4);
        assert_eq!(of("mul/s", 18_362.0, 0, 1), Some(ops));
        // synta: 1024 certificates in 6.65 ms are 154.0 K/s.
        let item = 6.65e6 / 1024.0;
        assert!((of("K/s", item, 0, 1024).unwrap() - 154.0).abs() < 0.05);
        assert!((of("ms", item, 0, 1024).unwrap() - 6.65).abs() < 1e-9);
        assert_eq!(of("ns", 2.5, 0, 1), Some(2.5));
        assert_eq!(of("s", 2.5e9, 0, 1), Some(2.5));
        assert_eq!(of("bytes", 1.0, 1, 1), Some(1.0));
        assert_eq!(of("KB", 1500.0, 0, 1), Some(1.5));
        assert_eq!(of("ratio", 1.0, 1, 1), None);
        assert_eq!(of("MB/s", 0.0, 8192, 1), None);
    }

    #[test]
    fn figures() {
        let texts = [12345.6, 424.06, 42.42, 4.242, 0.4242].map(figure);
        assert_eq!(texts, ["12346", "424", "42.4", "4.24", "0.424"]);
    }
}
