//! The tables of documents, each printed as soon as its rows are measured.

use adamant_ops::Operation;

use super::{Progress, beginning};
use crate::driver::Comparison;
use crate::plan::Planned;
use crate::report;
use crate::results::Figures;
use crate::suites::{Suite, Table, choose};

/// The tables of suites, in their order.
pub(super) struct Tables {
    waiting: Vec<Waiting>,
    /// Whether the rivals were named.
    begun: bool,
}

struct Waiting {
    suite: &'static Suite,
    table: &'static Table,
    /// How many of the planned rows are over when this one can be printed; `None` where it waits
    /// for the end.
    end: Option<usize>,
    printed: bool,
}

impl Tables {
    pub(super) fn new(
        suites: &[&'static Suite],
        rows: &[Planned<'_>],
        registry: &[Box<dyn Operation>],
    ) -> Self {
        let tables = suites
            .iter()
            .flat_map(|&suite| suite.tables.iter().map(move |table| (suite, table)));
        let waiting = tables.map(|(suite, table)| Waiting {
            suite,
            table,
            end: choose::end(table, rows, registry),
            printed: false,
        });
        Tables {
            waiting: waiting.collect(),
            begun: false,
        }
    }

    /// The ends of the parts that so many rows are measured in.
    pub(super) fn parts(&self, rows: usize) -> Vec<usize> {
        let mut ends: Vec<usize> = self.waiting.iter().filter_map(|table| table.end).collect();
        ends.push(rows);
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Prints those that have all their rows.
    pub(super) fn part(
        &mut self,
        planned: usize,
        so_far: &Comparison,
        progress: &mut dyn Progress,
    ) {
        if self.waiting.is_empty() {
            return;
        }
        if !self.begun {
            self.begun = true;
            progress.print(&beginning(so_far));
        }
        let figures = Figures {
            rows: &so_far.rows,
            ..Figures::default()
        };
        self.print(figures, progress, |table| {
            table.end.is_some_and(|end| end <= planned)
        });
    }

    /// Prints the others.
    pub(super) fn finish(&mut self, figures: Figures<'_>, progress: &mut dyn Progress) {
        self.print(figures, progress, |_| true);
    }

    fn print(
        &mut self,
        figures: Figures<'_>,
        progress: &mut dyn Progress,
        is_due: impl Fn(&Waiting) -> bool,
    ) {
        let mut introduced: Vec<&str> = self
            .waiting
            .iter()
            .filter(|table| table.printed)
            .map(|table| table.suite.name)
            .collect();
        for table in &mut self.waiting {
            if table.printed || !is_due(table) {
                continue;
            }
            table.printed = true;
            let Some(text) = report::suite_table(table.table, figures) else {
                continue;
            };
            if !introduced.contains(&table.suite.name) {
                introduced.push(table.suite.name);
                let above = report::suite_introduction(table.suite);
                progress.print(&format!("\n{above}\n"));
            }
            progress.print(&format!("\n{text}"));
        }
    }
}
