//! Every implementation against the portable one, and the suites of the family.

use super::poly::{Poly, Q};
use super::*;
use adamant_testkit::{TestRng, check_choices, suites, table};

fn random_poly(rng: &mut TestRng) -> Poly {
    Poly(::core::array::from_fn(|_| rng.below(Q as usize) as i16))
}

/// Whole operations agree with the portable implementation, on every set.
macro_rules! agreement {
    ($($name:ident $module:ident)*) => { $(
        #[test]
        fn $name() {
            use super::$module::*;
            table!(Backend).for_each(|backend| {
                let mut rng = TestRng::new(1);
                for _ in 0..20 {
                    let seed = rng.array();
                    let key = DecapsulationKey::from_seed_on(&seed, backend);
                    let reference = DecapsulationKey::from_seed_on(&seed, Backend::portable());
                    assert_eq!(*key.to_bytes(), *reference.to_bytes());
                    let m = rng.array();
                    let (c, secret) = key.encapsulation_key().encapsulate_deterministic(&m);
                    let public = reference.encapsulation_key();
                    let (expected_c, expected) = public.encapsulate_deterministic(&m);
                    assert_eq!(c, expected_c);
                    assert_eq!(secret.as_ref(), expected.as_ref());
                    assert_eq!(key.decapsulate(&c).as_ref(), secret.as_ref());
                    let mut wrong = c;
                    wrong[rng.below(CIPHERTEXT_LEN)] ^= 1 << rng.below(8);
                    let rejected = key.decapsulate(&wrong);
                    assert_eq!(rejected.as_ref(), reference.decapsulate(&wrong).as_ref());
                    assert_ne!(rejected.as_ref(), secret.as_ref());
                    let bytes = key.to_bytes();
                    let read = DecapsulationKey::from_bytes_on(&bytes, backend).unwrap();
                    assert_eq!(read.decapsulate(&c).as_ref(), secret.as_ref());
                    assert_eq!(*read.to_bytes(), *bytes);
                    // Nobody knows the seed of a key that was read.
                    assert_eq!(key.seed().as_deref(), Some(&seed));
                    assert!(read.seed().is_none());
                    key.check_pair().unwrap();
                    // Of t, and of ρ.
                    for byte in [0, ENCAPSULATION_KEY_LEN - 1] {
                        let mut other = public.to_bytes();
                        assert!(EncapsulationKey::from_bytes(&other).unwrap() == public);
                        other[byte] ^= 1;
                        assert!(EncapsulationKey::from_bytes(&other).unwrap() != public);
                    }
                }
            });
        }
    )* };
}
agreement! {
    agreement_512 ml_kem_512
    agreement_768 ml_kem_768
    agreement_1024 ml_kem_1024
}

/// Compression of every number, and decompression of every one, at every width.
#[test]
fn compression_of_every_number() {
    table!(Backend).for_each(|backend| {
        for d in [4usize, 5, 10, 11] {
            for start in (-2 * Q + 1..2 * Q).step_by(256) {
                let poly = Poly(::core::array::from_fn(|i| {
                    (start + i as i16).min(2 * Q - 1)
                }));
                let (mut a, mut b) = (vec![0; 32 * d], vec![0; 32 * d]);
                backend.compress(&mut a, &poly);
                Backend::portable().compress(&mut b, &poly);
                assert_eq!(a, b, "{backend:?} {d}");
                for (i, x) in poly.0.iter().enumerate() {
                    let x = u64::from(x.rem_euclid(Q) as u16);
                    let exact = ((x << (d + 1)) + Q as u64) / (2 * Q as u64) % (1 << d);
                    let mut bits = 0;
                    for j in 0..d {
                        let bit = i * d + j;
                        bits |= u64::from(a[bit / 8] >> (bit % 8) & 1) << j;
                    }
                    assert_eq!(bits, exact);
                }
                let (mut p, mut q) = (Poly::ZERO, Poly::ZERO);
                backend.decompress(&mut p, &a);
                Backend::portable().decompress(&mut q, &a);
                assert_eq!(p.0, q.0);
                let (mut m, mut n) = ([0; 32], [0; 32]);
                backend.to_message(&mut m, &poly);
                Backend::portable().to_message(&mut n, &poly);
                assert_eq!(m, n);
            }
        }
    });
}

