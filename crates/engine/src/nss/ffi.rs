//! NSS's `softoken`, loaded at run time through its PKCS#11 interface, and safe words for what the
//! engine does with it. The declarations follow PKCS#11 3.0 and, for the parameters of
//! `C_Initialize`, NSS's header.
//!
//! With `openssl`, the one place of the crate with `unsafe` code: functions of a library that is
//! found while the program runs have no other way in.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_ulong, c_void};
use std::mem::size_of_val;
use std::path::{Path, PathBuf};
use std::ptr::null;

use libloading::Library;

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
        // SAFETY: a place for the handle; there is no callback.
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

/// A mechanism with its parameter.
pub(super) struct Mechanism {
    kind: c_ulong,
    parameter: Box<dyn Parameter>,
}

/// What a mechanism takes: a structure of PKCS#11 or plain bytes.
trait Parameter {
    fn place(&self) -> (*const c_void, usize);
}

impl Parameter for Vec<u8> {
    fn place(&self) -> (*const c_void, usize) {
        let start = if self.is_empty() {
            null()
        } else {
            self.as_ptr().cast()
        };
        (start, self.len())
    }
}

/// A structure, and what it points to.
struct Structure<T, K> {
    structure: T,
    _kept: K,
}

impl<T, K> Parameter for Structure<T, K> {
    fn place(&self) -> (*const c_void, usize) {
        (
            (&raw const self.structure).cast(),
            size_of_val(&self.structure),
        )
    }
}

/// `CK_RSA_PKCS_PSS_PARAMS`.
#[repr(C)]
struct Pss(c_ulong, c_ulong, c_ulong);
/// `CK_RSA_PKCS_OAEP_PARAMS`.
#[repr(C)]
struct Oaep(c_ulong, c_ulong, c_ulong, *const u8, c_ulong);
/// `CK_AES_CTR_PARAMS`.
#[repr(C)]
struct Counter(c_ulong, [u8; 16]);
/// `CK_ECDH1_DERIVE_PARAMS`.
#[repr(C)]
struct Ecdh(c_ulong, c_ulong, *const u8, c_ulong, *const u8);
/// `CK_HKDF_PARAMS`.
#[repr(C)]
struct Hkdf {
    extract: u8,
    expand: u8,
    hash: c_ulong,
    salt_type: c_ulong,
    salt: *const u8,
    salt_len: c_ulong,
    salt_key: c_ulong,
    info: *const u8,
    info_len: c_ulong,
}
/// `CK_PKCS5_PBKD2_PARAMS`, whose length of the password is a pointer, as NSS has it.
#[repr(C)]
struct Pbkdf2 {
    salt_source: c_ulong,
    salt: *const u8,
    salt_len: c_ulong,
    iterations: c_ulong,
    prf: c_ulong,
    prf_data: *const u8,
    prf_data_len: c_ulong,
    password: *const u8,
    password_len: *const c_ulong,
}
/// `CK_CHACHA20_PARAMS`.
#[repr(C)]
struct ChaCha20(*const u8, c_ulong, *const u8, c_ulong);

