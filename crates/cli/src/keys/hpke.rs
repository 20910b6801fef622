//! `adamant hpke seal` and `adamant hpke open`: files to the owner of a key (RFC 9180).
//!
//! A sealed file is the encapsulated key, whose length the KEM gives, and after it the ciphertext
//! with its tag of 16 bytes: the `enc` and `ct` of RFC 9180, section 6.1, as they are. Nothing in
//! it names the suite, the mode or `info`: both sides have to know them.

use std::path::PathBuf;

use adamant::hybrid::hpke::{self, Aead, Kdf, Kem, Mode, Psk, Suite};
use adamant::hybrid::x_wing;
use adamant::x509::{PrivateKey, PublicKey, SecretBytes};
use adamant::{Error, SystemRng};

use super::file::{self, Passphrase};
use super::kinds::octets;
use super::{MADE_IN_MEMORY, OutputFile, READ_IN_MEMORY};
use crate::Failure;
use crate::input::Input;
use crate::output::Target;
use crate::text::Octets;

/// The longest pre-shared key.
const LONGEST_PSK: usize = 4096;
/// What to do with a longer message.
const LONGER: &str = "seal a key file, and the message under that key with adamant enc --key-file \
                      (adamant hpke --help shows how)";
/// The longest encapsulated key in a file of its own.
const LONGEST_ENC: usize = 1 << 16;

/// Encrypt files to the owner of a public key, and decrypt them (HPKE).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant genkey x25519 -o key.pem
  adamant pkey key.pem --public -o public.pem
  adamant hpke seal --key public.pem letter.txt -o letter.sealed
  adamant hpke open --key key.pem letter.sealed -o letter.txt

The kind of the key decides the KEM. A sealed file is the encapsulated key followed
by the ciphertext; both sides have to give the same options. A file is sealed as
one message, in memory: at most 64 MiB. For longer ones, seal a key file, and
encrypt the file under that key:
  head -c 32 /dev/urandom > once
  adamant enc --key-file once film.mov
  adamant hpke seal --key public.pem once -o once.sealed")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Encrypt a file to the owner of a public key
    Seal(Common),
    /// Decrypt what was sealed
    Open(Common),
}

#[derive(clap::Args)]
struct Common {
    /// The receiver's key: the public one to seal, the private one to open
    #[arg(short, long, value_name = "FILE")]
    key: PathBuf,

    /// The sender's key, which authenticates: the private one to seal, the public one to open
    #[arg(long, value_name = "FILE")]
    sender: Option<PathBuf>,

    /// A file with a key that both share, of at least 32 bytes, which authenticates too
    #[arg(long, value_name = "FILE", requires = "psk_id")]
    psk_file: Option<PathBuf>,

    /// The name of that key
    #[arg(long, value_name = "TEXT", requires = "psk_file")]
    psk_id: Option<Octets>,

    /// What the message is for, the same on both sides: text, or hex:DIGITS
    #[arg(long, value_name = "TEXT")]
    info: Option<Octets>,

    /// Data authenticated with the message but not part of it: text, or hex:DIGITS
    #[arg(long, value_name = "TEXT")]
    aad: Option<Octets>,

    /// The key derivation function
    #[arg(long, value_enum, default_value_t = KdfName::HkdfSha256)]
    kdf: KdfName,

    /// The AEAD
    #[arg(long, value_enum, default_value_t = AeadName::Aes256Gcm)]
    aead: AeadName,

    /// The input; '-', or none at all, is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFile,

    /// A separate file for the encapsulated key; the other then has only the ciphertext
    #[arg(long, value_name = "FILE")]
    enc: Option<PathBuf>,

    #[command(flatten)]
    passphrase: Passphrase,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum KdfName {
    HkdfSha256,
    HkdfSha384,
    HkdfSha512,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum AeadName {
    #[value(name = "aes-128-gcm")]
    Aes128Gcm,
    #[value(name = "aes-256-gcm")]
    Aes256Gcm,
    #[value(name = "chacha20-poly1305")]
    ChaCha20Poly1305,
}

/// Makes the keys of HPKE from those of files, of a row for each KEM.
macro_rules! kems {
    ($($kem:ident $octets:ident;)*) => {
        fn private_key(key: &PrivateKey) -> Result<hpke::PrivateKey, Failure> {
            Ok(match key {
                $(PrivateKey::$kem(key) => {
                    hpke::PrivateKey::from_bytes(Kem::$kem, (*key.$octets()).as_ref())?
                })*
                other => return Err(no_kem(other.algorithm().name())),
            })
        }

        fn public_key(key: &PublicKey) -> Result<hpke::PublicKey, Failure> {
            Ok(match key {
                $(PublicKey::$kem(_) => hpke::PublicKey::from_bytes(Kem::$kem, &octets(key))?,)*
                other => return Err(no_kem(other.algorithm().map_or("these", |a| a.name()))),
            })
        }

        const KEMS: &[&str] = &[$(stringify!($kem)),*];
    };
}

kems! {
    P256 to_bytes;
    P384 to_bytes;
    P521 to_bytes;
    X25519 to_bytes;
    X448 to_bytes;
    XWing seed;
}

fn no_kem(name: &str) -> Failure {
    let kems = KEMS.join(", ");
    Failure::Run(format!("HPKE has no KEM for {name} keys; it has {kems}"))
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Seal(common) => common.seal(),
        Command::Open(common) => common.open(),
    }
}

impl Common {
    fn suite(&self, kem: Kem) -> Suite {
        let kdf = match self.kdf {
            KdfName::HkdfSha256 => Kdf::HkdfSha256,
            KdfName::HkdfSha384 => Kdf::HkdfSha384,
            KdfName::HkdfSha512 => Kdf::HkdfSha512,
        };
        let aead = match self.aead {
            AeadName::Aes128Gcm => Aead::Aes128Gcm,
            AeadName::Aes256Gcm => Aead::Aes256Gcm,
            AeadName::ChaCha20Poly1305 => Aead::ChaCha20Poly1305,
        };
        Suite::new(kem, kdf, aead)
    }

