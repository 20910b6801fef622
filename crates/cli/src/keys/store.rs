//! Key files, written.

use std::path::PathBuf;

use adamant::der::pem;
use adamant::x509::pbes2::{Pbes2, Prf};
use adamant::x509::{PrivateKey, PublicKey, SecretBytes};
use adamant::{Secret, SystemRng};

use super::file::{Passphrase, Structure};
use crate::Failure;
use crate::password::{self, Password};

/// The form of a key file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// Text
    Pem,
    /// Binary
    Der,
}

/// How a passphrase becomes a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kdf {
    /// scrypt (RFC 7914) with N = 16384, r = 8, p = 5
    Scrypt,
    /// PBKDF2 (RFC 8018) with 600,000 rounds of HMAC-SHA-256
    Pbkdf2,
}

/// How a private key is encrypted.
#[derive(clap::Args)]
pub(crate) struct Encryption {
    /// How the passphrase becomes a key; scrypt by default. The cipher is AES-256-CBC (PBES2)
    #[arg(long, value_enum, value_name = "KDF")]
    kdf: Option<Kdf>,
}

impl Encryption {
    /// Refuses options of an encryption that is not asked for.
    pub(super) fn check(&self, encrypts: bool) -> Result<(), Failure> {
        if self.kdf.is_some() && !encrypts {
            return Err(Failure::Usage("--kdf is for --encrypt".to_owned()));
        }
        Ok(())
    }

    /// The key as it is written under a password.
    pub(crate) fn encrypted(
        &self,
        key: &PrivateKey,
        password: &Password,
        form: Form,
    ) -> Result<SecretBytes, Failure> {
        let scheme = match self.kdf.unwrap_or(Kdf::Scrypt) {
            // The memory, 16 MiB, is what OpenSSL reads without being asked for more.
            Kdf::Scrypt => Pbes2::scrypt(1 << 14, 8, 5),
            Kdf::Pbkdf2 => Pbes2::pbkdf2(Prf::HmacSha256, 600_000),
        };
        let der = key.to_encrypted_der(&password.0, &scheme, &mut SystemRng);
        let der = der.map_err(|e| Failure::Run(format!("the key cannot be encrypted: {e}")))?;
        Ok(encode(Structure::EncryptedPkcs8.label(), form, der.into()))
    }
}

/// The passphrase of a key that is to be encrypted.
pub(crate) fn new_password(
    encrypts: bool,
    passphrase: &Passphrase,
) -> Result<Option<Secret<Password>>, Failure> {
    let source: Option<PathBuf> = passphrase.source();
    match (encrypts, source) {
        (false, None) => Ok(None),
        (false, Some(_)) => Err(Failure::Usage("a passphrase is for --encrypt".to_owned())),
        (true, source) => {
            let question = "Passphrase of the new file: ";
            password::find(source.as_deref(), question, true).map(Some)
        }
    }
}

/// A private key as it is written.
pub(super) fn private(
    key: &PrivateKey,
    structure: Structure,
    form: Form,
) -> Result<SecretBytes, Failure> {
    let der = match structure {
        Structure::Pkcs1 | Structure::Sec1 => traditional(key)?,
        _ => key.to_der(),
    };
    Ok(encode(structure.label(), form, der))
}

/// A private key as PKCS #8 in PEM.
pub(crate) fn pkcs8_pem(key: &PrivateKey) -> SecretBytes {
    encode(Structure::Pkcs8.label(), Form::Pem, key.to_der())
}

/// The structure of a key before there was PKCS #8.
pub(super) fn traditional_structure(key: &PrivateKey) -> Structure {
    match key {
        PrivateKey::Rsa(_) => Structure::Pkcs1,
        _ => Structure::Sec1,
    }
}

fn traditional(key: &PrivateKey) -> Result<SecretBytes, Failure> {
    if let PrivateKey::Rsa(key) = key {
        return Ok(key.to_pkcs1_der());
    }
    key.to_sec1_der().ok_or_else(|| {
        let name = key.algorithm().name();
        Failure::Usage(format!(
            "--traditional is not for {name} keys: their form is PKCS #8"
        ))
    })
}

/// A public key as it is written: its SubjectPublicKeyInfo.
pub(super) fn public(key: &PublicKey, form: Form) -> SecretBytes {
    encode(Structure::Spki.label(), form, key.to_der().into())
}

fn encode(label: &str, form: Form, der: SecretBytes) -> SecretBytes {
    match form {
        Form::Der => der,
        Form::Pem => pem::encode(label, &der).into_bytes().into(),
    }
}
