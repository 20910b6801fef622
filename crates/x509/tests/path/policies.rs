//! Policies that make a tree of RFC 5280 exponential: the graph of RFC 9618 is not.

use adamant_der::Oid;
use adamant_x509::extensions::*;
use adamant_x509::path::{
    Options, PathErrorKind as Kind, Policies, PolicySet, Profile, TrustAnchor, validate,
};
use adamant_x509::{Certificate, List};

use super::chain::{Entity, at, ca};
use super::rules::{More, plain, policies, told};

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

/// From which certificate on a policy is missed.
#[test]
fn where_a_policy_is_missed() {
    for (after, depth) in [(0, 2), (1, 1), (2, 0), (3, 0)] {
        let demand: &More<'_> = &|builder| {
            builder.extension(&PolicyConstraints {
                require_explicit: Some(after),
                inhibit_mapping: None,
            })
        };
        let error = told(demand, &[&plain, &plain, &plain], |_| {}).unwrap_err();
        assert_eq!(
            (error.kind, error.depth),
            (Kind::NoPolicy, depth),
            "{after}"
        );
    }
}

/// RFC 5280, 6.1.4 (b): a policy that is mapped stands for those it is mapped to, or, where mappings
/// are not allowed, for none; one that only `anyPolicy` stands for can be mapped too, and stays.
#[test]
fn mappings() {
    let [a, b, c] = [1, 2, 3].map(policy);
    let any = PolicyInformation::ANY;
    let cases: [(&[Oid], Oid, [Option<Oid>; 2]); 8] = [
        (&[a, c], a, [None, None]),
        (&[a, c], b, [Some(a), None]),
        (&[a, c], c, [Some(c), Some(c)]),
        (&[c], b, [None, None]),
        (&[any], a, [Some(a), Some(a)]),
        (&[any], b, [Some(a), Some(b)]),
        (&[any], c, [Some(c), Some(c)]),
        (&[any, a], b, [Some(a), Some(b)]),
    ];
    for (of_ca, of_leaf, valid) in cases {
        for (inhibit, valid) in [false, true].into_iter().zip(valid) {
            let mapped: &More<'_> = &|builder| {
                let pairs = [PolicyMapping {
                    issuer: a,
                    subject: b,
                }; 2];
                policies(builder, of_ca).extension(&PolicyMappings((&pairs).into()))
            };
            let leaf: &More<'_> = &|builder| policies(builder, &[of_leaf]);
            let found = told(&plain, &[mapped, leaf], |options| {
                options.policies.inhibit_mapping = inhibit;
            });
            let expected = PolicySet::Only(valid.into_iter().collect());
            assert_eq!(found, Ok(expected), "{of_ca:?} {of_leaf} {inhibit}");
        }
    }
}

/// RFC 5280, 6.1.5 (b): the target may demand a policy too, of itself.
#[test]
fn what_the_target_demands() {
    let a = policy(1);
    for (require_explicit, named, good) in [
        (Some(0), false, false),
        (Some(0), true, true),
        (Some(1), false, true),
        (None, false, true),
    ] {
        let leaf: &More<'_> = &|builder| {
            let builder = builder.extension(&PolicyConstraints {
                require_explicit,
                inhibit_mapping: Some(0),
            });
            match named {
                true => policies(builder, &[a]),
                false => builder,
            }
        };
        let found = told(&plain, &[leaf], |_| {}).map_err(|error| error.kind);
        let valid = if named { vec![a] } else { vec![] };
        let expected = match good {
            true => Ok(PolicySet::Only(valid)),
            false => Err(Kind::NoPolicy),
        };
        assert_eq!(found, expected, "{require_explicit:?} {named}");
    }
}

/// `anyPolicy` in every certificate stands for what is asked for, and else for any.
#[test]
fn any_policy_to_the_end() {
    let [a, b] = [1, 2].map(policy);
    let any: &More<'_> = &|builder| policies(builder, &[PolicyInformation::ANY]);
    let initial = [b, a];
    for (initial, valid) in [
        (None, PolicySet::Any),
        (Some(&initial[..]), PolicySet::Only(initial.to_vec())),
        (Some(&initial[..1]), PolicySet::Only(vec![b])),
    ] {
        let found = told(&plain, &[any, any], |options| {
            options.policies.initial = initial;
            options.policies.require_explicit = true;
        });
        assert_eq!(found, Ok(valid));
    }
}

/// RFC 5280, 6.1.3 (d) (2): where `anyPolicy` is inhibited, it counts still in what a CA issued to
/// itself, but for the target.
#[test]
fn any_policy_of_a_ca_for_itself() {
    let a = policy(1);
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let first = Entity::new("CA", 2);
    let first_der = root.issue(&first, 2, |builder| {
        policies(ca(builder, &first, None), &[a]).extension(&InhibitAnyPolicy(0))
    });
    let leaf = Entity::new("Leaf", 4);
    let own = Certificate::from_der(&own).unwrap();
    let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
    let options = Options {
        policies: Policies {
            require_explicit: true,
            ..Policies::default()
        },
        ..Options::new(Profile::Path, at())
    };
    for (name, of_ca, of_target) in [("CA", true, false), ("Other", false, false)] {
        let second = Entity::new(name, 3);
        let second_der = first.issue(&second, 3, |builder| {
            policies(ca(builder, &second, None), &[PolicyInformation::ANY])
        });
        let leaf_der = second.issue(&leaf, 4, |builder| policies(builder, &[a]));
        let [first, second, leaf] =
            [&first_der, &second_der, &leaf_der].map(|der| Certificate::from_der(der).unwrap());
        let others = [first, second];
        for (target, good) in [(leaf, of_ca), (second, of_target)] {
            let found = validate(&target, &others, &anchors, &options);
            let found = found.map(|path| path.policies).map_err(|error| error.kind);
            let expected = match good {
                true => Ok(PolicySet::Only(vec![a])),
                false => Err(Kind::NoPolicy),
            };
            assert_eq!(found, expected, "{name}");
        }
    }
}
