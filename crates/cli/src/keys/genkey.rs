//! `adamant genkey`: new private keys.

use std::io::Write;

use adamant::SystemRng;
use adamant::rsa;
use adamant::x509::{KeyAlgorithm, PrivateKey};
use serde_json::json;

use super::OutputFile;
use super::file::{Passphrase, Structure};
use super::kinds;
use super::store::{self, Encryption, Form};
use crate::Failure;

/// Bits of an RSA key where nothing is said.
const RSA_BITS: u16 = 3072;

/// Make a private key (PKCS #8).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant genkey ed25519 -o key.pem
  adamant genkey rsa --bits 4096 --encrypt -o key.pem
  adamant genkey ml-dsa-65 | adamant pkey --public -o public.pem
  adamant genkey --list

Only its owner can read a file with a private key (mode 0600).")]
pub(crate) struct Args {
    /// The kind of key, such as rsa, p-256, ed25519 or ml-kem-768; with hyphens or without
    #[arg(value_name = "ALG", required_unless_present = "list")]
    algorithm: Option<String>,

    /// Bits of an RSA key, a multiple of 8 from 2048 to 8192 [default: 3072]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2048..=8192))]
    bits: Option<u16>,

    #[command(flatten)]
    output: OutputFile,

    /// The form of the file
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Pem)]
    format: Form,

    /// Encrypt the key under a passphrase
    #[arg(long)]
    encrypt: bool,

    #[command(flatten)]
    encryption: Encryption,

    #[command(flatten)]
    passphrase: Passphrase,

    /// List every kind of key and its uses instead
    #[arg(long, conflicts_with_all = ["algorithm", "bits", "output", "encrypt"])]
    list: bool,

    /// Print one JSON object per line
    #[arg(long, requires = "list")]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let Some(name) = &args.algorithm else {
        return list(args.json);
    };
    let algorithm = kinds::find(name)?;
    if args.bits.is_some() && algorithm != KeyAlgorithm::Rsa {
        let name = algorithm.name();
        return Err(Failure::Usage(format!(
            "--bits is for RSA: the size of {name} keys is given"
        )));
    }
    args.encryption.check(args.encrypt)?;
    let target = args.output.target(args.format == Form::Der)?.secret();
    let password = store::new_password(args.encrypt, &args.passphrase)?;
    let key = generate(algorithm, args.bits)?;
    let file = match password {
        None => store::private(&key, Structure::Pkcs8, args.format)?,
        Some(password) => args.encryption.encrypted(&key, &password, args.format)?,
    };
    target.write(&file)
}

/// A new key; of RSA, with this many bits.
pub(crate) fn generate(algorithm: KeyAlgorithm, bits: Option<u16>) -> Result<PrivateKey, Failure> {
    if algorithm != KeyAlgorithm::Rsa {
        return PrivateKey::generate(algorithm, &mut SystemRng)
            .map_err(|e| Failure::Run(format!("the key cannot be made: {e}")));
    }
    let bits = bits.unwrap_or(RSA_BITS);
    if !bits.is_multiple_of(8) {
        let sentence = "--bits has to be a multiple of 8";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let key = rsa::PrivateKey::generate(bits.into(), &mut SystemRng)?;
    Ok(PrivateKey::Rsa(key))
}

/// Names every kind.
fn list(as_json: bool) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for algorithm in KeyAlgorithm::ALL {
        let (name, uses) = (kinds::name(*algorithm), kinds::uses(*algorithm));
        if as_json {
            let standard = algorithm.name();
            let row = json!({ "name": name, "standard": standard, "uses": uses });
            writeln!(out, "{row}")?;
        } else {
            writeln!(out, "{name:20} {}", uses.join(", "))?;
        }
    }
    Ok(out.flush()?)
}
