//! Odd multiples of points: of each lane's own, and of a point that many scalars multiply: the base
//! point, whose table is made at its first use, or the key of many signatures.

use super::Row;
use super::digits::windows;
use super::field::{Calls, Eight};
use super::groups::{self, invert_all};
use super::point::{Affine, Jacobian};
use super::prime::{Of, Prime};
use adamant_base::simd::arch::*;
use adamant_base::simd::{load512, store512};
use alloc::vec::Vec;

/// Whether the scalar of a multiplication may be seen in what is read of tables.
#[derive(Clone, Copy)]
pub(super) enum Secrecy {
    Secret,
    Public,
}

/// Odd multiples of points, P, 3P, 5P, …
pub(super) struct Multiples<const L: usize> {
    entries: Vec<Affine<L>>,
    /// What the z of an entry is over that of the one before.
    ratios: Vec<Eight<L>>,
}

// What is computed is in functions that own nothing: where something would have to be dropped,
// `#[inline(never)]` does not hold for what a function calls.

impl<const L: usize> Multiples<L> {
    /// The multiples, each over a z of its own, and the last one's z.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn new<const W: usize>(
        p: &Affine<L>,
        count: usize,
        row: &Row<W, L>,
    ) -> (Self, Eight<L>) {
        let mut multiples = Multiples {
            entries: Vec::with_capacity(count),
            ratios: Vec::with_capacity(count),
        };
        let z = odd_multiples(p, count, &mut multiples, row);
        (multiples, z)
    }

    /// The points, for the inverse of the last z.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn normalize(mut self, inverse: Eight<L>, f: &Calls<L>) -> Vec<Affine<L>> {
        normalize(&mut self.entries, &self.ratios, inverse, f);
        self.entries
    }
}

/// Makes the multiples. Each addition works on points that share their z, and brings 2P over the
/// sum's.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn odd_multiples<const W: usize, const L: usize>(
    p: &Affine<L>,
    count: usize,
    Multiples { entries, ratios }: &mut Multiples<L>,
    row: &Row<W, L>,
) -> Eight<L> {
    let ([x, y], mut twice) = p.double(&row.field);
    let mut last = Affine { x, y };
    entries.push(*p);
    ratios.push(twice.z);
    while entries.len() < count {
        ratios.push((row.add_twice)(&mut last, &mut twice, &row.field));
        entries.push(last);
    }
    twice.z
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn normalize<const L: usize>(
    entries: &mut [Affine<L>],
    ratios: &[Eight<L>],
    mut inverse: Eight<L>,
    f: &Calls<L>,
) {
    for (entry, ratio) in entries.iter_mut().zip(ratios).skip(1).rev() {
        entry.scale(&inverse, f);
        inverse = f.mul(&inverse, ratio);
    }
}

/// Replaces `last` by its sum with `twice`, of the same z, and brings `twice` over the sum's; gives
/// what that is over the z before.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn add_twice<F: Prime<L>, const L: usize>(
    last: &mut Affine<L>,
    twice: &mut Jacobian<L>,
    calls: &Calls<L>,
) -> Eight<L> {
    let (f, bound) = (Of::<F, L>::PRIME, Of::<F, L>::BOUND);
    let h = twice.x.sum().minus(last.x.sum()).carry(bound, f);
    let r = twice.y.sum().minus(last.y.sum()).carry(bound, f);
    let hh = calls.square(&h);
    let u = calls.mul(&twice.x, &hh);
    let v = calls.mul(&last.x, &hh);
    let x = r.squared(f).minus(u.sum()).minus(v.sum()).settle(4, f);
    let s = calls.mul(&twice.y, &u.sum().minus(v.sum()).carry(2, f));
    let y = r.product(&u.sum().minus(x.sum()).carry(bound, f), f);
    let y = y.minus(s.sum()).settle(2, f);
    *last = Affine { x, y };
    let z = calls.mul(&twice.z, &h);
    *twice = Jacobian { x: u, y: s, z };
    h
}

