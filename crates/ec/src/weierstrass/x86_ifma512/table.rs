//! Odd multiples of points: of each lane's own, and of a point that many scalars multiply: the base
//! point, whose table is made at its first use, or the key of many signatures.

use super::batch::invert_all;
use super::digits::windows;
use super::field::Eight;
use super::point::{Affine, Form, Jacobian};
use super::prime::{Of, bit_length};
use super::{Lanes, batch};
use adamant_base::simd::{load512, store512};
use alloc::vec::Vec;
use core::arch::x86_64::*;

/// Whether the scalar of a multiplication may be seen in what is read of tables.
#[derive(Clone, Copy)]
pub(super) enum Secrecy {
    Secret,
    Public,
}

/// Odd multiples of points, P, 3P, 5P, …
pub(super) struct Multiples<F, const L: usize> {
    entries: Vec<Affine<F, L>>,
    /// What the z of an entry is over that of the one before.
    ratios: Vec<Eight<F, L>>,
}

impl<F: Form<L>, const L: usize> Multiples<F, L> {
    /// The multiples, each over a z of its own, and the last one's z. Each addition works on points
    /// that share their z, and brings 2P over the sum's.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn new(p: &Affine<F, L>, count: usize) -> (Self, Eight<F, L>) {
        let bound = Of::<F, L>::BOUND;
        let ([x, y], mut twice) = p.double();
        let mut last = Affine { x, y };
        let mut entries = Vec::with_capacity(count);
        let mut ratios = Vec::with_capacity(count);
        entries.push(*p);
        ratios.push(twice.z);
        while entries.len() < count {
            let h = twice.x.sum().minus(last.x.sum()).carry(bound);
            let r = twice.y.sum().minus(last.y.sum()).carry(bound);
            let hh = h.square_once();
            let u = twice.x.mul_once(&hh);
            let v = last.x.mul_once(&hh);
            let x = r.squared().minus(u.sum()).minus(v.sum()).settle(4);
            let s = twice.y.mul_once(&u.sum().minus(v.sum()).carry(2));
            let y = r.product(&u.sum().minus(x.sum()).carry(bound));
            last = Affine {
                x,
                y: y.minus(s.sum()).settle(2),
            };
            let z = twice.z.mul_once(&h);
            twice = Jacobian { x: u, y: s, z };
            entries.push(last);
            ratios.push(h);
        }
        (Multiples { entries, ratios }, twice.z)
    }

    /// The points, for the inverse of the last z.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn normalize(mut self, mut inverse: Eight<F, L>) -> Vec<Affine<F, L>> {
        let entries = self.entries.iter_mut().zip(&self.ratios);
        for (entry, ratio) in entries.skip(1).rev() {
            let square = inverse.square_once();
            entry.x = entry.x.mul_once(&square);
            entry.y = entry.y.mul_once(&square.mul_once(&inverse));
            inverse = inverse.mul_once(ratio);
        }
        self.entries
    }
}

/// The entry at a secret index: reads all.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn lookup<F: Form<L>, const L: usize>(
    entries: &[Affine<F, L>],
    index: __m512i,
) -> Affine<F, L> {
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
    pub(super) fn get<C: Lanes<W, L>, const W: usize, const L: usize>() -> BaseTable<'static> {
        BaseTable(C::lines().get_or_make(|| lines_of::<C, W, L>(&C::G)))
    }

    /// That of the point of these lines.
    pub(super) fn of(lines: &'a [Line]) -> Self {
        BaseTable(lines)
    }

    /// The entry of row i at a secret index: reads the row, and picks in registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn pick<C: Lanes<W, L>, const W: usize, const L: usize>(
        self,
        i: usize,
        index: __m512i,
    ) -> Affine<C, L> {
        let [x, y] = match lines_of_limb::<C, W, L>() {
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
    pub(super) fn pick_in<C: Lanes<W, L>, const W: usize, const L: usize>(
        self,
        i: usize,
        index: __m512i,
        lanes: __mmask8,
        points: &mut Affine<C, L>,
    ) {
        let to = [&mut points.x.0, &mut points.y.0];
        match lines_of_limb::<C, W, L>() {
            1 => pick_in::<1, L>(self.0, i, index, lanes, to),
            2 => pick_in::<2, L>(self.0, i, index, lanes, to),
            4 => pick_in::<4, L>(self.0, i, index, lanes, to),
            _ => unreachable!("windows are of 5 to 7 bits"),
        }
    }

    /// The entry of row i at a public index, the same in all lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn entry<C: Lanes<W, L>, const W: usize, const L: usize>(
        self,
        i: usize,
        index: usize,
    ) -> Affine<C, L> {
        let lines = lines_of_limb::<C, W, L>();
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

/// The lines that a limb of a row takes.
const fn lines_of_limb<C: Lanes<W, L>, const W: usize, const L: usize>() -> usize {
    (1 << (C::WIDTH - 1)) / 16
}

/// The limbs of x and y of the entry of row i at a secret index, of rows of so many lines to a limb.
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
pub(super) fn lines_of<C: Lanes<W, L>, const W: usize, const L: usize>(
    p: &[[u64; W]; 2],
) -> Vec<Line> {
    let entries = 1 << (C::WIDTH - 1);
    let rows = windows(bit_length(&C::N), C::WIDTH);
    let p = batch::points::<C, W, L>(&[*p; 8]);
    let mut point = Jacobian::from_affine(&p);
    let mut firsts = Vec::new();
    for i in 0..rows {
        if i % 8 == 0 {
            firsts.push(Jacobian::from_affine(&p));
        }
        let group = firsts.len() - 1;
        firsts[group].assign_if(1 << (i % 8), &point);
        for _ in 0..C::WIDTH {
            point.double();
        }
    }
    let mut inverses: Vec<_> = firsts.iter().map(|p| p.z).collect();
    invert_all::<C, W, L>(&mut inverses);
    let mut groups = Vec::new();
    for (first, inverse) in firsts.iter().zip(&mut inverses) {
        let square = inverse.square_once();
        let first = Affine {
            x: first.x.mul_once(&square),
            y: first.y.mul_once(&square.mul_once(inverse)),
        };
        let (group, z) = Multiples::new(&first, entries);
        groups.push(group);
        *inverse = z;
    }
    invert_all::<C, W, L>(&mut inverses);
    let lines = entries / 16;
    let mut table = alloc::vec![Line([0; 16]); rows * 2 * L * lines];
    for (i, (group, inverse)) in groups.into_iter().zip(inverses).enumerate() {
        for (e, entry) in group.normalize(inverse).iter().enumerate() {
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
