//! Ed25519 and X25519.

use adamant_engine::family::{self, Outcome, pair};
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey, verify_batch};
use x25519_dalek::{PublicKey, StaticSecret};

pub(crate) fn register(engine: &mut Engine) {
    family::keygen(
        engine,
        "ed25519",
        || Ok(SigningKey::generate(&mut rand::rng())),
        |key| Ok(pair(&key.to_bytes(), key.verifying_key().as_bytes())),
    );
    family::sign(
        engine,
        "ed25519/sign",
        |seed| Ok(SigningKey::from_bytes(&exactly(seed)?)),
        |key, message| Ok(key.sign(message)),
        |signature| signature.to_vec(),
    );
    family::verify(
        engine,
        "ed25519/verify",
        public,
        |bytes| Signature::from_slice(bytes).map_err(text),
        |key, message, signature| key.verify(message, signature).is_ok(),
    );
    family::verify_encoded(engine, "ed25519", |key, message, signature| {
        let signature = Signature::from_slice(signature).map_err(text)?;
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
        || {
            let secret = StaticSecret::random_from_rng(&mut rand::rng());
            let public = PublicKey::from(&secret);
            Ok((secret, public))
        },
        |(secret, public)| Ok(pair(secret.as_bytes(), public.as_bytes())),
    );
    family::derive(
        engine,
        "x25519",
        |bytes| Ok(StaticSecret::from(exactly::<32>(bytes)?)),
        |bytes| Ok(PublicKey::from(exactly::<32>(bytes)?)),
        |secret, peer| Ok(*secret.diffie_hellman(peer).as_bytes()),
    );
}

fn public(bytes: &[u8]) -> Outcome<VerifyingKey> {
    VerifyingKey::from_bytes(&exactly(bytes)?).map_err(text)
}
