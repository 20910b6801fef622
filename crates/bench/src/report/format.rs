//! Numbers as people read them.

use crate::results::Row;

/// A time: `84.2 ns`, `15.6 µs`, `2.31 ms`.
pub(super) fn time(ns: f64) -> String {
    scaled(ns, &["ns", "µs", "ms", "s"])
}

/// What a second holds: `1.25 M/s`.
pub(super) fn per_second(n: f64) -> String {
    let text = scaled(n, &["", "k", "M", "G"]);
    format!("{}/s", text.trim_end())
}

/// A throughput in bytes.
pub(super) fn throughput(bytes: usize, ns: f64) -> String {
    scaled(bytes as f64 * 1e9 / ns, &["B/s", "kB/s", "MB/s", "GB/s"])
}

/// Three significant digits and a unit, each a thousand of the one before.
fn scaled(mut x: f64, units: &[&str]) -> String {
    let mut unit = 0;
    // 999.5 would be shown as 1000.
    while x >= 999.5 && unit + 1 < units.len() {
        x /= 1000.0;
        unit += 1;
    }
    let digits = if x >= 99.95 || x == 0.0 {
        0
    } else if x >= 9.995 {
        1
    } else {
        2
    };
    format!("{x:.digits$} {}", units[unit])
}

/// A length that is not a power of two: `465 B`, `21.6 kB`.
pub(super) fn octets(n: u64) -> String {
    match n {
        0..1000 => format!("{n} B"),
        n => scaled(n as f64, &["B", "kB", "MB", "GB"]),
    }
}

/// A ratio that a logarithm takes: positive and finite.
pub(super) fn bound(ratio: f64) -> f64 {
    if ratio.is_finite() {
        ratio.max(1e-9)
    } else {
        1.0
    }
}

/// A ratio: `1.43×`.
pub(super) fn ratio(x: f64) -> String {
    format!("{}×", plain_ratio(x))
}

/// A ratio without its sign.
pub(super) fn plain_ratio(x: f64) -> String {
    if x >= 99.95 {
        format!("{x:.0}")
    } else if x >= 9.995 {
        format!("{x:.1}")
    } else {
        format!("{x:.2}")
    }
}

/// What a row is of: bytes, and items where it is a batch.
pub(super) fn size(row: &Row) -> String {
    let mut parts = Vec::new();
    if row.bytes > 0 {
        parts.push(bytes(row.bytes));
    }
    if row.batch > 1 {
        parts.push(format!("× {}", row.batch));
    }
    parts.join(" ")
}

/// A length: `64 B`, `16 KiB`.
pub(super) fn bytes(n: usize) -> String {
    match n {
        0 => "0 B".into(),
        n if n.is_multiple_of(1 << 20) => format!("{} MiB", n >> 20),
        n if n.is_multiple_of(1 << 10) => format!("{} KiB", n >> 10),
        n => format!("{n} B"),
    }
}

/// The name of a rival in the title of a column: the first two words of its version, as in
/// `OpenSSL 3.0.19`.
pub(super) fn short_version(version: &str) -> String {
    version
        .split_whitespace()
        .take(2)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(time(84.23), "84.2 ns");
        assert_eq!(time(999.6), "1.00 µs");
        assert_eq!(time(15_678.0), "15.7 µs");
        assert_eq!(time(1.5e12), "1500 s");
        assert_eq!(per_second(123.0), "123/s");
        assert_eq!(per_second(1_250_000.0), "1.25 M/s");
        assert_eq!(throughput(16384, 8192.0), "2.00 GB/s");
        assert_eq!(ratio(0.705), "0.70×");
        assert_eq!(ratio(12.34), "12.3×");
        assert_eq!(octets(465), "465 B");
        assert_eq!(octets(21_611), "21.6 kB");
        assert_eq!(bytes(16384), "16 KiB");
        assert_eq!(bytes(1350), "1350 B");
        assert_eq!(
            short_version("OpenSSL 3.0.19 27 Jan 2026"),
            "OpenSSL 3.0.19"
        );
    }
}
