//! Measured figures for the cells of a suite.

use adamant_tool::select::matches;

use super::unit::Unit;
use super::{Operation, Target};
use crate::footprint::OURS as OUR_BUILD;
use crate::results::{Against, Footprint, Row, Stage};
use crate::stats::ascending;
use adamant_pipeline::Keys;
use adamant_pipeline::store::Synchronous;

/// Who signs in the rows of the pipeline that are ours.
const OURS: &str = "adamant";

/// What a run says of a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured<'a> {
    /// Ours.
    pub ours: Amount,
    /// Our implementation; empty for sums and stages.
    pub backend: &'a str,
    /// The rivals, fastest first.
    pub rivals: Vec<Rival<'a>>,
}

/// A figure that units are applied to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// A time.
    Time(Time),
    /// Bytes of memory or of a file.
    Bytes(f64),
}

impl Amount {
    /// In a unit of a document; `None` where that is one of something else.
    #[must_use]
    pub fn in_unit(self, unit: Unit) -> Option<f64> {
        match self {
            Amount::Time(time) => unit.of(time.ns, time.bytes, time.batch),
            Amount::Bytes(bytes) => unit.of_bytes(bytes),
        }
    }

    /// Nanoseconds for one item, of a time.
    fn ns(self) -> Option<f64> {
        match self {
            Amount::Time(time) => Some(time.ns),
            Amount::Bytes(_) => None,
        }
    }
}

/// A time, with what it takes to give it in another unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// Nanoseconds for one item.
    pub ns: f64,
    /// Bytes of an item.
    pub bytes: usize,
    /// Items of the batch.
    pub batch: usize,
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
    /// The 95 % interval of the ratio; `None` for sums and stages, whose parts were not measured
    /// in the same rounds.
    pub interval: Option<[f64; 2]>,
}

/// What the rows say of a target; `None` where they do not have it.
///
/// A batch is compared with the best of a rival's forms, its single calls or its batch.
#[must_use]
pub fn measured<'a>(
    target: &Target,
    rows: &'a [Row],
    pipeline: &'a [Stage],
) -> Option<Measured<'a>> {
    match target {
        Target::NoMachine(_) | Target::Emulated { .. } | Target::Footprint(_) => None,
        Target::Operations(operations) => match operations.as_slice() {
            [one] => single(one, rows),
            several => sum(several, rows),
        },
        Target::Stage { stage, algo, batch } => stage_of(stage, algo, *batch, pipeline),
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
    let time = |ns| {
        Amount::Time(Time {
            ns,
            bytes: first.bytes,
            batch: first.batch,
        })
    };
    let same = rows.iter().filter(|row| row.is_same(first));
    let mut rivals: Vec<Rival<'a>> = Vec::new();
    for against in same.filter_map(|row| row.against.as_ref()) {
        let rival = Rival {
            engine: &against.engine,
            amount: time(against.theirs_ns),
            ratio: against.ratio,
            interval: Some(interval(against)),
        };
        match rivals.iter_mut().find(|r| r.engine == rival.engine) {
            Some(known) if known.ratio <= rival.ratio => {}
            Some(known) => *known = rival,
            None => rivals.push(rival),
        }
    }
    Some(Measured {
        ours: time(first.ours_ns),
        backend: &first.backend,
        rivals: sorted(rivals),
    })
}

fn interval(against: &Against) -> [f64; 2] {
    [against.ratio_low, against.ratio_high]
}

fn sorted(rivals: Vec<Rival<'_>>) -> Vec<Rival<'_>> {
    ascending(&rivals, |rival| rival.ratio)
}

/// The sum of operations, and of those rivals that have them all. Theirs is ours times the ratios,
/// part by part: a ratio is of one moment, while times of two moments differ by the clock.
fn sum<'a>(operations: &[Operation], rows: &'a [Row]) -> Option<Measured<'a>> {
    let parts: Option<Vec<_>> = operations.iter().map(|op| single(op, rows)).collect();
    let parts = parts?;
    let whole = |ns| {
        Amount::Time(Time {
            ns,
            bytes: 0,
            batch: 1,
        })
    };
    let ours: f64 = parts.iter().map(|part| part.ours.ns()).sum::<Option<_>>()?;
    let rivals = parts.first()?.rivals.iter().filter_map(|rival| {
        let theirs = parts.iter().map(|part| {
            let same = part.rivals.iter().find(|r| r.engine == rival.engine)?;
            Some(part.ours.ns()? * same.ratio)
        });
        let theirs: f64 = theirs.sum::<Option<f64>>()?;
        Some(Rival {
            engine: rival.engine,
            amount: whole(theirs),
            ratio: theirs / ours,
            interval: None,
        })
    });
    Some(Measured {
        ours: whole(ours),
        backend: "",
        rivals: sorted(rivals.collect()),
    })
}

