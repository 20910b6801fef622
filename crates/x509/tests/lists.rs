//! What lists of revoked certificates are about: parts of an issuer's certificates, changes,
//! certificates of several issuers.

use adamant_x509::crl::{CertificateList, CrlBuilder, FullCertificateList, Revocation};
use adamant_x509::extensions::*;
use adamant_x509::{DistinguishedName, List, SerialNumber, SignatureAlgorithm, assemble};

use crate::common::time;

const A: GeneralName<'_> = GeneralName::Uri("http://crl.adamant.example/a");
const B: GeneralName<'_> = GeneralName::Uri("http://crl.adamant.example/b");
const C: GeneralName<'_> = GeneralName::Uri("http://crl.adamant.example/c");

fn named(text: &str) -> DistinguishedName {
    DistinguishedName::new().common_name(text)
}

/// A list of this issuer, signed by nobody.
fn list<'a>(
    issuer: &'a DistinguishedName,
    extended: impl FnOnce(CrlBuilder<'a>) -> CrlBuilder<'a>,
    revocations: impl IntoIterator<Item = Revocation<'a>>,
) -> Vec<u8> {
    let builder = CrlBuilder::new(issuer.as_name(), time("2026-01-01"), time("2026-01-08"));
    let algorithm = SignatureAlgorithm::Ed25519;
    let tbs = extended(builder).tbs(revocations, algorithm).unwrap();
    assemble(&tbs, algorithm, &[0; 64])
}

/// An entry is of the issuer that it names, or of the one of the entry before (RFC 5280, 5.3.3).
#[test]
fn issuers_of_entries() {
    let names = ["Lists", "One", "Two", "Three"].map(named);
    let [lists, one, two, three] = names.each_ref().map(DistinguishedName::as_name);
    let [of_one, of_two] = [one, two].map(|name| [A, GeneralName::Directory(name)]);
    let entry = |number: u64| Revocation::new(number.into(), time("2026-01-01"));
    let der = list(
        &names[0],
        |builder| builder,
        [
            entry(1),
            entry(2),
            entry(3).certificate_issuer((&of_one).into()),
            entry(4),
            entry(1),
            entry(5).certificate_issuer((&of_two).into()),
            entry(3),
        ],
    );
    let list = CertificateList::from_der(&der).unwrap();
    let full = list.full().unwrap();
    for (issuer, numbers) in [
        (lists, &[1, 2][..]),
        (one, &[1, 3, 4]),
        (two, &[3, 5]),
        (three, &[]),
    ] {
        for number in 0..7 {
            let serial = SerialNumber::from(number);
            let found = list.find_of(&issuer, &serial).unwrap();
            assert_eq!(
                found.is_some(),
                numbers.contains(&number),
                "{issuer} {number}"
            );
            assert!(found.is_none_or(|entry| entry.serial == serial));
            let alone = full.find_with(None, &issuer, &serial).unwrap();
            assert_eq!(alone.is_some(), found.is_some());
        }
    }
}

/// What a list says together with its changes: they come first, and may take an entry away.
#[test]
fn entries_with_changes() {
    let issuer = named("Lists");
    let entry = |(number, reason): (u64, _)| {
        Revocation::new(number.into(), time("2026-01-01")).reason(reason)
    };
    let (held, removed) = (
        RevocationReason::CertificateHold,
        RevocationReason::RemoveFromCrl,
    );
    let broken = RevocationReason::KeyCompromise;
    let base = list(
        &issuer,
        |builder| builder,
        [(1, held), (2, held), (3, held)].map(entry),
    );
    let delta = list(
        &issuer,
        |builder| builder,
        [(2, removed), (3, broken), (4, broken), (5, removed)].map(entry),
    );
    let [base, delta] = [&base, &delta].map(|der| FullCertificateList::from_der(der).unwrap());
    for (number, alone, both) in [
        (1, Some(held), Some(held)),
        (2, Some(held), None),
        (3, Some(held), Some(broken)),
        (4, None, Some(broken)),
        (5, None, None),
        (6, None, None),
    ] {
        let reason = |delta| {
            let found = base.find_with(delta, &issuer.as_name(), &number.into());
            found.unwrap().and_then(|entry| entry.reason().unwrap())
        };
        assert_eq!(
            (reason(None), reason(Some(&delta))),
            (alone, both),
            "{number}"
        );
    }
}

