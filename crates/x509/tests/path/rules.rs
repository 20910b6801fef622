//! Rules of RFC 5280 and RFC 3161 on single certificates, and what an anchor's certificate binds
//! those below it to (RFC 5937).

use adamant_der::{Oid, Writer, oid};
use adamant_x509::extensions::*;
use adamant_x509::path::{
    Options, PathError, PathErrorKind as Kind, Policies, PolicySet, Profile, Signatures,
    TrustAnchor, Verifier, validate,
};
use adamant_x509::{
    AlgorithmIdentifier, Certificate, CertificateBuilder, DistinguishedName, List, PublicKey,
    SubjectPublicKeyInfo, UnknownKey,
};

use super::adversarial::Gullible;
use super::chain::{Entity, at, ca};

/// What is added to a certificate.
pub(super) type More<'m> = dyn for<'b> Fn(CertificateBuilder<'b>) -> CertificateBuilder<'b> + 'm;

/// A root and a server, or a CA and a server below the root, with what is added to each.
fn check<'o>(
    root: &More<'_>,
    below: &[&More<'_>],
    change: impl FnOnce(&mut Options<'o>),
) -> Result<PolicySet, Kind> {
    told(root, below, change).map_err(|error| error.kind)
}

pub(super) fn told<'o>(
    root: &More<'_>,
    below: &[&More<'_>],
    change: impl FnOnce(&mut Options<'o>),
) -> Result<PolicySet, PathError> {
    let entities: Vec<_> = (0..=below.len())
        .map(|i| Entity::new(&format!("Level {i}"), 1 + i as u8))
        .collect();
    let own = entities[0].issue(&entities[0], 1, |b| root(ca(b, &entities[0], None)));
    let mut chain = Vec::new();
    for (i, more) in below.iter().enumerate() {
        let subject = &entities[i + 1];
        let last = i + 1 == below.len();
        chain.push(entities[i].issue(subject, 2, |b| match last {
            true => more(b),
            false => more(ca(b, subject, None)),
        }));
    }
    let chain: Vec<_> = chain
        .iter()
        .rev()
        .map(|der| Certificate::from_der(der).unwrap())
        .collect();
    let root = Certificate::from_der(&own).unwrap();
    let anchors = [TrustAnchor::from_certificate(&root).unwrap()];
    let mut options = Options::new(Profile::Path, at());
    change(&mut options);
    validate(&chain[0], &chain[1..], &anchors, &options).map(|path| path.policies)
}

pub(super) fn plain(builder: CertificateBuilder<'_>) -> CertificateBuilder<'_> {
    builder
}

const A: Oid = oid!("1.3.6.1.4.1.55738.1");
const B: Oid = oid!("1.3.6.1.4.1.55738.2");
const FOREIGN: Oid = oid!("1.3.6.1.4.1.55738.666");

pub(super) fn policies<'b>(builder: CertificateBuilder<'b>, all: &[Oid]) -> CertificateBuilder<'b> {
    let all: Vec<_> = all.iter().map(|oid| PolicyInformation::new(*oid)).collect();
    builder.extension(&CertificatePolicies(List::new(&all)))
}

/// A policy with a qualifier of a type that RFC 5280 does not have, and one that it has.
fn qualified(
    builder: CertificateBuilder<'_>,
    oid: Oid,
    foreign: bool,
    critical: bool,
) -> CertificateBuilder<'_> {
    let mut w = Writer::new();
    w.null();
    let null = w.finish();
    let other = [
        PolicyQualifier::Cps("https://cps.adamant.example"),
        PolicyQualifier::Other {
            oid: FOREIGN,
            value: &null,
        },
    ];
    let qualifiers = &other[..1 + usize::from(foreign)];
    // The writer copies what it is given.
    let list = [PolicyInformation {
        oid,
        qualifiers: Some(List::new(qualifiers)),
    }];
    builder.extension_with(critical, &CertificatePolicies(List::new(&list)))
}

const PROFILES: [Profile; 2] = [Profile::Path, Profile::Rfc5280];

/// RFC 5280, 4.2.1.4: what is critical must be understood, qualifiers included.
#[test]
fn unknown_qualifiers_of_critical_policies() {
    for profile in PROFILES {
        for (foreign, critical, good) in [
            (true, true, false),
            (true, false, true),
            (false, true, true),
            (false, false, true),
        ] {
            let of_leaf = check(&plain, &[&|b| qualified(b, A, foreign, critical)], |o| {
                o.profile = profile
            });
            let of_ca = check(
                &plain,
                &[&|b| qualified(b, A, foreign, critical), &plain],
                |o| o.profile = profile,
            );
            for verdict in [of_leaf, of_ca] {
                match good {
                    true => assert!(verdict.is_ok(), "{profile:?}: {verdict:?}"),
                    false => assert_eq!(verdict, Err(Kind::UnknownQualifier(FOREIGN))),
                }
            }
        }
    }
}

/// The rest of 4.2.1.4, which binds issuers of certificates.
#[test]
fn policies_as_they_must_be_issued() {
    let rule =
        |more: &More<'_>, profile| check(&plain, &[more], |options| options.profile = profile);
    let twice: &More<'_> = &|b| policies(b, &[A, B, A]);
    assert!(rule(twice, Profile::Path).is_ok());
    let refused = Kind::Nonconforming("4.2.1.4: policy that is there twice");
    assert_eq!(rule(twice, Profile::Rfc5280), Err(refused));

    let any: &More<'_> = &|b| qualified(b, PolicyInformation::ANY, true, false);
    assert!(rule(any, Profile::Path).is_ok());
    let refused = Kind::Nonconforming("4.2.1.4: anyPolicy with another qualifier");
    assert_eq!(rule(any, Profile::Rfc5280), Err(refused));
    let any: &More<'_> = &|b| qualified(b, PolicyInformation::ANY, false, false);
    assert!(rule(any, Profile::Rfc5280).is_ok());
}

/// RFC 5280, 6.1.1 (c): anyPolicy among the initial policies says that any will do.
#[test]
fn any_initial_policy() {
    const ANY: Oid = PolicyInformation::ANY;
    for initial in [&[ANY][..], &[B, ANY]] {
        for explicit in [false, true] {
            let verdict = check(&plain, &[&|b| policies(b, &[A])], |options| {
                options.policies = Policies {
                    initial: Some(initial),
                    require_explicit: explicit,
                    ..Policies::default()
                };
            });
            assert_eq!(verdict, Ok(PolicySet::Only(vec![A])));
        }
    }
}

/// The anchor's policies, mappings and constraints on policies bind those below.
#[test]
fn policies_of_an_anchor() {
    let demand = |options: &mut Options<'_>| options.policies.require_explicit = true;
    let free = |_: &mut Options<'_>| {};
    let only_a: &More<'_> = &|b| policies(b, &[A]);
    let only_b: &More<'_> = &|b| policies(b, &[B]);
    let a_or_b: &More<'_> = &|b| policies(b, &[A, B]);
    // Of what the server has, what the anchor has.
    assert_eq!(
        check(only_a, &[a_or_b], demand),
        Ok(PolicySet::Only(vec![A]))
    );
    assert_eq!(check(only_a, &[only_b], demand), Err(Kind::NoPolicy));
    assert_eq!(check(only_a, &[only_b], free), Ok(PolicySet::Only(vec![])));
    assert_eq!(
        check(&plain, &[only_b], demand),
        Ok(PolicySet::Only(vec![B]))
    );
    // The anchor's A is B below.
    let mapped: &More<'_> = &|b| {
        let pairs = [PolicyMapping {
            issuer: A,
            subject: B,
        }];
        policies(b, &[A]).extension(&PolicyMappings((&pairs).into()))
    };
    assert_eq!(
        check(mapped, &[only_b], demand),
        Ok(PolicySet::Only(vec![A]))
    );
    assert_eq!(check(mapped, &[only_a], demand), Err(Kind::NoPolicy));
    let inhibit = |options: &mut Options<'_>| {
        options.policies.require_explicit = true;
        options.policies.inhibit_mapping = true;
    };
    assert_eq!(check(mapped, &[only_b], inhibit), Err(Kind::NoPolicy));
    let any_mapped: &More<'_> = &|b| {
        let pairs = [PolicyMapping {
            issuer: PolicyInformation::ANY,
            subject: B,
        }];
        policies(b, &[A]).extension(&PolicyMappings((&pairs).into()))
    };
    assert_eq!(
        check(any_mapped, &[only_b], free),
        Err(Kind::AnyPolicyMapped)
    );

    // From how many certificates below the anchor on a policy is demanded.
    for after in 0..4 {
        let root = constrained(PolicyConstraints {
            require_explicit: Some(after),
            inhibit_mapping: None,
        });
        let verdict = check(&*root, &[&plain, &plain], free);
        assert_eq!(verdict.is_err(), after < 3, "{after}: {verdict:?}");
        let verdict = check(&*root, &[only_a, only_a], free);
        assert_eq!(verdict, Ok(PolicySet::Only(vec![A])), "{after}");
    }
    // From how many on anyPolicy stands for none, and mappings are not allowed.
    let any: &More<'_> = &|b| policies(b, &[PolicyInformation::ANY]);
    for (after, good) in [(0, false), (1, false), (2, true)] {
        let root: Box<More<'static>> = Box::new(move |b| b.extension(&InhibitAnyPolicy(after)));
        let verdict = check(&*root, &[any, any], demand);
        assert_eq!(verdict.is_ok(), good, "{after}: {verdict:?}");
    }
    for (after, good) in [(0, false), (1, true)] {
        let root = constrained(PolicyConstraints {
            require_explicit: Some(0),
            inhibit_mapping: Some(after),
        });
        let verdict = check(&*root, &[mapped, only_b], free);
        assert_eq!(verdict.is_ok(), good, "{after}: {verdict:?}");
    }
}

