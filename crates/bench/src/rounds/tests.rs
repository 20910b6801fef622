use std::cell::{Cell, RefCell};

use super::*;
use crate::results::samples;
use crate::stats::{Estimate, estimate_of_spells, split_mix_64};

const EFFORT: Effort = Effort {
    rounds: 4,
    sample: Duration::from_millis(1),
    warm_up: Duration::ZERO,
    spells: 1,
    cold: false,
};

/// A core to itself.
fn quiet() -> Reading {
    Reading {
        cycles_per_ns: 3.0,
        width: 4.0,
    }
}

/// A clock that only its sides move, so that nothing depends on the machine.
fn player<'a>(mut run: impl FnMut(u64) -> Result<Duration, Failure> + 'a) -> Player<'a> {
    Ok(Box::new(move |iterations: u64, _: Duration| {
        run(iterations)
    }))
}

/// One that writes down that it runs.
fn logging<'a>(log: &'a RefCell<String>, name: char, ns: u64) -> Player<'a> {
    player(move |iterations| {
        log.borrow_mut().push(name);
        Ok(Duration::from_nanos(ns * iterations))
    })
}

/// All spells of a contest, one after the other.
fn all<'a>(
    batch: usize,
    effort: Effort,
    players: impl Fn() -> Vec<Player<'a>>,
    mut read: impl FnMut() -> Reading,
) -> (Turns, Vec<Samples>) {
    let mut contest = Contest::new(vec![batch; players().len()], effort, true);
    let mut widest = 4.0;
    for pass in 0..4 * effort.spells {
        if contest.is_due(pass, widest) {
            contest.play(players(), &mut widest, &mut read);
        }
    }
    contest.finish(widest, false)
}

#[test]
fn sides_alternate_and_run_as_long() {
    let log = RefCell::<String>::default();
    let players = || vec![logging(&log, 'A', 1000), logging(&log, 'B', 250)];
    let (_, samples) = all(1, EFFORT, players, quiet);
    assert_eq!(samples, [Ok(vec![1000.0; 4]), Ok(vec![250.0; 4])]);
    // The first two are the calibration.
    assert_eq!(*log.borrow(), "ABABABABAB");
}

#[test]
fn a_side_that_fails_leaves_the_others_alone() {
    let log = RefCell::<String>::default();
    let left = Cell::new(3u32);
    let players = || {
        let failing = player(|iterations| {
            let gone = || Failure::Broken("gone".into());
            left.set(left.get().checked_sub(1).ok_or_else(gone)?);
            Ok(Duration::from_nanos(iterations))
        });
        vec![logging(&log, 'A', 1000), failing]
    };
    let effort = Effort {
        spells: 2,
        ..EFFORT
    };
    let (turns, samples) = all(1, effort, players, quiet);
    assert_eq!((turns.spell, turns.clock.len()), (2, 4));
    let gone = Err(Failure::Broken("gone".into()));
    assert_eq!(samples, [Ok(vec![1000.0; 4]), gone]);
    // Nothing is measured without ours.
    let players = || vec![Err(Failure::Refused("no".into())), logging(&log, 'B', 1)];
    log.borrow_mut().clear();
    let (turns, samples) = all(1, effort, players, quiet);
    assert_eq!(samples[0], Err(Failure::Refused("no".into())));
    assert_eq!((turns.clock.len(), log.borrow().as_str()), (0, ""));
    // Ours goes on without rivals where it should.
    for alone in [true, false] {
        log.borrow_mut().clear();
        let mut contest = Contest::new([1, 1], EFFORT, alone);
        let players = vec![logging(&log, 'A', 1000), Err(Failure::Refused("no".into()))];
        contest.play(players, &mut 4.0, quiet);
        assert_eq!(*log.borrow(), if alone { "AAAAA" } else { "" });
    }
}

