//! How often lists and responses are gone through: eight times their octets are free, and what is
//! above that is charged like all other octets.

use std::slice::from_ref;

use adamant_x509::crl::{CertificateList, CrlBuilder, Revocation as Entry};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, IssuerId, OcspResponse, ResponderId, ResponseBuilder, SingleResponse,
    assemble_response,
};
use adamant_x509::path::{
    Limits, Options, PathErrorKind as Kind, Profile, Revocation, Strictness, TrustAnchor, validate,
};
use adamant_x509::{Certificate, List, SerialNumber, assemble};

use super::adversarial::Gullible;
use super::chain::{Entity, at, ca};
use super::costs::least;
use super::revocation::time;

const FREE: isize = 8;

/// Certificates from the target up, of which every signature is good.
struct Scene {
    chain: Vec<Vec<u8>>,
    entities: Vec<Entity>,
}

impl Scene {
    /// With this many certificates below the anchor's.
    fn new(count: usize) -> Self {
        let entities: Vec<_> = (0..=count)
            .map(|i| Entity::new(&format!("Level {i}"), 1 + i as u8))
            .collect();
        let issue = |issuer: &Entity, subject: &Entity| {
            issuer.issue(subject, 2, |builder| ca(builder, subject, None))
        };
        let mut chain = vec![issue(&entities[0], &entities[0])];
        chain.extend(entities.windows(2).map(|pair| issue(&pair[0], &pair[1])));
        chain.reverse();
        Self { chain, entities }
    }

    fn octets(&self, lists: &[Vec<u8>], responses: &[Vec<u8>]) -> isize {
        self.least(|limits| &mut limits.octets, lists, responses)
    }

    fn least(
        &self,
        limit: fn(&mut Limits) -> &mut usize,
        lists: &[Vec<u8>],
        responses: &[Vec<u8>],
    ) -> isize {
        let lists: Vec<_> = (lists.iter())
            .map(|der| CertificateList::from_der(der).unwrap())
            .collect();
        let responses: Vec<_> = (responses.iter())
            .map(|der| OcspResponse::from_der(der).unwrap())
            .collect();
        let chain: Vec<_> = (self.chain.iter())
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let [target, others @ .., root] = &chain[..] else {
            panic!("a chain");
        };
        let anchors = [TrustAnchor::from_certificate(root).unwrap()];
        let ask = |limits: Limits| -> Result<(), Kind> {
            let options = Options {
                revocation: Some(Revocation::new(&lists, &responses, Strictness::Soft)),
                verifier: &Gullible,
                max_depth: 20,
                limits,
                ..Options::new(Profile::Path, at())
            };
            let verdict = validate(target, others, &anchors, &options);
            verdict.map(drop).map_err(|error| error.kind)
        };
        least(limit, ask) as isize
    }

    /// A list of the target's issuer that names others, with a signature of this length.
    fn list(&self, entries: u64, signature: usize) -> Vec<u8> {
        let issuer = &self.entities[self.entities.len() - 2];
        let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
        let entries = (0..entries).map(|i| Entry::new(SerialNumber::from(1000 + i), from));
        let algorithm = issuer.key.signer().unwrap().algorithm();
        let tbs = CrlBuilder::new(issuer.name.as_name(), from, until)
            .number(SerialNumber::from(5))
            .tbs(entries, algorithm)
            .unwrap();
        assemble(&tbs, algorithm, &vec![1; signature])
    }

    /// A response about others.
    fn response(&self, answers: u64, signature: usize, certificates: &[&[u8]]) -> Vec<u8> {
        let root = Certificate::from_der(self.chain.last().unwrap()).unwrap();
        let issuer = IssuerId::new(&root).unwrap();
        let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
        let single = |i| {
            let id = issuer.cert_id(SerialNumber::from(1000 + i));
            SingleResponse::new(id, CertStatus::Good, from, Some(until))
        };
        let singles: Vec<_> = (0..answers).map(single).collect();
        let name = ResponderId::Name(self.entities[0].name.as_name());
        let tbs = ResponseBuilder::new(name, from).tbs(&singles).unwrap();
        let algorithm = self.entities[0].key.signer().unwrap().algorithm();
        assemble_response(&tbs, algorithm, &vec![1; signature], certificates)
    }
}

/// A response is gone through for each certificate of the path, with what it holds; a list once for
/// the certificate that it may speak of, and once for its signature.
#[test]
fn passes() {
    const COUNT: usize = 12;
    let scene = Scene::new(COUNT);
    let with: &[&[u8]] = &[&scene.chain[0], &scene.chain[0], &scene.chain[1]];
    let response = scene.response(40, 300, with);
    let list = scene.list(20, 300);
    let octets =
        |list: &Vec<u8>, response: &Vec<u8>| scene.octets(from_ref(list), from_ref(response));
    let basic = octets(&list, &response);
    let passes = COUNT as isize - FREE;
    for (other, what) in [
        (scene.response(20, 300, with), "answers"),
        (scene.response(40, 700, with), "its signature"),
        (scene.response(40, 300, &with[1..]), "its certificates"),
    ] {
        let more_octets = octets(&list, &other) - basic;
        let more = other.len() as isize - response.len() as isize;
        assert_eq!(more_octets, passes * more, "{what}");
    }
    for (other, what) in [
        (scene.list(50, 300), "entries"),
        (scene.list(20, 700), "its signature"),
    ] {
        let more_octets = octets(&other, &response) - basic;
        let more = other.len() as isize - list.len() as isize;
        assert_eq!(more_octets, (2 - FREE) * more, "{what}");
    }
}

