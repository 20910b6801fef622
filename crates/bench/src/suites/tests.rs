//! The files against the documents and the registry.

use std::collections::HashSet;

use adamant_ops::{Length, registry};
use adamant_tool::text::distinct;

use super::choose::{State, absent, chosen, plan, stages, state};
use super::*;

/// How many rows and figures the tables of the documents have, a figure being a number that the
/// document measured: ratios and verdicts that follow from others are not counted.
const COUNTS: &[(&str, &[(&str, usize, usize)])] = &[
    (
        "openhitls",
        &[
            ("3.1", 4, 8),
            ("3.2", 9, 32),
            ("3.3", 6, 9),
            ("3.4", 14, 24),
            ("3.5", 18, 36),
            ("3.6", 5, 16),
            ("3.7", 7, 15),
            ("3.8", 8, 24),
            ("3.9", 2, 10),
            ("4", 20, 20),
            ("5", 5, 10),
            ("7", 11, 22),
            ("C", 6, 6),
            ("D", 66, 66),
        ],
    ),
    (
        "bearssl",
        &[
            ("Hash", 4, 16),
            ("AES-128", 18, 57),
            ("AES-256", 18, 57),
            ("3DES", 5, 20),
            ("MAC", 9, 29),
            ("EC", 14, 56),
            ("RSA", 8, 28),
            // The document has no such table.
            ("Size", 5, 0),
        ],
    ),
    (
        "x509",
        &[
            ("ECDSA P-256", 15, 120),
            ("Ed25519", 15, 120),
            ("ML-DSA-44", 15, 120),
            ("ML-DSA-65", 15, 120),
            ("RSA-2048", 15, 120),
            ("RSA-3072", 15, 120),
            ("RSA-4096", 15, 120),
            ("Backends", 38, 76),
            ("Algorithms", 10, 60),
            ("Migration", 25, 50),
        ],
    ),
    (
        "kctsb",
        &[
            ("3.1", 4, 8),
            ("3.2", 4, 8),
            ("3.3", 6, 12),
            ("4", 5, 10),
            ("5.1", 3, 6),
            ("5.2", 4, 8),
            ("5.3", 1, 2),
            ("6", 4, 8),
            ("7.1", 2, 4),
            ("7.2", 2, 4),
            ("7.3", 2, 4),
            ("8", 3, 5),
        ],
    ),
    (
        "curve25519",
        &[
            ("Ed25519/1", 3, 3),
            ("Ed25519/2", 6, 18),
            ("Ed25519/3", 6, 18),
            ("Ed25519/4", 5, 15),
            ("X25519/1", 3, 3),
            ("X25519/2", 3, 6),
            ("X25519/3", 2, 2),
            ("X25519/4", 5, 10),
            ("Field/1", 5, 10),
            ("Field/2", 3, 6),
            ("Field/3", 3, 6),
            ("Points/1", 4, 8),
            ("Points/2", 2, 4),
            ("Points/3", 7, 21),
            ("Points/4", 1, 2),
            ("Memory/1", 4, 8),
            // And one that the document lacks.
            ("Memory/2", 3, 4),
            ("Compilation/1", 3, 6),
            ("Compilation/2", 3, 6),
            ("Platforms/1", 3, 6),
            ("Platforms/2", 3, 6),
            ("Optimization/1", 4, 12),
            ("Optimization/2", 5, 15),
        ],
    ),
];

#[test]
fn no_row_of_the_documents_is_forgotten() {
    let found: Vec<_> = ALL.iter().map(|suite| suite.name).collect();
    let counted: Vec<_> = COUNTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(found, counted);
    for (name, tables) in COUNTS {
        let figures = |table: &Table| {
            let cells = table.lines.iter().flat_map(|line| &line.cells);
            cells.filter(|cell| cell.quote.is_some()).count()
        };
        let suite = find(name).unwrap();
        let found: Vec<_> = suite
            .tables
            .iter()
            .map(|t| (t.section.as_str(), t.lines.len(), figures(t)))
            .collect();
        assert_eq!(&found, tables, "{name}");
    }
}

/// The number that a figure of a document stands for; `1/2` is one too.
fn value(figure: &str) -> Option<f64> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|x| x.is_finite());
    match figure.strip_prefix("1/") {
        Some(below) => number(below).map(f64::recip),
        None => number(figure),
    }
}

