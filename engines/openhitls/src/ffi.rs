//! The library, loaded at run time. The declarations follow its headers of 2026, whose numbers of
//! algorithms are those of 2025 and later: versions before had others, and are refused.

use std::env;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use libloading::Library;

const NAME: &str = "libhitls_crypto.so";
const VARIABLE: &str = "OPENHITLS";
/// `CRYPT_EAL_INIT_ALL`.
const EVERYTHING: u64 = 0x3f;
/// `CRYPT_MD_SHA256`.
const SHA256: i32 = 43;

/// `CRYPT_Data`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Data {
    pub(crate) start: *mut u8,
    pub(crate) len: u32,
}

/// `CRYPT_RsaPrv`: d, n, p, q, dP, dQ, qInv, e.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RsaPrivate {
    pub(crate) starts: [*mut u8; 8],
    pub(crate) lens: [u32; 8],
}

/// `CRYPT_RsaPub`: e, n.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RsaPublic {
    pub(crate) starts: [*mut u8; 2],
    pub(crate) lens: [u32; 2],
}

/// `CRYPT_RsaPara`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RsaParameters {
    pub(crate) exponent: *mut u8,
    pub(crate) exponent_len: u32,
    pub(crate) bits: u32,
}

/// `CRYPT_SlhDsaPub`, and `CRYPT_SlhDsaPrv` which follows two more.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct HashBased<const N: usize> {
    pub(crate) parts: [*mut u8; N],
    pub(crate) len: u32,
}

/// The unions of `CRYPT_EAL_PkeyPub`, `CRYPT_EAL_PkeyPrv` and `CRYPT_EAL_PkeyPara`.
#[repr(C)]
pub(crate) union Parts {
    pub(crate) data: Data,
    pub(crate) rsa_private: RsaPrivate,
    pub(crate) rsa_public: RsaPublic,
    pub(crate) rsa_parameters: RsaParameters,
    pub(crate) hash_based_public: HashBased<2>,
    pub(crate) hash_based_private: HashBased<4>,
    /// As long as any of them, in any version so far.
    pub(crate) room: [usize; 32],
}

/// `CRYPT_EAL_PkeyPub`, `CRYPT_EAL_PkeyPrv`, `CRYPT_EAL_PkeyPara`.
#[repr(C)]
pub(crate) struct Material {
    pub(crate) algorithm: i32,
    pub(crate) parts: Parts,
}

/// `BSL_Param`.
#[repr(C)]
pub(crate) struct Param {
    pub(crate) key: i32,
    pub(crate) kind: u32,
    pub(crate) value: *const c_void,
    pub(crate) len: u32,
    pub(crate) used: u32,
}

impl Param {
    /// `BSL_PARAM_END`.
    pub(crate) const END: Param = Param {
        key: 0,
        kind: 0,
        value: ptr::null(),
        len: 0,
        used: 0,
    };

    pub(crate) fn unsigned(key: i32, value: &u32) -> Self {
        Self::new(key, 6, ptr::from_ref(value).cast(), 4)
    }

    pub(crate) fn signed(key: i32, value: &i32) -> Self {
        Self::new(key, 8, ptr::from_ref(value).cast(), 4)
    }

    pub(crate) fn octets(key: i32, value: &[u8]) -> Self {
        Self::new(key, 9, value.as_ptr().cast(), value.len())
    }

    fn new(key: i32, kind: u32, value: *const c_void, len: usize) -> Self {
        Param {
            key,
            kind,
            value,
            len: len as u32,
            used: 0,
        }
    }
}

/// A context of any kind.
pub(crate) type Ctx = *mut c_void;

macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)+) => {
        /// The functions that are used, by their names in the library.
        #[allow(non_snake_case, reason = "the names are the library's")]
        pub(crate) struct Functions { $(
            pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,
        )+ }

        impl Functions {
            fn load(library: &Library) -> Result<Self, String> {
                Ok(Functions { $(
                    // SAFETY: the symbol of this name has this type in the header.
                    $name: unsafe { symbol(library, stringify!($name))? },
                )+ })
            }
        }
    };
}