impl Mechanism {
    pub(super) fn plain(kind: c_ulong) -> Self {
        Self::bytes(kind, &[])
    }
    /// With bytes such as an initialisation vector.
    pub(super) fn bytes(kind: c_ulong, parameter: &[u8]) -> Self {
        Mechanism {
            kind,
            parameter: Box::new(parameter.to_vec()),
        }
    }
    fn structure<T: 'static, K: 'static>(kind: c_ulong, structure: T, _kept: K) -> Self {
        Mechanism {
            kind,
            parameter: Box::new(Structure { structure, _kept }),
        }
    }
    /// PSS with a hash, its mask generation and a salt of so many bytes.
    pub(super) fn pss(kind: c_ulong, hash: c_ulong, mgf: c_ulong, salt: c_ulong) -> Self {
        Self::structure(kind, Pss(hash, mgf, salt), ())
    }
    /// OAEP with a hash and its mask generation, without a label.
    pub(super) fn oaep(kind: c_ulong, hash: c_ulong, mgf: c_ulong) -> Self {
        // `CKZ_DATA_SPECIFIED`.
        Self::structure(kind, Oaep(hash, mgf, 1, null(), 0), ())
    }
    /// With a counter as long as the block.
    pub(super) fn counter(kind: c_ulong, block: [u8; 16]) -> Self {
        Self::structure(kind, Counter(128, block), ())
    }
    /// Agreement with a peer, without a derivation behind it.
    pub(super) fn ecdh(kind: c_ulong, peer: &[u8]) -> Self {
        let peer = peer.to_vec();
        // `CKD_NULL`.
        let structure = Ecdh(1, 0, null(), peer.len() as c_ulong, peer.as_ptr());
        Self::structure(kind, structure, peer)
    }
    pub(super) fn hkdf(kind: c_ulong, hash: c_ulong, salt: &[u8], info: &[u8]) -> Self {
        let (salt, info) = (salt.to_vec(), info.to_vec());
        let structure = Hkdf {
            extract: 1,
            expand: 1,
            hash,
            // `CKF_HKDF_SALT_DATA`.
            salt_type: 2,
            salt: salt.as_ptr(),
            salt_len: salt.len() as c_ulong,
            salt_key: 0,
            info: info.as_ptr(),
            info_len: info.len() as c_ulong,
        };
        Self::structure(kind, structure, [salt, info])
    }
    pub(super) fn pbkdf2(
        kind: c_ulong,
        prf: c_ulong,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
    ) -> Self {
        let (password, salt) = (password.to_vec(), salt.to_vec());
        let password_len = Box::new(len(&password));
        let structure = Pbkdf2 {
            // `CKZ_SALT_SPECIFIED`.
            salt_source: 1,
            salt: salt.as_ptr(),
            salt_len: salt.len() as c_ulong,
            iterations: iterations.into(),
            prf,
            prf_data: null(),
            prf_data_len: 0,
            password: password.as_ptr(),
            password_len: &raw const *password_len,
        };
        Self::structure(kind, structure, (password, salt, password_len))
    }
    /// From counter 0.
    pub(super) fn chacha20(kind: c_ulong, nonce: &[u8]) -> Self {
        let (counter, nonce) = (vec![0; 4], nonce.to_vec());
        let bits = nonce.len() as c_ulong * 8;
        let structure = ChaCha20(counter.as_ptr(), 32, nonce.as_ptr(), bits);
        Self::structure(kind, structure, [counter, nonce])
    }

    fn raw(&self) -> RawMechanism {
        let (parameter, len) = self.parameter.place();
        RawMechanism {
            kind: self.kind,
            parameter,
            len: len as c_ulong,
        }
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

/// An object of a session.
#[derive(Clone, Copy)]
pub(super) struct Object(c_ulong);

/// A session. What was created in it goes with it.
pub(super) struct Session {
    lib: Softoken,
    handle: c_ulong,
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the session is open.
        unsafe { (self.lib.functions.close_session)(self.handle) };
    }
}

/// The two directions of a cipher.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Encrypt,
    Decrypt,
}

use Direction::{Decrypt, Encrypt};

impl Session {
    pub(super) fn create(&self, template: &Template) -> Result<Object, String> {
        let (raw, mut object) = (template.raw(), 0);
        // SAFETY: as many attributes as said, and a place for the handle.
        let result = unsafe {
            let functions = self.lib.functions;
            (functions.create_object)(self.handle, raw.as_ptr(), count(&raw), &raw mut object)
        };
        done("C_CreateObject", result)?;
        Ok(Object(object))
    }

    pub(super) fn destroy(&self, object: Object) -> Result<(), String> {
        // SAFETY: any number may be asked to be destroyed.
        let result = unsafe { (self.lib.functions.destroy_object)(self.handle, object.0) };
        done("C_DestroyObject", result)
    }

