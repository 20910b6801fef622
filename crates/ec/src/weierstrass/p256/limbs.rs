//! Numbers of four 64-bit words, the lowest first: the carries that field and scalars share.
//!
//! Nothing here branches on a value. Rows of a product keep one chain of carries for the low
//! halves and one for the high halves, which compiles to runs of add-with-carry.

pub(super) use crate::weierstrass::words::{adc, mul, sbb};

/// A number below 2^256.
pub(super) type Limbs = [u64; 4];

/// `a + b` and the carry out of the top.
#[inline(always)]
pub(super) fn add4(a: &Limbs, b: &Limbs) -> (Limbs, bool) {
    let (r0, c) = adc(a[0], b[0], false);
    let (r1, c) = adc(a[1], b[1], c);
    let (r2, c) = adc(a[2], b[2], c);
    let (r3, c) = adc(a[3], b[3], c);
    ([r0, r1, r2, r3], c)
}

/// `a - b` and the borrow out of the top.
#[inline(always)]
pub(super) fn sub4(a: &Limbs, b: &Limbs) -> (Limbs, bool) {
    let (r0, c) = sbb(a[0], b[0], false);
    let (r1, c) = sbb(a[1], b[1], c);
    let (r2, c) = sbb(a[2], b[2], c);
    let (r3, c) = sbb(a[3], b[3], c);
    ([r0, r1, r2, r3], c)
}

/// `t + a * b`: five words.
#[inline(always)]
pub(super) fn mul_add_row(t: &Limbs, a: &Limbs, b: u64) -> [u64; 5] {
    let (l0, h0) = mul(a[0], b);
    let (l1, h1) = mul(a[1], b);
    let (l2, h2) = mul(a[2], b);
    let (l3, h3) = mul(a[3], b);
    let (r0, c) = adc(t[0], l0, false);
    let (r1, c) = adc(t[1], l1, c);
    let (r2, c) = adc(t[2], l2, c);
    let (r3, c) = adc(t[3], l3, c);
    let (r4, _) = adc(h3, 0, c); // a product's high word is below 2^64 - 1
    let (r1, c) = adc(r1, h0, false);
    let (r2, c) = adc(r2, h1, c);
    let (r3, c) = adc(r3, h2, c);
    let (r4, _) = adc(r4, 0, c); // t + a * b < 2^320
    [r0, r1, r2, r3, r4]
}

/// The product: eight words.
#[inline(always)]
pub(super) fn mul_wide(a: &Limbs, b: &Limbs) -> [u64; 8] {
    let [r0, t @ ..] = mul_add_row(&[0; 4], a, b[0]);
    let [r1, t @ ..] = mul_add_row(&t, a, b[1]);
    let [r2, t @ ..] = mul_add_row(&t, a, b[2]);
    let [r3, r4, r5, r6, r7] = mul_add_row(&t, a, b[3]);
    [r0, r1, r2, r3, r4, r5, r6, r7]
}

/// The square: each product of two different words once, doubled, and the squares of the words.
#[inline(always)]
pub(super) fn square_wide(a: &Limbs) -> [u64; 8] {
    let (t1, h01) = mul(a[0], a[1]);
    let (l02, h02) = mul(a[0], a[2]);
    let (l03, h03) = mul(a[0], a[3]);
    let (l12, h12) = mul(a[1], a[2]);
    let (l13, h13) = mul(a[1], a[3]);
    let (l23, h23) = mul(a[2], a[3]);
    let (t2, c) = adc(h01, l02, false);
    let (t3, c) = adc(h02, l03, c);
    let (t4, _) = adc(h03, 0, c);
    let (t3, c) = adc(t3, l12, false);
    let (t4, c) = adc(t4, h12, c);
    let (t5, c) = adc(h13, 0, c);
    let (t6, _) = adc(h23, 0, c);
    let (t4, c) = adc(t4, l13, false);
    let (t5, c) = adc(t5, l23, c);
    let (t6, _) = adc(t6, 0, c);

    let (t1, c) = adc(t1, t1, false);
    let (t2, c) = adc(t2, t2, c);
    let (t3, c) = adc(t3, t3, c);
    let (t4, c) = adc(t4, t4, c);
    let (t5, c) = adc(t5, t5, c);
    let (t6, c) = adc(t6, t6, c);
    let t7 = u64::from(c);

    let (r0, h0) = mul(a[0], a[0]);
    let (l1, h1) = mul(a[1], a[1]);
    let (l2, h2) = mul(a[2], a[2]);
    let (l3, h3) = mul(a[3], a[3]);
    let (r1, c) = adc(t1, h0, false);
    let (r2, c) = adc(t2, l1, c);
    let (r3, c) = adc(t3, h1, c);
    let (r4, c) = adc(t4, l2, c);
    let (r5, c) = adc(t5, h2, c);
    let (r6, c) = adc(t6, l3, c);
    let (r7, _) = adc(t7, h3, c);
    [r0, r1, r2, r3, r4, r5, r6, r7]
}
