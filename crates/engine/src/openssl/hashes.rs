//! Digests, message authentication codes, key derivation.

use std::ffi::CStr;

use super::Buffer;
use super::ffi::Libcrypto;
use super::ffi::params::Params;
use super::ffi::symmetric::{Digest, Fresh, Kdf, Length, MAX_DIGEST, Mac};
use crate::Item;
use crate::op::{self, field, item};
use crate::serve::Engine;

use Length::{Fixed, Squeezed, Told};

/// Digests by the names of both sides; those missing in the library at hand are left out.
const DIGESTS: [(&str, &CStr, Length); 22] = [
    ("sha224", c"SHA224", Fixed),
    ("sha256", c"SHA256", Fixed),
    ("sha384", c"SHA384", Fixed),
    ("sha512", c"SHA512", Fixed),
    ("sha512-224", c"SHA512-224", Fixed),
    ("sha512-256", c"SHA512-256", Fixed),
    ("sha3-224", c"SHA3-224", Fixed),
    ("sha3-256", c"SHA3-256", Fixed),
    ("sha3-384", c"SHA3-384", Fixed),
    ("sha3-512", c"SHA3-512", Fixed),
    ("keccak-256", c"KECCAK-256", Fixed),
    ("shake128", c"SHAKE128", Squeezed(32)),
    ("shake256", c"SHAKE256", Squeezed(64)),
    ("sm3", c"SM3", Fixed),
    ("sha1", c"SHA1", Fixed),
    ("md5", c"MD5", Fixed),
    ("ripemd160", c"RIPEMD160", Fixed),
    ("blake2b-512", c"BLAKE2B-512", Fixed),
    ("blake2b-384", c"BLAKE2B-512", Told(48)),
    ("blake2b-256", c"BLAKE2B-512", Told(32)),
    ("blake2s-256", c"BLAKE2S-256", Fixed),
    ("blake2s-128", c"BLAKE2S-256", Told(16)),
];

/// MACs that are no HMAC: the names of both sides, and what belongs to them.
#[rustfmt::skip]
const MACS: [(&str, &CStr, Settings); 14] = [
    ("cmac-aes-128", c"CMAC", Settings::Cipher(c"AES-128-CBC")),
    ("cmac-aes-192", c"CMAC", Settings::Cipher(c"AES-192-CBC")),
    ("cmac-aes-256", c"CMAC", Settings::Cipher(c"AES-256-CBC")),
    ("cmac-sm4", c"CMAC", Settings::Cipher(c"SM4-CBC")),
    ("cmac-3des", c"CMAC", Settings::Cipher(c"DES-EDE3-CBC")),
    ("gmac-aes-128", c"GMAC", Settings::Nonce(c"AES-128-GCM")),
    ("gmac-aes-192", c"GMAC", Settings::Nonce(c"AES-192-GCM")),
    ("gmac-aes-256", c"GMAC", Settings::Nonce(c"AES-256-GCM")),
    ("gmac-sm4", c"GMAC", Settings::Nonce(c"SM4-GCM")),
    ("kmac128", c"KMAC-128", Settings::Size(32)),
    ("kmac256", c"KMAC-256", Settings::Size(64)),
    ("poly1305", c"POLY1305", Settings::OnceKey),
    ("siphash-2-4", c"SIPHASH", Settings::Rounds(2, 4)),
    ("siphash-1-3", c"SIPHASH", Settings::Rounds(1, 3)),
];

