//! Who may answer for an issuer (RFC 6960, 4.2.2.2), and answers that do not tell.

use adamant_der::{Oid, oid};
use adamant_x509::crl::CrlBuilder;
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertId, CertStatus, IssuerId, ResponderId, ResponseBuilder, ResponseStatus, SingleResponse,
    error_response,
};
use adamant_x509::path::{PathErrorKind as Kind, RevocationError as Unclear, Strictness};
use adamant_x509::{AlgorithmIdentifier, Certificate, CertificateBuilder, SerialNumber};

use super::chain::{Entity, ca};
use super::revocation::{Question, time};

const HARD: Strictness = Strictness::Hard;
const SOFT: Strictness = Strictness::Soft;
const LEAF: u64 = 7;
const TIMES: [&str; 2] = ["2020-01-01", "2030-01-01"];

fn unclear(error: Unclear) -> Result<(), Kind> {
    Err(Kind::UnknownStatus(error))
}

struct World {
    root: Entity,
    own: Vec<u8>,
    leaf: Vec<u8>,
    responder: Entity,
}

impl World {
    fn new() -> Self {
        let root = Entity::new("Root", 1);
        Self {
            own: root.issue(&root, 1, |builder| ca(builder, &root, None)),
            leaf: root.issue(&Entity::new("Leaf", 2), LEAF, |builder| builder),
            root,
            responder: Entity::new("Responder", 3),
        }
    }

    /// That the certificate with this number is good.
    fn answer(&self, serial: u64, by: ResponderId<'_>, signer: &Entity, with: &[&[u8]]) -> Vec<u8> {
        let issuer = IssuerId::new(&Certificate::from_der(&self.own).unwrap()).unwrap();
        let id = issuer.cert_id(SerialNumber::from(serial));
        let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
        let single = SingleResponse::new(id, CertStatus::Good, from, Some(until));
        ResponseBuilder::new(by, from)
            .certificates(with)
            .sign(&[single], signer.key.signer().unwrap())
            .unwrap()
    }

    /// The responder's answer about the leaf, by its name.
    fn of_responder(&self, certificates: &[&[u8]]) -> Vec<u8> {
        let by = ResponderId::Name(self.responder.name.as_name());
        self.answer(LEAF, by, &self.responder, certificates)
    }

    fn ask(
        &self,
        lists: &[Vec<u8>],
        responses: &[Vec<u8>],
        strictness: Strictness,
    ) -> Result<(), Kind> {
        Question {
            target: &self.leaf,
            others: &[],
            root: &self.own,
            lists,
            responses,
            strictness,
            dedicated: false,
            only_target: false,
        }
        .ask()
    }
}

/// What the certificate of a responder must be.
#[test]
fn certificates_of_responders() {
    type More<'m> = &'m dyn for<'b> Fn(CertificateBuilder<'b>) -> CertificateBuilder<'b>;
    const OCSP: Oid = ExtendedKeyUsage::OCSP_SIGNING;
    const SERVER: Oid = ExtendedKeyUsage::SERVER_AUTH;
    let world = World::new();
    let alias = Entity::new("Alias", 1);
    let stranger = Entity::new("Root", 9);
    let only: More<'_> = &|b| b.extension(&ExtendedKeyUsage((&[OCSP]).into()));
    let signs: More<'_> = &|b| only(b).extension(&KeyUsage::DIGITAL_SIGNATURE);
    let agrees: More<'_> = &|b| only(b).extension(&KeyUsage::KEY_AGREEMENT);
    let both: More<'_> = &|b| b.extension(&ExtendedKeyUsage((&[SERVER, OCSP]).into()));
    let server: More<'_> = &|b| b.extension(&ExtendedKeyUsage((&[SERVER]).into()));
    let past = [TIMES[0], "2025-12-31"];
    for (issuer, times, more, good) in [
        (&world.root, TIMES, only, true),
        (&world.root, TIMES, signs, true),
        (&world.root, TIMES, both, true),
        (&world.root, TIMES, agrees, false),
        (&world.root, TIMES, server, false),
        (&world.root, TIMES, &|b| b, false),
        (&world.root, past, only, false),
        (&alias, TIMES, only, false),
        (&stranger, TIMES, only, false),
    ] {
        let der = issuer.issue_between(&world.responder, 8, times, |builder| {
            more(builder).extension(&OcspNoCheck)
        });
        let expected = match good {
            true => Ok(()),
            false => unclear(Unclear::NotAuthorized),
        };
        for strictness in [HARD, SOFT] {
            let response = [world.of_responder(&[&der])];
            assert_eq!(world.ask(&[], &response, strictness), expected);
        }
    }
}

