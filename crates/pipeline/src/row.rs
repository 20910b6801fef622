//! What comes out of a run: a row for each stage.

use serde::{Deserialize, Serialize};

use crate::store::Synchronous;

/// Whether the time of a stage has the generation of subscriber keys in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keys {
    /// It has.
    Counted,
    /// The keys were made beforehand.
    Beforehand,
}

impl Keys {
    /// `counted` or `beforehand`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Keys::Counted => "counted",
            Keys::Beforehand => "beforehand",
        }
    }
}

/// One stage of one batch size: the median over the passes, and over the runs of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The stage: a name of [`stages`](super::stages).
    pub stage: String,
    /// The algorithm of all keys.
    pub algo: String,
    /// Certificates of the batch.
    pub batch: usize,
    /// Milliseconds for the whole batch.
    pub ms: f64,
    /// Items a second: certificates or responses; of the CA's certificate and of the CRL there is
    /// one a batch.
    pub items_per_s: f64,
    /// [`Keys::Counted`] in one of the two rows of `cert_gen`; everywhere else no subscriber key
    /// is made while the clock runs, and it is [`Keys::Beforehand`].
    pub keys: Keys,
    /// The setting of the store while the stage ran. The inserting stages have a row for each
    /// setting that was asked for; the others, which commit nothing, one row with the first.
    pub synchronous: Synchronous,
    /// Who made and checked the signatures.
    pub provider: String,
    /// Threads of the parallel stages.
    pub threads: usize,
    /// Octets of DER of one item that the stage made, checked, stored or read: the mean over the
    /// batch, rounded. Of the building stages it is the part that is signed.
    pub der_bytes: usize,
    /// Passes that the median is over.
    pub passes: usize,
    /// Where the stage is short and was repeated in a pass: how many runs the median is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
    /// Where fewer subscriber keys were made than the batch has certificates: how many. The time with
    /// these counted is then in proportion; with these there before, certificates are signed in
    /// groups of as many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys_made: Option<usize>,
}
