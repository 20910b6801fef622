//! NSS's `softoken`, loaded at run time through its PKCS#11 interface, and safe words for what the
//! engine does with it. The declarations follow PKCS#11 3.0 and, for the parameters of
//! `C_Initialize`, NSS's header.
//!
//! With `openssl`, the one place of the crate with `unsafe` code: functions of a library that is
//! found while the program runs have no other way in.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_ulong, c_void};
use std::path::{Path, PathBuf};
use std::ptr::null;

use libloading::Library;

mod mechanism;
mod session;

pub(super) use mechanism::Mechanism;
pub(super) use session::{Direction, Envelope, Object, Session};

/// `CKR_OK`.
const OK: c_ulong = 0;
/// `CKR_SIGNATURE_INVALID` and `CKR_SIGNATURE_LEN_RANGE`.
const INVALID: [c_ulong; 2] = [0xc0, 0xc1];
/// `CKF_SERIAL_SESSION | CKF_RW_SESSION`.
const SERIAL: c_ulong = 4 | 2;

/// `CK_MECHANISM`.
#[repr(C)]
struct RawMechanism {
    kind: c_ulong,
    parameter: *const c_void,
    len: c_ulong,
}

/// `CK_ATTRIBUTE`.
#[repr(C)]
struct RawAttribute {
    kind: c_ulong,
    value: *mut c_void,
    len: c_ulong,
}

/// `CK_INFO`, of which only the version of the library is read.
#[repr(C)]
struct Info {
    interface: [u8; 2],
    manufacturer: [u8; 32],
    flags: c_ulong,
    library: [u8; 32],
    version: [u8; 2],
}

/// `CK_C_INITIALIZE_ARGS` with NSS's own field.
#[repr(C)]
struct InitializeArgs {
    mutex_functions: [usize; 4],
    flags: c_ulong,
    parameters: *const c_char,
    reserved: usize,
}

/// `CK_INTERFACE`.
#[repr(C)]
struct Interface {
    name: *const c_char,
    functions: *const c_void,
    flags: c_ulong,
}

type Init = unsafe extern "C" fn(c_ulong, *const RawMechanism, c_ulong) -> c_ulong;
type InOut = unsafe extern "C" fn(c_ulong, *const u8, c_ulong, *mut u8, *mut c_ulong) -> c_ulong;
type Message = unsafe extern "C" fn(
    c_ulong,
    *mut c_void,
    c_ulong,
    *const u8,
    c_ulong,
    *const u8,
    c_ulong,
    *mut u8,
    *mut c_ulong,
) -> c_ulong;

