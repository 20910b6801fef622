//! OCSP: what is answered, and how.

use adamant::der::{base64, oid};
use adamant::x509::ocsp::{CertStatus, IssuerId, OcspRequestBuilder, OcspResponse, ResponseStatus};
use adamant::x509::{Certificate, SerialNumber};
use adamant_pki::ca::Settings;

use super::client::Reply;
use super::{Ca, Running};

fn status(reply: &Reply) -> ResponseStatus {
    assert_eq!(reply.status, 200, "{reply:?}");
    OcspResponse::from_der(&reply.body).unwrap().status
}

/// A request in the path, as RFC 6960 wants it.
fn escaped(request: &[u8]) -> String {
    let text = base64::encode(request);
    text.replace('+', "%2B")
        .replace('/', "%2f")
        .replace('=', "%3D")
}

#[test]
fn post_and_get() {
    let ca = Ca::new(Settings::default(), 3);
    let server = Running::with_key(&ca);
    let mut client = server.client();
    for i in 0..3 {
        let serial = ca.serial(i);
        let request = ca.request(&[serial], None);
        let posted = client.post("/", &request);
        assert_eq!(ca.read(&posted, &serial), (CertStatus::Good, None));
        assert_eq!(client.post("/ocsp", &request).body, posted.body);
        for path in [
            format!("/{}", escaped(&request)),
            format!("/ocsp/{}", base64::encode(&request)),
            format!("/ocsp/{}", base64::encode(&request).trim_end_matches('=')),
        ] {
            let got = client.get(&path, "");
            assert_eq!(got.body, posted.body, "it was signed beforehand");
            let cache = got.header("cache-control").unwrap();
            let seconds = cache.strip_prefix("max-age=").unwrap().split(',').next();
            let seconds: u32 = seconds.unwrap().parse().unwrap();
            assert!((3 * 86_400 - 60..=3 * 86_400).contains(&seconds), "{cache}");
            for name in ["etag", "expires", "last-modified", "date"] {
                assert!(got.header(name).is_some(), "{name}: {got:?}");
            }
            let tag = got.header("etag").unwrap();
            let again = client.get(&path, &format!("If-None-Match: {tag}\r\n"));
            assert_eq!((again.status, again.body.len()), (304, 0));
            assert_eq!(again.header("etag"), Some(tag));
        }
    }
    let text = client.get("/metrics", "").text().to_owned();
    for line in [
        "adamant_requests_total{kind=\"ocsp_post\",status=\"successful\"} 6",
        "adamant_requests_total{kind=\"ocsp_get\",status=\"successful\"} 9",
        "adamant_requests_total{kind=\"ocsp_get\",status=\"304\"} 9",
        "adamant_hot_responses 3",
        "adamant_presigned_total 3",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
    }
}

