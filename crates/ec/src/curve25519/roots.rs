//! Square roots of quotients in constant time, which decoding and the maps to the curve start from.

use super::field::Fe;
use super::fields::Field;
use adamant_base::ct::Choice;

/// The square root of -486664 that relates the forms of the curve (RFC 7748, section 4.1): the one
/// whose lowest bit is zero, as RFC 9380, appendix D.1 asks.
pub(super) const SQRT_MINUS_486664: Fe = Fe::from_bytes(&[
    0x06, 0x7e, 0x45, 0xff, 0xaa, 0x04, 0x6e, 0xcc, 0x82, 0x1a, 0x7d, 0x4b, 0xd1, 0xd3, 0xa1, 0xc5,
    0x7e, 0x4f, 0xfc, 0x03, 0xdc, 0x08, 0x7b, 0xd2, 0xbb, 0x06, 0xa0, 0x60, 0xf4, 0xed, 0x26, 0x0f,
]);
const _: () = {
    let sum = SQRT_MINUS_486664
        .const_square()
        .add(Fe::small(486_664))
        .to_bytes();
    let mut i = 0;
    while i < 32 {
        assert!(sum[i] == 0);
        i += 1;
    }
};

/// Whether `u / v` is a square, and the root of `u / v` or, where that is none, of `i u / v`,
/// i the square root of -1 (`SQRT_RATIO_M1` of RFC 9496, section 4.2). The root is not negative:
/// its lowest bit is zero. True and zero for u = 0; false and zero for v = 0 and another u.
#[inline(always)]
pub(super) fn sqrt_ratio<F: Field>(u: F, v: F) -> (Choice, F) {
    let v3 = v.square().mul(v);
    let v7 = v3.square().mul(v);
    let root = u.mul(v3).mul(u.mul(v7).pow_p58());
    let check = v.mul(root.square());
    let right = check.equals(u);
    let minus = u.neg();
    let opposite = check.equals(minus);
    let turned = check.equals(minus.mul(F::SQRT_M1));
    let root = select(opposite.or(turned), root.mul(F::SQRT_M1), root);
    (right.or(opposite), absolute(root))
}

/// `a` where `choice` is true, else `b`.
#[inline(always)]
pub(super) fn select<F: Field>(choice: Choice, a: F, b: F) -> F {
    let mut x = b;
    x.assign(choice.mask(), a);
    x
}

/// Whether `x` is negative: odd (RFC 9496, section 4.1).
#[inline(always)]
pub(super) fn is_negative<F: Field>(x: F) -> Choice {
    Choice::from_bit(u64::from(x.sign()))
}

/// `-x` where `choice` is true, else `x`; tight.
#[inline(always)]
pub(super) fn negate_if<F: Field>(choice: Choice, x: F) -> F {
    select(choice, x.neg(), x)
}

/// `x` or `-x`, whichever is not negative.
#[inline(always)]
pub(super) fn absolute<F: Field>(x: F) -> F {
    negate_if(is_negative(x), x)
}

/// Whether bytes are the canonical encoding of an element: below p, the top bit clear.
#[inline(always)]
pub(super) fn is_canonical(bytes: &[u8; 32]) -> Choice {
    adamant_base::ct::eq(&Fe::from_bytes(bytes).to_bytes(), bytes)
}

/// The coordinates of an encoded point (RFC 8032, section 5.1.3) in constant time, and whether
/// there is one: y below p, on the curve, and no sign bit set for x = 0. Other coordinates are
/// meaningless. The root is [`sqrt_ratio`], as a function of the implementation.
#[inline(always)]
pub(super) fn decompress<F: Field>(
    bytes: &[u8; 32],
    sqrt_ratio: impl Fn(F, F) -> (Choice, F),
) -> (Choice, F, F) {
    let sign = Choice::from_bit(u64::from(bytes[31] >> 7));
    let mut rest = *bytes;
    rest[31] &= 0x7f;
    let y = F::from_bytes(&rest);
    let yy = y.square();
    let (square, x) = sqrt_ratio(yy.sub(F::ONE).tighten(), yy.mul(F::D).add(F::ONE).tighten());
    let signed_zero = x.is_zero().and(sign);
    let valid = is_canonical(&rest).and(square).and(!signed_zero);
    (valid, negate_if(sign, x), y)
}
