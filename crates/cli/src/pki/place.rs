//! The database and the CA's key, and what commands have in common.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adamant::der::{Time, pem};
use adamant::x509::pbes2::Limits;
use adamant::x509::{ErrorKind, PrivateKey, SerialNumber};
use adamant_pki::ca::{self, Authority, KEY, LocalKey, SETTINGS, system_clock};
use adamant_pki::store::{self as stored, CaStore, Number};
use serde_json::{Value, json};

use crate::Failure;
use crate::failure::sentence;
use crate::input::Input;
use crate::keys::{self, OutputFile, Passphrase};
use crate::output::{Output, Target};
use crate::password;
use crate::text::{Json, unhex};

/// The longest certificate, request or list that is read: 64 MiB.
pub(super) const LONGEST: usize = 64 << 20;

impl From<ca::Error> for Failure {
    fn from(error: ca::Error) -> Self {
        Failure::Run(error.to_string())
    }
}

impl From<stored::Error> for Failure {
    fn from(error: stored::Error) -> Self {
        Failure::Run(error.to_string())
    }
}

impl From<adamant::x509::Error> for Failure {
    fn from(error: adamant::x509::Error) -> Self {
        Failure::Run(error.to_string())
    }
}

/// Where the result of work with the CA's key goes.
#[derive(clap::Args)]
pub(super) struct Work {
    #[command(flatten)]
    pub(super) output: OutputFile,

    #[command(flatten)]
    pub(super) passphrase: Passphrase,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Work {
    /// Nothing where JSON on standard output says it all.
    fn target(&self, binary: bool) -> Result<Option<Target>, Failure> {
        if self.json && !self.output.is_file() {
            return Ok(None);
        }
        self.output.target(binary).map(Some)
    }

    /// The same, opened: before anything is signed, so that nothing is signed for a place that
    /// cannot be written.
    pub(super) fn open(&self, binary: bool) -> Result<Option<Output>, Failure> {
        self.target(binary)?.map(Target::open).transpose()
    }
}

/// Writes all of what was opened.
pub(super) fn write(output: Option<Output>, data: &[u8]) -> Result<(), Failure> {
    let Some(mut output) = output else {
        return Ok(());
    };
    output.write_all(data).map_err(|e| match output {
        Output::Standard(_) => Failure::Io(e),
        Output::File { .. } => Failure::Run(format!("output: {}", sentence(&e))),
    })?;
    output.finish()
}

/// The database of a new CA: a file that only its owner can read, or one on a server.
pub(super) fn create(store: &str) -> Result<Arc<dyn CaStore>, Failure> {
    if stored::is_url(store) {
        return Ok(Arc::from(stored::open(store)?));
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(store) {
        Ok(_) => {}
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(e) => return Err(Failure::Run(crate::failure::about(store.as_ref(), &e))),
    }
    Ok(Arc::from(stored::open(store)?))
}

/// Makes the file of a database that was there before its CA readable only by its owner, with the
/// files that SQLite keeps beside it.
pub(super) fn narrow(store: &str) -> Result<(), Failure> {
    #[cfg(unix)]
    if !stored::is_url(store) {
        use std::os::unix::fs::PermissionsExt;
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let name = format!("{store}{suffix}");
            let narrowed = std::fs::set_permissions(&name, PermissionsExt::from_mode(0o600));
            match narrowed {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Failure::Run(crate::failure::about(name.as_ref(), &e)));
                }
                _ => {}
            }
        }
    }
    let _ = store;
    Ok(())
}

/// The database of a CA that is there.
pub(super) fn open(store: &str) -> Result<Arc<dyn CaStore>, Failure> {
    if !stored::is_url(store) && !Path::new(store).exists() {
        return Err(Failure::Run(format!(
            "{store}: there is no such file; adamant pki init makes a CA, --store names another"
        )));
    }
    let opened = stored::open(store)?;
    if opened.document(SETTINGS)?.is_none() {
        return Err(Failure::Run(format!(
            "{store}: there is no CA here; adamant pki init makes one"
        )));
    }
    Ok(Arc::from(opened))
}

/// The CA with its key.
pub(super) fn unlock(store: &str, passphrase: &Passphrase) -> Result<Authority, Failure> {
    let opened = open(store)?;
    let encrypted = opened.document(KEY)?.ok_or_else(|| {
        Failure::Run(format!(
            "{store}: there is no CA with a key here; adamant pki init makes one"
        ))
    })?;
    let source = passphrase.source();
    let password = password::find(source.as_deref(), "Passphrase of the CA's key: ", false)?;
    let key = PrivateKey::from_encrypted_der(&encrypted, &password.0, &Limits::default());
    let key = key.map_err(|error| match error.kind() {
        ErrorKind::WrongPassword => Failure::Run("the passphrase is wrong".to_owned()),
        _ => error.into(),
    })?;
    let key = LocalKey::new(key).map_err(ca::Error::from)?;
    Ok(Authority::open(opened, Box::new(key), system_clock)?)
}

