//! Lists and responses of one CA, current and not, of the right hands and of others.

mod against;

use std::cell::RefCell;
use std::collections::HashMap;

use adamant_der::{Time, oid};
use adamant_hash::Sha1;
use adamant_x509::crl::{CertificateList, CrlBuilder, Revocation as Entry};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, IssuerId, OcspResponse, ResponderId, ResponseBuilder, SingleResponse,
};
use adamant_x509::path::{
    Options, PathErrorKind as Kind, Profile, Revocation, RevocationError as Unclear, Signatures,
    Strictness, TrustAnchor, Verifier, validate,
};
use adamant_x509::{AlgorithmIdentifier, Certificate, SerialNumber, SubjectPublicKeyInfo};

use super::chain::{Entity, Numbers, at, ca};

pub(crate) fn time(text: &str) -> Time {
    text.parse().unwrap()
}

/// Remembers signatures.
#[derive(Default)]
struct Memo(RefCell<HashMap<Vec<u8>, adamant_x509::Result<()>>>);

impl Verifier for Memo {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> adamant_x509::Result<()> {
        let id = [key.key, message, signature].concat();
        let mut known = self.0.borrow_mut();
        *(known.entry(id)).or_insert_with(|| Signatures.verify(key, algorithm, message, signature))
    }
}

/// A certificate, and what there is to find out whether it was revoked.
pub(crate) struct Question<'q> {
    pub(crate) target: &'q [u8],
    pub(crate) others: &'q [Vec<u8>],
    pub(crate) root: &'q [u8],
    pub(crate) lists: &'q [Vec<u8>],
    pub(crate) responses: &'q [Vec<u8>],
    pub(crate) strictness: Strictness,
    pub(crate) dedicated: bool,
    pub(crate) only_target: bool,
}

