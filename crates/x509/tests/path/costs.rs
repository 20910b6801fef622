//! What is charged to the limits: the least of each within which a validation ends as it would
//! without limits.

use adamant_der::{Oid, Reader, Tag, Writer, oid};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{CertStatus, IssuerId, ResponderId, ResponseBuilder, SingleResponse};
use adamant_x509::path::{
    Limits, Options, PathErrorKind as Kind, PeerName, Profile, Strictness, TrustAnchor, validate,
};
use adamant_x509::{
    Certificate, CertificateBuilder, DistinguishedName, Element, List, PublicKey, SerialNumber,
    UnknownKey, assemble,
};

use super::adversarial::Gullible;
use super::chain::{Entity, at, ca};
use super::revocation::{Question, time};

const FREE: Limits = {
    let mut limits = Limits::DEFAULT;
    (limits.signatures, limits.nodes, limits.octets) = (1 << 20, 1 << 20, 1 << 30);
    limits
};

/// The least of one limit.
pub(super) fn least(
    limit: fn(&mut Limits) -> &mut usize,
    ask: impl Fn(Limits) -> Result<(), Kind>,
) -> usize {
    let verdict = ask(FREE);
    assert!(!matches!(verdict, Err(Kind::TooCostly(_))));
    let (mut below, mut enough) = (0, *limit(&mut FREE.clone()));
    while below < enough {
        let middle = below.midpoint(enough);
        let mut limits = FREE;
        *limit(&mut limits) = middle;
        match ask(limits) == verdict {
            true => enough = middle,
            false => below = middle + 1,
        }
    }
    enough
}

/// A leaf and its root, of which every signature is good.
fn ask<'o>(
    leaf: &[u8],
    root: &[u8],
    limits: Limits,
    change: impl Fn(&mut Options<'o>),
) -> Result<(), Kind> {
    let [leaf, root] = [leaf, root].map(|der| Certificate::from_der(der).unwrap());
    let anchors = [TrustAnchor::from_certificate(&root).unwrap()];
    let mut options = Options {
        verifier: &Gullible,
        limits,
        ..Options::new(Profile::Path, at())
    };
    change(&mut options);
    let verdict = validate(&leaf, &[], &anchors, &options);
    verdict.map(drop).map_err(|error| error.kind)
}

/// A key that need not be one.
fn key(oid: Oid, parameters: &[u8], bits: Vec<u8>) -> PublicKey {
    PublicKey::Unknown(UnknownKey {
        oid,
        parameters: Some(parameters.to_vec()),
        bits,
    })
}

fn on_curve(curve: Oid) -> PublicKey {
    let mut w = Writer::new();
    w.oid(&curve);
    key(oid!("1.2.840.10045.2.1"), w.as_bytes(), vec![4])
}

/// Modulus and exponent of these lengths, the first of another type where that is said.
fn rsa(n: usize, e: usize, tag: Tag) -> PublicKey {
    let mut w = Writer::new();
    w.sequence(|w| {
        w.tlv(tag, &vec![0x7f; n]);
        w.tlv(Tag::INTEGER, &vec![0x7e; e]);
    });
    key(oid!("1.2.840.113549.1.1.1"), &[5, 0], w.finish())
}

/// A signature counts by its key and its length.
#[test]
fn signatures() {
    for (key, length, cost) in [
        (on_curve(oid!("1.2.840.10045.3.1.7")), 70, 1),
        (on_curve(oid!("1.3.132.0.34")), 70, 2),
        (on_curve(oid!("1.3.132.0.35")), 70, 3),
        (on_curve(oid!("1.3.36.3.3.2.8.1.1.9")), 70, 2),
        (on_curve(oid!("1.3.36.3.3.2.8.1.1.13")), 70, 3),
        (on_curve(oid!("1.2.3")), 70, 1),
        (on_curve(oid!("1.2.840.10045.3.1.7")), 8191, 1),
        (on_curve(oid!("1.2.840.10045.3.1.7")), 8192, 2),
        (on_curve(oid!("1.3.132.0.35")), 49_856, 9),
        (rsa(256, 3, Tag::INTEGER), 256, 1),
        (rsa(1024, 3, Tag::INTEGER), 1024, 7),
        (rsa(1025, 3, Tag::INTEGER), 1024, 7),
        (rsa(1026, 3, Tag::INTEGER), 1024, 1),
        (rsa(1024, 32, Tag::INTEGER), 1024, 65),
    ] {
        let issuer = Entity {
            public: key,
            ..Entity::new("Issuer", 1)
        };
        let other = Entity::new("Issuer", 2);
        let root = other.issue(&issuer, 1, |builder| ca(builder, &issuer, None));
        let leaf = Entity::new("Leaf", 3);
        let [from, until] = ["2020-01-01", "2030-01-01"].map(time);
        let (name, serial) = (leaf.name.as_name(), SerialNumber::from(2));
        let issuer = issuer.name.as_name();
        let builder = CertificateBuilder::new(serial, issuer, from, until, name, &leaf.public);
        let algorithm = other.key.signer().unwrap().algorithm();
        let leaf = assemble(
            &builder.tbs(algorithm).unwrap(),
            algorithm,
            &vec![1; length],
        );
        let found = least(
            |limits| &mut limits.signatures,
            |limits| ask(&leaf, &root, limits, |_| {}),
        );
        assert_eq!(found, cost);
    }
}