/// A stage as the document measured it: RSA keys are made while the clock runs, others before it;
/// the database does not wait for the disk.
fn stage_of<'a>(
    stage: &str,
    algo: &str,
    batch: usize,
    pipeline: &'a [Stage],
) -> Option<Measured<'a>> {
    let counted = algo.starts_with("rsa") && stage == "cert_gen";
    let keys = if counted {
        Keys::Counted
    } else {
        Keys::Beforehand
    };
    let fits = |row: &&Stage| {
        (row.stage.as_str(), row.algo.as_str(), row.batch) == (stage, algo, batch)
            && (row.keys, row.synchronous) == (keys, Synchronous::Normal)
    };
    let time = |row: &Stage| Time {
        ns: 1e9 / row.items_per_s,
        bytes: 0,
        // Of the CA's certificate and of the list there is one in a batch.
        batch: (row.ms * row.items_per_s / 1e3).round().max(1.0) as usize,
    };
    let mut found = pipeline.iter().filter(fits);
    let ours = time(found.clone().find(|row| row.provider.starts_with(OURS))?);
    let rivals = found
        .by_ref()
        .filter(|row| !row.provider.starts_with(OURS))
        .map(|row| Rival {
            engine: &row.provider,
            amount: Amount::Time(time(row)),
            ratio: time(row).ns / ours.ns,
            interval: None,
        });
    Some(Measured {
        ours: Amount::Time(ours),
        backend: "",
        rivals: sorted(rivals.collect()),
    })
}

/// What the footprints say of a target; `None` where they have none. Units tell bytes from time.
#[must_use]
pub fn taken<'a>(
    target: &Target,
    units: &[Unit],
    footprints: &'a [Footprint],
) -> Option<Measured<'a>> {
    let Target::Footprint(name) = target else {
        return None;
    };
    let in_bytes = units.iter().any(|unit| unit.of_bytes(1.0).is_some());
    let amount = |value| {
        if in_bytes {
            Amount::Bytes(value)
        } else {
            Amount::Time(Time {
                ns: value,
                bytes: 0,
                batch: 1,
            })
        }
    };
    let found = || footprints.iter().filter(|found| found.name == *name);
    let ours = found().find(|found| found.library == OUR_BUILD)?.value;
    let rivals = found().filter(|found| found.library != OUR_BUILD);
    let rivals = rivals.map(|found| Rival {
        engine: &found.library,
        amount: amount(found.value),
        // Nothing beside nothing is even.
        ratio: if found.value == ours {
            1.0
        } else {
            found.value / ours
        },
        interval: None,
    });
    Some(Measured {
        ours: amount(ours),
        backend: "",
        rivals: sorted(rivals.collect()),
    })
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
        let found = measured(&target(&wanted), &rows, &[]).unwrap();
        assert_eq!(
            (found.ours.ns(), found.rivals[0].engine),
            (Some(100.0), "y")
        );
        assert_eq!(found.rivals.len(), 2);
        assert_eq!(found.ours.in_unit(Unit::MBytesPerS), Some(320.0));
        wanted.implementation = Some("portable3?".into());
        let found = measured(&target(&wanted), &rows, &[]).unwrap();
        assert_eq!(
            (found.ours.ns(), found.backend),
            (Some(900.0), "portable32")
        );
        assert_eq!(found.rivals.len(), 1);
        wanted.bytes = 64;
        assert_eq!(measured(&target(&wanted), &rows, &[]), None);
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
        let found = measured(&target, &rows, &[]).unwrap();
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
        let found = measured(&Target::Operations(parts.clone()), &rows, &[]).unwrap();
        assert_eq!(found.ours.ns(), Some(400.0));
        let rivals: Vec<_> = found.rivals.iter().map(|r| (r.engine, r.ratio)).collect();
        assert_eq!(rivals, [("x", 3.5)]);
        assert_eq!(found.ours.in_unit(Unit::Ms), Some(0.0004));
        assert_eq!(measured(&Target::Operations(parts), &rows[..2], &[]), None);
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
        let bytes = taken(&target, &[Unit::KBytes], &found).unwrap();
        assert_eq!(bytes.ours.in_unit(Unit::KBytes), Some(0.128));
        assert_eq!((bytes.rivals[0].engine, bytes.rivals[0].ratio), ("x", 2.0));
        let time = taken(&target, &[Unit::Us], &found).unwrap();
        assert_eq!(time.ours.in_unit(Unit::Us), Some(0.128));
        assert_eq!(taken(&target, &[Unit::Us], &found[..1]), None);
        let none = [footprint("x", 0.0), footprint(OUR_BUILD, 0.0)];
        assert_eq!(
            taken(&target, &[Unit::Bytes], &none).unwrap().rivals[0].ratio,
            1.0
        );
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
        let p256 = measured(&stage("ecdsa-p256"), &[], &rows).unwrap();
        assert_eq!(p256.ours.in_unit(Unit::Ms), Some(2.0));
        assert_eq!(p256.ours.in_unit(Unit::KPerS), Some(32.0));
        assert_eq!(
            (p256.rivals[0].engine, p256.rivals[0].ratio),
            ("openssl", 4.0)
        );
        let rsa = measured(&stage("rsa-2048"), &[], &rows).unwrap();
        assert_eq!(rsa.ours.in_unit(Unit::Ms), Some(900.0));
        assert_eq!(measured(&stage("ed25519"), &[], &rows), None);
    }
}
