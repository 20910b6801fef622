//! The file that keeps a run: JSON lines, each of which says by its fields what it is.
//!
//! | a line with | is |
//! |---|---|
//! | `machine` | the [`Head`]: machine, date, command, rivals, clock, notes. It comes first |
//! | `op` | a [`Row`](crate::results::Row) of the comparison |
//! | `stage` | a [`Stage`](crate::results::Stage) |
//!
//! A line with none of these, or with anything that is not known here, is an error. Changes
//! since a baseline are not kept: they follow from both files.

use adamant_tool::strict::{self, Object};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::machine::Machine;
use crate::results::{Count, EngineInfo, Footprint, Report};

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The machine and the time.
    #[serde(deserialize_with = "strict::one")]
    pub machine: Machine,
    /// The command that was given.
    pub command: String,
    /// The core that everything ran on.
    #[serde(default)]
    pub core: Option<usize>,
    /// What the core's clock did.
    #[serde(default, deserialize_with = "strict::maybe")]
    pub clock: Option<Clock>,
    /// The rivals that answered.
    #[serde(default, deserialize_with = "strict::many")]
    pub engines: Vec<EngineInfo>,
    /// What a reader has to know of the run.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The suites that the run was of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suites: Vec<String>,
    /// What was asked for, of the operations or of the suites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
    /// Instructions that were counted in place of machines that are not here.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "strict::many"
    )]
    pub counts: Vec<Count>,
    /// What builds take.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "strict::many"
    )]
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
        patterns: report.patterns.clone(),
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

/// The fields that say what a line is.
#[derive(Deserialize)]
struct Kind {
    machine: Option<IgnoredAny>,
    op: Option<IgnoredAny>,
    stage: Option<IgnoredAny>,
}

fn object<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    let read = serde_json::from_str(line).map(|Object(value)| value);
    read.map_err(|e: serde_json::Error| e.to_string())
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
        let wrong = |why: String| format!("line {}: {why}", number + 1);
        let kind: Kind = object(line).map_err(wrong)?;
        if kind.machine.is_some() {
            if head.replace(object(line).map_err(wrong)?).is_some() {
                return Err(wrong("there are two machines".to_owned()));
            }
        } else if kind.op.is_some() {
            rows.push(object(line).map_err(wrong)?);
        } else if kind.stage.is_some() {
            pipeline.push(object(line).map_err(wrong)?);
        } else {
            return Err(wrong(
                "it has no machine, no op and no stage: it is not the file of a run".to_owned(),
            ));
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
        patterns,
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
        patterns,
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
        assert_eq!(read(&text), Ok(report));
        let unknown = read(&(text + "\n{\"suite\":\"x\"}\n")).unwrap_err();
        assert!(
            unknown.contains("it has no machine, no op and no stage"),
            "{unknown}"
        );
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert!(read("").unwrap_err().contains("no line tells the machine"));
        let line = r#"{"op":5}"#;
        assert!(
            read(&format!("\n\n{line}"))
                .unwrap_err()
                .starts_with("line 3: ")
        );
        assert!(read("{}").unwrap_err().starts_with("line 1: "));
        assert!(read("[1]").unwrap_err().contains("an object"));
        assert!(
            read(r#"{"op":"x"}"#)
                .unwrap_err()
                .starts_with("line 1: missing field")
        );
    }

    /// Every field of every line, however deep, with a value of every type in its place; a field
    /// that nobody knows; one that occurs twice.
    #[test]
    fn fields_have_one_type() {
        use serde_json::{Value, json};

        let values = [
            json!("text"),
            json!(7),
            json!(-7),
            json!(0.5),
            json!(true),
            json!(null),
            json!(["text"]),
            json!([7]),
            json!([[]]),
            json!({ "unknown": 7 }),
        ];
        /// What a value is, as far as a type tells.
        fn kind(value: &Value) -> &'static str {
            match value {
                Value::Null => "null",
                Value::Bool(_) => "flag",
                Value::Number(number) if number.is_u64() => "count",
                Value::Number(_) => "number",
                Value::String(_) => "text",
                Value::Array(all) => all.first().map_or("list", |first| match kind(first) {
                    "text" => "list of texts",
                    "object" => "list of objects",
                    _ => "list of others",
                }),
                Value::Object(_) => "object",
            }
        }
        /// The places in a value: its fields, theirs, and those of the objects in lists.
        fn places(value: &Value, at: &str, all: &mut Vec<String>) {
            let inner: Vec<(String, &Value)> = match value {
                Value::Object(fields) => fields.iter().map(|(k, v)| (k.clone(), v)).collect(),
                Value::Array(items) => items
                    .iter()
                    .enumerate()
                    .map(|(i, v)| (i.to_string(), v))
                    .collect(),
                _ => Vec::new(),
            };
            for (name, value) in inner {
                let at = format!("{at}/{name}");
                places(value, &at, all);
                all.push(at);
            }
        }
        let mut report = samples::report();
        report.rows[0].wrong.push(samples::wrong());
        let text = write(&report).unwrap();
        let head = text.lines().next().unwrap();
        let mut tried = 0;
        for line in text.lines() {
            let whole: Value = serde_json::from_str(line).unwrap();
            let read = |line: &str| match whole.get("machine") {
                Some(_) => read(line),
                None => read(&format!("{head}\n{line}")),
            };
            read(line).unwrap();
            let mut all = Vec::new();
            places(&whole, "", &mut all);
            for place in all {
                let right = whole.pointer(&place).unwrap();
                for value in &values {
                    let mut other = whole.clone();
                    *other.pointer_mut(&place).unwrap() = value.clone();
                    let (now, then) = (kind(value), kind(right));
                    let number = |kind| ["count", "number"].contains(&kind);
                    // Of a number of either kind, and of what may be null, nothing is said here;
                    // nor of the fields that say what a line is.
                    let open = number(now) && number(then)
                        || now == "null"
                        || then == "null"
                        || now == then
                        || now.starts_with("list") && then == "list";
                    if !open {
                        let why = read(&other.to_string());
                        assert!(why.is_err(), "{place}: {value} was read");
                        tried += 1;
                    }
                }
                // Beside it.
                let (parent, name) = place.rsplit_once('/').unwrap();
                let mut more = whole.clone();
                if let Some(fields) = more.pointer_mut(parent).and_then(Value::as_object_mut) {
                    fields.insert(format!("{name}s"), right.clone());
                    assert!(read(&more.to_string()).is_err(), "{place}s was read");
                }
            }
            for (name, value) in whole.as_object().unwrap() {
                let twice = format!("{{\"{name}\":{value},{}", &line[1..]);
                assert!(read(&twice).is_err(), "{name} was read twice");
            }
            let fields: Vec<_> = whole.as_object().unwrap().values().collect();
            assert!(
                read(&json!(fields).to_string()).is_err(),
                "fields without names"
            );
        }
        assert!(tried > 200, "{tried}");
        // A rival with some of its fields is none.
        let row = samples::row("sha256/digest", 64, Some(1.5));
        let mut row = serde_json::to_value(row).unwrap();
        row.as_object_mut().unwrap().remove("ratio");
        let why = super::read(&format!("{head}\n{row}")).unwrap_err();
        assert!(why.contains("fields are missing"), "{why}");
    }
}
