//! Whether the time of an operation depends on its secrets.
//!
//! Valgrind cannot run every implementation (SHA-NI, AVX-512), and a clock sees what a list of
//! jumps does not: an operation is timed under secrets of three classes, mixed at random.
//!
//! | test | compares |
//! |---|---|
//! | Welch's t | one fixed secret with random ones |
//! | correlation | time with the Hamming weight of secrets that are light and heavy |
//!
//! A statistic beyond [`THRESHOLD`] calls for a second run, and only what that one confirms is a
//! leak. The limit of what can be seen is reported too: the least difference that would have been.
//!
//! | file | holds |
//! |---|---|
//! | `secrets` | which fields are secret, and how they change places |
//! | `sampling` | timed runs in random order |
//! | `statistics` | what they say |
//!
//! ```
//! use adamant_ops::{Effort, Size, leak, registry};
//! let registry = registry();
//! let op = registry.iter().find(|op| op.name() == "siphash-2-4/mac").unwrap();
//! let size = Size { bytes: 64, batch: 1 };
//! let finding = leak::examine(op.as_ref(), size, None, Effort::Iterations(3000)).unwrap();
//! assert_eq!(finding.secrets, ["key"]);
//! assert_eq!(finding.run.samples, 3000);
//! ```

mod sampling;
mod secrets;
mod statistics;

use std::time::Duration;

use serde::Serialize;

use crate::{Effort, Operation, Size};
use sampling::Subject;

pub use secrets::secrets;
pub use statistics::{Run, THRESHOLD};

/// What came of an examination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No statistic passed the threshold.
    Clean,
    /// One did, the second run saw nothing of it.
    Unconfirmed,
    /// One did in both runs.
    Leak,
    /// Too slow an operation for the time given: fewer than [`ENOUGH`] samples.
    TooFewSamples,
}

impl Verdict {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Clean => "clean",
            Verdict::Unconfirmed => "unconfirmed",
            Verdict::Leak => "LEAK",
            Verdict::TooFewSamples => "too few samples",
        }
    }
}

/// Fewer samples give no verdict.
pub const ENOUGH: usize = 1000;

/// What is known of one operation at one size on one implementation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The name of the operation.
    pub op: String,
    /// Bytes of message or output, 0 if there is none.
    pub bytes: usize,
    /// Items of a batch, 1 for single operations.
    pub batch: usize,
    /// The implementation.
    pub backend: String,
    /// Whether it says of itself that its time does not depend on secrets.
    pub constant_time: bool,
    /// The fields that were varied.
    pub secrets: Vec<&'static str>,
    /// What the first run says.
    #[serde(flatten)]
    pub run: Run,
    /// What the second one says, where the first called for it.
    pub second_run: Option<Run>,
    /// What follows.
    pub verdict: Verdict,
}

/// Examines one row. Call [`pin`](crate::pin) first. The effort, seconds or samples in all, is
/// that of one run.
///
/// # Errors
/// A sentence: the operation has no secrets (see [`secrets`]), or as for
/// [`Operation::prepare`].
pub fn examine(
    op: &dyn Operation,
    size: Size,
    backend: Option<&str>,
    effort: Effort,
) -> Result<Finding, String> {
    let (draw, effort) = match effort {
        // Drawing secrets takes its part of the time.
        Effort::Seconds(seconds) => (seconds / 5.0, Effort::Seconds(seconds * 0.8)),
        Effort::Iterations(samples) => (2.0, Effort::Iterations(samples)),
    };
    let limit = Duration::from_secs_f64(draw.clamp(1e-3, 1e5));
    let subject = Subject::new(op, size, backend, limit)?;
    let (samples, backend) = subject.samples(effort)?;
    let run = Run::of(&samples);
    let mut second_run = None;
    let verdict = if run.samples < ENOUGH {
        Verdict::TooFewSamples
    } else if !run.agrees(&run) {
        Verdict::Clean
    } else {
        let again = Run::of(&subject.samples(effort)?.0);
        let confirmed = run.agrees(&again);
        second_run = Some(again);
        if confirmed {
            Verdict::Leak
        } else {
            Verdict::Unconfirmed
        }
    };
    let implementations = op.implementations();
    let implementation = implementations.iter().find(|i| i.name == backend);
    Ok(Finding {
        op: op.name().to_owned(),
        bytes: size.bytes,
        batch: size.batch,
        backend: backend.to_owned(),
        constant_time: implementation.is_some_and(|i| i.constant_time),
        secrets: subject.secrets().to_vec(),
        run,
        second_run,
        verdict,
    })
}
