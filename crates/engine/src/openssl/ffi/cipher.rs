//! Ciphers, with and without authentication.

use std::ffi::{CStr, c_int};
use std::ptr;

use super::evp::{Owned, ok};
use super::functions::CipherCtx;
use super::load::Libcrypto;

const SET_NONCE_LEN: c_int = 0x9;
const GET_TAG: c_int = 0x10;
const SET_TAG: c_int = 0x11;
/// `EVP_CIPHER_CTX_FLAG_WRAP_ALLOW`.
const WRAP_ALLOW: c_int = 1;

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Decrypt = 0,
    Encrypt = 1,
}

/// A cipher by OpenSSL's name, with its lengths in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) name: &'static CStr,
    pub(crate) key_len: usize,
    /// Of the nonce; 0 if there is none.
    pub(crate) iv_len: usize,
    pub(crate) tag: Tag,
}

/// How a cipher authenticates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    None,
    /// With 16 bytes, which are given before an opening ends.
    Last,
    /// As the last, but the library keeps associated data until it is told that there are none.
    Kept,
    /// Within the ciphertext; each message is begun anew.
    Inside,
    /// With 16 bytes, as CCM wants it: the tag is told before the message, the message's length
    /// before associated data.
    First,
}

pub(crate) const TAG_LEN: usize = 16;

/// A cipher with a scheduled key.
pub(crate) struct Cipher {
    lib: Libcrypto,
    ctx: Owned<CipherCtx>,
    shape: Shape,
}

impl Cipher {
    /// Whether the library has it.
    pub(crate) fn exists(lib: Libcrypto, name: &CStr) -> bool {
        find(lib, name).is_ok()
    }

