//! `adamant tls`: TLS tried out, on rustls with the cryptography of adamant.

pub(crate) mod choice;
mod connect;
mod files;
pub(crate) mod serve;
mod session;

use crate::Failure;
#[cfg(feature = "bench")]
use crate::bench::tls as bench;

/// Try TLS out and measure it.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Serve(serve::Args),
    Connect(connect::Args),
    #[cfg(feature = "bench")]
    Bench(bench::Args),
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Serve(args) => serve::run(args),
        Command::Connect(args) => connect::run(args),
        #[cfg(feature = "bench")]
        Command::Bench(args) => bench::run(args),
    }
}

/// A failure of rustls.
fn failed(error: rustls::Error) -> Failure {
    Failure::Run(error.to_string())
}
