//! The engine of rustls-webpki. It reads the structure and finds the extensions that it needs; what
//! they say it reads when a chain is verified, so that it has no parsing of everything.

use std::io;

use adamant_engine::Item;
use adamant_engine::family::certificate::{self, structure};
use adamant_engine::op::text;
use adamant_engine::serve::{Engine, serve};
use rustls_pki_types::CertificateDer;
use webpki::EndEntityCert;

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("webpki", env!("ENGINE_SUFFIX"));
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), env!("ENGINE_BUILD"));
    for of in ["", "-ml-dsa-65", "-roots"] {
        let name = format!("x509/parse{of}");
        certificate::parse(&mut engine, &name, CertificateDer::from, parse, encode);
    }
    engine
}

fn parse(der: &'static CertificateDer<'static>) -> Result<EndEntityCert<'static>, String> {
    EndEntityCert::try_from(der).map_err(text)
}

fn encode(certificate: &EndEntityCert<'static>) -> Item {
    structure(
        certificate.serial(),
        &sequence(certificate.issuer()),
        &sequence(certificate.subject()),
        &certificate.subject_public_key_info(),
    )
}

/// The element with these contents, which the library tells without tag and length.
fn sequence(contents: &[u8]) -> Vec<u8> {
    let len = contents.len();
    let header = match u8::try_from(len) {
        Ok(len @ 0..=0x7f) => vec![0x30, len],
        Ok(len) => vec![0x30, 0x81, len],
        Err(_) => vec![0x30, 0x82, (len >> 8) as u8, len as u8],
    };
    [&header, contents].concat()
}
