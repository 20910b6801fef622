//! What the tests share: a small public key infrastructure with every extension there is.

#![allow(dead_code)] // Each test uses a part.

use adamant_der::{Time, Writer, oid};
use adamant_ec::{ed25519, p256};
use adamant_x509::crl::{CrlBuilder, Revocation};
use adamant_x509::csr::RequestBuilder;
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, IssuerId, OcspRequestBuilder, ResponderId, ResponseBuilder, SingleResponse,
};
use adamant_x509::{
    Certificate, CertificateBuilder, DistinguishedName, PrivateKey, SerialNumber, assemble,
};

pub(crate) fn time(text: &str) -> Time {
    text.parse().unwrap()
}

pub(crate) fn root_key() -> PrivateKey {
    PrivateKey::Ed25519(ed25519::PrivateKey::from_seed(&[0x51; 32]))
}

/// This part with its signature.
pub(crate) fn signed(tbs: &[u8], key: &PrivateKey) -> Vec<u8> {
    let (key, mut signature) = (key.signer().unwrap(), Vec::new());
    key.sign(tbs, &mut signature).unwrap();
    assemble(tbs, key.algorithm(), &signature)
}

pub(crate) fn leaf_key() -> PrivateKey {
    PrivateKey::P256(p256::PrivateKey::from_bytes(&[0x52; 32]).unwrap())
}

pub(crate) fn root_name() -> DistinguishedName {
    "CN=Root,OU=Tests,O=Adamant,C=NL".parse().unwrap()
}

pub(crate) fn serial() -> SerialNumber {
    SerialNumber::new(&[0x80; 19]).unwrap()
}

/// A self-signed certificate.
pub(crate) fn root() -> Vec<u8> {
    let key = root_key();
    let public_key = key.public_key();
    let name = root_name();
    CertificateBuilder::new(
        SerialNumber::from(1),
        name.as_name(),
        time("1970-01-01"),
        time("2049-12-31T23:59:59Z"),
        name.as_name(),
        &public_key,
    )
    .extension(&BasicConstraints::ca(Some(1)))
    .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN))
    .extension(&SubjectKeyIdentifier(&public_key.key_id()))
    .sign(key.signer().unwrap())
    .unwrap()
}

