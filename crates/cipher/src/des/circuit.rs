//! DES on many blocks side by side: word i of the state holds bit i of every block, so that a
//! permutation is a choice of words, and an S-box a circuit of logic operations.

/// An S-box by its polynomials, for words with `and`, `xor` and `not`.
///
/// With three inputs a, b and c, all sums of 1, a, b and c and all sums of their products are made
/// once; a polynomial in them is the sum of one of each. Horner's rule takes in the others.
/// Compilers leave out the sums that are not used.
macro_rules! polynomials {
    ($s:ident, $x:ident, $zero:expr) => {{
        let [d, e, f, a, b, c] = $x;
        let sums = $crate::des::circuit::sums!($zero, c, b, a);
        let ab = and(a, b);
        let products = $crate::des::circuit::sums!($zero, and(b, c), and(a, c), ab, and(ab, c));
        macro_rules! leaf {
            ($o:literal $first:literal) => {{
                // Of 1, c, b, bc, a, ac, ab, abc.
                let sum = sums[const { $crate::des::circuit::choice($s, $o, $first, [1, 2, 4]) }];
                let sum = if const { $crate::des::circuit::POLYNOMIALS[$s][$o] >> (8 * $first) & 1 == 1 } {
                    not(sum)
                } else {
                    sum
                };
                let product =
                    products[const { $crate::des::circuit::choice($s, $o, $first, [3, 5, 6, 7]) }];
                xor(sum, product)
            }};
        }
        macro_rules! output {
            ($o:literal) => {{
                let g = xor(leaf!($o 0), and(f, leaf!($o 1)));
                let h = xor(leaf!($o 2), and(f, leaf!($o 3)));
                let i = xor(leaf!($o 4), and(f, leaf!($o 5)));
                let j = xor(leaf!($o 6), and(f, leaf!($o 7)));
                xor(xor(g, and(e, h)), and(d, xor(i, and(e, j))))
            }};
        }
        [output!(0), output!(1), output!(2), output!(3)]
    }};
}
pub(super) use polynomials;

/// All sums of some words: bit i of the index stands for word i.
macro_rules! sums {
    ($zero:expr, $($term:expr),+) => {{
        let mut sums = [$zero; 16];
        let mut _count = 1;
        $(
            let term = $term;
            sums[_count] = term;
            for j in 1.._count {
                sums[_count + j] = xor(sums[j], term);
            }
            _count *= 2;
        )+
        sums
    }};
}
pub(super) use sums;

/// Which sum an output takes: the coefficients of these terms of its inputs d, e and f.
pub(super) const fn choice<const N: usize>(
    s: usize,
    o: usize,
    first: usize,
    terms: [usize; N],
) -> usize {
    let leaf = POLYNOMIALS[s][o] >> (8 * first);
    let (mut index, mut i) = (0, 0);
    while i < N {
        index |= (leaf >> terms[i] & 1) as usize * (1 << i);
        i += 1;
    }
    index
}

/// For each output of each S-box.
pub(super) const POLYNOMIALS: [[u64; 4]; 8] = {
    let (mut all, mut s) = ([[0; 4]; 8], 0);
    while s < 8 {
        let mut o = 0;
        while o < 4 {
            all[s][o] = super::tables::polynomial(s, o);
            o += 1;
        }
        s += 1;
    }
    all
};

