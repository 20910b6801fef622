//! ML-KEM and ML-DSA, which AWS-LC has behind `EVP_PKEY`.

use std::ptr;

use adamant_engine::serve::Engine;

use crate::ffi;
use crate::op::{Owned, failure, field, item, ok, op, valid};

type Pkey = Owned<ffi::EVP_PKEY>;
type Raw = unsafe extern "C" fn(i32, *const u8, usize) -> *mut ffi::EVP_PKEY;

const KEMS: [(&str, i32); 3] = [
    ("ml-kem-512", ffi::NID_MLKEM512),
    ("ml-kem-768", ffi::NID_MLKEM768),
    ("ml-kem-1024", ffi::NID_MLKEM1024),
];

const SIGNATURES: [(&str, i32); 3] = [
    ("ml-dsa-44", ffi::NID_MLDSA44),
    ("ml-dsa-65", ffi::NID_MLDSA65),
    ("ml-dsa-87", ffi::NID_MLDSA87),
];

/// Of ML-KEM-1024.
const MAX_CIPHERTEXT: usize = 1568;
/// Of ML-DSA-87.
const MAX_SIGNATURE: usize = 4627;

pub(crate) fn register(engine: &mut Engine) {
    for (name, nid) in KEMS {
        let kem = ffi::EVP_PKEY_KEM;
        keygen(engine, name, kem, ffi::EVP_PKEY_CTX_kem_set_params, nid);
        encapsulation(engine, name, nid);
    }
    for (name, nid) in SIGNATURES {
        let dsa = ffi::EVP_PKEY_PQDSA;
        keygen(engine, name, dsa, ffi::EVP_PKEY_CTX_pqdsa_set_params, nid);
        signatures(engine, name, nid);
    }
}

fn key(new: Raw, nid: i32, bytes: &[u8]) -> Result<Pkey, String> {
    // SAFETY: it reads the slice.
    let key = unsafe { new(nid, bytes.as_ptr(), bytes.len()) };
    Owned::new(key, ffi::EVP_PKEY_free, "EVP_PKEY_*_new_raw_*_key")
}

fn ctx_of(key: &Pkey) -> Result<Owned<ffi::EVP_PKEY_CTX>, String> {
    // SAFETY: the key is valid; the context counts a reference to it.
    let ctx = unsafe { ffi::EVP_PKEY_CTX_new(key.get(), ptr::null_mut()) };
    Owned::new(ctx, ffi::EVP_PKEY_CTX_free, "EVP_PKEY_CTX_new")
}

/// Bytes of a key, by the function that gives them.
fn bytes(
    key: &Pkey,
    get: unsafe extern "C" fn(*const ffi::EVP_PKEY, *mut u8, *mut usize) -> i32,
) -> Result<Vec<u8>, String> {
    let mut len = 0;
    // SAFETY: the key is valid; without a place to write to it gives the length.
    ok("EVP_PKEY_get_*", unsafe {
        get(key.get(), ptr::null_mut(), &mut len)
    })?;
    let mut bytes = vec![0; len];
    // SAFETY: the key is valid; there is room for the length that it gave.
    ok("EVP_PKEY_get_*", unsafe {
        get(key.get(), bytes.as_mut_ptr(), &mut len)
    })?;
    Ok(bytes)
}

