//! One case of x509-limbo, what it is validated with, and the form in which a sample is kept.

#![allow(dead_code)] // The test reads a sample, the example writes one.

use std::net::IpAddr;

use adamant_der::{Reader, Result, Tag, Time, Writer};
use adamant_x509::Certificate;
use adamant_x509::crl::CertificateList;
use adamant_x509::extensions::{ExtendedKeyUsage, KeyUsage};
use adamant_x509::path::{
    Options, PeerName, Profile, Revocation, Strictness, TrustAnchor, validate,
};

/// A case; certificates and lists as DER, whether or not they can be read.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) valid: bool,
    /// Seconds since 1970; zero for now.
    pub(crate) time: u64,
    pub(crate) client: bool,
    pub(crate) signs: bool,
    pub(crate) max_depth: Option<u64>,
    /// Kind and name.
    pub(crate) names: Vec<(String, String)>,
    pub(crate) peer: Vec<u8>,
    pub(crate) roots: Vec<Vec<u8>>,
    pub(crate) intermediates: Vec<Vec<u8>>,
    pub(crate) lists: Vec<Vec<u8>>,
}

/// The Web's rules for what is about them and for what servers had, those of RFC 5280 for the
/// rest.
fn profile(id: &str) -> Profile {
    match id.split("::").next() {
        Some("webpki" | "online" | "cve") => Profile::WebPki,
        _ => Profile::Rfc5280,
    }
}

/// The part of the Public Suffix List that the cases are about.
fn is_public_suffix(domain: &str) -> bool {
    ["com", "co.uk", "s3.amazonaws.com"].contains(&domain)
}

fn name((kind, name): &(String, String)) -> PeerName<'_> {
    match kind.as_str() {
        "DNS" => PeerName::Dns(name),
        "IP" => PeerName::Ip(name.parse::<IpAddr>().expect("an address")),
        "RFC822" => PeerName::Email(name),
        kind => panic!("unknown kind of name: {kind}"),
    }
}

impl Case {
    /// The length of the path, or why there is none.
    pub(crate) fn run(&self, now: u64) -> std::result::Result<usize, String> {
        let peer = Certificate::from_der(&self.peer).map_err(|error| format!("peer: {error}"))?;
        let certificates = |all: &'_ [Vec<u8>]| -> Vec<Vec<u8>> {
            let readable = all.iter().filter(|der| Certificate::from_der(der).is_ok());
            readable.cloned().collect()
        };
        let roots = certificates(&self.roots);
        let anchors: Vec<_> = roots
            .iter()
            .filter_map(|der| Certificate::from_der(der).ok())
            .filter_map(|root| TrustAnchor::from_certificate(&root).ok())
            .collect();
        let read = |der| Certificate::from_der(der).ok();
        let others: Vec<_> = self
            .intermediates
            .iter()
            .filter_map(|der| read(der))
            .collect();
        let read = |der| CertificateList::from_der(der).ok();
        let lists: Vec<_> = self.lists.iter().filter_map(|der| read(der)).collect();
        let names: Vec<_> = self.names.iter().map(name).collect();
        let seconds = if self.time == 0 { now } else { self.time };
        let time = Time::from_unix(seconds as i64).expect("a year of four digits");
        let mut options = Options {
            purpose: Some(match self.client {
                true => ExtendedKeyUsage::CLIENT_AUTH,
                false => ExtendedKeyUsage::SERVER_AUTH,
            }),
            key_usage: self.signs.then_some(KeyUsage::DIGITAL_SIGNATURE),
            names: &names,
            revocation: (!lists.is_empty()).then_some(Revocation::new(
                &lists,
                &[],
                Strictness::Soft,
            )),
            public_suffix: Some(&is_public_suffix),
            ..Options::new(profile(&self.id), time)
        };
        if let Some(depth) = self.max_depth {
            options.max_depth = depth as usize;
        }
        validate(&peer, &others, &anchors, &options)
            .map(|path| path.certificates.len())
            .map_err(|error| error.to_string())
    }

    /// Reads a case of a sample.
    pub(crate) fn read(r: &mut Reader<'_>) -> Result<Self> {
        r.sequence(|r| {
            Ok(Self {
                id: r.utf8_string()?.to_owned(),
                valid: r.boolean()?,
                time: r.u64()?,
                client: r.boolean()?,
                signs: r.boolean()?,
                max_depth: r.optional_explicit(0, |r| r.u64())?,
                names: {
                    let mut names = Vec::new();
                    let mut inner = r.enter(Tag::SEQUENCE)?;
                    while !inner.is_empty() {
                        let kind = inner.utf8_string()?.to_owned();
                        names.push((kind, inner.utf8_string()?.to_owned()));
                    }
                    names
                },
                peer: r.octet_string()?.to_vec(),
                roots: octet_strings(r)?,
                intermediates: octet_strings(r)?,
                lists: octet_strings(r)?,
            })
        })
    }

    /// Writes it.
    pub(crate) fn write(&self, w: &mut Writer) {
        let octet_strings = |w: &mut Writer, all: &[Vec<u8>]| {
            w.sequence(|w| all.iter().for_each(|octets| w.octet_string(octets)));
        };
        w.sequence(|w| {
            w.utf8_string(&self.id);
            w.boolean(self.valid);
            w.integer_u64(self.time);
            w.boolean(self.client);
            w.boolean(self.signs);
            if let Some(depth) = self.max_depth {
                w.explicit(0, |w| w.integer_u64(depth));
            }
            w.sequence(|w| {
                for (kind, name) in &self.names {
                    w.utf8_string(kind);
                    w.utf8_string(name);
                }
            });
            w.octet_string(&self.peer);
            octet_strings(w, &self.roots);
            octet_strings(w, &self.intermediates);
            octet_strings(w, &self.lists);
        });
    }
}

fn octet_strings(r: &mut Reader<'_>) -> Result<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    let mut inner = r.enter(Tag::SEQUENCE)?;
    while !inner.is_empty() {
        all.push(inner.octet_string()?.to_vec());
    }
    Ok(all)
}
