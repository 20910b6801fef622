//! Lists and responses of one CA, current and not, of the right hands and of others.

use adamant_der::Time;
use adamant_hash::Sha1;
use adamant_x509::crl::{CertificateList, CrlBuilder, Revocation as Entry};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, IssuerId, OcspResponse, ResponderId, ResponseBuilder, SingleResponse,
};
use adamant_x509::path::{
    Options, PathErrorKind as Kind, Profile, Revocation, RevocationError as Unclear, Strictness,
    TrustAnchor, validate,
};
use adamant_x509::{Certificate, SerialNumber};

use crate::chain::{Entity, at, ca};

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

struct World {
    root: Entity,
    root_der: Vec<u8>,
    leaf: Vec<u8>,
}

const LEAF: u64 = 7;

impl World {
    fn new() -> Self {
        let root = Entity::new("Root", 1);
        let leaf = Entity::new("Leaf", 2);
        Self {
            root_der: root.issue(&root, 1, |builder| ca(builder, &root, None)),
            leaf: root.issue(&leaf, LEAF, |builder| builder),
            root,
        }
    }

    fn check(
        &self,
        lists: &[Vec<u8>],
        responses: &[Vec<u8>],
        strictness: Strictness,
    ) -> Result<(), Kind> {
        let lists: Vec<_> = lists
            .iter()
            .map(|l| CertificateList::parse(l).unwrap())
            .collect();
        let responses: Vec<_> = responses
            .iter()
            .map(|r| OcspResponse::parse(r).unwrap())
            .collect();
        let root = Certificate::parse(&self.root_der).unwrap();
        let leaf = Certificate::parse(&self.leaf).unwrap();
        let anchors = [TrustAnchor::from_certificate(&root).unwrap()];
        let options = Options {
            revocation: Some(Revocation::new(&lists, &responses, strictness)),
            ..Options::new(Profile::Rfc5280, at())
        };
        validate(&leaf, &[], &anchors, &options)
            .map(drop)
            .map_err(|error| error.kind)
    }

    fn list(&self, times: [&str; 2], revoked: &[u64]) -> Vec<u8> {
        let entries = revoked
            .iter()
            .map(|&serial| Entry::new(SerialNumber::from(serial), time("2025-06-01")));
        CrlBuilder::new(self.root.name.as_name(), time(times[0]), time(times[1]))
            .number(SerialNumber::from(5))
            .authority_key_id(&self.root.id)
            .sign(entries, self.root.key.signer().unwrap())
            .unwrap()
    }

    /// An answer about the leaf, signed by `signer`.
    fn response(
        &self,
        status: CertStatus,
        times: (&str, Option<&str>),
        signer: &Entity,
        certificates: &[&[u8]],
    ) -> Vec<u8> {
        let issuer = IssuerId::new(&Certificate::parse(&self.root_der).unwrap()).unwrap();
        let id = issuer.cert_id(SerialNumber::from(LEAF));
        let single = SingleResponse::new(id, status, time(times.0), times.1.map(time));
        let name = ResponderId::Name(signer.name.as_name());
        ResponseBuilder::new(name, time(times.0))
            .certificates(certificates)
            .sign(&[single], signer.key.signer().unwrap())
            .unwrap()
    }
}

const NOW: [&str; 2] = ["2025-12-31", "2026-01-02"];
const PAST: [&str; 2] = ["2025-12-01", "2025-12-31"];
const NOW_OCSP: (&str, Option<&str>) = (NOW[0], Some(NOW[1]));

#[test]
fn lists() {
    let world = World::new();
    let hard = |lists: &[Vec<u8>]| world.check(lists, &[], Strictness::Hard);
    let soft = |lists: &[Vec<u8>]| world.check(lists, &[], Strictness::Soft);
    assert_eq!(hard(&[world.list(NOW, &[1, 2, 300])]), Ok(()));
    let revoked = Kind::Revoked {
        serial: SerialNumber::from(LEAF),
        since: time("2025-06-01"),
        reason: None,
    };
    assert_eq!(soft(&[world.list(NOW, &[1, LEAF])]), Err(revoked));

    assert_eq!(hard(&[]), Err(Kind::UnknownStatus(Unclear::Nothing)));
    assert_eq!(soft(&[]), Ok(()));
    let past = Unclear::NotCurrent {
        at: at(),
        this_update: time(PAST[0]),
        next_update: Some(time(PAST[1])),
    };
    assert_eq!(
        hard(&[world.list(PAST, &[])]),
        Err(Kind::UnknownStatus(past))
    );
    assert_eq!(soft(&[world.list(PAST, &[])]), Ok(()));
    assert_eq!(hard(&[world.list(PAST, &[]), world.list(NOW, &[])]), Ok(()));

    // One who may not, and an altered signature: refused either way.
    let mut forged = world.list(NOW, &[]);
    *forged.last_mut().unwrap() ^= 1;
    for result in [hard(&[forged.clone()]), soft(&[forged])] {
        assert!(matches!(
            result,
            Err(Kind::UnknownStatus(Unclear::BadSignature(_)))
        ));
    }
}

