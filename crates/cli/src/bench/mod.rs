//! `adamant bench`: the operations beside those of other libraries, the pipeline, and a page that
//! shows both; what changed since an earlier run.

mod footprint;
mod leak;
pub(crate) mod pki;
mod progress;
mod row;
pub(crate) mod speed;
pub(crate) mod tls;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use adamant_bench::baseline;
use adamant_bench::campaign::{Campaign, campaign};
use adamant_bench::cross_check::cross_check;
use adamant_bench::engines::{self, ALL, NSS_SYSTEM, OPENSSL_SYSTEM, SELF};
use adamant_bench::file;
use adamant_bench::report;
use adamant_bench::results::Report;
use adamant_bench::rival::Rival;
use adamant_bench::run::{self, Depth, Plan, Progress};
use adamant_bench::suites::choose::{self, State};
use adamant_bench::suites::{self, Suite};
#[cfg(unix)]
use adamant_engine::nss;
use adamant_engine::serve::Engine;
use adamant_engine::{openssl, serve};
use adamant_ops::{pin, registry};
use adamant_pipeline::rivals::libcryptos;
use indicatif::ProgressBar;

use crate::Failure;
use crate::input::Input;
use progress::Listener;

/// Measure operations beside those of other libraries, and the pipeline.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant bench --quick
  adamant bench 'aes-*-gcm/*' --bytes 1350,65536
  adamant bench 'ed25519/*' 'x25519/*' --engine openssl-system --engine dalek --engine dalek-native
  adamant bench --engine all --thorough --json run.json --html run.html
  adamant bench --engine all --baseline run.json
  adamant bench --cold --quick --engine openssl-4 --engine aws-lc-rs
  adamant bench --cross-check 'sm4-*' 'ecdsa-*'
  adamant bench --cross-check --cases 1000000 --seconds 600
  adamant bench --suite kctsb --markdown kctsb.md
  adamant bench --suite x509 ecdsa-p256 'rsa-*' 64
  adamant bench --suite kctsb 'aes-*' 1024 openssl
  adamant bench --suite curve25519 --footprint
  adamant bench --footprint 'sha256/*' '*/ring'
  adamant bench --list-absent
  ADAMANT_LIBCRYPTO=/opt/openssl/lib/libcrypto.so.3 adamant bench --quick
  ADAMANT_LIBCRYPTO=libcrypto.so.3:/opt/libcrypto.so.4 adamant bench --suite x509

Engines: openssl-system (the libcrypto that the system finds, or that ADAMANT_LIBCRYPTO names: the \
first of several, which are separated as in PATH, and on each of which the pipeline runs), \
nss-system (the NSS that the system finds, or the one in the folder that ADAMANT_NSS names), self (our own operations, which shows 1.00), the folders under engines/ once they are built, each \
also as NAME-native where it was built for this CPU, any program with a slash in its name, and \
all: every one available except self. ADAMANT_ENGINES names a folder to look in first.")]
pub(crate) struct Args {
    /// Operations: exact names or globs such as 'ecdsa-*'; without any, every one and the pipeline. With
    /// --suite, what of its tables: operations and algorithms of its pipeline, sizes of messages or
    /// batches, titles of columns or of groups of them; a row fits one of each kind that is given
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,

    /// Compare with this engine; repeat for more [default: openssl-system]
    #[arg(long = "engine", value_name = "NAME|PATH")]
    engines: Vec<String>,

