//! The driver against engines of every character, each in a thread behind two pipes.

use std::io::{BufRead, Write};
use std::process::Command;
use std::time::Duration;

use adamant::hash::Sha256;
use adamant_bench::client::{Client, Failure};
use adamant_bench::driver::{Comparison, Progress, compare, compare_parts};
use adamant_bench::plan::{Planned, plan};
use adamant_bench::rival::Rival;
use adamant_bench::rounds::Effort;
use adamant_engine::serve::{Engine, Single, Task, refuse, serve};
use adamant_ops::{Item, Size, registry, select};

use crate::common::{PATIENCE, piped};

const EFFORT: Effort = Effort {
    rounds: 5,
    sample: Duration::from_millis(1),
    warm_up: Duration::from_millis(1),
    spells: 1,
    cold: false,
};
struct Digest(Vec<u8>, Vec<u8>);

impl Single for Digest {
    fn once(&mut self) -> Result<(), String> {
        self.1 = Sha256::digest(&self.0).to_vec();
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        Ok(Item::from([("digest".into(), self.1.clone())]))
    }
}

struct DigestBatch(Vec<Digest>);

impl Task for DigestBatch {
    fn run(&mut self, iterations: u64) -> Result<(), String> {
        for _ in 0..iterations {
            for digest in &mut self.0 {
                digest.once()?;
            }
        }
        Ok(())
    }
    fn outputs(&mut self) -> Result<Vec<Item>, String> {
        self.run(1)?;
        self.0.iter_mut().map(Single::output).collect()
    }
}

fn honest() -> Engine {
    let mut engine = Engine::new("honest", "1.0", "-O2");
    engine.single("sha256/digest", |_, input| {
        Ok(Digest(input["message"].clone(), Vec::new()))
    });
    engine.batch("sha256/digest_batch", |_: Size, inputs| {
        let digests = inputs.iter();
        let digests = digests.map(|input| Digest(input["message"].clone(), Vec::new()));
        Ok(Box::new(DigestBatch(digests.collect())))
    });
    engine
}

/// The comparison of `sha256/digest` at some lengths with one engine.
pub(crate) fn run(start: impl Fn() -> Result<Client, Failure> + Send + 'static) -> Comparison {
    run_op("sha256/digest", start)
}

/// Asks for an end when this many rows were begun.
struct Patience(usize);

impl Progress for Patience {
    fn row(&mut self, _: usize, _: usize, _: &Planned<'_>) {
        self.0 -= 1;
    }
    fn note(&mut self, _: &str) {}
    fn goes_on(&mut self) -> bool {
        self.0 > 0
    }
}

/// Two passes over three rows, of which this many spells are done.
fn stopped_after(spells: usize) -> Comparison {
    let registry = registry();
    let rows = plan(&registry, &["sha256/digest".into()], true, None, &[4]).unwrap();
    let rival = Rival::new("fake", || edited(|_, reply| Some(reply)));
    let effort = Effort {
        rounds: 6,
        spells: 2,
        ..EFFORT
    };
    let mut patience = Patience(spells);
    compare(&rows, &registry, None, vec![rival], effort, &mut patience)
}

#[test]
fn what_was_measured_before_the_end_is_kept() {
    for (spells, rows, told) in [
        (0, 0, "stopped: rows not begun: 3"),
        (2, 2, "stopped: rows not begun: 1"),
        (
            4,
            3,
            "stopped: the last rows have 1 of 2 spells, and so wider intervals",
        ),
    ] {
        let result = stopped_after(spells);
        assert_eq!((result.rows.len(), rivals(&result)), (rows, rows));
        assert_eq!(troubles(&result), [told]);
        for row in &result.rows {
            let against = row.against.as_ref().unwrap();
            assert!(row.ours_ns > 0.0 && against.theirs_ns > 0.0 && against.ratio > 0.0);
        }
    }
}