/// The entry at a secret index: reads all.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn lookup<const L: usize>(entries: &[Affine<L>], index: __m512i) -> Affine<L> {
    let mut found = entries[0];
    for (i, entry) in (1..).zip(&entries[1..]) {
        let here = _mm512_cmpeq_epi64_mask(index, _mm512_set1_epi64(i));
        found.x = found.x.blend(&entry.x, here);
        found.y = found.y.blend(&entry.y, here);
    }
    found
}

/// A limb of sixteen entries: two registers.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(in super::super) struct Line([u64; 16]);

/// The table of a point P, mostly the base point: row i holds 1, 3, 5, … times 2^(w i) P for windows
/// of w bits; of a row the limbs of x, then of y; of a limb all entries.
#[derive(Clone, Copy)]
pub(super) struct BaseTable<'a>(&'a [Line]);

impl<'a> BaseTable<'a> {
    /// That of the base point.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn get<const W: usize, const L: usize>(row: &Row<W, L>) -> BaseTable<'static> {
        BaseTable(row.lines.get_or_make(|| lines_of(row.g, row)))
    }

    /// That of the point of these lines.
    pub(super) fn of(lines: &'a [Line]) -> Self {
        BaseTable(lines)
    }

    /// The entry of row i at a secret index: reads the row, and picks in registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn pick<const L: usize>(self, i: usize, index: __m512i) -> Affine<L> {
        let [x, y] = match const { lines_of_limb(L) } {
            1 => pick::<1, L>(self.0, i, index),
            2 => pick::<2, L>(self.0, i, index),
            4 => pick::<4, L>(self.0, i, index),
            _ => unreachable!("windows are of 5 to 7 bits"),
        };
        Affine {
            x: Eight::from_limbs(x),
            y: Eight::from_limbs(y),
        }
    }

    /// The same entry in some lanes of these points.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn pick_in<const L: usize>(
        self,
        i: usize,
        index: __m512i,
        lanes: __mmask8,
        points: &mut Affine<L>,
    ) {
        let to = [&mut points.x.0, &mut points.y.0];
        match const { lines_of_limb(L) } {
            1 => pick_in::<1, L>(self.0, i, index, lanes, to),
            2 => pick_in::<2, L>(self.0, i, index, lanes, to),
            4 => pick_in::<4, L>(self.0, i, index, lanes, to),
            _ => unreachable!("windows are of 5 to 7 bits"),
        }
    }

    /// The entry of row i at a public index, the same in all lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn entry<const L: usize>(self, i: usize, index: usize) -> Affine<L> {
        let lines = lines_of_limb(L);
        let row = &self.0[i * 2 * L * lines..][..2 * L * lines];
        let limb = |j: usize| row[j * lines + index / 16].0[index % 16];
        let (mut x, mut y) = ([0; L], [0; L]);
        for j in 0..L {
            (x[j], y[j]) = (limb(j), limb(L + j));
        }
        Affine {
            x: Eight::constant(&x),
            y: Eight::constant(&y),
        }
    }
}

/// Bits of a window for the table of a point of this many limbs: at least 5.
pub(super) const fn width(limbs: usize) -> usize {
    if limbs > 8 { 6 } else { 7 }
}

/// The lines that a limb of a row takes.
const fn lines_of_limb(limbs: usize) -> usize {
    (1 << (width(limbs) - 1)) / 16
}

/// The limbs of x and y of the entry of row i at a secret index, of rows of this many lines to a
/// limb.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn pick<const LINES: usize, const L: usize>(
    table: &[Line],
    i: usize,
    index: __m512i,
) -> [[__m512i; L]; 2] {
    let mut found = [[_mm512_setzero_si512(); L]; 2];
    let [x, y] = &mut found;
    pick_into::<LINES, L>(table, i, index, 0xff, [x, y]);
    found
}

