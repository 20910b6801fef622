//! Keys, and what is done with them: generation, signatures of digests, agreement, encryption,
//! encapsulation.

use std::ffi::{CStr, c_int, c_long};
use std::ptr;

use super::evp::{Owned, newer, ok, to_der};
use super::functions::{Pkey, PkeyCtx};
use super::load::Libcrypto;
use super::numbers::Number;
use super::params::Params;

/// A type of keys by its name and, where versions before 3.0 have it, by its number (`NID`).
#[derive(Clone, Copy)]
pub(crate) struct KeyType {
    pub(crate) name: &'static CStr,
    nid: c_int,
}

impl KeyType {
    pub(crate) const RSA: KeyType = KeyType::old(c"RSA", 6);
    pub(crate) const EC: KeyType = KeyType::old(c"EC", 408);
    pub(crate) const X25519: KeyType = KeyType::old(c"X25519", 1034);
    pub(crate) const X448: KeyType = KeyType::old(c"X448", 1035);
    pub(crate) const ED25519: KeyType = KeyType::old(c"ED25519", 1087);
    pub(crate) const ED448: KeyType = KeyType::old(c"ED448", 1088);
    pub(crate) const DH: KeyType = KeyType::named(c"DH");
    pub(crate) const SM2: KeyType = KeyType::named(c"SM2");

    const fn old(name: &'static CStr, nid: c_int) -> Self {
        KeyType { name, nid }
    }

    /// One that only versions from 3.0 on have.
    pub(crate) const fn named(name: &'static CStr) -> Self {
        KeyType { name, nid: 0 }
    }
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

    /// A private key in PKCS#8 or its type's own DER.
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

    /// A public key of RSA in PKCS#1.
    pub(crate) fn public_pkcs1(lib: Libcrypto, der: &[u8]) -> Result<Self, String> {
        let mut start = der.as_ptr();
        let (rsa, len) = (KeyType::RSA.nid, der.len() as c_long);
        // SAFETY: it reads at most `len` bytes from `start`, which it moves.
        let key = unsafe { (lib.functions.d2i_PublicKey)(rsa, ptr::null_mut(), &mut start, len) };
        Self::own(lib, key, "d2i_PublicKey")
    }

    pub(crate) fn private_raw(lib: Libcrypto, kind: KeyType, bytes: &[u8]) -> Result<Self, String> {
        let f = lib.functions;
        let (start, len) = (bytes.as_ptr(), bytes.len());
        // SAFETY: the name is ended by NUL; it reads the slice.
        let key = unsafe {
            match kind.nid {
                0 => {
                    let new = newer(f.EVP_PKEY_new_raw_private_key_ex)?;
                    new(ptr::null_mut(), kind.name.as_ptr(), ptr::null(), start, len)
                }
                nid => (f.EVP_PKEY_new_raw_private_key)(nid, ptr::null_mut(), start, len),
            }
        };
        Self::own(lib, key, "EVP_PKEY_new_raw_private_key")
    }

    pub(crate) fn public_raw(lib: Libcrypto, kind: KeyType, bytes: &[u8]) -> Result<Self, String> {
        let f = lib.functions;
        let (start, len) = (bytes.as_ptr(), bytes.len());
        // SAFETY: the name is ended by NUL; it reads the slice.
        let key = unsafe {
            match kind.nid {
                0 => {
                    let new = newer(f.EVP_PKEY_new_raw_public_key_ex)?;
                    new(ptr::null_mut(), kind.name.as_ptr(), ptr::null(), start, len)
                }
                nid => (f.EVP_PKEY_new_raw_public_key)(nid, ptr::null_mut(), start, len),
            }
        };
        Self::own(lib, key, "EVP_PKEY_new_raw_public_key")
    }

    /// A key of named parts; with `pair` the private one is among them.
    pub(crate) fn of_parts(
        lib: Libcrypto,
        kind: KeyType,
        parts: &Params,
        pair: bool,
    ) -> Result<Self, String> {
        /// `EVP_PKEY_PUBLIC_KEY` and `EVP_PKEY_KEYPAIR`.
        const SELECTIONS: [c_int; 2] = [0x86, 0x87];
        let f = lib.functions;
        let ctx = KeyCtx::of_type(lib, kind)?;
        // SAFETY: the context is valid.
        let result = unsafe { newer(f.EVP_PKEY_fromdata_init)?(ctx.ctx.get()) };
        ok(lib, "EVP_PKEY_fromdata_init", result)?;
        let mut key = ptr::null_mut();
        let selection = SELECTIONS[usize::from(pair)];
        let make = newer(f.EVP_PKEY_fromdata)?;
        // SAFETY: the context is ready; the parameters are ended; null asks for a new key.
        let result = unsafe { make(ctx.ctx.get(), &mut key, selection, parts.as_ptr()) };
        ok(lib, "EVP_PKEY_fromdata", result)?;
        Self::own(lib, key, "EVP_PKEY_fromdata")
    }