fn constrained(constraints: PolicyConstraints) -> Box<More<'static>> {
    Box::new(move |builder| builder.extension(&constraints))
}

/// Its other constraints: how many CAs, and their names.
#[test]
fn other_constraints_of_an_anchor() {
    let leaf_only = Entity::new("Level 0", 1);
    let own = leaf_only.issue(&leaf_only, 1, |b| ca(b, &leaf_only, Some(0)));
    let middle = Entity::new("Middle", 2);
    let below = leaf_only.issue(&middle, 2, |b| ca(b, &middle, None));
    let leaf = middle.issue(&Entity::new("Leaf", 3), 3, plain);
    let [own, below, leaf] = [&own, &below, &leaf].map(|der| Certificate::from_der(der).unwrap());
    let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
    let options = Options::new(Profile::Path, at());
    let others = [below];
    let error = validate(&leaf, &others, &anchors, &options).unwrap_err();
    assert_eq!(
        (error.kind, error.depth),
        (Kind::PathTooLong { allowed: 0 }, 1)
    );

    let nobody: &More<'_> = &|b| {
        let nobody = DistinguishedName::new().common_name("Nobody");
        let trees = [GeneralSubtree(GeneralName::Directory(nobody.as_name()))];
        b.extension(&NameConstraints {
            permitted: Some((&trees).into()),
            excluded: None,
        })
    };
    let refused = check(nobody, &[&plain], |_| {});
    assert_eq!(refused, Err(Kind::NameNotPermitted("DN:CN=Level 1".into())));
}

