//! Digests, message authentication codes, ciphers, authenticated encryption, key derivation.

use std::ffi::c_void;
use std::ptr;

use adamant_engine::family;
use adamant_engine::op::{self, field, item};
use adamant_engine::serve::Engine;

use crate::ffi::{Hitls, Owned, Param, ok};

const SET_AAD: i32 = 4;
const GET_TAG: i32 = 5;
const SET_TAG_LEN: i32 = 6;
const SET_MESSAGE_LEN: i32 = 7;
const TAG_LEN: usize = 16;
const MAX_DIGEST: usize = 64;

/// The names, the numbers of digest and HMAC (0 if there is none), the bytes of the digest.
const DIGESTS: [(&str, i32, i32, usize); 14] = [
    ("md5", 40, 46, 16),
    ("sha1", 41, 47, 20),
    ("sha224", 42, 48, 28),
    ("sha256", 43, 49, 32),
    ("sha384", 44, 50, 48),
    ("sha512", 45, 51, 64),
    ("sha3-224", 2009, 2000, 28),
    ("sha3-256", 2010, 2001, 32),
    ("sha3-384", 2011, 2002, 48),
    ("sha3-512", 2012, 2003, 64),
    ("shake128", 2013, 0, 32),
    ("shake256", 2014, 0, 64),
    ("blake2s-256", 2059, 0, 32),
    ("sm3", 290, 291, 32),
];

const MACS: [(&str, i32); 5] = [
    ("cmac-aes-128", 2016),
    ("cmac-aes-192", 2017),
    ("cmac-aes-256", 2018),
    ("cmac-sm4", 347),
    ("siphash-2-4", 2076),
];

/// The names, the numbers, the bytes of the nonce. SM4 in XTS mode is left out: the library has that of
/// GB/T 17964, another function than IEEE 1619's.
const CIPHERS: [(&str, i32, usize); 22] = [
    ("aes-128-ecb", 18, 0),
    ("aes-192-ecb", 22, 0),
    ("aes-256-ecb", 26, 0),
    ("aes-128-cbc", 19, 16),
    ("aes-192-cbc", 23, 16),
    ("aes-256-cbc", 27, 16),
    ("aes-128-ctr", 302, 16),
    ("aes-192-ctr", 303, 16),
    ("aes-256-ctr", 304, 16),
    ("aes-128-cfb", 21, 16),
    ("aes-192-cfb", 25, 16),
    ("aes-256-cfb", 29, 16),
    ("aes-128-ofb", 20, 16),
    ("aes-192-ofb", 24, 16),
    ("aes-256-ofb", 28, 16),
    ("aes-128-xts", 2022, 16),
    ("aes-256-xts", 2023, 16),
    ("sm4-ecb", 343, 0),
    ("sm4-cbc", 344, 16),
    ("sm4-ctr", 2032, 16),
    ("sm4-cfb", 2034, 16),
    ("sm4-ofb", 2035, 16),
];

/// What has to be told before a message.
#[derive(Clone, Copy)]
enum Told {
    Nothing,
    TagLen,
    /// And the message's.
    BothLens,
}

const AEADS: [(&str, i32, Told); 9] = [
    ("aes-128-gcm", 299, Told::TagLen),
    ("aes-192-gcm", 300, Told::TagLen),
    ("aes-256-gcm", 301, Told::TagLen),
    ("aes-128-ccm", 311, Told::BothLens),
    ("aes-192-ccm", 312, Told::BothLens),
    ("aes-256-ccm", 313, Told::BothLens),
    ("chacha20-poly1305", 2030, Told::Nothing),
    ("sm4-gcm", 2033, Told::TagLen),
    ("sm4-ccm", 5304, Told::BothLens),
];

const SCRYPT: i32 = 338;
const PBKDF2: i32 = 121;
const TLS12: i32 = 2036;
const HKDF: i32 = 2037;

/// Parameters of key derivation.
mod kdf {
    pub(super) const PASSWORD: i32 = 101;
    pub(super) const MAC: i32 = 102;
    pub(super) const SALT: i32 = 103;
    pub(super) const ITERATIONS: i32 = 104;
    pub(super) const MODE: i32 = 105;
    pub(super) const KEY: i32 = 106;
    pub(super) const INFO: i32 = 108;
    pub(super) const LABEL: i32 = 111;
    pub(super) const SEED: i32 = 112;
    pub(super) const N: i32 = 113;
    pub(super) const P: i32 = 114;
    pub(super) const R: i32 = 115;
}