    /// The private and the public bytes of a key whose type has such.
    pub(crate) fn raw(&self) -> Result<[Vec<u8>; 2], String> {
        let f = self.lib.functions;
        let read = |get: unsafe extern "C" fn(*const Pkey, *mut u8, *mut usize) -> c_int| {
            let mut len = 0;
            // SAFETY: the key is valid; without a place to write to it gives the length.
            let told = unsafe { get(self.key.get(), ptr::null_mut(), &mut len) };
            ok(self.lib, "EVP_PKEY_get_raw_*_key", told)?;
            let mut bytes = vec![0; len];
            // SAFETY: the key is valid; the buffer has the stated room.
            let done = unsafe { get(self.key.get(), bytes.as_mut_ptr(), &mut len) };
            ok(self.lib, "EVP_PKEY_get_raw_*_key", done)?;
            bytes.truncate(len);
            Ok::<_, String>(bytes)
        };
        Ok([
            read(f.EVP_PKEY_get_raw_private_key)?,
            read(f.EVP_PKEY_get_raw_public_key)?,
        ])
    }

    /// The seed that the key was made from, where it has one.
    pub(crate) fn seed(&self) -> Option<Vec<u8>> {
        let get = self.lib.functions.EVP_PKEY_get_octet_string_param?;
        let (mut seed, mut len) = (vec![0; 64], 0);
        let (key, name) = (self.key.get(), c"seed");
        // SAFETY: the key is valid; the buffer has the stated room.
        let found = unsafe { get(key, name.as_ptr(), seed.as_mut_ptr(), seed.len(), &mut len) };
        if found != 1 {
            self.lib.failure("EVP_PKEY_get_octet_string_param");
            return None;
        }
        seed.truncate(len);
        Some(seed)
    }

    /// A number among its parts, at this length.
    pub(crate) fn number(&self, name: &CStr, len: usize) -> Result<Vec<u8>, String> {
        let get = newer(self.lib.functions.EVP_PKEY_get_bn_param)?;
        let mut bn = ptr::null_mut();
        // SAFETY: the key is valid, the name ended by NUL; null asks for a new number.
        let result = unsafe { get(self.key.get(), name.as_ptr(), &mut bn) };
        ok(self.lib, "EVP_PKEY_get_bn_param", result)?;
        Number::own(self.lib, bn)?.to_bytes(len)
    }

    /// The private key in its type's own DER: PKCS#1, or SEC 1 for elliptic curves.
    pub(crate) fn to_private_der(&self) -> Result<Vec<u8>, String> {
        self.encode(self.lib.functions.i2d_PrivateKey)
    }

    /// The public key in its type's own form: PKCS#1, or a point.
    pub(crate) fn to_public_der(&self) -> Result<Vec<u8>, String> {
        self.encode(self.lib.functions.i2d_PublicKey)
    }