/// The key of the certificate is read: 2^14 octets, and the square of a modulus by 16.
#[test]
fn keys() {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let of = |n, tag| {
        let leaf = Entity {
            public: rsa(n, 3, tag),
            ..Entity::new("Leaf", 2)
        };
        let der = root.issue(&leaf, 2, |builder| builder);
        let octets = least(
            |limits| &mut limits.octets,
            |limits| ask(&der, &own, limits, |_| {}),
        );
        (octets, der.len())
    };
    let (with, without) = (of(1024, Tag::INTEGER), of(1024, Tag::OCTET_STRING));
    assert_eq!(with.0 - without.0, 1024 * 1024 / 16);
    // Besides, what is read and hashed: the certificate, and its key twice.
    assert!(without.0 > (1 << 14) + without.1 + 2 * 1024);
    assert!(without.0 < (1 << 14) + 2 * without.1 + 2 * 1024 + 4096);
}

/// Each name that is asked for is compared with each that the certificate has.
#[test]
fn names_by_names() {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let texts: Vec<_> = (0..30).map(|i| format!("{i}.adamant.example")).collect();
    let names: Vec<_> = texts.iter().map(|name| GeneralName::Dns(name)).collect();
    let names = SubjectAltName(adamant_x509::List::new(&names));
    let leaf = root.issue(&Entity::new("Leaf", 2), 2, |builder| {
        builder.extension(&names)
    });
    let asked: Vec<_> = texts.iter().map(|name| PeerName::Dns(name)).collect();
    let [few, many] = [1, 30].map(|count| {
        least(
            |limits| &mut limits.octets,
            |limits| {
                ask(&leaf, &own, limits, |options| {
                    options.names = &asked[..count]
                })
            },
        )
    });
    let octets: usize = texts.iter().map(|text| text.len() + 2).sum();
    assert_eq!(many - few, 29 * octets);
}

/// Each issuer that is tried is a node, and each certificate of a path that is complete; each
/// candidate is glanced at, and with its key once every step so far.
#[test]
fn candidates() {
    let entities: Vec<_> = (0..4)
        .map(|i| Entity::new(&format!("CA {i}"), 1 + i))
        .collect();
    let issue = |issuer: &Entity, subject: &Entity, serial| {
        issuer.issue(subject, serial, |builder| ca(builder, subject, None))
    };
    let own = issue(&entities[0], &entities[0], 1);
    let below: Vec<_> = (entities.windows(2))
        .map(|pair| issue(&pair[0], &pair[1], 2))
        .collect();
    let leaf = entities[3].issue(&Entity::new("Leaf", 9), 3, |builder| builder);
    let ask = |more: &[Vec<u8>], limits| {
        let others: Vec<_> = (below.iter().chain(more))
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let [leaf, own] = [&leaf, &own].map(|der| Certificate::from_der(der).unwrap());
        let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
        let options = Options {
            limits,
            verifier: &Gullible,
            ..Options::new(Profile::Path, at())
        };
        let verdict = validate(&leaf, &others, &anchors, &options);
        verdict.map(drop).map_err(|error| error.kind)
    };
    // Three CAs and the anchor, then four certificates.
    let nodes = least(|limits| &mut limits.nodes, |limits| ask(&[], limits));
    assert_eq!(nodes, 3 + 1 + 4);
    // Against a certificate that is as long and that nobody looks for.
    let octets = |other: &Entity| {
        // Signatures of one length.
        let of_length = |serial: &u64| issue(&entities[2], other, *serial).len() == below[2].len();
        let serial = (10..100).find(of_length).unwrap();
        let more = [issue(&entities[2], other, serial)];
        least(|limits| &mut limits.octets, |limits| ask(&more, limits))
    };
    let unrelated = octets(&Entity::new("CA 9", 20));
    let alone = least(|limits| &mut limits.octets, |limits| ask(&[], limits));
    assert!(unrelated - alone > below[2].len());
    assert_eq!(octets(&entities[3]) - unrelated, 8);
    assert_eq!(octets(&Entity::new("CA 3", 20)) - unrelated, 8 * 2 + 8);
}

