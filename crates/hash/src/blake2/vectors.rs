//! BLAKE2 and BLAKE3 of one message in vectors of four words (AVX-512VL).
//!
//! Rows 0 to 3, 4 to 7, 8 to 11 and 12 to 15 of the working variables are a vector each, so the
//! four calls of G in half a round are one. Differences from the portable code:
//!
//! 1. A rotation is one instruction, and all sixteen words of the message stay in registers, out
//!    of which a round takes the order that it needs.
//! 2. Between columns and diagonals the vectors are turned against each other. G ends with b:
//!    that one stays, and a, c and d, which were ready before, turn while b is made.
//!
//! G is a chain of twelve operations. This wins where a vector operation takes one cycle, as in
//! general registers; on CPUs where it takes two, the portable code is quicker.

/// Which word of the message goes to which place of half a round, out of the order `s` of the whole
/// one: x of its four calls of G, then y. In the second half, place j has the call whose b is word
/// 4 + j.
pub(crate) const fn order(s: &[usize; 16], half: usize) -> [usize; 8] {
    let mut order = [0; 8];
    let mut j = 0;
    while j < 4 {
        let call = (j + 3 * half) % 4;
        order[j] = s[8 * half + 2 * call];
        order[4 + j] = s[8 * half + 2 * call + 1];
        j += 1;
    }
    order
}

/// Makes vectors of four 32-bit words: `V`, the message `M` and what [`rounds`] asks for.
macro_rules! words32 {
    (schedule: $schedule:expr) => {
        use adamant_base::simd::arch::{
            __m128i as V, __m256i, _mm_add_epi32 as add, _mm_ror_epi32, _mm_shuffle_epi32,
            _mm_xor_si128 as xor, _mm256_castsi256_si128, _mm256_extracti32x4_epi32,
            _mm256_permutex2var_epi32,
        };
        use adamant_base::simd::{load128 as load, load256, store128 as store};

        #[repr(align(32))]
        struct Order([u32; 8]);

        /// The order of each half round.
        static ORDERS: [[Order; 2]; $schedule.len()] = {
            let mut orders = [const { [const { Order([0; 8]) }; 2] }; $schedule.len()];
            let mut i = 0;
            while i < 16 * $schedule.len() {
                let (round, half, place) = (i / 16, i / 8 % 2, i % 8);
                let order = crate::blake2::vectors::order(&$schedule[round], half);
                orders[round][half].0[place] = order[place] as u32;
                i += 1;
            }
            orders
        };

        /// The words of a block, and the orders: the compiler must not know these, nor that the
        /// halves lie together, or it gathers the words in 512 bits, and while such vectors are
        /// about one port fewer works.
        #[derive(Clone, Copy)]
        struct M([__m256i; 2], &'static [[Order; 2]; $schedule.len()]);

        #[inline]
        #[target_feature(enable = "avx512f,avx512vl")]
        fn ror<const N: i32>(x: V) -> V {
            _mm_ror_epi32::<N>(x)
        }

        crate::lanes::turn!("avx512f,avx512vl", _mm_shuffle_epi32);

        #[inline]
        #[target_feature(enable = "avx512f,avx512vl")]
        fn words<W: adamant_base::simd::Words>(halves: &[W; 2]) -> M {
            let orders = core::hint::black_box(&ORDERS);
            let high = core::hint::black_box(&halves[1]);
            M([load256(&halves[0]), load256(high)], orders)
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512vl")]
        fn half_round<const ROUND: usize, const HALF: usize>(m: M) -> [V; 2] {
            let M([low, high], orders) = m;
            let order = load256(&orders[ROUND][HALF].0);
            let xy = _mm256_permutex2var_epi32(low, order, high);
            [
                _mm256_castsi256_si128(xy),
                _mm256_extracti32x4_epi32::<1>(xy),
            ]
        }
    };
}
pub(crate) use words32;

/// Makes `round` over the vectors `V` of the module at hand, which has `add`, `xor`, `ror`, `turn`
/// (towards lower places), and `half_round` (x and y of one, out of the message `M`).
macro_rules! rounds {
    (
        features: $features:literal,
        rotations: [$r1:literal $r2:literal $r3:literal $r4:literal],
    ) => {
        /// The mixing function G, four times.
        #[inline]
        #[target_feature(enable = $features)]
        fn g([mut a, mut b, mut c, mut d]: [V; 4], [x, y]: [V; 2]) -> [V; 4] {
            a = add(add(a, x), b);
            d = ror::<$r1>(xor(d, a));
            c = add(c, d);
            b = ror::<$r2>(xor(b, c));
            a = add(add(a, y), b);
            d = ror::<$r3>(xor(d, a));
            c = add(c, d);
            b = ror::<$r4>(xor(b, c));
            [a, b, c, d]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn round<const ROUND: usize>(v: [V; 4], m: M) -> [V; 4] {
            let v = g(v, half_round::<ROUND, 0>(m));
            let v = [turn::<3>(v[0]), v[1], turn::<1>(v[2]), turn::<2>(v[3])];
            let v = g(v, half_round::<ROUND, 1>(m));
            [turn::<1>(v[0]), v[1], turn::<3>(v[2]), turn::<2>(v[3])]
        }
    };
}
pub(crate) use rounds;

/// Makes the row of a table of BLAKE2 over what [`rounds`] asks for, `xor3`, `load`, `store` and
/// `words` (of the halves of a block).
macro_rules! row {
    (
        features: $features:literal,
        word: $word:ty,
        counter: $counter:ty,
        block: $block:literal,
        rotations: $rotations:tt,
        rounds: [$($round:literal)+],
    ) => {
        crate::blake2::vectors::rounds! { features: $features, rotations: $rotations, }

        #[target_feature(enable = $features)]
        pub(super) fn compress(h: &mut [$word; 8], blocks: &[[u8; $block]], mut t: $counter) {
            for block in blocks {
                t = t.wrapping_add($block);
                compress_block(h, block, t, 0);
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn compress_last(h: &mut [$word; 8], block: &[u8; $block], t: $counter) {
            compress_block(h, block, t, <$word>::MAX);
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn compress_block(h: &mut [$word; 8], block: &[u8; $block], t: $counter, last: $word) {
            let ([h0, h1], _) = h.as_chunks_mut::<4>() else {
                return; // never
            };
            let (low, high) = (load(h0), load(h1));
            let inputs = [t as $word, (t >> <$word>::BITS) as $word, last, 0];
            let [iv0, iv1] = const {
                let [a, b, c, d, e, f, g, h] = IV;
                [[a, b, c, d], [e, f, g, h]]
            };
            let mut v = [low, high, load(&iv0), xor(load(&iv1), load(&inputs))];
            let Some(halves) = block.as_chunks::<{ $block / 2 }>().0.first_chunk() else {
                return; // never
            };
            let m = words(halves);
            $( v = round::<$round>(v, m); )+
            store(h0, xor3(low, v[0], v[2]));
            store(h1, xor3(high, v[1], v[3]));
        }
    };
}
pub(crate) use row;
