//! Ed25519, X25519, ECDSA and ML-KEM.

use adamant_engine::der;
use adamant_engine::family::{self, pair};
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use rscrypto::{
    Ed25519Keypair, Ed25519PublicKey, Ed25519SecretKey, Ed25519Signature, X25519PublicKey,
    X25519SecretKey,
};

pub(crate) fn register(engine: &mut Engine) {
    ed25519(engine);
    x25519(engine);
    macro_rules! ecdsa {
        ($($name:literal, $keypair:ident, $secret:ident, $public:ident, $signature:ident;)+) => { $(
            let secret = |scalar: &[u8]| {
                let secret = rscrypto::$secret::from_bytes(exactly(scalar)?).map_err(text)?;
                Ok(rscrypto::$keypair::from_secret_key(secret))
            };
            let public = |point: &[u8]| rscrypto::$public::from_sec1_bytes(point).map_err(text);
            let signature = |der: &[u8]| rscrypto::$signature::from_der(der).map_err(text);
            family::keygen(
                engine,
                $name,
                || rscrypto::$keypair::try_generate().map_err(text),
                |key| Ok(pair(key.secret_key().as_bytes(), &key.public_key().to_sec1_bytes())),
            );
            family::sign(
                engine,
                concat!($name, "/sign"),
                secret,
                |key, message| key.try_sign(message).map_err(text),
                |signature| der::signature(&signature.to_bytes()),
            );
            family::verify(engine, concat!($name, "/verify"), public, signature, |key, message, signature| {
                key.verify(message, signature).is_ok()
            });
            family::verify_encoded(engine, $name, move |key, message, encoded| {
                Ok(public(key)?.verify(message, &signature(encoded)?).is_ok())
            });
        )+ };
    }
    ecdsa! {
        "ecdsa-p256", EcdsaP256Keypair, EcdsaP256SecretKey, EcdsaP256PublicKey, EcdsaP256Signature;
        "ecdsa-p384", EcdsaP384Keypair, EcdsaP384SecretKey, EcdsaP384PublicKey, EcdsaP384Signature;
    }
    macro_rules! ml_kem {
        ($($name:literal, $kem:ident, $decapsulation:ident, $encapsulation:ident, $ciphertext:ident;)+) => { $(
            family::keygen(
                engine,
                $name,
                || rscrypto::$kem::try_generate_keypair().map_err(text),
                |(public, private)| Ok(pair(private.as_bytes(), public.as_bytes())),
            );
            family::encapsulate(
                engine,
                $name,
                |key| rscrypto::$encapsulation::from_bytes(exactly(key)?).prepare().map_err(text),
                |key| {
                    let random = |out: &mut [u8]| {
                        getrandom::fill(out).map_err(|_| rscrypto::MlKemError::RandomGenerationFailed)
                    };
                    key.encapsulate(random).map_err(text)
                },
                |(ciphertext, secret)| (ciphertext.as_bytes().to_vec(), secret.as_bytes().to_vec()),
            );
            family::decapsulate(
                engine,
                $name,
                |key| rscrypto::$decapsulation::from_bytes(exactly(key)?).prepare().map_err(text),
                |ciphertext| Ok(rscrypto::$ciphertext::from_bytes(exactly(ciphertext)?)),
                |key, ciphertext| key.decapsulate(ciphertext).map(|secret| *secret.as_bytes()).map_err(text),
            );
        )+ };
    }
    ml_kem! {
        "ml-kem-512", MlKem512, MlKem512DecapsulationKey, MlKem512EncapsulationKey, MlKem512Ciphertext;
        "ml-kem-768", MlKem768, MlKem768DecapsulationKey, MlKem768EncapsulationKey, MlKem768Ciphertext;
        "ml-kem-1024", MlKem1024, MlKem1024DecapsulationKey, MlKem1024EncapsulationKey,
            MlKem1024Ciphertext;
    }
}

fn ed25519(engine: &mut Engine) {
    family::keygen(
        engine,
        "ed25519",
        || Ed25519Keypair::try_generate().map_err(text),
        |key| {
            Ok(pair(
                key.secret_key().as_bytes(),
                key.public_key().as_bytes(),
            ))
        },
    );
    family::sign(
        engine,
        "ed25519/sign",
        |seed| {
            Ok(Ed25519Keypair::from_secret_key(
                Ed25519SecretKey::from_bytes(exactly(seed)?),
            ))
        },
        |key, message| Ok(key.sign(message)),
        |signature| signature.as_bytes().to_vec(),
    );
    let public = |key: &[u8]| Ok(Ed25519PublicKey::from_bytes(exactly(key)?));
    let signature = |bytes: &[u8]| Ok(Ed25519Signature::from_bytes(exactly(bytes)?));
    family::verify(
        engine,
        "ed25519/verify",
        public,
        signature,
        |key, message, signature| key.verify(message, signature).is_ok(),
    );
    family::verify_encoded(engine, "ed25519", |key, message, signature| {
        let key = Ed25519PublicKey::from_bytes(exactly(key)?);
        let signature = Ed25519Signature::from_bytes(exactly(signature)?);
        Ok(key.verify(message, &signature).is_ok())
    });
}

fn x25519(engine: &mut Engine) {
    family::keygen(
        engine,
        "x25519",
        || {
            let secret = X25519SecretKey::try_generate().map_err(text)?;
            let public = secret.public_key();
            Ok((secret, public))
        },
        |(secret, public)| Ok(pair(secret.as_bytes(), public.as_bytes())),
    );
    family::derive(
        engine,
        "x25519",
        |key| Ok(X25519SecretKey::from_bytes(exactly(key)?)),
        |key| Ok(X25519PublicKey::from_bytes(exactly(key)?)),
        |key, peer| {
            key.diffie_hellman(peer)
                .map(|secret| *secret.as_bytes())
                .map_err(text)
        },
    );
}