/// By name or by key, of the issuer or of one whose certificate comes with it.
#[test]
fn identifiers_of_responders() {
    let world = World::new();
    let purposes = ExtendedKeyUsage((&[ExtendedKeyUsage::OCSP_SIGNING]).into());
    let issue = |subject: &Entity, serial| {
        world.root.issue(subject, serial, |builder| {
            builder.extension(&purposes).extension(&OcspNoCheck)
        })
    };
    let other = Entity::new("Other", 4);
    let [own, others] =
        [(&world.responder, 8), (&other, 9)].map(|(who, serial)| issue(who, serial));
    let hash = |der: &[u8]| {
        let certificate = Certificate::from_der(der).unwrap();
        ResponderId::key_hash(&certificate.spki().unwrap())
    };
    let [of_root, of_own, of_other] = [hash(&world.own), hash(&own), hash(&others)];
    let [root, responder] = [&world.root, &world.responder];
    let all: &[&[u8]] = &[&others, &own];
    for (by, signer, certificates, good) in [
        (ResponderId::KeyHash(&of_root), root, &[][..], true),
        (ResponderId::KeyHash(&of_own), root, &[], false),
        (ResponderId::KeyHash(&of_root), responder, all, false),
        (ResponderId::KeyHash(&of_own), responder, all, true),
        (ResponderId::KeyHash(&of_other), responder, all, false),
        (
            ResponderId::Name(responder.name.as_name()),
            responder,
            all,
            true,
        ),
        (
            ResponderId::Name(other.name.as_name()),
            responder,
            all,
            false,
        ),
        (
            ResponderId::Name(responder.name.as_name()),
            root,
            &[],
            false,
        ),
        (
            ResponderId::Name(root.name.as_name()),
            responder,
            all,
            false,
        ),
    ] {
        let response = [world.answer(LEAF, by, signer, certificates)];
        let expected = match good {
            true => Ok(()),
            false => unclear(Unclear::NotAuthorized),
        };
        assert_eq!(world.ask(&[], &response, HARD), expected, "{by:?}");
    }
}

/// A responder of unknown status is taken, where that is asked for, only if nothing is at hand.
#[test]
fn responders_of_unknown_status() {
    let world = World::new();
    let purposes = ExtendedKeyUsage((&[ExtendedKeyUsage::OCSP_SIGNING]).into());
    let [checked, vouched] = [false, true].map(|vouched| {
        world.root.issue(&world.responder, 8, |builder| {
            let builder = builder.extension(&purposes);
            match vouched {
                true => builder.extension(&OcspNoCheck),
                false => builder,
            }
        })
    });
    let mut forged = CrlBuilder::new(
        world.root.name.as_name(),
        time("2025-12-31"),
        time("2026-01-02"),
    )
    .number(SerialNumber::from(5))
    .authority_key_id(&world.root.id)
    .sign([], world.root.key.signer().unwrap())
    .unwrap();
    *forged.last_mut().unwrap() ^= 1;
    let lists = [forged];
    for (der, forged, hard, soft) in [
        (&checked, false, false, true),
        (&checked, true, false, false),
        (&vouched, false, true, true),
        (&vouched, true, true, true),
    ] {
        let response = [world.of_responder(&[der])];
        let lists = &lists[..usize::from(forged)];
        for (strictness, good) in [(HARD, hard), (SOFT, soft)] {
            let expected = match good {
                true => Ok(()),
                false => unclear(Unclear::UncheckedSigner),
            };
            assert_eq!(world.ask(lists, &response, strictness), expected);
        }
    }
}

