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

#[cfg(test)]
mod tests {
    use super::Says::{NotRevoked, Removed, Unknown};
    use super::*;
    use crate::name::DistinguishedName;

    const FINAL: Option<RevocationReason> = Some(RevocationReason::KeyCompromise);
    const HELD: Option<RevocationReason> = Some(RevocationReason::CertificateHold);
    const NOTHING: Verdict = Verdict::Open(RevocationError::Nothing);
    /// The day that is asked about.
    const TODAY: u64 = 20;

    fn day(day: u64) -> Time {
        Time::MIN.saturating_add(86_400 * day)
    }

    fn revoked(since: u64, reason: Option<RevocationReason>) -> Says {
        let since = day(since);
        Says::Revoked { since, reason }
    }

    fn is_revoked(since: u64, reason: Option<RevocationReason>) -> Verdict {
        let since = day(since);
        Verdict::Revoked { since, reason }
    }

    fn is_past(from: u64, until: Option<u64>) -> Verdict {
        Verdict::Open(RevocationError::NotCurrent {
            at: day(TODAY),
            this_update: day(from),
            next_update: until.map(day),
        })
    }

    fn statement(key: &'static [u8], says: Says, [from, until]: [u64; 2]) -> Statement<'static> {
        Statement {
            source: Source { key, list: None },
            number: None,
            base: None,
            this_update: day(from),
            until: Some(day(until)),
            reasons: ALL,
            says,
        }
    }

    /// A list, of changes since the list with the number `base`.
    fn list(number: u64, base: Option<u64>, says: Says, times: [u64; 2]) -> Statement<'static> {
        Statement {
            number: Some(number.into()),
            base: base.map(SerialNumber::from),
            ..statement(b"a", says, times)
        }
    }