/// `CK_FUNCTION_LIST_3_0` up to what is used; the functions in the gaps are not.
#[repr(C)]
struct Functions {
    version: [u8; 2],
    initialize: unsafe extern "C" fn(*const InitializeArgs) -> c_ulong,
    finalize: usize,
    get_info: unsafe extern "C" fn(*mut Info) -> c_ulong,
    get_function_list: usize,
    get_slot_list: unsafe extern "C" fn(u8, *mut c_ulong, *mut c_ulong) -> c_ulong,
    get_slot_info_to_get_mechanism_list: [usize; 3],
    get_mechanism_info: unsafe extern "C" fn(c_ulong, c_ulong, *mut [c_ulong; 3]) -> c_ulong,
    init_token_to_set_pin: [usize; 3],
    open_session: unsafe extern "C" fn(c_ulong, c_ulong, usize, usize, *mut c_ulong) -> c_ulong,
    close_session: unsafe extern "C" fn(c_ulong) -> c_ulong,
    close_all_sessions_to_logout: [usize; 6],
    create_object:
        unsafe extern "C" fn(c_ulong, *const RawAttribute, c_ulong, *mut c_ulong) -> c_ulong,
    copy_object: usize,
    destroy_object: unsafe extern "C" fn(c_ulong, c_ulong) -> c_ulong,
    get_object_size: usize,
    get_attribute_value:
        unsafe extern "C" fn(c_ulong, c_ulong, *mut RawAttribute, c_ulong) -> c_ulong,
    set_attribute_value_to_find_objects_final: [usize; 4],
    encrypt_init: Init,
    encrypt: InOut,
    encrypt_update: InOut,
    encrypt_final: unsafe extern "C" fn(c_ulong, *mut u8, *mut c_ulong) -> c_ulong,
    decrypt_init: Init,
    decrypt: InOut,
    decrypt_update: InOut,
    decrypt_final: unsafe extern "C" fn(c_ulong, *mut u8, *mut c_ulong) -> c_ulong,
    digest_init: unsafe extern "C" fn(c_ulong, *const RawMechanism) -> c_ulong,
    digest: InOut,
    digest_update_to_final: [usize; 3],
    sign_init: Init,
    sign: InOut,
    sign_update_to_recover: [usize; 4],
    verify_init: Init,
    verify: unsafe extern "C" fn(c_ulong, *const u8, c_ulong, *const u8, c_ulong) -> c_ulong,
    verify_update_to_decrypt_verify_update: [usize; 8],
    generate_key: unsafe extern "C" fn(
        c_ulong,
        *const RawMechanism,
        *const RawAttribute,
        c_ulong,
        *mut c_ulong,
    ) -> c_ulong,
    generate_key_pair: unsafe extern "C" fn(
        c_ulong,
        *const RawMechanism,
        *const RawAttribute,
        c_ulong,
        *const RawAttribute,
        c_ulong,
        *mut c_ulong,
        *mut c_ulong,
    ) -> c_ulong,
    wrap_and_unwrap_key: [usize; 2],
    derive_key: unsafe extern "C" fn(
        c_ulong,
        *const RawMechanism,
        c_ulong,
        *const RawAttribute,
        c_ulong,
        *mut c_ulong,
    ) -> c_ulong,
    seed_random_to_wait_for_slot_event: [usize; 5],
    get_interface_list_to_session_cancel: [usize; 4],
    message_encrypt_init: Init,
    encrypt_message: Message,
    encrypt_message_begin_to_final: [usize; 3],
    message_decrypt_init: Init,
    decrypt_message: Message,
}

type GetInterface =
    unsafe extern "C" fn(*const c_char, *const u8, *mut *const Interface, c_ulong) -> c_ulong;

/// A loaded `softoken`. It stays loaded until the process ends.
#[derive(Clone, Copy)]
pub(super) struct Softoken {
    functions: &'static Functions,
    slot: c_ulong,
}

const FILE: &str = if cfg!(target_os = "macos") {
    "libsoftokn3.dylib"
} else {
    "libsoftokn3.so"
};

/// Without files for certificates, keys and modules.
const PARAMETERS: &CStr =
    c"configdir='' certPrefix='' keyPrefix='' secmod='' flags=readOnly,noCertDB,noModDB";

impl Softoken {
    /// Loads that of a folder, or the one that the system finds, and tells its version.
    pub(super) fn load(folder: Option<&Path>) -> Result<(Self, String), String> {
        let file = folder.map_or_else(|| PathBuf::from(FILE), |folder| folder.join(FILE));
        // SAFETY: loading runs the library's initialisers, which prepare its own state.
        let library = unsafe { Library::new(&file) };
        let library = library.map_err(|e| format!("no NSS: {e}"))?;
        // SAFETY: the symbol of this name has the type that PKCS#11 3.0 gives it.
        let get_interface = unsafe { library.get::<GetInterface>(b"C_GetInterface\0") };
        let get_interface = *get_interface
            .map_err(|_| "no NSS: it is older than 3.52 and has no C_GetInterface".to_owned())?;
        let mut interface = null();
        // SAFETY: a name and a version to ask for, and a place for the answer.
        let result =
            unsafe { get_interface(c"PKCS 11".as_ptr(), [3, 0].as_ptr(), &raw mut interface, 0) };
        if result != OK || interface.is_null() {
            return Err("no NSS: it has no interface of PKCS#11 3.0".into());
        }
        // SAFETY: the interface of this name and version points to the list declared here, both
        // as long as the library is loaded.
        let functions = unsafe { &*(*interface).functions.cast::<Functions>() };
        let version = util_version(&library);
        // Its tables are in use until the process ends.
        std::mem::forget(library);
        let arguments = InitializeArgs {
            mutex_functions: [0; 4],
            // `CKF_OS_LOCKING_OK`.
            flags: 2,
            parameters: PARAMETERS.as_ptr(),
            reserved: 0,
        };
        // SAFETY: the arguments live as long as the call.
        done("C_Initialize", unsafe {
            (functions.initialize)(&raw const arguments)
        })?;
        let (mut slots, mut count) = ([0; 8], 8);
        // SAFETY: the place has room for as many slots as said.
        let result = unsafe { (functions.get_slot_list)(1, slots.as_mut_ptr(), &raw mut count) };
        done("C_GetSlotList", result)?;
        if count == 0 {
            return Err("no NSS: it has no slot".into());
        }
        let lib = Softoken {
            functions,
            slot: slots[0],
        };
        let version = version.or_else(|| lib.version());
        Ok((
            lib,
            version.unwrap_or_else(|| "of an unknown version".into()),
        ))
    }

