//! `adamant hash`: digests of files, written and checked as the checksum programs of GNU
//! coreutils do.

pub(crate) mod algorithm;
mod check;
mod files;
mod line;

use std::ffi::OsString;
use std::io::{self, Write};

use algorithm::Chosen;
use files::{Job, digest_all};
use line::Style;

use crate::Failure;
use crate::failure::about;

/// Print or check the digests of files.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant hash sha256 *.iso > SHA256SUMS
  adamant hash sha256 --check SHA256SUMS
  tar c folder | adamant hash blake3
  adamant hash shake128 --length 16 --tag notes.txt

`adamant list` names every hash.")]
pub(crate) struct Args {
    /// A hash by its name in `adamant list`, such as sha256
    #[arg(value_name = "ALG")]
    algorithm: String,

    /// Files; '-', or none at all, is standard input
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,

    /// Read digests from the files and check them
    #[arg(short, long)]
    check: bool,

    /// Bytes of the digest, for functions with output of any length (SHAKE, BLAKE3, …)
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    length: Option<u32>,

    /// The customization string of cSHAKE
    #[arg(long, value_name = "TEXT")]
    customization: Option<String>,

    /// Lines in BSD's form: SHA256 (NAME) = DIGEST
    #[arg(long, conflicts_with = "check")]
    tag: bool,

    /// Mark names as read in binary mode
    #[arg(short, long, conflicts_with_all = ["check", "tag"])]
    binary: bool,

    /// End lines with a zero byte instead of a newline, and escape no names
    #[arg(short, long, conflicts_with = "check")]
    zero: bool,

    /// No line for a file that has its digest
    #[arg(long, requires = "check")]
    quiet: bool,

    /// Print nothing: the exit code tells
    #[arg(long, requires = "check")]
    status: bool,

    /// Pass over files that do not exist
    #[arg(long, requires = "check")]
    ignore_missing: bool,

    /// Fail on improperly formatted lines too
    #[arg(long, requires = "check")]
    strict: bool,

    /// Say which lines are improperly formatted
    #[arg(short, long, requires = "check")]
    warn: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let length = args.length.map(|length| length as usize);
    let chosen = Chosen::new(&args.algorithm, length, args.customization.as_deref())
        .map_err(Failure::Usage)?;
    let standard_input = [OsString::from("-")];
    let files = if args.files.is_empty() {
        &standard_input
    } else {
        args.files.as_slice()
    };
    let mut out = io::stdout().lock();
    let good = if args.check {
        check::run(args, &chosen, files, &mut out)?
    } else {
        print(args, &chosen, files, &mut out)?
    };
    if good { Ok(()) } else { Err(Failure::Told) }
}

/// Prints a line for each file; whether all could be read.
fn print(
    args: &Args,
    chosen: &Chosen,
    files: &[OsString],
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let style = Style {
        tag: args.tag.then_some(chosen.algorithm.tag),
        binary: args.binary,
        zero: args.zero,
    };
    let job = |name: &OsString| Job {
        name: name.clone(),
        length: chosen.length(),
    };
    let jobs: Vec<_> = files.iter().map(job).collect();
    let mut good = true;
    digest_all(chosen, &jobs, |job, digest| {
        match digest {
            Ok(digest) => {
                let name = job.name.as_encoded_bytes();
                out.write_all(&line::written(style, name, &digest))?;
                out.flush()?;
            }
            Err(e) => {
                complain(&about(&job.name, &e));
                good = false;
            }
        }
        Ok(())
    })?;
    Ok(good)
}

/// Says what is wrong and goes on.
fn complain(sentence: &str) {
    eprintln!("error: {sentence}");
}
