//! The library, loaded at run time. The declarations follow `intel-ipsec-mb.h` of 1.3; what is used
//! lies in that part of its structures which later versions of the same name only add to.

use std::env;
use std::ffi::{CStr, c_char, c_int, c_void};

use libloading::Library;

const NAMES: [&str; 2] = ["libIPSec_MB.so.1", "libIPSec_MB.so"];

/// Functions of the manager, by their types there.
pub(crate) type KeyExpansion = unsafe extern "C" fn(*const u8, *mut u8, *mut u8);
pub(crate) type OneBlock = unsafe extern "C" fn(*const u8, *mut u8);
pub(crate) type Hash = unsafe extern "C" fn(*const u8, u64, *mut u8);
pub(crate) type Gcm = unsafe extern "C" fn(
    *const u8,
    *mut u8,
    *mut u8,
    *const u8,
    u64,
    *const u8,
    *const u8,
    u64,
    *mut u8,
    u64,
);
type Next = unsafe extern "C" fn(*mut Manager) -> *mut Job;

/// `IMB_MGR`, up to what is used.
#[repr(C)]
pub(crate) struct Manager {
    flags: u64,
    features: u64,
    reserved: [u64; 5],
    arch: u32,
    errno: c_int,
    next: Next,
    submit_checked: Next,
    submit: Next,
    completed: Next,
    flush: Next,
    queue_size: usize,
    /// AES-128, -192, -256.
    pub(crate) expand: [KeyExpansion; 3],
    pub(crate) cmac_subkeys_128: KeyExpansion,
    xcbc_keyexp: usize,
    pub(crate) des_schedule: unsafe extern "C" fn(*mut u64, *const u8) -> c_int,
    /// SHA-1, -224, -256, -384, -512, MD5.
    pub(crate) one_block: [OneBlock; 6],
    /// SHA-1, -224, -256, -384, -512.
    pub(crate) hash: [Hash; 5],
    aes128_cfb_one: usize,
    pub(crate) gcm_enc: [Gcm; 3],
    pub(crate) gcm_dec: [Gcm; 3],
    gcm_parts: [usize; 18],
    pub(crate) gcm_key: [unsafe extern "C" fn(*const u8, *mut u8); 3],
}

/// `IMB_JOB`, up to what is used.
#[repr(C)]
pub(crate) struct Job {
    pub(crate) enc_keys: *const c_void,
    pub(crate) dec_keys: *const c_void,
    pub(crate) key_len: u64,
    pub(crate) from: *const u8,
    pub(crate) to: *mut u8,
    pub(crate) cipher_offset: u64,
    pub(crate) cipher_len: u64,
    pub(crate) hash_offset: u64,
    pub(crate) hash_len: u64,
    pub(crate) iv: *const u8,
    pub(crate) iv_len: u64,
    pub(crate) tag: *mut u8,
    pub(crate) tag_len: u64,
    /// What belongs to the hash algorithm.
    pub(crate) of_hash: [usize; 3],
    status: u32,
    pub(crate) cipher: u32,
    pub(crate) direction: u32,
    pub(crate) hash: u32,
    pub(crate) order: u32,
}

/// `IMB_STATUS_COMPLETED`.
const COMPLETED: u32 = 3;

/// A manager for the CPU at hand. It lives as long as the process.
#[derive(Clone, Copy)]
pub(crate) struct Mb {
    manager: *mut Manager,
}

impl Mb {
    /// Loads the library, and tells its version and the CPU path it takes.
    pub(crate) fn load() -> Result<(Self, String, String), String> {
        let asked = env::var("IPSEC_MB").ok();
        let names = asked.as_deref().map_or(NAMES.to_vec(), |name| vec![name]);
        // SAFETY: loading runs the library's initialisers, which prepare its own state.
        let library = names
            .iter()
            .find_map(|name| unsafe { Library::new(*name) }.ok());
        let library = library.ok_or_else(|| {
            let names = names.join(" nor ");
            format!("there is no {names}: install Debian's libipsec-mb1, or name it with IPSEC_MB")
        })?;
        // It is never unloaded.
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: the symbols of these names have these types in the header.
        let (number, text, alloc, init) = unsafe {
            (
                symbol::<unsafe extern "C" fn() -> u32>(library, "imb_get_version")?,
                symbol::<unsafe extern "C" fn() -> *const c_char>(library, "imb_get_version_str")?,
                symbol::<unsafe extern "C" fn(u64) -> *mut Manager>(library, "alloc_mb_mgr")?,
                symbol::<unsafe extern "C" fn(*mut Manager, *mut u32)>(
                    library,
                    "init_mb_mgr_auto",
                )?,
            )
        };
        // SAFETY: it takes nothing.
        let number = unsafe { number() };
        if !(0x01_03_00..0x02_00_00).contains(&number) {
            return Err(format!(
                "the library has version {number:#x}, not 1.3 or a later 1"
            ));
        }
        let mut arch = 0;
        // SAFETY: it takes flags, of which there are none here.
        let manager = unsafe { alloc(0) };
        if manager.is_null() {
            return Err("the library gives no manager".into());
        }
        // SAFETY: the manager is new; a place for a number.
        unsafe { init(manager, &raw mut arch) };
        let arch = match arch {
            1 => "no AES-NI",
            2 => "SSE",
            3 => "AVX",
            4 => "AVX2",
            5 => "AVX-512",
            _ => return Err("the library does not know the CPU".into()),
        };
        // SAFETY: it gives a string that lives as long as the library.
        let version = unsafe { CStr::from_ptr(text()) }
            .to_string_lossy()
            .into_owned();
        Ok((Mb { manager }, version, format!("its path for {arch}")))
    }

    pub(crate) fn functions(&self) -> &'static Manager {
        // SAFETY: the manager was made by the library, lives for ever, and its functions stay.
        unsafe { &*self.manager }
    }

    /// Puts jobs in the queue, as many as there are, and waits until all are done. Each closure
    /// fills a job of which nothing is set.
    pub(crate) fn run<'a>(
        &self,
        jobs: impl IntoIterator<Item = impl FnOnce(&mut Job) + 'a>,
    ) -> Result<(), String> {
        // SAFETY: the manager is ready; what jobs point to outlives the call, as the closures of
        // the callers borrow it.
        unsafe {
            let Manager {
                next,
                submit,
                flush,
                ..
            } = *self.manager;
            let mut all_done = true;
            for fill in jobs {
                let job = next(self.manager);
                fill(&mut *job);
                let done = submit(self.manager);
                all_done &= done.is_null() || (*done).status == COMPLETED;
            }
            loop {
                let done = flush(self.manager);
                if done.is_null() {
                    break;
                }
                all_done &= (*done).status == COMPLETED;
            }
            if all_done {
                Ok(())
            } else {
                Err("the library did not complete a job".into())
            }
        }
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
