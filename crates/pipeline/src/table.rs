//! The rows of a run as text.

use std::fmt::{self, Write};

use adamant_tool::machine;
use adamant_tool::text::{distinct, grouped};

use crate::Row;

/// What is written to a string, which takes all.
fn text(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut text = String::new();
    let _ = write(&mut text);
    text
}

/// The machine, the sides, and where things were stored.
#[must_use]
pub fn heading(rows: &[Row], sides: &[&str]) -> String {
    text(|out| write_heading(out, rows, sides))
}

fn write_heading(out: &mut String, rows: &[Row], sides: &[&str]) -> fmt::Result {
    let threads = rows.first().map_or(0, |row| row.threads);
    let s = if threads == 1 { "" } else { "s" };
    let (cpu, sides) = (machine::cpu_model(), sides.join(", "));
    writeln!(out, "{cpu}, {threads} thread{s}, {sides}, SQLite")
}

/// Sizes side by side in one table.
const ABREAST: usize = 4;

/// The rows as tables, one for each algorithm and a few sizes: the median of a batch, and items a
/// second.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    text(|out| write_table(out, rows))
}

fn write_table(out: &mut String, rows: &[Row]) -> fmt::Result {
    for algo in distinct(rows.iter().map(|row| row.algo.as_str())) {
        let of_algo: Vec<_> = rows.iter().filter(|row| row.algo == algo).collect();
        let sizes = distinct(of_algo.iter().map(|row| row.batch));
        for sizes in sizes.chunks(ABREAST) {
            let columns: Vec<Vec<_>> = sizes
                .iter()
                .map(|&size| of_algo.iter().filter(|row| row.batch == size).collect())
                .collect();
            writeln!(out)?;
            write!(out, "{algo:<26}")?;
            for size in sizes {
                write!(out, "  {:>24}", format!("batch of {size}"))?;
            }
            write!(out, "\n{:<26}", "stage")?;
            for _ in sizes {
                write!(out, "  {:>10}  {:>12}", "ms", "items/s")?;
            }
            writeln!(out)?;
            for (i, row) in columns[0].iter().enumerate() {
                write!(out, "{:<26}", title(row))?;
                for row in columns.iter().filter_map(|column| column.get(i)) {
                    let rate = grouped(row.items_per_s, 0);
                    write!(out, "  {:>10}  {rate:>12}", grouped(row.ms, 3))?;
                }
                writeln!(out)?;
            }
        }
    }
    Ok(())
}

/// The stage, and what tells it from its other row.
#[must_use]
pub fn title(row: &Row) -> String {
    let stage = &row.stage;
    if stage == "cert_gen" {
        let made = row
            .keys_made
            .map_or(String::new(), |made| format!("{made} "));
        format!("{stage}, {made}keys {}", row.keys.name())
    } else if stage.starts_with("db_insert") {
        format!("{stage}, {}", row.synchronous)
    } else {
        stage.clone()
    }
}

/// The rows of several sides: for each algorithm and size a table of the first side's median and
/// rate, and of every rival's median with how many times as long it took.
#[must_use]
pub fn compared(rows: &[Row], sides: &[&str]) -> String {
    text(|out| write_compared(out, rows, sides))
}

fn write_compared(out: &mut String, rows: &[Row], sides: &[&str]) -> fmt::Result {
    for algo in distinct(rows.iter().map(|row| row.algo.as_str())) {
        let of_algo: Vec<_> = rows.iter().filter(|row| row.algo == algo).collect();
        for size in distinct(of_algo.iter().map(|row| row.batch)) {
            let of_side = |side: &str| -> Vec<&Row> {
                let rows = of_algo.iter().filter(|row| row.batch == size);
                rows.copied().filter(|row| row.provider == side).collect()
            };
            let columns: Vec<_> = sides.iter().map(|side| of_side(side)).collect();
            let Some((ours, rivals)) = columns.split_first() else {
                continue;
            };
            write!(out, "\n{:<26}", format!("{algo}, batch of {size}"))?;
            for side in sides {
                write!(out, "  {side:>24}")?;
            }
            write!(out, "\n{:<26}  {:>10}  {:>12}", "stage", "ms", "items/s")?;
            for _ in rivals {
                write!(out, "  {:>14}  {:>8}", "ms", "ratio")?;
            }
            writeln!(out)?;
            for (i, row) in ours.iter().enumerate() {
                let rate = grouped(row.items_per_s, 0);
                let ms = grouped(row.ms, 3);
                write!(out, "{:<26}  {ms:>10}  {rate:>12}", title(row))?;
                for rival in rivals {
                    match rival.get(i) {
                        Some(theirs) => {
                            let ratio = format!("{:.2}x", theirs.ms / row.ms);
                            write!(out, "  {:>14}  {ratio:>8}", grouped(theirs.ms, 3))?;
                        }
                        None => write!(out, "  {:>14}  {:>8}", "absent", "")?,
                    }
                }
                writeln!(out)?;
            }
        }
    }
    Ok(())
}
