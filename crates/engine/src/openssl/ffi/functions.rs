//! The functions of `libcrypto` and their types, and how the functions of a library are found.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

use libloading::Library;

/// A type of OpenSSL that is only ever pointed to.
macro_rules! opaque {
    ($($name:ident),+ $(,)?) => { $(
        #[repr(C)]
        pub(in crate::openssl) struct $name {
            _private: [u8; 0],
        }
    )+ };
}
opaque!(
    Bn, BnCtx, Cipher, CipherCtx, EcGroup, EcPoint, Engine, Kdf, KdfCtx, Mac, MacCtx, Md, MdCtx,
    Pkey, PkeyCtx,
);

/// `OSSL_PARAM`: a named value, in an array ended by one without a name.
#[repr(C)]
pub(super) struct Param {
    pub(super) key: *const c_char,
    pub(super) data_type: c_uint,
    pub(super) data: *mut c_void,
    pub(super) data_size: usize,
    pub(super) return_size: usize,
}

/// `EVP_DigestSignInit`, `EVP_DigestVerifyInit`.
pub(super) type DigestKeyInit =
    unsafe extern "C" fn(*mut MdCtx, *mut *mut PkeyCtx, *const Md, *mut Engine, *mut Pkey) -> c_int;

/// A function of any type, which nobody calls as this one.
pub(super) type Address = unsafe extern "C" fn();

/// The function of this name, which ends with NUL.
#[inline(never)]
pub(super) fn address(library: &Library, name: &str) -> Option<Address> {
    // SAFETY: where there is such a symbol it is a function, and its address is all that is read.
    let symbol = unsafe { library.get::<Address>(name) };
    symbol.ok().map(|symbol| *symbol)
}

/// The same, which has to be there.
#[inline(never)]
pub(super) fn present(library: &Library, name: &str) -> Result<Address, String> {
    let missing = || format!("it has no {}", name.trim_end_matches('\0'));
    address(library, name).ok_or_else(missing)
}

/// The struct of the functions of a library, and how it is filled.
macro_rules! functions {
    (
        $(fn $name:ident($($arg:ty),*) $(-> $ret:ty)?;)+
        optional: $(fn $new:ident($($new_arg:ty),*) $(-> $new_ret:ty)?;)*
    ) => {
        /// The functions of `libcrypto`, by their names there.
        #[allow(non_snake_case)]
        pub(in crate::openssl) struct Functions {
            $(pub(in crate::openssl) $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)+
            $(pub(in crate::openssl) $new: Option<unsafe extern "C" fn($($new_arg),*) $(-> $new_ret)?>,)*
        }

        impl Functions {
            pub(in crate::openssl) fn find(library: &Library) -> Result<Self, String> {
                use $crate::openssl::ffi::functions::{self, Address};
                Ok(Functions {
                    // SAFETY: the symbol of this name has the documented type declared here.
                    $($name: unsafe {
                        std::mem::transmute::<Address, unsafe extern "C" fn($($arg),*) $(-> $ret)?>(
                            functions::present(library, concat!(stringify!($name), "\0"))?
                        )
                    },)+
                    // SAFETY: as above.
                    $($new: unsafe {
                        std::mem::transmute::<
                            Option<Address>,
                            Option<unsafe extern "C" fn($($new_arg),*) $(-> $new_ret)?>,
                        >(functions::address(library, concat!(stringify!($new), "\0")))
                    },)*
                })
            }
        }

        /// The same functions, for the linker to find.
        #[cfg(feature = "openssl-vendored")]
        pub(in crate::openssl) mod linked {
            use super::*;

            unsafe extern "C" {
                $(fn $name($(_: $arg),*) $(-> $ret)?;)+
                $(fn $new($(_: $new_arg),*) $(-> $new_ret)?;)*
            }

            pub(in crate::openssl) static FUNCTIONS: Functions = Functions {
                $($name,)+
                $($new: Some($new),)*
            };
        }
    };
}
pub(super) use {functions, opaque};

