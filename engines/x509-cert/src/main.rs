//! The engine of RustCrypto's `x509-cert`: the certificate with names and times, and with the values
//! of the extensions too, each of which is read by its own type.

use std::hint::black_box;
use std::io;

use adamant_engine::Item;
use adamant_engine::family::certificate::{self, structure};
use adamant_engine::op::text;
use adamant_engine::serve::{Engine, serve};
use x509_cert::Certificate;
use x509_cert::der::oid::AssociatedOid;
use x509_cert::der::{Decode, Encode};
use x509_cert::ext::pkix::{
    AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, BasicConstraints, CertificatePolicies,
    CrlDistributionPoints, ExtendedKeyUsage, FreshestCrl, InhibitAnyPolicy, IssuerAltName,
    KeyUsage, NameConstraints, PolicyConstraints, PolicyMappings, SubjectAltName,
    SubjectInfoAccessSyntax, SubjectKeyIdentifier,
};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("x509-cert", env!("ENGINE_SUFFIX"));
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), env!("ENGINE_BUILD"));
    for of in ["", "-ml-dsa-65", "-roots"] {
        let name = format!("x509/parse{of}");
        certificate::parse(&mut engine, &name, |der| der, |der| parse(der), encode);
        let name = format!("x509/parse_full{of}");
        certificate::parse(&mut engine, &name, |der| der, |der| parse_full(der), encode);
    }
    engine
}

fn parse(der: &[u8]) -> Result<Certificate, String> {
    Certificate::from_der(der).map_err(text)
}

macro_rules! values {
    ($($value:ident)*) => {
        fn parse_full(der: &[u8]) -> Result<Certificate, String> {
            let certificate = parse(der)?;
            for extension in certificate.tbs_certificate().extensions().into_iter().flatten() {
                let octets = extension.extn_value.as_bytes();
                $(if extension.extn_id == $value::OID {
                    black_box(&$value::from_der(octets).map_err(text)?);
                    continue;
                })*
            }
            Ok(certificate)
        }
    };
}

values! {
    AuthorityKeyIdentifier SubjectKeyIdentifier KeyUsage CertificatePolicies PolicyMappings
    SubjectAltName IssuerAltName BasicConstraints NameConstraints PolicyConstraints ExtendedKeyUsage
    CrlDistributionPoints InhibitAnyPolicy FreshestCrl AuthorityInfoAccessSyntax
    SubjectInfoAccessSyntax
}

fn encode(certificate: &Certificate) -> Item {
    let tbs = certificate.tbs_certificate();
    let der = |element: x509_cert::der::Result<Vec<u8>>| element.unwrap_or_default();
    structure(
        tbs.serial_number().as_bytes(),
        &der(tbs.issuer().to_der()),
        &der(tbs.subject().to_der()),
        &der(tbs.subject_public_key_info().to_der()),
    )
}
