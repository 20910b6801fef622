//! Digests, message authentication codes, key derivation, ciphers, authenticated encryption.

use std::ffi::c_ulong;

use super::ffi::{Direction, Envelope, Mechanism, Object, Session, Softoken};
use super::{
    DERIVE, GENERIC_SECRET, SECRET_KEY, SHA1, SHA224, SHA256, SHA384, SHA512, VALUE_LEN, open,
    read_and_destroy, read_derived, secret,
};
use crate::buffers::Buffers;
use crate::family;
use crate::op::{self, exactly, field, item};
use crate::serve::Engine;

/// The longest digest.
const MAX_DIGEST: usize = 64;

/// Digests: name, mechanism, bytes, the mechanism of HMAC, the pseudo-random function of PBKDF2.
const DIGESTS: [(&str, c_ulong, usize, c_ulong, c_ulong); 10] = [
    ("md5", 0x210, 16, 0x211, 0),
    ("sha1", SHA1, 20, 0x221, 1),
    ("sha224", SHA224, 28, 0x256, 3),
    ("sha256", SHA256, 32, 0x251, 4),
    ("sha384", SHA384, 48, 0x261, 5),
    ("sha512", SHA512, 64, 0x271, 6),
    ("sha3-224", 0x2b5, 28, 0x2b6, 0),
    ("sha3-256", 0x2b0, 32, 0x2b1, 0),
    ("sha3-384", 0x2c0, 48, 0x2c1, 0),
    ("sha3-512", 0x2d0, 64, 0x2d1, 0),
];

/// `CKK_AES`, `CKK_DES`, `CKK_DES3`, `CKK_CAMELLIA`, `CKK_CHACHA20`.
const AES: c_ulong = 0x1f;
const DES: c_ulong = 0x13;
const DES3: c_ulong = 0x15;
const CAMELLIA: c_ulong = 0x25;
const CHACHA20: c_ulong = 0x33;

/// What a mode's mechanism takes.
#[derive(Clone, Copy)]
enum Iv {
    None,
    Bytes,
    Counter,
}

/// Modes without a tag: cipher, mode, kind of the key, mechanism, what it takes.
const MODES: [(&str, &str, c_ulong, c_ulong, Iv); 9] = [
    ("aes", "ecb", AES, 0x1081, Iv::None),
    ("aes", "cbc", AES, 0x1082, Iv::Bytes),
    ("aes", "ctr", AES, 0x1086, Iv::Counter),
    ("camellia", "ecb", CAMELLIA, 0x551, Iv::None),
    ("camellia", "cbc", CAMELLIA, 0x552, Iv::Bytes),
    ("des", "ecb", DES, 0x121, Iv::None),
    ("des", "cbc", DES, 0x122, Iv::Bytes),
    ("3des", "ecb", DES3, 0x132, Iv::None),
    ("3des", "cbc", DES3, 0x133, Iv::Bytes),
];

/// `CKM_AES_GCM`, `CKM_AES_CMAC`, `CKM_NSS_AES_KEY_WRAP`, `CKM_CHACHA20`, `CKM_CHACHA20_POLY1305`,
/// `CKM_HKDF_DERIVE`, `CKM_PKCS5_PBKD2`.
const AES_GCM: c_ulong = 0x1087;
const AES_CMAC: c_ulong = 0x108a;
const AES_KEY_WRAP: c_ulong = 0xce53_4351;
const CHACHA20_STREAM: c_ulong = 0x1226;
const CHACHA20_POLY1305: c_ulong = 0x4021;
const HKDF_DERIVE: c_ulong = 0x402a;
const PBKDF2: c_ulong = 0x3b0;

