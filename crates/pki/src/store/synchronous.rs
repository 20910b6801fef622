//! How long a commit waits.

use std::fmt;

use serde::{Deserialize, Serialize};

/// When a commit is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Synchronous {
    /// The system has it: it survives the end of the process, not that of the machine.
    Normal,
    /// The medium has it.
    Full,
}

impl Synchronous {
    /// `normal` or `full`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Synchronous::Normal => "normal",
            Synchronous::Full => "full",
        }
    }
}

impl fmt::Display for Synchronous {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
