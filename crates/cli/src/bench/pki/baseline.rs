//! The differences from an earlier run.

use std::io::{self, Write};
use std::path::Path;

use adamant_pipeline::Row;
use adamant_pipeline::table::title;
use adamant_tool::strict::Object;
use adamant_tool::text::grouped;

use crate::Failure;
use crate::input::Input;

/// Less than this is no difference: what two runs of the same program differ by.
const NOTHING: f64 = 0.03;

/// The longest output of a run: 1 GiB.
const LONGEST: usize = 1 << 30;

/// Reads what `--json` printed.
pub(super) fn read(path: &Path) -> Result<Vec<Row>, Failure> {
    let failed = |why: String| Failure::Run(format!("{}: {why}", path.display()));
    let text = Input::open(Some(path))?.text(LONGEST)?;
    rows(&text).map_err(failed)
}

fn rows(text: &str) -> Result<Vec<Row>, String> {
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let row = |(number, line)| match serde_json::from_str(line) {
        Ok(Object(row)) => Ok(row),
        Err(error) => Err(format!("line {number}: {error}")),
    };
    lines.map(row).collect()
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::rows;

    /// Every field with every type of JSON.
    #[test]
    fn fields_have_one_type() {
        let row = json!({
            "stage": "cert_gen", "algo": "ed25519", "batch": 64, "ms": 0.5, "items_per_s": 12.5,
            "keys": "counted", "synchronous": "full", "provider": "adamant", "threads": 2,
            "der_bytes": 400, "passes": 3,
        });
        assert_eq!(rows(&format!("\n{row}\n\n{row}\n")).unwrap().len(), 2);
        let fields = row.as_object().unwrap();
        for (field, right) in fields {
            for wrong in [
                json!("text"),
                json!(-1),
                json!(0.25),
                json!(true),
                json!(null),
                json!([7]),
                json!({ "a": 7 }),
            ] {
                let fits = match right {
                    Value::String(_) => {
                        wrong.is_string() && !["keys", "synchronous"].contains(&&**field)
                    }
                    Value::Number(number) if number.is_f64() => wrong.is_number(),
                    _ => false,
                };
                let mut other = row.clone();
                other[field] = wrong.clone();
                let read = rows(&other.to_string());
                assert_eq!(read.is_ok(), fits, "{field}: {wrong}");
                let told = |why: &String| why.starts_with("line 1: ") && why.contains(&**field);
                assert!(read.is_ok() || read.as_ref().is_err_and(told), "{read:?}");
            }
            let mut more = row.clone();
            more[format!("{field}s")] = right.clone();
            assert!(rows(&more.to_string()).is_err(), "{field}s");
            let twice = format!("{{\"{field}\":{right},{}", &row.to_string()[1..]);
            assert!(rows(&twice).is_err(), "{field} twice");
            let mut less = row.clone();
            less.as_object_mut().unwrap().remove(field);
            assert!(rows(&less.to_string()).is_err(), "without {field}");
        }
        let values: Vec<_> = fields.values().collect();
        assert!(rows(&json!(values).to_string()).is_err());
    }
}
