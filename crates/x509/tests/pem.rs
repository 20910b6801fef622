//! PEM of what has a label for it: the first block of this label counts, wherever it stands.

use crate::common::{crl, leaf, ocsp_request, ocsp_response, request};
use adamant_der::{self as der, pem};
use adamant_x509::crl::{CertificateList, FullCertificateList};
use adamant_x509::csr::CertificationRequest;
use adamant_x509::ocsp::{OcspRequest, OcspResponse};
use adamant_x509::{Certificate, ErrorKind, FullCertificate, SubjectPublicKeyInfo};

macro_rules! check {
    ($type:ident, $label:literal, $der:expr) => {{
        let der: Vec<u8> = $der;
        let text = $type::from_der(&der).unwrap().to_pem();
        assert_eq!(text, pem::encode($label, &der));
        // What is read, and the error where nothing is.
        let read = |text: &str| {
            let mut octets = Vec::new();
            let read = $type::from_pem(text, &mut octets);
            read.map(|read| read.to_der())
                .map_err(|error| (error.kind(), error.position()))
        };
        assert_eq!(read(&text).as_ref(), Ok(&der));
        let other = pem::encode("OTHER", &[5, 0]);
        let around = format!("subject=CN = before\n{other}{text}behind\n{other}");
        assert_eq!(read(&around).as_ref(), Ok(&der));

        let missing = |text: &str| {
            let kind = ErrorKind::Der(der::ErrorKind::PemMissing);
            assert_eq!(read(text), Err((kind, text.len())));
        };
        missing("");
        missing(&other);
        missing(&pem::encode(concat!($label, "S"), &der));
        let trailing = [&der[..], &[0]].concat();
        let kind = ErrorKind::Der(der::ErrorKind::TrailingData);
        let refused = read(&pem::encode($label, &trailing));
        assert_eq!(refused, Err((kind, der.len())));
        let cut = &text[..text.len() - 2];
        assert!(matches!(read(cut), Err((ErrorKind::Der(_), _))));
    }};
}

#[test]
fn labels() {
    check!(Certificate, "CERTIFICATE", leaf());
    check!(FullCertificate, "CERTIFICATE", leaf());
    check!(CertificationRequest, "CERTIFICATE REQUEST", request());
    check!(CertificateList, "X509 CRL", crl());
    check!(FullCertificateList, "X509 CRL", crl());
    check!(OcspRequest, "OCSP REQUEST", ocsp_request());
    check!(OcspResponse, "OCSP RESPONSE", ocsp_response());
    let key = crate::common::leaf_key().public_key();
    check!(SubjectPublicKeyInfo, "PUBLIC KEY", key.to_der());
}
