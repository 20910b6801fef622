//! Measured figures for the cells of a suite.

use adamant_pipeline::Keys;
use adamant_pipeline::store::Synchronous;
use adamant_tool::select::matches;

use super::unit::Unit;
use super::{Operation, Target};
use crate::footprint::OURS as OUR_BUILD;
use crate::results::{Figures, Footprint, Row, Stage};
use crate::stats::ascending;

/// Who signs in the rows of the pipeline that are ours.
const OURS: &str = "adamant";

/// What a run says of a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured<'a> {
    /// Ours.
    pub ours: Amount,
    /// The rivals, fastest first.
    pub rivals: Vec<Rival<'a>>,
}

/// A figure that units are applied to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// Nanoseconds for one item; or bytes of memory or of a file.
    pub value: f64,
    /// Bytes of an item.
    pub bytes: usize,
    /// Items of the batch.
    pub batch: usize,
}

impl Amount {
    fn alone(value: f64) -> Self {
        Amount {
            value,
            bytes: 0,
            batch: 1,
        }
    }

    /// In a unit of a document; `None` where that is one of something else.
    #[must_use]
    pub fn in_unit(self, unit: Unit) -> Option<f64> {
        unit.of(self.value, self.bytes, self.batch)
    }
}

/// A rival's figure for a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rival<'a> {
    /// Its name.
    pub engine: &'a str,
    /// Its figure.
    pub amount: Amount,
    /// Its figure by ours: above 1, ours is faster or smaller.
    pub ratio: f64,
    /// The 95 % interval of the ratio; `None` where the two were not measured in the same rounds.
    pub interval: Option<[f64; 2]>,
}

impl<'a> Rival<'a> {
    fn beside(ours: Amount, engine: &'a str, value: f64) -> Self {
        Rival {
            engine,
            amount: Amount { value, ..ours },
            // Nothing beside nothing is even.
            ratio: if value == ours.value {
                1.0
            } else {
                value / ours.value
            },
            interval: None,
        }
    }
}

impl<'a> Measured<'a> {
    /// Of each rival the best form.
    fn new(ours: Amount, rivals: impl Iterator<Item = Rival<'a>>) -> Self {
        let mut best: Vec<Rival<'a>> = Vec::new();
        for rival in ascending(&rivals.collect::<Vec<_>>(), |rival| rival.ratio) {
            if best.iter().all(|known| known.engine != rival.engine) {
                best.push(rival);
            }
        }
        Measured { ours, rivals: best }
    }
}

/// What was measured of a target; `None` where nothing was.
///
/// A batch is compared with the best of a rival's forms, its single calls or its batch.
#[must_use]
pub fn measured<'a>(target: &Target, figures: Figures<'a>) -> Option<Measured<'a>> {
    match target {
        Target::NoMachine(_) | Target::Emulated { .. } => None,
        Target::Operations(operations) => match operations.as_slice() {
            [one] => single(one, figures.rows),
            several => sum(several, figures.rows),
        },
        Target::Stage { stage, algo, batch } => stage_of(stage, algo, *batch, figures.pipeline),
        Target::Footprint(name) => built(name, figures.footprints),
    }
}

fn single<'a>(operation: &Operation, rows: &'a [Row]) -> Option<Measured<'a>> {
    let fits = |row: &&Row| {
        (row.op.as_str(), row.bytes, row.batch)
            == (operation.op.as_str(), operation.bytes, operation.batch)
            && match &operation.implementation {
                Some(pattern) => matches(pattern, &row.backend),
                None => !row.forced,
            }
    };
    let first = rows.iter().find(fits)?;
    let ours = Amount {
        value: first.ours_ns,
        bytes: first.bytes,
        batch: first.batch,
    };
    let same = rows.iter().filter(|row| row.is_same(first));
    let rivals = same.filter_map(|row| row.against.as_ref()).map(|against| {
        let rival = Rival::beside(ours, &against.engine, against.theirs_ns);
        Rival {
            ratio: against.ratio,
            interval: Some([against.ratio_low, against.ratio_high]),
            ..rival
        }
    });
    Some(Measured::new(ours, rivals))
}

/// The sum of operations, and of those rivals that have them all. Theirs is ours times the ratios,
/// part by part: a ratio is of one moment, while times of two moments differ by the clock.
fn sum<'a>(operations: &[Operation], rows: &'a [Row]) -> Option<Measured<'a>> {
    let parts: Option<Vec<_>> = operations.iter().map(|op| single(op, rows)).collect();
    let parts = parts?;
    let ours = Amount::alone(parts.iter().map(|part| part.ours.value).sum());
    let rivals = parts.first()?.rivals.iter().filter_map(|rival| {
        let theirs = parts.iter().map(|part| {
            let same = part.rivals.iter().find(|r| r.engine == rival.engine)?;
            Some(part.ours.value * same.ratio)
        });
        let theirs = theirs.sum::<Option<f64>>()?;
        Some(Rival::beside(ours, rival.engine, theirs))
    });
    Some(Measured::new(ours, rivals))
}

