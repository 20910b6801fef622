//! The three batches.

use super::super::{Group, words};
use super::digits::{Digits, windows};
use super::field::{Eight, Words};
use super::groups::{invert_all, lane, points, transpose};
use super::point::{Affine, Extended, Jacobian};
use super::table::{BaseTable, Line, Multiples, lines_of, lookup, width};
use super::{Check, Lanes, Row};
use adamant_base::simd::arch::*;
use adamant_base::{Secret, Wipe};
use alloc::vec::Vec;

/// Groups of eight that share an inversion.
const GROUPS: usize = 8;
/// The items of a chunk.
const CHUNK: usize = 8 * GROUPS;
/// Bits of a window of the scalar of a lane's own point.
const WIDTH: usize = 5;

/// `k P` of each scalar of a chunk, in groups of eight, for the point of a table. A row of the table
/// serves all groups before the next one comes, so that it is read from the nearest cache.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn base_multiples<const W: usize, const L: usize>(
    table: BaseTable<'_>,
    ks: &[[u64; W]],
    row: &Row<W, L>,
) -> Vec<Extended<L>> {
    let (f, order, width) = (&row.field, &row.numbers.order, width(L));
    let (mut digits, mut sums) = (Vec::with_capacity(GROUPS), Vec::with_capacity(GROUPS));
    for group in ks.chunks(8) {
        let ks = Secret::new(transpose(group, &words::one()));
        digits.push(Digits::<L>::new(&ks, &order.words));
    }
    let last = windows(order.bits, width) - 1;
    for i in 0..last {
        for (group, digits) in digits.iter().enumerate() {
            let (index, negative) = digits.get(width, i);
            let entry = table.pick(i, index).negate_if(negative, f);
            if i == 0 {
                sums.push(Extended::from_affine(&entry, f));
            } else {
                (row.add_affine)(&mut sums[group], &entry);
            }
        }
    }
    for (sum, digits) in sums.iter_mut().zip(&digits) {
        let entry = table.pick(last, digits.highest(width, last));
        let difference = (row.add_affine)(sum, &entry);
        let mut twice = Jacobian::from_affine(&entry, f);
        (row.double)(&mut twice);
        sum.assign_if(f.is_zero(&difference), &Extended::from_jacobian(&twice, f));
        sum.y = sum.y.negate_if(digits.negated, f);
    }
    sums
}

/// [`Jacobian::add_affine`].
type Add<const L: usize> = fn(&mut Jacobian<L>, &Affine<L>) -> Eight<L>;

/// `k P` of each lane, for the odd multiples of P.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn mul_8<const W: usize, const L: usize>(
    ks: &[[u64; W]],
    multiples: &[Affine<L>],
    row: &Row<W, L>,
    add: Add<L>,
) -> Jacobian<L> {
    let (f, order) = (&row.field, &row.numbers.order);
    let ks = Secret::new(transpose(ks, &words::one()));
    let digits = Digits::<L>::new(&ks, &order.words);
    let last = windows(order.bits, WIDTH) - 1;
    let highest = lookup(multiples, digits.highest(WIDTH, last));
    let mut sum = Jacobian::from_affine(&highest, f);
    for i in (0..last).rev() {
        for _ in 0..WIDTH {
            (row.double)(&mut sum);
        }
        let (index, negative) = digits.get(WIDTH, i);
        let multiple = lookup(multiples, index).negate_if(negative, f);
        let difference = add(&mut sum, &multiple);
        if i == 0 {
            let mut twice = Jacobian::from_affine(&multiple, f);
            (row.double)(&mut twice);
            sum.assign_if(f.is_zero(&difference), &twice);
        }
    }
    sum.y = sum.y.negate_if(digits.negated, f);
    sum
}

/// The odd multiples of the points of each group of eight.
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiples<const W: usize, const L: usize>(
    of: &[[[u64; W]; 2]],
    row: &Row<W, L>,
) -> Vec<Vec<Affine<L>>> {
    let f = &row.field;
    let (mut tables, mut zs) = (Vec::with_capacity(GROUPS), Vec::with_capacity(GROUPS));
    for group in of.chunks(8) {
        let (table, z) = Multiples::new(&points(group, row), 1 << (WIDTH - 1), row);
        tables.push(table);
        zs.push(z);
    }
    invert_all(&mut zs, row);
    let mut normalized = Vec::with_capacity(GROUPS);
    for (table, inverse) in tables.into_iter().zip(zs) {
        normalized.push(table.normalize(inverse, f));
    }
    normalized
}

