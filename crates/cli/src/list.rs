//! `adamant list`: every algorithm and which implementation this CPU gets, or what the CPU has.

use std::io::{self, StdoutLock, Write};

use adamant::Implementation;
use adamant::catalog::{self, Algorithm};
use adamant::cpu;
use adamant_tool::{machine, select};
use serde_json::json;

use crate::Failure;

/// List algorithms and their implementations, or the CPU's features.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant list
  adamant list 'ecdsa-*' --json
  adamant list --cpu")]
pub(crate) struct Args {
    /// Algorithms: an exact name or a glob such as 'hmac-*'; 'all' is every one
    #[arg(value_name = "PATTERN")]
    pattern: Option<String>,

    /// The CPU's features instead, and the algorithms that make use of each
    #[arg(long, conflicts_with = "pattern")]
    cpu: bool,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if args.cpu {
        let print = if args.json { cpu_json } else { cpu_table };
        print(&mut out)?;
        return Ok(());
    }
    let names: Vec<&str> = catalog::ALGORITHMS.iter().map(|a| a.name).collect();
    let chosen = select::select(&names, args.pattern.as_slice())
        .map_err(|e| Failure::Usage(e.to_string()))?;
    let algorithms: Vec<_> = chosen
        .into_iter()
        .map(|i| &catalog::ALGORITHMS[i])
        .collect();
    if args.json {
        for algorithm in algorithms {
            writeln!(out, "{}", algorithm_json(algorithm))?;
        }
    } else {
        table(&mut out, &algorithms)?;
    }
    out.flush()?;
    Ok(())
}

/// Where an implementation is on this CPU.
struct Standing {
    implementation: &'static Implementation,
    state: &'static str,
    why: String,
}

/// The standing of each implementation of a table. The first constant-time one that this CPU can
/// run is chosen.
fn standings(implementations: Vec<&'static Implementation>) -> Vec<Standing> {
    let mut taken = None;
    let standing = |implementation: &'static Implementation| {
        let needs: Vec<_> = implementation.features.names().collect();
        let (state, why) = if !implementation.is_available() {
            let here = cpu::features();
            let lacks: Vec<_> = needs.iter().copied().filter(|f| !here.has(f)).collect();
            ("cannot run", format!("this CPU lacks {}", lacks.join(", ")))
        } else if !implementation.constant_time {
            (
                "can run",
                "only by name: its time depends on secrets".into(),
            )
        } else if let Some(chosen) = taken {
            ("can run", format!("comes after {chosen}"))
        } else {
            taken = Some(implementation.name);
            let why = if needs.is_empty() {
                "runs on every CPU".into()
            } else {
                format!("this CPU has {}", needs.join(", "))
            };
            ("chosen", why)
        };
        Standing {
            implementation,
            state,
            why,
        }
    };
    implementations.into_iter().map(standing).collect()
}

const YES_NO: [&str; 2] = ["no", "yes"];

fn table(out: &mut impl Write, algorithms: &[&Algorithm]) -> io::Result<()> {
    let mut rows = vec![
        [
            "algorithm",
            "family",
            "implementation",
            "here",
            "constant-time",
            "why",
        ]
        .map(str::to_owned),
    ];
    for algorithm in algorithms {
        let mut first = [algorithm.name, algorithm.family.name()];
        for Standing {
            implementation,
            state,
            why,
        } in standings(algorithm.implementations())
        {
            let constant_time = YES_NO[usize::from(implementation.constant_time)];
            let [name, family] = std::mem::take(&mut first);
            rows.push(
                [
                    name,
                    family,
                    implementation.name,
                    state,
                    constant_time,
                    &why,
                ]
                .map(str::to_owned),
            );
        }
    }
    aligned(out, &rows)
}

fn algorithm_json(algorithm: &Algorithm) -> serde_json::Value {
    let parameters: serde_json::Map<_, _> = algorithm
        .parameters
        .iter()
        .map(|&(name, bytes)| (name.to_owned(), json!(bytes)))
        .collect();
    let implementation = |s: Standing| {
        json!({
            "name": s.implementation.name,
            "features": s.implementation.features.names().collect::<Vec<_>>(),
            "available": s.implementation.is_available(),
            "constant_time": s.implementation.constant_time,
            "chosen": s.state == "chosen",
            "why": s.why,
        })
    };
    let standings = standings(algorithm.implementations()).into_iter();
    json!({
        "algorithm": algorithm.name,
        "family": algorithm.family.name(),
        "oid": algorithm.oid,
        "standard": algorithm.standard,
        "parameters": parameters,
        "implementations": standings.map(implementation).collect::<Vec<_>>(),
    })
}

