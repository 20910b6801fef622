//! Lanes that are streams of their own: one after the other, or two interleaved.

/// Makes the functions of a table's row in a module that has
/// `compress_streams<S>(states: &mut [[_; WORDS]; S], messages: [&[[u8; BLOCK]]; S])`, where the
/// messages have equal lengths. `streams` is one or two: how many to interleave.
macro_rules! streams {
    (
        $(features: $features:literal,)?
        state: [$word:ty; $words:literal],
        block: $block:literal,
        streams: $streams:literal,
        order: $order:ident,
    ) => {
        /// The streams of one step.
        pub(super) const VECTOR: usize = $streams;

        pub(super) const fn lanes() -> usize {
            $streams
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[target_feature(enable = $features)])?
        pub(super) fn compress(states: &mut [[$word; $words]], messages: &[&[[u8; $block]]]) {
            debug_assert_eq!(states.len(), messages.len());
            let blocks = messages.iter().map(|m| m.len()).min().unwrap_or(0);
            let (states, last) = states.as_chunks_mut();
            let (messages, last_message) = messages.as_chunks::<$streams>();
            for (states, messages) in states.iter_mut().zip(messages) {
                let messages = adamant_base::simd::map(*messages, |m| &m[..blocks]);
                compress_streams::<$streams>(states, messages);
            }
            for (state, message) in last.iter_mut().zip(last_message) {
                compress_streams::<1>(core::array::from_mut(state), [&message[..blocks]]);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[target_feature(enable = $features)])?
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
                let end = count.min(at + $streams);
                let (inner, outer) = (&inner[at..end], &outer[at..end]);
                let (u, sum) = (&mut u[at..end], &mut sum[at..end]);
                if end - at == $streams {
                    chain_streams::<$streams>(inner, outer, u, sum, digest_words, iterations);
                } else {
                    chain_streams::<1>(inner, outer, u, sum, digest_words, iterations);
                }
                at = end;
            }
        }

        $(#[target_feature(enable = $features)])?
        fn chain_streams<const S: usize>(
            inner: &[[$word; $words]],
            outer: &[[$word; $words]],
            u: &mut [[$word; $words]],
            sum: &mut [[$word; $words]],
            digest_words: usize,
            iterations: u32,
        ) {
            const WIDTH: usize = size_of::<$word>();
            // One block: the digest, a one bit, zeros, and the length with the key's block.
            let mut blocks = [[0; $block]; S];
            let len = digest_words * WIDTH;
            let bits = 8 * ($block + len) as u64;
            for block in &mut blocks {
                block[len] = 0x80;
                block[$block - 8..].copy_from_slice(&bits.$order());
            }
            let mut states = [[0; $words]; S];
            states.copy_from_slice(u);
            for _ in 0..iterations {
                for keys in [inner, outer] {
                    for (block, state) in blocks.iter_mut().zip(&mut states) {
                        let words = block.chunks_mut(WIDTH).zip(state.iter());
                        for (i, (bytes, word)) in words.enumerate() {
                            // No bound of the loop, which would become a jump to a computed place.
                            if i < digest_words {
                                bytes.copy_from_slice(&word.$order());
                            }
                        }
                    }
                    states.copy_from_slice(keys);
                    compress_streams::<S>(&mut states, blocks.each_ref().map(core::slice::from_ref));
                }
                for (sum, word) in sum.as_flattened_mut().iter_mut().zip(states.as_flattened()) {
                    *sum ^= word;
                }
            }
            u.copy_from_slice(&states);
            states.wipe();
            blocks.wipe();
        }
    };
}
pub(crate) use streams;