/// A path has 64 certificates at most, however many may come between.
#[test]
fn the_longest_path() {
    let entities: Vec<_> = (0..66)
        .map(|i| Entity::new(&format!("CA {i}"), 1 + i))
        .collect();
    let issue = |pair: &[Entity]| pair[0].issue(&pair[1], 2, |builder| ca(builder, &pair[1], None));
    let chain: Vec<_> = entities.windows(2).map(issue).collect();
    let own = entities[0].issue(&entities[0], 1, |builder| ca(builder, &entities[0], None));
    let own = Certificate::from_der(&own).unwrap();
    let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
    for (count, good) in [(64, true), (65, false)] {
        let chain: Vec<_> = (chain[..count].iter().rev())
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let options = Options {
            max_depth: 100,
            verifier: &Gullible,
            ..Options::new(Profile::Path, at())
        };
        let verdict = validate(&chain[0], &chain[1..], &anchors, &options);
        match good {
            true => assert_eq!(verdict.unwrap().certificates.len(), count),
            false => assert_eq!(verdict.unwrap_err().kind, Kind::TooDeep { allowed: 100 }),
        }
    }
}

/// Each anchor is glanced at.
#[test]
fn anchors() {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let other = Entity::new("Other", 2);
    let other = other.issue(&other, 1, |builder| ca(builder, &other, None));
    let leaf = root.issue(&Entity::new("Leaf", 3), 2, |builder| builder);
    let [own, other, leaf] = [&own, &other, &leaf].map(|der| Certificate::from_der(der).unwrap());
    let [own, other] = [own, other].map(|root| TrustAnchor::from_certificate(&root).unwrap());
    let [few, many] = [0, 100].map(|count| {
        let anchors = [vec![other; count], vec![own]].concat();
        let ask = |limits| {
            let options = Options {
                limits,
                verifier: &Gullible,
                ..Options::new(Profile::Path, at())
            };
            let verdict = validate(&leaf, &[], &anchors, &options);
            verdict.map(drop).map_err(|error| error.kind)
        };
        least(|limits| &mut limits.octets, ask)
    });
    assert_eq!(many - few, 8 * 100);
}

/// Responders that answer for each other, and one at the end that the issuer vouches for: eight
/// certificates are asked about at a time, and no more.
#[test]
fn responders_one_after_the_other() {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let leaf = root.issue(&Entity::new("Leaf", 2), 7, |builder| builder);
    let issuer = IssuerId::new(&Certificate::from_der(&own).unwrap()).unwrap();
    let purposes = ExtendedKeyUsage((&[ExtendedKeyUsage::OCSP_SIGNING]).into());
    for (count, good) in [(1, true), (2, true), (7, true), (8, false)] {
        let responses: Vec<_> = (0..count)
            .map(|i| {
                let responder = Entity::new(&format!("Responder {i}"), 10 + i);
                let der = root.issue(&responder, 100 + u64::from(i), |builder| {
                    let builder = builder.extension(&purposes);
                    match i + 1 == count {
                        true => builder.extension(&OcspNoCheck),
                        false => builder,
                    }
                });
                let about = if i == 0 { 7 } else { 99 + u64::from(i) };
                let id = issuer.cert_id(SerialNumber::from(about));
                let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
                let single = SingleResponse::new(id, CertStatus::Good, from, Some(until));
                ResponseBuilder::new(ResponderId::Name(responder.name.as_name()), from)
                    .certificates(&[&der])
                    .sign(&[single], responder.key.signer().unwrap())
                    .unwrap()
            })
            .collect();
        let question = Question {
            target: &leaf,
            others: &[],
            root: &own,
            lists: &[],
            responses: &responses,
            strictness: Strictness::Hard,
            dedicated: false,
            only_target: false,
        };
        let answer = question.ask();
        assert_eq!(answer.is_ok(), good, "{count}: {answer:?}");
    }
}

/// The identifier and value of an extension, and whether it is there, or one as long that nobody reads.
type Value<'v> = (Oid, &'v [u8], bool);

fn value<'a>(element: &impl Element<'a>) -> Vec<u8> {
    let mut w = Writer::new();
    element.write(&mut w);
    w.finish()
}

/// The length of the contents of a value.
fn inner(der: &[u8]) -> usize {
    let contents = Reader::new(der).enter(Tag::SEQUENCE).unwrap();
    contents.rest().len()
}

