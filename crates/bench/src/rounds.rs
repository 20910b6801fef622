//! Paired rounds: ours and the rivals' take turns, A B C A B C …, each for about as long.
//!
//! A clock that drifts or a neighbour that wakes up then falls on all sides of a round alike, and
//! the ratio within the round survives it. Between rounds the core's clock is read by a
//! [reference loop](crate::clock), which makes cycles of the nanoseconds of each round.
//!
//! Where a program's code, stack and data come to lie in memory is chosen when it starts, and
//! makes a difference of several percent to short operations. So the rounds of a row are divided
//! into spells, and before each all sides are made anew: another process, other places.
//!
//! A round during which the core had another thread to serve is repeated, as long as that at most
//! doubles the time of the row.

use std::time::{Duration, Instant};

use crate::client::Failure;
use crate::clock::Reading;
use crate::results::{Against, Row};
use crate::stats::{estimate_of_spells, median, significant, spread};

/// How much time to give to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Rounds.
    pub rounds: usize,
    /// How long each side runs in a round.
    pub sample: Duration,
    /// How long each side runs before the first round.
    pub warm_up: Duration,
    /// How often the sides are made anew.
    pub spells: usize,
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
        spells: 7,
    };

    /// Three to four seconds for a row and a rival.
    pub const NORMAL: Effort = Effort {
        rounds: 297,
        spells: 11,
        ..Effort::QUICK
    };

    /// Ten seconds or so for a row and a rival.
    pub const THOROUGH: Effort = Effort {
        rounds: 1000,
        spells: 25,
        warm_up: Duration::from_millis(200),
        ..Effort::QUICK
    };

    /// The fewest rounds, of operations that take long each.
    const FEWEST: usize = 5;
}

/// What can be measured.
pub(crate) trait Runner {
    /// Runs so many iterations, which should take about the given time, and says how long it
    /// took.
    fn run(&mut self, iterations: u64, expected: Duration) -> Result<Duration, Failure>;

    /// Starts anew, elsewhere in memory.
    fn renew(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

impl<F: FnMut(u64, Duration) -> Result<Duration, Failure>> Runner for F {
    fn run(&mut self, iterations: u64, expected: Duration) -> Result<Duration, Failure> {
        self(iterations, expected)
    }
}

/// One of those that take turns.
pub(crate) struct Side<'a> {
    runner: Box<dyn Runner + 'a>,
    batch: usize,
    iterations: u64,
    expected: Duration,
    /// Nanoseconds for one item, a sample a round.
    pub(crate) samples: Vec<f64>,
    /// Why it takes no further part.
    pub(crate) failure: Option<Failure>,
}

impl<'a> Side<'a> {
    /// A side of which one iteration does `batch` items.
    pub(crate) fn new(batch: usize, runner: impl Runner + 'a) -> Self {
        Side {
            runner: Box::new(runner),
            batch,
            iterations: 1,
            expected: Duration::ZERO,
            samples: Vec::new(),
            failure: None,
        }
    }

    /// Warms up, and finds how many iterations take about a sample's time.
    fn calibrate(&mut self, effort: Effort) {
        let start = Instant::now();
        let mut iterations = 1;
        let mut elapsed = Duration::ZERO;
        loop {
            match self.runner.run(iterations, 2 * elapsed) {
                Ok(taken) => elapsed = taken,
                Err(failure) => {
                    self.failure = Some(failure);
                    return;
                }
            }
            // The second condition ends the growth of runs that take no time at all.
            if start.elapsed() >= effort.warm_up || iterations > u64::MAX / 4 {
                break;
            }
            if elapsed * 4 < effort.warm_up {
                iterations *= 2;
            }
        }
        let one = elapsed.as_secs_f64().max(1e-9) / iterations as f64;
        self.iterations = ((effort.sample.as_secs_f64() / one).round() as u64).max(1);
        self.expected = Duration::from_secs_f64(one * self.iterations as f64);
    }

    /// Starts anew and runs once, to be as warm as before.
    fn renew(&mut self) {
        if self.failure.is_none() {
            let run = |runner: &mut dyn Runner| {
                runner.renew()?;
                runner.run(self.iterations, self.expected)
            };
            self.failure = run(self.runner.as_mut()).err();
        }
    }