pub(super) fn register(engine: &mut Engine, lib: Softoken) {
    for (name, digest, size, hmac, prf) in DIGESTS {
        if lib.has(digest) {
            engine.single(&format!("{name}/digest"), move |_, input| {
                let (session, message) = (lib.session()?, field(input, "message")?);
                let mechanism = Mechanism::plain(digest);
                Ok(op::filling(
                    [0; MAX_DIGEST],
                    move |out: &mut [u8; MAX_DIGEST]| {
                        session.digest(&mechanism, &message, out).map(|_| ())
                    },
                    move |out| item([("digest", &out[..size])]),
                ))
            });
        }
        if lib.has(hmac) {
            mac(engine, lib, &format!("hmac-{name}"), GENERIC_SECRET, hmac);
        }
        if prf != 0 && lib.has(hmac) {
            derivation(engine, lib, name, digest, prf);
        }
    }
    let sizes = |cipher: &str| match cipher {
        "aes" | "camellia" => vec![("-128", 16), ("-192", 24), ("-256", 32)],
        "des" => vec![("", 8)],
        _ => vec![("", 24)],
    };
    for (cipher, mode, kind, mechanism, iv) in MODES {
        for (bits, _) in sizes(cipher) {
            if lib.has(mechanism) {
                let name = format!("{cipher}{bits}-{mode}");
                chain(engine, lib, &name, kind, mechanism, iv);
            }
        }
    }
    for bits in ["128", "192", "256"] {
        if lib.has(AES_CMAC) {
            mac(engine, lib, &format!("cmac-aes-{bits}"), AES, AES_CMAC);
        }
        if lib.has(AES_GCM) {
            aead(engine, lib, &format!("aes-{bits}-gcm"), AES, AES_GCM);
        }
        if lib.has(AES_KEY_WRAP) {
            wrap(engine, lib, &format!("aes-{bits}-kw"));
        }
    }
    if lib.has(CHACHA20_POLY1305) {
        aead(
            engine,
            lib,
            "chacha20-poly1305",
            CHACHA20,
            CHACHA20_POLY1305,
        );
    }
    if lib.has(CHACHA20_STREAM) {
        let new = move |key: &[u8]| secret(lib, CHACHA20, key);
        let run = |direction| {
            move |(session, key): &mut (Session, Object),
                  nonce: &[u8],
                  data: &[u8],
                  out: &mut [u8]| {
                let mechanism = Mechanism::chacha20(CHACHA20_STREAM, nonce);
                let done = session.crypt(direction, &mechanism, *key, data, out);
                done.map(|_| ())
            }
        };
        family::encrypt(engine, "chacha20", new, run(Direction::Encrypt));
        family::decrypt(engine, "chacha20", new, run(Direction::Decrypt));
    }
}

fn mac(engine: &mut Engine, lib: Softoken, name: &str, kind: c_ulong, mechanism: c_ulong) {
    engine.single(&format!("{name}/mac"), move |_, input| {
        let (session, key) = secret(lib, kind, &field(input, "key")?)?;
        let (message, mechanism) = (field(input, "message")?, Mechanism::plain(mechanism));
        Ok(op::filling(
            ([0; MAX_DIGEST], 0),
            move |(out, len): &mut ([u8; MAX_DIGEST], usize)| {
                *len = session.sign(&mechanism, key, &message, out)?;
                Ok(())
            },
            |(out, len)| item([("tag", &out[..*len])]),
        ))
    });
}

/// HKDF and PBKDF2.
fn derivation(engine: &mut Engine, lib: Softoken, name: &str, hash: c_ulong, prf: c_ulong) {
    if lib.has(HKDF_DERIVE) {
        engine.single(&format!("hkdf-{name}/derive"), move |bytes, input| {
            let (salt, info) = (field(input, "salt")?, field(input, "info")?);
            let (session, key) = secret(lib, GENERIC_SECRET, &field(input, "ikm")?)?;
            let mechanism = Mechanism::hkdf(HKDF_DERIVE, hash, &salt, &info);
            Ok(op::filling(
                vec![0; bytes],
                move |okm: &mut Vec<u8>| read_derived(&session, &mechanism, key, okm),
                |okm| item([("okm", okm)]),
            ))
        });
    }
    if lib.has(PBKDF2) {
        family::pbkdf2(engine, name, move |password, salt, iterations, okm| {
            let session = lib.session()?;
            let mechanism = Mechanism::pbkdf2(PBKDF2, prf, password, salt, iterations);
            let template = open(SECRET_KEY, GENERIC_SECRET);
            let template = template.number(VALUE_LEN, okm.len() as c_ulong);
            let key = session.generate(&mechanism, &template.yes(&[DERIVE]))?;
            read_and_destroy(&session, key, okm)
        });
    }
}

