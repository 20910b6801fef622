//! Inputs made to be costly: the search ends within its limits.

use adamant_x509::path::{
    Limits, Options, PathErrorKind as Kind, Profile, TrustAnchor, Verifier, validate,
};
use adamant_x509::{AlgorithmIdentifier, Certificate, Result, SubjectPublicKeyInfo};

use crate::chain::{Entity, at, ca};

/// Takes every signature for good: the worst that a search can meet.
pub(crate) struct Gullible;

impl Verifier for Gullible {
    fn verify(
        &self,
        _: &SubjectPublicKeyInfo<'_>,
        _: &AlgorithmIdentifier<'_>,
        _: &[u8],
        _: &[u8],
    ) -> Result<()> {
        Ok(())
    }
}

/// Every CA of a level is issued by every one of the next, which have one name.
#[test]
fn many_paths_that_lead_nowhere() {
    let level = |i: usize| Entity::new(&format!("Level {i}"), 1 + i as u8);
    let levels: Vec<_> = (0..9).map(level).collect();
    let mut serial = 0;
    let mut pool = Vec::new();
    for pair in levels.windows(2) {
        for _ in 0..6 {
            serial += 1;
            pool.push(pair[1].issue(&pair[0], serial, |builder| ca(builder, &pair[0], None)));
        }
    }
    let leaf = levels[0].issue(&Entity::new("Leaf", 50), 1000, |builder| builder);
    let root = Entity::new("Root", 60);
    let root = root.issue(&root, 1, |builder| ca(builder, &root, None));

    let leaf = Certificate::parse(&leaf).unwrap();
    let pool: Vec<_> = pool
        .iter()
        .map(|der| Certificate::parse(der).unwrap())
        .collect();
    let anchors = [TrustAnchor::from_certificate(&Certificate::parse(&root).unwrap()).unwrap()];
    let options = Options::new(Profile::Rfc5280, at());
    let error = validate(&leaf, &pool, &anchors, &options).unwrap_err();
    assert_eq!(error.kind, Kind::TooCostly("signatures"));

    let options = Options {
        verifier: &Gullible,
        limits: Limits {
            signatures: usize::MAX,
            ..Limits::DEFAULT
        },
        ..options
    };
    let error = validate(&leaf, &pool, &anchors, &options).unwrap_err();
    assert!(matches!(error.kind, Kind::TooCostly(_)), "{error}");
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
