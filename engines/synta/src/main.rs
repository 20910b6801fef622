//! The engine of `synta-certificate`: only the structure, with names and extensions unread, and
//! the types that own what they read, with the value of every extension read by its own type.

use std::hint::black_box;
use std::io;

use adamant_engine::Item;
use adamant_engine::family::certificate::{self, structure};
use adamant_engine::op::text;
use adamant_engine::serve::{Engine, serve};
use synta::traits::{Decode, Encode};
use synta::{Decoder, Encoder, Encoding};
use synta_certificate::{Certificate, oids, owned};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("synta", env!("ENGINE_SUFFIX"));
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), env!("ENGINE_BUILD"));
    for of in ["", "-ml-dsa-65", "-roots"] {
        let name = format!("x509/parse{of}");
        certificate::parse(&mut engine, &name, |der| der, |der| parse(der), encode);
        let name = format!("x509/parse_full{of}");
        certificate::parse(&mut engine, &name, |der| der, |der| parse_full(der), encode_owned);
    }
    engine
}

fn decode<'a, T: Decode<'a>>(der: &'a [u8]) -> Result<T, String> {
    Decoder::new(der, Encoding::Der).decode().map_err(text)
}

fn parse(der: &'static [u8]) -> Result<Certificate<'static>, String> {
    decode(der)
}

macro_rules! values {
    ($($oid:ident $value:ident)*) => {
        fn parse_full(der: &'static [u8]) -> Result<owned::Certificate<'static>, String> {
            let certificate: owned::Certificate<'static> = decode(der)?;
            for extension in certificate.tbs_certificate.extensions.iter().flatten() {
                let (oid, octets) = (extension.extn_id.components(), extension.extn_value.as_bytes());
                $(if oid == oids::$oid {
                    black_box(&decode::<owned::$value>(octets)?);
                    continue;
                })*
            }
            Ok(certificate)
        }
    };
}

values! {
    AUTHORITY_KEY_IDENTIFIER AuthorityKeyIdentifier
    SUBJECT_KEY_IDENTIFIER SubjectKeyIdentifier
    KEY_USAGE KeyUsage
    CERTIFICATE_POLICIES CertificatePolicies
    SUBJECT_ALT_NAME SubjectAltName
    ISSUER_ALT_NAME IssuerAltName
    BASIC_CONSTRAINTS BasicConstraints
    NAME_CONSTRAINTS NameConstraints
    EXTENDED_KEY_USAGE ExtendedKeyUsage
    CRL_DISTRIBUTION_POINTS CRLDistributionPoints
    AUTHORITY_INFO_ACCESS AuthorityInfoAccessSyntax
}

fn der(element: &impl Encode) -> Vec<u8> {
    let mut encoder = Encoder::new(Encoding::Der);
    let done = element.encode(&mut encoder).and_then(|()| encoder.finish());
    done.unwrap_or_default()
}

fn encode(certificate: &Certificate<'static>) -> Item {
    let tbs = &certificate.tbs_certificate;
    structure(
        tbs.serial_number.as_bytes(),
        tbs.issuer.as_bytes(),
        tbs.subject.as_bytes(),
        &der(&tbs.subject_public_key_info),
    )
}

fn encode_owned(certificate: &owned::Certificate<'static>) -> Item {
    let tbs = &certificate.tbs_certificate;
    structure(
        tbs.serial_number.as_bytes(),
        &der(&tbs.issuer),
        &der(&tbs.subject),
        &der(&tbs.subject_public_key_info),
    )
}
