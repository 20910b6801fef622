//! What BLAKE2b and BLAKE2s are put through.

/// Makes the tests of the module at hand from its answers.
macro_rules! tests {
    (
        $hash:ident, $mac:ident, longest: $max:literal, word: $word:ty, counter: $counter:ty,
        abc: $abc:literal $($abc_end:literal)?,
        known_answers: [$((
            $len:literal, $digest:literal $($digest_end:literal)?, $tag:literal $($tag_end:literal)?
        ))+],
        self_test: $all:literal, of digests [$($digest_len:literal)+], of messages $lengths:expr,
        salt: $salt:literal, personalization: $personalization:literal, salted: $salted:literal,
    ) => {
        use adamant_testkit::{TestRng, equivalence, suites, table};
        use hex_literal::hex;

        const BLOCK: usize = 2 * $max;

        #[test]
        fn abc() {
            let digest = hex!($abc $($abc_end)?);
            table!(Backend).for_each(|backend| {
                let mut hash = $hash::<$max>::with_backend(backend);
                hash.update(b"abc");
                assert_eq!(hash.finalize(), digest, "{backend:?}");
            });
        }

        #[test]
        fn known_answers() {
            let bytes: [u8; 256] = core::array::from_fn(|i| i as u8);
            let cases = [$((
                $len, hex!($digest $($digest_end)?), hex!($tag $($tag_end)?)
            )),+];
            table!(Backend).for_each(|backend| {
                for (len, digest, keyed) in cases {
                    let mut hash = $hash::<$max>::with_backend(backend);
                    hash.update(&bytes[..len]);
                    assert_eq!(hash.finalize(), digest, "{backend:?} {len}");
                    let mut mac = $mac::<$max>::with_backend(backend, &bytes[..$max]).unwrap();
                    mac.update(&bytes[..len]);
                    assert_eq!(mac.clone().finalize(), keyed, "{backend:?} {len}");
                    assert_eq!(mac.verify(&keyed), Ok(()));
                }
            });
        }

        #[test]
        fn self_test() {
            fn sequence(len: usize) -> Vec<u8> {
                let (mut a, mut b) = (0xdead_4bad_u32.wrapping_mul(len as u32), 1u32);
                let next = |_| {
                    (a, b) = (b, a.wrapping_add(b));
                    (b >> 24) as u8
                };
                (0..len).map(next).collect()
            }
            fn digests<const N: usize>(backend: Backend, all: &mut $hash<32>) {
                for len in $lengths {
                    let message = sequence(len);
                    let mut hash = $hash::<N>::with_backend(backend);
                    hash.update(&message);
                    all.update(&hash.finalize());
                    let mut mac = $mac::<N>::with_backend(backend, &sequence(N)).unwrap();
                    mac.update(&message);
                    all.update(&mac.finalize());
                }
            }
            table!(Backend).for_each(|backend| {
                let mut all = $hash::<32>::with_backend(backend);
                $(digests::<$digest_len>(backend, &mut all);)+
                assert_eq!(all.finalize(), hex!($all), "{backend:?}");
            });
        }

        #[test]
        fn salt_and_personalization() {
            let parameters = Parameters::new()
                .salt(&hex!($salt))
                .personalization(&hex!($personalization))
                .key(b"key")
                .unwrap();
            table!(Backend).for_each(|backend| {
                let mut hash = $hash::<20>::with_parameters(backend, &parameters);
                hash.update(b"abc");
                assert_eq!(hash.finalize(), hex!($salted));
            });
        }

        #[test]
        fn implementations_agree() {
            let table = table!(Backend);
            equivalence::hash(&table, $hash::<$max>::with_backend);
            equivalence::streaming(
                &table,
                BLOCK,
                |backend| $mac::<20>::with_backend(backend, &[7; 20]).unwrap(),
                $mac::update,
                $mac::finalize,
            );
            table.for_each(|backend| {
                suites::hash::check(|| $hash::<$max>::with_backend(backend));
                suites::hash::check(|| $hash::<20>::with_backend(backend));
                suites::mac::check($max, |key| $mac::<$max>::with_backend(backend, key));
                suites::mac::check(9, |key| $mac::<16>::with_backend(backend, key));
            });
        }

        /// Counters beyond one word.
        #[test]
        fn long_messages() {
            let block = [7; BLOCK];
            table!(Backend).against_portable(|backend, portable| {
                for t in [<$word>::MAX - 100, <$word>::MAX] {
                    let run = |backend: Backend| {
                        let mut h = IV;
                        backend.compress(&mut h, &[block; 2], t.into());
                        backend.compress_last(&mut h, &block, <$counter>::from(t) * 3);
                        h
                    };
                    assert_eq!(run(backend), run(portable));
                }
            });
        }

        /// The lanes against the compression function on one state.
        #[test]
        fn lanes_agree() {
            let mut rng = TestRng::new(5);
            let data = rng.bytes(40 * 4 * BLOCK + 64);
            table!(lanes::Backend).for_each(|backend| {
                for count in (0..=20).chain([31, 32, 33, 40]) {
                    let states: Vec<[$word; 8]> = (0..count)
                        .map(|_| core::array::from_fn(|_| <$word>::from_le_bytes(rng.array())))
                        .collect();
                    let blocks = 1 + count % 3;
                    let messages: Vec<&[[u8; BLOCK]]> = (0..count)
                        .map(|i| &data[i * 4 * BLOCK + count..].as_chunks().0[..blocks + usize::from(i > 0)])
                        .collect();
                    // Some behind the lower word of a counter, some at the end.
                    let t: Vec<u64> =
                        (0..count).map(|i| (i as u64) << 29 | BLOCK as u64).collect();
                    let last: Vec<$word> =
                        (0..count).map(|i| if i % 3 == 0 { <$word>::MAX } else { 0 }).collect();
                    let mut got = states.clone();
                    backend.compress(&mut got, &messages, &t, &last);
                    let mut expected = states.clone();
                    lanes::Backend::portable().compress(&mut expected, &messages, &t, &last);
                    assert_eq!(got, expected, "{count} states");

                    let one = Backend::portable();
                    for i in (0..count).filter(|i| i % 3 != 0) {
                        let mut h = states[i];
                        let before = <$counter>::from(t[i]) - BLOCK as $counter;
                        one.compress(&mut h, &messages[i][..blocks], before);
                        assert_eq!(got[i], h, "{i} of {count} states");
                    }
                }
            });
        }

        #[test]
        fn batches_agree() {
            let mut rng = TestRng::new(6);
            let data = rng.bytes(6 * BLOCK + 64);
            table!(lanes::Backend).for_each(|backend| {
                for count in (0..=20).chain([31, 32, 33, 64, 70]) {
                    for len in [None, Some(0), Some(BLOCK), Some(3 * BLOCK + 1)] {
                        let mut below = |end: usize| {
                            u64::from_le_bytes(rng.array()) as usize % end
                        };
                        let messages: Vec<&[u8]> = (0..count)
                            .map(|_| {
                                let at = below(64);
                                &data[at..at + len.unwrap_or(below(6 * BLOCK + 1))]
                            })
                            .collect();
                        let mut out = vec![[7; 20]; count];
                        $hash::digest_batch_with_backend(backend, &messages, &mut out).unwrap();
                        for (message, digest) in messages.iter().zip(out) {
                            let one = $hash::<20>::digest(message);
                            assert_eq!(digest, one, "{backend:?} {count} {}", message.len());
                        }
                    }
                }
            });
            let mut out = [[7; 20]; 2];
            let bad = Error::BadLength { expected: 1, actual: 2 };
            assert_eq!($hash::digest_batch(&[b"abc"], &mut out), Err(bad));
            assert_eq!(out, [[7; 20]; 2]);
        }

        #[test]
        fn lengths() {
            let mut out = [0; $max + 1];
            digest_into(b"abc", &mut out[..20]).unwrap();
            assert_eq!(out[..20], $hash::<20>::digest(b"abc"));
            digest_into(b"abc", &mut out[..$max]).unwrap();
            assert_eq!(out[..$max], $hash::<$max>::digest(b"abc"));
            let bad = |actual| Error::BadLength { expected: $max, actual };
            assert_eq!(digest_into(b"", &mut out), Err(bad($max + 1)));
            assert_eq!(digest_into(b"", &mut []), Err(bad(0)));
            assert_eq!($mac::<16>::new(&out).err(), Some(bad($max + 1)));
            assert_eq!($mac::<16>::new(&[]).err(), Some(bad(0)));
            assert!(Parameters::new().key(&[]).is_ok());
        }

        #[test]
        fn refused_tags() {
            let mut mac = $mac::<16>::new(b"key").unwrap();
            mac.update(b"message");
            let tag = mac.clone().finalize();
            for bit in 0..128 {
                let mut wrong = tag;
                wrong[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(mac.clone().verify(&wrong), Err(Error::BadTag));
            }
            assert_eq!(mac.clone().verify(&tag[..15]), Err(Error::BadTag));
            assert_eq!(mac.verify(&tag), Ok(()));
        }

        #[test]
        fn choice_of_lanes() {
            adamant_testkit::check_choices(
                lanes::Backend::best_for,
                &[("haswell", "x86_avx2"), ("skylake-x", "x86_avx512")],
            );
        }
    };
}
pub(crate) use tests;
