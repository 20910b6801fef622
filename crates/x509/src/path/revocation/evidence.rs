//! The statements of authentic lists and responses about one certificate, and the verdict.
//!
//! The verdict is a function of the set of statements: in which order they come, and which of them
//! is first, does not matter. The rule:
//!
//! | what there is | what it makes |
//! |---|---|
//! | several statements of one source (one key, one scope of lists) | the newest: by the list's number, then by `thisUpdate`; of two alike the worse |
//! | *unknown*, after *revoked* of that source | revoked still |
//! | a list of changes, on a list that it is about | the state after the changes, at the time of the changes |
//! | a list of changes, without that list | what it names is revoked, or released; else nothing |
//! | *revoked*, of any source, current or not | revoked, unless it is a hold that is released |
//! | a hold, and *not revoked* of another source at a later time | released: the hold is void |
//! | *not revoked*, current, for all reasons together | not revoked |
//! | anything else | not known |
//!
//! Statements of a later time than the one asked about are passed over, except for revocations from
//! before it.

use alloc::vec::Vec;

use adamant_der::Time;

use super::RevocationError;
use crate::element::sorted;
use crate::extensions::{IssuingDistributionPoint, RevocationReason};
use crate::{Name, SerialNumber};

/// All reasons: `keyCompromise` to `aACompromise`.
pub(super) const ALL: u16 = 0x7f80;
/// `certificateHold`.
const HOLD: u16 = 0x0200;

/// A statement about the certificate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Says {
    /// That it is not revoked: by a list, in not naming it; by a list of changes, that nothing
    /// changed.
    NotRevoked,
    /// That it is not known.
    Unknown,
    /// That it was taken from the list.
    Removed,
    Revoked {
        since: Time,
        reason: Option<RevocationReason>,
    },
}

impl Says {
    /// The order of what is said at one time: the worse the later.
    pub(super) fn weight(&self) -> (u8, Option<Time>, u8) {
        match *self {
            Self::NotRevoked => (0, None, 0),
            Self::Unknown => (1, None, 0),
            Self::Removed => (2, None, 0),
            Self::Revoked { since, reason } => {
                let code = reason.map_or(0, RevocationReason::code);
                let last = 3 + u8::from(reason != Some(RevocationReason::CertificateHold));
                (last, Some(since), code)
            }
        }
    }
}

/// Who makes statements that replace each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'e> {
    /// The key that signs.
    pub(super) key: &'e [u8],
    /// Of lists, the issuer's name and what the list covers; of responses nothing.
    pub(super) list: Option<(Name<'e>, Option<IssuingDistributionPoint<'e>>)>,
}

impl Source<'_> {
    pub(super) fn is(&self, other: &Source<'_>) -> bool {
        self.key == other.key
            && match (&self.list, &other.list) {
                (None, None) => true,
                (Some((name, scope)), Some((other_name, other_scope))) => {
                    scope == other_scope && name.matches(other_name)
                }
                _ => false,
            }
    }
}

/// An authentic statement about the certificate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement<'e> {
    pub(super) source: Source<'e>,
    /// The list's number. Lists without numbers are a source of their own.
    pub(super) number: Option<SerialNumber>,
    /// Of a list of changes, the number of the list that it starts from.
    pub(super) base: Option<SerialNumber>,
    pub(super) this_update: Time,
    /// Until when it counts; nothing if that is not said.
    pub(super) until: Option<Time>,
    /// The reasons of which it speaks: none for a list that the certificate is not within the scope
    /// of, and that can only tell that it was revoked.
    pub(super) reasons: u16,
    pub(super) says: Says,
}

impl Statement<'_> {
    fn is_of_source(&self, other: &Statement<'_>) -> bool {
        self.number.is_some() == other.number.is_some() && self.source.is(&other.source)
    }

    /// Whether this can be known at this time.
    fn is_said_by(&self, at: Time) -> bool {
        let past = matches!(self.says, Says::Revoked { since, .. } if since <= at);
        self.this_update <= at || past
    }
}

/// The state of the certificate after all that one source says.
#[derive(Clone, Copy)]
struct Word {
    says: Says,
    number: Option<SerialNumber>,
    as_of: Time,
    until: Option<Time>,
    reasons: u16,
    /// Whether it is the whole of the state: not only changes.
    whole: bool,
}

