//! Digests, message authentication codes, key derivation.

use std::mem::MaybeUninit;
use std::ptr;

use adamant_engine::serve::Engine;

use crate::ffi;
use crate::offers::{BARE, CMACS, DIGESTS};
use crate::op::{Owned, exactly, failure, field, item, number, of_length, ok, op};

/// The longest digest.
pub(crate) const MAX_DIGEST: usize = 64;

pub(crate) type Evp = unsafe extern "C" fn() -> *const ffi::EVP_MD;

/// A way to digest.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// A function that does it at once, and the digest's length.
    Once(
        unsafe extern "C" fn(*const u8, usize, *mut u8) -> *mut u8,
        usize,
    ),
    /// The same without a result.
    Quietly(unsafe extern "C" fn(*const u8, usize, *mut u8), usize),
    /// A context that is used again.
    Context,
    /// The same with this many bytes of an extendable output.
    Squeezed(usize),
}

/// A digest by its name in our table.
pub(crate) fn named(name: &str) -> Result<*const ffi::EVP_MD, String> {
    let found = DIGESTS.iter().find(|(known, ..)| *known == name);
    let (_, evp, _) = found.ok_or_else(|| format!("no digest is called {name}"))?;
    // SAFETY: it takes nothing.
    Ok(unsafe { evp() })
}

/// A digest that is ready.
pub(crate) struct Digest {
    way: Way,
    md: *const ffi::EVP_MD,
    ctx: Owned<ffi::EVP_MD_CTX>,
}

impl Digest {
    pub(crate) fn new(name: &str) -> Result<Self, String> {
        let found = DIGESTS.iter().find(|(known, ..)| *known == name);
        let (_, evp, way) = found.ok_or_else(|| format!("no digest is called {name}"))?;
        // SAFETY: both take nothing.
        let (md, ctx) = unsafe { (evp(), ffi::EVP_MD_CTX_new()) };
        let ctx = Owned::new(ctx, ffi::EVP_MD_CTX_free, "EVP_MD_CTX_new")?;
        Ok(Digest { way: *way, md, ctx })
    }

    /// Gives the digest's length.
    #[inline]
    pub(crate) fn digest(
        &mut self,
        message: &[u8],
        out: &mut [u8; MAX_DIGEST],
    ) -> Result<usize, String> {
        let (start, len, to) = (message.as_ptr(), message.len(), out.as_mut_ptr());
        let ctx = self.ctx.get();
        // SAFETY: it reads the message and writes a digest, which has room.
        unsafe {
            match self.way {
                Way::Once(function, out_len) => {
                    function(start, len, to);
                    Ok(out_len)
                }
                Way::Quietly(function, out_len) => {
                    function(start, len, to);
                    Ok(out_len)
                }
                Way::Context => {
                    let mut out_len = 0;
                    let done = ffi::EVP_DigestInit_ex(ctx, self.md, ptr::null_mut()) == 1
                        && ffi::EVP_DigestUpdate(ctx, start.cast(), len) == 1
                        && ffi::EVP_DigestFinal_ex(ctx, to, &mut out_len) == 1;
                    ok("EVP_Digest*", i32::from(done))?;
                    Ok(out_len as usize)
                }
                Way::Squeezed(out_len) => {
                    let done = ffi::EVP_DigestInit_ex(ctx, self.md, ptr::null_mut()) == 1
                        && ffi::EVP_DigestUpdate(ctx, start.cast(), len) == 1
                        && ffi::EVP_DigestFinalXOF(ctx, to, out_len) == 1;
                    ok("EVP_Digest*", i32::from(done))?;
                    Ok(out_len)
                }
            }
        }
    }
}

pub(crate) fn register(engine: &mut Engine) {
    for &(name, ..) in DIGESTS {
        engine.single(&format!("{name}/digest"), move |_, input| {
            op(
                (
                    Digest::new(name)?,
                    field(input, "message")?,
                    [0; MAX_DIGEST],
                    0,
                ),
                |(digest, message, out, len)| {
                    *len = digest.digest(message, out)?;
                    Ok(())
                },
                |(_, _, out, len)| item([("digest", &out[..*len])]),
            )
        });
        if !BARE.contains(&name) {
            keyed(engine, name);
        }
    }
    macs(engine);
    engine.single("scrypt/derive", |bytes, input| {
        let secrets = [field(input, "password")?, field(input, "salt")?];
        let cost = [
            number(input, "n")?,
            number(input, "r")?,
            number(input, "p")?,
        ];
        op(
            (secrets, cost, vec![0; bytes]),
            |([password, salt], [n, r, p], okm)| {
                // SAFETY: it reads the slices and fills the last.
                let result = unsafe {
                    ffi::EVP_PBE_scrypt(
                        password.as_ptr().cast(),
                        password.len(),
                        salt.as_ptr(),
                        salt.len(),
                        *n,
                        *r,
                        *p,
                        1 << 32,
                        okm.as_mut_ptr(),
                        okm.len(),
                    )
                };
                ok("EVP_PBE_scrypt", result)
            },
            |(.., okm)| item([("okm", okm)]),
        )
    });
}

