//! The rules of the profiles for single certificates: each is broken by a change that breaks no other,
//! and what looks like it is right.

use adamant_der::{Oid, Writer, oid};
use adamant_ec::{ed25519, p384, p521};
use adamant_x509::extensions::*;
use adamant_x509::path::{Options, PathErrorKind as Kind, Profile, TrustAnchor, validate};
use adamant_x509::{
    Certificate, DistinguishedName, Element, List, PrivateKey, PublicKey, SignatureAlgorithm,
    UnknownKey, Validity, assemble,
};

use super::adversarial::Gullible;
use super::chain::{Entity, at};

/// A certificate to be, of which anything can be wrong.
struct Draft {
    version: u64,
    serial: u64,
    issuer: DistinguishedName,
    subject: DistinguishedName,
    key: PublicKey,
    extensions: Vec<(Oid, Vec<u8>)>,
}

impl Draft {
    fn new(issuer: &Entity, subject: &Entity) -> Self {
        let mut draft = Self {
            version: 3,
            serial: 1,
            issuer: issuer.name.clone(),
            subject: subject.name.clone(),
            key: subject.public.clone(),
            extensions: Vec::new(),
        };
        draft.has(&AuthorityKeyIdentifier::new(&issuer.id));
        draft.has(&SubjectKeyIdentifier(&subject.id));
        draft
    }

    /// As it is recommended.
    fn has<'a, T: ExtensionValue<'a>>(&mut self, value: &T) {
        self.has_with(T::CRITICAL, value);
    }

    fn has_with<'a, T: ExtensionValue<'a>>(&mut self, critical: bool, value: &T) {
        self.lacks(T::OID);
        let mut w = Writer::new();
        write_extension(critical, value, &mut w);
        self.extensions.push((T::OID, w.finish()));
    }

    fn lacks(&mut self, oid: Oid) {
        self.extensions.retain(|(own, _)| *own != oid);
    }

    fn names(&mut self, names: &[GeneralName<'_>]) {
        self.has(&SubjectAltName(List::new(names)));
    }

    fn der(&self) -> Vec<u8> {
        let [from, until] = ["2020-01-01", "2030-01-01"].map(|text| text.parse().unwrap());
        let mut w = Writer::new();
        w.sequence(|w| {
            if self.version > 1 {
                w.explicit(0, |w| w.integer_u64(self.version - 1));
            }
            w.integer_u64(self.serial);
            SignatureAlgorithm::EcdsaWithSha256.write(w);
            w.raw(self.issuer.as_der());
            Validity::new(from, until).write(w);
            w.raw(self.subject.as_der());
            self.key.write(w);
            if !self.extensions.is_empty() {
                let extensions = self.extensions.iter();
                w.explicit(3, |w| {
                    w.sequence(|w| extensions.for_each(|(_, der)| w.raw(der)))
                });
            }
        });
        assemble(&w.finish(), SignatureAlgorithm::EcdsaWithSha256, &[0; 70])
    }
}

const HOST: &str = "www.adamant.example";
const HOSTS: &[GeneralName<'_>] = &[GeneralName::Dns(HOST)];

/// A root, a CA and a server, which every profile finds right.
fn drafts() -> [Draft; 3] {
    let entities = [("Root", 1), ("CA", 2), (HOST, 3)].map(|(name, key)| Entity::new(name, key));
    let [mut root, mut ca, mut server] =
        [(0, 0), (0, 1), (1, 2)].map(|(a, b)| Draft::new(&entities[a], &entities[b]));
    for draft in [&mut root, &mut ca] {
        draft.has(&BasicConstraints::ca(None));
        draft.has(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN));
    }
    server.names(HOSTS);
    server.has(&servers());
    server.has(&KeyUsage::DIGITAL_SIGNATURE);
    [root, ca, server]
}

fn verdict(profile: Profile, drafts: &[Draft; 3]) -> Result<(), Kind> {
    let [root, ca, server] = drafts.each_ref().map(Draft::der);
    let [root, ca, server] = [&root, &ca, &server].map(|der| Certificate::from_der(der).unwrap());
    let (anchors, others) = ([TrustAnchor::from_certificate(&root).unwrap()], [ca]);
    let options = Options {
        verifier: &Gullible,
        ..Options::new(profile, at())
    };
    let path = validate(&server, &others, &anchors, &options);
    path.map(drop).map_err(|error| error.kind)
}

const PROFILES: [Profile; 3] = [Profile::Path, Profile::Rfc5280, Profile::WebPki];

/// Whether only the profiles that are named refuse a change of root, CA or server, for this rule.
fn check(
    refusing: &[Profile],
    rule: &'static str,
    change: impl Fn(&mut Draft, &mut Draft, &mut Draft),
) {
    let mut drafts = drafts();
    let [root, ca, server] = &mut drafts;
    change(root, ca, server);
    for profile in PROFILES {
        let expected = match refusing.contains(&profile) {
            true => Err(Kind::Nonconforming(rule)),
            false => Ok(()),
        };
        assert_eq!(verdict(profile, &drafts), expected, "{profile:?}: {rule}");
    }
}

const BOTH: &[Profile] = &[Profile::Rfc5280, Profile::WebPki];
const RFC: &[Profile] = &[Profile::Rfc5280];
const WEB: &[Profile] = &[Profile::WebPki];
const NONE: &[Profile] = &[];

const AKI: Oid = AuthorityKeyIdentifier::OID;
const SKI: Oid = SubjectKeyIdentifier::OID;

const ACCESS: [AccessDescription<'_>; 1] =
    [AccessDescription::ocsp("http://ocsp.adamant.example/")];

fn no_name() -> DistinguishedName {
    DistinguishedName::new()
}

/// The root as another CA certified it.
fn cross(root: &mut Draft) {
    root.issuer = DistinguishedName::new().common_name("Elsewhere");
}

fn servers() -> ExtendedKeyUsage<'static> {
    ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into())
}

