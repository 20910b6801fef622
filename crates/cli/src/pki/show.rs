//! `adamant pki list`, `show`, `audit`: what there is, and whether somebody changed it.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use adamant::der::pem;
use adamant::x509::FullCertificate;
use adamant_pki::ca::audit::audit as verify;
use adamant_pki::ca::{Authority, CERTIFICATE, REQUEST};
use adamant_pki::store::{AuditHead, CaStore, Entry, Filter, Number};
use serde_json::{Value, json};

use super::inspect;
use super::issue::described;
use super::place::{self, say, serial};
use super::which::Which;
use crate::Failure;
use crate::text::{Json, hex, shown, shown_name, shown_subject, unhex};

/// List serial numbers.
#[derive(clap::Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    which: Which,

    /// Those with a serial number above this
    #[arg(long, value_name = "SERIAL", value_parser = serial)]
    after: Option<Number>,

    /// At most this many
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn entry_json(entry: &Entry) -> Value {
    let revocation = entry.revoked().map(|revocation| {
        json!({
            "reason": revocation.reason.name(),
            "date": revocation.date.to_string(),
            "invalidity_date": revocation.invalidity_date.map(|date| date.to_string()),
        })
    });
    json!({
        "serial": entry.serial.to_string(),
        "state": entry.state.name(),
        "revocation": revocation,
        "subject": entry.subject,
        "profile": entry.profile,
        "shard": entry.shard,
        "not_before": entry.not_before.to_string(),
        "not_after": entry.not_after.to_string(),
        "at": entry.at.to_string(),
        "batch": entry.item.as_ref().map(|item| &*item.batch),
        "line": entry.item.as_ref().map(|item| item.number),
    })
}

/// The state in a word.
fn word(entry: &Entry) -> &'static str {
    match entry.revoked() {
        Some(_) => "revoked",
        None => entry.state.name(),
    }
}

pub(super) fn list(store: &str, args: &ListArgs) -> Result<(), Failure> {
    /// Entries that are read at once.
    const PAGE: usize = 1000;
    let opened = place::open(store)?;
    let mut filter = Filter {
        after: args.after,
        ..args.which.filter()
    };
    let mut left = args.limit.unwrap_or(usize::MAX);
    let mut out = std::io::stdout().lock();
    while left > 0 {
        filter.limit = Some(left.min(PAGE));
        let entries = opened.list(&filter)?;
        let Some(last) = entries.last() else {
            break;
        };
        filter.after = Some(last.serial);
        left -= entries.len();
        for entry in &entries {
            if args.json {
                writeln!(out, "{}", Json(&entry_json(entry)))?;
            } else {
                let (serial, until) = (entry.serial.to_string(), entry.not_after);
                let word = word(entry);
                let until = until.to_string();
                let (profile, subject) = (shown(&entry.profile), shown_subject(&entry.subject));
                writeln!(
                    out,
                    "{serial:40} {word:9} {until:20} {profile:12} {subject}"
                )?;
            }
        }
    }
    Ok(out.flush()?)
}

/// Show what is known of a serial number or of the CA, or what is in a file.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki show                the CA
  adamant pki show 5a0c…          a certificate that it issued, and what became of it
  adamant pki show www.pem        a certificate, request, list, OCSP response or key

A private key is never shown, only its public part.")]
pub(super) struct ShowArgs {
    /// The serial number in hexadecimal, or a file, PEM or DER; the CA if there is none
    #[arg(value_name = "SERIAL|FILE")]
    what: Option<OsString>,

    /// Only the certificate, PEM
    #[arg(long)]
    pem: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "pem")]
    json: bool,
}

pub(super) fn show(store: &str, args: &ShowArgs) -> Result<(), Failure> {
    let number = match &args.what {
        None => None,
        Some(what) if Path::new(what).exists() => {
            return inspect::show(Path::new(what), args.pem, args.json);
        }
        Some(what) => {
            let number = what.to_str().and_then(|what| serial(what).ok());
            let name = shown_name(what);
            let neither = || format!("{name}: no such file, and not a serial number either");
            Some(number.ok_or_else(|| Failure::Run(neither()))?)
        }
    };
    let opened = place::open(store)?;
    let Some(number) = number else {
        return show_ca(&*opened, args);
    };
    let unknown = || Failure::Run(format!("no serial number {number} was ever issued"));
    let entry = opened.entry(number)?.ok_or_else(unknown)?;
    let certificate = opened.certificate(number)?;
    let text = certificate
        .as_ref()
        .map(|der| pem::encode("CERTIFICATE", der));
    if args.pem {
        let without = || Failure::Run(format!("there is no certificate: it is {}", entry.state));
        print!("{}", text.ok_or_else(without)?);
        return Ok(());
    }
    let mut value = entry_json(&entry);
    if let (Some(der), Some(text)) = (&certificate, &text) {
        value["certificate"] = described(der, text)?;
    }
    if args.json {
        return say(&value);
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "serial      {number}")?;
    writeln!(out, "state       {}", word(&entry))?;
    if let Some(revocation) = entry.revoked() {
        writeln!(out, "revoked     {} {}", revocation.date, revocation.reason)?;
    }
    writeln!(out, "profile     {}", shown(&entry.profile))?;
    if let Some(der) = &certificate {
        details(&mut out, der)?;
    } else {
        writeln!(out, "subject     {}", shown_subject(&entry.subject))?;
        writeln!(
            out,
            "valid       {} to {}",
            entry.not_before, entry.not_after
        )?;
    }
    Ok(out.flush()?)
}

