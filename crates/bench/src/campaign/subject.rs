//! One operation: what a case meets, and what counts as a disagreement.
//!
//! * Implementations of ours give the outputs of the best one, or refuse the inputs as that does; where
//!   they differ, the operation's own judge, the portable implementation, accepts both, as it may
//!   where outputs are random. A case of a cheap operation meets all of them, but those that are
//!   tens of times slower only every [`SELDOM`]th case, in turns; a case of another meets one, in
//!   turns.
//! * A batch gives what its items give one by one.
//! * What nobody changed is valid, but for what is [`INVALID`].
//! * Engines give outputs that the judge accepts, or refuse what ours refuses. Inputs that one side
//!   takes and the other calls an error are counted, not blamed: libraries have limits, and rules for
//!   keys. A forgery that is called valid, or opened, is no such matter, nor is an honest signature
//!   that is called invalid, or an engine that gives no answer.

use std::collections::BTreeMap;
use std::fmt::Write;

use adamant_engine::{Item, Size};
use adamant_ops::Operation;
use adamant_tool::select::matches;

use super::Tally;
use super::draw::{Case, Class, Pool};
use super::engines::Engines;
use super::quiet::caught;
use crate::client::Failure;

/// Operations in the middle have this part of the cases.
const MIDDLE: u64 = 50;
/// Dear ones have this part.
const DEAR: u64 = 100;
/// A slow operation has this part of a dear one's.
const SLOWER: u64 = 10;
/// So seldom a cheap operation meets a slow implementation.
const SELDOM: u64 = 16;
/// Disagreements of one operation that are told.
const TOLD: u64 = 3;
/// The operations whose inputs are to be refused.
const INVALID: &[&str] = &["x509/validate-circle"];

/// The outputs of a call, or why there are none.
pub(super) type Outcome = Result<Vec<Item>, String>;

/// An operation and what is known of it.
pub(super) struct Subject<'a> {
    pub(super) op: &'a dyn Operation,
    /// Of a batch, the operation on single items.
    single: Option<&'a dyn Operation>,
    pub(super) class: Class,
    /// Implementations that this CPU can run besides the best.
    others: Vec<&'static str>,
    /// Those of them that are tens of times slower.
    slow: Vec<&'static str>,
    /// Where they change their paths.
    pub(super) steps: Vec<usize>,
}

/// What the cases of an operation gave so far.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) cases: u64,
    pub(super) ours: u64,
    pub(super) wrong: u64,
    /// By the engine's name.
    pub(super) engines: BTreeMap<String, Tally>,
    pub(super) findings: Vec<String>,
    pool: Option<Pool>,
}

/// Whom a case meets.
pub(super) struct Table<'a> {
    pub(super) number: u64,
    pub(super) engines: &'a mut Engines,
    pub(super) offering: &'a [(usize, String)],
    pub(super) is_determined: bool,
    /// What is counted.
    ours: u64,
    tallies: Vec<Tally>,
    /// Whether an engine gave no answer.
    pub(super) is_broken: bool,
}