/// Makes the functions of a table's row in a module that has
///
/// * `V` with `zero`, `splat`, `xor`, `and`, and the shifts `left` and `right` of 64 bits, a
///   vector of `words` words of 64 bits; `load` and `store` for that many blocks;
/// * `s_box::<S>`;
/// * `crypt_each::<DECRYPT>`, which takes blocks one by one, of which `FEW` take no longer.
macro_rules! lanes {
    (features: [$($features:literal)?], words: $words:literal, at_once: $at_once:literal) => {
        /// Blocks in a group, a vector's full in a row.
        type Group = [[[u8; 8]; $words]; 64];

        /// 64×64 bits transposed, in each word of the vectors.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn transpose(x: &mut [V; 64]) {
            let mut step = 32;
            let mut mask = u64::MAX >> 32;
            while step > 0 {
                let m = splat(mask);
                for low in (0..64).filter(|i| i & step == 0) {
                    let t = and(xor(right(x[low], step as u32), x[low + step]), m);
                    x[low + step] = xor(x[low + step], t);
                    x[low] = xor(x[low], left(t, step as u32));
                }
                step /= 2;
                mask ^= mask << step;
            }
        }

        /// Adds to L what an S-box makes of R and its part of a round key, a choice of these bits.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn substitute<const S: usize>(
            l: &mut [V; 32],
            r: &[V; 32],
            bits: &[u64; 56],
            wiring: &[u8; 48],
        ) {
            let mut x = [zero(); 6];
            for (i, x) in x.iter_mut().enumerate() {
                let key = splat(bits[usize::from(wiring[6 * S + i]) % 56]);
                *x = xor(r[selected(S, i)], key);
            }
            for (y, to) in s_box::<S>(x).into_iter().zip(TARGET[S]) {
                let to = usize::from(to);
                l[to] = xor(l[to], y);
            }
        }

        /// L plus f of R and a round key.
        $(#[target_feature(enable = $features)])?
        fn round(l: &mut [V; 32], r: &[V; 32], bits: &[u64; 56], wiring: &[u8; 48]) {
            substitute::<0>(l, r, bits, wiring);
            substitute::<1>(l, r, bits, wiring);
            substitute::<2>(l, r, bits, wiring);
            substitute::<3>(l, r, bits, wiring);
            substitute::<4>(l, r, bits, wiring);
            substitute::<5>(l, r, bits, wiring);
            substitute::<6>(l, r, bits, wiring);
            substitute::<7>(l, r, bits, wiring);
        }

        /// Encrypts or decrypts a group of blocks.
        $(#[target_feature(enable = $features)])?
        fn crypt<const DECRYPT: bool>(keys: &RoundKeys, blocks: &mut Group) {
            let mut x = [zero(); 64];
            for (x, row) in x.iter_mut().zip(&*blocks) {
                *x = load(row);
            }
            transpose(&mut x);
            let (mut l, mut r) = ([zero(); 32], [zero(); 32]);
            for (half, from) in l.iter_mut().chain(&mut r).zip(INITIAL) {
                *half = x[usize::from(from)];
            }
            for pass in 0..keys.passes {
                let pass = if DECRYPT { keys.passes - 1 - pass } else { pass };
                let backwards = (pass % 2 == 1) != DECRYPT;
                let wiring = |i: usize| &SCHEDULE[if backwards { 15 - i } else { i }];
                for i in 0..8 {
                    round(&mut l, &r, &keys.bits[pass], wiring(2 * i));
                    round(&mut r, &l, &keys.bits[pass], wiring(2 * i + 1));
                }
                // What the final and the next initial permutation leave is this.
                core::mem::swap(&mut l, &mut r);
            }
            for (half, to) in l.iter().chain(&r).zip(INITIAL) {
                x[usize::from(to)] = *half;
            }
            transpose(&mut x);
            for (x, row) in x.iter().zip(blocks) {
                store(row, *x);
            }
        }

        /// Any number of blocks; a few are quicker one by one.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn crypt_blocks<const DECRYPT: bool>(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
            for blocks in blocks.chunks_mut($at_once) {
                if blocks.len() <= FEW {
                    crypt_each::<DECRYPT>(keys, blocks);
                    continue;
                }
                let mut group: Group = [[[0; 8]; $words]; 64];
                group.as_flattened_mut()[..blocks.len()].copy_from_slice(blocks);
                crypt::<DECRYPT>(keys, &mut group);
                blocks.copy_from_slice(&group.as_flattened()[..blocks.len()]);
            }
        }

        $(#[target_feature(enable = $features)])?
        pub(super) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
            crypt_blocks::<false>(keys, blocks);
        }

        $(#[target_feature(enable = $features)])?
        pub(super) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
            crypt_blocks::<true>(keys, blocks);
        }

        crate::loops::from_blocks! {
            RoundKeys, 8, $at_once, [$($features)?]: ctr(counter, width) cbc_decrypt(iv)
        }
    };
}
pub(super) use lanes;
