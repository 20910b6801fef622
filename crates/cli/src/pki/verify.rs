//! `adamant pki verify`: whether a certificate is good, for what, and for whom.

use std::net::IpAddr;
use std::path::PathBuf;

use adamant::der::{Leniency, Time};
use adamant::x509::Certificate;
use adamant::x509::crl::CertificateList;
use adamant::x509::ocsp::OcspResponse;
use adamant::x509::path::{
    Options, PeerName, Profile, Revocation, Strictness, TrustAnchor, validate,
};
use adamant_pki::ca::{Authority, CERTIFICATE, a_labels, profile::purpose, system_clock};
use adamant_pki::store::{CaStore, CrlScope};
use serde_json::json;

use super::place::{self, LONGEST, read_all, say, time};
use crate::Failure;
use crate::input::Input;
use crate::text::shown;

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Rules {
    /// Section 6 of RFC 5280
    Path,
    /// All of RFC 5280
    Rfc5280,
    /// RFC 5280, and the Baseline Requirements for TLS servers
    Webpki,
}

/// A fault of encoding that is let pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Fault {
    /// A default is spelled out: `critical FALSE`, `cA FALSE`, version 1
    EncodedDefaults,
    /// A list has a GeneralizedTime of a year before 2050
    EarlyGeneralizedTimes,
    /// A serial number has 20 octets and another for its sign
    LongSerials,
    /// A list without entries has an empty list of them
    EmptyRevokedCertificates,
    /// A constraint on domains has a dot in front
    LeadingDots,
}

impl From<Fault> for Leniency {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::EncodedDefaults => Self::ENCODED_DEFAULTS,
            Fault::EarlyGeneralizedTimes => Self::EARLY_GENERALIZED_TIMES,
            Fault::LongSerials => Self::LONG_SERIALS,
            Fault::EmptyRevokedCertificates => Self::EMPTY_REVOKED_CERTIFICATES,
            Fault::LeadingDots => Self::LEADING_DOTS,
        }
    }
}

/// Verify a certificate: its chain, purpose, names and revocation.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki verify www.pem --host www.example.org
  adamant pki verify www.pem --ca root.pem --untrusted issuing.pem --crl ca.crl

Without --ca the store's CA is trusted, and its last lists are consulted. If lists
or responses are given, a certificate that they do not cover is refused, unless
--soft is given.")]
pub(super) struct Args {
    /// The certificate, PEM or DER; in PEM, intermediate ones may follow
    #[arg(value_name = "FILE")]
    certificate: PathBuf,

    /// Trusted certificates, instead of the store's CA
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,

    /// Intermediate certificates
    #[arg(long, value_name = "FILE")]
    untrusted: Vec<PathBuf>,

    /// What it is for: serverAuth, clientAuth, codeSigning, … or a dotted number
    #[arg(long, value_name = "PURPOSE")]
    purpose: Option<String>,

    /// A host that it must name: a domain or an address
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,

    /// A mail address that it must name
    #[arg(long, value_name = "ADDRESS")]
    email: Vec<String>,

    /// Lists of revoked certificates
    #[arg(long, value_name = "FILE")]
    crl: Vec<PathBuf>,

    /// OCSP responses
    #[arg(long, value_name = "FILE")]
    ocsp: Vec<PathBuf>,

    /// Accept certificates that no list and no response covers
    #[arg(long)]
    soft: bool,

    /// Accept lists from dedicated issuers, which are not CAs, with cRLSign and a valid path
    #[arg(long)]
    dedicated_crl_issuers: bool,

    /// Let a fault of encoding pass, in certificates and lists
    #[arg(long, value_enum, value_name = "FAULT")]
    lenient: Vec<Fault>,

    /// The rules
    #[arg(long, value_enum, value_name = "RULES", default_value = "rfc5280")]
    rules: Rules,

