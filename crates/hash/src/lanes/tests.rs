//! What every table of lanes is put through.

/// The kernels of a `Backend` of lanes against the standard's compression function, state by state.
macro_rules! kernels_agree {
    ($backend:ty, $reference:ident, state: [$word:ty; $words:literal], block: $block:literal, order: $order:ident) => {
        #[test]
        fn kernels_agree_with_one_state() {
            use adamant_testkit::{TestRng, table};
            let mut rng = TestRng::new(1);
            let counts = adamant_testkit::boundaries::counts(<$backend>::implementations());
            let most = counts.iter().max().unwrap();
            let data = rng.bytes((most + 1) * 5 * $block);
            let compress = |state: &mut _, blocks: &[[u8; $block]]| {
                for block in blocks {
                    ($crate::reference::$reference.compress)(state, block);
                }
            };
            table!($backend).for_each(|backend| {
                for &count in &counts {
                    let mut states = vec![[0; $words]; count];
                    for word in states.as_flattened_mut() {
                        *word = <$word>::from_le_bytes(rng.array());
                    }
                    // Messages with a block or two more than the shortest, misaligned.
                    let shortest = count % 3;
                    let mut rest = &data[count..];
                    let messages: Vec<&[[u8; $block]]> = (0..count)
                        .map(|i| {
                            let extra = if i == count / 2 { 0 } else { i % 3 };
                            let (message, later) = rest.split_at((shortest + extra) * $block);
                            rest = later;
                            message.as_chunks().0
                        })
                        .collect();
                    let mut expected = states.clone();
                    for (state, message) in expected.iter_mut().zip(&messages) {
                        compress(state, &message[..shortest]);
                    }
                    let mut got = states.clone();
                    backend.compress(&mut got, &messages);
                    assert_eq!(got, expected, "{count} states, {shortest} blocks");

                    let blocks = &data.as_chunks().0[..count];
                    let mut expected = states.clone();
                    for (state, block) in expected.iter_mut().zip(blocks) {
                        compress(state, core::slice::from_ref(block));
                    }
                    let mut got = states;
                    backend.compress_blocks(&mut got, blocks);
                    assert_eq!(got, expected, "a block into each of {count} states");
                }
            });
        }

        #[test]
        fn hmac_chains_agree() {
            use adamant_testkit::{TestRng, table};
            let mut rng = TestRng::new(2);
            let width = size_of::<$word>();
            table!($backend).for_each(|backend| {
                for count in [0, 1, 2, 3, 5, 9, 16, 17, 33, 40] {
                    let mut rows = vec![[[0; $words]; 4]; count];
                    for word in rows.as_flattened_mut().as_flattened_mut() {
                        *word = <$word>::from_le_bytes(rng.array());
                    }
                    let column = |i: usize| rows.iter().map(|row| row[i]).collect::<Vec<_>>();
                    let (inner, outer) = (column(0), column(1));
                    for (digest_words, iterations) in [($words, 3), ($words - 1, 2), (3, 1), (3, 0)]
                    {
                        let (mut u, mut sum) = (column(2), column(3));
                        backend.hmac_chain(
                            &inner,
                            &outer,
                            &mut u,
                            &mut sum,
                            digest_words,
                            iterations,
                        );
                        for (i, row) in rows.iter().enumerate() {
                            let [inner, outer, mut expected, mut total] = *row;
                            for _ in 0..iterations {
                                for key in [inner, outer] {
                                    let mut block = [0; $block];
                                    let digest = &expected[..digest_words];
                                    let bytes = digest.iter().flat_map(|w| w.$order());
                                    block.iter_mut().zip(bytes).for_each(|(to, b)| *to = b);
                                    let len = digest_words * width;
                                    block[len] = 0x80;
                                    let bits = 8 * ($block + len) as u64;
                                    block[$block - 8..].copy_from_slice(&bits.$order());
                                    expected = key;
                                    ($crate::reference::$reference.compress)(&mut expected, &block);
                                }
                                total.iter_mut().zip(expected).for_each(|(t, w)| *t ^= w);
                            }
                            assert_eq!((u[i], sum[i]), (expected, total), "{i} of {count}");
                        }
                    }
                }
            });
        }
    };
}
pub(crate) use kernels_agree;

/// The batch calls of a hash want as many places as there are messages.
macro_rules! places {
    ($($hash:ident)+) => { $(
        #[test]
        #[allow(non_snake_case)]
        fn $hash() {
            use adamant_base::Error;
            use adamant_base::family::Hash;
            use $crate::{Hmac, $hash};

            const EMPTY: <$hash as Hash>::Output = [7; <$hash as Hash>::OUTPUT_LEN];
            let mut out = [EMPTY; 2];
            let messages: [&[u8]; 3] = [b"", b"abc", b""];
            let error = |actual| Err(Error::BadLength { expected: 3, actual });
            assert_eq!($hash::digest_batch_into(&messages, &mut out), error(2));
            assert_eq!(<$hash as Hash>::digest_batch_into(&messages, &mut out), error(2));
            let two = &messages[..2];
            assert_eq!(Hmac::<$hash>::mac_batch_into(two, &messages, &mut out), error(2));
            assert_eq!(Hmac::<$hash>::mac_batch_into(&messages, &messages, &mut out), error(2));
            let keyed = Hmac::<$hash>::new(b"key");
            assert_eq!(keyed.mac_each_into(&messages, &mut out), error(2));
            assert_eq!(out, [EMPTY; 2]);
        }
    )+ };
}
pub(crate) use places;
