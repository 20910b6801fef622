//! Keys, and what is done with them: generation, signatures of digests, agreement.

use std::ffi::{CStr, c_int, c_long};
use std::ptr;

use super::evp::{Owned, ok};
use super::load::{Libcrypto, Pkey, PkeyCtx};

/// Key types by their numbers (`NID`s).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyType {
    Ec = 408,
    X25519 = 1034,
    Ed25519 = 1087,
}

/// A key of any type.
pub(crate) struct Key {
    pub(super) lib: Libcrypto,
    pub(super) key: Owned<Pkey>,
}

impl Key {
    fn own(lib: Libcrypto, key: *mut Pkey, call: &str) -> Result<Self, String> {
        match Owned::new(key, lib.functions.EVP_PKEY_free) {
            Some(key) => Ok(Key { lib, key }),
            None => Err(lib.failure(call)),
        }
    }

    /// A private key in PKCS#8.
    pub(crate) fn private_der(lib: Libcrypto, der: &[u8]) -> Result<Self, String> {
        let mut start = der.as_ptr();
        let len = der.len() as c_long;
        // SAFETY: it reads at most `len` bytes from `start`, which it moves.
        let key = unsafe { (lib.functions.d2i_AutoPrivateKey)(ptr::null_mut(), &mut start, len) };
        Self::own(lib, key, "d2i_AutoPrivateKey")
    }

    /// A public key as `SubjectPublicKeyInfo`.
    pub(crate) fn public_der(lib: Libcrypto, der: &[u8]) -> Result<Self, String> {
        let mut start = der.as_ptr();
        let len = der.len() as c_long;
        // SAFETY: it reads at most `len` bytes from `start`, which it moves.
        let key = unsafe { (lib.functions.d2i_PUBKEY)(ptr::null_mut(), &mut start, len) };
        Self::own(lib, key, "d2i_PUBKEY")
    }

    pub(crate) fn private_raw(lib: Libcrypto, kind: KeyType, bytes: &[u8]) -> Result<Self, String> {
        let new = lib.functions.EVP_PKEY_new_raw_private_key;
        // SAFETY: it reads the slice.
        let key = unsafe { new(kind as c_int, ptr::null_mut(), bytes.as_ptr(), bytes.len()) };
        Self::own(lib, key, "EVP_PKEY_new_raw_private_key")
    }

    pub(crate) fn public_raw(lib: Libcrypto, kind: KeyType, bytes: &[u8]) -> Result<Self, String> {
        let new = lib.functions.EVP_PKEY_new_raw_public_key;
        // SAFETY: it reads the slice.
        let key = unsafe { new(kind as c_int, ptr::null_mut(), bytes.as_ptr(), bytes.len()) };
        Self::own(lib, key, "EVP_PKEY_new_raw_public_key")
    }

    /// The private and the public bytes of an Ed25519 or X25519 key.
    pub(crate) fn raw(&self) -> Result<([u8; 32], [u8; 32]), String> {
        let f = self.lib.functions;
        let (mut private, mut public) = ([0; 32], [0; 32]);
        let (mut private_len, mut public_len) = (private.len(), public.len());
        // SAFETY: the key is valid; the buffers have the room that is said.
        let done = unsafe {
            (f.EVP_PKEY_get_raw_private_key)(self.key.get(), private.as_mut_ptr(), &mut private_len)
                == 1
                && (f.EVP_PKEY_get_raw_public_key)(
                    self.key.get(),
                    public.as_mut_ptr(),
                    &mut public_len,
                ) == 1
        };
        ok(self.lib, "EVP_PKEY_get_raw_*_key", c_int::from(done))?;
        Ok((private, public))
    }

    /// The private key in its type's own DER; SEC 1 for elliptic curves.
    pub(crate) fn to_private_der(&self) -> Result<Vec<u8>, String> {
        let encode = self.lib.functions.i2d_PrivateKey;
        // SAFETY: the key is valid; without a place to write to it gives the length.
        let len = unsafe { encode(self.key.get(), ptr::null_mut()) };
        let len = usize::try_from(len).map_err(|_| self.lib.failure("i2d_PrivateKey"))?;
        let mut der = vec![0; len];
        let mut start = der.as_mut_ptr();
        // SAFETY: there is room for the length that it gave.
        let written = unsafe { encode(self.key.get(), &mut start) };
        ok(
            self.lib,
            "i2d_PrivateKey",
            c_int::from(usize::try_from(written) == Ok(len)),
        )?;
        Ok(der)
    }
}

/// A context of public-key operations.
struct KeyCtx {
    lib: Libcrypto,
    ctx: Owned<PkeyCtx>,
}

impl KeyCtx {
    /// A context that operates with a key, which it counts a reference to.
    fn of(key: &Key) -> Result<Self, String> {
        let f = key.lib.functions;
        // SAFETY: the key is valid.
        let ctx = unsafe { (f.EVP_PKEY_CTX_new)(key.key.get(), ptr::null_mut()) };
        Self::own(key.lib, ctx)
    }

    fn own(lib: Libcrypto, ctx: *mut PkeyCtx) -> Result<Self, String> {
        match Owned::new(ctx, lib.functions.EVP_PKEY_CTX_free) {
            Some(ctx) => Ok(KeyCtx { lib, ctx }),
            None => Err(lib.failure("EVP_PKEY_CTX_new")),
        }
    }
}

