//! The comparison itself: checks every rival's outputs, then measures in [paired
//! rounds](crate::rounds).
//!
//! Everything runs in one thread bound to one core; engines are its children and bound alike, so
//! only one side ever runs. Our own side may be such a child too, which makes it start anew as
//! often as they do. An engine that dies, hangs, talks nonsense or computes wrongly gives
//! a note, and the run goes on; one that died is started again for the next operation, a few
//! times.
//!
//! A `_batch` operation is compared with the rival's single call, and also with its batch where
//! it has one.

use std::thread;
use std::time::Duration;

use adamant_engine::stopwatch::Stopwatch;
use adamant_ops::{Item, Operation, Prepared, Size, pin};

use crate::client::Failure;
use crate::clock::{Clock, Reading};
use crate::machine::{Steal, Waiting};
use crate::plan::Planned;
use crate::results::{Against, EngineInfo, Row};
use crate::rival::Rival;
use crate::rounds::{self, Effort, Runner, Side};

/// The spread from which on a row is called scattered.
const SCATTER: f64 = 0.1;

/// Sees a comparison happen.
pub trait Progress {
    /// A row is about to be measured, the `index`th of `count`.
    fn row(&mut self, index: usize, count: usize, row: &Planned<'_>);
    /// Something that the user should know.
    fn note(&mut self, sentence: &str);
}

/// Nobody watches.
impl Progress for () {
    fn row(&mut self, _: usize, _: usize, _: &Planned<'_>) {}
    fn note(&mut self, _: &str) {}
}

/// What a comparison gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// A row for each rival of each planned row, or one without a rival.
    pub rows: Vec<Row>,
    /// The rivals that answered.
    pub engines: Vec<EngineInfo>,
    /// What went wrong, and what disturbed.
    pub notes: Vec<String>,
    /// The core that everything ran on; `None` where the system does not bind threads.
    pub core: Option<usize>,
    /// What the core's clock did; `None` where nothing was measured.
    pub clock: Option<Clock>,
}

/// Compares the planned rows with the rivals, in a thread of its own that is bound to a core.
///
/// `registry` is where the single operations of batches are found. `own` serves our operations as
/// an engine; without it, and for a forced implementation, they run in this process.
pub fn compare(
    rows: &[Planned<'_>],
    registry: &[Box<dyn Operation>],
    own: Option<Rival>,
    mut rivals: Vec<Rival>,
    effort: Effort,
    progress: &mut (dyn Progress + Send),
) -> Comparison {
    let work = || {
        let core = pin();
        let (steal, waiting) = (Steal::start(), Waiting::start());
        let mut run = Run {
            registry,
            own,
            effort,
            progress,
            clock: Vec::new(),
            widest: 0.0,
            shared: 0,
            result: Comparison {
                core,
                ..Comparison::default()
            },
        };
        rivals.retain_mut(|rival| run.introduce(rival));
        for (index, row) in rows.iter().enumerate() {
            run.progress.row(index, rows.len(), row);
            if let Err(sentence) = run.row(row, &mut rivals) {
                run.note(format!("{}: {sentence}", row.op.name()));
            }
            rivals.retain(|rival| {
                if rival.is_lost() {
                    let name = rival.name();
                    run.note(format!("{name} has failed too often and is given up"));
                }
                !rival.is_lost()
            });
        }
        run.result.clock = Clock::of(&run.clock);
        run.noise(&steal, &waiting);
        run.result
    };
    // A panic of an operation is a bug of ours: it goes on in this thread.
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

struct Run<'a> {
    registry: &'a [Box<dyn Operation>],
    own: Option<Rival>,
    effort: Effort,
    progress: &'a mut (dyn Progress + Send),
    /// Readings of the clock, a round each.
    clock: Vec<f64>,
    /// The greatest width that the core has shown.
    widest: f64,
    /// Rounds that count although the core had another thread to serve.
    shared: usize,
    result: Comparison,
}

/// A rival that is ready for an operation.
struct Opponent<'a> {
    info: EngineInfo,
    task: Remote<'a>,
}

/// An engine's operation.
struct Remote<'a> {
    rival: &'a mut Rival,
    op: String,
    size: Size,
    inputs: Vec<Item>,
}

impl Remote<'_> {
    /// Prepares it, and gives what it gives.
    fn check(&mut self) -> Result<Vec<Item>, Failure> {
        let client = self.rival.client()?;
        let outputs = client.check(&self.op, self.size, &self.inputs);
        self.rival.settle(outputs)
    }
}

