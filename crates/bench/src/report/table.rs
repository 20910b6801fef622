//! The table for a terminal.

use std::fmt::Write;

use super::family::{family, titles};
use super::format::{plain_ratio, ratio, short_version, size, time};
use super::view::{Entry, Sides, Tally, View};
use crate::results::{Row, Verdict};

/// The comparison as a table, a family at a time, with a summary below it.
///
/// `▲` marks where ours is faster with certainty, `▼` where it is slower, `=` where the interval
/// includes 1.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let against = || rows.iter().filter_map(|row| row.against.as_ref());
    let single_rival = against().all(|a| Some(&a.engine) == against().next().map(|a| &a.engine));
    let rival = match against().next() {
        Some(a) if single_rival => short_version(&a.engine_version),
        Some(_) => "theirs".into(),
        None => String::new(),
    };
    let mut lines = vec![
        [
            "operation",
            "size",
            "ours",
            &rival,
            "",
            "ratio",
            "95 % interval",
            "implementation",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    let mut breaks = Vec::new();
    for title in titles() {
        let of_family: Vec<_> = rows.iter().filter(|r| family(&r.op) == title).collect();
        if !of_family.is_empty() {
            breaks.push(lines.len());
        }
        for row in of_family {
            let mut line = vec![row.op.clone(), size(row), time(row.ours_ns)];
            match &row.against {
                Some(a) => line.extend([
                    if single_rival {
                        time(a.theirs_ns)
                    } else {
                        format!("{} {}", time(a.theirs_ns), a.engine)
                    },
                    mark(a.verdict()).to_owned(),
                    ratio(a.ratio),
                    interval(a.ratio_low, a.ratio_high),
                ]),
                None => line.extend(vec![String::new(); 4]),
            }
            let asked = if row.forced { ", asked for" } else { "" };
            let note = row.troubles().into_iter().map(|note| format!("; {note}"));
            line.push(format!("{}{asked}", row.backend) + &note.collect::<String>());
            lines.push(line);
        }
    }
    aligned(&lines, &[0, 4, 7], &breaks) + &summary(rows)
}

/// Who won how often: against the best rival of each operation, and against each.
fn summary(rows: &[Row]) -> String {
    let view = View::of(rows);
    let best = Tally::of(view.contests().filter_map(Entry::best));
    let mut text = String::new();
    let mut line = |whom: &str, tally: &Tally| {
        if let Some(mean) = tally.mean {
            let _ = writeln!(
                text,
                "{whom}{} compared: ▲ {} faster, = {} even, ▼ {} slower; geometric mean {}",
                tally.compared(),
                tally.won,
                tally.tied,
                tally.lost,
                ratio(mean)
            );
        }
    };
    if view.rivals.len() > 1 {
        for (place, rival) in view.rivals.iter().enumerate() {
            let sides = view.contests().filter_map(|e| e.sides.get(place).copied());
            line(
                &format!("{rival}: "),
                &Tally::of(sides.filter_map(Sides::best)),
            );
        }
        line("the best of them: ", &best);
    } else {
        line("", &best);
    }
    if text.is_empty() {
        text
    } else {
        format!("\n{text}")
    }
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "▲",
        Verdict::Even => "=",
        Verdict::Slower => "▼",
    }
}

fn interval(low: f64, high: f64) -> String {
    format!("{} – {}", plain_ratio(low), plain_ratio(high))
}

/// Lines with their columns aligned, those of `left` to the left; an empty line precedes
/// each of `breaks`.
fn aligned(lines: &[Vec<String>], left: &[usize], breaks: &[usize]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; columns];
    widen(&mut widths, lines);
    in_columns(lines, &widths, left, breaks)
}

/// Makes columns as wide as these lines need.
pub(super) fn widen(widths: &mut [usize], lines: &[Vec<String>]) {
    for line in lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
}

/// Lines in columns of these widths, otherwise as [`aligned`].
pub(super) fn in_columns(
    lines: &[Vec<String>],
    widths: &[usize],
    left: &[usize],
    breaks: &[usize],
) -> String {
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        if breaks.contains(&i) {
            text.push('\n');
        }
        let cells = line.iter().zip(widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| {
            if left.contains(&column) {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;

    #[test]
    fn tables_align() {
        let report = samples::report();
        let text = table(&report.rows);
        assert!(text.contains("OpenSSL 3.0.19"));
        assert!(text.contains("▲  1.40×"), "{text}");
        assert!(text.contains("3 compared: ▲ 1 faster, = 1 even, ▼ 1 slower"));
        let column = |line: &str| line.chars().position(|c| c == '×');
        let columns: Vec<_> = text
            .lines()
            .filter(|line| line.contains(" – "))
            .map(column)
            .collect();
        assert_eq!(columns.len(), 3);
        assert!(columns.iter().all(|c| c == &columns[0]));
    }
}
