//! What is used of kctsb 5.1.0, by its headers.

use std::ffi::{c_char, c_int, c_void};

/// Room for a `kctsb_aes_ctx_t`, which has 248 bytes.
#[repr(C, align(16))]
pub(crate) struct AesKey([u64; 64]);

impl AesKey {
    pub(crate) fn new() -> Box<Self> {
        Box::new(AesKey([0; 64]))
    }
    pub(crate) fn place(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }
    pub(crate) fn get(&self) -> *const c_void {
        self.0.as_ptr().cast()
    }
}

/// `(data, len, digest)`; some give a `kctsb_error_t`, which is then left alone: they fail only for
/// null pointers.
pub(crate) type Digest = unsafe extern "C" fn(*const u8, usize, *mut u8);
/// `(data, len, output, output_len)`.
pub(crate) type LongDigest = unsafe extern "C" fn(*const u8, usize, *mut u8, usize);
/// `(key, key_len, data, len, mac)`.
pub(crate) type Hmac = unsafe extern "C" fn(*const u8, usize, *const u8, usize, *mut u8);
/// `(key, data, len, mac)`.
pub(crate) type Mac = unsafe extern "C" fn(*const u8, *const u8, usize, *mut u8);
/// `(key, nonce, aad, aad_len, message, len, ciphertext, tag)`.
pub(crate) type Seal = unsafe extern "C" fn(
    *const u8,
    *const u8,
    *const u8,
    usize,
    *const u8,
    usize,
    *mut u8,
    *mut u8,
) -> c_int;
/// `(key, nonce, aad, aad_len, ciphertext, len, tag, message)`.
pub(crate) type Open = unsafe extern "C" fn(
    *const u8,
    *const u8,
    *const u8,
    usize,
    *const u8,
    usize,
    *const u8,
    *mut u8,
) -> c_int;

macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)+) => {
        unsafe extern "C" { $(
            pub(crate) fn $name($(_: $argument),*) $(-> $result)?;
        )+ }
    };
}

type Bytes = *const u8;
type Place = *mut u8;

functions! {
    kctsb_version() -> *const c_char;

    kctsb_sha256(Bytes, usize, Place);
    kctsb_sha512(Bytes, usize, Place);
    kctsb_sha3_256(Bytes, usize, Place);
    kctsb_sha3_512(Bytes, usize, Place);
    kctsb_sm3(Bytes, usize, Place);
    kctsb_shake128(Bytes, usize, Place, usize);
    kctsb_shake256(Bytes, usize, Place, usize);
    kctsb_blake2b(Bytes, usize, Place, usize);

    kctsb_hmac_sha256(Bytes, usize, Bytes, usize, Place);
    kctsb_hmac_sha512(Bytes, usize, Bytes, usize, Place);
    kctsb_cmac_aes(Bytes, Bytes, usize, Place);
    kctsb_poly1305(Bytes, Bytes, usize, Place);
    kctsb_gmac(Bytes, Bytes, usize, Bytes, usize, Place);

    kctsb_aes_init(*mut c_void, Bytes, usize) -> c_int;
    kctsb_aes_gcm_encrypt(*const c_void, Bytes, usize, Bytes, usize, Bytes, usize, Place, Place) -> c_int;
    kctsb_aes_gcm_decrypt(*const c_void, Bytes, usize, Bytes, usize, Bytes, usize, Bytes, Place) -> c_int;
    kctsb_chacha20(Bytes, Bytes, u32, Bytes, usize, Place) -> c_int;
    kctsb_chacha20_poly1305_encrypt(Bytes, Bytes, Bytes, usize, Bytes, usize, Place, Place) -> c_int;
    kctsb_chacha20_poly1305_decrypt(Bytes, Bytes, Bytes, usize, Bytes, usize, Bytes, Place) -> c_int;
    kctsb_sm4_gcm_encrypt_oneshot(Bytes, Bytes, Bytes, usize, Bytes, usize, Place, Place) -> c_int;
    kctsb_sm4_gcm_decrypt_oneshot(Bytes, Bytes, Bytes, usize, Bytes, usize, Bytes, Place) -> c_int;
}
