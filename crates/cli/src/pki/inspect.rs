//! `adamant pki show FILE` and `adamant pki lint`: what is in files, whoever made them.

use std::io::Write;
use std::path::{Path, PathBuf};

use adamant::der::pem;
use adamant::x509::crl::CertificateList;
use adamant::x509::csr::CertificationRequest;
use adamant::x509::extensions::{CertificateExtensions, DistributionPointName};
use adamant::x509::ocsp::{CertStatus, OcspResponse, ResponderId};
use adamant::x509::{
    AlgorithmIdentifier, Certificate, Name, PublicKey, SecretBytes, SignatureAlgorithm,
};
use adamant_pki::ca::lint::{self, Standard};
use adamant_pki::ca::profile::purpose_name;
use adamant_pki::ca::{Finding, inspect};
use serde_json::{Map, Value, json};

use super::place::{LONGEST, say};
use crate::Failure;
use crate::input::Input;
use crate::keys;
use crate::text::{hex, shown, shown_path};

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Certificate,
    Request,
    List,
    Response,
    Key,
}

/// The labels of PEM.
const LABELS: [(&str, Kind); 11] = [
    ("CERTIFICATE", Kind::Certificate),
    ("CERTIFICATE REQUEST", Kind::Request),
    ("NEW CERTIFICATE REQUEST", Kind::Request),
    ("X509 CRL", Kind::List),
    ("OCSP RESPONSE", Kind::Response),
    ("PRIVATE KEY", Kind::Key),
    ("ENCRYPTED PRIVATE KEY", Kind::Key),
    ("EC PRIVATE KEY", Kind::Key),
    ("RSA PRIVATE KEY", Kind::Key),
    ("PUBLIC KEY", Kind::Key),
    ("RSA PUBLIC KEY", Kind::Key),
];

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Certificate => "certificate",
            Kind::Request => "request",
            Kind::List => "list of revoked certificates",
            Kind::Response => "OCSP response",
            Kind::Key => "key",
        }
    }

    /// What reads DER as its kind.
    fn of(der: &[u8]) -> Self {
        if Certificate::from_der(der).is_ok() {
            Kind::Certificate
        } else if CertificationRequest::from_der(der).is_ok() {
            Kind::Request
        } else if CertificateList::from_der(der).is_ok() {
            Kind::List
        } else if OcspResponse::from_der(der).is_ok() {
            Kind::Response
        } else if keys::is_key(der) {
            Kind::Key
        } else {
            // It is said of that what is wrong.
            Kind::Certificate
        }
    }
}

/// Something in a file.
struct Item {
    kind: Kind,
    der: SecretBytes,
    is_pem: bool,
}

/// What is in a file, one after another.
fn read(path: &Path) -> Result<Vec<Item>, Failure> {
    let bytes = Input::open(Some(path))?.whole(LONGEST)?;
    let name = shown_path(path);
    if bytes.first() == Some(&0x30) {
        return Ok(vec![Item {
            kind: Kind::of(&bytes),
            der: bytes,
            is_pem: false,
        }]);
    }
    let mut all = Vec::new();
    for block in pem::decode(&bytes[..]) {
        let block = block.map_err(|e| Failure::Run(format!("{name}: {e}")))?;
        let label = block.label();
        if let Some((_, kind)) = LABELS.iter().find(|(known, _)| *known == label) {
            all.push(Item {
                kind: *kind,
                der: SecretBytes::from(block.into_der()),
                is_pem: true,
            });
        }
    }
    if all.is_empty() {
        return Err(Failure::Run(format!(
            "{name}: no certificate, request, list, OCSP response or key"
        )));
    }
    Ok(all)
}

