//! Each way to be wrong has a kind and a position.

pub(crate) mod certificates;
pub(crate) mod encrypted;
mod extensions;
mod keys;
mod leniency;
pub(crate) mod messages;
mod names;

use adamant_der::{ErrorKind as Der, Oid, Writer, oid};
use adamant_x509::ErrorKind;
use adamant_x509::extensions::{ExtensionValue, write_extension, write_raw_extension};

pub(crate) const BASIC_CONSTRAINTS: Oid = oid!("2.5.29.19");
pub(crate) const PRIVATE: Oid = oid!("1.3.6.1.4.1.99999.4");

pub(crate) fn write(f: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    f(&mut w);
    w.finish()
}

/// Where `part` begins in `whole`, where it is once.
pub(crate) fn find(whole: &[u8], part: &[u8]) -> usize {
    let mut places = whole
        .windows(part.len())
        .enumerate()
        .filter(|(_, window)| *window == part);
    let (place, _) = places.next().expect("the part is there");
    assert!(places.next().is_none(), "the part is there once");
    place
}

pub(crate) fn extension<'a, T: ExtensionValue<'a>>(value: &T) -> Vec<u8> {
    write(|w| write_extension(T::CRITICAL, value, w))
}

pub(crate) fn raw_extension(oid: Oid, critical: bool, value: &[u8]) -> Vec<u8> {
    write(|w| write_raw_extension(&oid, critical, value, w))
}

/// Errors of the DER as those of this crate.
pub(crate) fn der(kind: Der) -> ErrorKind {
    ErrorKind::Der(kind)
}
