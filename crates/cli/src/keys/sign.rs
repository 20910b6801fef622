//! `adamant sign` and `adamant verify`.

use std::io::Write;
use std::path::PathBuf;

use serde_json::json;

use super::file;
use super::hashes::Message;
use super::kinds::{Private, Public, unfit};
use super::schemes::Scheme;
use super::{OutputArgs, PrivateUse, decoded};
use crate::Failure;
use crate::input::Input;
use crate::text::Coding;

/// The longest text of a signature, the longest of which have 49,856 bytes.
const LONGEST: usize = 1 << 17;

/// Sign a file or standard input with a private key.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant sign --key key.pem letter.txt -o letter.sig
  adamant sign --key rsa.pem --padding pkcs1 --hash sha512 letter.txt -o letter.sig
  adamant sign --key ml-dsa.pem --context letters --format base64 < letter.txt

A message of any length is hashed as it is read; Ed25519, Ed448 and SLH-DSA
without --prehash need all of it in memory, at most 64 MiB.")]
pub(crate) struct SignArgs {
    #[command(flatten)]
    private: PrivateUse,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    scheme: Scheme,
}

/// Verify a signature: exit code 0 if it is valid, 1 if not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant verify --key public.pem --signature letter.sig letter.txt

The options that say how to sign have to match the signer's. A message that has to
be in memory as a whole (Ed25519, Ed448, SLH-DSA) may have up to 1 GiB.")]
pub(crate) struct VerifyArgs {
    /// The public key, or a certificate with it: PEM or DER
    #[arg(short, long, value_name = "FILE")]
    key: PathBuf,

    /// The signature
    #[arg(short, long, value_name = "FILE")]
    signature: PathBuf,

    /// How the signature is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Coding,

    /// The message; '-', or none at all, is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    scheme: Scheme,
}

/// Signs.
pub(crate) fn sign(args: &SignArgs) -> Result<(), Failure> {
    let target = args.output.target()?;
    let message = Message {
        input: args.private.input()?,
        is_digest: args.scheme.digest,
    };
    let key = args.private.key()?;
    let signer = Private::of(&key).sign;
    let signer = signer.ok_or_else(|| unfit(Some(key.algorithm()), "sign"))?;
    let signature = signer.sign(&args.scheme, message)?;
    args.output.write(target, &signature)
}

/// Verifies.
pub(crate) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let key = file::public(&args.key)?;
    let verifier = Public::of(&key).sign;
    let verifier = verifier.ok_or_else(|| unfit(key.algorithm(), "verify"))?;
    let signature = decoded(Input::open(Some(&args.signature))?, args.format, LONGEST)?;
    let message = Message {
        input: Input::open(args.file.as_deref())?,
        is_digest: args.scheme.digest,
    };
    let verifies = verifier.verify(&args.scheme, message, &signature)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json!({ "verifies": verifies }))?;
    } else if verifies {
        writeln!(out, "signature verifies")?;
    }
    out.flush()?;
    if verifies {
        Ok(())
    } else {
        Err(Failure::Run("signature does not verify".to_owned()))
    }
}
