//! Reading and verifying.

use std::ffi::{c_int, c_long};
use std::ptr;

use super::super::evp::to_der;
use super::super::keys::Key;
use super::super::load::Libcrypto;
use super::signing::Signing;
use super::{PrivateKey, functions, own};

/// What a signature is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A certificate.
    Certificate,
    /// A request for a certificate.
    Request,
    /// A list of revoked certificates.
    Crl,
    /// An OCSP response.
    Response,
}

/// The key of an authority, ready to verify.
pub struct Verifier {
    key: PrivateKey,
    signing: Signing,
}

impl Verifier {
    /// Reads a SubjectPublicKeyInfo.
    pub(in super::super::super) fn new(
        lib: Libcrypto,
        signing: Signing,
        spki: &[u8],
    ) -> Result<Self, String> {
        let key = PrivateKey(Key::public_der(lib, spki)?);
        Ok(Verifier { key, signing })
    }

    /// Reads an item and says whether its signature holds: nothing is checked but that.
    ///
    /// # Errors
    /// A sentence where the library cannot read it.
    pub fn verify(&self, item: Item, der: &[u8]) -> Result<bool, String> {
        let lib = self.key.0.lib;
        let result = match item {
            Item::Certificate => self.certificate(der),
            Item::Request => self.request(der),
            Item::Crl => self.crl(der),
            Item::Response => self.response(der),
        }?;
        if result != 1 {
            lib.failure("verify");
        }
        Ok(result == 1)
    }
}

/// Verifiers of what OpenSSL reads by `d2i_…`, verifies by `…_verify`, and under an identity by
/// its signature and the part that is signed, encoded again.
macro_rules! verify {
    ($($(#[$doc:meta])* $name:ident: $d2i:ident $free:ident $verify:ident $tbs:ident,
       |$f:ident, $item:ident, $signature:ident| $get:expr;)*) => {
        impl Verifier { $(
            fn $name(&self, der: &[u8]) -> Result<c_int, String> {
                let key = &self.key.0;
                let (lib, $f) = (key.lib, functions(key.lib)?);
                let (mut start, len) = (der.as_ptr(), der.len() as c_long);
                // SAFETY: it reads at most `len` bytes from `start`, which it moves.
                let read = unsafe { ($f.$d2i)(ptr::null_mut(), &mut start, len) };
                let read = own(lib, stringify!($d2i), read, $f.$free)?;
                let Some(identity) = self.signing.identity else {
                    // SAFETY: both are valid.
                    return Ok(unsafe { ($f.$verify)(read.get(), key.key.get()) });
                };
                let ($item, mut $signature) = (read.get(), ptr::null());
                // SAFETY: the item is valid, the signature part of it; the function is one of its
                // type.
                unsafe {
                    $get;
                    let tbs = to_der(lib, stringify!($tbs), $item, $f.$tbs)?;
                    self.signing.verify(key, identity, &tbs, $signature)
                }
            }
        )* }
    };
}

verify! {
    certificate: d2i_X509 X509_free X509_verify i2d_re_X509_tbs, |f, item, signature|
        (f.X509_get0_signature)(&mut signature, ptr::null_mut(), item);
    request: d2i_X509_REQ X509_REQ_free X509_REQ_verify i2d_re_X509_REQ_tbs, |f, item, signature|
        (f.X509_REQ_get0_signature)(item, &mut signature, ptr::null_mut());
    crl: d2i_X509_CRL X509_CRL_free X509_CRL_verify i2d_re_X509_CRL_tbs, |f, item, signature|
        (f.X509_CRL_get0_signature)(item, &mut signature, ptr::null_mut());
}

impl Verifier {
    fn response(&self, der: &[u8]) -> Result<c_int, String> {
        let key = &self.key.0;
        let (lib, f) = (key.lib, functions(key.lib)?);
        let (mut start, len) = (der.as_ptr(), der.len() as c_long);
        // SAFETY: it reads at most `len` bytes from `start`, which it moves.
        let read = unsafe { (f.d2i_OCSP_RESPONSE)(ptr::null_mut(), &mut start, len) };
        let read = own(lib, "d2i_OCSP_RESPONSE", read, f.OCSP_RESPONSE_free)?;
        // SAFETY: the response is valid.
        let basic = unsafe { (f.OCSP_response_get1_basic)(read.get()) };
        let call = "OCSP_response_get1_basic";
        let basic = own(lib, call, basic, f.OCSP_BASICRESP_free)?;
        // SAFETY: the parts belong to the response and are only read; the item and the function
        // are those of the data.
        unsafe {
            let signature = (f.OCSP_resp_get0_signature)(basic.get());
            let data = (f.OCSP_resp_get0_respdata)(basic.get());
            if let Some(identity) = self.signing.identity {
                let tbs = to_der(lib, "i2d_OCSP_RESPDATA", data, f.i2d_OCSP_RESPDATA)?;
                return self.signing.verify(key, identity, &tbs, signature);
            }
            let algorithm = (f.OCSP_resp_get0_tbs_sigalg)(basic.get());
            let item = (f.OCSP_RESPDATA_it)();
            Ok((f.ASN1_item_verify)(
                item,
                algorithm,
                signature,
                data.cast(),
                key.key.get(),
            ))
        }
    }
}
