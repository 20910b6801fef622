//! Key files: PEM or DER, in any of the usual structures.

use std::path::{Path, PathBuf};

use adamant::der::{Reader, Tag, pem};
use adamant::rsa;
use adamant::x509::pbes2::Limits;
use adamant::x509::{Certificate, ErrorKind, PrivateKey, PublicKey, SecretBytes};

use crate::Failure;
use crate::input::Input;
use crate::password;
use crate::text::shown_path;

/// The longest key file.
const LONGEST: usize = 1 << 20;

/// The passphrase of an encrypted private key: asked for, unless one of these says where it is.
#[derive(clap::Args, Default)]
pub(crate) struct Passphrase {
    /// A file whose first line is the passphrase of the private key; without it the program asks,
    /// unless the environment variable ADAMANT_PASSWORD holds it
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,

    /// An open descriptor to read that line from
    #[arg(long, value_name = "N", conflicts_with = "passphrase_file")]
    passphrase_fd: Option<u32>,
}

impl Passphrase {
    /// The file that it is read from, where there is one.
    pub(crate) fn source(&self) -> Option<PathBuf> {
        let file = self.passphrase_file.clone();
        file.or_else(|| self.passphrase_fd.map(password::descriptor))
    }
}

/// What a key is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Structure {
    Pkcs8,
    EncryptedPkcs8,
    Sec1,
    Pkcs1,
    Spki,
    Pkcs1Public,
    Certificate,
}

/// The structures with their PEM labels and names.
const STRUCTURES: [(Structure, &str, &str); 7] = [
    (Structure::Pkcs8, "PRIVATE KEY", "PKCS #8"),
    (
        Structure::EncryptedPkcs8,
        "ENCRYPTED PRIVATE KEY",
        "PKCS #8, encrypted",
    ),
    (Structure::Sec1, "EC PRIVATE KEY", "SEC 1"),
    (Structure::Pkcs1, "RSA PRIVATE KEY", "PKCS #1"),
    (Structure::Spki, "PUBLIC KEY", "SubjectPublicKeyInfo"),
    (Structure::Pkcs1Public, "RSA PUBLIC KEY", "PKCS #1"),
    (Structure::Certificate, "CERTIFICATE", "certificate"),
];

impl Structure {
    fn row(self) -> &'static (Structure, &'static str, &'static str) {
        let row = STRUCTURES.iter().find(|(structure, ..)| *structure == self);
        row.unwrap_or(&STRUCTURES[0])
    }

    pub(super) fn label(self) -> &'static str {
        self.row().1
    }

    pub(super) fn name(self) -> &'static str {
        self.row().2
    }

    /// What an encoding looks like, from the elements of its SEQUENCE.
    fn of(der: &[u8]) -> Option<Self> {
        let mut tags = Vec::new();
        let read = adamant::der::parse(der, |r: &mut Reader<'_>| {
            r.sequence(|r| {
                while !r.is_empty() {
                    tags.push(r.read_any()?.tag);
                }
                Ok(())
            })
        });
        read.ok()?;
        let (integer, sequence) = (Tag::INTEGER, Tag::SEQUENCE);
        let (octets, bits) = (Tag::OCTET_STRING, Tag::BIT_STRING);
        Some(match tags.as_slice() {
            [a, b, c, ..] if [*a, *b, *c] == [integer, sequence, octets] => Structure::Pkcs8,
            [a, b] if [*a, *b] == [sequence, octets] => Structure::EncryptedPkcs8,
            [a, b, ..] if [*a, *b] == [integer, octets] => Structure::Sec1,
            [a, b] if [*a, *b] == [integer, integer] => Structure::Pkcs1Public,
            [a, b, ..] if [*a, *b] == [integer, integer] => Structure::Pkcs1,
            [a, b] if [*a, *b] == [sequence, bits] => Structure::Spki,
            [a, b, c] if [*a, *b, *c] == [sequence, sequence, bits] => Structure::Certificate,
            _ => return None,
        })
    }
}

/// A key.
pub(super) enum Key {
    Private(Box<PrivateKey>),
    Public(Box<PublicKey>),
}

/// A key file.
pub(super) struct KeyFile {
    name: String,
    pub(super) structure: Structure,
    pub(super) is_pem: bool,
    der: SecretBytes,
}

