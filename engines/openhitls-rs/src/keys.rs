//! ECDSA, ECDH, SM2, Ed25519, X25519, Ed448, X448, and Diffie-Hellman in finite fields.
//!
//! The library parses a signature, and the point of an agreement, within the operation.

use adamant_engine::der::padded;
use adamant_engine::family::{self, Outcome, pair};
use adamant_engine::op::text;
use adamant_engine::serve::Engine;
use hitls_crypto::dh::{DhKeyPair, DhParams};
use hitls_crypto::ecdh::EcdhKeyPair;
use hitls_crypto::ecdsa::EcdsaKeyPair;
use hitls_crypto::ed448::Ed448KeyPair;
use hitls_crypto::ed25519::Ed25519KeyPair;
use hitls_crypto::sha2::{Sha224, Sha256, Sha384, Sha512};
use hitls_crypto::sm2::{Sm2KeyPair, decode_sm2_ciphertext, encode_sm2_ciphertext};
use hitls_crypto::x448::{X448PrivateKey, X448PublicKey};
use hitls_crypto::x25519::{X25519PrivateKey, X25519PublicKey};
use hitls_types::{CryptoError, DhParamId, EccCurveId};

pub(crate) fn register(engine: &mut Engine) {
    weierstrass(engine);
    edwards(engine);
    montgomery(engine);
    sm2(engine);
    for (name, group) in [
        ("dh-ffdhe2048", DhParamId::Rfc7919_2048),
        ("dh-ffdhe3072", DhParamId::Rfc7919_3072),
        ("dh-ffdhe4096", DhParamId::Rfc7919_4096),
        ("dh-ffdhe6144", DhParamId::Rfc7919_6144),
        ("dh-ffdhe8192", DhParamId::Rfc7919_8192),
        ("dh-modp2048", DhParamId::Rfc3526_2048),
        ("dh-modp3072", DhParamId::Rfc3526_3072),
        ("dh-modp4096", DhParamId::Rfc3526_4096),
    ] {
        finite_field(engine, name, group);
    }
}

/// A verdict of the library, which calls some wrong signatures an error.
fn verdict(given: Result<bool, CryptoError>) -> bool {
    given.unwrap_or(false)
}

/// `sign`, `verify` and `verify-encoded` of a type that holds either half of a key.
fn signatures<K: 'static, S: AsRef<[u8]> + 'static>(
    engine: &mut Engine,
    name: &str,
    private: impl Fn(&[u8]) -> Result<K, CryptoError> + Copy + 'static,
    public: impl Fn(&[u8]) -> Result<K, CryptoError> + Copy + 'static,
    sign: impl Fn(&K, &[u8]) -> Result<S, CryptoError> + Copy + 'static,
    verify: impl Fn(&K, &[u8], &[u8]) -> Result<bool, CryptoError> + Copy + 'static,
) {
    family::sign(
        engine,
        &format!("{name}/sign"),
        move |bytes| private(bytes).map_err(text),
        move |key, message| sign(key, message).map_err(text),
        |signature| signature.as_ref().to_vec(),
    );
    family::verify(
        engine,
        &format!("{name}/verify"),
        move |bytes| public(bytes).map_err(text),
        |signature| Ok(signature.to_vec()),
        move |key, message, signature| verdict(verify(key, message, signature)),
    );
    family::verify_encoded(engine, name, move |key, message, signature| {
        let key = public(key).map_err(text)?;
        Ok(verdict(verify(&key, message, signature)))
    });
}

macro_rules! weierstrass {
    ($($name:literal, $curve:ident, $hash:ident;)+) => {
        fn weierstrass(engine: &mut Engine) { $({
            let curve = EccCurveId::$curve;
            let name = concat!("ecdsa-", $name);
            family::keygen(
                engine,
                name,
                move || EcdsaKeyPair::generate(curve).map_err(text),
                |key| {
                    let public = key.public_key_bytes().map_err(text)?;
                    Ok(pair(&scalar(&key.private_key_bytes(), &public)?, &public))
                },
            );
            signatures(
                engine,
                name,
                move |bytes| EcdsaKeyPair::from_private_key(curve, bytes),
                move |bytes| EcdsaKeyPair::from_public_key(curve, bytes),
                |key, message| key.sign(&$hash::digest(message)?),
                |key, message, signature| key.verify(&$hash::digest(message)?, signature),
            );
            let name = concat!("ecdh-", $name);
            family::keygen(
                engine,
                name,
                move || EcdhKeyPair::generate(curve).map_err(text),
                |key| {
                    let public = key.public_key_bytes().map_err(text)?;
                    Ok(pair(&scalar(&key.private_key_bytes(), &public)?, &public))
                },
            );
            family::derive(
                engine,
                name,
                move |bytes| EcdhKeyPair::from_private_key(curve, bytes).map_err(text),
                |bytes| Ok(bytes.to_vec()),
                |key, peer| key.compute_shared_secret(peer).map_err(text),
            );
        })+ }
    };
}

