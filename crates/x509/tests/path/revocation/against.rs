//! What counts against a certificate, though it would not count for it: lists that are past or of another
//! scope, and entries that are odd or contradict each other.

use adamant_der::{Reader, Tag, Writer};
use adamant_x509::crl::{CertificateList, CrlBuilder, Revocation as Entry};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, IssuerId, OcspResponse, ResponderId, ResponseBuilder, SingleResponse,
    assemble_response,
};
use adamant_x509::path::{PathErrorKind as Kind, RevocationError as Unclear, Strictness};
use adamant_x509::{Certificate, SerialNumber};

use super::{Entity, LEAF, NOW, NOW_OCSP, PAST, World, time};
use crate::common::signed;

/// A list without a next update.
fn endless(list: &[u8], signer: &Entity) -> Vec<u8> {
    let list = CertificateList::from_der(list).unwrap();
    let mut fields = Reader::new(list.tbs()).enter(Tag::SEQUENCE).unwrap();
    let mut w = Writer::new();
    w.sequence(|w| {
        for i in 0.. {
            if fields.is_empty() {
                break;
            }
            let field = fields.read_any().unwrap();
            if i != 4 {
                w.raw(field.raw);
            }
        }
    });
    signed(&w.finish(), &signer.key)
}

#[test]
fn what_is_past_proves_that_it_was_revoked() {
    let world = World::new();
    let revoked = |lists: &[Vec<u8>]| {
        for strictness in [Strictness::Hard, Strictness::Soft] {
            let result = world.check(lists, &[], strictness);
            assert!(matches!(result, Err(Kind::Revoked { .. })), "{result:?}");
        }
    };
    let named = world.list(PAST, &[LEAF]);
    revoked(std::slice::from_ref(&named));
    let endless_list = endless(&world.list(NOW, &[LEAF]), &world.root);
    assert_eq!(
        CertificateList::from_der(&endless_list)
            .unwrap()
            .next_update,
        None
    );
    revoked(&[endless_list]);
    let endless_list = endless(&world.list(NOW, &[9]), &world.root);
    let result = world.check(std::slice::from_ref(&endless_list), &[], Strictness::Hard);
    assert!(matches!(
        result,
        Err(Kind::UnknownStatus(Unclear::NotCurrent {
            next_update: None,
            ..
        }))
    ));
    assert_eq!(world.check(&[endless_list], &[], Strictness::Soft), Ok(()));
    // A response that is good, and a list that it does not undo.
    let good = world.response(CertStatus::Good, NOW_OCSP, &world.root, &[]);
    let status = CertStatus::Revoked {
        time: time("2025-06-01"),
        reason: None,
    };
    let past = world.response(status, (PAST[0], Some(PAST[1])), &world.root, &[]);
    for strictness in [Strictness::Hard, Strictness::Soft] {
        let result = world.check(
            std::slice::from_ref(&named),
            std::slice::from_ref(&good),
            strictness,
        );
        assert!(matches!(result, Err(Kind::Revoked { .. })));
        let result = world.check(
            &[world.list(NOW, &[])],
            std::slice::from_ref(&past),
            strictness,
        );
        assert!(matches!(result, Err(Kind::Revoked { .. })));
    }
    // Of one that is altered nothing is believed.
    let mut forged = named;
    *forged.last_mut().unwrap() ^= 1;
    assert_eq!(world.check(&[forged], &[good], Strictness::Hard), Ok(()));
}

