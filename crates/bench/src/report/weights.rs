//! What builds take as a table in Markdown, for a document.

use super::markdown::columns;
use crate::footprint::weights::{Taken, Weight};

/// The table, a row for each program: ready to be pasted.
#[must_use]
pub fn weights(weights: &[Weight]) -> String {
    let head = [
        "Program",
        "Library",
        "Features",
        "Version",
        "Build, s of CPU",
        ".text, kB",
        "of it the library, kB",
        "Loaded, kB",
        "Stack, B",
    ]
    .map(str::to_owned);
    let rows = weights.iter().map(|weight| {
        let told = [weight.family, weight.library, weight.features];
        let told = told.map(str::to_owned).into_iter();
        let figures = match &weight.taken {
            Ok(taken) => figures(taken),
            Err(error) => {
                let mut cells = [NONE; 5].map(str::to_owned);
                cells[0] = format!("not measured: {error}");
                cells
            }
        };
        let version = match weight.version.as_str() {
            "" => NONE.into(),
            version => version.to_owned(),
        };
        told.chain([version]).chain(figures).collect()
    });
    let mut text = String::new();
    columns(&mut text, 4, &head, rows);
    text
}

/// What is not there.
const NONE: &str = "–";

fn figures(taken: &Taken) -> [String; 5] {
    let kilobytes = |bytes: f64| format!("{:.1}", bytes / 1000.0);
    let build = taken.build.map(|seconds| format!("{seconds:.1}"));
    let beyond = taken.beyond.map(|bytes| kilobytes(bytes as f64));
    [
        build.unwrap_or("comes built".into()),
        kilobytes(taken.text as f64),
        beyond.unwrap_or(NONE.into()),
        kilobytes(taken.loaded as f64),
        match &taken.stack {
            Ok(bytes) => bytes.to_string(),
            Err(error) => error.to_string(),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::weights::samples;

    #[test]
    fn a_row_tells_all_or_why_not() {
        let text = weights(&samples::weights());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[1], "|---|---|---|---|---:|---:|---:|---:|---:|");
        assert_eq!(
            lines[3],
            "| SHA-256 | adamant | std, sha2 | adamant 1.0 | 12.0 | 245.4 | 15.4 | 311.0 | 1256 |"
        );
        assert!(
            lines[2].contains("| 0.2 | 230.0 | 0.0 | 300.0 | 88 |"),
            "{text}"
        );
        assert!(lines[4].contains("| comes built | 245.4 |"), "{text}");
        assert!(lines[4].contains("does not tell its stack"), "{text}");
        assert!(
            lines[5].contains("| not measured: it needs cargo"),
            "{text}"
        );
        let bars = |line: &str| line.matches('|').count();
        assert!(
            lines
                .iter()
                .filter(|l| !l.is_empty())
                .all(|l| bars(l) == 10)
        );
    }
}
