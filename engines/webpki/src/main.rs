//! The engine of rustls-webpki, with the signatures of aws-lc-rs. It reads the structure and finds
//! the extensions that it needs; what they say it reads when a chain is verified, so that it has no
//! parsing of everything.

use std::hint::black_box;
use std::io;
use std::time::Duration;

use adamant_engine::Item;
use adamant_engine::family::certificate::{self, structure};
use adamant_engine::op::{self, field, number, text};
use adamant_engine::serve::{Engine, serve};
use rustls_pki_types::{CertificateDer, ServerName, TrustAnchor, UnixTime};
use webpki::{ALL_VERIFICATION_ALGS, EndEntityCert, KeyUsage, anchor_from_trusted_cert};

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
    engine.single("x509/validate", |_, input| {
        let client = Client::new(input)?;
        Ok(op::giving(
            move || Ok(client.validate()),
            |verdict| Ok(op::valid(verdict.is_ok())),
        ))
    });
    engine
}

/// A client of TLS, and what a server sends it.
struct Client {
    sent: Vec<CertificateDer<'static>>,
    anchor: TrustAnchor<'static>,
    host: ServerName<'static>,
    time: UnixTime,
}

impl Client {
    fn new(input: &Item) -> Result<Self, String> {
        let sent = certificate::split(field(input, "certificate")?.leak())?;
        let root = CertificateDer::from(field(input, "root")?);
        let anchor = anchor_from_trusted_cert(&root).map_err(text)?.to_owned();
        let host = String::from_utf8(field(input, "host")?).map_err(text)?;
        let seconds = Duration::from_secs(number(input, "time")?.into());
        Ok(Self {
            sent: sent.into_iter().map(CertificateDer::from).collect(),
            anchor,
            host: ServerName::try_from(host).map_err(text)?,
            time: UnixTime::since_unix_epoch(seconds),
        })
    }

    /// What rustls does of a server: path, then name.
    fn validate(&self) -> Result<(), webpki::Error> {
        let (server, others) = self.sent.split_first().ok_or(webpki::Error::BadDer)?;
        let server = EndEntityCert::try_from(black_box(server))?;
        server.verify_for_usage(
            ALL_VERIFICATION_ALGS,
            std::slice::from_ref(&self.anchor),
            others,
            self.time,
            KeyUsage::server_auth(),
            None,
            None,
        )?;
        server.verify_is_valid_for_subject_name(&self.host)
    }
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
