//! The comparison itself: checks every rival's outputs, then measures in [paired
//! rounds](crate::rounds), in several passes over all rows.
//!
//! Everything runs in one thread bound to one core; engines are its children and bound alike, so
//! only one side ever runs. Our own side may be such a child too, which makes it start anew as
//! often as they do. Engines run from the moment they are needed to the end of a spell. One
//! that dies, hangs, talks nonsense or computes wrongly gives a note, leaves the row, and the run
//! goes on; one that died is started again for the next operation, a few times in a pass.
//!
//! A `_batch` operation is compared with the rival's single call, and also with its batch where
//! it has one.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;
use std::thread;

use adamant_ops::{Evictor, Item, Operation, Size, pin};

use crate::client::Failure;
use crate::clock::{Clock, Reading};
use crate::machine::{Steal, Waiting};
use crate::noise;
use crate::plan::Planned;
use crate::players::{Cold, Job, Remote, ours};
use crate::results::{Against, EngineInfo, Row, Wrong};
use crate::rival::Rival;
use crate::rounds::{self, Contest, Effort, Runner};

/// Sees a comparison happen.
pub trait Progress {
    /// A row is about to be measured, again in each pass: as step `index` of `count`, from 0 on.
    fn row(&mut self, index: usize, count: usize, row: &Planned<'_>);
    /// Something that the user should know.
    fn note(&mut self, sentence: &str);
    /// Whether to go on; asked before each row. What was measured until then is kept.
    fn goes_on(&mut self) -> bool {
        true
    }
    /// Whether a part, up to so many of all planned rows, may have another pass; asked before each
    /// but the first.
    fn has_time_for(&mut self, planned: usize, all: usize) -> bool {
        let _ = (planned, all);
        true
    }
    /// A part is over, up to so many of the planned rows; this is what they gave. Heard before the
    /// first part too.
    fn part(&mut self, planned: usize, so_far: &Comparison) {
        let _ = (planned, so_far);
    }
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
    rivals: Vec<Rival>,
    effort: Effort,
    progress: &mut (dyn Progress + Send),
) -> Comparison {
    compare_parts(rows, &[rows.len()], registry, own, rivals, effort, progress)
}

/// [`compare`] in parts, of which each ends with all passes over its rows: `ends` has the number of
/// rows before the end of each.
pub fn compare_parts(
    rows: &[Planned<'_>],
    ends: &[usize],
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
            evictor: effort.cold.then(Evictor::new).map(RefCell::new),
            clock: Vec::new(),
            widest: 0.0,
            shared: 0,
            planned: rows.len(),
            step: 0,
            steps: effort.spells.max(1) * rows.len(),
            lost: vec![false; rivals.len()],
            short: false,
            result: Comparison {
                core,
                ..Comparison::default()
            },
        };
        rivals.retain_mut(|rival| run.introduce(rival));
        run.progress.part(0, &run.result);
        let mut from = 0;
        for &end in ends {
            let part = &rows[from..end];
            if !run.passes(part, rows.len() - end, &mut rivals) {
                break;
            }
            from = end;
        }
        if run.short {
            let spells = effort.spells;
            run.note(format!(
                "in the time that they had, some rows have fewer spells than {spells}, and so wider \
                 intervals"
            ));
        }
        run.result.clock = Clock::of(&run.clock);
        let rounds = run.clock.len();
        let told = noise::notes(
            &run.result.rows,
            run.result.clock.as_ref(),
            [run.shared, rounds],
            &steal,
            &waiting,
        );
        told.into_iter().for_each(|sentence| run.note(sentence));
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
    /// Empties the caches before each call, where these are to be cold. All sides run on this core.
    evictor: Option<RefCell<Evictor>>,
    /// Readings of the clock, a round each.
    clock: Vec<f64>,
    /// The greatest width that the core has shown.
    widest: f64,
    /// Rounds that count although the core had another thread to serve.
    shared: usize,
    /// The planned rows.
    planned: usize,
    /// The next step, and how many there are.
    step: usize,
    steps: usize,
    /// The rivals that were said to be lost.
    lost: Vec<bool>,
    /// Whether a part had no time for all its passes.
    short: bool,
    result: Comparison,
}

/// A planned row, and what stays of it from pass to pass.
struct Course<'a> {
    row: &'a Planned<'a>,
    /// Its operation; of a batch, also the single one that rivals may have instead.
    jobs: Vec<Job<'a>>,
    /// The implementation that ran.
    backend: String,
    /// The row and the rivals' first matches; the row and their second ones. An engine keeps one
    /// operation ready at a time, so those have to wait.
    heats: Vec<Heat>,
    wrong: Vec<Wrong>,
    trouble: Vec<String>,
}

impl<'a> Course<'a> {
    fn new(row: &'a Planned<'a>, registry: &'a [Box<dyn Operation>]) -> Self {
        let alone = row.op.name().strip_suffix("_batch");
        let alone = alone.and_then(|single| registry.iter().find(|op| op.name() == single));
        let alone = alone.map(|op| {
            let size = Size {
                batch: 1,
                ..row.size
            };
            Job::new(op.as_ref(), size)
        });
        Course {
            row,
            jobs: [Job::new(row.op, row.size)]
                .into_iter()
                .chain(alone)
                .collect(),
            backend: String::new(),
            heats: Vec::new(),
            wrong: Vec::new(),
            trouble: Vec::new(),
        }
    }

