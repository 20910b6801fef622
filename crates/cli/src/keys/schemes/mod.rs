//! Ways to sign: what the options say, and what each family of keys makes of it.

mod ecdsa;
mod eddsa;
mod post_quantum;
mod rsa;

use adamant::Error;

use super::hashes::{Hash, Message};
use crate::Failure;
use crate::text::Octets;

/// A private key that signs.
pub(in crate::keys) trait Signs {
    fn sign(&self, scheme: &Scheme, message: Message) -> Result<Vec<u8>, Failure>;
}

/// A public key that verifies.
pub(in crate::keys) trait Verifies {
    /// Whether the signature is one of the message.
    fn verify(&self, scheme: &Scheme, message: Message, signature: &[u8]) -> Result<bool, Failure>;
}

/// The padding of an RSA signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::keys) enum Padding {
    /// RSASSA-PSS, the mask with the hash of the message
    Pss,
    /// RSASSA-PKCS1-v1_5
    Pkcs1,
}

/// The encoding of two integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::keys) enum Encoding {
    /// A SEQUENCE in DER, as in X.509 and TLS
    #[default]
    Der,
    /// One after the other, each as long as the order of the curve, as in JOSE
    Fixed,
}

/// How much salt an RSASSA-PSS signature has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::keys) enum SaltLength {
    /// This many bytes.
    Bytes(usize),
    /// As many as the signature says.
    Any,
}

impl core::str::FromStr for SaltLength {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "any" {
            return Ok(SaltLength::Any);
        }
        let bytes = text.parse().map(SaltLength::Bytes);
        bytes.map_err(|_| "a number of bytes, or any")
    }
}

/// How to sign.
#[derive(clap::Args, Default)]
#[command(next_help_heading = "How to sign")]
pub(in crate::keys) struct Scheme {
    /// The hash; by default that of the curve's size for ECDSA, sha256 for RSA, sha512 for
    /// pre-hashed signatures
    #[arg(long, value_enum, value_name = "HASH", hide_possible_values = true)]
    pub(in crate::keys) hash: Option<Hash>,

    /// The padding of RSA; pss by default
    #[arg(long, value_enum)]
    pub(in crate::keys) padding: Option<Padding>,

    /// Bytes of salt in RSASSA-PSS, or any when verifying; by default as many as the digest has
    #[arg(long, value_name = "N")]
    pub(in crate::keys) salt_length: Option<SaltLength>,

    /// The encoding of an ECDSA or SM2 signature; der by default
    #[arg(long, value_enum)]
    pub(in crate::keys) encoding: Option<Encoding>,

    /// The signer's identity in SM2; 1234567812345678 by default
    #[arg(long, value_name = "TEXT")]
    pub(in crate::keys) identity: Option<Octets>,

    /// The context of Ed25519ctx, Ed25519ph, Ed448, ML-DSA and SLH-DSA: text, or hex:DIGITS
    #[arg(long, value_name = "TEXT")]
    pub(in crate::keys) context: Option<Octets>,

    /// Sign a digest: Ed25519ph, Ed448ph, HashML-DSA, HashSLH-DSA
    #[arg(long)]
    pub(in crate::keys) prehash: bool,

    /// The input is the digest, not the message
    #[arg(long)]
    pub(in crate::keys) digest: bool,

    /// Sign without fresh randomness, which is used by default (ML-DSA, SLH-DSA)
    #[arg(long)]
    pub(in crate::keys) deterministic: bool,
}

/// An option of [`Scheme`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Hash,
    Padding,
    SaltLength,
    Encoding,
    Identity,
    Context,
    Prehash,
    Digest,
    Deterministic,
}

impl Scheme {
    /// Refuses options other than these, for keys of the given kind.
    fn allow(&self, kind: &str, allowed: &[Choice]) -> Result<(), Failure> {
        let given = [
            (Choice::Hash, self.hash.is_some(), "--hash"),
            (Choice::Padding, self.padding.is_some(), "--padding"),
            (
                Choice::SaltLength,
                self.salt_length.is_some(),
                "--salt-length",
            ),
            (Choice::Encoding, self.encoding.is_some(), "--encoding"),
            (Choice::Identity, self.identity.is_some(), "--identity"),
            (Choice::Context, self.context.is_some(), "--context"),
            (Choice::Prehash, self.prehash, "--prehash"),
            (Choice::Digest, self.digest, "--digest"),
            (Choice::Deterministic, self.deterministic, "--deterministic"),
        ];
        let wrong =
            |(choice, given, _): &&(Choice, bool, &str)| *given && !allowed.contains(choice);
        match given.iter().find(wrong) {
            None => Ok(()),
            Some((.., name)) => Err(Failure::Usage(format!("{name} is not for {kind}"))),
        }
    }

    fn context(&self) -> &[u8] {
        self.context.as_ref().map_or(&[], |context| &context.0)
    }
}

/// Whether a signature is good, from what a primitive says.
fn verdict(result: Result<(), Error>) -> Result<bool, Failure> {
    match result {
        Ok(()) => Ok(true),
        Err(Error::BadSignature) => Ok(false),
        Err(e) => Err(e.into()),
    }
}
