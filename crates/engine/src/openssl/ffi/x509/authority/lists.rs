//! Lists of what is revoked.

use std::ffi::{c_int, c_long};
use std::ptr;

use super::super::super::evp::{Owned, ok, to_der};
use super::super::functions::{Crl, Extension};
use super::super::own;
use super::parts::{text, time};
use super::{APPEND, Authority, CRL_NUMBER, INTEGER};

impl Authority {
    /// The part that is signed of the list of these numbers, all revoked now.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn crl_tbs(&self, serials: impl Iterator<Item = u64>) -> Result<Vec<u8>, String> {
        let crl = self.crl_with(serials)?;
        let encode = self.f.i2d_re_X509_CRL_tbs;
        // SAFETY: the list is valid and may be changed; this is a function of its type.
        unsafe { to_der(self.lib, "i2d_re_X509_CRL_tbs", crl.get(), encode) }
    }

    /// The list of these numbers, all revoked now.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn crl(&self, serials: impl Iterator<Item = u64>) -> Result<Vec<u8>, String> {
        self.sign_crl(&self.crl_with(serials)?)
    }

    fn sign_crl(&self, crl: &Owned<Crl>) -> Result<Vec<u8>, String> {
        let (lib, f) = (self.lib, self.f);
        self.signing.sign(
            &self.key.0,
            "X509_CRL_sign",
            // SAFETY: everything is valid.
            |key, digest| unsafe { (f.X509_CRL_sign)(crl.get(), key, digest) },
            // SAFETY: as above.
            |ctx| unsafe { (f.X509_CRL_sign_ctx)(crl.get(), ctx) },
        )?;
        // SAFETY: the list is valid, and this is a function of its type.
        unsafe { to_der(lib, "i2d_X509_CRL", crl.get(), f.i2d_X509_CRL) }
    }

    pub(super) fn empty_crl(
        &self,
        period: i64,
        key_id: &Owned<Extension>,
    ) -> Result<Vec<u8>, String> {
        let (lib, f) = (self.lib, self.f);
        // SAFETY: it takes nothing.
        let crl = own(
            lib,
            "X509_CRL_new",
            unsafe { (f.X509_CRL_new)() },
            f.X509_CRL_free,
        )?;
        let next = time(lib, f, self.now + period)?;
        let number = text(lib, f, INTEGER, &[])?;
        // SAFETY: all pointers are valid, and what is set is copied.
        let done = unsafe {
            (f.ASN1_INTEGER_set_uint64)(number.get(), 1) == 1
                && (f.X509_CRL_set_version)(crl.get(), 1) == 1
                && (f.X509_CRL_set_issuer_name)(crl.get(), self.name.get()) == 1
                && (f.X509_CRL_set1_lastUpdate)(crl.get(), self.not_before.get()) == 1
                && (f.X509_CRL_set1_nextUpdate)(crl.get(), next.get()) == 1
                && (f.X509_CRL_add_ext)(crl.get(), key_id.get(), -1) == 1
                && (f.X509_CRL_add1_ext_i2d)(crl.get(), CRL_NUMBER, number.get().cast(), 0, APPEND)
                    == 1
        };
        ok(lib, "X509_CRL_set_*", c_int::from(done))?;
        self.sign_crl(&crl)
    }

    fn crl_with(&self, serials: impl Iterator<Item = u64>) -> Result<Owned<Crl>, String> {
        let (lib, f) = (self.lib, self.f);
        let mut start = self.crl.as_ptr();
        let len = self.crl.len() as c_long;
        // SAFETY: it reads at most `len` bytes from `start`, which it moves.
        let crl = unsafe { (f.d2i_X509_CRL)(ptr::null_mut(), &mut start, len) };
        let crl = own(lib, "d2i_X509_CRL", crl, f.X509_CRL_free)?;
        let number = text(lib, f, INTEGER, &[])?;
        for serial in serials {
            // SAFETY: it takes nothing.
            let entry = unsafe { (f.X509_REVOKED_new)() };
            if entry.is_null() {
                return Err(lib.failure("X509_REVOKED_new"));
            }
            // SAFETY: all pointers are valid; number and time are copied; the list takes the
            // entry over where it succeeds.
            let done = unsafe {
                (f.ASN1_INTEGER_set_uint64)(number.get(), serial) == 1
                    && (f.X509_REVOKED_set_serialNumber)(entry, number.get()) == 1
                    && (f.X509_REVOKED_set_revocationDate)(entry, self.not_before.get()) == 1
                    && (f.X509_CRL_add0_revoked)(crl.get(), entry) == 1
            };
            if !done {
                // SAFETY: the entry is still ours.
                unsafe { (f.X509_REVOKED_free)(entry) };
            }
            ok(lib, "X509_CRL_add0_revoked", c_int::from(done))?;
        }
        Ok(crl)
    }
}