    /// The pre-shared key, where there is one.
    fn psk(&self) -> Result<Option<SecretBytes>, Failure> {
        let Some(path) = &self.psk_file else {
            return Ok(None);
        };
        let psk = Input::open(Some(path))?.whole(LONGEST_PSK)?;
        if psk.len() < 32 {
            let name = path.display();
            let sentence = format!("{name}: a pre-shared key has at least 32 bytes");
            return Err(Failure::Run(sentence));
        }
        Ok(Some(psk))
    }

    fn mode<'a, K>(&'a self, sender: Option<&'a K>, psk: Option<&'a [u8]>) -> Mode<'a, K> {
        let id = octets_of(&self.psk_id);
        match (sender, psk) {
            (None, None) => Mode::Base,
            (None, Some(key)) => Mode::Psk(Psk { key, id }),
            (Some(sender), None) => Mode::Auth(sender),
            (Some(sender), Some(key)) => Mode::AuthPsk(sender, Psk { key, id }),
        }
    }

    fn seal(&self) -> Result<(), Failure> {
        let target = self.output.target(true)?;
        let enc_target = self
            .enc
            .as_deref()
            .map(|path| Target::file(path, self.output.force));
        let enc_target = enc_target.transpose()?;
        let input = Input::open(self.file.as_deref())?;
        let to = public_key(&file::public(&self.key)?)?;
        let sender = self.sender.as_deref();
        let sender = sender.map(|path| private_key(&file::private(path, &self.passphrase)?));
        let (sender, psk) = (sender.transpose()?, self.psk()?);
        if sender
            .as_ref()
            .is_some_and(|sender| sender.kem() != to.kem())
        {
            return Err(kinds_differ());
        }
        let mode = self.mode(sender.as_ref(), psk.as_deref());
        let message = input.whole_or(MADE_IN_MEMORY, LONGER)?;
        let (info, aad) = (octets_of(&self.info), octets_of(&self.aad));
        let suite = self.suite(to.kem());
        let (enc, sealed) = suite.seal(&to, info, mode, aad, &message, &mut SystemRng)?;
        match enc_target {
            None => target.write(&[enc, sealed].concat()),
            Some(enc_target) => {
                let (enc, sealed) = (enc_target.prepare(&enc)?, target.prepare(&sealed)?);
                enc.finish()?;
                sealed.finish()
            }
        }
    }

    fn open(&self) -> Result<(), Failure> {
        let target = self.output.target(false)?.secret();
        let input = Input::open(self.file.as_deref())?;
        let sender = self.sender.as_deref();
        let sender = sender.map(|path| public_key(&file::public(path)?));
        let (sender, psk) = (sender.transpose()?, self.psk()?);
        let key = private_key(&file::private(&self.key, &self.passphrase)?)?;
        if sender
            .as_ref()
            .is_some_and(|sender| sender.kem() != key.kem())
        {
            return Err(kinds_differ());
        }
        let mode = self.mode(sender.as_ref(), psk.as_deref());
        let name = input.name();
        let wrong = |_: Error| {
            let why = "wrong key or options, or the file was changed or cut";
            Failure::Run(format!("{name}: {why}"))
        };
        let sealed = input.whole(READ_IN_MEMORY + LONGEST_ENC)?;
        let separate = self.enc.as_deref();
        let separate = separate.map(|path| Input::open(Some(path))?.whole(LONGEST_ENC));
        let separate = separate.transpose()?;
        let (enc, sealed) = match &separate {
            Some(enc) => (&enc[..], &sealed[..]),
            None => {
                let parts = sealed.split_at_checked(enc_len(&key));
                parts.ok_or(Error::BadTag).map_err(wrong)?
            }
        };
        let (info, aad) = (octets_of(&self.info), octets_of(&self.aad));
        let suite = self.suite(key.kem());
        let message = suite
            .open(enc, &key, info, mode, aad, sealed)
            .map_err(wrong)?;
        target.write(&SecretBytes::from(message))
    }
}

/// Bytes of an encapsulated key: in a Diffie-Hellman KEM those of a public key.
fn enc_len(key: &hpke::PrivateKey) -> usize {
    match key.kem() {
        Kem::XWing => x_wing::CIPHERTEXT_LEN,
        _ => key.public_key().to_bytes().len(),
    }
}

fn octets_of(octets: &Option<Octets>) -> &[u8] {
    octets.as_ref().map_or(&[], |octets| &octets.0)
}

fn kinds_differ() -> Failure {
    Failure::Run("the keys of the sender and the receiver are of two kinds".to_owned())
}