#[test]
fn responses() {
    let world = World::new();
    let hard =
        |response: &Vec<u8>| world.check(&[], std::slice::from_ref(response), Strictness::Hard);
    let good = world.response(CertStatus::Good, NOW_OCSP, &world.root, &[]);
    assert_eq!(hard(&good), Ok(()));
    let status = CertStatus::Revoked {
        time: time("2025-06-01"),
        reason: Some(RevocationReason::KeyCompromise),
    };
    let revoked = world.response(status, NOW_OCSP, &world.root, &[]);
    assert!(matches!(hard(&revoked), Err(Kind::Revoked { .. })));
    let unknown = world.response(CertStatus::Unknown, NOW_OCSP, &world.root, &[]);
    assert_eq!(hard(&unknown), Err(Kind::UnknownStatus(Unclear::Unknown)));
    // A response that was good and is old does not hide what a list says.
    let past = world.response(CertStatus::Good, (PAST[0], Some(PAST[1])), &world.root, &[]);
    assert!(matches!(
        hard(&past),
        Err(Kind::UnknownStatus(Unclear::NotCurrent { .. }))
    ));
    let result = world.check(&[world.list(NOW, &[LEAF])], &[past], Strictness::Soft);
    assert!(matches!(result, Err(Kind::Revoked { .. })));
    // Without a next update a response counts for a day.
    let open = world.response(CertStatus::Good, ("2025-12-31", None), &world.root, &[]);
    assert_eq!(hard(&open), Ok(()));
    let open = world.response(CertStatus::Good, ("2025-12-30", None), &world.root, &[]);
    assert!(matches!(
        hard(&open),
        Err(Kind::UnknownStatus(Unclear::NotCurrent { .. }))
    ));
    let mut forged = good;
    *forged.last_mut().unwrap() ^= 1;
    assert_eq!(
        hard(&forged),
        Err(Kind::UnknownStatus(Unclear::NotAuthorized))
    );
}

#[test]
fn delegated_responders() {
    let world = World::new();
    let responder = Entity::new("Responder", 3);
    let ocsp = ExtendedKeyUsage((&[ExtendedKeyUsage::OCSP_SIGNING]).into());
    let unchecked = world.root.issue(&responder, 8, |builder| {
        builder.extension(&ocsp).extension(&OcspNoCheck)
    });
    let checked = world
        .root
        .issue(&responder, 8, |builder| builder.extension(&ocsp));
    let other_purpose = world.root.issue(&responder, 8, |builder| {
        let server = ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into());
        builder.extension(&server).extension(&OcspNoCheck)
    });
    let elsewhere = Entity::new("Root", 9);
    let elsewhere = elsewhere.issue(&responder, 8, |builder| {
        builder.extension(&ocsp).extension(&OcspNoCheck)
    });
    let ask = |certificate: &[u8], lists: &[Vec<u8>], strictness| {
        let response = world.response(CertStatus::Good, NOW_OCSP, &responder, &[certificate]);
        world.check(lists, &[response], strictness)
    };
    let refused = Err(Kind::UnknownStatus(Unclear::NotAuthorized));
    assert_eq!(ask(&unchecked, &[], Strictness::Hard), Ok(()));
    assert_eq!(ask(&other_purpose, &[], Strictness::Hard), refused);
    assert_eq!(ask(&elsewhere, &[], Strictness::Hard), refused);
    // One that must be checked: by a list that does not have it.
    assert_eq!(ask(&checked, &[], Strictness::Hard), refused);
    assert_eq!(ask(&checked, &[], Strictness::Soft), Ok(()));
    assert_eq!(
        ask(&checked, &[world.list(NOW, &[9])], Strictness::Hard),
        Ok(())
    );
    // Revoked, it says nothing; the list, which knows the leaf, does.
    assert_eq!(
        ask(&checked, &[world.list(NOW, &[8])], Strictness::Hard),
        Ok(())
    );
    let both = ask(&checked, &[world.list(NOW, &[8, LEAF])], Strictness::Hard);
    assert!(matches!(both, Err(Kind::Revoked { .. })));
}

#[test]
fn responder_by_key() {
    let world = World::new();
    let issuer = IssuerId::new(&Certificate::parse(&world.root_der).unwrap()).unwrap();
    let id = issuer.cert_id(SerialNumber::from(LEAF));
    let root = Certificate::parse(&world.root_der).unwrap();
    let hash = Sha1::digest(root.spki().unwrap().key);
    let single = SingleResponse::new(id, CertStatus::Good, time(NOW[0]), Some(time(NOW[1])));
    let response = ResponseBuilder::new(ResponderId::KeyHash(&hash), time(NOW[0]))
        .sign(&[single], world.root.key.signer().unwrap())
        .unwrap();
    assert_eq!(world.check(&[], &[response], Strictness::Hard), Ok(()));
}
