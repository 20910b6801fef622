//! Requests.

use std::ffi::c_int;

use super::super::super::evp::{ok, to_der};
use super::super::signing::Signing;
use super::super::{PrivateKey, functions, own};
use super::COMMON_NAME;
use super::parts::{add_entry, new_name};

/// A request for a certificate with this name, signed so with the key that it is for.
///
/// # Errors
/// A sentence where the library fails.
pub(in super::super::super::super) fn request(
    key: &PrivateKey,
    signing: Signing,
    common_name: &str,
) -> Result<Vec<u8>, String> {
    let lib = key.0.lib;
    let f = functions(lib)?;
    // SAFETY: it takes nothing.
    let made = unsafe { (f.X509_REQ_new)() };
    let request = own(lib, "X509_REQ_new", made, f.X509_REQ_free)?;
    let name = new_name(lib, f)?;
    add_entry(lib, f, name.get(), COMMON_NAME, common_name)?;
    // SAFETY: everything is valid; what is set is copied or counted.
    let done = unsafe {
        (f.X509_REQ_set_version)(request.get(), 0) == 1
            && (f.X509_REQ_set_subject_name)(request.get(), name.get()) == 1
            && (f.X509_REQ_set_pubkey)(request.get(), key.0.key.get()) == 1
    };
    ok(lib, "X509_REQ_set_*", c_int::from(done))?;
    signing.sign(
        &key.0,
        "X509_REQ_sign",
        // SAFETY: everything is valid.
        |key, digest| unsafe { (f.X509_REQ_sign)(request.get(), key, digest) },
        // SAFETY: as above.
        |ctx| unsafe { (f.X509_REQ_sign_ctx)(request.get(), ctx) },
    )?;
    // SAFETY: the request is valid, and this is a function of its type.
    unsafe { to_der(lib, "i2d_X509_REQ", request.get(), f.i2d_X509_REQ) }
}
