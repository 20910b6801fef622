//! Hashes, MACs, key derivation and AEADs.

use adamant_engine::family::{self, Outcome};
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use rscrypto::aead::expert::AeadWithNonce;
use rscrypto::aead::{Nonce96, Nonce192};
use rscrypto::{Digest, Mac, Xof};

pub(crate) fn register(engine: &mut Engine) {
    macro_rules! hashes {
        ($($name:literal, $hash:ident;)+) => { $(
            family::digest(engine, $name, |message| rscrypto::$hash::digest(message));
        )+ };
    }
    hashes! {
        "sha224", Sha224;
        "sha256", Sha256;
        "sha384", Sha384;
        "sha512", Sha512;
        "sha512-256", Sha512_256;
        "sha3-224", Sha3_224;
        "sha3-256", Sha3_256;
        "sha3-384", Sha3_384;
        "sha3-512", Sha3_512;
        "blake2b-512", Blake2b512;
        "blake2b-256", Blake2b256;
        "blake2s-256", Blake2s256;
        "blake3", Blake3;
    }
    family::digest(engine, "shake128", |message| {
        let mut out = [0; 32];
        rscrypto::Shake128::xof(message).squeeze(&mut out);
        out
    });
    family::digest(engine, "shake256", |message| {
        let mut out = [0; 64];
        rscrypto::Shake256::xof(message).squeeze(&mut out);
        out
    });
    macro_rules! macs {
        ($($name:literal, $mac:ident;)+) => { $(
            family::mac(
                engine,
                $name,
                |key| Ok(<rscrypto::$mac as Mac>::new(key)),
                |mac, message| {
                    mac.reset();
                    mac.update(message);
                    mac.finalize().to_bytes()
                },
            );
        )+ };
    }
    macs! {
        "hmac-sha256", HmacSha256;
        "hmac-sha384", HmacSha384;
        "hmac-sha512", HmacSha512;
        "hmac-sha3-224", HmacSha3_224;
        "hmac-sha3-256", HmacSha3_256;
        "hmac-sha3-384", HmacSha3_384;
        "hmac-sha3-512", HmacSha3_512;
    }
    macro_rules! kmacs {
        ($($name:literal, $mac:ident, $len:literal;)+) => { $(
            family::mac(
                engine,
                $name,
                |key| Ok(rscrypto::$mac::new(key, b"")),
                |mac, message| {
                    let mut tag = [0; $len];
                    mac.reset();
                    mac.update(message);
                    mac.finalize_into(&mut tag);
                    tag
                },
            );
        )+ };
    }
    kmacs! { "kmac128", Kmac128, 32; "kmac256", Kmac256, 64; }
    // The key is for one message.
    family::mac(engine, "poly1305", exactly::<32>, |key, message| {
        let key = rscrypto::Poly1305OneTimeKey::from_bytes(*key);
        rscrypto::Poly1305::authenticate_once(key, message).to_bytes()
    });
    derivation(engine);
    aeads(engine);
}

fn derivation(engine: &mut Engine) {
    macro_rules! hkdfs {
        ($($name:literal, $hkdf:ident;)+) => { $(
            family::hkdf(engine, $name, |salt, ikm, info, okm| {
                rscrypto::$hkdf::extract(salt, ikm).expand(info, okm).map_err(text)
            });
        )+ };
    }
    hkdfs! { "sha256", HkdfSha256; "sha384", HkdfSha384; "sha512", HkdfSha512; }
    family::pbkdf2(engine, "sha256", |password, salt, iterations, okm| {
        rscrypto::Pbkdf2Sha256::derive_key_primitive(password, salt, iterations, okm).map_err(text)
    });
    family::pbkdf2(engine, "sha512", |password, salt, iterations, okm| {
        rscrypto::Pbkdf2Sha512::derive_key_primitive(password, salt, iterations, okm).map_err(text)
    });
    let numbers = ["n", "r", "p"];
    family::derive_key(
        engine,
        "scrypt",
        numbers,
        |password, salt, [n, r, p], okm| {
            if !n.is_power_of_two() {
                return Err("n is no power of two".into());
            }
            let params =
                rscrypto::ScryptParams::new(n.trailing_zeros() as u8, r, p).map_err(text)?;
            rscrypto::Scrypt::derive(&params, password, salt, okm).map_err(text)
        },
    );
    macro_rules! argon2 {
        ($($name:literal, $variant:ident;)+) => { $(
            let numbers = ["memory", "passes", "lanes"];
            family::derive_key(engine, $name, numbers, |password, salt, [m, t, p], okm| {
                let params = rscrypto::Argon2Params::new(m, t, p).map_err(text)?;
                rscrypto::$variant::derive(&params, password, salt, okm).map_err(text)
            });
        )+ };
    }
    argon2! { "argon2id", Argon2id; "argon2i", Argon2i; "argon2d", Argon2d; }
}

fn aeads(engine: &mut Engine) {
    macro_rules! aeads {
        ($($name:literal, $aead:ident, $key:ident, $nonce:ident;)+) => { $(
            let key = |key: &[u8]| Ok(rscrypto::$key::from_bytes(exactly(key)?));
            aead::<rscrypto::$aead>(engine, $name, key, |nonce| Ok($nonce::from_bytes(exactly(nonce)?)));
        )+ };
    }
    aeads! {
        "aes-128-gcm", Aes128Gcm, Aes128GcmKey, Nonce96;
        "aes-256-gcm", Aes256Gcm, Aes256GcmKey, Nonce96;
        "aes-128-gcm-siv", Aes128GcmSiv, Aes128GcmSivKey, Nonce96;
        "aes-256-gcm-siv", Aes256GcmSiv, Aes256GcmSivKey, Nonce96;
        "chacha20-poly1305", ChaCha20Poly1305, ChaCha20Poly1305Key, Nonce96;
        "xchacha20-poly1305", XChaCha20Poly1305, XChaCha20Poly1305Key, Nonce192;
    }
}

fn aead<A: AeadWithNonce + 'static>(
    engine: &mut Engine,
    name: &str,
    key: impl Fn(&[u8]) -> Outcome<A::Key> + Copy + 'static,
    nonce: impl Fn(&[u8]) -> Outcome<A::Nonce> + Copy + 'static,
) where
    A::Tag: Default,
{
    let new = move |bytes: &[u8]| Ok(A::new(&key(bytes)?));
    family::seal_in_place(engine, name, new, move |aead: &mut A, nonced, message| {
        let nonce = nonce(&nonced.nonce)?;
        aead.encrypt_in_place(&nonce, &nonced.aad, message)
            .map_err(text)
    });
    family::open_in_place(
        engine,
        name,
        new,
        move |aead: &mut A, nonced, sealed, len| {
            let (data, tag) = sealed.split_at_mut(len);
            let (nonce, tag) = (nonce(&nonced.nonce)?, A::tag_from_slice(tag).map_err(text)?);
            aead.decrypt_in_place(&nonce, &nonced.aad, data, &tag)
                .map_err(text)
        },
    );
}