    fn is_due(&self, pass: usize, widest: f64) -> bool {
        let mut heats = self.heats.iter();
        heats.any(|heat| heat.contest.is_due(pass, widest))
    }
}

/// A row and one match of each rival that has one.
struct Heat {
    seats: Vec<Seat>,
    contest: Contest,
}

/// A rival in a row: its number, and that of its job.
struct Seat {
    rival: usize,
    job: usize,
}

/// A row as notes name it.
fn title(row: &Planned<'_>) -> String {
    format!("{} {} B", row.op.name(), row.size.bytes)
}

impl Run<'_> {
    fn note(&mut self, sentence: String) {
        self.progress.note(&sentence);
        self.result.notes.push(sentence);
    }

    /// Notes a sentence on a row; one note has all rows of a sentence.
    fn note_on(&mut self, row: &Planned<'_>, sentence: &str) {
        let place = title(row);
        let end = format!(": {sentence}");
        self.progress.note(&format!("{place}{end}"));
        let mut notes = self.result.notes.iter_mut();
        match notes.find_map(|note| Some((note.strip_suffix(&end)?.len(), note))) {
            Some((len, note)) => {
                if !note[..len].split(", ").any(|known| known == place) {
                    note.insert_str(len, &format!(", {place}"));
                }
            }
            None => self.result.notes.push(place + &end),
        }
    }

    fn introduce(&mut self, rival: &mut Rival) -> bool {
        match rival.introduce(&self.result.engines) {
            Ok(info) => {
                self.result.engines.push(info);
                rival.rest();
                true
            }
            Err(failure) => {
                self.note(format!("{} is left out: {failure}", rival.name()));
                false
            }
        }
    }

    /// The rows of a part, before so many others, in as many passes as they have spells; then again
    /// those that were disturbed. Whether to go on.
    fn passes(&mut self, rows: &[Planned<'_>], others: usize, rivals: &mut [Rival]) -> bool {
        let courses = rows.iter().map(|row| Course::new(row, self.registry));
        let mut courses: Vec<Course<'_>> = courses.collect();
        let planned = self.effort.spells.max(1);
        let begin = self.step;
        let mut goes_on = true;
        'passes: for pass in 0.. {
            let all = self.own.iter_mut().chain(&mut *rivals);
            all.for_each(Rival::forgive);
            let due: Vec<usize> = (0..rows.len())
                .filter(|&i| pass == 0 || courses[i].is_due(pass, self.widest))
                .collect();
            let repeats = pass >= planned;
            if repeats && due.is_empty() {
                break;
            }
            if pass > 0
                && !self
                    .progress
                    .has_time_for(self.planned - others, self.planned)
            {
                self.short |= !repeats;
                break;
            }
            if repeats {
                self.steps += due.len();
            } else {
                self.step = begin + pass * rows.len();
            }
            for (number, &i) in due.iter().enumerate() {
                let course = &mut courses[i];
                if !self.progress.goes_on() {
                    if pass > 0 && others > 0 {
                        self.note(format!("stopped: rows not begun: {others}"));
                    }
                    self.note(match (pass, repeats) {
                        (0, _) => {
                            format!("stopped: rows not begun: {}", due.len() - number + others)
                        }
                        (_, false) => format!(
                            "stopped: the last rows have {pass} of {planned} spells, and so wider \
                             intervals"
                        ),
                        (_, true) => "stopped: disturbed rows were not all measured again".into(),
                    });
                    goes_on = false;
                    break 'passes;
                }
                self.progress.row(self.step, self.steps, course.row);
                self.step += 1;
                if let Err(sentence) = self.spell(course, pass, rivals) {
                    self.note(format!("{}: {sentence}", course.row.op.name()));
                }
                for (i, rival) in rivals.iter().enumerate() {
                    if rival.is_lost() && !mem::replace(&mut self.lost[i], true) {
                        let name = rival.name();
                        self.note(format!(
                            "{name} has failed too often and is left out of the rows that follow"
                        ));
                    }
                }
            }
        }
        courses.into_iter().for_each(|course| self.close(course));
        self.progress.part(self.planned - others, &self.result);
        goes_on
    }

    /// Plans the matches of a row: with the rivals that have its operation and are not lost.
    fn seat(&self, course: &mut Course<'_>, rivals: &[Rival]) -> Result<(), String> {
        let row = course.row;
        let inputs = course.jobs[0].inputs();
        let prepared = row.op.prepare(row.size, &inputs, row.forced)?;
        prepared.backend().clone_into(&mut course.backend);
        // A batch meets single calls first.
        let jobs: Vec<usize> = (0..course.jobs.len()).rev().collect();
        for number in 0..jobs.len() {
            let seats = rivals.iter().zip(0..).filter_map(|(rival, i)| {
                let offered = |&&job: &&usize| rival.offers(course.jobs[job].op.name());
                let job = *jobs.iter().filter(offered).nth(number)?;
                (!rival.is_lost()).then_some(Seat { rival: i, job })
            });
            let seats: Vec<Seat> = seats.collect();
            if number > 0 && seats.is_empty() {
                break;
            }
            let theirs = seats.iter().map(|seat| course.jobs[seat.job].size.batch);
            let batches = [row.size.batch].into_iter().chain(theirs);
            let contest = Contest::new(batches, self.effort, number == 0);
            course.heats.push(Heat { seats, contest });
        }
        Ok(())
    }

    /// A spell of each match of a row that is due.
    fn spell(
        &mut self,
        course: &mut Course<'_>,
        pass: usize,
        rivals: &mut [Rival],
    ) -> Result<(), String> {
        if pass == 0 {
            self.seat(course, rivals)?;
        }
        let row = course.row;
        let jobs = course.jobs.iter_mut();
        let inputs: Vec<Rc<[Item]>> = jobs.map(Job::inputs).collect();
        for heat in &mut course.heats {
            if !heat.contest.is_due(pass, self.widest) {
                continue;
            }
            let before = heat.contest.failures();
            let own = self.own.as_mut().filter(|_| row.forced.is_none());
            let ours = ours(own, row, &course.jobs[0], &inputs[0]);
            let theirs = rivals.iter_mut().zip(0..).filter_map(|(rival, i)| {
                let side = heat.seats.iter().position(|seat| seat.rival == i)?;
                let job = heat.seats[side].job;
                Some(match &before[1 + side] {
                    Some(failure) => Err(failure.clone()),
                    None => Remote::player(rival, &course.jobs[job], &inputs[job], pass),
                })
            });
            let players = [ours].into_iter().chain(theirs);
            let players = players.map(|player| match &self.evictor {
                Some(evictor) => {
                    player.map(|runner| Box::new(Cold { runner, evictor }) as Box<dyn Runner + '_>)
                }
                None => player,
            });
            let players: Vec<_> = players.collect();
            heat.contest.play(players, &mut self.widest, Reading::now);

            let failures = heat.contest.failures().into_iter().zip(before);
            for (i, (failure, before)) in failures.enumerate() {
                let Some(failure) = failure.filter(|_| before.is_none()) else {
                    continue;
                };
                let name = match i {
                    0 => "our side",
                    _ => self.result.engines[heat.seats[i - 1].rival].name.as_str(),
                };
                let engine = name.to_owned();
                let sentence = format!("{engine}: {failure}");
                self.note_on(row, &sentence);
                match failure {
                    Failure::Wrong(why) => course.wrong.push(Wrong { engine, why }),
                    _ => course.trouble.push(sentence),
                }
            }
        }
        Ok(())
    }

    /// The rows that a course gave.
    fn close(&mut self, course: Course<'_>) {
        let row = course.row;
        let note = (!course.trouble.is_empty()).then(|| course.trouble.join("; "));
        for (number, heat) in course.heats.into_iter().enumerate() {
            let (turns, samples) = heat.contest.finish(self.widest, row.op.is_search());
            // Nothing was measured of a further match whose rival failed.
            let Some(ours) = samples[0].as_ref().ok().filter(|ours| !ours.is_empty()) else {
                continue;
            };
            self.shared += turns.shared;
            let alone = Row {
                op: row.op.name().to_owned(),
                bytes: row.size.bytes,
                batch: row.size.batch,
                ours_ns: 0.0,
                ours_cycles: 0.0,
                ours_cycles_low: 0.0,
                ours_cycles_high: 0.0,
                ours_spread: 0.0,
                backend: course.backend.clone(),
                forced: row.forced.is_some(),
                against: None,
                wrong: Vec::new(),
                note: None,
            };
            let alone = rounds::ours(alone, ours, &turns);
            let before = self.result.rows.len();
            for (seat, theirs) in heat.seats.iter().zip(&samples[1..]) {
                let Ok(theirs) = theirs else {
                    continue;
                };
                let engine = &self.result.engines[seat.rival];
                // What it does wrong in one form, it does not do faster in another.
                if course.wrong.iter().any(|wrong| wrong.engine == engine.name) {
                    continue;
                }
                let against = Against {
                    engine: engine.name.clone(),
                    engine_version: engine.version.clone(),
                    theirs_ns: 0.0,
                    theirs_cycles: 0.0,
                    theirs_cycles_low: 0.0,
                    theirs_cycles_high: 0.0,
                    theirs_spread: 0.0,
                    theirs_batch: course.jobs[seat.job].size.batch,
                    ratio: 0.0,
                    ratio_low: 0.0,
                    ratio_high: 0.0,
                };
                self.result.rows.push(Row {
                    against: Some(rounds::against(against, ours, theirs, &turns)),
                    ..alone.clone()
                });
            }
            if number == 0 && self.result.rows.len() == before {
                self.result.rows.push(alone);
            }
            if let Some(row) = self.result.rows.get_mut(before)
                && number == 0
            {
                row.wrong.clone_from(&course.wrong);
                row.note.clone_from(&note);
            }
            self.clock.extend(turns.clock);
        }
    }
}
