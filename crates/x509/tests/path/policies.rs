//! Policies that make a tree of RFC 5280 exponential: the graph of RFC 9618 is not.

use adamant_der::Oid;
use adamant_x509::extensions::*;
use adamant_x509::path::{
    Options, PathErrorKind as Kind, Policies, PolicySet, Profile, TrustAnchor, validate,
};
use adamant_x509::{Certificate, List};

use super::chain::{Entity, at, ca};

fn policy(number: u64) -> Oid {
    Oid::from_arcs(&[1, 3, 6, 1, 4, 1, 55738, number]).unwrap()
}

/// Each CA maps each of its policies to all of the next, for ten levels: 20^10 nodes of a tree.
#[test]
fn mappings_of_all_to_all() {
    let count = 20;
    let all: Vec<_> = (0..count).map(policy).collect();
    let policies: Vec<_> = all.iter().map(|oid| PolicyInformation::new(*oid)).collect();
    let mappings: Vec<_> = all
        .iter()
        .flat_map(|&issuer| {
            all.iter()
                .map(move |&subject| PolicyMapping { issuer, subject })
        })
        .collect();
    let levels: Vec<_> = (0..12)
        .map(|i| Entity::new(&format!("Level {i}"), 1 + i))
        .collect();
    let pool: Vec<_> = levels
        .windows(2)
        .map(|pair| {
            pair[0].issue(&pair[1], 1, |builder| {
                ca(builder, &pair[1], None)
                    .extension(&CertificatePolicies(List::new(&policies)))
                    .extension(&PolicyMappings(List::new(&mappings)))
            })
        })
        .collect();
    let leaf = levels[11].issue(&Entity::new("Leaf", 50), 2, |builder| {
        builder.extension(&CertificatePolicies(List::new(&policies[..1])))
    });
    let root = levels[0].issue(&levels[0], 3, |builder| ca(builder, &levels[0], None));

    let pool: Vec<_> = pool
        .iter()
        .map(|der| Certificate::from_der(der).unwrap())
        .collect();
    let leaf = Certificate::from_der(&leaf).unwrap();
    let anchors = [TrustAnchor::from_certificate(&Certificate::from_der(&root).unwrap()).unwrap()];
    let ask = |initial: &[Oid]| {
        let options = Options {
            policies: Policies {
                initial: Some(initial),
                require_explicit: true,
                ..Policies::default()
            },
            max_depth: 11,
            ..Options::new(Profile::Rfc5280, at())
        };
        validate(&leaf, &pool, &anchors, &options).map(|path| path.policies)
    };
    let wanted = policy(count - 1);
    assert_eq!(ask(&[wanted]), Ok(PolicySet::Only(vec![wanted])));
    assert_eq!(ask(&[policy(count)]).unwrap_err().kind, Kind::NoPolicy);
}
