//! Random and edge inputs before every implementation of ours and every engine, until somebody
//! disagrees: `adamant bench --cross-check --cases N --seed S`.
//!
//! A case is an operation, a length, a batch and its inputs, all of which follow from the seed and the
//! case's number. Lengths lie around the steps of the implementations, at zero and at random; inputs
//! are random bytes, or nearly all zeros or ones; where outputs are determined, bits of some items
//! are changed in a third of the cases, so that verifications, openings and batches meet forgeries
//! in random places. Then
//!
//! * every implementation that this CPU can run gives the outputs of the best one, or refuses the
//!   inputs as that does; where outputs are random, the operation's own judge accepts them. Of dear
//!   operations each case has one implementation, in turns;
//! * a batch gives what its items give one by one;
//! * every engine that has the operation gives outputs that the judge accepts, or refuses what ours
//!   refuses. Inputs that one side refuses and the other takes are counted, not blamed: libraries
//!   have limits, and rules for keys. A forgery that is called valid is no such matter.
//!
//! A disagreement is made smaller as long as it persists, and reported with its inputs.

use std::fmt::Write;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use adamant::hash::Sha256;
use adamant_engine::{Item, Size};
use adamant_ops::select::is_slow;
use adamant_ops::{Length, Operation};
use adamant_tool::select::matches;

use crate::cross_check::Check;
use crate::rival::Rival;

/// Items of a batch, at most.
const MOST: usize = 20;
/// The longest message.
const LONGEST: usize = 4200;
/// An operation is dear if a case takes longer on the best implementation.
const DEAR: Duration = Duration::from_micros(200);
/// A dear case counts as this many cheap ones.
const RATE: u64 = 100;
/// An operation that has taken this many times its share of the time waits.
const SHARES: u32 = 4;
/// Disagreements of one operation that are told.
const TOLD: usize = 3;

/// The plan of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// Operations that fit one of these, all without one.
    pub patterns: &'a [String],
    /// Cases of all cheap operations together; dear ones have a hundredth of it.
    pub cases: u64,
    /// The seed of the inputs.
    pub seed: u64,
    /// When to stop, whatever is left.
    pub limit: Option<Duration>,
}

/// What it found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// A row for each operation.
    pub rows: Vec<Row>,
    /// What is wrong, with the inputs.
    pub findings: Vec<String>,
    /// Operations that no case was left for when the time was over.
    pub left: usize,
}

/// One operation.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Its name.
    pub op: String,
    /// Whether it is dear.
    pub dear: bool,
    /// Cases.
    pub cases: u64,
    /// Outputs of implementations of ours that were compared.
    pub ours: u64,
    /// Outputs of engines that were judged.
    pub theirs: u64,
    /// Inputs that ours accepts and an engine refuses.
    pub refused: u64,
    /// Inputs that ours refuses and an engine accepts.
    pub stricter: u64,
    /// Cases with a disagreement.
    pub wrong: u64,
}

impl Found {
    /// The table for a terminal: operations that somebody disagrees in, or refuses, and the sums.
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
                theirs,
                refused,
                stricter,
                wrong,
                ..
            } = row;
            let _ = writeln!(
                text,
                "{name:<40} {cases:>9} {ours:>11} {theirs:>11} {refused:>9} {stricter:>9} {wrong:>7}"
            );
        };
        for row in &self.rows {
            if row.refused + row.stricter + row.wrong > 0 {
                line(&row.op, row);
            }
        }
        for (dear, name) in [(false, "cheap"), (true, "dear")] {
            let rows = || self.rows.iter().filter(|row| row.dear == dear);
            let sum = |of: fn(&Row) -> u64| rows().map(of).sum();
            let all = Row {
                cases: sum(|row| row.cases),
                ours: sum(|row| row.ours),
                theirs: sum(|row| row.theirs),
                refused: sum(|row| row.refused),
                stricter: sum(|row| row.stricter),
                wrong: sum(|row| row.wrong),
                ..Row::default()
            };
            line(&format!("all {} {name} operations", rows().count()), &all);
        }
        for finding in &self.findings {
            let _ = write!(text, "\n{finding}");
        }
        if self.left > 0 {
            let _ = writeln!(text, "\nnot begun when the time was over: {}", self.left);
        }
        text
    }
}

