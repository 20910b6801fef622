//! What the installed OpenSSL makes of an input, to compare with: a reader of ours may be stricter,
//! and may not take what OpenSSL refuses, but where it says so.

use libloading::Library;
use std::ffi::{c_int, c_long, c_void};
use std::ptr;
use std::sync::LazyLock;

static LIBRARY: LazyLock<Option<Library>> = LazyLock::new(|| {
    let names = ["libcrypto.so.3", "libcrypto.so", "libcrypto.so.4"];
    // SAFETY: the initialisers of a system's libcrypto.
    let found = names.iter().find_map(|name| unsafe { Library::new(name) }.ok());
    if found.is_none() {
        eprintln!("no libcrypto: nothing is compared");
    }
    found
});

/// A type with functions `d2i_…`, `i2d_…` and `…_free`.
#[derive(Clone, Copy)]
pub enum Kind {
    Certificate,
    Request,
    List,
    OcspResponse,
    Pkcs12,
}

type Read = unsafe extern "C" fn(*mut *mut c_void, *mut *const u8, c_long) -> *mut c_void;
type Write = unsafe extern "C" fn(*mut c_void, *mut *mut u8) -> c_int;
type Free = unsafe extern "C" fn(*mut c_void);

/// What OpenSSL writes of what it reads, if it reads all of `der`; nothing at all where there is no
/// OpenSSL.
pub fn read_and_write(kind: Kind, der: &[u8]) -> Option<Option<Vec<u8>>> {
    let library = LIBRARY.as_ref()?;
    let name = match kind {
        Kind::Certificate => "X509",
        Kind::Request => "X509_REQ",
        Kind::List => "X509_CRL",
        Kind::OcspResponse => "OCSP_RESPONSE",
        Kind::Pkcs12 => "PKCS12",
    };
    // SAFETY: the functions have these types in every version, and are given what they ask for: a
    // pointer that moves through `der`, an object that they made, and room for what was counted.
    unsafe {
        let read = library.get::<Read>(format!("d2i_{name}\0").as_bytes()).ok()?;
        let write = library.get::<Write>(format!("i2d_{name}\0").as_bytes()).ok()?;
        let free = library.get::<Free>(format!("{name}_free\0").as_bytes()).ok()?;
        let mut at = der.as_ptr();
        let object = read(ptr::null_mut(), &mut at, der.len() as c_long);
        if object.is_null() {
            return Some(None);
        }
        let whole = at == der.as_ptr().add(der.len());
        let mut written = vec![0; usize::try_from(write(object, ptr::null_mut())).unwrap_or(0)];
        if !written.is_empty() {
            write(object, &mut written.as_mut_ptr());
        }
        free(object);
        Some(whole.then_some(written))
    }
}

/// Fails where OpenSSL does not read what ours has read.
pub fn reads(kind: Kind, der: &[u8]) {
    if let Some(theirs) = read_and_write(kind, der) {
        assert!(theirs.is_some(), "OpenSSL does not read it");
    }
}