/// No profile finds a certificate good whose key nobody can use.
#[test]
fn keys_that_cannot_be_read() {
    let numbers = |n: &[u8], e: &[u8]| {
        let mut w = Writer::new();
        w.sequence(|w| {
            w.integer_unsigned(n);
            w.integer_unsigned(e);
        });
        w.finish()
    };
    let rsa = |bits: Vec<u8>| {
        let mut w = Writer::new();
        w.null();
        PublicKey::Unknown(UnknownKey {
            oid: oid!("1.2.840.113549.1.1.1"),
            parameters: Some(w.finish()),
            bits,
        })
    };
    let point = |octets: Vec<u8>| {
        let mut w = Writer::new();
        w.oid(&oid!("1.2.840.10045.3.1.7"));
        PublicKey::Unknown(UnknownKey {
            oid: oid!("1.2.840.10045.2.1"),
            parameters: Some(w.finish()),
            bits: octets,
        })
    };
    let not_on_the_curve = [vec![4], vec![1; 64]].concat();
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |b| ca(b, &root, None));
    let own = Certificate::from_der(&own).unwrap();
    let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
    for (key, good) in [
        (rsa(numbers(&[0xff; 64], &[1, 0, 1])), false),
        (rsa(numbers(&[0xfe; 256], &[1, 0, 1])), false),
        (rsa(numbers(&[0xff; 256], &[2])), false),
        (rsa(vec![1]), false),
        (rsa(numbers(&[0xff; 256], &[1, 0, 1])), true),
        (point(not_on_the_curve), false),
        (point(vec![]), false),
    ] {
        let subject = Entity {
            public: key,
            ..Entity::new("Leaf", 2)
        };
        let leaf = root.issue(&subject, 2, |b| {
            b.extension_with(false, &SubjectKeyIdentifier(&[1; 20]))
        });
        let leaf = Certificate::from_der(&leaf).unwrap();
        for profile in PROFILES {
            let options = Options {
                verifier: &Gullible,
                ..Options::new(profile, at())
            };
            let verdict = validate(&leaf, &[], &anchors, &options);
            match verdict {
                Ok(_) => assert!(good, "{profile:?}"),
                Err(error) => {
                    assert!(!good && matches!(error.kind, Kind::Malformed(_)), "{error}");
                    assert_eq!(error.depth, 0);
                }
            }
        }
    }
}