/// Goes through the cases, some of each operation in turn. `heard` is told whose are next.
pub fn campaign(
    plan: &Campaign,
    registry: &[Box<dyn Operation>],
    rivals: Vec<Rival>,
    heard: &mut dyn FnMut(&str),
) -> Found {
    let begun = Instant::now();
    let is_over = || plan.limit.is_some_and(|limit| begun.elapsed() >= limit);
    let mut found = Found::default();
    let mut engines = Check::new(rivals);
    found.findings.append(&mut engines.result.findings);
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ())); // a panic is an answer here, and told as one
    let fits = |op: &dyn Operation| {
        let mut patterns = plan.patterns.iter();
        (plan.patterns.is_empty() || patterns.any(|pattern| matches(pattern, op.name())))
            && !is_slow(op.name())
    };
    let all: Vec<&dyn Operation> = registry.iter().map(AsRef::as_ref).collect();
    let single = |op: &dyn Operation| {
        let name = op.name().strip_suffix("_batch")?;
        all.iter().copied().find(|op| op.name() == name)
    };
    let chosen = all.iter().copied().filter(|&op| fits(op));
    let subjects: Vec<_> = chosen.map(|op| Subject::new(op, single(op))).collect();
    found.rows = { subjects.iter() }.map(Subject::row).collect();
    let share = |dear: bool| {
        let (cases, rate) = if dear {
            (plan.cases / RATE, 1)
        } else {
            (plan.cases, RATE)
        };
        let subjects = subjects.iter().filter(|subject| subject.dear == dear);
        (cases.div_ceil(subjects.count().max(1) as u64), rate)
    };
    let shares = [share(false), share(true)];
    let rounds = { shares.iter() }
        .map(|(cases, rate)| cases.div_ceil(*rate))
        .max();
    let mut taken = vec![Duration::ZERO; subjects.len()];
    let everyone = u32::try_from(subjects.len()).unwrap_or(u32::MAX).max(1);
    'all: for round in 0..rounds.unwrap_or_default() {
        let rows = found.rows.iter_mut().zip(&mut taken);
        for (subject, (row, taken)) in subjects.iter().zip(rows) {
            let start = begun.elapsed();
            if round > 0 && plan.limit.is_some() && *taken > SHARES * (start / everyone) {
                continue;
            }
            heard(subject.op.name());
            let (cases, rate) = shares[usize::from(subject.dear)];
            for case in (round * rate..cases).take(rate as usize) {
                if is_over() {
                    break 'all;
                }
                subject.case(plan.seed, case, &mut engines, row, &mut found.findings);
            }
            *taken += begun.elapsed().saturating_sub(start);
        }
    }
    panic::set_hook(hook);
    found.left = found.rows.iter().filter(|row| row.cases == 0).count();
    found
}

/// Numbers that follow from a name.
struct Numbers(u64);

impl Numbers {
    fn new(name: &str) -> Self {
        let digest = Sha256::digest(name.as_bytes());
        let (first, _) = digest.split_first_chunk().expect("32 bytes");
        Numbers(u64::from_be_bytes(*first))
    }

    /// A number below `n`, by SplitMix64 (Steele, Lea and Flood, 2014).
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % n.max(1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A length: at random, around a power of two, or around a step of an implementation.
    fn length(&mut self, steps: &[usize]) -> usize {
        let around = match self.below(4) {
            0 => return self.below(LONGEST),
            1 => return self.below(70),
            2 if !steps.is_empty() => steps[self.below(steps.len())] * (1 + self.below(3)),
            _ => 1 << self.below(13),
        };
        (around + self.below(3)).saturating_sub(1).min(LONGEST)
    }
}

/// The outputs of a call, or why there are none.
type Outcome = Result<Vec<Item>, String>;

/// An operation and what is known of it.
struct Subject<'a> {
    op: &'a dyn Operation,
    /// Of a batch, the operation on single items.
    single: Option<&'a dyn Operation>,
    /// Whether the same inputs give the same outputs.
    is_determined: bool,
    dear: bool,
    /// Implementations that this CPU can run, the best first.
    names: Vec<&'static str>,
    steps: Vec<usize>,
}

/// A size and inputs.
#[derive(Clone)]
struct Case {
    size: Size,
    inputs: Vec<Item>,
    /// Whether bits of the inputs were changed.
    is_changed: bool,
    /// Whether one is of a public key beside its private one: no longer what outputs are judged by.
    is_parted: bool,
}

