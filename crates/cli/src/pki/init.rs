//! `adamant pki init`, `install`, `configure`: a CA comes to be.

use std::path::PathBuf;

use adamant::x509::{DistinguishedName, KeyAlgorithm, PrivateKey};
use adamant_pki::ca::{
    Authority, KEY, LocalKey, Profile, RootRequest, SETTINGS, Settings, system_clock,
};
use serde_json::json;

use super::place::{self, Work, read_all, refused, say};
use crate::Failure;
use crate::input::Input;
use crate::keys::{self, Encryption, Form};

/// The longest file of profiles: 16 MiB.
const LONGEST_PROFILES: usize = 16 << 20;

/// What a CA is told of its surroundings.
#[derive(clap::Args)]
#[command(next_help_heading = "Settings")]
struct SettingsArgs {
    /// Where its CRLs are found; {shard} becomes the number of one of several
    #[arg(long, value_name = "URL")]
    crl_url: Option<String>,

    /// Where the changes since a CRL are found, likewise
    #[arg(long, value_name = "URL")]
    delta_crl_url: Option<String>,

    /// Where its OCSP responder is
    #[arg(long, value_name = "URL")]
    ocsp_url: Option<String>,

    /// Where its certificate is found
    #[arg(long, value_name = "URL")]
    issuer_url: Option<String>,

    /// Hours until the next CRL [default: 168]
    #[arg(long, value_name = "N")]
    crl_hours: Option<u32>,

    /// Hours until the next delta CRL [default: 24]
    #[arg(long, value_name = "N")]
    delta_crl_hours: Option<u32>,

    /// Hours until the next OCSP response [default: 72]
    #[arg(long, value_name = "N")]
    ocsp_hours: Option<u32>,

    /// A file of profiles (TOML), in place of those read before
    #[arg(long, value_name = "FILE")]
    profiles: Option<PathBuf>,
}

impl SettingsArgs {
    /// Puts what is said in place of what was said before.
    fn apply(&self, settings: &mut Settings) -> Result<(), Failure> {
        for (new, old) in [
            (&self.crl_url, &mut settings.crl_url),
            (&self.delta_crl_url, &mut settings.delta_crl_url),
            (&self.ocsp_url, &mut settings.ocsp_url),
            (&self.issuer_url, &mut settings.issuer_url),
        ] {
            if let Some(url) = new {
                *old = Some(url.clone()).filter(|url| !url.is_empty());
            }
        }
        for (new, old) in [
            (self.crl_hours, &mut settings.crl_hours),
            (self.delta_crl_hours, &mut settings.delta_crl_hours),
            (self.ocsp_hours, &mut settings.ocsp_hours),
        ] {
            *old = new.unwrap_or(*old);
        }
        if let Some(path) = &self.profiles {
            let text = Input::open(Some(path))?.text(LONGEST_PROFILES)?;
            settings.profiles = Profile::read_toml(&text)?;
        }
        Ok(settings.check()?)
    }
}

/// Make a CA: a root, or the request for a subordinate's certificate.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki init --name 'CN=Example Root,O=Example' -o root.pem
  adamant pki --store issuing.db init --name 'CN=Example Issuing' --subordinate -o issuing.csr
  adamant pki sign-csr issuing.csr --profile intermediate -o issuing.pem
  adamant pki --store issuing.db install issuing.pem")]
pub(super) struct InitArgs {
    /// The CA's name (RFC 4514)
    #[arg(long, value_name = "NAME")]
    name: DistinguishedName,

    /// The kind of its key; adamant genkey --list names them
    #[arg(long, value_name = "ALG", default_value = "p-256")]
    key_alg: String,

    /// Bits of an RSA key [default: 3072]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2048..=8192))]
    bits: Option<u16>,

    /// Make a request (PKCS #10) for another CA to sign, instead of a root
    #[arg(long, conflicts_with_all = ["days", "path_len"])]
    subordinate: bool,

