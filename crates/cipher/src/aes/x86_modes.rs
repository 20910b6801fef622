//! The modes of implementations on 128-bit registers, from their `encrypt` and `decrypt` for any
//! number of registers.

/// Makes the modes: `$wide` blocks at once, under the round keys as `$encryption` and `$decryption`
/// bring them into the implementation's form.
macro_rules! modes {
    ($features:literal, $wide:expr, $encryption:path, $decryption:path) => {
        use $crate::aes::counter::Counter;
        use $crate::aes::tweaks;

        #[inline]
        #[target_feature(enable = $features)]
        fn load<const N: usize>(blocks: &[[u8; 16]; N]) -> [__m128i; N] {
            // Arrays rather than closures: a closure of `from_fn` would not carry the features inwards.
            let mut words = [_mm_set_epi64x(0, 0); N];
            for (word, block) in words.iter_mut().zip(blocks) {
                *word = load128(block);
            }
            words
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store<const N: usize>(blocks: &mut [[u8; 16]; N], words: &[__m128i; N]) {
            for (word, block) in words.iter().zip(blocks) {
                store128(block, *word);
            }
        }

        #[target_feature(enable = $features)]
        pub(crate) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            let keys = &$encryption(keys);
            let (wide, rest) = blocks.as_chunks_mut::<{ $wide }>();
            for blocks in wide {
                let words = encrypt(keys, load(blocks));
                store(blocks, &words);
            }
            for block in rest {
                let [word] = encrypt(keys, [load128(block)]);
                store128(block, word);
            }
        }

        #[target_feature(enable = $features)]
        pub(crate) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
            let keys = &$decryption(keys);
            let (wide, rest) = blocks.as_chunks_mut::<{ $wide }>();
            for blocks in wide {
                let words = decrypt(keys, load(blocks));
                store(blocks, &words);
            }
            for block in rest {
                let [word] = decrypt(keys, [load128(block)]);
                store128(block, word);
            }
        }

        /// The counters `high`, `low + i` for `i` below `N`.
        #[inline]
        #[target_feature(enable = $features)]
        fn counters<const N: usize>(high: u64, low: u64) -> [__m128i; N] {
            let big_endian = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
            let mut counter = _mm_set_epi64x(high as i64, low as i64);
            let one = _mm_set_epi64x(0, 1);
            let mut words = [counter; N];
            for word in &mut words {
                *word = _mm_shuffle_epi8(counter, big_endian);
                counter = _mm_add_epi64(counter, one);
            }
            words
        }

        #[target_feature(enable = $features)]
        pub(crate) fn ctr(
            keys: &RoundKeys,
            counter: &mut [u8; 16],
            width: usize,
            mut blocks: &mut [[u8; 16]],
        ) {
            let keys = &$encryption(keys);
            let mut counter = Counter::new(counter, width);
            while let Some((high, mut low, blocks)) = counter.take(&mut blocks) {
                let (wide, rest) = blocks.as_chunks_mut::<{ $wide }>();
                for blocks in wide {
                    let mut words = encrypt(keys, counters::<{ $wide }>(high, low));
                    low = low.wrapping_add({ $wide } as u64);
                    for (word, block) in words.iter_mut().zip(&*blocks) {
                        *word = _mm_xor_si128(*word, load128(block));
                    }
                    store(blocks, &words);
                }
                if !rest.is_empty() {
                    let words = encrypt(keys, counters::<{ $wide }>(high, low));
                    for (word, block) in words.iter().zip(rest) {
                        store128(block, _mm_xor_si128(*word, load128(block)));
                    }
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(crate) fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            let keys = &$decryption(keys);
            let mut previous = load128(iv);
            let (wide, rest) = blocks.as_chunks_mut::<{ $wide }>();
            for blocks in wide {
                let cipher = load(blocks);
                let mut words = decrypt(keys, cipher);
                words[0] = _mm_xor_si128(words[0], previous);
                for i in 1..$wide {
                    words[i] = _mm_xor_si128(words[i], cipher[i - 1]);
                }
                previous = cipher[{ $wide } - 1];
                store(blocks, &words);
            }
            for block in rest {
                let cipher = load128(block);
                let [word] = decrypt(keys, [cipher]);
                store128(block, _mm_xor_si128(word, previous));
                previous = cipher;
            }
            store128(iv, previous);
        }

        $crate::aes::x86_modes::modes!(@xts $features, $wide, $encryption, xts_encrypt, encrypt);
        $crate::aes::x86_modes::modes!(@xts $features, $wide, $decryption, xts_decrypt, decrypt);
    };
    (@xts $features:literal, $wide:expr, $keys:path, $name:ident, $cipher:ident) => {
        #[target_feature(enable = $features)]
        pub(crate) fn $name(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
            let keys = &$keys(keys);
            let (wide, rest) = blocks.as_chunks_mut::<{ $wide }>();
            for blocks in wide {
                let t = tweaks::<{ $wide + 1 }>(tweak);
                let mut words = load(blocks);
                for (word, t) in words.iter_mut().zip(&t) {
                    *word = _mm_xor_si128(*word, load128(t));
                }
                words = $cipher(keys, words);
                for (word, t) in words.iter_mut().zip(&t) {
                    *word = _mm_xor_si128(*word, load128(t));
                }
                store(blocks, &words);
                *tweak = t[$wide];
            }
            for block in rest {
                let [now, next] = tweaks(tweak);
                let t = load128(&now);
                let [word] = $cipher(keys, [_mm_xor_si128(load128(block), t)]);
                store128(block, _mm_xor_si128(word, t));
                *tweak = next;
            }
        }
    };
}
pub(super) use modes;
