//! `adamant tls bench`: handshakes and transfers, beside rustls with its other providers.

use std::io::{self, Write};
use std::process::Command;
use std::time::Duration;

use adamant::SystemRng;
use adamant::x509::{KeyAlgorithm, PrivateKey};
use adamant_bench::client::Client;
use adamant_bench::engines::Places;
use adamant_bench::stats::estimate;
use adamant_engine::serve::{Engine, Task};
use adamant_engine::tls::register;
use adamant_engine::{Item, Size, op};
use adamant_ops::pin;
use adamant_tool::machine;
use adamant_tool::text::grouped;
use rustls::crypto::CryptoProvider;
use rustls_adamant::Ticketer;
use rustls_adamant::trial::Authority;
use serde_json::json;

use crate::Failure;
use crate::tls::choice::{group, group_name, suite, suite_code};
use crate::tls::serve::algorithm;

/// Bytes of the message of a transfer: one record, the longest.
const RECORD: usize = 1 << 14;
/// What an engine is given to answer in, beyond the work itself.
const PATIENCE: Duration = Duration::from_secs(20);

/// Measure handshakes and transfers, client and server in one process.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant tls bench
  adamant tls bench --groups x25519,x25519mlkem768 --keys p-256,ml-dsa-65
  adamant tls bench --engine ring --seconds 2 --json

Rivals are rustls with another provider (engines/rustls): build them with
  cargo build --release --manifest-path engines/rustls/Cargo.toml")]
pub(crate) struct Args {
    /// Groups of the handshakes
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = group,
          default_value = "x25519,p256,x25519mlkem768,curvesm2")]
    groups: Vec<u16>,

    /// Kinds of keys; rsa is of 2048 bits
    #[arg(long, value_name = "ALG,…", value_delimiter = ',', value_parser = algorithm,
          default_value = "p-256,ed25519,rsa,sm2")]
    keys: Vec<KeyAlgorithm>,

    /// Suites of the transfers
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = suite,
          default_value = "aes-128-gcm,aes-256-gcm,chacha20-poly1305,sm4-gcm,sm4-ccm")]
    suites: Vec<&'static str>,

    /// Providers to compare with
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "aws-lc-rs,ring,graviola"
    )]
    engine: Vec<String>,

    /// Seconds for each operation of each provider
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    seconds: f64,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// One row.
struct Row {
    name: String,
    op: &'static str,
    bytes: usize,
    input: Item,
    sm: bool,
}

/// Who does the rows.
enum Side {
    /// This process.
    Own(Box<dyn Task>),
    /// An engine.
    Rival(usize),
}

fn sm(suite: u16) -> bool {
    matches!(suite, 0x00c6 | 0x00c7)
}

/// Certificates and keys of one kind: those of the authority too.
fn identity(kind: KeyAlgorithm) -> Result<Item, Failure> {
    let refused = |error: adamant::x509::Error| Failure::Run(error.to_string());
    let generate = || match kind {
        KeyAlgorithm::Rsa => {
            let key = adamant::rsa::PrivateKey::generate(2048, &mut SystemRng);
            Ok(PrivateKey::Rsa(key.map_err(Failure::from)?))
        }
        _ => PrivateKey::generate(kind, &mut SystemRng).map_err(refused),
    };
    let authority = Authority::new(generate()?).map_err(refused)?;
    let key = generate()?;
    let certificate = authority
        .issue(&key.public_key(), "localhost")
        .map_err(refused)?;
    Ok(op::item([
        ("root", &authority.certificate()),
        ("certificate", &certificate),
        ("private_key", &key.to_der()),
    ]))
}