    /// The time at which it must be valid; now by default
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<Time>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// All encodings in these files.
fn collect(paths: &[PathBuf], label: &str) -> Result<Vec<Vec<u8>>, Failure> {
    let mut all = Vec::new();
    for path in paths {
        all.extend(read_all(path, label)?);
    }
    Ok(all)
}

/// The CA of the store, and its last lists.
fn of_store(store: &dyn CaStore) -> Result<(Vec<u8>, Vec<Vec<u8>>), Failure> {
    let shards = Authority::read_settings(store)?.shards();
    let certificate = store.document(CERTIFICATE)?;
    let certificate = certificate
        .ok_or_else(|| Failure::Run("the CA of the store has no certificate yet".to_owned()))?;
    let mut lists = Vec::new();
    let shards = (0..shards).filter(|_| shards > 1).map(Some);
    for shard in shards.chain([None]) {
        for delta in [false, true] {
            let latest = store.latest_crl(CrlScope { shard, delta })?;
            lists.extend(latest.map(|crl| crl.der));
        }
    }
    Ok((certificate, lists))
}

pub(super) fn run(store: &str, args: &Args) -> Result<(), Failure> {
    const LABEL: &str = "CERTIFICATE";
    let mut chain = read_all(&args.certificate, LABEL)?;
    let untrusted = collect(&args.untrusted, LABEL)?;
    let target = chain.remove(0);
    chain.extend(untrusted);
    let mut trusted = collect(&args.ca, LABEL)?;
    let mut lists = collect(&args.crl, "X509 CRL")?;
    if trusted.is_empty() {
        let opened = place::open(store)?;
        let (certificate, own) = of_store(&*opened)?;
        trusted.push(certificate);
        lists.extend(own);
    }
    let mut responses = Vec::new();
    for path in &args.ocsp {
        responses.push(Input::open(Some(path))?.whole(LONGEST)?.to_vec());
    }

    let faults = args.lenient.iter().map(|&fault| Leniency::from(fault));
    let faults = faults.fold(Leniency::NONE, |all, fault| all | fault);
    let certificate = |der| Certificate::from_der_lenient(der, faults);
    let target = certificate(&target)?;
    let chain = parse(&chain, certificate)?;
    let trusted = parse(&trusted, certificate)?;
    let anchors = trusted.iter().map(TrustAnchor::from_certificate);
    let anchors = anchors.collect::<Result<Vec<_>, _>>()?;
    let lists = parse(&lists, |der| CertificateList::from_der_lenient(der, faults))?;
    let responses = parse(&responses, OcspResponse::from_der)?;
    let names = args.host.iter().map(|host| host_name(host));
    let mut names = names.collect::<Result<Vec<_>, _>>()?;
    names.extend(args.email.iter().map(|email| PeerName::Email(email)));
    let purpose = args.purpose.as_deref().map(purpose).transpose()?;
    let rules = match args.rules {
        Rules::Path => Profile::Path,
        Rules::Rfc5280 => Profile::Rfc5280,
        Rules::Webpki => Profile::WebPki,
    };
    let strictness = if args.soft {
        Strictness::Soft
    } else {
        Strictness::Hard
    };
    let asked = !lists.is_empty() || !responses.is_empty();
    let options = Options {
        purpose,
        names: &names,
        revocation: asked.then(|| Revocation {
            dedicated_crl_issuers: args.dedicated_crl_issuers,
            ..Revocation::new(&lists, &responses, strictness)
        }),
        ..Options::new(rules, args.at.unwrap_or_else(system_clock))
    };
    match validate(&target, &chain, &anchors, &options) {
        Ok(path) => {
            let mut subjects = Vec::new();
            for certificate in &path.certificates {
                subjects.push(certificate.subject()?.to_string());
            }
            subjects.push(path.anchor.name().to_string());
            if args.json {
                let revocation = asked;
                return say(&json!({
                    "valid": true, "path": subjects, "revocation_checked": revocation,
                }));
            }
            println!("valid: {}", subjects.join(" < "));
            if !asked {
                println!("revocation was not checked: there is no list and no response");
            }
            Ok(())
        }
        Err(error) => {
            let (what, depth) = (error.to_string(), error.depth);
            if args.json {
                say(&json!({ "valid": false, "what": what, "depth": depth }))?;
                return Err(Failure::Told);
            }
            Err(Failure::Run(format!("not valid: {what}")))
        }
    }
}

fn host_name(host: &str) -> Result<PeerName<'_>, Failure> {
    match host.parse::<IpAddr>() {
        Ok(address) => Ok(PeerName::Ip(address)),
        Err(_) if host.is_ascii() => Ok(PeerName::Dns(host)),
        Err(_) => Err(beyond_ascii(host)),
    }
}

/// That a host has to be written in ASCII, and how.
pub(crate) fn beyond_ascii(host: &str) -> Failure {
    let instead = a_labels(host).map(|labels| format!(": write {labels}"));
    let instead = instead.unwrap_or_default();
    Failure::Usage(format!("{} is not ASCII{instead}", shown(host)))
}

fn parse<'a, T>(
    all: &'a [Vec<u8>],
    parse: impl Fn(&'a [u8]) -> adamant::x509::Result<T>,
) -> Result<Vec<T>, Failure> {
    let all = all.iter().map(|der| parse(der));
    Ok(all.collect::<Result<Vec<_>, _>>()?)
}