#[test]
fn suites_say_where_they_are_from() {
    for suite in ALL.iter() {
        assert!(!suite.document.is_empty() && !suite.machine.is_empty() && !suite.date.is_empty());
        for table in &suite.tables {
            assert!(!table.labels.is_empty() && !table.columns.is_empty());
            for line in &table.lines {
                assert_eq!(line.cells.len(), table.columns.len());
                for quote in line.cells.iter().flat_map(|cell| &cell.quote) {
                    assert!(value(quote).unwrap() > 0.0, "{quote}");
                }
            }
        }
    }
}

#[test]
fn figures_are_numbers() {
    let head = "table 1: T\nlabels A\nunit ns\nvalues : C = a/b\n";
    for (figure, number) in [("4", 4.0), ("0.5", 0.5), ("1/4", 0.25)] {
        assert!(parse::suite("s", &format!("{head}A | {figure}\n")).is_ok());
        assert_eq!(value(figure), Some(number));
    }
    for figure in ["nan", "inf", "1e3", "-1", "x"] {
        assert!(parse::suite("s", &format!("{head}A | {figure}\n")).is_err());
    }
}

#[test]
fn every_row_is_measured_or_absent() {
    let registry = registry();
    for suite in ALL.iter() {
        let planned: HashSet<_> = plan(&[suite], &registry)
            .iter()
            .map(|row| (row.op.name().to_owned(), row.size.bytes, row.size.batch))
            .collect();
        let missing = absent(suite, &registry);
        for table in &suite.tables {
            for line in &table.lines {
                let told = |lacks: &State| {
                    let mut of_kind = missing.iter().filter(|absent| absent.state == *lacks);
                    of_kind.any(|absent| absent.rows.contains(&table.section))
                };
                for cell in &line.cells {
                    let found = state(&cell.target, &registry);
                    assert!(found.iter().all(told), "{found:?}");
                    match &cell.target {
                        _ if matches!(found, Some(State::Missing(_) | State::Feature(_))) => {}
                        Target::Operations(operations) => {
                            for op in operations {
                                let key = (op.op.clone(), op.size.bytes, op.size.batch);
                                assert!(planned.contains(&key), "{op:?}");
                            }
                        }
                        Target::Stage(stage, _, batch) => {
                            assert!(adamant_pipeline::stages().any(|(known, _)| known == stage));
                            assert!(stages(&[suite]).1.contains(batch));
                        }
                        Target::Emulated(_, machine) => assert!(!machine.is_empty()),
                        Target::Footprint(name) => {
                            assert!(crate::footprint::names().any(|known| known == *name));
                        }
                        Target::NoMachine(reason) => assert!(!reason.is_empty()),
                    }
                }
            }
        }
    }
}

#[test]
fn operations_that_exist_have_the_sizes_that_they_take() {
    let registry = registry();
    for suite in ALL.iter() {
        for row in plan(&[suite], &registry) {
            let name = row.op.name();
            assert_eq!(
                row.op.length() == Length::None,
                row.size.bytes == 0,
                "{}: {name}",
                suite.name
            );
            assert_eq!(row.op.is_batch(), row.size.batch > 1, "{name}");
            let inputs = row.op.inputs(row.size);
            if row.size.bytes <= 8192 && row.size.batch <= 8 {
                row.op.prepare(row.size, &inputs, row.forced).unwrap();
            }
        }
    }
}

