//! What a run of the comparison gives; also the shape of its JSON.

use std::fmt;

use adamant_tool::strict;
use serde::{Deserialize, Serialize};

pub use adamant_pipeline::Row as Stage;

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
#[serde(try_from = "Line")]
pub struct Row {
    /// The name of the operation.
    pub op: String,
    /// Bytes of message or output, 0 if there is none.
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
    /// The rivals that are wrong, in the first row of an operation. No row of it is against them, in
    /// whichever form they are right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<Wrong>,
    /// Why else a rival is missing, in the first row of an operation, for a reader: `NAME: WHY; …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A [`Row`] as a line has it: the rival's fields are all there, or none is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    op: String,
    bytes: usize,
    batch: usize,
    ours_ns: f64,
    ours_cycles: f64,
    ours_cycles_low: f64,
    ours_cycles_high: f64,
    ours_spread: f64,
    backend: String,
    #[serde(default)]
    forced: bool,
    engine: Option<String>,
    engine_version: Option<String>,
    theirs_ns: Option<f64>,
    theirs_cycles: Option<f64>,
    theirs_cycles_low: Option<f64>,
    theirs_cycles_high: Option<f64>,
    theirs_spread: Option<f64>,
    theirs_batch: Option<usize>,
    ratio: Option<f64>,
    ratio_low: Option<f64>,
    ratio_high: Option<f64>,
    #[serde(default, deserialize_with = "strict::many")]
    wrong: Vec<Wrong>,
    note: Option<String>,
}

impl TryFrom<Line> for Row {
    type Error = &'static str;

    fn try_from(line: Line) -> Result<Self, Self::Error> {
        let numbers = [
            line.theirs_ns,
            line.theirs_cycles,
            line.theirs_cycles_low,
            line.theirs_cycles_high,
            line.theirs_spread,
            line.ratio,
            line.ratio_low,
            line.ratio_high,
        ];
        let none = line.engine.is_none()
            && line.engine_version.is_none()
            && line.theirs_batch.is_none()
            && numbers.iter().all(Option::is_none);
        let against = || {
            Some(Against {
                engine: line.engine?,
                engine_version: line.engine_version?,
                theirs_ns: line.theirs_ns?,
                theirs_cycles: line.theirs_cycles?,
                theirs_cycles_low: line.theirs_cycles_low?,
                theirs_cycles_high: line.theirs_cycles_high?,
                theirs_spread: line.theirs_spread?,
                theirs_batch: line.theirs_batch?,
                ratio: line.ratio?,
                ratio_low: line.ratio_low?,
                ratio_high: line.ratio_high?,
            })
        };
        let against = if none {
            None
        } else {
            Some(against().ok_or("a rival's fields are missing")?)
        };
        Ok(Row {
            op: line.op,
            bytes: line.bytes,
            batch: line.batch,
            ours_ns: line.ours_ns,
            ours_cycles: line.ours_cycles,
            ours_cycles_low: line.ours_cycles_low,
            ours_cycles_high: line.ours_cycles_high,
            ours_spread: line.ours_spread,
            backend: line.backend,
            forced: line.forced,
            against,
            wrong: line.wrong,
            note: line.note,
        })
    }
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

    /// Why rivals are missing, as a sentence.
    #[must_use]
    pub fn troubles(&self) -> Option<String> {
        let wrong = self.wrong.iter().map(Wrong::to_string);
        let all: Vec<String> = wrong.chain(self.note.clone()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// A rival that gives something else than what is right, and is not timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// The engine's name.
    pub engine: String,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is wrong: {}", self.engine, self.why)
    }
}

/// A rival's side of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// Items of its batch: 1 where our batch is compared with its single call.
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
    pub pipeline: Vec<Stage>,
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
    /// What was asked for, of the operations or of the suites; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
    /// Instructions, for machines that are not here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Count>,
    /// What builds take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub footprints: Vec<Footprint>,
}

/// A run beside an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// When the earlier run was.
    pub date: String,
    /// Its command.
    pub command: String,
    /// Its CPU, where that is another.
    pub other_cpu: Option<String>,
    /// The change that an unchanged program may show, as a part: 0.02 is 2 %.
    pub noise: f64,
    /// The rows of unchanged rivals that the noise is known from; 0 where it is supposed.
    pub controls: usize,
    /// Every row of both runs.
    pub changes: Vec<Change>,
    /// The rows of this run that the earlier one lacks.
    pub added: usize,
    /// The rows of the earlier run that this one lacks.
    pub gone: usize,
}

/// One operation at one size, then and now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The name of the operation.
    pub op: String,
    /// Bytes of message or output, 0 if there is none.
    pub bytes: usize,
    /// Items of our batch.
    pub batch: usize,
    /// Our implementation then.
    pub backend_before: String,
    /// Our implementation now.
    pub backend: String,
    /// Our nanoseconds then.
    pub before_ns: f64,
    /// Our nanoseconds now.
    pub now_ns: f64,
    /// Our cycles then.
    pub before_cycles: f64,
    /// Our cycles now.
    pub now_cycles: f64,
    /// Cycles then by cycles now: above 1, it became faster.
    pub speedup: f64,
    /// The lower end of its interval.
    pub speedup_low: f64,
    /// The upper end of its interval.
    pub speedup_high: f64,
    /// Whether it became faster or slower by more than the noise.
    pub verdict: Verdict,
}

