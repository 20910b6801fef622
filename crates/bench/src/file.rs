//! The file that keeps a run: JSON lines, each of which says by its fields what it is.
//!
//! | a line with | is |
//! |---|---|
//! | `machine` | the [`Head`]: machine, date, command, rivals, clock, notes. It comes first |
//! | `op` | a [`Row`] of the comparison |
//! | `stage` | a [`PipelineRow`] |
//!
//! Lines with none of these are left to later versions. What changed since a baseline is not
//! kept: it can be had again from both files.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::Clock;
use crate::machine::Machine;
use crate::results::{Count, EngineInfo, Footprint, PipelineRow, Report, Row};

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The machine and the time.
    pub machine: Machine,
    /// The command that was given.
    pub command: String,
    /// The core that everything ran on.
    #[serde(default)]
    pub core: Option<usize>,
    /// What the core's clock did.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// The rivals that answered.
    #[serde(default)]
    pub engines: Vec<EngineInfo>,
    /// What a reader has to know of the run.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The suites that the run was of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suites: Vec<String>,
    /// Instructions that were counted in place of machines that are not here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Count>,
    /// What builds take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub footprints: Vec<Footprint>,
}

/// The lines of a report.
///
/// # Errors
/// Of the serialiser; there is no report that it refuses.
pub fn write(report: &Report) -> serde_json::Result<String> {
    let head = Head {
        machine: report.machine.clone(),
        command: report.command.clone(),
        core: report.core,
        clock: report.clock,
        engines: report.engines.clone(),
        notes: report.notes.clone(),
        suites: report.suites.clone(),
        counts: report.counts.clone(),
        footprints: report.footprints.clone(),
    };
    let mut lines = vec![serde_json::to_string(&head)?];
    for row in &report.rows {
        lines.push(serde_json::to_string(row)?);
    }
    for row in &report.pipeline {
        lines.push(serde_json::to_string(row)?);
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}

/// The report that these lines keep.
///
/// # Errors
/// A sentence with the number of the line that is wrong, or that there is no head.
pub fn read(text: &str) -> Result<Report, String> {
    let mut head = None;
    let (mut rows, mut pipeline) = (Vec::new(), Vec::new());
    let lines = text.lines().enumerate();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |e: serde_json::Error| format!("line {}: {e}", number + 1);
        let value: Value = serde_json::from_str(line).map_err(wrong)?;
        if value.get("machine").is_some() {
            head = Some(Head::deserialize(value).map_err(wrong)?);
        } else if value.get("op").is_some() {
            rows.push(Row::deserialize(value).map_err(wrong)?);
        } else if value.get("stage").is_some() {
            pipeline.push(PipelineRow::deserialize(value).map_err(wrong)?);
        }
    }
    let Head {
        machine,
        command,
        core,
        clock,
        engines,
        notes,
        suites,
        counts,
        footprints,
    } = head.ok_or("no line tells the machine: it is not the file of a run")?;
    Ok(Report {
        machine,
        command,
        engines,
        rows,
        pipeline,
        notes,
        core,
        clock,
        baseline: None,
        suites,
        counts,
        footprints,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;

    #[test]
    fn reports_are_read_back() {
        let report = samples::report();
        let text = write(&report).unwrap();
        assert_eq!(
            text.lines().count(),
            1 + report.rows.len() + report.pipeline.len()
        );
        assert!(text.starts_with(r#"{"machine":{"#) && text.ends_with("}\n"));
        assert_eq!(read(&text), Ok(report.clone()));
        // Lines of later versions are passed over.
        assert_eq!(read(&(text + "\n{\"suite\":\"x\"}\n")), Ok(report));
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert!(read("").unwrap_err().contains("no line tells the machine"));
        assert!(read("{}\n\n[1").unwrap_err().starts_with("line 3: "));
        assert!(
            read(r#"{"op":"x"}"#)
                .unwrap_err()
                .starts_with("line 1: missing field")
        );
    }
}