pub(crate) fn register(engine: &mut Engine, lib: Hitls) {
    for (name, digest, hmac, len) in DIGESTS {
        digests(engine, lib, name, digest, len);
        if hmac != 0 {
            macs(engine, lib, &format!("hmac-{name}"), hmac);
            key_derivation(engine, lib, name, hmac);
        }
    }
    for (name, id) in MACS {
        macs(engine, lib, name, id);
    }
    for (name, id, iv_len) in CIPHERS {
        if Cipher::exists(lib, id) {
            family::encrypt(
                engine,
                name,
                move |key| Cipher::new(lib, id, key, iv_len, true),
                |cipher, iv, data, out| cipher.run(iv, data, out),
            );
            family::decrypt(
                engine,
                name,
                move |key| Cipher::new(lib, id, key, iv_len, false),
                |cipher, iv, data, out| cipher.run(iv, data, out),
            );
        }
    }
    for (name, id, told) in AEADS {
        if !Cipher::exists(lib, id) {
            continue;
        }
        family::seal(
            engine,
            name,
            move |key| Cipher::new(lib, id, key, 12, true),
            move |cipher, nonced, data, out| {
                cipher.authenticated(&nonced.nonce, &nonced.aad, data, out, told)
            },
        );
        family::open(
            engine,
            name,
            move |key| Cipher::new(lib, id, key, 12, false),
            move |cipher, nonced, data, tag, out| {
                let own = cipher.authenticated(&nonced.nonce, &nonced.aad, data, out, told)?;
                if own == *tag {
                    Ok(())
                } else {
                    Err("the tag is another".into())
                }
            },
        );
    }
    scrypt(engine, lib);
}

fn digests(engine: &mut Engine, lib: Hitls, name: &str, id: i32, len: usize) {
    // SAFETY: it takes any number.
    let ctx = move || {
        let ctx = unsafe { (lib.CRYPT_EAL_MdNewCtx)(id) };
        Owned::new(ctx, lib.CRYPT_EAL_MdFreeCtx, "such digest")
    };
    if ctx().is_err() {
        return;
    }
    engine.single(&format!("{name}/digest"), move |_, input| {
        let (ctx, message) = (ctx()?, field(input, "message")?);
        Ok(op::filling(
            [0; MAX_DIGEST],
            move |digest: &mut [u8; MAX_DIGEST]| {
                let (start, size, mut room) = (message.as_ptr(), message.len(), len as u32);
                // SAFETY: the context is valid; it reads the message; the digest has room.
                let done = unsafe {
                    (lib.CRYPT_EAL_MdInit)(ctx.get())
                        | (lib.CRYPT_EAL_MdUpdate)(ctx.get(), start, size as u32)
                        | (lib.CRYPT_EAL_MdFinal)(ctx.get(), digest.as_mut_ptr(), &mut room)
                };
                ok("CRYPT_EAL_Md*", done)
            },
            move |digest| item([("digest", &digest[..len])]),
        ))
    });
}

fn macs(engine: &mut Engine, lib: Hitls, name: &str, id: i32) {
    // SAFETY: it takes any number.
    let ctx = move || {
        let ctx = unsafe { (lib.CRYPT_EAL_MacNewCtx)(id) };
        Owned::new(ctx, lib.CRYPT_EAL_MacFreeCtx, "such MAC")
    };
    if ctx().is_err() {
        return;
    }
    engine.single(&format!("{name}/mac"), move |_, input| {
        let (ctx, message) = (ctx()?, field(input, "message")?);
        let key = field(input, "key")?;
        // SAFETY: the context is valid; it reads the key.
        ok("CRYPT_EAL_MacInit", unsafe {
            (lib.CRYPT_EAL_MacInit)(ctx.get(), key.as_ptr(), key.len() as u32)
        })?;
        Ok(op::filling(
            ([0; MAX_DIGEST], 0),
            move |(tag, len): &mut ([u8; MAX_DIGEST], u32)| {
                let (start, size) = (message.as_ptr(), message.len());
                *len = MAX_DIGEST as u32;
                // SAFETY: the context has its key; it reads the message; the tag has room.
                let done = unsafe {
                    (lib.CRYPT_EAL_MacReinit)(ctx.get())
                        | (lib.CRYPT_EAL_MacUpdate)(ctx.get(), start, size as u32)
                        | (lib.CRYPT_EAL_MacFinal)(ctx.get(), tag.as_mut_ptr(), len)
                };
                ok("CRYPT_EAL_Mac*", done)
            },
            |(tag, len)| item([("tag", &tag[..*len as usize])]),
        ))
    });
}