functions! {
    fn OpenSSL_version(c_int) -> *const c_char;
    fn ERR_get_error() -> c_ulong;
    fn ERR_error_string_n(c_ulong, *mut c_char, usize);

    fn EVP_get_digestbyname(*const c_char) -> *const Md;
    fn EVP_MD_CTX_new() -> *mut MdCtx;
    fn EVP_MD_CTX_free(*mut MdCtx);
    fn EVP_DigestInit_ex(*mut MdCtx, *const Md, *mut Engine) -> c_int;
    fn EVP_DigestUpdate(*mut MdCtx, *const c_void, usize) -> c_int;
    fn EVP_DigestFinal_ex(*mut MdCtx, *mut u8, *mut c_uint) -> c_int;
    fn EVP_DigestFinalXOF(*mut MdCtx, *mut u8, usize) -> c_int;
    fn EVP_DigestSignInit(*mut MdCtx, *mut *mut PkeyCtx, *const Md, *mut Engine, *mut Pkey) -> c_int;
    fn EVP_DigestSign(*mut MdCtx, *mut u8, *mut usize, *const u8, usize) -> c_int;
    fn EVP_DigestVerifyInit(*mut MdCtx, *mut *mut PkeyCtx, *const Md, *mut Engine, *mut Pkey) -> c_int;
    fn EVP_DigestVerify(*mut MdCtx, *const u8, usize, *const u8, usize) -> c_int;

    fn EVP_get_cipherbyname(*const c_char) -> *const Cipher;
    fn EVP_CIPHER_CTX_new() -> *mut CipherCtx;
    fn EVP_CIPHER_CTX_free(*mut CipherCtx);
    fn EVP_CIPHER_CTX_ctrl(*mut CipherCtx, c_int, c_int, *mut c_void) -> c_int;
    fn EVP_CIPHER_CTX_set_flags(*mut CipherCtx, c_int);
    fn EVP_CIPHER_CTX_set_padding(*mut CipherCtx, c_int) -> c_int;
    fn EVP_CipherInit_ex(*mut CipherCtx, *const Cipher, *mut Engine, *const u8, *const u8, c_int) -> c_int;
    fn EVP_CipherUpdate(*mut CipherCtx, *mut u8, *mut c_int, *const u8, c_int) -> c_int;
    fn EVP_CipherFinal_ex(*mut CipherCtx, *mut u8, *mut c_int) -> c_int;

    fn EVP_PKEY_new_raw_private_key(c_int, *mut Engine, *const u8, usize) -> *mut Pkey;
    fn EVP_PKEY_new_raw_public_key(c_int, *mut Engine, *const u8, usize) -> *mut Pkey;
    fn EVP_PKEY_get_raw_private_key(*const Pkey, *mut u8, *mut usize) -> c_int;
    fn EVP_PKEY_get_raw_public_key(*const Pkey, *mut u8, *mut usize) -> c_int;
    fn EVP_PKEY_free(*mut Pkey);
    fn d2i_AutoPrivateKey(*mut *mut Pkey, *mut *const u8, c_long) -> *mut Pkey;
    fn d2i_PublicKey(c_int, *mut *mut Pkey, *mut *const u8, c_long) -> *mut Pkey;
    fn d2i_PUBKEY(*mut *mut Pkey, *mut *const u8, c_long) -> *mut Pkey;
    fn i2d_PrivateKey(*const Pkey, *mut *mut u8) -> c_int;
    fn i2d_PublicKey(*const Pkey, *mut *mut u8) -> c_int;

    fn EVP_PKEY_CTX_new(*mut Pkey, *mut Engine) -> *mut PkeyCtx;
    fn EVP_PKEY_CTX_new_id(c_int, *mut Engine) -> *mut PkeyCtx;
    fn EVP_PKEY_CTX_free(*mut PkeyCtx);
    fn EVP_PKEY_CTX_ctrl_str(*mut PkeyCtx, *const c_char, *const c_char) -> c_int;
    fn EVP_PKEY_keygen_init(*mut PkeyCtx) -> c_int;
    fn EVP_PKEY_keygen(*mut PkeyCtx, *mut *mut Pkey) -> c_int;
    fn EVP_PKEY_sign_init(*mut PkeyCtx) -> c_int;
    fn EVP_PKEY_sign(*mut PkeyCtx, *mut u8, *mut usize, *const u8, usize) -> c_int;
    fn EVP_PKEY_verify_init(*mut PkeyCtx) -> c_int;
    fn EVP_PKEY_verify(*mut PkeyCtx, *const u8, usize, *const u8, usize) -> c_int;
    fn EVP_PKEY_encrypt_init(*mut PkeyCtx) -> c_int;
    fn EVP_PKEY_encrypt(*mut PkeyCtx, *mut u8, *mut usize, *const u8, usize) -> c_int;
    fn EVP_PKEY_decrypt_init(*mut PkeyCtx) -> c_int;
    fn EVP_PKEY_decrypt(*mut PkeyCtx, *mut u8, *mut usize, *const u8, usize) -> c_int;
    fn EVP_PKEY_derive_init(*mut PkeyCtx) -> c_int;
    fn EVP_PKEY_derive_set_peer(*mut PkeyCtx, *mut Pkey) -> c_int;
    fn EVP_PKEY_derive(*mut PkeyCtx, *mut u8, *mut usize) -> c_int;

    fn BN_CTX_new() -> *mut BnCtx;
    fn BN_CTX_free(*mut BnCtx);
    fn BN_new() -> *mut Bn;
    fn BN_clear_free(*mut Bn);
    fn BN_bin2bn(*const u8, c_int, *mut Bn) -> *mut Bn;
    fn BN_bn2binpad(*const Bn, *mut u8, c_int) -> c_int;
    fn BN_add(*mut Bn, *const Bn, *const Bn) -> c_int;
    fn BN_mul(*mut Bn, *const Bn, *const Bn, *mut BnCtx) -> c_int;
    fn OBJ_txt2nid(*const c_char) -> c_int;
    fn EC_GROUP_new_by_curve_name(c_int) -> *mut EcGroup;
    fn EC_GROUP_free(*mut EcGroup);
    fn EC_POINT_new(*const EcGroup) -> *mut EcPoint;
    fn EC_POINT_free(*mut EcPoint);
    fn EC_POINT_oct2point(*const EcGroup, *mut EcPoint, *const u8, usize, *mut BnCtx) -> c_int;
    fn EC_POINT_mul(*const EcGroup, *mut EcPoint, *const Bn, *const EcPoint, *const Bn, *mut BnCtx) -> c_int;
    fn EC_POINT_get_affine_coordinates(*const EcGroup, *const EcPoint, *mut Bn, *mut Bn, *mut BnCtx) -> c_int;

    optional:
    fn OSSL_PROVIDER_load(*mut c_void, *const c_char) -> *mut c_void;
    fn EVP_MD_fetch(*mut c_void, *const c_char, *const c_char) -> *const Md;
    fn EVP_DigestInit_ex2(*mut MdCtx, *const Md, *const Param) -> c_int;
    fn EVP_CIPHER_fetch(*mut c_void, *const c_char, *const c_char) -> *const Cipher;
    fn EVP_MAC_fetch(*mut c_void, *const c_char, *const c_char) -> *mut Mac;
    fn EVP_MAC_CTX_new(*mut Mac) -> *mut MacCtx;
    fn EVP_MAC_CTX_free(*mut MacCtx);
    fn EVP_MAC_init(*mut MacCtx, *const u8, usize, *const Param) -> c_int;
    fn EVP_MAC_update(*mut MacCtx, *const u8, usize) -> c_int;
    fn EVP_MAC_final(*mut MacCtx, *mut u8, *mut usize, usize) -> c_int;
    fn EVP_KDF_fetch(*mut c_void, *const c_char, *const c_char) -> *mut Kdf;
    fn EVP_KDF_CTX_new(*mut Kdf) -> *mut KdfCtx;
    fn EVP_KDF_CTX_free(*mut KdfCtx);
    fn EVP_KDF_CTX_set_params(*mut KdfCtx, *const Param) -> c_int;
    fn EVP_KDF_derive(*mut KdfCtx, *mut u8, usize, *const Param) -> c_int;
    fn EVP_PKEY_new_raw_private_key_ex(*mut c_void, *const c_char, *const c_char, *const u8, usize) -> *mut Pkey;
    fn EVP_PKEY_new_raw_public_key_ex(*mut c_void, *const c_char, *const c_char, *const u8, usize) -> *mut Pkey;
    fn EVP_PKEY_CTX_new_from_name(*mut c_void, *const c_char, *const c_char) -> *mut PkeyCtx;
    fn EVP_PKEY_CTX_set_params(*mut PkeyCtx, *const Param) -> c_int;
    fn EVP_PKEY_fromdata_init(*mut PkeyCtx) -> c_int;
    fn EVP_PKEY_fromdata(*mut PkeyCtx, *mut *mut Pkey, c_int, *const Param) -> c_int;
    fn EVP_PKEY_get_octet_string_param(*const Pkey, *const c_char, *mut u8, usize, *mut usize) -> c_int;
    fn EVP_PKEY_get_bn_param(*const Pkey, *const c_char, *mut *mut Bn) -> c_int;
    fn EVP_PKEY_encapsulate_init(*mut PkeyCtx, *const Param) -> c_int;
    fn EVP_PKEY_encapsulate(*mut PkeyCtx, *mut u8, *mut usize, *mut u8, *mut usize) -> c_int;
    fn EVP_PKEY_decapsulate_init(*mut PkeyCtx, *const Param) -> c_int;
    fn EVP_PKEY_decapsulate(*mut PkeyCtx, *mut u8, *mut usize, *const u8, usize) -> c_int;
}
