//! 64-bit limbs by rows of four: four limbs of one factor stay in registers and are multiplied with
//! each limb of the other. Of such a column of products, `mul` gives the low halves and `umulh` the
//! high ones, and a chain of carries adds each.
//!
//! In assembly, as the compiler takes each carry out of the flags and puts it back.

use super::{Task, montgomery, portable64, strong};
use crate::{MAX_LIMBS, Modulus, limbs};
use adamant_base::Secret;
use adamant_base::ct::Choice;
use core::arch::asm;

/// Limbs of a row.
const ROW: usize = 4;
type Row = [u64; ROW];

/// `$t + $s + a b` for a limb `$a` and the row `{b0}` to `{b3}`, as the text of the assembly: its
/// lowest limb in `$t`, the four above it, from the lowest, in `$s1` to `$s3` and `$s0`.
#[rustfmt::skip] // an instruction a line
macro_rules! column_of {
    ($a:literal, $t:literal, $s0:literal $s1:literal $s2:literal $s3:literal) => {
        concat!(
            "mul {w}, ", $a, ", {b0}\n",
            "mul {x}, ", $a, ", {b1}\n",
            "mul {y}, ", $a, ", {b2}\n",
            "mul {z}, ", $a, ", {b3}\n",
            "adds ", $t, ", ", $t, ", {w}\n",
            "umulh {w}, ", $a, ", {b0}\n",
            "adcs ", $s1, ", ", $s1, ", {x}\n",
            "umulh {x}, ", $a, ", {b1}\n",
            "adcs ", $s2, ", ", $s2, ", {y}\n",
            "umulh {y}, ", $a, ", {b2}\n",
            "adcs ", $s3, ", ", $s3, ", {z}\n",
            "umulh {z}, ", $a, ", {b3}\n",
            "adc {z}, {z}, xzr\n", // A high half is below 2^64 - 1.
            "adds ", $t, ", ", $t, ", ", $s0, "\n",
            "adcs ", $s1, ", ", $s1, ", {w}\n",
            "adcs ", $s2, ", ", $s2, ", {x}\n",
            "adcs ", $s3, ", ", $s3, ", {y}\n",
            "adc ", $s0, ", {z}, xzr\n",
        )
    };
}

/// `t += a b + s`, for `t` as long as `a`, which is whole rows; the row that is carried out.
#[inline(always)]
#[allow(unsafe_code)]
fn add_product(t: &mut [u64], a: &[u64], b: &Row, s: Row) -> Row {
    assert!(t.len() == a.len() && a.len().is_multiple_of(ROW));
    let [mut s0, mut s1, mut s2, mut s3] = s;
    // SAFETY: reads the limbs of `a`, reads and writes those of `t`, of which there are as many, four
    // in each round; it writes no other memory and uses no stack.
    unsafe {
        asm!(
            "cbz {rows}, 3f",
            "2:",
            "ldp {a0}, {a1}, [{a}], #16",
            "ldp {t0}, {t1}, [{t}]",
            column_of!("{a0}", "{t0}", "{s0}" "{s1}" "{s2}" "{s3}"),
            column_of!("{a1}", "{t1}", "{s1}" "{s2}" "{s3}" "{s0}"),
            "stp {t0}, {t1}, [{t}], #16",
            "ldp {a0}, {a1}, [{a}], #16",
            "ldp {t0}, {t1}, [{t}]",
            column_of!("{a0}", "{t0}", "{s2}" "{s3}" "{s0}" "{s1}"),
            column_of!("{a1}", "{t1}", "{s3}" "{s0}" "{s1}" "{s2}"),
            "stp {t0}, {t1}, [{t}], #16",
            "sub {rows}, {rows}, #1",
            "cbnz {rows}, 2b",
            "3:",
            rows = inout(reg) a.len() / ROW => _,
            a = inout(reg) a.as_ptr() => _,
            t = inout(reg) t.as_mut_ptr() => _,
            b0 = in(reg) b[0],
            b1 = in(reg) b[1],
            b2 = in(reg) b[2],
            b3 = in(reg) b[3],
            s0 = inout(reg) s0,
            s1 = inout(reg) s1,
            s2 = inout(reg) s2,
            s3 = inout(reg) s3,
            a0 = out(reg) _,
            a1 = out(reg) _,
            t0 = out(reg) _,
            t1 = out(reg) _,
            w = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            z = out(reg) _,
            options(nostack),
        );
    }
    [s0, s1, s2, s3]
}