/// HMAC, HKDF, PBKDF2.
fn keyed(engine: &mut Engine, name: &'static str) {
    engine.single(&format!("hmac-{name}/mac"), move |_, input| {
        let (md, key) = (named(name)?, field(input, "key")?);
        // SAFETY: it takes nothing.
        let ctx = unsafe { ffi::HMAC_CTX_new() };
        let ctx = Owned::new(ctx, ffi::HMAC_CTX_free, "HMAC_CTX_new")?;
        let (start, len) = (key.as_ptr().cast(), key.len());
        // SAFETY: the context and the digest are valid; it reads the key.
        let result = unsafe { ffi::HMAC_Init_ex(ctx.get(), start, len, md, ptr::null_mut()) };
        ok("HMAC_Init_ex", result)?;
        op(
            (ctx, field(input, "message")?, [0; MAX_DIGEST], 0),
            |(ctx, message, tag, len)| {
                let ctx = ctx.get();
                // SAFETY: the context has a key, which a null key keeps; the tag has room.
                let done = unsafe {
                    ffi::HMAC_Init_ex(ctx, ptr::null(), 0, ptr::null(), ptr::null_mut()) == 1
                        && ffi::HMAC_Update(ctx, message.as_ptr(), message.len()) == 1
                        && ffi::HMAC_Final(ctx, tag.as_mut_ptr(), len) == 1
                };
                ok("HMAC_*", i32::from(done))
            },
            |(_, _, tag, len)| item([("tag", &tag[..*len as usize])]),
        )
    });
    engine.single(&format!("hkdf-{name}/derive"), move |bytes, input| {
        let secrets = [
            field(input, "ikm")?,
            field(input, "salt")?,
            field(input, "info")?,
        ];
        op(
            (named(name)?, secrets, vec![0; bytes]),
            |(md, [ikm, salt, info], okm)| {
                // SAFETY: it reads the slices and fills the first.
                let result = unsafe {
                    ffi::HKDF(
                        okm.as_mut_ptr(),
                        okm.len(),
                        *md,
                        ikm.as_ptr(),
                        ikm.len(),
                        salt.as_ptr(),
                        salt.len(),
                        info.as_ptr(),
                        info.len(),
                    )
                };
                ok("HKDF", result)
            },
            |(.., okm)| item([("okm", okm)]),
        )
    });
    engine.single(
        &format!("pbkdf2-hmac-{name}/derive"),
        move |bytes, input| {
            let secrets = [field(input, "password")?, field(input, "salt")?];
            let iterations = number(input, "iterations")?;
            let iterations = u32::try_from(iterations).map_err(|_| "too many iterations")?;
            op(
                (named(name)?, secrets, vec![0; bytes]),
                move |(md, [password, salt], okm)| {
                    // SAFETY: it reads the slices and fills the last.
                    let result = unsafe {
                        ffi::PKCS5_PBKDF2_HMAC(
                            password.as_ptr().cast(),
                            password.len() as _,
                            salt.as_ptr(),
                            salt.len() as _,
                            iterations as _,
                            *md,
                            okm.len() as _,
                            okm.as_mut_ptr(),
                        )
                    };
                    ok("PKCS5_PBKDF2_HMAC", result)
                },
                |(.., okm)| item([("okm", okm)]),
            )
        },
    );
}

fn macs(engine: &mut Engine) {
    for &(name, cipher, key_len) in CMACS {
        engine.single(name, move |_, input| {
            let key = of_length(input, "key", key_len)?;
            // SAFETY: both take nothing.
            let (cipher, ctx) = unsafe { (cipher(), ffi::CMAC_CTX_new()) };
            let ctx = Owned::new(ctx, ffi::CMAC_CTX_free, "CMAC_CTX_new")?;
            let (start, len) = (key.as_ptr().cast(), key.len());
            // SAFETY: the context and the cipher are valid; it reads the key.
            let result = unsafe { ffi::CMAC_Init(ctx.get(), start, len, cipher, ptr::null_mut()) };
            ok("CMAC_Init", result)?;
            op(
                (ctx, field(input, "message")?, [0; 16], 0),
                |(ctx, message, tag, len)| {
                    let ctx = ctx.get();
                    // SAFETY: the context has a key; the tag has room for a block.
                    let done = unsafe {
                        ffi::CMAC_Reset(ctx) == 1
                            && ffi::CMAC_Update(ctx, message.as_ptr(), message.len()) == 1
                            && ffi::CMAC_Final(ctx, tag.as_mut_ptr(), len) == 1
                    };
                    ok("CMAC_*", i32::from(done))
                },
                |(_, _, tag, len)| item([("tag", &tag[..*len])]),
            )
        });
    }
    engine.single("poly1305/mac", |_, input| {
        let key: [u8; 32] = exactly(input, "key")?;
        op(
            (key, field(input, "message")?, [0; 16]),
            |(key, message, tag)| {
                let mut state = MaybeUninit::<ffi::poly1305_state>::uninit();
                let state = state.as_mut_ptr();
                // SAFETY: the first fills the state from a key of 32 bytes; the last writes a tag.
                unsafe {
                    ffi::CRYPTO_poly1305_init(state, key.as_ptr());
                    ffi::CRYPTO_poly1305_update(state, message.as_ptr(), message.len());
                    ffi::CRYPTO_poly1305_finish(state, tag.as_mut_ptr());
                }
                Ok(())
            },
            |(_, _, tag)| item([("tag", tag)]),
        )
    });
    engine.single("siphash-2-4/mac", |_, input| {
        let key: [u8; 16] = exactly(input, "key")?;
        let (first, second) = key.split_at(8);
        let word = |half: &[u8]| half.try_into().map(u64::from_le_bytes);
        let key = [word(first), word(second)].map(Result::ok);
        let [Some(first), Some(second)] = key else {
            return Err(failure("splitting the key"));
        };
        op(
            ([first, second], field(input, "message")?, 0_u64),
            |(key, message, tag)| {
                // SAFETY: it reads two words of key and the message.
                *tag = unsafe { ffi::SIPHASH_24(key.as_ptr(), message.as_ptr(), message.len()) };
                Ok(())
            },
            |(_, _, tag)| item([("tag", &tag.to_le_bytes())]),
        )
    });
}
