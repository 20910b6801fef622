//! Inputs made to be costly: the search ends within its limits.

use std::cell::Cell;

use adamant_x509::path::{
    Limit, Limits, Options, PathErrorKind as Kind, Profile, Signatures, TrustAnchor, Verifier,
    validate,
};
use adamant_x509::{AlgorithmIdentifier, Certificate, Result, SubjectPublicKeyInfo};

use crate::adversarial::{bundles, circle_of_one};
use crate::chain::{Entity, at, ca, generate};

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
    let pool = [&a_by_b, &b_by_a].map(|der| Certificate::parse(der).unwrap());
    let leaf = Certificate::parse(&leaf).unwrap();
    let options = Options::new(Profile::Rfc5280, at());
    let error = validate(&leaf, &pool, &[], &options).unwrap_err();
    assert!(matches!(error.kind, Kind::UnknownIssuer(_)));

    // One of them is trusted, the other leads there.
    let root = b.issue(&b, 4, |builder| ca(builder, &b, None));
    let anchors = [TrustAnchor::from_certificate(&Certificate::parse(&root).unwrap()).unwrap()];
    let path = validate(&leaf, &pool, &anchors, &options).unwrap();
    assert_eq!(path.certificates.len(), 2);
}