/// What makers call the features, where the compiler has another name.
const TITLES: &[(&str, &str)] = &[
    ("aes", "AES-NI"),
    ("sha", "SHA-NI"),
    ("avx512f", "AVX-512 F"),
    ("avx512bw", "AVX-512 BW"),
    ("avx512dq", "AVX-512 DQ"),
    ("avx512vl", "AVX-512 VL"),
    ("avx512cd", "AVX-512 CD"),
    ("avx512ifma", "AVX-512 IFMA"),
    ("avx512vbmi", "AVX-512 VBMI"),
    ("avx512vbmi2", "AVX-512 VBMI2"),
    ("avx512bitalg", "AVX-512 BITALG"),
    ("avx512vpopcntdq", "AVX-512 VPOPCNTDQ"),
];

/// A feature of this architecture.
struct Feature {
    name: &'static str,
    title: String,
    found: bool,
    used_by: Vec<&'static Algorithm>,
}

impl Feature {
    /// The families of the algorithms that use it, with how many in each.
    fn families(&self) -> String {
        let families = self.used_by.chunk_by(|a, b| a.family == b.family);
        let counted = families.map(|of| format!("{} {}", of[0].family.name(), of.len()));
        counted.collect::<Vec<_>>().join(", ")
    }
}

fn features() -> Vec<Feature> {
    let here = cpu::features();
    let x86 = cfg!(any(target_arch = "x86_64", target_arch = "x86"));
    let arm = cfg!(target_arch = "aarch64");
    let belongs = |name: &str| match name {
        "aes" => x86 || arm,
        "neon" | "sha2" | "sha3" | "sm4" | "rdm" | "sha3quick" | "mul64quick" => arm,
        _ => x86,
    };
    let title = |name: &str| match TITLES.iter().find(|(known, _)| *known == name) {
        Some((_, title)) if x86 => (*title).to_owned(),
        _ => name.to_uppercase(),
    };
    let used_by = |name: &str| {
        let uses = |a: &&Algorithm| a.implementations().iter().any(|i| i.features.has(name));
        let algorithms = catalog::ALGORITHMS.iter().filter(uses);
        algorithms.collect()
    };
    let known = cpu::NAMES.iter().filter(|name| belongs(name));
    known
        .map(|name| Feature {
            name,
            title: title(name),
            found: here.has(name),
            used_by: used_by(name),
        })
        .collect()
}

/// What the environment takes away, to be told wherever features are shown.
fn limit() -> Option<String> {
    std::env::var("ADAMANT_CPU")
        .ok()
        .filter(|limit| !limit.is_empty())
}

fn cpu_table(out: &mut StdoutLock<'_>) -> io::Result<()> {
    writeln!(out, "{} ({})", machine::cpu_model(), std::env::consts::ARCH)?;
    if let Some(limit) = limit() {
        writeln!(out, "limited by ADAMANT_CPU={limit}")?;
    }
    let mut rows = vec![["feature", "name", "found", "algorithms that use it"].map(str::to_owned)];
    rows.extend(features().into_iter().map(|f| {
        let found = YES_NO[usize::from(f.found)].to_owned();
        let families = f.families();
        [f.title, f.name.to_owned(), found, families]
    }));
    aligned(out, &rows)
}

fn cpu_json(out: &mut StdoutLock<'_>) -> io::Result<()> {
    let features: Vec<_> = features()
        .into_iter()
        .map(|f| {
            let used_by: Vec<_> = f.used_by.iter().map(|a| a.name).collect();
            json!({"name": f.name, "title": f.title, "found": f.found, "used_by": used_by})
        })
        .collect();
    let line = json!({
        "cpu": machine::cpu_model(),
        "arch": std::env::consts::ARCH,
        "limit": limit(),
        "features": features,
    });
    writeln!(out, "{line}")
}

/// Rows with their columns aligned.
fn aligned<const N: usize>(out: &mut impl Write, rows: &[[String; N]]) -> io::Result<()> {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    for row in rows {
        let cells = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
