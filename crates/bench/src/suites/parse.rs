//! The reader of a suite's file; the module above says what is in one.

use adamant_ops::Size;

use super::unit::known;
use super::{Cell, Column, Line, Operation, Suite, Table, Target};

/// The suite that a file describes.
///
/// ```
/// use adamant_bench::suites::{Target, parse::suite};
/// let text = "document A\nmachine M\ndate D\ntable 1: T\nlabels Algorithm\nunit MB/s\n\
///             values : C = {1}/digest 8192\nSHA-256 <sha256> | 571.7\n";
/// let suite = suite("a", text)?;
/// let cell = &suite.tables[0].lines[0].cells[0];
/// assert_eq!(cell.quote.as_deref(), Some("571.7"));
/// let Target::Operations(ops) = &cell.target else { panic!() };
/// assert_eq!((&*ops[0].op, ops[0].size.bytes), ("sha256/digest", 8192));
/// # Ok::<(), (usize, String)>(())
/// ```
///
/// # Errors
/// The first line that does not fit, counted from 1, and its text.
pub fn suite(name: &'static str, text: &str) -> Result<Suite, (usize, String)> {
    let mut suite = Suite {
        name,
        ..Suite::default()
    };
    for (place, text) in (1..).zip(text.lines()) {
        line(&mut suite, text).ok_or_else(|| (place, text.to_owned()))?;
    }
    Ok(suite)
}

fn line(suite: &mut Suite, line: &str) -> Option<()> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (word, suite.tables.last_mut()) {
        ("" | "#", _) => {}
        ("document", None) => suite.document = rest.into(),
        ("machine", None) => suite.machine = rest.into(),
        ("date", None) => suite.date = rest.into(),
        ("elsewhere", None) => suite.elsewhere = fields(rest)?,
        ("table", _) => {
            let (section, title) = rest.split_once(": ")?;
            let mut table = Table::default();
            (table.section, table.title) = (section.into(), title.into());
            suite.tables.push(table);
        }
        (_, None) => return None,
        ("labels", Some(table)) => table.labels = fields(rest)?,
        ("unit", Some(table)) => table.unit = known(rest)?.into(),
        ("values", Some(table)) => columns(table, rest)?,
        (_, Some(table)) => row(table, line)?,
    }
    Some(())
}

fn fields(text: &str) -> Option<Vec<String>> {
    let fields = text.split(" | ").map(str::trim);
    let field = |field: &str| (!field.is_empty()).then(|| field.to_owned());
    fields.map(field).collect()
}

/// `GROUP: COLUMN [UNIT] | … = TARGET`
fn columns(table: &mut Table, rest: &str) -> Option<()> {
    let (group, rest) = rest.split_once(':')?;
    let (names, target) = rest.split_once(" = ")?;
    let place = table.columns.last().map_or(0, |last| last.place + 1);
    for name in fields(names)? {
        let named = name.trim_end_matches(']').split_once(" [");
        let (name, unit) = named.unwrap_or((&name, &table.unit));
        table.columns.push(Column {
            place,
            group: group.trim().into(),
            name: name.into(),
            unit: known(unit)?.into(),
            target: target.trim().into(),
        });
    }
    Some(())
}

/// `LABEL <KEY> | … | FIGURE | … ~ NOTE`
fn row(table: &mut Table, line: &str) -> Option<()> {
    let mut parts = line.split(" ~ ");
    let mut labels = fields(parts.next()?)?;
    (labels.len() == table.labels.len() + table.columns.len()).then_some(())?;
    let figures = labels.split_off(table.labels.len());
    let split = |label: String| match label.trim_end_matches('>').split_once(" <") {
        Some((label, key)) => (label.into(), key.into()),
        None => (label.clone(), label.to_lowercase()),
    };
    let (labels, keys): (_, Vec<_>) = labels.into_iter().map(split).unzip();
    let cells = table.columns.iter().zip(figures).map(|(column, figure)| {
        let is_figure = figure.bytes().all(|c| b"0123456789./".contains(&c));
        (is_figure || figure == "-").then_some(Cell {
            target: target(&filled(column, &keys))?,
            quote: is_figure.then_some(figure),
        })
    });
    table.lines.push(Line {
        cells: cells.collect::<Option<_>>()?,
        labels,
        note: parts.next().map(str::to_owned),
    });
    Some(())
}