#[test]
fn what_a_feature_builds_is_known() {
    let features = ["@tab_none", "@generic9", "@bignum9", "@x86_none", "8192"].map(|key| {
        let head = "table 1: T\nlabels A\nunit ns\nvalues : C = sha256/digest {1}\n";
        let suite = parse::suite("s", &format!("{head}{key} | 1\n")).unwrap();
        state(&suite.tables[0].lines[0].cells[0].target, &registry())
    });
    let feature = |name: &str| Some(State::Feature(name.into()));
    let missing = State::Missing("no implementation x86_none of sha256/digest".into());
    assert_eq!(
        features[..3],
        ["table-ciphers", "generic", "generic"].map(feature)
    );
    assert_eq!(features[3..], [Some(missing), None]);
    let absent = absent(find("bearssl").unwrap(), &registry());
    let missing: Vec<_> = absent
        .iter()
        .filter(|rows| matches!(rows.state, State::Missing(_)))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn kinds_are_told_apart() {
    let registry = registry();
    let count = |name: &str, state: State| {
        let absent = absent(find(name).unwrap(), &registry);
        let found = absent.iter().filter(|rows| rows.state == state);
        found.map(|rows| rows.rows.len()).sum::<usize>()
    };
    assert_eq!(count("openhitls", State::Modelled), 1);
    assert_eq!(count("curve25519", State::Modelled), 17);
    let elsewhere = |machine: &str| State::Quoted(machine.into());
    assert_eq!(count("curve25519", elsewhere("Apple M1")), 3);
    // Every row of the tables of operations, of which none is measured on that machine.
    assert_eq!(count("bearssl", elsewhere("POWER8")), 76);
    // Those on tables need a feature to be counted.
    let on_tables = count("bearssl", State::Feature("table-ciphers".into()));
    assert_eq!(count("bearssl", State::Emulated) + on_tables, 52);
    for suite in ALL.iter() {
        let absent = absent(suite, &registry);
        let missing = |rows: &choose::Absent| matches!(rows.state, State::Missing(_));
        assert!(!absent.iter().any(missing), "{}", suite.name);
    }
}

/// A row may be quoted for a machine that is elsewhere, or for what nothing measures, if the document's
/// head says so.
#[test]
fn what_could_be_measured_is_not_quoted() {
    let head = "elsewhere POWER8 | no library has it\ntable 1: T\nlabels Algorithm\nunit ns\n\
                values : C = {1}\n";
    let absent = |row: &str| {
        let suite = parse::suite("s", &format!("{head}{row} | 1\n")).unwrap();
        let absent = absent(&suite, &registry());
        let lines = absent.iter().map(ToString::to_string);
        lines.collect::<Vec<_>>()
    };
    for (row, expected) in [
        ("Ed25519 Sign <ed25519/sign 32>", &[][..]),
        (
            "Ed25519 Sign <- POWER8>",
            &["s: quoted: POWER8: 1 row of 1"],
        ),
        (
            "Brewing tea <- no library has it>",
            &["s: quoted: no library has it: 1 row of 1"],
        ),
        (
            "Tea <- no library has it>",
            &["s: quoted: no library has it: 1 row of 1"],
        ),
    ] {
        assert_eq!(absent(row), expected, "{row}");
    }
    for name in [
        "Ed25519 Sign",
        "Whirlpool Digest",
        "SHA-256",
        "Argon2id",
        "Tea",
    ] {
        let needless = format!("s: {name} is quoted, not for a machine elsewhere: 1 row of 1");
        assert_eq!(
            absent(&format!("{name} <- nobody tried>")),
            [needless],
            "{name}"
        );
    }
}

/// Beside a figure that is measured, another is quoted for a machine that is elsewhere, or not at all.
#[test]
fn part_of_a_row_is_not_quoted_needlessly() {
    let head = "elsewhere POWER8\ntable 1: T\nlabels Algorithm\nunit ns\n\
                values A: C = {1}\nvalues Verify: C = {1}\n";
    let missing = |row: &str| {
        let suite = parse::suite("s", &format!("{head}{row}\n")).unwrap();
        let absent = absent(&suite, &registry());
        let missing = |absent: &&choose::Absent| matches!(absent.state, State::Missing(_));
        absent.iter().filter(missing).count()
    };
    for (row, expected) in [
        ("Signing <ed25519/sign 32; - nobody tried> | 1 | 2", 1),
        ("Signing <ed25519/sign 32; - POWER8> | 1 | 2", 0),
        ("Signing <ed25519/sign 32; - it is the same> | 1 | -", 0),
        ("Ed25519 <- POWER8; - nobody tried> | 1 | 2", 1),
    ] {
        assert_eq!(missing(row), expected, "{row}");
    }
    for machines in ["", "POWER8 | ", " | POWER8"] {
        let text = format!("elsewhere {machines}\n");
        assert_eq!(parse::suite("s", &text).unwrap_err().0, 1, "{machines:?}");
    }
}

#[test]
fn stages_of_the_pipeline_are_chosen() {
    let (algorithms, sizes) = stages(&[find("x509").unwrap()]);
    assert_eq!(sizes, [64, 1024]);
    assert!(algorithms.iter().any(|a| a.name() == "ecdsa-p256"));
    assert!(stages(&[find("kctsb").unwrap()]).1.is_empty());
    // Patterns fit algorithms, operations, or nothing.
    let suites = [find("x509").unwrap(), find("kctsb").unwrap()];
    let registry = registry();
    let (rsa, sha) = (["RSA-*".to_owned()], ["sha256/*".to_owned()]);
    let of = |patterns: &[String]| {
        let chosen = chosen(&suites, patterns).unwrap();
        let suites: Vec<_> = chosen.iter().collect();
        let (algorithms, _) = stages(&suites);
        let names: Vec<_> = algorithms.iter().map(|a| a.name()).collect();
        (names, plan(&suites, &registry).len())
    };
    assert_eq!(of(&rsa), (vec!["rsa-2048", "rsa-3072", "rsa-4096"], 0));
    assert_eq!(of(&sha), (vec![], 1));
    assert!(chosen(&suites, &["rot13".into()]).is_err());
}

#[test]
fn patterns_choose_rows_and_columns() {
    let shape = |name: &str, patterns: &[&str]| {
        let patterns: Vec<_> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let suites = chosen(&[find(name).unwrap()], &patterns)?;
        let tables = suites[0].tables.iter().map(|table| {
            let columns = table.columns.iter().map(|column| column.name.as_str());
            let columns: Vec<_> = columns.collect();
            for line in &table.lines {
                assert_eq!(line.cells.len(), table.columns.len());
            }
            (table.section.clone(), table.lines.len(), columns.join(", "))
        });
        Ok::<_, adamant_tool::select::Unmatched>(tables.collect::<Vec<_>>())
    };
    let table = |section: &str, lines, columns: &str| (section.into(), lines, columns.into());
    // A name, in one of two groups.
    let cbc = shape("openhitls", &["AES-128-CBC/decrypt"]).unwrap();
    assert_eq!(cbc[0], table("3.2", 1, "C, Rust"));
    // Sizes of messages and of batches.
    let found = shape("kctsb", &["aes-*", "16384"]).unwrap();
    assert_eq!(found, [table("3.3", 1, "kctsb GCM, OpenSSL GCM")]);
    let found = shape("curve25519", &["32", "ed25519/verify_batch"]).unwrap();
    assert_eq!(found[0].0, "Ed25519/4");
    let found = shape("x509", &["64", "ed25519"]).unwrap();
    assert_eq!(found, [table("Ed25519", 15, "time, rate, time, rate")]);
    // Columns; those that have nothing of it are left out.
    let found = shape("bearssl", &["sha256/*", "AMD64"]).unwrap();
    assert_eq!(found, [table("Hash", 1, "BearSSL")]);
    let found = shape("bearssl", &["sha256/digest"]).unwrap();
    assert_eq!(found, [table("Hash", 1, "BearSSL, BearSSL")]);
    let found = shape("kctsb", &["openssl"]).unwrap();
    assert_eq!((found.len(), &found[0]), (11, &table("3.1", 4, "OpenSSL")));
    assert_eq!(shape("kctsb", &[]).unwrap().len(), 12);
    // What is only quoted is in the rows that are asked for, if it is asked for itself.
    let found = shape("bearssl", &["pwr8", "sha256/digest"]).unwrap();
    assert_eq!(found, [table("Hash", 1, "BearSSL")]);
    let found = shape("bearssl", &["pwr8", "amd64*", "aes-128-cbc/encrypt"]).unwrap();
    assert!(found[0].2.split(", ").count() > 1, "{found:?}");
    // What is done one by one is of so many items.
    let found = shape("curve25519", &["64", "ed25519/verify*"]).unwrap();
    let batches = table("Ed25519/4", 1, "gcrypt, gcrypt, dalek batch");
    assert_eq!(found.last(), Some(&batches));
    let found = shape("curve25519", &["4", "one by one"]).unwrap();
    assert_eq!(found[0], table("Field/3", 3, "gcrypt Serial 4x"));
    // Sizes are those that a row states, and titles those that there are.
    for none in ["", "0", "1"] {
        for name in NAMES {
            let why = shape(name, &[none]).unwrap_err().to_string();
            assert!(
                why.starts_with(&format!("nothing matches {none:?}")),
                "{why}"
            );
        }
    }
    let near = shape("bearssl", &["pwr9"]).unwrap_err().near;
    assert!(near.contains(&"pwr8".to_owned()), "{near:?}");
    assert_eq!(near.len(), distinct(near.iter()).len());
    let told = |patterns: &[&str]| shape("kctsb", patterns).unwrap_err().to_string();
    assert!(told(&["sha256/*", "77"]).starts_with("nothing matches \"77\""));
    assert_eq!(told(&["sm3/*", "16384"]), "nothing matches \"sm3/* 16384\"");
}

#[test]
fn forced_implementations_are_planned() {
    let registry = registry();
    let rows = plan(&[find("bearssl").unwrap()], &registry);
    let sha256 = rows.iter().find(|row| row.op.name() == "sha256/digest");
    assert_eq!(sha256.unwrap().forced, Some("portable"));
}
