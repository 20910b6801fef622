use adamant_pipeline::Keys;

use super::*;
use crate::results::{Footprint, Row, samples};
use crate::suites::find;

fn of_rows(rows: &[Row]) -> Figures<'_> {
    Figures {
        rows,
        ..Figures::default()
    }
}

fn row(op: &str, bytes: usize, ns: f64, ratio: f64) -> Row {
    let mut row = samples::row(op, bytes, Some(ratio));
    row.ours_ns = ns;
    let against = row.against.as_mut().unwrap();
    against.theirs_ns = ns * ratio;
    row
}

#[test]
fn ours_stands_beside_the_quotation() {
    let rows = [row("sha256/digest", 8192, 4096.0, 2.0)];
    let grids = grids(find("openhitls").unwrap(), of_rows(&rows));
    let hashes = &grids[0];
    assert_eq!(hashes.title, "3.1 Hash functions, 8 KB");
    let kinds: Vec<_> = hashes.columns.iter().map(|c| c.kind).collect();
    use Kind::{Label, Ours, Quote, Ratio, Rival};
    assert_eq!(kinds, [Label, Quote, Quote, Ours, Rival, Ratio]);
    let texts = hashes.texts();
    let ratio = "2.00× (1.96 – 2.06)";
    assert_eq!(
        texts[0],
        ["SHA-256", "571.7", "424.1", "2000", "1000", ratio]
    );
    assert_eq!(texts[1][3], "not measured");
}

#[test]
fn every_row_is_shown() {
    for suite in crate::suites::ALL.iter() {
        let lines = suite.tables.iter().map(|table| table.lines.len());
        let grids = grids(suite, Figures::default());
        assert!(grids.iter().map(|grid| grid.rows.len()).eq(lines));
        for grid in grids {
            assert!(grid.rows.iter().all(|row| row.len() == grid.columns.len()));
        }
    }
}

#[test]
fn footprints_are_asked_for() {
    let suite = find("curve25519").unwrap();
    let memory = |footprints: &[Footprint]| {
        let figures = Figures {
            footprints,
            ..Figures::default()
        };
        let mut grids = grids(suite, figures);
        grids.retain(|grid| grid.title.starts_with("Memory/1"));
        grids[0].rows[..2]
            .iter()
            .map(|row| row[3..].iter().map(|field| field.text.clone()).collect())
            .collect::<Vec<Vec<String>>>()
    };
    assert_eq!(memory(&[]), [["needs --footprint"], ["needs --footprint"]]);
    let of = |library: &str, value| Footprint {
        name: "heap/sign".into(),
        library: library.into(),
        value,
        kept: None,
    };
    let rows = memory(&[of("adamant", 0.0), of("other", 64.0)]);
    assert_eq!(rows[0], ["0", "64.0", "none"]);
    assert_eq!(rows[1], ["not measurable here", "", ""]);
}

#[test]
fn kept_figures_say_so() {
    let built = |library: &str, kept: Option<&str>| Footprint {
        name: "build/debug".into(),
        library: library.into(),
        value: 2e9,
        kept: kept.map(str::to_owned),
    };
    let notes = |ours| {
        let footprints = [
            built("adamant", ours),
            built("x", Some("2026-01-02 03:04 UTC")),
        ];
        let figures = Figures {
            footprints: &footprints,
            ..Figures::default()
        };
        let mut grids = grids(find("curve25519").unwrap(), figures);
        grids.retain(|grid| grid.title.starts_with("Compilation/1"));
        grids.remove(0).notes
    };
    let since = "Debug build: kept from earlier runs, as nothing has changed since: ";
    let theirs = format!("{since}x of 2026-01-02 03:04 UTC.");
    assert_eq!(notes(None)[0], theirs);
    let both = format!("{since}adamant of 2026-01-01 00:00 UTC, x of 2026-01-02 03:04 UTC.");
    assert_eq!(notes(Some("2026-01-01 00:00 UTC"))[0], both);
}

#[test]
fn what_is_wrong_has_no_figure() {
    let mut rows = [row("sha256/digest", 8192, 4096.0, 2.0)];
    // Marks of a sentence in what engines say, and in their names, mark nobody.
    rows[0].note = Some("other: it ended; x: its output is wrong and it is not timed: y".into());
    rows[0].wrong.push(samples::wrong());
    let grids = grids(find("openhitls").unwrap(), of_rows(&rows));
    let hashes = &grids[0];
    let names = hashes.columns.iter().map(|column| column.name.as_str());
    let place = names.clone().position(|name| name == "wro: ng").unwrap();
    assert!(!names.clone().any(|name| name == "other" || name == "x"));
    assert_eq!(hashes.texts()[0][place], "wrong");
    assert!(
        hashes
            .notes
            .iter()
            .any(|note| note.ends_with(": wro: ng is wrong: item 0; other: it ended."))
    );
}

#[test]
fn what_is_not_in_this_build_says_so() {
    let grids = grids(find("bearssl").unwrap(), Figures::default());
    let grid = grids.iter().find(|g| g.title.starts_with("3DES ")).unwrap();
    let row = &grid.texts()[0];
    let expected = match state(&table_row(), &adamant_ops::registry()) {
        None => "not measured",
        _ => "needs a build with --features table-ciphers",
    };
    assert_eq!(row[..4], ["3DES CBC encrypt", "tab", "20.25", expected]);
}

fn table_row() -> Target {
    find("bearssl").unwrap().tables[3].lines[0].cells[0]
        .target
        .clone()
}

#[test]
fn the_handshake_is_estimated() {
    let rows = [
        row("ecdh-p256/derive", 0, 30_000.0, 1.0),
        row("ecdsa-p256/verify", 32, 50_000.0, 1.5),
        row("ecdsa-p256/sign", 32, 20_000.0, 2.0),
    ];
    let grids = grids(find("openhitls").unwrap(), of_rows(&rows));
    let grid = grids.iter().find(|g| g.title.starts_with("5 ")).unwrap();
    let texts = grid.texts();
    let row = texts
        .iter()
        .find(|r| r[0].starts_with("Estimated"))
        .unwrap();
    assert_eq!(row[1..], ["3.8", "0.21", "0.100", "0.145", "1.45×"]);
    assert!(grid.notes.iter().any(|note| note.contains("an estimate")));
}

#[test]
fn groups_of_one_target_share_our_figures() {
    let rows: Vec<_> = ["cert_gen", "ocsp_sign"]
        .map(|stage| samples::pipeline_row(stage, 64))
        .map(|mut row| {
            row.keys = Keys::Beforehand;
            row
        })
        .into();
    let figures = Figures {
        pipeline: &rows,
        ..Figures::default()
    };
    let grids = grids(find("x509").unwrap(), figures);
    let grid = &grids[0];
    let ours = grid.columns.iter().filter(|c| c.kind == Kind::Ours);
    let ours: Vec<_> = ours.map(|c| (c.group.as_str(), c.unit.as_str())).collect();
    let (small, large) = ("OpenSSL, batch of 64", "OpenSSL, batch of 1024");
    assert_eq!(
        ours,
        [(small, "ms"), (small, "K/s"), (large, "ms"), (large, "K/s")]
    );
    let texts = grid.texts();
    assert_eq!(
        texts[1][..6],
        [
            "cert_gen",
            "Rayon parallel",
            "0.51",
            "124.4",
            "2.50",
            "25.6"
        ]
    );
}