/// What is not about the certificate, whoever signed it, and that there was no answer.
#[test]
fn no_answers() {
    let world = World::new();
    let by = ResponderId::Name(world.responder.name.as_name());
    let of_others = world.answer(LEAF + 1, by, &world.responder, &[]);
    let nothing = unclear(Unclear::Nothing);
    assert_eq!(
        world.ask(&[], std::slice::from_ref(&of_others), HARD),
        nothing
    );
    let [later, internal] = [ResponseStatus::TryLater, ResponseStatus::InternalError];
    let failed = [later, internal].map(|status| error_response(status).unwrap());
    let status = |status| unclear(Unclear::Status(status));
    assert_eq!(world.ask(&[], &failed[1..], HARD), status(internal));
    assert_eq!(world.ask(&[], &failed, HARD), status(later));
    assert_eq!(world.ask(&[], &failed, SOFT), Ok(()));
    // Of what is old more can be told.
    let past = ["2025-12-01", "2025-12-31"].map(time);
    let past = CrlBuilder::new(world.root.name.as_name(), past[0], past[1])
        .number(SerialNumber::from(5))
        .authority_key_id(&world.root.id)
        .sign([], world.root.key.signer().unwrap())
        .unwrap();
    assert!(matches!(
        world.ask(&[past], &failed, HARD),
        Err(Kind::UnknownStatus(Unclear::NotCurrent { .. }))
    ));
    let by = ResponderId::Name(world.root.name.as_name());
    let good = world.answer(LEAF, by, &world.root, &[]);
    let all = [&failed[..], &[of_others, good]].concat();
    assert_eq!(world.ask(&[], &all, HARD), Ok(()));
}

/// An answer is about the issuer whose name and key it names by their hashes, of any hash that is
/// known, and about the certificate's number.
#[test]
fn certificates_that_answers_name() {
    let world = World::new();
    let other = Entity::new("Other", 5);
    let other = other.issue(&other, 1, |builder| ca(builder, &other, None));
    let [own, other] = [&world.own, &other].map(|der| Certificate::from_der(der).unwrap());
    let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
    let ask = |id: CertId<'_>| {
        let single = SingleResponse::new(id, CertStatus::Good, from, Some(until));
        let response = ResponseBuilder::new(ResponderId::Name(world.root.name.as_name()), from)
            .sign(&[single], world.root.key.signer().unwrap())
            .unwrap();
        world.ask(&[], &[response], HARD)
    };
    for hash in [
        "1.3.14.3.2.26",
        "2.16.840.1.101.3.4.2.1",
        "2.16.840.1.101.3.4.2.2",
        "2.16.840.1.101.3.4.2.3",
    ] {
        let hash = hash.parse().unwrap();
        let [right, wrong] =
            [&own, &other].map(|issuer| IssuerId::with_hash(issuer, &hash).unwrap());
        let right = right.cert_id(SerialNumber::from(LEAF));
        let wrong = wrong.cert_id(SerialNumber::from(8));
        let unknown = AlgorithmIdentifier::new(oid!("1.3.6.1.4.1.99999.11"), None);
        let sha224 = AlgorithmIdentifier::new(oid!("2.16.840.1.101.3.4.2.4"), None);
        assert_eq!(ask(right), Ok(()), "{hash}");
        for id in [
            CertId {
                serial: wrong.serial,
                ..right
            },
            CertId {
                issuer_name_hash: wrong.issuer_name_hash,
                ..right
            },
            CertId {
                issuer_key_hash: wrong.issuer_key_hash,
                ..right
            },
            CertId {
                issuer_name_hash: &right.issuer_name_hash[1..],
                ..right
            },
            CertId {
                issuer_key_hash: &right.issuer_key_hash[..19],
                ..right
            },
            CertId {
                hash_algorithm: unknown,
                ..right
            },
            CertId {
                hash_algorithm: sha224,
                ..right
            },
        ] {
            assert_eq!(ask(id), unclear(Unclear::Nothing), "{hash} {id:?}");
        }
    }
}