fn keygen(
    engine: &mut Engine,
    name: &str,
    kind: i32,
    choose: unsafe extern "C" fn(*mut ffi::EVP_PKEY_CTX, i32) -> i32,
    nid: i32,
) {
    engine.single(&format!("{name}/keygen"), move |_, _| {
        // SAFETY: it takes any number.
        let ctx = unsafe { ffi::EVP_PKEY_CTX_new_id(kind, ptr::null_mut()) };
        let ctx = Owned::new(ctx, ffi::EVP_PKEY_CTX_free, "EVP_PKEY_CTX_new_id")?;
        // SAFETY: the context is valid.
        let ready =
            unsafe { ffi::EVP_PKEY_keygen_init(ctx.get()) == 1 && choose(ctx.get(), nid) == 1 };
        ok("EVP_PKEY_CTX_*_set_params", i32::from(ready))?;
        op(
            (ctx, None),
            |(ctx, key)| {
                let mut made = ptr::null_mut();
                // SAFETY: the context is ready; null asks for a new key.
                ok("EVP_PKEY_keygen", unsafe {
                    ffi::EVP_PKEY_keygen(ctx.get(), &mut made)
                })?;
                *key = Some(Owned::new(made, ffi::EVP_PKEY_free, "EVP_PKEY_keygen")?);
                Ok(())
            },
            |(_, key)| {
                let key = key.as_ref().ok_or("no key was made")?;
                item([
                    (
                        "private_key",
                        &bytes(key, ffi::EVP_PKEY_get_raw_private_key)?,
                    ),
                    ("public_key", &bytes(key, ffi::EVP_PKEY_get_raw_public_key)?),
                    ("seed", &bytes(key, ffi::EVP_PKEY_get_private_seed)?),
                ])
            },
        )
    });
}

fn encapsulation(engine: &mut Engine, name: &str, nid: i32) {
    struct Encapsulated {
        ciphertext: [u8; MAX_CIPHERTEXT],
        secret: [u8; 32],
        lens: [usize; 2],
    }
    fn encapsulate(ctx: &Owned<ffi::EVP_PKEY_CTX>, out: &mut Encapsulated) -> Result<(), String> {
        out.lens = [MAX_CIPHERTEXT, 32];
        let [len, secret_len] = &mut out.lens;
        let (ciphertext, secret) = (out.ciphertext.as_mut_ptr(), out.secret.as_mut_ptr());
        // SAFETY: the context has a key; both places have the stated room.
        let result =
            unsafe { ffi::EVP_PKEY_encapsulate(ctx.get(), ciphertext, len, secret, secret_len) };
        ok("EVP_PKEY_encapsulate", result)
    }
    let empty = || Encapsulated {
        ciphertext: [0; MAX_CIPHERTEXT],
        secret: [0; 32],
        lens: [0; 2],
    };
    let tell = |out: &mut Encapsulated| {
        item([
            ("ciphertext", &out.ciphertext[..out.lens[0]]),
            ("shared_secret", &out.secret[..out.lens[1]]),
        ])
    };
    let public: Raw = ffi::EVP_PKEY_kem_new_raw_public_key;
    engine.single(&format!("{name}/encapsulate"), move |_, input| {
        let key = key(public, nid, &field(input, "public_key")?)?;
        op(
            (ctx_of(&key)?, empty()),
            |(ctx, out)| encapsulate(ctx, out),
            move |(_, out)| tell(out),
        )
    });
    engine.single(&format!("{name}/encapsulate-encoded"), move |_, input| {
        op(
            (field(input, "public_key")?, empty()),
            move |(bytes, out)| encapsulate(&ctx_of(&key(public, nid, bytes)?)?, out),
            move |(_, out)| tell(out),
        )
    });
    fn decapsulate(
        ctx: &Owned<ffi::EVP_PKEY_CTX>,
        ciphertext: &[u8],
        secret: &mut [u8; 32],
    ) -> Result<(), String> {
        let (start, len) = (ciphertext.as_ptr(), ciphertext.len());
        let (to, mut room) = (secret.as_mut_ptr(), secret.len());
        // SAFETY: the context has a key; the secret has the stated room.
        let result = unsafe { ffi::EVP_PKEY_decapsulate(ctx.get(), to, &mut room, start, len) };
        ok("EVP_PKEY_decapsulate", result)
    }
    let private: Raw = ffi::EVP_PKEY_kem_new_raw_secret_key;
    engine.single(&format!("{name}/decapsulate"), move |_, input| {
        let key = key(private, nid, &field(input, "private_key")?)?;
        op(
            (ctx_of(&key)?, field(input, "ciphertext")?, [0; 32]),
            |(ctx, ciphertext, secret)| decapsulate(ctx, ciphertext, secret),
            |(_, _, secret)| item([("shared_secret", secret)]),
        )
    });
    engine.single(&format!("{name}/decapsulate-encoded"), move |_, input| {
        let bytes = field(input, "private_key")?;
        op(
            (bytes, field(input, "ciphertext")?, [0; 32]),
            move |(bytes, ciphertext, secret)| {
                decapsulate(&ctx_of(&key(private, nid, bytes)?)?, ciphertext, secret)
            },
            |(_, _, secret)| item([("shared_secret", secret)]),
        )
    });
}

