//! Signatures, agreements, encryption, encapsulation.

use std::ptr;

use adamant_engine::family;
use adamant_engine::serve::Engine;

use crate::ffi::{Hitls, Param, ok};
use crate::pkey::{Algorithm, Form, Key};

const DH: i32 = 38;
const ECDSA: i32 = 36;
const ECDH: i32 = 39;
const SM2: i32 = 296;
const RSA: i32 = 34;
const ED25519: i32 = 334;
const X25519: i32 = 335;
const ML_KEM: i32 = 2100;
const ML_DSA: i32 = 2101;
const SLH_DSA: i32 = 5205;

const SHA224: i32 = 42;
const SHA256: i32 = 43;
const SHA384: i32 = 44;
const SHA512: i32 = 45;
const SM3: i32 = 290;
/// `CRYPT_MD_MAX`, for schemes that hash by themselves.
const NONE: i32 = 0;

const SET_PKCS1: i32 = 200;
const SET_PSS: i32 = 202;
const SET_OAEP: i32 = 205;
const RSA_SALT_LEN: i32 = 910;
const RSA_HASH: i32 = 911;
const RSA_MASK_HASH: i32 = 912;

/// The names, the numbers, the bytes of a coordinate, what ECDSA hashes with.
const CURVES: [(&str, i32, usize, i32); 7] = [
    ("p224", 321, 28, SHA224),
    ("p256", 107, 32, SHA256),
    ("p384", 288, 48, SHA384),
    ("p521", 289, 66, SHA512),
    ("brainpoolp256r1", 2073, 32, SHA256),
    ("brainpoolp384r1", 2074, 48, SHA384),
    ("brainpoolp512r1", 2075, 64, SHA512),
];

/// The names, the numbers, the bytes of the primes.
const GROUPS: [(&str, i32, usize); 8] = [
    ("dh-ffdhe2048", 2068, 256),
    ("dh-ffdhe3072", 2069, 384),
    ("dh-ffdhe4096", 2070, 512),
    ("dh-ffdhe6144", 2071, 768),
    ("dh-ffdhe8192", 2072, 1024),
    ("dh-modp2048", 2063, 256),
    ("dh-modp3072", 2064, 384),
    ("dh-modp4096", 2065, 512),
];

/// The names, the numbers, the bytes of private and public keys.
const KEMS: [(&str, i32, usize, usize); 3] = [
    ("ml-kem-512", 2123, 1632, 800),
    ("ml-kem-768", 2124, 2400, 1184),
    ("ml-kem-1024", 2125, 3168, 1568),
];

const ML_DSAS: [(&str, i32, usize, usize); 3] = [
    ("ml-dsa-44", 2120, 2560, 1312),
    ("ml-dsa-65", 2121, 4032, 1952),
    ("ml-dsa-87", 2122, 4896, 2592),
];

/// The names, the numbers, the bytes of private keys.
const SLH_DSAS: [(&str, i32, usize); 12] = [
    ("slh-dsa-sha2-128s", 2126, 64),
    ("slh-dsa-shake-128s", 2127, 64),
    ("slh-dsa-sha2-128f", 2128, 64),
    ("slh-dsa-shake-128f", 2129, 64),
    ("slh-dsa-sha2-192s", 2130, 96),
    ("slh-dsa-shake-192s", 2131, 96),
    ("slh-dsa-sha2-192f", 2132, 96),
    ("slh-dsa-shake-192f", 2133, 96),
    ("slh-dsa-sha2-256s", 2134, 128),
    ("slh-dsa-shake-256s", 2135, 128),
    ("slh-dsa-sha2-256f", 2136, 128),
    ("slh-dsa-shake-256f", 2137, 128),
];

/// Longer than any signature, ciphertext or secret.
const ROOM: usize = 65536;

const fn algorithm(id: i32, parameters: i32, form: Form) -> Algorithm {
    Algorithm {
        id,
        parameters,
        form,
    }
}