/// Writes the points what there is room for: of x and y over the squares and cubes of the inverses
/// of z.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn finish<const W: usize, const L: usize>(
    out: &mut [[[u64; W]; 2]],
    [x, y]: [&Eight<L>; 2],
    [square, cube]: [Eight<L>; 2],
    row: &Row<W, L>,
) {
    let (f, [x_factor, y_factor]) = (&row.field, row.to);
    let mut x = f.integers_times::<W>(&f.mul(x, &square), x_factor);
    let mut y = f.integers_times::<W>(&f.mul(y, &cube), y_factor);
    for (i, point) in out.iter_mut().enumerate() {
        *point = [lane(&x, i), lane(&y, i)];
    }
    x.wipe();
    y.wipe();
}

/// `mul_base` of each.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in super::super) fn mul_base_batch<const W: usize, const L: usize>(
    ks: &[[u64; W]],
    out: &mut [[[u64; W]; 2]],
    row: &Row<W, L>,
) {
    let out = &mut out[..ks.len()];
    for (ks, out) in ks.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let sums = base_multiples(BaseTable::get(row), ks, row);
        let mut inverses = Vec::with_capacity(GROUPS);
        for sum in &sums {
            inverses.push(sum.zzz);
        }
        invert_all(&mut inverses, row);
        for ((out, sum), cube) in out.chunks_mut(8).zip(&sums).zip(inverses) {
            // z^-2 = z^4 z^-6
            let square = row.field.square(&row.field.mul(&sum.zz, &cube));
            finish(out, [&sum.x, &sum.y], [square, cube], row);
        }
    }
}

/// `mul` of each scalar and its point.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in super::super) fn mul_batch<C: Lanes<W, L>, const W: usize, const L: usize>(
    ks: &[[u64; W]],
    points: &[[[u64; W]; 2]],
    out: &mut [[[u64; W]; 2]],
) {
    products(ks, points, out, &Row::of::<C>(), Jacobian::add_affine::<C>);
}

/// [`mul_batch`], for a curve as data.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn products<const W: usize, const L: usize>(
    ks: &[[u64; W]],
    points: &[[[u64; W]; 2]],
    out: &mut [[[u64; W]; 2]],
    row: &Row<W, L>,
    add: Add<L>,
) {
    let f = &row.field;
    let (points, out) = (&points[..ks.len()], &mut out[..ks.len()]);
    let chunks = ks.chunks(CHUNK).zip(points.chunks(CHUNK));
    for ((ks, points), out) in chunks.zip(out.chunks_mut(CHUNK)) {
        let mut sums = Vec::with_capacity(GROUPS);
        let mut inverses = Vec::with_capacity(GROUPS);
        for (group, multiples) in ks.chunks(8).zip(multiples(points, row)) {
            let sum = mul_8(group, &multiples, row, add);
            inverses.push(sum.z);
            sums.push(sum);
        }
        invert_all(&mut inverses, row);
        for ((out, sum), inverse) in out.chunks_mut(8).zip(&sums).zip(inverses) {
            let square = f.square(&inverse);
            let cube = f.mul(&square, &inverse);
            finish(out, [&sum.x, &sum.y], [square, cube], row);
        }
    }
}

/// From how many items on a key that all of them share gets a table, as the base point has one:
/// making it costs what it saves some 30 of them.
const MANY: usize = 48;

/// The table of the key of all items, where there are many and all have the same.
#[target_feature(enable = "avx512f,avx512ifma")]
fn shared_key<const W: usize, const L: usize>(
    items: &[Check<W>],
    row: &Row<W, L>,
) -> Option<Vec<Line>> {
    let (_, _, q, _) = items.first()?;
    let is_shared = items.len() >= MANY && items.iter().all(|(_, _, other, _)| other == q);
    is_shared.then(|| lines_of(q, row))
}

