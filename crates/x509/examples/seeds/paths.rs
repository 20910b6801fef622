//! What the target `path` starts from: for each thing that decides on a path, one that it allows and
//! one that it does not.
//!
//! An input begins with what is asked for, as the target has it in an OCTET STRING; the certificate,
//! its anchors and all that may help follow.

use adamant_der::{Oid, Writer, oid};
use adamant_x509::crl::{CrlBuilder, Revocation};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{CertStatus, IssuerId, ResponderId, ResponseBuilder, SingleResponse};
use adamant_x509::{Certificate, CertificateBuilder, DistinguishedName, List, SerialNumber};

use crate::chain::{Entity, ca, generate};
use crate::common::time;

/// From the first day of 2020, when the certificates begin to hold, to `chain::at`, in days.
const NOW: u16 = 2192;
const LATE: u16 = 4000;

/// The bits of the octet on policies and names, as in the target.
mod policies {
    pub(super) const INITIAL: u8 = 1;
    pub(super) const EXPLICIT: u8 = 2;
    pub(super) const NO_MAPPING: u8 = 4;
    pub(super) const NO_ANY: u8 = 8;
    pub(super) const ADDRESS: u8 = 0x10;
    pub(super) const MAILBOX: u8 = 0x20;
}
/// Those of the octet on the rest.
mod demands {
    pub(super) const HARD: u8 = 1;
    pub(super) const ONLY_TARGET: u8 = 2;
    pub(super) const DEDICATED: u8 = 4;
    pub(super) const TWO_ANCHORS: u8 = 8;
    pub(super) const ANY_PURPOSE: u8 = 0x20;
    pub(super) const TIME_STAMPS: u8 = 0x40;
}

/// What is asked: on which day, the policies and names, the rest.
#[derive(Clone, Copy)]
struct Question(u16, u8, u8);

impl Question {
    fn of(self, elements: &[&[u8]]) -> Vec<u8> {
        let [high, low] = self.0.to_be_bytes();
        let mut w = Writer::new();
        w.octet_string(&[high, low, self.1, self.2]);
        [w.as_bytes(), &elements.concat()].concat()
    }
}

const PLAIN: Question = Question(NOW, 0, 0);

pub(crate) fn all() -> Vec<Vec<u8>> {
    let mut all = chains();
    all.extend(crossed());
    all.extend(named());
    all.extend(with_policies());
    all.extend(asked_for());
    all
}

/// A root, a CA below it and a server below that: their keys, and the certificates of the CAs.
struct World {
    root: Entity,
    ca: Entity,
    leaf: Entity,
    root_der: Vec<u8>,
    ca_der: Vec<u8>,
}

const NAMES: &[GeneralName<'_>] = &[
    GeneralName::Dns("www.adamant.example"),
    GeneralName::Ip(&[192, 0, 2, 1]),
    GeneralName::Email("ca@adamant.example"),
    GeneralName::Uri("https://www.adamant.example/"),
];

const SERVER: ExtendedKeyUsage<'_> = ExtendedKeyUsage(List::new(&[ExtendedKeyUsage::SERVER_AUTH]));