type MdCtx = Owned<ffi::EVP_MD_CTX>;
type Init = unsafe extern "C" fn(
    *mut ffi::EVP_MD_CTX,
    *mut *mut ffi::EVP_PKEY_CTX,
    *const ffi::EVP_MD,
    *mut ffi::ENGINE,
    *mut ffi::EVP_PKEY,
) -> i32;

/// A context that signs or verifies whole messages.
fn message_ctx(key: &Pkey, init: Init) -> Result<MdCtx, String> {
    // SAFETY: it takes nothing.
    let ctx = unsafe { ffi::EVP_MD_CTX_new() };
    let ctx = Owned::new(ctx, ffi::EVP_MD_CTX_free, "EVP_MD_CTX_new")?;
    // SAFETY: context and key are valid; these schemes hash by themselves.
    let result = unsafe {
        init(
            ctx.get(),
            ptr::null_mut(),
            ptr::null(),
            ptr::null_mut(),
            key.get(),
        )
    };
    ok("EVP_Digest*Init", result)?;
    Ok(ctx)
}

fn verify(ctx: &MdCtx, message: &[u8], signature: &[u8]) -> bool {
    let (start, len) = (message.as_ptr(), message.len());
    let (given, given_len) = (signature.as_ptr(), signature.len());
    // SAFETY: the context is ready; it reads the slices.
    let result = unsafe { ffi::EVP_DigestVerify(ctx.get(), given, given_len, start, len) };
    if result != 1 {
        failure("EVP_DigestVerify");
    }
    result == 1
}

fn signatures(engine: &mut Engine, name: &str, nid: i32) {
    let public: Raw = ffi::EVP_PKEY_pqdsa_new_raw_public_key;
    engine.single(&format!("{name}/sign"), move |_, input| {
        let private = field(input, "private_key")?;
        let key = key(ffi::EVP_PKEY_pqdsa_new_raw_private_key, nid, &private)?;
        let ctx = message_ctx(&key, ffi::EVP_DigestSignInit)?;
        op(
            (ctx, field(input, "message")?, vec![0; MAX_SIGNATURE], 0),
            |(ctx, message, signature, written)| {
                *written = signature.len();
                let (start, len) = (message.as_ptr(), message.len());
                let to = signature.as_mut_ptr();
                // SAFETY: the context is ready; the signature has the stated room.
                let result = unsafe { ffi::EVP_DigestSign(ctx.get(), to, written, start, len) };
                ok("EVP_DigestSign", result)
            },
            |(_, _, signature, written)| item([("signature", &signature[..*written])]),
        )
    });
    engine.single(&format!("{name}/verify"), move |_, input| {
        let key = key(public, nid, &field(input, "public_key")?)?;
        let ctx = message_ctx(&key, ffi::EVP_DigestVerifyInit)?;
        op(
            (
                ctx,
                field(input, "message")?,
                field(input, "signature")?,
                false,
            ),
            |(ctx, message, signature, valid)| {
                *valid = verify(ctx, message, signature);
                Ok(())
            },
            |(_, _, _, v)| valid(*v),
        )
    });
    engine.single(&format!("{name}/verify-encoded"), move |_, input| {
        let public_key = field(input, "public_key")?;
        let inputs = [
            public_key,
            field(input, "message")?,
            field(input, "signature")?,
        ];
        op(
            (inputs, false),
            move |([public_key, message, signature], valid)| {
                let key = key(public, nid, public_key)?;
                let ctx = message_ctx(&key, ffi::EVP_DigestVerifyInit)?;
                *valid = verify(&ctx, message, signature);
                Ok(())
            },
            |(_, v)| valid(*v),
        )
    });
}
