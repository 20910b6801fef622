//! The files against the documents and the registry.

use std::collections::HashSet;

use adamant_ops::{Length, registry};

use super::choose::{Lack, Stages, absent, end, plan, present, stages};
use super::parse::value;
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
    let found: Vec<_> = all().iter().map(|suite| suite.name).collect();
    let counted: Vec<_> = COUNTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(found, counted);
    for (name, tables) in COUNTS {
        let figures = |table: &Table| {
            let cells = table.lines.iter().flat_map(|line| &line.cells);
            cells.flat_map(|cell| &cell.quotes).flatten().count()
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

#[test]
fn suites_say_where_they_are_from() {
    for suite in all() {
        assert!(!suite.document.is_empty() && !suite.machine.is_empty() && !suite.date.is_empty());
        for table in &suite.tables {
            assert!(!table.labels.is_empty() && !table.groups.is_empty());
            for line in &table.lines {
                for (cell, group) in line.cells.iter().zip(&table.groups) {
                    assert_eq!(cell.quotes.len(), group.columns.len());
                    for quote in cell.quotes.iter().flatten() {
                        assert!(value(quote).unwrap() > 0.0, "{quote}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_row_is_measured_or_absent() {
    let registry = registry();
    for suite in all() {
        let planned: HashSet<_> = plan(&[suite], &registry, &[])
            .unwrap()
            .iter()
            .map(|row| (row.op.name().to_owned(), row.size.bytes, row.size.batch))
            .collect();
        let missing = absent(suite, &registry);
        for table in &suite.tables {
            for line in &table.lines {
                let told = |lacks: &Lack| {
                    missing.iter().any(|row| {
                        row.row == line.labels.join(", ")
                            && row.lacks == *lacks
                            && row.table.starts_with(&table.section)
                    })
                };
                for cell in &line.cells {
                    match (present(&cell.target, &registry), &cell.target) {
                        (Err(lacks), _) => assert!(told(&lacks), "{lacks}"),
                        (Ok(()), Target::Operations(operations)) => {
                            for op in operations {
                                let key = (op.op.clone(), op.bytes, op.batch);
                                assert!(planned.contains(&key), "{op}");
                            }
                        }
                        (Ok(()), Target::Stage { batch, .. }) => {
                            assert!(stages(&[suite], &[]).sizes.contains(batch));
                        }
                        (Ok(()), Target::Emulated { machine, .. }) => assert!(!machine.is_empty()),
                        (Ok(()), Target::Footprint(name)) => assert!(!name.is_empty()),
                        (Ok(()), Target::NoMachine(reason)) => assert!(!reason.is_empty()),
                    }
                }
            }
        }
    }
}

#[test]
fn operations_that_exist_have_the_sizes_that_they_take() {
    let registry = registry();
    for suite in all() {
        for row in plan(&[suite], &registry, &[]).unwrap() {
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
    let absent = absent(find("bearssl").unwrap(), &registry());
    let missing: Vec<_> = absent
        .iter()
        .filter(|row| !matches!(row.lacks, Lack::Feature(_)))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn stages_of_the_pipeline_are_chosen() {
    let x509 = stages(&[find("x509").unwrap()], &[]);
    assert_eq!(x509.sizes, [64, 1024]);
    assert!(x509.algorithms.iter().any(|a| a.name() == "ecdsa-p256"));
    assert!(stages(&[find("kctsb").unwrap()], &[]).sizes.is_empty());
    // Patterns fit algorithms, operations, or nothing.
    let suites = [find("x509").unwrap(), find("kctsb").unwrap()];
    let registry = registry();
    let (rsa, sha) = (["RSA-*".to_owned()], ["sha256/*".to_owned()]);
    let names = |found: Stages| -> Vec<_> { found.algorithms.iter().map(|a| a.name()).collect() };
    assert_eq!(
        names(stages(&suites, &rsa)),
        ["rsa-2048", "rsa-3072", "rsa-4096"]
    );
    assert!(plan(&suites, &registry, &rsa).unwrap().is_empty());
    assert!(names(stages(&suites, &sha)).is_empty());
    assert_eq!(plan(&suites, &registry, &sha).unwrap().len(), 1);
    assert!(plan(&suites, &registry, &["rot13".into()]).is_err());
}

#[test]
fn tables_end_with_their_rows() {
    let registry = registry();
    for suite in all() {
        let rows = plan(&[suite], &registry, &[]).unwrap();
        let mut last = 0;
        for table in &suite.tables {
            if let Some(end) = end(table, &rows, &registry) {
                assert!(
                    end >= 1 && end <= rows.len(),
                    "{} {}",
                    suite.name,
                    table.title
                );
                last = last.max(end);
            }
        }
        // A document of operations ends with its last table.
        if suite.name == "kctsb" {
            assert_eq!(last, rows.len());
        }
    }
    // Without its rows, a table waits for nothing.
    let kctsb = find("kctsb").unwrap();
    assert!(
        kctsb
            .tables
            .iter()
            .all(|table| end(table, &[], &registry).is_none())
    );
}

#[test]
fn forced_implementations_are_planned() {
    let registry = registry();
    let rows = plan(&[find("bearssl").unwrap()], &registry, &[]).unwrap();
    let sha256 = rows.iter().find(|row| row.op.name() == "sha256/digest");
    assert_eq!(sha256.unwrap().forced, Some("portable"));
}