/// The verdict of the statements.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    NotRevoked,
    Revoked {
        since: Time,
        reason: Option<RevocationReason>,
    },
    Open(RevocationError),
}

/// The verdict at this time: the rule above.
pub(super) fn decide(mut statements: Vec<Statement<'_>>, at: Time) -> Verdict {
    let mut stale: Option<(Time, Option<Time>)> = None;
    let mut pass_over = |this_update, until| stale = stale.max(Some((this_update, until)));
    statements.retain(|statement| {
        let said = statement.is_said_by(at);
        if !said && statement.reasons != 0 {
            pass_over(statement.this_update, statement.until);
        }
        said
    });

    let mut words = Vec::new();
    while let Some(first) = statements.first().copied() {
        let of_source = |statement: &Statement<'_>| statement.is_of_source(&first);
        let same: Vec<_> = statements.iter().copied().filter(of_source).collect();
        statements.retain(|statement| !of_source(statement));
        words.extend(last_word(same));
    }

    let released = |hold: &Word| {
        words.iter().any(|word| {
            word.says == Says::NotRevoked && word.reasons & HOLD != 0 && hold.as_of < word.as_of
        })
    };
    let standing = words.iter().filter(|word| match word.says {
        Says::Revoked { reason, .. } => {
            reason != Some(RevocationReason::CertificateHold) || !released(word)
        }
        _ => false,
    });
    // A final revocation comes before a hold; of two alike, the earlier.
    let worst = standing.max_by_key(|word| {
        let (weight, since, code) = word.says.weight();
        (weight, core::cmp::Reverse(since), code)
    });
    if let Some(Word {
        says: Says::Revoked { since, reason },
        ..
    }) = worst
    {
        return Verdict::Revoked {
            since: *since,
            reason: *reason,
        };
    }

    let (mut covered, mut unknown) = (0, false);
    for word in words.iter().filter(|word| word.reasons != 0 && word.whole) {
        let current = word.until.is_some_and(|until| at <= until);
        match word.says {
            Says::NotRevoked if current => covered |= word.reasons,
            Says::Unknown if current => unknown = true,
            Says::NotRevoked | Says::Unknown => pass_over(word.as_of, word.until),
            Says::Removed | Says::Revoked { .. } => {}
        }
    }
    match (covered, stale) {
        (ALL, _) => Verdict::NotRevoked,
        _ if unknown => Verdict::Open(RevocationError::Unknown),
        (_, Some((this_update, next_update))) => Verdict::Open(RevocationError::NotCurrent {
            at,
            this_update,
            next_update,
        }),
        (0, None) => Verdict::Open(RevocationError::Nothing),
        (_, None) => Verdict::Open(RevocationError::SomeReasons),
    }
}

/// Goes through the statements of one source, from the oldest.
fn last_word(statements: Vec<Statement<'_>>) -> Option<Word> {
    // A list of changes comes after the full list that was made with it.
    let mut places = Vec::with_capacity(statements.len());
    for (place, statement) in statements.iter().enumerate() {
        let (number, time) = (statement.number, statement.this_update);
        let weight = statement.says.weight();
        let is_of_changes = statement.base.is_some();
        places.push((number, time, is_of_changes, weight, statement.until, place));
    }
    let mut last: Option<Word> = None;
    for (.., place) in sorted(places) {
        let statement = statements[place];
        let follows = |word: &Word| match (statement.base, word.number) {
            (Some(base), Some(number)) => base <= number,
            _ => false,
        };
        match (&mut last, statement.says) {
            // Nothing changed since.
            (Some(word), Says::NotRevoked) if follows(word) => {
                word.number = statement.number;
                word.as_of = statement.this_update;
                word.until = word.until.max(statement.until);
            }
            (_, Says::NotRevoked) if statement.base.is_some() => {}
            // That is no release.
            (Some(word), Says::Unknown) if matches!(word.says, Says::Revoked { .. }) => {}
            (before, says) => {
                let whole = statement.base.is_none()
                    || before
                        .as_ref()
                        .is_some_and(|word| word.whole && follows(word));
                last = Some(Word {
                    says: match says {
                        Says::Removed => Says::NotRevoked,
                        says => says,
                    },
                    number: statement.number,
                    as_of: statement.this_update,
                    until: statement.until,
                    reasons: statement.reasons,
                    whole,
                });
            }
        }
    }
    last
}