/// [`pick`] in some lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn pick_into<const LINES: usize, const L: usize>(
    table: &[Line],
    i: usize,
    index: __m512i,
    lanes: __mmask8,
    [x, y]: [&mut [__m512i; L]; 2],
) {
    let (lines, _) = table.as_chunks::<LINES>();
    let row = &lines[2 * L * i..][..2 * L];
    let high = _mm512_srli_epi64::<4>(index);
    let mut here = [0; LINES];
    for k in 0..LINES {
        here[k] = _mm512_mask_cmpeq_epi64_mask(lanes, high, _mm512_set1_epi64(k as i64));
    }
    for j in 0..L {
        x[j] = pick_limb(&row[j], &here, index, x[j]);
        y[j] = pick_limb(&row[L + j], &here, index, y[j]);
    }
}

/// One limb of these lines, in the lanes whose index is in the line of the mask.
#[inline]
#[target_feature(enable = "avx512f")]
fn pick_limb<const LINES: usize>(
    lines: &[Line; LINES],
    here: &[__mmask8; LINES],
    index: __m512i,
    mut found: __m512i,
) -> __m512i {
    for (line, here) in lines.iter().zip(here) {
        let [low, high] = line.0.as_chunks::<8>().0 else {
            unreachable!("16 are two eights")
        };
        let entry = _mm512_permutex2var_epi64(load512(low), index, load512(high));
        found = _mm512_mask_blend_epi64(*here, found, entry);
    }
    found
}

/// The same, out of line: for what takes one lane after the other.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn pick_in<const LINES: usize, const L: usize>(
    table: &[Line],
    i: usize,
    index: __m512i,
    lanes: __mmask8,
    to: [&mut [__m512i; L]; 2],
) {
    pick_into::<LINES, L>(table, i, index, lanes, to);
}

/// Makes the table of a point: the first entries of all rows with doublings, then eight rows at a
/// time.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn lines_of<const W: usize, const L: usize>(
    p: &[[u64; W]; 2],
    row: &Row<W, L>,
) -> Vec<Line> {
    let f = &row.field;
    let entries = 1 << (width(L) - 1);
    let rows = windows(row.numbers.order.bits, width(L));
    let groups = rows.div_ceil(8);
    let p = groups::points(&[*p; 8], row);
    let mut firsts = alloc::vec![Jacobian::from_affine(&p, f); groups];
    first_entries(&p, rows, &mut firsts, row);
    let mut zs = Vec::with_capacity(groups);
    for first in &firsts {
        zs.push(first.z);
    }
    invert_all(&mut zs, row);
    let mut groups = Vec::with_capacity(groups);
    for (first, z) in firsts.iter().zip(&mut zs) {
        let Jacobian { x, y, .. } = *first;
        let mut first = Affine { x, y };
        first.scale(z, f);
        let (group, last) = Multiples::new(&first, entries, row);
        groups.push(group);
        *z = last;
    }
    invert_all(&mut zs, row);
    let lines = entries / 16;
    let mut table = alloc::vec![Line([0; 16]); rows * 2 * L * lines];
    for (i, (group, inverse)) in groups.into_iter().zip(zs).enumerate() {
        for (e, entry) in group.normalize(inverse, f).iter().enumerate() {
            for (j, limb) in entry.x.0.iter().chain(&entry.y.0).enumerate() {
                let mut lanes = [0; 8];
                store512(&mut lanes, *limb);
                for (row, limb) in (8 * i..rows).zip(lanes) {
                    table[(row * 2 * L + j) * lines + e / 16].0[e % 16] = limb;
                }
            }
        }
    }
    table
}

/// The first entries of all rows, eight in a group, of which each is the point now.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn first_entries<const W: usize, const L: usize>(
    p: &Affine<L>,
    rows: usize,
    firsts: &mut [Jacobian<L>],
    row: &Row<W, L>,
) {
    let mut point = Jacobian::from_affine(p, &row.field);
    for i in 0..rows {
        firsts[i / 8].assign_if(1 << (i % 8), &point);
        for _ in 0..width(L) {
            (row.double)(&mut point);
        }
    }
}
