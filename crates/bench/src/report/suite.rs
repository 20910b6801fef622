//! The tables of the documents, as text and as HTML.

use std::fmt::Write;

use super::grid::{Column, Field, Grid, Kind, grid, grids, suites};
use super::heat;
use super::svg::escape;
use super::table::aligned;
use crate::results::{Figures, Report};
use crate::suites::{Suite, Table};

/// What is above the tables of a suite.
#[must_use]
pub fn suite_introduction(suite: &Suite) -> String {
    let rows: usize = suite.tables.iter().map(|table| table.lines.len()).sum();
    let grids = grids(suite, Figures::default());
    let shown: usize = grids.iter().map(|grid| grid.rows.len()).sum();
    let absent = match rows - shown {
        0 => String::new(),
        n => format!(" Of its {rows} rows {n} are absent: what they measure is not built yet."),
    };
    format!(
        "The tables of “{}” ({}). Its own figures are quotations from another machine, {}, and \
         enter no ratio; ours and the rivals' were measured here.{absent}",
        suite.document, suite.date, suite.machine
    )
}

/// A table of a document for a terminal; `None` if all its rows are absent.
///
/// ```
/// use adamant_bench::{report::suite_table, results::Figures, suites};
/// let kctsb = suites::find("kctsb").unwrap();
/// let table = kctsb.tables.iter().find(|table| table.section == "5.1").unwrap();
/// let text = suite_table(table, Figures::default()).unwrap();
/// assert!(text.contains("5.1 SHA-2 family"));
/// ```
#[must_use]
pub fn suite_table(table: &Table, figures: Figures<'_>) -> Option<String> {
    let grid = grid(table, figures)?;
    let mut lines = Vec::new();
    if grid.columns.iter().any(|column| !column.group.is_empty()) {
        let mut groups = grid
            .columns
            .iter()
            .map(|c| c.group.as_str())
            .collect::<Vec<_>>();
        for place in (1..groups.len()).rev() {
            if groups[place] == groups[place - 1] {
                groups[place] = "";
            }
        }
        lines.push(groups.into_iter().map(str::to_owned).collect());
    }
    lines.push(grid.columns.iter().map(heading).collect());
    for row in &grid.rows {
        lines.push(row.iter().map(|field| field.text.clone()).collect());
    }
    let labels = |(_, column): &(usize, &Column)| column.kind == Kind::Label;
    let left = grid.columns.iter().enumerate().filter(labels);
    let left: Vec<usize> = left.map(|(place, _)| place).collect();
    let mut text = format!("{}\n{}", grid.title, aligned(&lines, &left, &[]));
    for note in &grid.notes {
        let _ = writeln!(text, "  {note}");
    }
    Some(text)
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
        if grids.is_empty() {
            *page += "<p>None of its rows can be measured yet.</p>\n";
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
    let grouped = grid.columns.iter().any(|column| !column.group.is_empty());
    if grouped {
        *page += "<tr>";
        for columns in grid.columns.chunk_by(|a, b| a.group == b.group) {
            let group = escape(&columns[0].group);
            let span = columns.len();
            let _ = if group.is_empty() {
                write!(page, "<td colspan=\"{span}\"></td>")
            } else {
                write!(
                    page,
                    "<th class=\"group\" scope=\"colgroup\" colspan=\"{span}\">{group}</th>"
                )
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
            .filter_map(|table| suite_table(table, figures));
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
