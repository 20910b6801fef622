//! Large numbers, and the groups of elliptic curves.

use std::ffi::{CStr, c_int};
use std::ptr;

use super::evp::{Owned, ok};
use super::functions::{Bn, BnCtx, EcGroup, EcPoint};
use super::load::Libcrypto;

/// A number.
pub(crate) struct Number {
    lib: Libcrypto,
    pub(super) bn: Owned<Bn>,
}

impl Number {
    pub(crate) fn zero(lib: Libcrypto) -> Result<Self, String> {
        let f = lib.functions;
        // SAFETY: it takes nothing.
        Self::own(lib, unsafe { (f.BN_new)() })
    }

    pub(super) fn own(lib: Libcrypto, bn: *mut Bn) -> Result<Self, String> {
        let bn = Owned::new(bn, lib.functions.BN_clear_free);
        let bn = bn.ok_or_else(|| lib.failure("BN_new"))?;
        Ok(Number { lib, bn })
    }

    pub(crate) fn from_bytes(lib: Libcrypto, bytes: &[u8]) -> Result<Self, String> {
        let len = c_int::try_from(bytes.len()).map_err(|_| "the number is too long")?;
        // SAFETY: it reads the slice; null asks for a new number.
        let bn = unsafe { (lib.functions.BN_bin2bn)(bytes.as_ptr(), len, ptr::null_mut()) };
        Self::own(lib, bn)
    }

    /// Big-endian, with zeros in front.
    pub(crate) fn to_bytes(&self, len: usize) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; len];
        let write = self.lib.functions.BN_bn2binpad;
        // SAFETY: the number is valid; there is room for the stated length.
        let written = unsafe { write(self.bn.get(), bytes.as_mut_ptr(), len as c_int) };
        let done = usize::try_from(written) == Ok(len);
        ok(self.lib, "BN_bn2binpad", c_int::from(done))?;
        Ok(bytes)
    }
}

/// Room for what arithmetic needs on the way.
struct Scratch(Owned<BnCtx>);

impl Scratch {
    fn new(lib: Libcrypto) -> Result<Self, String> {
        let f = lib.functions;
        // SAFETY: it takes nothing.
        let ctx = Owned::new(unsafe { (f.BN_CTX_new)() }, f.BN_CTX_free);
        ctx.map(Scratch).ok_or_else(|| lib.failure("BN_CTX_new"))
    }
}

/// Adds or multiplies two numbers.
pub(crate) struct Arithmetic {
    operands: [Number; 2],
    pub(crate) result: Number,
    scratch: Scratch,
}

impl Arithmetic {
    pub(crate) fn new(lib: Libcrypto, a: &[u8], b: &[u8]) -> Result<Self, String> {
        Ok(Arithmetic {
            operands: [Number::from_bytes(lib, a)?, Number::from_bytes(lib, b)?],
            result: Number::zero(lib)?,
            scratch: Scratch::new(lib)?,
        })
    }

    #[inline]
    pub(crate) fn add(&mut self) -> Result<(), String> {
        let (lib, [a, b]) = (self.result.lib, &self.operands);
        // SAFETY: the numbers are valid.
        let result =
            unsafe { (lib.functions.BN_add)(self.result.bn.get(), a.bn.get(), b.bn.get()) };
        ok(lib, "BN_add", result)
    }

    #[inline]
    pub(crate) fn multiply(&mut self) -> Result<(), String> {
        let (lib, [a, b]) = (self.result.lib, &self.operands);
        let ctx = self.scratch.0.get();
        // SAFETY: the numbers and the context are valid.
        let result =
            unsafe { (lib.functions.BN_mul)(self.result.bn.get(), a.bn.get(), b.bn.get(), ctx) };
        ok(lib, "BN_mul", result)
    }
}

/// A scalar times a point.
pub(crate) struct Multiplication {
    lib: Libcrypto,
    group: Owned<EcGroup>,
    /// The base point if there is none.
    point: Option<Owned<EcPoint>>,
    result: Owned<EcPoint>,
    scalar: Number,
    pub(crate) x: Number,
    pub(crate) y: Number,
    scratch: Scratch,
}

impl Multiplication {
    /// Of a point, or of the base point, of the curve with this object identifier in decimals.
    pub(crate) fn new(
        lib: Libcrypto,
        curve: &CStr,
        scalar: &[u8],
        point: Option<&[u8]>,
    ) -> Result<Self, String> {
        let f = lib.functions;
        let scratch = Scratch::new(lib)?;
        // SAFETY: the text is ended by NUL, and the other function takes any number.
        let group = unsafe { (f.EC_GROUP_new_by_curve_name)((f.OBJ_txt2nid)(curve.as_ptr())) };
        let group = Owned::new(group, f.EC_GROUP_free)
            .ok_or_else(|| lib.failure("EC_GROUP_new_by_curve_name"))?;
        let new_point = || {
            // SAFETY: the group is valid.
            Owned::new(unsafe { (f.EC_POINT_new)(group.get()) }, f.EC_POINT_free)
                .ok_or_else(|| lib.failure("EC_POINT_new"))
        };
        let result = new_point()?;
        let point = match point {
            None => None,
            Some(bytes) => {
                let point = new_point()?;
                let (start, len) = (bytes.as_ptr(), bytes.len());
                let ctx = scratch.0.get();
                // SAFETY: everything is valid; it reads the slice.
                let read =
                    unsafe { (f.EC_POINT_oct2point)(group.get(), point.get(), start, len, ctx) };
                ok(lib, "EC_POINT_oct2point", read)?;
                Some(point)
            }
        };
        Ok(Multiplication {
            lib,
            point,
            result,
            scalar: Number::from_bytes(lib, scalar)?,
            x: Number::zero(lib)?,
            y: Number::zero(lib)?,
            scratch,
            group,
        })
    }

    /// Multiplies, and finds the coordinates.
    #[inline]
    pub(crate) fn run(&mut self) -> Result<(), String> {
        let f = self.lib.functions;
        let (group, result) = (self.group.get(), self.result.get());
        let (scalar, ctx) = (self.scalar.bn.get(), self.scratch.0.get());
        // SAFETY: everything is valid; the base point's scalar comes first, a point's last.
        let done = unsafe {
            let multiplied = match &self.point {
                None => (f.EC_POINT_mul)(group, result, scalar, ptr::null(), ptr::null(), ctx),
                Some(point) => {
                    (f.EC_POINT_mul)(group, result, ptr::null(), point.get(), scalar, ctx)
                }
            };
            let (x, y) = (self.x.bn.get(), self.y.bn.get());
            multiplied == 1 && (f.EC_POINT_get_affine_coordinates)(group, result, x, y, ctx) == 1
        };
        ok(self.lib, "EC_POINT_mul", c_int::from(done))
    }
}