/// Who signs responses of OCSP.
#[derive(clap::Args)]
pub(super) struct Delegated {
    /// Sign responses with a responder's key instead of the CA's: its certificate, which the CA
    /// has issued with the profile ocsp
    #[arg(long, value_name = "FILE", requires = "responder_key")]
    responder: Option<PathBuf>,

    /// Its private key, PEM or DER; the passphrase is then that of this key
    #[arg(long, value_name = "FILE", requires = "responder")]
    responder_key: Option<PathBuf>,
}

impl Delegated {
    /// The CA with its own key, or with the responder's.
    pub(super) fn unlock(
        &self,
        store: &str,
        passphrase: &Passphrase,
    ) -> Result<Authority, Failure> {
        let (Some(certificate), Some(key)) = (&self.responder, &self.responder_key) else {
            return unlock(store, passphrase);
        };
        let certificate = read_der(certificate, &["CERTIFICATE"])?;
        let opened = open(store)?;
        let key = LocalKey::new(keys::private_key(key, passphrase)?).map_err(ca::Error::from)?;
        let key = Box::new(key);
        Ok(Authority::open_delegated(
            opened,
            &certificate,
            key,
            system_clock,
        )?)
    }
}

/// This process, as it is in a lease.
pub(super) fn holder() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let started = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let started = started.map_or(0, |since| since.as_nanos());
    format!("{}:{}:{started}", host.trim(), std::process::id())
}

/// All of a file, from PEM with one of these labels or as it is.
pub(super) fn read_der(path: &Path, labels: &[&str]) -> Result<Vec<u8>, Failure> {
    let input = Input::open(Some(path))?;
    let name = input.name();
    let bytes = input.whole(LONGEST)?;
    if bytes.first() == Some(&0x30) {
        return Ok(bytes.to_vec());
    }
    let block = pem::decode_first(&bytes[..], labels);
    let block = block.map_err(|e| Failure::Run(format!("{name}: {e}")))?;
    Ok(block.into_der())
}

/// All encodings in a file: the blocks of PEM with this label, or one as it is.
pub(super) fn read_all(path: &Path, label: &str) -> Result<Vec<Vec<u8>>, Failure> {
    let input = Input::open(Some(path))?;
    let name = input.name();
    let bytes = input.whole(LONGEST)?;
    if bytes.first() == Some(&0x30) {
        return Ok(vec![bytes.to_vec()]);
    }
    let mut all = Vec::new();
    for block in pem::decode(&bytes[..]) {
        let block = block.map_err(|e| Failure::Run(format!("{name}: {e}")))?;
        if block.label() == label {
            all.push(block.into_der());
        }
    }
    if all.is_empty() {
        return Err(Failure::Run(format!("{name}: no {label}")));
    }
    Ok(all)
}

/// A serial number in hexadecimal, with colons or without.
pub(super) fn serial(text: &str) -> Result<Number, String> {
    let digits: String = text.chars().filter(|c| *c != ':').collect();
    let digits = digits.strip_prefix("0x").unwrap_or(&digits);
    let even = if digits.len().is_multiple_of(2) {
        digits.to_owned()
    } else {
        format!("0{digits}")
    };
    let octets = unhex(even.as_bytes()).filter(|octets| !octets.is_empty());
    let octets = octets.ok_or_else(|| format!("{text:?} is not hexadecimal"))?;
    // As certificates have it: without zeros in front.
    let serial = SerialNumber::new(&octets).map_err(|e| e.to_string())?;
    Number::new(serial.as_bytes()).map_err(|e| e.to_string())
}

/// A time, or the midnight of a day.
pub(super) fn time(text: &str) -> Result<Time, String> {
    text.parse()
        .map_err(|_| format!("{text:?} is not a time such as 2026-01-31 or 2026-01-31T12:00:00Z"))
}

/// One line of JSON on standard output.
pub(super) fn say(value: &Value) -> Result<(), Failure> {
    Ok(writeln!(std::io::stdout().lock(), "{}", Json(value))?)
}

/// A refusal by the linter on standard output as JSON; every other failure as it is.
pub(super) fn refused(error: ca::Error, as_json: bool) -> Failure {
    let ca::Error::Lint { item, findings } = &error else {
        return error.into();
    };
    if !as_json {
        return match item {
            0 => {
                let lines: Vec<_> = findings.iter().map(|f| format!("\n  {f}")).collect();
                Failure::Run(format!("refused, nothing was signed:{}", lines.concat()))
            }
            _ => error.into(),
        };
    }
    let findings: Vec<_> = findings
        .iter()
        .map(|finding| json!({ "rule": finding.rule, "what": finding.what }))
        .collect();
    let value = json!({ "refused": true, "item": item, "findings": findings });
    match say(&value) {
        Ok(()) => Failure::Told,
        Err(failure) => failure,
    }
}