fn constrain(draft: &mut Draft, critical: bool) {
    let trees = [GeneralSubtree(GeneralName::Dns("adamant.example"))];
    let constraints = NameConstraints {
        permitted: Some((&trees).into()),
        excluded: None,
    };
    draft.has_with(critical, &constraints);
}

fn demand(draft: &mut Draft, critical: bool, require_explicit: Option<u32>) {
    let constraints = PolicyConstraints {
        require_explicit,
        inhibit_mapping: None,
    };
    draft.has_with(critical, &constraints);
}

fn freshest(draft: &mut Draft, critical: bool) {
    let names = [GeneralName::Uri("http://crl.adamant.example/ca.crl")];
    let points = [DistributionPoint::at((&names).into())];
    draft.has_with(critical, &FreshestCrl((&points).into()));
}

/// RFC 5280, section 4.
#[test]
fn rfc5280() {
    let serial = "4.1.2.2: serial number of zero";
    check(BOTH, serial, |_, _, server| server.serial = 0);
    check(BOTH, serial, |_, ca, _| ca.serial = 0);
    check(NONE, serial, |root, _, _| root.serial = 0);

    check(BOTH, "4.1.2.6: CA without a name", |_, _, server| {
        server.subject = no_name();
        server.has(&BasicConstraints::ca(None));
        server.has_with(true, &SubjectAltName(List::new(HOSTS)));
    });

    let issuer_key = "4.2.1.1: no identifier of the issuer's key";
    check(BOTH, issuer_key, |_, _, server| server.lacks(AKI));
    check(BOTH, issuer_key, |_, ca, _| ca.lacks(AKI));
    check(BOTH, issuer_key, |_, ca, server| {
        let names = [GeneralName::Directory(ca.issuer.as_name())];
        server.has(&AuthorityKeyIdentifier {
            key_id: None,
            issuer: Some(((&names).into(), 1.into())),
        });
    });
    check(NONE, issuer_key, |root, _, _| root.lacks(AKI));
    check(RFC, issuer_key, |root, _, _| {
        cross(root);
        root.lacks(AKI);
    });
    let critical = "4.2.1.1: critical AuthorityKeyIdentifier";
    check(BOTH, critical, |_, ca, server| {
        let id = ca.key.key_id();
        server.has_with(true, &AuthorityKeyIdentifier::new(&id));
    });

    let own_key = "4.2.1.2: CA without an identifier of its key";
    check(BOTH, own_key, |_, ca, _| ca.lacks(SKI));
    check(BOTH, own_key, |root, _, _| root.lacks(SKI));
    check(NONE, own_key, |_, _, server| server.lacks(SKI));
    let critical = "4.2.1.2: critical SubjectKeyIdentifier";
    check(BOTH, critical, |_, _, server| {
        server.has_with(true, &SubjectKeyIdentifier(&[1]))
    });

    let usage = "4.2.1.3: keyCertSign of what is no CA";
    check(BOTH, usage, |_, _, server| {
        server.has(&KeyUsage::KEY_CERT_SIGN)
    });
    check(NONE, usage, |_, _, server| server.lacks(KeyUsage::OID));
    check(NONE, usage, |_, ca, _| ca.lacks(KeyUsage::OID));

    check(
        BOTH,
        "4.2.1.4: anyPolicy with another qualifier",
        |_, _, server| {
            let other = [PolicyQualifier::Other {
                oid: oid!("1.2.3"),
                value: &[5, 0],
            }];
            let policies = [
                PolicyInformation::new(oid!("1.2.4")),
                PolicyInformation {
                    oid: PolicyInformation::ANY,
                    qualifiers: Some((&other).into()),
                },
            ];
            server.has(&CertificatePolicies((&policies).into()));
        },
    );

    let beside = "4.2.1.6: SubjectAltName that is not critical beside an empty subject";
    check(BOTH, beside, |_, _, server| server.subject = no_name());
    check(NONE, beside, |_, _, server| {
        server.subject = no_name();
        server.has_with(true, &SubjectAltName(List::new(HOSTS)));
    });
    let malformed = "4.2.1.6: malformed name";
    check(BOTH, malformed, |_, _, server| {
        server.names(&[HOSTS[0], GeneralName::Dns("a_b.example")])
    });
    check(BOTH, malformed, |_, _, server| {
        server.names(&[HOSTS[0], GeneralName::Email("adamant.example")])
    });
    check(NONE, malformed, |_, _, server| {
        let wild = GeneralName::Dns("*.adamant.example");
        let uri = GeneralName::Uri("urn:a_b");
        server.names(&[HOSTS[0], wild, GeneralName::Email("a@b.example"), uri])
    });
}