/// A certificate's fields, one a line.
fn details(out: &mut impl Write, der: &[u8]) -> Result<(), Failure> {
    let certificate = FullCertificate::from_der(der)?;
    let validity = certificate.validity;
    let key = certificate.public_key()?.algorithm();
    let key = key.map_or("unknown", |algorithm| algorithm.name());
    writeln!(out, "subject     {}", certificate.subject)?;
    writeln!(out, "issuer      {}", certificate.issuer)?;
    writeln!(
        out,
        "valid       {} to {}",
        validity.not_before(),
        validity.not_after()
    )?;
    writeln!(out, "key         {key}")?;
    for name in certificate
        .extensions
        .subject_alt_name
        .iter()
        .flat_map(|names| names.0.iter())
    {
        writeln!(out, "name        {name}")?;
    }
    let fingerprint = hex(&adamant::hash::Sha256::digest(der));
    writeln!(out, "sha256      {fingerprint}")?;
    Ok(())
}

fn show_ca(store: &dyn CaStore, args: &ShowArgs) -> Result<(), Failure> {
    let settings = Authority::read_settings(store)?;
    let certificate = store.document(CERTIFICATE)?;
    let text = certificate
        .as_ref()
        .map(|der| pem::encode("CERTIFICATE", der));
    if args.pem {
        let request = store.document(REQUEST)?;
        let text = text.or(request.map(|der| pem::encode("CERTIFICATE REQUEST", &der)));
        print!("{}", text.unwrap_or_default());
        return Ok(());
    }
    let counts = store.counts()?;
    if args.json {
        let certificate = match (&certificate, &text) {
            (Some(der), Some(text)) => described(der, text)?,
            _ => Value::Null,
        };
        return say(&json!({
            "certificate": certificate,
            "settings": settings,
            "intents": counts.intents,
            "certificates": counts.certificates,
            "abandoned": counts.abandoned,
            "revocations": counts.revocations,
            "crl_number": counts.crl_numbers,
        }));
    }
    let mut out = std::io::stdout().lock();
    match &certificate {
        Some(der) => details(&mut out, der)?,
        None => writeln!(out, "no certificate yet: install one")?,
    }
    let valid = counts.certificates;
    writeln!(out, "issued      {valid}")?;
    writeln!(out, "revoked     {}", counts.revocations)?;
    writeln!(out, "last CRL    {}", counts.crl_numbers)?;
    Ok(out.flush()?)
}

/// Verify the audit log, and the tables against it.
#[derive(clap::Args)]
#[command(
    after_help = "Keep the line that it prints elsewhere, and give it as --anchor the next
time: then nobody can cut the log's end off either."
)]
pub(super) struct AuditArgs {
    /// A head that was printed before: NUMBER:HASH
    #[arg(long, value_name = "HEAD", value_parser = anchor)]
    anchor: Vec<AuditHead>,

    /// Print the rows too
    #[arg(long)]
    log: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn anchor(text: &str) -> Result<AuditHead, String> {
    let wrong = || format!("{text:?} is not a head such as 12:5f0c…");
    let (sequence, hash) = text.split_once(':').ok_or_else(wrong)?;
    let hash = unhex(hash.as_bytes()).and_then(|hash| hash.try_into().ok());
    Ok(AuditHead {
        sequence: sequence.parse().map_err(|_| wrong())?,
        hash: hash.ok_or_else(wrong)?,
        ..AuditHead::START
    })
}

pub(super) fn audit(store: &str, args: &AuditArgs) -> Result<(), Failure> {
    let opened = place::open(store)?;
    if args.log {
        print_log(&*opened, args.json)?;
    }
    match verify(&*opened, &args.anchor)? {
        Ok(head) => {
            let (sequence, hash) = (head.sequence, hex(&head.hash));
            if args.json {
                return say(&json!({ "valid": true, "rows": sequence, "hash": hash }));
            }
            println!("{sequence}:{hash}");
            Ok(())
        }
        Err(fault) => {
            let what = fault.to_string();
            if args.json {
                say(&json!({ "valid": false, "what": what }))?;
                return Err(Failure::Told);
            }
            Err(Failure::Run(format!(
                "the audit log is not in order: {what}"
            )))
        }
    }
}

fn print_log(store: &dyn CaStore, as_json: bool) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let mut next = 1;
    loop {
        let rows = store.audit(next, 1000)?;
        let Some(last) = rows.last() else {
            return Ok(out.flush()?);
        };
        next = last.sequence + 1;
        for row in &rows {
            let event = &row.event;
            let subject = event.subject.map(|subject| subject.to_string());
            if as_json {
                let value = json!({
                    "row": row.sequence,
                    "at": row.at.to_string(),
                    "kind": event.kind.name(),
                    "subject": subject,
                    "digest": hex(&event.digest),
                    "note": event.note,
                    "hash": hex(&row.hash),
                });
                writeln!(out, "{}", Json(&value))?;
            } else {
                let (number, at, kind) = (row.sequence, row.at, event.kind);
                let (subject, note) = (subject.unwrap_or_default(), shown(&event.note));
                writeln!(out, "{number} {at} {kind} {subject} {note}")?;
            }
        }
    }
}