/// RFC 3161, 2.3.
#[test]
fn time_stamps_have_a_purpose_of_their_own() {
    const STAMPS: Oid = ExtendedKeyUsage::TIME_STAMPING;
    let ask = |purposes: &'static [Oid], critical| {
        let more: &More<'_> =
            &|b| b.extension_with(critical, &ExtendedKeyUsage(List::new(purposes)));
        check(&plain, &[more], |options| options.purpose = Some(STAMPS))
    };
    let refused = Err(Kind::WrongPurpose(STAMPS));
    assert_eq!(ask(&[STAMPS], true), Ok(PolicySet::Only(vec![])));
    assert_eq!(ask(&[STAMPS], false), refused);
    assert_eq!(
        ask(&[STAMPS, ExtendedKeyUsage::CODE_SIGNING], true),
        refused
    );
    assert_eq!(ask(&[STAMPS, STAMPS], true), refused);
    assert_eq!(ask(&[ExtendedKeyUsage::ANY], true), refused);
    let none = check(&plain, &[&plain], |options| options.purpose = Some(STAMPS));
    assert_eq!(none, refused);
}

/// RFC 5280, 6.1.4 (k) and (n), in every profile.
#[test]
fn issuers_are_cas() {
    let end_entity: &More<'_> = &|b| b.extension(&BasicConstraints::end_entity());
    let lists: &More<'_> = &|b| {
        b.extension(&BasicConstraints::ca(None))
            .extension(&KeyUsage::CRL_SIGN)
    };
    let silent: &More<'_> = &|b| b.extension(&BasicConstraints::ca(None));
    for (more, expected) in [
        (&plain as &More<'_>, Err(Kind::NotCa)),
        (end_entity, Err(Kind::NotCa)),
        (lists, Err(Kind::CannotSignCertificates)),
        (silent, Ok(())),
    ] {
        let [root, middle] = [1, 2].map(|i| Entity::new(&format!("Level {i}"), i));
        let own = root.issue(&root, 1, |b| ca(b, &root, None));
        let below = root.issue(&middle, 2, more);
        let leaf = middle.issue(&Entity::new("Leaf", 3), 3, plain);
        let [own, below, leaf] =
            [&own, &below, &leaf].map(|der| Certificate::from_der(der).unwrap());
        let (anchors, others) = ([TrustAnchor::from_certificate(&own).unwrap()], [below]);
        let options = Options::new(Profile::Path, at());
        let verdict = validate(&leaf, &others, &anchors, &options);
        assert_eq!(verdict.map(drop).map_err(|error| error.kind), expected);
    }
}