/// The instructions of one operation, counted by an emulator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// The operation.
    pub op: String,
    /// Bytes, 0 where it has no message.
    pub bytes: usize,
    /// The pattern that chose the implementation; empty for the best.
    pub pattern: String,
    /// The implementation.
    pub backend: String,
    /// Instructions for one item.
    pub instructions: f64,
}

/// What a build of a library takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footprint {
    /// What was measured: `heap/sign`.
    pub name: String,
    /// The library.
    pub library: String,
    /// Bytes, or nanoseconds.
    pub value: f64,
    /// When it was measured, and whether others ran then, where it is kept from an earlier run because
    /// nothing has changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

/// What a run measured, for the tables of documents.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures<'a> {
    /// The comparison.
    pub rows: &'a [Row],
    /// The pipeline.
    pub pipeline: &'a [Stage],
    /// Instructions.
    pub counts: &'a [Count],
    /// What builds take.
    pub footprints: &'a [Footprint],
    /// The rivals to come, while rows are still measured.
    pub engines: &'a [EngineInfo],
}

impl Report {
    /// What the tables of documents are filled with.
    #[must_use]
    pub fn figures(&self) -> Figures<'_> {
        Figures {
            rows: &self.rows,
            pipeline: &self.pipeline,
            counts: &self.counts,
            footprints: &self.footprints,
            engines: &[],
        }
    }
}

/// A rival.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineInfo {
    /// The engine's name.
    pub name: String,
    /// The version that the library itself tells.
    pub version: String,
    /// How the library was built.
    pub build: String,
}

impl EngineInfo {
    /// The year in which this version came out first, of OpenSSL.
    ///
    /// ```
    /// use adamant_bench::results::EngineInfo;
    /// let engine = |version: &str| EngineInfo {
    ///     name: "openssl-system".into(),
    ///     version: version.into(),
    ///     build: String::new(),
    /// };
    /// assert_eq!(engine("OpenSSL 3.0.19 27 Jan 2026").released(), Some(2021));
    /// assert_eq!(engine("OpenSSL 3.10.0").released(), None);
    /// assert_eq!(engine("adamant 0.1.1").released(), None);
    /// ```
    #[must_use]
    pub fn released(&self) -> Option<u16> {
        const YEARS: &[(&str, u16)] = &[
            ("OpenSSL 1.1.1", 2018),
            ("OpenSSL 3.0.", 2021),
            ("OpenSSL 3.1.", 2023),
            ("OpenSSL 3.2.", 2023),
            ("OpenSSL 3.3.", 2024),
            ("OpenSSL 3.4.", 2024),
            ("OpenSSL 3.5.", 2025),
            ("OpenSSL 3.6.", 2025),
            ("OpenSSL 4.0.", 2026),
        ];
        let mut years = YEARS.iter();
        let known = years.find(|(name, _)| self.version.starts_with(name));
        known.map(|(_, year)| *year)
    }
}

#[cfg(test)]
pub(crate) mod samples {
    //! A small report for tests.
    use adamant_pipeline::Keys;
    use adamant_pipeline::store::Synchronous;

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
            wrong: Vec::new(),
            note: ratio.is_none().then(|| "it ended (signal: 9)".into()),
        }
    }

    /// A rival that is wrong, with the marks of a note in its name and in what it says.
    pub(crate) fn wrong() -> Wrong {
        Wrong {
            engine: "wro: ng".into(),
            why: "item 0; other: it ended".into(),
        }
    }

    pub(crate) fn pipeline_row(stage: &str, batch: usize) -> Stage {
        Stage {
            stage: stage.into(),
            algo: "ecdsa-p256".into(),
            batch,
            ms: 2.5,
            items_per_s: batch as f64 * 400.0,
            keys: if stage == "cert_gen" {
                Keys::Counted
            } else {
                Keys::Beforehand
            },
            synchronous: Synchronous::Normal,
            provider: "adamant".into(),
            threads: 2,
            der_bytes: 400,
            passes: 3,
            runs: None,
            keys_made: None,
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
            patterns: Vec::new(),
            counts: Vec::new(),
            footprints: Vec::new(),
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
        let mut broken = alone.clone();
        broken.wrong.push(samples::wrong());
        let value = serde_json::to_value(&broken).unwrap();
        assert_eq!(value["wrong"][0]["engine"], "wro: ng");
        assert_eq!(serde_json::from_value::<Row>(value).unwrap(), broken);
        let told = "wro: ng is wrong: item 0; other: it ended; it ended (signal: 9)";
        assert_eq!(broken.troubles().as_deref(), Some(told));
    }

    #[test]
    fn verdicts_follow_the_interval() {
        assert_eq!(samples::against(1.5).verdict(), Verdict::Faster);
        assert_eq!(samples::against(1.0).verdict(), Verdict::Even);
        assert_eq!(samples::against(0.9).verdict(), Verdict::Slower);
        assert!(!samples::against(1.0).is_noisy());
    }
}
