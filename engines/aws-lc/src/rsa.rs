//! RSA with PKCS#1 v1.5, PSS and OAEP.

use std::ptr;

use adamant_engine::Item;
use adamant_engine::serve::Engine;

use crate::ffi;
use crate::hashes::{Digest, MAX_DIGEST, named};
use crate::op::{Owned, failure, field, item, ok, op, valid};

/// Of 8192 bits.
const MAX_MODULUS: usize = 1024;
const SALT_LEN: i32 = 32;
const SHA256: i32 = 672;

type Key = Owned<ffi::RSA>;

fn private(input: &Item) -> Result<Key, String> {
    let der = field(input, "private_key")?;
    // SAFETY: it reads the slice.
    let key = unsafe { ffi::RSA_private_key_from_bytes(der.as_ptr(), der.len()) };
    Owned::new(key, ffi::RSA_free, "RSA_private_key_from_bytes")
}

fn public(input: &Item) -> Result<Key, String> {
    let der = field(input, "public_key")?;
    // SAFETY: it reads the slice.
    let key = unsafe { ffi::RSA_public_key_from_bytes(der.as_ptr(), der.len()) };
    Owned::new(key, ffi::RSA_free, "RSA_public_key_from_bytes")
}

/// The DER of a key, by the function that makes it.
fn encode(
    key: &Key,
    encode: unsafe extern "C" fn(*mut *mut u8, *mut usize, *const ffi::RSA) -> i32,
) -> Result<Vec<u8>, String> {
    let (mut start, mut len) = (ptr::null_mut(), 0);
    // SAFETY: the key is valid; what it allocates is read and freed.
    unsafe {
        ok(
            "RSA_*_key_to_bytes",
            encode(&mut start, &mut len, key.get()),
        )?;
        let der = std::slice::from_raw_parts(start, len).to_vec();
        ffi::OPENSSL_free(start.cast());
        Ok(der)
    }
}

struct Signing {
    key: Key,
    digest: Digest,
    message: Vec<u8>,
    signature: Vec<u8>,
    len: usize,
    valid: bool,
}

impl Signing {
    fn new(key: Key, input: &Item, signature: Vec<u8>) -> Result<Self, String> {
        Ok(Signing {
            key,
            digest: Digest::new("sha256")?,
            message: field(input, "message")?,
            signature,
            len: 0,
            valid: false,
        })
    }

    #[inline]
    fn digest(&mut self) -> Result<[u8; 32], String> {
        let mut digest = [0; MAX_DIGEST];
        self.digest.digest(&self.message, &mut digest)?;
        let first = digest.first_chunk().copied();
        first.ok_or_else(|| "SHA-256 is too short".into())
    }
}

fn sign_pkcs1(s: &mut Signing) -> Result<(), String> {
    let (digest, mut len) = (s.digest()?, 0);
    let (from, to) = (digest.as_ptr(), s.signature.as_mut_ptr());
    // SAFETY: the key is valid; there is room for the longest signature.
    let result = unsafe { ffi::RSA_sign(SHA256, from, 32, to, &mut len, s.key.get()) };
    s.len = len as usize;
    ok("RSA_sign", result)
}

fn sign_pss(s: &mut Signing) -> Result<(), String> {
    let (digest, md) = (s.digest()?, named("sha256")?);
    let (from, to, room) = (digest.as_ptr(), s.signature.as_mut_ptr(), s.signature.len());
    let (key, len) = (s.key.get(), &mut s.len);
    // SAFETY: the key is valid; the signature has the stated room.
    let result = unsafe { ffi::RSA_sign_pss_mgf1(key, len, to, room, from, 32, md, md, SALT_LEN) };
    ok("RSA_sign_pss_mgf1", result)
}

fn verify_pkcs1(s: &mut Signing) -> Result<(), String> {
    let digest = s.digest()?;
    let (from, signature, len) = (digest.as_ptr(), s.signature.as_ptr(), s.signature.len());
    // SAFETY: the key is valid; it reads the slices.
    let result = unsafe { ffi::RSA_verify(SHA256, from, 32, signature, len, s.key.get()) };
    s.judge(result)
}

fn verify_pss(s: &mut Signing) -> Result<(), String> {
    let (digest, md) = (s.digest()?, named("sha256")?);
    let (from, signature, len) = (digest.as_ptr(), s.signature.as_ptr(), s.signature.len());
    let key = s.key.get();
    // SAFETY: the key is valid; it reads the slices.
    let result =
        unsafe { ffi::RSA_verify_pss_mgf1(key, from, 32, md, md, SALT_LEN, signature, len) };
    s.judge(result)
}

impl Signing {
    #[inline]
    fn judge(&mut self, result: i32) -> Result<(), String> {
        self.valid = result == 1;
        if !self.valid {
            failure("RSA_verify");
        }
        Ok(())
    }
}