/// Uniform sampling from too few bytes says so; the NTT and its inverse are the portable ones.
#[test]
fn polynomials() {
    let mut rng = TestRng::new(3);
    table!(Backend).for_each(|backend| {
        let mut poly = Poly::ZERO;
        assert_eq!(backend.sample_ntt(&mut poly, 0, &[0xff; 168]), 0);
        assert_eq!(backend.sample_ntt(&mut poly, 0, &[0; 381]), 254);
        assert_eq!(backend.sample_ntt(&mut poly, 0, &[0; 384]), 256);
        // Block by block, and all at once.
        for _ in 0..50 {
            let bytes = rng.bytes(5 * 168);
            let (mut blocks, mut whole) = (Poly::ZERO, Poly::ZERO);
            let mut count = 0;
            for block in bytes.chunks(168) {
                if count < 256 {
                    count = backend.sample_ntt(&mut blocks, count, block);
                }
            }
            assert_eq!(count, Backend::portable().sample_ntt(&mut whole, 0, &bytes));
            let (mut x, mut y) = ([0; 384], [0; 384]);
            backend.encode_ntt(&mut x, &blocks);
            Backend::portable().encode_ntt(&mut y, &whole);
            assert_eq!(x, y);
        }
        for _ in 0..50 {
            let f = random_poly(&mut rng);
            let (mut a, mut b) = ([f; 3], [f; 3]);
            backend.ntt(&mut a);
            Backend::portable().ntt(&mut b);
            let (mut x, mut y) = ([0; 384], [0; 384]);
            backend.encode_ntt(&mut x, &a[2]);
            Backend::portable().encode_ntt(&mut y, &b[2]);
            assert_eq!(x, y);
            let mut read = [Poly::ZERO];
            assert!(backend.decode_ntt(&mut read[0], &x).declassify());
            backend.inverse_ntt(&mut read);
            assert!(read[0].0.iter().zip(f.0).all(|(a, b)| (a - b) % Q == 0));
        }
    });
}