/// A server for the names that are asked for.
fn server(builder: CertificateBuilder<'_>) -> CertificateBuilder<'_> {
    builder
        .extension(&SubjectAltName(List::new(NAMES)))
        .extension(&SERVER)
}

impl World {
    fn new() -> Self {
        Self::with(|builder| builder)
    }

    /// With what the closure adds to the CA's certificate.
    fn with(more: impl FnOnce(CertificateBuilder<'_>) -> CertificateBuilder<'_>) -> Self {
        let [root, middle] = [("Root", 1), ("CA", 2)].map(|(name, key)| Entity::new(name, key));
        // The Web's rules want no common name.
        let leaf = Entity {
            name: DistinguishedName::new().organization("Leaf"),
            ..Entity::new("", 3)
        };
        Self {
            root_der: root.issue(&root, 1, |builder| ca(builder, &root, None)),
            ca_der: root.issue(&middle, 2, |builder| more(ca(builder, &middle, None))),
            root,
            ca: middle,
            leaf,
        }
    }

    /// A server's certificate, with more.
    fn server(
        &self,
        more: impl FnOnce(CertificateBuilder<'_>) -> CertificateBuilder<'_>,
    ) -> Vec<u8> {
        self.ca
            .issue(&self.leaf, 7, |builder| more(server(builder)))
    }
}

/// Chains with faults and decoys, in some order; in time, too late, and upside down.
fn chains() -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for number in 0..48 {
        let chain = generate(number);
        let mut elements = vec![&chain.leaf[..], &chain.root];
        elements.extend(chain.intermediates.iter().map(Vec::as_slice));
        inputs.push(PLAIN.of(&elements));
        if number % 8 == 0 {
            inputs.push(Question(LATE, 0, 0).of(&elements));
            elements.reverse();
            inputs.push(PLAIN.of(&elements));
        }
    }
    inputs
}

/// CAs that issue each other, of many levels, and without an end.
fn crossed() -> Vec<Vec<u8>> {
    let two = Question(NOW, 0, demands::TWO_ANCHORS | demands::ANY_PURPOSE);
    let mut inputs = Vec::new();
    // Each of some CAs issued each, and one of them is trusted or none is; another root has the name of
    // one.
    for count in [2, 3, 5] {
        let cas: Vec<_> = (0..count)
            .map(|i| Entity::new(&format!("CA {i}"), 1 + i))
            .collect();
        let pairs = cas
            .iter()
            .flat_map(|issuer| cas.iter().map(move |subject| (issuer, subject)));
        let mut others = Vec::new();
        for (issuer, subject) in pairs {
            others.push(issuer.issue(subject, 1, |builder| ca(builder, subject, None)));
        }
        let leaf = cas[0].issue(&Entity::new("Leaf", 50), 9, server);
        let elsewhere = Entity::new("CA 1", 51);
        let elsewhere = elsewhere.issue(&elsewhere, 1, |builder| ca(builder, &elsewhere, None));
        let root = others.pop().expect("the last by itself");
        for anchors in [[&root, &elsewhere], [&elsewhere, &elsewhere]] {
            let mut elements = vec![&leaf[..], anchors[0], anchors[1]];
            elements.extend(others.iter().map(Vec::as_slice));
            inputs.push(two.of(&elements));
        }
    }
    // Levels of several CAs of one name each, up to a root below which nothing is permitted.
    for (deep, wide) in [(3, 3), (6, 2), (12, 1)] {
        let level = |level: u8, i: u8| Entity::new(&format!("Level {level}"), 1 + 4 * level + i);
        let mut others = Vec::new();
        for below in 0..deep {
            let issuer = level(below + 1, 0);
            let copies = (0..wide).map(|i| {
                let subject = level(below, i);
                issuer.issue(&subject, 1, |builder| ca(builder, &subject, None))
            });
            others.extend(copies);
        }
        let leaf = level(0, 0).issue(&Entity::new("Leaf", 100), 9, server);
        let top = level(deep, 0);
        let nowhere = [GeneralSubtree(GeneralName::Dns("nowhere.example"))];
        for constraints in [None, Some(List::new(&nowhere))] {
            let root = top.issue(&top, 1, |builder| {
                ca(builder, &top, None).extension(&NameConstraints {
                    permitted: constraints,
                    excluded: Some(List::new(&nowhere)),
                })
            });
            let mut elements = vec![&leaf[..], &root];
            elements.extend(others.iter().map(Vec::as_slice));
            inputs.push(PLAIN.of(&elements));
        }
    }
    inputs
}

/// Constraints on names of every form, that allow and that forbid what the server is called; and names
/// that only look like it.
fn named() -> Vec<Vec<u8>> {
    let here = DistinguishedName::new().organization("Leaf");
    let there = DistinguishedName::new().organization("Elsewhere");
    let bases = [
        GeneralName::Dns("adamant.example"),
        GeneralName::Dns("WWW.adamant.example"),
        GeneralName::Dns(".adamant.example"),
        GeneralName::Dns("mant.example"),
        GeneralName::Dns(""),
        GeneralName::Ip(&[192, 0, 2, 0, 255, 255, 255, 0]),
        GeneralName::Ip(&[192, 0, 2, 0, 255, 0, 255, 0]),
        GeneralName::Ip(&[0x20; 32]),
        GeneralName::Email("ca@adamant.example"),
        GeneralName::Email("adamant.example"),
        GeneralName::Email(".example"),
        GeneralName::Uri("www.adamant.example"),
        GeneralName::Uri(".adamant.example"),
        GeneralName::Directory(here.as_name()),
        GeneralName::Directory(there.as_name()),
        GeneralName::RegisteredId(oid!("1.3.6.1.4.1.55738")),
        GeneralName::Other {
            oid: oid!("1.3.6.1.4.1.311.20.2.3"),
            value: &[0x0c, 1, b'u'],
        },
    ];
    let questions = [
        PLAIN,
        Question(NOW, policies::ADDRESS, 0),
        Question(NOW, policies::MAILBOX, demands::ANY_PURPOSE),
    ];
    let mut inputs = Vec::new();
    for (i, base) in bases.iter().enumerate() {
        let trees = [GeneralSubtree(*base)];
        let (permitted, excluded) = (Some(List::new(&trees)), None);
        let allowing = NameConstraints {
            permitted,
            excluded,
        };
        let (permitted, excluded) = (None, Some(List::new(&trees)));
        let forbidding = NameConstraints {
            permitted,
            excluded,
        };
        for constraints in [allowing, forbidding] {
            let world = World::with(|builder| builder.extension(&constraints));
            let names = [NAMES, &[*base][..i / 15]].concat();
            let leaf = world.ca.issue(&world.leaf, 7, |builder| {
                builder
                    .extension(&SubjectAltName(List::new(&names)))
                    .extension(&SERVER)
            });
            inputs.push(questions[i % 3].of(&[&leaf, &world.root_der, &world.ca_der]));
        }
    }
    let names = [
        "*.adamant.example",
        "w*.adamant.example",
        "*.example",
        "*.*.example",
        "xn--adamant.example",
        "www.adamant.example.",
        "www..example",
        "192.0.2.1",
    ];
    for name in names {
        let world = World::new();
        let names = [GeneralName::Dns(name)];
        let nobody = Entity {
            name: DistinguishedName::new(),
            ..Entity::new("", 3)
        };
        let leaf = world.ca.issue(&nobody, 7, |builder| {
            builder
                .extension_with(true, &SubjectAltName(List::new(&names)))
                .extension(&SERVER)
        });
        inputs.push(PLAIN.of(&[&leaf, &world.root_der, &world.ca_der]));
    }
    let world = World::new();
    let stamps = ExtendedKeyUsage(List::new(&[ExtendedKeyUsage::TIME_STAMPING]));
    for critical in [true, false] {
        let leaf = world.ca.issue(&world.leaf, 7, |builder| {
            builder.extension_with(critical, &stamps)
        });
        let question = Question(NOW, 0, demands::TIME_STAMPS);
        inputs.push(question.of(&[&leaf, &world.root_der, &world.ca_der]));
    }
    inputs
}

fn policy(number: u64) -> Oid {
    Oid::from_arcs(&[1, 3, 6, 1, 4, 1, 55738, number]).expect("an identifier")
}

/// Policies that lead down to the server or end on the way, by mappings and constraints; asked for in
/// every way.
fn with_policies() -> Vec<Vec<u8>> {
    use policies::{EXPLICIT, INITIAL, NO_ANY, NO_MAPPING};
    let mapping = |issuer, subject| PolicyMapping {
        issuer: policy(issuer),
        subject: policy(subject),
    };
    let mappings = [mapping(1, 2), mapping(1, 3), mapping(2, 2)];
    let qualifiers = [PolicyQualifier::Cps("https://adamant.example/cps")];
    let plain = |oid| PolicyInformation::new(oid);
    let qualified = PolicyInformation {
        oid: policy(1),
        qualifiers: Some(List::new(&qualifiers)),
    };
    let any = plain(PolicyInformation::ANY);
    let of_ca: [&[_]; 4] = [
        &[qualified],
        &[any],
        &[plain(policy(1)), any],
        &[plain(policy(2))],
    ];
    let of_leaf: [&[_]; 4] = [&[plain(policy(2))], &[any], &[plain(policy(1))], &[]];
    let constraints = [
        None,
        Some([Some(0), None]),
        Some([None, Some(0)]),
        Some([Some(1), Some(1)]),
    ];
    let questions = [
        0,
        EXPLICIT,
        INITIAL | EXPLICIT,
        INITIAL | NO_MAPPING,
        EXPLICIT | NO_ANY,
        INITIAL | EXPLICIT | NO_MAPPING | NO_ANY,
    ];
    let mut inputs = Vec::new();
    for (i, of_ca) in of_ca.iter().enumerate() {
        for (j, of_leaf) in of_leaf.iter().enumerate() {
            let world = World::with(|builder| {
                let mut builder = builder.extension(&CertificatePolicies(List::new(of_ca)));
                if i != 1 {
                    builder = builder.extension(&PolicyMappings(List::new(&mappings)));
                }
                if let Some([require_explicit, inhibit_mapping]) = constraints[(i + j) % 4] {
                    builder = builder.extension(&PolicyConstraints {
                        require_explicit,
                        inhibit_mapping,
                    });
                }
                if j == 1 {
                    builder = builder.extension(&InhibitAnyPolicy(i as u32 / 2));
                }
                builder
            });
            let leaf = world.server(|builder| match of_leaf {
                [] => builder,
                _ => builder.extension(&CertificatePolicies(List::new(of_leaf))),
            });
            let question = Question(NOW, questions[(4 * i + j) % 6], 0);
            inputs.push(question.of(&[&leaf, &world.root_der, &world.ca_der]));
        }
    }
    inputs
}

/// Lists and responses, of those who may speak of the server and of others.
fn asked_for() -> Vec<Vec<u8>> {
    use demands::{DEDICATED, HARD, ONLY_TARGET};
    const REVOKED: &[u64] = &[1, 7];
    let (now, next) = (time("2025-12-31"), time("2026-01-02"));
    let world = World::new();
    let uri = [GeneralName::Uri("http://crl.adamant.example/ca.crl")];
    let dedicated = Entity::new("Lists", 4);
    let of_lists = [GeneralName::Directory(dedicated.name.as_name())];
    let points = [DistributionPoint {
        crl_issuer: Some((&of_lists).into()),
        ..DistributionPoint::at((&uri).into())
    }];
    let leaf =
        world.server(|builder| builder.extension(&CrlDistributionPoints(List::new(&points))));
    let dedicated_der = world.root.issue(&dedicated, 5, |builder| {
        builder
            .extension(&KeyUsage::CRL_SIGN)
            .extension(&SubjectKeyIdentifier(&dedicated.id))
    });
    // The same CA with another key.
    let renewed = Entity::new("CA", 6);
    let renewed_der = world
        .root
        .issue(&renewed, 6, |builder| ca(builder, &renewed, None));

    let list = |signer: &Entity, number: u64, serials: &[u64]| {
        CrlBuilder::new(signer.name.as_name(), now, next)
            .number(SerialNumber::from(number))
            .authority_key_id(&signer.id)
            .sign(
                serials.iter().map(|&serial| {
                    Revocation::new(SerialNumber::from(serial), now)
                        .reason(RevocationReason::CertificateHold)
                }),
                signer.key.signer().expect("a signer"),
            )
            .expect("a list")
    };
    let pointing = |signer: &Entity, point: &IssuingDistributionPoint<'_>, delta: bool| {
        let mut builder = CrlBuilder::new(signer.name.as_name(), now, next)
            .number(SerialNumber::from(9))
            .authority_key_id(&signer.id)
            .extension(point);
        if delta {
            builder = builder.delta(SerialNumber::from(5));
        }
        let ca_name = [GeneralName::Directory(world.ca.name.as_name())];
        let entry = Revocation::new(SerialNumber::from(7), now);
        let entry = match (delta, point.indirect) {
            (true, _) => entry.reason(RevocationReason::RemoveFromCrl),
            (_, true) => entry.certificate_issuer((&ca_name).into()),
            _ => entry,
        };
        let key = signer.key.signer().expect("a signer");
        builder.sign([entry], key).expect("a list")
    };
    let plain = IssuingDistributionPoint::default();
    let full = IssuingDistributionPoint {
        name: Some(DistributionPointName::Full((&uri).into())),
        ..plain
    };
    let some = IssuingDistributionPoint {
        only_some_reasons: Some(ReasonFlags::from_bits(0x4000)),
        ..plain
    };
    let indirect = IssuingDistributionPoint {
        indirect: true,
        ..full
    };
    let of_cas = IssuingDistributionPoint {
        only_ca_certs: true,
        ..plain
    };
    let of_root = list(&world.root, 5, &[]);

    let ca_certificate = Certificate::from_der(&world.ca_der).expect("a certificate");
    let id = IssuerId::new(&ca_certificate).expect("an issuer");
    let id = id.cert_id(SerialNumber::from(7));
    let responder = Entity::new("Responder", 8);
    let purpose = ExtendedKeyUsage((&[ExtendedKeyUsage::OCSP_SIGNING]).into());
    let delegate = world.ca.issue(&responder, 8, |builder| {
        builder.extension(&purpose).extension(&OcspNoCheck)
    });
    let checked = world
        .ca
        .issue(&responder, 8, |builder| builder.extension(&purpose));
    let response = |status, until, signer: &Entity, certificates: &[&[u8]]| {
        let single = SingleResponse::new(id, status, now, until);
        let name = ResponderId::Name(signer.name.as_name());
        ResponseBuilder::new(name, now)
            .certificates(certificates)
            .sign(&[single], signer.key.signer().expect("a signer"))
            .expect("a response")
    };
    let revoked = CertStatus::Revoked {
        time: now,
        reason: Some(RevocationReason::KeyCompromise),
    };
    let good = CertStatus::Good;

    let evidence: Vec<(u8, Vec<Vec<u8>>)> = vec![
        (HARD, vec![]),
        (HARD, vec![list(&world.ca, 5, &[]), of_root.clone()]),
        (HARD | ONLY_TARGET, vec![list(&world.ca, 5, &[1])]),
        (0, vec![list(&world.ca, 5, REVOKED)]),
        (
            0,
            vec![list(&world.ca, 4, REVOKED), list(&world.ca, 5, &[])],
        ),
        (0, vec![list(&world.root, 5, &[2])]),
        (
            HARD,
            vec![list(&renewed, 5, &[]), renewed_der.clone(), of_root.clone()],
        ),
        (0, vec![pointing(&world.ca, &full, false)]),
        (0, vec![pointing(&world.ca, &some, false)]),
        (
            HARD | ONLY_TARGET,
            vec![pointing(&world.ca, &of_cas, false)],
        ),
        (
            HARD | ONLY_TARGET,
            vec![
                list(&world.ca, 5, REVOKED),
                pointing(&world.ca, &plain, true),
            ],
        ),
        (
            HARD | ONLY_TARGET | DEDICATED,
            vec![
                pointing(&dedicated, &indirect, false),
                dedicated_der.clone(),
            ],
        ),
        (DEDICATED, vec![list(&dedicated, 5, &[]), dedicated_der]),
        (
            HARD | ONLY_TARGET,
            vec![response(good, Some(next), &world.ca, &[])],
        ),
        (
            HARD | ONLY_TARGET,
            vec![response(good, None, &responder, &[&delegate])],
        ),
        (
            ONLY_TARGET,
            vec![response(good, Some(next), &responder, &[&checked])],
        ),
        (
            HARD | ONLY_TARGET,
            vec![
                response(good, Some(next), &responder, &[&checked]),
                list(&world.ca, 5, &[9]),
            ],
        ),
        (0, vec![response(revoked, Some(next), &world.ca, &[])]),
        (
            0,
            vec![response(CertStatus::Unknown, Some(next), &world.ca, &[])],
        ),
        (
            0,
            vec![response(good, Some(next), &renewed, &[&renewed_der])],
        ),
    ];
    let inputs = evidence.iter().map(|(demanded, more)| {
        let mut elements = vec![&leaf[..], &world.root_der, &world.ca_der];
        elements.extend(more.iter().map(Vec::as_slice));
        Question(NOW, 0, *demanded).of(&elements)
    });
    inputs.collect()
}
