//! The instructions that engines execute in an emulator, in place of the time on a machine that is
//! not here: a table in Markdown, a row for each operation, with the quotient of the least of the
//! others and ours.
//!
//! ```sh
//! cargo run --release -p adamant-bench --example instructions -- \
//!     EMULATOR WORDS [FEW+MORE] OURS NAME=ENGINE… -- OPERATION[:BYTES]…
//! ```
//!
//! EMULATOR is a command with its arguments, which runs a program and says the number of its
//! instructions, or of the cycles that a model gives them, at the end of a line with WORDS; OURS and
//! ENGINE are programs that speak the protocol. Each does an operation FEW times (4) and MORE times
//! more (20): what starting and preparing take is not in the difference. Where the number of tries is
//! chance, as it is where ML-DSA signs, it is the mean of several messages. Generators of random numbers
//! are filled every so many calls: what asks them is done fifty times as often.
//! `verify/arm64.sh` runs it.

use std::process::{Command, ExitCode};

use adamant_bench::emulate::counted;
use adamant_engine::protocol::Job;
use adamant_ops::{Operation, Size, registry};

/// How the programs run: the emulator and its words; the calls of the first program, in which tables
/// are made and generators filled, and those of the second beyond them.
struct Plan<'a> {
    emulator: &'a str,
    words: &'a str,
    few: u64,
    more: u64,
}

/// Messages where tries are chance.
const MESSAGES: usize = 100;

/// How many more calls there are of what asks a generator of random numbers.
const RANDOM: u64 = 50;

/// Whether any library does; ours signs without.
fn is_random(name: &str) -> bool {
    ["/keygen", "/encapsulate"]
        .iter()
        .any(|end| name.ends_with(end))
        || name.starts_with("ecdsa") && name.ends_with("/sign")
}

struct Engine {
    name: String,
    program: String,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((plan, engines, operations)) = read(&arguments) else {
        eprintln!("EMULATOR WORDS [FEW+MORE] OURS NAME=ENGINE… -- OPERATION[:BYTES]…");
        return ExitCode::from(2);
    };
    let names: Vec<&str> = engines.iter().map(|engine| &*engine.name).collect();
    println!(
        "| operation | bytes | {} | least of the others / ours |",
        names.join(" | ")
    );
    println!("|---|---:|{}---:|", "---:|".repeat(engines.len()));
    let registry = registry();
    for name in operations {
        let (name, bytes) = match name.split_once(':') {
            Some((name, bytes)) => (name, Some(bytes)),
            None => (&**name, None),
        };
        let op = registry.iter().find(|op| op.name() == name);
        let bytes = match (op, bytes) {
            (Some(op), None) => Some(op.default_bytes()[0]),
            (Some(_), Some(bytes)) => bytes.parse().ok(),
            (None, _) => None,
        };
        let (Some(op), Some(bytes)) = (op, bytes) else {
            eprintln!("{name}: no such operation");
            return ExitCode::from(2);
        };
        let size = Size { bytes, batch: 1 };
        let counts: Vec<Option<f64>> = engines
            .iter()
            .map(|engine| match count(&plan, engine, &**op, size) {
                Ok(count) => Some(count),
                Err(why) => {
                    eprintln!("{}: {name}: {why}", engine.name);
                    None
                }
            })
            .collect();
        let others = counts[1..].iter().flatten().copied().reduce(f64::min);
        let quotient = others
            .zip(counts[0])
            .map(|(others, ours)| format!("{:.2}", others / ours));
        let cell = |count: &Option<f64>| count.map_or("–".into(), |count| format!("{count:.0}"));
        let cells: Vec<String> = counts.iter().map(cell).collect();
        let quotient = quotient.unwrap_or("–".into());
        println!("| {name} | {bytes} | {} | {quotient} |", cells.join(" | "));
    }
    ExitCode::SUCCESS
}

/// How the programs run, the engines, ours first, and the operations.
fn read(arguments: &[String]) -> Option<(Plan<'_>, Vec<Engine>, &[String])> {
    let split = arguments.iter().position(|argument| argument == "--")?;
    let (before, operations) = (&arguments[..split], &arguments[split + 1..]);
    let [emulator, words, programs @ ..] = before else {
        return None;
    };
    let calls = |text: &String| {
        let (few, more) = text.split_once('+')?;
        Some((
            few.parse().ok()?,
            more.parse().ok().filter(|more| *more > 0)?,
        ))
    };
    let ((few, more), programs) = match programs.first().and_then(calls) {
        Some(calls) => (calls, &programs[1..]),
        None => ((4, 20), programs),
    };
    let [ours, others @ ..] = programs else {
        return None;
    };
    let plan = Plan {
        emulator,
        words,
        few,
        more,
    };
    let mut engines = vec![Engine {
        name: "adamant".into(),
        program: ours.clone(),
    }];
    for other in others {
        let (name, program) = other.split_once('=')?;
        engines.push(Engine {
            name: name.into(),
            program: program.into(),
        });
    }
    Some((plan, engines, operations))
}

/// The instructions, or cycles, of one call.
fn count(plan: &Plan<'_>, engine: &Engine, op: &dyn Operation, size: Size) -> Result<f64, String> {
    let inputs = if op.name().starts_with("ml-dsa") && op.name().ends_with("/sign") {
        (0..MESSAGES)
            .map(|i| vec![op.draw(size.bytes, &i.to_string(), None)])
            .collect()
    } else {
        vec![op.inputs(size)]
    };
    let times = if is_random(op.name()) { RANDOM } else { 1 };
    let (few, more) = (times * plan.few, times * plan.more);
    let mut sum = 0.0;
    for inputs in &inputs {
        let run = |iterations| {
            let mut parts = plan.emulator.split_whitespace();
            let mut command = Command::new(parts.next().unwrap_or_default());
            command.args(parts).arg(&engine.program);
            let job = Job::new(op.name(), size, Some(inputs));
            counted(command, job, iterations, plan.words)
        };
        let (first, all) = (run(few)?, run(few + more)?);
        sum += all.saturating_sub(first) as f64 / more as f64;
    }
    match sum / inputs.len() as f64 {
        0.0 => Err("does nothing of the kind".into()),
        count => Ok(count),
    }
}
