//! `adamant enc` and `adamant dec`: files under a password or a key, always authenticated.
//!
//! # The format
//!
//! A sealed file is a header and segments. Numbers are big-endian.
//!
//! | at | bytes | holds |
//! |---|---|---|
//! | 0 | 8 | `adamant` and a newline |
//! | 8 | 1 | the version: 1 |
//! | 9 | 1 | the cipher: 1 for AES-256-GCM (NIST SP 800-38D), 2 for ChaCha20-Poly1305 (RFC 8439) |
//! | 10 | 1 | the source of the key: 0 for a key file, 1 for a password |
//! | 11 | 1 | the binary logarithm of the length of a segment: 16 |
//! | 12 | 4 | Argon2id's memory in KiB, at most 2^20; 0 with a key file |
//! | 16 | 4 | its passes, at most 64; 0 with a key file |
//! | 20 | 4 | its lanes, at most 64; 0 with a key file |
//! | 24 | 32 | the salt, new for every file |
//! | 56 | 7 | the prefix of the nonces |
//!
//! The secret is the 32 bytes of a key file, or 32 bytes of Argon2id (RFC 9106, version 0x13) of
//! the password and the salt. The file's key is 32 bytes of HKDF-SHA-256 (RFC 5869) of the secret
//! with the salt and the info `adamant enc 1`.
//!
//! A forged header could ask for 64 passes over 1 GiB. The memory, counted once for each pass, is
//! held to 16 GiB (`dec --max-work`) before anything is derived, and above 1 GiB it is reported.
//!
//! The plaintext is cut into segments of 64 KiB, the last with what is left; it is empty only for
//! an empty file. Each is sealed by STREAM ([`adamant::cipher::stream`]): under the nonce of
//! the prefix, the segment's number in 4 bytes, and a byte which is 1 for the last segment and 0
//! for the others; with the whole header as associated data; and the tag of 16 bytes follows the
//! ciphertext. So nothing in the file can be changed, moved or cut off unnoticed, and what has
//! been opened is authentic before the rest has been read.

mod header;
mod key;
mod segments;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use adamant::SystemRng;

use crate::Failure;
use crate::failure::{about, sentence};
use crate::input::{Input, Progress, fill};
use crate::output::Target;
use crate::password;
use header::{Cipher, Header, MOST_MEMORY, MOST_PASSES, MOST_WORK, MUCH_WORK, Source};
use key::Known;
use segments::Fault;

/// The ending of a sealed file's name, by default.
const ENDING: &str = ".adamant";
/// Argon2id's lanes (RFC 9106, 4, the second recommendation).
const LANES: u32 = 4;

/// Encrypt a file or standard input, authenticated, under a password or a key file.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant enc notes.txt                     asks for a password, writes notes.txt.adamant
  adamant enc --key-file key backup.tar -o /mnt/backup.sealed
  tar c folder | adamant enc --password-file secret > folder.tar.adamant

The password is asked for, unless --password-file names a file with it or the
environment variable ADAMANT_PASSWORD holds it. It is never an argument: those
are visible to everyone.")]
pub(crate) struct EncArgs {
    #[command(flatten)]
    common: Common,

    /// The cipher; by default the faster one on this CPU
    #[arg(long, value_enum)]
    cipher: Option<Cipher>,

    /// MiB of memory that each guess of the password costs
    #[arg(long, value_name = "MIB", default_value_t = 64, conflicts_with = "key_file",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_MEMORY >> 10)))]
    memory: u32,

    /// Passes over that memory
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "key_file",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PASSES)))]
    passes: u32,
}

/// Decrypt what `adamant enc` made. Of a file that was altered, no output file is kept.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant dec notes.txt.adamant             asks for the password, writes notes.txt
  adamant dec --key-file key < backup.sealed | tar t

Only its owner can read the file that it writes (mode 0600).
Standard output gets each segment of 64 KiB as soon as it is known to be
authentic; the output is complete only if the exit code is 0.")]
pub(crate) struct DecArgs {
    #[command(flatten)]
    common: Common,

    /// GiB that the file may make the derivation of the key go through: its memory, once for each
    /// pass
    #[arg(long, value_name = "GIB", default_value_t = MOST_WORK, conflicts_with = "key_file")]
    max_work: u32,
}

#[derive(clap::Args)]
struct Common {
    /// The file; '-', or none at all, is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// The file to write, or '-' for standard output [default: FILE with or without .adamant, or
    /// standard output for standard input]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the output file if it exists
    #[arg(short, long)]
    force: bool,

    /// A file of 32 random bytes, in place of a password
    #[arg(short, long, value_name = "FILE", conflicts_with = "password_file")]
    key_file: Option<PathBuf>,