#[test]
fn a_nonce_is_repeated() {
    let ca = Ca::new(Settings::default(), 1);
    let server = Running::with_key(&ca);
    let mut client = server.client();
    let serial = ca.serial(0);
    for nonce in [&[1; 32][..], &[2; 1], &[3; 128]] {
        let request = ca.request(&[serial], Some(nonce));
        let reply = client.post("/", &request);
        assert_eq!(
            ca.read(&reply, &serial),
            (CertStatus::Good, Some(nonce.to_vec()))
        );
        let reply = client.get(&format!("/{}", escaped(&request)), "");
        assert_eq!(
            ca.read(&reply, &serial),
            (CertStatus::Good, Some(nonce.to_vec()))
        );
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    // RFC 9654, 2.1: lengths that are refused.
    for nonce in [&[][..], &[0; 129]] {
        let reply = client.post("/", &ca.request(&[serial], Some(nonce)));
        assert_eq!(status(&reply), ResponseStatus::MalformedRequest);
    }
}

#[test]
fn what_is_not_known() {
    let ca = Ca::new(Settings::default(), 2);
    let server = Running::with_key(&ca);
    let mut client = server.client();
    let unknown = SerialNumber::from(7);
    let reply = client.post("/", &ca.request(&[unknown], None));
    assert_eq!(ca.read(&reply, &unknown).0, CertStatus::Unknown);
    let both = [ca.serial(0), ca.serial(1), unknown];
    let reply = client.post("/", &ca.request(&both, None));
    assert_eq!(ca.read(&reply, &both[1]).0, CertStatus::Good);
    assert_eq!(ca.read(&reply, &unknown).0, CertStatus::Unknown);
    let other = Ca::new(Settings::default(), 0);
    let reply = client.post("/", &other.request(&both[..1], None));
    assert_eq!(status(&reply), ResponseStatus::Unauthorized);
    // Another hash than the usual one: signed for this client.
    let certificate = Certificate::from_der(&ca.certificate).unwrap();
    let id = IssuerId::with_hash(&certificate, &oid!("2.16.840.1.101.3.4.2.2")).unwrap();
    let request = OcspRequestBuilder::new()
        .certificate(id.cert_id(both[0]))
        .build();
    let reply = client.post("/", &request);
    assert_eq!(ca.read(&reply, &both[0]).0, CertStatus::Good);
}

#[test]
fn garbage() {
    let ca = Ca::new(Settings::default(), 1);
    let server = Running::with_key(&ca);
    let mut client = server.client();
    let good = ca.request(&[ca.serial(0)], None);
    for request in [
        &b""[..],
        b"0",
        b"\x30\x80",
        &[0xff; 1000],
        &good[..good.len() - 1],
    ] {
        assert_eq!(
            status(&client.post("/", request)),
            ResponseStatus::MalformedRequest
        );
    }
    for i in 0..good.len() {
        let mut altered = good.clone();
        altered[i] ^= 0x41;
        // Whatever is answered is an answer.
        status(&client.post("/", &altered));
    }
    assert_eq!(
        status(&client.get("/ocsp/%zz", "")),
        ResponseStatus::MalformedRequest
    );
    assert_eq!(client.get("/nothing.html", "").status, 404);
    let mut other = server.client();
    other.send(b"NONSENSE\r\n\r\n");
    assert_eq!(other.receive().status, 400);
    assert_eq!(status(&client.post("/", &good)), ResponseStatus::Successful);
}

#[test]
fn a_revocation_shows() {
    let mut ca = Ca::new(Settings::default(), 2);
    let server = Running::with_key(&ca);
    let serial = ca.serial(0);
    let request = ca.request(&[serial], None);
    assert_eq!(
        ca.read(&server.client().post("/", &request), &serial).0,
        CertStatus::Good
    );
    ca.revoke(&serial);
    server.until(|client| {
        let (status, _) = ca.read(&client.post("/", &request), &serial);
        matches!(status, CertStatus::Revoked { .. })
    });
    // It is signed beforehand again, and so is what is new.
    let new = ca.issue("new.example");
    let request = ca.request(&[new], None);
    server.until(|client| {
        assert_eq!(
            ca.read(&client.post("/", &request), &new).0,
            CertStatus::Good
        );
        client
            .get("/metrics", "")
            .text()
            .contains("adamant_hot_responses 3\n")
    });
}

#[test]
fn without_the_key() {
    let ca = Ca::new(Settings::default(), 2);
    ca.authority().presign_all().unwrap();
    ca.authority().make_all_crls(false).unwrap();
    let server = Running::without_key(&ca);
    let mut client = server.client();
    let serial = ca.serial(0);
    let reply = client.post("/", &ca.request(&[serial], Some(&[5; 16])));
    assert_eq!(
        ca.read(&reply, &serial),
        (CertStatus::Good, None),
        "without the nonce"
    );
    assert_eq!(client.get("/healthz", "").status, 200);
    // About these it has nothing.
    let unknown = client.post("/", &ca.request(&[SerialNumber::from(7)], None));
    assert_eq!(status(&unknown), ResponseStatus::Unauthorized);
    let two = client.post("/", &ca.request(&[serial, ca.serial(1)], None));
    assert_eq!(status(&two), ResponseStatus::Unauthorized);
    // A revocation shows as "later" until somebody has signed.
    ca.revoke(&serial);
    let request = ca.request(&[serial], None);
    server.until(|client| {
        OcspResponse::from_der(&client.post("/", &request).body)
            .unwrap()
            .status
            == ResponseStatus::TryLater
    });
    ca.authority().presign_all().unwrap();
    let reply = client.post("/", &request);
    assert!(matches!(
        ca.read(&reply, &serial).0,
        CertStatus::Revoked { .. }
    ));
}