/// The largest numbers that the table allows, of either sign.
#[test]
fn extremes() {
    let mut rng = TestRng::new(5);
    let portable = Backend::portable();
    // Positive or negative, by the bits of the pattern or at random.
    let mut signs = |pattern: usize, positive: i16| {
        Poly(::core::array::from_fn(|i| match pattern {
            0 => positive,
            1..9 if i >> (pattern - 1) & 1 == 0 => positive,
            9.. if rng.below(2) == 0 => positive,
            _ => -positive,
        }))
    };
    let encoded = |backend: Backend, poly: &Poly| {
        let mut bytes = [0; 384];
        backend.encode_ntt(&mut bytes, poly);
        bytes
    };
    let modulo = |poly: &Poly| poly.0.map(|x| x.rem_euclid(Q));
    let in_bounds = |poly: &Poly| poly.0.iter().all(|x| x.abs() < 2 * Q);
    table!(Backend).for_each(|backend| {
        for pattern in 0..40 {
            let f = signs(pattern, Q - 1);
            let (mut a, mut b) = ([f], [f]);
            backend.ntt(&mut a);
            portable.ntt(&mut b);
            assert_eq!(encoded(backend, &a[0]), encoded(portable, &b[0]));
            assert!(in_bounds(&a[0]));

            // In the NTT domain q − 1 and, for 1, 1 − q, in the row's order.
            let bytes = encoded(portable, &f);
            let domain = |backend: Backend| {
                let mut poly = Poly::ZERO;
                assert!(backend.decode_ntt(&mut poly, &bytes).declassify());
                assert!(poly.0.iter().all(|x| [1, Q - 1].contains(x)));
                [Poly(poly.0.map(|x| if x == 1 { 1 - Q } else { x })); 16]
            };
            let product = |backend: Backend, columns: usize, transposed: bool| {
                let mut to = [Poly::ZERO; 4];
                let (a, b) = (domain(backend), domain(backend));
                let (to, a) = (&mut to[..columns], &a[..columns * columns]);
                backend.multiply(to, a, transposed, &b[..columns]);
                to.iter()
                    .map(|poly| encoded(backend, poly))
                    .collect::<Vec<_>>()
            };
            for (columns, transposed) in [(2, false), (3, true), (4, false), (4, true)] {
                let expected = product(portable, columns, transposed);
                assert_eq!(product(backend, columns, transposed), expected);
            }
            let (mut a, mut b) = (domain(backend), domain(portable));
            backend.inverse_ntt(&mut a[..1]);
            portable.inverse_ntt(&mut b[..1]);
            assert_eq!(modulo(&a[0]), modulo(&b[0]));
            assert!(in_bounds(&a[0]));

            let (f, g) = (signs(pattern, 2 * Q - 1), signs(9, 2 * Q - 1));
            let (mut a, mut b) = ([f], [f]);
            backend.add(&mut a, &[g]);
            portable.add(&mut b, &[g]);
            assert_eq!(modulo(&a[0]), modulo(&b[0]));
            assert!(in_bounds(&a[0]));
            let (mut a, mut b) = (f, f);
            backend.subtract(&mut a, &g);
            portable.subtract(&mut b, &g);
            assert_eq!(modulo(&a), modulo(&b));
            let (mut a, mut b) = (f, f);
            backend.add_message(&mut a, &[0xa7; 32]);
            portable.add_message(&mut b, &[0xa7; 32]);
            assert_eq!(modulo(&a), modulo(&b));
        }
    });
}

#[test]
fn malformed_keys_are_refused() {
    use super::ml_kem_768::*;
    let mut rng = TestRng::new(4);
    let key = DecapsulationKey::generate(&mut rng).unwrap();
    let bytes = key.encapsulation_key().to_bytes();
    table!(Backend).for_each(|backend| {
        let read = |bytes: &_| EncapsulationKey::from_bytes_on(bytes, backend).err();
        assert_eq!(read(&bytes), None);
        // The first coefficient of each polynomial becomes q.
        for i in 0..3 {
            let mut wrong = bytes;
            wrong[384 * i] = Q as u8;
            wrong[384 * i + 1] = wrong[384 * i + 1] & 0xf0 | (Q >> 8) as u8;
            assert_eq!(read(&wrong), Some(Error::BadPublicKey));
        }
        let private = key.to_bytes();
        let read = |bytes: &_| DecapsulationKey::from_bytes_on(bytes, backend).err();
        assert_eq!(read(&private), None);
        for at in [1152, 1152 + 1183, 1152 + 1184, 2367] {
            let mut wrong = private.clone();
            wrong[at] ^= 1;
            assert_eq!(read(&wrong), Some(Error::BadPrivateKey), "{at}");
        }
        // The halves of two keys, with the right hash: only a trial tells.
        let other = DecapsulationKey::from_seed(&[9; 64]).to_bytes();
        let mut mixed = private.clone();
        mixed[..1152].copy_from_slice(&other[..1152]);
        let mixed = DecapsulationKey::from_bytes_on(&mixed, backend).unwrap();
        assert_eq!(mixed.check_pair(), Err(Error::BadPrivateKey));
        assert_eq!(MlKem::check_pair(&mixed), Err(Error::BadPrivateKey));
    });
    let length = |expected, actual| Some(Error::BadLength { expected, actual });
    for len in [0, 1183, 1185] {
        let refused = EncapsulationKey::try_from(&vec![0; len][..]).err();
        assert_eq!(refused, length(1184, len));
    }
    let refused = DecapsulationKey::try_from(&key.to_bytes()[..2399]).err();
    assert_eq!(refused, length(2400, 2399));
}

