//! `adamant pkey`: a key shown, checked, or put into another form.

use std::io::Write;
use std::path::{Path, PathBuf};

use adamant::x509::{PrivateKey, PublicKey};
use adamant::{Error, SystemRng};
use adamant_pki::ca::{Finding, inspect};
use serde_json::{Map, Value, json};

use super::OutputFile;
use super::file::{Key, KeyFile, Passphrase, Structure};
use super::hashes::Message;
use super::kinds::{self, Private, Public, octets};
use super::schemes::Scheme;
use super::store::{self, Encryption, Form};
use crate::Failure;
use crate::input::Input;
use crate::password;
use crate::text::{hex, shown_path};

/// Show a key, check it, or put it into another form.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pkey key.pem                              kind, form and public parts
  adamant pkey key.pem --check
  adamant pkey key.pem --public -o public.pem
  adamant pkey key.pem --format der -o key.der
  adamant pkey key.pem --encrypt -o sealed.pem
  adamant pkey sealed.pem --decrypt -o key.pem

The form is recognised: PEM or DER; PKCS #8, SEC 1, PKCS #1 or
SubjectPublicKeyInfo; a certificate counts as its public key. Private parts are
never shown.")]
pub(crate) struct Args {
    /// The key; '-', or none at all, is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFile,

    /// Write the key in this form; pem if another option says that it is written
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<Form>,

    /// Write only the public key
    #[arg(long, conflicts_with_all = ["encrypt", "decrypt", "traditional"])]
    public: bool,

    /// Write the private key encrypted under a new passphrase
    #[arg(long, conflicts_with_all = ["decrypt", "traditional"])]
    encrypt: bool,

    /// Write an encrypted private key in the clear
    #[arg(long)]
    decrypt: bool,

    /// Write the private key in the structure older than PKCS #8: SEC 1 or PKCS #1
    #[arg(long)]
    traditional: bool,

    /// Check that the private key belongs to the public one
    #[arg(long)]
    check: bool,

    /// Show a JSON object
    #[arg(long, conflicts_with_all = ["output", "format", "public", "encrypt", "decrypt",
        "traditional"])]
    json: bool,

    #[command(flatten)]
    passphrase: Passphrase,

    /// A file whose first line is the new passphrase, for --encrypt; without it the program asks
    #[arg(long, value_name = "FILE", requires = "encrypt")]
    new_passphrase_file: Option<PathBuf>,

    /// An open descriptor to read that line from
    #[arg(
        long,
        value_name = "N",
        requires = "encrypt",
        conflicts_with = "new_passphrase_file"
    )]
    new_passphrase_fd: Option<u32>,

    #[command(flatten)]
    encryption: Encryption,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    args.encryption.check(args.encrypt)?;
    let form = args.format.unwrap_or(Form::Pem);
    let writes = args.format.is_some()
        || args.output.output.is_some()
        || [args.public, args.encrypt, args.decrypt, args.traditional].contains(&true);
    let target = match writes {
        true => Some(args.output.target(form == Form::Der)?),
        false => None,
    };
    let file = KeyFile::read(args.file.as_deref())?;
    let key = file.key(&args.passphrase)?;
    if args.check {
        check(&key)?;
    }
    let Some(target) = target else {
        return show(&file, &key, args.json, args.check);
    };
    let key = match key {
        Key::Public(key) => {
            if args.encrypt || args.decrypt || args.traditional {
                let sentence = "a public key has no private part to write";
                return Err(Failure::Run(sentence.to_owned()));
            }
            return target.write(&store::public(&key, form));
        }
        Key::Private(key) if args.public => {
            return target.write(&store::public(&key.public_key(), form));
        }
        Key::Private(key) => key,
    };
    if file.structure == Structure::EncryptedPkcs8 && !args.encrypt && !args.decrypt {
        let sentence = "the key is encrypted: --decrypt writes it as it is, --encrypt under a new \
                        passphrase";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let target = target.secret();
    if args.encrypt {
        let source = args.new_passphrase_file.clone();
        let source = source.or_else(|| args.new_passphrase_fd.map(password::descriptor));
        let question = "Passphrase of the new file: ";
        let password = password::find(source.as_deref(), question, true)?;
        return target.write(&args.encryption.encrypted(&key, &password, form)?);
    }
    let structure = match args.traditional {
        true => store::traditional_structure(&key),
        false => Structure::Pkcs8,
    };
    target.write(&store::private(&key, structure, form)?)
}

/// What is shown of a public key, by name.
fn parts(key: &PublicKey) -> Vec<(&'static str, String)> {
    match key {
        PublicKey::Rsa(key) => vec![
            ("bits", key.bits().to_string()),
            ("modulus", hex(&key.n())),
            ("exponent", hex(&key.e())),
        ],
        key => vec![("public key", hex(&octets(key)))],
    }
}