/// A list of another part of the CA's certificates that has this one all the same.
#[test]
fn revoked_out_of_scope() {
    let world = World::new();
    let uri = [GeneralName::Uri("http://crl.example/3.crl")];
    let scopes = [
        IssuingDistributionPoint {
            name: Some(DistributionPointName::Full((&uri).into())),
            ..IssuingDistributionPoint::default()
        },
        IssuingDistributionPoint {
            only_ca_certs: true,
            ..IssuingDistributionPoint::default()
        },
        IssuingDistributionPoint {
            only_attribute_certs: true,
            ..IssuingDistributionPoint::default()
        },
    ];
    for (i, scope) in scopes.into_iter().enumerate() {
        let list = |number: u64, serial: u64| {
            let name = world.root.name.as_name();
            CrlBuilder::new(name, time(NOW[0]), time(NOW[1]))
                .number(SerialNumber::from(number))
                .authority_key_id(&world.root.id)
                .extension(&scope)
                .sign(
                    [Entry::new(SerialNumber::from(serial), time("2025-06-01"))],
                    world.root.key.signer().unwrap(),
                )
                .unwrap()
        };
        let ask = |lists: &[Vec<u8>]| {
            let all: Vec<_> = lists
                .iter()
                .cloned()
                .chain([world.list(NOW, &[])])
                .collect();
            world.check(&all, &[], Strictness::Hard)
        };
        assert_eq!(ask(&[list(5, 9)]), Ok(()));
        assert_eq!(
            world.check(&[list(5, 9)], &[], Strictness::Hard),
            Err(Kind::UnknownStatus(Unclear::Nothing))
        );
        let counts = i < 2;
        assert_eq!(ask(&[list(5, LEAF)]).is_ok(), !counts);
        assert_eq!(ask(&[list(5, 9), list(6, LEAF)]).is_ok(), !counts);
        assert_eq!(ask(&[list(7, 9), list(6, LEAF)]), Ok(()));
    }
}

/// Numbers that no certificate can have, beside one that is asked for.
#[test]
fn odd_numbers_of_others() {
    let world = World::new();
    let list = world.list(NOW, &[0x55, LEAF]);
    let tbs = CertificateList::from_der(&list).unwrap().tbs();
    let place = tbs.windows(3).position(|w| w == [2, 1, 0x55]).unwrap();
    for odd in [0xd5, 0] {
        let mut tbs = tbs.to_vec();
        tbs[place + 2] = odd;
        let list = signed(&tbs, &world.root.key);
        let result = world.check(&[list], &[], Strictness::Soft);
        assert!(matches!(result, Err(Kind::Revoked { .. })), "{result:?}");
    }
    let root = Certificate::from_der(&world.root_der).unwrap();
    let issuer = IssuerId::new(&root).unwrap();
    let single = |serial: u64| {
        let id = issuer.cert_id(SerialNumber::from(serial));
        SingleResponse::new(id, CertStatus::Good, time(NOW[0]), Some(time(NOW[1])))
    };
    let tbs = ResponseBuilder::new(ResponderId::Name(world.root.name.as_name()), time(NOW[0]))
        .tbs(&[single(0x55), single(LEAF)])
        .unwrap();
    let place = tbs.windows(3).position(|w| w == [2, 1, 0x55]).unwrap();
    for odd in [0xd5, 0] {
        let mut tbs = tbs.clone();
        tbs[place + 2] = odd;
        let key = world.root.key.signer().unwrap();
        let mut signature = Vec::new();
        key.sign(&tbs, &mut signature).unwrap();
        let response = assemble_response(&tbs, key.algorithm(), &signature, &[]);
        assert_eq!(
            OcspResponse::from_der(&response).unwrap().to_der(),
            response
        );
        assert_eq!(world.check(&[], &[response], Strictness::Hard), Ok(()));
    }
}

/// Entries that say different things, or what only a list of changes can say.
#[test]
fn entries_beside_each_other() {
    use RevocationReason::{CertificateHold, KeyCompromise, RemoveFromCrl};

    let world = World::new();
    let ask = |reasons: &[RevocationReason]| {
        let name = world.root.name.as_name();
        let entries = reasons
            .iter()
            .map(|&reason| Entry::new(SerialNumber::from(LEAF), time("2025-06-01")).reason(reason));
        let list = CrlBuilder::new(name, time(NOW[0]), time(NOW[1]))
            .number(SerialNumber::from(5))
            .authority_key_id(&world.root.id)
            .sign(entries, world.root.key.signer().unwrap())
            .unwrap();
        world.check(&[list], &[], Strictness::Soft)
    };
    for reasons in [
        [CertificateHold, KeyCompromise],
        [KeyCompromise, CertificateHold],
    ] {
        let result = ask(&reasons);
        assert!(
            matches!(result, Err(Kind::Revoked { reason, .. }) if reason == Some(KeyCompromise)),
            "{result:?}"
        );
    }
    for reasons in [&[RemoveFromCrl][..], &[KeyCompromise, RemoveFromCrl]] {
        assert!(matches!(
            ask(reasons),
            Err(Kind::UnknownStatus(Unclear::Nonconforming(_)))
        ));
    }
}
