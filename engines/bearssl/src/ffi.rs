//! What is used of BearSSL 0.6, by its headers.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// Room for any context of the library: the longest has 400 bytes (of DES in CBC).
#[repr(C, align(16))]
pub(crate) struct Context(pub(crate) [u64; 64]);

impl Context {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Context([0; 64]))
    }
    pub(crate) fn place(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }
}

/// `br_hash_class`.
#[repr(C)]
pub(crate) struct HashClass {
    pub(crate) context_size: usize,
    pub(crate) desc: u32,
    pub(crate) init: unsafe extern "C" fn(*mut c_void),
    pub(crate) update: unsafe extern "C" fn(*mut c_void, *const u8, usize),
    pub(crate) out: unsafe extern "C" fn(*const c_void, *mut u8),
    state: usize,
    set_state: usize,
}

/// `br_block_cbcenc_class`, `br_block_cbcdec_class`.
#[repr(C)]
pub(crate) struct CbcClass {
    pub(crate) context_size: usize,
    pub(crate) block_size: c_uint,
    pub(crate) log_block_size: c_uint,
    pub(crate) init: unsafe extern "C" fn(*mut c_void, *const u8, usize),
    pub(crate) run: unsafe extern "C" fn(*const c_void, *mut u8, *mut u8, usize),
}

/// `br_block_ctr_class`.
#[repr(C)]
pub(crate) struct CtrClass {
    pub(crate) context_size: usize,
    pub(crate) block_size: c_uint,
    pub(crate) log_block_size: c_uint,
    pub(crate) init: unsafe extern "C" fn(*mut c_void, *const u8, usize),
    pub(crate) run: unsafe extern "C" fn(*const c_void, *const u8, u32, *mut u8, usize) -> u32,
}

/// `br_block_ctrcbc_class`.
#[repr(C)]
pub(crate) struct CtrCbcClass {
    pub(crate) context_size: usize,
    pub(crate) block_size: c_uint,
    pub(crate) log_block_size: c_uint,
    pub(crate) init: unsafe extern "C" fn(*mut c_void, *const u8, usize),
    functions: [usize; 4],
}

pub(crate) type Ghash = unsafe extern "C" fn(*mut u8, *const u8, *const u8, usize);
pub(crate) type ChaCha20 = unsafe extern "C" fn(*const u8, *const u8, u32, *mut u8, usize) -> u32;
pub(crate) type Poly1305 = unsafe extern "C" fn(
    *const u8,
    *const u8,
    *mut u8,
    usize,
    *const u8,
    usize,
    *mut u8,
    ChaCha20,
    c_int,
);

/// `br_ec_impl`.
#[repr(C)]
pub(crate) struct Ec {
    pub(crate) curves: u32,
    generator: usize,
    order: usize,
    pub(crate) xoff: unsafe extern "C" fn(c_int, *mut usize) -> usize,
    pub(crate) mul: unsafe extern "C" fn(*mut u8, usize, *const u8, usize, c_int) -> u32,
    pub(crate) mulgen: unsafe extern "C" fn(*mut u8, *const u8, usize, c_int) -> usize,
    muladd: usize,
}

/// `br_ec_public_key`, `br_ec_private_key`.
#[repr(C)]
pub(crate) struct EcKey {
    pub(crate) curve: c_int,
    pub(crate) start: *const u8,
    pub(crate) len: usize,
}

pub(crate) type EcdsaSign =
    unsafe extern "C" fn(*const Ec, *const HashClass, *const u8, *const EcKey, *mut u8) -> usize;
pub(crate) type EcdsaVerify =
    unsafe extern "C" fn(*const Ec, *const u8, usize, *const EcKey, *const u8, usize) -> u32;

/// A number: where it lies, and its bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Number {
    pub(crate) start: *const u8,
    pub(crate) len: usize,
}

impl Number {
    pub(crate) const NONE: Number = Number {
        start: std::ptr::null(),
        len: 0,
    };
}

/// `br_rsa_public_key`: `n`, `e`.
#[repr(C)]
pub(crate) struct RsaPublic {
    pub(crate) numbers: [Number; 2],
}

/// `br_rsa_private_key`: `p`, `q`, `dp`, `dq`, `iq`.
#[repr(C)]
pub(crate) struct RsaPrivate {
    pub(crate) bits: u32,
    pub(crate) numbers: [Number; 5],
}

pub(crate) type RsaSign =
    unsafe extern "C" fn(*const u8, *const u8, usize, *const RsaPrivate, *mut u8) -> u32;
pub(crate) type RsaVerify =
    unsafe extern "C" fn(*const u8, usize, *const u8, usize, *const RsaPublic, *mut u8) -> u32;