weierstrass! {
    "p224", NistP224, Sha224;
    "p256", NistP256, Sha256;
    "p384", NistP384, Sha384;
    "p521", NistP521, Sha512;
    "brainpoolp256r1", BrainpoolP256r1, Sha256;
    "brainpoolp384r1", BrainpoolP384r1, Sha384;
    "brainpoolp512r1", BrainpoolP512r1, Sha512;
}

/// The scalar at the length of a coordinate of the point.
fn scalar(bytes: &[u8], point: &[u8]) -> Outcome<Vec<u8>> {
    padded(bytes, point.len() / 2).ok_or_else(|| "the scalar is long".into())
}

fn edwards(engine: &mut Engine) {
    family::keygen(
        engine,
        "ed25519",
        || Ed25519KeyPair::generate().map_err(text),
        |key| Ok(pair(key.seed(), key.public_key())),
    );
    signatures(
        engine,
        "ed25519",
        Ed25519KeyPair::from_seed,
        Ed25519KeyPair::from_public_key,
        Ed25519KeyPair::sign,
        Ed25519KeyPair::verify,
    );
    family::keygen(
        engine,
        "ed448",
        || Ed448KeyPair::generate().map_err(text),
        |key| Ok(pair(key.seed(), key.public_key())),
    );
    signatures(
        engine,
        "ed448",
        Ed448KeyPair::from_seed,
        Ed448KeyPair::from_public_key,
        Ed448KeyPair::sign,
        Ed448KeyPair::verify,
    );
}

fn montgomery(engine: &mut Engine) {
    family::keygen(
        engine,
        "x25519",
        || {
            let key = X25519PrivateKey::generate().map_err(text)?;
            let public = key.public_key();
            Ok((key, public))
        },
        |(key, public)| Ok(pair(&key.to_bytes(), public.as_bytes())),
    );
    family::derive(
        engine,
        "x25519",
        |bytes| X25519PrivateKey::new(bytes).map_err(text),
        |bytes| X25519PublicKey::new(bytes).map_err(text),
        |key, peer| key.diffie_hellman(peer).map_err(text),
    );
    // No keys are made for X448: the library does not give the private half away.
    family::derive(
        engine,
        "x448",
        |bytes| X448PrivateKey::new(bytes).map_err(text),
        |bytes| X448PublicKey::new(bytes).map_err(text),
        |key, peer| key.diffie_hellman(peer).map_err(text),
    );
}

fn sm2(engine: &mut Engine) {
    family::keygen(
        engine,
        "sm2",
        || Sm2KeyPair::generate().map_err(text),
        |key| {
            let private = key.private_key_bytes().map_err(text)?;
            Ok(pair(&private, &key.public_key_bytes().map_err(text)?))
        },
    );
    signatures(
        engine,
        "sm2",
        Sm2KeyPair::from_private_key,
        Sm2KeyPair::from_public_key,
        Sm2KeyPair::sign,
        Sm2KeyPair::verify,
    );
    // The library encrypts to the concatenation and has functions between that and DER.
    family::encrypt_message(
        engine,
        "sm2/encrypt",
        |bytes| Sm2KeyPair::from_public_key(bytes).map_err(text),
        |key, message| {
            let made = key.encrypt(message).map_err(text)?;
            let (x, rest) = made[1..].split_at(32);
            let (y, rest) = rest.split_at(32);
            let (hash, masked) = rest.split_at(32);
            encode_sm2_ciphertext(x, y, hash, masked).map_err(text)
        },
    );
    family::decrypt_message(
        engine,
        "sm2/decrypt",
        |bytes| Sm2KeyPair::from_private_key(bytes).map_err(text),
        |key, ciphertext| {
            let (x, y, hash, masked) = decode_sm2_ciphertext(ciphertext).map_err(text)?;
            let number = |bytes: &[u8]| {
                let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
                padded(&bytes[zeros..], 32).ok_or("a coordinate is long")
            };
            let parts = [vec![4], number(&x)?, number(&y)?, hash, masked];
            key.decrypt(&parts.concat()).map_err(text)
        },
    );
}

fn finite_field(engine: &mut Engine, name: &str, group: DhParamId) {
    let parameters = move || DhParams::from_group(group).map_err(text);
    family::keygen(
        engine,
        name,
        move || {
            let parameters = parameters()?;
            let key = DhKeyPair::generate(&parameters).map_err(text)?;
            Ok((key, parameters))
        },
        |(key, parameters)| {
            let private = padded(&key.private_key_bytes(), parameters.prime_size());
            let public = key.public_key_bytes(parameters).map_err(text)?;
            Ok(pair(&private.ok_or("the exponent is long")?, &public))
        },
    );
    family::derive(
        engine,
        name,
        move |bytes| {
            let parameters = parameters()?;
            let key = DhKeyPair::from_private_key(&parameters, bytes).map_err(text)?;
            Ok((key, parameters))
        },
        |bytes| Ok(bytes.to_vec()),
        |(key, parameters), peer| key.compute_shared_secret(parameters, peer).map_err(text),
    );
}
