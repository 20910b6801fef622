//! What a key of some kind can do besides signing.

use adamant::x509::SecretBytes;

use super::hashes::Hash;
use crate::Failure;
use crate::text::Octets;

/// A private key that agrees on secrets.
pub(super) trait Agrees {
    /// The secret shared with the owner of a public key, given as its octets.
    fn agree(&self, peer: &[u8]) -> Result<SecretBytes, adamant::Error>;
}

/// A public key that encapsulates.
pub(super) trait Encapsulates {
    /// A fresh secret and its ciphertext.
    fn encapsulate(&self) -> Result<(SecretBytes, Vec<u8>), adamant::Error>;
}

/// A private key that decapsulates.
pub(super) trait Decapsulates {
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<SecretBytes, adamant::Error>;
}

/// A public key that encrypts.
pub(super) trait Encrypts {
    fn encrypt(&self, way: &Way, message: &[u8]) -> Result<Vec<u8>, Failure>;
}

/// A private key that decrypts.
pub(super) trait Decrypts {
    fn decrypt(&self, way: &Way, ciphertext: &[u8]) -> Result<SecretBytes, Failure>;
}

/// The form of a ciphertext of SM2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    /// The SEQUENCE of GM/T 0009, in DER
    Der,
    /// Point, digest, message: the order of GB/T 32918
    C1c3c2,
    /// Point, message, digest: the order before the standard
    C1c2c3,
}

/// How to encrypt.
#[derive(clap::Args)]
#[command(next_help_heading = "How to encrypt")]
pub(super) struct Way {
    /// The hash of RSAES-OAEP and of its mask; sha256 by default
    #[arg(long, value_enum, value_name = "HASH", hide_possible_values = true)]
    hash: Option<Hash>,

    /// The label of RSAES-OAEP: text, or hex:DIGITS
    #[arg(long, value_name = "TEXT")]
    label: Option<Octets>,

    /// The form of an SM2 ciphertext; der by default
    #[arg(long, value_enum)]
    form: Option<Form>,
}

impl Way {
    pub(super) fn only_rsa(&self) -> Result<(Hash, &[u8]), Failure> {
        if self.form.is_some() {
            return Err(Failure::Usage("--form is not for RSA".to_owned()));
        }
        let label = self.label.as_ref().map_or(&[][..], |label| &label.0);
        Ok((self.hash.unwrap_or(Hash::Sha256), label))
    }

    pub(super) fn only_sm2(&self) -> Result<Form, Failure> {
        if self.hash.is_some() || self.label.is_some() {
            let sentence = "--hash and --label are not for SM2";
            return Err(Failure::Usage(sentence.to_owned()));
        }
        Ok(self.form.unwrap_or(Form::Der))
    }
}
