//! RSA: signatures with PKCS#1 v1.5 and PSS padding, encryption with OAEP, all over SHA-256.

use adamant_engine::der;
use adamant_engine::family::{self, Outcome, pair};
use adamant_engine::op::text;
use adamant_engine::serve::Engine;
use hitls_bignum::BigNum;
use hitls_crypto::rsa::{RsaPadding, RsaPrivateKey, RsaPublicKey};
use hitls_crypto::sha2::Sha256;

pub(crate) fn register(engine: &mut Engine) {
    for bits in [2048, 3072, 4096] {
        let name = |operation: &str| format!("rsa-{bits}/{operation}");
        family::keygen(
            engine,
            &format!("rsa-{bits}"),
            move || RsaPrivateKey::generate(bits).map_err(text),
            encoded,
        );
        for (variant, padding) in [
            ("pkcs1", RsaPadding::Pkcs1v15Sign),
            ("pss", RsaPadding::Pss),
        ] {
            family::sign(
                engine,
                &name(&format!("sign-{variant}")),
                private,
                move |key, message| {
                    let digest = Sha256::digest(message).map_err(text)?;
                    key.sign(padding, &digest).map_err(text)
                },
                Vec::clone,
            );
            family::verify(
                engine,
                &name(&format!("verify-{variant}")),
                public,
                |signature| Ok(signature.to_vec()),
                move |key, message, signature| {
                    let digest = Sha256::digest(message);
                    let verdict = digest.and_then(|digest| key.verify(padding, &digest, signature));
                    // A signature of another length is an error to the library.
                    verdict.unwrap_or(false)
                },
            );
        }
        family::encrypt_message(engine, &name("encrypt-oaep"), public, |key, message| {
            key.encrypt(RsaPadding::Oaep, message).map_err(text)
        });
        family::decrypt_message(engine, &name("decrypt-oaep"), private, |key, ciphertext| {
            key.decrypt(RsaPadding::Oaep, ciphertext).map_err(text)
        });
    }
}

fn private(bytes: &[u8]) -> Outcome<RsaPrivateKey> {
    match der::numbers(bytes).as_deref() {
        Some([_, n, e, d, p, q, ..]) => RsaPrivateKey::new(n, d, e, p, q).map_err(text),
        _ => Err("the private key is not PKCS#1".into()),
    }
}

fn public(bytes: &[u8]) -> Outcome<RsaPublicKey> {
    match der::numbers(bytes).as_deref() {
        Some([n, e]) => RsaPublicKey::new(n, e).map_err(text),
        _ => Err("the public key is not PKCS#1".into()),
    }
}

/// PKCS#1, with the exponents and the coefficient that the library keeps to itself.
fn encoded(key: &RsaPrivateKey) -> Outcome<adamant_engine::Item> {
    let (n, e, d) = (key.n_bytes(), key.e_bytes(), key.d_bytes());
    let (p, q) = (key.p_bytes(), key.q_bytes());
    let number = |bytes: &[u8]| BigNum::from_bytes_be(bytes);
    let exponent = |prime: &[u8]| -> Outcome<Vec<u8>> {
        let order = number(prime).sub(&BigNum::from_u64(1));
        let (_, rest) = number(&d).div_rem(&order).map_err(text)?;
        Ok(rest.to_bytes_be())
    };
    let coefficient = number(&q).mod_inv(&number(&p)).map_err(text)?;
    let (dp, dq) = (exponent(&p)?, exponent(&q)?);
    let private = [
        &[],
        &n[..],
        &e,
        &d,
        &p,
        &q,
        &dp,
        &dq,
        &coefficient.to_bytes_be(),
    ];
    Ok(pair(
        &der::sequence_of(&private),
        &der::sequence_of(&[&n, &e]),
    ))
}
