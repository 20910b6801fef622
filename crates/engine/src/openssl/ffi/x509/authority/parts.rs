//! What certificates, lists and responses are made of: names, texts, times, extensions.

use std::ffi::{CStr, c_int};
use std::ptr;

use super::super::super::evp::{Owned, ok};
use super::super::super::load::Libcrypto;
use super::super::functions::{Extension, Functions, Name, Stack, Text};
use super::super::{own, positive};
use super::{DNS, GENERALIZED_TIME, IA5_STRING, OCTET_STRING, UTC_TIME, UTF8};

pub(super) fn new_name(lib: Libcrypto, f: &Functions) -> Result<Owned<Name>, String> {
    // SAFETY: it takes nothing.
    own(
        lib,
        "X509_NAME_new",
        unsafe { (f.X509_NAME_new)() },
        f.X509_NAME_free,
    )
}

/// `name` has to be a valid name that may be changed.
pub(super) fn add_entry(
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

pub(super) fn text(
    lib: Libcrypto,
    f: &Functions,
    kind: c_int,
    value: &[u8],
) -> Result<Owned<Text>, String> {
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
pub(super) fn time(lib: Libcrypto, f: &Functions, seconds: i64) -> Result<Owned<Text>, String> {
    let digits = digits(seconds)?;
    if digits.as_str() < "2050" {
        text(lib, f, UTC_TIME, &digits.as_bytes()[2..])
    } else {
        text(lib, f, GENERALIZED_TIME, digits.as_bytes())
    }
}

pub(super) fn generalized(
    lib: Libcrypto,
    f: &Functions,
    seconds: i64,
) -> Result<Owned<Text>, String> {
    text(lib, f, GENERALIZED_TIME, digits(seconds)?.as_bytes())
}

/// The extension as configuration files have it.
pub(super) fn configured(
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
pub(super) fn raw_extension(
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
pub(super) fn dns_name(lib: Libcrypto, f: &Functions, host: &str) -> Result<Owned<Stack>, String> {
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

/// `YYYYMMDDhhmmssZ`. Not by functions of libcrypto: they take a `time_t`, and how wide that is, is
/// for whoever built the library to say.
fn digits(seconds: i64) -> Result<String, String> {
    const YEAR_10000: i64 = 253_402_300_800;
    if !(0..YEAR_10000).contains(&seconds) {
        return Err(format!("no year of four digits has the second {seconds}"));
    }
    let (mut day, second) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = |year| 365 + i64::from(is_leap(year));
    let mut year = 1970;
    while day >= days(year) {
        day -= days(year);
        year += 1;
    }
    let february = 28 + i64::from(is_leap(year));
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let day = day + 1;
    Ok(format!(
        "{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z"
    ))
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits() {
        for (seconds, digits) in [
            (0, "19700101000000Z"),
            (951_782_399, "20000228235959Z"),
            (951_782_400, "20000229000000Z"),
            (951_868_800, "20000301000000Z"),
            (2_147_483_648, "20380119031408Z"),
            (2_524_607_999, "20491231235959Z"),
            (2_524_608_000, "20500101000000Z"),
            (4_107_542_400, "21000301000000Z"),
            (253_402_300_799, "99991231235959Z"),
        ] {
            assert_eq!(super::digits(seconds).unwrap(), digits);
        }
        assert!(super::digits(-1).is_err());
        assert!(super::digits(253_402_300_800).is_err());
    }
}