/// Hears where parts end, stops after so many rows, and may have no time for a second pass of a part.
struct Parts {
    heard: Vec<(usize, usize)>,
    steps: Vec<(usize, usize)>,
    stop: usize,
    hurries: bool,
}

impl Progress for Parts {
    fn row(&mut self, index: usize, count: usize, _: &Planned<'_>) {
        self.steps.push((index, count));
    }
    fn note(&mut self, _: &str) {}
    fn goes_on(&mut self) -> bool {
        self.steps.len() < self.stop
    }
    fn has_time_for(&mut self, planned: usize, all: usize) -> bool {
        assert!(planned <= all && all == 3);
        !self.hurries
    }
    fn part(&mut self, planned: usize, so_far: &Comparison) {
        self.heard.push((planned, so_far.rows.len()));
    }
}

#[test]
fn parts_are_whole() {
    let registry = registry();
    let rows = plan(&registry, &["sha256/digest".into()], true, None, &[4]).unwrap();
    let effort = Effort {
        spells: 2,
        ..EFFORT
    };
    let run = |stop, hurries| {
        let mut parts = Parts {
            heard: Vec::new(),
            steps: Vec::new(),
            stop,
            hurries,
        };
        let ends = [1, rows.len()];
        let result = compare_parts(&rows, &ends, &registry, None, vec![], effort, &mut parts);
        (result, parts)
    };
    assert_eq!(rows.len(), 3);
    let (result, parts) = run(usize::MAX, false);
    assert_eq!(parts.heard, [(0, 0), (1, 1), (3, 3)]);
    let bytes: Vec<_> = result.rows.iter().map(|row| row.bytes).collect();
    assert_eq!(bytes, [64, 1024, 16384]);
    // Steps are those of the whole, and what is repeated comes on top.
    assert!(parts.steps.iter().all(|(index, count)| index < count));
    assert!(parts.steps.iter().all(|&(_, count)| count >= 6));
    // Stopped in the first part: the others are not begun, and what was measured is kept.
    let (result, parts) = run(1, false);
    assert_eq!(parts.heard, [(0, 0), (1, 1)]);
    assert_eq!(result.rows.len(), 1);
    let told = result
        .notes
        .iter()
        .filter(|note| note.starts_with("stopped"));
    let told: Vec<_> = told.collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[0], "stopped: rows not begun: 2");
    // Without time for a second pass all rows have the first.
    let (result, parts) = run(usize::MAX, true);
    assert_eq!((result.rows.len(), parts.steps.len()), (3, 3));
    let short = result
        .notes
        .iter()
        .filter(|note| note.contains("fewer spells than 2"));
    assert_eq!(short.count(), 1, "{:?}", result.notes);
    let (result, _) = run(0, false);
    assert!(result.rows.is_empty());
    assert!(
        result.notes.contains(&"stopped: rows not begun: 3".into()),
        "{:?}",
        result.notes
    );
}

pub(crate) fn run_op(
    op: &str,
    start: impl Fn() -> Result<Client, Failure> + Send + 'static,
) -> Comparison {
    let registry = registry();
    let rows = plan(&registry, &[op.into()], true, None, &[4]).unwrap();
    compare(
        &rows,
        &registry,
        None,
        vec![Rival::new("fake", start)],
        EFFORT,
        &mut (),
    )
}

/// An honest engine whose replies pass through `edit`, which sees the request and may end it all.
pub(crate) fn edited(
    edit: impl Fn(&str, String) -> Option<String> + Send + Sync + Copy + 'static,
) -> Result<Client, Failure> {
    piped(move |requests, mut replies| {
        let engine = honest();
        let (mut own_requests, mut own_replies) = (String::new(), Vec::new());
        for line in requests.lines() {
            let line = line.unwrap();
            // All that was said so far, so that the engine has everything prepared.
            own_requests += &line;
            own_requests.push('\n');
            own_replies.clear();
            serve(&engine, own_requests.as_bytes(), &mut own_replies).unwrap();
            let text = String::from_utf8(own_replies.clone()).unwrap();
            let reply = text.lines().last().unwrap_or_default().to_owned();
            let Some(reply) = edit(&line, reply) else {
                return;
            };
            if writeln!(replies, "{reply}").is_err() {
                return;
            }
        }
    })
}

