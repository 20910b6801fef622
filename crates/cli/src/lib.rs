//! The `adamant` program: one module per subcommand, each with its arguments and `run`.
//!
//! A library, so that its code is compiled beside that of what it calls: a program waits for all of it.

mod bench;
mod crypt;
mod failure;
mod hash;
mod input;
mod keys;
mod leak;
mod list;
mod output;
mod password;
mod pki;
mod signal;
mod speed;
mod text;
mod tls;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Memory-safe cryptography and PKI: measure it, list it, hash and encrypt files.
#[derive(Parser)]
#[command(name = "adamant", version, max_term_width = 100)]
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
    Genkey(keys::GenkeyArgs),
    Pkey(keys::PkeyArgs),
    Sign(keys::SignArgs),
    Verify(keys::VerifyArgs),
    Encrypt(keys::EncryptArgs),
    Decrypt(keys::DecryptArgs),
    Derive(keys::DeriveArgs),
    Encapsulate(keys::EncapsulateArgs),
    Decapsulate(keys::DecapsulateArgs),
    Hpke(keys::HpkeArgs),
    Pki(pki::Args),
    Tls(tls::Args),
    #[command(hide = true)]
    Engine(bench::EngineArgs),
}

impl Command {
    /// Whether keys of somebody come into its memory: then no core dump shall have them.
    fn holds_keys(&self) -> bool {
        !matches!(
            self,
            Command::Bench(_)
                | Command::Speed(_)
                | Command::List(_)
                | Command::Hash(_)
                | Command::Engine(_)
        )
    }
}

/// The program.
#[must_use]
pub fn main() -> ExitCode {
    let command = Cli::parse().command;
    signal::listen();
    if command.holds_keys() {
        // Where the system will not have it, the work goes on.
        let _ = adamant::base::process::forbid_core_dumps();
    }
    let result = match command {
        Command::Bench(args) => bench::run(&args),
        Command::Speed(args) => speed::run(&args),
        Command::List(args) => list::run(&args),
        Command::Hash(args) => hash::run(&args),
        Command::Enc(args) => crypt::enc(&args),
        Command::Dec(args) => crypt::dec(&args),
        Command::Genkey(args) => keys::genkey(&args),
        Command::Pkey(args) => keys::pkey(&args),
        Command::Sign(args) => keys::sign(&args),
        Command::Verify(args) => keys::verify(&args),
        Command::Encrypt(args) => keys::encrypt(&args),
        Command::Decrypt(args) => keys::decrypt(&args),
        Command::Derive(args) => keys::derive(&args),
        Command::Encapsulate(args) => keys::encapsulate(&args),
        Command::Decapsulate(args) => keys::decapsulate(&args),
        Command::Hpke(args) => keys::hpke(&args),
        Command::Pki(args) => pki::run(&args),
        Command::Tls(args) => tls::run(&args),
        Command::Engine(args) => bench::engine(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
