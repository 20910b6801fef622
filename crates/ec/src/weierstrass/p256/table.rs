//! The multiples of the base point G, computed when the crate is compiled.
//!
//! Row i holds 1, 3, 5, … 31 times 2^(5 i) G. The arithmetic here is only for that: it is simple,
//! branches on values and shares nothing with the field of the run time, so that each checks the
//! other.

use super::field::P;
use super::limbs::Limbs;

/// Bits of a window of the scalar.
pub(super) const WINDOW: usize = 5;
/// Windows of a scalar: 255 bits; the 256th has a fixed digit.
pub(super) const ROWS: usize = 51;
/// Odd multiples in a row.
pub(super) const ENTRIES: usize = 1 << (WINDOW - 1);

/// An affine point: x in Montgomery's form, then y.
pub(super) type Entry = [u64; 8];

/// A table aligned to cache lines: no entry crosses one.
#[repr(align(64))]
pub(super) struct Table(pub(super) [[Entry; ENTRIES]; ROWS + 1]);

/// The multiples of G. The last row is for the fixed digit: only its first entry, 2^255 G, is used
/// in a multiplication.
#[allow(long_running_const_eval)]
pub(super) static TABLE: Table = Table(build());

/// G (SP 800-186, 3.2.1.3), each coordinate times 2^256 mod p.
const G: [Limbs; 2] = [
    [
        0x79e7_30d4_18a9_143c,
        0x75ba_95fc_5fed_b601,
        0x79fb_732b_7762_2510,
        0x1890_5f76_a537_55c6,
    ],
    [
        0xddf2_5357_ce95_560a,
        0x8b4a_b8e4_ba19_e45c,
        0xd2e8_8688_dd21_f325,
        0x8571_ff18_2588_5d85,
    ],
];

/// 2^256 mod p.
const ONE: Limbs = [1, 0xffff_ffff_0000_0000, u64::MAX, 0xffff_fffe];

/// x, y, z.
type Point = [Limbs; 3];

/// `a - b` mod p.
const fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    let (mut r, mut borrow, mut i) = ([0; 4], 0i128, 0);
    while i < 4 {
        borrow += a[i] as i128 - b[i] as i128;
        r[i] = borrow as u64;
        borrow >>= 64;
        i += 1;
    }
    if borrow != 0 {
        let (mut carry, mut i) = (0u128, 0);
        while i < 4 {
            carry += r[i] as u128 + P[i] as u128;
            r[i] = carry as u64;
            carry >>= 64;
            i += 1;
        }
    }
    r
}

/// `a + b` mod p.
const fn add(a: &Limbs, b: &Limbs) -> Limbs {
    sub(a, &sub(&[0; 4], b))
}

/// `a b / 2^256` mod p.
const fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    let (mut t, mut i) = ([0u64; 5], 0);
    while i < 4 {
        let (mut x, mut y, mut j) = (0u128, 0u128, 0);
        let m = t[0].wrapping_add(a[0].wrapping_mul(b[i])); // -1 / p mod 2^64 = 1
        while j < 4 {
            x += t[j] as u128 + a[j] as u128 * b[i] as u128;
            y += (x as u64) as u128 + m as u128 * P[j] as u128;
            if j > 0 {
                t[j - 1] = y as u64;
            }
            x >>= 64;
            y >>= 64;
            j += 1;
        }
        y += x + t[4] as u128;
        t[3] = y as u64;
        t[4] = (y >> 64) as u64;
        i += 1;
    }
    let r = [t[0], t[1], t[2], t[3]];
    if t[4] != 0 {
        add(&r, &ONE) // ONE = 2^256 - p
    } else if less(&r, &P) {
        r
    } else {
        sub(&r, &P)
    }
}

/// `a < b`.
const fn less(a: &Limbs, b: &Limbs) -> bool {
    let mut i = 3;
    while i > 0 && a[i] == b[i] {
        i -= 1;
    }
    a[i] < b[i]
}

/// `1 / a` by Fermat: `a^(p - 2)`.
const fn invert(a: &Limbs) -> Limbs {
    let (mut r, mut bit) = (ONE, 256);
    while bit > 0 {
        bit -= 1;
        r = mul(&r, &r);
        let exponent = if bit < 64 { P[0] - 2 } else { P[bit / 64] };
        if exponent >> (bit % 64) & 1 == 1 {
            r = mul(&r, a);
        }
    }
    r
}

/// `2 p` in Jacobian coordinates.
const fn double([x, y, z]: &Point) -> Point {
    let (yy, zz) = (mul(y, y), mul(z, z));
    let s = mul(x, &yy);
    let s = add(&s, &s);
    let s = add(&s, &s);
    let m = mul(&sub(x, &zz), &add(x, &zz));
    let m = add(&add(&m, &m), &m);
    let x3 = sub(&sub(&mul(&m, &m), &s), &s);
    let yy2 = add(&yy, &yy);
    let y4_4 = mul(&yy2, &yy2);
    let y3 = sub(&sub(&mul(&m, &sub(&s, &x3)), &y4_4), &y4_4);
    let yz = mul(y, z);
    [x3, y3, add(&yz, &yz)]
}

/// `p + q` in Jacobian coordinates, for different points.
const fn sum([x1, y1, z1]: &Point, [x2, y2, z2]: &Point) -> Point {
    let (zz1, zz2) = (mul(z1, z1), mul(z2, z2));
    let (u1, u2) = (mul(x1, &zz2), mul(x2, &zz1));
    let (s1, s2) = (mul(y1, &mul(z2, &zz2)), mul(y2, &mul(z1, &zz1)));
    let (h, r) = (sub(&u2, &u1), sub(&s2, &s1));
    let hh = mul(&h, &h);
    let (hhh, v) = (mul(&h, &hh), mul(&u1, &hh));
    let x3 = sub(&sub(&sub(&mul(&r, &r), &hhh), &v), &v);
    let y3 = sub(&mul(&r, &sub(&v, &x3)), &mul(&s1, &hhh));
    [x3, y3, mul(&mul(z1, z2), &h)]
}

/// All multiples, with one inversion for all their z.
const fn build() -> [[Entry; ENTRIES]; ROWS + 1] {
    const COUNT: usize = (ROWS + 1) * ENTRIES;
    let mut points = [[ONE; 3]; COUNT];
    let mut products = [ONE; COUNT + 1]; // of the z before each
    let (mut base, mut i) = ([G[0], G[1], ONE], 0);
    while i < COUNT {
        let twice = double(&base);
        points[i] = base;
        let mut j = 1;
        while j < ENTRIES {
            points[i + j] = sum(&points[i + j - 1], &twice);
            j += 1;
        }
        let mut j = 1;
        base = twice;
        while j < WINDOW {
            base = double(&base);
            j += 1;
        }
        i += ENTRIES;
    }
    i = 0;
    while i < COUNT {
        products[i + 1] = mul(&products[i], &points[i][2]);
        i += 1;
    }
    let mut inverse = invert(&products[COUNT]);
    let mut table = [[[0; 8]; ENTRIES]; ROWS + 1];
    while i > 0 {
        i -= 1;
        let [x, y, z] = &points[i];
        let z_inverse = mul(&inverse, &products[i]);
        inverse = mul(&inverse, z);
        let zz_inverse = mul(&z_inverse, &z_inverse);
        let x = mul(x, &zz_inverse);
        let y = mul(y, &mul(&zz_inverse, &z_inverse));
        table[i / ENTRIES][i % ENTRIES] = [x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]];
    }
    table
}
