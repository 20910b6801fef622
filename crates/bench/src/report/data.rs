//! The results in the page, for programs: JSON, the rows as lists under one list of names.

use serde_json::{Value, json};

use crate::results::{Report, Row};

/// The fields of a row.
const COLUMNS: [&str; 17] = [
    "op",
    "bytes",
    "batch",
    "backend",
    "forced",
    "ours_ns",
    "ours_cycles",
    "ours_spread",
    "engine",
    "theirs_ns",
    "theirs_cycles",
    "theirs_batch",
    "ratio",
    "ratio_low",
    "ratio_high",
    "wrong",
    "note",
];

/// A block that browsers do not run; `<` is escaped so that nothing in it can end it.
pub(super) fn block(report: &Report) -> String {
    let value = json!({
        "machine": report.machine,
        "command": report.command,
        "core": report.core,
        "clock": report.clock,
        "engines": report.engines,
        "notes": report.notes,
        "suites": report.suites,
        "patterns": report.patterns,
        "columns": COLUMNS,
        "rows": report.rows.iter().map(row).collect::<Vec<_>>(),
        "pipeline": report.pipeline,
    });
    let text = value.to_string().replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"results\">{text}</script>\n")
}

fn row(row: &Row) -> Value {
    let against = row.against.as_ref();
    json!([
        row.op,
        row.bytes,
        row.batch,
        row.backend,
        row.forced,
        row.ours_ns,
        row.ours_cycles,
        row.ours_spread,
        against.map(|a| &a.engine),
        against.map(|a| a.theirs_ns),
        against.map(|a| a.theirs_cycles),
        against.map(|a| a.theirs_batch),
        against.map(|a| a.ratio),
        against.map(|a| a.ratio_low),
        against.map(|a| a.ratio_high),
        row.wrong,
        row.note,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;

    #[test]
    fn rows_have_the_fields_of_their_columns() {
        let report = samples::report();
        let block = block(&report);
        let (_, text) = block.split_once('>').unwrap();
        let value: Value = serde_json::from_str(text.split_once("</script>").unwrap().0).unwrap();
        let rows = value["rows"].as_array().unwrap();
        assert_eq!(rows.len(), report.rows.len());
        for (row, sample) in rows.iter().zip(&report.rows) {
            let lines = serde_json::to_value(sample).unwrap();
            for (place, name) in COLUMNS.iter().enumerate() {
                let expected = lines.get(*name).cloned().unwrap_or(match *name {
                    "forced" => Value::Bool(false),
                    "wrong" => json!([]),
                    _ => Value::Null,
                });
                assert_eq!(row[place], expected, "{name}");
            }
        }
    }
}
