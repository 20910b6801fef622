//! `adamant speed --leak`: whether the time of operations depends on their secrets.

use std::io::{self, Write};

use adamant_ops::leak::{Finding, Verdict, examine, secrets};
use adamant_ops::{Effort, Operation, pin};
use adamant_tool::machine;
use adamant_tool::text::grouped;

use super::row::Row;
use crate::Failure;

/// Those of the operations that have secrets.
///
/// # Errors
/// None of those asked for has one: the reasons.
pub(crate) fn with_secrets<'a>(
    ops: Vec<&'a dyn Operation>,
    patterns: &[String],
) -> Result<Vec<&'a dyn Operation>, Failure> {
    let mut reasons = Vec::new();
    let chosen: Vec<_> = ops
        .into_iter()
        .filter(|op| match secrets(*op) {
            Ok(_) => true,
            Err(reason) => {
                reasons.push(format!("{}: {reason}", op.name()));
                false
            }
        })
        .collect();
    if chosen.is_empty() {
        return Err(Failure::Usage(reasons.join("; ")));
    }
    // What was asked for by its full name is missed.
    for reason in reasons {
        if patterns
            .iter()
            .any(|p| reason.starts_with(&format!("{p}: ")))
        {
            eprintln!("passed over {reason}");
        }
    }
    Ok(chosen)
}

/// Examines the rows and fails where an implementation that calls itself constant-time leaks.
pub(crate) fn run(rows: &[Row<'_>], effort: Effort, json: bool) -> Result<(), Failure> {
    let core = pin();
    let mut out = io::stdout().lock();
    let width = rows.iter().map(|row| row.op.name().len()).max();
    let width = width.unwrap_or(0).max("operation".len());
    if !json {
        let pinned = core.map_or("not pinned".into(), |core| format!("core {core}"));
        writeln!(out, "{}, {pinned}", machine::cpu_model())?;
        header(&mut out, width)?;
    }
    let (mut leaks, mut failed) = (0, 0);
    for row in rows {
        match examine(row.op, row.size, row.backend, effort) {
            Ok(finding) => {
                leaks += usize::from(finding.verdict == Verdict::Leak && finding.constant_time);
                if json {
                    serde_json::to_writer(&mut out, &finding).map_err(io::Error::from)?;
                    writeln!(out)?;
                } else {
                    line(&mut out, width, &finding)?;
                }
            }
            Err(sentence) => {
                eprintln!("{}: {sentence}", row.op.name());
                failed += 1;
            }
        }
        out.flush()?;
    }
    if failed == rows.len() {
        return Err(Failure::Run("nothing could be examined".into()));
    }
    match leaks {
        0 => Ok(()),
        1 => Err(Failure::Run(
            "the time of one row depends on secrets".into(),
        )),
        _ => Err(Failure::Run(format!(
            "the time of {leaks} rows depends on secrets"
        ))),
    }
}

fn header(out: &mut impl Write, width: usize) -> io::Result<()> {
    writeln!(
        out,
        "{:<width$}  {:>6}  {:>5}  {:<12}  {:>8}  {:>12}  {:>9}  {:>8}  {:>8}  {:>9}  verdict",
        "operation", "bytes", "batch", "backend", "samples", "ns", "detects", "t", "r", "t of r",
    )
}

fn line(out: &mut impl Write, width: usize, f: &Finding) -> io::Result<()> {
    let or_dash = |there: bool, n: usize| if there { n.to_string() } else { "-".into() };
    let verdict = f.verdict.name();
    let note = match &f.second_run {
        Some(again) => format!(
            " (again: t {:.1}, r {:.3}, t of r {:.1})",
            again.t, again.correlation, again.correlation_t
        ),
        None => String::new(),
    };
    let known = if f.constant_time {
        ""
    } else {
        ", said so itself"
    };
    writeln!(
        out,
        "{:<width$}  {:>6}  {:>5}  {:<12}  {:>8}  {:>12}  {:>9}  {:>8.1}  {:>8.3}  {:>9.1}  {verdict}{known}{note}",
        f.op,
        or_dash(f.bytes > 0, f.bytes),
        or_dash(f.op.contains("_batch") || f.batch > 1, f.batch),
        f.backend,
        f.run.samples,
        grouped(f.run.ns, 1),
        format!("{:.1} ns", f.run.detectable_ns),
        f.run.t,
        f.run.correlation,
        f.run.correlation_t,
    )
}
