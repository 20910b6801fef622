//! ML-DSA and SLH-DSA, each with contexts and pre-hashed (HashML-DSA, HashSLH-DSA).

use adamant::family::Verifier;
use adamant::hash::Shake256;
use adamant::pq;
use adamant::{Error, SystemRng};

use super::{Choice, Scheme, Signs, Verifies, verdict};
use crate::Failure;
use crate::keys::hashes::{Hash, Message};

const ALLOWED: &[Choice] = &[
    Choice::Hash,
    Choice::Context,
    Choice::Prehash,
    Choice::Digest,
    Choice::Deterministic,
];

/// How SLH-DSA signs what is long.
const SLH_DSA_WAY: &str = "--prehash (HashSLH-DSA) signs any length";

fn allow(scheme: &Scheme) -> Result<(), Failure> {
    scheme.allow("ML-DSA and SLH-DSA", ALLOWED)?;
    if !scheme.prehash && (scheme.digest || scheme.hash.is_some()) {
        let sentence = "--hash and --digest are for what is signed with --prehash";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    Ok(())
}

/// The hash of a pre-hashed signature, and its digest of the message.
fn digest(scheme: &Scheme, message: Message) -> Result<(Hash, Vec<u8>), Failure> {
    let hash = scheme.hash.unwrap_or(Hash::Sha512);
    Ok((hash, hash.of(message)?))
}

/// μ, the representative of a message for the key with this hash (FIPS 204, algorithm 7, line 6),
/// so that the message need not be in memory.
fn representative(tr: &[u8; 64], context: &[u8], message: Message) -> Result<[u8; 64], Failure> {
    let len = u8::try_from(context.len()).map_err(|_| Error::BadParameter("context"))?;
    let mut hash = Shake256::new();
    hash.update(tr);
    hash.update(&[0, len]);
    hash.update(context);
    message.input.feed(|piece| hash.update(piece))?;
    let mut mu = [0; 64];
    hash.finalize_xof().read(&mut mu);
    Ok(mu)
}

/// Signs the digest of a message, hedged unless the signature is to be deterministic.
macro_rules! prehashed {
    ($key:expr, $scheme:ident, $message:ident) => {{
        let (hash, digest) = digest($scheme, $message)?;
        let (hash, context) = (hash.pre_hash(), $scheme.context());
        match $scheme.deterministic {
            true => $key.sign_prehashed(&digest, hash, context)?,
            false => $key.sign_hedged_prehashed(&digest, hash, context, &mut SystemRng)?,
        }
    }};
}

/// Verification of a parameter set; the last argument says whether a signature of the message
/// itself is good.
macro_rules! verifies {
    ($module:ident, |$key:ident, $context:ident, $message:ident, $signature:ident| $pure:expr) => {
        impl Verifies for pq::$module::PublicKey {
            fn verify(
                &self,
                scheme: &Scheme,
                $message: Message,
                signature: &[u8],
            ) -> Result<bool, Failure> {
                allow(scheme)?;
                let ($key, $context) = (self, scheme.context());
                let $signature = <pq::$module::PublicKey as Verifier>::signature(signature);
                if !scheme.prehash {
                    return verdict($pure);
                }
                let (hash, digest) = digest(scheme, $message)?;
                verdict($signature.and_then(|signature| {
                    $key.verify_prehashed(&digest, hash.pre_hash(), $context, &signature)
                }))
            }
        }
    };
}

macro_rules! ml_dsa {
    ($($module:ident)*) => { $(
        impl Signs for pq::$module::PrivateKey {
            fn sign(&self, scheme: &Scheme, message: Message) -> Result<Vec<u8>, Failure> {
                allow(scheme)?;
                let signature = if scheme.prehash {
                    prehashed!(self, scheme, message)
                } else {
                    let tr = self.public_key().hash();
                    let mu = representative(&tr, scheme.context(), message)?;
                    match scheme.deterministic {
                        true => self.sign_mu(&mu),
                        false => self.sign_hedged_mu(&mu, &mut SystemRng)?,
                    }
                };
                Ok(signature.to_bytes().to_vec())
            }
        }

        verifies!($module, |key, context, message, signature| {
            let mu = representative(&key.hash(), context, message)?;
            signature.and_then(|signature| key.verify_mu(&mu, &signature))
        });
    )* };
}

macro_rules! slh_dsa {
    ($($module:ident)*) => { $(
        impl Signs for pq::$module::PrivateKey {
            fn sign(&self, scheme: &Scheme, message: Message) -> Result<Vec<u8>, Failure> {
                allow(scheme)?;
                let context = scheme.context();
                let whole = |message: Message| message.for_signing("SLH-DSA", SLH_DSA_WAY);
                let signature = if scheme.prehash {
                    prehashed!(self, scheme, message)
                } else if scheme.deterministic {
                    self.sign_with_context(&whole(message)?, context)?
                } else {
                    self.sign_hedged_with_context(&whole(message)?, context, &mut SystemRng)?
                };
                Ok(signature.to_bytes().to_vec())
            }
        }

        verifies!($module, |key, context, message, signature| {
            let message = message.signed()?;
            signature.and_then(|signature| key.verify_with_context(&message, context, &signature))
        });
    )* };
}

/// The parameter sets, of the list of the schemes.
macro_rules! sets {
    (
        curves { $($_curves:tt)* }
        signatures {
            $({ "curve25519" $($_e:tt)* })*
            $({ "curve448" $($_g:tt)* })*
            $({ "ml-dsa" $ml:ident $mc:ident $ml_dsa:ident $($_m:tt)* })*
            $({ "slh-dsa" $slh:ident $sc:ident $slh_dsa:ident $($_s:tt)* })*
        }
        $($_groups:tt)*
    ) => {
        ml_dsa! { $($ml_dsa)* }
        slh_dsa! { $($slh_dsa)* }
    };
}
adamant::hazmat::base::schemes!(sets);
