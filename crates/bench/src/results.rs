//! What a run of the comparison gives; also the shape of its JSON.

use serde::{Deserialize, Serialize};

use crate::baseline::Baseline;
use crate::clock::Clock;
use crate::machine::Machine;

/// One operation at one size: ours, and beside it a rival's.
///
/// ```
/// use adamant_bench::results::Row;
/// let row: Row = serde_json::from_str(r#"{"op":"sha256/digest","bytes":64,"batch":1,
///     "ours_ns":80.0,"ours_cycles":240.0,"ours_cycles_low":239.0,"ours_cycles_high":241.0,
///     "ours_spread":0.01,"backend":"x86_sha",
///     "engine":"openssl-system","engine_version":"OpenSSL 3.0.19","theirs_ns":120.0,
///     "theirs_cycles":360.0,"theirs_cycles_low":359.0,"theirs_cycles_high":361.0,
///     "theirs_spread":0.01,"theirs_batch":1,"ratio":1.5,"ratio_low":1.49,"ratio_high":1.52}"#)?;
/// assert_eq!(row.against.unwrap().ratio, 1.5);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The name of the operation.
    pub op: String,
    /// Bytes of message or output, 0 where there is none.
    pub bytes: usize,
    /// Items of our batch, 1 for single operations.
    pub batch: usize,
    /// Our nanoseconds for one item: the median.
    pub ours_ns: f64,
    /// Our cycles of the core's clock for one item: the median.
    pub ours_cycles: f64,
    /// The lower end of its 95 % interval.
    pub ours_cycles_low: f64,
    /// The upper end of its 95 % interval.
    pub ours_cycles_high: f64,
    /// Half the distance between the quartiles of our samples, as a part of the median.
    pub ours_spread: f64,
    /// Our implementation.
    pub backend: String,
    /// Whether that implementation was asked for; otherwise it is the best.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// The rival, where there is one.
    #[serde(flatten)]
    pub against: Option<Against>,
    /// Why there is no rival.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Row {
    /// Whether both are of the same operation at the same size, and of the same implementation
    /// where one was asked for.
    #[must_use]
    pub fn is_same(&self, other: &Row) -> bool {
        (&self.op, self.bytes, self.batch, self.chosen())
            == (&other.op, other.bytes, other.batch, other.chosen())
    }

    /// The implementation that was asked for.
    #[must_use]
    pub fn chosen(&self) -> Option<&str> {
        self.forced.then_some(&*self.backend)
    }
}

/// A rival's side of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Against {
    /// The engine's name.
    pub engine: String,
    /// The version that the library itself tells.
    pub engine_version: String,
    /// Its nanoseconds for one item: the median.
    pub theirs_ns: f64,
    /// Its cycles of the core's clock for one item: the median.
    pub theirs_cycles: f64,
    /// The lower end of its 95 % interval.
    pub theirs_cycles_low: f64,
    /// The upper end of its 95 % interval.
    pub theirs_cycles_high: f64,
    /// As [`Row::ours_spread`].
    pub theirs_spread: f64,
    /// Items of its batch: 1 where our batch stands against its single call.
    pub theirs_batch: usize,
    /// The median of the rounds' ratios of its time to ours: above 1, ours is faster.
    pub ratio: f64,
    /// The lower end of the 95 % interval.
    pub ratio_low: f64,
    /// The upper end of the 95 % interval.
    pub ratio_high: f64,
}

impl Against {
    /// How it went, as far as the interval lets one tell.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.ratio_low > 1.0 {
            Verdict::Faster
        } else if self.ratio_high < 1.0 {
            Verdict::Slower
        } else {
            Verdict::Even
        }
    }

    /// Whether the interval reaches further than 5 % of the ratio to either side.
    #[must_use]
    pub fn is_noisy(&self) -> bool {
        self.ratio_high > self.ratio * 1.05 || self.ratio_low < self.ratio * 0.95
    }
}

/// Who is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Ours: the whole interval lies above 1.
    Faster,
    /// Not to be told: the interval includes 1.
    Even,
    /// The rival's: the whole interval lies below 1.
    Slower,
}

/// One operation at one size beside the best of its rivals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing<'a> {
    /// The row of the best rival's single calls, or one without a rival where there is none.
    pub row: &'a Row,
    /// The best rival's single call.
    pub single: Option<&'a Against>,
    /// The best rival's batch.
    pub batch: Option<&'a Against>,
}

