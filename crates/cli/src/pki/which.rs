//! Which entries of the store `adamant pki list` and `export` take.

use adamant::der::Time;
use adamant_pki::ca::system_clock;
use adamant_pki::store::{Filter, State};

use super::place::time;

/// Entries that are read at once.
pub(super) const PAGE: usize = 1000;

/// Which serial numbers.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Those in this state: pending, issued or abandoned
    #[arg(long, value_name = "STATE")]
    state: Option<State>,

    /// Those that were revoked
    #[arg(long, conflicts_with = "valid")]
    revoked: bool,

    /// Those that are issued, not revoked and not expired
    #[arg(long, conflicts_with = "state")]
    valid: bool,

    /// Those with this text in the subject
    #[arg(long, value_name = "TEXT")]
    subject: Option<String>,

    /// Those of this profile
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,

    /// Those that are valid no longer than this
    #[arg(long, value_name = "TIME", value_parser = time)]
    expires_before: Option<Time>,

    /// Those requested at this time or later
    #[arg(long, value_name = "TIME", value_parser = time)]
    since: Option<Time>,

    /// Those requested at this time or earlier
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<Time>,
}

impl Which {
    pub(super) fn filter(&self) -> Filter {
        let valid = self.valid.then_some(State::Issued);
        Filter {
            state: self.state.or(valid),
            revoked: if self.valid {
                Some(false)
            } else {
                self.revoked.then_some(true)
            },
            subject: self.subject.clone(),
            profile: self.profile.clone(),
            expires_before: self.expires_before,
            expires_after: self.valid.then(system_clock),
            since: self.since,
            until: self.until,
            after: None,
            limit: Some(PAGE),
        }
    }
}