/// RFC 5280, 4.2.1.9 and on: constraints, and where things are.
#[test]
fn rfc5280_of_constraints() {
    let basic = "4.2.1.9: BasicConstraints of a CA that are not critical";
    check(BOTH, basic, |_, ca, _| {
        ca.has_with(false, &BasicConstraints::ca(None))
    });
    check(BOTH, basic, |root, _, _| {
        root.has_with(false, &BasicConstraints::ca(None))
    });
    check(NONE, basic, |_, _, server| {
        server.has_with(false, &BasicConstraints::end_entity())
    });

    let path_len = "4.2.1.9: pathLenConstraint without keyCertSign";
    check(BOTH, path_len, |_, _, server| {
        server.has(&BasicConstraints {
            ca: false,
            path_len: Some(0),
        })
    });
    check(BOTH, path_len, |_, _, server| {
        server.has(&BasicConstraints::ca(Some(0)))
    });
    check(NONE, path_len, |_, ca, _| {
        ca.has(&BasicConstraints::ca(Some(0)))
    });
    check(NONE, path_len, |_, ca, _| {
        ca.has(&BasicConstraints::ca(Some(0)));
        ca.lacks(KeyUsage::OID);
    });

    let of_no_ca = "4.2.1.10: NameConstraints of what is no CA";
    check(BOTH, of_no_ca, |_, _, server| constrain(server, true));
    check(NONE, of_no_ca, |_, ca, _| constrain(ca, true));
    let nothing = "4.2.1.10: NameConstraints without a name";
    check(BOTH, nothing, |_, ca, _| {
        ca.has(&NameConstraints::default())
    });
    check(NONE, nothing, |_, ca, _| {
        let trees = [GeneralSubtree(GeneralName::Dns("other.example"))];
        ca.has(&NameConstraints {
            permitted: None,
            excluded: Some((&trees).into()),
        });
    });
    let critical = "4.2.1.10: NameConstraints that are not critical";
    check(RFC, critical, |_, ca, _| constrain(ca, false));

    let critical = "4.2.1.11: PolicyConstraints that are not critical";
    check(BOTH, critical, |_, ca, _| demand(ca, false, Some(9)));
    check(NONE, critical, |_, ca, _| demand(ca, true, Some(9)));
    let nothing = "4.2.1.11: PolicyConstraints without a constraint";
    check(BOTH, nothing, |_, ca, _| demand(ca, true, None));
    let critical = "4.2.1.14: InhibitAnyPolicy that is not critical";
    check(BOTH, critical, |_, ca, _| {
        ca.has_with(false, &InhibitAnyPolicy(0))
    });
    check(NONE, critical, |_, ca, _| ca.has(&InhibitAnyPolicy(0)));

    for (critical, refusing) in [(true, BOTH), (false, NONE)] {
        let set: [(&str, fn(&mut Draft, bool)); 3] = [
            ("4.2.1.15: critical FreshestCRL", freshest),
            (
                "4.2.2.1: critical AuthorityInfoAccess",
                |draft, critical| draft.has_with(critical, &AuthorityInfoAccess((&ACCESS).into())),
            ),
            ("4.2.2.2: critical SubjectInfoAccess", |draft, critical| {
                draft.has_with(critical, &SubjectInfoAccess((&ACCESS).into()))
            }),
        ];
        for (rule, add) in set {
            check(refusing, rule, |_, _, server| add(server, critical));
        }
    }
}