/// Generates keys of one type.
pub(crate) struct Generator(KeyCtx);

impl Generator {
    pub(crate) fn new(lib: Libcrypto, kind: KeyType, curve: Option<&CStr>) -> Result<Self, String> {
        let f = lib.functions;
        // SAFETY: it takes any number.
        let ctx = unsafe { (f.EVP_PKEY_CTX_new_id)(kind as c_int, ptr::null_mut()) };
        let ctx = KeyCtx::own(lib, ctx)?;
        // SAFETY: the context is valid.
        let result = unsafe { (f.EVP_PKEY_keygen_init)(ctx.ctx.get()) };
        ok(lib, "EVP_PKEY_keygen_init", result)?;
        if let Some(curve) = curve {
            let name = c"ec_paramgen_curve";
            // SAFETY: the context is valid, both strings end with NUL.
            let result =
                unsafe { (f.EVP_PKEY_CTX_ctrl_str)(ctx.ctx.get(), name.as_ptr(), curve.as_ptr()) };
            ok(lib, "EVP_PKEY_CTX_ctrl_str", result)?;
        }
        Ok(Generator(ctx))
    }

    #[inline]
    pub(crate) fn generate(&mut self) -> Result<Key, String> {
        let lib = self.0.lib;
        let mut key = ptr::null_mut();
        // SAFETY: the context is ready to generate; a null key asks for a new one.
        let result = unsafe { (lib.functions.EVP_PKEY_keygen)(self.0.ctx.get(), &mut key) };
        ok(lib, "EVP_PKEY_keygen", result)?;
        Key::own(lib, key, "EVP_PKEY_keygen")
    }
}

/// Signs digests.
pub(crate) struct DigestSigner(KeyCtx);

impl DigestSigner {
    pub(crate) fn new(key: &Key) -> Result<Self, String> {
        let ctx = KeyCtx::of(key)?;
        // SAFETY: the context is valid.
        let result = unsafe { (key.lib.functions.EVP_PKEY_sign_init)(ctx.ctx.get()) };
        ok(key.lib, "EVP_PKEY_sign_init", result)?;
        Ok(DigestSigner(ctx))
    }

    /// Signs and gives the signature's length.
    #[inline]
    pub(crate) fn sign(&mut self, digest: &[u8], out: &mut [u8]) -> Result<usize, String> {
        let lib = self.0.lib;
        let mut len = out.len();
        // SAFETY: the context is ready to sign; `out` has the room that is said.
        let result = unsafe {
            (lib.functions.EVP_PKEY_sign)(
                self.0.ctx.get(),
                out.as_mut_ptr(),
                &mut len,
                digest.as_ptr(),
                digest.len(),
            )
        };
        ok(lib, "EVP_PKEY_sign", result)?;
        Ok(len)
    }
}

/// Verifies signatures of digests.
pub(crate) struct DigestVerifier(KeyCtx);

impl DigestVerifier {
    pub(crate) fn new(key: &Key) -> Result<Self, String> {
        let ctx = KeyCtx::of(key)?;
        // SAFETY: the context is valid.
        let result = unsafe { (key.lib.functions.EVP_PKEY_verify_init)(ctx.ctx.get()) };
        ok(key.lib, "EVP_PKEY_verify_init", result)?;
        Ok(DigestVerifier(ctx))
    }

    #[inline]
    pub(crate) fn verify(&mut self, digest: &[u8], signature: &[u8]) -> bool {
        let lib = self.0.lib;
        // SAFETY: the context is ready to verify; it reads the slices.
        let result = unsafe {
            (lib.functions.EVP_PKEY_verify)(
                self.0.ctx.get(),
                signature.as_ptr(),
                signature.len(),
                digest.as_ptr(),
                digest.len(),
            )
        };
        ok(lib, "EVP_PKEY_verify", result).is_ok()
    }
}

/// Agrees on secrets with one peer.
pub(crate) struct Agreement(KeyCtx);

impl Agreement {
    pub(crate) fn new(key: &Key, peer: &Key) -> Result<Self, String> {
        let f = key.lib.functions;
        let ctx = KeyCtx::of(key)?;
        // SAFETY: the context is valid.
        let result = unsafe { (f.EVP_PKEY_derive_init)(ctx.ctx.get()) };
        ok(key.lib, "EVP_PKEY_derive_init", result)?;
        // SAFETY: the context is ready to derive; it counts a reference to the peer's key.
        let result = unsafe { (f.EVP_PKEY_derive_set_peer)(ctx.ctx.get(), peer.key.get()) };
        ok(key.lib, "EVP_PKEY_derive_set_peer", result)?;
        Ok(Agreement(ctx))
    }

    #[inline]
    pub(crate) fn derive(&mut self, out: &mut [u8; 32]) -> Result<(), String> {
        let lib = self.0.lib;
        let mut len = out.len();
        // SAFETY: the context is ready and has a peer; `out` has the room that is said.
        let result = unsafe {
            (lib.functions.EVP_PKEY_derive)(self.0.ctx.get(), out.as_mut_ptr(), &mut len)
        };
        ok(lib, "EVP_PKEY_derive", result)
    }
}
