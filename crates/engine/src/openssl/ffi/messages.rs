//! Signatures of whole messages, for algorithms that hash by themselves.

use std::ffi::c_int;
use std::ptr;

use super::evp::{Owned, new_md_ctx, ok};
use super::functions::{DigestKeyInit, MdCtx};
use super::keys::Key;
use super::load::Libcrypto;

/// The longest signature, that of SLH-DSA-SHA2-256f.
pub(crate) const MAX_SIGNATURE: usize = 49_856;

/// How a context is made ready again between two messages. What is the least that works differs
/// between versions: up to 3.3 nothing has to be done.
#[derive(Clone, Copy)]
enum Renewal {
    Nothing,
    SameKey,
    Anew,
}

/// A context with a key.
struct MessageCtx {
    ctx: Owned<MdCtx>,
    key: Key,
    /// `EVP_DigestSignInit` or `EVP_DigestVerifyInit`.
    init: DigestKeyInit,
    renewal: Renewal,
}

impl MessageCtx {
    fn new(key: Key, init: DigestKeyInit) -> Result<Self, String> {
        let mut ctx = MessageCtx {
            ctx: new_md_ctx(key.lib)?,
            key,
            init,
            renewal: Renewal::Anew,
        };
        ctx.renew()?;
        Ok(ctx)
    }

    fn lib(&self) -> Libcrypto {
        self.key.lib
    }

    #[inline]
    fn renew(&mut self) -> Result<(), String> {
        let key = match self.renewal {
            Renewal::Nothing => return Ok(()),
            Renewal::SameKey => ptr::null_mut(),
            Renewal::Anew => self.key.key.get(),
        };
        let (ctx, null) = (self.ctx.get(), ptr::null_mut());
        // SAFETY: the context is valid, the key too; a null key stands for the one it has.
        let result = unsafe { (self.init)(ctx, ptr::null_mut(), ptr::null(), null, key) };
        ok(self.lib(), "EVP_Digest*Init", result)
    }

    /// Finds the least renewal with which `works` does so twice in a row.
    fn settle(&mut self, works: &mut dyn FnMut(&mut Self) -> bool) -> Result<(), String> {
        for renewal in [Renewal::Nothing, Renewal::SameKey] {
            self.renewal = Renewal::Anew;
            self.renew()?;
            self.renewal = renewal;
            if works(self) && works(self) {
                return Ok(());
            }
        }
        self.renewal = Renewal::Anew;
        Ok(())
    }

    #[inline]
    fn sign(&mut self, message: &[u8], out: &mut [u8]) -> Result<usize, String> {
        self.renew()?;
        let mut len = out.len();
        // SAFETY: the context is ready to sign; `out` has the stated room.
        let result = unsafe {
            (self.lib().functions.EVP_DigestSign)(
                self.ctx.get(),
                out.as_mut_ptr(),
                &mut len,
                message.as_ptr(),
                message.len(),
            )
        };
        ok(self.lib(), "EVP_DigestSign", result)?;
        Ok(len)
    }

    #[inline]
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> bool {
        if self.renew().is_err() {
            return false;
        }
        // SAFETY: the context is ready to verify; it reads the slices.
        let result: c_int = unsafe {
            (self.lib().functions.EVP_DigestVerify)(
                self.ctx.get(),
                signature.as_ptr(),
                signature.len(),
                message.as_ptr(),
                message.len(),
            )
        };
        ok(self.lib(), "EVP_DigestVerify", result).is_ok()
    }
}

/// Signs messages.
pub(crate) struct MessageSigner(MessageCtx);

impl MessageSigner {
    /// Finds out how it is made ready again unless signatures take `long`, so that nothing is
    /// gained.
    pub(crate) fn new(key: Key, long: bool) -> Result<Self, String> {
        let init = key.lib.functions.EVP_DigestSignInit;
        let mut ctx = MessageCtx::new(key, init)?;
        if !long {
            let mut out = vec![0; MAX_SIGNATURE];
            let mut works = |ctx: &mut MessageCtx| ctx.sign(b"", &mut out).is_ok();
            ctx.settle(&mut works)?;
        }
        Ok(MessageSigner(ctx))
    }

    /// Signs and gives the signature's length.
    #[inline]
    pub(crate) fn sign(&mut self, message: &[u8], out: &mut [u8]) -> Result<usize, String> {
        self.0.sign(message, out)
    }
}

/// Verifies signatures of messages.
pub(crate) struct MessageVerifier(MessageCtx);

impl MessageVerifier {
    /// A verifier of one signature.
    #[inline]
    pub(crate) fn once(key: Key) -> Result<Self, String> {
        let init = key.lib.functions.EVP_DigestVerifyInit;
        let mut ctx = MessageCtx::new(key, init)?;
        ctx.renewal = Renewal::Nothing;
        Ok(MessageVerifier(ctx))
    }

    /// A verifier of many, which tries out on one that holds how it is made ready again.
    pub(crate) fn new(key: Key, message: &[u8], signature: &[u8]) -> Result<Self, String> {
        let mut verifier = Self::once(key)?;
        let mut works = |ctx: &mut MessageCtx| ctx.verify(message, signature);
        verifier.0.settle(&mut works)?;
        Ok(verifier)
    }

    #[inline]
    pub(crate) fn verify(&mut self, message: &[u8], signature: &[u8]) -> bool {
        self.0.verify(message, signature)
    }
}
