//! BLAKE3 on many chunks or nodes at once, over the vectors of [`lanes`](crate::lanes).
//!
//! Differences from the portable code:
//!
//! 1. A register holds one word of the state, or of the message, of many chunks.
//! 2. The blocks of these chunks are the rows of a matrix whose columns are needed: it is
//!    transposed in registers, and so are the chaining values at the end.
//! 3. `K` such sets of chunks go side by side where one alone would wait for its own results; the
//!    message then stays in memory.
//! 4. Where registers are left, the next blocks are transposed beside the rounds on these: alone,
//!    that has one port to go to for the most part.
//! 5. Fewer chunks than lanes are done all the same, with the first one repeated.

/// Makes `chunks` and `parents` for as many chunks or nodes as lanes at most, over the vectors of
/// a module of [`lanes`](crate::lanes).
macro_rules! kernel {
    (features: $features:literal, vectors: $($vectors:ident)::+) => {
        use $($vectors)::+::{
            PARTS, V, add, load_part_le, load_states, ror, splat, store_states, xor,
        };
        use super::super::{CHUNK_END, CHUNK_START, IV, SCHEDULE};
        use adamant_base::simd::map;

        pub(crate) use $($vectors)::+::LANES;

        crate::lanes::blake::rounds! {
            features: $features,
            rotations: [16 16, 12 20, 8 24, 7 25],
            schedule: SCHEDULE,
        }

        /// The chunks in the lanes.
        type Lanes<'a, const K: usize> = [[&'a [u8; 1024]; LANES]; K];

        /// This part of block `block` of every lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn load_part<const K: usize>(
            lanes: &Lanes<K>,
            block: usize,
            part: usize,
            m: &mut [[V; 16]; K],
        ) {
            for k in 0..K {
                let blocks = map(lanes[k], |chunk| &chunk.as_chunks().0[block % 16]);
                load_part_le(blocks, part, &mut m[k]);
            }
        }

        /// Whether registers are left: one set of sixteen lanes takes half of them.
        const fn room<const K: usize>() -> bool {
            K == 1 && LANES == 16
        }

        /// Whole blocks `m`, one of each lane, into the chaining values `h`. Beside the rounds,
        /// with `NEXT`, the next ones are loaded: block `next.1` of the chunks `next.0`.
        #[target_feature(enable = $features)]
        fn compress_blocks<const K: usize, const NEXT: bool>(
            h: &mut [[V; 8]; K],
            m: &[[V; 16]; K],
            t: &[[V; 2]; K],
            flags: u32,
            next: (&Lanes<K>, usize),
            ahead: &mut [[V; 16]; K],
        ) {
            let mut v = [[splat(0); 16]; K];
            for k in 0..K {
                let [h0, h1, h2, h3, h4, h5, h6, h7] = h[k];
                let [i0, i1, i2, i3] = [splat(IV[0]), splat(IV[1]), splat(IV[2]), splat(IV[3])];
                let [t0, t1] = t[k];
                let (len, flags) = (splat(64), splat(flags));
                v[k] = [h0, h1, h2, h3, h4, h5, h6, h7, i0, i1, i2, i3, t0, t1, len, flags];
            }
            macro_rules! part {
                ($part:literal) => {
                    if NEXT && $part < PARTS {
                        load_part(next.0, next.1, $part, ahead);
                    }
                };
            }
            round::<0, K>(&mut v, m);
            part!(0);
            round::<1, K>(&mut v, m);
            round::<2, K>(&mut v, m);
            part!(1);
            round::<3, K>(&mut v, m);
            part!(2);
            round::<4, K>(&mut v, m);
            part!(3);
            round::<5, K>(&mut v, m);
            round::<6, K>(&mut v, m);
            for k in 0..K {
                for i in 0..8 {
                    h[k][i] = xor(v[k][i], v[k][i + 8]);
                }
            }
        }

        /// `key` in every lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn start(key: &[u32; 8]) -> [V; 8] {
            let mut h = [splat(0); 8];
            for i in 0..8 {
                h[i] = splat(key[i]);
            }
            h
        }

        /// Stores the chaining values of the first lanes, as many as `out` has places.
        #[inline]
        #[target_feature(enable = $features)]
        fn store<const K: usize>(h: &[[V; 8]; K], out: &mut [[u32; 8]]) {
            for (h, out) in h.iter().zip(out.chunks_mut(LANES)) {
                let mut rows = [[0; 8]; LANES];
                store_states(&mut rows, h);
                out.copy_from_slice(&rows[..out.len()]);
            }
        }

        /// The chaining values of chunks: one at least, and as many as `K` sets have lanes at most.
        #[target_feature(enable = $features)]
        pub(crate) fn chunks<const K: usize>(
            key: &[u32; 8],
            chunks: &[[u8; 1024]],
            t: u64,
            flags: u32,
            out: &mut [[u32; 8]],
        ) {
            debug_assert!(!chunks.is_empty() && chunks.len() <= K * LANES);
            let mut lanes = [[&chunks[0]; LANES]; K];
            for (lane, chunk) in lanes.as_flattened_mut().iter_mut().zip(chunks) {
                *lane = chunk;
            }
            let mut numbers = [[splat(0); 2]; K];
            let mut h = [[splat(0); 8]; K];
            for k in 0..K {
                let mut rows = [[0; 8]; LANES];
                for (i, row) in rows.iter_mut().enumerate() {
                    let t = t.wrapping_add((k * LANES + i) as u64);
                    (row[0], row[1]) = (t as u32, (t >> 32) as u32);
                }
                let [low, high, ..] = load_states(&rows);
                numbers[k] = [low, high];
                h[k] = start(key);
            }
            let (mut a, mut b) = ([[splat(0); 16]; K], [[splat(0); 16]; K]);
            let (mut m, mut ahead) = (&mut a, &mut b);
            for part in 0..PARTS {
                load_part(&lanes, 0, part, m);
            }
            for block in 0..15 {
                let flags = flags | if block == 0 { CHUNK_START } else { 0 };
                let next = (&lanes, block + 1);
                if const { room::<K>() } {
                    compress_blocks::<K, true>(&mut h, m, &numbers, flags, next, ahead);
                } else {
                    compress_blocks::<K, false>(&mut h, m, &numbers, flags, next, ahead);
                    for part in 0..PARTS {
                        load_part(next.0, next.1, part, ahead);
                    }
                }
                core::mem::swap(&mut m, &mut ahead);
            }
            let flags = flags | CHUNK_END;
            compress_blocks::<K, false>(&mut h, m, &numbers, flags, (&lanes, 15), ahead);
            store(&h, out);
        }

        /// The chaining values of nodes: one at least, and as many as `K` sets have lanes at most.
        #[target_feature(enable = $features)]
        pub(crate) fn parents<const K: usize>(
            key: &[u32; 8],
            children: &[[u32; 16]],
            flags: u32,
            out: &mut [[u32; 8]],
        ) {
            debug_assert!(!children.is_empty() && children.len() <= K * LANES);
            let mut m = [[splat(0); 16]; K];
            for (k, m) in m.iter_mut().enumerate() {
                let mut halves = [[[0; 8]; LANES]; 2];
                for i in 0..LANES {
                    let children = children.get(k * LANES + i).unwrap_or(&children[0]);
                    let (left, right) = children.split_at(8);
                    halves[0][i].copy_from_slice(left);
                    halves[1][i].copy_from_slice(right);
                }
                m[..8].copy_from_slice(&load_states(&halves[0]));
                m[8..].copy_from_slice(&load_states(&halves[1]));
            }
            let mut h = [start(key); K];
            let (zero, none) = ([[splat(0); 2]; K], [[&[0; 1024]; LANES]; K]);
            let mut ahead = [[splat(0); 16]; K];
            compress_blocks::<K, false>(&mut h, &m, &zero, flags, (&none, 0), &mut ahead);
            store(&h, out);
        }
    };
}

