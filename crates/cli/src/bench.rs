//! `adamant bench`: the operations beside those of other libraries, the pipeline, and a page that
//! shows both; what changed since an earlier run.

mod footprint;
mod progress;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use adamant_bench::baseline;
use adamant_bench::cross_check::cross_check;
use adamant_bench::driver::{Comparison, compare};
use adamant_bench::emulate;
use adamant_bench::engines::{ALL, NSS_SYSTEM, OPENSSL_SYSTEM, Places, SELF};
use adamant_bench::file;
use adamant_bench::machine::Machine;
use adamant_bench::own;
use adamant_bench::plan::{Planned, plan};
use adamant_bench::report;
use adamant_bench::results::{Count, PipelineRow, Report};
use adamant_bench::rival::Rival;
use adamant_bench::rounds::Effort;
use adamant_bench::suites::choose::{self, Lack};
use adamant_bench::suites::{self, Suite};
#[cfg(unix)]
use adamant_engine::nss;
use adamant_engine::serve::Engine;
use adamant_engine::{openssl, serve};
use adamant_ops::{Operation, pin, registry};
use adamant_pki::Algorithm;
use adamant_pki::pipeline::Options;
use adamant_pki::store::Synchronous;
use indicatif::ProgressBar;

use crate::input::Input;
use crate::{Failure, pki};
use progress::{End, Listener};

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
  adamant bench --suite kctsb --markdown kctsb.md
  adamant bench --suite curve25519 --footprint
  adamant bench --footprint 'sha256/*' '*/ring'
  adamant bench --list-absent
  ADAMANT_LIBCRYPTO=/opt/openssl/lib/libcrypto.so.3 adamant bench --quick

Engines: openssl-system (the libcrypto that the system finds, or that ADAMANT_LIBCRYPTO names), \
nss-system (the NSS that the system finds, or that in the folder which ADAMANT_NSS names), self (our own operations, which shows 1.00), the folders under engines/ once they are built, each \
also as NAME-native where it was built for this CPU, any program with a slash in its name, and \
all: every one that there is but self. ADAMANT_ENGINES names a folder to look in first.")]
pub(crate) struct Args {
    /// Operations: exact names or globs such as 'ecdsa-*'; without any, every one and the pipeline
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,

    /// Compare with this engine, again for more [default: openssl-system]
    #[arg(long = "engine", value_name = "NAME|PATH")]
    engines: Vec<String>,

    /// Let the engines check each other's outputs, by default all engines, and time nothing
    #[arg(long, conflicts_with_all = ["quick", "thorough", "json", "baseline", "html", "batch",
                                      "bytes"])]
    cross_check: bool,

    /// The best-known operations only, and 60 seconds for all of it
    #[arg(long, conflicts_with = "thorough")]
    quick: bool,

    /// Seconds for all of it: each row gets its share, and what is left at the end is left out
    #[arg(long, value_name = "S", conflicts_with_all = ["thorough", "cross_check"],
          value_parser = clap::value_parser!(u32).range(5..=86_400))]
    seconds: Option<u32>,

    /// More time for each operation
    #[arg(long)]
    thorough: bool,

    /// Single calls with cold caches: before each, 64 MiB of memory and of code are gone through.
    /// With --quick, of the best-known operations, and without its limit of time
    #[arg(long, conflicts_with_all = ["thorough", "cross_check", "suites"])]
    cold: bool,

    /// Only what the tables of this document ask for, in its order and units, again for more
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

    /// List the rows of the documents (of those of --suite) that this program cannot measure; fail
    /// if there are any that no build of it could
    #[arg(long, conflicts_with_all = ["patterns", "engines", "cross_check", "quick", "thorough",
                                      "json", "baseline", "html", "markdown", "batch",
                                      "bytes"])]
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

    /// Show what became faster or slower since the run that this file keeps
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Where the page goes
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    html: PathBuf,

    /// Write the report as Markdown too
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// What a quick look takes, if nothing else is said.
const QUICK_SECONDS: u32 = 60;

/// The most bytes of messages in a row for which lengths are asked: they travel as text, in a line.
const MOST_BYTES: usize = 1 << 26;