pub(crate) type OaepEncrypt = unsafe extern "C" fn(
    *mut c_void,
    *const HashClass,
    *const u8,
    usize,
    *const RsaPublic,
    *mut u8,
    usize,
    *const u8,
    usize,
) -> usize;
pub(crate) type OaepDecrypt = unsafe extern "C" fn(
    *const HashClass,
    *const u8,
    usize,
    *const RsaPrivate,
    *mut u8,
    *mut usize,
) -> u32;
pub(crate) type RsaKeygen = unsafe extern "C" fn(
    *mut c_void,
    *mut RsaPrivate,
    *mut u8,
    *mut RsaPublic,
    *mut u8,
    c_uint,
    u32,
) -> u32;
pub(crate) type RsaExponent = unsafe extern "C" fn(*mut u8, *const RsaPrivate, u32) -> usize;

/// `br_tls_prf_seed_chunk`.
pub(crate) type Prf =
    unsafe extern "C" fn(*mut u8, usize, *const u8, usize, *const c_char, usize, *const Number);

macro_rules! statics {
    ($($type:ty: $($name:ident)+;)+) => {
        unsafe extern "C" { $($(pub(crate) static $name: $type;)+)+ }
    };
}
statics! {
    HashClass: br_md5_vtable br_sha1_vtable br_sha224_vtable br_sha256_vtable br_sha384_vtable
        br_sha512_vtable;
    CbcClass: br_aes_big_cbcenc_vtable br_aes_big_cbcdec_vtable br_aes_small_cbcenc_vtable
        br_aes_small_cbcdec_vtable br_aes_ct_cbcenc_vtable br_aes_ct_cbcdec_vtable
        br_aes_ct64_cbcenc_vtable br_aes_ct64_cbcdec_vtable br_des_tab_cbcenc_vtable
        br_des_tab_cbcdec_vtable br_des_ct_cbcenc_vtable br_des_ct_cbcdec_vtable;
    CtrClass: br_aes_big_ctr_vtable br_aes_small_ctr_vtable br_aes_ct_ctr_vtable
        br_aes_ct64_ctr_vtable;
    CtrCbcClass: br_aes_big_ctrcbc_vtable br_aes_small_ctrcbc_vtable br_aes_ct_ctrcbc_vtable
        br_aes_ct64_ctrcbc_vtable;
    Ec: br_ec_all_m15 br_ec_all_m31;
}

macro_rules! like {
    ($($type:ty: $($name:ident)+;)+) => {
        /// Functions that give a function or a table where the CPU has what it needs.
        pub(crate) mod get {
            use super::*;
            unsafe extern "C" { $($(pub(crate) fn $name() -> $type;)+)+ }
        }
    };
}
like! {
    *const CbcClass: br_aes_x86ni_cbcenc_get_vtable br_aes_x86ni_cbcdec_get_vtable
        br_aes_pwr8_cbcenc_get_vtable br_aes_pwr8_cbcdec_get_vtable;
    *const CtrClass: br_aes_x86ni_ctr_get_vtable br_aes_pwr8_ctr_get_vtable;
    *const CtrCbcClass: br_aes_x86ni_ctrcbc_get_vtable br_aes_pwr8_ctrcbc_get_vtable;
    Option<Ghash>: br_ghash_pclmul_get br_ghash_pwr8_get;
    Option<Poly1305>: br_poly1305_ctmulq_get;
    Option<RsaSign>: br_rsa_i62_pkcs1_sign_get;
    Option<RsaVerify>: br_rsa_i62_pkcs1_vrfy_get;
    Option<OaepEncrypt>: br_rsa_i62_oaep_encrypt_get;
    Option<OaepDecrypt>: br_rsa_i62_oaep_decrypt_get;
    Option<RsaKeygen>: br_rsa_i62_keygen_get;
}

