//! `adamant pki issue` and `sign-csr`: certificates.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use adamant::der::{Time, pem};
use adamant::x509::{Certificate, DistinguishedName, FullCertificate, PrivateKey, PublicKey};
use adamant_pki::ca::{Authority, Request, SubjectName};
use serde_json::{Value, json};

use super::place::{self, Work, holder, refused, say, time};
use super::{bulk, common_name, inspect};
use crate::Failure;
use crate::keys::{self, Encryption, Form};
use crate::output::{Output, Target};
use crate::{password, signal};

/// What every issuance is told.
#[derive(clap::Args)]
pub(super) struct Common {
    /// The profile: server, client, code, intermediate, ocsp, or a custom one
    #[arg(long, value_name = "NAME", default_value = "server")]
    profile: String,

    /// Days of validity; the profile's by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36525))]
    days: Option<u32>,

    /// The first second of the validity; now by default
    #[arg(long, value_name = "TIME", value_parser = time)]
    not_before: Option<Time>,

    /// Put the CA's certificate after the new one
    #[arg(long)]
    chain: bool,

    #[command(flatten)]
    work: Work,
}

/// Issue certificates.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki issue --san www.example.org --key-out www.key -o www.pem
  adamant pki issue --subject 'CN=Ann,O=Example' --profile client --public-key ann.pub
  adamant pki issue --batch requests.jsonl -o certificates.jsonl

  adamant pki issue --batch requests.jsonl -o certificates.jsonl --force --resume

A line of a batch is a JSON object: public_key or csr (PEM), and as they are needed
subject, names (a list), profile, days. Its answer has line, serial and certificate
(PEM). Each line is issued once: --resume, after a run that ended early, issues those
that are missing, and answers all.")]
pub(super) struct IssueArgs {
    /// The subject (RFC 4514); by default the first alternative name as CN
    #[arg(long, value_name = "NAME")]
    subject: Option<DistinguishedName>,

    /// An alternative name: a domain, an address, a mail address or a URI; dns:, ip:, email: and
    /// uri: before it say which
    #[arg(long, value_name = "NAME")]
    san: Vec<SubjectName>,

    /// The subject's public key: PEM or DER, also a certificate's
    #[arg(long, value_name = "FILE")]
    public_key: Option<PathBuf>,

    /// Make a new key and write it to this file
    #[arg(long, value_name = "FILE", conflicts_with = "public_key")]
    key_out: Option<PathBuf>,

    /// The kind of the new key
    #[arg(long, value_name = "ALG", default_value = "p-256")]
    key_alg: String,

    /// Bits of a new RSA key [default: 3072]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2048..=8192))]
    bits: Option<u16>,

    /// Encrypt the new key under the first line of this file
    #[arg(long, value_name = "FILE", requires = "key_out")]
    key_passphrase_file: Option<PathBuf>,

    #[command(flatten)]
    encryption: Encryption,

    /// Issue for every line of this file instead
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["subject", "san", "public_key", "key_out"])]
    batch: Option<PathBuf>,

    /// The name of the batch, under which another run can resume it; by default the SHA-256 of
    /// the file
    #[arg(long, value_name = "NAME", requires = "batch",
          value_parser = clap::builder::NonEmptyStringValueParser::new())]
    batch_name: Option<String>,

    /// Issue what is missing of a batch
    #[arg(long, requires = "batch")]
    resume: bool,

    /// Certificates in one transaction of a batch
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "batch",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    batch_size: u32,

    #[command(flatten)]
    common: Common,
}

/// Issue what a request (PKCS #10) asks for.
#[derive(clap::Args)]
#[command(
    after_help = "Subject, alternative names and key are the request's, everything else is
the profile's."
)]
pub(super) struct SignCsrArgs {
    /// The request, PEM or DER
    #[arg(value_name = "FILE")]
    request: PathBuf,

    /// The subject instead of the request's
    #[arg(long, value_name = "NAME")]
    subject: Option<DistinguishedName>,

    /// Alternative names instead of the request's
    #[arg(long, value_name = "NAME")]
    san: Vec<SubjectName>,

    #[command(flatten)]
    common: Common,
}

pub(super) fn issue(store: &str, args: &IssueArgs) -> Result<(), Failure> {
    let common = &args.common;
    if let Some(batch) = &args.batch {
        if common.chain {
            let sentence = "--chain is for one certificate: the answers of a batch have none";
            return Err(Failure::Usage(sentence.to_owned()));
        }
        let output = common.work.output.target(false)?.open()?;
        let mut ca = unlock(store, common)?;
        let defaults = bulk::Defaults {
            profile: common.profile.clone(),
            days: common.days,
            not_before: common.not_before,
        };
        let work = bulk::Work {
            path: batch.clone(),
            name: args.batch_name.clone(),
            resume: args.resume,
            size: args.batch_size as usize,
            json: common.work.json,
        };
        let done = bulk::issue(&mut ca, &work, &defaults, output);
        return release(&mut ca, done);
    }
    let output = common.work.open(false)?;
    let mut key_file = None;
    let public_key = match (&args.public_key, &args.key_out) {
        (Some(path), _) => keys::public_key(path)?,
        (None, Some(path)) => {
            let algorithm = keys::find_kind(&args.key_alg)?;
            let key = keys::generate(algorithm, args.bits)?;
            key_file = Some(args.write_key(&key, path)?);
            key.public_key()
        }
        (None, None) => {
            let sentence = "there is no key to certify: --key-out makes a new one, --public-key \
                            names a file with one, and adamant pki sign-csr takes a request";
            return Err(Failure::Usage(sentence.to_owned()));
        }
    };
    let subject = args
        .subject
        .clone()
        .unwrap_or_else(|| common_name(&args.san));
    let mut request = Request::new(&common.profile, subject, public_key);
    request.names = args.san.clone();
    common.issue(store, request, output, key_file)
}