    /// Let the engines (by default all) check each other's outputs, and time nothing
    #[arg(long, conflicts_with_all = ["quick", "thorough", "json", "baseline", "html", "batch",
                                      "bytes"])]
    cross_check: bool,

    /// With --cross-check: this many cases of random and edge inputs, forged ones among them, for
    /// every implementation of ours and the engines; a hundredth as many for slow operations
    #[arg(long, value_name = "N", requires = "cross_check",
          value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,

    /// The seed of the inputs of --cases: the same number gives the same inputs
    #[arg(long, value_name = "S", requires = "cases", default_value_t = 1)]
    seed: u64,

    /// Only the best-known operations, in 60 seconds
    #[arg(long, conflicts_with = "thorough")]
    quick: bool,

    /// Seconds for the whole run: each row gets its share, and rows left at the end are left out
    #[arg(long, value_name = "S", conflicts_with = "thorough",
          value_parser = clap::value_parser!(u32).range(5..=86_400))]
    seconds: Option<u32>,

    /// More time for each operation
    #[arg(long)]
    thorough: bool,

    /// Time single calls with cold caches: each comes after a walk through 64 MiB of memory and of
    /// code. With --quick, the best-known operations, without its time limit
    #[arg(long, conflicts_with_all = ["thorough", "cross_check", "suites"])]
    cold: bool,

    /// Only what the tables of this document ask for, in its order and units; repeat for more
    #[arg(long = "suite", value_name = "NAME", conflicts_with = "cross_check",
          value_parser = suites::NAMES)]
    suites: Vec<String>,

    /// Count instructions, under Valgrind, for the columns of --suite whose machines are not here:
    /// takes minutes
    #[arg(long, requires = "suites")]
    emulate: bool,

    /// Build small programs and print what they take: CPU seconds, code and stack of each family
    /// beside other libraries, where PATTERN means PROGRAM/LIBRARY; with --suite what its tables
    /// on memory, size and ways to build ask for. Takes minutes, cargo and the source tree
    #[arg(long)]
    footprint: bool,

    /// List what of the documents (of those of --suite) is emulated, modelled, quoted, or in other
    /// builds; fail if something is missing, or quoted though it could be measured
    #[arg(long, conflicts_with_all = ["patterns", "engines", "cross_check", "quick", "thorough",
                                      "cold", "seconds", "emulate", "footprint", "json",
                                      "baseline", "html", "markdown", "batch", "bytes"])]
    list_absent: bool,

    /// Items at once, for operations that end in _batch
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "64",
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    batch: Vec<u32>,

    /// Bytes of message or output, for operations that have one; by default what suits each
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with = "suites",
          value_parser = clap::value_parser!(u32).range(0..=1 << 26))]
    bytes: Option<Vec<u32>>,

    /// Keep the run as JSON lines
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Show what became faster or slower since the run kept in this file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Where to write the page
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    html: PathBuf,

    /// Write the report as Markdown too
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Serve a library as an engine of the comparison, on standard input and output.
#[derive(clap::Args)]
pub(crate) struct EngineArgs {
    /// The engine
    #[arg(value_name = "NAME", value_parser = [OPENSSL_SYSTEM, NSS_SYSTEM, SELF])]
    name: String,

    /// Of `self`: only on this implementation
    #[arg(long, hide = true, value_name = "NAME")]
    implementation: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let plan = args.plan();
    if args.list_absent {
        return list_absent(&plan.suites());
    }
    if args.footprint && args.suites.is_empty() {
        return footprint::weigh(args);
    }
    if args.cross_check {
        let rivals = plan.rivals(ALL).map_err(usage)?;
        let Some(cases) = args.cases else {
            if args.seconds.is_some() {
                let sentence = "--seconds is for --cases here: each operation is checked once";
                return Err(Failure::Usage(sentence.into()));
            }
            return engines_check_each_other(&args.patterns, rivals);
        };
        let campaign = Campaign {
            patterns: &args.patterns,
            cases,
            seed: args.seed,
            limit: plan.limit,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
        };
        // Those that were found above, anew for each thread.
        let rivals = || plan.rivals(ALL).unwrap_or_default();
        return all_check_each_other(&campaign, &rivals);
    }
    let before = args.baseline.as_deref().map(read_run).transpose()?;
    let mut listener = Listener::new();
    let mut report = run::run(&plan, &mut listener).map_err(usage)?;
    report.baseline = before.map(|before| baseline::compare(&before, &report));
    if let Some(changes) = &report.baseline {
        listener.print(&format!("\n{}", changes.table()));
    }
    if let Some(path) = &args.json {
        write_file(path, &file::write(&report).map_err(io::Error::from)?)?;
    }
    if let Some(path) = &args.markdown {
        write_file(path, &report::markdown(&report))?;
    }
    write_file(&args.html, &report::html(&report))?;
    let page = fs::canonicalize(&args.html).unwrap_or_else(|_| args.html.clone());
    listener.print(&format!("\nThe page: {}\n", page.display()));
    if listener.asked() {
        return Err(Failure::Asked(
            "asked to end: the page has what was measured".into(),
        ));
    }
    Ok(listener.printed?)
}

impl Args {
    fn plan(&self) -> Plan {
        let wide = |numbers: &[u32]| numbers.iter().map(|&n| n as usize).collect::<Vec<_>>();
        Plan {
            patterns: self.patterns.clone(),
            engines: self.engines.clone(),
            suites: self.suites.clone(),
            quick: self.quick,
            depth: match (self.cold, self.thorough) {
                (true, _) => Depth::Cold,
                (_, true) => Depth::Thorough,
                _ => Depth::Usual,
            },
            limit: self.seconds.map(|s| Duration::from_secs(s.into())),
            bytes: self.bytes.as_deref().map(wide),
            batches: wide(&self.batch),
            emulate: self.emulate,
            footprint: self.footprint,
            command: command(),
        }
    }
}

fn usage(error: run::Error) -> Failure {
    Failure::Usage(error.to_string())
}

fn spinner() -> ProgressBar {
    if io::stderr().is_terminal() {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::hidden()
    }
}

fn all_check_each_other(
    plan: &Campaign,
    rivals: &(dyn Fn() -> Vec<Rival> + Sync),
) -> Result<(), Failure> {
    let bar = spinner();
    let found = campaign(plan, &registry(), rivals, &|name| {
        bar.set_message(name.to_owned());
        bar.tick();
    });
    bar.finish_and_clear();
    if found.rows.is_empty() {
        let sentence = "we have no operation that the patterns fit";
        return Err(Failure::Usage(sentence.into()));
    }
    print(&found.table())?;
    if !found.findings.is_empty() {
        Err(Failure::Run("not all agree".into()))
    } else if !found.absent.is_empty() {
        Err(Failure::Run(
            "all that took part agree, but not every engine that was asked for did".into(),
        ))
    } else {
        Ok(())
    }
}