impl<'a> Standing<'a> {
    /// The best rival, in whichever form.
    #[must_use]
    pub fn best(&self) -> Option<&'a Against> {
        least(self.single.into_iter().chain(self.batch))
    }
}

/// The rival with the least ratio: the one that is fastest beside us.
fn least<'a>(all: impl Iterator<Item = &'a Against>) -> Option<&'a Against> {
    all.min_by(|a, b| a.ratio.total_cmp(&b.ratio))
}

/// Each operation at each size once, in their order, with the best rivals.
///
/// A `_batch` row stands beside single calls and beside batches, and the best of either may be
/// two rivals.
#[must_use]
pub fn standings(rows: &[Row]) -> Vec<Standing<'_>> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| group[0].is_same(row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups.into_iter().map(|group| standing(&group)).collect()
}

fn standing<'a>(group: &[&'a Row]) -> Standing<'a> {
    let against = || group.iter().filter_map(|row| row.against.as_ref());
    let single = least(against().filter(|a| a.theirs_batch == 1));
    let batch = least(against().filter(|a| a.theirs_batch != 1));
    let of_best = |row: &&&Row| single.is_some() && row.against.as_ref() == single;
    Standing {
        row: group.iter().find(of_best).unwrap_or(&group[0]),
        single,
        batch,
    }
}

/// One stage of the certificate pipeline at one batch size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PipelineRow {
    /// The stage: `cert_gen` and so on.
    pub stage: String,
    /// The CA's key algorithm.
    pub algo: String,
    /// Items of the batch.
    pub batch: usize,
    /// Milliseconds for the batch.
    pub ms: f64,
    /// Items in a second.
    pub items_per_s: f64,
    /// Whether the time of key generation is in it, `counted`, or not, `beforehand`.
    #[serde(default)]
    pub keys: Option<String>,
    /// SQLite's `synchronous`.
    #[serde(default)]
    pub synchronous: Option<String>,
    /// Who signs.
    pub provider: String,
    /// Threads.
    pub threads: usize,
    /// Bytes of DER made or read.
    #[serde(default)]
    pub der_bytes: Option<u64>,
}

/// Everything that a report shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The machine and the time.
    pub machine: Machine,
    /// The command that was given.
    pub command: String,
    /// The rivals that answered.
    pub engines: Vec<EngineInfo>,
    /// The comparison.
    pub rows: Vec<Row>,
    /// The pipeline.
    pub pipeline: Vec<PipelineRow>,
    /// What a reader has to know of this run: absent rivals, wrong outputs, noise.
    pub notes: Vec<String>,
    /// The core that everything ran on; `None` where the system does not bind threads.
    #[serde(default)]
    pub core: Option<usize>,
    /// What the core's clock did; `None` where nothing was measured.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// What changed since an earlier run, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// The suites whose tables are shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suites: Vec<String>,
}

/// A rival.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineInfo {
    /// The engine's name.
    pub name: String,
    /// The version that the library itself tells.
    pub version: String,
    /// How the library was built.
    pub build: String,
}

#[cfg(test)]
pub(crate) mod samples {
    //! A small report for tests.
    use super::*;
    use crate::stats::significant;

    pub(crate) fn against(ratio: f64) -> Against {
        Against {
            engine: "openssl-system".into(),
            engine_version: "OpenSSL 3.0.19 27 Jan 2026".into(),
            theirs_ns: 1000.0 * ratio,
            theirs_cycles: 3000.0 * ratio,
            theirs_cycles_low: 2990.0 * ratio,
            theirs_cycles_high: 3010.0 * ratio,
            theirs_spread: 0.01,
            theirs_batch: 1,
            ratio,
            ratio_low: significant(ratio * 0.98, 5),
            ratio_high: significant(ratio * 1.03, 5),
        }
    }

    pub(crate) fn row(op: &str, bytes: usize, ratio: Option<f64>) -> Row {
        Row {
            op: op.into(),
            bytes,
            batch: 1,
            ours_ns: 1000.0,
            ours_cycles: 3000.0,
            ours_cycles_low: 2990.0,
            ours_cycles_high: 3010.0,
            ours_spread: 0.02,
            backend: "portable".into(),
            forced: false,
            against: ratio.map(against),
            note: ratio.is_none().then(|| "it ended (signal: 9)".into()),
        }
    }