pub(crate) fn rivals(result: &Comparison) -> usize {
    let rows = result.rows.iter();
    rows.filter(|row| row.against.is_some()).count()
}

/// The notes but for those on noise, which depend on the machine.
pub(crate) fn troubles(result: &Comparison) -> Vec<&str> {
    let notes = result.notes.iter().map(String::as_str);
    notes.filter(|note| !note.starts_with("noise")).collect()
}

#[test]
fn an_honest_engine_is_compared() {
    let result = run(|| piped(|requests, replies| drop(serve(&honest(), requests, replies))));
    assert_eq!(result.rows.len(), 3);
    assert_eq!(result.engines[0].version, "1.0");
    assert_eq!(troubles(&result), [""; 0]);
    for row in &result.rows {
        let against = row.against.as_ref().unwrap();
        assert_eq!(
            (against.engine.as_str(), against.theirs_batch),
            ("honest", 1)
        );
        assert!(against.ratio_low <= against.ratio && against.ratio <= against.ratio_high);
        assert!(against.ratio > 0.01 && against.ratio < 100.0, "{row:?}");
        assert!(row.ours_ns > 0.0 && row.ours_spread >= 0.0);
    }
}

/// A sample is one call, whatever is asked for, and never as quick as in a loop.
#[test]
fn cold_samples_are_single_calls() {
    let registry = registry();
    let ours = |effort| {
        let rows = plan(&registry, &["sha256/digest".into()], true, None, &[4]).unwrap();
        let result = compare(&rows[..1], &registry, None, vec![], effort, &mut ());
        result.rows[0].ours_ns
    };
    let cold = Effort {
        rounds: 5,
        ..Effort::COLD
    };
    assert!(ours(cold) > ours(EFFORT));
}

#[test]
fn batches_meet_single_calls_and_batches() {
    let result = run_op("sha256/digest_batch", || {
        piped(|requests, replies| drop(serve(&honest(), requests, replies)))
    });
    let batches: Vec<_> = result
        .rows
        .iter()
        .map(|row| (row.batch, row.against.as_ref().unwrap().theirs_batch))
        .collect();
    assert!(!batches.is_empty());
    assert!(batches.chunks(2).all(|pair| pair == [(4, 1), (4, 4)]));
}

#[test]
fn other_operations_stand_alone() {
    let result = run_op("sha384/digest", || {
        piped(|requests, replies| drop(serve(&honest(), requests, replies)))
    });
    assert!(!result.rows.is_empty());
    assert!(result.rows.iter().all(|row| row.against.is_none()));
    assert_eq!(troubles(&result), [""; 0]);
}

