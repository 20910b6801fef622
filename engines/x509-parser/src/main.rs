//! The engine of the crate `x509-parser`: only the structure, with the extensions' values unread,
//! and everything.

use std::io;

use adamant_engine::Item;
use adamant_engine::family::certificate::{self, structure};
use adamant_engine::op::text;
use adamant_engine::serve::{Engine, serve};
use x509_parser::certificate::{X509Certificate, X509CertificateParser};
use x509_parser::nom::Parser;

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("x509-parser", env!("ENGINE_SUFFIX"));
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), env!("ENGINE_BUILD"));
    for (level, deep) in [("parse", false), ("parse_full", true)] {
        for of in ["", "-ml-dsa-65", "-roots"] {
            let parse = move |der: &&'static [u8]| {
                let mut parser = X509CertificateParser::new().with_deep_parse_extensions(deep);
                let (_, certificate) = parser.parse(der).map_err(text)?;
                Ok(certificate)
            };
            let name = format!("x509/{level}{of}");
            certificate::parse(&mut engine, &name, |der| der, parse, encode);
        }
    }
    engine
}

fn encode(certificate: &X509Certificate<'static>) -> Item {
    structure(
        certificate.raw_serial(),
        certificate.issuer().as_raw(),
        certificate.subject().as_raw(),
        certificate.public_key().raw,
    )
}
