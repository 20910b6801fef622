//! What is made here: each optional part with and without each other, and builders used again.

use adamant_der::{Tag, Time, oid};
use adamant_x509::crl::{CrlBuilder, FullCertificateList, Revocation};
use adamant_x509::csr::RequestBuilder;
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, IssuerId, OcspRequest, OcspRequestBuilder, OcspResponse, ResponderId,
    ResponseBuilder, ResponseStatus, SingleResponse, error_response,
};
use adamant_x509::{
    AnySerial, Certificate, CertificateBuilder, DistinguishedName, Element, Error, ErrorKind,
    PublicKey, SignatureAlgorithm, SubjectPublicKeyInfo,
};

use crate::common::{leaf_key, root, root_key, root_name, serial, time};
use crate::errors::{PRIVATE, write};

fn kind<T>(made: Result<T, Error>) -> Option<ErrorKind> {
    made.err().map(|error| error.kind())
}

/// A certificate of its own key.
fn of_itself<'a>(
    name: &'a DistinguishedName,
    key: &'a PublicKey,
    [from, until]: [Time; 2],
) -> CertificateBuilder<'a> {
    CertificateBuilder::new(1.into(), name.as_name(), from, until, name.as_name(), key)
}

/// A builder that is used again makes what a new one makes.
#[test]
fn certificates_again() {
    let (ca, other) = (root_name(), DistinguishedName::new().common_name("b"));
    let (key, other_key) = (root_key().public_key(), leaf_key().public_key());
    let builder = |serial: u64, subject, key| {
        let (from, until) = (time("2026-01-01"), time("2026-01-02"));
        CertificateBuilder::new(serial.into(), ca.as_name(), from, until, subject, key)
    };
    let tbs = |builder: &CertificateBuilder<'_>| builder.tbs(SignatureAlgorithm::Ed25519).unwrap();
    let used = builder(1, ca.as_name(), &key)
        .extension(&BasicConstraints::ca(None))
        .raw_extension(PRIVATE, true, &[1]);
    let usage = KeyUsage::DIGITAL_SIGNATURE;
    let new = builder(2, other.as_name(), &other_key);
    let again = used
        .clone()
        .serial(2.into())
        .subject(other.as_name(), &other_key);
    assert_eq!(
        tbs(&again.clone().clear_extensions().extension(&usage)),
        tbs(&new.clone().extension(&usage))
    );
    // The same extensions are no second ones.
    assert_eq!(
        tbs(&again
            .clone()
            .clear_extensions()
            .extension(&BasicConstraints::ca(None))
            .raw_extension(PRIVATE, true, &[1])),
        tbs(&again)
    );
    let spki = other_key.to_der();
    let spki = SubjectPublicKeyInfo::from_der(&spki).unwrap();
    assert_eq!(
        tbs(&used.clone().spki(&spki)),
        tbs(&used.subject(ca.as_name(), &other_key))
    );
}

/// No extension is there twice, however it was given.
#[test]
fn extensions_twice() {
    let name = root_name();
    let key = root_key();
    let public_key = key.public_key();
    let constraints = BasicConstraints::end_entity();
    let der = write(|w| constraints.write(w));
    let twice = Some(ErrorKind::DuplicateExtension(BasicConstraints::OID));
    let (from, until) = (time("2026-01-01"), time("2026-01-02"));
    for raw in [[false, true], [true, false], [true, true], [false, false]] {
        let mut certificate = of_itself(&name, &public_key, [from, until]);
        let mut request = RequestBuilder::new(name.as_name());
        for (times, raw) in (1..).zip(raw) {
            (certificate, request) = match raw {
                true => (
                    certificate.raw_extension(BasicConstraints::OID, true, &der),
                    request.raw_extension(BasicConstraints::OID, true, &der),
                ),
                false => (
                    certificate.extension(&constraints),
                    request.extension(&constraints),
                ),
            };
            let expected = twice.filter(|_| times > 1);
            assert_eq!(kind(certificate.sign(key.signer().unwrap())), expected);
            assert_eq!(kind(request.sign(key.signer().unwrap())), expected);
        }
    }
    let list = CrlBuilder::new(name.as_name(), from, until).number(1.into());
    let signed = |list: &CrlBuilder<'_>| kind(list.sign([], key.signer().unwrap()));
    assert_eq!(signed(&list), None);
    let twice = Some(ErrorKind::DuplicateExtension(CrlNumber::OID));
    assert_eq!(signed(&list.number(2.into())), twice);
}

/// A period has a second at least.
#[test]
fn periods() {
    let name = root_name();
    let key = root_key();
    let public_key = key.public_key();
    let at = "2026-01-01T00:00:01Z";
    for (until, expected) in [
        ("2026-01-01T00:00:00Z", Some(ErrorKind::BadPeriod)),
        (at, None),
        ("2026-01-01T00:00:02Z", None),
    ] {
        let (from, until) = (time(at), time(until));
        let certificate = of_itself(&name, &public_key, [from, until]);
        assert_eq!(kind(certificate.sign(key.signer().unwrap())), expected);
        let list = CrlBuilder::new(name.as_name(), from, until);
        assert_eq!(kind(list.sign([], key.signer().unwrap())), expected);
    }
}