#[test]
fn an_engine_that_dies_is_started_again_a_few_times() {
    let result = run(|| {
        edited(|request, reply| {
            let dies = request.contains(r#""run""#) && request.contains(r#""bytes":1024,"#);
            (!dies).then_some(reply)
        })
    });
    assert_eq!((result.rows.len(), rivals(&result)), (3, 2));
    assert_eq!(
        troubles(&result),
        ["sha256/digest 1024 B: honest: it ended"]
    );

    let result = run_op("sha512/digest", || {
        piped(|requests, replies| {
            let mut engine = honest();
            engine.single("sha512/digest", |_, _| -> Result<Digest, String> {
                panic!("an engine in a test that has to die");
            });
            drop(serve(&engine, requests, replies));
        })
    });
    assert_eq!((result.rows.len(), rivals(&result)), (3, 0));
    // One note for all rows.
    let sizes = "sha512/digest 64 B, sha512/digest 1024 B, sha512/digest 16384 B";
    assert_eq!(troubles(&result)[0], format!("{sizes}: honest: it ended"));
}

#[test]
fn a_silent_engine_costs_its_patience() {
    let result = run(|| piped(|requests, _replies| for _ in requests.lines() {}));
    assert_eq!((result.rows.len(), rivals(&result)), (3, 0));
    assert_eq!(troubles(&result).len(), 1);
    assert!(result.notes[0].starts_with("fake is left out: it gave no reply in"));
}

#[test]
fn one_that_falls_silent_leaves_the_others_alone() {
    let registry = registry();
    let rows = plan(&registry, &["sha256/digest".into()], true, None, &[4]).unwrap();
    let silent = Rival::new("silent", || {
        edited(|request, reply| {
            if request.contains(r#""run""#) && request.contains(r#""bytes":1024,"#) {
                std::thread::sleep(2 * PATIENCE);
            }
            Some(reply)
        })
    });
    let honest = Rival::new("honest", || {
        piped(|requests, replies| drop(serve(&honest(), requests, replies)))
    });
    let result = compare(
        &rows,
        &registry,
        None,
        vec![silent, honest],
        EFFORT,
        &mut (),
    );
    // Both say that they are honest, and are told apart.
    let engines: Vec<_> = result.engines.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(engines, ["honest", "honest-2"]);
    let compared: Vec<_> = result
        .rows
        .iter()
        .map(|row| (row.bytes, row.against.as_ref().unwrap().engine.as_str()))
        .collect();
    assert_eq!(
        compared,
        [
            (64, "honest"),
            (64, "honest-2"),
            (1024, "honest-2"),
            (16384, "honest"),
            (16384, "honest-2"),
        ]
    );
    let notes = troubles(&result);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with("sha256/digest 1024 B: honest: it gave no reply in "));
}

#[test]
fn names_are_fit_for_a_terminal() {
    let named = |name: &'static str| {
        run_op("sha384/digest", move || {
            let serves = move |requests, replies| {
                drop(serve(&Engine::new(name, "1\x1b[2J", ""), requests, replies));
            };
            piped(serves)
        })
    };
    let result = named("a\x07b");
    assert_eq!(result.engines[0].name, "ab");
    assert_eq!(result.engines[0].version, "1[2J");
    let result = named("\x07");
    assert_eq!(
        troubles(&result),
        ["fake is left out: it does not tell its name"]
    );
}

#[test]
#[ignore = "minutes: cargo test -p adamant-bench --test suites driver -- --ignored"]
fn ours_has_the_slow_operations_as_well() {
    ours_has(true);
}

/// Every operation of ours that is slow, or is not, is there for the comparison and judged right.
fn ours_has(slow: bool) {
    let engine = adamant_ops::engine("test", None);
    let registry = registry().into_iter();
    for op in registry.filter(|op| select::is_slow(op.name()) == slow) {
        let size = op.sizes(None, &[4])[0];
        let inputs = op.inputs(size);
        let outputs = engine
            .prepare(op.name(), size, &inputs)
            .and_then(|mut task| {
                task.run(2)?;
                task.outputs()
            })
            .and_then(|outputs| op.judge(size, &inputs, &outputs));
        assert_eq!(outputs, Ok(()), "{}", op.name());
    }
}

#[test]
fn ours_is_a_rival_as_well() {
    ours_has(false);
    let result = run(|| {
        piped(|requests, replies| {
            drop(serve(&adamant_ops::engine("test", None), requests, replies))
        })
    });
    assert_eq!((result.rows.len(), rivals(&result)), (3, 3));
    assert!(result.clock.is_some());
    for row in &result.rows {
        let against = row.against.as_ref().unwrap();
        assert!(row.ours_cycles_low <= row.ours_cycles && row.ours_cycles <= row.ours_cycles_high);
        assert!(against.theirs_cycles > 0.0);
    }
}