/// Batches of every size give what single calls give.
#[test]
fn batches_equal_single_calls() {
    use super::ml_kem_512::*;
    for count in [0, 1, 7, 8, 9, 17] {
        let keys = generate_batch(count, &mut TestRng::new(6)).unwrap();
        let mut rng = TestRng::new(6);
        for key in &keys {
            let single = DecapsulationKey::generate(&mut rng).unwrap();
            assert_eq!(*key.to_bytes(), *single.to_bytes());
            // With and without a matrix.
            let (c, secret) = key.encapsulation_key().encapsulate_deterministic(&[7; 32]);
            let mut expanded = key.clone();
            expanded.expand();
            for key in [key, &expanded, &single] {
                assert_eq!(key.decapsulate(&c).as_ref(), secret.as_ref());
                let mut public = key.encapsulation_key();
                public.expand();
                assert_eq!(public.encapsulate_deterministic(&[7; 32]).0, c);
            }
        }
        let publics: Vec<_> = keys
            .iter()
            .map(DecapsulationKey::encapsulation_key)
            .collect();
        let publics: Vec<_> = publics.iter().collect();
        let out = encapsulate_batch(&publics, &mut TestRng::new(7)).into_iter();
        let mut out: Vec<_> = out.map(Result::unwrap).collect();
        let mut rng = TestRng::new(7);
        for (key, (c, secret)) in publics.iter().zip(&out) {
            let single = key.encapsulate(&mut rng).unwrap();
            assert_eq!((single.0, single.1.as_ref()), (*c, secret.as_ref()));
        }
        if let Some((c, _)) = out.first_mut() {
            c[0] ^= 1;
        }
        let items: Vec<_> = keys.iter().zip(&out).map(|(k, (c, _))| (k, c)).collect();
        for ((key, c), secret) in items.iter().zip(&decapsulate_batch(&items)) {
            assert_eq!(key.decapsulate(c).as_ref(), secret.as_ref());
        }
        let mut places = vec![SharedSecret::zero(); count + 1];
        let expected = Err(Error::BadLength {
            expected: count,
            actual: count + 1,
        });
        assert_eq!(decapsulate_batch_into(&items, &mut places), expected);
        let mut places = vec![Err(Error::BadTag); count + 1];
        let refused = encapsulate_batch_into(&publics, &mut places, &mut rng);
        assert_eq!(refused, expected);
        assert!(
            places
                .iter()
                .all(|place| place.as_ref().err() == Some(&Error::BadTag))
        );
    }
}

/// Fails at some calls, of which each fills one m.
struct FailsAt(TestRng, &'static [usize], usize);

impl Rng for FailsAt {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.2 += 1;
        match self.1.contains(&(self.2 - 1)) {
            true => Err(Error::NoEntropy),
            false => self.0.fill(out),
        }
    }
}

/// An item for which the generator fails has no secret, and what an earlier call left in its place
/// is gone; the others have theirs.
#[test]
fn a_generator_that_fails_fails_its_items() {
    use super::ml_kem_512::*;
    let key = DecapsulationKey::from_seed(&[1; 64]);
    let public = key.encapsulation_key();
    let mut out = encapsulate_batch(&[&public; 19], &mut TestRng::new(10));
    let failing = FailsAt(TestRng::new(11), &[2, 17], 0);
    assert_eq!(
        encapsulate_batch_into(&[&public; 19], &mut out, &mut { failing }),
        Ok(())
    );
    let mut rng = TestRng::new(11);
    for (i, out) in out.iter().enumerate() {
        match out {
            Err(error) => assert_eq!((*error, [2, 17].contains(&i)), (Error::NoEntropy, true)),
            Ok((c, secret)) => {
                let single = public.encapsulate(&mut rng).unwrap();
                assert_eq!((single.0, single.1.as_ref()), (*c, secret.as_ref()), "{i}");
            }
        }
    }
    assert_eq!(out.iter().filter(|out| out.is_err()).count(), 2);
}

