//! A responder with a key of its own, where the CA's is not.

use std::sync::Arc;

use adamant::x509::extensions::RevocationReason;
use adamant::x509::ocsp::{IssuerId, OcspRequestBuilder, OcspResponse};
use adamant::x509::path::{
    Options, PathErrorKind, Profile, Revocation, Strictness, TrustAnchor, validate,
};
use adamant::x509::{Certificate, FullCertificate, KeyAlgorithm, PrivateKey};
use adamant_pki::ca::{Authority, Error, LocalKey, Request, Settings, system_clock};
use adamant_pki::store::{AuditKind, CaStore, CrlScope, Number, SqliteCa};

use super::{generate, name, request, root_with};

fn delegate(ca: &Authority, der: &[u8], key: &PrivateKey) -> Result<Authority, Error> {
    let key = PrivateKey::from_der(&key.to_der()).unwrap();
    let key = Box::new(LocalKey::new(key).unwrap());
    Authority::open_delegated(ca.store().clone(), der, key, system_clock)
}

/// What a client says of a certificate with this response.
fn verdict(ca: &Authority, der: &[u8], response: &[u8]) -> Result<(), PathErrorKind> {
    let certificate = Certificate::from_der(der).unwrap();
    let root = Certificate::from_der(ca.certificate()).unwrap();
    let anchors = [TrustAnchor::from_certificate(&root).unwrap()];
    let responses = [OcspResponse::from_der(response).unwrap()];
    let options = Options {
        revocation: Some(Revocation::new(&[], &responses, Strictness::Hard)),
        ..Options::new(Profile::Rfc5280, system_clock())
    };
    let done = validate(&certificate, &[], &anchors, &options);
    done.map(drop).map_err(|error| error.kind)
}

#[test]
fn signs_in_the_place_of_the_ca() {
    let store: Arc<dyn CaStore> = Arc::new(SqliteCa::in_memory().unwrap());
    let ca = root_with(store.clone(), Settings::default());
    let key = generate(KeyAlgorithm::P384);
    let asked = Request {
        days: Some(1),
        ..Request::new("ocsp", name("CN=Responder"), key.public_key())
    };
    let der = ca.issue(&asked).unwrap();
    let server = ca.issue(&request("a.example")).unwrap();
    let responder = delegate(&ca, &der, &key).unwrap();
    assert!(ca.has_key() && !responder.has_key());

    // Beforehand, in one batch with one row of the audit log.
    assert_eq!(responder.presign_all().unwrap(), 2);
    let serial = Number::try_from(Certificate::from_der(&server).unwrap().serial()).unwrap();
    let stored = store.ocsp(serial).unwrap().unwrap();
    assert_eq!(verdict(&ca, &server, &stored.der), Ok(()));
    let rows = store.audit(1, 1000).unwrap();
    let signed: Vec<_> = rows
        .iter()
        .filter(|r| r.event.kind == AuditKind::Ocsp)
        .collect();
    assert_eq!(signed.len(), 1);
    assert_eq!(signed[0].event.note, "2 signed, 2 kept");

    // On request, with a nonce.
    let certificate = Certificate::from_der(ca.certificate()).unwrap();
    let issuer = IssuerId::new(&certificate).unwrap();
    let id = issuer.cert_id(*Certificate::from_der(&server).unwrap().serial());
    let builder = OcspRequestBuilder::new().certificate(id);
    let question = builder.nonce(b"0123456789abcdef").build();
    let answer = responder.answer(&question).unwrap();
    assert_eq!(verdict(&ca, &server, &answer), Ok(()));
    ca.revoke(serial, RevocationReason::Superseded, None)
        .unwrap();
    let answer = responder.answer(&question).unwrap();
    let revoked = verdict(&ca, &server, &answer);
    assert!(
        matches!(revoked, Err(PathErrorKind::Revoked { .. })),
        "{revoked:?}"
    );
    let text = OcspResponse::from_der(&answer).unwrap();
    let next = text
        .basic()
        .unwrap()
        .find(&id)
        .unwrap()
        .next_update
        .unwrap();
    let end = FullCertificate::from_der(&der)
        .unwrap()
        .validity
        .not_after();
    assert!(next <= end, "no response outlives its signer");

    // Nothing else, and no number is taken for it.
    let before = store.counts().unwrap();
    let full = CrlScope {
        shard: None,
        delta: false,
    };
    assert!(matches!(responder.make_crl(full), Err(Error::Refused(_))));
    assert!(matches!(
        responder.issue(&request("b.example")),
        Err(Error::Refused(_))
    ));
    assert_eq!(store.counts().unwrap(), before);
}

#[test]
fn who_is_none() {
    let store: Arc<dyn CaStore> = Arc::new(SqliteCa::in_memory().unwrap());
    let ca = root_with(store.clone(), Settings::default());
    let other = root_with(
        Arc::new(SqliteCa::in_memory().unwrap()),
        Settings::default(),
    );
    let key = generate(KeyAlgorithm::P256);
    let ask = |profile| {
        let asked = Request::new(profile, name("CN=Responder"), key.public_key());
        asked.name("responder.example".parse().unwrap())
    };
    let refused = |der: &[u8], key: &PrivateKey, what: &str| {
        let why = delegate(&ca, der, key).err().unwrap().to_string();
        assert!(why.contains(what), "{why}");
    };
    let der = ca.issue(&ask("ocsp")).unwrap();
    assert!(delegate(&ca, &der, &key).is_ok());
    refused(&der, &generate(KeyAlgorithm::P256), "is not for this key");
    refused(
        &other.issue(&ask("ocsp")).unwrap(),
        &key,
        "is not this CA's",
    );
    refused(
        &ca.issue(&ask("client")).unwrap(),
        &key,
        "OCSPSigning is missing",
    );
    let late = Request {
        not_before: Some(system_clock().saturating_add(3600)),
        ..ask("ocsp")
    };
    refused(&ca.issue(&late).unwrap(), &key, "does not hold now");
    let serial = Number::try_from(Certificate::from_der(&der).unwrap().serial()).unwrap();
    ca.revoke(serial, RevocationReason::KeyCompromise, None)
        .unwrap();
    refused(&der, &key, "is revoked");
}