#[test]
fn a_spell_ends_where_the_last_rival_does() {
    let left = Cell::new(4u32);
    let players = || {
        let failing = player(|iterations| {
            let gone = || Failure::Broken("gone".into());
            left.set(left.get().checked_sub(1).ok_or_else(gone)?);
            Ok(Duration::from_nanos(iterations))
        });
        vec![player(|n| Ok(Duration::from_nanos(1000 * n))), failing]
    };
    let effort = Effort {
        rounds: 12,
        spells: 2,
        ..EFFORT
    };
    let mut contest = Contest::new([1, 1], effort, false);
    contest.play(players(), &mut 4.0, quiet);
    let rounds = contest.spells[0].core.len();
    assert!(0 < rounds && rounds < contest.spell, "{rounds}");
    assert!(!contest.is_due(1, 4.0), "nothing is left to compare");
}

#[test]
fn slow_operations_get_fewer_rounds() {
    let calls = Cell::new(0);
    let slow = || {
        vec![player(|iterations| {
            calls.set(calls.get() + 1);
            Ok(Duration::from_secs(3600) * iterations as u32)
        })]
    };
    let effort = Effort {
        rounds: 30,
        spells: 10,
        ..EFFORT
    };
    let (turns, samples) = all(64, effort, slow, quiet);
    assert_eq!(turns.spell, 1);
    assert_eq!(samples, [Ok(vec![3600e9 / 64.0; Effort::FEWEST])]);
    assert_eq!(calls.get(), 1 + Effort::FEWEST, "none to be warm");
}

#[test]
fn fewer_spells_lie_apart() {
    let effort = Effort {
        spells: 7,
        ..EFFORT
    };
    let mut contest = Contest::new([1], effort, true);
    assert!(contest.is_due(0, 0.0));
    let due = |contest: &Contest| {
        let passes = (0..20).filter(|&pass| contest.is_due(pass, 4.0));
        passes.collect::<Vec<_>>()
    };
    for (count, passes) in [
        (7, &[0, 1, 2, 3, 4, 5, 6][..]),
        (5, &[0, 2, 3, 5, 6]),
        (1, &[0]),
    ] {
        contest.count = count;
        assert_eq!(due(&contest), passes);
    }
}

