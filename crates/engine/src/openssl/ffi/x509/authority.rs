//! Making and signing.

use std::ffi::{CStr, c_int, c_long, c_void};
use std::ptr;

use super::super::evp::{Owned, ok, to_der};
use super::super::load::{Libcrypto, Md};
use super::super::symmetric::find_digest;
use super::functions::{BasicResponse, CertId, Certificate, Crl, Extension, Functions, Name, Text};
use super::signing::Signing;
use super::{PrivateKey, functions, own, positive};
use crate::toolkit::Facts;

/// OpenSSL's numbers of objects.
const COMMON_NAME: c_int = 13;
const ORGANIZATION: c_int = 17;
const SUBJECT_KEY_ID: c_int = 82;
const KEY_USAGE: c_int = 83;
const SUBJECT_ALT_NAME: c_int = 85;
const BASIC_CONSTRAINTS: c_int = 87;
const CRL_NUMBER: c_int = 88;
const AUTHORITY_KEY_ID: c_int = 90;
const EXTENDED_KEY_USAGE: c_int = 126;

/// `V_ASN1_*`.
const INTEGER: c_int = 2;
const OCTET_STRING: c_int = 4;
const IA5_STRING: c_int = 22;
const UTC_TIME: c_int = 23;
const GENERALIZED_TIME: c_int = 24;

/// `MBSTRING_UTF8`, `GEN_DNS`, `X509V3_ADD_APPEND`.
const UTF8: c_int = 0x1000;
const DNS: c_int = 2;
const APPEND: u64 = 1;
/// `OCSP_NOCERTS | OCSP_NOTIME`.
const BARE: u64 = 0x801;

/// A certification authority.
pub struct Authority {
    lib: Libcrypto,
    f: &'static Functions,
    key: PrivateKey,
    signing: Signing,
    sha1: *const Md,
    now: i64,
    name: Owned<Name>,
    not_before: Owned<Text>,
    not_after: Owned<Text>,
    /// Of every subscriber's certificate.
    extensions: Vec<Owned<Extension>>,
    produced_at: Owned<Text>,
    next_update: Owned<Text>,
    certificate: Owned<Certificate>,
    der: Vec<u8>,
    cert_id: Owned<CertId>,
    /// A list without entries, and a response without answers.
    crl: Vec<u8>,
    response: Vec<u8>,
}

// SAFETY: after it is made, threads only read what the pointers lead to: OpenSSL's functions that
// are called with them take them as constants, and references are counted with atomics.
unsafe impl Send for Authority {}
// SAFETY: as above.
unsafe impl Sync for Authority {}

