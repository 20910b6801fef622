//! Ed25519 and X25519.

use adamant_engine::family::{self, Outcome, pair};
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use gcrypt::protocols::ed25519::{PublicKey, SecretKey, Signature, verify_batch};
use gcrypt::protocols::x25519;
use rand::thread_rng;

pub(crate) fn register(engine: &mut Engine) {
    family::keygen(
        engine,
        "ed25519",
        || Ok(SecretKey::generate(&mut thread_rng())),
        |key| Ok(pair(&key.to_bytes(), &key.public_key().to_bytes())),
    );
    family::sign(
        engine,
        "ed25519/sign",
        |seed| Ok(SecretKey::from_bytes(&exactly(seed)?)),
        |key, message| Ok(key.sign_deterministic(message)),
        |signature| signature.to_bytes().to_vec(),
    );
    family::verify(
        engine,
        "ed25519/verify",
        public,
        |bytes| Ok(Signature::from_bytes(&exactly(bytes)?)),
        |key, message, signature| key.verify(message, signature).is_ok(),
    );
    family::verify_encoded(engine, "ed25519", |key, message, signature| {
        let signature = Signature::from_bytes(&exactly(signature)?);
        Ok(public(key)?.verify(message, &signature).is_ok())
    });
    family::verify_together(
        engine,
        "ed25519/verify_batch",
        public,
        |bytes| Ok(Signature::from_bytes(&exactly(bytes)?)),
        |messages, signatures, keys| verify_batch(messages, signatures, keys).is_ok(),
    );

    family::keygen(
        engine,
        "x25519",
        || Ok(x25519::generate_keypair(&mut thread_rng())),
        |(secret, public)| Ok(pair(&secret.to_bytes(), &public.to_bytes())),
    );
    family::derive(
        engine,
        "x25519",
        |bytes| Ok(x25519::SecretKey::from_bytes(&exactly(bytes)?)),
        |bytes| x25519::PublicKey::from_bytes(&exactly(bytes)?).map_err(text),
        |secret, peer| {
            let shared = secret.diffie_hellman(peer).map_err(text)?;
            Ok(shared.to_bytes())
        },
    );
}

fn public(bytes: &[u8]) -> Outcome<PublicKey> {
    PublicKey::from_bytes(&exactly(bytes)?).map_err(text)
}