impl Args {
    fn rows(&self) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        let mut add = |name: String, op, bytes, suite: u16, group: u16, identity: &Item| {
            let mut input = identity.clone();
            input.insert("suite".into(), suite.to_be_bytes().to_vec());
            input.insert("group".into(), group.to_be_bytes().to_vec());
            let sm = sm(suite);
            rows.push(Row {
                name,
                op,
                bytes,
                input,
                sm,
            });
        };
        for kind in &self.keys {
            let own = identity(*kind)?;
            let kind_sm = *kind == KeyAlgorithm::Sm2;
            for group in &self.groups {
                // RFC 8998 has its own suites and groups.
                if (*group == 0x0029) != kind_sm {
                    continue;
                }
                let suite = if kind_sm { 0x00c6 } else { 0x1301 };
                let pair = format!("{}-{}", group_name(*group), kind.name().to_lowercase());
                let pair = pair.replace(' ', "-");
                add(
                    format!("tls/handshake/{pair}/full"),
                    "tls/full",
                    0,
                    suite,
                    *group,
                    &own,
                );
                add(
                    format!("tls/handshake/{pair}/resumed"),
                    "tls/resumed",
                    0,
                    suite,
                    *group,
                    &own,
                );
            }
        }
        let (p256, sm2) = (identity(KeyAlgorithm::P256)?, identity(KeyAlgorithm::Sm2)?);
        for name in &self.suites {
            let suite = suite_code(name);
            let (group, own) = if sm(suite) {
                (0x0029, &sm2)
            } else {
                (0x001d, &p256)
            };
            add(
                format!("tls/transfer/{name}"),
                "tls/transfer",
                RECORD,
                suite,
                group,
                own,
            );
        }
        Ok(rows)
    }
}

fn own(sm: bool) -> Engine {
    let provider: fn() -> CryptoProvider = match sm {
        true => rustls_adamant::sm_provider,
        false => rustls_adamant::default_provider,
    };
    let mut engine = Engine::new("adamant", env!("CARGO_PKG_VERSION"), "");
    register(&mut engine, provider, Ticketer::new);
    engine
}

/// The rivals that are there; the others cost a line.
fn rivals(names: &[String]) -> Vec<(String, Client)> {
    let program = Places::here().program("rustls");
    let mut rivals = Vec::new();
    for name in names {
        let Some(program) = &program else {
            eprintln!("{name}: engines/rustls is not built");
            continue;
        };
        let mut command = Command::new(program);
        command.arg(name);
        match Client::spawn(command, PATIENCE) {
            Ok(client) => rivals.push((name.clone(), client)),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    rivals
}

/// Rounds of a row, in which everybody has a turn.
const ROUNDS: usize = 15;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        return Err(Failure::Usage("seconds above 0, 3600 at most".into()));
    }
    let core = pin();
    let rows = args.rows()?;
    let mut rivals = rivals(&args.engine);
    let (ours, sm_ours) = (own(false), own(true));
    let mut out = io::stdout().lock();
    if !args.json {
        let pinned = core.map_or("not pinned".into(), |core| format!("core {core}"));
        writeln!(
            out,
            "{}, {pinned}; ours, and theirs with our rate by theirs",
            machine::cpu_model()
        )?;
        write!(out, "{:<44} {:>14}", "", "adamant")?;
        for (name, _) in &rivals {
            write!(out, " {name:>22}")?;
        }
        writeln!(out)?;
    }
    for row in &rows {
        let size = Size {
            bytes: row.bytes,
            batch: 1,
        };
        let inputs = std::slice::from_ref(&row.input);
        let engine = if row.sm { &sm_ours } else { &ours };
        let task = engine.prepare(row.op, size, inputs);
        let mut task = task.map_err(|e| Failure::Run(format!("{}: {e}", row.name)))?;
        task.outputs()
            .map_err(|e| Failure::Run(format!("{}: {e}", row.name)))?;
        let mut sides = vec![Side::Own(task)];
        for (i, (name, client)) in rivals.iter_mut().enumerate() {
            match client.check(row.op, size, inputs) {
                Ok(_) => sides.push(Side::Rival(i)),
                // What it does not have is expected of some; that it broke is not.
                Err(adamant_bench::client::Failure::Refused(_)) => {}
                Err(error) => eprintln!("{name}: {}: {error}", row.name),
            }
        }
        let times = measure(&mut sides, &mut rivals, row, size, args.seconds)?;
        report(&mut out, args.json, row, &sides, &rivals, &times)?;
        out.flush()?;
    }
    Ok(())
}

