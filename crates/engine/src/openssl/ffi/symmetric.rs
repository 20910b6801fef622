//! Digests, message authentication codes and key derivation.

use std::ffi::{CStr, c_int, c_uint};
use std::ptr;

use super::evp::{Owned, new_md_ctx, newer, ok};
use super::functions::{KdfCtx, MacCtx, Md, MdCtx};
use super::load::Libcrypto;
use super::params::Params;

/// The longest digest.
pub(crate) const MAX_DIGEST: usize = 64;

/// A digest by name. From 3.0 on it is fetched, as its manual advises, and lives as long as the
/// process.
pub(super) fn find_digest(lib: Libcrypto, name: &CStr) -> Result<*const Md, String> {
    let f = lib.functions;
    let md = match f.EVP_MD_fetch {
        // SAFETY: the default context, a name ended by NUL, no properties.
        Some(fetch) => unsafe { fetch(ptr::null_mut(), name.as_ptr(), ptr::null()) },
        // SAFETY: a name ended by NUL.
        None => unsafe { (f.EVP_get_digestbyname)(name.as_ptr()) },
    };
    if md.is_null() {
        return Err(lib.failure("EVP_MD_fetch"));
    }
    Ok(md)
}

/// How long a digest is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// As long as the algorithm says.
    Fixed,
    /// This many bytes of an extendable output.
    Squeezed(usize),
    /// This many bytes, told to the algorithm beforehand.
    Told(usize),
}

/// A digest with a context that is used again.
pub(crate) struct Digest {
    lib: Libcrypto,
    ctx: Owned<MdCtx>,
    md: *const Md,
    length: Length,
    params: Params,
}

impl Digest {
    pub(crate) fn new(lib: Libcrypto, name: &CStr) -> Result<Self, String> {
        Self::with_length(lib, name, Length::Fixed)
    }

    pub(crate) fn with_length(lib: Libcrypto, name: &CStr, length: Length) -> Result<Self, String> {
        let params = match length {
            Length::Told(size) => Params::new().number(c"size", size as u64),
            _ => Params::new(),
        };
        let mut digest = Digest {
            lib,
            ctx: new_md_ctx(lib)?,
            md: find_digest(lib, name)?,
            length,
            params,
        };
        // Older versions do not know every length.
        let mut out = [0; MAX_DIGEST];
        let len = digest.digest(&[b""], &mut out)?;
        match length {
            Length::Told(size) if size != len => Err("the digest cannot be shortened".into()),
            _ => Ok(digest),
        }
    }

    /// Digests a message in parts and gives the digest's length.
    #[inline]
    pub(crate) fn digest(
        &mut self,
        parts: &[&[u8]],
        out: &mut [u8; MAX_DIGEST],
    ) -> Result<usize, String> {
        let f = self.lib.functions;
        let ctx = self.ctx.get();
        // SAFETY: the context, the digest and the parameters are valid.
        let mut done = unsafe {
            match self.length {
                Length::Told(_) => newer(f.EVP_DigestInit_ex2)?(ctx, self.md, self.params.as_ptr()),
                _ => (f.EVP_DigestInit_ex)(ctx, self.md, ptr::null_mut()),
            }
        } == 1;
        for part in parts {
            // SAFETY: the context is ready; it reads the slice.
            done &= unsafe { (f.EVP_DigestUpdate)(ctx, part.as_ptr().cast(), part.len()) } == 1;
        }
        let mut len: c_uint = 0;
        // SAFETY: `out` has room for the longest digest, and lengths are at most that.
        done &= unsafe {
            match self.length {
                Length::Squeezed(size) => {
                    len = size as c_uint;
                    (f.EVP_DigestFinalXOF)(ctx, out.as_mut_ptr(), size.min(MAX_DIGEST))
                }
                _ => (f.EVP_DigestFinal_ex)(ctx, out.as_mut_ptr(), &mut len),
            }
        } == 1;
        ok(self.lib, "EVP_Digest*", c_int::from(done))?;
        Ok(len as usize)
    }
}

/// What a MAC is given before each message.
pub(crate) enum Fresh {
    /// Nothing: the key stays scheduled.
    Nothing,
    /// The key, for those that use one once.
    Key,
    /// Parameters, such as a nonce; the key stays scheduled.
    Params(Params),
}

/// A MAC with a scheduled key.
pub(crate) struct Mac {
    lib: Libcrypto,
    ctx: Owned<MacCtx>,
    key: Vec<u8>,
    fresh: Fresh,
}

