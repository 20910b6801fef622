//! What every operation is made of.

use std::ptr::NonNull;

use adamant_engine::Item;
use adamant_engine::serve::Single;

use crate::ffi;

/// An operation made of what it works on, what it does, and how the result is told.
struct Op<S, R, T> {
    state: S,
    run: R,
    tell: T,
}

impl<S, R, T> Single for Op<S, R, T>
where
    R: FnMut(&mut S) -> Result<(), String>,
    T: FnMut(&mut S) -> Result<Item, String>,
{
    #[inline]
    fn once(&mut self) -> Result<(), String> {
        (self.run)(&mut self.state)
    }
    fn output(&mut self) -> Result<Item, String> {
        (self.tell)(&mut self.state)
    }
}

pub(crate) fn op<S>(
    state: S,
    run: impl FnMut(&mut S) -> Result<(), String>,
    tell: impl FnMut(&mut S) -> Result<Item, String>,
) -> Result<impl Single, String> {
    Ok(Op { state, run, tell })
}

pub(crate) fn field(input: &Item, name: &str) -> Result<Vec<u8>, String> {
    let found = input.get(name).cloned();
    found.ok_or_else(|| format!("{name} is missing"))
}

/// A field of exactly this length.
pub(crate) fn exactly<const N: usize>(input: &Item, name: &str) -> Result<[u8; N], String> {
    let bytes = field(input, name)?;
    bytes
        .try_into()
        .map_err(|_| format!("{name} has to have {N} bytes"))
}

/// A field of this length.
pub(crate) fn of_length(input: &Item, name: &str, len: usize) -> Result<Vec<u8>, String> {
    let bytes = field(input, name)?;
    if bytes.len() != len {
        return Err(format!("{name} has to have {len} bytes"));
    }
    Ok(bytes)
}

/// A big-endian number of at most eight bytes.
pub(crate) fn number(input: &Item, name: &str) -> Result<u64, String> {
    let bytes = field(input, name)?;
    if bytes.len() > 8 {
        return Err(format!("{name} is no number of at most 8 bytes"));
    }
    Ok(bytes
        .iter()
        .fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
}

pub(crate) fn item<const N: usize>(fields: [(&str, &[u8]); N]) -> Result<Item, String> {
    let owned = fields.map(|(name, value)| (name.to_owned(), value.to_vec()));
    Ok(Item::from(owned))
}

pub(crate) fn valid(valid: bool) -> Result<Item, String> {
    item([("valid", &[u8::from(valid)])])
}

/// 1 is success, everything else a failure, whose sentence holds the library's own.
#[inline]
pub(crate) fn ok(call: &str, result: i32) -> Result<(), String> {
    if result == 1 {
        Ok(())
    } else {
        Err(failure(call))
    }
}

#[cold]
pub(crate) fn failure(call: &str) -> String {
    let mut text = [0_u8; 256];
    // SAFETY: the first takes nothing; the second writes a string ended by NUL, at most as long
    // as said; the third empties the queue.
    unsafe {
        let code = ffi::ERR_get_error();
        ffi::ERR_error_string_n(code, text.as_mut_ptr().cast(), text.len());
        ffi::ERR_clear_error();
    }
    let text = std::ffi::CStr::from_bytes_until_nul(&text).unwrap_or_default();
    format!("{call} failed: {}", text.to_string_lossy())
}

/// A pointer that is only ours, and the function that frees it.
pub(crate) struct Owned<T> {
    pointer: NonNull<T>,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Owned<T> {
    /// Takes over what a function of the library made.
    pub(crate) fn new(
        pointer: *mut T,
        free: unsafe extern "C" fn(*mut T),
        call: &str,
    ) -> Result<Self, String> {
        match NonNull::new(pointer) {
            Some(pointer) => Ok(Owned { pointer, free }),
            None => Err(failure(call)),
        }
    }

    #[inline]
    pub(crate) fn get(&self) -> *mut T {
        self.pointer.as_ptr()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the library made it, it is only ours, and this is what frees it.
        unsafe { (self.free)(self.pointer.as_ptr()) }
    }
}
