//! Hashes, HMAC, HKDF and ChaCha20-Poly1305.

use adamant_engine::family;
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use libcrux_chacha20poly1305 as chacha;
use libcrux_hkdf as hkdf;
use libcrux_hmac as hmac;
use libcrux_sha2 as sha2;
use libcrux_sha3 as sha3;

pub(crate) fn register(engine: &mut Engine) {
    family::digest(engine, "sha224", sha2::sha224);
    family::digest(engine, "sha256", sha2::sha256);
    family::digest(engine, "sha384", sha2::sha384);
    family::digest(engine, "sha512", sha2::sha512);
    family::digest(engine, "sha3-224", sha3::sha224);
    family::digest(engine, "sha3-256", sha3::sha256);
    family::digest(engine, "sha3-384", sha3::sha384);
    family::digest(engine, "sha3-512", sha3::sha512);
    family::digest(engine, "shake128", sha3::shake128::<32>);
    family::digest(engine, "shake256", sha3::shake256::<64>);

    hmac::<32>(engine, "hmac-sha256", || hmac::Algorithm::Sha256);
    hmac::<48>(engine, "hmac-sha384", || hmac::Algorithm::Sha384);
    hmac::<64>(engine, "hmac-sha512", || hmac::Algorithm::Sha512);
    hmac::<32>(engine, "hmac-sha3-256", || hmac::Algorithm::Sha3_256);
    hmac::<64>(engine, "hmac-sha3-512", || hmac::Algorithm::Sha3_512);
    hkdf(engine, "sha256", || hkdf::Algorithm::Sha256);
    hkdf(engine, "sha384", || hkdf::Algorithm::Sha384);
    hkdf(engine, "sha512", || hkdf::Algorithm::Sha512);

    let (name, new) = ("chacha20-poly1305", exactly::<32>);
    family::seal(engine, name, new, |key, nonced, message, ciphertext| {
        let nonce = exactly(&nonced.nonce)?;
        let mut tag = [0; 16];
        chacha::encrypt_detached(key, message, ciphertext, &mut tag, &nonced.aad, &nonce)
            .map_err(text)?;
        Ok(tag)
    });
    family::open(
        engine,
        name,
        new,
        |key, nonced, ciphertext, tag, message| {
            let (nonce, tag) = (exactly(&nonced.nonce)?, exactly(tag)?);
            chacha::decrypt_detached(key, message, ciphertext, &tag, &nonced.aad, &nonce)
                .map_err(text)?;
            Ok(())
        },
    );
}

fn hmac<const N: usize>(
    engine: &mut Engine,
    name: &str,
    algorithm: impl Fn() -> hmac::Algorithm + Copy + 'static,
) {
    family::mac(
        engine,
        name,
        |key| Ok(key.to_vec()),
        move |key, message| {
            let mut tag = [0; N];
            hmac::hmac(algorithm(), key, message, &mut tag);
            tag
        },
    );
}

fn hkdf(engine: &mut Engine, name: &str, algorithm: impl Fn() -> hkdf::Algorithm + Copy + 'static) {
    family::hkdf(engine, name, move |salt, ikm, info, okm| {
        hkdf::hkdf(algorithm(), okm, salt, ikm, info).map_err(text)
    });
}
