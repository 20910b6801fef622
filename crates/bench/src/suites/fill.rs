//! Measured figures for the cells of a suite.

use std::collections::HashSet;

use adamant_ops::Size;
use adamant_pipeline::Keys;
use adamant_pipeline::store::Synchronous;
use adamant_tool::select::matches;

use super::{Operation, Target};
use crate::footprint::OURS;
use crate::results::{Figures, Row, Stage, Wrong};
use crate::stats::ascending;

/// What a run says of a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured<'a> {
    /// Ours: nanoseconds for one item, or bytes of memory or of a file.
    pub ours: f64,
    /// Bytes of an item, and items of the batch.
    pub size: Size,
    /// The rivals, fastest first.
    pub rivals: Vec<Rival<'a>>,
    /// Those whose output is wrong, which have no figure.
    pub wrong: Vec<&'a Wrong>,
}

/// A rival's figure for a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rival<'a> {
    /// Its name.
    pub engine: &'a str,
    /// Its figure, as ours is.
    pub theirs: f64,
    /// Its figure by ours: above 1, ours is faster or smaller.
    pub ratio: f64,
    /// The 95 % interval of the ratio; `None` where the two were not measured in the same rounds.
    pub interval: Option<[f64; 2]>,
}

impl<'a> Measured<'a> {
    /// Ours and the others', of each the best form.
    fn new(ours: f64, size: Size, rivals: impl Iterator<Item = Rival<'a>>) -> Self {
        let mut rivals = ascending(&Vec::from_iter(rivals), |rival| rival.ratio);
        let mut known = HashSet::new();
        rivals.retain(|rival| known.insert(rival.engine));
        Measured {
            ours,
            size,
            rivals,
            wrong: Vec::new(),
        }
    }
}

/// What was measured of a target; `None` where nothing was.
///
/// A batch is compared with the best of a rival's forms, its single calls or its batch. A stage is
/// measured as the document did: RSA keys are made while the clock runs, others before it; the database
/// does not wait for the disk.
pub(crate) fn measured<'a>(target: &Target, figures: Figures<'a>) -> Option<Measured<'a>> {
    match target {
        Target::NoMachine(_) | Target::Emulated(..) => None,
        Target::Operations(parts) => {
            let parts = parts.iter().map(|part| single(part, figures.rows));
            parts.collect::<Option<Vec<_>>>()?.into_iter().reduce(sum)
        }
        Target::Stage(stage, algo, batch) => {
            let is_counted = algo.name().starts_with("rsa") && stage == "cert_gen";
            let keys = if is_counted {
                Keys::Counted
            } else {
                Keys::Beforehand
            };
            let rows = figures.pipeline.iter().filter(|row| {
                (&row.stage, &*row.algo, row.batch) == (stage, algo.name(), *batch)
                    && (row.keys, row.synchronous) == (keys, Synchronous::Normal)
            });
            // Of the CA's certificate and of the list there is one in a batch.
            let items = |row: &Stage| (row.ms * row.items_per_s / 1e3).round().max(1.0) as usize;
            let batch = rows.clone().next().map_or(1, items);
            let values = rows.map(|row| (row.provider.as_str(), 1e9 / row.items_per_s));
            beside(values, batch)
        }
        Target::Footprint(name) => {
            let found = { figures.footprints.iter() }.filter(|found| found.name == *name);
            beside(found.map(|found| (found.library.as_str(), found.value)), 1)
        }
    }
}

fn single<'a>(operation: &Operation, rows: &'a [Row]) -> Option<Measured<'a>> {
    let Operation { op, size, .. } = operation;
    let fits = |row: &&Row| {
        (&row.op, row.bytes, row.batch) == (op, size.bytes, size.batch)
            && match &operation.implementation {
                Some(pattern) => matches(pattern, &row.backend),
                None => !row.forced,
            }
    };
    let first = rows.iter().find(fits)?;
    let same = rows.iter().filter(|row| row.is_same(first));
    let against = same.clone().filter_map(|row| row.against.as_ref());
    let rivals = against.map(|against| Rival {
        engine: &against.engine,
        theirs: against.theirs_ns,
        ratio: against.ratio,
        interval: Some([against.ratio_low, against.ratio_high]),
    });
    let mut found = Measured::new(first.ours_ns, *size, rivals);
    found.wrong = same.flat_map(|row| &row.wrong).collect();
    Some(found)
}

