//! Paired rounds: ours and the rivals' take turns, A B C A B C …, each for about as long.
//!
//! A clock that drifts or a neighbour that wakes up then falls on all sides of a round alike, and
//! the ratio within the round survives it. Between rounds the core's clock is read by a
//! [reference loop](crate::clock), which makes cycles of the nanoseconds of each round.
//!
//! Where a program's code, stack and data come to lie in memory is chosen when it starts, and
//! makes a difference of several percent to short operations. Other work of the machine lasts for
//! minutes, and slows down one side more than the other. So the rounds of a row are divided into
//! spells, for each of which all sides are made anew: another process, other places. The spells of
//! one row lie apart in time, too: the run goes over all rows in as many passes as a row has
//! spells.
//!
//! A round during which the core had another thread to serve is repeated: a few at once, and after
//! the last pass spells that had many of them, as long as that at most doubles the time of the
//! row.

use std::time::{Duration, Instant};

use crate::client::Failure;
use crate::clock::Reading;
use crate::results::{Against, Row};
use crate::stats::{estimate_of_spells, mean, median, ratio_of_means, significant, spread};

/// How much time to give to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Rounds.
    pub rounds: usize,
    /// How long each side runs in a round.
    pub sample: Duration,
    /// How long each side runs before the first round.
    pub warm_up: Duration,
    /// How often the sides are made anew: the passes over all rows.
    pub spells: usize,
    /// Whether a sample is a single call, before which the [caches are emptied](adamant_ops::Evictor) of it.
    pub cold: bool,
}

impl Effort {
    // Many short samples, rather than few long ones: what disturbs comes in bursts, and a sample
    // of a few milliseconds mostly lies between two of them, while it still hides the switch
    // between processes (some 10 µs).

    /// Two seconds or so for a row and a rival.
    pub const QUICK: Effort = Effort {
        rounds: 154,
        sample: Duration::from_millis(5),
        warm_up: Duration::from_millis(50),
        spells: 11,
        cold: false,
    };

    /// Some ten seconds for a row and a rival, most of them for the caches.
    pub const COLD: Effort = Effort {
        rounds: 105,
        spells: 7,
        warm_up: Duration::ZERO,
        cold: true,
        ..Effort::QUICK
    };

    /// Three to four seconds for a row and a rival.
    pub const NORMAL: Effort = Effort {
        rounds: 300,
        spells: 15,
        ..Effort::QUICK
    };

    /// Ten seconds or so for a row and a rival.
    pub const THOROUGH: Effort = Effort {
        rounds: 1000,
        spells: 25,
        warm_up: Duration::from_millis(200),
        ..Effort::QUICK
    };

    /// So little that as many rows beside one rival take about this time, but no less than what tells
    /// a tenth from chance, and no more than [`Effort::QUICK`].
    ///
    /// ```
    /// use adamant_bench::rounds::Effort;
    /// use std::time::Duration;
    /// let minute = |rows| Effort::within(Duration::from_secs(60), rows).rounds;
    /// assert_eq!(minute(1), Effort::QUICK.rounds);
    /// assert_eq!((minute(40), minute(80), minute(10_000)), (100, 50, 35));
    /// ```
    #[must_use]
    pub fn within(time: Duration, rows: usize) -> Effort {
        // A round is a sample of each side. Making the sides anew and warming up, spell by spell,
        // takes about half as long again.
        let round = Effort::QUICK.sample * 3;
        let rounds = time.as_secs_f64() / (rows.max(1) as f64 * round.as_secs_f64());
        Effort {
            rounds: (rounds as usize).clamp(35, Effort::QUICK.rounds),
            spells: 7,
            ..Effort::QUICK
        }
    }

    /// The fewest rounds, of operations that take long each.
    const FEWEST: usize = 5;
}

/// What can be measured.
pub(crate) trait Runner {
    /// Runs this many iterations, which should take about the given time, and says how long it
    /// took.
    fn run(&mut self, iterations: u64, expected: Duration) -> Result<Duration, Failure>;
}

