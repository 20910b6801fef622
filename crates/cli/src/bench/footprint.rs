//! `adamant bench --footprint`: what builds take.

use adamant_bench::footprint::{Error, measure, weights};
use adamant_bench::machine::Machine;
use adamant_bench::report;
use adamant_bench::results::Footprint;
use adamant_bench::suites::Suite;

use super::{Args, Printer};
use crate::Failure;

/// What builds take for the tables of suites, where it is asked for.
pub(super) fn of_suites(args: &Args, chosen: &[&Suite], notes: &mut Vec<String>) -> Vec<Footprint> {
    if !args.footprint {
        return Vec::new();
    }
    match measure(chosen, &mut |name| eprintln!("building {name}")) {
        Ok((found, failures)) => {
            notes.extend(failures);
            found
        }
        Err(error) => {
            notes.push(format!("no footprint is measured: {error}"));
            Vec::new()
        }
    }
}

/// Prints what builds take, and measures nothing else.
pub(super) fn weigh(args: &Args) -> Result<(), Failure> {
    let others = [
        ("--engine", !args.engines.is_empty()),
        ("--cross-check", args.cross_check),
        ("--quick", args.quick),
        ("--seconds", args.seconds.is_some()),
        ("--thorough", args.thorough),
        ("--cold", args.cold),
        ("--bytes", args.bytes.is_some()),
        ("--json", args.json.is_some()),
        ("--baseline", args.baseline.is_some()),
        ("--markdown", args.markdown.is_some()),
    ];
    if let Some((other, _)) = others.iter().find(|(_, given)| *given) {
        let sentence = format!("--footprint without --suite measures builds alone: no {other}");
        return Err(Failure::Usage(sentence));
    }
    let weights = weights::weigh(&args.patterns, &mut |what| eprintln!("{what}"));
    let weights = weights.map_err(|error| match error {
        Error::NoMatch(_) => Failure::Usage(error.to_string()),
        _ => Failure::Run(error.to_string()),
    })?;
    let machine = Machine::here();
    let mut out = Printer { result: Ok(()) };
    out.print(&format!(
        "{}, {}, {}\n\n",
        machine.cpu, machine.os, machine.date
    ));
    out.print(&report::weights(&weights));
    Ok(out.result?)
}
