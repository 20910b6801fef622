//! `adamant speed`: how fast each operation is on one core of this machine, or with `--leak`
//! whether its time depends on secrets.

use std::io::{self, Write};

use adamant_ops::select::operations;
use adamant_ops::{Effort, Evictor, Measurement, Operation, measure, measure_cold, pin, registry};
use adamant_tool::machine;
use adamant_tool::text::grouped;

use super::leak;
use super::row::Row;
use crate::Failure;

/// Measure operations on one core.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant speed 'sha*/digest' --bytes 64,16384
  adamant speed ecdsa-p256/sign --backend all --json
  adamant speed 'ed25519/*_batch' --batch 1,64,1024
  adamant speed --leak 'ecd*' --backend all
  adamant speed --cold 'ecdsa-p256/*' ed25519/sign

--cold drives code and data out of the caches before each call: 64 MiB of both come between.
--leak times every operation under one fixed secret, random secrets, and secrets with few and many
ones. A statistic beyond 4.5 in two runs is a leak; the exit code is then 1.")]
pub(crate) struct Args {
    /// Operations: exact names or globs such as 'ecdsa-*'; 'all', the default, is every one
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,

    /// Items at once, for operations that end in _batch
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "64",
          value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    batch: Vec<u32>,

    /// Look for leaks instead: does the time of each operation depend on its secrets?
    #[arg(long)]
    leak: bool,

    /// Bytes of message or output, for operations that have one; by default what suits each of them
    #[arg(long, value_name = "N,…", value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(0..=1 << 30))]
    bytes: Option<Vec<u32>>,

    /// An implementation by name, or 'all' that this CPU can run; by default the one it chooses
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,

    /// Seconds for each row [default: 1; with --leak 5, and as many again where a leak shows]
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "iterations")]
    seconds: Option<f64>,

    /// Exactly this many timed iterations for each row, instead of --seconds; samples with --leak
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,

    /// The K-th of N shares of the rows, which are together all: a long run in pieces
    #[arg(long, value_name = "K/N", value_parser = share)]
    share: Option<Share>,

    /// Time single calls with cold caches, 51 for each row unless --iterations says how many
    #[arg(long, conflicts_with_all = ["leak", "seconds"])]
    cold: bool,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Calls of a row with cold caches.
const COLD_CALLS: u64 = 51;

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("a number of seconds above 0, 3600 at most".into()),
    }
}

/// Every `of`th row from number `first`, counted from 0.
#[derive(Clone, Copy)]
struct Share {
    first: usize,
    of: usize,
}

fn share(text: &str) -> Result<Share, String> {
    let parts = text.split_once('/');
    match parts.map(|(number, of)| (number.parse(), of.parse())) {
        Some((Ok(number), Ok(of))) if (1..=of).contains(&number) => Ok(Share {
            first: number - 1,
            of,
        }),
        _ => Err("a number of a share and how many there are, as in 3/20".into()),
    }
}

/// The most bytes of messages that one row may hold in memory.
const MEMORY: u64 = 1 << 32;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let registry = registry();
    let rows = plan(&registry, args)?;
    let effort = match args.iterations {
        Some(iterations) => Effort::Iterations(iterations),
        None => {
            let default = if args.leak { 5.0 } else { 1.0 };
            Effort::Seconds(args.seconds.unwrap_or(default))
        }
    };
    if args.leak {
        return leak::run(&rows, effort, args.json);
    }
    let core = pin();
    let mut out = io::stdout().lock();
    let columns = Columns::of(&rows);
    if !args.json {
        let pinned = core.map_or("not pinned".into(), |core| format!("core {core}"));
        writeln!(out, "{}, {pinned}", machine::cpu_model())?;
        columns.header(&mut out)?;
    }
    let mut failed = 0;
    let mut evictor = args.cold.then(Evictor::new);
    if evictor.as_ref().is_some_and(|evictor| !evictor.has_code()) {
        eprintln!("this system gives no memory for code: only the caches of data are cold");
    }
    for row in &rows {
        let (op, size, backend) = (row.op, row.size, row.backend);
        let measurement = match &mut evictor {
            Some(evictor) => {
                let calls = args.iterations.unwrap_or(COLD_CALLS);
                measure_cold(op, size, backend, calls, evictor)
            }
            None => measure(op, size, backend, effort),
        };
        match measurement {
            Ok(measurement) if args.json => {
                serde_json::to_writer(&mut out, &measurement).map_err(io::Error::from)?;
                writeln!(out)?;
            }
            Ok(measurement) => columns.row(&mut out, &measurement)?,
            Err(sentence) => {
                eprintln!("{}: {sentence}", row.op.name());
                failed += 1;
            }
        }
        out.flush()?;
    }
    if failed == rows.len() {
        return Err(Failure::Run("nothing could be measured".into()));
    }
    Ok(())
}