/// The usage and the purpose that are asked for: what is not said is not denied, but that servers of
/// the Web have their purpose by name.
#[test]
fn usages_and_purposes() {
    const SERVER: Oid = ExtendedKeyUsage::SERVER_AUTH;
    const CLIENT: Oid = ExtendedKeyUsage::CLIENT_AUTH;
    const ANY: Oid = ExtendedKeyUsage::ANY;
    for (usage, good) in [
        (None, true),
        (Some(KeyUsage::DIGITAL_SIGNATURE), true),
        (Some(KeyUsage::KEY_AGREEMENT), false),
    ] {
        let more: &More<'_> = &|b| match usage {
            Some(usage) => b.extension(&usage),
            None => b,
        };
        let verdict = check(&plain, &[more], |options| {
            options.key_usage = Some(KeyUsage::DIGITAL_SIGNATURE);
        });
        match good {
            true => assert!(verdict.is_ok()),
            false => assert_eq!(verdict, Err(Kind::WrongKeyUsage)),
        }
    }
    let purposes: [(&[Oid], bool, bool); 4] = [
        (&[SERVER], true, true),
        (&[CLIENT, SERVER], true, true),
        (&[CLIENT], false, false),
        (&[ANY], true, false),
    ];
    for (purposes, rfc5280, web) in purposes {
        for (profile, good) in [(Profile::Rfc5280, rfc5280), (Profile::WebPki, web)] {
            let more: &More<'_> = &|b| b.extension(&ExtendedKeyUsage(List::new(purposes)));
            let verdict = check(&plain, &[more], |options| {
                (options.profile, options.purpose) = (profile, Some(SERVER));
            });
            match good {
                true => assert!(
                    !matches!(verdict, Err(Kind::WrongPurpose(_))),
                    "{verdict:?}"
                ),
                false => assert_eq!(verdict, Err(Kind::WrongPurpose(SERVER)), "{profile:?}"),
            }
        }
    }
}

/// Of several paths, what is told is what stood in the way of the one that came furthest; of equals,
/// of the likeliest.
#[test]
fn what_is_told() {
    let [root, middle, leaf] =
        ["Root", "Middle", "Leaf"].map(|name| Entity::new(name, name.len() as u8));
    let stranger = Entity::new("Middle", 9);
    let own = root.issue(&root, 1, |b| ca(b, &root, None));
    let below = root.issue(&middle, 2, |b| ca(b, &middle, None));
    let expired = |id: &[u8], serial| {
        let times = ["2020-01-01", "2021-01-01"];
        root.issue_between(&middle, serial, times, |b| {
            b.extension(&BasicConstraints::ca(None))
                .extension(&SubjectKeyIdentifier(id))
        })
    };
    let no_ca = |id: &[u8]| root.issue(&middle, 3, |b| b.extension(&SubjectKeyIdentifier(id)));
    let target = middle.issue(&leaf, 4, plain);
    let forged = root.issue(&stranger, 5, |b| ca(b, &stranger, None));
    let mut broken = root.issue(&leaf, 6, plain);
    *broken.last_mut().unwrap() ^= 1;
    let deeper = stranger.issue(&leaf, 8, plain);

    let ask = |target: &[u8], others: &[&Vec<u8>], trusted: bool| {
        let target = Certificate::from_der(target).unwrap();
        let others: Vec<_> = others
            .iter()
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let own = Certificate::from_der(&own).unwrap();
        let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
        let options = Options::new(Profile::Path, at());
        let error = validate(&target, &others, &anchors[..usize::from(trusted)], &options);
        error.map(drop).map_err(|error| (error.kind, error.depth))
    };
    let unknown = |name: &str| Kind::UnknownIssuer(name.into());
    assert_eq!(ask(&target, &[&below], true), Ok(()));
    assert_eq!(ask(&target, &[], true), Err((unknown("CN=Middle"), 0)));
    assert_eq!(ask(&target, &[&below], false), Err((unknown("CN=Root"), 1)));
    for (target, others) in [(&broken, vec![]), (&target, vec![&forged])] {
        let refused = ask(target, &others, true);
        assert!(
            matches!(refused, Err((Kind::BadSignature(_), 0))),
            "{refused:?}"
        );
    }
    // A CA's signature, by the root.
    let mut unsigned = below.clone();
    *unsigned.last_mut().unwrap() ^= 1;
    let refused = ask(&target, &[&unsigned], true);
    assert!(
        matches!(refused, Err((Kind::BadSignature(_), 1))),
        "{refused:?}"
    );
    // The identifier of the issuer's key, another's, the end: in whichever order they come.
    let (likely, less) = (&middle.id[..], &[7; 20][..]);
    for (first, second, is_expired) in [
        (expired(likely, 3), no_ca(less), true),
        (expired(less, 3), no_ca(likely), false),
    ] {
        for others in [[&first, &second], [&second, &first]] {
            let (kind, depth) = ask(&target, &others, true).unwrap_err();
            assert_eq!(
                (matches!(kind, Kind::Expired { .. }), depth),
                (is_expired, 1)
            );
        }
    }
    // Without an identifier is likelier than with another's.
    let silent = root.issue(&middle, 3, plain);
    for others in [[&expired(less, 3), &silent], [&silent, &expired(less, 3)]] {
        let refused = ask(&target, &others, true);
        assert_eq!(refused, Err((Kind::NotCa, 1)));
    }
    // Further is more than likelier.
    let refused = ask(&deeper, &[&expired(likely, 3), &forged], false);
    assert_eq!(refused, Err((unknown("CN=Root"), 1)));
}