/// Shows what is public of a key that was found in a file, without asking for a passphrase.
pub(crate) fn show_key(
    path: &Path,
    der: &[u8],
    is_pem: bool,
    as_json: bool,
) -> Result<(), Failure> {
    let file = KeyFile::found(path, der, is_pem)?;
    if file.structure != Structure::EncryptedPkcs8 {
        let key = file.key(&Passphrase::default())?;
        return show(&file, &key, as_json, false);
    }
    let (structure, form) = (file.structure.name(), file.form());
    let mut out = std::io::stdout().lock();
    if as_json {
        let form = form.to_ascii_lowercase();
        writeln!(
            out,
            "{}",
            json!({ "half": "private", "structure": structure, "form": form })
        )?;
    } else {
        writeln!(out, "private key ({structure}, {form})")?;
    }
    Ok(out.flush()?)
}

/// What is wrong with a key that was found in a file; of an encrypted one that cannot be told.
pub(crate) fn lint_key(path: &Path, der: &[u8], is_pem: bool) -> Result<Vec<Finding>, Failure> {
    let file = KeyFile::found(path, der, is_pem)?;
    if file.structure == Structure::EncryptedPkcs8 {
        let name = shown_path(path);
        let sentence = format!("{name}: encrypted; adamant pkey --decrypt writes it as it is");
        return Err(Failure::Run(sentence));
    }
    let key = match file.key(&Passphrase::default())? {
        Key::Public(key) => return Ok(inspect::key(&key)),
        Key::Private(key) => key,
    };
    let mut findings = inspect::key(&key.public_key());
    if !fits(&key)? {
        findings.push(Finding {
            rule: "RFC 5958, 2",
            what: "the private key does not fit the public one".to_owned(),
        });
    }
    Ok(findings)
}

fn show(file: &KeyFile, key: &Key, as_json: bool, checked: bool) -> Result<(), Failure> {
    let (is_private, public) = match key {
        Key::Private(key) => (true, key.public_key()),
        Key::Public(key) => (false, (**key).clone()),
    };
    let kind = match (public.algorithm(), &public) {
        (Some(algorithm), _) => algorithm.name().to_owned(),
        (None, PublicKey::Unknown(key)) => key.oid.to_string(),
        (None, _) => String::new(),
    };
    let half = if is_private { "private" } else { "public" };
    let form = file.form();
    let uses = public.algorithm().map_or(&[][..], kinds::uses);
    let structure = file.structure.name();
    let id = hex(&public.key_id());
    let mut out = std::io::stdout().lock();
    if as_json {
        let mut object = Map::new();
        for (name, value) in [("kind", &*kind), ("half", half), ("structure", structure)] {
            object.insert(name.to_owned(), json!(value));
        }
        object.insert("form".to_owned(), json!(form.to_ascii_lowercase()));
        object.insert("uses".to_owned(), json!(uses));
        for (name, value) in parts(&public) {
            object.insert(name.replace(' ', "_"), json!(value));
        }
        object.insert("key_id".to_owned(), json!(id));
        if checked {
            object.insert("consistent".to_owned(), json!(true));
        }
        writeln!(out, "{}", Value::Object(object))?;
    } else {
        writeln!(out, "{kind} {half} key ({structure}, {form})")?;
        for (name, value) in parts(&public) {
            writeln!(out, "{name:12} {value}")?;
        }
        writeln!(out, "{:12} {id}", "key id")?;
        writeln!(out, "{:12} {}", "uses", uses.join(", "))?;
        if checked {
            writeln!(out, "{:12} the private key fits the public one", "check")?;
        }
    }
    Ok(out.flush()?)
}

/// Uses a private key with its public one: a signature that has to verify, secrets that have to
/// be the same.
fn check(key: &Key) -> Result<(), Failure> {
    let Key::Private(key) = key else {
        let sentence = "--check is for private keys: a public key was checked when it was read";
        return Err(Failure::Usage(sentence.to_owned()));
    };
    let unfit = |_| Failure::Run("the private key does not fit the public one".to_owned());
    if fits(key)? { Ok(()) } else { Err(unfit(())) }
}

fn fits(key: &PrivateKey) -> Result<bool, Failure> {
    let public_key = key.public_key();
    let (private, public) = (Private::of(key), Public::of(&public_key));
    if let (Some(signer), Some(verifier)) = (private.sign, public.sign) {
        let message = || Message {
            input: Input::of(b"a message to try a key with"),
            is_digest: false,
        };
        let scheme = Scheme::default();
        // What is no signature has not left the primitive.
        return match signer.sign(&scheme, message()) {
            Ok(signature) => verifier.verify(&scheme, message(), &signature),
            Err(_) => Ok(false),
        };
    }
    if let (Some(opener), Some(maker)) = (private.encapsulate, public.encapsulate) {
        let (secret, ciphertext) = maker.encapsulate()?;
        return Ok(opener.decapsulate(&ciphertext)?[..] == secret[..]);
    }
    let Some(agreement) = private.derive else {
        return Ok(true);
    };
    let other = PrivateKey::generate(key.algorithm(), &mut SystemRng);
    let other = other.map_err(|_| Error::NoEntropy)?;
    let Some(with) = Private::of(&other).derive else {
        return Ok(true);
    };
    let here = agreement.agree(&octets(&other.public_key()))?;
    Ok(here[..] == with.agree(&octets(&public_key))?[..])
}
