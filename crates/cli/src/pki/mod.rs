//! `adamant pki`: the work of a certification authority.

mod bench;

pub(crate) use bench::{measure, table};

use crate::Failure;

/// Run a certification authority.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Bench(bench::Args),
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Bench(args) => bench::run(args),
    }
}