pub(crate) fn register(engine: &mut Engine, lib: Hitls) {
    for (name, id, size, hash) in CURVES {
        let form = Form::Bytes(size, 2 * size + 1);
        let (dsa, dh) = (algorithm(ECDSA, id, form), algorithm(ECDH, id, form));
        signatures(engine, lib, &format!("ecdsa-{name}"), dsa, hash);
        agreement(engine, lib, &format!("ecdh-{name}"), dh);
    }
    let ed25519 = algorithm(ED25519, 0, Form::Bytes(32, 32));
    signatures(engine, lib, "ed25519", ed25519, SHA512);
    let x25519 = algorithm(X25519, 0, Form::Bytes(32, 32));
    agreement(engine, lib, "x25519", x25519);
    for (name, id, len) in GROUPS {
        agreement(engine, lib, name, algorithm(DH, id, Form::Bytes(len, len)));
    }
    let sm2 = algorithm(SM2, 0, Form::Sm2);
    signatures(engine, lib, "sm2", sm2, SM3);
    encryption(engine, lib, ["sm2/encrypt", "sm2/decrypt"], sm2, |_| Ok(()));
    for (name, id, private, public) in KEMS {
        let form = Form::Bytes(private, public);
        encapsulation(engine, lib, name, algorithm(ML_KEM, id, form));
    }
    for (name, id, private, public) in ML_DSAS {
        let form = Form::Bytes(private, public);
        signatures(engine, lib, name, algorithm(ML_DSA, id, form), NONE);
    }
    for (name, id, private) in SLH_DSAS {
        let form = Form::HashBased(private);
        signatures(engine, lib, name, algorithm(SLH_DSA, id, form), NONE);
    }
    rsa(engine, lib);
}

fn keygen(engine: &mut Engine, lib: Hitls, name: &str, algorithm: Algorithm) {
    engine.single(&format!("{name}/keygen"), move |_, _| {
        Ok(adamant_engine::op::giving(
            {
                let key = std::rc::Rc::new(algorithm.generator(lib)?);
                move || {
                    key.generate()?;
                    Ok(key.clone())
                }
            },
            |key| key.tell(),
        ))
    });
}

fn sign(key: &Key, hash: i32, message: &[u8]) -> Result<Short, String> {
    Short::fill("CRYPT_EAL_PkeySign", |to, room| {
        let (start, len) = (message.as_ptr(), message.len() as u32);
        // SAFETY: the key is valid; it reads the message; the signature has the room said.
        unsafe { (key.lib.CRYPT_EAL_PkeySign)(key.get(), hash, start, len, to, room) }
    })
}

fn verify(key: &Key, hash: i32, message: &[u8], signature: &[u8]) -> bool {
    let (start, len) = (message.as_ptr(), message.len() as u32);
    let (given, given_len) = (signature.as_ptr(), signature.len() as u32);
    // SAFETY: the key is valid; it reads the slices.
    unsafe { (key.lib.CRYPT_EAL_PkeyVerify)(key.get(), hash, start, len, given, given_len) == 0 }
}

/// What has a length of its own, which is at most the room that was made for it.
struct Short(Vec<u8>);

impl Short {
    #[inline]
    fn fill(call: &str, fill: impl FnOnce(*mut u8, &mut u32) -> i32) -> Result<Self, String> {
        let mut bytes = Vec::with_capacity(ROOM);
        let mut len = ROOM as u32;
        ok(call, fill(bytes.as_mut_ptr(), &mut len))?;
        // SAFETY: the library filled so many, which are no more than there is room for.
        unsafe { bytes.set_len((len as usize).min(ROOM)) };
        Ok(Short(bytes))
    }
}

