//! Making and signing.

mod lists;
mod parts;
mod request;
mod responses;

use std::ffi::{c_int, c_ulong, c_void};
use std::ptr;

use super::super::evp::{Owned, ok, to_der};
use super::super::functions::Md;
use super::super::load::Libcrypto;
use super::super::symmetric::find_digest;
use super::functions::{CertId, Certificate, Extension, Functions, Name, Text};
use super::signing::Signing;
use super::{PrivateKey, functions, own};
use crate::toolkit::Facts;
use parts::{add_entry, configured, dns_name, generalized, new_name, raw_extension, text, time};
pub(in super::super::super) use request::request;

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
const APPEND: c_ulong = 1;
/// `OCSP_NOCERTS | OCSP_NOTIME`.
const BARE: c_ulong = 0x801;

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
}