/// The nanoseconds of one operation: for each side, in each round. A rival that fails on the way
/// costs a line and its place in the row.
fn measure(
    sides: &mut Vec<Side>,
    rivals: &mut [(String, Client)],
    row: &Row,
    size: Size,
    seconds: f64,
) -> Result<Vec<Vec<f64>>, Failure> {
    loop {
        let (side, error) = match rounds(sides, rivals, row, size, seconds) {
            Ok(times) => return Ok(times),
            Err(failure) => failure,
        };
        let Side::Rival(rival) = sides[side] else {
            return Err(Failure::Run(format!("{}: {error}", row.name)));
        };
        eprintln!("{}: {}: {error}", rivals[rival].0, row.name);
        sides.remove(side);
    }
}

/// The times of all sides, or which of them failed, and how.
fn rounds(
    sides: &mut [Side],
    rivals: &mut [(String, Client)],
    row: &Row,
    size: Size,
    seconds: f64,
) -> Result<Vec<Vec<f64>>, (usize, String)> {
    let slot = Duration::from_secs_f64(seconds / ROUNDS as f64);
    let mut turn = |(i, side): (usize, &mut Side), iterations: u64| {
        let time = match side {
            Side::Own(task) => task.time(iterations),
            Side::Rival(rival) => rivals[*rival]
                .1
                .run(row.op, size, iterations, slot)
                .map_err(|e| e.to_string()),
        };
        time.map_err(|error| (i, error))
    };
    let mut iterations = Vec::new();
    for (i, side) in sides.iter_mut().enumerate() {
        let mut count = 1;
        // Doubled until the clock has something to tell.
        let time = loop {
            let time = turn((i, &mut *side), count)?;
            if time > slot / 4 || count > 1 << 30 {
                break time;
            }
            count *= 2;
        };
        let each = time.as_secs_f64() / count as f64;
        iterations.push(((slot.as_secs_f64() / each) as u64).max(1));
    }
    let mut times = vec![Vec::with_capacity(ROUNDS); sides.len()];
    for _ in 0..ROUNDS {
        for ((side, count), times) in sides
            .iter_mut()
            .enumerate()
            .zip(&iterations)
            .zip(&mut times)
        {
            times.push(turn(side, *count)?.as_nanos() as f64 / *count as f64);
        }
    }
    Ok(times)
}

fn report(
    out: &mut impl Write,
    json: bool,
    row: &Row,
    sides: &[Side],
    rivals: &[(String, Client)],
    times: &[Vec<f64>],
) -> io::Result<()> {
    // Operations a second, or bytes.
    let rate = |ns: f64| 1e9 / ns * row.bytes.max(1) as f64;
    let medians: Vec<f64> = times.iter().map(|times| estimate(times).value).collect();
    let ratios: Vec<f64> = times
        .iter()
        .map(|theirs| {
            let rounds: Vec<f64> = theirs.iter().zip(&times[0]).map(|(t, o)| t / o).collect();
            estimate(&rounds).value
        })
        .collect();
    let name_of = |side: &Side| match side {
        Side::Own(_) => "adamant".to_owned(),
        Side::Rival(i) => rivals[*i].0.clone(),
    };
    if json {
        for ((side, ns), ratio) in sides.iter().zip(&medians).zip(&ratios) {
            let line = json!({
                "operation": row.name,
                "provider": name_of(side),
                "bytes": row.bytes,
                "ns": ns,
                "per_second": rate(*ns),
                "ours_by_theirs": ratio,
            });
            writeln!(out, "{line}")?;
        }
        return Ok(());
    }
    let (by, unit) = if row.bytes > 0 {
        (1e6, "MB/s")
    } else {
        (1.0, "/s  ")
    };
    let shown = |ns: f64| format!("{} {unit}", grouped(rate(ns) / by, 0));
    write!(out, "{:<44} {:>14}", row.name, shown(medians[0]))?;
    for i in 0..rivals.len() {
        let there = sides
            .iter()
            .position(|side| matches!(side, Side::Rival(j) if *j == i));
        let cell = there.map_or("-".into(), |at| {
            format!("{} {:>5.2}×", shown(medians[at]), ratios[at])
        });
        write!(out, " {cell:>22}")?;
    }
    writeln!(out)
}
