//! Reading and verifying.

use std::ffi::c_long;
use std::ptr;

use super::super::keys::Key;
use super::super::load::Libcrypto;
use super::{PrivateKey, functions, own};

/// What a signature is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A certificate.
    Certificate,
    /// A list of revoked certificates.
    Crl,
    /// An OCSP response.
    Response,
}

/// The key of an authority, ready to verify.
pub struct Verifier(PrivateKey);

impl Verifier {
    /// Reads a SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// A sentence where the library cannot read it.
    pub fn new(lib: Libcrypto, spki: &[u8]) -> Result<Self, String> {
        Ok(Verifier(PrivateKey(Key::public_der(lib, spki)?)))
    }

    /// Reads an item and says whether its signature holds: nothing is checked but that.
    ///
    /// # Errors
    /// A sentence where the library cannot read it.
    pub fn verify(&self, item: Item, der: &[u8]) -> Result<bool, String> {
        let key = &self.0.0;
        let (lib, f, pkey) = (key.lib, functions(key.lib)?, key.key.get());
        let (mut start, len) = (der.as_ptr(), der.len() as c_long);
        let (start, null) = (&mut start, ptr::null_mut());
        let result = match item {
            Item::Certificate => {
                // SAFETY: it reads at most `len` bytes from `start`, which it moves.
                let read = unsafe { (f.d2i_X509)(null, start, len) };
                let read = own(lib, "d2i_X509", read, f.X509_free)?;
                // SAFETY: both are valid.
                unsafe { (f.X509_verify)(read.get(), pkey) }
            }
            Item::Crl => {
                // SAFETY: it reads at most `len` bytes from `start`, which it moves.
                let read = unsafe { (f.d2i_X509_CRL)(ptr::null_mut(), start, len) };
                let read = own(lib, "d2i_X509_CRL", read, f.X509_CRL_free)?;
                // SAFETY: both are valid.
                unsafe { (f.X509_CRL_verify)(read.get(), pkey) }
            }
            Item::Response => {
                // SAFETY: it reads at most `len` bytes from `start`, which it moves.
                let read = unsafe { (f.d2i_OCSP_RESPONSE)(ptr::null_mut(), start, len) };
                let read = own(lib, "d2i_OCSP_RESPONSE", read, f.OCSP_RESPONSE_free)?;
                // SAFETY: the response is valid.
                let basic = unsafe { (f.OCSP_response_get1_basic)(read.get()) };
                let call = "OCSP_response_get1_basic";
                let basic = own(lib, call, basic, f.OCSP_BASICRESP_free)?;
                // SAFETY: the parts belong to the response and are only read; the item is that of
                // the data.
                unsafe {
                    (f.ASN1_item_verify)(
                        (f.OCSP_RESPDATA_it)(),
                        (f.OCSP_resp_get0_tbs_sigalg)(basic.get()),
                        (f.OCSP_resp_get0_signature)(basic.get()),
                        (f.OCSP_resp_get0_respdata)(basic.get()).cast(),
                        pkey,
                    )
                }
            }
        };
        if result != 1 {
            lib.failure("verify");
        }
        Ok(result == 1)
    }
}