/// Serve a library as an engine of the comparison, on standard input and output.
#[derive(clap::Args)]
pub(crate) struct EngineArgs {
    /// The engine
    #[arg(value_name = "NAME", value_parser = [OPENSSL_SYSTEM, NSS_SYSTEM, SELF])]
    name: String,

    /// Of `self`: on this implementation alone
    #[arg(long, hide = true, value_name = "NAME")]
    implementation: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let registry = registry();
    let chosen = chosen_suites(args);
    if args.list_absent {
        return list_absent(&chosen, &registry);
    }
    if args.footprint && args.suites.is_empty() {
        return footprint::weigh(args);
    }
    if args.cross_check {
        return engines_check_each_other(&args.patterns, &registry, rivals(args, ALL)?);
    }
    let wide = |numbers: &[u32]| numbers.iter().map(|&n| n as usize).collect::<Vec<_>>();
    let (bytes, batches) = (args.bytes.as_deref().map(wide), wide(&args.batch));
    let rows = if args.suites.is_empty() {
        let bytes = bytes.as_deref();
        plan(&registry, &args.patterns, args.quick, bytes, &batches)
    } else {
        choose::plan(&chosen, &registry, &args.patterns)
    };
    let rows = rows.map_err(|e| Failure::Usage(e.to_string()))?;
    let too_much = |row: &&Planned<'_>| row.size.bytes.saturating_mul(row.size.batch) > MOST_BYTES;
    if let Some(row) = rows.iter().find(too_much).filter(|_| args.bytes.is_some()) {
        return Err(Failure::Usage(format!(
            "{}: {} messages of {} bytes are more than {MOST_BYTES} bytes",
            row.op.name(),
            row.size.batch,
            row.size.bytes
        )));
    }
    let rivals = rivals(args, OPENSSL_SYSTEM)?;
    let before = args.baseline.as_deref().map(read_run).transpose()?;
    let asked_pipeline = pipeline_options(args, &chosen);
    let limit = (args.quick && !args.cold).then_some(QUICK_SECONDS);
    let end = End::after(args.seconds.or(limit));
    let effort = match (end.time, args.thorough) {
        _ if args.cold => Effort::COLD,
        // Three quarters for the rows, where the pipeline has the rest.
        (Some(time), _) if asked_pipeline.is_some() => Effort::within(time * 3 / 4, rows.len()),
        (Some(time), _) => Effort::within(time, rows.len()),
        (_, true) => Effort::THOROUGH,
        _ => Effort::NORMAL,
    };
    let machine = Machine::here();
    let mut out = Printer { result: Ok(()) };
    out.print(&format!("{}, {}\n", machine.cpu, machine.os));
    if args.quick && args.patterns.is_empty() && args.suites.is_empty() {
        let chosen: BTreeSet<&str> = rows.iter().map(|row| row.op.name()).collect();
        out.print(&format!(
            "the best-known {} of {} operations; without --quick, all of them\n",
            chosen.len(),
            registry.len()
        ));
    }

    let mut listener = Listener::new(&end, asked_pipeline.is_some());
    let own = Some(Rival::own(SELF));
    let comparison = compare(&rows, &registry, own, rivals, effort, &mut listener);
    listener.bar.finish_and_clear();
    let Comparison {
        rows,
        engines,
        mut notes,
        core,
        clock,
    } = comparison;
    for engine in &engines {
        let year = engine
            .released()
            .map_or(String::new(), |year| format!(", of {year}"));
        out.print(&format!(
            "beside {}: {}{year}\n",
            engine.name, engine.version
        ));
    }
    let place = core.map_or("not pinned to a core".into(), |core| format!("core {core}"));
    out.print(&format!("one thread, {place}\n\n{}", report::table(&rows)));

    let mut pipeline = Vec::new();
    if let Some(options) = asked_pipeline {
        match pipeline_rows(&options, args, &end, &mut out) {
            Ok((measured, note)) => {
                pipeline = measured.into_iter().map(for_report).collect();
                notes.extend(note);
            }
            Err(failure) => {
                let sentence = format!("the pipeline stopped: {}", failure.sentence());
                eprintln!("{sentence}");
                notes.push(sentence);
            }
        }
    }

