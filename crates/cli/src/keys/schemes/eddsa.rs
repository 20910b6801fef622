//! Ed25519 and Ed448, each with contexts and pre-hashed.

use adamant::Error;
use adamant::ec::{ed448, ed25519};
use adamant::family::Verifier;
use adamant::hash::Shake256;

use super::{Choice, Scheme, Signs, Verifies, verdict};
use crate::Failure;
use crate::keys::hashes::{Hash, Message};

const ED25519: &[Choice] = &[Choice::Context, Choice::Prehash, Choice::Digest];
const ED448: &[Choice] = &[Choice::Context, Choice::Prehash];

/// How Ed25519 signs what is long.
const ED25519_WAY: &str = "--prehash (Ed25519ph) signs any length";
/// How Ed448 does.
const ED448_WAY: &str = "--prehash (Ed448ph) signs any length";

/// The digest of Ed25519ph.
fn sha512(message: Message) -> Result<[u8; 64], Failure> {
    let digest = Hash::Sha512.of(message)?;
    Ok(core::array::from_fn(|i| digest[i]))
}

/// The digest of Ed448ph.
fn shake256(message: Message) -> Result<[u8; 64], Failure> {
    let (mut hash, mut digest) = (Shake256::new(), [0; 64]);
    message.input.feed(|piece| hash.update(piece))?;
    hash.finalize_xof().read(&mut digest);
    Ok(digest)
}

fn allow_ed25519(scheme: &Scheme) -> Result<(), Failure> {
    scheme.allow("Ed25519", ED25519)?;
    if scheme.digest && !scheme.prehash {
        let sentence = "only with --prehash does Ed25519 sign a digest (of sha512)";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    Ok(())
}

impl Signs for ed25519::PrivateKey {
    fn sign(&self, scheme: &Scheme, message: Message) -> Result<Vec<u8>, Failure> {
        allow_ed25519(scheme)?;
        let whole = |message: Message| message.for_signing("Ed25519", ED25519_WAY);
        let signature = if scheme.prehash {
            self.sign_prehashed(&sha512(message)?, scheme.context())?
        } else if let Some(context) = &scheme.context {
            self.sign_with_context(&whole(message)?, &context.0)?
        } else {
            ed25519::PrivateKey::sign(self, &whole(message)?)
        };
        Ok(signature.to_bytes().to_vec())
    }
}

impl Verifies for ed25519::PublicKey {
    fn verify(&self, scheme: &Scheme, message: Message, signature: &[u8]) -> Result<bool, Failure> {
        allow_ed25519(scheme)?;
        let signature = <ed25519::PublicKey as Verifier>::signature(signature);
        let check = |check: &dyn Fn(&ed25519::Signature) -> Result<(), Error>| {
            verdict(signature.and_then(|signature| check(&signature)))
        };
        if scheme.prehash {
            let digest = sha512(message)?;
            check(&|s| self.verify_prehashed(&digest, scheme.context(), s))
        } else if let Some(context) = &scheme.context {
            let message = message.signed()?;
            check(&|s| self.verify_with_context(&message, &context.0, s))
        } else {
            let message = message.signed()?;
            check(&|s| ed25519::PublicKey::verify(self, &message, s))
        }
    }
}

impl Signs for ed448::PrivateKey {
    fn sign(&self, scheme: &Scheme, message: Message) -> Result<Vec<u8>, Failure> {
        scheme.allow("Ed448", ED448)?;
        let context = scheme.context();
        let signature = if scheme.prehash {
            self.sign_prehashed(&shake256(message)?, context)?
        } else {
            self.sign_with_context(&message.for_signing("Ed448", ED448_WAY)?, context)?
        };
        Ok(signature.to_bytes().to_vec())
    }
}

impl Verifies for ed448::PublicKey {
    fn verify(&self, scheme: &Scheme, message: Message, signature: &[u8]) -> Result<bool, Failure> {
        scheme.allow("Ed448", ED448)?;
        let (signature, context) = (
            <ed448::PublicKey as Verifier>::signature(signature),
            scheme.context(),
        );
        if scheme.prehash {
            let digest = shake256(message)?;
            verdict(signature.and_then(|s| self.verify_prehashed(&digest, context, &s)))
        } else {
            let message = message.signed()?;
            verdict(signature.and_then(|s| self.verify_with_context(&message, context, &s)))
        }
    }
}