impl Mac {
    pub(crate) fn new(
        lib: Libcrypto,
        name: &CStr,
        key: &[u8],
        params: &Params,
        fresh: Fresh,
    ) -> Result<Self, String> {
        let f = lib.functions;
        // SAFETY: the default context, a name ended by NUL, no properties.
        let mac = unsafe { newer(f.EVP_MAC_fetch)?(ptr::null_mut(), name.as_ptr(), ptr::null()) };
        if mac.is_null() {
            return Err(lib.failure("EVP_MAC_fetch"));
        }
        // SAFETY: the MAC is valid, and it lives as long as the process.
        let ctx = unsafe { newer(f.EVP_MAC_CTX_new)?(mac) };
        let ctx = Owned::new(ctx, newer(f.EVP_MAC_CTX_free)?)
            .ok_or_else(|| lib.failure("EVP_MAC_CTX_new"))?;
        let init = newer(f.EVP_MAC_init)?;
        // SAFETY: the context is valid; the parameters are ended and outlive the call.
        let result = unsafe { init(ctx.get(), key.as_ptr(), key.len(), params.as_ptr()) };
        ok(lib, "EVP_MAC_init", result)?;
        Ok(Mac {
            lib,
            ctx,
            key: key.to_vec(),
            fresh,
        })
    }

    /// Authenticates a message and gives the tag's length.
    #[inline]
    pub(crate) fn mac(
        &mut self,
        message: &[u8],
        out: &mut [u8; MAX_DIGEST],
    ) -> Result<usize, String> {
        let f = self.lib.functions;
        let (Some(init), Some(update), Some(finish)) =
            (f.EVP_MAC_init, f.EVP_MAC_update, f.EVP_MAC_final)
        else {
            return Err("this OpenSSL is older than 3.0".into());
        };
        let ctx = self.ctx.get();
        let (key, params) = match &self.fresh {
            Fresh::Nothing => (&[][..], ptr::null()),
            Fresh::Key => (&self.key[..], ptr::null()),
            Fresh::Params(params) => (&[][..], params.as_ptr()),
        };
        let key_start = if key.is_empty() {
            ptr::null()
        } else {
            key.as_ptr()
        };
        let mut len = 0;
        // SAFETY: the context is valid and has a key, which a null key keeps; `out` has the room
        // that is said.
        let done = unsafe {
            init(ctx, key_start, key.len(), params) == 1
                && update(ctx, message.as_ptr(), message.len()) == 1
                && finish(ctx, out.as_mut_ptr(), &mut len, out.len()) == 1
        };
        ok(self.lib, "EVP_MAC_*", c_int::from(done))?;
        Ok(len)
    }
}

/// A key derivation function, with what never changes set beforehand.
pub(crate) struct Kdf {
    lib: Libcrypto,
    ctx: Owned<KdfCtx>,
    params: Params,
}

impl Kdf {
    /// `fixed` is set now, `given` each time.
    pub(crate) fn new(
        lib: Libcrypto,
        name: &CStr,
        fixed: &Params,
        given: Params,
    ) -> Result<Self, String> {
        let f = lib.functions;
        // SAFETY: the default context, a name ended by NUL, no properties.
        let kdf = unsafe { newer(f.EVP_KDF_fetch)?(ptr::null_mut(), name.as_ptr(), ptr::null()) };
        if kdf.is_null() {
            return Err(lib.failure("EVP_KDF_fetch"));
        }
        // SAFETY: the function is valid, and it lives as long as the process.
        let ctx = unsafe { newer(f.EVP_KDF_CTX_new)?(kdf) };
        let ctx = Owned::new(ctx, newer(f.EVP_KDF_CTX_free)?)
            .ok_or_else(|| lib.failure("EVP_KDF_CTX_new"))?;
        let set = newer(f.EVP_KDF_CTX_set_params)?;
        // SAFETY: the context is valid; the parameters are ended and outlive the call.
        let result = unsafe { set(ctx.get(), fixed.as_ptr()) };
        ok(lib, "EVP_KDF_CTX_set_params", result)?;
        Ok(Kdf {
            lib,
            ctx,
            params: given,
        })
    }

    #[inline]
    pub(crate) fn derive(&mut self, okm: &mut [u8]) -> Result<(), String> {
        let derive = newer(self.lib.functions.EVP_KDF_derive)?;
        let params = self.params.as_ptr();
        // SAFETY: the context is valid; the parameters are ended, and their data live.
        let result = unsafe { derive(self.ctx.get(), okm.as_mut_ptr(), okm.len(), params) };
        ok(self.lib, "EVP_KDF_derive", result)
    }
}
