//! The `adamant` program: one module per subcommand, each with its arguments and `run`.

mod bench;
mod crypt;
mod failure;
mod hash;
mod input;
mod leak;
mod list;
mod pki;
mod speed;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// The pipelines allocate from many threads at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Memory-safe cryptography and PKI: measure it, list it, hash and encrypt files.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Args),
    Speed(speed::Args),
    List(list::Args),
    Hash(hash::Args),
    Enc(crypt::EncArgs),
    Dec(crypt::DecArgs),
    Pki(pki::Args),
    #[command(hide = true)]
    Engine(bench::EngineArgs),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Bench(args) => bench::run(&args),
        Command::Speed(args) => speed::run(&args),
        Command::List(args) => list::run(&args),
        Command::Hash(args) => hash::run(&args),
        Command::Enc(args) => crypt::enc(&args),
        Command::Dec(args) => crypt::dec(&args),
        Command::Pki(args) => pki::run(&args),
        Command::Engine(args) => bench::engine(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