/// The number of cases of each: of the cheap ones so many together, of those in the middle a fiftieth, of
/// the others a hundredth, of which a slow one has a tenth of another's part.
pub(super) fn shares(subjects: &[Subject<'_>], cases: u64) -> Vec<u64> {
    let count = |class| subjects.iter().filter(|s| s.class == class).count() as u64;
    let parts = (count(Class::Dear) * SLOWER + count(Class::Slow)).max(1);
    let share = |class| match class {
        Class::Cheap => cases.div_ceil(count(class).max(1)),
        Class::Middle => (cases / MIDDLE).div_ceil(count(class).max(1)),
        Class::Dear => (cases / DEAR * SLOWER).div_ceil(parts),
        Class::Slow => (cases / DEAR).div_ceil(parts),
    };
    let shares = subjects.iter().map(|subject| share(subject.class).max(1));
    shares.collect()
}

impl<'a> Subject<'a> {
    pub(super) fn new(op: &'a dyn Operation, single: Option<&'a dyn Operation>) -> Self {
        let rows = op.implementations().into_iter();
        let rows: Vec<_> = rows.filter(|row| row.is_available()).collect();
        let steps = rows.iter().flat_map(|row| row.steps.iter().copied());
        let others = rows.iter().skip(1).map(|row| row.name);
        let (slow, others) = others.partition(|name| is_slow(name));
        Subject {
            op,
            single,
            class: Class::of(op.name()),
            steps: steps.collect(),
            others,
            slow,
        }
    }

    pub(super) fn name(&self) -> &'a str {
        self.op.name()
    }

    pub(super) fn is_dear(&self) -> bool {
        self.class != Class::Cheap
    }

    /// The implementations besides the best that the case of this number meets.
    fn rows(&self, number: u64) -> Vec<&'static str> {
        let turn = |names: &[&'static str], number: u64| {
            let count = names.len().max(1) as u64;
            names.get((number % count) as usize).copied()
        };
        if self.is_dear() {
            let all = [&self.others[..], &self.slow].concat();
            return turn(&all, number).into_iter().collect();
        }
        let slow = number
            .is_multiple_of(SELDOM)
            .then(|| turn(&self.slow, number / SELDOM));
        self.others.iter().copied().chain(slow.flatten()).collect()
    }

    /// Does the case of this number.
    pub(super) fn case(
        &self,
        seed: u64,
        number: u64,
        engines: &mut Engines,
        offering: &[(usize, String)],
        progress: &mut Progress,
    ) {
        let drawn = caught(|| {
            let pool = progress.pool.get_or_insert_with(|| self.pool(seed));
            (self.draw(seed, number, pool), pool.is_determined())
        });
        let Some(((case, best), is_determined)) = drawn else {
            progress.wrong += 1;
            if progress.wrong <= TOLD {
                let name = self.name();
                let told = format!("{name}, seed {seed}, case {number}: drawing it panicked\n");
                progress.findings.push(told);
            }
            return;
        };
        let mut table = Table {
            number,
            engines,
            offering,
            is_determined,
            ours: 0,
            tallies: vec![Tally::default(); offering.len()],
            is_broken: false,
        };
        let why = self.disagreement(&case, &best, &mut table);
        progress.ours += table.ours;
        for ((_, name), tally) in offering.iter().zip(&table.tallies) {
            let all = progress.engines.entry(name.clone()).or_default();
            all.add(*tally);
        }
        let Some(why) = why else {
            return;
        };
        progress.wrong += 1;
        if progress.wrong <= TOLD {
            let (case, why) = self.shrunk(seed, case, why, &mut table);
            progress.findings.push(self.told(seed, number, &case, &why));
        }
    }

    fn told(&self, seed: u64, number: u64, case: &Case, why: &str) -> String {
        let Case { size, inputs, .. } = case;
        let changed = if case.is_changed {
            ", bits changed"
        } else {
            ""
        };
        let mut text = format!(
            "{}, {} bytes, batch of {}, seed {seed}, case {number}{changed}: {why}\n",
            self.op.name(),
            size.bytes,
            size.batch
        );
        for (i, item) in inputs.iter().enumerate() {
            for (name, value) in item {
                let _ = writeln!(text, "    {i} {name} = {}", hex::encode(value));
            }
        }
        text
    }

    /// Who disagrees, and how.
    pub(super) fn disagreement(
        &self,
        case: &Case,
        best: &Outcome,
        table: &mut Table<'_>,
    ) -> Option<String> {
        let Case { size, inputs, .. } = case;
        let is_determined = table.is_determined;
        if has_panicked(best) {
            return Some("ours panicked".into());
        }
        if let (Ok(outputs), false) = (best, case.is_changed) {
            let expected = !INVALID.contains(&self.name());
            if outputs.iter().any(|item| is_valid(item) != expected) {
                let does = if expected { "refuses" } else { "accepts" };
                return Some(format!("ours {does} what nobody changed"));
            }
        }
        for name in self.rows(table.number) {
            let theirs = outcome(self.op, *size, inputs, Some(name));
            table.ours += size.batch as u64;
            if has_panicked(&theirs) {
                return Some(format!("our {name} panicked"));
            }
            if let Some(why) = self.differs(case, is_determined, best, &theirs) {
                return Some(format!("our {name} {why}"));
            }
        }
        if let (Some(single), true) = (self.single, is_determined && !case.is_parted) {
            let one = Size { batch: 1, ..*size };
            let singles = { inputs.chunks(1) }.map(|item| outcome(single, one, item, None));
            let singles: Result<Vec<_>, _> = singles.collect();
            table.ours += size.batch as u64;
            if let Some(why) =
                self.differs(case, is_determined, best, &singles.map(|all| all.concat()))
            {
                return Some(format!("one by one, ours {why}"));
            }
        }
        let offering = table.offering;
        offering.iter().enumerate().find_map(|(i, (engine, name))| {
            let why = self.engine(case, best, table, i, *engine)?;
            Some(format!("{name} {why}"))
        })
    }

    /// How an engine disagrees; `i` is its place at the table.
    fn engine(
        &self,
        case: &Case,
        best: &Outcome,
        table: &mut Table<'_>,
        i: usize,
        engine: usize,
    ) -> Option<String> {
        if table.engines.is_lost(engine) {
            return None;
        }
        let name = self.op.name();
        let tally = &mut table.tallies[i];
        let theirs = match table.engines.ask(engine, name, case.size, &case.inputs) {
            Ok(outputs) => Ok(outputs),
            Err(Failure::Refused(why)) => Err(why),
            Err(Failure::Wrong(why)) => return Some(why),
            Err(Failure::Broken(why)) => {
                table.is_broken = true;
                return Some(format!("gives no answer: {why}"));
            }
        };
        tally.outputs += case.size.batch as u64;
        if accepts(best) && refuses(&theirs) {
            tally.refused += 1;
            return None;
        }
        if refuses(best) && accepts(&theirs) {
            if case.is_changed && is_authenticated(name) {
                return Some("opens a forgery".into());
            }
            tally.stricter += 1;
            return None;
        }
        if case.is_parted {
            return None;
        }
        self.differs(case, table.is_determined, best, &theirs)
    }

    /// How outputs, or a refusal, differ from ours.
    fn differs(
        &self,
        case: &Case,
        is_determined: bool,
        ours: &Outcome,
        theirs: &Outcome,
    ) -> Option<String> {
        match (ours, theirs) {
            _ if !accepts(ours) && !accepts(theirs) => None,
            (Ok(ours), Ok(theirs)) if is_determined && ours == theirs => None,
            (Ok(ours), Ok(theirs)) => {
                let judge = |outputs| {
                    let judged = caught(|| self.op.judge(case.size, &case.inputs, outputs));
                    judged.unwrap_or_else(|| Err("its judge panicked".into()))
                };
                match (judge(theirs), judge(ours)) {
                    (Err(why), _) => Some(format!("is wrong: {why}")),
                    (_, Err(why)) => Some(format!("is right, and our best is wrong: {why}")),
                    (Ok(()), Ok(())) => None,
                }
            }
            (_, Err(why)) => Some(format!("refuses: {why}")),
            (Err(why), _) => Some(format!("accepts what ours refuses: {why}")),
        }
    }
}

