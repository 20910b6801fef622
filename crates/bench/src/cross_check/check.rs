//! The engines at one table: who has what, and what each gives.

use std::collections::BTreeMap;

use adamant_engine::{Item, Size};
use adamant_tool::select::matches;

use super::{Agreement, Cell, CrossCheck};
use crate::client::Failure;
use crate::rival::Rival;
use crate::unbuilt::Unbuilt;

/// A cross-check while it goes on.
pub(crate) struct Check {
    pub(super) rivals: Vec<Rival>,
    /// Pairs of keys by the operation that wants them.
    pub(super) keys: BTreeMap<String, Result<Vec<Item>, String>>,
    pub(crate) result: CrossCheck,
}

/// What the others say to one engine's outputs.
#[derive(Default)]
pub(super) struct Votes {
    pub(super) agree: usize,
    pub(super) against: Vec<String>,
}

impl Votes {
    /// Counts a vote; one for itself counts only where it is against.
    pub(super) fn count(
        &mut self,
        by_another: bool,
        vote: Result<(), String>,
        say: impl FnOnce(String) -> String,
    ) {
        match vote {
            Ok(()) => self.agree += usize::from(by_another),
            Err(why) => self.against.push(say(why)),
        }
    }

    pub(super) fn cell(&self) -> Cell {
        match (self.agree, self.against.len()) {
            (0, 0) => Cell::Alone,
            (agree, against) if agree > against => Cell::Agrees(agree),
            _ => Cell::Differs,
        }
    }
}

impl Check {
    /// With those of the engines that answer.
    pub(crate) fn new(rivals: Vec<Rival>) -> Self {
        let mut check = Check {
            rivals: Vec::new(),
            keys: BTreeMap::new(),
            result: CrossCheck::default(),
        };
        check.introduce(rivals);
        check
    }

    fn introduce(&mut self, rivals: Vec<Rival>) {
        for mut rival in rivals {
            match rival.introduce(&self.result.engines) {
                Ok(info) => {
                    self.result.engines.push(info);
                    self.rivals.push(rival);
                }
                Err(failure) => {
                    let sentence = format!("{} is left out: {failure}", rival.name());
                    self.result.findings.push(sentence);
                }
            }
        }
    }

    /// The operations that the patterns choose of all that the engines offer, in their order.
    pub(super) fn names(&mut self, patterns: &[String]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for rival in &mut self.rivals {
            let Ok(client) = rival.client() else {
                continue;
            };
            for name in client.operations() {
                let chosen = patterns.iter().any(|pattern| matches(pattern, name));
                if (chosen || patterns.is_empty()) && !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        names
    }

    /// Those that offer the operation.
    pub(crate) fn offering(&mut self, op: &str) -> Vec<usize> {
        let offers = |rival: &mut Rival| rival.client().is_ok_and(|client| client.offers(op));
        let all = 0..self.rivals.len();
        all.filter(|&i| offers(&mut self.rivals[i])).collect()
    }

    pub(crate) fn name(&self, engine: usize) -> String {
        self.rivals[engine].name().to_owned()
    }

    /// What the engine gives: for the whole batch, or for one item after another.
    pub(super) fn outputs(
        &mut self,
        engine: usize,
        op: &str,
        bytes: usize,
        inputs: &[Item],
    ) -> Result<Vec<Item>, String> {
        let batch = if Unbuilt::named(op).is_some_and(|op| op.is_batch) {
            inputs.len()
        } else {
            1
        };
        let mut outputs = Vec::new();
        for inputs in inputs.chunks(batch.max(1)) {
            outputs.extend(self.ask(engine, op, Size { bytes, batch }, inputs)?);
        }
        Ok(outputs)
    }

    /// One call of an engine.
    pub(crate) fn ask(
        &mut self,
        engine: usize,
        op: &str,
        size: Size,
        inputs: &[Item],
    ) -> Result<Vec<Item>, String> {
        let outputs = self.answer(engine, op, size, inputs);
        outputs.map_err(|failure| match failure {
            Failure::Wrong(why) => why,
            other => other.to_string(),
        })
    }

    /// The same, and what kind of failure it was.
    pub(crate) fn answer(
        &mut self,
        engine: usize,
        op: &str,
        size: Size,
        inputs: &[Item],
    ) -> Result<Vec<Item>, Failure> {
        let rival = &mut self.rivals[engine];
        let checked = rival.client()?.check(op, size, inputs);
        let outputs = rival.settle(checked)?;
        if outputs.len() != inputs.len() {
            let (n, m) = (outputs.len(), inputs.len());
            return Err(Failure::Wrong(format!("it gave {n} items for {m}")));
        }
        Ok(outputs)
    }

    /// Whether the engine has ended and is not to be started again.
    pub(crate) fn is_lost(&self, engine: usize) -> bool {
        self.rivals[engine].is_lost()
    }

    pub(super) fn row(&mut self, op: &str, bytes: usize, found: BTreeMap<usize, Cell>) {
        let cell = |engine| found.get(&engine).copied().unwrap_or(Cell::Absent);
        let cells = (0..self.rivals.len()).map(cell).collect();
        let op = op.to_owned();
        self.result.rows.push(Agreement { op, bytes, cells });
    }

    pub(super) fn finding(&mut self, op: &str, bytes: usize, engine: usize, sentence: &str) {
        let name = self.name(engine);
        let size = match bytes {
            0 => String::new(),
            n => format!(" {n} B"),
        };
        self.result
            .findings
            .push(format!("{op}{size}: {name}: {sentence}"));
    }

    /// The cell of these votes, and their reasons among the findings.
    pub(super) fn judged(&mut self, op: &str, bytes: usize, engine: usize, votes: &Votes) -> Cell {
        for sentence in &votes.against {
            self.finding(op, bytes, engine, sentence);
        }
        votes.cell()
    }
}
