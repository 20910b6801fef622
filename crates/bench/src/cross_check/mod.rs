//! Engines check each other, before ours exists: `adamant bench --cross-check`.
//!
//! Every operation that an engine offers is done once, and judged: by ours where we have it, else
//! by all other engines that can, as [`crate::unbuilt`] says. Nothing is timed. An engine that
//! dies is started again a few times, as in a comparison.
//!
//! With two engines that disagree it is not known which of them is wrong, and both are marked;
//! with more, the fewer are.

mod check;
mod judge;

use std::fmt::Write;
use std::thread;

use adamant_ops::{Operation, pin};

use crate::results::EngineInfo;
use crate::rival::Rival;

pub(crate) use check::Check;

/// What the engines found of each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrossCheck {
    /// The engines that answered.
    pub engines: Vec<EngineInfo>,
    /// A row for each operation at each length.
    pub rows: Vec<Agreement>,
    /// What is wrong, a sentence each.
    pub findings: Vec<String>,
}

/// One operation at one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The name of the operation.
    pub op: String,
    /// Bytes of message or output.
    pub bytes: usize,
    /// What is known of each engine, in their order.
    pub cells: Vec<Cell>,
}

/// What is known of one engine's operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// It does not have it.
    Absent,
    /// This many others agree, ours among them where we have the operation.
    Agrees(usize),
    /// It works, and nobody else can tell whether rightly.
    Alone,
    /// Others disagree.
    Differs,
    /// It gave no answer.
    Failed,
    /// Nobody knows what to ask.
    Unknown,
}

impl CrossCheck {
    /// Whether no engine is known to be wrong or to fail.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let mut cells = self.rows.iter().flat_map(|row| &row.cells);
        !cells.any(|cell| matches!(cell, Cell::Differs | Cell::Failed))
    }

    /// The table for a terminal, the findings below it.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!("{:<36} {:>6}", "operation", "bytes");
        for engine in &self.engines {
            let _ = write!(text, "  {:>7}", engine.name);
        }
        text.push('\n');
        let mut counts = [0; 5];
        for row in &self.rows {
            let _ = write!(text, "{:<36} {:>6}", row.op, row.bytes);
            for (cell, engine) in row.cells.iter().zip(&self.engines) {
                let (kind, shown) = match cell {
                    Cell::Absent => (None, "·".into()),
                    Cell::Agrees(n) => (Some(0), format!("ok {n}")),
                    Cell::Alone => (Some(1), "alone".into()),
                    Cell::Differs => (Some(2), "WRONG".into()),
                    Cell::Failed => (Some(3), "failed".into()),
                    Cell::Unknown => (Some(4), "?".into()),
                };
                if let Some(kind) = kind {
                    counts[kind] += 1;
                }
                let width = engine.name.chars().count().max(7);
                let _ = write!(text, "  {shown:>width$}");
            }
            text.push('\n');
        }
        if !self.findings.is_empty() {
            text.push('\n');
        }
        for finding in &self.findings {
            text += finding;
            text.push('\n');
        }
        let [agree, alone, wrong, failed, unknown] = counts;
        let _ = writeln!(
            text,
            "\n{agree} agree with as many others as shown, {alone} alone, {wrong} in doubt, \
             {failed} failed, {unknown} not asked"
        );
        text
    }
}

/// Lets the rivals check each other in the operations that the patterns choose, all without one.
/// `heard` is told the name of each operation before it starts.
pub fn cross_check(
    patterns: &[String],
    registry: &[Box<dyn Operation>],
    rivals: Vec<Rival>,
    heard: &mut (dyn FnMut(&str) + Send),
) -> CrossCheck {
    let work = || {
        pin();
        let mut check = Check::new(rivals);
        for name in check.names(patterns) {
            heard(&name);
            match registry.iter().find(|op| op.name() == name) {
                Some(op) => check.built(op.as_ref()),
                None => check.unbuilt(&name),
            }
        }
        check.result
    };
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