/// The sum of two operations, and of those rivals that have both. Theirs is ours times the ratios,
/// part by part: a ratio is of one moment, while times of two moments differ by the clock.
fn sum<'a>(one: Measured<'a>, other: Measured<'a>) -> Measured<'a> {
    let ours = one.ours + other.ours;
    let rivals = one.rivals.iter().filter_map(|rival| {
        let same = other.rivals.iter().find(|r| r.engine == rival.engine)?;
        let theirs = one.ours * rival.ratio + other.ours * same.ratio;
        Some(apart(ours, (rival.engine, theirs)))
    });
    let mut sum = Measured::new(ours, Size { bytes: 0, batch: 1 }, rivals);
    sum.wrong = [one.wrong, other.wrong].concat();
    sum
}

/// Ours among values of several libraries, and the others beside it.
fn beside<'a>(values: impl Iterator<Item = (&'a str, f64)>, batch: usize) -> Option<Measured<'a>> {
    let (ours, others): (Vec<_>, Vec<_>) = values.partition(|(library, _)| *library == OURS);
    let (_, ours) = *ours.first()?;
    let rivals = others.into_iter().map(|value| apart(ours, value));
    Some(Measured::new(ours, Size { bytes: 0, batch }, rivals))
}

/// A value that was not measured in the same rounds as ours.
fn apart(ours: f64, (engine, theirs): (&str, f64)) -> Rival<'_> {
    Rival {
        engine,
        theirs,
        // Nothing beside nothing is even.
        ratio: if theirs == ours { 1.0 } else { theirs / ours },
        interval: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::unit::of;
    use super::*;
    use crate::results::{Footprint, samples};

    fn operation(op: &str, bytes: usize, batch: usize) -> Operation {
        Operation {
            op: op.into(),
            size: Size { bytes, batch },
            implementation: None,
        }
    }

    fn row(op: &str, ours: f64, engine: &str, ratio: f64) -> Row {
        let mut row = samples::row(op, 32, Some(ratio));
        row.ours_ns = ours;
        let against = row.against.as_mut().unwrap();
        against.engine = engine.into();
        against.theirs_ns = ours * ratio;
        row
    }

    fn of_rows<'a>(target: &Target, rows: &'a [Row]) -> Option<Measured<'a>> {
        let figures = Figures {
            rows,
            ..Figures::default()
        };
        measured(target, figures)
    }

    #[test]
    fn operations_find_their_rows() {
        let mut forced = row("a/b", 900.0, "x", 1.0);
        forced.forced = true;
        forced.backend = "portable32".into();
        let rows = [
            forced,
            row("a/b", 100.0, "x", 3.0),
            row("a/b", 100.0, "y", 2.0),
        ];
        let mut wanted = operation("a/b", 32, 1);
        let target = |op: &Operation| Target::Operations(vec![op.clone()]);
        let found = of_rows(&target(&wanted), &rows).unwrap();
        assert_eq!((found.ours, found.rivals[0].engine), (100.0, "y"));
        assert_eq!(found.rivals.len(), 2);
        assert_eq!(of("MB/s", found.ours, found.size), Some(320.0));
        wanted.implementation = Some("portable3?".into());
        let found = of_rows(&target(&wanted), &rows).unwrap();
        assert_eq!(found.ours, 900.0);
        assert_eq!(found.rivals.len(), 1);
        wanted.size.bytes = 64;
        assert_eq!(of_rows(&target(&wanted), &rows), None);
    }

    #[test]
    fn a_batch_stands_beside_the_better_form() {
        let mut rows = [
            row("a/b_batch", 100.0, "x", 3.0),
            row("a/b_batch", 100.0, "x", 2.0),
        ];
        for (row, theirs) in rows.iter_mut().zip([1, 64]) {
            row.batch = 64;
            row.against.as_mut().unwrap().theirs_batch = theirs;
        }
        let target = Target::Operations(vec![operation("a/b_batch", 32, 64)]);
        let found = of_rows(&target, &rows).unwrap();
        assert_eq!(found.rivals.len(), 1);
        assert_eq!(found.rivals[0].ratio, 2.0);
        assert_eq!(of("ns", found.ours, found.size), Some(6400.0));
    }

    #[test]
    fn a_handshake_is_the_sum_of_its_operations() {
        let rows = [
            row("a/b", 100.0, "x", 2.0),
            row("a/b", 100.0, "y", 3.0),
            row("c/d", 300.0, "x", 4.0),
        ];
        let parts = vec![operation("a/b", 32, 1), operation("c/d", 32, 1)];
        let found = of_rows(&Target::Operations(parts.clone()), &rows).unwrap();
        assert_eq!(found.ours, 400.0);
        let rivals: Vec<_> = found.rivals.iter().map(|r| (r.engine, r.ratio)).collect();
        assert_eq!(rivals, [("x", 3.5)]);
        assert_eq!(of("ms", found.ours, found.size), Some(0.0004));
        // Who is wrong in a part is wrong in the whole.
        let mut broken = rows.clone();
        broken[2] = samples::row("c/d", 32, None);
        broken[2].wrong.push(samples::wrong());
        let target = Target::Operations(parts.clone());
        let found = of_rows(&target, &broken).unwrap();
        assert_eq!(
            (found.rivals.len(), found.wrong[0].why.as_str()),
            (0, "item 0; other: it ended")
        );
        assert_eq!(of_rows(&Target::Operations(parts), &rows[..2]), None);
    }

    #[test]
    fn footprints_stand_beside_each_other() {
        let footprint = |library: &str, value| Footprint {
            name: "heap/sign".into(),
            library: library.into(),
            value,
            kept: None,
        };
        let target = Target::Footprint("heap/sign".into());
        let found = [footprint("x", 256.0), footprint(OURS, 128.0)];
        let taken = |footprints| {
            let figures = Figures {
                footprints,
                ..Figures::default()
            };
            measured(&target, figures)
        };
        let bytes = taken(&found[..]).unwrap();
        assert_eq!(of("KB", bytes.ours, bytes.size), Some(0.128));
        assert_eq!((bytes.rivals[0].engine, bytes.rivals[0].ratio), ("x", 2.0));
        assert_eq!(of("µs", bytes.ours, bytes.size), Some(0.128));
        assert_eq!(taken(&found[..1]), None);
        let none = [footprint("x", 0.0), footprint(OURS, 0.0)];
        assert_eq!(taken(&none).unwrap().rivals[0].ratio, 1.0);
    }

    #[test]
    fn stages_are_the_documents() {
        let stage = |algo: &str| Target::Stage("cert_gen".into(), algo.parse().unwrap(), 64);
        let mut rows = Vec::new();
        for (keys, algo, ms) in [
            (Keys::Counted, "ecdsa-p256", 4.0),
            (Keys::Beforehand, "ecdsa-p256", 2.0),
            (Keys::Counted, "rsa-2048", 900.0),
            (Keys::Beforehand, "rsa-2048", 9.0),
        ] {
            let mut row = samples::pipeline_row("cert_gen", 64);
            (row.keys, row.algo, row.ms) = (keys, algo.into(), ms);
            row.items_per_s = 64_000.0 / ms;
            rows.push(row);
        }
        let mut other = rows[1].clone();
        (other.provider, other.ms, other.items_per_s) = ("openssl".into(), 8.0, 8000.0);
        rows.push(other);
        let measured = |target: Target| {
            let figures = Figures {
                pipeline: &rows,
                ..Figures::default()
            };
            measured(&target, figures)
        };
        let p256 = measured(stage("ecdsa-p256")).unwrap();
        assert_eq!(of("ms", p256.ours, p256.size), Some(2.0));
        assert_eq!(of("K/s", p256.ours, p256.size), Some(32.0));
        assert_eq!(
            (p256.rivals[0].engine, p256.rivals[0].ratio),
            ("openssl", 4.0)
        );
        let rsa = measured(stage("rsa-2048")).unwrap();
        assert_eq!(of("ms", rsa.ours, rsa.size), Some(900.0));
        assert_eq!(measured(stage("ed25519")), None);
    }
}
