//! `adamant encrypt` and `adamant decrypt`: short messages with RSA, any with SM2.

use std::path::PathBuf;

use adamant::SystemRng;
use adamant::ec::sm2;
use adamant::rsa;
use adamant::x509::SecretBytes;

use super::file;
use super::hashes::{Hash, with_hash};
use super::kinds::{Private, Public, unfit};
use super::roles::{Decrypts, Encrypts, Form, Way};
use super::{MADE_IN_MEMORY, OutputArgs, OutputFile, PrivateUse, READ_IN_MEMORY, decoded};
use crate::Failure;
use crate::input::Input;
use crate::text::Coding;

/// What to do with a longer message.
const LONGER: &str =
    "encrypt a key file, and the message under that key with adamant enc --key-file";

/// What is said of a ciphertext, whatever is wrong with it.
fn wrong(error: adamant::Error) -> Failure {
    match error {
        adamant::Error::BadTag | adamant::Error::BadPublicKey => {
            let sentence = "decryption failed: the ciphertext is not one for this key and options";
            Failure::Run(sentence.to_owned())
        }
        other => other.into(),
    }
}

impl Encrypts for rsa::PublicKey {
    fn encrypt(&self, way: &Way, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let (hash, label) = way.only_rsa()?;
        let most = self.size().saturating_sub(2 * hash.len() + 2);
        if message.len() > most {
            let bits = self.bits();
            let hash = hash.name();
            return Err(Failure::Run(format!(
                "RSA-{bits} with OAEP and {hash} encrypts at most {most} bytes: encrypt a key, \
                 and the message with that (adamant enc), or use adamant hpke"
            )));
        }
        Ok(with_hash!(hash, H => self.encrypt_oaep::<H>(message, label, &mut SystemRng))?)
    }
}

impl Decrypts for rsa::PrivateKey {
    fn decrypt(&self, way: &Way, ciphertext: &[u8]) -> Result<SecretBytes, Failure> {
        let (hash, label) = way.only_rsa()?;
        with_hash!(hash, H => self.decrypt_oaep::<H>(ciphertext, label, &mut SystemRng))
            .map_err(wrong)
    }
}

impl Encrypts for sm2::PublicKey {
    fn encrypt(&self, way: &Way, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let form = way.only_sm2()?;
        if message.is_empty() {
            let sentence = "SM2 encrypts no empty message";
            return Err(Failure::Run(sentence.to_owned()));
        }
        let ciphertext = sm2::PublicKey::encrypt(self, message, &mut SystemRng)?;
        Ok(match form {
            Form::Der => ciphertext.to_der(),
            Form::C1c3c2 => ciphertext.to_bytes(),
            Form::C1c2c3 => ciphertext.to_c1c2c3(),
        })
    }
}

impl Decrypts for sm2::PrivateKey {
    fn decrypt(&self, way: &Way, ciphertext: &[u8]) -> Result<SecretBytes, Failure> {
        let ciphertext = match way.only_sm2()? {
            Form::Der => sm2::Ciphertext::from_der(ciphertext),
            Form::C1c3c2 => sm2::Ciphertext::from_bytes(ciphertext),
            Form::C1c2c3 => sm2::Ciphertext::from_c1c2c3(ciphertext),
        };
        let ciphertext = ciphertext.map_err(wrong)?;
        sm2::PrivateKey::decrypt(self, &ciphertext).map_err(wrong)
    }
}

/// Encrypt a short message to the owner of a public key (RSAES-OAEP, SM2).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant encrypt --key public.pem --label letters key -o key.sealed
  adamant decrypt --key key.pem --label letters key.sealed -o key

For files of any length: adamant hpke seal, or adamant enc with a key file that
is encrypted this way.")]
pub(crate) struct EncryptArgs {
    /// The public key, or a certificate with it: PEM or DER
    #[arg(short, long, value_name = "FILE")]
    key: PathBuf,

    /// The message; '-', or none at all, is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    way: Way,
}

/// Decrypt what `adamant encrypt` made, under the same options.
#[derive(clap::Args)]
pub(crate) struct DecryptArgs {
    #[command(flatten)]
    private: PrivateUse,

    #[command(flatten)]
    output: OutputFile,

    /// How the ciphertext is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Coding,

    #[command(flatten)]
    way: Way,
}

/// Encrypts.
pub(crate) fn encrypt(args: &EncryptArgs) -> Result<(), Failure> {
    let target = args.output.target()?;
    let input = Input::open(args.file.as_deref())?;
    let key = file::public(&args.key)?;
    let encryption = Public::of(&key).encrypt;
    let encryption = encryption.ok_or_else(|| unfit(key.algorithm(), "encrypt"))?;
    let ciphertext = encryption.encrypt(&args.way, &input.whole_or(MADE_IN_MEMORY, LONGER)?)?;
    args.output.write(target, &ciphertext)
}

/// Decrypts.
pub(crate) fn decrypt(args: &DecryptArgs) -> Result<(), Failure> {
    let target = args.output.target(false)?.secret();
    let input = args.private.input()?;
    let key = args.private.key()?;
    let decryption = Private::of(&key).encrypt;
    let decryption = decryption.ok_or_else(|| unfit(Some(key.algorithm()), "decrypt"))?;
    let ciphertext = decoded(input, args.format, 2 * READ_IN_MEMORY)?;
    target.write(&decryption.decrypt(&args.way, &ciphertext)?)
}
