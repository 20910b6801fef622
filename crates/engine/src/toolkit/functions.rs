//! The functions that a library exports, and what they are made of on its side.
//!
//! A reference to an object or to bytes that a call takes is one for the time of the call. Bytes
//! that a call gives are handed to the caller's [`Sink`], which copies them: the result where the
//! call says that it succeeded, a sentence where not.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::slice;

use super::{Extent, Facts, Item, Toolkit};

/// What the functions are, and what they take: to be raised where that changes.
pub(super) const ABI: u32 = 1;

/// Bytes of the other side.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Bytes {
    at: *const u8,
    len: usize,
}

impl Bytes {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Bytes {
            at: bytes.as_ptr(),
            len: bytes.len(),
        }
    }

    /// # Safety
    /// They must be those of [`Bytes::of`], while that reference holds.
    pub(super) unsafe fn get<'a>(self) -> &'a [u8] {
        // SAFETY: as demanded of the caller.
        unsafe { slice::from_raw_parts(self.at, self.len) }
    }

    /// # Safety
    /// As [`Bytes::get`], of a `str`.
    unsafe fn text<'a>(self) -> &'a str {
        // SAFETY: as demanded of the caller.
        str::from_utf8(unsafe { self.get() }).unwrap_or_default()
    }
}

/// Where a call's bytes go.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Sink {
    pub(super) to: *mut c_void,
    pub(super) give: unsafe extern "C" fn(*mut c_void, Bytes),
}

impl Sink {
    fn give(self, bytes: &[u8]) {
        // SAFETY: whoever made the sink has paired both, and keeps them for the call.
        unsafe { (self.give)(self.to, Bytes::of(bytes)) };
    }

    /// Bytes or a sentence, and whether it is the former.
    fn bytes(self, result: Result<Vec<u8>, String>) -> bool {
        match &result {
            Ok(bytes) => self.give(bytes),
            Err(sentence) => self.give(sentence.as_bytes()),
        }
        result.is_ok()
    }

    /// An object, or nothing and a sentence.
    fn object<T>(self, result: Result<T, String>) -> *mut c_void {
        match result {
            Ok(object) => Box::into_raw(Box::new(object)).cast(),
            Err(sentence) => {
                self.give(sentence.as_bytes());
                std::ptr::null_mut()
            }
        }
    }
}

/// [`Facts`].
#[repr(C)]
pub(super) struct RawFacts {
    organization: Bytes,
    common_name: Bytes,
    now: i64,
    periods: [i64; 4],
}

impl RawFacts {
    pub(super) fn of(facts: &Facts<'_>) -> Self {
        RawFacts {
            organization: Bytes::of(facts.organization.as_bytes()),
            common_name: Bytes::of(facts.common_name.as_bytes()),
            now: facts.now,
            periods: facts.periods,
        }
    }
}

type Object = *mut c_void;
type Drop = unsafe extern "C" fn(Object);

/// The functions of a toolkit, which a library exports as `ADAMANT_TOOLKIT`.
#[repr(C)]
pub struct Functions {
    pub(super) abi: u32,
    pub(super) name: unsafe extern "C" fn(Sink),
    pub(super) has: unsafe extern "C" fn(Bytes) -> bool,
    pub(super) generate: unsafe extern "C" fn(Bytes, Sink) -> Object,
    pub(super) spki: unsafe extern "C" fn(Object, Sink) -> bool,
    pub(super) drop_key: Drop,
    /// It takes the key.
    pub(super) authority: unsafe extern "C" fn(Bytes, Object, *const RawFacts, Sink) -> Object,
    pub(super) self_sign: unsafe extern "C" fn(Object, Sink) -> bool,
    pub(super) issue: unsafe extern "C" fn(Object, u64, Bytes, Object, Sink) -> bool,
    pub(super) crl: unsafe extern "C" fn(Object, u64, bool, Sink) -> bool,
    pub(super) response: unsafe extern "C" fn(Object, u64, bool, Sink) -> bool,
    pub(super) drop_authority: Drop,
    pub(super) verifier: unsafe extern "C" fn(Bytes, Sink) -> Object,
    /// 1 where the signature holds, 0 where not, -1 and a sentence where that cannot be told.
    pub(super) verify: unsafe extern "C" fn(Object, u32, Bytes, Sink) -> i32,
    pub(super) drop_verifier: Drop,
}