impl<'a> Subject<'a> {
    fn new(op: &'a dyn Operation, single: Option<&'a dyn Operation>) -> Self {
        let size = op.sizes(None, &[2])[0];
        let inputs = op.inputs(size);
        let rows = op
            .implementations()
            .into_iter()
            .filter(|row| row.is_available());
        let mut subject = Subject {
            op,
            single,
            is_determined: false,
            dear: true,
            names: rows.clone().map(|row| row.name).collect(),
            steps: rows.flat_map(|row| row.steps.iter().copied()).collect(),
        };
        let first = outcome(op, size, &inputs, None);
        let start = Instant::now();
        let again = outcome(op, size, &inputs, None);
        subject.dear = start.elapsed() / size.batch as u32 > DEAR;
        subject.is_determined = first.is_ok() && first == again;
        subject
    }

    fn row(&self) -> Row {
        Row {
            op: self.op.name().to_owned(),
            dear: self.dear,
            ..Row::default()
        }
    }

    /// The case of this number.
    fn draw(&self, seed: u64, number: u64) -> Case {
        let name = format!("{seed} {number}");
        let mut numbers = Numbers::new(&format!("{} {name}", self.op.name()));
        let batch = if self.op.is_batch() {
            1 + numbers.below(MOST)
        } else {
            1
        };
        let bytes = match self.op.length() {
            Length::None => 0,
            Length::Message | Length::Output => numbers.length(&self.steps),
        };
        let ones = [
            None,
            None,
            None,
            Some(0.0),
            Some(1.0),
            Some(0.02),
            Some(0.98),
        ];
        let ones = ones[numbers.below(ones.len())];
        let mut case = self.drawn(Size { bytes, batch }, &name, ones);
        if self.is_determined && numbers.one_in(3) {
            for _ in 0..1 + numbers.below(batch) {
                let item = &mut case.inputs[numbers.below(batch)];
                if let Some(field) = change(item, &mut numbers) {
                    case.is_changed = true;
                    case.is_parted |= field == "public_key" && item.contains_key("private_key");
                }
            }
        }
        case
    }

    /// Inputs of this size, or of whole blocks where a mode takes nothing else.
    fn drawn(&self, size: Size, name: &str, ones: Option<f64>) -> Case {
        let blocks = size.bytes / 16 * 16 + 16;
        let mut case = None;
        for bytes in [size.bytes, blocks] {
            let size = Size { bytes, ..size };
            let drawn =
                (0..size.batch).map(|i| self.op.draw_judged(bytes, &format!("{name} {i}"), ones));
            let Ok(inputs) = panic::catch_unwind(AssertUnwindSafe(|| drawn.collect())) else {
                continue;
            };
            let case = case.insert(Case {
                size,
                inputs,
                is_changed: false,
                is_parted: false,
            });
            if outcome(self.op, size, &case.inputs, None).is_ok() {
                break;
            }
        }
        case.unwrap_or_else(|| {
            let size = self.op.sizes(None, &[size.batch])[0];
            Case {
                size,
                inputs: self.op.inputs(size),
                is_changed: false,
                is_parted: false,
            }
        })
    }

    fn case(
        &self,
        seed: u64,
        number: u64,
        engines: &mut Check,
        row: &mut Row,
        findings: &mut Vec<String>,
    ) {
        let case = self.draw(seed, number);
        row.cases += 1;
        let Some(mut why) = self.disagreement(&case, number, engines, row) else {
            return;
        };
        row.wrong += 1;
        if row.wrong > TOLD as u64 {
            return;
        }
        let (mut least, mut unused) = (case, Row::default());
        for smaller in self.smaller(&least, &format!("{seed} {number}")) {
            if let Some(still) = self.disagreement(&smaller, number, engines, &mut unused) {
                (least, why) = (smaller, still);
                break;
            }
        }
        let Case {
            size,
            inputs,
            is_changed,
            ..
        } = &least;
        let changed = if *is_changed { ", bits changed" } else { "" };
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
        findings.push(text);
    }

