//! Ciphers and authenticated encryption.

use std::ptr;

use adamant_engine::Item;
use adamant_engine::buffers::Buffers;
use adamant_engine::serve::Engine;

use crate::ffi;
use crate::offers::{AEADS, CCMS, CIPHERS};
use crate::op::{Owned, exactly, field, item, of_length, ok, op};

pub(crate) type Evp = unsafe extern "C" fn() -> *const ffi::EVP_CIPHER;
pub(crate) type Aead = unsafe extern "C" fn() -> *const ffi::EVP_AEAD;

const TAG_LEN: usize = 16;
/// How much longer than the message an output buffer has to be.
const ROOM: usize = 32;

pub(crate) fn register(engine: &mut Engine) {
    for &(name, evp, key_len, iv_len) in CIPHERS {
        for (way, encrypt, from, to) in [
            ("encrypt", 1, "message", "ciphertext"),
            ("decrypt", 0, "ciphertext", "message"),
        ] {
            engine.single(&format!("{name}/{way}"), move |_, input| {
                let iv = match iv_len {
                    0 => Vec::new(),
                    _ => of_length(input, "iv", iv_len)?,
                };
                let buffers = Buffers::new(&field(input, from)?, ROOM);
                let key = of_length(input, "key", key_len)?;
                let ctx = cipher(evp, encrypt, &key, None)?;
                op(
                    (ctx, iv, buffers),
                    |(ctx, iv, buffers)| {
                        let (data, out) = buffers.parts();
                        turn(ctx, iv, data, out)
                    },
                    move |(_, _, buffers)| {
                        let len = buffers.message().len();
                        item([(to, &buffers.out()[..len])])
                    },
                )
            });
        }
    }
    for &(name, aead, key_len, nonce_len) in AEADS {
        aeads(engine, name, aead, key_len, nonce_len);
    }
    for &(name, evp, key_len) in CCMS {
        ccms(engine, name, evp, key_len);
    }
    chacha20(engine);
    wraps(engine);
}

type Ctx = Owned<ffi::EVP_CIPHER_CTX>;

/// A context with a scheduled key; `nonce_len` is for CCM.
fn cipher(evp: Evp, encrypt: i32, key: &[u8], nonce_len: Option<i32>) -> Result<Ctx, String> {
    let (none, null) = (ptr::null_mut(), ptr::null());
    // SAFETY: both take nothing.
    let (evp, ctx) = unsafe { (evp(), ffi::EVP_CIPHER_CTX_new()) };
    let owned = Owned::new(ctx, ffi::EVP_CIPHER_CTX_free, "EVP_CIPHER_CTX_new")?;
    // SAFETY: the context and the cipher are valid; the callers see to the key's length.
    unsafe {
        let result = ffi::EVP_CipherInit_ex(ctx, evp, none, null, null, encrypt);
        ok("EVP_CipherInit_ex", result)?;
        if let Some(len) = nonce_len {
            let set = |what, len| ffi::EVP_CIPHER_CTX_ctrl(ctx, what, len, ptr::null_mut());
            ok(
                "EVP_CIPHER_CTX_ctrl",
                set(ffi::EVP_CTRL_AEAD_SET_IVLEN, len),
            )?;
            let tag_len = TAG_LEN as i32;
            ok(
                "EVP_CIPHER_CTX_ctrl",
                set(ffi::EVP_CTRL_AEAD_SET_TAG, tag_len),
            )?;
        }
        let result = ffi::EVP_CipherInit_ex(ctx, ptr::null(), none, key.as_ptr(), null, encrypt);
        ok("EVP_CipherInit_ex", result)?;
        ffi::EVP_CIPHER_CTX_set_padding(ctx, 0);
    }
    Ok(owned)
}

#[inline]
fn start(ctx: &Ctx, iv: &[u8]) -> Result<(), String> {
    if iv.is_empty() {
        return Ok(());
    }
    let (none, null) = (ptr::null_mut(), ptr::null());
    // SAFETY: the context has cipher and key; the nonce's length was checked.
    let result =
        unsafe { ffi::EVP_CipherInit_ex(ctx.get(), ptr::null(), none, null, iv.as_ptr(), -1) };
    ok("EVP_CipherInit_ex", result)
}