pub(crate) fn register(engine: &mut Engine) {
    type Run = fn(&mut Signing) -> Result<(), String>;
    const PADDINGS: [(&str, Run, Run); 2] = [
        ("pkcs1", sign_pkcs1, verify_pkcs1),
        ("pss", sign_pss, verify_pss),
    ];
    for bits in [2048, 3072, 4096] {
        let name = format!("rsa-{bits}");
        engine.single(&format!("{name}/keygen"), move |_, _| {
            // 65537.
            let exponent = crate::curves::Number::from_bytes(&[1, 0, 1])?;
            op(
                (exponent, None),
                move |(exponent, key)| {
                    // SAFETY: it takes nothing.
                    let made = Owned::new(unsafe { ffi::RSA_new() }, ffi::RSA_free, "RSA_new")?;
                    let none = ptr::null_mut();
                    // SAFETY: key and exponent are valid.
                    let result =
                        unsafe { ffi::RSA_generate_key_ex(made.get(), bits, exponent.get(), none) };
                    *key = Some(made);
                    ok("RSA_generate_key_ex", result)
                },
                |(_, key)| {
                    let key = key.as_ref().ok_or("no key was made")?;
                    let private = encode(key, ffi::RSA_private_key_to_bytes)?;
                    let public = encode(key, ffi::RSA_public_key_to_bytes)?;
                    item([("private_key", &private), ("public_key", &public)])
                },
            )
        });
        for (padding, sign, verify) in PADDINGS {
            engine.single(&format!("{name}/sign-{padding}"), move |_, input| {
                let room = vec![0; MAX_MODULUS];
                op(Signing::new(private(input)?, input, room)?, sign, |s| {
                    item([("signature", &s.signature[..s.len])])
                })
            });
            engine.single(&format!("{name}/verify-{padding}"), move |_, input| {
                let signature = field(input, "signature")?;
                op(
                    Signing::new(public(input)?, input, signature)?,
                    verify,
                    |s| valid(s.valid),
                )
            });
        }
        oaep(engine, &name);
    }
}

/// With SHA-256 in both places, which only the contexts of `EVP_PKEY` can.
fn oaep(engine: &mut Engine, name: &str) {
    type Ctx = ffi::EVP_PKEY_CTX;
    type Init = unsafe extern "C" fn(*mut Ctx) -> i32;
    type Run = unsafe extern "C" fn(*mut Ctx, *mut u8, *mut usize, *const u8, usize) -> i32;
    type Load = fn(&Item) -> Result<Key, String>;
    const WAYS: [(&str, Load, Init, Run, &str, &str); 2] = [
        (
            "encrypt-oaep",
            public,
            ffi::EVP_PKEY_encrypt_init,
            ffi::EVP_PKEY_encrypt,
            "message",
            "ciphertext",
        ),
        (
            "decrypt-oaep",
            private,
            ffi::EVP_PKEY_decrypt_init,
            ffi::EVP_PKEY_decrypt,
            "ciphertext",
            "message",
        ),
    ];
    for (way, load, init, run, from, to) in WAYS {
        engine.single(&format!("{name}/{way}"), move |_, input| {
            let (key, md) = (load(input)?, named("sha256")?);
            // SAFETY: it takes nothing.
            let pkey = unsafe { ffi::EVP_PKEY_new() };
            let pkey = Owned::new(pkey, ffi::EVP_PKEY_free, "EVP_PKEY_new")?;
            // SAFETY: both are valid; the context counts references to what it holds.
            let ctx = unsafe {
                ok(
                    "EVP_PKEY_set1_RSA",
                    ffi::EVP_PKEY_set1_RSA(pkey.get(), key.get()),
                )?;
                ffi::EVP_PKEY_CTX_new(pkey.get(), ptr::null_mut())
            };
            let ctx = Owned::new(ctx, ffi::EVP_PKEY_CTX_free, "EVP_PKEY_CTX_new")?;
            let padding = ffi::RSA_PKCS1_OAEP_PADDING;
            // SAFETY: the context and the digest are valid.
            let ready = unsafe {
                init(ctx.get()) == 1
                    && ffi::EVP_PKEY_CTX_set_rsa_padding(ctx.get(), padding) == 1
                    && ffi::EVP_PKEY_CTX_set_rsa_oaep_md(ctx.get(), md) == 1
                    && ffi::EVP_PKEY_CTX_set_rsa_mgf1_md(ctx.get(), md) == 1
            };
            ok("EVP_PKEY_CTX_set_rsa_*", i32::from(ready))?;
            op(
                (ctx, field(input, from)?, vec![0; MAX_MODULUS], 0),
                move |(ctx, data, out, len)| {
                    *len = out.len();
                    let (start, room) = (data.as_ptr(), data.len());
                    // SAFETY: the context is ready; the output has the stated room.
                    let result = unsafe { run(ctx.get(), out.as_mut_ptr(), len, start, room) };
                    ok("EVP_PKEY_*crypt", result)
                },
                move |(_, _, out, len)| item([(to, &out[..*len])]),
            )
        });
    }
}
