//! Whatever the input, readers return; and what they accept, they write again octet for octet.

use std::sync::LazyLock;

use adamant_der::{Reader, Writer};
use adamant_x509::crl::{CertificateList, FullCertificateList};
use adamant_x509::csr::CertificationRequest;
use adamant_x509::keys::{EcPrivateKey, PrivateKeyInfo};
use adamant_x509::ocsp::{OcspRequest, OcspResponse};
use adamant_x509::{Certificate, Element, Error, FullCertificate, Name, PrivateKey, PublicKey};
use proptest::prelude::*;

use crate::{common, rare};

/// Reads, looks at everything, and writes anew.
type Read = fn(&[u8]) -> Result<Vec<u8>, Error>;

fn certificate(der: &[u8]) -> Result<Vec<u8>, Error> {
    let certificate = FullCertificate::from_der(der)?;
    let text = format!("{certificate:?}");
    assert!(!text.is_empty());
    let _ = certificate.public_key();
    Ok(certificate.to_der())
}

fn request(der: &[u8]) -> Result<Vec<u8>, Error> {
    let request = CertificationRequest::from_der(der)?;
    let _ = (format!("{request:?}"), request.verify());
    Ok(request.to_der())
}

fn crl(der: &[u8]) -> Result<Vec<u8>, Error> {
    let list = FullCertificateList::from_der(der)?;
    assert_eq!(list.entries().flatten().count(), list.len());
    assert!(!format!("{list:?}").is_empty());
    Ok(list.to_der())
}

fn ocsp_request(der: &[u8]) -> Result<Vec<u8>, Error> {
    let request = OcspRequest::from_der(der)?;
    assert!(!format!("{request:?}").is_empty());
    Ok(request.to_der())
}

fn ocsp_response(der: &[u8]) -> Result<Vec<u8>, Error> {
    let response = OcspResponse::from_der(der)?;
    assert!(!format!("{response:?}").is_empty());
    Ok(response.to_der())
}

fn element<'a, T: Element<'a>>(der: &'a [u8]) -> Result<Vec<u8>, Error> {
    let mut r = Reader::new(der);
    let value = T::read(&mut r)?;
    r.finish()?;
    let mut w = Writer::new();
    value.write(&mut w);
    Ok(w.finish())
}

fn pkcs8(der: &[u8]) -> Result<Vec<u8>, Error> {
    let _ = PrivateKey::from_der(der);
    element::<PrivateKeyInfo>(der)
}

fn sec1(der: &[u8]) -> Result<Vec<u8>, Error> {
    let _ = PrivateKey::from_sec1_der(der);
    element::<EcPrivateKey>(der)
}

fn spki(der: &[u8]) -> Result<Vec<u8>, Error> {
    let key = PublicKey::from_der(der)?;
    // A point may be read compressed, and is not written so.
    Ok(match key {
        PublicKey::P256(_) => der.to_vec(),
        _ => key.to_der(),
    })
}

fn name(der: &[u8]) -> Result<Vec<u8>, Error> {
    let name = Name::from_der(der)?;
    let text = name.to_string();
    assert!(name.is_empty() == text.is_empty());
    element::<Name>(der)
}

type Sample = (&'static str, Vec<u8>, Read);

fn samples() -> &'static [Sample] {
    static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(make_samples);
    &SAMPLES
}

fn make_samples() -> Vec<Sample> {
    let root_key = common::root_key();
    let leaf_key = common::leaf_key();
    vec![
        ("root", common::root(), certificate),
        ("leaf", common::leaf(), certificate),
        ("request", common::request(), request),
        ("CRL", common::crl(), crl),
        ("delta CRL", common::delta_crl(), crl),
        ("OCSP request", common::ocsp_request(), ocsp_request),
        (
            "signed OCSP request",
            common::signed_ocsp_request(),
            ocsp_request,
        ),
        ("OCSP response", common::ocsp_response(), ocsp_response),
        (
            "OCSP response by key",
            common::ocsp_response_by_key(),
            ocsp_response,
        ),
        ("PKCS #8 Ed25519", root_key.to_der().to_vec(), pkcs8),
        ("PKCS #8 P-256", leaf_key.to_der().to_vec(), pkcs8),
        ("SEC 1", leaf_key.to_sec1_der().unwrap().to_vec(), sec1),
        ("SPKI", root_key.public_key().to_der(), spki),
        ("name", common::root_name().as_der().to_vec(), name),
        ("version 1", rare::first_version(), certificate),
        ("version 2", rare::second_version(), certificate),
        ("rare extensions", rare::seldom(), certificate),
        ("list of version 1", rare::first_list(), crl),
        ("list of CAs", rare::relative_list(), crl),
        ("request with attributes", rare::request(), request),
        (
            "OCSP request with extensions",
            rare::ocsp_request(),
            ocsp_request,
        ),
        (
            "OCSP response with references",
            rare::ocsp_response(),
            ocsp_response,
        ),
        ("OCSP error", rare::OCSP_ERROR.to_vec(), ocsp_response),
        ("PKCS #8 with attributes", rare::pkcs8(), pkcs8),
        ("SEC 1 without a curve", rare::SEC1.to_vec(), sec1),
        ("SPKI of another algorithm", rare::spki(), spki),
    ]
}