/// A stage as the document measured it: RSA keys are made while the clock runs, others before it;
/// the database does not wait for the disk.
fn stage_of<'a>(
    stage: &str,
    algo: &str,
    batch: usize,
    pipeline: &'a [Stage],
) -> Option<Measured<'a>> {
    let keys = match algo.starts_with("rsa") && stage == "cert_gen" {
        true => Keys::Counted,
        false => Keys::Beforehand,
    };
    let fits = |row: &&Stage| {
        (row.stage.as_str(), row.algo.as_str(), row.batch) == (stage, algo, batch)
            && (row.keys, row.synchronous) == (keys, Synchronous::Normal)
    };
    let (ours, rivals): (Vec<_>, Vec<_>) = pipeline
        .iter()
        .filter(fits)
        .partition(|row| row.provider.starts_with(OURS));
    let ns = |row: &Stage| 1e9 / row.items_per_s;
    let row = ours.first()?;
    let ours = Amount {
        value: ns(row),
        bytes: 0,
        // Of the CA's certificate and of the list there is one in a batch.
        batch: (row.ms * row.items_per_s / 1e3).round().max(1.0) as usize,
    };
    let rivals = rivals.into_iter();
    let rivals = rivals.map(|row| Rival::beside(ours, &row.provider, ns(row)));
    Some(Measured::new(ours, rivals))
}

/// What builds take.
fn built<'a>(name: &str, footprints: &'a [Footprint]) -> Option<Measured<'a>> {
    let (ours, rivals): (Vec<_>, Vec<_>) = footprints
        .iter()
        .filter(|found| found.name == name)
        .partition(|found| found.library == OUR_BUILD);
    let ours = Amount::alone(ours.first()?.value);
    let rivals = rivals.into_iter();
    let rivals = rivals.map(|found| Rival::beside(ours, &found.library, found.value));
    Some(Measured::new(ours, rivals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;

    fn operation(op: &str, bytes: usize, batch: usize) -> Operation {
        Operation {
            op: op.into(),
            bytes,
            batch,
            implementation: None,
            feature: None,
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
        assert_eq!((found.ours.value, found.rivals[0].engine), (100.0, "y"));
        assert_eq!(found.rivals.len(), 2);
        assert_eq!(found.ours.in_unit(Unit::MBytesPerS), Some(320.0));
        wanted.implementation = Some("portable3?".into());
        let found = of_rows(&target(&wanted), &rows).unwrap();
        assert_eq!(found.ours.value, 900.0);
        assert_eq!(found.rivals.len(), 1);
        wanted.bytes = 64;
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
        assert_eq!(found.ours.in_unit(Unit::Ns), Some(6400.0));
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
        assert_eq!(found.ours.value, 400.0);
        let rivals: Vec<_> = found.rivals.iter().map(|r| (r.engine, r.ratio)).collect();
        assert_eq!(rivals, [("x", 3.5)]);
        assert_eq!(found.ours.in_unit(Unit::Ms), Some(0.0004));
        assert_eq!(of_rows(&Target::Operations(parts), &rows[..2]), None);
    }

    #[test]
    fn footprints_stand_beside_each_other() {
        let footprint = |library: &str, value| Footprint {
            name: "heap/sign".into(),
            library: library.into(),
            value,
        };
        let target = Target::Footprint("heap/sign".into());
        let found = [footprint("x", 256.0), footprint(OUR_BUILD, 128.0)];
        let taken = |footprints| {
            let figures = Figures {
                footprints,
                ..Figures::default()
            };
            measured(&target, figures)
        };
        let bytes = taken(&found[..]).unwrap();
        assert_eq!(bytes.ours.in_unit(Unit::KBytes), Some(0.128));
        assert_eq!((bytes.rivals[0].engine, bytes.rivals[0].ratio), ("x", 2.0));
        assert_eq!(bytes.ours.in_unit(Unit::Us), Some(0.128));
        assert_eq!(taken(&found[..1]), None);
        let none = [footprint("x", 0.0), footprint(OUR_BUILD, 0.0)];
        assert_eq!(taken(&none).unwrap().rivals[0].ratio, 1.0);
    }

    #[test]
    fn stages_are_the_documents() {
        let stage = |algo: &str| Target::Stage {
            stage: "cert_gen".into(),
            algo: algo.into(),
            batch: 64,
        };
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
        assert_eq!(p256.ours.in_unit(Unit::Ms), Some(2.0));
        assert_eq!(p256.ours.in_unit(Unit::KPerS), Some(32.0));
        assert_eq!(
            (p256.rivals[0].engine, p256.rivals[0].ratio),
            ("openssl", 4.0)
        );
        let rsa = measured(stage("rsa-2048")).unwrap();
        assert_eq!(rsa.ours.in_unit(Unit::Ms), Some(900.0));
        assert_eq!(measured(stage("ed25519")), None);
    }
}