/// Keys as they travel, good ones and bad ones, in batches and one by one.
#[test]
fn encoded_keys_equal_parsed_ones() {
    use super::ml_kem_1024::*;
    for count in [0, 1, 8, 19] {
        let keys = generate_batch(count, &mut TestRng::new(8)).unwrap();
        let mut publics: Vec<_> = keys
            .iter()
            .map(|key| key.encapsulation_key().to_bytes())
            .collect();
        let mut privates: Vec<_> = keys.iter().map(DecapsulationKey::to_bytes).collect();
        for i in (3..count).step_by(7) {
            publics[i][..2].fill(0xff); // Not below q.
            privates[i][DECAPSULATION_KEY_LEN - 40] ^= 1; // Not the hash.
        }
        let items: Vec<_> = publics.iter().collect();
        let out = encapsulate_encoded_batch(&items, &mut TestRng::new(9));
        let mut rng = TestRng::new(9);
        let mut ciphertexts = Vec::new();
        for (i, (key, out)) in publics.iter().zip(&out).enumerate() {
            let Ok(key) = EncapsulationKey::from_bytes(key) else {
                assert_eq!(out.as_ref().err(), Some(&Error::BadPublicKey));
                ciphertexts.push([7; CIPHERTEXT_LEN]);
                continue;
            };
            let single = key.encapsulate(&mut rng).unwrap();
            let (c, secret) = out.as_ref().unwrap();
            assert_eq!((single.0, single.1.as_ref()), (*c, secret.as_ref()));
            let mut c = *c;
            c[5] ^= u8::from(i % 2 == 0); // Half of them wrong.
            ciphertexts.push(c);
        }
        let items: Vec<_> = privates
            .iter()
            .map(|key| &**key)
            .zip(&ciphertexts)
            .collect();
        let mut out = decapsulate_encoded_batch(&items);
        for ((key, c), out) in items.iter().zip(&out) {
            match DecapsulationKey::from_bytes(key) {
                Ok(key) => {
                    let secret = key.decapsulate(c);
                    assert_eq!(out.as_ref().unwrap().as_ref(), secret.as_ref());
                }
                Err(error) => assert_eq!(out.as_ref().err(), Some(&error)),
            }
            table!(Backend).for_each(|backend| {
                let single = DecapsulationKey::decapsulate_encoded_on(key, c, backend);
                match (&single, out) {
                    (Ok(single), Ok(out)) => assert_eq!(single.as_ref(), out.as_ref()),
                    (single, out) => assert_eq!(single.as_ref().err(), out.as_ref().err()),
                }
            });
        }
        let short = &mut out[count.min(1)..];
        if count > 0 {
            assert!(decapsulate_encoded_batch_into(&items, short).is_err());
        }
    }
}

#[test]
fn the_choice_follows_the_features() {
    let choices = [
        ("x86-64", "portable"),
        ("haswell", "x86_avx2"),
        ("skylake-x", "x86_avx2"),
        ("zen4", "x86_avx512"),
        ("armv8", "arm_neon"),
        ("apple-m1", "arm_neon"),
    ];
    check_choices(Backend::best_for, &choices);
}

#[test]
fn batches_are_single_calls() {
    macro_rules! check {
        ($($module:ident)*) => { $(
            let rows: Vec<_> = Backend::available().collect();
            let key = |i: usize, rng: &mut TestRng| {
                $module::DecapsulationKey::generate_on(rng, rows[i % rows.len()]).unwrap()
            };
            suites::batches::kems::<$module::MlKem>(key, suites::batches::COUNTS);
        )* };
    }
    check!(ml_kem_512 ml_kem_768 ml_kem_1024);
}

#[test]
fn suites() {
    suites::kem::check::<ml_kem_512::MlKem>();
    suites::kem::check::<ml_kem_768::MlKem>();
    suites::kem::check::<ml_kem_1024::MlKem>();
}
