//! RSA: signatures with PKCS#1 v1.5 and PSS padding, encryption with OAEP, all over SHA-256.
//! Private operations are blinded where the crate lets a generator in.

use adamant_engine::family::{self, Outcome, pair};
use adamant_engine::op::text;
use adamant_engine::serve::Engine;
use rsa::pkcs1::{
    DecodeRsaPrivateKey, DecodeRsaPublicKey, EncodeRsaPrivateKey, EncodeRsaPublicKey,
};
use rsa::signature::{RandomizedSigner, SignatureEncoding, Verifier};
use rsa::{Oaep, RsaPrivateKey, RsaPublicKey, pkcs1v15, pss};
use sha2::Sha256;

fn private(der: &[u8]) -> Outcome<RsaPrivateKey> {
    RsaPrivateKey::from_pkcs1_der(der).map_err(text)
}

fn public(der: &[u8]) -> Outcome<RsaPublicKey> {
    RsaPublicKey::from_pkcs1_der(der).map_err(text)
}

pub(crate) fn register(engine: &mut Engine) {
    for bits in [2048, 3072, 4096] {
        let name = |operation: &str| format!("rsa-{bits}/{operation}");
        family::keygen(
            engine,
            &format!("rsa-{bits}"),
            move || RsaPrivateKey::new(&mut rand::rng(), bits).map_err(text),
            |key| {
                let private = key.to_pkcs1_der().map_err(text)?;
                let public = key.to_public_key().to_pkcs1_der().map_err(text)?;
                Ok(pair(private.as_bytes(), public.as_bytes()))
            },
        );
        family::sign(
            engine,
            &name("sign-pkcs1"),
            |der| Ok(pkcs1v15::SigningKey::<Sha256>::new(private(der)?)),
            |key, message| {
                key.try_sign_with_rng(&mut rand::rng(), message)
                    .map_err(text)
            },
            pkcs1v15::Signature::to_vec,
        );
        family::sign(
            engine,
            &name("sign-pss"),
            |der| Ok(pss::SigningKey::<Sha256>::new(private(der)?)),
            |key, message| {
                key.try_sign_with_rng(&mut rand::rng(), message)
                    .map_err(text)
            },
            pss::Signature::to_vec,
        );
        family::verify(
            engine,
            &name("verify-pkcs1"),
            |der| Ok(pkcs1v15::VerifyingKey::<Sha256>::new(public(der)?)),
            |bytes| pkcs1v15::Signature::try_from(bytes).map_err(text),
            |key, message, signature| key.verify(message, signature).is_ok(),
        );
        family::verify(
            engine,
            &name("verify-pss"),
            |der| Ok(pss::VerifyingKey::<Sha256>::new(public(der)?)),
            |bytes| pss::Signature::try_from(bytes).map_err(text),
            |key, message, signature| key.verify(message, signature).is_ok(),
        );
        family::encrypt_message(engine, &name("encrypt-oaep"), public, |key, message| {
            key.encrypt(&mut rand::rng(), Oaep::<Sha256>::new(), message)
                .map_err(text)
        });
        family::decrypt_message(engine, &name("decrypt-oaep"), private, |key, ciphertext| {
            key.decrypt_blinded(&mut rand::rng(), Oaep::<Sha256>::new(), ciphertext)
                .map_err(text)
        });
    }
}
