//! Random and edge inputs before every implementation of ours and every engine, until somebody
//! disagrees: `adamant bench --cross-check --cases N --seed S`.
//!
//! A case is an operation, a length, a batch and its inputs, all of which follow from the seed, the
//! operation's name and the case's number, on every machine (`draw.rs`). Each case meets the best
//! implementation, others that this CPU can run, and every engine that has the operation
//! (`subject.rs`); a batch also meets its items one by one. What disagrees is made smaller as long as
//! it persists (`shrink.rs`), and reported with its inputs.
//!
//! Both directions are met, because an operation and its inverse are both subjects:
//!
//! | kind | theirs makes, ours takes | ours makes, theirs takes |
//! |---|---|---|
//! | signatures | `sign`: their signature is verified by ours, and is ours where there is only one | `verify`: of our signature, and of forged ones |
//! | AEADs, key wrapping | `seal`, `wrap`: theirs is ours, bit for bit | `open`, `unwrap`: of what ours sealed, and of forgeries |
//! | ciphers, hashes, MACs, derivation | `encrypt`: as above | `decrypt`: likewise |
//! | encapsulation, encryption to a key | `encapsulate`, `encrypt`: ours opens theirs | `decapsulate`, `decrypt`: theirs opens ours |
//! | agreement | `derive`: the secret is the same | the same |
//! | keys | `keygen`: ours reads their keys, and the halves belong together | every key above is ours, exported: theirs read it |
//!
//! Operations are shared among threads, each with engines of its own; an operation's cases are done
//! in their order, by one thread at a time, so what is found depends neither on the number of
//! threads nor, but for how far it goes, on time (`turns.rs`).

mod draw;
#[cfg(test)]
mod edges;
mod engines;
mod quiet;
mod shrink;
mod subject;
mod turns;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use adamant_ops::{Operation, pin_to};
use adamant_tool::select::matches;

use crate::rival::Rival;
use engines::Engines;
use subject::Subject;
use turns::{Turns, Work};

/// The plan of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// Operations that fit one of these, all without one.
    pub patterns: &'a [String],
    /// Cases of all cheap operations together; dear ones have a hundredth of it, and those that are not
    /// so dear a fiftieth.
    pub cases: u64,
    /// The seed of the inputs.
    pub seed: u64,
    /// When to stop, whatever is left.
    pub limit: Option<Duration>,
    /// How many threads share the operations.
    pub threads: usize,
}

/// What it found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// A row for each operation.
    pub rows: Vec<Row>,
    /// The engines that took part.
    pub engines: Vec<Taken>,
    /// Why engines that were asked for did not, a sentence each.
    pub absent: Vec<String>,
    /// What is wrong, with the inputs.
    pub findings: Vec<String>,
    /// Operations that no case was left for when the time was over.
    pub left: usize,
    /// Operations that had some cases then, but not all that were planned.
    pub short: usize,
}

/// One operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Its name.
    pub op: String,
    /// Whether it is dear.
    pub dear: bool,
    /// Cases.
    pub cases: u64,
    /// Outputs of implementations of ours that were compared.
    pub ours: u64,
    /// What engines made of it.
    pub engines: Tally,
    /// Cases with a disagreement.
    pub wrong: u64,
}

/// What engines made of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Outputs that were judged.
    pub outputs: u64,
    /// Inputs that ours accepts and an engine refuses.
    pub refused: u64,
    /// Inputs that ours refuses and an engine accepts.
    pub stricter: u64,
}

/// An engine that took part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taken {
    /// Its name.
    pub name: String,
    /// The version that its library tells.
    pub version: String,
    /// The operations that it shares with ours, of those that had cases.
    pub operations: usize,
    /// What it made of them.
    pub tally: Tally,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.outputs += other.outputs;
        self.refused += other.refused;
        self.stricter += other.stricter;
    }
}

