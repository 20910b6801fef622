//! The x509-limbo collection (<https://github.com/C2SP/x509-limbo>): every case of `limbo.json`
//! with the profile of its namespace, and the names of those with another result than expected.
//!
//! ```text
//! cargo run --release -p adamant-x509 --example limbo -- limbo.json [PART-OF-A-NAME]
//! ```

use std::net::IpAddr;

use adamant_der::{Time, pem};
use adamant_x509::Certificate;
use adamant_x509::crl::CertificateList;
use adamant_x509::extensions::{ExtendedKeyUsage, KeyUsage};
use adamant_x509::path::{
    Options, PeerName, Profile, Revocation, Strictness, TrustAnchor, validate,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Limbo {
    testcases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    trusted_certs: Vec<String>,
    untrusted_intermediates: Vec<String>,
    peer_certificate: String,
    validation_time: Option<String>,
    validation_kind: String,
    key_usage: Vec<String>,
    extended_key_usage: Vec<String>,
    expected_result: String,
    expected_peer_name: Option<Peer>,
    expected_peer_names: Vec<Peer>,
    max_chain_depth: Option<usize>,
    crls: Vec<String>,
}

#[derive(Deserialize)]
struct Peer {
    kind: String,
    value: String,
}

impl Peer {
    fn name(&self) -> PeerName<'_> {
        match self.kind.as_str() {
            "DNS" => PeerName::Dns(&self.value),
            "IP" => PeerName::Ip(self.value.parse::<IpAddr>().expect("an address")),
            "RFC822" => PeerName::Email(&self.value),
            kind => panic!("unknown kind of name: {kind}"),
        }
    }
}

fn der(text: &str, label: &str) -> Option<Vec<u8>> {
    let block = pem::decode_first(text, &[label]).ok()?;
    Some(block.der().to_vec())
}

/// What the case is validated with: the Web's rules for what is about them and for what servers
/// had, those of RFC 5280 for the rest.
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

fn run(case: &Case, now: Time) -> Result<usize, String> {
    let certificates = |texts: &[String]| -> Vec<Vec<u8>> {
        texts
            .iter()
            .filter_map(|text| der(text, "CERTIFICATE"))
            .collect()
    };
    let peer = der(&case.peer_certificate, "CERTIFICATE").ok_or("no certificate")?;
    let peer = Certificate::parse(&peer).map_err(|error| format!("peer: {error}"))?;
    let intermediates = certificates(&case.untrusted_intermediates);
    let intermediates: Vec<_> = intermediates
        .iter()
        .filter_map(|der| Certificate::parse(der).ok())
        .collect();
    let roots = certificates(&case.trusted_certs);
    let anchors: Vec<_> = roots
        .iter()
        .filter_map(|der| TrustAnchor::from_certificate(&Certificate::parse(der).ok()?).ok())
        .collect();
    let lists: Vec<_> = case
        .crls
        .iter()
        .filter_map(|text| der(text, "X509 CRL"))
        .collect();
    let lists: Vec<_> = lists
        .iter()
        .filter_map(|der| CertificateList::parse(der).ok())
        .collect();
    let names = case
        .expected_peer_name
        .iter()
        .chain(&case.expected_peer_names);
    let names: Vec<_> = names.map(Peer::name).collect();
    let time = match &case.validation_time {
        // What is below a second does not count.
        Some(text) => format!("{}Z", &text[..19]).parse().expect("a time"),
        None => now,
    };
    let purposes: Vec<_> = case
        .extended_key_usage
        .iter()
        .map(|name| match name.as_str() {
            "serverAuth" => ExtendedKeyUsage::SERVER_AUTH,
            "clientAuth" => ExtendedKeyUsage::CLIENT_AUTH,
            name => panic!("unknown purpose {name}"),
        })
        .collect();
    let purpose = match case.validation_kind.as_str() {
        "SERVER" => ExtendedKeyUsage::SERVER_AUTH,
        _ => ExtendedKeyUsage::CLIENT_AUTH,
    };
    assert!(purposes.is_empty() || purposes == [purpose]);
    let usage = case
        .key_usage
        .iter()
        .map(|name| match name.as_str() {
            "digitalSignature" => KeyUsage::DIGITAL_SIGNATURE,
            name => panic!("unknown usage {name}"),
        })
        .next();
    let revocation = Revocation::new(&lists, &[], Strictness::Soft);
    let mut options = Options {
        purpose: Some(purpose),
        key_usage: usage,
        names: &names,
        revocation: (!case.crls.is_empty()).then_some(revocation),
        public_suffix: Some(&is_public_suffix),
        ..Options::new(profile(&case.id), time)
    };
    if let Some(depth) = case.max_chain_depth {
        options.max_depth = depth;
    }
    let path = validate(&peer, &intermediates, &anchors, &options);
    path.map(|path| path.certificates.len())
        .map_err(|error| error.to_string())
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("the path of limbo.json");
    let only = arguments.next().unwrap_or_default();
    let text = std::fs::read_to_string(&file).expect("a readable file");
    let limbo: Limbo = serde_json::from_str(&text).expect("the form of limbo.json");
    let now = std::time::SystemTime::now();
    let now = now
        .duration_since(std::time::UNIX_EPOCH)
        .expect("a clock")
        .as_secs();
    let now = Time::from_unix(now as i64).expect("a year of four digits");
    let (mut right, mut all) = (0, 0);
    for case in limbo
        .testcases
        .iter()
        .filter(|case| case.id.contains(&only))
    {
        let result = run(case, now);
        all += 1;
        if result.is_ok() == (case.expected_result == "SUCCESS") {
            right += 1;
        } else {
            println!(
                "{}: expected {}, got {result:?}",
                case.id, case.expected_result
            );
        }
        if !only.is_empty() {
            println!("  {}: {result:?}", case.id);
        }
    }
    println!("{right} of {all}");
    if right != all {
        std::process::exit(1);
    }
}