    #[track_caller]
    fn check(statements: &[Statement<'_>], verdict: Verdict) {
        let mut statements = statements.to_vec();
        for _ in 0..2 {
            assert_eq!(decide(statements.clone(), day(TODAY)), verdict);
            statements.reverse();
        }
    }

    #[test]
    fn times() {
        let a = |says, times| statement(b"a", says, times);
        check(&[], NOTHING);
        check(&[a(NotRevoked, [10, TODAY])], Verdict::NotRevoked);
        check(&[a(NotRevoked, [TODAY, 21])], Verdict::NotRevoked);
        check(&[a(NotRevoked, [10, 19])], is_past(10, Some(19)));
        check(&[a(NotRevoked, [21, 30])], is_past(21, Some(30)));
        let endless = Statement {
            until: None,
            ..a(NotRevoked, [10, 19])
        };
        check(&[endless], is_past(10, None));
        let unknown = Verdict::Open(RevocationError::Unknown);
        check(&[a(Unknown, [10, TODAY])], unknown.clone());
        check(&[a(Unknown, [10, 19])], is_past(10, Some(19)));
        // Of what is not current the newest is told, and what is current comes before.
        let others = [
            a(NotRevoked, [10, 15]),
            statement(b"b", Unknown, [12, 14]),
            statement(b"c", NotRevoked, [11, 19]),
        ];
        check(&others, is_past(12, Some(14)));
        let known = statement(b"d", Unknown, [1, 30]);
        check(&[others[0], known], unknown);
        check(
            &[others[0], others[1], a(NotRevoked, [13, 30])],
            Verdict::NotRevoked,
        );
        // A revocation counts from its own day on, whenever it is told.
        check(
            &[a(revoked(TODAY, FINAL), [25, 30])],
            is_revoked(TODAY, FINAL),
        );
        check(&[a(revoked(1, FINAL), [2, 3])], is_revoked(1, FINAL));
        check(&[a(revoked(21, FINAL), [25, 30])], is_past(25, Some(30)));
        check(&[a(revoked(21, FINAL), [10, 30])], is_revoked(21, FINAL));
    }

    #[test]
    fn reasons() {
        let only = |reasons, key, says, times| Statement {
            reasons,
            ..statement(key, says, times)
        };
        let [current, past, late] = [[10, 30], [10, 19], [21, 30]];
        let [some, others] = [0x4000, ALL & !0x4000];
        let of_some = only(some, b"a", NotRevoked, current);
        check(&[of_some], Verdict::Open(RevocationError::SomeReasons));
        let of_others = only(others, b"b", NotRevoked, current);
        check(&[of_some, of_others], Verdict::NotRevoked);
        let of_others = only(others, b"b", NotRevoked, past);
        check(&[of_some, of_others], is_past(10, Some(19)));
        // What speaks of no reason only tells that it was revoked.
        for times in [current, past, late] {
            check(&[only(0, b"a", NotRevoked, times)], NOTHING);
        }
        let revoked = only(0, b"a", revoked(5, FINAL), past);
        check(&[revoked], is_revoked(5, FINAL));
        // A hold is released by what speaks of holds, at a later time.
        let held = statement(b"a", self::revoked(5, HELD), current);
        for (reasons, from, released) in [
            (ALL, 11, true),
            (ALL, 10, false),
            (ALL, 9, false),
            (some, 11, false),
            (0, 11, false),
        ] {
            let good = only(reasons, b"b", NotRevoked, [from, 30]);
            let verdict = match released {
                true => Verdict::NotRevoked,
                false => is_revoked(5, HELD),
            };
            check(&[held, good], verdict);
        }
        let good = only(HOLD, b"b", NotRevoked, [11, 30]);
        check(&[held, good], Verdict::Open(RevocationError::SomeReasons));
        check(
            &[held, statement(b"b", Unknown, [11, 30])],
            is_revoked(5, HELD),
        );
        // Nothing else is.
        let good = statement(b"b", NotRevoked, [11, 30]);
        for reason in [FINAL, None, Some(RevocationReason::Superseded)] {
            let revoked = statement(b"a", self::revoked(5, reason), current);
            check(&[revoked, good], is_revoked(5, reason));
        }
    }

    #[test]
    fn the_worst() {
        let superseded = Some(RevocationReason::Superseded);
        let times = [10, 30];
        let alike = [b"a", b"a"];
        let apart = [b"a", b"b"];
        for keys in [alike, apart] {
            for (one, other, worst) in [
                ((5, FINAL), (6, HELD), (5, FINAL)),
                ((6, FINAL), (5, HELD), (6, FINAL)),
                ((5, None), (5, HELD), (5, None)),
                ((5, superseded), (5, FINAL), (5, superseded)),
            ] {
                let one = statement(keys[0], revoked(one.0, one.1), times);
                let other = statement(keys[1], revoked(other.0, other.1), times);
                check(&[one, other], is_revoked(worst.0, worst.1));
            }
        }
        // Between sources the earlier.
        let [one, other] = [5, 6].map(|since| revoked(since, FINAL));
        let both = [statement(b"a", one, times), statement(b"b", other, times)];
        check(&both, is_revoked(5, FINAL));
        // Of one source, the worse of what it says at one time.
        let a = |says| statement(b"a", says, times);
        check(&[a(NotRevoked), a(revoked(5, HELD))], is_revoked(5, HELD));
        check(&[a(Unknown), a(revoked(5, HELD))], is_revoked(5, HELD));
        let unknown = Verdict::Open(RevocationError::Unknown);
        check(&[a(Unknown), a(NotRevoked)], unknown.clone());
        // And at several times, the newest; but what is unknown releases nothing.
        let later = |says| statement(b"a", says, [11, 30]);
        check(
            &[a(revoked(5, FINAL)), later(NotRevoked)],
            Verdict::NotRevoked,
        );
        check(
            &[a(revoked(5, FINAL)), later(Unknown)],
            is_revoked(5, FINAL),
        );
        check(&[a(NotRevoked), later(Unknown)], unknown);
        check(&[a(Unknown), later(NotRevoked)], Verdict::NotRevoked);
        let shorter = statement(b"a", NotRevoked, [10, 19]);
        check(&[a(NotRevoked), shorter], Verdict::NotRevoked);
    }

    /// Whose statements replace each other.
    #[test]
    fn sources() {
        let [name, same, other] =
            ["CA", "ca", "CB"].map(|text| DistinguishedName::new().common_name(text));
        let [name, same, other] = [&name, &same, &other].map(DistinguishedName::as_name);
        let user = Some(IssuingDistributionPoint {
            only_user_certs: true,
            ..IssuingDistributionPoint::default()
        });
        let first = Some((name, None));
        for (key, list, numbered, replaced) in [
            (b"a", first, true, true),
            (b"a", Some((same, None)), true, true),
            (b"b", first, true, false),
            (b"a", Some((other, None)), true, false),
            (b"a", Some((name, user)), true, false),
            (b"a", None, true, false),
            (b"a", first, false, false),
        ] {
            let old = Statement {
                number: Some(1.into()),
                source: Source {
                    key: b"a",
                    list: first,
                },
                ..statement(b"a", revoked(5, FINAL), [10, 30])
            };
            let new = Statement {
                number: numbered.then(|| 2.into()),
                source: Source { key, list },
                ..statement(b"a", NotRevoked, [11, 30])
            };
            let verdict = match replaced {
                true => Verdict::NotRevoked,
                false => is_revoked(5, FINAL),
            };
            check(&[old, new], verdict);
        }
    }

    /// Lists of changes, and what they are about.
    #[test]
    fn changes() {
        let [past, late, all] = [[5, 15], [12, 30], [5, 30]];
        // Nothing changed since: as of the time of the changes, until the later end.
        let full = list(3, None, NotRevoked, past);
        for base in [2, 3] {
            check(
                &[full, list(4, Some(base), NotRevoked, late)],
                Verdict::NotRevoked,
            );
        }
        let unrelated = [full, list(5, Some(4), NotRevoked, late)];
        check(&unrelated, is_past(5, Some(15)));
        let short = list(4, Some(3), NotRevoked, [6, 15]);
        check(
            &[list(3, None, NotRevoked, all), short],
            Verdict::NotRevoked,
        );
        let held = statement(b"b", revoked(1, HELD), [10, 30]);
        check(
            &[full, list(4, Some(3), NotRevoked, late), held],
            Verdict::NotRevoked,
        );
        // Changes of changes.
        let next = list(5, Some(4), NotRevoked, late);
        check(&[full, short, next], Verdict::NotRevoked);
        // What nothing is said of stays, and is not known where the list is not.
        let gone = list(3, None, revoked(1, FINAL), past);
        check(
            &[gone, list(4, Some(3), NotRevoked, late)],
            is_revoked(1, FINAL),
        );
        check(
            &[gone, list(5, Some(4), NotRevoked, late)],
            is_revoked(1, FINAL),
        );
        check(&[list(4, Some(3), NotRevoked, late)], NOTHING);
        // What is released: known to be good only on top of the list.
        let on_hold = list(3, None, revoked(1, HELD), past);
        check(
            &[on_hold, list(4, Some(3), Removed, late)],
            Verdict::NotRevoked,
        );
        check(&[on_hold, list(5, Some(4), Removed, late)], NOTHING);
        check(&[list(4, Some(3), Removed, late)], NOTHING);
        let held = list(4, Some(3), revoked(1, HELD), past);
        check(&[held, list(5, Some(4), Removed, late)], NOTHING);
        check(
            &[full, held, list(5, Some(4), Removed, late)],
            Verdict::NotRevoked,
        );
        check(&[held], is_revoked(1, HELD));
        // Of the number of a full list they come after it; by their numbers, whatever the time.
        let with = [list(4, None, NotRevoked, all), held];
        check(&with, is_revoked(1, HELD));
        check(
            &[
                list(4, None, NotRevoked, late),
                list(5, Some(4), revoked(1, FINAL), past),
            ],
            is_revoked(1, FINAL),
        );
        check(&[list(5, None, NotRevoked, all), held], Verdict::NotRevoked);
        // A list without a number is the ground of none.
        let full = Statement {
            number: None,
            ..full
        };
        let of_changes = Statement {
            number: None,
            ..list(4, Some(3), NotRevoked, late)
        };
        check(&[full, of_changes], is_past(5, Some(15)));
    }
}
