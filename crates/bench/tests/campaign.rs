//! Campaigns against rows, batches and engines with faults, and against honest ones.

use std::time::Duration;

use adamant_bench::campaign::{Campaign, Found, campaign};
use adamant_bench::rival::Rival;
use adamant_engine::op::whole;
use adamant_engine::serve::{Engine, serve};
use adamant_ops::{Implementation, Item, Length, Operation, Prepared, Size, registry};

use crate::common::piped;

/// What an engine does wrong.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Calls every signature valid.
    Accepts,
    /// Calls every signature invalid.
    Rejects,
    /// Opens what has a wrong tag.
    Opens,
    /// Derives keys of zeros where none can be derived.
    Derives,
    /// Changes digests of long messages.
    Digest,
    /// Gives no outputs.
    Silent,
    /// Ends when it is asked.
    Ends,
}

impl Fault {
    fn apply(
        self,
        inputs: &[Item],
        outputs: Result<Vec<Item>, String>,
    ) -> Result<Vec<Item>, String> {
        let valid = |byte| {
            let set = |mut item: Item| {
                item.entry("valid".into()).and_modify(|v| *v = vec![byte]);
                item
            };
            Ok(outputs.clone()?.into_iter().map(set).collect())
        };
        match self {
            Fault::None => outputs,
            Fault::Accepts => valid(1),
            Fault::Rejects => valid(0),
            Fault::Opens => outputs.or_else(|_| {
                let message = inputs[0].get("ciphertext").cloned().ok_or("none")?;
                Ok(vec![Item::from([("message".into(), message)])])
            }),
            Fault::Derives => match outputs {
                Ok(outputs) if !outputs[0].is_empty() => Ok(outputs),
                _ => Ok(vec![Item::from([("okm".into(), vec![0; 32])])]),
            },
            Fault::Digest => {
                let mut outputs = outputs?;
                if inputs[0].get("message").is_some_and(|m| m.len() > 40) {
                    outputs[0].entry("digest".into()).and_modify(|d| d[0] ^= 1);
                }
                Ok(outputs)
            }
            Fault::Silent => Ok(Vec::new()),
            Fault::Ends => panic!("an engine in a test that has to end"),
        }
    }
}

/// Our own operations of these names, with a fault.
fn engine(name: &str, fault: Fault) -> Engine {
    let mut engine = Engine::new(name, "1", "");
    for op in registry() {
        let known = [
            "ed25519/",
            "x25519/",
            "aes-128-gcm/",
            "aes-128-xts/",
            "sha256/",
            "ml-kem-512/",
            "hmac-sha256/",
            "argon2d/",
        ];
        if !known.iter().any(|start| op.name().starts_with(start)) {
            continue;
        }
        let name = op.name().to_owned();
        engine.batch(&name, move |size, inputs| {
            let made = op
                .prepare(size, inputs, None)
                .map(|mut ready| ready.outputs());
            let outputs = fault.apply(inputs, made)?;
            Ok(whole((), |()| Ok(()), move |()| outputs.clone()))
        });
    }
    engine
}

/// The engines a, b and so on, with these faults.
fn rivals(faults: &[Fault]) -> Vec<Rival> {
    let named = faults.iter().zip(["a", "b", "c", "d"]);
    let rivals = named.map(|(&fault, name)| {
        Rival::new(name, move || {
            piped(move |requests, replies| drop(serve(&engine(name, fault), requests, replies)))
        })
    });
    rivals.collect()
}

/// A campaign of so many cheap cases through these operations.
fn through(
    registry: &[Box<dyn Operation>],
    patterns: &[&str],
    rivals: &(dyn Fn() -> Vec<Rival> + Sync),
    cases: u64,
    threads: usize,
) -> Found {
    let patterns: Vec<_> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
    let plan = Campaign {
        patterns: &patterns,
        cases,
        seed: 7,
        limit: None,
        threads,
    };
    campaign(&plan, registry, rivals, &|_| {})
}

fn go_through(patterns: &[&str], faults: &[Fault]) -> Found {
    through(&registry(), patterns, &|| rivals(faults), 300, 1)
}

/// An operation of ours, some of whose outputs a row or a batch gets wrong.
struct Faulty {
    op: Box<dyn Operation>,
    row: Option<&'static str>,
    wrong: fn(&[Item], &mut [Item]),
}

struct Spoilt {
    ready: Box<dyn Prepared>,
    inputs: Vec<Item>,
    wrong: fn(&[Item], &mut [Item]),
}

impl Prepared for Spoilt {
    fn run(&mut self, iterations: u64) {
        self.ready.run(iterations);
    }
    fn outputs(&mut self) -> Vec<Item> {
        let mut outputs = self.ready.outputs();
        (self.wrong)(&self.inputs, &mut outputs);
        outputs
    }
    fn backend(&self) -> &'static str {
        self.ready.backend()
    }
}

