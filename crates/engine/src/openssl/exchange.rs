//! Agreement, encapsulation and public-key encryption.

use std::ffi::CStr;

use super::curves::{CURVES, Curve, KEMS, SM2};
use super::ffi::Libcrypto;
use super::ffi::keys::{Agreement, Decapsulator, Encapsulator, Key, KeyCipher, KeyType, Setting};
use super::ffi::params::Params;
use super::keygen::{self, Form, Recipe};
use super::signatures::RSA;
use crate::Item;
use crate::op::{self, field, item};
use crate::serve::{Engine, Single};

pub(super) fn register(engine: &mut Engine, lib: Libcrypto) {
    for curve in CURVES.iter() {
        let recipe = Recipe {
            kind: KeyType::EC,
            settings: curve.settings,
            group: None,
            form: Form::Curve,
        };
        if recipe.works(lib) && curve.private(lib, &vec![1; curve.size]).is_ok() {
            agreement(
                engine,
                lib,
                &format!("ecdh-{}", curve.name),
                recipe,
                Family::Curve(curve),
            );
        }
    }
    for (name, kind) in [("x25519", KeyType::X25519), ("x448", KeyType::X448)] {
        let recipe = Recipe::raw(kind);
        if recipe.works(lib) {
            agreement(engine, lib, name, recipe, Family::Raw(kind));
        }
    }
    for (name, group, len) in GROUPS {
        let recipe = Recipe {
            kind: KeyType::DH,
            settings: &[],
            group: Some(group),
            form: Form::Numbers(len),
        };
        if recipe.works(lib) {
            agreement(engine, lib, name, recipe, Family::Group(group, len));
        }
    }
    for &(name, kind) in KEMS {
        let recipe = Recipe::raw(kind);
        if recipe.works(lib) {
            // Of hybrids with a NIST curve OpenSSL 4.0 makes private keys that it cannot tell.
            if recipe.tells(lib) {
                keygen::register(engine, lib, name, recipe);
            }
            encapsulation(engine, lib, name, kind);
        }
    }
    for (name, _) in RSA {
        engine.single(&format!("{name}/encrypt-oaep"), move |_, input| {
            let key = Key::public_pkcs1(lib, &field(input, "public_key")?)?;
            let cipher = KeyCipher::encrypt(&key, OAEP)?;
            key_cipher(cipher, input, "message", "ciphertext")
        });
        engine.single(&format!("{name}/decrypt-oaep"), move |_, input| {
            let key = Key::private_der(lib, &field(input, "private_key")?)?;
            let cipher = KeyCipher::decrypt(&key, OAEP)?;
            key_cipher(cipher, input, "ciphertext", "message")
        });
    }
    if Recipe::raw(KeyType::SM2).works(lib) {
        engine.single("sm2/encrypt", move |_, input| {
            let key = SM2.public(lib, &field(input, "public_key")?)?;
            let cipher = KeyCipher::encrypt(&key, &[])?;
            key_cipher(cipher, input, "message", "ciphertext")
        });
        engine.single("sm2/decrypt", move |_, input| {
            let key = SM2.private(lib, &field(input, "private_key")?)?;
            let cipher = KeyCipher::decrypt(&key, &[])?;
            key_cipher(cipher, input, "ciphertext", "message")
        });
    }
}

/// With SHA-256 in both places (RFC 8017) and no label.
const OAEP: &[Setting] = &[(c"rsa_padding_mode", c"oaep"), (c"rsa_oaep_md", c"SHA256")];

/// The groups of RFC 7919 and RFC 3526, with the bytes of their primes.
const GROUPS: [(&str, &CStr, usize); 11] = [
    ("dh-ffdhe2048", c"ffdhe2048", 256),
    ("dh-ffdhe3072", c"ffdhe3072", 384),
    ("dh-ffdhe4096", c"ffdhe4096", 512),
    ("dh-ffdhe6144", c"ffdhe6144", 768),
    ("dh-ffdhe8192", c"ffdhe8192", 1024),
    ("dh-modp2048", c"modp_2048", 256),
    ("dh-modp3072", c"modp_3072", 384),
    ("dh-modp4096", c"modp_4096", 512),
    ("dh-modp6144", c"modp_6144", 768),
    ("dh-modp8192", c"modp_8192", 1024),
    ("dh-modp1536", c"modp_1536", 192),
];

/// The longest secret, that of `ffdhe8192`.
const MAX_SECRET: usize = 1024;
/// Longer than the ciphertext of ML-KEM-1024, and than one of RSA with 8192 bits.
const MAX_CIPHERTEXT: usize = 2048;

/// The longest secret of a KEM, that of SecP384r1MLKEM1024.
const MAX_SHARED: usize = 80;