fn plan<'a>(registry: &'a [Box<dyn Operation>], args: &Args) -> Result<Vec<Row<'a>>, Failure> {
    let mut ops =
        operations(registry, &args.patterns).map_err(|e| Failure::Usage(e.to_string()))?;
    if args.leak {
        ops = leak::with_secrets(ops, &args.patterns)?;
    }
    let wide = |numbers: &[u32]| numbers.iter().map(|&n| n as usize).collect::<Vec<_>>();
    let bytes = args.bytes.as_deref().map(wide);
    let batches = wide(&args.batch);
    let mut rows = Vec::new();
    for op in &ops {
        // Every part of an algorithm takes part in its longest messages.
        let longest = op.default_bytes().last().filter(|_| args.leak);
        let longest = longest.map(|&bytes| vec![bytes]);
        for size in op.sizes(
            bytes.as_ref().or(longest.as_ref()).map(Vec::as_slice),
            &batches,
        ) {
            if size.bytes as u64 * size.batch as u64 > MEMORY {
                return Err(Failure::Usage(format!(
                    "{} messages of {} bytes are more than {MEMORY} bytes",
                    size.batch, size.bytes
                )));
            }
            rows.extend(backends(*op, args.backend.as_deref()).map(|backend| Row {
                op: *op,
                size,
                backend,
            }));
        }
    }
    if rows.is_empty() {
        return Err(Failure::Usage(no_such_backend(
            &ops,
            args.backend.as_deref(),
        )));
    }
    if let Some(Share { first, of }) = args.share {
        rows = rows.into_iter().skip(first).step_by(of).collect();
        if rows.is_empty() {
            return Err(Failure::Usage("this share has no row".into()));
        }
    }
    Ok(rows)
}

/// What to measure an operation on: the default, all that run here, or those of one name.
fn backends(
    op: &dyn Operation,
    wanted: Option<&str>,
) -> impl Iterator<Item = Option<&'static str>> {
    let named = match wanted {
        None => Vec::new(),
        Some(wanted) => op
            .implementations()
            .into_iter()
            .filter(|i| i.is_available() && (wanted == "all" || i.name == wanted))
            .map(|i| Some(i.name))
            .collect(),
    };
    wanted.is_none().then_some(None).into_iter().chain(named)
}

fn no_such_backend(ops: &[&dyn Operation], wanted: Option<&str>) -> String {
    let wanted = wanted.unwrap_or_default();
    let all: Vec<_> = ops.iter().flat_map(|op| op.implementations()).collect();
    if let Some(known) = all.iter().find(|i| i.name == wanted) {
        let needs: Vec<_> = known.features.names().collect();
        return format!(
            "this CPU cannot run {wanted}, which needs {}",
            needs.join(", ")
        );
    }
    let mut names: Vec<_> = all.iter().map(|i| i.name).collect();
    names.sort_unstable();
    names.dedup();
    format!(
        "no operation that was asked for has an implementation called {wanted:?}; there is {}",
        names.join(", ")
    )
}

/// The widths of the columns whose width depends on the rows.
struct Columns {
    op: usize,
    backend: usize,
}

impl Columns {
    fn of(rows: &[Row<'_>]) -> Self {
        let op = rows.iter().map(|row| row.op.name().len());
        let backend = rows.iter().flat_map(|row| match row.backend {
            Some(name) => vec![name.len()],
            None => row
                .op
                .implementations()
                .iter()
                .map(|i| i.name.len())
                .collect(),
        });
        Columns {
            op: op.max().unwrap_or(0).max("operation".len()),
            backend: backend.max().unwrap_or(0).max("backend".len()),
        }
    }

    fn header(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{:<op$}  {:>6}  {:>5}  {:<backend$}  {:>14}  {:>14}  {:>10}  {:>7}",
            "operation",
            "bytes",
            "batch",
            "backend",
            "ns/op",
            "op/s",
            "MB/s",
            "spread",
            op = self.op,
            backend = self.backend,
        )
    }

    fn row(&self, out: &mut impl Write, m: &Measurement) -> io::Result<()> {
        let or_dash = |there: bool, text: String| if there { text } else { "-".into() };
        writeln!(
            out,
            "{:<op$}  {:>6}  {:>5}  {:<backend$}  {:>14}  {:>14}  {:>10}  {:>7}",
            m.op,
            or_dash(m.bytes > 0, m.bytes.to_string()),
            or_dash(m.op.contains("_batch") || m.batch > 1, m.batch.to_string()),
            m.backend,
            grouped(m.ns_per_op, usize::from(m.ns_per_op.fract() != 0.0)),
            grouped(m.ops_per_s, 0),
            or_dash(m.bytes > 0, format!("{:.1}", m.mb_per_s)),
            m.spread.map_or("-".into(), spread),
            op = self.op,
            backend = self.backend,
        )
    }
}

/// A spread in percent; one that says nothing is cut, so that it keeps to its column.
fn spread(part: f64) -> String {
    match part {
        ..9.995 => format!("±{:.1}%", part * 100.0),
        _ => ">±999%".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_keep_to_their_column() {
        assert_eq!(spread(0.0123), "±1.2%");
        assert_eq!(spread(9.9949), "±999.5%");
        assert_eq!(spread(21.682), ">±999%");
        assert_eq!(spread(f64::NAN), ">±999%");
    }
}