impl Functions {
    /// Those of a toolkit.
    #[must_use]
    pub const fn of<T: Toolkit>() -> Self {
        Functions {
            abi: ABI,
            name: name::<T>,
            has: has::<T>,
            generate: generate::<T>,
            spki: spki::<T>,
            drop_key: drop::<T::Key>,
            authority: authority::<T>,
            self_sign: self_sign::<T>,
            issue: issue::<T>,
            crl: crl::<T>,
            response: response::<T>,
            drop_authority: drop::<T::Authority>,
            verifier: verifier::<T>,
            verify: verify::<T>,
            drop_verifier: drop::<T::Verifier>,
        }
    }
}

// Of all that follow: the objects are those that this table gave, of the type of the function's
// argument, and no function has taken them; bytes and facts are as `Bytes` demands. The other
// side's types see to it.

extern "C" fn name<T: Toolkit>(sink: Sink) {
    sink.give(T::name().as_bytes());
}

unsafe extern "C" fn has<T: Toolkit>(algorithm: Bytes) -> bool {
    // SAFETY: see above.
    T::has(unsafe { algorithm.text() })
}

unsafe extern "C" fn generate<T: Toolkit>(algorithm: Bytes, sink: Sink) -> Object {
    // SAFETY: see above.
    sink.object(T::generate(unsafe { algorithm.text() }))
}

unsafe extern "C" fn spki<T: Toolkit>(key: Object, sink: Sink) -> bool {
    // SAFETY: see above.
    sink.bytes(T::spki(unsafe { &*key.cast() }))
}

unsafe extern "C" fn authority<T: Toolkit>(
    algorithm: Bytes,
    key: Object,
    facts: *const RawFacts,
    sink: Sink,
) -> Object {
    // SAFETY: see above; the key is taken here, once.
    let (algorithm, key, facts) = unsafe {
        let raw = &*facts;
        let facts = Facts {
            organization: raw.organization.text(),
            common_name: raw.common_name.text(),
            now: raw.now,
            periods: raw.periods,
        };
        (
            algorithm.text(),
            *Box::from_raw(key.cast::<T::Key>()),
            facts,
        )
    };
    sink.object(T::authority(algorithm, key, &facts))
}

unsafe extern "C" fn self_sign<T: Toolkit>(authority: Object, sink: Sink) -> bool {
    // SAFETY: see above.
    sink.bytes(T::self_sign(unsafe { &*authority.cast() }))
}

unsafe extern "C" fn issue<T: Toolkit>(
    authority: Object,
    number: u64,
    host: Bytes,
    key: Object,
    sink: Sink,
) -> bool {
    // SAFETY: see above.
    let (authority, host, key) =
        unsafe { (&*authority.cast(), host.text(), &*key.cast::<T::Key>()) };
    sink.bytes(T::issue(authority, number, host, key))
}

fn extent(signed: bool) -> Extent {
    if signed { Extent::Signed } else { Extent::Tbs }
}

unsafe extern "C" fn crl<T: Toolkit>(
    authority: Object,
    last: u64,
    signed: bool,
    sink: Sink,
) -> bool {
    // SAFETY: see above.
    sink.bytes(T::crl(unsafe { &*authority.cast() }, last, extent(signed)))
}

unsafe extern "C" fn response<T: Toolkit>(
    authority: Object,
    number: u64,
    signed: bool,
    sink: Sink,
) -> bool {
    // SAFETY: see above.
    let authority = unsafe { &*authority.cast() };
    sink.bytes(T::response(authority, number, extent(signed)))
}

unsafe extern "C" fn verifier<T: Toolkit>(spki: Bytes, sink: Sink) -> Object {
    // SAFETY: see above.
    sink.object(T::verifier(unsafe { spki.get() }))
}

unsafe extern "C" fn verify<T: Toolkit>(
    verifier: Object,
    item: u32,
    der: Bytes,
    sink: Sink,
) -> i32 {
    let item = match item {
        0 => Item::Certificate,
        1 => Item::Crl,
        _ => Item::Response,
    };
    // SAFETY: see above.
    let (verifier, der) = unsafe { (&*verifier.cast(), der.get()) };
    match T::verify(verifier, item, der) {
        Ok(valid) => i32::from(valid),
        Err(sentence) => {
            sink.give(sentence.as_bytes());
            -1
        }
    }
}

unsafe extern "C" fn drop<T>(object: Object) {
    // SAFETY: see above; this is the last that is done with it.
    std::mem::drop(unsafe { Box::from_raw(object.cast::<T>()) });
}
