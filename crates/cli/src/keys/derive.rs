//! `adamant derive`: the secret that two sides agree on.

use std::path::PathBuf;

use adamant::ec::weierstrass::{self, Curve};
use adamant::x509::SecretBytes;

use super::OutputArgs;
use super::file::{self, Passphrase};
use super::kinds::{Private, octets, unfit};
use super::roles::Agrees;
use crate::Failure;

impl<C: Curve<W>, const W: usize> Agrees for weierstrass::PrivateKey<C, W> {
    fn agree(&self, peer: &[u8]) -> Result<SecretBytes, adamant::Error> {
        let peer = weierstrass::PublicKey::from_sec1(peer)?;
        let secret = weierstrass::PrivateKey::agree(self, &peer)?;
        Ok(SecretBytes::from((*secret).as_ref().to_vec()))
    }
}

macro_rules! montgomery {
    (
        curves { $($_curves:tt)* }
        signatures { $($_signatures:tt)* }
        agreements { $({ $feature:tt $agrees:ident $krate:ident $module:ident $($_a:tt)* })* }
        $($_groups:tt)*
    ) => { $(
        use adamant::$krate::$module;

        impl Agrees for $module::PrivateKey {
            fn agree(&self, peer: &[u8]) -> Result<SecretBytes, adamant::Error> {
                let peer = $module::PublicKey::try_from(peer)?;
                let secret = $module::PrivateKey::agree(self, &peer)?;
                Ok(SecretBytes::from(secret.to_vec()))
            }
        }
    )* };
}

adamant::hazmat::base::schemes!(montgomery);

/// Derive the secret that two sides share (ECDH, X25519, X448).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant derive --key mine.pem --peer theirs.pem -o secret

The secret is written as the standard defines it: pass it through a key derivation
function before using it as a key.")]
pub(crate) struct Args {
    /// Your own private key: PEM or DER
    #[arg(short, long, value_name = "FILE")]
    key: PathBuf,

    /// The other side's public key, of the same kind, or a certificate with it
    #[arg(short, long, value_name = "FILE")]
    peer: PathBuf,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    passphrase: Passphrase,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let target = args.output.target()?.secret();
    let peer = file::public(&args.peer)?;
    let key = file::private(&args.key, &args.passphrase)?;
    let agreement = Private::of(&key).derive;
    let agreement = agreement.ok_or_else(|| unfit(Some(key.algorithm()), "derive"))?;
    if peer.algorithm() != Some(key.algorithm()) {
        let kind = key.algorithm().name();
        let name = args.peer.display();
        return Err(Failure::Run(format!(
            "{name}: not a key of {kind}, as the other is"
        )));
    }
    let secret = agreement.agree(&octets(&peer))?;
    args.output.write(target, &secret)
}
