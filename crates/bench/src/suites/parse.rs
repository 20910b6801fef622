//! The reader of a suite's file; the module above says what is in one.

use adamant_tool::select::matches;

use super::unit::Unit;
use super::{Cell, Feature, Group, Line, Operation, Suite, Table, Target};

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
/// # Ok::<(), (usize, String)>(())
/// ```
///
/// # Errors
/// The first line that does not fit, counted from 1, and what is wrong with it.
pub fn suite(name: &'static str, text: &str) -> Result<Suite, (usize, String)> {
    let mut suite = Suite {
        name,
        ..Suite::default()
    };
    for (place, text) in (1..).zip(text.lines()) {
        line(&mut suite, text).map_err(|what| (place, what))?;
    }
    Ok(suite)
}

fn line(suite: &mut Suite, line: &str) -> Result<(), String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (word, suite.tables.last_mut()) {
        ("" | "#", _) => {}
        ("document", None) => suite.document = rest.into(),
        ("machine", None) => suite.machine = rest.into(),
        ("date", None) => suite.date = rest.into(),
        ("elsewhere", None) => {
            suite.elsewhere = fields(rest);
            if suite.elsewhere.iter().any(String::is_empty) {
                return Err("a machine without a name".into());
            }
        }
        ("feature", None) => suite.features.push(feature(rest)?),
        ("table", _) => {
            let (section, title) = rest.split_once(": ").ok_or("a table without a title")?;
            suite.tables.push(Table {
                section: section.into(),
                title: title.into(),
                ..Table::default()
            });
        }
        (_, None) => return Err(format!("{word} before the first table")),
        ("labels", Some(table)) => table.labels = fields(rest),
        ("unit", Some(table)) => table.unit = Some(unit(rest)?),
        ("values", Some(table)) => table.groups.push(group(rest, table.unit)?),
        (_, Some(table)) => table.lines.push(row(table, &suite.features, line)?),
    }
    Ok(())
}

/// `NAME @IMPLEMENTATION …`
fn feature(rest: &str) -> Result<Feature, String> {
    let mut words = rest.split_whitespace();
    let name = words.next().ok_or("a feature without a name")?;
    let pattern = |word: &str| match word.strip_prefix('@') {
        Some(pattern) => Ok(pattern.to_owned()),
        None => Err(format!("{word} where an @IMPLEMENTATION belongs")),
    };
    Ok((name.into(), words.map(pattern).collect::<Result<_, _>>()?))
}

fn fields(text: &str) -> Vec<String> {
    text.split(" | ")
        .map(|field| field.trim().to_owned())
        .collect()
}

fn unit(name: &str) -> Result<Unit, String> {
    Unit::named(name).ok_or_else(|| format!("no unit is called {name}"))
}

/// `GROUP: COLUMN [UNIT] | … = TARGET`
fn group(rest: &str, usual: Option<Unit>) -> Result<Group, String> {
    let (title, rest) = rest.split_once(':').ok_or("a group without a colon")?;
    let (columns, target) = rest.split_once(" = ").ok_or("a group without a target")?;
    let column = |text: String| match text.split_once(" [") {
        Some((name, in_unit)) => Ok((name.to_owned(), unit(in_unit.trim_end_matches(']'))?)),
        None => Ok((text, usual.ok_or("a column without a unit")?)),
    };
    let columns: Result<_, String> = fields(columns).into_iter().map(column).collect();
    Ok(Group {
        title: title.trim().into(),
        columns: columns?,
        target: target.trim().into(),
    })
}