impl<F: FnMut(u64, Duration) -> Result<Duration, Failure>> Runner for F {
    fn run(&mut self, iterations: u64, expected: Duration) -> Result<Duration, Failure> {
        self(iterations, expected)
    }
}

/// One that takes part in a spell: or why it does not.
pub(crate) type Player<'a> = Result<Box<dyn Runner + 'a>, Failure>;

/// One of those that take turns: what is known of it in all spells.
#[derive(Debug, Default)]
struct Side {
    /// Items of one iteration.
    batch: usize,
    iterations: u64,
    expected: Duration,
    /// Why it takes no further part.
    failure: Option<Failure>,
}

impl Side {
    /// Warms up, and finds how many iterations take about a sample's time.
    fn calibrate(&mut self, runner: &mut dyn Runner, effort: Effort) -> Result<(), Failure> {
        let start = Instant::now();
        let mut iterations = 1;
        let mut elapsed = Duration::ZERO;
        loop {
            elapsed = runner.run(iterations, 2 * elapsed)?;
            // The second condition ends the growth of runs that take no time at all.
            if start.elapsed() >= effort.warm_up || iterations > u64::MAX / 4 {
                break;
            }
            if elapsed * 4 < effort.warm_up {
                iterations *= 2;
            }
        }
        let one = elapsed.as_secs_f64().max(1e-9) / iterations as f64;
        self.iterations = match effort.cold {
            true => 1,
            false => ((effort.sample.as_secs_f64() / one).round() as u64).max(1),
        };
        self.expected = Duration::from_secs_f64(one * self.iterations as f64);
        Ok(())
    }

    /// Runs a runner that is new once, to be as warm as the one before. One whose single operation
    /// takes long has done it when it was made.
    fn warm_up(&self, runner: &mut dyn Runner) -> Result<(), Failure> {
        if self.iterations > 1 {
            runner.run(self.iterations, self.expected)?;
        }
        Ok(())
    }

    /// Nanoseconds for one item.
    fn sample(&self, runner: &mut dyn Runner) -> Result<f64, Failure> {
        let taken = runner.run(self.iterations, self.expected)?;
        let items = self.iterations as f64 * self.batch as f64;
        // The clock's own resolution bounds what can be told.
        Ok((taken.as_secs_f64() * 1e9 / items).max(1e-3))
    }
}

/// The rounds of one spell.
struct Spell {
    /// What the core did in each.
    core: Vec<Reading>,
    /// The samples of each side, by rounds; of one that failed there may be fewer.
    samples: Vec<Vec<f64>>,
}

impl Spell {
    /// Whether the core had another thread to serve, round by round.
    fn shared(&self, widest: f64) -> impl Iterator<Item = bool> {
        let core = self.core.iter();
        core.map(move |reading| !reading.is_alone(widest))
    }

    fn count_shared(&self, widest: f64) -> usize {
        self.shared(widest).filter(|&shared| shared).count()
    }

    /// Keeps this many rounds, those of a core to itself before others, in order.
    fn keep(&mut self, count: usize, widest: f64) {
        let mut rounds: Vec<(bool, usize)> = self.shared(widest).zip(0..).collect();
        rounds.sort_unstable();
        rounds.truncate(count);
        rounds.sort_unstable_by_key(|&(_, round)| round);
        self.core = rounds.iter().map(|&(_, round)| self.core[round]).collect();
        for samples in &mut self.samples {
            let kept = rounds.iter();
            *samples = kept
                .filter_map(|&(_, round)| samples.get(round).copied())
                .collect();
        }
    }
}

/// A row and some rivals: what their spells have given so far.
pub(crate) struct Contest {
    sides: Vec<Side>,
    effort: Effort,
    /// Whether it goes on where ours is alone.
    alone: bool,
    /// The rounds of a spell, and how many spells count, once they are known.
    spell: usize,
    count: usize,
    /// The rounds that may still be repeated.
    repetitions: usize,
    spells: Vec<Spell>,
}

