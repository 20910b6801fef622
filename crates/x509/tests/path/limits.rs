//! Inputs made to be costly: the search ends within its limits.

use std::cell::Cell;

use adamant_x509::crl::{CertificateList, CrlBuilder, Revocation as Entry};
use adamant_x509::extensions::IssuingDistributionPoint;
use adamant_x509::path::{
    Limit, Limits, Options, PathErrorKind as Kind, Profile, Revocation, Signatures, Strictness,
    TrustAnchor, Verifier, validate,
};
use adamant_x509::{AlgorithmIdentifier, Certificate, Result, SerialNumber, SubjectPublicKeyInfo};

use super::adversarial::{bundles, circle_of_one};
use super::chain::{Entity, at, ca, generate};

/// Counts the signatures.
struct Counting(Cell<usize>);

impl Verifier for Counting {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<()> {
        self.0.set(self.0.get() + 1);
        Signatures.verify(key, algorithm, message, signature)
    }
}

/// However many certificates there are of one name, spelt as it may be, with one key: a path has
/// one of them, and the search finds out that none leads anywhere.
#[test]
fn names_in_any_case_are_one() {
    for size in [81, 700] {
        let bundle = circle_of_one(size);
        let counting = Counting(Cell::new(0));
        let verdict = bundle.validate(|options| {
            options.verifier = &counting;
            options.limits = Limits {
                signatures: 3,
                nodes: 3 * size,
                octets: 8 * bundle.octets(),
            };
        });
        let kind = verdict.unwrap_err().kind;
        assert!(matches!(kind, Kind::UnknownIssuer(_)), "{size}: {kind}");
        assert_eq!(counting.0.get(), 1, "{size}");
    }
}

/// What each bundle comes to within limits that are small for it, and with any number of
/// signatures: which limit, or nothing where none is reached.
#[test]
fn every_bundle_ends() {
    use Limit::{Nodes, Octets, Signatures};

    let expected = [
        ("circle of one key", [None, None]),
        ("circle of one key", [None, None]),
        ("circle of one name", [Some(Signatures), Some(Octets)]),
        ("circle of many", [Some(Signatures), Some(Nodes)]),
        ("copies at every level", [Some(Signatures), Some(Nodes)]),
        ("levels that meet", [Some(Signatures), Some(Nodes)]),
        ("wide", [Some(Signatures), Some(Octets)]),
        ("deep", [Some(Signatures), Some(Nodes)]),
        ("hosts by constraints", [Some(Octets); 2]),
        ("mailboxes by constraints", [Some(Octets); 2]),
        ("names by constraints", [Some(Octets); 2]),
        ("long mailbox", [Some(Octets); 2]),
        ("mappings of all to all", [Some(Octets); 2]),
        ("large RSA keys", [Some(Signatures), Some(Octets)]),
        ("long names", [Some(Octets); 2]),
        ("long names beyond ASCII", [Some(Octets); 2]),
        ("names beyond ASCII", [Some(Octets); 2]),
        ("common names", [Some(Octets); 2]),
        ("extensions", [Some(Octets); 2]),
        ("long identifiers of keys", [Some(Octets); 2]),
        ("anchors of one name", [Some(Signatures), Some(Octets)]),
        ("anchors of many names", [None, None]),
    ];
    let found = bundles(false).into_iter().map(|bundle| {
        let within = |signatures| {
            let verdict = bundle.validate(|options| {
                options.limits = Limits {
                    signatures,
                    nodes: 1000,
                    octets: 800_000,
                };
            });
            match verdict.unwrap_err().kind {
                Kind::TooCostly(limit) => Some(limit),
                _ => None,
            }
        };
        (bundle.name, [within(20), within(usize::MAX)])
    });
    for (found, expected) in found.zip(expected) {
        assert_eq!(found, expected);
    }
}

