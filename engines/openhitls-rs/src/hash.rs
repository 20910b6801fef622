//! Hashes, MACs, and key derivation over them.

use adamant_engine::family;
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use hitls_crypto::chacha20::Poly1305;
use hitls_crypto::cmac::{Cmac, CmacSm4};
use hitls_crypto::gmac::Gmac;
use hitls_crypto::hkdf::Hkdf;
use hitls_crypto::hmac::Hmac;
use hitls_crypto::md5::Md5;
use hitls_crypto::pbkdf2::pbkdf2_with_hmac;
use hitls_crypto::provider::Digest;
use hitls_crypto::scrypt::scrypt;
use hitls_crypto::sha1::Sha1;
use hitls_crypto::sha2::{Sha224, Sha256, Sha384, Sha512};
use hitls_crypto::sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
use hitls_crypto::siphash::SipHash;
use hitls_crypto::sm3::Sm3;

/// What a call gives that can only fail for a context that is finished, or a place too short.
const FRESH: &str = "the context is fresh, and its output has room";

/// A MAC that writes its tag and is reset.
macro_rules! cmac {
    ($engine:expr, $name:expr, $mac:ident) => {
        family::mac(
            $engine,
            $name,
            |key| $mac::new(key).map_err(text),
            |mac, message| {
                let mut tag = [0; 16];
                mac.reset();
                let done = mac.update(message).and_then(|()| mac.finish(&mut tag));
                done.expect(FRESH);
                tag
            },
        )
    };
}

macro_rules! xof {
    ($xof:ident, $len:literal, $message:expr) => {{
        let mut xof = $xof::new();
        xof.update($message).expect(FRESH);
        let mut out = [0; $len];
        xof.squeeze_into(&mut out);
        out
    }};
}

pub(crate) fn register(engine: &mut Engine) {
    hashes(engine);
    family::digest(engine, "shake128", |message| xof!(Shake128, 32, message));
    family::digest(engine, "shake256", |message| xof!(Shake256, 64, message));
    family::mac(engine, "poly1305", exactly::<32>, |key, message| {
        let mut mac = Poly1305::new(key);
        mac.update(message);
        mac.finish()
    });
    family::mac(engine, "siphash-2-4", exactly::<16>, |key, message| {
        SipHash::hash(key, message).expect(FRESH).to_le_bytes()
    });
    for name in ["cmac-aes-128", "cmac-aes-192", "cmac-aes-256"] {
        cmac!(engine, name, Cmac);
    }
    cmac!(engine, "cmac-sm4", CmacSm4);
    for name in ["gmac-aes-128", "gmac-aes-192", "gmac-aes-256"] {
        family::nonced_mac(
            engine,
            name,
            |key| Gmac::new(key, &[0; 12]).map_err(text),
            |mac, nonce, message| {
                let mut tag = [0; 16];
                mac.reset(nonce).map_err(text)?;
                mac.update(message).map_err(text)?;
                mac.finish(&mut tag).map_err(text)?;
                Ok(tag)
            },
        );
    }
    family::derive_key(
        engine,
        "scrypt",
        ["n", "r", "p"],
        |password, salt, [n, r, p], okm| {
            let made = scrypt(password, salt, n, r, p, okm.len()).map_err(text)?;
            okm.copy_from_slice(&made);
            Ok(())
        },
    );
}

macro_rules! hashes {
    ($($name:literal, $hash:ty;)+) => {
        fn hashes(engine: &mut Engine) { $(
            family::digest(engine, $name, |message| <$hash>::digest(message).expect(FRESH));
            keyed(engine, $name, || Box::new(<$hash>::new()));
        )+ }
    };
}

hashes! {
    "md5", Md5;
    "sha1", Sha1;
    "sha224", Sha224;
    "sha256", Sha256;
    "sha384", Sha384;
    "sha512", Sha512;
    "sm3", Sm3;
    "sha3-224", Sha3_224;
    "sha3-256", Sha3_256;
    "sha3-384", Sha3_384;
    "sha3-512", Sha3_512;
}

/// HMAC, and key derivation over it.
fn keyed(engine: &mut Engine, name: &str, factory: fn() -> Box<dyn Digest>) {
    family::mac(
        engine,
        &format!("hmac-{name}"),
        move |key| {
            let tag = vec![0; factory().output_size()];
            Ok((Hmac::new(factory, key).map_err(text)?, tag))
        },
        |(mac, tag), message| {
            let done = mac.reset().and_then(|()| mac.update(message));
            done.and_then(|()| mac.finish(tag)).expect(FRESH);
            tag.clone()
        },
    );
    family::hkdf(engine, name, move |salt, ikm, info, okm| {
        let len = factory().output_size();
        let hkdf = Hkdf::new_with_factory(salt, ikm, factory, len).map_err(text)?;
        okm.copy_from_slice(&hkdf.expand(info, okm.len()).map_err(text)?);
        Ok(())
    });
    family::pbkdf2(engine, name, move |password, salt, iterations, okm| {
        let made = pbkdf2_with_hmac(factory, password, salt, iterations, okm.len());
        okm.copy_from_slice(&made.map_err(text)?);
        Ok(())
    });
}