/// What the turns gave beside the samples of the sides.
#[derive(Debug, PartialEq)]
pub(crate) struct Turns {
    /// The cycles in a nanosecond, round by round.
    pub(crate) clock: Vec<f64>,
    /// The rounds of a spell.
    pub(crate) spell: usize,
    /// Whether times are chance, and means tell them.
    pub(crate) search: bool,
    /// The rounds, of those that count, in which the core had another thread to serve.
    pub(crate) shared: usize,
}

/// Nanoseconds for one item, a sample a round; or why there are none.
pub(crate) type Samples = Result<Vec<f64>, Failure>;

impl Contest {
    /// Sides of which one iteration does this many items each; ours is the first, and may be
    /// `alone`.
    pub(crate) fn new(
        batches: impl IntoIterator<Item = usize>,
        effort: Effort,
        alone: bool,
    ) -> Self {
        let side = |batch| Side {
            batch,
            ..Side::default()
        };
        Contest {
            sides: batches.into_iter().map(side).collect(),
            effort,
            alone,
            spell: 0,
            count: 0,
            repetitions: 0,
            spells: Vec::new(),
        }
    }

    /// Whether it has a spell in the pass of this number, from 0 on, where this is the greatest
    /// width that the core has shown.
    pub(crate) fn is_due(&self, pass: usize, widest: f64) -> bool {
        if self.is_over() {
            return false;
        }
        let passes = self.effort.spells;
        if pass >= passes {
            return self.worst(widest).is_some() && self.repetitions >= self.spell;
        }
        // Fewer spells than passes lie as far apart as they can.
        let before = |pass| pass * self.count / passes;
        pass == 0 || before(pass) > before(pass - 1)
    }

    /// Whether nobody is left to measure.
    fn is_over(&self) -> bool {
        let failed = |side: &Side| side.failure.is_some();
        failed(&self.sides[0]) || !self.alone && self.sides[1..].iter().all(failed)
    }

    /// The spell with the most rounds on a shared core, if they are more than a few.
    fn worst(&self, widest: f64) -> Option<usize> {
        let counts = self.spells.iter().map(|spell| spell.count_shared(widest));
        let (count, worst) = counts.zip(0..).max()?;
        (count > self.spell / 4).then_some(worst)
    }

    /// Why sides take no further part.
    pub(crate) fn failures(&self) -> Vec<Option<Failure>> {
        let failure = |side: &Side| side.failure.clone();
        self.sides.iter().map(failure).collect()
    }

    /// Lets the sides take turns for a spell, with a reading of the core before each round and
    /// after the last. Before the first they are calibrated.
    pub(crate) fn play(
        &mut self,
        mut players: Vec<Player<'_>>,
        widest: &mut f64,
        mut read: impl FnMut() -> Reading,
    ) {
        let first = self.count == 0;
        let effort = self.effort;
        self.each(&mut players, |_, _, _| Ok(()));
        if self.is_over() {
            return;
        }
        self.each(&mut players, |_, side, runner| match first {
            true => side.calibrate(runner, effort),
            false => side.warm_up(runner),
        });
        if first {
            self.plan();
        }
        let mut spell = Spell {
            core: Vec::new(),
            samples: vec![Vec::new(); self.sides.len()],
        };
        let patience = (self.spell / 4).max(1).min(self.repetitions);
        let mut before = read();
        let mut alone = 0;
        let end = self.spell + patience;
        while !self.is_over() && alone < self.spell && spell.core.len() < end {
            self.each(&mut players, |i, side, runner| {
                side.sample(runner).map(|ns| spell.samples[i].push(ns))
            });
            let after = read();
            *widest = widest.max(before.width).max(after.width);
            let core = Reading {
                cycles_per_ns: (before.cycles_per_ns + after.cycles_per_ns) / 2.0,
                width: before.width.min(after.width),
            };
            alone += usize::from(core.is_alone(*widest));
            spell.core.push(core);
            before = after;
        }
        let mut played = spell.core.len();
        spell.keep(self.spell, *widest);
        if self.spells.len() < self.count {
            // Fewer where a side has died.
            played = played.saturating_sub(self.spell);
            self.spells.push(spell);
        } else if let Some(worst) = self.worst(*widest)
            && spell.count_shared(*widest) < self.spells[worst].count_shared(*widest)
        {
            self.spells[worst] = spell;
        }
        self.repetitions = self.repetitions.saturating_sub(played);
    }

