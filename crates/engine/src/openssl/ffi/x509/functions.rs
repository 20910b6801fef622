//! The functions of `libcrypto` for certificates, lists and responses.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

use libloading::Library;

use super::super::functions::{Md, MdCtx, Pkey, functions, opaque};

opaque!(
    Algorithm,
    BasicResponse,
    CertId,
    Certificate,
    Crl,
    Extension,
    GeneralName,
    Item,
    Name,
    Object,
    Pkcs8,
    Request,
    Response,
    ResponseData,
    Revoked,
    Stack,
    Text,
);

functions! {
    fn i2d_PUBKEY(*const Pkey, *mut *mut u8) -> c_int;
    fn EVP_PKEY2PKCS8(*const Pkey) -> *mut Pkcs8;
    fn PKCS8_PRIV_KEY_INFO_free(*mut Pkcs8);
    fn i2d_PKCS8_PRIV_KEY_INFO(*const Pkcs8, *mut *mut u8) -> c_int;

    fn ASN1_STRING_type_new(c_int) -> *mut Text;
    fn ASN1_STRING_free(*mut Text);
    fn ASN1_STRING_set(*mut Text, *const c_void, c_int) -> c_int;
    fn ASN1_STRING_length(*const Text) -> c_int;
    fn ASN1_STRING_get0_data(*const Text) -> *const u8;
    fn ASN1_INTEGER_set_uint64(*mut Text, u64) -> c_int;
    fn ASN1_item_verify(*const Item, *const Algorithm, *const Text, *const c_void, *mut Pkey) -> c_int;

    fn X509_NAME_new() -> *mut Name;
    fn X509_NAME_free(*mut Name);
    fn X509_NAME_add_entry_by_NID(*mut Name, c_int, c_int, *const u8, c_int, c_int, c_int) -> c_int;

    fn X509V3_EXT_conf_nid(*mut c_void, *mut c_void, c_int, *const c_char) -> *mut Extension;
    fn X509_EXTENSION_create_by_NID(*mut *mut Extension, c_int, c_int, *mut Text) -> *mut Extension;
    fn X509_EXTENSION_free(*mut Extension);
    fn GENERAL_NAME_new() -> *mut GeneralName;
    fn GENERAL_NAME_set0_value(*mut GeneralName, c_int, *mut c_void);
    fn GENERAL_NAMES_new() -> *mut Stack;
    fn GENERAL_NAMES_free(*mut Stack);
    fn OPENSSL_sk_push(*mut Stack, *const c_void) -> c_int;

    fn X509_new() -> *mut Certificate;
    fn X509_free(*mut Certificate);
    fn d2i_X509(*mut *mut Certificate, *mut *const u8, c_long) -> *mut Certificate;
    fn i2d_X509(*const Certificate, *mut *mut u8) -> c_int;
    fn X509_set_version(*mut Certificate, c_long) -> c_int;
    fn X509_get_serialNumber(*mut Certificate) -> *mut Text;
    fn X509_set_issuer_name(*mut Certificate, *const Name) -> c_int;
    fn X509_get_subject_name(*const Certificate) -> *mut Name;
    fn X509_set1_notBefore(*mut Certificate, *const Text) -> c_int;
    fn X509_set1_notAfter(*mut Certificate, *const Text) -> c_int;
    fn X509_set_pubkey(*mut Certificate, *mut Pkey) -> c_int;
    fn X509_get0_pubkey_bitstr(*const Certificate) -> *mut Text;
    fn X509_pubkey_digest(*const Certificate, *const Md, *mut u8, *mut c_uint) -> c_int;
    fn X509_add_ext(*mut Certificate, *mut Extension, c_int) -> c_int;
    fn X509_add1_ext_i2d(*mut Certificate, c_int, *mut c_void, c_int, c_ulong) -> c_int;
    fn X509_sign(*mut Certificate, *mut Pkey, *const Md) -> c_int;
    fn X509_sign_ctx(*mut Certificate, *mut MdCtx) -> c_int;
    fn X509_verify(*mut Certificate, *mut Pkey) -> c_int;
    fn X509_get0_signature(*mut *const Text, *mut *const Algorithm, *const Certificate);
    fn i2d_re_X509_tbs(*const Certificate, *mut *mut u8) -> c_int;

    fn X509_REQ_new() -> *mut Request;
    fn X509_REQ_free(*mut Request);
    fn d2i_X509_REQ(*mut *mut Request, *mut *const u8, c_long) -> *mut Request;
    fn i2d_X509_REQ(*const Request, *mut *mut u8) -> c_int;
    fn i2d_re_X509_REQ_tbs(*const Request, *mut *mut u8) -> c_int;
    fn X509_REQ_set_version(*mut Request, c_long) -> c_int;
    fn X509_REQ_set_subject_name(*mut Request, *const Name) -> c_int;
    fn X509_REQ_set_pubkey(*mut Request, *mut Pkey) -> c_int;
    fn X509_REQ_sign(*mut Request, *mut Pkey, *const Md) -> c_int;
    fn X509_REQ_sign_ctx(*mut Request, *mut MdCtx) -> c_int;
    fn X509_REQ_verify(*mut Request, *mut Pkey) -> c_int;
    fn X509_REQ_get0_signature(*const Request, *mut *const Text, *mut *const Algorithm);

    fn X509_CRL_new() -> *mut Crl;
    fn X509_CRL_free(*mut Crl);
    fn d2i_X509_CRL(*mut *mut Crl, *mut *const u8, c_long) -> *mut Crl;
    fn i2d_X509_CRL(*const Crl, *mut *mut u8) -> c_int;
    fn i2d_re_X509_CRL_tbs(*const Crl, *mut *mut u8) -> c_int;
    fn X509_CRL_set_version(*mut Crl, c_long) -> c_int;
    fn X509_CRL_set_issuer_name(*mut Crl, *const Name) -> c_int;
    fn X509_CRL_set1_lastUpdate(*mut Crl, *const Text) -> c_int;
    fn X509_CRL_set1_nextUpdate(*mut Crl, *const Text) -> c_int;
    fn X509_CRL_add_ext(*mut Crl, *mut Extension, c_int) -> c_int;
    fn X509_CRL_add1_ext_i2d(*mut Crl, c_int, *mut c_void, c_int, c_ulong) -> c_int;
    fn X509_CRL_add0_revoked(*mut Crl, *mut Revoked) -> c_int;
    fn X509_REVOKED_new() -> *mut Revoked;
    fn X509_REVOKED_free(*mut Revoked);
    fn X509_REVOKED_set_serialNumber(*mut Revoked, *mut Text) -> c_int;
    fn X509_REVOKED_set_revocationDate(*mut Revoked, *mut Text) -> c_int;
    fn X509_CRL_sign(*mut Crl, *mut Pkey, *const Md) -> c_int;
    fn X509_CRL_sign_ctx(*mut Crl, *mut MdCtx) -> c_int;
    fn X509_CRL_verify(*mut Crl, *mut Pkey) -> c_int;
    fn X509_CRL_get0_signature(*const Crl, *mut *const Text, *mut *const Algorithm);

    fn OCSP_cert_id_new(*const Md, *const Name, *const Text, *const Text) -> *mut CertId;
    fn OCSP_CERTID_dup(*const CertId) -> *mut CertId;
    fn OCSP_CERTID_free(*mut CertId);
    fn OCSP_id_get0_info(*mut *mut Text, *mut *mut Object, *mut *mut Text, *mut *mut Text, *mut CertId) -> c_int;
    fn OCSP_BASICRESP_new() -> *mut BasicResponse;
    fn OCSP_BASICRESP_free(*mut BasicResponse);
    fn d2i_OCSP_BASICRESP(*mut *mut BasicResponse, *mut *const u8, c_long) -> *mut BasicResponse;
    fn i2d_OCSP_BASICRESP(*const BasicResponse, *mut *mut u8) -> c_int;
    fn OCSP_basic_add1_status(*mut BasicResponse, *mut CertId, c_int, c_int, *mut Text, *mut Text, *mut Text) -> *mut c_void;
    fn OCSP_basic_sign(*mut BasicResponse, *mut Certificate, *mut Pkey, *const Md, *mut Stack, c_ulong) -> c_int;
    fn OCSP_basic_sign_ctx(*mut BasicResponse, *mut Certificate, *mut MdCtx, *mut Stack, c_ulong) -> c_int;
    fn OCSP_resp_get0_produced_at(*const BasicResponse) -> *mut Text;
    fn OCSP_resp_get0_signature(*const BasicResponse) -> *mut Text;
    fn OCSP_resp_get0_tbs_sigalg(*const BasicResponse) -> *mut Algorithm;
    fn OCSP_resp_get0_respdata(*const BasicResponse) -> *mut ResponseData;
    fn OCSP_RESPDATA_it() -> *const Item;
    fn i2d_OCSP_RESPDATA(*const ResponseData, *mut *mut u8) -> c_int;
    fn OCSP_response_create(c_int, *mut BasicResponse) -> *mut Response;
    fn OCSP_response_get1_basic(*mut Response) -> *mut BasicResponse;
    fn OCSP_RESPONSE_free(*mut Response);
    fn d2i_OCSP_RESPONSE(*mut *mut Response, *mut *const u8, c_long) -> *mut Response;
    fn i2d_OCSP_RESPONSE(*const Response, *mut *mut u8) -> c_int;

    optional:
}