/// RFC 5280, 6.1.4 (e): a key without parameters has those of its issuer's, where it is of the same
/// algorithm.
#[test]
fn keys_take_over_parameters() {
    const DSA: Oid = oid!("1.2.840.10040.4.1");
    const OTHER: Oid = oid!("1.2.840.10040.4.9");
    /// Wants these parameters of each key of DSA.
    struct Parameters(&'static [u8]);
    impl Verifier for Parameters {
        fn verify(
            &self,
            key: &SubjectPublicKeyInfo<'_>,
            _: &AlgorithmIdentifier<'_>,
            _: &[u8],
            _: &[u8],
        ) -> adamant_x509::Result<()> {
            let own = key.algorithm.parameters;
            match key.algorithm.oid == OTHER && own.is_none() || own == Some(self.0) {
                true => Ok(()),
                false => Signatures.verify(key, &key.algorithm, &[], &[]),
            }
        }
    }
    let of = |name, oid, parameters: Option<&[u8]>| Entity {
        public: PublicKey::Unknown(UnknownKey {
            oid,
            parameters: parameters.map(<[u8]>::to_vec),
            bits: vec![1],
        }),
        ..Entity::new(name, 1)
    };
    let ask = |root: &Entity, middle: &Entity, lower: &Entity| {
        let own = root.issue(root, 1, |b| ca(b, root, None));
        let chain = [
            lower.issue(&Entity::new("Leaf", 2), 4, plain),
            middle.issue(lower, 3, |b| ca(b, lower, None)),
            root.issue(middle, 2, |b| ca(b, middle, None)),
        ];
        let chain = chain
            .each_ref()
            .map(|der| Certificate::from_der(der).unwrap());
        let own = Certificate::from_der(&own).unwrap();
        let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
        let options = Options {
            verifier: &Parameters(&[5, 0]),
            ..Options::new(Profile::Path, at())
        };
        let verdict = validate(&chain[0], &chain[1..], &anchors, &options);
        verdict.map(drop).map_err(|error| error.depth)
    };
    let [with, without] = [Some(&[5, 0][..]), None];
    let other = &[4, 0][..];
    let root = of("Root", DSA, with);
    let (middle, lower) = (of("CA", DSA, without), of("Lower", DSA, without));
    assert_eq!(ask(&root, &middle, &lower), Ok(()));
    assert_eq!(ask(&root, &of("CA", DSA, with), &lower), Ok(()));
    // Their own go before.
    assert_eq!(
        ask(&of("Root", DSA, with), &of("CA", DSA, Some(other)), &lower),
        Err(1)
    );
    // The signature below waits, and finds no parameters, or those of the key above.
    assert_eq!(ask(&root, &of("CA", OTHER, without), &lower), Err(0));
    assert_eq!(ask(&of("Root", DSA, without), &middle, &lower), Err(2));
    assert_eq!(
        ask(&of("Root", DSA, Some(other)), &of("CA", DSA, with), &lower),
        Err(2)
    );
}