/// `LABEL <KEY> | … | FIGURE | … ~ NOTE`
fn row(table: &Table, features: &[Feature], line: &str) -> Result<Line, String> {
    let (line, note) = match line.split_once(" ~ ") {
        Some((line, note)) => (line, Some(note.to_owned())),
        None => (line, None),
    };
    let fields = fields(line);
    let wanted = table.labels.len() + table.groups.iter().map(|g| g.columns.len()).sum::<usize>();
    if fields.len() != wanted {
        return Err(format!("{} fields where {wanted} belong", fields.len()));
    }
    let (labels, figures) = fields.split_at(table.labels.len());
    let labels: Vec<(String, String)> = labels.iter().map(|label| label_and_key(label)).collect();
    let mut figures = figures.iter();
    let mut cells = Vec::new();
    for (index, group) in table.groups.iter().enumerate() {
        let keys = labels.iter().map(|(_, key)| part(key, index));
        let quotes = figures.by_ref().take(group.columns.len());
        cells.push(Cell {
            target: target(&filled(&group.target, keys), features)?,
            quotes: quotes
                .map(|figure| quote(figure))
                .collect::<Result<_, _>>()?,
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
    key.split("; ").take(group + 1).last().unwrap_or(key)
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

/// A template with its keys; a key that is a target, if the template has a place for one.
fn filled<'a>(template: &str, keys: impl Iterator<Item = &'a str>) -> String {
    let mut text = template.to_owned();
    for (place, key) in (1..).map(|index| format!("{{{index}}}")).zip(keys) {
        if text.contains(&place) && key.starts_with('-') {
            return key.to_owned();
        }
        text = text.replace(&place, key);
    }
    text
}

fn target(text: &str, features: &[Feature]) -> Result<Target, String> {
    if let Some(reason) = text.strip_prefix('-') {
        return Ok(Target::NoMachine(reason.trim().into()));
    }
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    Ok(match word {
        "~" => {
            let (operation_of, machine) = rest
                .split_once(": ")
                .ok_or("a target to emulate without its machine")?;
            Target::Emulated {
                operation: operation(operation_of, features)?,
                machine: machine.into(),
            }
        }
        "footprint" => Target::Footprint(rest.into()),
        "stage" => {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let [stage, algo, batch] = words[..] else {
                return Err(format!("{text} is not a stage"));
            };
            Target::Stage {
                stage: stage.into(),
                algo: algo.parse().map_err(|_| format!("no pipeline of {algo}"))?,
                batch: number(batch)?,
            }
        }
        _ => {
            let mut operations = Vec::new();
            for part in text.trim_start_matches("+ ").split(" + ") {
                let (count, part) = match part.split_once(" times ") {
                    Some((count, part)) => (number(count)?, part),
                    None => (1, part),
                };
                operations.resize(operations.len() + count, operation(part, features)?);
            }
            Target::Operations(operations)
        }
    })
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{text} is not a number"))
}

/// `NAME BYTES xBATCH @IMPLEMENTATION`
fn operation(text: &str, features: &[Feature]) -> Result<Operation, String> {
    let mut words = text.split_whitespace();
    let op = words.next().ok_or("an operation without a name")?;
    if !op.contains('/') {
        return Err(format!("{op} is not the name of an operation"));
    }
    let mut operation = Operation {
        op: op.into(),
        batch: 1,
        ..Operation::default()
    };
    for word in words {
        if let Some(name) = word.strip_prefix('@') {
            let builds = |(_, built): &&Feature| built.iter().any(|p| matches(p, name));
            let needed = features.iter().find(builds);
            operation.implementation = Some(name.into());
            operation.feature = needed.map(|(feature, _)| feature.clone());
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
                        values Y: D [µs] | E = + 2 times a/b + {1}/{2} x8 @p*\n";

    fn read(row: &str) -> Result<Suite, (usize, String)> {
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
        assert_eq!(texts(&line.cells[1]), ["a/b", "a/b", "one/y × 8 on p*"]);
        assert_eq!(line.cells[1].quotes, [Some("1/4".into()), None]);
        assert_eq!(value("1/4"), Some(0.25));
        let units: Vec<_> = suite.tables[0].groups[1].units();
        assert_eq!(units, ["µs", "ns"].map(|name| Unit::named(name).unwrap()));
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
        assert_eq!(super::suite("s", "feature odd tab\n").unwrap_err().0, 1);
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
            assert_eq!(read(row).unwrap_err().0, line, "{row}");
        }
        assert!(suite("s", "unit ns\n").is_err());
        let stage = "table 1: T\nlabels A\nunit ms\nvalues : C = stage {1} x\na | 1\n";
        assert!(suite("s", stage).is_err());
    }
}
