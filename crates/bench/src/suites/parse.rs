//! The reader of a suite's file; the module above says what is in one.

use std::{fmt, slice};

use adamant_tool::select::matches;

use super::unit::Unit;
use super::{Cell, Group, Line, Operation, Suite, Table, Target};

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The line, from 1.
    pub line: usize,
    /// A sentence.
    pub what: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for Error {}

/// A table while it is read.
struct Draft {
    table: Table,
    unit: Option<Unit>,
    /// The target of each group, with places for keys.
    templates: Vec<String>,
}

/// The suite that a file describes.
///
/// ```
/// use adamant_bench::suites::{Target, parse::suite};
/// let text = "document A\nmachine M\ndate D\ntable 1: T\nlabels Algorithm\nunit MB/s\n\
///             values : C = {1}/digest 8192\nSHA-256 <sha256> | 571.7\n";
/// let suite = suite("a", text)?;
/// let cell = &suite.tables[0].lines[0].cells[0];
/// assert_eq!(cell.quotes[0].as_deref(), Some("571.7"));
/// let Target::Operations(ops) = &cell.target else { panic!() };
/// assert_eq!(ops[0].to_string(), "sha256/digest 8192 B");
/// # Ok::<(), adamant_bench::suites::parse::Error>(())
/// ```
///
/// # Errors
/// The first line that does not fit.
pub fn suite(name: &'static str, text: &str) -> Result<Suite, Error> {
    let mut suite = Suite {
        name,
        document: String::new(),
        machine: String::new(),
        date: String::new(),
        tables: Vec::new(),
    };
    let mut features = Vec::new();
    let mut draft: Option<Draft> = None;
    for (index, line) in text.lines().enumerate() {
        let failed = |what: String| Error {
            line: index + 1,
            what,
        };
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &mut draft) {
            ("document", None) => suite.document = rest.into(),
            ("machine", None) => suite.machine = rest.into(),
            ("date", None) => suite.date = rest.into(),
            ("feature", None) => features.push(feature(rest).map_err(failed)?),
            ("table", _) => {
                suite.tables.extend(draft.take().map(|draft| draft.table));
                draft = Some(table(rest).map_err(failed)?);
            }
            (_, None) => return Err(failed(format!("{word} before the first table"))),
            ("labels", Some(draft)) => draft.table.labels = fields(rest),
            ("unit", Some(draft)) => draft.unit = Some(unit(rest).map_err(failed)?),
            ("values", Some(draft)) => group(draft, rest).map_err(failed)?,
            (_, Some(draft)) => {
                let line = row(draft, line).map_err(failed)?;
                draft.table.lines.push(line);
            }
        }
    }
    suite.tables.extend(draft.map(|draft| draft.table));
    let lines = suite.tables.iter_mut().flat_map(|table| &mut table.lines);
    for cell in lines.flat_map(|line| &mut line.cells) {
        need(&mut cell.target, &features);
    }
    Ok(suite)
}

/// A feature of cargo and the patterns of what it builds: `NAME @IMPLEMENTATION …`
fn feature(rest: &str) -> Result<(String, Vec<String>), String> {
    let mut words = rest.split_whitespace();
    let name = words.next().ok_or("a feature without a name")?;
    let pattern = |word: &str| match word.strip_prefix('@') {
        Some(pattern) => Ok(pattern.to_owned()),
        None => Err(format!("{word} where an @IMPLEMENTATION belongs")),
    };
    Ok((name.into(), words.map(pattern).collect::<Result<_, _>>()?))
}

/// Says of what a target measures the feature that it needs.
fn need(target: &mut Target, features: &[(String, Vec<String>)]) {
    let operations = match target {
        Target::Operations(operations) => operations.as_mut_slice(),
        Target::Emulated { operation, .. } => slice::from_mut(operation),
        Target::Stage { .. } | Target::NoMachine(_) | Target::Footprint(_) => &mut [],
    };
    for operation in operations {
        let Some(name) = &operation.implementation else {
            continue;
        };
        let builds = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, name));
        let needed = features.iter().find(|(_, patterns)| builds(patterns));
        operation.feature = needed.map(|(feature, _)| feature.clone());
    }
}

fn fields(text: &str) -> Vec<String> {
    text.split(" | ")
        .map(|field| field.trim().to_owned())
        .collect()
}

fn unit(name: &str) -> Result<Unit, String> {
    Unit::named(name).ok_or_else(|| format!("no unit is called {name}"))
}