impl Authority {
    /// An authority that signs so with this key.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub(in super::super::super) fn new(
        key: PrivateKey,
        signing: Signing,
        facts: Facts<'_>,
    ) -> Result<Self, String> {
        let lib = key.0.lib;
        let f = functions(lib)?;
        let sha1 = find_digest(lib, c"SHA1")?;
        let [ca, subscriber, list, response] = facts.periods;
        let name = new_name(lib, f)?;
        for (kind, text) in [
            (ORGANIZATION, facts.organization),
            (COMMON_NAME, facts.common_name),
        ] {
            add_entry(lib, f, name.get(), kind, text)?;
        }
        let not_before = time(lib, f, facts.now)?;
        let make = || {
            // SAFETY: it takes nothing.
            own(lib, "X509_new", unsafe { (f.X509_new)() }, f.X509_free)
        };
        let certificate = make()?;
        let cert = certificate.get();

        // The CA's own certificate, whose key's hash numbers it.
        let last = time(lib, f, facts.now + ca)?;
        let mut key_id = [0u8; 64];
        // SAFETY: all pointers are valid, and what is set is copied; the digest fits.
        let done = unsafe {
            (f.X509_set_version)(cert, 2) == 1
                && (f.X509_set_issuer_name)(cert, name.get()) == 1
                && (f.X509_set1_notBefore)(cert, not_before.get()) == 1
                && (f.X509_set1_notAfter)(cert, last.get()) == 1
                && add_entry(
                    lib,
                    f,
                    (f.X509_get_subject_name)(cert),
                    ORGANIZATION,
                    facts.organization,
                )
                .is_ok()
                && add_entry(
                    lib,
                    f,
                    (f.X509_get_subject_name)(cert),
                    COMMON_NAME,
                    facts.common_name,
                )
                .is_ok()
                && (f.X509_set_pubkey)(cert, key.0.key.get()) == 1
                && (f.X509_pubkey_digest)(cert, sha1, key_id.as_mut_ptr(), ptr::null_mut()) == 1
        };
        ok(lib, "X509_set_*", c_int::from(done))?;
        let number = u64::from_be_bytes(*key_id.first_chunk().unwrap_or(&[1; 8])) >> 1 | 1;
        // SAFETY: the certificate's number is its own, to be changed.
        let done = unsafe { (f.ASN1_INTEGER_set_uint64)((f.X509_get_serialNumber)(cert), number) };
        ok(lib, "ASN1_INTEGER_set_uint64", done)?;
        let key_id = &key_id[..20];
        for extension in [
            configured(lib, f, BASIC_CONSTRAINTS, c"critical,CA:TRUE,pathlen:0")?,
            configured(
                lib,
                f,
                KEY_USAGE,
                c"critical,keyCertSign,cRLSign,digitalSignature",
            )?,
            raw_extension(lib, f, SUBJECT_KEY_ID, &[&[4, 20], key_id])?,
        ] {
            // SAFETY: both are valid; the extension is copied.
            let added = unsafe { (f.X509_add_ext)(cert, extension.get(), -1) };
            ok(lib, "X509_add_ext", added)?;
        }

        let authority_key_id =
            || raw_extension(lib, f, AUTHORITY_KEY_ID, &[&[0x30, 22, 0x80, 20], key_id]);
        let extensions = vec![
            authority_key_id()?,
            configured(lib, f, BASIC_CONSTRAINTS, c"critical,CA:FALSE")?,
            configured(lib, f, KEY_USAGE, c"critical,digitalSignature")?,
            configured(lib, f, EXTENDED_KEY_USAGE, c"serverAuth")?,
        ];
        let sha256 = find_digest(lib, c"SHA256")?;
        // SAFETY: the certificate has a key, which is only read; the number is copied.
        let cert_id = unsafe {
            let (key, number) = (
                (f.X509_get0_pubkey_bitstr)(cert),
                (f.X509_get_serialNumber)(cert),
            );
            (f.OCSP_cert_id_new)(sha256, name.get(), key, number)
        };
        let cert_id = own(lib, "OCSP_cert_id_new", cert_id, f.OCSP_CERTID_free)?;
        let mut made = Authority {
            lib,
            f,
            signing,
            sha1,
            now: facts.now,
            not_after: time(lib, f, facts.now + subscriber)?,
            produced_at: generalized(lib, f, facts.now)?,
            next_update: generalized(lib, f, facts.now + response)?,
            key,
            name,
            not_before,
            extensions,
            certificate,
            der: Vec::new(),
            cert_id,
            crl: Vec::new(),
            response: Vec::new(),
        };
        made.der = made.self_sign()?;
        made.crl = made.empty_crl(list, &authority_key_id()?)?;
        made.response = made.empty_response()?;
        Ok(made)
    }

    /// Signs the CA's own certificate.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn self_sign(&mut self) -> Result<Vec<u8>, String> {
        let (lib, f, cert) = (self.lib, self.f, self.certificate.get());
        self.sign_certificate(&self.certificate)?;
        // SAFETY: the certificate is valid, and this is a function of its type.
        unsafe { to_der(lib, "i2d_X509", cert, f.i2d_X509) }
    }

    fn sign_certificate(&self, certificate: &Owned<Certificate>) -> Result<(), String> {
        let (f, cert) = (self.f, certificate.get());
        self.signing.sign(
            &self.key.0,
            "X509_sign",
            // SAFETY: everything is valid; the certificate is ours to be changed.
            |key, digest| unsafe { (f.X509_sign)(cert, key, digest) },
            // SAFETY: as above.
            |ctx| unsafe { (f.X509_sign_ctx)(cert, ctx) },
        )
    }

    /// The CA's certificate.
    #[must_use]
    pub fn certificate(&self) -> &[u8] {
        &self.der
    }

    /// Issues a certificate for a TLS server with this number, name and key.
    ///
    /// # Errors
    /// A sentence where the library fails.
    pub fn issue(&self, serial: u64, host: &str, key: &PrivateKey) -> Result<Vec<u8>, String> {
        let (lib, f) = (self.lib, self.f);
        // SAFETY: it takes nothing.
        let certificate = own(lib, "X509_new", unsafe { (f.X509_new)() }, f.X509_free)?;
        let cert = certificate.get();
        let mut key_id = [0u8; 64];
        // SAFETY: all pointers are valid, and what is set is copied; the subject and the number
        // are the certificate's own, to be changed; the digest fits.
        let done = unsafe {
            (f.X509_set_version)(cert, 2) == 1
                && (f.ASN1_INTEGER_set_uint64)((f.X509_get_serialNumber)(cert), serial) == 1
                && (f.X509_set_issuer_name)(cert, self.name.get()) == 1
                && (f.X509_set1_notBefore)(cert, self.not_before.get()) == 1
                && (f.X509_set1_notAfter)(cert, self.not_after.get()) == 1
                && (f.X509_set_pubkey)(cert, key.0.key.get()) == 1
                && (f.X509_pubkey_digest)(cert, self.sha1, key_id.as_mut_ptr(), ptr::null_mut())
                    == 1
        };
        ok(lib, "X509_set_*", c_int::from(done))?;
        // SAFETY: the subject is the certificate's own.
        add_entry(
            lib,
            f,
            unsafe { (f.X509_get_subject_name)(cert) },
            COMMON_NAME,
            host,
        )?;
        for extension in &self.extensions {
            // SAFETY: both are valid; the extension is copied.
            let added = unsafe { (f.X509_add_ext)(cert, extension.get(), -1) };
            ok(lib, "X509_add_ext", added)?;
        }
        let key_id = text(lib, f, OCTET_STRING, &key_id[..20])?;
        let names = dns_name(lib, f, host)?;
        for (kind, value) in [
            (SUBJECT_KEY_ID, key_id.get().cast::<c_void>()),
            (SUBJECT_ALT_NAME, names.get().cast()),
        ] {
            // SAFETY: the value is of the type that this extension has.
            let added = unsafe { (f.X509_add1_ext_i2d)(cert, kind, value, 0, APPEND) };
            ok(lib, "X509_add1_ext_i2d", added)?;
        }
        self.sign_certificate(&certificate)?;
        // SAFETY: the certificate is valid, and this is a function of its type.
        unsafe { to_der(lib, "i2d_X509", cert, f.i2d_X509) }
    }

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

    fn empty_crl(&self, period: i64, key_id: &Owned<Extension>) -> Result<Vec<u8>, String> {
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
        // SAFETY: the response is ours and valid, and so is its time, which is to be changed.
        let set = unsafe {
            (f.ASN1_GENERALIZEDTIME_set)((f.OCSP_resp_get0_produced_at)(basic.get()), self.now)
        };
        ok(lib, "ASN1_GENERALIZEDTIME_set", c_int::from(!set.is_null()))?;
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
    fn empty_response(&self) -> Result<Vec<u8>, String> {
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

/// A request for a certificate with this name, signed so with the key that it is for.
///
/// # Errors
/// A sentence where the library fails.
pub(in super::super::super) fn request(
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

fn new_name(lib: Libcrypto, f: &Functions) -> Result<Owned<Name>, String> {
    // SAFETY: it takes nothing.
    own(
        lib,
        "X509_NAME_new",
        unsafe { (f.X509_NAME_new)() },
        f.X509_NAME_free,
    )
}

/// `name` has to be a valid name that may be changed.
fn add_entry(
    lib: Libcrypto,
    f: &Functions,
    name: *mut Name,
    kind: c_int,
    value: &str,
) -> Result<(), String> {
    let (start, len) = (value.as_ptr(), value.len() as c_int);
    // SAFETY: the callers see to the name; it reads the text.
    let added = unsafe { (f.X509_NAME_add_entry_by_NID)(name, kind, UTF8, start, len, -1, 0) };
    ok(lib, "X509_NAME_add_entry_by_NID", added)
}

fn text(lib: Libcrypto, f: &Functions, kind: c_int, value: &[u8]) -> Result<Owned<Text>, String> {
    // SAFETY: it takes any number.
    let made = unsafe { (f.ASN1_STRING_type_new)(kind) };
    let made = own(lib, "ASN1_STRING_type_new", made, f.ASN1_STRING_free)?;
    let (start, len) = (value.as_ptr().cast(), value.len() as c_int);
    // SAFETY: the string is valid; it copies the slice.
    ok(lib, "ASN1_STRING_set", unsafe {
        (f.ASN1_STRING_set)(made.get(), start, len)
    })?;
    Ok(made)
}

/// As certificates and lists have times: of this century's first half in two digits.
fn time(lib: Libcrypto, f: &Functions, seconds: i64) -> Result<Owned<Text>, String> {
    let made = text(lib, f, UTC_TIME, &[])?;
    // SAFETY: the string is valid and may be changed.
    let set = unsafe { (f.ASN1_TIME_set)(made.get(), seconds) };
    ok(lib, "ASN1_TIME_set", c_int::from(!set.is_null()))?;
    Ok(made)
}

fn generalized(lib: Libcrypto, f: &Functions, seconds: i64) -> Result<Owned<Text>, String> {
    let made = text(lib, f, GENERALIZED_TIME, &[])?;
    // SAFETY: the string is valid and may be changed.
    let set = unsafe { (f.ASN1_GENERALIZEDTIME_set)(made.get(), seconds) };
    ok(lib, "ASN1_GENERALIZEDTIME_set", c_int::from(!set.is_null()))?;
    Ok(made)
}

/// The extension as configuration files have it.
fn configured(
    lib: Libcrypto,
    f: &Functions,
    kind: c_int,
    value: &CStr,
) -> Result<Owned<Extension>, String> {
    let null = ptr::null_mut();
    // SAFETY: the text is ended by NUL, and refers to no configuration.
    let made = unsafe { (f.X509V3_EXT_conf_nid)(null, null, kind, value.as_ptr()) };
    own(lib, "X509V3_EXT_conf_nid", made, f.X509_EXTENSION_free)
}

/// An extension that is not critical, whose encoded value is the parts together.
fn raw_extension(
    lib: Libcrypto,
    f: &Functions,
    kind: c_int,
    parts: &[&[u8]],
) -> Result<Owned<Extension>, String> {
    let value = text(lib, f, OCTET_STRING, &parts.concat())?;
    // SAFETY: null asks for a new one; the value is valid and copied.
    let made = unsafe { (f.X509_EXTENSION_create_by_NID)(ptr::null_mut(), kind, 0, value.get()) };
    own(
        lib,
        "X509_EXTENSION_create_by_NID",
        made,
        f.X509_EXTENSION_free,
    )
}

/// The names of a server: one.
fn dns_name(
    lib: Libcrypto,
    f: &Functions,
    host: &str,
) -> Result<Owned<super::functions::Stack>, String> {
    // SAFETY: it takes nothing.
    let names = unsafe { (f.GENERAL_NAMES_new)() };
    let names = own(lib, "GENERAL_NAMES_new", names, f.GENERAL_NAMES_free)?;
    let value = text(lib, f, IA5_STRING, host.as_bytes())?;
    // SAFETY: it takes nothing.
    let name = unsafe { (f.GENERAL_NAME_new)() };
    if name.is_null() {
        return Err(lib.failure("GENERAL_NAME_new"));
    }
    // SAFETY: the name takes over the text, and the stack the name.
    let pushed = unsafe {
        (f.GENERAL_NAME_set0_value)(name, DNS, value.release().cast());
        (f.OPENSSL_sk_push)(names.get(), name.cast())
    };
    positive(lib, "OPENSSL_sk_push", pushed)?;
    Ok(names)
}