/// Whether an implementation is for narrower words than the CPU's, small, or only there to be compared.
fn is_slow(implementation: &str) -> bool {
    ["*16", "*32", "bignum*", "generic*", "small"]
        .iter()
        .any(|pattern| matches(pattern, implementation))
}

/// Whether the operation opens what is authenticated, so that whatever was changed has to be refused.
fn is_authenticated(name: &str) -> bool {
    ["*/open", "*/unwrap"]
        .iter()
        .any(|pattern| matches(pattern, name))
}

fn is_valid(item: &Item) -> bool {
    item.get("valid").is_none_or(|valid| valid != &[0])
}

/// Whether it gave outputs that say more than that nothing is valid. An item without fields is of a
/// call that failed.
fn accepts(outcome: &Outcome) -> bool {
    let says = |item: &Item| !item.is_empty() && is_valid(item);
    outcome
        .as_ref()
        .is_ok_and(|outputs| outputs.iter().any(says))
}

const PANICKED: &str = "it panicked";

pub(super) fn has_panicked(outcome: &Outcome) -> bool {
    outcome.as_ref().is_err_and(|why| why == PANICKED)
}

/// Whether it is an error, of the call or of every item.
pub(super) fn refuses(outcome: &Outcome) -> bool {
    let outputs = outcome.as_ref();
    outputs.map_or_else(|_| true, |outputs| outputs.iter().all(Item::is_empty))
}

/// What an implementation of ours, or the best, makes of the inputs.
pub(super) fn outcome(
    op: &dyn Operation,
    size: Size,
    inputs: &[Item],
    name: Option<&str>,
) -> Outcome {
    let call = || {
        op.prepare(size, inputs, name)
            .map(|mut ready| ready.outputs())
    };
    caught(call).unwrap_or_else(|| Err(PANICKED.into()))
}
