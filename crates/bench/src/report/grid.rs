//! A document's table with ours and the rivals' figures beside the quotations, before it is
//! written as text, Markdown or HTML.

use std::iter;

use adamant_ops::{Operation, Size};
use adamant_tool::text::distinct;

use super::format::{plain_ratio, ratio};
use crate::emulate::is_of;
use crate::results::{Figures, Report};
use crate::suites::choose::{State, chosen, state};
use crate::suites::fill::{Measured, measured};
use crate::suites::unit::{figure, of};
use crate::suites::{self, Line, Suite, Table, Target};

/// More rivals than these share one column, for the best.
const ABREAST: usize = 3;

/// The name of that column.
pub(super) const BEST: &str = "best rival";

/// A table to be written.
pub(super) struct Grid {
    /// Its section and title.
    pub(super) title: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Field>>,
    /// What was measured beside a rival: the target, the row, and the ratio with the best rival.
    pub(super) ratios: Vec<(Target, String, f64)>,
    /// What a reader has to know.
    pub(super) notes: Vec<String>,
}

impl Grid {
    /// The groups of columns: their titles, and how many columns each has.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&str, usize)> {
        let groups = self.columns.chunk_by(|a, b| a.group == b.group);
        groups.map(|columns| (&*columns[0].group, columns.len()))
    }

    /// The lines above the rows: the groups' titles, where there are any, and the columns'.
    pub(super) fn headings(&self) -> Vec<Vec<String>> {
        let above = self.groups().flat_map(|(group, span)| {
            let rest = iter::repeat_n(String::new(), span - 1);
            iter::once(group.to_owned()).chain(rest)
        });
        let names = self.columns.iter().map(Column::heading);
        let mut lines: Vec<Vec<String>> = vec![above.collect(), names.collect()];
        lines.retain(|line| line.iter().any(|text| !text.is_empty()));
        lines
    }

    /// The texts of the rows.
    pub(super) fn texts(&self) -> Vec<Vec<String>> {
        let rows = self.rows.iter();
        rows.map(|row| row.iter().map(|field| field.text.clone()).collect())
            .collect()
    }
}

/// A column's heading.
pub(super) struct Column {
    /// The group that it belongs to; empty where the table has one.
    pub(super) group: String,
    pub(super) name: String,
    /// The unit; empty for words and ratios.
    pub(super) unit: String,
    pub(super) kind: Kind,
}

impl Column {
    /// Its name with its unit; a quotation is marked as one.
    pub(super) fn heading(&self) -> String {
        let name = match self.kind {
            Kind::Quote => format!("“{}”", self.name),
            _ => self.name.clone(),
        };
        match self.unit.as_str() {
            "" => name,
            unit => format!("{name}, {unit}"),
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words.
    Label,
    /// The document's figures.
    Quote,
    /// Our figures.
    Ours,
    /// A rival's figures.
    Rival,
    /// Ratios.
    Ratio,
}

/// A field: its text, and its ratio where it holds one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Field {
    pub(super) text: String,
    pub(super) ratio: Option<f64>,
}

impl From<String> for Field {
    fn from(text: String) -> Self {
        Field { text, ratio: None }
    }
}

/// What the run was of: its suites, and of their tables what was asked for.
pub(super) fn suites(report: &Report) -> Vec<(Suite, Vec<Grid>)> {
    let names = distinct(report.suites.iter());
    let known: Vec<&Suite> = { names.into_iter() }
        .filter_map(|name| crate::suites::find(name))
        .collect();
    // The run was of something, so that the patterns of a report fit.
    let mut asked = chosen(&known, &report.patterns).unwrap_or_default();
    asked.retain(|suite| !suite.tables.is_empty());
    let with_grids = asked.into_iter().map(|suite| {
        let grids = grids(&suite, report.figures());
        (suite, grids)
    });
    with_grids.collect()
}

/// The tables of a suite.
pub(super) fn grids(suite: &Suite, figures: Figures<'_>) -> Vec<Grid> {
    let tables = suite.tables.iter();
    tables.map(|table| grid(table, figures)).collect()
}

/// A table of a suite.
pub(super) fn grid(table: &Table, figures: Figures<'_>) -> Grid {
    let registry = adamant_ops::registry();
    Draft::new(table, &registry, figures).grid()
}

struct Draft<'a> {
    table: &'a Table,
    registry: &'a [Box<dyn Operation>],
    lines: Vec<(&'a Line, Vec<Option<Measured<'a>>>)>,
    rivals: Vec<&'a str>,
    figures: Figures<'a>,
}