/// A cipher with a scheduled key.
struct Cipher {
    lib: Hitls,
    ctx: Owned,
    iv_len: usize,
}

impl Cipher {
    fn exists(lib: Hitls, id: i32) -> bool {
        Self::ctx(lib, id).is_ok()
    }

    fn ctx(lib: Hitls, id: i32) -> Result<Owned, String> {
        // SAFETY: it takes any number.
        let ctx = unsafe { (lib.CRYPT_EAL_CipherNewCtx)(id) };
        Owned::new(ctx, lib.CRYPT_EAL_CipherFreeCtx, "such cipher")
    }

    fn new(lib: Hitls, id: i32, key: &[u8], iv_len: usize, encrypts: bool) -> Result<Self, String> {
        let (ctx, iv) = (Self::ctx(lib, id)?, [0_u8; 16]);
        let (start, len) = (key.as_ptr(), key.len() as u32);
        let none = if iv_len == 0 {
            ptr::null()
        } else {
            iv.as_ptr()
        };
        // SAFETY: the context is valid; it reads key and nonce. Without padding from the start.
        ok("CRYPT_EAL_CipherInit", unsafe {
            (lib.CRYPT_EAL_CipherInit)(ctx.get(), start, len, none, iv_len as u32, encrypts)
        })?;
        Ok(Cipher { lib, ctx, iv_len })
    }

    #[inline]
    fn start(&mut self, iv: &[u8]) -> Result<(), String> {
        if iv.len() != self.iv_len {
            return Err(format!("the nonce has to have {} bytes", self.iv_len));
        }
        let iv_start = if iv.is_empty() {
            ptr::null()
        } else {
            iv.as_ptr()
        };
        // SAFETY: the context has its key; it reads the nonce.
        ok("CRYPT_EAL_CipherReinit", unsafe {
            (self.lib.CRYPT_EAL_CipherReinit)(self.ctx.get(), iv_start, iv.len() as u32)
        })
    }

    #[inline]
    fn update(&mut self, data: &[u8], out: &mut [u8]) -> Result<usize, String> {
        let (start, len, mut written) = (data.as_ptr(), data.len() as u32, out.len() as u32);
        // SAFETY: the context has its key; it reads the data; the output has the room said.
        ok("CRYPT_EAL_CipherUpdate", unsafe {
            (self.lib.CRYPT_EAL_CipherUpdate)(
                self.ctx.get(),
                start,
                len,
                out.as_mut_ptr(),
                &mut written,
            )
        })?;
        Ok(written as usize)
    }

    #[inline]
    fn run(&mut self, iv: &[u8], data: &[u8], out: &mut [u8]) -> Result<(), String> {
        self.start(iv)?;
        let written = self.update(data, out)?;
        let rest = out.get_mut(written..).unwrap_or_default();
        let mut len = rest.len() as u32;
        // SAFETY: as above.
        ok("CRYPT_EAL_CipherFinal", unsafe {
            (self.lib.CRYPT_EAL_CipherFinal)(self.ctx.get(), rest.as_mut_ptr(), &mut len)
        })
    }

    fn control(&mut self, what: i32, data: *mut c_void, len: usize) -> Result<(), String> {
        // SAFETY: the context has its key; the data have the length said.
        ok("CRYPT_EAL_CipherCtrl", unsafe {
            (self.lib.CRYPT_EAL_CipherCtrl)(self.ctx.get(), what, data, len as u32)
        })
    }

