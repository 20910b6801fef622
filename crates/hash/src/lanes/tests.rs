//! What every table of lanes is put through.

/// The kernels of a `Backend` of lanes against the portable one of a single stream.
macro_rules! kernels_agree {
    ($backend:ty, $one:ty, state: [$word:ty; $words:literal], block: $block:literal, order: $order:ident) => {
        #[test]
        fn kernels_agree_with_one_state() {
            use adamant_testkit::{TestRng, table};
            let mut rng = TestRng::new(1);
            let one = <$one>::portable();
            let data = rng.bytes(70 * 5 * $block + 64);
            table!($backend).for_each(|backend| {
                for count in (0..=20).chain([31, 32, 33, 47, 48, 49, 63, 64, 65, 70]) {
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
                        one.compress(state, &message[..shortest]);
                    }
                    let mut got = states.clone();
                    backend.compress(&mut got, &messages);
                    assert_eq!(got, expected, "{count} states, {shortest} blocks");

                    let blocks = &data.as_chunks().0[..count];
                    let mut expected = states.clone();
                    for (state, block) in expected.iter_mut().zip(blocks) {
                        one.compress(state, core::slice::from_ref(block));
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
            let one = <$one>::portable();
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
                                    one.compress(&mut expected, &[block]);
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

/// The batch calls of a hash against its single ones, on every implementation and for messages of
/// random lengths, misaligned.
macro_rules! batches_agree {
    ($backend:ty, $($hash:ident)+) => { $(
        #[allow(non_snake_case)]
        mod $hash {
            use adamant_base::Error;
            use adamant_base::family::Hash;
            use adamant_testkit::{TestRng, table};
            use $crate::{Hmac, $hash};

            type Digest = <$hash as Hash>::Output;
            const BLOCK: usize = <$hash as Hash>::BLOCK_LEN;
            const EMPTY: Digest = [7; <$hash as Hash>::OUTPUT_LEN];
            const COUNTS: [usize; 16] = [0, 1, 2, 3, 4, 5, 8, 9, 10, 15, 16, 17, 31, 33, 64, 70];

            /// Places and lengths: up to four blocks or `len`.
            fn pieces(rng: &mut TestRng, count: usize, len: Option<usize>) -> Vec<(usize, usize)> {
                let mut below = |end: usize| u64::from_le_bytes(rng.array()) as usize % end;
                (0..count).map(|_| (below(64), len.unwrap_or(below(4 * BLOCK + 1)))).collect()
            }

            #[test]
            fn digests() {
                table!($backend).for_each(|backend| {
                    let mut rng = TestRng::new(3);
                    let data = rng.bytes(4 * BLOCK + 64);
                    for count in COUNTS.into_iter().chain(0..=70) {
                        for len in [None, Some(BLOCK), Some(BLOCK - 9)] {
                            let pieces = pieces(&mut rng, count, len);
                            let messages: Vec<&[u8]> =
                                pieces.iter().map(|&(at, len)| &data[at..at + len]).collect();
                            let mut out = vec![EMPTY; count];
                            $hash::digest_batch_with_backend(backend, &messages, &mut out).unwrap();
                            for (message, digest) in messages.iter().zip(out) {
                                assert_eq!(digest, $hash::digest(message), "{count}: {pieces:?}");
                            }
                        }
                    }
                });
            }

            #[test]
            fn tags() {
                table!($backend).for_each(|backend| {
                    let mut rng = TestRng::new(4);
                    let data = rng.bytes(4 * BLOCK + 64);
                    let key = rng.bytes(BLOCK + 1);
                    for count in COUNTS {
                        let pieces = pieces(&mut rng, count, None);
                        let messages: Vec<&[u8]> =
                            pieces.iter().map(|&(at, len)| &data[at..at + len]).collect();
                        // Keys of every length, some longer than a block.
                        let keys: Vec<&[u8]> =
                            (0..count).map(|i| &key[..i * (BLOCK + 1) / count]).collect();
                        let mut tags = vec![EMPTY; count];
                        $hash::hmac_batch_with_backend(backend, &keys, &messages, &mut tags)
                            .unwrap();
                        for (i, tag) in tags.iter().enumerate() {
                            assert_eq!(*tag, Hmac::<$hash>::mac(keys[i], messages[i]), "{i}");
                        }
                        // One key, behind nothing, behind a block and behind a part of one.
                        for taken in [0, BLOCK, 5] {
                            let mut keyed = Hmac::<$hash>::new(&key[..20]);
                            keyed.update(&data[..taken]);
                            $hash::hmac_batch_one_key_with_backend(
                                backend, &keyed, &messages, &mut tags,
                            )
                            .unwrap();
                            for (message, tag) in messages.iter().zip(&tags) {
                                let mut mac = keyed.clone();
                                mac.update(message);
                                assert_eq!(*tag, mac.finalize());
                            }
                        }
                    }
                });
            }

            #[test]
            fn as_many_places_as_messages() {
                let mut out = [EMPTY; 2];
                let messages: [&[u8]; 3] = [b"", b"abc", b""];
                let error = |actual| Err(Error::BadLength { expected: 3, actual });
                assert_eq!($hash::digest_batch(&messages, &mut out), error(2));
                assert_eq!(<$hash as Hash>::digest_batch(&messages, &mut out), error(2));
                let two = &messages[..2];
                assert_eq!(Hmac::<$hash>::mac_batch(two, &messages, &mut out), error(2));
                assert_eq!(Hmac::<$hash>::mac_batch(&messages, &messages, &mut out), error(2));
                let keyed = Hmac::<$hash>::new(b"key");
                assert_eq!(keyed.mac_each(&messages, &mut out), error(2));
                assert_eq!(out, [EMPTY; 2]);
            }
        }
    )+ };
}
pub(crate) use batches_agree;
