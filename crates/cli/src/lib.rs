//! The `adamant` program: one module per subcommand, each with its arguments and `run`.
//!
//! It is a library, so that it is compiled in parallel with the crates that it calls: a program
//! would wait for all of them.

#[cfg(feature = "bench")]
mod bench;
mod crypt;
mod failure;
mod hash;
mod input;
mod keys;
mod list;
mod output;
mod password;
mod pki;
mod signal;
mod text;
mod tls;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Memory-safe cryptography and PKI: files, keys, certificates, TLS, and how fast it is.
#[derive(Parser)]
#[command(name = "adamant", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[cfg(feature = "bench")]
    Bench(bench::Args),
    #[cfg(feature = "bench")]
    Speed(bench::speed::Args),
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
    #[cfg(feature = "bench")]
    #[command(hide = true)]
    Engine(bench::EngineArgs),
}

impl Command {
    /// Whether somebody's keys come into its memory: then no core dump may have them.
    fn holds_keys(&self) -> bool {
        match self {
            #[cfg(feature = "bench")]
            Command::Bench(_) | Command::Speed(_) | Command::Engine(_) => false,
            Command::List(_) | Command::Hash(_) => false,
            _ => true,
        }
    }
}

/// Reads a command line, whose first word is the program's name, and does nothing of it.
///
/// # Errors
/// What the program says of it: help, its version, or what is wrong.
pub fn understand<I>(words: I) -> Result<(), String>
where
    I: IntoIterator<Item: Into<OsString> + Clone>,
{
    let read = Cli::try_parse_from(words);
    read.map(drop).map_err(|answer| answer.to_string())
}

/// The program.
#[must_use]
pub fn main() -> ExitCode {
    let command = Cli::parse().command;
    signal::listen();
    if command.holds_keys() {
        // Where the system will not have it, the work goes on.
        let _ = adamant::memory::forbid_core_dumps();
    }
    let result = match command {
        #[cfg(feature = "bench")]
        Command::Bench(args) => bench::run(&args),
        #[cfg(feature = "bench")]
        Command::Speed(args) => bench::speed::run(&args),
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
        #[cfg(feature = "bench")]
        Command::Engine(args) => bench::engine(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