pub(super) fn sign_csr(store: &str, args: &SignCsrArgs) -> Result<(), Failure> {
    let common = &args.common;
    let output = common.work.open(false)?;
    let der = inspect::read_request(&args.request)?;
    let mut request = Request::from_csr(&common.profile, &der)?;
    if let Some(subject) = &args.subject {
        request.subject = subject.clone();
    }
    if !args.san.is_empty() {
        request.names = args.san.clone();
    }
    common.issue(store, request, output, None)
}

fn unlock(store: &str, common: &Common) -> Result<Authority, Failure> {
    let mut ca = place::unlock(store, &common.work.passphrase)?;
    ca.claim(&holder())?;
    Ok(ca)
}

/// Gives the place of issuing processes back, whatever happened.
fn release<T>(ca: &mut Authority, done: Result<T, Failure>) -> Result<T, Failure> {
    let released = ca.release();
    let done = done?;
    released?;
    Ok(done)
}

impl IssueArgs {
    /// The new key, in a file that appears when the certificate is there.
    fn write_key(&self, key: &PrivateKey, path: &std::path::Path) -> Result<Output, Failure> {
        let target = Target::file(path, false)?.secret();
        let encoded = match &self.key_passphrase_file {
            None => keys::pkcs8_pem(key),
            Some(file) => {
                let password = password::find(Some(file), "", false)?;
                self.encryption.encrypted(key, &password, Form::Pem)?
            }
        };
        target.prepare(&encoded)
    }
}

impl Common {
    fn issue(
        &self,
        store: &str,
        mut request: Request,
        output: Option<Output>,
        key_file: Option<Output>,
    ) -> Result<(), Failure> {
        request.days = self.days;
        request.not_before = self.not_before;
        let mut ca = unlock(store, self)?;
        // A key that has a certificate is not thrown away: its file gets its name first.
        let asked = signal::noted();
        let issued = ca.issue(&request).map_err(|e| refused(e, self.work.json));
        // What is issued is written, also where the store fails after it.
        let done = issued.and_then(|der| self.hand_over(&ca, &der, output, key_file));
        release(&mut ca, done)?;
        match asked.load(Ordering::Relaxed) {
            true => Err(Failure::Asked("asked to end: it was issued".to_owned())),
            false => Ok(()),
        }
    }

    /// Writes the certificate, and before it its key.
    fn hand_over(
        &self,
        ca: &Authority,
        der: &[u8],
        output: Option<Output>,
        key_file: Option<Output>,
    ) -> Result<(), Failure> {
        if let Some(file) = key_file {
            file.finish()?;
        }
        let mut text = pem::encode("CERTIFICATE", der);
        if self.chain {
            text.push_str(&pem::encode("CERTIFICATE", ca.certificate()));
        }
        if self.work.json {
            say(&described(der, &text)?)?;
        }
        let again = || {
            let serial = Certificate::from_der(der).map(|c| c.serial().to_string());
            format!(
                "; it is issued: adamant pki show {} --pem",
                serial.unwrap_or_default()
            )
        };
        place::write(output, text.as_bytes()).map_err(|failure| match failure {
            Failure::Run(why) => Failure::Run(why + &again()),
            other => other,
        })
    }
}

/// A certificate in JSON.
pub(super) fn described(der: &[u8], text: &str) -> Result<Value, Failure> {
    let certificate = FullCertificate::from_der(der)?;
    let names = certificate.extensions.subject_alt_name;
    let names: Vec<_> = names.iter().flat_map(|names| names.0.iter()).collect();
    let names: Vec<_> = names.iter().map(ToString::to_string).collect();
    let key = certificate
        .public_key()
        .ok()
        .as_ref()
        .and_then(PublicKey::algorithm);
    Ok(json!({
        "serial": certificate.serial().to_string(),
        "subject": certificate.subject.to_string(),
        "issuer": certificate.issuer.to_string(),
        "names": names,
        "not_before": certificate.validity.not_before().to_string(),
        "not_after": certificate.validity.not_after().to_string(),
        "key": key.map(|algorithm| algorithm.name()),
        "sha256": crate::text::hex(&adamant::hash::Sha256::digest(der)),
        "certificate": text,
    }))
}
