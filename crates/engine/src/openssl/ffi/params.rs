//! Parameters by name, as OpenSSL takes them from 3.0 on.

use std::ffi::{CStr, c_uint};
use std::ptr;

use super::functions::Param;

const UNSIGNED_INTEGER: c_uint = 2;
const UTF8_STRING: c_uint = 4;
const OCTET_STRING: c_uint = 5;

const END: Param = Param {
    key: ptr::null(),
    data_type: 0,
    data: ptr::null_mut(),
    data_size: 0,
    return_size: 0,
};

/// A list of parameters that owns what they point to. OpenSSL only reads the data of parameters
/// that are given to it.
pub(crate) struct Params {
    list: Vec<Param>,
    bytes: Vec<Box<[u8]>>,
    numbers: Vec<Box<[u64]>>,
}

impl Params {
    pub(crate) fn new() -> Self {
        Params {
            list: vec![END],
            bytes: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// The NUL does not count, but must be there: OpenSSL reads names of algorithms up to it.
    pub(crate) fn text(mut self, key: &'static CStr, value: &CStr) -> Self {
        let value: Box<[u8]> = value.to_bytes_with_nul().into();
        self.push(key, UTF8_STRING, value.as_ptr(), value.len() - 1);
        self.bytes.push(value);
        self
    }

    pub(crate) fn octets(self, key: &'static CStr, value: &[u8]) -> Self {
        self.bytes(key, OCTET_STRING, value)
    }

    /// A number of any length, given big-endian.
    pub(crate) fn integer(self, key: &'static CStr, big_endian: &[u8]) -> Self {
        let mut native = big_endian.to_vec();
        if cfg!(target_endian = "little") {
            native.reverse();
        }
        self.bytes(key, UNSIGNED_INTEGER, &native)
    }

    pub(crate) fn number(mut self, key: &'static CStr, value: u64) -> Self {
        let value: Box<[u64]> = Box::new([value]);
        self.push(
            key,
            UNSIGNED_INTEGER,
            value.as_ptr().cast(),
            size_of::<u64>(),
        );
        self.numbers.push(value);
        self
    }

    fn bytes(mut self, key: &'static CStr, data_type: c_uint, value: &[u8]) -> Self {
        let value: Box<[u8]> = value.into();
        self.push(key, data_type, value.as_ptr(), value.len());
        self.bytes.push(value);
        self
    }

    fn push(&mut self, key: &'static CStr, data_type: c_uint, data: *const u8, len: usize) {
        let last = self.list.len() - 1;
        let param = Param {
            key: key.as_ptr(),
            data_type,
            data: data.cast_mut().cast(),
            data_size: len,
            return_size: usize::MAX,
        };
        self.list.insert(last, param);
    }

    /// The array, ended as OpenSSL wants it; what it points to lives as long as `self`.
    pub(super) fn as_ptr(&self) -> *const Param {
        self.list.as_ptr()
    }
}