/// A certificate below the root, with all extensions.
pub(crate) fn leaf() -> Vec<u8> {
    let key = root_key();
    let issuer = root_name();
    let subject = DistinguishedName::new()
        .country("NL")
        .organization("Adamant, \"the\" unbreakable")
        .with(oid!("0.9.2342.19200300.100.1.25"), "example")
        .with(oid!("1.2.840.113549.1.9.1"), "ca@adamant.example")
        .common_name("gr\u{fc}n \u{1f512}");
    let public_key = leaf_key().public_key();
    let directory = [GeneralName::Directory(issuer.as_name())];
    let names = [
        GeneralName::Dns("adamant.example"),
        GeneralName::Email("ca@adamant.example"),
        GeneralName::Ip(&[192, 0, 2, 1]),
        GeneralName::Ip(&[0x20; 16]),
        GeneralName::Uri("https://adamant.example/"),
        GeneralName::RegisteredId(oid!("1.3.6.1.4.1.99999")),
        GeneralName::Other {
            oid: oid!("1.3.6.1.4.1.311.20.2.3"),
            value: &[0x0c, 1, b'u'],
        },
        directory[0],
    ];
    let uri = [GeneralName::Uri("http://crl.adamant.example/root.crl")];
    let points = [
        DistributionPoint::at((&uri).into()),
        DistributionPoint {
            name: None,
            reasons: Some(ReasonFlags::from_bits(0x6080)),
            crl_issuer: Some((&directory).into()),
        },
    ];
    let access = [
        AccessDescription::ocsp("http://ocsp.adamant.example/"),
        AccessDescription::ca_issuers("http://adamant.example/root.cer"),
    ];
    let permitted = [
        GeneralSubtree(GeneralName::Dns("adamant.example")),
        GeneralSubtree(GeneralName::Ip(&[192, 0, 2, 0, 255, 255, 255, 0])),
    ];
    let excluded = [GeneralSubtree(GeneralName::Email(".adamant.example"))];
    let qualifiers = [
        PolicyQualifier::Cps("https://adamant.example/cps"),
        PolicyQualifier::Other {
            oid: oid!("1.3.6.1.4.1.99999.1"),
            value: &[5, 0],
        },
    ];
    let policies = [
        PolicyInformation::new(oid!("2.23.140.1.2.1")),
        PolicyInformation {
            oid: oid!("1.3.6.1.4.1.99999.2"),
            qualifiers: Some((&qualifiers).into()),
        },
    ];
    let mappings = [PolicyMapping {
        issuer: oid!("1.3.6.1.4.1.99999.2"),
        subject: oid!("1.3.6.1.4.1.99999.3"),
    }];
    let authority = AuthorityKeyIdentifier {
        key_id: Some(&key.public_key().key_id()),
        issuer: Some(((&directory).into(), SerialNumber::from(1))),
    };
    CertificateBuilder::new(
        serial(),
        issuer.as_name(),
        time("2026-01-01"),
        time("2050-01-01"),
        subject.as_name(),
        &public_key,
    )
    .extension(&authority)
    .extension(&SubjectKeyIdentifier(&public_key.key_id()))
    .extension(&(KeyUsage::DIGITAL_SIGNATURE | KeyUsage::DECIPHER_ONLY))
    .extension(&CertificatePolicies((&policies).into()))
    .extension(&PolicyMappings((&mappings).into()))
    .extension(&SubjectAltName((&names).into()))
    .extension(&IssuerAltName((&directory).into()))
    .extension(&BasicConstraints::end_entity())
    .extension(&NameConstraints {
        permitted: Some((&permitted).into()),
        excluded: Some((&excluded).into()),
    })
    .extension(&PolicyConstraints {
        require_explicit: Some(0),
        inhibit_mapping: Some(300),
    })
    .extension(&ExtendedKeyUsage(
        (&[ExtendedKeyUsage::SERVER_AUTH, ExtendedKeyUsage::CLIENT_AUTH]).into(),
    ))
    .extension(&CrlDistributionPoints((&points).into()))
    .extension(&InhibitAnyPolicy(2))
    .extension(&FreshestCrl((&[points[0]]).into()))
    .extension(&AuthorityInfoAccess((&access).into()))
    .extension(&SubjectInfoAccess((&access).into()))
    .extension(&OcspNoCheck)
    .raw_extension(oid!("1.3.6.1.4.1.99999.4"), false, &[1, 2, 3])
    .sign(key.signer().unwrap())
    .unwrap()
}

/// A request with two extensions.
pub(crate) fn request() -> Vec<u8> {
    let names = [GeneralName::Dns("adamant.example")];
    let subject = DistinguishedName::new().common_name("adamant.example");
    RequestBuilder::new(subject.as_name())
        .extension(&SubjectAltName((&names).into()))
        .extension(&KeyUsage::DIGITAL_SIGNATURE)
        .sign(leaf_key().signer().unwrap())
        .unwrap()
}

/// A list with entries of all forms.
pub(crate) fn crl() -> Vec<u8> {
    let key = root_key();
    let name = root_name();
    let now = time("2026-01-01");
    let uri = [GeneralName::Uri("http://crl.adamant.example/root.crl")];
    CrlBuilder::new(name.as_name(), now, time("2026-01-08"))
        .authority_key_id(&key.public_key().key_id())
        .number(SerialNumber::from(300))
        .extension(&IssuingDistributionPoint {
            name: Some(DistributionPointName::Full((&uri).into())),
            only_user_certs: true,
            only_some_reasons: Some(ReasonFlags::from_bits(0x4000)),
            ..IssuingDistributionPoint::default()
        })
        .sign(
            [
                Revocation::new(SerialNumber::from(7), now),
                Revocation::new(serial(), now)
                    .reason(RevocationReason::KeyCompromise)
                    .invalidity_date(time("2025-12-31T23:59:59Z")),
                Revocation::new(SerialNumber::from(9), now).reason(RevocationReason::Superseded),
            ],
            key.signer().unwrap(),
        )
        .unwrap()
}