impl Operation for Faulty {
    fn name(&self) -> &str {
        self.op.name()
    }
    fn length(&self) -> Length {
        self.op.length()
    }
    fn default_bytes(&self) -> &'static [usize] {
        self.op.default_bytes()
    }
    fn is_batch(&self) -> bool {
        self.op.is_batch()
    }
    fn implementations(&self) -> Vec<&'static Implementation> {
        self.op.implementations()
    }
    fn inputs(&self, size: Size) -> Vec<Item> {
        self.op.inputs(size)
    }
    fn draw(&self, bytes: usize, name: &str, ones: Option<f64>) -> Item {
        self.op.draw(bytes, name, ones)
    }
    fn draw_judged(&self, bytes: usize, name: &str, ones: Option<f64>) -> Item {
        self.op.draw_judged(bytes, name, ones)
    }
    fn prepare(
        &self,
        size: Size,
        inputs: &[Item],
        backend: Option<&str>,
    ) -> Result<Box<dyn Prepared>, String> {
        let ready = self.op.prepare(size, inputs, backend)?;
        if self.row.is_some() && self.row != backend {
            return Ok(ready);
        }
        Ok(Box::new(Spoilt {
            ready,
            inputs: inputs.to_vec(),
            wrong: self.wrong,
        }))
    }
    fn judge(&self, size: Size, inputs: &[Item], outputs: &[Item]) -> Result<(), String> {
        self.op.judge(size, inputs, outputs)
    }
}

/// The registry, in which this operation has a fault.
fn spoilt(
    name: &str,
    row: Option<&'static str>,
    wrong: fn(&[Item], &mut [Item]),
) -> Vec<Box<dyn Operation>> {
    let all = registry().into_iter().map(|op| match op.name() == name {
        true => Box::new(Faulty { op, row, wrong }) as Box<dyn Operation>,
        false => op,
    });
    all.collect()
}

#[test]
fn honest_engines_agree_in_both_directions() {
    let patterns = [
        "ed25519/*",
        "x25519/*",
        "aes-128-gcm/*",
        "hmac-sha256/*",
        "ml-kem-512/*",
    ];
    let found = go_through(&patterns, &[Fault::None]);
    assert_eq!(found.findings, [""; 0]);
    for row in &found.rows {
        assert!(row.cases > 0 && row.wrong == 0, "{row:?}");
        assert!(row.engines.outputs >= row.cases && row.ours > 0, "{row:?}");
    }
    let [engine] = &found.engines[..] else {
        panic!("{found:?}")
    };
    assert_eq!((&engine.name[..], &engine.version[..]), ("a", "1"));
    assert_eq!(engine.operations, found.rows.len());
    assert!(found.table().contains("all "), "{}", found.table());
}

/// Lengths that a mode refuses, and a question to which no is the right answer.
#[test]
fn refusals_in_their_place_are_no_finding() {
    let found = go_through(&["aes-128-xts/*", "x509/validate-*"], &[]);
    assert_eq!(found.findings, [""; 0]);
    assert!(found.rows.iter().all(|row| row.cases > 0), "{found:?}");
}

/// What is refused is a case too: an engine that takes it is counted.
#[test]
fn lengths_that_ours_refuses_are_put_before_engines() {
    let decrypt = ("aes-128-xts/decrypt", Fault::Opens, 300);
    // Short salts are refused when it is run, not when it is made ready.
    let derive = ("argon2d/derive", Fault::Derives, 3000);
    for ((op, fault, cases), is_stricter) in [decrypt, derive]
        .into_iter()
        .flat_map(|of| [(of, true), (of, false)])
    {
        let fault = if is_stricter { fault } else { Fault::None };
        let found = through(&registry(), &[op], &|| rivals(&[fault]), cases, 1);
        assert_eq!(found.findings, [""; 0]);
        assert_eq!(found.rows[0].engines.stricter > 0, is_stricter, "{found:?}");
    }
}

#[test]
fn a_panic_at_lengths_that_might_be_refused_is_found() {
    let registry = spoilt("aes-128-cbc/encrypt", None, |inputs, _| {
        assert!(inputs[0]["message"].len() >= 16, "a panic of a test");
    });
    let found = through(&registry, &["aes-128-cbc/encrypt"], &Vec::new, 300, 1);
    assert!(found.rows[0].wrong > 0, "{found:?}");
    assert!(found.findings[0].contains("ours panicked"), "{found:?}");
}