    pub(crate) fn pipeline_row(stage: &str, batch: usize) -> PipelineRow {
        PipelineRow {
            stage: stage.into(),
            algo: "ecdsa-p256".into(),
            batch,
            ms: 2.5,
            items_per_s: batch as f64 * 400.0,
            keys: (stage == "cert_gen").then(|| "counted".into()),
            synchronous: Some("normal".into()),
            provider: "adamant".into(),
            threads: 2,
            der_bytes: Some(400),
        }
    }

    pub(crate) fn report() -> Report {
        let stages = ["cert_gen", "db_insert_certs", "crl_sign", "ocsp_sign"];
        let batches = [1, 64, 1024];
        Report {
            machine: Machine::here(),
            command: "adamant bench --quick".into(),
            engines: vec![EngineInfo {
                name: "openssl-system".into(),
                version: "OpenSSL 3.0.19 27 Jan 2026".into(),
                build: "debian-amd64; compiler: gcc -O2".into(),
            }],
            rows: vec![
                row("sha256/digest", 64, Some(1.4)),
                row("sha256/digest", 16384, Some(1.0)),
                row("ecdsa-p256/sign", 32, Some(0.7)),
                row("ed25519/verify", 32, None),
            ],
            pipeline: stages
                .iter()
                .flat_map(|stage| batches.map(|batch| pipeline_row(stage, batch)))
                .collect(),
            notes: vec!["openssl-system: ed25519/verify: it ended (signal: 9)".into()],
            core: Some(3),
            clock: Clock::of(&[3.0; 9]),
            baseline: None,
            suites: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_documented_fields() {
        let row = samples::row("sha256/digest", 64, Some(1.5));
        let value = serde_json::to_value(&row).unwrap();
        for name in [
            "op",
            "bytes",
            "batch",
            "engine",
            "engine_version",
            "ours_ns",
            "theirs_ns",
            "theirs_batch",
            "ratio",
            "ratio_low",
            "ratio_high",
            "backend",
        ] {
            assert!(value.get(name).is_some(), "{name}");
        }
        assert_eq!(serde_json::from_value::<Row>(value).unwrap(), row);
        let alone = samples::row("sha256/digest", 64, None);
        let value = serde_json::to_value(&alone).unwrap();
        assert!(value.get("ratio").is_none());
        assert_eq!(serde_json::from_value::<Row>(value).unwrap(), alone);
    }

    #[test]
    fn the_best_rival_is_the_one_hardest_to_beat() {
        let row = |op: &str, engine: &str, theirs_batch, ratio| {
            let mut row = samples::row(op, 32, Some(ratio));
            let against = row.against.as_mut().unwrap();
            (against.engine, against.theirs_batch) = (engine.into(), theirs_batch);
            row
        };
        let rows = [
            row("x25519/derive_batch", "a", 1, 4.0),
            row("x25519/derive_batch", "b", 1, 3.0),
            row("x25519/derive_batch", "b", 64, 2.0),
            row("x25519/derive_batch", "c", 64, 1.5),
            samples::row("sha256/digest", 32, None),
            row("x25519/derive", "a", 1, 0.5),
        ];
        let standings = standings(&rows);
        let engine = |a: Option<&Against>| a.map(|a| a.engine.clone());
        let found: Vec<_> = standings
            .iter()
            .map(|s| (&*s.row.op, engine(s.single), engine(s.batch)))
            .collect();
        assert_eq!(
            found,
            [
                ("x25519/derive_batch", Some("b".into()), Some("c".into())),
                ("sha256/digest", None, None),
                ("x25519/derive", Some("a".into()), None),
            ]
        );
        assert_eq!(standings[0].row, &rows[1]);
        assert_eq!(standings[0].best().unwrap().ratio, 1.5);
        assert_eq!(standings[1].best(), None);
    }

    #[test]
    fn pipeline_rows_are_those_of_the_pipeline() {
        let line = r#"{"stage":"cert_gen","algo":"ecdsa-p256","batch":1024,"ms":3.5,
            "items_per_s":292571.4,"keys":"counted","synchronous":"normal","provider":"adamant",
            "threads":2,"der_bytes":400}"#;
        let row: PipelineRow = serde_json::from_str(line).unwrap();
        assert_eq!((row.batch, row.keys.as_deref()), (1024, Some("counted")));
    }

    #[test]
    fn verdicts_follow_the_interval() {
        assert_eq!(samples::against(1.5).verdict(), Verdict::Faster);
        assert_eq!(samples::against(1.0).verdict(), Verdict::Even);
        assert_eq!(samples::against(0.9).verdict(), Verdict::Slower);
        assert!(!samples::against(1.0).is_noisy());
    }
}
