//! Lanes one after the other, with the portable compression function.

/// Makes the functions of a table's row in a module that imports the `Backend` of one stream.
macro_rules! portable {
    (
        state: [$word:ty; $words:literal],
        block: $block:literal,
    ) => {
        pub(super) fn lanes() -> usize {
            1
        }

        pub(super) fn break_even() -> usize {
            usize::MAX
        }

        pub(super) fn compress(states: &mut [[$word; $words]], messages: &[&[[u8; $block]]]) {
            let blocks = messages.iter().map(|m| m.len()).min().unwrap_or(0);
            for (state, message) in states.iter_mut().zip(messages) {
                Backend::portable().compress(state, &message[..blocks]);
            }
        }

        pub(super) fn hmac_chain(
            inner: &[[$word; $words]],
            outer: &[[$word; $words]],
            u: &mut [[$word; $words]],
            sum: &mut [[$word; $words]],
            digest_words: usize,
            iterations: u32,
        ) {
            const WIDTH: usize = size_of::<$word>();
            let one = Backend::portable();
            let mut block = [0; $block];
            let len = digest_words * WIDTH;
            block[len] = 0x80;
            let bits = 8 * ($block + len) as $word;
            block[$block - WIDTH..].copy_from_slice(&bits.to_be_bytes());
            let keys = inner.iter().zip(outer);
            for ((inner, outer), (u, sum)) in keys.zip(u.iter_mut().zip(sum)) {
                for _ in 0..iterations {
                    for key in [inner, outer] {
                        for (bytes, word) in block.chunks_mut(WIDTH).zip(&u[..digest_words]) {
                            bytes.copy_from_slice(&word.to_be_bytes());
                        }
                        *u = *key;
                        one.compress(u, core::slice::from_ref(&block));
                    }
                    for (sum, word) in sum.iter_mut().zip(&*u) {
                        *sum ^= word;
                    }
                }
            }
            block.wipe();
        }
    };
}
pub(crate) use portable;