    fn encode(
        &self,
        encode: unsafe extern "C" fn(*const Pkey, *mut *mut u8) -> c_int,
    ) -> Result<Vec<u8>, String> {
        // SAFETY: the key is valid, and this is a function of its type.
        unsafe { to_der(self.lib, "i2d_*Key", self.key.get(), encode) }
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

    fn of_type(lib: Libcrypto, kind: KeyType) -> Result<Self, String> {
        let f = lib.functions;
        // SAFETY: it takes any number, or a name ended by NUL.
        let ctx = unsafe {
            match kind.nid {
                0 => {
                    let new = newer(f.EVP_PKEY_CTX_new_from_name)?;
                    new(ptr::null_mut(), kind.name.as_ptr(), ptr::null())
                }
                nid => (f.EVP_PKEY_CTX_new_id)(nid, ptr::null_mut()),
            }
        };
        Self::own(lib, ctx)
    }

    fn own(lib: Libcrypto, ctx: *mut PkeyCtx) -> Result<Self, String> {
        match Owned::new(ctx, lib.functions.EVP_PKEY_CTX_free) {
            Some(ctx) => Ok(KeyCtx { lib, ctx }),
            None => Err(lib.failure("EVP_PKEY_CTX_new")),
        }
    }

    /// Makes it ready for an operation.
    fn ready(
        self,
        call: &str,
        init: unsafe extern "C" fn(*mut PkeyCtx) -> c_int,
        settings: &[Setting],
    ) -> Result<Self, String> {
        // SAFETY: the context is valid.
        let result = unsafe { init(self.ctx.get()) };
        ok(self.lib, call, result)?;
        for (name, value) in settings {
            let set = self.lib.functions.EVP_PKEY_CTX_ctrl_str;
            // SAFETY: the context is valid, both strings end with NUL.
            let result = unsafe { set(self.ctx.get(), name.as_ptr(), value.as_ptr()) };
            ok(self.lib, "EVP_PKEY_CTX_ctrl_str", result)?;
        }
        Ok(self)
    }

    /// Does what takes bytes and gives bytes, and tells how many.
    #[inline]
    fn turn(
        &mut self,
        call: &str,
        function: Turn,
        input: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        let mut len = out.len();
        let (start, room) = (out.as_mut_ptr(), &mut len);
        // SAFETY: the context is ready for it; `out` has the stated room.
        let result = unsafe { function(self.ctx.get(), start, room, input.as_ptr(), input.len()) };
        ok(self.lib, call, result)?;
        Ok(len)
    }
}

/// An option of an operation and its value, by names.
pub(crate) type Setting = (&'static CStr, &'static CStr);

type Turn = unsafe extern "C" fn(*mut PkeyCtx, *mut u8, *mut usize, *const u8, usize) -> c_int;

/// Generates keys of one type.
pub(crate) struct Generator(KeyCtx);

impl Generator {
    pub(crate) fn new(
        lib: Libcrypto,
        kind: KeyType,
        settings: &[Setting],
        group: Option<&CStr>,
    ) -> Result<Self, String> {
        let f = lib.functions;
        let ctx = KeyCtx::of_type(lib, kind)?;
        let ctx = ctx.ready("EVP_PKEY_keygen_init", f.EVP_PKEY_keygen_init, settings)?;
        if let Some(group) = group {
            let params = Params::new().text(c"group", group);
            let set = newer(f.EVP_PKEY_CTX_set_params)?;
            // SAFETY: the context is ready to generate; the parameters are ended.
            let result = unsafe { set(ctx.ctx.get(), params.as_ptr()) };
            ok(lib, "EVP_PKEY_CTX_set_params", result)?;
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
    pub(crate) fn new(key: &Key, settings: &[Setting]) -> Result<Self, String> {
        let init = key.lib.functions.EVP_PKEY_sign_init;
        let ctx = KeyCtx::of(key)?.ready("EVP_PKEY_sign_init", init, settings)?;
        Ok(DigestSigner(ctx))
    }

    /// Signs and gives the signature's length.
    #[inline]
    pub(crate) fn sign(&mut self, digest: &[u8], out: &mut [u8]) -> Result<usize, String> {
        let sign = self.0.lib.functions.EVP_PKEY_sign;
        self.0.turn("EVP_PKEY_sign", sign, digest, out)
    }
}

/// Verifies signatures of digests.
pub(crate) struct DigestVerifier(KeyCtx);

impl DigestVerifier {
    pub(crate) fn new(key: &Key, settings: &[Setting]) -> Result<Self, String> {
        let init = key.lib.functions.EVP_PKEY_verify_init;
        let ctx = KeyCtx::of(key)?.ready("EVP_PKEY_verify_init", init, settings)?;
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

/// Encrypts with a public key or decrypts with a private one.
pub(crate) struct KeyCipher(KeyCtx, &'static str, Turn);

impl KeyCipher {
    pub(crate) fn encrypt(key: &Key, settings: &[Setting]) -> Result<Self, String> {
        let f = key.lib.functions;
        let init = f.EVP_PKEY_encrypt_init;
        let ctx = KeyCtx::of(key)?.ready("EVP_PKEY_encrypt_init", init, settings)?;
        Ok(KeyCipher(ctx, "EVP_PKEY_encrypt", f.EVP_PKEY_encrypt))
    }

    pub(crate) fn decrypt(key: &Key, settings: &[Setting]) -> Result<Self, String> {
        let f = key.lib.functions;
        let init = f.EVP_PKEY_decrypt_init;
        let ctx = KeyCtx::of(key)?.ready("EVP_PKEY_decrypt_init", init, settings)?;
        Ok(KeyCipher(ctx, "EVP_PKEY_decrypt", f.EVP_PKEY_decrypt))
    }

    /// Gives the length of what came out.
    #[inline]
    pub(crate) fn run(&mut self, input: &[u8], out: &mut [u8]) -> Result<usize, String> {
        self.0.turn(self.1, self.2, input, out)
    }
}

/// Agrees on secrets with one peer.
pub(crate) struct Agreement(KeyCtx);

impl Agreement {
    pub(crate) fn new(key: &Key, peer: &Key, settings: &[Setting]) -> Result<Self, String> {
        let f = key.lib.functions;
        let init = f.EVP_PKEY_derive_init;
        let ctx = KeyCtx::of(key)?.ready("EVP_PKEY_derive_init", init, settings)?;
        // SAFETY: the context is ready to derive; it counts a reference to the peer's key.
        let result = unsafe { (f.EVP_PKEY_derive_set_peer)(ctx.ctx.get(), peer.key.get()) };
        ok(key.lib, "EVP_PKEY_derive_set_peer", result)?;
        Ok(Agreement(ctx))
    }

    /// Gives the secret's length.
    #[inline]
    pub(crate) fn derive(&mut self, out: &mut [u8]) -> Result<usize, String> {
        let lib = self.0.lib;
        let mut len = out.len();
        // SAFETY: the context is ready and has a peer; `out` has the stated room.
        let result = unsafe {
            (lib.functions.EVP_PKEY_derive)(self.0.ctx.get(), out.as_mut_ptr(), &mut len)
        };
        ok(lib, "EVP_PKEY_derive", result)?;
        Ok(len)
    }
}

/// Encapsulates to a public key.
pub(crate) struct Encapsulator(KeyCtx);

impl Encapsulator {
    pub(crate) fn new(key: &Key) -> Result<Self, String> {
        let ctx = KeyCtx::of(key)?;
        let init = newer(key.lib.functions.EVP_PKEY_encapsulate_init)?;
        // SAFETY: the context is valid; no parameters.
        let result = unsafe { init(ctx.ctx.get(), ptr::null()) };
        ok(key.lib, "EVP_PKEY_encapsulate_init", result)?;
        Ok(Encapsulator(ctx))
    }

    /// Gives the lengths of ciphertext and secret.
    #[inline]
    pub(crate) fn run(
        &mut self,
        ciphertext: &mut [u8],
        secret: &mut [u8],
    ) -> Result<[usize; 2], String> {
        let lib = self.0.lib;
        let encapsulate = newer(lib.functions.EVP_PKEY_encapsulate)?;
        let [mut ciphertext_len, mut secret_len] = [ciphertext.len(), secret.len()];
        let (start, room) = (ciphertext.as_mut_ptr(), &mut ciphertext_len);
        let (secret, secret_room) = (secret.as_mut_ptr(), &mut secret_len);
        // SAFETY: the context is ready; both slices have the stated room.
        let result = unsafe { encapsulate(self.0.ctx.get(), start, room, secret, secret_room) };
        ok(lib, "EVP_PKEY_encapsulate", result)?;
        Ok([ciphertext_len, secret_len])
    }
}

/// Decapsulates with a private key.
pub(crate) struct Decapsulator(KeyCtx);

impl Decapsulator {
    pub(crate) fn new(key: &Key) -> Result<Self, String> {
        let ctx = KeyCtx::of(key)?;
        let init = newer(key.lib.functions.EVP_PKEY_decapsulate_init)?;
        // SAFETY: the context is valid; no parameters.
        let result = unsafe { init(ctx.ctx.get(), ptr::null()) };
        ok(key.lib, "EVP_PKEY_decapsulate_init", result)?;
        Ok(Decapsulator(ctx))
    }

    /// Gives the secret's length.
    #[inline]
    pub(crate) fn run(&mut self, ciphertext: &[u8], secret: &mut [u8]) -> Result<usize, String> {
        let decapsulate = newer(self.0.lib.functions.EVP_PKEY_decapsulate)?;
        self.0
            .turn("EVP_PKEY_decapsulate", decapsulate, ciphertext, secret)
    }
}