#[inline]
fn update(ctx: &Ctx, out: *mut u8, data: *const u8, len: usize) -> Result<usize, String> {
    let mut written = 0;
    // SAFETY: the callers see to room for as much as goes in, and a block more.
    let result = unsafe { ffi::EVP_CipherUpdate(ctx.get(), out, &mut written, data, len as i32) };
    ok("EVP_CipherUpdate", result)?;
    Ok(written as usize)
}

#[inline]
fn finish(ctx: &Ctx, out: &mut [u8]) -> Result<(), String> {
    let mut written = 0;
    // SAFETY: the callers see to room for a block.
    let result = unsafe { ffi::EVP_CipherFinal_ex(ctx.get(), out.as_mut_ptr(), &mut written) };
    ok("EVP_CipherFinal_ex", result)
}

/// Turns data into an output that is [`ROOM`] longer.
#[inline]
fn turn(ctx: &Ctx, iv: &[u8], data: &[u8], out: &mut [u8]) -> Result<(), String> {
    start(ctx, iv)?;
    let len = update(ctx, out.as_mut_ptr(), data.as_ptr(), data.len())?;
    finish(ctx, &mut out[len..])
}

/// What an AEAD works on.
struct Sealed {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    buffers: Buffers,
    tag: [u8; TAG_LEN],
}

impl Sealed {
    fn new(input: &Item, data: &str, nonce_len: usize) -> Result<Self, String> {
        Ok(Sealed {
            nonce: of_length(input, "nonce", nonce_len)?,
            aad: field(input, "aad")?,
            buffers: Buffers::new(&field(input, data)?, ROOM),
            tag: [0; TAG_LEN],
        })
    }

    fn sealed(&mut self) -> Result<Item, String> {
        item([("ciphertext", self.out()), ("tag", &self.tag)])
    }

    fn opened(&mut self) -> Result<Item, String> {
        item([("message", self.out())])
    }

    fn out(&self) -> &[u8] {
        &self.buffers.out()[..self.buffers.message().len()]
    }
}

fn aead_ctx(aead: Aead, key: &[u8]) -> Result<Owned<ffi::EVP_AEAD_CTX>, String> {
    // SAFETY: it reads the key, whose length the library checks.
    let ctx = unsafe { ffi::EVP_AEAD_CTX_new(aead(), key.as_ptr(), key.len(), TAG_LEN) };
    Owned::new(ctx, ffi::EVP_AEAD_CTX_free, "EVP_AEAD_CTX_new")
}

#[inline]
fn seal(ctx: &Owned<ffi::EVP_AEAD_CTX>, s: &mut Sealed) -> Result<(), String> {
    let mut tag_len = 0;
    let (data, out) = s.buffers.parts();
    // SAFETY: the context is valid; it reads the slices, the outputs have room.
    let result = unsafe {
        ffi::EVP_AEAD_CTX_seal_scatter(
            ctx.get(),
            out.as_mut_ptr(),
            s.tag.as_mut_ptr(),
            &mut tag_len,
            TAG_LEN,
            s.nonce.as_ptr(),
            s.nonce.len(),
            data.as_ptr(),
            data.len(),
            ptr::null(),
            0,
            s.aad.as_ptr(),
            s.aad.len(),
        )
    };
    ok("EVP_AEAD_CTX_seal_scatter", result)
}

