//! Hashes, HMAC, key derivation and AEADs.

use std::num::NonZeroU32;

use adamant_engine::family;
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use ring::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::{digest, hkdf, hmac, pbkdf2};

pub(crate) fn register(engine: &mut Engine) {
    for (name, algorithm) in [
        ("sha1", &digest::SHA1_FOR_LEGACY_USE_ONLY),
        ("sha256", &digest::SHA256),
        ("sha384", &digest::SHA384),
        ("sha512", &digest::SHA512),
        ("sha512-256", &digest::SHA512_256),
    ] {
        family::digest(engine, name, move |message| {
            digest::digest(algorithm, message)
        });
    }
    for (name, algorithm) in [
        ("hmac-sha1", hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY),
        ("hmac-sha256", hmac::HMAC_SHA256),
        ("hmac-sha384", hmac::HMAC_SHA384),
        ("hmac-sha512", hmac::HMAC_SHA512),
    ] {
        family::mac(
            engine,
            name,
            move |key| Ok(hmac::Key::new(algorithm, key)),
            |key, message| hmac::sign(key, message),
        );
    }
    for (name, algorithm) in [
        ("sha1", hkdf::HKDF_SHA1_FOR_LEGACY_USE_ONLY),
        ("sha256", hkdf::HKDF_SHA256),
        ("sha384", hkdf::HKDF_SHA384),
        ("sha512", hkdf::HKDF_SHA512),
    ] {
        family::hkdf(engine, name, move |salt, ikm, info, okm| {
            let prk = hkdf::Salt::new(algorithm, salt).extract(ikm);
            let info = [info];
            let expanded = prk.expand(&info, Length(okm.len())).map_err(text)?;
            expanded.fill(okm).map_err(text)
        });
    }
    for (name, algorithm) in [
        ("sha1", pbkdf2::PBKDF2_HMAC_SHA1),
        ("sha256", pbkdf2::PBKDF2_HMAC_SHA256),
        ("sha384", pbkdf2::PBKDF2_HMAC_SHA384),
        ("sha512", pbkdf2::PBKDF2_HMAC_SHA512),
    ] {
        family::pbkdf2(engine, name, move |password, salt, iterations, okm| {
            let iterations = NonZeroU32::new(iterations).ok_or("no iterations")?;
            pbkdf2::derive(algorithm, iterations, salt, password, okm);
            Ok(())
        });
    }
    for (name, algorithm) in [
        ("aes-128-gcm", &aead::AES_128_GCM),
        ("aes-256-gcm", &aead::AES_256_GCM),
        ("chacha20-poly1305", &aead::CHACHA20_POLY1305),
    ] {
        let new = move |key: &[u8]| {
            Ok(LessSafeKey::new(
                UnboundKey::new(algorithm, key).map_err(text)?,
            ))
        };
        family::seal_in_place(engine, name, new, |key, nonced, message| {
            let nonce = Nonce::assume_unique_for_key(exactly(&nonced.nonce)?);
            let aad = Aad::from(&nonced.aad);
            let tag = key.seal_in_place_separate_tag(nonce, aad, message);
            Ok(Tag(Some(tag.map_err(text)?)))
        });
        family::open_in_place(engine, name, new, |key, nonced, sealed, _| {
            let nonce = Nonce::assume_unique_for_key(exactly(&nonced.nonce)?);
            let aad = Aad::from(&nonced.aad);
            key.open_in_place(nonce, aad, sealed).map_err(text)?;
            Ok(())
        });
    }
    for (name, algorithm) in [
        ("gmac-aes-128", &aead::AES_128_GCM),
        ("gmac-aes-256", &aead::AES_256_GCM),
    ] {
        family::nonced_mac(
            engine,
            name,
            |key| {
                Ok(LessSafeKey::new(
                    UnboundKey::new(algorithm, key).map_err(text)?,
                ))
            },
            |key, nonce, message| {
                let nonce = Nonce::assume_unique_for_key(exactly(nonce)?);
                key.seal_in_place_separate_tag(nonce, Aad::from(message), &mut [])
                    .map_err(text)
            },
        );
    }
}

/// The length of HKDF's output.
struct Length(usize);

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// A tag, or the place of one.
#[derive(Default)]
struct Tag(Option<aead::Tag>);

impl AsRef<[u8]> for Tag {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], aead::Tag::as_ref)
    }
}