/// An issuer without a name has no certificate with it: the profile says so first.
#[test]
fn issuers_without_a_name() {
    let mut drafts = drafts();
    drafts[2].issuer = no_name();
    let rule = Kind::Nonconforming("4.1.2.4: issuer without a name");
    for profile in BOTH {
        assert_eq!(verdict(*profile, &drafts), Err(rule.clone()));
    }
    let unknown = verdict(Profile::Path, &drafts);
    assert!(matches!(unknown, Err(Kind::UnknownIssuer(_))));
}

/// The Baseline Requirements, 6.1.5.
#[test]
fn keys_of_the_web() {
    let rsa = |bits: usize| {
        let mut n = vec![0xff; bits.div_ceil(8)];
        n[0] >>= (8 - bits % 8) % 8;
        PublicKey::Rsa(adamant_rsa::PublicKey::new(&n, &[1, 0, 1]).unwrap())
    };
    let mut w = Writer::new();
    w.oid(&oid!("1.2.840.10045.3.1.7"));
    let bad = PublicKey::Unknown(UnknownKey {
        oid: oid!("1.2.840.10045.2.1"),
        parameters: Some(w.finish()),
        bits: vec![4; 65],
    });
    let p384 = p384::PrivateKey::from_bytes(&[1; 48]).unwrap();
    let mut p521_key = [1; 66];
    p521_key[0] = 0;
    let p521 = p521::PrivateKey::from_bytes(&p521_key).unwrap();
    let ed25519 = ed25519::PrivateKey::from_seed(&[1; 32]);
    for (key, right) in [
        (rsa(2048), true),
        (rsa(2040), false),
        (rsa(2049), false),
        (rsa(2056), true),
        (PrivateKey::P384(p384).public_key(), true),
        (PrivateKey::P521(p521).public_key(), true),
        (PrivateKey::Ed25519(ed25519).public_key(), false),
        (bad, false),
    ] {
        let refusing = if right { NONE } else { WEB };
        check(
            refusing,
            "6.1.5: key of another algorithm or length",
            |_, ca, _| {
                ca.key = key.clone();
            },
        );
    }
}

