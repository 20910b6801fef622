//! Ed25519, X25519, ECDSA with P-256, ML-KEM and ML-DSA.

use adamant_engine::family::{self, pair};
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use libcrux_ecdsa::{DigestAlgorithm, p256};
use libcrux_ml_dsa::{MLDSASignature, MLDSASigningKey, MLDSAVerificationKey};

use crate::random;

pub(crate) fn register(engine: &mut Engine) {
    ed25519(engine);
    x25519(engine);
    ecdsa(engine);
    ml_kem(engine);
    ml_dsa(engine);
}

fn ed25519(engine: &mut Engine) {
    family::keygen(
        engine,
        "ed25519",
        || {
            let (seed, mut public) = (random(), [0; 32]);
            libcrux_ed25519::secret_to_public(&mut public, &seed);
            Ok((seed, public))
        },
        |(seed, public)| Ok(pair(seed, public)),
    );
    family::sign(
        engine,
        "ed25519/sign",
        exactly::<32>,
        |seed, message| libcrux_ed25519::sign(message, seed).map_err(text),
        |signature| signature.to_vec(),
    );
    // Keys stay encoded until they are used, so that both operations are one.
    let verify = |key: &[u8; 32], message: &[u8], signature: &[u8; 64]| {
        libcrux_ed25519::verify(message, key, signature).is_ok()
    };
    family::verify(engine, "ed25519/verify", exactly, exactly, verify);
    family::verify_encoded(engine, "ed25519", move |key, message, signature| {
        Ok(verify(&exactly(key)?, message, &exactly(signature)?))
    });
}

fn x25519(engine: &mut Engine) {
    family::keygen(
        engine,
        "x25519",
        || {
            let (private, mut public) = (random(), [0; 32]);
            libcrux_curve25519::secret_to_public(&mut public, &private);
            Ok((private, public))
        },
        |(private, public)| Ok(pair(private, public)),
    );
    family::derive(
        engine,
        "x25519",
        exactly::<32>,
        exactly::<32>,
        |key, peer| {
            let mut secret = [0; 32];
            libcrux_curve25519::ecdh(&mut secret, peer, key)
                .map_err(|_| "the shared secret is zero".to_owned())?;
            Ok(secret)
        },
    );
}

fn ecdsa(engine: &mut Engine) {
    let name = "ecdsa-p256";
    family::keygen(
        engine,
        name,
        || p256::rand::generate_key_pair(&mut rand::rng()).map_err(text),
        |(private, public)| {
            let (private, public): (&[u8; 32], &[u8; 64]) = (private.as_ref(), public.as_ref());
            Ok(pair(private, &[&[4][..], public].concat()))
        },
    );
    family::sign(
        engine,
        &format!("{name}/sign"),
        |bytes| p256::PrivateKey::try_from(bytes).map_err(text),
        |key, message| {
            p256::rand::sign(DigestAlgorithm::Sha256, message, key, &mut rand::rng()).map_err(text)
        },
        |signature| signature.to_der().as_bytes().to_vec(),
    );
    let public = |bytes: &[u8]| {
        let coordinates = p256::uncompressed_to_coordinates(bytes).map_err(text)?;
        p256::PublicKey::try_from(&coordinates).map_err(text)
    };
    let parse = |der: &[u8]| p256::Signature::from_der(der).map_err(text);
    let verify = |key: &p256::PublicKey, message: &[u8], signature: &p256::Signature| {
        p256::verify(DigestAlgorithm::Sha256, message, signature, key).is_ok()
    };
    family::verify(engine, &format!("{name}/verify"), public, parse, verify);
    family::verify_encoded(engine, name, move |key, message, signature| {
        Ok(verify(&public(key)?, message, &parse(signature)?))
    });
}

macro_rules! ml_kem {
    ($($name:literal, $module:ident, $public:literal, $private:literal, $ciphertext:literal;)+) => {
        fn ml_kem(engine: &mut Engine) { $(
            use libcrux_ml_kem::$module;
            family::keygen(
                engine,
                $name,
                || {
                    let seed: [u8; 64] = random();
                    Ok(($module::generate_key_pair(seed), seed))
                },
                |(pair_of_keys, seed)| {
                    let mut item = pair(pair_of_keys.sk(), pair_of_keys.pk());
                    item.insert("seed".into(), seed.to_vec());
                    Ok(item)
                },
            );
            family::encapsulate(
                engine,
                $name,
                |bytes| {
                    let key = exactly::<$public>(bytes)?.into();
                    match $module::validate_public_key(&key) {
                        true => Ok(key),
                        false => Err("the public key is not one".into()),
                    }
                },
                |key| Ok($module::encapsulate(key, random())),
                |(ciphertext, secret)| (ciphertext.as_ref().to_vec(), secret.to_vec()),
            );
            family::decapsulate(
                engine,
                $name,
                |bytes| match exactly::<64>(bytes) {
                    Ok(seed) => Ok($module::generate_key_pair(seed).into_parts().0),
                    Err(_) => Ok(exactly::<$private>(bytes)?.into()),
                },
                |bytes| Ok(exactly::<$ciphertext>(bytes)?.into()),
                |key, ciphertext| Ok($module::decapsulate(key, ciphertext)),
            );
        )+ }
    };
}

ml_kem! {
    "ml-kem-512", mlkem512, 800, 1632, 768;
    "ml-kem-768", mlkem768, 1184, 2400, 1088;
    "ml-kem-1024", mlkem1024, 1568, 3168, 1568;
}

macro_rules! ml_dsa {
    ($($name:literal, $module:ident, $public:literal, $private:literal, $signature:literal;)+) => {
        fn ml_dsa(engine: &mut Engine) { $({
            use libcrux_ml_dsa::$module;
            family::keygen(
                engine,
                $name,
                || {
                    let seed: [u8; 32] = random();
                    Ok(($module::generate_key_pair(seed), seed))
                },
                |(keys, seed)| {
                    let (private, public) = (&keys.signing_key, &keys.verification_key);
                    let mut item = pair(private.as_slice(), public.as_slice());
                    item.insert("seed".into(), seed.to_vec());
                    Ok(item)
                },
            );
            family::sign(
                engine,
                concat!($name, "/sign"),
                |bytes| match exactly::<32>(bytes) {
                    Ok(seed) => Ok($module::generate_key_pair(seed).signing_key),
                    Err(_) => Ok(MLDSASigningKey::new(exactly::<$private>(bytes)?)),
                },
                |key, message| $module::sign(key, message, b"", random()).map_err(text),
                |signature| signature.as_slice().to_vec(),
            );
            let public = |bytes: &[u8]| {
                Ok(MLDSAVerificationKey::new(exactly::<$public>(bytes)?))
            };
            let parse = |bytes: &[u8]| Ok(MLDSASignature::new(exactly::<$signature>(bytes)?));
            family::verify(
                engine,
                concat!($name, "/verify"),
                public,
                parse,
                |key, message, signature| $module::verify(key, message, b"", signature).is_ok(),
            );
            family::verify_encoded(engine, $name, move |key, message, signature| {
                Ok($module::verify(&public(key)?, message, b"", &parse(signature)?).is_ok())
            });
        })+ }
    };
}

ml_dsa! {
    "ml-dsa-44", ml_dsa_44, 1312, 2560, 2420;
    "ml-dsa-65", ml_dsa_65, 1952, 4032, 3309;
    "ml-dsa-87", ml_dsa_87, 2592, 4896, 4627;
}