    let counts = counts(args, &chosen, &registry, &mut notes);
    let footprints = footprint::of_suites(args, &chosen, &mut notes);
    let mut report = Report {
        machine,
        command: command(),
        engines,
        rows,
        pipeline,
        notes,
        core,
        clock,
        baseline: None,
        suites: args.suites.clone(),
        counts,
        footprints,
    };
    if !args.suites.is_empty() {
        for suite in &chosen {
            let tables = report::suite_tables(suite, report.figures());
            out.print(&format!("\n{tables}"));
        }
    }
    report.baseline = before.map(|before| baseline::compare(&before, &report));
    if let Some(changes) = &report.baseline {
        out.print(&format!("\n{}", changes.table()));
    }
    if let Some(path) = &args.json {
        write_file(path, &file::write(&report).map_err(io::Error::from)?)?;
    }
    if let Some(path) = &args.markdown {
        write_file(path, &report::markdown(&report))?;
    }
    write_file(&args.html, &report::html(&report))?;
    let page = fs::canonicalize(&args.html).unwrap_or_else(|_| args.html.clone());
    out.print(&format!("\nThe page: {}\n", page.display()));
    if end.asked() {
        return Err(Failure::Asked(
            "asked to end: the page has what was measured".into(),
        ));
    }
    Ok(out.result?)
}

/// Runs the pipeline: where time is short, beside OpenSSL and nothing else; otherwise in full, and
/// on fewer threads.
fn pipeline_rows(
    options: &Options,
    args: &Args,
    end: &End,
    out: &mut Printer,
) -> Result<(Vec<adamant_pki::pipeline::Row>, Option<String>), Failure> {
    let mut table = Vec::new();
    if end.asked() {
        return Ok((Vec::new(), Some("the pipeline was not begun".into())));
    }
    let go_on = || end.is_before(4);
    if args.quick && args.suites.is_empty() {
        let (rows, note) = pki::beside_openssl(options, &mut table, &go_on)?;
        out.print(&String::from_utf8_lossy(&table));
        return Ok((rows, note));
    }
    let mut rows = pki::measure(options, &go_on)?;
    pki::table(&mut table, &rows)?;
    out.print(&String::from_utf8_lossy(&table));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for fewer in on_fewer_threads(options, cores) {
        rows.extend(pki::measure(&fewer, &go_on)?);
    }
    Ok((rows, None))
}

/// Instructions in place of machines that are not here, where they are asked for.
fn counts(
    args: &Args,
    chosen: &[&Suite],
    registry: &[Box<dyn Operation>],
    notes: &mut Vec<String>,
) -> Vec<Count> {
    if !args.emulate {
        return Vec::new();
    }
    let counted = emulate::counts(chosen, registry, &mut |name| eprintln!("counting {name}"));
    counted.unwrap_or_else(|sentence| {
        notes.push(format!("nothing is emulated: {sentence}"));
        Vec::new()
    })
}

/// The engines that are asked for, or the one by default.
fn rivals(args: &Args, default: &str) -> Result<Vec<Rival>, Failure> {
    let places = Places::here();
    let rivals = if args.engines.is_empty() {
        places.rivals(&[default.to_owned()])
    } else {
        places.rivals(&args.engines)
    };
    rivals.map_err(Failure::Usage)
}

fn engines_check_each_other(
    patterns: &[String],
    registry: &[Box<dyn Operation>],
    rivals: Vec<Rival>,
) -> Result<(), Failure> {
    let bar = if io::stderr().is_terminal() {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::hidden()
    };
    let result = cross_check(patterns, registry, rivals, &mut |name| {
        bar.set_message(name.to_owned());
        bar.tick();
    });
    bar.finish_and_clear();
    if result.rows.is_empty() && result.findings.is_empty() {
        let sentence = "no engine has an operation that the patterns fit";
        return Err(Failure::Usage(sentence.into()));
    }
    let mut out = Printer { result: Ok(()) };
    out.print(&result.table());
    out.result?;
    if result.is_clean() {
        Ok(())
    } else {
        Err(Failure::Run("the engines do not all agree".into()))
    }
}

/// Prints until that fails, and remembers: the files are written all the same.
struct Printer {
    result: io::Result<()>,
}

