//! `adamant encapsulate` and `adamant decapsulate`: a fresh secret to the owner of a key.

use std::path::PathBuf;

use adamant::hazmat::base::exactly;
use adamant::x509::SecretBytes;
use adamant::{Error, SystemRng};

use super::file;
use super::kinds::{Private, Public, unfit};
use super::roles::{Decapsulates, Encapsulates};
use super::{OutputArgs, PrivateUse, decoded};
use crate::Failure;
use crate::output::Target;
use crate::text::Coding;

/// The longest text of a ciphertext.
const LONGEST: usize = 1 << 16;

macro_rules! kems {
    (
        curves { $($_curves:tt)* }
        signatures { $($_signatures:tt)* }
        agreements { $($_agreements:tt)* }
        kems { $({ $feature:tt $kem:ident $krate:ident $module:ident $($_k:tt)* })* }
    ) => { $(
        use adamant::$krate::$module;

        impl Encapsulates for $module::EncapsulationKey {
            fn encapsulate(&self) -> Result<(SecretBytes, Vec<u8>), Error> {
                let (ciphertext, secret) =
                    $module::EncapsulationKey::encapsulate(self, &mut SystemRng)?;
                Ok((SecretBytes::from(secret.as_bytes().to_vec()), ciphertext.to_vec()))
            }
        }

        impl Decapsulates for $module::DecapsulationKey {
            fn decapsulate(&self, ciphertext: &[u8]) -> Result<SecretBytes, Error> {
                let secret = $module::DecapsulationKey::decapsulate(self, exactly(ciphertext)?);
                Ok(SecretBytes::from(secret.as_bytes().to_vec()))
            }
        }
    )* };
}

adamant::hazmat::base::schemes!(kems);

/// Make a secret and its encapsulation for the owner of a public key (ML-KEM, X-Wing).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant encapsulate --key public.pem --ciphertext to-bob --secret secret
  adamant decapsulate --key key.pem to-bob -o secret")]
pub(crate) struct EncapsulateArgs {
    /// The public key, or a certificate with it: PEM or DER
    #[arg(short, long, value_name = "FILE")]
    key: PathBuf,

    /// The file to write the ciphertext to, which the owner of the key needs
    #[arg(short, long, value_name = "FILE")]
    ciphertext: PathBuf,

    /// The file to write the secret to
    #[arg(short, long, value_name = "FILE")]
    secret: PathBuf,

    /// Replace the files if they exist
    #[arg(short, long)]
    force: bool,

    /// How both are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Coding,
}

/// Get the secret of an encapsulation back.
#[derive(clap::Args)]
#[command(
    after_help = "--format applies to the ciphertext and the secret. A ciphertext that was changed
gives another secret and no error, as the standard requires."
)]
pub(crate) struct DecapsulateArgs {
    #[command(flatten)]
    private: PrivateUse,

    #[command(flatten)]
    output: OutputArgs,
}

/// Encapsulates.
pub(crate) fn encapsulate(args: &EncapsulateArgs) -> Result<(), Failure> {
    if args.ciphertext == args.secret {
        let sentence = "the ciphertext and the secret need a file each";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let binary = args.format.is_binary();
    let ciphertext_to = Target::named(Some(&args.ciphertext), args.force, binary)?;
    let secret_to = Target::named(Some(&args.secret), args.force, binary)?.secret();
    let key = file::public(&args.key)?;
    let kem = Public::of(&key).encapsulate;
    let kem = kem.ok_or_else(|| unfit(key.algorithm(), "encapsulate"))?;
    let (secret, ciphertext) = kem.encapsulate()?;
    // Both are whole before one of them appears.
    let outputs = [(secret_to, &*secret), (ciphertext_to, &ciphertext)]
        .map(|(target, data)| target.prepare(&args.format.encode(data)));
    let [secret, ciphertext] = outputs;
    let (secret, ciphertext) = (secret?, ciphertext?);
    secret.finish()?;
    ciphertext.finish()
}

/// Decapsulates.
pub(crate) fn decapsulate(args: &DecapsulateArgs) -> Result<(), Failure> {
    let target = args.output.target()?.secret();
    let input = args.private.input()?;
    let key = args.private.key()?;
    let kem = Private::of(&key).encapsulate;
    let kem = kem.ok_or_else(|| unfit(Some(key.algorithm()), "decapsulate"))?;
    let name = input.name();
    let ciphertext = decoded(input, args.output.format, LONGEST)?;
    let secret = kem.decapsulate(&ciphertext);
    let secret = secret.map_err(|e| Failure::Run(format!("{name}: {e}")))?;
    args.output.write(target, &secret)
}
