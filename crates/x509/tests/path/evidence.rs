//! Random sets of lists and responses about one certificate: one verdict in every order, and that of
//! a small model of the rule.

use adamant_x509::crl::{CrlBuilder, Revocation as Entry};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{CertStatus, IssuerId, ResponderId, ResponseBuilder, SingleResponse};
use adamant_x509::path::{PathErrorKind as Kind, Strictness};
use adamant_x509::{Certificate, SerialNumber};

use super::chain::{Entity, Numbers, ca};
use super::revocation::{Question, time};

const LEAF: u64 = 7;
const SINCE: &str = "2025-06-01";
/// The first of December 2025 is day 0; it is day 31.
const TODAY: u8 = 31;

fn day(day: u8) -> adamant_der::Time {
    time(SINCE).saturating_add(86_400 * (183 + u64::from(day)))
}

/// What is said of the leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Says {
    Good,
    Unknown,
    Removed,
    Hold,
    Final,
}
use Says::{Final, Good, Hold, Removed, Unknown};

impl Says {
    fn reason(self) -> RevocationReason {
        match self {
            Removed => RevocationReason::RemoveFromCrl,
            Hold => RevocationReason::CertificateHold,
            _ => RevocationReason::KeyCompromise,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// Of the key that signed the leaf, or of the one that the CA has now; for all reasons, or only
    /// for `keyCompromise`, or for the others.
    List {
        new_key: bool,
        reasons: u8,
    },
    Ca,
    Delegate,
    /// The CA's new key, which did not sign the leaf: none who may answer.
    NewCa,
}
use Source::{Ca, Delegate, List, NewCa};

#[derive(Clone, Copy, Debug)]
struct Item {
    source: Source,
    number: u64,
    base: Option<u64>,
    from: u8,
    until: u8,
    says: Says,
}

const REASONS: [u16; 3] = [0x7f80, 0x4000, 0x3f80];
const HOLD: u16 = 0x0200;

struct World {
    root: Entity,
    old: Entity,
    new: Entity,
    delegate: Entity,
    root_der: Vec<u8>,
    old_der: Vec<u8>,
    new_der: Vec<u8>,
    delegate_der: Vec<u8>,
    leaf: Vec<u8>,
}

impl World {
    fn new() -> Self {
        let root = Entity::new("Root", 1);
        let [old, new] = [2, 3].map(|seed| Entity::new("CA", seed));
        let delegate = Entity::new("Responder", 4);
        let purposes = ExtendedKeyUsage((&[ExtendedKeyUsage::OCSP_SIGNING]).into());
        Self {
            root_der: root.issue(&root, 1, |builder| ca(builder, &root, None)),
            old_der: root.issue(&old, 2, |builder| ca(builder, &old, None)),
            new_der: root.issue(&new, 3, |builder| ca(builder, &new, None)),
            delegate_der: old.issue(&delegate, 8, |builder| {
                builder.extension(&purposes).extension(&OcspNoCheck)
            }),
            leaf: old.issue(&Entity::new("Leaf", 5), LEAF, |builder| builder),
            root,
            old,
            new,
            delegate,
        }
    }

    fn list(&self, item: &Item) -> Vec<u8> {
        let List { new_key, reasons } = item.source else {
            panic!("a list");
        };
        let signer = if new_key { &self.new } else { &self.old };
        let entry = (item.says != Good)
            .then(|| Entry::new(SerialNumber::from(LEAF), time(SINCE)).reason(item.says.reason()));
        let name = signer.name.as_name();
        let mut builder = CrlBuilder::new(name, day(item.from), day(item.until))
            .number(SerialNumber::from(item.number))
            .authority_key_id(&signer.id);
        if reasons > 0 {
            builder = builder.extension(&IssuingDistributionPoint {
                only_some_reasons: Some(ReasonFlags::from_bits(REASONS[usize::from(reasons)])),
                ..IssuingDistributionPoint::default()
            });
        }
        if let Some(base) = item.base {
            builder = builder.delta(SerialNumber::from(base));
        }
        let other = Entry::new(SerialNumber::from(99), time(SINCE));
        builder
            .sign(
                entry.into_iter().chain([other]),
                signer.key.signer().unwrap(),
            )
            .unwrap()
    }

    fn response(&self, item: &Item) -> Vec<u8> {
        let issuer = IssuerId::new(&Certificate::from_der(&self.old_der).unwrap()).unwrap();
        let status = match item.says {
            Good | Removed => CertStatus::Good,
            Unknown => CertStatus::Unknown,
            Hold | Final => CertStatus::Revoked {
                time: time(SINCE),
                reason: Some(item.says.reason()),
            },
        };
        let id = issuer.cert_id(SerialNumber::from(LEAF));
        let single = SingleResponse::new(id, status, day(item.from), Some(day(item.until)));
        let (signer, certificates): (_, &[&[u8]]) = match item.source {
            Ca => (&self.old, &[]),
            Delegate => (&self.delegate, &[&self.delegate_der]),
            _ => (&self.new, &[&self.new_der]),
        };
        ResponseBuilder::new(ResponderId::Name(signer.name.as_name()), day(item.from))
            .certificates(certificates)
            .sign(&[single], signer.key.signer().unwrap())
            .unwrap()
    }

    fn ask(&self, items: &[Item], strictness: Strictness) -> Result<(), Kind> {
        let (mut lists, mut responses) = (Vec::new(), Vec::new());
        for item in items {
            match item.source {
                List { .. } => lists.push(self.list(item)),
                _ => responses.push(self.response(item)),
            }
        }
        // What tells that the CA's new key is good.
        let of_root = CrlBuilder::new(self.root.name.as_name(), day(30), day(40))
            .number(SerialNumber::from(1))
            .authority_key_id(&self.root.id)
            .sign([], self.root.key.signer().unwrap())
            .unwrap();
        lists.push(of_root);
        Question {
            target: &self.leaf,
            others: &[self.old_der.clone(), self.new_der.clone()],
            root: &self.root_der,
            lists: &lists,
            responses: &responses,
            strictness,
            dedicated: false,
            only_target: false,
        }
        .ask()
    }
}

/// The state that a source leaves behind: what it is, as of when, until when, and whether all of
/// it is known.
#[derive(Clone, Copy)]
struct State {
    says: Says,
    number: u64,
    as_of: u8,
    until: u8,
    reasons: u16,
    whole: bool,
}

/// The model: what the newest of a sorted list leaves behind, from what those before it do.
fn state(items: &[Item]) -> Option<State> {
    let (last, before) = items.split_last()?;
    let reasons = match last.source {
        List { reasons, .. } => REASONS[usize::from(reasons)],
        _ => REASONS[0],
    };
    let own = State {
        says: if last.says == Removed {
            Good
        } else {
            last.says
        },
        number: last.number,
        as_of: last.from,
        until: last.until,
        reasons,
        whole: true,
    };
    let before = state(before);
    if last.says == Unknown
        && let Some(before) = before
        && matches!(before.says, Hold | Final)
    {
        return Some(before);
    }
    let Some(base) = last.base else {
        return Some(own);
    };
    let joined = before.filter(|before| before.number >= base);
    match (last.says, joined) {
        (Good, Some(joined)) => Some(State {
            number: last.number,
            as_of: last.from,
            until: joined.until.max(last.until),
            ..joined
        }),
        (Good, None) => before,
        (_, joined) => Some(State {
            whole: joined.is_some_and(|joined| joined.whole),
            ..own
        }),
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    Valid,
    Revoked(RevocationReason),
    /// Not known, and accepted where that is asked for.
    Absent,
    /// Not known, and refused in any case.
    Open,
}

fn expected(items: &[Item]) -> Expected {
    let mut sources: Vec<_> = items.iter().map(|item| item.source).collect();
    sources.sort();
    sources.dedup();
    let mut states = Vec::new();
    let (mut stale, mut refused) = (false, false);
    for source in sources {
        let mut own: Vec<_> = items
            .iter()
            .filter(|i| i.source == source)
            .copied()
            .collect();
        if source == NewCa {
            refused = true;
            continue;
        }
        let all = own.len();
        own.retain(|item| item.from <= TODAY || matches!(item.says, Hold | Final));
        stale |= own.len() < all;
        // Of what has a number it comes first; a list of changes after the full one.
        own.sort_by_key(|item| {
            (
                item.number,
                item.from,
                item.base.is_some(),
                item.says,
                item.until,
            )
        });
        states.extend(state(&own));
    }
    let released = |hold: &State| {
        let newer = |state: &State| state.says == Good && state.as_of > hold.as_of;
        states
            .iter()
            .any(|state| newer(state) && state.reasons & HOLD != 0)
    };
    if states.iter().any(|state| state.says == Final) {
        return Expected::Revoked(RevocationReason::KeyCompromise);
    }
    if states
        .iter()
        .any(|state| state.says == Hold && !released(state))
    {
        return Expected::Revoked(RevocationReason::CertificateHold);
    }
    let whole: Vec<_> = states.iter().filter(|state| state.whole).collect();
    let current = |state: &State| state.until >= TODAY;
    let mut covered = 0;
    for state in &whole {
        if state.says == Good && current(state) {
            covered |= state.reasons;
        }
    }
    if covered == REASONS[0] {
        return Expected::Valid;
    }
    let unknown = whole
        .iter()
        .any(|state| state.says == Unknown && current(state));
    stale |= whole
        .iter()
        .any(|state| matches!(state.says, Good | Unknown) && !current(state));
    match unknown || refused || covered != 0 && !stale {
        true => Expected::Open,
        false => Expected::Absent,
    }
}

fn random(numbers: &mut Numbers) -> Item {
    let source = [
        List {
            new_key: false,
            reasons: 0,
        },
        List {
            new_key: false,
            reasons: 0,
        },
        List {
            new_key: false,
            reasons: 0,
        },
        List {
            new_key: true,
            reasons: 0,
        },
        List {
            new_key: false,
            reasons: 1,
        },
        List {
            new_key: false,
            reasons: 2,
        },
        Ca,
        Ca,
        Delegate,
        NewCa,
    ];
    let source = source[numbers.below(source.len())];
    let from = [10, 20, 25, 30, 31, 33][numbers.below(6)];
    let until = from + [1, 5, 12][numbers.below(3)];
    let is_list = matches!(source, List { .. });
    let number = if is_list {
        1 + numbers.below(6) as u64
    } else {
        0
    };
    let base =
        (is_list && numbers.below(3) == 0).then(|| 1 + numbers.below(number as usize) as u64);
    let says = match (is_list, base) {
        (true, Some(_)) => [Good, Good, Hold, Final, Removed][numbers.below(5)],
        (true, None) => [Good, Good, Good, Hold, Final][numbers.below(5)],
        (false, _) => [Good, Good, Unknown, Hold, Final][numbers.below(5)],
    };
    Item {
        source,
        number,
        base,
        from,
        until,
        says,
    }
}

#[test]
fn random_evidence() {
    assert_eq!(day(TODAY), time("2026-01-01"));
    let world = World::new();
    let mut numbers = Numbers(21);
    let mut seen = [0; 4];
    for round in 0..160 {
        let count = 1 + numbers.below(if round % 20 == 0 { 7 } else { 4 });
        let items: Vec<_> = (0..count).map(|_| random(&mut numbers)).collect();
        let expected = expected(&items);
        for strictness in [Strictness::Hard, Strictness::Soft] {
            let result = world.ask(&items, strictness);
            let right = match (&result, expected) {
                (Ok(()), Expected::Valid) => true,
                (Ok(()), Expected::Absent) => strictness == Strictness::Soft,
                (Err(Kind::Revoked { reason, .. }), Expected::Revoked(wanted)) => {
                    *reason == Some(wanted)
                }
                (Err(Kind::UnknownStatus(_)), Expected::Open) => true,
                (Err(Kind::UnknownStatus(_)), Expected::Absent) => strictness == Strictness::Hard,
                _ => false,
            };
            assert!(right, "{round}: {result:?} is not {expected:?}: {items:#?}");
        }
        seen[match expected {
            Expected::Valid => 0,
            Expected::Revoked(_) => 1,
            Expected::Absent => 2,
            Expected::Open => 3,
        }] += 1;
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

/// The order that made a revoked certificate valid, with each pair of sources.
#[test]
fn old_before_new() {
    let world = World::new();
    let all = List {
        new_key: false,
        reasons: 0,
    };
    let item = |source, number, from, says| Item {
        source,
        number,
        base: None,
        from,
        until: 40,
        says,
    };
    for (first, second, valid) in [
        (item(all, 1, 20, Good), item(all, 2, 30, Final), false),
        (item(all, 1, 20, Hold), item(all, 2, 30, Good), true),
        // The number comes before the time.
        (item(all, 2, 20, Final), item(all, 1, 30, Good), false),
        (item(Ca, 0, 20, Good), item(Ca, 0, 30, Final), false),
        (item(Ca, 0, 20, Hold), item(Ca, 0, 30, Good), true),
        (item(Ca, 0, 30, Unknown), item(Ca, 0, 20, Final), false),
        (item(Ca, 0, 30, Good), item(all, 1, 20, Final), false),
        (item(Ca, 0, 30, Good), item(all, 1, 20, Hold), true),
        (item(Ca, 0, 20, Good), item(all, 1, 30, Hold), false),
        (item(Delegate, 0, 30, Good), item(Ca, 0, 20, Final), false),
    ] {
        for strictness in [Strictness::Hard, Strictness::Soft] {
            let result = world.ask(&[first, second], strictness);
            assert_eq!(result.is_ok(), valid, "{first:?}, {second:?}: {result:?}");
        }
    }
}

/// Lists of changes, with and without the list that they are about.
#[test]
fn changes() {
    let world = World::new();
    let source = List {
        new_key: false,
        reasons: 0,
    };
    let item = |number, base, [from, until]: [u8; 2], says| Item {
        source,
        number,
        base,
        from,
        until,
        says,
    };
    let (past, late) = ([20, 25], [30, 40]);
    let key = Expected::Revoked(RevocationReason::KeyCompromise);
    for (items, wanted) in [
        (
            vec![item(3, None, past, Good), item(4, Some(3), late, Good)],
            Expected::Valid,
        ),
        (
            vec![item(3, None, past, Good), item(4, Some(4), late, Good)],
            Expected::Absent,
        ),
        (
            vec![
                item(3, None, [20, 40], Good),
                item(4, Some(3), [21, 25], Good),
            ],
            Expected::Valid,
        ),
        (
            vec![item(3, None, past, Final), item(4, Some(3), late, Good)],
            key,
        ),
        (
            vec![item(3, None, past, Hold), item(4, Some(3), late, Removed)],
            Expected::Valid,
        ),
        (
            vec![item(2, None, past, Hold), item(4, Some(3), late, Removed)],
            Expected::Absent,
        ),
        (
            vec![item(2, None, past, Good), item(4, Some(3), late, Removed)],
            Expected::Absent,
        ),
        (
            vec![item(2, None, late, Good), item(4, Some(3), past, Final)],
            key,
        ),
        (vec![item(4, Some(3), past, Final)], key),
        (vec![item(4, Some(3), late, Removed)], Expected::Absent),
        (vec![item(4, Some(3), late, Good)], Expected::Absent),
        // Changes of changes.
        (
            vec![
                item(3, None, past, Good),
                item(4, Some(3), past, Hold),
                item(6, Some(4), late, Removed),
            ],
            Expected::Valid,
        ),
        // Of the same number as a full list, or older than it.
        (
            vec![item(4, None, late, Good), item(4, Some(3), late, Final)],
            key,
        ),
        (
            vec![item(5, None, late, Good), item(4, Some(3), late, Hold)],
            Expected::Valid,
        ),
    ] {
        assert_eq!(expected(&items), wanted, "{items:#?}");
        let hard = world.ask(&items, Strictness::Hard);
        let soft = world.ask(&items, Strictness::Soft);
        let right = match wanted {
            Expected::Valid => hard.is_ok() && soft.is_ok(),
            Expected::Absent => matches!(hard, Err(Kind::UnknownStatus(_))) && soft.is_ok(),
            _ => matches!(hard, Err(Kind::Revoked { .. })) && hard == soft,
        };
        assert!(right, "{hard:?}, {soft:?}: {items:#?}");
    }
}
