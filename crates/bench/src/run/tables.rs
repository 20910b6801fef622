//! The tables of documents, each row printed as soon as it is measured.

use std::collections::VecDeque;
use std::mem;

use adamant_ops::Operation;

use super::{Progress, beginning};
use crate::driver::Comparison;
use crate::plan::Planned;
use crate::report::{self, Lines};
use crate::results::{Count, Figures, Footprint};
use crate::suites::{Suite, choose};

/// The tables of suites, in their order; those that wait for the pipeline come last.
pub(super) struct Tables<'a> {
    waiting: VecDeque<Waiting<'a>>,
    counts: &'a [Count],
    footprints: &'a [Footprint],
    /// Whether the rivals were named.
    begun: bool,
    /// The suite that was introduced last.
    introduced: Option<&'a str>,
}

struct Waiting<'a> {
    suite: &'a Suite,
    lines: Lines<'a>,
    /// How many of the planned rows are over when a row can be printed; `None` if it waits for the
    /// pipeline.
    ends: Vec<Option<usize>>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(
        suites: &[&'a Suite],
        rows: &[Planned<'_>],
        registry: &[Box<dyn Operation>],
        (counts, footprints): (&'a [Count], &'a [Footprint]),
    ) -> Self {
        let tables = suites
            .iter()
            .flat_map(|&suite| suite.tables.iter().map(move |table| (suite, table)));
        let tables = tables.map(|(suite, table)| {
            let lines = table.lines.iter();
            let lines = lines.filter(|line| choose::is_shown(line, registry));
            Waiting {
                suite,
                lines: Lines::of(table),
                ends: lines
                    .map(|line| choose::end(line, rows, registry))
                    .collect(),
            }
        });
        let (late, soon): (Vec<_>, Vec<_>) = tables.partition(|table| table.ends.contains(&None));
        Tables {
            waiting: soon.into_iter().chain(late).collect(),
            counts,
            footprints,
            begun: false,
            introduced: None,
        }
    }

    /// The ends of the parts that so many rows are measured in: a part for each row that is printed.
    pub(super) fn parts(&self, rows: usize) -> Vec<usize> {
        let ends = self.waiting.iter().flat_map(|table| &table.ends).flatten();
        let mut ends: Vec<usize> = ends.copied().filter(|end| *end > 0).collect();
        ends.push(rows);
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Prints the rows that are measured, and the heading of the next.
    pub(super) fn part(
        &mut self,
        planned: usize,
        so_far: &Comparison,
        progress: &mut dyn Progress,
    ) {
        let figures = Figures {
            rows: &so_far.rows,
            counts: self.counts,
            footprints: self.footprints,
            engines: &so_far.engines,
            ..Figures::default()
        };
        if !self.waiting.is_empty() && !mem::replace(&mut self.begun, true) {
            progress.print(&beginning(so_far));
        }
        let is_due = |end: &&Option<usize>| end.is_some_and(|end| end <= planned);
        while let Some(table) = self.waiting.front()
            && table.ends.first() != Some(&None)
        {
            let due = table.ends.iter().take_while(is_due).count();
            if !self.print(due, figures, progress) {
                break;
            }
        }
    }

    /// Prints what is left.
    pub(super) fn finish(&mut self, figures: Figures<'_>, progress: &mut dyn Progress) {
        while !self.waiting.is_empty() {
            self.print(usize::MAX, figures, progress);
        }
    }

    /// Prints the first table up to so many rows; whether that is all of it.
    fn print(&mut self, rows: usize, figures: Figures<'_>, progress: &mut dyn Progress) -> bool {
        let Some(table) = self.waiting.front_mut() else {
            return false;
        };
        let text = table.lines.next(figures, rows);
        let name = table.suite.name;
        if !text.is_empty() && self.introduced.replace(name) != Some(name) {
            let above = report::suite_introduction(table.suite);
            progress.print(&format!("\n{above}\n"));
        }
        progress.print(&text);
        let is_whole = rows >= table.ends.len();
        if is_whole {
            self.waiting.pop_front();
        }
        is_whole
    }
}

#[cfg(test)]
mod tests {
    use adamant_ops::registry;

    use super::*;
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
        let mut tables = Tables::new(&suites, &planned, &registry, (&[], &[]));
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
            tables.part(over, &so_far, &mut page);
            lengths.push(page.0.lines().count());
        }
        // Rivals, suite, and the heading of the first table; its row, and the next heading; rows
        // that are measured or known already; the last row alone.
        let grown: Vec<usize> = lengths.windows(2).map(|two| two[1] - two[0]).collect();
        assert_eq!(lengths[0], 7, "{}", page.0);
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
        tables.finish(Figures::default(), &mut page);
        assert_eq!(page.0, before);
    }

    #[test]
    fn what_waits_for_the_pipeline_comes_last() {
        let suites = [find("x509").unwrap(), find("kctsb").unwrap()];
        let registry = registry();
        let planned = choose::plan(&suites, &registry);
        let mut tables = Tables::new(&suites, &planned, &registry, (&[], &[]));
        let mut page = Page::default();
        tables.part(planned.len(), &Comparison::default(), &mut page);
        assert_eq!(page.0.matches("The tables of “").count(), 1);
        assert_eq!(page.0.matches("one thread, ").count(), 1);
        assert!(page.0.contains("\n8 Key derivation\n") && !page.0.contains("cert_gen"));
        tables.finish(Figures::default(), &mut page);
        assert_eq!(page.0.matches("The tables of “").count(), 2);
        assert!(page.0.contains("\nECDSA P-256 Stages\n") && page.0.contains("cert_gen"));
    }
}
