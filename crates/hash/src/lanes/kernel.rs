//! What the kernels of many lanes have around their rounds.

/// Makes the functions of a table's row in a module that has
/// `rounds<S>(state: &mut [[V; 8]; S], w: &mut [[V; 16]; S])`, which takes one block into every
/// lane of `S` vectors a word. Rounds on fewer than eight words leave the others alone.
///
/// `sets` is the number of vectors a word that fills the machine, one or two.
macro_rules! kernel {
    (
        features: $features:literal,
        state: [$word:ty; $words:literal],
        block: $block:literal,
        sets: $sets:literal,
        // How the padding is read as words: its first one, and where the length lies.
        padding: $padding:literal at 0, length at $length:literal,
    ) => {
        /// The lanes of one vector.
        pub(super) const VECTOR: usize = LANES;

        pub(super) const fn lanes() -> usize {
            $sets * LANES
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = $features)]
        pub(super) fn compress(states: &mut [[$word; $words]], messages: &[&[[u8; $block]]]) {
            debug_assert_eq!(states.len(), messages.len());
            let count = states.len().min(messages.len());
            let blocks = messages.iter().map(|m| m.len()).min().unwrap_or(0);
            let mut at = 0;
            while at < count {
                let two = $sets == 2 && count - at > LANES;
                let end = count.min(at + if two { 2 * LANES } else { LANES });
                let (states, messages) = (&mut states[at..end], &messages[at..end]);
                if two {
                    compress_sets::<2>(states, messages, blocks);
                } else {
                    compress_sets::<1>(states, messages, blocks);
                }
                at = end;
            }
        }

        /// As many blocks of each message into its state, for up to `S` vectors of lanes. Idle
        /// lanes do what the first one does.
        #[target_feature(enable = $features)]
        fn compress_sets<const S: usize>(
            states: &mut [[$word; $words]],
            messages: &[&[[u8; $block]]],
            blocks: usize,
        ) {
            debug_assert!(!states.is_empty() && states.len() <= S * LANES);
            let mut lanes = [[messages[0]; LANES]; S];
            for (lane, message) in lanes.as_flattened_mut().iter_mut().zip(messages) {
                *lane = message;
            }
            let mut state = load::<S, _>(states);
            for b in 0..blocks {
                let mut w = [[splat(0); 16]; S];
                for s in 0..S {
                    w[s] = load_blocks(adamant_base::simd::map(lanes[s], |message| &message[b]));
                }
                rounds(&mut state, &mut w);
            }
            store(states, &state);
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = $features)]
        pub(super) fn hmac_chain(
            inner: &[[$word; $words]],
            outer: &[[$word; $words]],
            u: &mut [[$word; $words]],
            sum: &mut [[$word; $words]],
            digest_words: usize,
            iterations: u32,
        ) {
            debug_assert!([outer.len(), u.len(), sum.len()] == [inner.len(); 3]);
            debug_assert!(0 < digest_words && digest_words <= $words);
            let count = inner.len().min(outer.len()).min(u.len()).min(sum.len());
            let mut at = 0;
            while at < count {
                let two = $sets == 2 && count - at > LANES;
                let end = count.min(at + if two { 2 * LANES } else { LANES });
                let (inner, outer) = (&inner[at..end], &outer[at..end]);
                let (u, sum) = (&mut u[at..end], &mut sum[at..end]);
                if two {
                    hmac_chain_sets::<2>(inner, outer, u, sum, digest_words, iterations);
                } else {
                    hmac_chain_sets::<1>(inner, outer, u, sum, digest_words, iterations);
                }
                at = end;
            }
        }

        /// For up to `S` vectors of lanes.
        #[target_feature(enable = $features)]
        fn hmac_chain_sets<const S: usize>(
            inner: &[[$word; $words]],
            outer: &[[$word; $words]],
            u: &mut [[$word; $words]],
            sum: &mut [[$word; $words]],
            digest_words: usize,
            iterations: u32,
        ) {
            let bits = 8 * ($block + digest_words * size_of::<$word>()) as $word;
            let (inner, outer) = (load::<S, _>(inner), load::<S, _>(outer));
            let (mut digest, mut total) = (load::<S, _>(u), load::<S, _>(sum));
            // One block: the digest, a one bit, zeros, and the length with the key's block.
            let mut padding = [splat(0); 16];
            padding[digest_words] = splat($padding);
            padding[$length] = splat(bits);
            let mut is_digest = [splat(0); 8];
            is_digest[..digest_words].fill(splat(<$word>::MAX));
            for _ in 0..iterations {
                for key in [&inner, &outer] {
                    let mut w = [padding; S];
                    for s in 0..S {
                        for i in 0..8 {
                            w[s][i] = choose(is_digest[i], digest[s][i], padding[i]);
                        }
                    }
                    digest = *key;
                    rounds(&mut digest, &mut w);
                }
                for s in 0..S {
                    for i in 0..$words {
                        total[s][i] = xor(total[s][i], digest[s][i]);
                    }
                }
            }
            store(u, &digest);
            store(sum, &total);
        }

        crate::lanes::kernel::rows! { features: $features, word: $word }
    };
}
pub(crate) use kernel;

/// Makes `load` and `store`, between states in rows and vectors of one word of every lane. A state
/// has eight words at most.
macro_rules! rows {
    (features: $features:literal, word: $word:ty) => {
        /// The states, words apart; lanes after them get the first state.
        #[inline]
        #[target_feature(enable = $features)]
        fn load<const S: usize, const W: usize>(states: &[[$word; W]]) -> [[V; 8]; S] {
            let mut rows = [[[0; 8]; LANES]; S];
            for (i, row) in rows.as_flattened_mut().iter_mut().enumerate() {
                let state = states.get(i).unwrap_or(&states[0]);
                row[..W].copy_from_slice(state);
            }
            let mut words = [[splat(0); 8]; S];
            for s in 0..S {
                words[s] = load_states(&rows[s]);
            }
            words
        }

        /// The reverse of [`load`].
        #[inline]
        #[target_feature(enable = $features)]
        fn store<const S: usize, const W: usize>(states: &mut [[$word; W]], words: &[[V; 8]; S]) {
            let mut rows = [[[0; 8]; LANES]; S];
            for s in 0..S {
                store_states(&mut rows[s], &words[s]);
            }
            for (state, row) in states.iter_mut().zip(rows.as_flattened()) {
                state.copy_from_slice(&row[..W]);
            }
        }
    };
}
pub(crate) use rows;