fn aeads(engine: &mut Engine, name: &str, aead: Aead, key_len: usize, nonce_len: usize) {
    engine.single(&format!("{name}/seal"), move |_, input| {
        let ctx = aead_ctx(aead, &of_length(input, "key", key_len)?)?;
        op(
            (ctx, Sealed::new(input, "message", nonce_len)?),
            |(ctx, s)| seal(ctx, s),
            |(_, s)| s.sealed(),
        )
    });
    engine.single(&format!("{name}/open"), move |_, input| {
        let ctx = aead_ctx(aead, &of_length(input, "key", key_len)?)?;
        let mut sealed = Sealed::new(input, "ciphertext", nonce_len)?;
        sealed.tag = exactly(input, "tag")?;
        op(
            (ctx, sealed),
            |(ctx, s)| {
                let (data, out) = s.buffers.parts();
                // SAFETY: the context is valid; it reads the slices, the output has room.
                let result = unsafe {
                    ffi::EVP_AEAD_CTX_open_gather(
                        ctx.get(),
                        out.as_mut_ptr(),
                        s.nonce.as_ptr(),
                        s.nonce.len(),
                        data.as_ptr(),
                        data.len(),
                        s.tag.as_ptr(),
                        TAG_LEN,
                        s.aad.as_ptr(),
                        s.aad.len(),
                    )
                };
                ok("EVP_AEAD_CTX_open_gather", result)
            },
            |(_, s)| s.opened(),
        )
    });
    // GMAC is GCM without a message.
    if let Some(cipher) = name.strip_suffix("-gcm") {
        engine.single(&format!("gmac-{cipher}/mac"), move |_, input| {
            let ctx = aead_ctx(aead, &of_length(input, "key", key_len)?)?;
            let sealed = Sealed {
                nonce: of_length(input, "nonce", nonce_len)?,
                aad: field(input, "message")?,
                buffers: Buffers::new(b"", ROOM),
                tag: [0; TAG_LEN],
            };
            op(
                (ctx, sealed),
                |(ctx, s)| seal(ctx, s),
                |(_, s)| item([("tag", &s.tag)]),
            )
        });
    }
}

fn ccms(engine: &mut Engine, name: &str, evp: Evp, key_len: usize) {
    const NONCE_LEN: usize = 12;
    /// The message's length has to be known before anything else, whether there is associated data or
    /// not.
    fn associate(ctx: &Ctx, s: &Sealed) -> Result<(), String> {
        update(ctx, ptr::null_mut(), ptr::null(), s.buffers.message().len())?;
        if !s.aad.is_empty() {
            update(ctx, ptr::null_mut(), s.aad.as_ptr(), s.aad.len())?;
        }
        Ok(())
    }
    fn tag(ctx: &Ctx, what: i32, s: &mut Sealed) -> Result<(), String> {
        let (start, len) = (s.tag.as_mut_ptr().cast(), TAG_LEN as i32);
        // SAFETY: the context has its cipher; the tag has the length said.
        let result = unsafe { ffi::EVP_CIPHER_CTX_ctrl(ctx.get(), what, len, start) };
        ok("EVP_CIPHER_CTX_ctrl", result)
    }
    let nonce_len = Some(NONCE_LEN as i32);
    engine.single(&format!("{name}/seal"), move |_, input| {
        let ctx = cipher(evp, 1, &of_length(input, "key", key_len)?, nonce_len)?;
        op(
            (ctx, Sealed::new(input, "message", NONCE_LEN)?),
            |(ctx, s)| {
                start(ctx, &s.nonce)?;
                associate(ctx, s)?;
                let (data, out) = s.buffers.parts();
                update(ctx, out.as_mut_ptr(), data.as_ptr(), data.len())?;
                tag(ctx, ffi::EVP_CTRL_AEAD_GET_TAG, s)
            },
            |(_, s)| s.sealed(),
        )
    });
    engine.single(&format!("{name}/open"), move |_, input| {
        let ctx = cipher(evp, 0, &of_length(input, "key", key_len)?, nonce_len)?;
        let mut sealed = Sealed::new(input, "ciphertext", NONCE_LEN)?;
        sealed.tag = exactly(input, "tag")?;
        op(
            (ctx, sealed),
            |(ctx, s)| {
                start(ctx, &s.nonce)?;
                tag(ctx, ffi::EVP_CTRL_AEAD_SET_TAG, s)?;
                associate(ctx, s)?;
                let (data, out) = s.buffers.parts();
                update(ctx, out.as_mut_ptr(), data.as_ptr(), data.len()).map(|_| ())
            },
            |(_, s)| s.opened(),
        )
    });
}

