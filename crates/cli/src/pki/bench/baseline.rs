//! The differences from an earlier run.

use std::io::{self, Write};
use std::path::Path;

use adamant_pki::pipeline::Row;

use super::table::title;
use crate::Failure;
use crate::input::Input;
use crate::speed::grouped;

/// Less than this is no difference: what two runs of the same program differ by.
const NOTHING: f64 = 0.03;

/// The longest output of a run: 1 GiB.
const LONGEST: usize = 1 << 30;

/// Reads what `--json` printed.
pub(super) fn read(path: &Path) -> Result<Vec<Row>, Failure> {
    let failed = |why: String| Failure::Run(format!("{}: {why}", path.display()));
    let text = Input::open(Some(path))?.text(LONGEST)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let rows = lines.map(|line| serde_json::from_str(line).map_err(|e| failed(e.to_string())));
    rows.collect()
}

/// A line for each row that both runs have: algorithm, batch, stage, both medians, and by how
/// much the later one is longer.
pub(super) fn differences(out: &mut impl Write, before: &[Row], now: &[Row]) -> io::Result<()> {
    writeln!(
        out,
        "\n{:<18} {:<16} {:>6}  {:<26} {:>12} {:>12} {:>8}",
        "algorithm", "provider", "batch", "stage", "before, ms", "now, ms", "delta"
    )?;
    let mut unmatched = 0;
    for row in now {
        let Some(old) = before.iter().find(|old| same(old, row)) else {
            unmatched += 1;
            continue;
        };
        let change = row.ms / old.ms - 1.0;
        let delta = if change.abs() < NOTHING {
            "~0 %".to_owned()
        } else {
            format!("{:+.0} %", 100.0 * change)
        };
        writeln!(
            out,
            "{:<18} {:<16} {:>6}  {:<26} {:>12} {:>12} {delta:>8}",
            row.algo,
            row.provider,
            row.batch,
            title(row),
            grouped(old.ms, 3),
            grouped(row.ms, 3),
        )?;
    }
    if unmatched > 0 {
        writeln!(out, "{unmatched} rows are not in the earlier run")?;
    }
    Ok(())
}

/// Whether both are of the same thing.
fn same(a: &Row, b: &Row) -> bool {
    let of = |row: &Row| (row.batch, row.threads, row.keys, row.synchronous);
    of(a) == of(b)
        && [
            (&a.algo, &b.algo),
            (&a.stage, &b.stage),
            (&a.provider, &b.provider),
        ]
        .iter()
        .all(|(a, b)| a == b)
}