/// A mode of which message follows message in one chain.
fn chain(
    engine: &mut Engine,
    lib: Softoken,
    name: &str,
    kind: c_ulong,
    mechanism: c_ulong,
    iv: Iv,
) {
    let ways = [
        ("encrypt", Direction::Encrypt, "message", "ciphertext"),
        ("decrypt", Direction::Decrypt, "ciphertext", "message"),
    ];
    for (operation, direction, from, to) in ways {
        engine.task(&format!("{name}/{operation}"), move |_, input| {
            let (session, key) = secret(lib, kind, &field(input, "key")?)?;
            let buffers = Buffers::new(&field(input, from)?, 0);
            let mechanism = match iv {
                Iv::None => Mechanism::plain(mechanism),
                Iv::Bytes => Mechanism::bytes(mechanism, &field(input, "iv")?),
                Iv::Counter => Mechanism::counter(mechanism, exactly(&field(input, "iv")?)?),
            };
            session.begin(direction, &mechanism, key)?;
            Ok(op::changing(
                (session, buffers),
                move |(session, _)| {
                    session.end(direction);
                    // Where that fails, so does what follows.
                    let _ = session.begin(direction, &mechanism, key);
                },
                move |(session, buffers)| {
                    let (data, out) = buffers.parts();
                    session.update(direction, data, out).map(|_| ())
                },
                move |(_, buffers)| item([(to, buffers.out())]),
            ))
        });
    }
}

/// Key wrapping (RFC 3394).
fn wrap(engine: &mut Engine, lib: Softoken, name: &str) {
    let ways = [
        ("wrap", Direction::Encrypt, "message", "ciphertext"),
        ("unwrap", Direction::Decrypt, "ciphertext", "message"),
    ];
    for (operation, direction, from, to) in ways {
        engine.single(&format!("{name}/{operation}"), move |_, input| {
            let (session, key) = secret(lib, AES, &field(input, "key")?)?;
            let (data, mechanism) = (field(input, from)?, Mechanism::plain(AES_KEY_WRAP));
            Ok(op::filling(
                (vec![0; data.len() + 16], 0),
                move |(out, len): &mut (Vec<u8>, usize)| {
                    *len = session.crypt(direction, &mechanism, key, &data, out)?;
                    Ok(())
                },
                move |(out, len)| item([(to, &out[..*len])]),
            ))
        });
    }
}

fn aead(engine: &mut Engine, lib: Softoken, name: &str, kind: c_ulong, mechanism: c_ulong) {
    let is_gcm = mechanism == AES_GCM;
    let ways = [
        ("seal", Direction::Encrypt, "message", "ciphertext"),
        ("open", Direction::Decrypt, "ciphertext", "message"),
    ];
    for (operation, direction, from, to) in ways {
        engine.single(&format!("{name}/{operation}"), move |_, input| {
            let (session, key) = secret(lib, kind, &field(input, "key")?)?;
            session.begin_messages(direction, mechanism, key)?;
            let (nonce, aad) = (field(input, "nonce")?, field(input, "aad")?);
            let tag = match direction {
                Direction::Encrypt => [0; 16],
                Direction::Decrypt => exactly(&field(input, "tag")?)?,
            };
            let envelope = Envelope { is_gcm, nonce, tag };
            let buffers = Buffers::new(&field(input, from)?, 0);
            Ok(op::filling(
                (buffers, envelope),
                move |(buffers, envelope): &mut (Buffers, Envelope)| {
                    let (data, out) = buffers.parts();
                    session.message(direction, envelope, &aad, data, out)
                },
                move |(buffers, envelope)| match direction {
                    Direction::Encrypt => item([(to, buffers.out()), ("tag", &envelope.tag)]),
                    Direction::Decrypt => item([(to, buffers.out())]),
                },
            ))
        });
    }
}