functions! {
    CRYPT_EAL_Init(u64) -> i32;
    HITLS_Version() -> *const c_char;

    CRYPT_EAL_MdNewCtx(i32) -> Ctx;
    CRYPT_EAL_MdFreeCtx(Ctx);
    CRYPT_EAL_MdInit(Ctx) -> i32;
    CRYPT_EAL_MdUpdate(Ctx, *const u8, u32) -> i32;
    CRYPT_EAL_MdFinal(Ctx, *mut u8, *mut u32) -> i32;

    CRYPT_EAL_MacNewCtx(i32) -> Ctx;
    CRYPT_EAL_MacFreeCtx(Ctx);
    CRYPT_EAL_MacInit(Ctx, *const u8, u32) -> i32;
    CRYPT_EAL_MacReinit(Ctx) -> i32;
    CRYPT_EAL_MacUpdate(Ctx, *const u8, u32) -> i32;
    CRYPT_EAL_MacFinal(Ctx, *mut u8, *mut u32) -> i32;

    CRYPT_EAL_CipherNewCtx(i32) -> Ctx;
    CRYPT_EAL_CipherFreeCtx(Ctx);
    CRYPT_EAL_CipherInit(Ctx, *const u8, u32, *const u8, u32, bool) -> i32;
    CRYPT_EAL_CipherReinit(Ctx, *const u8, u32) -> i32;
    CRYPT_EAL_CipherUpdate(Ctx, *const u8, u32, *mut u8, *mut u32) -> i32;
    CRYPT_EAL_CipherFinal(Ctx, *mut u8, *mut u32) -> i32;
    CRYPT_EAL_CipherCtrl(Ctx, i32, *mut c_void, u32) -> i32;

    CRYPT_EAL_KdfNewCtx(i32) -> Ctx;
    CRYPT_EAL_KdfFreeCtx(Ctx);
    CRYPT_EAL_KdfSetParam(Ctx, *const Param) -> i32;
    CRYPT_EAL_KdfDerive(Ctx, *mut u8, u32) -> i32;

    CRYPT_EAL_PkeyNewCtx(i32) -> Ctx;
    CRYPT_EAL_PkeyFreeCtx(Ctx);
    CRYPT_EAL_PkeySetPara(Ctx, *const Material) -> i32;
    CRYPT_EAL_PkeySetParaById(Ctx, i32) -> i32;
    CRYPT_EAL_PkeyGen(Ctx) -> i32;
    CRYPT_EAL_PkeySetPub(Ctx, *const Material) -> i32;
    CRYPT_EAL_PkeySetPrv(Ctx, *const Material) -> i32;
    CRYPT_EAL_PkeyGetPub(Ctx, *mut Material) -> i32;
    CRYPT_EAL_PkeyGetPrv(Ctx, *mut Material) -> i32;
    CRYPT_EAL_PkeySign(Ctx, i32, *const u8, u32, *mut u8, *mut u32) -> i32;
    CRYPT_EAL_PkeyVerify(Ctx, i32, *const u8, u32, *const u8, u32) -> i32;
    CRYPT_EAL_PkeyEncrypt(Ctx, *const u8, u32, *mut u8, *mut u32) -> i32;
    CRYPT_EAL_PkeyDecrypt(Ctx, *const u8, u32, *mut u8, *mut u32) -> i32;
    CRYPT_EAL_PkeyComputeShareKey(Ctx, Ctx, *mut u8, *mut u32) -> i32;
    CRYPT_EAL_PkeyCtrl(Ctx, i32, *mut c_void, u32) -> i32;
    CRYPT_EAL_PkeyEncaps(Ctx, *mut u8, *mut u32, *mut u8, *mut u32) -> i32;
    CRYPT_EAL_PkeyDecaps(Ctx, *const u8, u32, *mut u8, *mut u32) -> i32;
}

/// The library, ready.
pub(crate) type Hitls = &'static Functions;

impl Functions {
    /// Loads the library, and tells its version and its file.
    pub(crate) fn load_ready() -> Result<(Hitls, String, String), String> {
        let file = env::var(VARIABLE).unwrap_or_else(|_| NAME.into());
        // SAFETY: loading runs the library's initialisers, which prepare its own state.
        let library = unsafe { Library::new(&file) }
            .map_err(|e| format!("{file}: {e}: name openHiTLS's {NAME} with {VARIABLE}"))?;
        // It is never unloaded.
        let library: &'static Library = Box::leak(Box::new(library));
        let functions: Hitls = Box::leak(Box::new(Functions::load(library)?));
        // SAFETY: it takes flags; a second call changes nothing.
        let ready = unsafe { (functions.CRYPT_EAL_Init)(EVERYTHING) };
        ok("CRYPT_EAL_Init", ready)?;
        // SAFETY: it takes nothing and gives a string that lives as long as the library.
        let version = unsafe { CStr::from_ptr((functions.HITLS_Version)()) };
        let version = version.to_string_lossy().into_owned();
        // SAFETY: it takes any number; null is freed as well.
        unsafe {
            let known = (functions.CRYPT_EAL_MdNewCtx)(SHA256);
            if known.is_null() {
                return Err(format!(
                    "{version} numbers its algorithms as versions before 2025 did"
                ));
            }
            (functions.CRYPT_EAL_MdFreeCtx)(known);
        }
        Ok((functions, version, file))
    }
}

/// # Safety
/// The symbol of this name has to have this type.
unsafe fn symbol<T: Copy>(library: &Library, name: &str) -> Result<T, String> {
    // SAFETY: the caller knows.
    let found = unsafe { library.get::<T>(name) };
    found
        .map(|symbol| *symbol)
        .map_err(|_| format!("the library has no {name}"))
}

/// 0 is success.
#[inline]
pub(crate) fn ok(call: &str, result: i32) -> Result<(), String> {
    if result == 0 {
        Ok(())
    } else {
        Err(format!("{call} failed: {result:#x}"))
    }
}

/// A context that is only ours.
pub(crate) struct Owned {
    ctx: Ctx,
    free: unsafe extern "C" fn(Ctx),
}

impl Owned {
    /// Takes over what a function of the library made.
    pub(crate) fn new(
        ctx: Ctx,
        free: unsafe extern "C" fn(Ctx),
        what: &str,
    ) -> Result<Self, String> {
        if ctx.is_null() {
            return Err(format!("the library has no {what}"));
        }
        Ok(Owned { ctx, free })
    }

    #[inline]
    pub(crate) fn get(&self) -> Ctx {
        self.ctx
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the library made it, it is only ours, and this is what frees it.
        unsafe { (self.free)(self.ctx) }
    }
}