impl AsRef<[u8]> for Short {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fn signatures(engine: &mut Engine, lib: Hitls, name: &str, algorithm: Algorithm, hash: i32) {
    if !algorithm.exists(lib) {
        return;
    }
    keygen(engine, lib, name, algorithm);
    signing(engine, lib, name, "", algorithm, hash, |_| Ok(()));
}

/// `sign`, `verify` and, without a variant, `verify-encoded`; `ready` chooses the padding.
fn signing(
    engine: &mut Engine,
    lib: Hitls,
    name: &str,
    variant: &str,
    algorithm: Algorithm,
    hash: i32,
    ready: fn(&Key) -> Result<(), String>,
) {
    let public = move |bytes: &[u8]| {
        let key = algorithm.public(lib, bytes)?;
        ready(&key)?;
        Ok(key)
    };
    family::sign(
        engine,
        &format!("{name}/sign{variant}"),
        move |bytes| {
            let key = algorithm.private(lib, bytes)?;
            ready(&key)?;
            Ok(key)
        },
        move |key, message| sign(key, hash, message),
        |signature| signature.0.clone(),
    );
    family::verify(
        engine,
        &format!("{name}/verify{variant}"),
        public,
        |signature| Ok(signature.to_vec()),
        move |key, message, signature| verify(key, hash, message, signature),
    );
    if variant.is_empty() {
        family::verify_encoded(engine, name, move |key, message, signature| {
            Ok(verify(&public(key)?, hash, message, signature))
        });
    }
}

fn agreement(engine: &mut Engine, lib: Hitls, name: &str, algorithm: Algorithm) {
    if !algorithm.exists(lib) {
        return;
    }
    keygen(engine, lib, name, algorithm);
    family::derive(
        engine,
        name,
        move |bytes| algorithm.private(lib, bytes),
        move |bytes| algorithm.public(lib, bytes),
        |key, peer| {
            Short::fill("CRYPT_EAL_PkeyComputeShareKey", |to, room| {
                // SAFETY: the keys are valid; the secret has the room said.
                unsafe { (key.lib.CRYPT_EAL_PkeyComputeShareKey)(key.get(), peer.get(), to, room) }
            })
        },
    );
}

fn encryption(
    engine: &mut Engine,
    lib: Hitls,
    [encrypt, decrypt]: [&str; 2],
    algorithm: Algorithm,
    ready: fn(&Key) -> Result<(), String>,
) {
    if !algorithm.exists(lib) {
        return;
    }
    family::encrypt_message(
        engine,
        encrypt,
        move |bytes| {
            let key = algorithm.public(lib, bytes)?;
            ready(&key)?;
            Ok(key)
        },
        |key, message| {
            let out = Short::fill("CRYPT_EAL_PkeyEncrypt", |to, room| {
                let (start, len) = (message.as_ptr(), message.len() as u32);
                // SAFETY: the key is valid; it reads the message; the output has the room said.
                unsafe { (key.lib.CRYPT_EAL_PkeyEncrypt)(key.get(), start, len, to, room) }
            });
            Ok(out?.0)
        },
    );
    family::decrypt_message(
        engine,
        decrypt,
        move |bytes| {
            let key = algorithm.private(lib, bytes)?;
            ready(&key)?;
            Ok(key)
        },
        |key, ciphertext| {
            let out = Short::fill("CRYPT_EAL_PkeyDecrypt", |to, room| {
                let (start, len) = (ciphertext.as_ptr(), ciphertext.len() as u32);
                // SAFETY: the key is valid; it reads the ciphertext; the output has the room said.
                unsafe { (key.lib.CRYPT_EAL_PkeyDecrypt)(key.get(), start, len, to, room) }
            });
            Ok(out?.0)
        },
    );
}

fn encapsulation(engine: &mut Engine, lib: Hitls, name: &str, algorithm: Algorithm) {
    if !algorithm.exists(lib) {
        return;
    }
    keygen(engine, lib, name, algorithm);
    family::encapsulate(
        engine,
        name,
        move |bytes| algorithm.public(lib, bytes),
        |key| {
            let (mut secret, mut secret_len) = ([0; 32], 32);
            let ciphertext = Short::fill("CRYPT_EAL_PkeyEncaps", |to, room| {
                let secret = secret.as_mut_ptr();
                // SAFETY: the key is valid; both places have the room said.
                unsafe {
                    (key.lib.CRYPT_EAL_PkeyEncaps)(key.get(), to, room, secret, &mut secret_len)
                }
            })?;
            Ok((ciphertext, secret))
        },
        |(ciphertext, secret)| (ciphertext.0.clone(), secret.to_vec()),
    );
    family::decapsulate(
        engine,
        name,
        move |bytes| algorithm.private(lib, bytes),
        |ciphertext| Ok(ciphertext.to_vec()),
        |key, ciphertext| {
            let (start, len) = (ciphertext.as_ptr(), ciphertext.len() as u32);
            let (mut secret, mut room) = ([0_u8; 32], 32);
            // SAFETY: the key is valid; it reads the ciphertext; the secret has the room said.
            ok("CRYPT_EAL_PkeyDecaps", unsafe {
                let to = secret.as_mut_ptr();
                (key.lib.CRYPT_EAL_PkeyDecaps)(key.get(), start, len, to, &mut room)
            })?;
            Ok(secret)
        },
    );
}

fn rsa(engine: &mut Engine, lib: Hitls) {
    for bits in [2048, 3072, 4096] {
        let (name, rsa) = (format!("rsa-{bits}"), algorithm(RSA, bits, Form::Rsa));
        if !rsa.exists(lib) {
            return;
        }
        keygen(engine, lib, &name, rsa);
        signing(engine, lib, &name, "-pkcs1", rsa, SHA256, |key| {
            let mut hash = SHA256;
            key.control(SET_PKCS1, (&raw mut hash).cast(), 4)
        });
        signing(engine, lib, &name, "-pss", rsa, SHA256, |key| {
            let params = [
                Param::signed(RSA_HASH, &SHA256),
                Param::signed(RSA_MASK_HASH, &SHA256),
                Param::signed(RSA_SALT_LEN, &32),
                Param::END,
            ];
            key.control(SET_PSS, ptr::from_ref(&params).cast_mut().cast(), 0)
        });
        let names = ["encrypt", "decrypt"].map(|way| format!("{name}/{way}-oaep"));
        encryption(engine, lib, [&names[0], &names[1]], rsa, |key| {
            let params = [
                Param::signed(RSA_HASH, &SHA256),
                Param::signed(RSA_MASK_HASH, &SHA256),
                Param::END,
            ];
            key.control(SET_OAEP, ptr::from_ref(&params).cast_mut().cast(), 0)
        });
    }
}