/// The request in a file.
pub(super) fn read_request(path: &Path) -> Result<Vec<u8>, Failure> {
    let all = read(path)?;
    if let Some(found) = all.iter().find(|item| item.kind == Kind::Request) {
        return Ok(found.der.to_vec());
    }
    let (name, what) = (shown_path(path), all[0].kind.name());
    let way = match all[0].kind {
        Kind::Certificate => "; adamant pki issue --public-key certifies the key of a certificate",
        Kind::Key => "; adamant pki issue --public-key certifies a key without one",
        _ => "",
    };
    Err(Failure::Usage(format!(
        "{name}: a {what}, where a request (PKCS #10) is needed{way}"
    )))
}

/// Names and values, in their order; a name may come again.
type Fields = Vec<(&'static str, String)>;

pub(super) fn show(path: &Path, as_pem: bool, as_json: bool) -> Result<(), Failure> {
    let all = read(path)?;
    let mut out = std::io::stdout().lock();
    for (i, Item { kind, der, is_pem }) in all.iter().enumerate() {
        if *kind == Kind::Key {
            if as_pem {
                let name = shown_path(path);
                let sentence = format!("{name}: a key; adamant pkey writes it in its forms");
                return Err(Failure::Usage(sentence));
            }
            keys::show_key(path, der, *is_pem, as_json)?;
            continue;
        }
        if as_pem {
            let label = LABELS.iter().find(|(_, known)| known == kind);
            write!(out, "{}", pem::encode(label.map_or("", |row| row.0), der))?;
            continue;
        }
        let failed = |e| Failure::Run(format!("{}: {e}", shown_path(path)));
        let fields = fields(*kind, der).map_err(failed)?;
        if as_json {
            say(&object(&fields))?;
            continue;
        }
        if i > 0 {
            writeln!(out)?;
        }
        for (name, value) in fields {
            writeln!(out, "{name:11} {value}")?;
        }
    }
    Ok(out.flush()?)
}

/// In JSON, what may come again is a list.
fn object(fields: &Fields) -> Value {
    const MANY: [&str; 7] = [
        "name",
        "revoked",
        "answer",
        "purpose",
        "extension",
        "lists at",
        "access",
    ];
    let mut object = Map::new();
    for (name, value) in fields {
        if !MANY.contains(name) {
            object.insert((*name).to_owned(), json!(value));
            continue;
        }
        let list = object.entry(*name).or_insert_with(|| json!([]));
        if let Some(list) = list.as_array_mut() {
            list.push(json!(value));
        }
    }
    Value::Object(object)
}

fn fields(kind: Kind, der: &[u8]) -> adamant::x509::Result<Fields> {
    let mut fields = vec![("kind", kind.name().to_owned())];
    match kind {
        Kind::Certificate => certificate(der, &mut fields)?,
        Kind::Request => request(der, &mut fields)?,
        Kind::List => list(der, &mut fields)?,
        Kind::Response => response(der, &mut fields)?,
        Kind::Key => {}
    }
    let fingerprint = hex(&adamant::hash::Sha256::digest(der));
    fields.push(("sha256", fingerprint));
    Ok(fields)
}

fn signature(algorithm: &AlgorithmIdentifier<'_>) -> String {
    match SignatureAlgorithm::from_identifier(algorithm) {
        Some(known) => known.name().to_owned(),
        None => algorithm.oid.to_string(),
    }
}

fn key(key: adamant::x509::Result<PublicKey>) -> String {
    match key {
        Ok(PublicKey::Rsa(key)) => format!("RSA {}", key.bits()),
        Ok(PublicKey::Unknown(key)) => key.oid.to_string(),
        Ok(key) => key.algorithm().map_or("unknown", |a| a.name()).to_owned(),
        Err(error) => format!("cannot be read: {error}"),
    }
}

fn name(name: &Name<'_>) -> String {
    if name.is_empty() {
        return "none".to_owned();
    }
    name.to_string()
}

fn certificate(der: &[u8], fields: &mut Fields) -> adamant::x509::Result<()> {
    let certificate = Certificate::from_der(der)?;
    let validity = certificate.validity()?;
    fields.push(("version", certificate.version().to_string()));
    fields.push(("serial", certificate.serial().to_string()));
    fields.push(("subject", name(&certificate.subject()?)));
    fields.push(("issuer", name(&certificate.issuer()?)));
    let period = format!("{} to {}", validity.not_before(), validity.not_after());
    fields.push(("valid", period));
    fields.push(("key", key(certificate.public_key())));
    fields.push(("signature", signature(certificate.signature_algorithm())));
    match CertificateExtensions::decode(certificate.extensions()) {
        Ok(extensions) => said(&extensions, fields),
        Err(error) => fields.push(("extensions", format!("cannot be read: {error}"))),
    }
    for extension in certificate.extensions().iter().flatten() {
        let critical = if extension.critical { ", critical" } else { "" };
        fields.push(("extension", format!("{}{critical}", extension.oid)));
    }
    Ok(())
}

/// What extensions say, in a few words.
fn said(extensions: &CertificateExtensions<'_>, fields: &mut Fields) {
    if let Some(names) = extensions.subject_alt_name {
        let names = names.0.iter().map(|name| ("name", name.to_string()));
        fields.extend(names);
    }
    if let Some(basic) = extensions.basic_constraints {
        let ca = match (basic.ca, basic.path_len) {
            (false, _) => "no".to_owned(),
            (true, None) => "yes".to_owned(),
            (true, Some(below)) => format!("yes, with {below} CAs below it at most"),
        };
        fields.push(("CA", ca));
    }
    if let Some(usage) = extensions.key_usage {
        fields.push(("usage", format!("{usage:?}").replace(" | ", ", ")));
    }
    if let Some(purposes) = extensions.extended_key_usage {
        for oid in purposes.0.iter() {
            let known = purpose_name(&oid);
            fields.push(("purpose", known.map_or(oid.to_string(), str::to_owned)));
        }
    }
    if let Some(points) = extensions.crl_distribution_points {
        for point in points.0.iter() {
            if let Some(DistributionPointName::Full(names)) = point.name {
                let names: Vec<_> = names.iter().map(|name| name.to_string()).collect();
                fields.push(("lists at", names.join(", ")));
            }
        }
    }
    if let Some(access) = extensions.authority_info_access {
        for access in access.0.iter() {
            fields.push(("access", format!("{} {}", access.method, access.location)));
        }
    }
}

fn request(der: &[u8], fields: &mut Fields) -> adamant::x509::Result<()> {
    let request = CertificationRequest::from_der(der)?;
    fields.push(("subject", name(&request.subject)));
    fields.push(("key", key(request.public_key())));
    fields.push(("signature", signature(request.signature_algorithm())));
    let verifies = match request.verify() {
        Ok(()) => "by this key".to_owned(),
        Err(error) => format!("not by this key: {error}"),
    };
    fields.push(("signed", verifies));
    said(&request.extensions, fields);
    Ok(())
}

/// Entries that are shown; of more there is the number.
const SHOWN: usize = 100;

fn list(der: &[u8], fields: &mut Fields) -> adamant::x509::Result<()> {
    let list = CertificateList::from_der(der)?;
    fields.push(("version", list.version().to_string()));
    fields.push(("issuer", name(&list.issuer)));
    fields.push(("made", list.this_update.to_string()));
    let next = list.next_update.map(|next| next.to_string());
    fields.push(("next", next.unwrap_or_else(|| "not said".to_owned())));
    fields.push(("signature", signature(list.signature_algorithm())));
    let mut entries = 0;
    let mut revoked = Vec::new();
    for entry in list.entries() {
        let entry = entry?;
        entries += 1;
        if entries <= SHOWN {
            let reason = entry.reason()?.map_or("", |reason| reason.name());
            let line = format!("{} {} {reason}", entry.serial, entry.date);
            revoked.push(("revoked", line.trim_end().to_owned()));
        }
    }
    match list.full() {
        Ok(full) => {
            let integer = |number: &[u8]| hex(number);
            if let Some(number) = full.extensions.crl_number {
                fields.push(("number", format!("0x{}", integer(number.0.as_bytes()))));
            }
            if let Some(base) = full.extensions.delta_crl_indicator {
                fields.push(("changes of", format!("0x{}", integer(base.0.as_bytes()))));
            }
        }
        Err(error) => fields.push(("extensions", format!("cannot be read: {error}"))),
    }
    fields.push(("entries", entries.to_string()));
    fields.extend(revoked);
    Ok(())
}

fn response(der: &[u8], fields: &mut Fields) -> adamant::x509::Result<()> {
    let response = OcspResponse::from_der(der)?;
    fields.push(("status", response.status.name().to_owned()));
    let Ok(basic) = response.basic() else {
        return Ok(());
    };
    let responder = match &basic.responder {
        ResponderId::Name(of) => name(of),
        ResponderId::KeyHash(hash) => format!("key {}", hex(hash)),
    };
    fields.push(("responder", responder));
    fields.push(("made", basic.produced_at.to_string()));
    fields.push(("signature", signature(basic.signature_algorithm())));
    for answer in basic.responses.iter() {
        let status = match answer.status {
            CertStatus::Good => "good".to_owned(),
            CertStatus::Unknown => "unknown".to_owned(),
            CertStatus::Revoked { time, reason } => {
                let reason = reason.map_or("", |reason| reason.name());
                format!("revoked {time} {reason}").trim_end().to_owned()
            }
        };
        let next = answer.next_update.map(|next| format!(" to {next}"));
        let next = next.unwrap_or_default();
        let (serial, from) = (answer.cert_id.serial, answer.this_update);
        fields.push(("answer", format!("{serial} {status}, from {from}{next}")));
    }
    Ok(())
}

/// Lint certificates, requests, lists, OCSP responses and keys: exit code 1 if something is wrong.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki lint www.pem
  adamant pki lint --json ca.crl request.pem key.pem

The rules are those that a file by itself can break: RFC 5280, RFC 2986, RFC 6960
and the strength of keys. A CA lints everything before signing it, against its profile too.")]
pub(super) struct LintArgs {
    /// PEM or DER
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Check certificates against the Baseline Requirements of the CA/Browser Forum, too
    #[arg(long)]
    web: bool,

    /// Print one JSON object for each
    #[arg(long)]
    json: bool,
}

pub(super) fn lint(args: &LintArgs) -> Result<(), Failure> {
    let standard = match args.web {
        true => Standard::WebPki,
        false => Standard::Rfc5280,
    };
    let mut wrong = false;
    let mut out = std::io::stdout().lock();
    for path in &args.files {
        let several = read(path)?;
        let many = several.len() > 1;
        for (i, Item { kind, der, is_pem }) in several.iter().enumerate() {
            let findings = match kind {
                Kind::Certificate => lint::certificate(der, standard),
                Kind::Request => inspect::request(der),
                Kind::List => inspect::list(der),
                Kind::Response => inspect::response(der),
                Kind::Key => keys::lint_key(path, der, *is_pem)?,
            };
            wrong |= !findings.is_empty();
            if args.json {
                say(&told(path, i, *kind, &findings))?;
                continue;
            }
            let name = shown_path(path);
            let number = if many {
                format!(" {}", i + 1)
            } else {
                String::new()
            };
            let number = format!("{name}: {}{number}", kind.name());
            if findings.is_empty() {
                writeln!(out, "{number}: nothing is wrong")?;
            }
            for finding in &findings {
                writeln!(out, "{number}: {}", shown(&finding.to_string()))?;
            }
        }
    }
    out.flush()?;
    if wrong { Err(Failure::Told) } else { Ok(()) }
}

fn told(path: &Path, index: usize, kind: Kind, findings: &[Finding]) -> Value {
    let findings: Vec<_> = findings
        .iter()
        .map(|finding| json!({ "rule": finding.rule, "what": finding.what }))
        .collect();
    json!({
        "file": path.to_string_lossy(),
        "index": index,
        "kind": kind.name(),
        "findings": findings,
    })
}