/// An extension of a certificate without others, and none, which makes it one of version 1.
#[test]
fn requests_and_certificates_without_extensions() {
    let name = root_name();
    let (from, until) = (time("2026-01-01"), time("2026-01-02"));
    let key = root_key().public_key();
    let builder =
        CertificateBuilder::new(7.into(), name.as_name(), from, until, name.as_name(), &key);
    let request = RequestBuilder::new(name.as_name());
    for extended in [false, true] {
        let ed25519 = write(|w| SignatureAlgorithm::Ed25519.write(w));
        let (builder, request) = match extended {
            false => (builder.clone(), request.clone()),
            true => (
                builder.clone().raw_extension(PRIVATE, true, &[1]),
                request.clone().raw_extension(PRIVATE, true, &[1]),
            ),
        };
        let list = write(|w| w.sequence(|w| write_raw_extension(&PRIVATE, true, &[1], w)));
        let expected = write(|w| {
            w.sequence(|w| {
                if extended {
                    w.explicit(0, |w| w.integer_u64(2));
                }
                w.integer_u64(7);
                w.raw(&ed25519);
                w.raw(name.as_der());
                w.sequence(|w| [from, until].map(|at| w.time(at)));
                w.raw(name.as_der());
                key.write(w);
                if extended {
                    w.explicit(3, |w| w.raw(&list));
                }
            });
        });
        assert_eq!(builder.tbs(SignatureAlgorithm::Ed25519).unwrap(), expected);
        let expected = write(|w| {
            w.sequence(|w| {
                w.integer_u64(0);
                w.raw(name.as_der());
                key.write(w);
                w.nested(Tag::context_constructed(0), |w| {
                    if extended {
                        w.sequence(|w| {
                            w.oid(&oid!("1.2.840.113549.1.9.14"));
                            w.set(|w| w.raw(&list));
                        });
                    }
                });
            });
        });
        assert_eq!(request.tbs(&key).unwrap(), expected);
    }
}

/// Entries of lists: a reason, a date and an issuer, each there or not.
#[test]
fn entries() {
    let key = root_key();
    let name = root_name();
    let (from, until) = (time("2026-01-01"), time("2026-01-02"));
    let issuer = [GeneralName::Directory(name.as_name())];
    let builder = CrlBuilder::new(name.as_name(), from, until);
    for (reason, dated, issued) in (0..12).map(|i| (i % 3, i / 3 % 2 > 0, i / 6 > 0)) {
        let mut revocation = Revocation::new(7.into(), from);
        // What is unspecified is not written.
        let reason = [
            None,
            Some(RevocationReason::Unspecified),
            Some(RevocationReason::Superseded),
        ][reason];
        if let Some(reason) = reason {
            revocation = revocation.reason(reason);
        }
        let reason = reason.filter(|reason| *reason != RevocationReason::Unspecified);
        if dated {
            revocation = revocation.invalidity_date(until);
        }
        if issued {
            revocation = revocation.certificate_issuer((&issuer).into());
        }
        let der = builder.sign([revocation], key.signer().unwrap()).unwrap();
        let list = FullCertificateList::from_der(&der).unwrap();
        assert_eq!(
            (list.to_der(), list.len(), list.is_empty()),
            (der.clone(), 1, false)
        );
        let entry = list.entries().next().unwrap().unwrap();
        assert_eq!(
            (entry.serial, entry.date),
            (AnySerial::Number(7.into()), from)
        );
        assert_eq!(entry.reason(), Ok(reason));
        assert_eq!(
            entry.extensions.get(),
            Ok(dated.then_some(InvalidityDate(until)))
        );
        let found = entry.extensions.get::<CertificateIssuer<'_>>().unwrap();
        assert_eq!(found, issued.then_some(CertificateIssuer((&issuer).into())));
        let any = reason.is_some() || dated || issued;
        assert_eq!(entry.extensions.is_empty(), !any);
        for extension in entry.extensions.iter() {
            let extension = extension.unwrap();
            assert_eq!(extension.critical, extension.oid == CertificateIssuer::OID);
        }
    }
    let der = builder.sign([], key.signer().unwrap()).unwrap();
    let list = FullCertificateList::from_der(&der).unwrap();
    assert_eq!(
        (list.to_der(), list.len(), list.is_empty()),
        (der.clone(), 0, true)
    );
    assert_eq!((list.this_update, list.next_update), (from, Some(until)));
    assert_eq!((list.issuer, list.version()), (name.as_name(), 2));
    assert!(list.extensions.raw().is_empty());
}