/// How the keys of an agreement are read.
#[derive(Clone, Copy)]
enum Family {
    Curve(&'static Curve),
    Raw(KeyType),
    Group(&'static CStr, usize),
}

impl Family {
    fn private(self, lib: Libcrypto, bytes: &[u8]) -> Result<Key, String> {
        match self {
            Family::Curve(curve) => curve.private(lib, bytes),
            Family::Raw(kind) => Key::private_raw(lib, kind, bytes),
            Family::Group(group, len) => {
                exactly(bytes, len)?;
                let parts = Params::new().text(c"group", group).integer(c"priv", bytes);
                // OpenSSL wants a pair, but computes nothing with the public half here.
                let parts = parts.integer(c"pub", &[2]);
                Key::of_parts(lib, KeyType::DH, &parts, true)
            }
        }
    }

    fn public(self, lib: Libcrypto, bytes: &[u8]) -> Result<Key, String> {
        match self {
            Family::Curve(curve) => curve.public(lib, bytes),
            Family::Raw(kind) => Key::public_raw(lib, kind, bytes),
            Family::Group(group, len) => {
                exactly(bytes, len)?;
                let parts = Params::new().text(c"group", group).integer(c"pub", bytes);
                Key::of_parts(lib, KeyType::DH, &parts, false)
            }
        }
    }

    /// Secrets as long as the prime.
    fn settings(self) -> &'static [Setting] {
        match self {
            Family::Group(..) => &[(c"dh_pad", c"1")],
            _ => &[],
        }
    }
}

fn exactly(bytes: &[u8], len: usize) -> Result<(), String> {
    if bytes.len() == len {
        Ok(())
    } else {
        Err(format!("keys of this group have {len} bytes"))
    }
}

fn agreement(engine: &mut Engine, lib: Libcrypto, name: &str, recipe: Recipe, family: Family) {
    keygen::register(engine, lib, name, recipe);
    engine.single(&format!("{name}/derive"), move |_, input| {
        let key = family.private(lib, &field(input, "private_key")?)?;
        let peer = family.public(lib, &field(input, "peer_public_key")?)?;
        let agreement = Agreement::new(&key, &peer, family.settings())?;
        Ok(op::filling(
            (agreement, [0; MAX_SECRET], 0),
            |(agreement, secret, len)| {
                *len = agreement.derive(secret)?;
                Ok(())
            },
            |(_, secret, len)| item([("shared_secret", &secret[..*len])]),
        ))
    });
    engine.single(&format!("{name}/derive-encoded"), move |_, input| {
        let key = family.private(lib, &field(input, "private_key")?)?;
        let peer = field(input, "peer_public_key")?;
        Ok(op::filling(
            (key, peer, [0; MAX_SECRET], 0),
            move |(key, peer, secret, len)| {
                let peer = family.public(lib, peer)?;
                *len = Agreement::new(key, &peer, family.settings())?.derive(secret)?;
                Ok(())
            },
            |(_, _, secret, len)| item([("shared_secret", &secret[..*len])]),
        ))
    });
}

fn encapsulation(engine: &mut Engine, lib: Libcrypto, name: &str, kind: KeyType) {
    let tell = |ciphertext: &[u8], secret: &[u8], lens: [usize; 2]| {
        item([
            ("ciphertext", &ciphertext[..lens[0]]),
            ("shared_secret", &secret[..lens[1]]),
        ])
    };
    engine.single(&format!("{name}/encapsulate"), move |_, input| {
        let key = Key::public_raw(lib, kind, &field(input, "public_key")?)?;
        Ok(op::filling(
            (
                Encapsulator::new(&key)?,
                [0; MAX_CIPHERTEXT],
                [0; MAX_SHARED],
                [0; 2],
            ),
            |(encapsulator, ciphertext, secret, lens)| {
                *lens = encapsulator.run(ciphertext, secret)?;
                Ok(())
            },
            move |(_, ciphertext, secret, lens)| tell(ciphertext, secret, *lens),
        ))
    });
    engine.single(&format!("{name}/encapsulate-encoded"), move |_, input| {
        Ok(op::filling(
            (
                field(input, "public_key")?,
                [0; MAX_CIPHERTEXT],
                [0; MAX_SHARED],
                [0; 2],
            ),
            move |(public_key, ciphertext, secret, lens)| {
                let key = Key::public_raw(lib, kind, public_key)?;
                *lens = Encapsulator::new(&key)?.run(ciphertext, secret)?;
                Ok(())
            },
            move |(_, ciphertext, secret, lens)| tell(ciphertext, secret, *lens),
        ))
    });
    engine.single(&format!("{name}/decapsulate"), move |_, input| {
        let key = Key::private_raw(lib, kind, &field(input, "private_key")?)?;
        Ok(op::filling(
            (
                Decapsulator::new(&key)?,
                field(input, "ciphertext")?,
                [0; MAX_SHARED],
                0,
            ),
            |(decapsulator, ciphertext, secret, len)| {
                *len = decapsulator.run(ciphertext, secret)?;
                Ok(())
            },
            |(_, _, secret, len)| item([("shared_secret", &secret[..*len])]),
        ))
    });
    engine.single(&format!("{name}/decapsulate-encoded"), move |_, input| {
        Ok(op::filling(
            (
                field(input, "private_key")?,
                field(input, "ciphertext")?,
                [0; MAX_SHARED],
                0,
            ),
            move |(private_key, ciphertext, secret, len)| {
                let key = Key::private_raw(lib, kind, private_key)?;
                *len = Decapsulator::new(&key)?.run(ciphertext, secret)?;
                Ok(())
            },
            |(_, _, secret, len)| item([("shared_secret", &secret[..*len])]),
        ))
    });
}

fn key_cipher(
    cipher: KeyCipher,
    input: &Item,
    from: &str,
    to: &'static str,
) -> Result<impl Single + use<>, String> {
    let data = field(input, from)?;
    let out = vec![0; data.len() + MAX_CIPHERTEXT];
    Ok(op::filling(
        (cipher, data, out, 0),
        |(cipher, data, out, len)| {
            *len = cipher.run(data, out)?;
            Ok(())
        },
        move |(_, _, out, len)| item([(to, &out[..*len])]),
    ))
}