    /// An attribute, at most as long as `out`.
    pub(super) fn read<'a>(
        &self,
        object: Object,
        kind: c_ulong,
        out: &'a mut [u8],
    ) -> Result<&'a [u8], String> {
        let mut raw = RawAttribute {
            kind,
            value: out.as_mut_ptr().cast(),
            len: out.len() as c_ulong,
        };
        // SAFETY: one attribute, whose place has as many bytes as said.
        let result = unsafe {
            (self.lib.functions.get_attribute_value)(self.handle, object.0, &raw mut raw, 1)
        };
        done("C_GetAttributeValue", result)?;
        Ok(&out[..raw.len as usize])
    }

    pub(super) fn generate(
        &self,
        mechanism: &Mechanism,
        template: &Template,
    ) -> Result<Object, String> {
        let (raw, attributes, mut object) = (mechanism.raw(), template.raw(), 0);
        // SAFETY: a mechanism, as many attributes as said, and a place for the handle.
        let result = unsafe {
            (self.lib.functions.generate_key)(
                self.handle,
                &raw const raw,
                attributes.as_ptr(),
                count(&attributes),
                &raw mut object,
            )
        };
        done("C_GenerateKey", result)?;
        Ok(Object(object))
    }

    /// A public key and its private one.
    pub(super) fn generate_pair(
        &self,
        mechanism: &Mechanism,
        public: &Template,
        private: &Template,
    ) -> Result<[Object; 2], String> {
        let (raw, public, private) = (mechanism.raw(), public.raw(), private.raw());
        let (mut public_key, mut private_key) = (0, 0);
        // SAFETY: a mechanism, as many attributes as said, and places for the handles.
        let result = unsafe {
            (self.lib.functions.generate_key_pair)(
                self.handle,
                &raw const raw,
                public.as_ptr(),
                count(&public),
                private.as_ptr(),
                count(&private),
                &raw mut public_key,
                &raw mut private_key,
            )
        };
        done("C_GenerateKeyPair", result)?;
        Ok([Object(public_key), Object(private_key)])
    }

    pub(super) fn derive(
        &self,
        mechanism: &Mechanism,
        key: Object,
        template: &Template,
    ) -> Result<Object, String> {
        let (raw, attributes, mut object) = (mechanism.raw(), template.raw(), 0);
        // SAFETY: as above.
        let result = unsafe {
            (self.lib.functions.derive_key)(
                self.handle,
                &raw const raw,
                key.0,
                attributes.as_ptr(),
                count(&attributes),
                &raw mut object,
            )
        };
        done("C_DeriveKey", result)?;
        Ok(Object(object))
    }

    pub(super) fn digest(
        &self,
        mechanism: &Mechanism,
        message: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        let raw = mechanism.raw();
        // SAFETY: the mechanism lives as long as the call.
        let result = unsafe { (self.lib.functions.digest_init)(self.handle, &raw const raw) };
        done("C_DigestInit", result)?;
        self.in_out("C_Digest", self.lib.functions.digest, message, out)
    }

    /// A signature or the tag of a MAC.
    pub(super) fn sign(
        &self,
        mechanism: &Mechanism,
        key: Object,
        message: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        self.init("C_SignInit", self.lib.functions.sign_init, mechanism, key)?;
        self.in_out("C_Sign", self.lib.functions.sign, message, out)
    }

    pub(super) fn verify(
        &self,
        mechanism: &Mechanism,
        key: Object,
        message: &[u8],
        signature: &[u8],
    ) -> Result<bool, String> {
        let init = self.lib.functions.verify_init;
        self.init("C_VerifyInit", init, mechanism, key)?;
        // SAFETY: as many bytes as said.
        let result = unsafe {
            (self.lib.functions.verify)(
                self.handle,
                message.as_ptr(),
                len(message),
                signature.as_ptr(),
                len(signature),
            )
        };
        if INVALID.contains(&result) {
            return Ok(false);
        }
        done("C_Verify", result).map(|()| true)
    }

    /// All of a message in one call.
    pub(super) fn crypt(
        &self,
        direction: Direction,
        mechanism: &Mechanism,
        key: Object,
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        self.begin(direction, mechanism, key)?;
        let functions = self.lib.functions;
        match direction {
            Encrypt => self.in_out("C_Encrypt", functions.encrypt, data, out),
            Decrypt => self.in_out("C_Decrypt", functions.decrypt, data, out),
        }
    }

    /// Begins a message of several parts.
    pub(super) fn begin(
        &self,
        direction: Direction,
        mechanism: &Mechanism,
        key: Object,
    ) -> Result<(), String> {
        let functions = self.lib.functions;
        match direction {
            Encrypt => self.init("C_EncryptInit", functions.encrypt_init, mechanism, key),
            Decrypt => self.init("C_DecryptInit", functions.decrypt_init, mechanism, key),
        }
    }

    /// The next part of a message.
    pub(super) fn update(
        &self,
        direction: Direction,
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        let functions = self.lib.functions;
        match direction {
            Encrypt => self.in_out("C_EncryptUpdate", functions.encrypt_update, data, out),
            Decrypt => self.in_out("C_DecryptUpdate", functions.decrypt_update, data, out),
        }
    }

    /// Ends a message of several parts, if one goes on.
    pub(super) fn end(&self, direction: Direction) {
        let (mut out, mut len) = ([0; 64], 64);
        let end = match direction {
            Encrypt => self.lib.functions.encrypt_final,
            Decrypt => self.lib.functions.decrypt_final,
        };
        // SAFETY: the place has as many bytes as said.
        unsafe { end(self.handle, out.as_mut_ptr(), &raw mut len) };
    }

    /// Makes an AEAD ready for messages that all have this key.
    pub(super) fn begin_messages(
        &self,
        direction: Direction,
        kind: c_ulong,
        key: Object,
    ) -> Result<(), String> {
        let functions = self.lib.functions;
        let (call, init) = match direction {
            Encrypt => ("C_MessageEncryptInit", functions.message_encrypt_init),
            Decrypt => ("C_MessageDecryptInit", functions.message_decrypt_init),
        };
        self.init(call, init, &Mechanism::plain(kind), key)
    }

    /// Seals or opens a message; the parameter tells where nonce and tag lie.
    pub(super) fn message(
        &self,
        direction: Direction,
        parameter: &mut Envelope,
        aad: &[u8],
        data: &[u8],
        out: &mut [u8],
    ) -> Result<(), String> {
        let functions = self.lib.functions;
        let (call, function) = match direction {
            Encrypt => ("C_EncryptMessage", functions.encrypt_message),
            Decrypt => ("C_DecryptMessage", functions.decrypt_message),
        };
        let mut room = len(out);
        let mut gcm;
        let mut poly1305;
        let (nonce, nonce_len) = (parameter.nonce.as_ptr(), len(&parameter.nonce));
        let tag = parameter.tag.as_mut_ptr();
        let (place, place_len) = if parameter.is_gcm {
            // `CKG_NO_GENERATE`.
            gcm = GcmMessage(nonce, nonce_len, 0, 0, tag, 128);
            ((&raw mut gcm).cast(), size_of_val(&gcm))
        } else {
            poly1305 = Poly1305Message(nonce, nonce_len, tag);
            ((&raw mut poly1305).cast(), size_of_val(&poly1305))
        };
        // SAFETY: as many bytes as said everywhere; the parameter has the layout of the mechanism
        // and points to a nonce and the 16 bytes of a tag.
        let result = unsafe {
            function(
                self.handle,
                place,
                place_len as c_ulong,
                aad.as_ptr(),
                len(aad),
                data.as_ptr(),
                len(data),
                out.as_mut_ptr(),
                &raw mut room,
            )
        };
        done(call, result)
    }

    fn init(
        &self,
        call: &str,
        init: Init,
        mechanism: &Mechanism,
        key: Object,
    ) -> Result<(), String> {
        let raw = mechanism.raw();
        // SAFETY: the mechanism, and what it points to, live as long as the call.
        done(call, unsafe { init(self.handle, &raw const raw, key.0) })
    }

    fn in_out(
        &self,
        call: &str,
        function: InOut,
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        let mut out_len = len(out);
        // SAFETY: as many bytes as said on both sides.
        let result = unsafe {
            function(
                self.handle,
                data.as_ptr(),
                len(data),
                out.as_mut_ptr(),
                &raw mut out_len,
            )
        };
        done(call, result)?;
        Ok(out_len as usize)
    }
}

/// `CK_GCM_MESSAGE_PARAMS`.
#[repr(C)]
struct GcmMessage(*const u8, c_ulong, c_ulong, c_ulong, *mut u8, c_ulong);
/// `CK_SALSA20_CHACHA20_POLY1305_MSG_PARAMS`.
#[repr(C)]
struct Poly1305Message(*const u8, c_ulong, *mut u8);

/// Nonce and tag of a message under an AEAD.
pub(super) struct Envelope {
    pub(super) is_gcm: bool,
    pub(super) nonce: Vec<u8>,
    pub(super) tag: [u8; 16],
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