impl<'a> Draft<'a> {
    fn new(table: &'a Table, registry: &'a [Box<dyn Operation>], figures: Figures<'a>) -> Self {
        let lines = table.lines.iter();
        let lines: Vec<_> = lines
            .map(|line| {
                let cells = line.cells.iter();
                let found = cells.map(|cell| measured(&cell.target, figures));
                (line, found.collect::<Vec<_>>())
            })
            .collect();
        // Those that will stand beside ours, and those that do.
        let is_timed = |(line, _): &(&Line, _)| {
            let mut cells = line.cells.iter();
            cells.any(|cell| matches!(cell.target, Target::Operations(_)))
        };
        let expected = figures.engines.iter().map(|engine| engine.name.as_str());
        let expected = expected.filter(|_| lines.iter().any(is_timed));
        let measured = lines.iter().flat_map(|(_, cells)| cells).flatten();
        let found = measured.flat_map(|cell| {
            let wrong = cell.wrong.iter().map(|wrong| wrong.engine.as_str());
            cell.rivals.iter().map(|rival| rival.engine).chain(wrong)
        });
        let rivals = distinct(expected.chain(found));
        Draft {
            table,
            registry,
            lines,
            rivals,
            figures,
        }
    }

    /// The groups of columns, each with the place of its first.
    fn groups(&self) -> impl Iterator<Item = (usize, &'a [suites::Column])> {
        let groups = self.table.columns.chunk_by(|a, b| a.place == b.place);
        groups.scan(0, |next, group| {
            *next += group.len();
            Some((*next - group.len(), group))
        })
    }

    /// Whether a group, by its first column, has figures of ours that no group before it has.
    fn is_own(&self, group: usize) -> bool {
        let targets = |column: usize| {
            let lines = self.lines.iter();
            lines.map(move |(line, _)| &line.cells[column].target)
        };
        targets(group).any(|t| !matches!(t, Target::NoMachine(_) | Target::Emulated(..)))
            && !(0..group).any(|before| targets(before).eq(targets(group)))
    }

