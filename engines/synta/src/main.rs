//! The engine of `synta-certificate`: only the structure, with names and extensions unread, and
//! the types that own what they read, with the value of every extension read by its own type. Of BER
//! it reads lengths in more octets than they need; with indefinite ones what it gives, in 0.5.1, is
//! about memory that it has freed, and strings in pieces are an error.

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
        let parse = |der: &&'static [u8]| decode(der, DER);
        certificate::parse(&mut engine, &name, |der| der, parse, encode);
        let name = format!("x509/parse_full{of}");
        let parse = |der: &&'static [u8]| parse_full(der, DER);
        certificate::parse(&mut engine, &name, |der| der, parse, encode_owned);
    }
    let parse = |ber: &&'static [u8]| decode(ber, BER);
    certificate::parse(&mut engine, "x509/parse-ber", |ber| ber, parse, encode_ber);
    let parse = |ber: &&'static [u8]| parse_full(ber, BER);
    let name = "x509/parse_full-ber";
    certificate::parse(&mut engine, name, |ber| ber, parse, encode_owned);
    engine
}

const DER: Encoding = Encoding::Der;
const BER: Encoding = Encoding::Ber;

fn decode<'a, T: Decode<'a>>(octets: &'a [u8], rules: Encoding) -> Result<T, String> {
    Decoder::new(octets, rules).decode().map_err(text)
}

macro_rules! values {
    ($($oid:ident $value:ident)*) => {
        fn parse_full(
            octets: &'static [u8],
            rules: Encoding,
        ) -> Result<owned::Certificate<'static>, String> {
            let certificate: owned::Certificate<'static> = decode(octets, rules)?;
            for extension in certificate.tbs_certificate.extensions.iter().flatten() {
                let (oid, octets) = (extension.extn_id.components(), extension.extn_value.as_bytes());
                $(if oid == oids::$oid {
                    black_box(&decode::<owned::$value>(octets, rules)?);
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
    encode_with(certificate, <[u8]>::to_vec)
}

/// Names that were only found, made DER.
fn encode_ber(certificate: &Certificate<'static>) -> Item {
    encode_with(certificate, |name| {
        let name = decode::<owned::Name<'_>>(name, BER);
        name.map_or(Vec::new(), |name| der(&name))
    })
}

fn encode_with(certificate: &Certificate<'static>, name: fn(&[u8]) -> Vec<u8>) -> Item {
    let tbs = &certificate.tbs_certificate;
    structure(
        tbs.serial_number.as_bytes(),
        &name(tbs.issuer.as_bytes()),
        &name(tbs.subject.as_bytes()),
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