    /// A file whose first line is the password
    #[arg(short, long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

/// Encrypts.
pub(crate) fn enc(args: &EncArgs) -> Result<(), Failure> {
    let common = &args.common;
    let mut input = Input::open(common.named())?;
    let target = common.target(true, |name| {
        let mut name = name.to_owned();
        name.push(ENDING);
        Some(name)
    })?;
    let source = match common.key_file {
        Some(_) => Source::KeyFile,
        None => Source::Password {
            memory: args.memory << 10,
            passes: args.passes,
            lanes: LANES,
        },
    };
    let cipher = args.cipher.unwrap_or_else(Cipher::quickest);
    if source.afford(MOST_WORK).is_err() {
        let needed = source.work().div_ceil(1 << 30);
        eprintln!("to open this file, dec will need --max-work {needed}");
    }
    let header = Header::new(cipher, source, &mut SystemRng)
        .map_err(|e| Failure::Run(format!("no random numbers: {e}")))?;
    let key = common.known(&header, true)?.file_key(&header)?;
    let mut output = target.open()?;
    let progress = Progress::of(input.total);
    segments::seal(&header, &key, &mut input.data, &mut output, |bytes| {
        progress.add(bytes);
    })
    .map_err(|fault| failure(&input, fault))?;
    output.finish()
}

/// Decrypts.
pub(crate) fn dec(args: &DecArgs) -> Result<(), Failure> {
    let common = &args.common;
    let mut input = Input::open(common.named())?;
    let mut bytes = [0; header::LEN];
    let len = fill(&mut input.data, &mut bytes).map_err(|e| failure(&input, Fault::Input(e)))?;
    let sealed = |sentence: &str| Failure::Run(format!("{}: {sentence}", input.name()));
    if len < bytes.len() {
        return Err(sealed("too short for a file that `adamant enc` made"));
    }
    let header = Header::parse(&bytes).map_err(sealed)?;
    let afford = header.source.afford(args.max_work);
    afford.map_err(|sentence| sealed(&sentence))?;
    if header.source.afford(MUCH_WORK).is_err() {
        eprintln!("{}: the key takes {}", input.name(), header.source);
    }
    let target = common.target(false, |name| {
        let name = name.to_str()?.strip_suffix(ENDING)?;
        (!name.is_empty()).then(|| name.into())
    })?;
    // Whoever may read what is sealed may not read what is in it.
    let mut output = target.secret().open()?;
    let key = common.known(&header, false)?.file_key(&header)?;
    let progress = Progress::of(input.total);
    segments::open(&header, &key, &mut input.data, &mut output, |bytes| {
        progress.add(bytes);
    })
    .map_err(|fault| failure(&input, fault))?;
    output.finish()
}

impl Common {
    /// The input, unless it is standard input.
    fn named(&self) -> Option<&Path> {
        self.file.as_deref().filter(|path| *path != "-")
    }

    /// Where the output goes; `rename` makes its name of the input's where it is not told.
    fn target(
        &self,
        binary: bool,
        rename: impl Fn(&std::ffi::OsStr) -> Option<OsString>,
    ) -> Result<Target, Failure> {
        match (&self.output, self.named()) {
            (Some(path), _) if path == "-" => Target::standard(binary),
            (Some(path), _) => Target::file(path, self.force),
            (None, None) => Target::standard(binary),
            (None, Some(path)) => match path.file_name().and_then(rename) {
                Some(name) => Target::file(&path.with_file_name(name), self.force),
                None => {
                    let sentence = format!(
                        "{}: the name does not end with {ENDING}: give --output",
                        path.display()
                    );
                    Err(Failure::Usage(sentence))
                }
            },
        }
    }

    /// The secret for this header.
    fn known(&self, header: &Header, twice: bool) -> Result<Known, Failure> {
        match (&self.key_file, header.source) {
            (Some(path), _) => Known::read_key(path),
            (None, Source::Password { .. }) => {
                let file = self.password_file.as_deref();
                password::find(file, "Password: ", twice).map(Known::Password)
            }
            (None, Source::KeyFile) => Err(Failure::Run(
                "sealed with a key file: give --key-file".to_owned(),
            )),
        }
    }
}

/// What to say of a fault.
fn failure(input: &Input, fault: Fault) -> Failure {
    let what = match fault {
        // A reader that went away has not had everything: this is no success.
        Fault::Output(e) => return Failure::Run(format!("output: {}", sentence(&e))),
        Fault::Input(e) => return Failure::Run(about(&input.name, &e)),
        Fault::Refused(0) => "wrong password or key, or the file was changed or cut".to_owned(),
        Fault::Refused(opened) => {
            format!("the file was changed or cut after the first {opened} bytes of its data")
        }
        Fault::TooLong => "longer than 2^32 segments of 64 KiB".to_owned(),
    };
    Failure::Run(format!("{}: {what}", input.name()))
}