unsafe extern "C" {
    pub(crate) fn br_ghash_ctmul(y: *mut u8, h: *const u8, data: *const u8, len: usize);
    pub(crate) fn br_ghash_ctmul32(y: *mut u8, h: *const u8, data: *const u8, len: usize);
    pub(crate) fn br_ghash_ctmul64(y: *mut u8, h: *const u8, data: *const u8, len: usize);
    pub(crate) fn br_chacha20_ct_run(
        key: *const u8,
        iv: *const u8,
        counter: u32,
        data: *mut u8,
        len: usize,
    ) -> u32;
}
/// Functions of the same type: arguments, result, names.
macro_rules! functions {
    ($($args:tt $ret:tt $($name:ident)+;)+) => {
        $($(functions!(@ $name $args $ret);)+)+
    };
    (@ $name:ident ($($arg:ident: $type:ty),* $(,)?) [$ret:ty]) => {
        unsafe extern "C" { pub(crate) fn $name($($arg: $type),*) -> $ret; }
    };
}
functions! {
        (key: *const u8, iv: *const u8, data: *mut u8, len: usize, aad: *const u8, aad_len: usize,
        tag: *mut u8, chacha: ChaCha20, encrypt: c_int) [()]
        br_poly1305_ctmul_run br_poly1305_ctmul32_run;
        (ec: *const Ec, hash: *const HashClass, digest: *const u8, key: *const EcKey, out: *mut
        u8) [usize]
        br_ecdsa_i31_sign_asn1 br_ecdsa_i15_sign_asn1;
        (ec: *const Ec, digest: *const u8, len: usize, key: *const EcKey, signature: *const u8,
        signature_len: usize) [u32]
        br_ecdsa_i31_vrfy_asn1 br_ecdsa_i15_vrfy_asn1;
    (oid: *const u8, digest: *const u8, len: usize, key: *const RsaPrivate, out: *mut u8) [u32]
        br_rsa_i31_pkcs1_sign br_rsa_i15_pkcs1_sign;
        (signature: *const u8, len: usize, oid: *const u8, digest_len: usize, key: *const
        RsaPublic, digest: *mut u8) [u32]
        br_rsa_i31_pkcs1_vrfy br_rsa_i15_pkcs1_vrfy;
        (rng: *mut c_void, hash: *const HashClass, label: *const u8, label_len: usize, key: *const
        RsaPublic, out: *mut u8, out_len: usize, data: *const u8, len: usize) [usize]
        br_rsa_i31_oaep_encrypt br_rsa_i15_oaep_encrypt;
        (hash: *const HashClass, label: *const u8, label_len: usize, key: *const RsaPrivate, data:
        *mut u8, len: *mut usize) [u32]
        br_rsa_i31_oaep_decrypt br_rsa_i15_oaep_decrypt;
        (rng: *mut c_void, private: *mut RsaPrivate, private_room: *mut u8, public: *mut
        RsaPublic, public_room: *mut u8, bits: c_uint, exponent: u32) [u32]
        br_rsa_i31_keygen br_rsa_i15_keygen;
    (out: *mut u8, key: *const RsaPrivate, exponent: u32) [usize]
        br_rsa_i31_compute_privexp br_rsa_i15_compute_privexp;
        (out: *mut u8, len: usize, secret: *const u8, secret_len: usize, label: *const c_char,
        seeds: usize, seed: *const Number) [()]
        br_tls12_sha256_prf br_tls12_sha384_prf;
    (ctx: *mut c_void, hash: *const HashClass, key: *const u8, len: usize) [()]
        br_hmac_key_init br_hkdf_init br_hmac_drbg_init;
    (ctx: *mut c_void, key: *const c_void, len: usize) [()]
        br_hmac_init;
    (ctx: *mut c_void, data: *const u8, len: usize) [()]
                br_hmac_update br_hkdf_inject br_gcm_reset br_gcm_aad_inject br_eax_reset
        br_eax_aad_inject br_ccm_aad_inject;
    (ctx: *mut c_void) [()]
        br_hkdf_flip br_gcm_flip br_eax_flip br_ccm_flip;
    (ctx: *mut c_void, encrypt: c_int, data: *mut u8, len: usize) [()]
        br_gcm_run br_eax_run br_ccm_run;
    (ctx: *mut c_void, tag: *mut u8) [()]
        br_gcm_get_tag br_eax_get_tag;
    (ctx: *const c_void, out: *mut u8) [usize]
        br_hmac_out;
    (ctx: *mut c_void, tag: *mut u8) [usize]
        br_ccm_get_tag;
    (ctx: *mut c_void, tag: *const u8) [u32]
        br_gcm_check_tag br_eax_check_tag br_ccm_check_tag;
    (ctx: *mut c_void, info: *const u8, info_len: usize, out: *mut u8, len: usize) [usize]
        br_hkdf_produce;
    (ctx: *mut c_void, block: *mut c_void, ghash: Ghash) [()]
        br_gcm_init;
    (ctx: *mut c_void, block: *mut c_void) [()]
        br_eax_init br_ccm_init;
        (ctx: *mut c_void, nonce: *const u8, nonce_len: usize, aad_len: u64, len: u64, tag_len:
        usize) [c_int]
        br_ccm_reset;
    (rng: *mut c_void, ec: *const Ec, key: *mut EcKey, room: *mut u8, curve: c_int) [usize]
        br_ec_keygen;
    (name: *mut *const c_char) [Option<unsafe extern "C" fn(*mut c_void) -> c_int>]
        br_prng_seeder_system;
}
