//! The tables of documents, each row printed as soon as it is measured.

use adamant_ops::Operation;
use adamant_tool::text::distinct;

use super::Progress;
use crate::report;
use crate::results::Figures;
use crate::suites::{Suite, Table, Target, choose};

/// The tables of suites, in their order; those that wait for the pipeline come last.
pub(super) struct Tables<'a> {
    /// Each with its suite, and how many of the planned rows are over when a row can be printed.
    waiting: Vec<(&'a Suite, &'a Table, Vec<usize>)>,
    /// How many lines of the first are printed.
    printed: usize,
}

/// The end of a row that waits for the pipeline, when all is over.
pub(super) const LATE: usize = usize::MAX;

impl<'a> Tables<'a> {
    pub(super) fn new(suites: &[&'a Suite], registry: &[Box<dyn Operation>]) -> Self {
        let (mut planned, mut waiting) = (Vec::new(), Vec::new());
        for &suite in suites {
            for table in &suite.tables {
                let ends = table.lines.iter().map(|line| {
                    let targets = || line.cells.iter().map(|cell| &cell.target);
                    planned.extend(targets().flat_map(|target| choose::planned(target, registry)));
                    planned = distinct(planned.drain(..));
                    let waits = targets().any(|target| matches!(target, Target::Stage(..)));
                    if waits { LATE } else { planned.len() }
                });
                waiting.push((suite, table, ends.collect::<Vec<_>>()));
            }
        }
        waiting.sort_by_key(|(_, _, ends)| ends.contains(&LATE));
        let printed = 0;
        Tables { waiting, printed }
    }

    /// The ends of the parts that so many rows are measured in: a part for each row that is printed.
    pub(super) fn parts(&self, rows: usize) -> Vec<usize> {
        let ends = self.waiting.iter().flat_map(|(_, _, ends)| ends);
        let ends = ends.copied().filter(|end| *end < LATE);
        distinct(ends.chain([rows]).filter(|end| *end > 0))
    }

    /// Prints the rows of which so many planned ones are over, and the heading of the next.
    pub(super) fn print(&mut self, over: usize, figures: Figures<'_>, progress: &mut dyn Progress) {
        while let Some((suite, table, ends)) = self.waiting.first()
            && (over == LATE || !ends.contains(&LATE))
        {
            let due = ends.iter().take_while(|end| **end <= over).count();
            let lines = report::lines(table, figures, due);
            if self.printed == 0 && std::ptr::eq(*table, &suite.tables[0]) {
                let above = report::suite_introduction(suite);
                progress.print(&format!("\n{above}\n"));
            }
            let new = lines
                .iter()
                .skip(self.printed)
                .map(|line| format!("{line}\n"));
            progress.print(&new.collect::<String>());
            self.printed = lines.len();
            if due < ends.len() {
                break;
            }
            self.waiting.remove(0);
            self.printed = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use adamant_ops::registry;

    use super::*;
    use crate::driver::Comparison;
    use crate::plan::Planned;
    use crate::results::{Row, samples};
    use crate::suites::find;

    /// Keeps what is printed.
    #[derive(Default)]
    struct Page(String);

    impl crate::driver::Progress for Page {
        fn row(&mut self, _: usize, _: usize, _: &Planned<'_>) {}
        fn note(&mut self, _: &str) {}
    }
    impl adamant_pipeline::Progress for Page {}
    impl Progress for Page {
        fn print(&mut self, text: &str) {
            self.0 += text;
        }
    }

    #[test]
    fn rows_are_printed_as_they_are_measured() {
        let patterns = ["sha*/digest", "aes-128-gcm/seal"].map(str::to_owned);
        let suites = choose::chosen(&[find("kctsb").unwrap()], &patterns).unwrap();
        let (suites, registry) = (Vec::from_iter(&suites), registry());
        let planned = choose::plan(&suites, &registry);
        let mut tables = Tables::new(&suites, &registry);
        // The row of 3.1 is one of 3.3 too.
        assert_eq!(tables.parts(planned.len()), Vec::from_iter(1..=13));
        let measured = |row: &Planned<'_>| Row {
            backend: "best".into(),
            ..samples::row(row.op.name(), row.size.bytes, Some(1.5))
        };
        let (mut page, mut so_far) = (Page::default(), Comparison::default());
        so_far.engines = samples::report().engines;
        let mut lengths = Vec::new();
        for over in 0..=planned.len() {
            so_far.rows = planned[..over].iter().map(measured).collect();
            let figures = Figures {
                rows: &so_far.rows,
                engines: &so_far.engines,
                ..Figures::default()
            };
            tables.print(over, figures, &mut page);
            lengths.push(page.0.lines().count());
        }
        // Suite, and the heading of the first table; its row, and the next heading; rows
        // that are measured or known already; the last row alone.
        let grown: Vec<usize> = lengths.windows(2).map(|two| two[1] - two[0]).collect();
        assert_eq!(lengths[0], 5, "{}", page.0);
        assert_eq!(grown, [4, 1, 1, 2, 1, 4, 1, 1, 4, 1, 1, 1, 1], "{}", page.0);
        assert!(tables.waiting.is_empty());
        // Columns keep their places.
        let lines: Vec<&str> = page.0.lines().filter(|line| line.contains('×')).collect();
        assert_eq!(lines.len(), 14);
        let place = |line: &str| line.chars().position(|c| c == '×');
        let places: Vec<_> = lines.iter().map(|line| place(line)).collect();
        assert!(
            places[1..7].iter().all(|place| *place == places[1]),
            "{}",
            page.0
        );
        let before = page.0.clone();
        tables.print(LATE, Figures::default(), &mut page);
        assert_eq!(page.0, before);
    }

    #[test]
    fn tables_end_with_their_rows() {
        let registry = registry();
        for suite in crate::suites::ALL.iter() {
            let rows = choose::plan(&[suite], &registry);
            let tables = Tables::new(&[suite], &registry);
            let ends = tables.waiting.iter().flat_map(|(_, _, ends)| ends);
            let ends: Vec<usize> = ends.copied().collect();
            let lines = suite.tables.iter().flat_map(|table| &table.lines);
            assert_eq!(ends.len(), lines.clone().count());
            assert!(ends.is_sorted());
            for (line, &end) in lines.zip(&ends) {
                // Stages wait for the pipeline.
                if end == LATE {
                    assert_eq!(suite.name, "x509");
                    continue;
                }
                let own = line.cells.iter();
                let mut own = own.flat_map(|cell| choose::planned(&cell.target, &registry));
                assert!(
                    own.all(|own| rows[..end].contains(&own)),
                    "{:?}",
                    line.labels
                );
            }
            // A document of operations ends with its last row.
            if suite.name != "x509" {
                assert_eq!(ends.last(), Some(&rows.len()));
            }
        }
    }

    #[test]
    fn what_waits_for_the_pipeline_comes_last() {
        let suites = [find("x509").unwrap(), find("kctsb").unwrap()];
        let registry = registry();
        let planned = choose::plan(&suites, &registry);
        let mut tables = Tables::new(&suites, &registry);
        let mut page = Page::default();
        for over in [0, planned.len()] {
            tables.print(over, Figures::default(), &mut page);
        }
        assert_eq!(page.0.matches("The tables of “").count(), 1);
        assert!(page.0.contains("\n8 Key derivation\n") && !page.0.contains("cert_gen"));
        tables.print(LATE, Figures::default(), &mut page);
        assert_eq!(page.0.matches("The tables of “").count(), 2);
        assert!(page.0.contains("\nECDSA P-256 Stages\n") && page.0.contains("cert_gen"));
    }
}