/// All orders of up to five things, and some of more.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count > 5 {
        let mut numbers = Numbers(count as u64);
        return (0..60)
            .map(|_| {
                let mut order: Vec<_> = (0..count).collect();
                for i in (1..count).rev() {
                    order.swap(i, numbers.below(i + 1));
                }
                order
            })
            .collect();
    }
    let mut all = vec![Vec::new()];
    for i in 0..count {
        let insert = |order: &Vec<usize>| {
            let at = |place| {
                let mut order = order.clone();
                order.insert(place, i);
                order
            };
            (0..=order.len()).map(at).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

impl Question<'_> {
    /// The answer, which is the same in whichever order everything comes.
    pub(crate) fn ask(&self) -> Result<(), Kind> {
        fn pick<T: Copy>(all: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|&i| all[i]).collect()
        }
        let lists: Vec<_> = (self.lists.iter())
            .map(|der| CertificateList::from_der(der).unwrap())
            .collect();
        let responses: Vec<_> = (self.responses.iter())
            .map(|der| OcspResponse::from_der(der).unwrap())
            .collect();
        let root = Certificate::from_der(self.root).unwrap();
        let target = Certificate::from_der(self.target).unwrap();
        let mut others: Vec<_> = (self.others.iter())
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let anchors = [TrustAnchor::from_certificate(&root).unwrap()];
        let memo = Memo::default();
        let mut answer = None;
        for order in orders(lists.len()) {
            others.reverse();
            for responses_order in orders(responses.len()) {
                let lists = pick(&lists, &order);
                let responses = pick(&responses, &responses_order);
                let options = Options {
                    revocation: Some(Revocation {
                        dedicated_crl_issuers: self.dedicated,
                        only_target: self.only_target,
                        ..Revocation::new(&lists, &responses, self.strictness)
                    }),
                    verifier: &memo,
                    ..Options::new(Profile::Rfc5280, at())
                };
                let result = validate(&target, &others, &anchors, &options);
                let result = result.map(drop).map_err(|error| error.kind);
                let first = answer.get_or_insert_with(|| result.clone());
                assert_eq!(*first, result, "{order:?}, {responses_order:?}");
            }
        }
        answer.unwrap()
    }
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
        Question {
            target: &self.leaf,
            others: &[],
            root: &self.root_der,
            lists,
            responses,
            strictness,
            dedicated: false,
            only_target: false,
        }
        .ask()
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
        let issuer = IssuerId::new(&Certificate::from_der(&self.root_der).unwrap()).unwrap();
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
    for result in [hard(std::slice::from_ref(&forged)), soft(&[forged])] {
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
    let unclear = Err(Kind::UnknownStatus(Unclear::UncheckedSigner));
    assert_eq!(ask(&unchecked, &[], Strictness::Hard), Ok(()));
    assert_eq!(ask(&other_purpose, &[], Strictness::Hard), refused);
    assert_eq!(ask(&elsewhere, &[], Strictness::Hard), refused);
    // One that must be checked: by a list that does not have it.
    assert_eq!(ask(&checked, &[], Strictness::Hard), unclear);
    assert_eq!(
        ask(&checked, &[world.list(PAST, &[])], Strictness::Hard),
        unclear
    );
    assert_eq!(ask(&checked, &[], Strictness::Soft), Ok(()));
    // One that the issuer vouches for, and revoked all the same.
    let past = world.list(PAST, &[8]);
    for strictness in [Strictness::Hard, Strictness::Soft] {
        assert_eq!(
            ask(&unchecked, std::slice::from_ref(&past), strictness),
            refused
        );
        assert_eq!(
            ask(&checked, std::slice::from_ref(&past), strictness),
            refused
        );
    }
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
    let issuer = IssuerId::new(&Certificate::from_der(&world.root_der).unwrap()).unwrap();
    let id = issuer.cert_id(SerialNumber::from(LEAF));
    let root = Certificate::from_der(&world.root_der).unwrap();
    let hash = Sha1::digest(root.spki().unwrap().key);
    let single = SingleResponse::new(id, CertStatus::Good, time(NOW[0]), Some(time(NOW[1])));
    let response = ResponseBuilder::new(ResponderId::KeyHash(&hash), time(NOW[0]))
        .sign(&[single], world.root.key.signer().unwrap())
        .unwrap();
    assert_eq!(world.check(&[], &[response], Strictness::Hard), Ok(()));
}

#[test]
fn two_answers_in_one_response() {
    let world = World::new();
    let root = Certificate::from_der(&world.root_der).unwrap();
    let hashes = [
        oid!("1.3.14.3.2.26"),
        oid!("2.16.840.1.101.3.4.2.1"),
        oid!("2.16.840.1.101.3.4.2.3"),
    ];
    let ids = hashes.map(|hash| IssuerId::with_hash(&root, &hash).unwrap());
    let id = |i: usize| ids[i].cert_id(SerialNumber::from(LEAF));
    let until = Some(time(NOW[1]));
    let good = |i, day| SingleResponse::new(id(i), CertStatus::Good, time(day), until);
    let revoked = |i, day, reason| {
        let since = time("2025-06-01");
        let status = CertStatus::Revoked {
            time: since,
            reason: Some(reason),
        };
        SingleResponse::new(id(i), status, time(day), until)
    };
    let ask = |singles: &[SingleResponse<'_>]| {
        let name = ResponderId::Name(world.root.name.as_name());
        let response = ResponseBuilder::new(name, time(NOW[0]))
            .sign(singles, world.root.key.signer().unwrap())
            .unwrap();
        let basic = OcspResponse::from_der(&response).unwrap();
        let found = basic.basic().unwrap().find(&singles[0].cert_id).unwrap();
        let result = world.check(&[], std::slice::from_ref(&response), Strictness::Hard);
        if singles.iter().all(|s| s.cert_id == singles[0].cert_id) {
            assert_eq!(found.status == CertStatus::Good, result.is_ok());
        }
        assert!(matches!(
            result,
            Ok(()) | Err(Kind::Revoked { .. } | Kind::UnknownStatus(Unclear::Unknown))
        ));
        result.is_ok()
    };
    use RevocationReason::{CertificateHold, KeyCompromise};
    for i in 0..3 {
        // Of one time, the worse.
        let alike = [revoked(i, NOW[0], CertificateHold), good(0, NOW[0])];
        assert!(!ask(&alike) && !ask(&[alike[1], alike[0]]));
        let newer = [revoked(i, NOW[0], KeyCompromise), good(0, PAST[0])];
        assert!(!ask(&newer) && !ask(&[newer[1], newer[0]]));
        let released = [revoked(i, PAST[0], CertificateHold), good(0, NOW[0])];
        assert!(ask(&released) && ask(&[released[1], released[0]]));
        let unknown = SingleResponse::new(id(i), CertStatus::Unknown, time(NOW[0]), until);
        assert!(!ask(&[unknown, good(0, NOW[0])]) && !ask(&[good(0, NOW[0]), unknown]));
    }
}
