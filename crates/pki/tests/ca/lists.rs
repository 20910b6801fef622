//! CRLs and OCSP.

use adamant::hash::Sha1;
use adamant::x509::crl::FullCertificateList;
use adamant::x509::extensions::RevocationReason;
use adamant::x509::ocsp::{
    CertId, CertStatus, IssuerId, OcspRequestBuilder, OcspResponse, ResponseStatus,
};
use adamant::x509::{AlgorithmIdentifier, AnySerial, Certificate, SerialNumber};
use adamant_pki::ca::{Authority, Settings};
use adamant_pki::store::{CrlRecord, CrlScope, Number};

use super::{request, root};

const FULL: CrlScope = CrlScope {
    shard: None,
    delta: false,
};
const DELTA: CrlScope = CrlScope {
    shard: None,
    delta: true,
};

fn issue(ca: &Authority) -> SerialNumber {
    let der = ca.issue(&request("a.example")).unwrap();
    *Certificate::from_der(&der).unwrap().serial()
}

fn number(serial: &SerialNumber) -> Number {
    Number::try_from(serial).unwrap()
}

fn serials(crl: &CrlRecord) -> Vec<SerialNumber> {
    let list = FullCertificateList::from_der(&crl.der).unwrap();
    let number = |serial: AnySerial<'_>| *serial.number().unwrap();
    list.entries()
        .map(|entry| number(entry.unwrap().serial))
        .collect()
}

#[test]
fn full_and_delta() {
    use RevocationReason::{CertificateHold, KeyCompromise, RemoveFromCrl};

    let ca = root(Settings {
        delta_crl_url: Some("http://a.example/delta.crl".into()),
        ..Settings::default()
    });
    assert!(ca.make_crl(DELTA).is_err(), "there is no full list yet");
    let (one, two) = (issue(&ca), issue(&ca));
    ca.revoke(number(&one), CertificateHold, None).unwrap();
    let full = ca.make_crl(FULL).unwrap();
    assert_eq!(serials(&full), [one]);
    assert!(serials(&ca.make_crl(DELTA).unwrap()).is_empty());
    ca.revoke(number(&one), RemoveFromCrl, None).unwrap();
    let since = ca.now();
    ca.revoke(number(&two), KeyCompromise, Some(since)).unwrap();
    let delta = ca.make_crl(DELTA).unwrap();
    assert_eq!(delta.base, Some(full.number));
    let mut both = vec![one, two];
    both.sort();
    assert_eq!(serials(&delta), both);
    let list = FullCertificateList::from_der(&delta.der).unwrap();
    let base = list.extensions.delta_crl_indicator.unwrap();
    assert_eq!(base.0, SerialNumber::from(full.number));
    let lifted = list.find(&one).unwrap().unwrap();
    assert_eq!(lifted.reason().unwrap(), Some(RemoveFromCrl));
    let next = ca.make_crl(FULL).unwrap();
    assert_eq!(serials(&next), [two]);
    assert!(serials(&ca.make_crl(DELTA).unwrap()).is_empty());
    assert!(full.number < delta.number && delta.number < next.number);
    let list = FullCertificateList::from_der(&next.der).unwrap();
    assert!(list.extensions.freshest_crl.is_some());
}

#[test]
fn shards() {
    let ca = root(Settings {
        crl_url: Some("http://a.example/{shard}.crl".into()),
        crl_shards: 3,
        ..Settings::default()
    });
    let all: Vec<_> = (0..12).map(|_| issue(&ca)).collect();
    for serial in &all {
        ca.revoke(number(serial), RevocationReason::Superseded, None)
            .unwrap();
    }
    let mut listed = Vec::new();
    for (shard, crl) in ca.make_all_crls(false).unwrap().iter().enumerate() {
        let list = FullCertificateList::from_der(&crl.der).unwrap();
        assert!(list.extensions.issuing_distribution_point.is_some());
        for serial in serials(crl) {
            // The certificate names this list.
            let der = ca.store().certificate(number(&serial)).unwrap().unwrap();
            let url = format!("http://a.example/{shard}.crl");
            assert!(
                der.windows(url.len())
                    .any(|octets| octets == url.as_bytes())
            );
            listed.push(serial);
        }
    }
    listed.sort();
    let mut expected = all.clone();
    expected.sort();
    assert_eq!(listed, expected);
    assert_eq!(serials(&ca.make_crl(FULL).unwrap()).len(), 12);
    let none = CrlScope {
        shard: Some(3),
        delta: false,
    };
    assert!(ca.make_crl(none).is_err());
}

fn status(response: &[u8], id: &CertId<'_>) -> CertStatus {
    let response = OcspResponse::from_der(response).unwrap();
    response.basic().unwrap().find(id).unwrap().status
}