impl Found {
    /// The table for a terminal: operations that somebody disagrees in, or refuses, the sums, and what
    /// each engine did.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<40} {:>9} {:>11} {:>11} {:>9} {:>9} {:>7}\n",
            "operation", "cases", "ours", "engines", "refused", "stricter", "wrong"
        );
        let mut line = |name: &str, row: &Row| {
            let Row {
                cases,
                ours,
                engines,
                wrong,
                ..
            } = row;
            let Tally {
                outputs,
                refused,
                stricter,
            } = engines;
            let _ = writeln!(
                text,
                "{name:<40} {cases:>9} {ours:>11} {outputs:>11} {refused:>9} {stricter:>9} {wrong:>7}"
            );
        };
        for row in &self.rows {
            if row.engines.refused + row.engines.stricter + row.wrong > 0 {
                line(&row.op, row);
            }
        }
        let mut least = String::new();
        for (dear, name) in [(false, "cheap"), (true, "dear")] {
            let rows = || self.rows.iter().filter(|row| row.dear == dear);
            let mut all = Row::default();
            for row in rows() {
                all.cases += row.cases;
                all.ours += row.ours;
                all.wrong += row.wrong;
                all.engines.add(row.engines);
            }
            line(&format!("all {} {name} operations", rows().count()), &all);
            if let Some(row) = rows().min_by_key(|row| row.cases) {
                let _ = writeln!(
                    least,
                    "every {name} operation has at least {} cases ({})",
                    row.cases, row.op
                );
            }
        }
        if !self.engines.is_empty() {
            let _ = writeln!(
                text,
                "\n{:<40} {:>9} {:>11} {:>11} {:>9} {:>9}",
                "engine", "", "operations", "outputs", "refused", "stricter"
            );
        }
        for engine in &self.engines {
            let Tally {
                outputs,
                refused,
                stricter,
            } = engine.tally;
            let _ = writeln!(
                text,
                "{:<50} {:>11} {outputs:>11} {refused:>9} {stricter:>9}",
                format!("{} {}", engine.name, engine.version),
                engine.operations
            );
        }
        let _ = write!(text, "\n{least}");
        if self.left + self.short > 0 {
            let _ = writeln!(
                text,
                "when the time was over, {} operations had not begun and {} had not had all their cases",
                self.left, self.short
            );
        }
        for absent in &self.absent {
            let _ = writeln!(text, "{absent}");
        }
        for finding in &self.findings {
            let _ = write!(text, "\n{finding}");
        }
        text
    }
}

/// Goes through the cases. `rivals` gives each thread engines of its own; `heard` is told whose
/// cases are next.
pub fn campaign(
    plan: &Campaign,
    registry: &[Box<dyn Operation>],
    rivals: &(dyn Fn() -> Vec<Rival> + Sync),
    heard: &(dyn Fn(&str) + Sync),
) -> Found {
    let begun = Instant::now();
    let subjects = subjects(plan, registry);
    let shares = subject::shares(&subjects, plan.cases);
    let works = { subjects.iter().zip(shares) }.map(|(subject, n)| Work::new(subject.class, n));
    let turns = Turns::new(works, begun, plan.limit);
    let told: Mutex<BTreeMap<usize, Engines>> = Mutex::default();
    let work = &|thread: usize| {
        pin_to(thread);
        let mut engines = Engines::new(rivals());
        while let Some(mut turn) = turns.next() {
            let subject = &subjects[turn.index];
            heard(subject.name());
            let offering = engines.offering(subject.name());
            turn.go(|progress, number| {
                subject.case(plan.seed, number, &mut engines, &offering, progress);
            });
            turns.put_back(turn);
        }
        let mut told = told.lock().expect("nobody panicked");
        told.insert(thread, engines);
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..plan.threads.max(1))
            .map(|thread| scope.spawn(move || work(thread)))
            .collect();
        for thread in threads {
            if let Err(panic) = thread.join() {
                panic::resume_unwind(panic);
            }
        }
    });
    let engines = told.into_inner().expect("nobody panicked");
    found(&subjects, turns.into_works(), engines.into_values())
}

/// The operations that are to have cases.
fn subjects<'a>(plan: &Campaign, registry: &'a [Box<dyn Operation>]) -> Vec<Subject<'a>> {
    let fits = |op: &dyn Operation| {
        let mut patterns = plan.patterns.iter();
        plan.patterns.is_empty() || patterns.any(|pattern| matches(pattern, op.name()))
    };
    let all = || registry.iter().map(AsRef::as_ref);
    let single = |op: &dyn Operation| {
        let name = op.name().strip_suffix("_batch")?;
        all().find(|op| op.name() == name)
    };
    all()
        .filter(|&op| fits(op))
        .map(|op| Subject::new(op, single(op)))
        .collect()
}

/// What all threads found, in the order of the operations.
fn found(
    subjects: &[Subject<'_>],
    works: Vec<Work>,
    threads: impl Iterator<Item = Engines>,
) -> Found {
    let mut found = Found::default();
    for engines in threads {
        let (taken, absent, lost) = engines.told();
        for engine in taken {
            if !found.engines.iter().any(|known| known.name == engine.name) {
                found.engines.push(engine);
            }
        }
        for (sentences, all) in [(absent, &mut found.absent), (lost, &mut found.findings)] {
            for sentence in sentences {
                if !all.contains(&sentence) {
                    all.push(sentence);
                }
            }
        }
    }
    for (subject, work) in subjects.iter().zip(works) {
        let mut row = Row {
            op: subject.name().to_owned(),
            dear: subject.is_dear(),
            cases: work.progress.cases,
            ours: work.progress.ours,
            wrong: work.progress.wrong,
            ..Row::default()
        };
        for (name, tally) in work.progress.engines {
            row.engines.add(tally);
            if let Some(engine) = found.engines.iter_mut().find(|engine| engine.name == name) {
                engine.operations += 1;
                engine.tally.add(tally);
            }
        }
        found.left += usize::from(row.cases == 0);
        found.short += usize::from(0 < row.cases && row.cases < work.share);
        found.findings.extend(work.progress.findings);
        found.rows.push(row);
    }
    found
}