/// `out = a b`: `b` is whole rows too.
#[inline(always)]
fn product(out: &mut [u64], a: &[u64], b: &[u64]) {
    out[..a.len()].fill(0);
    let (rows, _) = b.as_chunks();
    for (i, row) in (0..).step_by(ROW).zip(rows) {
        let (t, above) = out[i..].split_at_mut(a.len());
        above[..ROW].copy_from_slice(&add_product(t, a, row, [0; ROW]));
    }
}

/// `t` plus the products of each two different limbs of a row: the four lowest limbs in place, the
/// others.
#[inline(always)]
#[allow(unsafe_code)]
fn add_pairs(t: &mut Row, [a0, a1, a2, a3]: &Row) -> Row {
    let [_, t1, t2, t3] = t;
    let (s0, s1, s2): (u64, u64, u64);
    // SAFETY: works in registers alone.
    unsafe {
        asm!(
            "mul {w}, {a0}, {a1}",
            "mul {x}, {a0}, {a2}",
            "mul {y}, {a0}, {a3}",
            "adds {t1}, {t1}, {w}",
            "umulh {w}, {a0}, {a1}",
            "adcs {t2}, {t2}, {x}",
            "umulh {x}, {a0}, {a2}",
            "adcs {t3}, {t3}, {y}",
            "umulh {y}, {a0}, {a3}",
            "adc {s0}, {y}, xzr",
            "mul {y}, {a1}, {a3}",
            "umulh {s1}, {a1}, {a3}",
            "adds {t2}, {t2}, {w}",
            "mul {w}, {a1}, {a2}",
            "adcs {t3}, {t3}, {x}",
            "umulh {x}, {a1}, {a2}",
            "adcs {s0}, {s0}, {y}",
            "mul {y}, {a2}, {a3}",
            "adc {s1}, {s1}, xzr",
            "umulh {s2}, {a2}, {a3}",
            "adds {t3}, {t3}, {w}",
            "adcs {s0}, {s0}, {x}",
            "adcs {s1}, {s1}, {y}",
            "adc {s2}, {s2}, xzr",
            a0 = in(reg) *a0,
            a1 = in(reg) *a1,
            a2 = in(reg) *a2,
            a3 = in(reg) *a3,
            t1 = inout(reg) *t1,
            t2 = inout(reg) *t2,
            t3 = inout(reg) *t3,
            s0 = out(reg) s0,
            s1 = out(reg) s1,
            s2 = out(reg) s2,
            w = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [s0, s1, s2, 0]
}

/// `t = 2 t` plus the squares of the limbs of `a`, two for each.
#[inline(always)]
#[allow(unsafe_code)]
fn double_and_add_squares(t: &mut [u64], a: &[u64]) {
    assert!(t.len() == 2 * a.len() && a.len().is_multiple_of(2) && !a.is_empty());
    // SAFETY: reads the limbs of `a`, two in each round, reads and writes those of `t`, twice as
    // many; it writes no other memory and uses no stack. The loop leaves the carry alone.
    unsafe {
        asm!(
            "cmn xzr, xzr", // clears the carry
            "2:",
            "ldp {a0}, {a1}, [{a}], #16",
            "ldp {t0}, {t1}, [{t}]",
            "ldp {t2}, {t3}, [{t}, #16]",
            "mul {x}, {a0}, {a0}",
            "extr {below}, {t0}, {below}, #63",
            "umulh {a0}, {a0}, {a0}",
            "extr {t0}, {t1}, {t0}, #63",
            "mul {y}, {a1}, {a1}",
            "extr {t1}, {t2}, {t1}, #63",
            "umulh {a1}, {a1}, {a1}",
            "extr {t2}, {t3}, {t2}, #63",
            "adcs {x}, {x}, {below}",
            "adcs {a0}, {a0}, {t0}",
            "adcs {y}, {y}, {t1}",
            "adcs {a1}, {a1}, {t2}",
            "mov {below}, {t3}",
            "stp {x}, {a0}, [{t}], #16",
            "stp {y}, {a1}, [{t}], #16",
            "sub {pairs}, {pairs}, #1",
            "cbnz {pairs}, 2b",
            pairs = inout(reg) a.len() / 2 => _,
            a = inout(reg) a.as_ptr() => _,
            t = inout(reg) t.as_mut_ptr() => _,
            below = inout(reg) 0u64 => _,
            a0 = out(reg) _,
            a1 = out(reg) _,
            t0 = out(reg) _,
            t1 = out(reg) _,
            t2 = out(reg) _,
            t3 = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            options(nostack),
        );
    }
}

/// `out = a^2`: each product of two different limbs once, doubled, and the squares of the limbs.
#[inline(always)]
fn square(out: &mut [u64], a: &[u64]) {
    let n = a.len();
    out[..n].fill(0);
    let mut rest = a;
    for i in (0..n).step_by(ROW) {
        let Some((row, above)) = rest.split_first_chunk() else {
            break;
        };
        let (t, top) = out[2 * i..].split_at_mut(n - i);
        if let Some((first, t)) = t.split_first_chunk_mut() {
            let s = add_pairs(first, row);
            top[..ROW].copy_from_slice(&add_product(t, above, row, s));
        }
        rest = above;
    }
    double_and_add_squares(out, a);
}

/// A step of [`clear`]: `$q` clears `$t0`, in whose place comes the limb above the others.
#[rustfmt::skip] // an instruction a line
macro_rules! clear {
    ($q:literal, $t0:literal $t1:literal $t2:literal $t3:literal) => {
        concat!(
            "mul ", $q, ", ", $t0, ", {n0}\n",
            "mul {x}, ", $q, ", {m1}\n",
            "mul {y}, ", $q, ", {m2}\n",
            "mul {z}, ", $q, ", {m3}\n",
            "umulh {w}, ", $q, ", {m0}\n",
            "cmp ", $t0, ", #1\n", // With the low half of q m0 it is 0, or 2^64: then there is a carry.
            "adcs ", $t1, ", ", $t1, ", {x}\n",
            "umulh {x}, ", $q, ", {m1}\n",
            "adcs ", $t2, ", ", $t2, ", {y}\n",
            "umulh {y}, ", $q, ", {m2}\n",
            "adcs ", $t3, ", ", $t3, ", {z}\n",
            "umulh {z}, ", $q, ", {m3}\n",
            "adc ", $t0, ", {z}, xzr\n",
            "adds ", $t1, ", ", $t1, ", {w}\n",
            "adcs ", $t2, ", ", $t2, ", {x}\n",
            "adcs ", $t3, ", ", $t3, ", {y}\n",
            "adc ", $t0, ", ", $t0, ", xzr\n",
        )
    };
}

/// The q whose multiple of m clears the row `t`, and what `t + q m` is above that row, for m's lowest
/// row.
#[inline(always)]
#[allow(unsafe_code)]
fn clear(t: &Row, m: &Row, n0: u64) -> (Row, Row) {
    let [mut t0, mut t1, mut t2, mut t3] = *t;
    let (q0, q1, q2, q3): (u64, u64, u64, u64);
    // SAFETY: works in registers alone.
    unsafe {
        asm!(
            clear!("{q0}", "{t0}" "{t1}" "{t2}" "{t3}"),
            clear!("{q1}", "{t1}" "{t2}" "{t3}" "{t0}"),
            clear!("{q2}", "{t2}" "{t3}" "{t0}" "{t1}"),
            clear!("{q3}", "{t3}" "{t0}" "{t1}" "{t2}"),
            m0 = in(reg) m[0],
            m1 = in(reg) m[1],
            m2 = in(reg) m[2],
            m3 = in(reg) m[3],
            n0 = in(reg) n0,
            t0 = inout(reg) t0,
            t1 = inout(reg) t1,
            t2 = inout(reg) t2,
            t3 = inout(reg) t3,
            q0 = out(reg) q0,
            q1 = out(reg) q1,
            q2 = out(reg) q2,
            q3 = out(reg) q3,
            w = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            z = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    ([q0, q1, q2, q3], [t0, t1, t2, t3])
}

/// `t += q m` for the q below R that clears the lower half of `t`: its upper half becomes `t / R`
/// modulo m, with the bit that is returned below 2 m for `t` below `R m`. The lower half is spoiled.
#[inline(always)]
fn clear_lower_half(t: &mut [u64], m: &[u64], n0: u64) -> u64 {
    let mut top = 0;
    let Some((lowest, others)) = m.split_first_chunk() else {
        return top;
    };
    for i in (0..m.len()).step_by(ROW) {
        let (t, above) = t[i..].split_at_mut(m.len());
        if let Some((first, t)) = t.split_first_chunk_mut() {
            let (q, s) = clear(first, lowest, n0);
            let s = add_product(t, others, &q, s);
            for (above, s) in above.iter_mut().zip(&s) {
                (*above, top) = limbs::add_bit(*above, *s, top);
            }
        }
    }
    top
}

/// `out` is `t`, with this bit above it, less m if that is not below m; they are whole rows.
#[inline(always)]
#[allow(unsafe_code)]
fn reduce_once(out: &mut [u64], t: &[u64], top: u64, m: &[u64]) {
    let n = m.len();
    assert!(out.len() == n && t.len() == n && n.is_multiple_of(ROW) && n > 0);
    // SAFETY: reads the limbs of `t` and of `m`, reads and writes those of `out`, all of one length,
    // four in each round; it writes no other memory and uses no stack. The loops leave the carry
    // alone.
    unsafe {
        asm!(
            "cmp xzr, xzr", // sets the carry: nothing is borrowed
            "2:",
            "ldp {t0}, {t1}, [{t}], #16",
            "ldp {m0}, {m1}, [{m}], #16",
            "ldp {t2}, {t3}, [{t}], #16",
            "ldp {m2}, {m3}, [{m}], #16",
            "sbcs {t0}, {t0}, {m0}",
            "sbcs {t1}, {t1}, {m1}",
            "sbcs {t2}, {t2}, {m2}",
            "sbcs {t3}, {t3}, {m3}",
            "stp {t0}, {t1}, [{out}], #16",
            "stp {t2}, {t3}, [{out}], #16",
            "sub {rows}, {rows}, #1",
            "cbnz {rows}, 2b",
            "sbcs xzr, {top}, xzr",
            "2:",
            "ldp {t2}, {t3}, [{t}, #-16]!",
            "ldp {m2}, {m3}, [{out}, #-16]!",
            "ldp {t0}, {t1}, [{t}, #-16]!",
            "ldp {m0}, {m1}, [{out}, #-16]",
            "csel {t2}, {m2}, {t2}, hs",
            "csel {t3}, {m3}, {t3}, hs",
            "csel {t0}, {m0}, {t0}, hs",
            "csel {t1}, {m1}, {t1}, hs",
            "stp {t2}, {t3}, [{out}]",
            "stp {t0}, {t1}, [{out}, #-16]!",
            "sub {again}, {again}, #1",
            "cbnz {again}, 2b",
            rows = inout(reg) n / ROW => _,
            again = inout(reg) n / ROW => _,
            out = inout(reg) out.as_mut_ptr() => _,
            t = inout(reg) t.as_ptr() => _,
            m = inout(reg) m.as_ptr() => _,
            top = in(reg) top,
            t0 = out(reg) _,
            t1 = out(reg) _,
            t2 = out(reg) _,
            t3 = out(reg) _,
            m0 = out(reg) _,
            m1 = out(reg) _,
            m2 = out(reg) _,
            m3 = out(reg) _,
            options(nostack),
        );
    }
}

/// [`multiply`] with room for the product.
#[inline(never)]
fn multiply_in(room: &mut [u64], out: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
    let m = modulus.limbs();
    let t = &mut room[..2 * m.len()];
    // Where they are, which is public, tells squares.
    if core::ptr::eq(a, b) {
        square(t, a);
    } else {
        product(t, a, b);
    }
    let top = clear_lower_half(t, m, modulus.n0());
    reduce_once(out, &t[m.len()..], top, m);
}

pub(super) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    if !(a.len().is_multiple_of(ROW) && b.len().is_multiple_of(ROW)) {
        return portable64::mul(out, a, b);
    }
    assert_eq!(out.len(), a.len() + b.len());
    product(out, a, b);
}

pub(super) fn multiply(out: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
    let n = modulus.len();
    if !n.is_multiple_of(ROW) {
        return portable64::multiply(out, a, b, modulus);
    }
    assert!(a.len() == n && b.len() == n && out.len() == n);
    match n {
        0..=16 => multiply_in(&mut *Secret::new([0; 32]), out, a, b, modulus),
        17..=32 => multiply_in(&mut *Secret::new([0; 64]), out, a, b, modulus),
        _ => multiply_in(&mut *Secret::new([0; 2 * MAX_LIMBS]), out, a, b, modulus),
    }
}

pub(super) fn power(tasks: &mut [Task<'_>]) {
    montgomery::power(multiply, tasks);
}

pub(super) fn power_vartime(tasks: &mut [Task<'_>]) {
    montgomery::power_vartime(multiply, tasks);
}

pub(super) fn strong_to_two(numbers: &[&[u64]], passed: &mut [Choice]) {
    strong::by_power(numbers, passed, power);
}