/// The octets that a certificate without a subject and that of its CA take.
fn octets(of_ca: Value<'_>, of_leaf: Value<'_>) -> usize {
    let [root, middle] = [("Root", 1), ("CA", 2)].map(|(name, key)| Entity::new(name, key));
    let leaf = Entity {
        name: DistinguishedName::new(),
        ..Entity::new("", 3)
    };
    // Of signatures of one length.
    let issue = |issuer: &Entity, subject: &Entity, (oid, value, read): Value<'_>| {
        let [from, until] = ["2020-01-01", "2030-01-01"].map(time);
        let (serial, by) = (SerialNumber::from(2), issuer.name.as_name());
        let name = subject.name.as_name();
        let builder = CertificateBuilder::new(serial, by, from, until, name, &subject.public);
        let oid = if read { oid } else { oid!("2.5.29.99") };
        let builder = ca(builder, subject, None).raw_extension(oid, false, value);
        let algorithm = issuer.key.signer().unwrap().algorithm();
        assemble(&builder.tbs(algorithm).unwrap(), algorithm, &[1; 70])
    };
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let chain = [issue(&middle, &leaf, of_leaf), issue(&root, &middle, of_ca)];
    let [leaf, middle, own] =
        [&chain[0], &chain[1], &own].map(|der| Certificate::from_der(der).unwrap());
    let (others, anchors) = ([middle], [TrustAnchor::from_certificate(&own).unwrap()]);
    let ask = |limits| {
        let options = Options {
            verifier: &Gullible,
            limits,
            ..Options::new(Profile::Path, at())
        };
        let verdict = validate(&leaf, &others, &anchors, &options);
        verdict.map(drop).map_err(|error| error.kind)
    };
    least(|limits| &mut limits.octets, ask)
}

/// Each policy and mapping is an edge, and so is each name that the policies above may have; a list
/// of policies is gone through once more.
#[test]
fn policies() {
    const EDGE: usize = 192;
    const POLICIES: Oid = CertificatePolicies::OID;
    let all: Vec<_> = (0..20)
        .map(|i| PolicyInformation::new(Oid::from_arcs(&[1, 3, 6, 1, 4, 1, 55738, i]).unwrap()))
        .collect();
    let mappings: Vec<_> = (all.windows(2))
        .map(|pair| PolicyMapping {
            issuer: pair[0].oid,
            subject: pair[1].oid,
        })
        .collect();
    let many = value(&CertificatePolicies(List::new(&all)));
    let one = value(&CertificatePolicies(List::new(&all[..1])));
    let mapped = value(&PolicyMappings(List::new(&mappings)));
    let none = octets((POLICIES, &many, false), (POLICIES, &one, false));
    // The anchor's is any policy, which has one name.
    let of_ca = octets((POLICIES, &many, true), (POLICIES, &one, false));
    assert_eq!(of_ca - none, EDGE * (1 + 20) + inner(&many));
    let of_both = octets((POLICIES, &many, true), (POLICIES, &one, true));
    assert_eq!(of_both - of_ca, EDGE * (20 + 1) + inner(&one));
    let [with, without] = [true, false].map(|read| {
        octets(
            (PolicyMappings::OID, &mapped, read),
            (POLICIES, &one, false),
        )
    });
    assert_eq!(with - without, EDGE * mappings.len());
}

/// Each base of a constraint is looked at once, and with each name once more; the names are gone
/// through.
#[test]
fn names_under_constraints() {
    const BASE: usize = 16;
    let host = (
        GeneralName::Dns("www.adamant.example"),
        GeneralName::Dns("example.org"),
        [19, 11],
    );
    let address = (
        GeneralName::Ip(&[192, 0, 2, 1]),
        GeneralName::Ip(&[10, 0, 0, 0, 255, 0, 0, 0]),
        [4, 8],
    );
    for (name, base, [of_name, of_base]) in [host, address] {
        let (names, bases) = ([name; 2], [GeneralSubtree(base); 2]);
        for (count, names_count) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
            let of_ca = value(&NameConstraints {
                permitted: None,
                excluded: Some(List::new(&bases[..count])),
            });
            let of_leaf = value(&SubjectAltName(List::new(&names[..names_count])));
            let [with, without] = [true, false].map(|read| {
                let of_ca = (NameConstraints::OID, &of_ca[..], read);
                octets(of_ca, (SubjectAltName::OID, &of_leaf, true))
            });
            let pairs = count * names_count * (BASE + of_name + of_base);
            let expected = inner(&of_leaf) + count * (BASE + of_base) + pairs;
            assert_eq!(with - without, expected, "{name} {count} {names_count}");
        }
    }
}
