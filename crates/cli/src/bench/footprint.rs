//! `adamant bench --footprint`: what builds take.

use adamant_bench::footprint::{Error, weights};
use adamant_bench::machine::Machine;
use adamant_bench::report;

use super::{Args, print};
use crate::Failure;

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
        let sentence = format!("--footprint without --suite measures only builds: no {other}");
        return Err(Failure::Usage(sentence));
    }
    let weights = weights::weigh(&args.patterns, &mut |what| eprintln!("{what}"));
    let weights = weights.map_err(|error| match error {
        Error::NoMatch(_) => Failure::Usage(error.to_string()),
        _ => Failure::Run(error.to_string()),
    })?;
    let machine = Machine::here();
    print(&format!(
        "{}, {}, {}\n\n{}",
        machine.cpu,
        machine.os,
        machine.date,
        report::weights(&weights)
    ))?;
    Ok(())
}
