//! The tables of the documents, as text and as HTML.

use std::fmt::Write;

use super::format::ratio;
use super::grid::{BEST, Column, Field, Grid, Kind, grid, suites};
use super::heat;
use super::svg::escape;
use super::table::{in_columns, widen};
use crate::results::{Figures, Report};
use crate::stats::geometric_mean;
use crate::suites::{Suite, Table};

/// What is above the tables of a suite.
#[must_use]
pub fn suite_introduction(suite: &Suite) -> String {
    format!(
        "The tables of “{}” ({}). Its own figures are quotations from another machine, {}, and \
         enter no ratio; ours and the rivals' were measured here.",
        suite.document, suite.date, suite.machine
    )
}

/// What came out, in two sentences: how many ratios with the best rival there are on either side of 1,
/// and which are the least and the greatest.
pub(super) fn outcome(grids: &[Grid]) -> Option<String> {
    let mut ratios: Vec<(f64, String)> = Vec::new();
    for grid in grids {
        for row in &grid.rows {
            let labels = grid.columns.iter().zip(row);
            let labels = labels.filter(|(column, _)| column.kind == Kind::Label);
            let labels: Vec<&str> = labels.map(|(_, field)| field.text.as_str()).collect();
            let place = format!("{}: {}", grid.title, labels.join(", "));
            let found = row.iter().filter_map(|field| field.ratio);
            let found = found.filter(|ratio| ratio.is_finite() && *ratio > 0.0);
            ratios.extend(found.map(|ratio| (ratio, place.clone())));
        }
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = geometric_mean(ratios.iter().map(|(ratio, _)| *ratio))?;
    let ((least, where_least), (most, where_most)) = (ratios.first()?, ratios.last()?);
    let ahead = ratios.iter().filter(|(ratio, _)| *ratio > 1.0).count();
    Some(format!(
        "Beside the best rival of each row ours is faster or smaller in {ahead} of {}, by a geometric mean of \
         {} over all. The least is {} ({where_least}), the greatest {} ({where_most}).",
        ratios.len(),
        ratio(mean),
        ratio(*least),
        ratio(*most)
    ))
}

/// A table of a document for a terminal, written line by line.
///
/// ```
/// use adamant_bench::{report::Lines, results::Figures, suites};
/// let kctsb = suites::find("kctsb").unwrap();
/// let table = kctsb.tables.iter().find(|table| table.section == "5.1").unwrap();
/// let mut lines = Lines::of(table);
/// assert!(lines.next(Figures::default(), 0).starts_with("\n5.1 SHA-2 family\nAlgorithm"));
/// assert!(lines.next(Figures::default(), 2).ends_with("not measured\n"));
/// assert_eq!(lines.next(Figures::default(), 3).lines().count(), 1);
/// ```
pub struct Lines<'a> {
    table: &'a Table,
    /// The columns' widths, once the heading is written.
    widths: Vec<usize>,
    /// How many rows are written.
    rows: usize,
}

impl<'a> Lines<'a> {
    /// Nothing of the table is written.
    #[must_use]
    pub fn of(table: &'a Table) -> Self {
        Lines {
            table,
            widths: Vec::new(),
            rows: 0,
        }
    }

    /// What follows what is written, up to so many rows: the heading before the first, notes after
    /// the last.
    #[must_use]
    pub fn next(&mut self, figures: Figures<'_>, rows: usize) -> String {
        let grid = grid(self.table, figures);
        let all = grid.texts();
        let (mut text, mut lines) = (String::new(), Vec::new());
        if self.widths.is_empty() {
            text = format!("\n{}\n", grid.title);
            let groups = grid.columns.chunk_by(|a, b| a.group == b.group);
            let above = groups.flat_map(|columns| {
                let rest = columns[1..].iter().map(|_| String::new());
                [columns[0].group.clone()].into_iter().chain(rest)
            });
            let above: Vec<String> = above.collect();
            if above.iter().any(|group| !group.is_empty()) {
                lines.push(above);
            }
            lines.push(grid.columns.iter().map(heading).collect());
            self.widths = grid.columns.iter().map(width).collect();
            widen(&mut self.widths, &lines);
            widen(&mut self.widths, &all);
        }
        let rows = rows.clamp(self.rows, all.len());
        let is_last = self.rows < rows && rows == all.len();
        lines.extend_from_slice(&all[self.rows..rows]);
        self.rows = rows;
        let labels = self.table.labels.len();
        text += &in_columns(&lines, &self.widths, &Vec::from_iter(0..labels), &[]);
        for note in grid.notes.iter().filter(|_| is_last) {
            let _ = writeln!(text, "  {note}");
        }
        text
    }
}

