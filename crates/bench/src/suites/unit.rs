//! The units of the documents.

use adamant_ops::Size;

/// A figure in a unit, of what was measured: nanoseconds for an item, or bytes of memory or of a
/// file, whichever the unit is of; times are those of the whole batch. `None` where it is of
/// something else.
///
/// ```
/// use adamant_bench::suites::unit::of;
/// use adamant_ops::Size;
/// let of = |unit: &str, value, bytes, batch| of(unit, value, Size { bytes, batch });
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
pub fn of(unit: &str, value: f64, size: Size) -> Option<f64> {
    let (bytes, batch) = (size.bytes as f64, size.batch as f64);
    let figure = match unit {
        "ns" => value * batch,
        "µs" => value * batch / 1e3,
        "ms" => value * batch / 1e6,
        "s" => value * batch / 1e9,
        "kB/s" => bytes / value * 1e6,
        "MB/s" => bytes / value * 1e3,
        "ops/s" | "mul/s" => 1e9 / value,
        "K/s" => 1e6 / value,
        "bytes" => value,
        "KB" => value / 1e3,
        _ => return None,
    };
    figure.is_finite().then_some(figure)
}

/// The unit if documents write one so: one that figures have, or how many times as fast, which
/// nothing that is measured is.
pub(super) fn known(name: &str) -> Option<&str> {
    let has_figures = of(name, 1.0, Size { bytes: 1, batch: 1 }).is_some();
    (has_figures || name == "ratio").then_some(name)
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
        for name in [
            "ns", "µs", "ms", "s", "kB/s", "MB/s", "ops/s", "mul/s", "K/s", "bytes", "KB", "ratio",
        ] {
            assert_eq!(known(name), Some(name));
        }
        assert_eq!(["GB/s", ""].map(known), [None; 2]);
    }

    fn of(unit: &str, value: f64, bytes: usize, batch: usize) -> Option<f64> {
        super::of(unit, value, Size { bytes, batch })
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
