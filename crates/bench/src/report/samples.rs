//! Reports for the tests of this folder.

use crate::results::{EngineInfo, Report, Row, samples};

/// A report with this many rivals: hashes over the length of their messages, a batch with both its
/// ratios, a row that failed.
pub(super) fn wide(rivals: usize) -> Report {
    let mut report = samples::report();
    let names: Vec<String> = (0..rivals).map(|i| format!("rival-{i}")).collect();
    report.engines = names
        .iter()
        .map(|name| EngineInfo {
            name: name.clone(),
            version: format!("{name} 1.2.3"),
            build: "-O3".into(),
        })
        .collect();
    report.rows.clear();
    let sizes = [16, 64, 256, 1024, 8192, 16384];
    for (op, sizes) in [
        ("sha256/digest", &sizes[..]),
        ("sha3-256/digest", &sizes[..]),
        ("hmac-sha256/mac", &sizes[2..]),
        ("ed25519/sign", &[32][..]),
        ("ecdsa-p256/verify", &[32][..]),
    ] {
        for &bytes in sizes {
            for (i, name) in names.iter().enumerate() {
                let ratio = 0.4 + 0.37 * ((i * 7 + bytes / 16 + op.len()) % 11) as f64;
                report.rows.push(against(op, bytes, name, ratio));
            }
        }
    }
    for (i, name) in names.iter().enumerate() {
        for theirs in [1, 64] {
            let ratio = if theirs == 1 { 6.0 } else { 1.4 } + i as f64 / 10.0;
            let mut row = against("x25519/derive_batch", 0, name, ratio);
            row.batch = 64;
            if let Some(against) = &mut row.against {
                against.theirs_batch = theirs;
            }
            report.rows.push(row);
        }
    }
    report.rows.push(samples::row("x25519/keygen", 0, None));
    report
}

/// Six hundred rows and ten rivals.
pub(super) fn large() -> Report {
    let mut report = wide(10);
    let few = report.rows.clone();
    for i in 0..40 {
        report
            .rows
            .extend(few.iter().filter(|r| r.batch == 1).map(|row| Row {
                op: row.op.replacen('/', &format!("-{i}/"), 1),
                ..row.clone()
            }));
    }
    report
}

fn against(op: &str, bytes: usize, name: &str, ratio: f64) -> Row {
    let mut row = samples::row(op, bytes, Some(ratio));
    row.ours_ns = 100.0 + bytes as f64 / 2.0;
    if let Some(against) = &mut row.against {
        against.engine = name.to_owned();
        against.theirs_ns = row.ours_ns * ratio;
        against.engine_version = format!("{name} 1.2.3");
    }
    row
}