impl Printer {
    fn print(&mut self, text: &str) {
        if self.result.is_ok() {
            let mut out = io::stdout();
            self.result = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    }
}

pub(crate) fn engine(args: &EngineArgs) -> Result<(), Failure> {
    pin();
    if args.name == SELF {
        let (input, output) = (io::stdin().lock(), io::stdout().lock());
        return Ok(serve::serve(
            &own::engine_on(args.implementation.as_deref()),
            input,
            output,
        )?);
    }
    let place = |variable| std::env::var_os(variable).map(PathBuf::from);
    let loaded = match args.name.as_str() {
        NSS_SYSTEM => nss_engine(place("ADAMANT_NSS").as_deref()),
        _ => openssl::engine(place("ADAMANT_LIBCRYPTO").as_deref()),
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

/// The suites that are asked for, all where none is.
fn chosen_suites(args: &Args) -> Vec<&'static Suite> {
    let asked = |suite: &&Suite| args.suites.iter().any(|name| name == suite.name);
    let all = suites::all().iter();
    all.filter(|suite| args.suites.is_empty() || asked(suite))
        .collect()
}

fn list_absent(chosen: &[&Suite], registry: &[Box<dyn Operation>]) -> Result<(), Failure> {
    let mut out = Printer { result: Ok(()) };
    let mut count = 0;
    for suite in chosen {
        for absent in choose::absent(suite, registry) {
            out.print(&format!("{absent}\n"));
            count += usize::from(matches!(absent.lacks, Lack::Missing(_)));
        }
    }
    out.result?;
    match count {
        0 => Ok(()),
        1 => Err(Failure::Run("one row is absent".into())),
        n => Err(Failure::Run(format!("{n} rows are absent"))),
    }
}

/// What to run of the pipeline, if anything: what the suites ask for, or all of it.
fn pipeline_options(args: &Args, chosen: &[&Suite]) -> Option<Options> {
    if !args.patterns.is_empty() || args.cold {
        return None;
    }
    if args.suites.is_empty() {
        if args.quick {
            let usual = |algorithm: &Algorithm| USUAL.contains(&algorithm.name());
            return Some(Options {
                algorithms: Algorithm::all().filter(usual).collect(),
                sizes: vec![64],
                min_seconds: 1.0,
                synchronous: vec![Synchronous::Normal],
                ..Options::default()
            });
        }
        return Some(Options {
            algorithms: Algorithm::all().collect(),
            sizes: vec![1, 4, 16, 64, 256, 1024],
            min_seconds: 2.0,
            ..Options::default()
        });
    }
    let stages = choose::stages(chosen);
    (!stages.sizes.is_empty()).then(|| Options {
        algorithms: stages.algorithms,
        sizes: stages.sizes,
        min_seconds: if args.quick { 0.5 } else { 2.0 },
        ..Options::default()
    })
}

/// The algorithms that a CA has most often.
const USUAL: [&str; 3] = ["ecdsa-p256", "ed25519", "ml-dsa-65"];

/// The pipeline in its largest batch on one thread, two, four and so on below all cores, for the
/// [`USUAL`] algorithms.
fn on_fewer_threads(options: &Options, cores: usize) -> Vec<Options> {
    let algorithms = options.algorithms.iter().copied();
    let algorithms: Vec<_> = algorithms
        .filter(|algorithm| USUAL.contains(&algorithm.name()))
        .collect();
    let sizes: Vec<_> = options.sizes.iter().copied().max().into_iter().collect();
    let counts = (0..).map(|i| 1 << i).take_while(|&threads| threads < cores);
    let fewer = counts.map(|threads| Options {
        algorithms: algorithms.clone(),
        sizes: sizes.clone(),
        min_seconds: options.min_seconds / 2.0,
        threads: Some(threads),
        ..options.clone()
    });
    fewer.collect()
}

/// A row of the pipeline as the report takes it.
fn for_report(row: adamant_pki::pipeline::Row) -> PipelineRow {
    PipelineRow {
        stage: row.stage,
        algo: row.algo,
        batch: row.batch,
        ms: row.ms,
        items_per_s: row.items_per_s,
        keys: Some(row.keys.name().to_owned()),
        synchronous: Some(row.synchronous.name().to_owned()),
        provider: row.provider,
        threads: row.threads,
        der_bytes: Some(row.der_bytes as u64),
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
