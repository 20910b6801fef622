//! What is used of `crypto_mb`, by its headers. Arrays of pointers have a place for each lane.

use std::ffi::{c_char, c_int, c_void};

/// Eight lanes; whether they are read or written the function says.
pub(crate) type Lanes = *const [*mut u8; 8];
/// Sixteen lanes.
pub(crate) type Wide = *const [*mut u8; 16];

/// `mbxVersion`, up to what is used.
#[repr(C)]
pub(crate) struct Version {
    pub(crate) numbers: [c_int; 3],
    pub(crate) cpu: [c_char; 4],
    pub(crate) name: *const c_char,
    pub(crate) date: *const c_char,
    pub(crate) text: *const c_char,
}

pub(crate) type PublicKey = unsafe extern "C" fn(Lanes, Lanes, Lanes, Lanes, *mut u8) -> u32;
pub(crate) type Ecdh = unsafe extern "C" fn(Lanes, Lanes, Lanes, Lanes, Lanes, *mut u8) -> u32;
pub(crate) type Sign = unsafe extern "C" fn(Lanes, Lanes, Lanes, Lanes, Lanes, *mut u8) -> u32;
pub(crate) type Verify =
    unsafe extern "C" fn(Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, *mut u8) -> u32;
/// `mbx_sm4_key_schedule`.
#[repr(C, align(64))]
pub(crate) struct Sm4Keys(pub(crate) [[u32; 16]; 32]);
pub(crate) type Sm4 = unsafe extern "C" fn(Wide, Wide, *const [c_int; 16], *const Sm4Keys) -> u64;
pub(crate) type Sm4Iv =
    unsafe extern "C" fn(Wide, Wide, *const [c_int; 16], *const Sm4Keys, Wide) -> u64;
pub(crate) type Sm4Xts = unsafe extern "C" fn(
    Wide,
    Wide,
    *const [c_int; 16],
    *const Sm4Keys,
    *const Sm4Keys,
    Wide,
) -> u64;

macro_rules! functions {
    ($(fn $($name:ident)+ ($($arg:ident: $type:ty),* $(,)?) -> $ret:ty;)+) => {
        $(functions!(@ [$($name)+] ($($arg: $type),*) -> $ret);)+
    };
    (@ [$name:ident $($more:ident)*] $args:tt -> $ret:ty) => {
        functions!(: $name $args $ret);
        functions!(@ [$($more)*] $args -> $ret);
    };
    (@ [] $args:tt -> $ret:ty) => {};
    (: $name:ident ($($arg:ident: $type:ty),*) $ret:ty) => {
        unsafe extern "C" { pub(crate) fn $name($($arg: $type),*) -> $ret; }
    };
}

functions! {
    fn mbx_getversion() -> *const Version;
    fn mbx_is_crypto_mb_applicable(features: u64) -> c_int;
    fn mbx_nistp256_ecpublic_key_mb8 mbx_nistp384_ecpublic_key_mb8 mbx_nistp521_ecpublic_key_mb8
        mbx_sm2_ecpublic_key_mb8
        (x: Lanes, y: Lanes, z: Lanes, scalar: Lanes, scratch: *mut u8) -> u32;
    fn mbx_nistp256_ecdh_mb8 mbx_nistp384_ecdh_mb8 mbx_nistp521_ecdh_mb8
        (secret: Lanes, scalar: Lanes, x: Lanes, y: Lanes, z: Lanes, scratch: *mut u8) -> u32;
    fn mbx_nistp256_ecdsa_sign_mb8 mbx_nistp384_ecdsa_sign_mb8 mbx_nistp521_ecdsa_sign_mb8
        (r: Lanes, s: Lanes, hash: Lanes, nonce: Lanes, scalar: Lanes, scratch: *mut u8) -> u32;
    fn mbx_nistp256_ecdsa_verify_mb8 mbx_nistp384_ecdsa_verify_mb8 mbx_nistp521_ecdsa_verify_mb8
        (r: Lanes, s: Lanes, hash: Lanes, x: Lanes, y: Lanes, z: Lanes, scratch: *mut u8) -> u32;
    fn mbx_sm2_ecdsa_sign_mb8(r: Lanes, s: Lanes, id: Lanes, id_len: *const [c_int; 8],
        message: Lanes, len: *const [c_int; 8], nonce: Lanes, scalar: Lanes, x: Lanes, y: Lanes,
        z: Lanes, scratch: *mut u8) -> u32;
    fn mbx_sm2_ecdsa_verify_mb8(r: Lanes, s: Lanes, id: Lanes, id_len: *const [c_int; 8],
        message: Lanes, len: *const [c_int; 8], x: Lanes, y: Lanes, z: Lanes, scratch: *mut u8)
        -> u32;
    fn mbx_x25519_public_key_mb8 mbx_ed25519_public_key_mb8(public: Lanes, private: Lanes) -> u32;
    fn mbx_x25519_mb8(secret: Lanes, private: Lanes, public: Lanes) -> u32;
    fn mbx_ed25519_sign_mb8(r: Lanes, s: Lanes, message: Lanes, len: *const [u32; 8],
        private: Lanes, public: Lanes) -> u32;
    fn mbx_ed25519_verify_mb8(r: Lanes, s: Lanes, message: Lanes, len: *const [u32; 8],
        public: Lanes) -> u32;
    fn mbx_RSA_pub65537_Method mbx_RSA_private_crt_Method(bits: c_int) -> *const c_void;
    fn mbx_RSA_Method_BufSize(method: *const c_void) -> c_int;
    fn mbx_rsa_public_mb8(from: Lanes, to: Lanes, n: Lanes, bits: c_int, method: *const c_void,
        scratch: *mut u8) -> u32;
    fn mbx_rsa_private_crt_mb8(from: Lanes, to: Lanes, p: Lanes, q: Lanes, dp: Lanes, dq: Lanes,
        iq: Lanes, bits: c_int, method: *const c_void, scratch: *mut u8) -> u32;
    fn mbx_sm3_msg_digest_mb16(message: Wide, len: *const [c_int; 16], out: Wide) -> u64;
    fn mbx_sm4_set_key_mb16(keys: *mut Sm4Keys, key: Wide) -> u64;
    fn mbx_sm4_xts_set_keys_mb16(keys: *mut Sm4Keys, tweak: *mut Sm4Keys, key: Wide) -> u64;
    fn mbx_sm4_encrypt_ecb_mb16 mbx_sm4_decrypt_ecb_mb16
        (out: Wide, data: Wide, len: *const [c_int; 16], keys: *const Sm4Keys) -> u64;
    fn mbx_sm4_encrypt_cbc_mb16 mbx_sm4_decrypt_cbc_mb16 mbx_sm4_encrypt_ctr128_mb16
        mbx_sm4_decrypt_ctr128_mb16 mbx_sm4_encrypt_ofb_mb16 mbx_sm4_decrypt_ofb_mb16
        mbx_sm4_encrypt_cfb128_mb16 mbx_sm4_decrypt_cfb128_mb16
        (out: Wide, data: Wide, len: *const [c_int; 16], keys: *const Sm4Keys, iv: Wide) -> u64;
    fn mbx_sm4_xts_encrypt_mb16 mbx_sm4_xts_decrypt_mb16(out: Wide, data: Wide,
        len: *const [c_int; 16], keys: *const Sm4Keys, tweak_keys: *const Sm4Keys, tweak: Wide)
        -> u64;
}