/// What is not made to be costly costs a small part of the default limits.
#[test]
fn ordinary_chains_are_cheap() {
    for number in 0..60 {
        let chain = generate(number);
        let default = chain.validate(Profile::WebPki, Limits::DEFAULT);
        let small = Limits {
            signatures: 6,
            nodes: 12,
            octets: 50_000,
        };
        assert_eq!(chain.validate(Profile::WebPki, small), default, "{number}");
    }
}

/// CAs that issue each other.
#[test]
fn circles() {
    let [a, b, leaf] = [("A", 1), ("B", 2), ("Leaf", 3)].map(|(name, key)| Entity::new(name, key));
    let a_by_b = b.issue(&a, 1, |builder| ca(builder, &a, None));
    let b_by_a = a.issue(&b, 2, |builder| ca(builder, &b, None));
    let leaf = a.issue(&leaf, 3, |builder| builder);
    let pool = [&a_by_b, &b_by_a].map(|der| Certificate::from_der(der).unwrap());
    let leaf = Certificate::from_der(&leaf).unwrap();
    let options = Options::new(Profile::Rfc5280, at());
    let error = validate(&leaf, &pool, &[], &options).unwrap_err();
    assert!(matches!(error.kind, Kind::UnknownIssuer(_)));

    // One of them is trusted, the other leads there.
    let root = b.issue(&b, 4, |builder| ca(builder, &b, None));
    let anchors = [TrustAnchor::from_certificate(&Certificate::from_der(&root).unwrap()).unwrap()];
    let path = validate(&leaf, &pool, &anchors, &options).unwrap();
    assert_eq!(path.certificates.len(), 2);
}

/// A list in the name of `issuer`, of as many certificates that nobody asks for.
fn long_list(issuer: &Entity, signer: &Entity, count: u64, only_user_certs: bool) -> Vec<u8> {
    let [this, next] = ["2025-12-31", "2026-01-02"].map(|text| text.parse().unwrap());
    let entry = |i| Entry::new(SerialNumber::from(u64::MAX - i), this);
    let mut builder = CrlBuilder::new(issuer.name.as_name(), this, next)
        .number(SerialNumber::from(1))
        .authority_key_id(&signer.id);
    if only_user_certs {
        builder = builder.extension(&IssuingDistributionPoint {
            only_user_certs,
            ..IssuingDistributionPoint::default()
        });
    }
    let key = signer.key.signer().unwrap();
    builder.sign((0..count).map(entry), key).unwrap()
}

/// A list may be as long as it is: it is the caller's, and gone through a few times at most.
#[test]
fn long_lists_are_read() {
    let [root, leaf] = [("Root", 1), ("Leaf", 2)].map(|(name, key)| Entity::new(name, key));
    let root_der = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let leaf = root.issue(&leaf, 2, |builder| builder);
    let der = long_list(&root, &root, 4000, false);
    let limits = Limits {
        octets: 50_000,
        ..Limits::DEFAULT
    };
    assert!(der.len() > 2 * limits.octets);
    let lists = [CertificateList::from_der(&der).unwrap()];
    let root = Certificate::from_der(&root_der).unwrap();
    let anchors = [TrustAnchor::from_certificate(&root).unwrap()];
    let options = Options {
        limits,
        revocation: Some(Revocation::new(&lists, &[], Strictness::Hard)),
        ..Options::new(Profile::Rfc5280, at())
    };
    let leaf = Certificate::from_der(&leaf).unwrap();
    let verdict = validate(&leaf, &[], &anchors, &options);
    assert!(verdict.is_ok(), "{verdict:?}");
}

