//! Digests, HMAC and HKDF.

use std::ffi::{CStr, c_int, c_uint};
use std::ptr;

use super::evp::{Owned, new_md_ctx, newer, ok};
use super::load::{KdfCtx, Libcrypto, MacCtx, Md, MdCtx, Param};

/// The longest digest.
pub(crate) const MAX_DIGEST: usize = 64;

/// A digest by name. From 3.0 on it is fetched, as its manual advises, and lives as long as the
/// process.
fn find_digest(lib: Libcrypto, name: &CStr) -> Result<*const Md, String> {
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

/// A digest with a context that is used again.
pub(crate) struct Digest {
    lib: Libcrypto,
    ctx: Owned<MdCtx>,
    md: *const Md,
}

impl Digest {
    pub(crate) fn new(lib: Libcrypto, name: &CStr) -> Result<Self, String> {
        Ok(Digest {
            lib,
            ctx: new_md_ctx(lib)?,
            md: find_digest(lib, name)?,
        })
    }

    /// Digests a message and gives the digest's length.
    #[inline]
    pub(crate) fn digest(
        &mut self,
        message: &[u8],
        out: &mut [u8; MAX_DIGEST],
    ) -> Result<usize, String> {
        let f = self.lib.functions;
        let ctx = self.ctx.get();
        let mut len: c_uint = 0;
        // SAFETY: the context and the digest are valid; `out` has room for the longest digest.
        let done = unsafe {
            (f.EVP_DigestInit_ex)(ctx, self.md, ptr::null_mut()) == 1
                && (f.EVP_DigestUpdate)(ctx, message.as_ptr().cast(), message.len()) == 1
                && (f.EVP_DigestFinal_ex)(ctx, out.as_mut_ptr(), &mut len) == 1
        };
        ok(self.lib, "EVP_Digest*", c_int::from(done))?;
        Ok(len as usize)
    }
}

impl Param {
    const UTF8_STRING: c_uint = 4;
    const OCTET_STRING: c_uint = 5;
    const END: Param = Param {
        key: ptr::null(),
        data_type: 0,
        data: ptr::null_mut(),
        data_size: 0,
        return_size: 0,
    };

    fn text(key: &'static CStr, value: &CStr) -> Self {
        Self::of(key, Self::UTF8_STRING, value.to_bytes())
    }

    fn octets(key: &'static CStr, value: &[u8]) -> Self {
        Self::of(key, Self::OCTET_STRING, value)
    }

    /// OpenSSL only reads the data of parameters that are given to it.
    fn of(key: &'static CStr, data_type: c_uint, value: &[u8]) -> Self {
        Param {
            key: key.as_ptr(),
            data_type,
            data: value.as_ptr().cast_mut().cast(),
            data_size: value.len(),
            return_size: usize::MAX,
        }
    }
}

/// HMAC with a scheduled key.
pub(crate) struct Hmac {
    lib: Libcrypto,
    ctx: Owned<MacCtx>,
}

impl Hmac {
    pub(crate) fn new(lib: Libcrypto, digest: &CStr, key: &[u8]) -> Result<Self, String> {
        let f = lib.functions;
        // SAFETY: the default context, a name ended by NUL, no properties.
        let mac =
            unsafe { newer(f.EVP_MAC_fetch)?(ptr::null_mut(), c"HMAC".as_ptr(), ptr::null()) };
        if mac.is_null() {
            return Err(lib.failure("EVP_MAC_fetch"));
        }
        // SAFETY: the MAC is valid, and it lives as long as the process.
        let ctx = unsafe { newer(f.EVP_MAC_CTX_new)?(mac) };
        let ctx = Owned::new(ctx, newer(f.EVP_MAC_CTX_free)?)
            .ok_or_else(|| lib.failure("EVP_MAC_CTX_new"))?;
        let params = [Param::text(c"digest", digest), Param::END];
        let init = newer(f.EVP_MAC_init)?;
        // SAFETY: the context is valid; the parameters are ended and outlive the call.
        let result = unsafe { init(ctx.get(), key.as_ptr(), key.len(), params.as_ptr()) };
        ok(lib, "EVP_MAC_init", result)?;
        Ok(Hmac { lib, ctx })
    }

    /// Authenticates a message under the scheduled key and gives the tag's length.
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
        let mut len = 0;
        // SAFETY: the context is valid and has a key, which a null key keeps; `out` has the room
        // that is said.
        let done = unsafe {
            init(ctx, ptr::null(), 0, ptr::null()) == 1
                && update(ctx, message.as_ptr(), message.len()) == 1
                && finish(ctx, out.as_mut_ptr(), &mut len, out.len()) == 1
        };
        ok(self.lib, "EVP_MAC_*", c_int::from(done))?;
        Ok(len)
    }
}

/// HKDF, both steps, with its digest chosen.
pub(crate) struct Hkdf {
    lib: Libcrypto,
    ctx: Owned<KdfCtx>,
}

impl Hkdf {
    pub(crate) fn new(lib: Libcrypto, digest: &CStr) -> Result<Self, String> {
        let f = lib.functions;
        // SAFETY: the default context, a name ended by NUL, no properties.
        let kdf =
            unsafe { newer(f.EVP_KDF_fetch)?(ptr::null_mut(), c"HKDF".as_ptr(), ptr::null()) };
        if kdf.is_null() {
            return Err(lib.failure("EVP_KDF_fetch"));
        }
        // SAFETY: the function is valid, and it lives as long as the process.
        let ctx = unsafe { newer(f.EVP_KDF_CTX_new)?(kdf) };
        let ctx = Owned::new(ctx, newer(f.EVP_KDF_CTX_free)?)
            .ok_or_else(|| lib.failure("EVP_KDF_CTX_new"))?;
        let mut hkdf = Hkdf { lib, ctx };
        let params = [
            Param::text(c"digest", digest),
            Param::octets(c"key", &[0; 32]),
            Param::END,
        ];
        // The context keeps the digest from its first use.
        hkdf.derive_with(&params, &mut [0; 16])?;
        Ok(hkdf)
    }

    #[inline]
    pub(crate) fn derive(
        &mut self,
        salt: &[u8],
        ikm: &[u8],
        info: &[u8],
        okm: &mut [u8],
    ) -> Result<(), String> {
        let params = [
            Param::octets(c"salt", salt),
            Param::octets(c"key", ikm),
            Param::octets(c"info", info),
            Param::END,
        ];
        self.derive_with(&params, okm)
    }

    fn derive_with(&mut self, params: &[Param], okm: &mut [u8]) -> Result<(), String> {
        let derive = newer(self.lib.functions.EVP_KDF_derive)?;
        // SAFETY: the context is valid; both callers end the parameters, whose data outlive the
        // call.
        let result =
            unsafe { derive(self.ctx.get(), okm.as_mut_ptr(), okm.len(), params.as_ptr()) };
        ok(self.lib, "EVP_KDF_derive", result)
    }
}