fn table(rest: &str) -> Result<Draft, String> {
    let (section, title) = rest.split_once(": ").ok_or("a table without a title")?;
    Ok(Draft {
        table: Table {
            section: section.into(),
            title: title.into(),
            labels: Vec::new(),
            groups: Vec::new(),
            lines: Vec::new(),
        },
        unit: None,
        templates: Vec::new(),
    })
}

/// `GROUP: COLUMN [UNIT] | … = TARGET`
fn group(draft: &mut Draft, rest: &str) -> Result<(), String> {
    let (title, rest) = rest.split_once(':').ok_or("a group without a colon")?;
    let (columns, target) = rest.split_once(" = ").ok_or("a group without a target")?;
    let column = |text: String| match text.split_once(" [") {
        Some((name, in_unit)) => Ok((name.to_owned(), unit(in_unit.trim_end_matches(']'))?)),
        None => Ok((text, draft.unit.ok_or("a column without a unit")?)),
    };
    let columns: Result<Vec<_>, String> = fields(columns).into_iter().map(column).collect();
    draft.table.groups.push(Group {
        title: title.trim().into(),
        columns: columns?,
    });
    draft.templates.push(target.trim().into());
    Ok(())
}

/// `LABEL <KEY> | … | FIGURE | … ~ NOTE`
fn row(draft: &Draft, line: &str) -> Result<Line, String> {
    let (line, note) = match line.split_once(" ~ ") {
        Some((line, note)) => (line, Some(note.to_owned())),
        None => (line, None),
    };
    let table = &draft.table;
    let fields = fields(line);
    let wanted = table.labels.len() + table.groups.iter().map(|g| g.columns.len()).sum::<usize>();
    if fields.len() != wanted {
        return Err(format!("{} fields where {wanted} belong", fields.len()));
    }
    let (labels, figures) = fields.split_at(table.labels.len());
    let labels: Vec<(String, String)> = labels.iter().map(|label| label_and_key(label)).collect();
    let mut figures = figures.iter();
    let mut cells = Vec::new();
    for (index, (group, template)) in table.groups.iter().zip(&draft.templates).enumerate() {
        let keys: Vec<&str> = labels.iter().map(|(_, key)| part(key, index)).collect();
        let quotes = figures.by_ref().take(group.columns.len());
        let quotes: Result<Vec<_>, String> = quotes.map(|figure| quote(figure)).collect();
        cells.push(Cell {
            target: target(template, &keys)?,
            quotes: quotes?,
        });
    }
    Ok(Line {
        labels: labels.into_iter().map(|(label, _)| label).collect(),
        cells,
        note,
    })
}

fn label_and_key(field: &str) -> (String, String) {
    match field.strip_suffix('>').and_then(|f| f.split_once(" <")) {
        Some((label, key)) => (label.into(), key.into()),
        None => (field.into(), field.to_lowercase()),
    }
}

/// The key that is the group's.
fn part(key: &str, group: usize) -> &str {
    let mut parts = key.split("; ");
    let last = key.matches("; ").count();
    parts.nth(group.min(last)).unwrap_or(key)
}

fn quote(text: &str) -> Result<Option<String>, String> {
    match text {
        "-" => Ok(None),
        text if value(text).is_some() => Ok(Some(text.into())),
        text => Err(format!("{text} is not a figure")),
    }
}

/// The number that a figure of a document stands for; `1/2` is one too.
#[must_use]
pub fn value(figure: &str) -> Option<f64> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|x| x.is_finite());
    match figure.strip_prefix("1/") {
        Some(below) => number(below).map(f64::recip),
        None => number(figure),
    }
}

fn target(template: &str, keys: &[&str]) -> Result<Target, String> {
    let mut text = template.to_owned();
    for (index, key) in keys.iter().enumerate() {
        let place = format!("{{{}}}", index + 1);
        if text.contains(&place) {
            if key.starts_with('-') {
                text = (*key).to_owned();
                break;
            }
            text = text.replace(&place, key);
        }
    }
    if let Some(reason) = text.strip_prefix('-') {
        return Ok(Target::NoMachine(reason.trim().into()));
    }
    if let Some(emulated) = text.strip_prefix("~ ") {
        let (target, machine) = emulated
            .split_once(": ")
            .ok_or("a target to emulate without its machine")?;
        return Ok(Target::Emulated {
            operation: operation(target)?,
            machine: machine.into(),
        });
    }
    if let Some(name) = text.strip_prefix("footprint ") {
        return Ok(Target::Footprint(name.trim().into()));
    }
    if let Some(stage) = text.strip_prefix("stage ") {
        let words: Vec<&str> = stage.split_whitespace().collect();
        let [stage, algo, batch] = words[..] else {
            return Err(format!("{text} is not a stage"));
        };
        return Ok(Target::Stage {
            stage: stage.into(),
            algo: algo.into(),
            batch: batch
                .parse()
                .map_err(|_| format!("{batch} is not a batch"))?,
        });
    }
    let parts = text.trim_start_matches("+ ").split(" + ");
    let operations: Result<_, _> = parts.map(operation).collect();
    Ok(Target::Operations(operations?))
}

