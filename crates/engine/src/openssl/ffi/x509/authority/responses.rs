//! Responses of OCSP.

use std::ffi::{c_int, c_long};
use std::ptr;

use super::super::super::evp::{Owned, ok, to_der};
use super::super::functions::{BasicResponse, CertId};
use super::super::own;
use super::{Authority, BARE};

impl Authority {
    /// The parts that are signed of the responses for these numbers, each of which says good.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn responses_tbs(
        &self,
        serials: impl Iterator<Item = u64>,
    ) -> Result<Vec<Vec<u8>>, String> {
        let (lib, f) = (self.lib, self.f);
        self.answer(serials, |id| {
            let mut start = self.response.as_ptr();
            let len = self.response.len() as c_long;
            // SAFETY: it reads at most `len` bytes from `start`, which it moves.
            let basic = unsafe { (f.d2i_OCSP_BASICRESP)(ptr::null_mut(), &mut start, len) };
            let basic = own(lib, "d2i_OCSP_BASICRESP", basic, f.OCSP_BASICRESP_free)?;
            self.add_status(&basic, id)?;
            // SAFETY: the response is valid and keeps its data; this is a function of their type.
            unsafe {
                let data = (f.OCSP_resp_get0_respdata)(basic.get());
                to_der(lib, "i2d_OCSP_RESPDATA", data, f.i2d_OCSP_RESPDATA)
            }
        })
    }

    /// The responses for these numbers, each of which says good.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn responses(&self, serials: impl Iterator<Item = u64>) -> Result<Vec<Vec<u8>>, String> {
        let (lib, f) = (self.lib, self.f);
        self.answer(serials, |id| {
            let basic = self.new_response()?;
            self.add_status(&basic, id)?;
            self.sign_response(&basic)?;
            // SAFETY: the response is valid; 0 is success.
            let whole = unsafe { (f.OCSP_response_create)(0, basic.get()) };
            let whole = own(lib, "OCSP_response_create", whole, f.OCSP_RESPONSE_free)?;
            // SAFETY: the response is valid, and this is a function of its type.
            unsafe { to_der(lib, "i2d_OCSP_RESPONSE", whole.get(), f.i2d_OCSP_RESPONSE) }
        })
    }

    /// Answers for each number, with one identifier of a certificate whose number is changed.
    fn answer(
        &self,
        serials: impl Iterator<Item = u64>,
        answer: impl Fn(*mut CertId) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<Vec<u8>>, String> {
        let (lib, f) = (self.lib, self.f);
        // SAFETY: the identifier is valid.
        let id = unsafe { (f.OCSP_CERTID_dup)(self.cert_id.get()) };
        let id = own(lib, "OCSP_CERTID_dup", id, f.OCSP_CERTID_free)?;
        let (mut number, none) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the identifier is valid; null is for what is not asked for.
        let told =
            unsafe { (f.OCSP_id_get0_info)(none, ptr::null_mut(), none, &mut number, id.get()) };
        ok(lib, "OCSP_id_get0_info", told)?;
        let each = serials.map(|serial| {
            // SAFETY: the number belongs to the identifier, which is this call's own.
            let set = unsafe { (f.ASN1_INTEGER_set_uint64)(number, serial) };
            ok(lib, "ASN1_INTEGER_set_uint64", set)?;
            answer(id.get())
        });
        each.collect()
    }

    fn new_response(&self) -> Result<Owned<BasicResponse>, String> {
        let (lib, f) = (self.lib, self.f);
        // SAFETY: it takes nothing.
        let basic = unsafe { (f.OCSP_BASICRESP_new)() };
        let basic = own(lib, "OCSP_BASICRESP_new", basic, f.OCSP_BASICRESP_free)?;
        let now = self.produced_at.get();
        // SAFETY: the response is ours and valid, and so is its time, which is to be changed; the
        // other is of the same kind, and its octets are copied.
        let set = unsafe {
            let made = (f.OCSP_resp_get0_produced_at)(basic.get());
            let (octets, len) = ((f.ASN1_STRING_get0_data)(now), (f.ASN1_STRING_length)(now));
            (f.ASN1_STRING_set)(made, octets.cast(), len)
        };
        ok(lib, "ASN1_STRING_set", set)?;
        Ok(basic)
    }

    fn add_status(&self, basic: &Owned<BasicResponse>, id: *mut CertId) -> Result<(), String> {
        let add = self.f.OCSP_basic_add1_status;
        let (now, next) = (self.produced_at.get(), self.next_update.get());
        // SAFETY: all pointers are valid, and what is added is copied; 0 is good, without a
        // reason and a time of revocation.
        let added = unsafe { add(basic.get(), id, 0, 0, ptr::null_mut(), now, next) };
        ok(
            self.lib,
            "OCSP_basic_add1_status",
            c_int::from(!added.is_null()),
        )
    }

    fn sign_response(&self, basic: &Owned<BasicResponse>) -> Result<(), String> {
        let (f, basic, none) = (self.f, basic.get(), ptr::null_mut());
        let signer = self.certificate.get();
        self.signing.sign(
            &self.key.0,
            "OCSP_basic_sign",
            // SAFETY: everything is valid; the signer's certificate is only read.
            |key, digest| unsafe { (f.OCSP_basic_sign)(basic, signer, key, digest, none, BARE) },
            // SAFETY: as above.
            |ctx| unsafe { (f.OCSP_basic_sign_ctx)(basic, signer, ctx, none, BARE) },
        )
    }

    /// A response without answers; of its signature nothing is kept.
    pub(super) fn empty_response(&self) -> Result<Vec<u8>, String> {
        let (lib, f) = (self.lib, self.f);
        let basic = self.new_response()?;
        self.sign_response(&basic)?;
        // SAFETY: the response is ours and valid, and so is its signature; it is then encoded by
        // the function of its type.
        unsafe {
            let signature = (f.OCSP_resp_get0_signature)(basic.get());
            ok(
                lib,
                "ASN1_STRING_set",
                (f.ASN1_STRING_set)(signature, c"".as_ptr().cast(), 0),
            )?;
            to_der(lib, "i2d_OCSP_BASICRESP", basic.get(), f.i2d_OCSP_BASICRESP)
        }
    }
}