#[derive(Clone, Copy)]
enum Settings {
    /// None, and a key for one message.
    OnceKey,
    /// The cipher.
    Cipher(&'static CStr),
    /// The cipher, and the nonce of each message.
    Nonce(&'static CStr),
    /// Bytes of the tag.
    Size(u64),
    /// SipHash's rounds, with a tag of 8 bytes.
    Rounds(u64, u64),
}

impl Settings {
    fn mac(self, lib: Libcrypto, openssl: &CStr, input: &Item) -> Result<Mac, String> {
        let (none, mut fresh) = (Params::new(), Fresh::Nothing);
        let params = match self {
            Settings::OnceKey => {
                fresh = Fresh::Key;
                none
            }
            Settings::Cipher(cipher) => none.text(c"cipher", cipher),
            Settings::Nonce(cipher) => {
                fresh = Fresh::Params(Params::new().octets(c"iv", &field(input, "nonce")?));
                none.text(c"cipher", cipher)
            }
            Settings::Size(size) => none.number(c"size", size),
            Settings::Rounds(c, d) => none
                .number(c"size", 8)
                .number(c"c-rounds", c)
                .number(c"d-rounds", d),
        };
        Mac::new(lib, openssl, &field(input, "key")?, &params, fresh)
    }

    /// Keys and nonces for trying out whether the library has it.
    fn example(key_len: usize) -> Item {
        item([("key", &vec![1; key_len]), ("nonce", &[1; 12])])
    }
}

pub(super) fn register(engine: &mut Engine, lib: Libcrypto) {
    for (name, openssl, length) in DIGESTS {
        if Digest::with_length(lib, openssl, length).is_err() {
            continue;
        }
        engine.single(&format!("{name}/digest"), move |_, input| {
            let digest = Digest::with_length(lib, openssl, length)?;
            let state = (
                digest,
                field(input, "message")?,
                Buffer::<MAX_DIGEST>::new(),
            );
            Ok(op::filling(
                state,
                |(digest, message, out)| {
                    out.len = digest.digest(&[message], &mut out.bytes)?;
                    Ok(())
                },
                |(_, _, out)| item([("digest", out.get())]),
            ))
        });
        if length == Fixed {
            keyed_digests(engine, lib, name, openssl);
        }
    }
    for (name, openssl, settings) in MACS {
        // The lengths that a key may have.
        let works = |len| settings.mac(lib, openssl, &Settings::example(len)).is_ok();
        if [16, 24, 32].into_iter().any(works) {
            engine.single(&format!("{name}/mac"), move |_, input| {
                mac_op(settings.mac(lib, openssl, input)?, input)
            });
        }
    }
    memory_hard(engine, lib);
}

fn mac_op(mac: Mac, input: &Item) -> Result<impl crate::serve::Single + use<>, String> {
    let state = (mac, field(input, "message")?, Buffer::<MAX_DIGEST>::new());
    Ok(op::filling(
        state,
        |(mac, message, out)| {
            out.len = mac.mac(message, &mut out.bytes)?;
            Ok(())
        },
        |(_, _, out)| item([("tag", out.get())]),
    ))
}

/// HMAC, HKDF and PBKDF2.
fn keyed_digests(engine: &mut Engine, lib: Libcrypto, name: &str, digest: &'static CStr) {
    let chosen = move || Params::new().text(c"digest", digest);
    if Mac::new(lib, c"HMAC", &[1; 16], &chosen(), Fresh::Nothing).is_ok() {
        engine.single(&format!("hmac-{name}/mac"), move |_, input| {
            let key = field(input, "key")?;
            let mac = Mac::new(lib, c"HMAC", &key, &chosen(), Fresh::Nothing)?;
            mac_op(mac, input)
        });
    }
    if Kdf::new(lib, c"HKDF", &chosen(), Params::new()).is_ok() {
        engine.single(&format!("hkdf-{name}/derive"), move |bytes, input| {
            let given = Params::new()
                .octets(c"salt", &field(input, "salt")?)
                .octets(c"key", &field(input, "ikm")?)
                .octets(c"info", &field(input, "info")?);
            kdf_op(Kdf::new(lib, c"HKDF", &chosen(), given)?, bytes)
        });
    }
    if Kdf::new(lib, c"PBKDF2", &chosen(), Params::new()).is_ok() {
        engine.single(
            &format!("pbkdf2-hmac-{name}/derive"),
            move |bytes, input| {
                let given = Params::new()
                    .octets(c"pass", &field(input, "password")?)
                    .octets(c"salt", &field(input, "salt")?)
                    .number(c"iter", number(input, "iterations")?);
                // Without the lower bounds of SP 800-132.
                let fixed = chosen().number(c"pkcs5", 1);
                kdf_op(Kdf::new(lib, c"PBKDF2", &fixed, given)?, bytes)
            },
        );
    }
}

fn memory_hard(engine: &mut Engine, lib: Libcrypto) {
    let none = Params::new;
    if Kdf::new(lib, c"SCRYPT", &none(), none()).is_ok() {
        engine.single("scrypt/derive", move |bytes, input| {
            let given = Params::new()
                .octets(c"pass", &field(input, "password")?)
                .octets(c"salt", &field(input, "salt")?)
                .number(c"n", number(input, "n")?)
                .number(c"r", number(input, "r")?)
                .number(c"p", number(input, "p")?)
                .number(c"maxmem_bytes", 1 << 32);
            kdf_op(Kdf::new(lib, c"SCRYPT", &none(), given)?, bytes)
        });
    }
    for (name, openssl) in [
        ("argon2d", c"ARGON2D"),
        ("argon2i", c"ARGON2I"),
        ("argon2id", c"ARGON2ID"),
    ] {
        if Kdf::new(lib, openssl, &none(), none()).is_err() {
            continue;
        }
        engine.single(&format!("{name}/derive"), move |bytes, input| {
            let given = Params::new()
                .octets(c"pass", &field(input, "password")?)
                .octets(c"salt", &field(input, "salt")?)
                .number(c"memcost", number(input, "memory")?)
                .number(c"iter", number(input, "passes")?)
                .number(c"lanes", number(input, "lanes")?);
            kdf_op(Kdf::new(lib, openssl, &none(), given)?, bytes)
        });
    }
}

fn kdf_op(kdf: Kdf, bytes: usize) -> Result<impl crate::serve::Single, String> {
    Ok(op::filling(
        (kdf, vec![0; bytes]),
        |(kdf, okm)| kdf.derive(okm),
        |(_, okm)| item([("okm", okm)]),
    ))
}

/// A number of at most eight bytes, big-endian.
fn number(input: &Item, name: &str) -> Result<u64, String> {
    let bytes = field(input, name)?;
    if bytes.len() > 8 {
        return Err(format!("{name} is no number of at most 8 bytes"));
    }
    Ok(bytes
        .iter()
        .fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
}