    /// Lets all sides that still take part do something.
    fn each(
        &mut self,
        players: &mut [Player<'_>],
        mut work: impl FnMut(usize, &mut Side, &mut dyn Runner) -> Result<(), Failure>,
    ) {
        let sides = self.sides.iter_mut().zip(players).enumerate();
        for (i, (side, player)) in sides.filter(|(_, (side, _))| side.failure.is_none()) {
            let worked = match player {
                Ok(runner) => work(i, side, runner.as_mut()),
                Err(failure) => Err(failure.clone()),
            };
            side.failure = worked.err();
        }
    }

    /// Divides what time there is.
    fn plan(&mut self) {
        let Effort {
            rounds,
            sample,
            spells,
            ..
        } = self.effort;
        let round: Duration = self.sides.iter().map(|side| side.expected).sum();
        let planned = sample * (self.sides.len() * rounds) as u32;
        let affordable = 2.0 * planned.as_secs_f64() / round.as_secs_f64().max(1e-9);
        let rounds = (affordable as usize).clamp(Effort::FEWEST.min(rounds), rounds);
        self.count = spells.clamp(1, rounds);
        self.spell = rounds / self.count;
        self.repetitions = self.count * self.spell;
    }

    /// All that counts, where this is the greatest width that the core has shown; and whether the
    /// sides search.
    pub(crate) fn finish(self, widest: f64, search: bool) -> (Turns, Vec<Samples>) {
        let spells = &self.spells;
        let core = spells.iter().flat_map(|spell| &spell.core);
        let shared = spells.iter().map(|spell| spell.count_shared(widest));
        let turns = Turns {
            clock: core.map(|reading| reading.cycles_per_ns).collect(),
            spell: self.spell,
            search,
            shared: shared.sum(),
        };
        let samples = self.sides.into_iter().enumerate().map(|(i, side)| {
            let samples = spells.iter().flat_map(|spell| &spell.samples[i]).copied();
            side.failure.map_or_else(|| Ok(samples.collect()), Err)
        });
        (turns, samples.collect())
    }
}

impl Turns {
    /// The value that represents these times.
    fn middle(&self, samples: &[f64]) -> f64 {
        let middle = if self.search { mean } else { median };
        significant(middle(samples), 5)
    }

    /// How much longer the times of one side are than those of the other, round by round.
    fn ratio(&self, theirs: &[f64], ours: &[f64]) -> [f64; 3] {
        let estimate = if self.search {
            ratio_of_means(theirs, ours)
        } else {
            let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(o, t)| t / o).collect();
            estimate_of_spells(&ratios, self.spell)
        };
        [estimate.value, estimate.low, estimate.high].map(|x| significant(x, 5))
    }

    /// The cycles of these times, and their interval.
    fn cycles(&self, samples: &[f64]) -> [f64; 3] {
        let cycles = samples.iter().zip(&self.clock).map(|(ns, c)| ns * c);
        let cycles: Vec<f64> = cycles.collect();
        self.ratio(&cycles, &vec![1.0; cycles.len()])
    }
}

/// Our side of a row: our samples, round by round.
pub(crate) fn ours(mut row: Row, samples: &[f64], turns: &Turns) -> Row {
    row.ours_ns = turns.middle(samples);
    row.ours_spread = significant(spread(samples), 3);
    [row.ours_cycles, row.ours_cycles_low, row.ours_cycles_high] = turns.cycles(samples);
    row
}

/// A rival's side of a row: both sides' samples, round by round.
pub(crate) fn against(mut row: Against, ours: &[f64], theirs: &[f64], turns: &Turns) -> Against {
    row.theirs_ns = turns.middle(theirs);
    row.theirs_spread = significant(spread(theirs), 3);
    [
        row.theirs_cycles,
        row.theirs_cycles_low,
        row.theirs_cycles_high,
    ] = turns.cycles(theirs);
    [row.ratio, row.ratio_low, row.ratio_high] = turns.ratio(theirs, ours);
    row
}

#[cfg(test)]
mod tests;