/// The Baseline Requirements, 7.1.
#[test]
fn baseline_requirements() {
    let purposes = "7.1.2.1.2: purposes of a root";
    check(WEB, purposes, |root, _, _| root.has(&servers()));
    check(NONE, purposes, |root, _, _| {
        cross(root);
        root.has(&servers());
    });
    let id = "7.1.2.1.3: another key's identifier in a root";
    let other = |root: &mut Draft| root.has(&AuthorityKeyIdentifier::new(&[1]));
    check(WEB, id, |root, _, _| other(root));
    check(NONE, id, |root, _, _| {
        cross(root);
        other(root);
    });
    check(WEB, id, |root, _, _| {
        let (issuer, id) = (root.issuer.clone(), root.key.key_id());
        let names = [GeneralName::Directory(issuer.as_name())];
        root.has(&AuthorityKeyIdentifier {
            key_id: Some(&id),
            issuer: Some(((&names).into(), 1.into())),
        });
    });

    let none = "7.1.2.7.6: no purposes";
    check(WEB, none, |_, _, server| {
        server.lacks(ExtendedKeyUsage::OID)
    });
    let critical = "7.1.2.7.6: critical purposes";
    check(WEB, critical, |_, _, server| {
        server.has_with(true, &servers())
    });
    let any = "7.1.2.7.10: any purpose";
    check(WEB, any, |_, _, server| {
        let purposes = [ExtendedKeyUsage::SERVER_AUTH, ExtendedKeyUsage::ANY];
        server.has(&ExtendedKeyUsage((&purposes).into()));
    });
    let of_ca = "7.1.2.7.8: server that is a CA";
    check(WEB, of_ca, |_, _, server| {
        server.has(&BasicConstraints::ca(None))
    });
    check(NONE, of_ca, |_, _, server| {
        server.has(&BasicConstraints::end_entity())
    });
    let no_names = "7.1.2.7.12: no SubjectAltName";
    check(WEB, no_names, |_, _, server| {
        server.lacks(SubjectAltName::OID)
    });
    let critical = "7.1.2.7.12: critical SubjectAltName beside a subject";
    check(WEB, critical, |_, _, server| {
        server.has_with(true, &SubjectAltName(List::new(HOSTS)))
    });
}

/// The Baseline Requirements, 7.1.1: what is of version 1 has no extensions, and so is no CA, and
/// itself the anchor.
#[test]
fn versions() {
    for (version, expected) in [(1, "7.1.1: version below 3"), (3, "7.1.2.7.6: no purposes")] {
        let owner = Entity::new("Owner", 1);
        let mut draft = Draft::new(&owner, &owner);
        draft.version = version;
        if version == 1 {
            draft.extensions.clear();
        }
        let der = draft.der();
        let own = Certificate::from_der(&der).unwrap();
        for profile in PROFILES {
            let anchors = [TrustAnchor::new(
                own.subject().unwrap(),
                own.spki().unwrap(),
            )];
            let options = Options {
                verifier: &Gullible,
                ..Options::new(profile, at())
            };
            let found = validate(&own, &[], &anchors, &options);
            let found = found.map(drop).map_err(|error| error.kind);
            match profile {
                Profile::WebPki => assert_eq!(found, Err(Kind::Nonconforming(expected))),
                _ => assert_eq!(found, Ok(())),
            }
        }
    }
}

/// The Baseline Requirements, 7.1.4.3: a common name is one of the alternative names.
#[test]
fn common_names() {
    let v6 = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let ips = [GeneralName::Ip(&[192, 0, 2, 1]), GeneralName::Ip(&v6)];
    let wild = [GeneralName::Dns("*.adamant.example"), ips[0]];
    for (name, names, right) in [
        (HOST, HOSTS, true),
        ("WWW.adamant.example", HOSTS, false),
        ("adamant.example", HOSTS, false),
        ("*.adamant.example", HOSTS, false),
        ("*.adamant.example", &wild, true),
        ("adamant.example", &wild, true),
        ("www.adamant.example", &wild, false),
        ("192.0.2.1", &ips, true),
        ("192.0.2.2", &ips, false),
        ("192.0.2.1", HOSTS, false),
        ("2001:db8::1", &ips, true),
        ("2001:DB8::1", &ips, false),
        ("2001:db8::1", &ips[..1], false),
        ("www.adamant.example", &ips, true),
        ("The Company", HOSTS, false),
    ] {
        let mut drafts = drafts();
        drafts[2].subject = DistinguishedName::new().common_name(name);
        drafts[2].names(names);
        let rule = "7.1.4.3: common name that is none of SubjectAltName";
        let expected = match right {
            true => Ok(()),
            false => Err(Kind::Nonconforming(rule)),
        };
        assert_eq!(
            verdict(Profile::WebPki, &drafts),
            expected,
            "{name}, {names:?}"
        );
        assert_eq!(verdict(Profile::Rfc5280, &drafts), Ok(()));
    }
    // Of several, all; and what is no common name does not matter.
    for (second, right) in [(HOST, true), ("other.example", false)] {
        let mut drafts = drafts();
        drafts[2].subject = DistinguishedName::new()
            .organization("other.example")
            .common_name(HOST)
            .common_name(second);
        assert_eq!(verdict(Profile::WebPki, &drafts).is_ok(), right);
    }
}