/// Room for the figures to come.
fn width(column: &Column) -> usize {
    match column.kind {
        Kind::Ratio => "12.3× (12.1 – 12.5)".chars().count(),
        Kind::Rival if column.name == BEST => "12345 openssl-system".len(),
        Kind::Ours | Kind::Rival => "not measured".len(),
        Kind::Label | Kind::Quote => 0,
    }
}

/// A column's name with its unit; a quotation is marked as one.
pub(super) fn heading(column: &Column) -> String {
    let mut heading = match column.kind {
        Kind::Quote => format!("“{}”", column.name),
        _ => column.name.clone(),
    };
    if !column.unit.is_empty() {
        let _ = write!(heading, ", {}", column.unit);
    }
    heading
}

pub(super) fn sections(page: &mut String, report: &Report) {
    for (suite, grids) in suites(report) {
        let _ = write!(
            page,
            "<section id=\"suite-{}\">\n<h2>Suite {}</h2>\n<p class=\"soft\">{}</p>\n",
            suite.name,
            suite.name,
            escape(&suite_introduction(suite))
        );
        if let Some(outcome) = outcome(&grids) {
            let _ = writeln!(page, "<p>{}</p>", escape(&outcome));
        }
        for grid in &grids {
            html_table(page, grid);
        }
        *page += "</section>\n";
    }
}

fn html_table(page: &mut String, grid: &Grid) {
    let title = escape(&grid.title);
    let _ = write!(
        page,
        "<h3>{title}</h3>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" \
         aria-label=\"{title}\"><table class=\"suite\">\n<thead>"
    );
    if grid.columns.iter().any(|column| !column.group.is_empty()) {
        *page += "<tr>";
        for columns in grid.columns.chunk_by(|a, b| a.group == b.group) {
            let (group, span) = (escape(&columns[0].group), columns.len());
            *page += &match group.is_empty() {
                true => format!("<td colspan=\"{span}\"></td>"),
                false => format!(
                    "<th class=\"group\" scope=\"colgroup\" colspan=\"{span}\">{group}</th>"
                ),
            };
        }
        *page += "</tr>\n";
    }
    *page += "<tr>";
    for column in &grid.columns {
        let _ = write!(
            page,
            "<th class=\"{}\" scope=\"col\">{}<small>{}</small></th>",
            class(column),
            escape(&column.name),
            match column.kind {
                Kind::Quote => format!("{}, quoted", escape(&column.unit)),
                _ => escape(&column.unit),
            }
        );
    }
    *page += "</tr></thead>\n<tbody>\n";
    for row in &grid.rows {
        *page += "<tr>";
        for (place, (column, field)) in grid.columns.iter().zip(row).enumerate() {
            cell(page, place == 0, column, field);
        }
        *page += "</tr>\n";
    }
    *page += "</tbody></table></div>\n";
    for note in &grid.notes {
        let _ = writeln!(page, "<p class=\"fine\">{}</p>", escape(note));
    }
}

fn cell(page: &mut String, first: bool, column: &Column, field: &Field) {
    let text = escape(&field.text);
    let _ = match field.ratio {
        _ if first => write!(page, "<th scope=\"row\">{text}</th>"),
        Some(ratio) => write!(page, "<td class=\"{}\">{text}</td>", heat::class(ratio)),
        None => write!(page, "<td class=\"{}\">{text}</td>", class(column)),
    };
}

fn class(column: &Column) -> &'static str {
    match column.kind {
        Kind::Label => "text",
        Kind::Quote => "quote",
        Kind::Ours => "ours",
        Kind::Rival => "rival",
        Kind::Ratio => "ratio",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;
    use crate::suites::find;

    #[test]
    fn text_has_the_documents_figures() {
        let rows = [samples::row("sha256/digest", 8192, Some(1.5))];
        let figures = Figures {
            rows: &rows,
            ..Figures::default()
        };
        let suite = find("openhitls").unwrap();
        let tables = suite
            .tables
            .iter()
            .map(|table| Lines::of(table).next(figures, usize::MAX));
        let text = suite_introduction(suite) + &tables.collect::<String>();
        for part in [
            "“C”, MB/s",
            "571.7",
            "8192",
            "1.50×",
            "Apple M4",
            "3.1 Hash functions",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn pages_have_the_tables() {
        let mut report = samples::report();
        report.suites = vec!["openhitls".into(), "x509".into(), "no such".into()];
        let mut page = String::new();
        sections(&mut page, &report);
        assert_eq!(page.matches("<section").count(), 2);
        assert!(page.contains("scope=\"colgroup\"") && page.contains("MB/s, quoted"));
    }
}