    /// Cases like this one, smallest first: single items, shorter messages.
    fn smaller(&self, case: &Case, name: &str) -> Vec<Case> {
        let size = case.size;
        let mut smaller = Vec::new();
        if !case.is_changed {
            let shorter = [0, 1, 15, 16, 17, 32, 33, 64, 65, 128, 129, 256, 512, 1024];
            let shorter = shorter.into_iter().filter(|&bytes| bytes < size.bytes);
            smaller.extend(shorter.map(|bytes| self.drawn(Size { bytes, batch: 1 }, name, None)));
        }
        if size.batch > 1 {
            let one = Size { batch: 1, ..size };
            smaller.extend(case.inputs.iter().map(|item| Case {
                size: one,
                inputs: vec![item.clone()],
                is_changed: case.is_changed,
                is_parted: case.is_parted,
            }));
        }
        if !self.op.is_batch() {
            smaller.retain(|case| case.size.batch == 1);
        }
        smaller
    }

    /// Who disagrees, and how.
    fn disagreement(
        &self,
        case: &Case,
        number: u64,
        engines: &mut Check,
        row: &mut Row,
    ) -> Option<String> {
        let Case { size, inputs, .. } = case;
        let best = outcome(self.op, *size, inputs, None);
        let mut names = &self.names[..];
        if self.dear && !names.is_empty() {
            let turn = (number % names.len() as u64) as usize;
            names = &names[turn..=turn];
        }
        for name in names {
            let theirs = outcome(self.op, *size, inputs, Some(name));
            row.ours += size.batch as u64;
            if let Some(why) = self.differs(case, &best, &theirs) {
                return Some(format!("our {name} {why}"));
            }
        }
        if let (Some(single), true) = (self.single, self.is_determined && !case.is_parted) {
            let one = Size { batch: 1, ..*size };
            let singles = { inputs.chunks(1) }.map(|item| outcome(single, one, item, None));
            let singles: Result<Vec<_>, _> = singles.collect();
            let singles = singles.map(|singles| singles.concat());
            if let Some(why) = self.differs(case, &best, &singles) {
                return Some(format!("one by one, ours {why}"));
            }
        }
        for engine in engines.offering(self.op.name()) {
            let theirs = engines.ask(engine, self.op.name(), *size, inputs);
            row.theirs += size.batch as u64;
            if accepts(&best) && !accepts(&theirs) {
                row.refused += 1;
            } else if best.is_err() && accepts(&theirs) {
                row.stricter += 1;
            } else if !case.is_parted
                && let Some(why) = self.differs(case, &best, &theirs)
            {
                return Some(format!("{} {why}", engines.name(engine)));
            }
        }
        None
    }

    /// How outputs, or a refusal, differ from ours.
    fn differs(&self, case: &Case, ours: &Outcome, theirs: &Outcome) -> Option<String> {
        match (ours, theirs) {
            _ if !accepts(ours) && !accepts(theirs) => None,
            (Ok(ours), Ok(theirs)) if self.is_determined && ours == theirs => None,
            (Ok(_), Ok(theirs)) => {
                let judged = self.op.judge(case.size, &case.inputs, theirs);
                judged.err().map(|why| format!("is wrong: {why}"))
            }
            (_, Err(why)) => Some(format!("refuses: {why}")),
            (Err(why), _) => Some(format!("accepts what ours refuses: {why}")),
        }
    }
}

/// Whether it gave outputs that say more than that nothing is valid.
fn accepts(outcome: &Outcome) -> bool {
    let is_valid = |item: &Item| item.get("valid").is_none_or(|valid| valid != &[0]);
    outcome
        .as_ref()
        .is_ok_and(|outputs| outputs.iter().any(is_valid))
}

/// What an implementation of ours, or the best, makes of the inputs.
fn outcome(op: &dyn Operation, size: Size, inputs: &[Item], name: Option<&str>) -> Outcome {
    let call = || {
        op.prepare(size, inputs, name)
            .map(|mut ready| ready.outputs())
    };
    panic::catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Err("it panicked".into()))
}

/// Changes a bit of a field, and says of which: not of a private key, whose parts belong together, nor
/// of a number that says how long to work.
fn change(item: &mut Item, numbers: &mut Numbers) -> Option<String> {
    const KEPT: &[&str] = &[
        "private_key",
        "iterations",
        "n",
        "r",
        "p",
        "memory",
        "passes",
        "lanes",
    ];
    let fields = item.iter_mut();
    let mut fields: Vec<_> = fields
        .filter(|(name, value)| !KEPT.contains(&name.as_str()) && !value.is_empty())
        .collect();
    let at = numbers.below(fields.len());
    let (name, value) = fields.get_mut(at)?;
    let byte = numbers.below(value.len());
    value[byte] ^= 1 << numbers.below(8);
    Some(name.to_string())
}