#[test]
fn samples_round_trip() {
    for (what, der, read) in samples() {
        assert_eq!(read(der).as_ref(), Ok(der), "{what}");
    }
}

#[test]
fn truncations_and_additions_are_refused() {
    for (what, der, read) in samples() {
        for len in 0..der.len() {
            assert!(read(&der[..len]).is_err(), "{what} of {len} octets");
        }
        for octet in [0x00, 0x30, 0xff] {
            let mut longer = der.clone();
            longer.push(octet);
            let error = read(&longer).unwrap_err();
            assert_eq!(error.position(), der.len(), "{what}: {error}");
        }
    }
}

#[test]
fn changed_octets() {
    for (what, der, read) in samples() {
        for i in 0..der.len() {
            // Every bit, and the values that mean most.
            let bits = (0..8).map(|bit| der[i] ^ 1 << bit);
            for octet in bits.chain([0x00, 0x30, 0x31, 0x7f, 0x80, 0xff, der[i].wrapping_add(1)]) {
                if octet == der[i] {
                    continue;
                }
                let mut changed = der.clone();
                changed[i] = octet;
                if let Ok(again) = read(&changed) {
                    assert!(again == changed, "{what}, octet {i} as {octet:02x}");
                }
            }
        }
    }
}

#[test]
fn changed_octets_break_signatures() {
    let (root, leaf, crl) = (common::root(), common::leaf(), common::crl());
    let key = common::root_key().public_key();
    Certificate::from_der(&root).unwrap().verify(&key).unwrap();
    Certificate::from_der(&leaf).unwrap().verify(&key).unwrap();
    for (der, step) in [(&root, 1), (&leaf, 7)] {
        for i in (0..der.len()).step_by(step) {
            let mut changed = der.clone();
            changed[i] ^= 1;
            let verified = Certificate::from_der(&changed).and_then(|c| c.verify(&key));
            assert!(verified.is_err(), "octet {i}");
        }
    }
    for i in 0..crl.len() {
        let mut changed = crl.clone();
        changed[i] ^= 0x10;
        let verified = CertificateList::from_der(&changed).and_then(|c| c.verify(&key));
        assert!(verified.is_err(), "octet {i}");
    }
}

fn any_structure() -> impl Strategy<Value = Vec<u8>> {
    // Octets that look like DER get further than random ones.
    let leaf = (
        prop::sample::select(vec![
            0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x80, 0x81,
            0x82, 0x86,
        ]),
        prop::collection::vec(any::<u8>(), 0..24),
    )
        .prop_map(|(tag, value)| tlv(tag, &value));
    leaf.prop_recursive(6, 64, 6, |inner| {
        let tags = prop::sample::select(vec![0x30, 0x31, 0x04, 0x03, 0xa0, 0xa1, 0xa2, 0xa3]);
        (tags, prop::collection::vec(inner, 0..6))
            .prop_map(|(tag, inner)| tlv(tag, &inner.concat()))
    })
}

fn tlv(tag: u8, value: &[u8]) -> Vec<u8> {
    let mut der = vec![tag];
    match value.len() {
        len @ ..0x80 => der.push(len as u8),
        len => der.extend([0x82, (len >> 8) as u8, len as u8]),
    }
    der.extend(value);
    der
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_octets(der in prop::collection::vec(any::<u8>(), 0..300)) {
        for (_, _, read) in samples() {
            if let Ok(again) = read(&der) {
                prop_assert_eq!(&again, &der);
            }
        }
    }

    #[test]
    fn arbitrary_structures(der in any_structure()) {
        for (_, _, read) in samples() {
            if let Ok(again) = read(&der) {
                prop_assert_eq!(&again, &der);
            }
        }
    }

    #[test]
    fn replaced_parts(
        which in 0..samples().len(),
        start in any::<prop::sample::Index>(),
        cut in 0_usize..8,
        insert in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let (_, der, read) = &samples()[which];
        let mut der = der.clone();
        let start = start.index(der.len());
        let end = (start + cut).min(der.len());
        der.splice(start..end, insert);
        if let Ok(again) = read(&der) {
            prop_assert_eq!(&again, &der);
        }
    }

    #[test]
    fn names_as_text(text in ".{0,40}") {
        if let Ok(name) = text.parse::<adamant_x509::DistinguishedName>() {
            prop_assert_eq!(name.to_string().parse(), Ok(name));
        }
    }

    #[test]
    fn any_text_in_a_name(text in ".{1,40}") {
        let name = adamant_x509::DistinguishedName::new().country("NL").common_name(&text);
        prop_assert_eq!(name.as_name().common_name().unwrap(), text.as_str());
        prop_assert_eq!(name.to_string().parse(), Ok(name));
    }
}