/// But not for each of many paths: here for the CA at the top of each, of which it does not speak,
/// so that its signature is never looked at.
#[test]
fn lists_are_not_read_without_end() {
    let names = ["CA 0", "CA 1", "CA 2", "CA 3", "Root"];
    let entities: Vec<_> = (1..)
        .zip(names)
        .map(|(key, name)| Entity::new(name, key))
        .collect();
    let mut pool = Vec::new();
    for pair in entities.windows(2) {
        let copy = |serial| pair[1].issue(&pair[0], serial, |builder| ca(builder, &pair[0], None));
        pool.extend((1..4).map(copy));
    }
    let root = &entities[4];
    let root_der = root.issue(root, 1, |builder| ca(builder, root, None));
    let leaf = entities[0].issue(&Entity::new("Leaf", 9), 1, |builder| builder);
    let der = long_list(root, &Entity::new("Root", 8), 200, true);
    let lists = [CertificateList::from_der(&der).unwrap()];
    let ask = |octets| {
        let pool: Vec<_> = pool
            .iter()
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let root = Certificate::from_der(&root_der).unwrap();
        let anchors = [TrustAnchor::from_certificate(&root).unwrap()];
        let options = Options {
            limits: Limits {
                octets,
                ..Limits::DEFAULT
            },
            revocation: Some(Revocation::new(&lists, &[], Strictness::Hard)),
            ..Options::new(Profile::Rfc5280, at())
        };
        let leaf = Certificate::from_der(&leaf).unwrap();
        validate(&leaf, &pool, &anchors, &options).unwrap_err().kind
    };
    // There are 81 paths, and the list may be gone through for 8 of them.
    let enough = 81 * der.len();
    assert_eq!(ask(enough / 2), Kind::TooCostly(Limit::Octets));
    assert!(matches!(ask(2 * enough), Kind::UnknownStatus(_)));
}

/// RFC 5280, 4.2.1.9: how many CAs may follow one, those not counted that were issued by themselves;
/// of several limits the least counts.
#[test]
fn lengths_of_paths() {
    let (plain, own) = (["Root", "A", "B", "C"], ["Root", "A", "A", "C"]);
    for (names, lengths, allowed) in [
        (plain, [None, None, None, None], None),
        (plain, [Some(3), None, None, None], None),
        (plain, [Some(2), None, None, None], Some(0)),
        (plain, [Some(0), None, None, None], Some(0)),
        (plain, [None, Some(2), None, None], None),
        (plain, [None, Some(1), None, None], Some(0)),
        (plain, [None, Some(0), None, None], Some(0)),
        (plain, [None, None, None, Some(0)], None),
        (plain, [Some(3), Some(1), None, None], Some(0)),
        (plain, [Some(1), Some(3), None, None], Some(0)),
        (plain, [Some(3), Some(2), Some(1), Some(0)], None),
        (own, [Some(2), None, None, None], None),
        (own, [Some(1), None, None, None], Some(0)),
        (own, [None, Some(1), Some(1), None], None),
        (own, [None, Some(0), None, None], Some(0)),
    ] {
        let entities: Vec<_> = (names.iter().zip(1..))
            .map(|(name, key)| Entity::new(name, key))
            .collect();
        let issue = |i: usize| {
            let issuer = &entities[i.saturating_sub(1)];
            issuer.issue(&entities[i], 2, |builder| {
                ca(builder, &entities[i], lengths[i])
            })
        };
        let cas: Vec<_> = (0..4).map(issue).collect();
        let leaf = entities[3].issue(&Entity::new("Leaf", 9), 3, |builder| builder);
        let cas: Vec<_> = cas
            .iter()
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let leaf = Certificate::from_der(&leaf).unwrap();
        let anchors = [TrustAnchor::from_certificate(&cas[0]).unwrap()];
        let options = Options::new(Profile::Rfc5280, at());
        let verdict = validate(&leaf, &cas[1..], &anchors, &options);
        let expected = match allowed {
            None => Ok(()),
            Some(allowed) => Err(Kind::PathTooLong { allowed }),
        };
        let verdict = verdict.map(drop).map_err(|error| error.kind);
        assert_eq!(verdict, expected, "{names:?} {lengths:?}");
    }
}