impl KeyFile {
    /// Reads the first key of a file.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let input = Input::open(path)?;
        let name = input.name();
        let failure = |why: String| Failure::Run(format!("{name}: {why}"));
        let bytes = input.whole(LONGEST)?;
        let is_pem = bytes.windows(11).any(|window| window == b"-----BEGIN ");
        let (structure, der) = if is_pem {
            let labels = STRUCTURES.map(|(_, label, _)| label);
            let block = pem::decode_first(&*bytes, &labels).map_err(|e| match e.kind() {
                adamant::der::ErrorKind::PemHeaders => failure(
                    "the encryption of this old form is not supported; openssl pkcs8 -topk8 \
                     puts the key into PKCS #8"
                        .to_owned(),
                ),
                _ => failure(e.to_string()),
            })?;
            let row = STRUCTURES.iter().find(|row| row.1 == block.label());
            let structure = row.map_or(Structure::Pkcs8, |row| row.0);
            (structure, SecretBytes::from(block.into_der()))
        } else {
            let structure = Structure::of(&bytes);
            let structure = structure.ok_or_else(|| failure("this is no key".to_owned()))?;
            (structure, bytes)
        };
        Ok(KeyFile {
            name,
            structure,
            is_pem,
            der,
        })
    }

    /// A key that was found in a file.
    pub(super) fn found(path: &Path, der: &[u8], is_pem: bool) -> Result<Self, Failure> {
        let name = shown_path(path).to_string();
        let structure = Structure::of(der);
        let structure = structure.ok_or_else(|| Failure::Run(format!("{name}: this is no key")))?;
        Ok(KeyFile {
            name,
            structure,
            is_pem,
            der: SecretBytes::from(der.to_vec()),
        })
    }

    /// The form that it has.
    pub(super) fn form(&self) -> &'static str {
        if self.is_pem { "PEM" } else { "DER" }
    }

    /// The key; `passphrase` gives the file that its passphrase is in.
    pub(super) fn key(&self, passphrase: &Passphrase) -> Result<Key, Failure> {
        let der = &self.der[..];
        let failure = |e: &dyn core::fmt::Display| Failure::Run(format!("{}: {e}", self.name));
        let x509 = |e: adamant::x509::Error| failure(&e);
        let rsa = |e: rsa::KeyError| failure(&e);
        let private = |key: PrivateKey| Key::Private(key.into());
        let public = |key: PublicKey| Key::Public(key.into());
        let encrypted = |e: adamant::x509::Error| match e.kind() {
            ErrorKind::WrongPassword => failure(&"wrong passphrase, or the file was changed"),
            _ => failure(&e),
        };
        Ok(match self.structure {
            Structure::Pkcs8 => private(PrivateKey::from_der(der).map_err(x509)?),
            Structure::EncryptedPkcs8 => {
                let question = format!("Passphrase of {}: ", self.name);
                let source = passphrase.source();
                let password = password::find(source.as_deref(), &question, false)?;
                let limits = Limits::default();
                let key = PrivateKey::from_encrypted_der(der, &password.0, &limits);
                private(key.map_err(encrypted)?)
            }
            Structure::Sec1 => private(PrivateKey::from_sec1_der(der).map_err(x509)?),
            Structure::Pkcs1 => {
                let key = rsa::PrivateKey::from_pkcs1_der(der).map_err(rsa)?;
                private(PrivateKey::Rsa(key))
            }
            Structure::Spki => public(PublicKey::from_der(der).map_err(x509)?),
            Structure::Pkcs1Public => {
                let key = rsa::PublicKey::from_pkcs1_der(der).map_err(rsa)?;
                public(PublicKey::Rsa(key))
            }
            Structure::Certificate => {
                let certificate = Certificate::from_der(der).map_err(x509)?;
                public(certificate.public_key().map_err(x509)?)
            }
        })
    }
}

/// Whether an encoding looks like that of a key.
pub(crate) fn is_key(der: &[u8]) -> bool {
    Structure::of(der).is_some_and(|structure| structure != Structure::Certificate)
}

/// The private key in a file.
pub(crate) fn private(path: &Path, passphrase: &Passphrase) -> Result<PrivateKey, Failure> {
    match KeyFile::read(Some(path))?.key(passphrase)? {
        Key::Private(key) => Ok(*key),
        Key::Public(_) => {
            let name = path.display();
            Err(Failure::Run(format!(
                "{name}: a public key, where a private one is needed"
            )))
        }
    }
}

/// The public key in a file, which may also hold a private key that is not encrypted.
pub(crate) fn public(path: &Path) -> Result<PublicKey, Failure> {
    let file = KeyFile::read(Some(path))?;
    if file.structure == Structure::EncryptedPkcs8 {
        let name = path.display();
        let sentence = format!(
            "{name}: an encrypted private key, where a public one is needed; adamant pkey \
             --public writes that"
        );
        return Err(Failure::Run(sentence));
    }
    Ok(match file.key(&Passphrase::default())? {
        Key::Private(key) => key.public_key(),
        Key::Public(key) => *key,
    })
}