#[test]
fn a_row_that_is_wrong_at_one_length_is_found_and_made_small() {
    let all = registry();
    let op = all.iter().find(|op| op.name() == "sha512/digest").unwrap();
    let rows = op.implementations();
    let row = rows.iter().rfind(|row| row.is_available()).unwrap().name;
    let registry = spoilt("sha512/digest", Some(row), |inputs, outputs| {
        if (100..216).contains(&inputs[0]["message"].len()) {
            outputs[0].get_mut("digest").unwrap()[63] ^= 1;
        }
    });
    let found = through(&registry, &["sha512/digest"], &Vec::new, 3000, 1);
    assert!(found.rows[0].wrong > 0, "{found:?}");
    let message = "00".repeat(100);
    for finding in &found.findings {
        let who = format!("our {row} is wrong");
        assert!(finding.contains(&who), "{finding}");
        assert!(
            finding.contains(&format!("message = {message}")),
            "{finding}"
        );
    }
}

#[test]
fn a_batch_that_overlooks_an_item_is_found_and_made_small() {
    let registry = spoilt("ed25519/verify_batch", None, |_, outputs| {
        for output in outputs.iter_mut().skip(8) {
            output.insert("valid".into(), vec![1]);
        }
    });
    let found = through(&registry, &["ed25519/verify_batch"], &Vec::new, 10_000, 1);
    assert!(found.rows[0].wrong > 0, "{found:?}");
    assert!(found.findings[0].contains("batch of 9"), "{found:?}");
    assert!(found.findings[0].contains("one by one, ours"), "{found:?}");
}

#[test]
fn engines_that_are_wrong_are_found_and_their_inputs_made_small() {
    let found = go_through(&["sha256/digest*"], &[Fault::None, Fault::Digest]);
    let [single, batch] = &found.rows[..] else {
        panic!("{found:?}")
    };
    assert_eq!((single.cases, batch.cases), (150, 150));
    assert!(0 < single.wrong && single.wrong < 150, "{found:?}");
    let finding = &found.findings[0];
    assert!(finding.contains("b is wrong"), "{finding}");
    let least = format!("message = {}\n", "00".repeat(41));
    assert!(finding.ends_with(&least), "{finding}");
}

#[test]
fn forgeries_and_honest_signatures_are_put_before_engines() {
    for (fault, op, how) in [
        (
            Fault::Accepts,
            "ed25519/verify",
            "a is wrong: item 0: valid",
        ),
        (
            Fault::Rejects,
            "ed25519/verify",
            "a is wrong: item 0: valid",
        ),
        (Fault::Opens, "aes-128-gcm/open", "a opens a forgery"),
    ] {
        let found = go_through(&[op], &[fault]);
        let wrong = found.rows[0].wrong;
        assert!(0 < wrong && wrong < found.rows[0].cases, "{found:?}");
        let finding = &found.findings[0];
        assert!(finding.contains(how), "{finding}");
        let is_changed = finding.contains("bits changed");
        assert_eq!(is_changed, fault != Fault::Rejects, "{finding}");
    }
}

#[test]
fn engines_without_answers_are_told_of() {
    let found = go_through(&["sha256/digest"], &[Fault::Silent]);
    assert!(
        found.findings[0].contains("a it gave 0 items for 1"),
        "{found:?}"
    );
    let found = go_through(&["sha256/digest"], &[Fault::Ends]);
    // It is started four times.
    assert_eq!(found.rows[0].wrong, 4, "{found:?}");
    assert!(
        found.findings[0].contains("a has ended too often"),
        "{found:?}"
    );
    assert!(found.findings[1].contains("a gives no answer"), "{found:?}");
}

#[test]
fn engines_that_are_not_there_are_no_finding() {
    let absent = || vec![Rival::absent("gone", "it is not built")];
    let found = through(&registry(), &["md5/digest"], &absent, 300, 2);
    assert_eq!(found.findings, [""; 0]);
    assert_eq!(found.absent, ["gone is left out: it is not built"]);
    assert!(found.engines.is_empty() && found.rows[0].cases == 300);
}

#[test]
fn findings_do_not_depend_on_the_number_of_threads() {
    let patterns = ["sha256/*", "ed25519/verify*", "x25519/derive*"];
    let engines = || rivals(&[Fault::Digest, Fault::Accepts]);
    let one = through(&registry(), &patterns, &engines, 300, 1);
    assert!(!one.findings.is_empty());
    for threads in [2, 5] {
        let found = through(&registry(), &patterns, &engines, 300, threads);
        assert_eq!(found.rows, one.rows);
        assert_eq!(found.findings, one.findings);
    }
}

#[test]
fn nothing_is_left_without_a_case_that_there_is_time_for() {
    let plan = Campaign {
        patterns: &["sha512/*".into(), "aes-128-ctr/*".into()],
        cases: 1 << 40,
        seed: 1,
        limit: Some(Duration::from_secs(2)),
        threads: 2,
    };
    let found = campaign(&plan, &registry(), &Vec::new, &|_| {});
    assert_eq!(found.left, 0);
    assert_eq!(found.short, found.rows.len());
    assert!(found.table().contains("0 operations had not begun"));
}