/// Makes `chunks` and `parents` of a table's row out of kernels, widest first: each takes chunks and
/// nodes from this many on, or those named for chunks and those for nodes. What is left, a single
/// one, goes to the module `$single`.
macro_rules! row {
    (
        features: $features:literal,
        kernels: [$($kernel:ident: $sets:literal from $least:literal),+],
        single: $single:ident
    ) => {
        $crate::blake3::lanes::row! {
            features: $features,
            chunks: [$($kernel: $sets from $least),+],
            parents: [$($kernel: $sets from $least),+],
            single: $single
        }
    };
    (
        features: $features:literal,
        chunks: [$($chunks:ident: $chunk_sets:literal from $least_chunks:literal),+],
        parents: [$($parents:ident: $parent_sets:literal from $least_parents:literal),+],
        single: $single:ident
    ) => {
        /// Numbers of chunks and of nodes from which on they go to another kernel, and what fills it.
        #[cfg(test)]
        pub(super) const PLACES: &[usize] = &[
            $($least_chunks, $chunk_sets * $chunks::LANES,)+
            $($least_parents, $parent_sets * $parents::LANES,)+
        ];

        #[target_feature(enable = $features)]
        pub(super) fn chunks(
            key: &[u32; 8],
            mut chunks: &[[u8; 1024]],
            mut t: u64,
            flags: u32,
            mut out: &mut [[u32; 8]],
        ) {
            debug_assert_eq!(chunks.len(), out.len());
            $(
                while chunks.len() >= $least_chunks {
                    let now = chunks.len().min($chunk_sets * $chunks::LANES);
                    let (head, rest) = chunks.split_at(now);
                    let (values, later) = out.split_at_mut(now);
                    $chunks::chunks::<$chunk_sets>(key, head, t, flags, values);
                    t = t.wrapping_add(now as u64);
                    (chunks, out) = (rest, later);
                }
            )+
            $single::chunks(key, chunks, t, flags, out);
        }

        #[target_feature(enable = $features)]
        pub(super) fn parents(
            key: &[u32; 8],
            mut children: &[[u32; 16]],
            flags: u32,
            mut out: &mut [[u32; 8]],
        ) {
            debug_assert_eq!(children.len(), out.len());
            $(
                while children.len() >= $least_parents {
                    let now = children.len().min($parent_sets * $parents::LANES);
                    let (head, rest) = children.split_at(now);
                    let (values, later) = out.split_at_mut(now);
                    $parents::parents::<$parent_sets>(key, head, flags, values);
                    (children, out) = (rest, later);
                }
            )+
            $single::parents(key, children, flags, out);
        }
    };
}
pub(super) use {kernel, row};
