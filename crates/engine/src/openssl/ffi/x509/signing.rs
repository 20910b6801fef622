//! How an authority signs and verifies: with which digest, and of SM2 under which identity.
//!
//! OpenSSL's functions for certificates take the empty identity where none is said, and for lists
//! and responses there is no other way to say one than a context that was made ready before.

use std::ffi::{CStr, c_int};
use std::ptr;

use super::super::evp::{Owned, new_md_ctx, ok};
use super::super::functions::{DigestKeyInit, Md, MdCtx, Pkey};
use super::super::keys::Key;
use super::super::load::Libcrypto;
use super::super::symmetric::find_digest;
use super::functions::Text;
use super::{functions, positive};

/// A signature scheme, beside its key.
#[derive(Clone, Copy)]
pub(in super::super::super) struct Signing {
    /// Null of schemes that hash by themselves.
    digest: *const Md,
    /// That of SM2.
    pub(super) identity: Option<&'static CStr>,
}

// SAFETY: nothing changes a digest that was found.
unsafe impl Send for Signing {}
// SAFETY: as above.
unsafe impl Sync for Signing {}

impl Signing {
    /// A scheme with this digest, none where it hashes by itself, and this identity, where it is
    /// SM2.
    pub(in super::super::super) fn new(
        lib: Libcrypto,
        digest: Option<&CStr>,
        identity: Option<&'static CStr>,
    ) -> Result<Self, String> {
        let digest = digest.map_or(Ok(ptr::null()), |name| find_digest(lib, name))?;
        Ok(Signing { digest, identity })
    }

    /// A context with this key and identity, made ready by `init`.
    fn context(
        self,
        key: &Key,
        identity: &CStr,
        init: DigestKeyInit,
    ) -> Result<Owned<MdCtx>, String> {
        let (lib, ctx, mut key_ctx) = (key.lib, new_md_ctx(key.lib)?, ptr::null_mut());
        let (pkey, none) = (key.key.get(), ptr::null_mut());
        // SAFETY: all pointers are valid; the context keeps what `key_ctx` gets.
        let ready = unsafe { init(ctx.get(), &mut key_ctx, self.digest, none, pkey) };
        ok(lib, "EVP_Digest*Init", ready)?;
        let set = lib.functions.EVP_PKEY_CTX_ctrl_str;
        // SAFETY: the context is ready; both strings end with NUL.
        let result = unsafe { set(key_ctx, c"distid".as_ptr(), identity.as_ptr()) };
        ok(lib, "EVP_PKEY_CTX_ctrl_str", result)?;
        Ok(ctx)
    }

    /// Signs by the call with a key and a digest, or by the one with a context where there is an
    /// identity.
    pub(super) fn sign(
        self,
        key: &Key,
        call: &str,
        plain: impl FnOnce(*mut Pkey, *const Md) -> c_int,
        identified: impl FnOnce(*mut MdCtx) -> c_int,
    ) -> Result<(), String> {
        let signed = match self.identity {
            None => plain(key.key.get(), self.digest),
            Some(identity) => {
                let init = key.lib.functions.EVP_DigestSignInit;
                identified(self.context(key, identity, init)?.get())
            }
        };
        positive(key.lib, call, signed)
    }

    /// Whether the signature holds, under this identity.
    ///
    /// # Safety
    /// The signature has to be null or valid.
    pub(super) unsafe fn verify(
        self,
        key: &Key,
        identity: &CStr,
        tbs: &[u8],
        signature: *const Text,
    ) -> Result<c_int, String> {
        let (lib, f) = (key.lib, functions(key.lib)?);
        let init = lib.functions.EVP_DigestVerifyInit;
        let ctx = self.context(key, identity, init)?;
        if signature.is_null() {
            return Ok(0);
        }
        // SAFETY: the signature is valid and has as many octets as it says; the context is ready.
        Ok(unsafe {
            (lib.functions.EVP_DigestVerify)(
                ctx.get(),
                (f.ASN1_STRING_get0_data)(signature),
                usize::try_from((f.ASN1_STRING_length)(signature)).unwrap_or(0),
                tbs.as_ptr(),
                tbs.len(),
            )
        })
    }
}