/// Requests of OCSP: a nonce and a requestor, signed with certificates and without.
#[test]
fn ocsp_requests() {
    let root = root();
    let name = root_name();
    let issuer = IssuerId::new(&Certificate::from_der(&root).unwrap()).unwrap();
    let key = leaf_key();
    let twice = [&root[..]; 2];
    for (nonce, requestor) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut builder = OcspRequestBuilder::new();
        let ids = [serial(), 7.into()].map(|serial| issuer.cert_id(serial));
        for id in ids {
            builder = builder.certificate(id);
        }
        if nonce {
            builder = builder.nonce(&[7; 32]);
        }
        if requestor {
            builder = builder.requestor(GeneralName::Directory(name.as_name()));
        }
        let plain = builder.build();
        let mut all = vec![(plain, None)];
        for certificates in [&[][..], &twice[..1], &twice] {
            let signed = builder.sign(key.signer().unwrap(), certificates);
            assert_eq!(
                kind(signed.clone()),
                (!requestor).then_some(ErrorKind::Empty)
            );
            all.extend(signed.ok().map(|der| (der, Some(certificates))));
        }
        for (der, certificates) in all {
            let request = OcspRequest::from_der(&der).unwrap();
            assert_eq!(request.to_der(), der);
            assert!(request.requests.iter().map(|one| one.cert_id).eq(ids));
            assert_eq!(request.extensions.nonce.is_some(), nonce);
            assert_eq!(request.requestor.is_some(), requestor);
            assert_eq!(request.signed().is_some(), certificates.is_some());
            let theirs = request
                .certificates()
                .map(|certificate| certificate.as_der());
            assert!(theirs.eq(certificates.unwrap_or_default().iter().copied()));
            let verdict = request.verify(&key.public_key());
            assert_eq!(verdict.is_ok(), certificates.is_some());
            assert!(request.verify(&root_key().public_key()).is_err());
        }
    }
}

/// Responses of OCSP: a nonce, the definition of `revoked` and certificates.
#[test]
fn ocsp_responses() {
    let root = root();
    let name = root_name();
    let issuer = IssuerId::new(&Certificate::from_der(&root).unwrap()).unwrap();
    let at = time("2026-01-01");
    let key = root_key();
    let one = |serial| SingleResponse::new(issuer.cert_id(serial), CertStatus::Good, at, None);
    let singles = [one(serial()), one(7.into())];
    let certificates = [&root[..]];
    for (nonce, extended, certified) in (0..8).map(|i| (i & 1 > 0, i & 2 > 0, i & 4 > 0)) {
        let mut builder = ResponseBuilder::new(ResponderId::Name(name.as_name()), at);
        if nonce {
            builder = builder.nonce(&[7; 32]);
        }
        if extended {
            builder = builder.extended_revoke();
        }
        if certified {
            builder = builder.certificates(&certificates);
        }
        let der = builder.sign(&singles, key.signer().unwrap()).unwrap();
        let response = OcspResponse::from_der(&der).unwrap();
        assert_eq!(response.to_der(), der);
        let basic = response.basic().unwrap();
        basic.verify(&key.public_key()).unwrap();
        assert_eq!(
            (basic.responder, basic.produced_at),
            (ResponderId::Name(name.as_name()), at)
        );
        assert!(
            basic
                .responses
                .iter()
                .map(|one| one.cert_id)
                .eq(singles.map(|one| one.cert_id))
        );
        assert_eq!(basic.extensions.nonce.is_some(), nonce);
        assert_eq!(basic.extensions.extended_revoke.is_some(), extended);
        assert_eq!(basic.extensions.raw().is_empty(), !nonce && !extended);
        assert_eq!(basic.certificates.is_some(), certified);
        assert_eq!(kind(builder.tbs(&[])), Some(ErrorKind::Empty));
        // Numbers that no certificate has are not answered for.
        for (contents, expected) in [
            (&[0x80][..], ErrorKind::SerialNegative),
            (&[1; 21], ErrorKind::SerialTooLong),
        ] {
            let mut other = one(7.into());
            other.cert_id.serial = AnySerial::Other(contents);
            assert_eq!(kind(builder.tbs(&[singles[0], other])), Some(expected));
        }
    }
    assert_eq!(error_response(ResponseStatus::Successful), None);
    for (status, code) in [
        (ResponseStatus::MalformedRequest, 1),
        (ResponseStatus::InternalError, 2),
        (ResponseStatus::TryLater, 3),
        (ResponseStatus::SigRequired, 5),
        (ResponseStatus::Unauthorized, 6),
    ] {
        let der = error_response(status).unwrap();
        assert_eq!(der, [0x30, 3, 10, 1, code]);
        let response = OcspResponse::from_der(&der).unwrap();
        assert_eq!((response.status, response.to_der()), (status, der));
    }
}