    /// Schedules the key.
    pub(crate) fn new(
        lib: Libcrypto,
        shape: Shape,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, String> {
        if key.len() != shape.key_len {
            return Err(format!("key has to have {} bytes", shape.key_len));
        }
        let f = lib.functions;
        let cipher = find(lib, shape.name)?;
        // SAFETY: it takes nothing.
        let ctx = Owned::new(unsafe { (f.EVP_CIPHER_CTX_new)() }, f.EVP_CIPHER_CTX_free)
            .ok_or_else(|| lib.failure("EVP_CIPHER_CTX_new"))?;
        let made = Cipher { lib, ctx, shape };
        let ctx = made.ctx.get();
        let (way, null) = (direction as c_int, ptr::null());
        // SAFETY: the context is valid; wrapping is allowed before the cipher is chosen.
        unsafe { (f.EVP_CIPHER_CTX_set_flags)(ctx, WRAP_ALLOW) };
        // SAFETY: the context and the cipher are valid; key and nonce are still to come.
        let result =
            unsafe { (f.EVP_CipherInit_ex)(ctx, cipher, ptr::null_mut(), null, null, way) };
        ok(lib, "EVP_CipherInit_ex", result)?;
        if !matches!(shape.tag, Tag::None | Tag::Inside) {
            made.control(SET_NONCE_LEN, shape.iv_len, ptr::null_mut())?;
        }
        if shape.tag == Tag::First {
            made.control(SET_TAG, TAG_LEN, ptr::null_mut())?;
        }
        // SAFETY: the context has its cipher, whose key is as long as the table of shapes says.
        let result = unsafe {
            (f.EVP_CipherInit_ex)(ctx, ptr::null(), ptr::null_mut(), key.as_ptr(), null, -1)
        };
        ok(lib, "EVP_CipherInit_ex", result)?;
        // SAFETY: the context is valid.
        unsafe { (f.EVP_CIPHER_CTX_set_padding)(ctx, 0) };
        Ok(made)
    }

    fn control(&self, what: c_int, len: usize, data: *mut u8) -> Result<(), String> {
        let ctrl = self.lib.functions.EVP_CIPHER_CTX_ctrl;
        // SAFETY: the context has its cipher; `data` is null or has the length said.
        let result = unsafe { ctrl(self.ctx.get(), what, len as c_int, data.cast()) };
        ok(self.lib, "EVP_CIPHER_CTX_ctrl", result)
    }

    /// Starts a message: its nonce, or none for those without.
    #[inline]
    fn start(&mut self, iv: &[u8]) -> Result<(), String> {
        if iv.len() != self.shape.iv_len {
            return Err(format!("the nonce has to have {} bytes", self.shape.iv_len));
        }
        let iv = match iv {
            [] if self.shape.tag != Tag::Inside => return Ok(()),
            [] => ptr::null(),
            _ => iv.as_ptr(),
        };
        let init = self.lib.functions.EVP_CipherInit_ex;
        let (ctx, none, null) = (self.ctx.get(), ptr::null_mut(), ptr::null());
        // SAFETY: the context has cipher and key; its nonce is as long as the table of shapes says.
        let result = unsafe { init(ctx, ptr::null(), none, null, iv, -1) };
        ok(self.lib, "EVP_CipherInit_ex", result)
    }

    /// `out` is null for associated data.
    #[inline]
    fn update(&mut self, out: *mut u8, data: *const u8, len: usize) -> Result<usize, String> {
        let mut written = 0;
        let update = self.lib.functions.EVP_CipherUpdate;
        // SAFETY: the callers see to room for as much as goes in, and a block more.
        let result = unsafe { update(self.ctx.get(), out, &mut written, data, len as c_int) };
        ok(self.lib, "EVP_CipherUpdate", result)?;
        Ok(usize::try_from(written).unwrap_or_default())
    }

    #[inline]
    fn finish(&mut self, out: *mut u8) -> Result<usize, String> {
        let mut written = 0;
        // SAFETY: the callers see to room for a block.
        let result =
            unsafe { (self.lib.functions.EVP_CipherFinal_ex)(self.ctx.get(), out, &mut written) };
        ok(self.lib, "EVP_CipherFinal_ex", result)?;
        Ok(usize::try_from(written).unwrap_or_default())
    }

    /// Turns `data` into `out`, which is [`ROOM`] longer, and gives how much of it is used.
    #[inline]
    pub(crate) fn run(&mut self, iv: &[u8], data: &[u8], out: &mut [u8]) -> Result<usize, String> {
        room(data, out)?;
        self.start(iv)?;
        let len = self.update(out.as_mut_ptr(), data.as_ptr(), data.len())?;
        Ok(len + self.finish(out[len..].as_mut_ptr())?)
    }

    /// Encrypts `data` into `out`, which is [`ROOM`] longer, and fills the tag.
    #[inline]
    pub(crate) fn seal(
        &mut self,
        nonce: &[u8],
        aad: &[u8],
        data: &[u8],
        out: &mut [u8],
        tag: &mut [u8; TAG_LEN],
    ) -> Result<(), String> {
        room(data, out)?;
        self.start(nonce)?;
        self.associate(aad, data.len())?;
        let len = self.update(out.as_mut_ptr(), data.as_ptr(), data.len())?;
        self.finish(out[len..].as_mut_ptr())?;
        self.control(GET_TAG, tag.len(), tag.as_mut_ptr())
    }

    /// Decrypts `data` into `out`, which is [`ROOM`] longer, and fails where the tag is another.
    #[inline]
    pub(crate) fn open(
        &mut self,
        nonce: &[u8],
        aad: &[u8],
        data: &[u8],
        out: &mut [u8],
        tag: &mut [u8; TAG_LEN],
    ) -> Result<(), String> {
        room(data, out)?;
        self.start(nonce)?;
        self.control(SET_TAG, tag.len(), tag.as_mut_ptr())?;
        self.associate(aad, data.len())?;
        let len = self.update(out.as_mut_ptr(), data.as_ptr(), data.len())?;
        if self.shape.tag == Tag::First {
            return Ok(()); // CCM has compared the tag already, and has nothing left to say.
        }
        self.finish(out[len..].as_mut_ptr()).map(|_| ())
    }

    #[inline]
    fn associate(&mut self, aad: &[u8], message_len: usize) -> Result<(), String> {
        if self.shape.tag == Tag::Kept {
            self.update(ptr::null_mut(), aad.as_ptr(), 0)?;
        }
        if aad.is_empty() {
            return Ok(());
        }
        if self.shape.tag == Tag::First {
            self.update(ptr::null_mut(), ptr::null(), message_len)?;
        }
        self.update(ptr::null_mut(), aad.as_ptr(), aad.len())?;
        Ok(())
    }
}

/// How much longer than the message an output buffer has to be.
pub(crate) const ROOM: usize = 32;

#[inline]
fn room(data: &[u8], out: &[u8]) -> Result<(), String> {
    if out.len() < data.len() + ROOM || c_int::try_from(data.len()).is_err() {
        return Err("the message does not fit".into());
    }
    Ok(())
}

fn find(lib: Libcrypto, name: &CStr) -> Result<*const super::functions::Cipher, String> {
    let f = lib.functions;
    let cipher = match f.EVP_CIPHER_fetch {
        // SAFETY: the default context, a name ended by NUL, no properties; it lives as long as
        // the process.
        Some(fetch) => unsafe { fetch(ptr::null_mut(), name.as_ptr(), ptr::null()) },
        // SAFETY: a name ended by NUL.
        None => unsafe { (f.EVP_get_cipherbyname)(name.as_ptr()) },
    };
    if cipher.is_null() {
        return Err(lib.failure("EVP_CIPHER_fetch"));
    }
    Ok(cipher)
}