/// The scope of each list that the certificate is out of is compared with those of all lists that
/// have it.
#[test]
fn scopes() {
    const COUNT: usize = 10;
    let scene = Scene::new(1);
    let lists = |length: usize| -> Vec<_> {
        let uri = "x".repeat(length);
        let name = [GeneralName::Uri(&uri)];
        let issuer = &scene.entities[0];
        let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
        let algorithm = issuer.key.signer().unwrap().algorithm();
        let list = |number: u64| {
            let tbs = CrlBuilder::new(issuer.name.as_name(), from, until)
                .number(SerialNumber::from(number))
                .extension(&IssuingDistributionPoint {
                    name: Some(DistributionPointName::Full(List::new(&name))),
                    ..IssuingDistributionPoint::default()
                })
                .tbs([Entry::new(SerialNumber::from(2), from)], algorithm)
                .unwrap();
            assemble(&tbs, algorithm, &[1; 70])
        };
        (0..COUNT as u64).map(list).collect()
    };
    let [short, long] = [400, 600].map(|length| scene.octets(&lists(length), &[]));
    let count = COUNT as isize;
    assert_eq!(long - short, 200 * count * (2 + count - FREE));
}

/// The signature of a list that the certificate is out of the scope of is checked where the list,
/// or another of that scope, has the certificate; of one that it is in the scope of, always.
#[test]
fn signatures() {
    let scene = Scene::new(1);
    let issuer = &scene.entities[0];
    let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
    let list = |cas: bool, serial: u64| {
        CrlBuilder::new(issuer.name.as_name(), from, until)
            .number(SerialNumber::from(5))
            .extension(&IssuingDistributionPoint {
                only_ca_certs: cas,
                only_user_certs: !cas,
                ..IssuingDistributionPoint::default()
            })
            .sign(
                [Entry::new(SerialNumber::from(serial), from)],
                issuer.key.signer().unwrap(),
            )
            .unwrap()
    };
    let [target, other] = [2, 3];
    for (lists, count) in [
        (&[][..], 0),
        (&[(true, other), (true, target)], 2),
        (&[(true, target)], 1),
        (&[(false, other)], 0),
        (&[(false, other), (true, target)], 1),
        (&[(false, other), (true, other), (true, target)], 2),
        (&[(false, target), (true, target)], 2),
        (&[(false, target), (false, other), (true, other)], 3),
    ] {
        let lists: Vec<_> = lists
            .iter()
            .map(|(cas, serial)| list(*cas, *serial))
            .collect();
        let found = scene.least(|limits| &mut limits.signatures, &lists, &[]);
        assert_eq!(found, 1 + count);
    }
}

/// Each certificate with the name of a list's issuer is glanced at and read.
#[test]
fn issuers_of_lists() {
    let [root, lists, leaf] =
        [("Root", 1), ("Lists", 2), ("Leaf", 3)].map(|(name, key)| Entity::new(name, key));
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let of_lists = root.issue(&lists, 2, |builder| ca(builder, &lists, None));
    let name = [GeneralName::Directory(lists.name.as_name())];
    let point = DistributionPoint {
        crl_issuer: Some(List::new(&name)),
        ..DistributionPoint::default()
    };
    let leaf = root.issue(&leaf, 3, |builder| {
        builder.extension(&CrlDistributionPoints((&[point]).into()))
    });
    let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
    let list = |signer: &Entity, scope: &IssuingDistributionPoint<'_>| {
        CrlBuilder::new(signer.name.as_name(), from, until)
            .number(SerialNumber::from(5))
            .authority_key_id(&signer.id)
            .extension(scope)
            .sign([], signer.key.signer().unwrap())
            .unwrap()
    };
    let (mut of_cas, mut of_others) = (
        IssuingDistributionPoint::default(),
        IssuingDistributionPoint::default(),
    );
    (of_cas.only_ca_certs, of_others.indirect) = (true, true);
    let ders = [list(&root, &of_cas), list(&lists, &of_others)];
    let ders = ders
        .each_ref()
        .map(|der| CertificateList::from_der(der).unwrap());
    let octets = |other: &[u8]| {
        let [own, of_lists, leaf, other] =
            [&own[..], &of_lists, &leaf, other].map(|der| Certificate::from_der(der).unwrap());
        let (others, anchors) = (
            [of_lists, other],
            [TrustAnchor::from_certificate(&own).unwrap()],
        );
        let ask = |limits: Limits| -> Result<(), Kind> {
            let options = Options {
                revocation: Some(Revocation {
                    dedicated_crl_issuers: true,
                    ..Revocation::new(&ders, &[], Strictness::Hard)
                }),
                verifier: &Gullible,
                limits,
                ..Options::new(Profile::Path, at())
            };
            let verdict = validate(&leaf, &others, &anchors, &options);
            verdict.map(drop).map_err(|error| error.kind)
        };
        assert_eq!(ask(Limits::DEFAULT), Ok(()));
        least(|limits| &mut limits.octets, ask)
    };
    let issue = |name, serial: u64| root.issue(&Entity::new(name, 9), serial, |builder| builder);
    let named = issue("Lists", 4);
    let serial = (10..100).find(|serial| issue("Other", *serial).len() == named.len());
    let other = issue("Other", serial.unwrap());
    assert_eq!(octets(&named) - octets(&other), 8 + named.len());
}
