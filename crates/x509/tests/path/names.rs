//! The names of a certificate: held to constraints, and asked for.

use std::net::IpAddr;

use adamant_der::oid;
use adamant_x509::extensions::*;
use adamant_x509::name::EMAIL_ADDRESS;
use adamant_x509::path::{
    Options, PathErrorKind as Kind, PeerName, Profile, TrustAnchor, check_name_constraints,
    validate,
};
use adamant_x509::{Certificate, DistinguishedName, FullCertificate, List};

use super::chain::{Entity, at, ca};

type Name<'n> = GeneralName<'n>;

fn named(subject: DistinguishedName, names: &[Name<'_>]) -> Vec<u8> {
    let subject = Entity {
        name: subject,
        ..Entity::new("", 2)
    };
    Entity::new("Issuer", 1).issue(&subject, 1, |builder| match names.is_empty() {
        true => builder,
        false => builder.extension(&SubjectAltName(List::new(names))),
    })
}

/// What is said of a certificate under constraints of one CA.
fn held(
    subject: DistinguishedName,
    names: &[Name<'_>],
    permitted: &[Name<'_>],
    excluded: &[Name<'_>],
) -> Result<(), Kind> {
    let der = named(subject, names);
    let [permitted, excluded]: [Vec<_>; 2] =
        [permitted, excluded].map(|bases| bases.iter().copied().map(GeneralSubtree).collect());
    let constraints = NameConstraints {
        permitted: (!permitted.is_empty()).then(|| List::new(&permitted)),
        excluded: (!excluded.is_empty()).then(|| List::new(&excluded)),
    };
    check_name_constraints(&FullCertificate::from_der(&der).unwrap(), &[constraints])
}

fn nobody() -> DistinguishedName {
    DistinguishedName::new()
}

const V6: [u8; 16] = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
const V6_RANGE: [u8; 32] = {
    let mut range = [0; 32];
    (range[0], range[1], range[2], range[3]) = (0x20, 1, 0xd, 0xb8);
    (range[16], range[17], range[18], range[19]) = (0xff, 0xff, 0xff, 0xff);
    range
};
const UPN: Name<'_> = Name::Other {
    oid: oid!("1.3.6.1.4.1.311.20.2.3"),
    value: &[0x0c, 1, b'u'],
};

/// Each form of names, within a tree and beside it: permitted and excluded there, or not.
#[test]
fn every_form() {
    let people = DistinguishedName::new().organization("Adamant");
    let person = people.clone().common_name("Person");
    let stranger = DistinguishedName::new().organization("Other");
    let [base, inside, outside] =
        [&people, &person, &stranger].map(|name| Name::Directory(name.as_name()));
    let v4 = Name::Ip(&[192, 0, 2, 0, 255, 255, 255, 0]);
    let v6 = Name::Ip(&V6_RANGE);
    for (name, base, within) in [
        (Name::Dns("a.example"), Name::Dns("example"), Some(true)),
        (Name::Dns("a.example"), Name::Dns("b.example"), Some(false)),
        (Name::Dns("a.example"), Name::Email("b.example"), None),
        (
            Name::Email("x@a.example"),
            Name::Email("a.example"),
            Some(true),
        ),
        (
            Name::Email("x@a.example"),
            Name::Email("y@a.example"),
            Some(false),
        ),
        (Name::Email("x@a.example"), Name::Dns("b.example"), None),
        (
            Name::Uri("https://a.example/"),
            Name::Uri("a.example"),
            Some(true),
        ),
        (
            Name::Uri("https://a.example/"),
            Name::Uri(".a.example"),
            Some(false),
        ),
        (Name::Uri("https://a.example/"), Name::Uri(""), Some(true)),
        (Name::Ip(&[192, 0, 2, 1]), v4, Some(true)),
        (Name::Ip(&[192, 0, 3, 1]), v4, Some(false)),
        (Name::Ip(&[192, 0, 2, 1]), v6, Some(false)),
        (Name::Ip(&V6), v6, Some(true)),
        (Name::Ip(&V6), v4, Some(false)),
        (Name::Ip(&[0; 16]), v6, Some(false)),
        (inside, base, Some(true)),
        (outside, base, Some(false)),
        (base, inside, Some(false)),
        (UPN, Name::RegisteredId(oid!("1.2.3")), None),
    ] {
        let permitted = held(nobody(), &[name], &[base], &[]);
        let excluded = held(nobody(), &[name], &[], &[base]);
        let allowed = match within {
            Some(false) => Err(Kind::NameNotPermitted(name.to_string())),
            _ => Ok(()),
        };
        assert_eq!(permitted, allowed, "{name} {base}");
        let allowed = match within {
            Some(true) => Err(Kind::NameExcluded(name.to_string())),
            _ => Ok(()),
        };
        assert_eq!(excluded, allowed, "{name} {base}");
        // One tree that has it is enough.
        let other = Name::Dns("other.example");
        let excluded = held(nobody(), &[name], &[], &[other, base]);
        assert_eq!(excluded.is_err(), within == Some(true), "{name} {base}");
    }
}

/// Names of which it cannot be told.
#[test]
fn forms_that_cannot_be_checked() {
    let id = Name::RegisteredId(oid!("1.2.3"));
    for (name, base) in [
        (UPN, UPN),
        (id, id),
        (Name::Dns("a_b.example"), Name::Dns("example")),
        (Name::Email("a.example"), Name::Email("a.example")),
        (Name::Uri("urn:a"), Name::Uri("a.example")),
    ] {
        let refused = Err(Kind::NameNotCheckable(name.to_string()));
        assert_eq!(held(nobody(), &[name], &[base], &[]), refused);
        assert_eq!(held(nobody(), &[name], &[], &[base]), refused);
        assert_eq!(held(nobody(), &[], &[base], &[base]), Ok(()));
    }
    let other = Name::Other {
        oid: oid!("1.2.3"),
        value: &[5, 0],
    };
    assert_eq!(held(nobody(), &[UPN], &[other], &[other]), Ok(()));
}

#[test]
fn bases() {
    for (base, right) in [
        (Name::Dns(""), true),
        (Name::Dns("a_b"), false),
        (Name::Email("a@b.example"), true),
        (Name::Email("a@b_c"), false),
        (Name::Email("@b.example"), false),
        (Name::Email(".b.example"), true),
        (Name::Uri("b.example"), true),
        (Name::Uri("b_c"), false),
        (Name::Ip(&[10, 0, 0, 0, 255, 0, 0, 0]), true),
        (Name::Ip(&[10, 0, 0, 0, 255, 0, 255, 0]), false),
        (Name::Ip(&[10, 0, 0, 0, 0, 0, 0, 255]), false),
        (Name::RegisteredId(oid!("1.2.3")), true),
    ] {
        for (permitted, excluded) in [(&[base][..], &[][..]), (&[], &[base])] {
            let expected = match right {
                true => Ok(()),
                false => Err(Kind::BadConstraint(base.to_string())),
            };
            assert_eq!(held(nobody(), &[], permitted, excluded), expected, "{base}");
        }
    }
}

/// The subject, and the address in it where there is none among the alternative names.
#[test]
fn subjects() {
    let adamant = DistinguishedName::new().organization("Adamant");
    let base = [Name::Directory(adamant.as_name())];
    assert_eq!(held(adamant.clone(), &[], &base, &[]), Ok(()));
    let other = DistinguishedName::new().organization("Other");
    assert!(held(other.clone(), &[], &base, &[]).is_err());
    assert!(held(adamant.clone(), &[], &[], &base).is_err());
    assert_eq!(held(nobody(), &[], &base, &base), Ok(()));

    let mail = |text: &str| adamant.clone().with(EMAIL_ADDRESS, text);
    let bound = [Name::Email("a.example")];
    let own = Name::Email("x@a.example");
    for (subject, names, good) in [
        (mail("x@a.example"), &[][..], true),
        (mail("x@b.example"), &[], false),
        (mail("x@b.example"), &[own], true),
        (mail("x@b.example"), &[Name::Dns("a.example")], false),
        (mail("x@b.example"), &[Name::Dns("a.example"), own], true),
        (mail("x@b.example"), &[own, Name::Dns("a.example")], true),
        (adamant.clone().common_name("x@b.example"), &[], true),
    ] {
        let verdict = held(subject.clone(), names, &bound, &[]);
        assert_eq!(verdict.is_ok(), good, "{subject} {names:?}: {verdict:?}");
    }
}

/// Which names a certificate is for.
#[test]
fn peers() {
    let root = Entity::new("Issuer", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let own = Certificate::from_der(&own).unwrap();
    let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
    let ip = |text: &str| PeerName::Ip(text.parse::<IpAddr>().unwrap());
    let all = [
        Name::Dns("a.example"),
        Name::Ip(&[192, 0, 2, 1]),
        Name::Ip(&V6),
        Name::Email("x@b.example"),
    ];
    let asked = [
        (PeerName::Dns("a.example"), Some(0)),
        (PeerName::Dns("b.example"), None),
        (PeerName::Dns("192.0.2.1"), None),
        (ip("192.0.2.1"), Some(1)),
        (ip("192.0.2.2"), None),
        (ip("2001:db8::1"), Some(2)),
        (ip("2001:db8::2"), None),
        (PeerName::Email("x@B.example"), Some(3)),
        (PeerName::Email("X@b.example"), None),
        (PeerName::Email("x@c.example"), None),
        (PeerName::Email("b.example"), None),
    ];
    for (names, has) in [
        (&all[..], 0..4),
        (&all[..2], 0..2),
        (&all[2..], 2..4),
        (&[], 0..0),
    ] {
        let der = named(DistinguishedName::new().common_name("a.example"), names);
        let leaf = Certificate::from_der(&der).unwrap();
        for (peer, place) in asked {
            for peers in [&[peer][..], &[peer, peer]] {
                let options = Options {
                    names: peers,
                    ..Options::new(Profile::Rfc5280, at())
                };
                let verdict = validate(&leaf, &[], &anchors, &options);
                let verdict = verdict.map(drop).map_err(|error| error.kind);
                match place.is_some_and(|place| has.contains(&place)) {
                    true => assert_eq!(verdict, Ok(()), "{peer}"),
                    false => assert_eq!(verdict, Err(Kind::NameMismatch(peer.to_string()))),
                }
            }
        }
    }
    // All that are asked for.
    let der = named(nobody(), &all);
    let leaf = Certificate::from_der(&der).unwrap();
    for (second, good) in [(ip("192.0.2.1"), true), (ip("192.0.2.9"), false)] {
        let names = [PeerName::Dns("a.example"), second];
        let options = Options {
            names: &names,
            ..Options::new(Profile::Path, at())
        };
        assert_eq!(validate(&leaf, &[], &anchors, &options).is_ok(), good);
    }
}

/// Constraints that are there before the first certificate: of the anchor, and of who asks.
#[test]
fn constraints_from_the_start() {
    let root = Entity::new("Issuer", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let own = Certificate::from_der(&own).unwrap();
    let anchor = TrustAnchor::from_certificate(&own).unwrap();
    let name = Name::Dns("a.example");
    let der = named(nobody().common_name("Leaf"), &[name]);
    let leaf = Certificate::from_der(&der).unwrap();
    for (base, good) in [("example", true), ("b.example", false)] {
        let trees = [GeneralSubtree(Name::Dns(base))];
        let constraints = NameConstraints {
            permitted: Some(List::new(&trees)),
            excluded: None,
        };
        let options = Options::new(Profile::Rfc5280, at());
        let asked = Options {
            name_constraints: constraints,
            ..options
        };
        let bound = anchor.with_name_constraints(constraints);
        for (anchor, options) in [(bound, options), (anchor, asked)] {
            let anchors = [anchor];
            let verdict = validate(&leaf, &[], &anchors, &options);
            let expected = match good {
                true => Ok(()),
                false => Err(Kind::NameNotPermitted(name.to_string())),
            };
            assert_eq!(verdict.map(drop).map_err(|error| error.kind), expected);
        }
    }
}
