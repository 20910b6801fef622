//! `adamant genkey`, `pkey`, `sign`, `verify`, `encrypt`, `decrypt`, `derive`, `encapsulate`,
//! `decapsulate` and `hpke`: keys in files, and what they are for.
//!
//! | file | holds |
//! |---|---|
//! | `kinds` | every kind of keys and its uses: one row each |
//! | `roles` | what keys do besides signing: the traits |
//! | `file` | key files, read in whatever form they have |
//! | `store` | key files, written |
//! | `genkey`, `pkey` | new keys; keys shown and put in other forms |
//! | `hashes` | the hashes of signatures and encryption |
//! | `sign`, `schemes` | signatures: the commands, and each family's way |
//! | `encrypt`, `derive`, `kem`, `hpke` | the other commands |
//!
//! A secret is never an argument, and no message repeats one. Secrets are written to files
//! that only the owner can read (mode 0600), and no file appears before all of it has been written.
//! Operations that need all of a message in memory have a limit, which is checked before it is
//! read.

mod derive;
mod encrypt;
mod file;
mod genkey;
mod hashes;
mod hpke;
mod kem;
mod kinds;
mod pkey;
mod roles;
mod schemes;
mod sign;
mod store;

use std::path::{Path, PathBuf};

use adamant::x509::{PrivateKey, SecretBytes};

use crate::Failure;
use crate::input::Input;
use crate::output::Target;
use crate::text::Coding;

pub(crate) use derive::{Args as DeriveArgs, run as derive};
pub(crate) use encrypt::{DecryptArgs, EncryptArgs, decrypt, encrypt};
pub(crate) use file::{Passphrase, is_key, private as private_key, public as public_key};
pub(crate) use genkey::{Args as GenkeyArgs, generate, run as genkey};
pub(crate) use hpke::{Args as HpkeArgs, run as hpke};
pub(crate) use kem::{DecapsulateArgs, EncapsulateArgs, decapsulate, encapsulate};
pub(crate) use kinds::find as find_kind;
pub(crate) use pkey::{Args as PkeyArgs, lint_key, run as pkey, show_key};
pub(crate) use sign::{SignArgs, VerifyArgs, sign, verify};
pub(crate) use store::{Encryption, Form, new_password, pkcs8_pem};

/// The longest message that is signed or sealed in one piece of memory: 64 MiB. There are ways for
/// longer ones.
const MADE_IN_MEMORY: usize = 64 << 20;

/// The longest one that is verified or opened so, because others may have made it: 1 GiB.
const READ_IN_MEMORY: usize = 1 << 30;

/// A private key, and what it is used on.
#[derive(clap::Args)]
struct PrivateUse {
    /// The private key: PEM or DER
    #[arg(short, long, value_name = "FILE")]
    key: PathBuf,

    /// The input; '-', or none at all, is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    passphrase: Passphrase,
}

impl PrivateUse {
    fn input(&self) -> Result<Input, Failure> {
        Input::open(self.file.as_deref())
    }

    fn key(&self) -> Result<PrivateKey, Failure> {
        file::private(&self.key, &self.passphrase)
    }
}

/// Where a result goes.
#[derive(clap::Args)]
pub(crate) struct OutputFile {
    /// The file to write; '-', or none at all, is standard output
    #[arg(short, long, visible_alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(short, long)]
    force: bool,
}

impl OutputFile {
    /// Whether there is a file to write.
    pub(crate) fn is_file(&self) -> bool {
        self.output.as_ref().is_some_and(|path| path != "-")
    }

    /// The file, or the folder, to write to.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Not a terminal if the result is `binary`.
    pub(crate) fn target(&self, binary: bool) -> Result<Target, Failure> {
        Target::named(self.output.as_deref(), self.force, binary)
    }
}

/// Where a result goes, and how.
#[derive(clap::Args)]
struct OutputArgs {
    #[command(flatten)]
    file: OutputFile,

    /// How it is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Coding,
}

impl OutputArgs {
    fn target(&self) -> Result<Target, Failure> {
        self.file.target(self.format.is_binary())
    }

    fn write(&self, target: Target, data: &[u8]) -> Result<(), Failure> {
        target.write(&self.format.encode(data))
    }
}

/// All of an input that is written in some way.
fn decoded(input: Input, format: Coding, most: usize) -> Result<SecretBytes, Failure> {
    let name = input.name();
    let text = input.whole(most)?;
    let decoded = format.decode(&text);
    decoded.map_err(|why| Failure::Run(format!("{name}: {why}")))
}