#[test]
fn ratios_come_from_rounds() {
    // The machine slows down threefold half-way: the ratio does not.
    let ours = [10.0, 10.0, 30.0, 30.0];
    let theirs = [20.0, 20.0, 60.0, 60.0];
    let turns = Turns {
        clock: vec![3.0, 3.0, 1.0, 1.0],
        spell: 2,
        search: false,
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
fn searches_have_means() {
    // One search in four takes long: the medians would not show it.
    let ours = [1.0, 1.0, 1.0, 5.0];
    let theirs = [10.0, 10.0, 70.0, 10.0];
    let turns = |search| Turns {
        clock: vec![3.0; 4],
        spell: 2,
        search,
        shared: 0,
    };
    let row = |search| against(samples::against(1.0), &ours, &theirs, &turns(search));
    assert_eq!((row(true).ratio, row(true).theirs_ns), (12.5, 25.0));
    assert_eq!((row(false).ratio, row(false).theirs_ns), (10.0, 10.0));
    assert!(row(true).ratio_low < 5.0 && row(true).ratio_high > 20.0);
    let row = super::ours(samples::row("x", 0, None), &ours, &turns(true));
    assert_eq!((row.ours_ns, row.ours_cycles), (2.0, 6.0));
}

#[test]
fn the_clock_is_read_between_rounds() {
    let log = RefCell::<String>::default();
    let mut readings = 0.0;
    let players = || vec![logging(&log, 'A', 1000), logging(&log, 'B', 250)];
    let (turns, _) = all(1, EFFORT, players, || {
        log.borrow_mut().push('c');
        readings += 1.0;
        Reading {
            cycles_per_ns: readings,
            width: 4.0,
        }
    });
    assert_eq!((turns.clock, turns.spell), (vec![1.5, 2.5, 3.5, 4.5], 4));
    assert_eq!(*log.borrow(), "ABcABcABcABcABc");
}

#[test]
fn spells_start_anew() {
    let log = RefCell::<String>::default();
    let effort = Effort {
        spells: 2,
        ..EFFORT
    };
    let players = || {
        log.borrow_mut().push('!');
        vec![logging(&log, 'A', 1000), logging(&log, 'B', 1000)]
    };
    let (turns, samples) = all(1, effort, players, quiet);
    assert_eq!((turns.clock.len(), turns.spell), (4, 2));
    assert_eq!(samples, [Ok(vec![1000.0; 4]), Ok(vec![1000.0; 4])]);
    assert_eq!(*log.borrow(), "!!ABABAB!ABABAB");
}

/// Of a side that takes the longer the later it runs, in two spells of eight rounds: the turns, and
/// the rounds that count. The core is shared at the readings of these numbers.
fn on_shared_core(effort: Effort, shared: impl Fn(usize) -> bool) -> (Turns, Vec<f64>) {
    let rounds = Cell::new(0);
    let players = || {
        vec![player(|iterations| {
            rounds.set(rounds.get() + 1);
            Ok(Duration::from_micros(iterations * 1000 + rounds.get()))
        })]
    };
    let mut reading = 0;
    let (turns, samples) = all(1, effort, players, || {
        reading += 1;
        Reading {
            cycles_per_ns: reading as f64,
            width: if shared(reading - 1) { 2.0 } else { 4.0 },
        }
    });
    let [Ok(samples)] = &samples[..] else {
        unreachable!("one side that does not fail")
    };
    assert_eq!(samples.len(), effort.rounds);
    (turns, samples.clone())
}

#[test]
fn rounds_on_a_shared_core_are_repeated() {
    let effort = Effort {
        rounds: 8,
        ..EFFORT
    };
    // Rounds lie between two readings: the second and the third meet the shared one.
    let (turns, _) = on_shared_core(effort, |reading| reading == 2);
    assert_eq!((turns.spell, turns.shared), (8, 0));
    let clock = [1.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5];
    assert_eq!(turns.clock, clock);
}

#[test]
fn spells_on_a_shared_core_are_repeated_after_the_others() {
    let effort = Effort {
        rounds: 16,
        spells: 2,
        ..EFFORT
    };
    // The first spell has eight rounds and two more; the third comes in its place.
    let (turns, _) = on_shared_core(effort, |reading| reading < 8);
    assert_eq!((turns.spell, turns.shared), (8, 0));
    assert_eq!(turns.clock[..2], [21.5, 22.5]);
    assert_eq!(turns.clock[8..10], [12.5, 13.5]);
}

#[test]
fn a_core_that_stays_shared_is_measured_all_the_same() {
    let effort = Effort {
        rounds: 16,
        spells: 2,
        ..EFFORT
    };
    let (turns, _) = on_shared_core(effort, |reading| reading > 4);
    assert_eq!((turns.spell, turns.shared), (8, 12));
    assert_eq!(turns.clock[..4], [1.5, 2.5, 3.5, 4.5]);
}

/// A machine whose neighbour makes the second side slower or faster for a while.
struct Machine {
    seconds: Cell<f64>,
    state: Cell<u64>,
    /// What the neighbour does, second by second.
    neighbour: Vec<f64>,
}

const ROWS: usize = 30;

/// Spells of six rounds, which last for about a second.
const SIMULATED: Effort = Effort {
    rounds: 66,
    sample: Duration::from_millis(80),
    warm_up: Duration::ZERO,
    spells: 11,
    cold: false,
};

impl Machine {
    fn new(seed: u64) -> Self {
        let machine = Machine {
            seconds: Cell::new(0.0),
            state: Cell::new(seed),
            neighbour: Vec::new(),
        };
        // It does the same for some ten seconds: as long as a row takes, and less than a pass.
        let mut does = machine.normal();
        let neighbour = (0..1000).map(|_| {
            does = 0.9 * does + (1f64 - 0.9 * 0.9).sqrt() * machine.normal();
            does
        });
        let neighbour = neighbour.collect();
        Machine {
            neighbour,
            ..machine
        }
    }

    fn normal(&self) -> f64 {
        let mut state = self.state.get();
        let sum: f64 = (0..12)
            .map(|_| split_mix_64(&mut state) as f64 / 2f64.powi(64) - 0.5)
            .sum();
        self.state.set(state);
        sum
    }

    /// A runner that takes so long in the median; what the neighbour does counts as often as said.
    fn runner(&self, ns: f64, weight: f64) -> Player<'_> {
        let place = 1.0 + 0.005 * self.normal();
        player(move |iterations| {
            let second = self.seconds.get() as usize % self.neighbour.len();
            let factor = place * (0.05 * weight * self.neighbour[second]).exp();
            let ns = ns * factor * (1.0 + 0.01 * self.normal()) * iterations as f64;
            self.seconds.set(self.seconds.get() + ns / 1e9);
            Ok(Duration::from_nanos(ns as u64))
        })
    }

    /// The ratios of a run, in passes or row by row; each is 1.25 in the median.
    fn run(&self, in_passes: bool) -> Vec<Estimate> {
        let mut contests: Vec<_> = (0..ROWS)
            .map(|_| Contest::new([1, 1], SIMULATED, true))
            .collect();
        let steps = 0..ROWS * SIMULATED.spells;
        for step in steps {
            let (pass, row) = match in_passes {
                true => (step / ROWS, step % ROWS),
                false => (step % SIMULATED.spells, step / SIMULATED.spells),
            };
            assert!(contests[row].is_due(pass, 4.0));
            let players = vec![self.runner(1e5, 0.0), self.runner(1.25e5, 1.0)];
            contests[row].play(players, &mut 4.0, quiet);
        }
        let ratio = |contest: Contest| {
            let (turns, samples) = contest.finish(4.0, false);
            let [Ok(ours), Ok(theirs)] = &samples[..] else {
                unreachable!("two sides that do not fail")
            };
            let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(o, t)| t / o).collect();
            estimate_of_spells(&ratios, turns.spell)
        };
        contests.into_iter().map(ratio).collect()
    }
}