impl Runner for &mut Remote<'_> {
    fn run(&mut self, iterations: u64, expected: Duration) -> Result<Duration, Failure> {
        let client = self.rival.client()?;
        let taken = client.run(&self.op, self.size, iterations, expected);
        self.rival.settle(taken)
    }

    fn renew(&mut self) -> Result<(), Failure> {
        self.rival.renew();
        self.check().map(drop)
    }
}

/// Our operation in this process.
struct Here<'a>(&'a mut dyn Prepared);

impl Runner for Here<'_> {
    fn run(&mut self, iterations: u64, _: Duration) -> Result<Duration, Failure> {
        let watch = Stopwatch::start();
        self.0.run(iterations);
        Ok(watch.elapsed())
    }
}

impl Run<'_> {
    fn note(&mut self, sentence: String) {
        self.progress.note(&sentence);
        self.result.notes.push(sentence);
    }

    fn introduce(&mut self, rival: &mut Rival) -> bool {
        match rival.introduce(&self.result.engines) {
            Ok(info) => {
                self.result.engines.push(info);
                true
            }
            Err(failure) => {
                self.note(format!("{} is left out: {failure}", rival.name()));
                false
            }
        }
    }

    fn row(&mut self, row: &Planned<'_>, rivals: &mut [Rival]) -> Result<(), String> {
        let (op, size) = (row.op, row.size);
        let inputs = op.inputs(size);
        let mut prepared = op.prepare(size, &inputs, row.forced)?;
        let mut trouble = Vec::new();
        let mut wave = 0;
        loop {
            // An engine keeps one operation ready at a time, so its second match has to wait.
            let mut opponents = Vec::new();
            for rival in &mut *rivals {
                let name = rival.name().to_owned();
                match self.opponent(row, &inputs, rival, wave) {
                    Ok(Some(opponent)) => opponents.push(opponent),
                    Ok(None) => {}
                    Err(sentence) => trouble.push(format!("{name}: {sentence}")),
                }
            }
            if wave > 0 && opponents.is_empty() {
                break;
            }
            self.measure(row, &inputs, prepared.as_mut(), opponents, &mut trouble);
            wave += 1;
        }
        for sentence in &trouble {
            self.note(format!("{} {} B: {sentence}", op.name(), size.bytes));
        }
        Ok(())
    }

    /// The rival, ready for its match of this number: `None` where it has no such match.
    fn opponent<'r>(
        &self,
        row: &Planned<'_>,
        inputs: &[Item],
        rival: &'r mut Rival,
        wave: usize,
    ) -> Result<Option<Opponent<'r>>, String> {
        let client = rival.client().map_err(|failure| failure.to_string())?;
        let name = row.op.name();
        let alone = name
            .strip_suffix("_batch")
            .and_then(|single| self.registry.iter().find(|op| op.name() == single))
            .map(AsRef::as_ref);
        let matches = alone.into_iter().chain([row.op]);
        let Some(op) = matches.filter(|op| client.offers(op.name())).nth(wave) else {
            return Ok(None);
        };
        let (size, inputs) = if op.name() == name {
            (row.size, inputs.to_vec())
        } else {
            let size = Size {
                batch: 1,
                ..row.size
            };
            (size, op.inputs(size))
        };
        let hello = client.hello().clone();
        let mut task = Remote {
            rival,
            op: op.name().to_owned(),
            size,
            inputs,
        };
        let outputs = task.check().map_err(|failure| failure.to_string())?;
        op.judge(size, &task.inputs, &outputs)
            .map_err(|e| format!("its output is wrong and it is not timed: {e}"))?;
        Ok(Some(Opponent {
            info: task.rival.info(hello),
            task,
        }))
    }

    fn measure(
        &mut self,
        row: &Planned<'_>,
        inputs: &[Item],
        prepared: &mut dyn Prepared,
        mut opponents: Vec<Opponent<'_>>,
        trouble: &mut Vec<String>,
    ) {
        let backend = prepared.backend().to_owned();
        let own = self.own.as_mut().filter(|_| row.forced.is_none());
        let mut own = own.map(|rival| Remote {
            rival,
            op: row.op.name().to_owned(),
            size: row.size,
            inputs: inputs.to_vec(),
        });
        let own = own
            .as_mut()
            .and_then(|own| own.check().is_ok().then_some(own));
        let ours = match own {
            Some(own) => Side::new(row.size.batch, own),
            None => Side::new(row.size.batch, Here(prepared)),
        };
        let theirs = opponents
            .iter_mut()
            .map(|opponent| Side::new(opponent.task.size.batch, &mut opponent.task));
        let mut sides: Vec<_> = [ours].into_iter().chain(theirs).collect();
        let turns = rounds::take_turns(&mut sides, self.effort, &mut self.widest, Reading::now);
        self.shared += turns.shared;
        let measured = sides.into_iter().map(|side| (side.samples, side.failure));
        let measured: Vec<_> = measured.collect();

        let (ours, failure) = &measured[0];
        if let Some(failure) = failure {
            trouble.push(format!("our side: {failure}"));
            return;
        }
        let alone = Row {
            op: row.op.name().to_owned(),
            bytes: row.size.bytes,
            batch: row.size.batch,
            ours_ns: 0.0,
            ours_cycles: 0.0,
            ours_cycles_low: 0.0,
            ours_cycles_high: 0.0,
            ours_spread: 0.0,
            backend,
            forced: row.forced.is_some(),
            against: None,
            note: None,
        };
        let alone = rounds::ours(alone, ours, &turns);
        let before = self.result.rows.len();
        for (opponent, (theirs, failure)) in opponents.iter().zip(&measured[1..]) {
            if let Some(failure) = failure {
                trouble.push(format!("{}: {failure}", opponent.info.name));
                continue;
            }
            let against = Against {
                engine: opponent.info.name.clone(),
                engine_version: opponent.info.version.clone(),
                theirs_ns: 0.0,
                theirs_cycles: 0.0,
                theirs_cycles_low: 0.0,
                theirs_cycles_high: 0.0,
                theirs_spread: 0.0,
                theirs_batch: opponent.task.size.batch,
                ratio: 0.0,
                ratio_low: 0.0,
                ratio_high: 0.0,
            };
            self.result.rows.push(Row {
                against: Some(rounds::against(against, ours, theirs, &turns)),
                ..alone.clone()
            });
        }
        if self.result.rows.len() == before {
            let note = (!trouble.is_empty()).then(|| trouble.join("; "));
            self.result.rows.push(Row { note, ..alone });
        }
        self.clock.extend(turns.clock);
    }

    /// Says what disturbed the run.
    fn noise(&mut self, steal: &Steal, waiting: &Waiting) {
        if let Some(share) = steal.share().filter(|&share| share > 0.01) {
            let percent = 100.0 * share;
            self.note(format!(
                "noise: the hypervisor gave {percent:.1} % of this machine's time to others"
            ));
        }
        if let Some(share) = waiting.share().filter(|&share| share > 0.02) {
            let percent = 100.0 * share;
            self.note(format!(
                "noise: other programs ran on this core, which was waited for {percent:.1} % of \
                 the time; that is left out, what they do to the caches is not"
            ));
        }
        let share = self.shared as f64 / self.clock.len().max(1) as f64;
        if share > 0.02 {
            let percent = 100.0 * share;
            self.note(format!(
                "noise: in {percent:.1} % of the rounds, repetitions left out, this core had \
                 another thread to serve, which slows down some code more than other"
            ));
        }
        if let Some(clock) = self.result.clock.filter(|clock| !clock.is_steady()) {
            self.note(format!(
                "noise: the core's clock varied between {:.2} and {:.2} cycles in a nanosecond; \
                 the cycles and the ratios allow for that, the nanoseconds do not",
                clock.low, clock.high
            ));
        }
        let against = self.result.rows.iter().filter_map(|r| r.against.as_ref());
        let (all, noisy) = against.fold((0, 0), |(all, noisy), against| {
            (all + 1, noisy + usize::from(against.is_noisy()))
        });
        if noisy > 0 {
            self.note(format!(
                "noise: {noisy} of {all} ratios are uncertain by more than 5 %: something else \
                 was running, or the clock was changing"
            ));
        }
        let scattered = |row: &&Row| {
            let theirs = row.against.as_ref().map(|against| against.theirs_spread);
            row.ours_spread.max(theirs.unwrap_or(0.0)) > SCATTER
        };
        let scattered = self.result.rows.iter().filter(scattered).count();
        if scattered > 0 {
            let (all, percent) = (self.result.rows.len(), 100.0 * SCATTER);
            self.note(format!(
                "noise: the samples of {scattered} of {all} rows scatter by more than \
                 {percent:.0} % of their median"
            ));
        }
    }
}
