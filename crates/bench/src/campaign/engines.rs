//! The engines of one thread.

use adamant_engine::{Item, Size};

use super::Taken;
use crate::client::Failure;
use crate::cross_check::Check;
use crate::rival::Rival;

/// The engines of one thread.
pub(super) struct Engines {
    check: Check,
    lost: Vec<String>,
}

impl Engines {
    /// Those of the rivals that answer.
    pub(super) fn new(rivals: Vec<Rival>) -> Self {
        Engines {
            check: Check::new(rivals),
            lost: Vec::new(),
        }
    }

    /// Those that offer the operation: their numbers and names.
    pub(super) fn offering(&mut self, op: &str) -> Vec<(usize, String)> {
        let numbers = self.check.offering(op).into_iter();
        numbers.map(|i| (i, self.check.name(i))).collect()
    }

    /// One call of an engine.
    pub(super) fn ask(
        &mut self,
        engine: usize,
        op: &str,
        size: Size,
        inputs: &[Item],
    ) -> Result<Vec<Item>, Failure> {
        let answer = self.check.answer(engine, op, size, inputs);
        if self.is_lost(engine) {
            let sentence = format!(
                "{} has ended too often, and has no more cases\n",
                self.check.name(engine)
            );
            if !self.lost.contains(&sentence) {
                self.lost.push(sentence);
            }
        }
        answer
    }

    /// Whether the engine has ended too often.
    pub(super) fn is_lost(&self, engine: usize) -> bool {
        self.check.is_lost(engine)
    }

    /// Those that took part; why others did not; those that were lost on the way.
    pub(super) fn told(self) -> (Vec<Taken>, Vec<String>, Vec<String>) {
        let taken = self.check.result.engines.into_iter();
        let taken = taken.map(|engine| Taken {
            name: engine.name,
            version: engine.version,
            ..Taken::default()
        });
        (taken.collect(), self.check.result.findings, self.lost)
    }
}