fn chacha20(engine: &mut Engine) {
    for (way, from, to) in [
        ("encrypt", "message", "ciphertext"),
        ("decrypt", "ciphertext", "message"),
    ] {
        engine.single(&format!("chacha20/{way}"), move |_, input| {
            let key: [u8; 32] = exactly(input, "key")?;
            let nonce: [u8; 12] = exactly(input, "nonce")?;
            let buffers = Buffers::new(&field(input, from)?, 0);
            op(
                (key, nonce, buffers),
                |(key, nonce, buffers)| {
                    let (data, out) = buffers.parts();
                    let (to, from, len) = (out.as_mut_ptr(), data.as_ptr(), data.len());
                    // SAFETY: both buffers have this length, key and nonce theirs.
                    unsafe {
                        ffi::CRYPTO_chacha_20(to, from, len, key.as_ptr(), nonce.as_ptr(), 0);
                    }
                    Ok(())
                },
                move |(_, _, buffers)| item([(to, buffers.out())]),
            )
        });
    }
}

/// A scheduled key, and what wraps or unwraps with it: the bytes that were written.
struct Wrapping {
    schedule: ffi::AES_KEY,
    data: Vec<u8>,
    out: Vec<u8>,
    written: usize,
}

type Wrap = fn(&mut Wrapping) -> i32;

impl Wrapping {
    fn new(input: &Item, key_len: usize, wrap: bool, data: &str) -> Result<Self, String> {
        let key = of_length(input, "key", key_len)?;
        let bits = 8 * key_len as u32;
        let mut schedule = std::mem::MaybeUninit::<ffi::AES_KEY>::uninit();
        // SAFETY: it fills the schedule from a key of so many bits.
        let schedule = unsafe {
            let result = if wrap {
                ffi::AES_set_encrypt_key(key.as_ptr(), bits, schedule.as_mut_ptr())
            } else {
                ffi::AES_set_decrypt_key(key.as_ptr(), bits, schedule.as_mut_ptr())
            };
            ok("AES_set_*_key", i32::from(result == 0))?;
            schedule.assume_init()
        };
        let data = field(input, data)?;
        let out = vec![0; data.len() + 16];
        Ok(Wrapping {
            schedule,
            data,
            out,
            written: 0,
        })
    }

    /// RFC 3394, with the standard's own initial value.
    fn whole(&mut self, wrap: bool) -> i32 {
        let (to, from, len) = (self.out.as_mut_ptr(), self.data.as_ptr(), self.data.len());
        // SAFETY: the output has room for sixteen bytes more than goes in.
        let written = unsafe {
            if wrap {
                ffi::AES_wrap_key(&self.schedule, ptr::null(), to, from, len)
            } else {
                ffi::AES_unwrap_key(&self.schedule, ptr::null(), to, from, len)
            }
        };
        self.written = usize::try_from(written).unwrap_or(0);
        i32::from(written > 0)
    }

    /// RFC 5649.
    fn padded(&mut self, wrap: bool) -> i32 {
        let (to, room) = (self.out.as_mut_ptr(), self.out.len());
        let (from, len, written) = (self.data.as_ptr(), self.data.len(), &mut self.written);
        // SAFETY: it reads the data and writes no more than the room that is said.
        unsafe {
            if wrap {
                ffi::AES_wrap_key_padded(&self.schedule, to, written, room, from, len)
            } else {
                ffi::AES_unwrap_key_padded(&self.schedule, to, written, room, from, len)
            }
        }
    }
}

/// Key wrapping.
fn wraps(engine: &mut Engine) {
    const FORMS: [(&str, [Wrap; 2]); 2] = [
        ("kw", [|w| w.whole(true), |w| w.whole(false)]),
        ("kwp", [|w| w.padded(true), |w| w.padded(false)]),
    ];
    for (form, [wrap, unwrap]) in FORMS {
        for key_len in [16, 24, 32] {
            let name = format!("aes-{}-{form}", 8 * key_len);
            for (way, run, from, to) in [
                ("wrap", wrap, "message", "ciphertext"),
                ("unwrap", unwrap, "ciphertext", "message"),
            ] {
                engine.single(&format!("{name}/{way}"), move |_, input| {
                    op(
                        Wrapping::new(input, key_len, way == "wrap", from)?,
                        move |wrapping| ok("AES_*wrap_key*", run(wrapping)),
                        move |wrapping| item([(to, &wrapping.out[..wrapping.written])]),
                    )
                });
            }
        }
    }
}