/// `NAME BYTES xBATCH @IMPLEMENTATION`
fn operation(text: &str) -> Result<Operation, String> {
    let mut words = text.split_whitespace();
    let op = words.next().ok_or("an operation without a name")?;
    if !op.contains('/') {
        return Err(format!("{op} is not the name of an operation"));
    }
    let mut operation = Operation {
        op: op.into(),
        bytes: 0,
        batch: 1,
        implementation: None,
        feature: None,
    };
    for word in words {
        let number = |text: &str| text.parse().map_err(|_| format!("{text} is not a number"));
        if let Some(name) = word.strip_prefix('@') {
            operation.implementation = Some(name.into());
        } else if let Some(batch) = word.strip_prefix('x') {
            operation.batch = number(batch)?;
        } else {
            operation.bytes = number(word)?;
        }
    }
    Ok(operation)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "table 1: T\nlabels A | B\nunit ns\nvalues X: C = {1}/{2} 16\n\
                        values Y: D [µs] | E = + a/b + {1}/{2} x8 @p*\n";

    fn read(row: &str) -> Result<Suite, Error> {
        suite("s", &format!("{HEAD}{row}\n"))
    }

    #[test]
    fn rows_have_their_targets() {
        let suite = read("One | Two <x; y> | 1 | 1/4 | - ~ so").unwrap();
        let line = &suite.tables[0].lines[0];
        assert_eq!(line.labels, ["One", "Two"]);
        assert_eq!(line.note.as_deref(), Some("so"));
        let texts = |cell: &Cell| match &cell.target {
            Target::Operations(ops) => ops.iter().map(ToString::to_string).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(texts(&line.cells[0]), ["one/x 16 B"]);
        assert_eq!(texts(&line.cells[1]), ["a/b", "one/y × 8 on p*"]);
        assert_eq!(line.cells[1].quotes, [Some("1/4".into()), None]);
        assert_eq!(value("1/4"), Some(0.25));
        let units: Vec<_> = suite.tables[0].groups[1].units();
        assert_eq!(units, [Unit::Us, Unit::Ns]);
    }

    #[test]
    fn features_are_of_implementations() {
        let head = "feature odd @tab* @x?\ntable 1: T\nlabels A\nunit ns\nvalues : C = a/b {1}\n";
        let suite = suite(
            "s",
            &format!("{head}@tab_big | 1\n@x86 | 1\n@x8 | 1\n16 | 1\n"),
        );
        let suite = suite.unwrap();
        let features = suite.tables[0].lines.iter().map(|line| {
            let Target::Operations(operations) = &line.cells[0].target else {
                panic!("{line:?}");
            };
            operations[0].feature.as_deref()
        });
        let odd = Some("odd");
        assert_eq!(features.collect::<Vec<_>>(), [odd, None, odd, None]);
        assert_eq!(super::suite("s", "feature odd tab\n").unwrap_err().line, 1);
    }

    #[test]
    fn keys_can_be_reasons() {
        let suite = read("One | Two <x; -not here> | 1 | 2 | 3").unwrap();
        let cells = &suite.tables[0].lines[0].cells;
        assert_eq!(cells[1].target, Target::NoMachine("not here".into()));
        assert!(matches!(cells[0].target, Target::Operations(_)));
    }

    #[test]
    fn footprints_have_names() {
        let text =
            "table 1: T\nlabels A\nunit bytes\nvalues : C = footprint heap/{1}\nSign | 192\n";
        let target = &suite("s", text).unwrap().tables[0].lines[0].cells[0].target;
        assert_eq!(*target, Target::Footprint("heap/sign".into()));
    }

    #[test]
    fn mistakes_are_found() {
        for (row, line) in [
            ("One | Two | 1 | 2", 6),
            ("One | Two | 1 | 2 | nan", 6),
            ("values Z C = a/b", 6),
            ("values Z: C [GB/s] = a/b", 6),
            ("unit furlongs", 6),
            ("table 2", 6),
        ] {
            assert_eq!(read(row).unwrap_err().line, line, "{row}");
        }
        assert!(suite("s", "unit ns\n").is_err());
        let stage = "table 1: T\nlabels A\nunit ms\nvalues : C = stage {1} x\na | 1\n";
        assert!(suite("s", stage).is_err());
    }
}