/// A list of changes, with certificates of two issuers.
pub(crate) fn delta_crl() -> Vec<u8> {
    let key = root_key();
    let name = root_name();
    let other = DistinguishedName::new().common_name("Other");
    let issuer = [GeneralName::Directory(other.as_name())];
    let now = time("2026-01-01");
    let uri = [GeneralName::Uri("http://crl.adamant.example/delta.crl")];
    let points = [DistributionPoint::at((&uri).into())];
    CrlBuilder::new(name.as_name(), now, time("2026-01-08"))
        .number(SerialNumber::from(301))
        .delta(SerialNumber::from(300))
        .extension(&FreshestCrl((&points).into()))
        .extension(&IssuingDistributionPoint {
            indirect: true,
            ..IssuingDistributionPoint::default()
        })
        .sign(
            [
                Revocation::new(SerialNumber::from(7), now).reason(RevocationReason::RemoveFromCrl),
                Revocation::new(SerialNumber::from(8), now)
                    .reason(RevocationReason::CaCompromise)
                    .certificate_issuer((&issuer).into()),
                Revocation::new(SerialNumber::from(9), now),
            ],
            key.signer().unwrap(),
        )
        .unwrap()
}

/// A signed request with all extensions.
pub(crate) fn signed_ocsp_request() -> Vec<u8> {
    let root = root();
    let name = root_name();
    let issuer = IssuerId::new(&Certificate::from_der(&root).unwrap()).unwrap();
    OcspRequestBuilder::new()
        .certificate(issuer.cert_id(serial()))
        .requestor(GeneralName::Directory(name.as_name()))
        .nonce(&[0x77; 128])
        .sign(leaf_key().signer().unwrap(), &[&root])
        .unwrap()
}

/// A response by key, with an extension of each kind.
pub(crate) fn ocsp_response_by_key() -> Vec<u8> {
    let root = root();
    let certificate = Certificate::from_der(&root).unwrap();
    let issuer = IssuerId::new(&certificate).unwrap();
    let now = time("2026-01-01");
    let mut w = Writer::new();
    w.sequence(|w| {
        write_extension(false, &ArchiveCutoff(time("2020-01-01")), w);
        let reference = CrlReference {
            url: Some("http://crl.adamant.example/root.crl"),
            number: Some(SerialNumber::from(300)),
            time: Some(now),
        };
        write_extension(false, &reference, w);
    });
    let single = SingleResponse::new(issuer.cert_id(serial()), CertStatus::Good, now, None)
        .with_extensions(w.as_bytes())
        .unwrap();
    ResponseBuilder::new(
        ResponderId::KeyHash(&ResponderId::key_hash(&certificate.spki().unwrap())),
        now,
    )
    .extended_revoke()
    .sign(&[single], root_key().signer().unwrap())
    .unwrap()
}

/// A request for the state of the leaf.
pub(crate) fn ocsp_request() -> Vec<u8> {
    let root = root();
    let issuer = IssuerId::new(&Certificate::from_der(&root).unwrap()).unwrap();
    OcspRequestBuilder::new()
        .certificate(issuer.cert_id(serial()))
        .certificate(issuer.cert_id(SerialNumber::from(7)))
        .nonce(&[0x77; 32])
        .build()
}

/// A response about certificates of all states.
pub(crate) fn ocsp_response() -> Vec<u8> {
    let key = root_key();
    let root = root();
    let name = root_name();
    let issuer = IssuerId::new(&Certificate::from_der(&root).unwrap()).unwrap();
    let (now, next) = (time("2026-01-01"), time("2026-01-08"));
    let revoked = |reason| CertStatus::Revoked { time: now, reason };
    let responses = [
        SingleResponse::new(issuer.cert_id(serial()), CertStatus::Good, now, Some(next)),
        SingleResponse::new(
            issuer.cert_id(SerialNumber::from(7)),
            revoked(Some(RevocationReason::KeyCompromise)),
            now,
            Some(next),
        ),
        SingleResponse::new(
            issuer.cert_id(SerialNumber::from(8)),
            revoked(None),
            now,
            None,
        ),
        SingleResponse::new(
            issuer.cert_id(SerialNumber::from(9)),
            CertStatus::Unknown,
            now,
            None,
        ),
    ];
    ResponseBuilder::new(ResponderId::Name(name.as_name()), now)
        .nonce(&[0x77; 32])
        .certificates(&[&root])
        .sign(&responses, key.signer().unwrap())
        .unwrap()
}
