//! The tables of the documents, as text and as HTML.

use super::format::ratio;
use super::grid::{BEST, Column, Grid, Kind, grid, ratio_or_none, suites};
use super::heat;
use super::svg::escape;
use super::table::{in_columns, widen};
use crate::results::{Figures, Report};
use crate::stats::geometric_mean;
use crate::suites::{Suite, Table, Target};

/// What is above the tables of a suite.
#[must_use]
pub fn suite_introduction(suite: &Suite) -> String {
    format!(
        "The tables of “{}” ({}). Its own figures are quotations from another machine, {}, and \
         enter no ratio; ours and the rivals' were measured here.",
        suite.document, suite.date, suite.machine
    )
}

/// Ratios as near to 1 as this are even.
const EVEN: f64 = 0.01;

/// What came out, in two sentences: on which side of 1 the ratios with the best rival are, each
/// target once, and which are the least and the greatest. An implementation that a row asks for, which
/// need not be our best, neither wins nor loses.
pub(super) fn outcome(grids: &[Grid]) -> Option<String> {
    let mut known: Vec<&Target> = Vec::new();
    let (mut found, mut forced) = (Vec::new(), 0);
    for grid in grids {
        for (target, row, ratio) in &grid.ratios {
            if ratio.is_nan() || known.contains(&target) {
                continue;
            }
            known.push(target);
            let mut parts = target.operations().iter();
            match parts.any(|part| part.implementation.is_some()) {
                true => forced += 1,
                false => found.push((*ratio, format!("{}: {row}", grid.title))),
            }
        }
    }
    let [is, rows] = match forced {
        1 => ["figure is of an implementation that its row asks", "is"],
        _ => ["figures are of implementations that their rows ask", "are"],
    };
    let forced = (forced > 0)
        .then(|| format!("{forced} {is} for, beside the rivals' fastest, and {rows} not counted."));
    let sentences: Vec<String> = counted(found).into_iter().chain(forced).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The sentences on ratios, each with its row.
fn counted(mut found: Vec<(f64, String)>) -> Option<String> {
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((least, where_least), (most, where_most)) = (found.first()?, found.last()?);
    let ratios = || found.iter().map(|(ratio, _)| *ratio);
    let better = ratios().filter(|ratio| *ratio > 1.0 + EVEN).count();
    let worse = ratios().filter(|ratio| *ratio < 1.0 - EVEN).count();
    // Nothing beside something, and something beside nothing, have a side but no mean.
    let mean = geometric_mean(ratios().filter(|ratio| ratio.is_finite() && *ratio > 0.0));
    let mean = mean.map(|x| format!("; the geometric mean of the ratios is {}", ratio(x)));
    let (count, s) = (found.len(), if found.len() == 1 { "" } else { "s" });
    Some(format!(
        "Of {count} figure{s} with a rival, ours is better in {better}, worse in {worse} and even \
         within 1 % in {}{}. The least ratio is {} ({where_least}), the greatest {} ({where_most}).",
        count - better - worse,
        mean.unwrap_or_default(),
        ratio_or_none(*least),
        ratio_or_none(*most)
    ))
}

/// The lines of a table for a terminal, up to so many rows: the heading before the first, notes after
/// the last. What is measured changes nothing but its own row.
///
/// ```
/// use adamant_bench::{report::lines, results::Figures, suites};
/// let kctsb = suites::find("kctsb").unwrap();
/// let table = kctsb.tables.iter().find(|table| table.section == "5.1").unwrap();
/// let all = lines(table, Figures::default(), 3);
/// assert!(all[1] == "5.1 SHA-2 family" && all[2].starts_with("Algorithm"));
/// assert!(all[5].ends_with("not measured"));
/// assert_eq!(all[..5], lines(table, Figures::default(), 2));
/// ```
#[must_use]
pub fn lines(table: &Table, figures: Figures<'_>, rows: usize) -> Vec<String> {
    let (full, mut before) = (grid(table, figures), figures);
    before.rows = &[];
    let mut widths: Vec<usize> = full.columns.iter().map(width).collect();
    let mut texts = full.headings();
    widen(&mut widths, &texts);
    widen(&mut widths, &grid(table, before).texts());
    texts.extend(full.texts().into_iter().take(rows));
    let left = Vec::from_iter(0..table.labels.len());
    let text = in_columns(&texts, &widths, &left, &[]);
    let notes = full.notes.iter().filter(|_| rows >= full.rows.len());
    let notes = notes.map(|note| format!("  {note}"));
    let above = [String::new(), full.title.clone()].into_iter();
    let lines = above.chain(text.lines().map(str::to_owned));
    lines.chain(notes).collect()
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

pub(super) fn sections(page: &mut String, report: &Report) {
    for (suite, grids) in suites(report) {
        let (name, above) = (suite.name, escape(&suite_introduction(&suite)));
        let outcome = outcome(&grids).map(|text| format!("<p>{}</p>\n", escape(&text)));
        *page += &format!("<section id=\"suite-{name}\">\n<h2>Suite {name}</h2>\n");
        *page += &format!("<p class=\"soft\">{above}</p>\n");
        page.extend(outcome);
        page.extend(grids.iter().map(html_table));
        *page += "</section>\n";
    }
}

fn html_table(grid: &Grid) -> String {
    let title = escape(&grid.title);
    let group = |(title, span): (&str, usize)| match escape(title) {
        title if title.is_empty() => format!("<td colspan=\"{span}\"></td>"),
        title => format!("<th class=\"group\" scope=\"colgroup\" colspan=\"{span}\">{title}</th>"),
    };
    let groups: String = grid.groups().map(group).collect();
    let groups = format!("<tr>{groups}</tr>\n").repeat(grid.headings().len().saturating_sub(1));
    let name = |column: &Column| {
        let (class, name, unit) = (class(column), escape(&column.name), escape(&column.unit));
        let quoted = ["", ", quoted"][usize::from(column.kind == Kind::Quote)];
        format!("<th class=\"{class}\" scope=\"col\">{name}<small>{unit}{quoted}</small></th>")
    };
    let names: String = grid.columns.iter().map(name).collect();
    let mut text = format!(
        "<h3>{title}</h3>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" \
         aria-label=\"{title}\"><table class=\"suite\">\n\
         <thead>{groups}<tr>{names}</tr></thead>\n<tbody>\n"
    );
    for row in &grid.rows {
        text += &format!("<tr><th scope=\"row\">{}</th>", escape(&row[0].text));
        for (column, field) in grid.columns.iter().zip(row).skip(1) {
            let class = field.ratio.map_or(class(column).into(), heat::class);
            text += &format!("<td class=\"{class}\">{}</td>", escape(&field.text));
        }
        text += "</tr>\n";
    }
    text += "</tbody></table></div>\n";
    let note = |note: &String| format!("<p class=\"fine\">{}</p>\n", escape(note));
    text.extend(grid.notes.iter().map(note));
    text
}

fn class(column: &Column) -> &'static str {
    ["text", "quote", "ours", "rival", "ratio"][column.kind as usize]
}

#[cfg(test)]
mod tests {
    use super::super::grid::grids;
    use super::*;
    use crate::results::{Row, samples};
    use crate::suites::find;

    #[test]
    fn text_has_the_documents_figures() {
        let rows = [samples::row("sha256/digest", 8192, Some(1.5))];
        let figures = Figures {
            rows: &rows,
            ..Figures::default()
        };
        let suite = find("openhitls").unwrap();
        let tables = suite.tables.iter();
        let lines = tables.flat_map(|table| lines(table, figures, usize::MAX));
        let text = suite_introduction(suite) + &lines.collect::<Vec<_>>().join("\n");
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
    fn the_outcome_counts_each_figure_once() {
        let outcome_of = |rows: &[Row]| {
            let figures = Figures {
                rows,
                ..Figures::default()
            };
            outcome(&grids(find("kctsb").unwrap(), figures))
        };
        assert_eq!(outcome_of(&[]), None);
        // This one stands in two tables.
        let gcm = samples::row("aes-128-gcm/seal", 1024, Some(4.0));
        let text = outcome_of(std::slice::from_ref(&gcm)).unwrap();
        assert!(
            text.starts_with(
                "Of 1 figure with a rival, ours is better in 1, worse in 0 and even within 1 % in \
                 0; the geometric mean of the ratios is 4.00×. The least ratio is 4.00× (3.1 "
            ),
            "{text}"
        );
        let others = [0.25, 1.0, 1.009, 0.991, 0.0, f64::INFINITY, f64::NAN];
        let names = [
            "sha256", "sha384", "sha512", "sha3-256", "sha3-512", "shake128", "sm3",
        ];
        let others = others.into_iter().zip(names);
        let others =
            others.map(|(ratio, name)| samples::row(&format!("{name}/digest"), 1024, Some(ratio)));
        let rows: Vec<Row> = [gcm].into_iter().chain(others).collect();
        let text = outcome_of(&rows).unwrap();
        assert!(
            text.starts_with(
                "Of 7 figures with a rival, ours is better in 2, worse in 2 and even within 1 % in \
                 3; the geometric mean of the ratios is 1.00×. The least ratio is 0.00× (5.2 "
            ),
            "{text}"
        );
        assert!(text.contains(", the greatest none (5.2 "), "{text}");
        // Without a mean there is none.
        let text = outcome_of(&rows[5..7]).unwrap();
        assert!(text.contains("even within 1 % in 0. The least"), "{text}");
    }

    #[test]
    fn what_a_row_asks_for_neither_wins_nor_loses() {
        let mut row = samples::row("aes-128-ctr/encrypt", 8192, Some(0.2));
        (row.backend, row.forced) = ("portable32".into(), true);
        let figures = Figures {
            rows: &[row],
            ..Figures::default()
        };
        let text = outcome(&grids(find("bearssl").unwrap(), figures)).unwrap();
        assert!(
            text.starts_with("1 figure is of an implementation that"),
            "{text}"
        );
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

    #[test]
    fn pages_have_what_was_asked_for() {
        let mut report = samples::report();
        report.suites = ["kctsb", "x509", "kctsb"].map(str::to_owned).into();
        report.patterns = ["sha256/*", "1024"].map(str::to_owned).into();
        let mut page = String::new();
        sections(&mut page, &report);
        // Each suite once, none of which nothing was asked for.
        assert_eq!(page.matches("<section").count(), 1);
        assert_eq!(page.matches("<h3>").count(), 1);
        assert!(page.contains("SHA-256") && !page.contains("SHA-512"));
        let text = super::super::markdown(&report);
        assert!(text.contains("### 5.1 ") && !text.contains("### 5.2 "));
        assert!(text.contains("SHA-256") && !text.contains("SHA-512"));
    }
}
