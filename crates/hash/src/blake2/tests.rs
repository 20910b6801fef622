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
        use adamant_testkit::{equivalence, suites, table};
        use hex_literal::hex;

        const BLOCK: usize = 2 * $max;

        #[test]
        fn abc() {
            let digest = hex!($abc $($abc_end)?);
            table!(Backend).for_each(|backend| {
                let mut hash = $hash::<$max>::new_on(backend);
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
                    let mut hash = $hash::<$max>::new_on(backend);
                    hash.update(&bytes[..len]);
                    assert_eq!(hash.finalize(), digest, "{backend:?} {len}");
                    let mut mac = $mac::<$max>::new_on(&bytes[..$max], backend).unwrap();
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
                    let mut hash = $hash::<N>::new_on(backend);
                    hash.update(&message);
                    all.update(&hash.finalize());
                    let mut mac = $mac::<N>::new_on(&sequence(N), backend).unwrap();
                    mac.update(&message);
                    all.update(&mac.finalize());
                }
            }
            table!(Backend).for_each(|backend| {
                let mut all = $hash::<32>::new_on(backend);
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
                let mut hash = $hash::<20>::with_parameters_on(&parameters, backend);
                hash.update(b"abc");
                assert_eq!(hash.finalize(), hex!($salted));
            });
        }

        #[test]
        fn implementations_agree() {
            let table = table!(Backend);
            equivalence::hash(&table, $hash::<$max>::new_on);
            equivalence::streaming(
                &table,
                BLOCK,
                |backend| $mac::<20>::new_on(&[7; 20], backend).unwrap(),
                $mac::update,
                $mac::finalize,
            );
            table.for_each(|backend| {
                suites::hash::check(|| $hash::<$max>::new_on(backend));
                suites::hash::check(|| $hash::<20>::new_on(backend));
                suites::mac::check($max, |key| $mac::<$max>::new_on(key, backend));
                suites::mac::check(9, |key| $mac::<16>::new_on(key, backend));
            });
        }

        #[test]
        fn as_many_places_as_messages() {
            let mut out = [[7; 20]; 2];
            let bad = Error::BadLength { expected: 1, actual: 2 };
            assert_eq!($hash::digest_batch_into(&[b"abc"], &mut out), Err(bad));
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