    fn version(self) -> Option<String> {
        let mut info = Info {
            interface: [0; 2],
            manufacturer: [0; 32],
            flags: 0,
            library: [0; 32],
            version: [0; 2],
        };
        // SAFETY: the place has the layout of what is written.
        let result = unsafe { (self.functions.get_info)(&raw mut info) };
        let [major, minor] = info.version;
        (result == OK).then(|| format!("{major}.{minor}"))
    }

    /// Whether it has the mechanism.
    pub(super) fn has(self, mechanism: c_ulong) -> bool {
        let mut info = [0; 3];
        // SAFETY: the place has the three numbers that are written.
        OK == unsafe { (self.functions.get_mechanism_info)(self.slot, mechanism, &raw mut info) }
    }

    /// Opens a session, in which one operation at a time goes on.
    pub(super) fn session(self) -> Result<Session, String> {
        let mut handle = 0;
        // SAFETY: a place for the handle; no callback is given.
        let result =
            unsafe { (self.functions.open_session)(self.slot, SERIAL, 0, 0, &raw mut handle) };
        done("C_OpenSession", result)?;
        Ok(Session { lib: self, handle })
    }
}

/// What `libnssutil3`, on which the library depends, says.
fn util_version(library: &Library) -> Option<String> {
    type Version = unsafe extern "C" fn() -> *const c_char;
    // SAFETY: the symbol of this name has this type in NSS's headers; it is looked for in the
    // libraries that this one depends on too.
    let version = unsafe { library.get::<Version>(b"NSSUTIL_GetVersion\0") }.ok()?;
    // SAFETY: it takes nothing and gives a string that lives as long as the library.
    let text = unsafe { CStr::from_ptr(version()) };
    Some(text.to_string_lossy().into_owned())
}

fn done(call: &str, result: c_ulong) -> Result<(), String> {
    match result {
        OK => Ok(()),
        code => Err(format!("{call} gives {code:#x}")),
    }
}

/// Attributes of an object.
#[derive(Clone, Default)]
pub(super) struct Template(Vec<(c_ulong, Vec<u8>)>);

impl Template {
    pub(super) fn bytes(mut self, kind: c_ulong, value: &[u8]) -> Self {
        self.0.push((kind, value.to_vec()));
        self
    }
    pub(super) fn number(self, kind: c_ulong, value: c_ulong) -> Self {
        self.bytes(kind, &value.to_ne_bytes())
    }
    pub(super) fn yes(self, kinds: &[c_ulong]) -> Self {
        let yes = |this: Self, kind: &c_ulong| this.bytes(*kind, &[1]);
        kinds.iter().fold(self, yes)
    }
    pub(super) fn no(self, kinds: &[c_ulong]) -> Self {
        let no = |this: Self, kind: &c_ulong| this.bytes(*kind, &[0]);
        kinds.iter().fold(self, no)
    }
    fn raw(&self) -> Vec<RawAttribute> {
        let raw = |(kind, value): &(c_ulong, Vec<u8>)| RawAttribute {
            kind: *kind,
            value: value.as_ptr().cast_mut().cast(),
            len: value.len() as c_ulong,
        };
        self.0.iter().map(raw).collect()
    }
}

fn len(bytes: &[u8]) -> c_ulong {
    bytes.len() as c_ulong
}

fn count(attributes: &[RawAttribute]) -> c_ulong {
    attributes.len() as c_ulong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_libraries_are_told() {
        let why = Softoken::load(Some(Path::new("/no/such/folder"))).err();
        assert!(why.unwrap().starts_with("no NSS: "));
    }
}