fn engines_check_each_other(patterns: &[String], rivals: Vec<Rival>) -> Result<(), Failure> {
    let bar = spinner();
    let result = cross_check(patterns, &registry(), rivals, &mut |name| {
        bar.set_message(name.to_owned());
        bar.tick();
    });
    bar.finish_and_clear();
    if result.rows.is_empty() && result.findings.is_empty() {
        let sentence = "no engine has an operation that the patterns fit";
        return Err(Failure::Usage(sentence.into()));
    }
    print(&result.table())?;
    if result.is_clean() {
        Ok(())
    } else {
        Err(Failure::Run("the engines do not all agree".into()))
    }
}

pub(crate) fn engine(args: &EngineArgs) -> Result<(), Failure> {
    pin();
    if args.name == SELF {
        let (input, output) = (io::stdin().lock(), io::stdout().lock());
        return Ok(serve::serve(
            &engines::own(args.implementation.as_deref()),
            input,
            output,
        )?);
    }
    let loaded = match args.name.as_str() {
        NSS_SYSTEM => nss_engine(
            std::env::var_os("ADAMANT_NSS")
                .map(PathBuf::from)
                .as_deref(),
        ),
        _ => openssl::engine(libcryptos().first().map(PathBuf::as_path)),
    };
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match loaded {
        Ok(engine) => serve::serve(&engine, input, output)?,
        Err(sentence) => serve::refuse(&sentence, input, output)?,
    }
    Ok(())
}

#[cfg(unix)]
fn nss_engine(folder: Option<&Path>) -> Result<Engine, String> {
    nss::engine(folder)
}

#[cfg(not(unix))]
fn nss_engine(_: Option<&Path>) -> Result<Engine, String> {
    Err("no NSS: it is only looked for on Unix".into())
}

/// Prints at once.
fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn list_absent(chosen: &[&Suite]) -> Result<(), Failure> {
    let registry = registry();
    let mut count = 0;
    for suite in chosen {
        for absent in choose::absent(suite, &registry) {
            print(&format!("{absent}\n"))?;
            if matches!(absent.state, State::Missing(_)) {
                count += absent.rows.len();
            }
        }
    }
    match count {
        0 => Ok(()),
        1 => Err(Failure::Run(
            "one row is not measured, though it could be".into(),
        )),
        n => Err(Failure::Run(format!(
            "{n} rows are not measured, though they could be"
        ))),
    }
}

/// The command as it was given, the program by its name.
fn command() -> String {
    let arguments = std::env::args().skip(1).map(|argument| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=".contains(c);
        if argument.chars().all(plain) {
            argument
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    });
    let words: Vec<_> = ["adamant".to_owned()]
        .into_iter()
        .chain(arguments)
        .collect();
    words.join(" ")
}

/// The longest file of a run: 1 GiB.
const LONGEST_RUN: usize = 1 << 30;

/// The run that a file keeps.
fn read_run(path: &Path) -> Result<Report, Failure> {
    let wrong = |why: String| Failure::Run(format!("{}: {why}", path.display()));
    let text = Input::open(Some(path))?.text(LONGEST_RUN)?;
    file::read(&text).map_err(wrong)
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|e| Failure::Run(format!("{}: {e}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document whose second row is quoted for another reason than its machine.
    #[test]
    fn what_a_list_does_not_heed_is_refused() {
        #[derive(clap::Parser)]
        struct Command {
            #[command(flatten)]
            _args: Args,
        }
        let parses = |more: &str| {
            let words = ["bench", "--list-absent"]
                .into_iter()
                .chain(more.split(' '));
            <Command as clap::Parser>::try_parse_from(words).is_ok()
        };
        assert!(parses("--suite kctsb"));
        for more in [
            "--quick",
            "--cold",
            "--seconds 9",
            "--footprint",
            "--suite bearssl --emulate",
        ] {
            assert!(!parses(more), "{more}");
        }
    }

    #[test]
    fn a_row_that_could_be_measured_fails() {
        let listed = |why: &str| {
            let text = format!(
                "elsewhere POWER8\ntable 1: T\nlabels Algorithm\nunit ns\nvalues : C = {{1}}\n\
                 Ed25519 Sign <- POWER8> | 1\nEd25519 Verify <- {why}> | 1\n"
            );
            let suite = suites::parse::suite("planted", &text).unwrap();
            list_absent(&[&suite])
        };
        assert!(listed("POWER8").is_ok());
        let Err(Failure::Run(told)) = listed("nobody tried") else {
            panic!("a row that is quoted needlessly");
        };
        assert_eq!(told, "one row is not measured, though it could be");
    }
}