/// A column's target with its keys; a key that is a target, if there is a place for one.
fn filled(column: &Column, keys: &[String]) -> String {
    let mut text = column.target.clone();
    for (place, key) in (1..).zip(keys) {
        let place = format!("{{{place}}}");
        let parts = key.split("; ").take(column.place + 1);
        let key = parts.last().unwrap_or_default();
        if text.contains(&place) && key.starts_with('-') {
            return key.into();
        }
        text = text.replace(&place, key);
    }
    text
}

fn target(text: &str) -> Option<Target> {
    Some(match text.split_once(' ').unwrap_or((text, "")) {
        ("~", rest) => {
            let (counted, machine) = rest.split_once(": ")?;
            Target::Emulated(operation(counted)?, machine.into())
        }
        ("footprint", name) => Target::Footprint(name.into()),
        ("stage", rest) => {
            let [name, algo, batch] = Vec::from_iter(rest.split(' ')).try_into().ok()?;
            Target::Stage(String::from(name), algo.parse().ok()?, batch.parse().ok()?)
        }
        _ if text.starts_with('-') => Target::NoMachine(text[1..].trim().into()),
        _ => {
            let mut operations = Vec::new();
            for part in text.trim_start_matches("+ ").split(" + ") {
                let (count, part) = part.split_once(" times ").unwrap_or(("1", part));
                operations.extend(vec![operation(part)?; count.parse().ok()?]);
            }
            Target::Operations(operations)
        }
    })
}

/// `NAME BYTES xBATCH @IMPLEMENTATION`
fn operation(text: &str) -> Option<Operation> {
    let mut words = text.split_whitespace();
    let mut operation = Operation {
        op: words.next().filter(|op| op.contains('/'))?.into(),
        size: Size { bytes: 0, batch: 1 },
        implementation: None,
    };
    for word in words {
        match word.split_at_checked(1)? {
            ("@", name) => operation.implementation = Some(name.into()),
            ("x", batch) => operation.size.batch = batch.parse().ok()?,
            _ => operation.size.bytes = word.parse().ok()?,
        }
    }
    Some(operation)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "table 1: T\nlabels A | B\nunit ns\nvalues X: C = {1}/{2} 16\n\
                        values Y: D [µs] | E = + 2 times a/b + {1}/{2} x8 @p*\n";

    fn read(row: &str) -> Result<Suite, (usize, String)> {
        suite("s", &format!("{HEAD}{row}\n"))
    }

    fn text(operation: &Operation) -> String {
        let Size { bytes, batch } = operation.size;
        let on = operation.implementation.as_deref().unwrap_or("the best");
        format!("{} {bytes} B × {batch} on {on}", operation.op)
    }

    #[test]
    fn rows_have_their_targets() {
        let suite = read("One | Two <x; y> | 1 | 1/4 | - ~ so").unwrap();
        let line = &suite.tables[0].lines[0];
        assert_eq!(line.labels, ["One", "Two"]);
        assert_eq!(line.note.as_deref(), Some("so"));
        let texts = |cell: &Cell| match &cell.target {
            Target::Operations(ops) => ops.iter().map(text).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(texts(&line.cells[0]), ["one/x 16 B × 1 on the best"]);
        for cell in &line.cells[1..] {
            let twice = "a/b 0 B × 1 on the best";
            assert_eq!(texts(cell), [twice, twice, "one/y 0 B × 8 on p*"]);
        }
        let quotes = line.cells.iter().map(|cell| cell.quote.as_deref());
        assert_eq!(Vec::from_iter(quotes), [Some("1"), Some("1/4"), None]);
        let columns = suite.tables[0].columns.iter();
        let columns = columns.map(|column| (column.place, column.unit.as_str()));
        assert_eq!(Vec::from_iter(columns), [(0, "ns"), (1, "µs"), (1, "ns")]);
    }

    #[test]
    fn keys_can_be_reasons() {
        let suite = read("One | Two <x; -not here> | 1 | 2 | 3").unwrap();
        let cells = &suite.tables[0].lines[0].cells;
        for cell in &cells[1..] {
            assert_eq!(cell.target, Target::NoMachine("not here".into()));
        }
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
