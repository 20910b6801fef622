//! Finding `libcrypto` and the functions in it.

use std::ffi::{CStr, OsString, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::path::{Path, PathBuf};

use libloading::Library;

use super::{memory, x509};

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
                Ok(Functions {
                    // SAFETY: the symbol of this name has the documented type declared here.
                    $($name: *unsafe {
                        library.get(concat!(stringify!($name), "\0"))
                    }.map_err(|_| concat!("it has no ", stringify!($name)))?,)+
                    // SAFETY: as above.
                    $($new: unsafe {
                        library.get(concat!(stringify!($new), "\0"))
                    }.ok().map(|symbol| *symbol),)*
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

/// The names that OpenSSL's library goes by, newest first. `libcrypto.dylib` alone is not among
/// them: macOS has one of its own under that name and ends a program that loads it.
const NAMES: &[&str] = if cfg!(target_os = "macos") {
    &[
        "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
        "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
        "/opt/homebrew/lib/libcrypto.3.dylib",
        "/usr/local/lib/libcrypto.3.dylib",
        "/opt/local/lib/libcrypto.3.dylib",
        "libcrypto.3.dylib",
        "/opt/homebrew/opt/openssl@1.1/lib/libcrypto.1.1.dylib",
        "/usr/local/opt/openssl@1.1/lib/libcrypto.1.1.dylib",
    ]
} else if cfg!(windows) {
    &[
        "libcrypto-4-x64.dll",
        "libcrypto-3-x64.dll",
        "libcrypto-4-arm64.dll",
        "libcrypto-3-arm64.dll",
        r"C:\Program Files\OpenSSL-Win64\bin\libcrypto-3-x64.dll",
        r"C:\Program Files\OpenSSL\bin\libcrypto-3-x64.dll",
        r"C:\Program Files\Git\mingw64\bin\libcrypto-3-x64.dll",
        "libcrypto-1_1-x64.dll",
    ]
} else {
    &[
        "libcrypto.so.4",
        "libcrypto.so.3",
        "libcrypto.so",
        "libcrypto.so.1.1",
    ]
};

/// A loaded `libcrypto`. It stays loaded until the process ends.
#[derive(Clone, Copy)]
pub struct Libcrypto {
    pub(super) functions: &'static Functions,
    /// Those for certificates, where it has all of them.
    pub(in crate::openssl) x509: Option<&'static x509::Functions>,
}

impl Libcrypto {
    /// Loads the file at `path`, or else the first of the usual names that the system finds.
    ///
    /// # Errors
    /// A sentence that says what was tried.
    pub fn load(path: Option<&Path>) -> Result<Self, String> {
        Self::load_first(path, |_| {})
    }

    fn load_first(path: Option<&Path>, prepare: impl Fn(&Library)) -> Result<Self, String> {
        let names: Vec<OsString> = match path {
            Some(path) => vec![PathBuf::from(path).into()],
            None => NAMES.iter().map(OsString::from).collect(),
        };
        let mut why = Vec::new();
        for name in &names {
            // SAFETY: loading runs the library's initialisers; those of OpenSSL prepare its own
            // state and ask nothing of the program.
            match unsafe { Library::new(name) } {
                Ok(library) => match Functions::find(&library) {
                    Ok(functions) => {
                        // OpenSSL registers handlers for the end of the process, so it must not
                        // be unloaded.
                        let x509 = x509::Functions::find(&library).ok();
                        prepare(&library);
                        std::mem::forget(library);
                        let x509 = x509.map(|found| &*Box::leak(Box::new(found)));
                        return Ok(Self::ready(Box::leak(Box::new(functions)), x509));
                    }
                    Err(e) => why.push(format!("{} is not usable: {e}", name.display())),
                },
                Err(e) if path.is_some() => why.push(e.to_string()),
                Err(_) => {}
            }
        }
        if why.is_empty() {
            let tried: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
            why.push(format!("the system finds none of {}", tried.join(", ")));
        }
        Err(format!("no OpenSSL: {}", why.join("; ")))
    }

    /// As [`Libcrypto::load`], and has it allocate where the program does, unless it has
    /// allocated already.
    ///
    /// # Errors
    /// As there.
    pub fn load_with_allocator(path: Option<&Path>) -> Result<Self, String> {
        Self::load_first(path, memory::share)
    }

    /// The library that the program is linked with.
    #[cfg(feature = "openssl-vendored")]
    #[must_use]
    pub fn linked() -> Self {
        Self::ready(&linked::FUNCTIONS, Some(&x509::linked::FUNCTIONS))
    }

    /// As [`Libcrypto::linked`], and has it allocate where the program does, unless it has
    /// allocated already.
    #[cfg(feature = "openssl-vendored")]
    #[must_use]
    pub fn linked_with_allocator() -> Self {
        memory::share_linked();
        Self::linked()
    }

    /// From 3.0 on single DES lives in the legacy provider, which is asked for where it exists;
    /// naming one provider means naming the default one too.
    fn ready(functions: &'static Functions, x509: Option<&'static x509::Functions>) -> Self {
        let lib = Libcrypto { functions, x509 };
        if let Some(load) = functions.OSSL_PROVIDER_load {
            for name in [c"default", c"legacy"] {
                // SAFETY: the default context, a name ended by NUL.
                let provider = unsafe { load(std::ptr::null_mut(), name.as_ptr()) };
                if provider.is_null() {
                    // Its absence is no failure of a later call.
                    lib.failure("OSSL_PROVIDER_load");
                }
            }
        }
        lib
    }

    /// `OPENSSL_VERSION`: as in `OpenSSL 3.0.19 27 Jan 2026`.
    #[must_use]
    pub fn version(self) -> String {
        self.text(0)
    }

    /// The compiler's flags, the platform and, from 3.0 on, what it knows of the CPU.
    #[must_use]
    pub fn build(self) -> String {
        const CFLAGS: c_int = 1;
        const PLATFORM: c_int = 3;
        const CPU_INFO: c_int = 9;
        [PLATFORM, CFLAGS, CPU_INFO]
            .map(|part| self.text(part))
            .into_iter()
            .filter(|text| !text.is_empty() && !text.ends_with("not available"))
            .collect::<Vec<_>>()
            .join("; ")
    }

    fn text(self, part: c_int) -> String {
        // SAFETY: the function takes any number.
        let text = unsafe { (self.functions.OpenSSL_version)(part) };
        if text.is_null() {
            return String::new();
        }
        // SAFETY: it gives a string ended by NUL that lives as long as the library.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    }

    /// A sentence on the call that just failed, with the first error of OpenSSL's queue, which is
    /// emptied.
    pub(super) fn failure(self, call: &str) -> String {
        let mut first = 0;
        loop {
            // SAFETY: the function takes nothing and gives 0 when the queue is empty.
            let code = unsafe { (self.functions.ERR_get_error)() };
            match (code, first) {
                (0, 0) => return format!("{call} failed"),
                (0, _) => break,
                (_, 0) => first = code,
                _ => {}
            }
        }
        let mut text = [0u8; 256];
        // SAFETY: it writes a string ended by NUL, at most as long as said.
        unsafe { (self.functions.ERR_error_string_n)(first, text.as_mut_ptr().cast(), text.len()) };
        let text = CStr::from_bytes_until_nul(&text).unwrap_or_default();
        format!("{call} failed: {}", text.to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_libraries_are_told() {
        let why = Libcrypto::load(Some(Path::new("/no/such/libcrypto.so"))).err();
        assert!(why.unwrap().starts_with("no OpenSSL: "));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn other_libraries_are_told() {
        let why = Libcrypto::load(Some(Path::new("libc.so.6"))).err().unwrap();
        assert!(why.contains("is not usable: it has no "), "{why}");
    }
}