    /// The tag.
    #[inline]
    fn authenticated(
        &mut self,
        nonce: &[u8],
        aad: &[u8],
        data: &[u8],
        out: &mut [u8],
        told: Told,
    ) -> Result<[u8; TAG_LEN], String> {
        self.start(nonce)?;
        if !matches!(told, Told::Nothing) {
            let mut len = TAG_LEN as u32;
            self.control(SET_TAG_LEN, (&raw mut len).cast(), 4)?;
        }
        if matches!(told, Told::BothLens) {
            let mut len = data.len() as u64;
            self.control(SET_MESSAGE_LEN, (&raw mut len).cast(), 8)?;
        }
        if !aad.is_empty() {
            self.control(SET_AAD, aad.as_ptr().cast_mut().cast(), aad.len())?;
        }
        if !data.is_empty() {
            self.update(data, out)?;
        }
        let mut tag = [0; TAG_LEN];
        self.control(GET_TAG, tag.as_mut_ptr().cast(), TAG_LEN)?;
        Ok(tag)
    }
}

/// A context of a key derivation.
fn kdf_ctx(lib: Hitls, id: i32) -> Result<Owned, String> {
    // SAFETY: it takes any number.
    let ctx = unsafe { (lib.CRYPT_EAL_KdfNewCtx)(id) };
    Owned::new(ctx, lib.CRYPT_EAL_KdfFreeCtx, "such key derivation")
}

#[inline]
fn derive(lib: Hitls, id: i32, params: &[Param], okm: &mut [u8]) -> Result<(), String> {
    let ctx = kdf_ctx(lib, id)?;
    // SAFETY: the context is valid; the parameters end with their mark; the output has the room said.
    let done = unsafe {
        (lib.CRYPT_EAL_KdfSetParam)(ctx.get(), params.as_ptr())
            | (lib.CRYPT_EAL_KdfDerive)(ctx.get(), okm.as_mut_ptr(), okm.len() as u32)
    };
    ok("CRYPT_EAL_Kdf*", done)
}

/// HKDF, PBKDF2 and the PRF of TLS 1.2.
fn key_derivation(engine: &mut Engine, lib: Hitls, name: &str, hmac: i32) {
    let hmac = hmac as u32;
    let hkdf = move |salt: &[u8], ikm: &[u8], info: &[u8], okm: &mut [u8]| {
        let params = [
            Param::unsigned(kdf::MAC, &hmac),
            Param::unsigned(kdf::MODE, &0),
            Param::octets(kdf::KEY, ikm),
            Param::octets(kdf::SALT, salt),
            Param::octets(kdf::INFO, info),
            Param::END,
        ];
        derive(lib, HKDF, &params, okm)
    };
    // It does not take every hash that HMAC does.
    if hkdf(&[0; 32], &[0; 32], &[0; 32], &mut [0; 32]).is_ok() {
        family::hkdf(engine, name, hkdf);
    }
    if kdf_ctx(lib, PBKDF2).is_ok() {
        family::pbkdf2(engine, name, move |password, salt, iterations, okm| {
            let params = [
                Param::unsigned(kdf::MAC, &hmac),
                Param::octets(kdf::PASSWORD, password),
                Param::octets(kdf::SALT, salt),
                Param::unsigned(kdf::ITERATIONS, &iterations),
                Param::END,
            ];
            derive(lib, PBKDF2, &params, okm)
        });
    }
    if ["sha256", "sha384", "sha512"].contains(&name) && kdf_ctx(lib, TLS12).is_ok() {
        engine.single(&format!("tls12-prf-{name}/derive"), move |bytes, input| {
            let secret = field(input, "secret")?;
            let (label, seed) = (field(input, "label")?, field(input, "seed")?);
            Ok(op::filling(
                vec![0; bytes],
                move |okm: &mut Vec<u8>| {
                    let params = [
                        Param::unsigned(kdf::MAC, &hmac),
                        Param::octets(kdf::KEY, &secret),
                        Param::octets(kdf::LABEL, &label),
                        Param::octets(kdf::SEED, &seed),
                        Param::END,
                    ];
                    derive(lib, TLS12, &params, okm)
                },
                |okm| item([("okm", okm)]),
            ))
        });
    }
}

fn scrypt(engine: &mut Engine, lib: Hitls) {
    if kdf_ctx(lib, SCRYPT).is_err() {
        return;
    }
    family::derive_key(
        engine,
        "scrypt",
        ["n", "r", "p"],
        move |password, salt, [n, r, p], okm| {
            let params = [
                Param::octets(kdf::PASSWORD, password),
                Param::octets(kdf::SALT, salt),
                Param::unsigned(kdf::N, &n),
                Param::unsigned(kdf::R, &r),
                Param::unsigned(kdf::P, &p),
                Param::END,
            ];
            derive(lib, SCRYPT, &params, okm)
        },
    );
}