/// Changes are of a list where all of them hold: one fault, and they are not.
#[test]
fn changes_of_a_list() {
    #[derive(Clone, Copy)]
    struct Numbers {
        issuer: usize,
        key: u8,
        place: GeneralName<'static>,
        number: Option<u64>,
        base: Option<u64>,
    }
    let issuers = ["Lists", "Others"].map(named);
    let usual = Numbers {
        issuer: 0,
        key: 1,
        place: A,
        number: Some(5),
        base: None,
    };
    let make = |numbers: Numbers| {
        let point = [numbers.place];
        let scope = IssuingDistributionPoint {
            name: Some(DistributionPointName::Full(List::new(&point))),
            ..IssuingDistributionPoint::default()
        };
        list(
            &issuers[numbers.issuer],
            |mut builder| {
                if let Some(number) = numbers.number {
                    builder = builder.number(number.into());
                }
                if let Some(base) = numbers.base {
                    builder = builder.delta(base.into());
                }
                builder.authority_key_id(&[numbers.key]).extension(&scope)
            },
            [],
        )
    };
    let takes = |list: Numbers, delta: Numbers| {
        let [list, delta] = [list, delta].map(make);
        let [list, delta] = [&list, &delta].map(|der| FullCertificateList::from_der(der).unwrap());
        list.takes(&delta)
    };
    let changes = Numbers {
        number: Some(7),
        base: Some(4),
        ..usual
    };
    assert!(takes(usual, changes));
    for number in 0..10 {
        let list = Numbers {
            number: Some(number),
            ..usual
        };
        assert_eq!(takes(list, changes), (4..7).contains(&number), "{number}");
    }
    let faults: [fn(&mut Numbers); 4] = [
        |numbers| numbers.issuer = 1,
        |numbers| numbers.key = 2,
        |numbers| numbers.place = B,
        |numbers| numbers.number = None,
    ];
    for fault in faults {
        let with = |mut numbers: Numbers| {
            fault(&mut numbers);
            numbers
        };
        assert!(!takes(with(usual), changes) && !takes(usual, with(changes)));
    }
    // Changes of changes, and a list that is none of changes.
    assert!(!takes(
        Numbers {
            base: Some(1),
            ..usual
        },
        changes
    ));
    assert!(!takes(
        usual,
        Numbers {
            base: None,
            ..changes
        }
    ));
}

/// Which certificates a list covers, by the names that are on both sides.
#[test]
fn coverage() {
    let [lists, other] = ["Lists", "Others"].map(named);
    let [own, foreign] = [&lists, &other].map(|name| GeneralName::Directory(name.as_name()));
    let meet = |a: &[GeneralName<'_>], b: &[GeneralName<'_>]| {
        a.iter().filter(|a| b.contains(a)).count() > 0
    };
    let places: [&[GeneralName<'_>]; 7] =
        [&[], &[A], &[B], &[A, B], &[B, C], &[own, A], &[foreign]];
    let name = |names| Some(names).filter(|names: &&[_]| !names.is_empty());
    let both = [foreign, own];
    let issuers = [&[][..], &both[1..], &both[..1], &both];
    let mut covered = 0;
    for ours in places {
        for (user, ca, attributes, indirect) in
            (0..16).map(|i| (i & 1 > 0, i & 2 > 0, i & 4 > 0, i & 8 > 0))
        {
            let scope = IssuingDistributionPoint {
                name: name(ours).map(|names| DistributionPointName::Full(List::new(names))),
                only_user_certs: user,
                only_ca_certs: ca,
                only_attribute_certs: attributes,
                indirect,
                ..IssuingDistributionPoint::default()
            };
            let der = list(&lists, |builder| builder.extension(&scope), []);
            let list = FullCertificateList::from_der(&der).unwrap();
            for theirs in places {
                for issuers in issuers {
                    let point = DistributionPoint {
                        name: name(theirs)
                            .map(|names| DistributionPointName::Full(List::new(names))),
                        reasons: None,
                        crl_issuer: name(issuers).map(List::new),
                    };
                    let point = Some(point).filter(|_| !theirs.is_empty() || !issuers.is_empty());
                    for (of_ca, issuer) in [
                        (false, &lists),
                        (true, &lists),
                        (false, &other),
                        (true, &other),
                    ] {
                        let named = match issuers {
                            [] => issuer == &lists,
                            some => indirect && some.contains(&own),
                        };
                        let there = if theirs.is_empty() { issuers } else { theirs };
                        let place = ours.is_empty() || meet(ours, there);
                        let kind = !attributes && if of_ca { !user } else { !ca };
                        let expected = named && place && kind;
                        covered += usize::from(expected);
                        assert_eq!(
                            list.covers(&issuer.as_name(), of_ca, point.as_ref()),
                            expected,
                            "{scope:?} {point:?} {of_ca} {issuer}"
                        );
                    }
                }
            }
        }
    }
    assert!(covered > 500, "{covered}");
}

/// The parts that follow an issuer's name are compared with each other.
#[test]
fn relative_places() {
    let names = ["Lists", "a", "b"].map(named);
    let [lists, a, b] = names.each_ref().map(DistinguishedName::as_name);
    let [a, b] = [a, b].map(|name| DistributionPointName::Relative(name.rdns().next().unwrap()));
    for (ours, theirs) in [(a, a), (a, b), (b, a), (b, b)] {
        let scope = IssuingDistributionPoint {
            name: Some(ours),
            ..IssuingDistributionPoint::default()
        };
        let der = list(&names[0], |builder| builder.extension(&scope), []);
        let list = FullCertificateList::from_der(&der).unwrap();
        let point = DistributionPoint {
            name: Some(theirs),
            ..DistributionPoint::default()
        };
        assert_eq!(list.covers(&lists, false, Some(&point)), ours == theirs);
        assert_eq!(ours == theirs, format!("{ours:?}") == format!("{theirs:?}"));
        let full = [A];
        let point = DistributionPoint::at(List::new(&full));
        assert!(!list.covers(&lists, false, Some(&point)));
    }
}