/// The noise of a shared machine, which is the same for a while: spells apart let the interval
/// cover the truth, and so another run agrees.
#[test]
fn spells_apart_cover_what_lasts() {
    const RUNS: u64 = 12;
    let covered = |in_passes| {
        let runs: Vec<_> = (0..RUNS)
            .map(|seed| Machine::new(100 + seed).run(in_passes))
            .collect();
        let covers = |e: &&Estimate| e.low <= 1.25 && 1.25 <= e.high;
        let covered = runs.iter().flatten().filter(covers).count();
        let within = |a: &Estimate, b: &Estimate| {
            let alike = (a.value / b.value).ln().abs() <= 0.03;
            let inside = |a: &Estimate, b: &Estimate| b.low <= a.value && a.value <= b.high;
            alike || inside(a, b) && inside(b, a)
        };
        let pairs = runs
            .chunks_exact(2)
            .flat_map(|two| two[0].iter().zip(&two[1]));
        let agree = pairs.filter(|(a, b)| within(a, b)).count();
        let all = ROWS as f64 * RUNS as f64;
        let shares = [covered as f64 / all, agree as f64 / (all / 2.0)];
        println!("in passes {in_passes}: {shares:?}");
        shares
    };
    let [covered_apart, agree_apart] = covered(true);
    assert!(covered_apart > 0.91, "{covered_apart}");
    assert!(agree_apart > 0.9, "{agree_apart}");
    let [covered_together, agree_together] = covered(false);
    assert!(covered_together < 0.75, "{covered_together}");
    assert!(agree_together < agree_apart, "{agree_together}");
}