    /// Whether a group has instructions of ours in place of times.
    fn is_emulated(&self, group: usize) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|(line, _)| matches!(line.cells[group].target, Target::Emulated(..)))
    }

    fn grid(self) -> Grid {
        let mut columns: Vec<Column> = Vec::new();
        for label in &self.table.labels {
            columns.push(column("", label, "", Kind::Label));
        }
        for (place, group) in self.groups() {
            for quoted in group {
                columns.push(column(
                    &quoted.group,
                    &quoted.name,
                    &quoted.unit,
                    Kind::Quote,
                ));
            }
            if self.is_emulated(place) {
                let title = &group[0].group;
                columns.push(column(title, "adamant, emulated", EMULATED, Kind::Ours));
            } else if self.is_own(place) {
                self.own_columns(group, &mut columns);
            }
        }
        let rows = self.lines.iter().map(|line| self.row(line)).collect();
        Grid {
            title: format!("{} {}", self.table.section, self.table.title),
            columns,
            rows,
            ratios: self.ratios(),
            notes: self.notes(),
        }
    }

    fn ratios(&self) -> Vec<(Target, String, f64)> {
        let cells = self.lines.iter().flat_map(|(line, found)| {
            let cells = line.cells.iter().zip(found);
            cells.map(|(cell, found)| (line.labels.join(", "), cell, found))
        });
        let ratios = cells.filter_map(|(row, cell, found)| {
            let best = found.as_ref()?.rivals.first()?;
            Some((cell.target.clone(), row, best.ratio))
        });
        ratios.collect()
    }

    fn own_columns(&self, group: &[suites::Column], columns: &mut Vec<Column>) {
        let title = &group[0].group;
        for unit in units(group) {
            columns.push(column(title, "adamant", unit, Kind::Ours));
        }
        if let Some(unit) = units(group).first() {
            if self.rivals.len() > ABREAST {
                columns.push(column(title, BEST, unit, Kind::Rival));
            } else {
                for rival in &self.rivals {
                    columns.push(column(title, rival, unit, Kind::Rival));
                }
            }
        }
        if !self.rivals.is_empty() {
            columns.push(column(title, "to the best", "", Kind::Ratio));
        }
    }

    fn row(&self, (line, cells): &(&Line, Vec<Option<Measured<'_>>>)) -> Vec<Field> {
        let mut fields: Vec<Field> = line.labels.iter().cloned().map(Field::from).collect();
        for (place, group) in self.groups() {
            for cell in &line.cells[place..place + group.len()] {
                fields.push(cell.quote.clone().unwrap_or_else(|| "–".into()).into());
            }
            let cell = &line.cells[place];
            if self.is_emulated(place) {
                fields.push(self.emulated(&cell.target).into());
                continue;
            }
            if !self.is_own(place) {
                continue;
            }
            let before = fields.len();
            match &cells[place] {
                Some(cell) => self.own_fields(group, cell, &mut fields),
                None => fields.push(self.state(&cell.target).into()),
            }
            let ratio = usize::from(!self.rivals.is_empty());
            let columns = units(group).len() + self.rival_columns(group) + ratio;
            fields.resize(before + columns, Field::default());
        }
        fields
    }

    fn rival_columns(&self, group: &[suites::Column]) -> usize {
        match self.rivals.len() {
            _ if units(group).is_empty() => 0,
            n if n > ABREAST => 1,
            n => n,
        }
    }

    fn own_fields(&self, group: &[suites::Column], cell: &Measured<'_>, fields: &mut Vec<Field>) {
        let units = units(group);
        let text = |value: Option<f64>| value.map(figure).unwrap_or_default();
        for unit in &units {
            fields.push(text(of(unit, cell.ours, cell.size)).into());
        }
        let best = cell.rivals.first();
        if let Some(unit) = units.first() {
            if self.rivals.len() > ABREAST {
                let best =
                    best.map(|b| format!("{} {}", text(of(unit, b.theirs, cell.size)), b.engine));
                fields.push(best.unwrap_or_default().into());
            } else {
                for name in &self.rivals {
                    let rival = cell.rivals.iter().find(|rival| rival.engine == *name);
                    let theirs = text(rival.and_then(|r| of(unit, r.theirs, cell.size)));
                    let is_wrong = cell.wrong.iter().any(|wrong| wrong.engine == *name);
                    fields.push(match is_wrong {
                        true => "wrong".to_owned().into(),
                        false => theirs.into(),
                    });
                }
            }
        }
        fields.push(match best {
            Some(best) => Field {
                text: match best.interval {
                    Some([low, high]) => format!(
                        "{} ({} – {})",
                        ratio(best.ratio),
                        plain_ratio(low),
                        plain_ratio(high)
                    ),
                    None => ratio_or_none(best.ratio),
                },
                ratio: Some(best.ratio),
            },
            None => Field::default(),
        });
    }

    /// The instructions of a target, for each byte where there are any.
    fn emulated(&self, target: &Target) -> String {
        let Target::Emulated(operation, _) = target else {
            return self.state(target);
        };
        match self
            .figures
            .counts
            .iter()
            .find(|count| is_of(count, operation))
        {
            Some(count) if count.bytes == 0 => figure(count.instructions),
            Some(count) => format!("{}/B", figure(count.instructions / count.bytes as f64)),
            None => self.state(target),
        }
    }

    /// Why a field has no figure of ours.
    fn state(&self, target: &Target) -> String {
        match (target, state(target, self.registry)) {
            (_, Some(lack @ State::Feature(_))) => lack.to_string(),
            // What is not narrow is never counted; without a count of anything, nothing was.
            (Target::Emulated(..), _) if !self.figures.counts.is_empty() => "no machine".into(),
            (Target::NoMachine(_), _) => "no machine".into(),
            (Target::Footprint(_), _) if self.figures.footprints.is_empty() => {
                "needs --footprint".into()
            }
            (Target::Footprint(_), _) => "not measurable here".into(),
            (_, Some(State::Missing(_))) => "–".into(),
            _ => "not measured".into(),
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for (line, cells) in &self.lines {
            let name = line.labels.join(", ");
            notes.extend(line.note.iter().map(|note| format!("{name}: {note}.")));
            let wrong = cells.iter().flatten().flat_map(|cell| &cell.wrong);
            notes.extend(wrong.map(|wrong| format!("{name}: {wrong}.")));
            for (cell, column) in line.cells.iter().zip(&self.table.columns) {
                let group = &column.group;
                let sum = matches!(&cell.target, Target::Operations(parts) if parts.len() > 1);
                if let Target::Emulated(_, machine) = &cell.target {
                    notes.push(format!(
                        "{group}: no machine: {machine}. Emulated in its place: instructions of our \
                         implementation in words of 32 or 16 bits, in 64-bit code, counted by \
                         Valgrind; others would tell nothing."
                    ));
                } else if let Target::NoMachine(reason) = &cell.target {
                    let whole = |other: &&(&Line, _)| {
                        let mut cells = other.0.cells.iter().zip(&self.table.columns);
                        cells.any(|(c, other)| other.group == *group && c.target == cell.target)
                    };
                    let all = self.lines.iter().filter(whole).count() == self.lines.len();
                    let what = if all { group } else { &name };
                    let what = if what.is_empty() {
                        &self.table.title
                    } else {
                        what
                    };
                    notes.push(format!("{what}: no machine: {reason}."));
                } else if let Target::Footprint(asked) = &cell.target {
                    let of = self.figures.footprints.iter();
                    let kept = { of.filter(|one| one.name == *asked) }.filter_map(|one| {
                        Some(format!("{} of {}", one.library, one.kept.as_ref()?))
                    });
                    let kept = Vec::from_iter(kept).join(", ");
                    let why = "kept from earlier runs, as nothing has changed since";
                    notes.extend((!kept.is_empty()).then(|| format!("{name}: {why}: {kept}.")));
                } else if sum && cells.iter().any(Option::is_some) {
                    notes.push(format!(
                        "{name}: an estimate, the sum of measured operations."
                    ));
                }
            }
        }
        distinct(notes.into_iter())
    }
}

/// A ratio, which there is none of for nothing beside something.
pub(super) fn ratio_or_none(x: f64) -> String {
    if x.is_infinite() {
        "none".into()
    } else {
        ratio(x)
    }
}

/// The unit of what was emulated; after a figure `/B` says that it is for each byte.
const EMULATED: &str = "instructions";

/// The units of a group that times or bytes convert to.
fn units(group: &[suites::Column]) -> Vec<&str> {
    let units = group.iter().map(|column| column.unit.as_str());
    distinct(units.filter(|unit| of(unit, 1.0, Size { bytes: 1, batch: 1 }).is_some()))
}

fn column(group: &str, name: &str, unit: &str, kind: Kind) -> Column {
    Column {
        group: group.into(),
        name: name.into(),
        unit: unit.into(),
        kind,
    }
}

#[cfg(test)]
mod tests;