/// `u Q` of each item of a chunk, in groups of eight, for keys of their own.
#[target_feature(enable = "avx512f,avx512ifma")]
fn key_multiples<const W: usize, const L: usize>(
    us: &[[u64; W]],
    items: &[Check<W>],
    row: &Row<W, L>,
    add: Add<L>,
) -> Vec<Extended<L>> {
    let mut qs = Vec::with_capacity(CHUNK);
    qs.extend(items.iter().map(|(_, _, q, _)| *q));
    let mut products = Vec::with_capacity(GROUPS);
    for (us, multiples) in us.chunks(8).zip(multiples(&qs, row)) {
        let product = mul_8(us, &multiples, row, add);
        products.push(Extended::from_jacobian(&product, &row.field));
    }
    products
}

/// `has_x_vartime` of each. The products are computed as secret ones are, and added; lanes in which
/// that addition is an exception, or a scalar is zero, are done again, one by one.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in super::super) fn has_x_batch_vartime<C: Lanes<W, L>, const W: usize, const L: usize>(
    items: &[Check<W>],
    out: &mut [bool],
) {
    let out = &mut out[..items.len()];
    checks(
        items,
        out,
        &Row::of::<C>(),
        Jacobian::add_affine::<C>,
        |item| {
            let (u1, u2, q, r) = item;
            C::Group::best().has_x_vartime(u1, u2, q, r)
        },
    );
}

/// [`has_x_batch_vartime`], for a curve as data, with what does items again.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn checks<const W: usize, const L: usize>(
    items: &[Check<W>],
    out: &mut [bool],
    row: &Row<W, L>,
    add: Add<L>,
    again: fn(&Check<W>) -> bool,
) {
    let key = shared_key(items, row);
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        // 1 for 0, whose lanes are exceptions.
        let nonzero = |u: &[u64; W]| if *u == [0; W] { words::one() } else { *u };
        let (mut u1s, mut u2s) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
        for (u1, u2, ..) in items {
            u1s.push(nonzero(u1));
            u2s.push(nonzero(u2));
        }
        let sums = base_multiples(BaseTable::get(row), &u1s, row);
        let others = match &key {
            Some(lines) => base_multiples(BaseTable::of(lines), &u2s, row),
            None => key_multiples(&u2s, items, row, add),
        };
        let groups = items.chunks(8).zip(sums).zip(&others);
        for (((items, mut sum), other), out) in groups.zip(out.chunks_mut(8)) {
            let mut rs = [[0; W]; 8];
            let mut exceptions: __mmask8 = 0;
            for (lane, (u1, u2, _, r)) in items.iter().enumerate() {
                if *u1 == [0; W] || *u2 == [0; W] {
                    exceptions |= 1 << lane;
                }
                rs[lane] = *r;
            }
            let difference = (row.add)(&mut sum, other, &row.field);
            exceptions |= row.field.is_zero(&difference);
            let matches = has_x(&sum, &transpose(&rs, &rs[0]), row);
            for (lane, (item, verdict)) in items.iter().zip(out).enumerate() {
                *verdict = matches >> lane & 1 == 1;
                if exceptions >> lane & 1 == 1 || (!*verdict && is_twofold(&item.3, row)) {
                    *verdict = again(item);
                }
            }
        }
    }
}

/// The lanes in which x, as integers of the curve, is as given.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn has_x<const W: usize, const L: usize>(
    sum: &Extended<L>,
    x: &Words<W>,
    row: &Row<W, L>,
) -> __mmask8 {
    let (f, [factor, _]) = (&row.field, row.from);
    let x = f.elements_times(x, factor);
    // x / zz = r
    let expected = f.mul(&x, &sum.zz);
    f.is_zero(&sum.x.sum().minus(expected.sum()).carry(2, f))
}

/// Whether r + n, which stands for the same r, is below p.
pub(super) fn is_twofold<const W: usize, const L: usize>(r: &[u64; W], row: &Row<W, L>) -> bool {
    let (n, p) = (&row.numbers.order.words, &row.numbers.field.words);
    let (sum, carry) = words::add(r, n);
    words::sub(&sum, p).1 && !carry
}