    fn sample(&mut self) {
        if self.failure.is_some() {
            return;
        }
        match self.runner.run(self.iterations, self.expected) {
            Ok(taken) => {
                let items = self.iterations as f64 * self.batch as f64;
                // The clock's own resolution bounds what can be told.
                let ns = (taken.as_secs_f64() * 1e9 / items).max(1e-3);
                self.samples.push(ns);
            }
            Err(failure) => self.failure = Some(failure),
        }
    }
}

/// What the turns give beside the samples of the sides.
#[derive(Debug, PartialEq)]
pub(crate) struct Turns {
    /// The cycles in a nanosecond, round by round.
    pub(crate) clock: Vec<f64>,
    /// The rounds of a spell.
    pub(crate) spell: usize,
    /// The rounds, of those that count, in which the core had another thread to serve.
    pub(crate) shared: usize,
}

/// Calibrates all sides and lets them take turns, with a reading of the core before each round
/// and after the last; `widest` is the greatest width it has shown so far.
pub(crate) fn take_turns(
    sides: &mut [Side<'_>],
    effort: Effort,
    widest: &mut f64,
    mut read: impl FnMut() -> Reading,
) -> Turns {
    for side in &mut *sides {
        side.calibrate(effort);
    }
    let round: Duration = sides.iter().map(|side| side.expected).sum();
    let planned = effort.sample * (sides.len() * effort.rounds) as u32;
    let affordable = 2.0 * planned.as_secs_f64() / round.as_secs_f64().max(1e-9);
    let rounds = (affordable as usize).clamp(Effort::FEWEST.min(effort.rounds), effort.rounds);
    // Operations that take long have few rounds, and places make no difference to them.
    let spells = if rounds < effort.rounds {
        1
    } else {
        effort.spells
    };
    let spell = rounds.div_ceil(spells);
    let mut repetitions = spells * spell;
    let mut turns = Turns {
        clock: Vec::with_capacity(spells * spell),
        spell,
        shared: 0,
    };
    for number in 0..spells {
        if number > 0 {
            sides.iter_mut().for_each(Side::renew);
        }
        let before = number * spell;
        let mut readings = vec![read()];
        let mut alone = Vec::new();
        loop {
            sides.iter_mut().for_each(Side::sample);
            readings.push(read());
            let [.., first, last] = readings[..] else {
                unreachable!("a reading before the first round and one after each")
            };
            *widest = widest.max(first.width).max(last.width);
            alone.push(first.is_alone(*widest) && last.is_alone(*widest));
            if alone.iter().filter(|&&alone| alone).count() == spell {
                break;
            }
            if alone.len() >= spell {
                if repetitions == 0 {
                    break;
                }
                repetitions -= 1;
            }
        }
        let kept = choose(&alone, spell);
        turns.shared += kept.iter().filter(|&&round| !alone[round]).count();
        let mean = |&round: &usize| {
            let cycles = |reading: Reading| reading.cycles_per_ns;
            (cycles(readings[round]) + cycles(readings[round + 1])) / 2.0
        };
        turns.clock.extend(kept.iter().map(mean));
        for side in sides.iter_mut().filter(|side| side.failure.is_none()) {
            let samples = side.samples.split_off(before);
            side.samples
                .extend(kept.iter().map(|&round| samples[round]));
        }
    }
    turns
}

/// The rounds that count: so many, those of a core to itself before others, in order.
fn choose(alone: &[bool], count: usize) -> Vec<usize> {
    let mut rounds: Vec<usize> = (0..alone.len()).collect();
    rounds.sort_by_key(|&round| !alone[round]);
    rounds.truncate(count);
    rounds.sort_unstable();
    rounds
}

/// Our side of a row: our samples, round by round.
pub(crate) fn ours(mut row: Row, samples: &[f64], turns: &Turns) -> Row {
    row.ours_ns = significant(median(samples), 5);
    row.ours_spread = significant(spread(samples), 3);
    [row.ours_cycles, row.ours_cycles_low, row.ours_cycles_high] = cycles(samples, turns);
    row
}

/// A rival's side of a row: both sides' samples, round by round.
pub(crate) fn against(mut row: Against, ours: &[f64], theirs: &[f64], turns: &Turns) -> Against {
    let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(o, t)| t / o).collect();
    let ratio = estimate_of_spells(&ratios, turns.spell);
    row.theirs_ns = significant(median(theirs), 5);
    row.theirs_spread = significant(spread(theirs), 3);
    [
        row.theirs_cycles,
        row.theirs_cycles_low,
        row.theirs_cycles_high,
    ] = cycles(theirs, turns);
    row.ratio = significant(ratio.median, 5);
    row.ratio_low = significant(ratio.low, 5);
    row.ratio_high = significant(ratio.high, 5);
    row
}

/// The median of the cycles, and its interval.
fn cycles(samples: &[f64], turns: &Turns) -> [f64; 3] {
    let cycles = samples.iter().zip(&turns.clock).map(|(ns, c)| ns * c);
    let cycles: Vec<f64> = cycles.collect();
    let estimate = estimate_of_spells(&cycles, turns.spell);
    [estimate.median, estimate.low, estimate.high].map(|x| significant(x, 5))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::results::samples;

    const EFFORT: Effort = Effort {
        rounds: 4,
        sample: Duration::from_millis(1),
        warm_up: Duration::from_micros(100),
        spells: 1,
    };

    /// A core to itself.
    fn quiet() -> Reading {
        Reading {
            cycles_per_ns: 3.0,
            width: 4.0,
        }
    }

    /// A clock that only its sides move, so that nothing depends on the machine.
    fn side<'a>(log: &'a RefCell<String>, name: char, ns: u64) -> Side<'a> {
        Side::new(1, move |iterations: u64, _: Duration| {
            log.borrow_mut().push(name);
            std::thread::sleep(Duration::from_micros(120));
            Ok(Duration::from_nanos(ns * iterations))
        })
    }

    #[test]
    fn sides_alternate_and_run_as_long() {
        let log = RefCell::default();
        let mut sides = [side(&log, 'A', 1000), side(&log, 'B', 250)];
        take_turns(&mut sides, EFFORT, &mut 0.0, quiet);
        assert_eq!((sides[0].iterations, sides[1].iterations), (1000, 4000));
        assert_eq!(sides[0].samples, [1000.0; 4]);
        assert_eq!(sides[1].samples, [250.0; 4]);
        drop(sides);
        assert!(log.borrow().ends_with("ABABABAB"));
    }

    #[test]
    fn a_side_that_fails_leaves_the_others_alone() {
        let log = RefCell::default();
        let mut left = 3;
        let failing = Side::new(1, move |iterations: u64, _: Duration| {
            if left == 0 {
                return Err(Failure::Broken("gone".into()));
            }
            left -= 1;
            std::thread::sleep(Duration::from_micros(120));
            Ok(Duration::from_nanos(iterations))
        });
        let mut sides = [side(&log, 'A', 1000), failing];
        take_turns(&mut sides, EFFORT, &mut 0.0, quiet);
        assert_eq!(sides[0].samples.len(), 4);
        assert_eq!(sides[1].failure, Some(Failure::Broken("gone".into())));
        assert_eq!(sides[1].samples.len(), 2);
    }

    #[test]
    fn slow_operations_get_fewer_rounds() {
        let mut calls = 0;
        let slow = Side::new(64, |iterations: u64, _: Duration| {
            calls += 1;
            std::thread::sleep(Duration::from_micros(120));
            Ok(Duration::from_secs(3600) * iterations as u32)
        });
        let mut sides = [slow];
        let effort = Effort {
            rounds: 30,
            ..EFFORT
        };
        take_turns(&mut sides, effort, &mut 0.0, quiet);
        assert_eq!(sides[0].samples.len(), Effort::FEWEST);
        assert_eq!(sides[0].samples[0], 3600e9 / 64.0);
    }

    #[test]
    fn ratios_come_from_rounds() {
        // The machine slows down threefold half-way: the ratio does not.
        let ours = [10.0, 10.0, 30.0, 30.0];
        let theirs = [20.0, 20.0, 60.0, 60.0];
        let turns = Turns {
            clock: vec![3.0, 3.0, 1.0, 1.0],
            spell: 2,
            shared: 0,
        };
        let row = against(samples::against(1.0), &ours, &theirs, &turns);
        assert_eq!((row.ratio, row.ratio_low, row.ratio_high), (2.0, 2.0, 2.0));
        // Nor do the cycles.
        let cycles = (
            row.theirs_cycles,
            row.theirs_cycles_low,
            row.theirs_cycles_high,
        );
        assert_eq!(cycles, (60.0, 60.0, 60.0));
        let row = super::ours(samples::row("x", 0, None), &ours, &turns);
        assert_eq!((row.ours_cycles, row.ours_cycles_low), (30.0, 30.0));
    }

    #[test]
    fn the_clock_is_read_between_rounds() {
        let log = RefCell::default();
        let mut sides = [side(&log, 'A', 1000), side(&log, 'B', 250)];
        let mut readings = 0.0;
        let turns = take_turns(&mut sides, EFFORT, &mut 0.0, || {
            log.borrow_mut().push('c');
            readings += 1.0;
            Reading {
                cycles_per_ns: readings,
                width: 4.0,
            }
        });
        assert_eq!((turns.clock, turns.spell), (vec![1.5, 2.5, 3.5, 4.5], 4));
        drop(sides);
        assert!(log.borrow().ends_with("cABcABcABcABc"));
    }

    /// Writes down that it runs, and that it starts anew.
    struct Logging<'a>(&'a RefCell<String>, char);

    impl Runner for Logging<'_> {
        fn run(&mut self, iterations: u64, _: Duration) -> Result<Duration, Failure> {
            self.0.borrow_mut().push(self.1);
            std::thread::sleep(Duration::from_micros(120));
            Ok(Duration::from_micros(iterations))
        }

        fn renew(&mut self) -> Result<(), Failure> {
            self.0.borrow_mut().push('!');
            Ok(())
        }
    }

    #[test]
    fn spells_start_anew() {
        let log = RefCell::default();
        let runners = [Logging(&log, 'A'), Logging(&log, 'B')];
        let mut sides = runners.map(|runner| Side::new(1, runner));
        let effort = Effort {
            spells: 2,
            ..EFFORT
        };
        let turns = take_turns(&mut sides, effort, &mut 0.0, quiet);
        assert_eq!((turns.clock.len(), turns.spell), (4, 2));
        assert_eq!(sides[1].samples.len(), 4);
        drop(sides);
        assert!(log.borrow().ends_with("ABAB!A!BABAB"));
    }

    /// The core is shared at these readings, and from the last one on as then.
    fn turns_with(widths: &[f64]) -> (Turns, Vec<f64>) {
        let mut rounds = 0;
        let side = Side::new(1, |iterations: u64, _: Duration| {
            std::thread::sleep(Duration::from_micros(120));
            rounds += 1;
            Ok(Duration::from_micros(iterations * 100 + rounds))
        });
        let mut sides = [side];
        let mut reading = 0;
        let turns = take_turns(&mut sides, EFFORT, &mut 4.0, || {
            let width = widths[reading.min(widths.len() - 1)];
            reading += 1;
            Reading {
                cycles_per_ns: reading as f64,
                width,
            }
        });
        let [side] = sides;
        (turns, side.samples)
    }

    #[test]
    fn rounds_on_a_shared_core_are_repeated() {
        // Rounds lie between two readings: the second and the third meet the shared one.
        let (turns, samples) = turns_with(&[4.0, 4.0, 2.0, 4.0]);
        assert_eq!((turns.spell, turns.shared, samples.len()), (4, 0, 4));
        assert_eq!(turns.clock, [1.5, 4.5, 5.5, 6.5]);
    }

    #[test]
    fn a_core_that_stays_shared_is_measured_all_the_same() {
        let (turns, samples) = turns_with(&[4.0, 4.0, 2.0]);
        assert_eq!((turns.spell, turns.shared, samples.len()), (4, 3, 4));
        assert_eq!(turns.clock, [1.5, 2.5, 3.5, 4.5]);
    }
}