    /// Days of validity of a root
    #[arg(long, value_name = "N", default_value_t = 3653,
          value_parser = clap::value_parser!(u32).range(1..=36525))]
    days: u32,

    /// How many CAs may come between the root and a certificate; any number by default
    #[arg(long, value_name = "N")]
    path_len: Option<u32>,

    /// The number of CRLs over which revocations are spread
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    crl_shards: u32,

    #[command(flatten)]
    settings: SettingsArgs,

    #[command(flatten)]
    encryption: Encryption,

    #[command(flatten)]
    work: Work,
}

pub(super) fn init(store: &str, args: &InitArgs) -> Result<(), Failure> {
    let mut settings = Settings {
        crl_shards: args.crl_shards,
        ..Settings::default()
    };
    args.settings.apply(&mut settings)?;
    let algorithm = keys::find_kind(&args.key_alg)?;
    if args.bits.is_some() && algorithm != KeyAlgorithm::Rsa {
        return Err(Failure::Usage("--bits is for RSA".to_owned()));
    }
    let output = args.work.open(false)?;
    let opened = place::create(store)?;
    if opened.document(SETTINGS)?.is_some() {
        return Err(Failure::Run(format!(
            "{store} has a CA already; --store names another"
        )));
    }
    place::narrow(store)?;
    let password = keys::new_password(true, &args.work.passphrase)?;
    let key = keys::generate(algorithm, args.bits)?;
    let encrypted = match password {
        Some(password) => args.encryption.encrypted(&key, &password, Form::Der)?,
        None => return Err(Failure::Run("a CA's key needs a passphrase".to_owned())),
    };
    let documents = [(KEY, &encrypted[..])];
    let signer = signer(key)?;
    let (label, der) = if args.subordinate {
        let now = system_clock();
        let name = &args.name;
        let request =
            Authority::init_subordinate(&*opened, &signer, &settings, name, &documents, now)?;
        ("CERTIFICATE REQUEST", request)
    } else {
        let root = RootRequest {
            days: args.days,
            path_len: args.path_len,
            ..RootRequest::new(args.name.clone())
        };
        let made = Authority::init_root_with(
            opened,
            Box::new(signer),
            settings,
            &root,
            &documents,
            system_clock,
        );
        let made = made.map_err(|e| refused(e, args.work.json))?;
        ("CERTIFICATE", made.certificate().to_vec())
    };
    let pem = adamant::der::pem::encode(label, &der);
    if args.work.json {
        let what = if args.subordinate {
            "request"
        } else {
            "certificate"
        };
        say(&json!({ "store": store, what: pem, "key": algorithm.name() }))?;
    }
    place::write(output, pem.as_bytes())
}

fn signer(key: PrivateKey) -> Result<LocalKey, Failure> {
    LocalKey::new(key).map_err(|e| Failure::Usage(format!("a CA's key has to sign: {e}")))
}

/// Give a subordinate CA its certificate.
#[derive(clap::Args)]
pub(super) struct InstallArgs {
    /// The certificate, PEM or DER; in PEM those of the CAs above it may follow, each after the
    /// one that it signed: nothing is issued against what they say of names
    #[arg(value_name = "FILE")]
    certificate: PathBuf,
}

pub(super) fn install(store: &str, args: &InstallArgs) -> Result<(), Failure> {
    let mut own = read_all(&args.certificate, "CERTIFICATE")?;
    let chain = own.split_off(1);
    let opened = place::open(store)?;
    Ok(Authority::install(
        &*opened,
        &own.concat(),
        &chain,
        system_clock(),
    )?)
}

/// Change the settings; without options, show them (JSON).
#[derive(clap::Args)]
pub(super) struct ConfigureArgs {
    #[command(flatten)]
    settings: SettingsArgs,
}

pub(super) fn configure(store: &str, args: &ConfigureArgs) -> Result<(), Failure> {
    let opened = place::open(store)?;
    let mut settings = Authority::read_settings(&*opened)?;
    let before = settings.clone();
    args.settings.apply(&mut settings)?;
    if settings != before {
        Authority::write_settings(&*opened, &settings, system_clock())?;
    }
    say(&json!(settings))
}