#[test]
fn ocsp() {
    let ca = root(Settings::default());
    let (good, bad) = (issue(&ca), issue(&ca));
    ca.revoke(number(&bad), RevocationReason::KeyCompromise, None)
        .unwrap();
    let certificate = Certificate::from_der(ca.certificate()).unwrap();
    let issuer = IssuerId::new(&certificate).unwrap();
    let key = ca.public_key().unwrap();
    let ids = [good, bad, SerialNumber::from(77)].map(|serial| issuer.cert_id(serial));
    let request = ids
        .iter()
        .fold(OcspRequestBuilder::new(), |all, id| all.certificate(*id));
    let answer = ca
        .answer(&request.nonce(b"0123456789abcdef").build())
        .unwrap();
    let response = OcspResponse::from_der(&answer).unwrap();
    let basic = response.basic().unwrap();
    basic.verify(&key).unwrap();
    assert_eq!(basic.extensions.nonce.unwrap().0, b"0123456789abcdef");
    assert_eq!(status(&answer, &ids[0]), CertStatus::Good);
    let reason = Some(RevocationReason::KeyCompromise);
    let revoked = status(&answer, &ids[1]);
    assert!(matches!(revoked, CertStatus::Revoked { reason: r, .. } if r == reason));
    assert_eq!(status(&answer, &ids[2]), CertStatus::Unknown);

    // Beforehand, under SHA-1.
    assert_eq!(ca.presign_all().unwrap(), 2);
    let name_hash = Sha1::digest(certificate.subject_der());
    let key_hash = Sha1::digest(certificate.spki().unwrap().key);
    let id = CertId {
        hash_algorithm: AlgorithmIdentifier::new("1.3.14.3.2.26".parse().unwrap(), None),
        issuer_name_hash: &name_hash,
        issuer_key_hash: &key_hash,
        serial: good.into(),
    };
    let request = OcspRequestBuilder::new().certificate(id).build();
    let answer = ca.answer(&request).unwrap();
    let stored = ca.store().ocsp(number(&good)).unwrap().unwrap();
    assert_eq!(answer, stored.der);
    assert_eq!(status(&answer, &id), CertStatus::Good);
    // A revocation is told at once.
    ca.revoke(number(&good), RevocationReason::Superseded, None)
        .unwrap();
    let answer = ca.answer(&request).unwrap();
    assert!(matches!(status(&answer, &id), CertStatus::Revoked { .. }));

    let said = |request: &[u8]| {
        let answer = ca.answer(request).unwrap();
        OcspResponse::from_der(&answer).unwrap().status
    };
    assert_eq!(said(b"no request"), ResponseStatus::MalformedRequest);
    let stranger = CertId {
        issuer_key_hash: &[7; 20],
        ..id
    };
    let request = OcspRequestBuilder::new().certificate(stranger).build();
    assert_eq!(said(&request), ResponseStatus::Unauthorized);
    // Numbers that no certificate can have.
    for serial in [&[0x87][..], &[1; 21]] {
        let odd = CertId {
            serial: AnySerial::Other(serial),
            ..id
        };
        let request = OcspRequestBuilder::new().certificate(odd).build();
        assert_eq!(said(&request), ResponseStatus::MalformedRequest);
    }
}

/// A list that is signed before or after the time of the CA's certificate is one that nobody takes;
/// a clock that shows that time is wrong.
#[test]
fn outside_of_the_validity() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    use adamant::der::Time;
    use adamant::x509::KeyAlgorithm;
    use adamant_pki::ca::{Error, LocalKey, Request, RootRequest};
    use adamant_pki::store::SqliteCa;

    let start: Time = "2026-01-01".parse().unwrap();
    let seconds = Arc::new(AtomicI64::new(0));
    let clock = {
        let seconds = Arc::clone(&seconds);
        move || Time::from_unix(start.to_unix() + seconds.load(Ordering::Relaxed)).unwrap()
    };
    let key = LocalKey::new(super::generate(KeyAlgorithm::P256)).unwrap();
    let root = RootRequest {
        days: 10,
        ..RootRequest::new(super::name("CN=Root"))
    };
    let store = Arc::new(SqliteCa::in_memory().unwrap());
    let settings = Settings::default();
    let ca = Authority::init_root(store, Box::new(key), settings, &root, clock).unwrap();
    let request = Request {
        days: Some(10),
        ..Request::new("client", super::name("CN=Ann"), super::subscriber())
    };
    ca.issue(&request).unwrap();
    let end = 10 * 86_400 - 1;
    for (at, holds) in [(0, true), (-1, false), (end, true), (end + 1, false)] {
        seconds.store(at, Ordering::Relaxed);
        let made = [
            ca.make_crl(FULL).map(drop),
            ca.make_all_crls(false).map(drop),
            ca.presign_all().map(drop),
        ];
        for made in made {
            match made {
                Ok(()) => assert!(holds, "{at}"),
                Err(Error::OutsideValidity { at: then, .. }) => {
                    assert!(!holds, "{at}");
                    assert_eq!(then.to_unix(), start.to_unix() + at);
                }
                Err(other) => panic!("{at}: {other}"),
            }
        }
    }
    let before = ca.store().counts().unwrap().crl_numbers;
    assert!(ca.make_crl(FULL).is_err());
    let after = ca.store().counts().unwrap().crl_numbers;
    assert_eq!(before, after, "no number is taken");
    ca.at_any_time().make_crl(FULL).unwrap();
}