#[test]
fn garbage_is_told() {
    let result = run(|| edited(|_, _| Some("\x1b[2J<html>".into())));
    assert_eq!((result.rows.len(), rivals(&result)), (3, 0));
    assert_eq!(
        troubles(&result),
        [r#"fake is left out: line 1 of its replies: expected value: "[2J<html>""#]
    );
    // A reply to another question is no better.
    let result = run(|| edited(|_, _| Some(r#"{"reply":"ran","nanoseconds":1}"#.into())));
    assert!(result.notes[0].contains("to another question"));
}

#[test]
fn talkative_engines_do_not_fill_the_memory() {
    let result = run(|| {
        piped(|_, mut replies| {
            let line = "x".repeat(1 << 16) + "\n";
            while replies.write_all(line.as_bytes()).is_ok() {}
        })
    });
    assert_eq!(rivals(&result), 0);
    assert!(result.notes[0].contains("line 1 of its replies: expected value"));
}

#[test]
fn fields_that_nobody_knows_are_told() {
    // The third line answers the check, the fourth the run.
    for (from, to, told) in [
        (
            "\"outputs\":",
            "\"seed\":1,\"outputs\":",
            "3 of its replies: unknown field `seed`",
        ),
        (
            "\"nanoseconds\":",
            "\"cycles\":9,\"nanoseconds\":",
            "4 of its replies: unknown field `cycles`",
        ),
        (
            "\"operations\":",
            "\"count\":2,\"operations\":",
            "2 of its replies: unknown field `count`",
        ),
        (
            "\"build\":",
            "\"cpu\":\"\",\"build\":",
            "1 of its replies: unknown field `cpu`",
        ),
        (
            "\"digest\":",
            "\"more\":5,\"digest\":",
            "3 of its replies: outputs: more: invalid type",
        ),
    ] {
        let result = run(move || edited(move |_, reply| Some(reply.replacen(from, to, 1))));
        assert_eq!(rivals(&result), 0, "{from}");
        assert!(troubles(&result)[0].contains(told), "{:?}", result.notes);
    }
}

#[test]
fn other_versions_are_told() {
    let result =
        run(|| edited(|_, reply| Some(reply.replace(r#""protocol":1"#, r#""protocol":2"#))));
    assert_eq!(
        troubles(&result),
        ["fake is left out: it speaks version 2 of the protocol, not 1"]
    );
}

#[test]
fn an_absent_library_is_told() {
    let result =
        run(|| piped(|requests, replies| drop(refuse("no OpenSSL: not here", requests, replies))));
    assert_eq!(result.rows.len(), 3);
    assert_eq!(
        troubles(&result),
        ["fake is left out: no OpenSSL: not here"]
    );
    assert!(result.rows.iter().all(|row| row.note.is_none()));
}

#[test]
fn impossible_times_are_not_believed() {
    let result = run(|| {
        edited(|request, reply| {
            Some(if request.contains(r#""run""#) {
                r#"{"reply":"ran","nanoseconds":99000000000}"#.into()
            } else {
                reply
            })
        })
    });
    assert_eq!(rivals(&result), 0);
    assert!(troubles(&result)[0].contains("it claims 99s for a run that took"));
}

#[test]
fn programs_that_do_not_start_are_told() {
    let start = || Client::spawn(Command::new("/no/such/engine"), PATIENCE);
    let result = run(start);
    assert!(result.notes[0].starts_with("fake is left out: /no/such/engine does not start"));
}

#[test]
#[cfg(unix)]
fn programs_that_end_are_told_with_their_status() {
    let sh = |script: &'static str| {
        move || {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            Client::spawn(command, PATIENCE)
        }
    };
    let result = run(sh("exit 3"));
    assert_eq!(
        troubles(&result),
        ["fake is left out: it ended (exit status: 3)"]
    );
    let result = run(sh("kill -9 $$"));
    assert!(result.notes[0].contains("signal: 9"));
}
