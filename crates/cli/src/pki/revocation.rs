//! `adamant pki revoke`, `crl`, `ocsp`: what is no longer good, and who is told.

use std::path::{Path, PathBuf};

use adamant::der::{Time, pem};
use adamant::x509::Certificate;
use adamant::x509::extensions::RevocationReason;
use adamant_pki::ca::{Authority, system_clock};
use adamant_pki::store::{CrlRecord, CrlScope, Number, Revocation};
use serde_json::{Value, json};

use super::place::{self, Delegated, Work, read_der, say, serial, time};
use crate::Failure;
use crate::input::Input;
use crate::keys::Form;
use crate::output::Target;

/// The longest request: 64 KiB.
const LONGEST: usize = 1 << 16;

/// Revoke a serial number, whether its certificate was ever stored or not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki revoke 5a0c… --reason keyCompromise
  adamant pki revoke --certificate www.pem --reason superseded
  adamant pki revoke 5a0c… --reason certificateHold
  adamant pki revoke 5a0c… --reason removeFromCRL

The key is not needed; adamant pki crl tells the world.")]
pub(super) struct RevokeArgs {
    /// The serial number in hexadecimal
    #[arg(value_name = "SERIAL", value_parser = serial, required_unless_present = "certificate")]
    serial: Option<Number>,

    /// The certificate with the serial number
    #[arg(long, value_name = "FILE", conflicts_with = "serial")]
    certificate: Option<PathBuf>,

    /// The reason (RFC 5280, 5.3.1)
    #[arg(long, value_name = "REASON", default_value = "unspecified", value_parser = reason)]
    reason: RevocationReason,

    /// Since when the key is suspect
    #[arg(long, value_name = "TIME", value_parser = time)]
    invalidity_date: Option<Time>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn reason(name: &str) -> Result<RevocationReason, String> {
    let all = (0..=10).filter_map(RevocationReason::from_code);
    let mut found = all
        .clone()
        .filter(|reason| reason.name().eq_ignore_ascii_case(name));
    found.next().ok_or_else(|| {
        let names: Vec<_> = all.map(RevocationReason::name).collect();
        format!(
            "no reason is called {name:?}; there is {}",
            names.join(", ")
        )
    })
}

pub(super) fn revoke(store: &str, args: &RevokeArgs) -> Result<(), Failure> {
    let opened = place::open(store)?;
    let number = match (&args.serial, &args.certificate) {
        (Some(number), _) => *number,
        (None, Some(path)) => {
            let der = read_der(path, &["CERTIFICATE"])?;
            let certificate = Certificate::from_der(&der)?;
            let number = Number::new(certificate.serial().as_bytes());
            number.map_err(|e| Failure::Run(e.to_string()))?
        }
        (None, None) => return Err(Failure::Usage("no serial number was given".to_owned())),
    };
    let now = system_clock();
    let revocation = Revocation {
        reason: args.reason,
        date: now,
        invalidity_date: args.invalidity_date,
    };
    opened.revoke(number, &revocation, now)?;
    if args.json {
        let date = now.to_string();
        say(&json!({ "serial": number.to_string(), "reason": args.reason.name(), "date": date }))?;
    }
    Ok(())
}

/// Make a list of revoked certificates.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki crl -o ca.crl
  adamant pki crl --delta -o ca-delta.crl
  adamant pki crl --all --output crls     # crls/0.crl, crls/1.crl, …")]
pub(super) struct CrlArgs {
    /// Only the serial numbers of this one of several lists, from 0
    #[arg(long, value_name = "N")]
    shard: Option<u32>,

    /// All of several lists, as N.crl in the folder that --output names
    #[arg(long, conflicts_with = "shard", requires = "output")]
    all: bool,

    /// The changes since the last full list
    #[arg(long)]
    delta: bool,

    /// Sign although the CA's certificate is not valid now: it has expired, or the clock is before
    /// its start
    #[arg(long)]
    at_any_time: bool,

    /// The form of the file
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Der)]
    format: Form,

    #[command(flatten)]
    work: Work,
}

impl CrlArgs {
    fn unlock(&self, store: &str) -> Result<Authority, Failure> {
        let ca = place::unlock(store, &self.work.passphrase)?;
        Ok(if self.at_any_time {
            ca.at_any_time()
        } else {
            ca
        })
    }

    fn encoded(&self, crl: &CrlRecord) -> Vec<u8> {
        match self.format {
            Form::Der => crl.der.clone(),
            Form::Pem => pem::encode("X509 CRL", &crl.der).into_bytes(),
        }
    }
}

fn told(crl: &CrlRecord) -> Value {
    json!({
        "number": crl.number,
        "shard": crl.scope.shard,
        "base": crl.base,
        "this_update": crl.this_update.to_string(),
        "next_update": crl.next_update.to_string(),
        "crl": pem::encode("X509 CRL", &crl.der),
    })
}

pub(super) fn crl(store: &str, args: &CrlArgs) -> Result<(), Failure> {
    if args.all {
        return every_crl(store, args);
    }
    let output = args.work.open(args.format == Form::Der)?;
    let ca = args.unlock(store)?;
    let scope = CrlScope {
        shard: args.shard,
        delta: args.delta,
    };
    let crl = ca.make_crl(scope)?;
    if args.work.json {
        say(&told(&crl))?;
    }
    place::write(output, &args.encoded(&crl))
}

fn every_crl(store: &str, args: &CrlArgs) -> Result<(), Failure> {
    let folder = args.work.output.path().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .map_err(|e| Failure::Run(crate::failure::about(folder.as_os_str(), &e)))?;
    let ca = args.unlock(store)?;
    for scope in ca.settings().scopes(args.delta) {
        let shard = scope.shard.unwrap_or(0);
        let path = folder.join(format!("{shard}.crl"));
        // The list before is replaced: that is what lists are for.
        let output = Target::file(&path, true)?.open()?;
        let crl = ca.make_crl(scope)?;
        place::write(Some(output), &args.encoded(&crl))?;
        if args.work.json {
            say(&told(&crl))?;
        }
    }
    Ok(())
}

/// Answer an OCSP request, or sign the answers about all certificates beforehand.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki ocsp --presign
  adamant pki ocsp request.der -o response.der
  adamant pki issue --profile ocsp --subject 'CN=Responder' --key-out ocsp.key -o ocsp.pem
  adamant pki ocsp --responder ocsp.pem --responder-key ocsp.key --presign")]
pub(super) struct OcspArgs {
    /// The request, DER
    #[arg(value_name = "FILE", required_unless_present = "presign")]
    request: Option<PathBuf>,

    /// Sign and keep the answers about all certificates
    #[arg(long, conflicts_with = "request")]
    presign: bool,

    #[command(flatten)]
    delegated: Delegated,

    #[command(flatten)]
    work: Work,
}

pub(super) fn ocsp(store: &str, args: &OcspArgs) -> Result<(), Failure> {
    let Some(path) = &args.request else {
        let ca = args.delegated.unlock(store, &args.work.passphrase)?;
        let kept = ca.presign_all()?;
        if args.work.json {
            return say(&json!({ "responses": kept }));
        }
        println!("{kept} responses");
        return Ok(());
    };
    let output = args.work.open(true)?;
    let request = Input::open(Some(path))?.whole(LONGEST)?;
    let ca = args.delegated.unlock(store, &args.work.passphrase)?;
    let response = ca.answer(&request)?;
    if args.work.json {
        let response = adamant::der::base64::encode(&response);
        say(&json!({ "response": response }))?;
    }
    place::write(output, &response)
}
