//! Every implementation against the portable one, and the suites of the family.

use super::poly::{Poly, Q};
use super::*;
use adamant_base::family::Signer;
use adamant_base::hazmat::FromSeedOn;
use adamant_testkit::{BrokenRng, TestRng, check_choices, suites, table};

fn random_poly(rng: &mut TestRng) -> Poly {
    Poly(::core::array::from_fn(|_| rng.below(Q as usize) as i32))
}

/// Whole operations agree with the portable implementation, on every set.
macro_rules! agreement {
    ($($name:ident $module:ident)*) => { $(
        #[test]
        fn $name() {
            use super::$module::*;
            table!(Backend).for_each(|backend| {
                let mut rng = TestRng::new(1);
                for _ in 0..10 {
                    let seed = rng.array();
                    let key = PrivateKey::from_seed_on(&seed, backend);
                    let reference = PrivateKey::from_seed_on(&seed, Backend::portable());
                    let bytes = key.to_bytes();
                    assert_eq!(*bytes, *reference.to_bytes());
                    assert_eq!(key.public_key().to_bytes(), reference.public_key().to_bytes());
                    let message = rng.bytes(50);
                    let signature = key.sign(&message);
                    assert_eq!(signature, reference.sign(&message));
                    let public = key.public_key();
                    assert_eq!(public.verify(&message, &signature), Ok(()));
                    let read = PrivateKey::from_bytes_on(&bytes, backend).unwrap();
                    assert_eq!(read.sign(&message), signature);
                    assert_eq!(*read.to_bytes(), *bytes);
                    // Nobody knows the seed of a key that was read.
                    assert_eq!(key.seed().as_deref(), Some(&seed));
                    assert!(read.seed().is_none());
                    // Of ρ, and of the rest.
                    for bytes in [0..32, 32..PUBLIC_KEY_LEN] {
                        let mut wrong = public.to_bytes();
                        assert!(PublicKey::from_bytes(&wrong) == public);
                        wrong[bytes.start + rng.below(bytes.len())] ^= 1 << rng.below(8);
                        assert!(PublicKey::from_bytes(&wrong) != public);
                    }
                    for _ in 0..20 {
                        let mut wrong = signature.to_bytes();
                        wrong[rng.below(SIGNATURE_LEN)] ^= 1 << rng.below(8);
                        let wrong = Signature::from_bytes(&wrong);
                        assert!(public.verify(&message, &wrong).is_err());
                    }
                }
            });
        }
    )* };
}
agreement! {
    agreement_44 ml_dsa_44
    agreement_65 ml_dsa_65
    agreement_87 ml_dsa_87
}

/// Algorithms 36 and 40 by their definition, of every number.
#[test]
fn decomposition_of_every_number() {
    for gamma2 in [(Q - 1) / 88, (Q - 1) / 32] {
        let m = (Q - 1) / (2 * gamma2);
        for start in (0..Q).step_by(256) {
            let numbers = Poly(::core::array::from_fn(|i| (start + i as i32).min(Q - 1)));
            let (mut low, mut high) = ([numbers], [Poly::ZERO]);
            Backend::best().decompose(&mut low, gamma2, &mut high);
            let ones = [Poly([1; 256])];
            let mut hinted = [numbers];
            Backend::best().use_hint(&mut hinted, &ones, gamma2);
            for i in 0..256 {
                let r = numbers.0[i];
                let mut r0 = r % (2 * gamma2);
                if r0 > gamma2 {
                    r0 -= 2 * gamma2;
                }
                let (r1, r0) = if r - r0 == Q - 1 {
                    (0, r0 - 1)
                } else {
                    ((r - r0) / (2 * gamma2), r0)
                };
                assert_eq!((high[0].0[i], low[0].0[i]), (r1, r0), "{r}");
                let up = if r0 > 0 { r1 + 1 } else { r1 - 1 };
                assert_eq!(hinted[0].0[i], up.rem_euclid(m), "{r}");
            }
        }
    }
}

/// The steps on polynomials are the portable ones.
#[test]
fn polynomials() {
    let mut rng = TestRng::new(3);
    let portable = Backend::portable();
    table!(Backend).for_each(|backend| {
        for _ in 0..30 {
            let (f, g) = (random_poly(&mut rng), random_poly(&mut rng));
            let product = |backend: Backend| {
                let mut polys = [f, g];
                backend.ntt(&mut polys);
                let mut out = [Poly::ZERO; 2];
                backend.multiply(&mut out[..1], &polys[..1], &polys[1..]);
                backend.scale(&mut out[1..], &polys[0], &polys[1..]);
                backend.inverse_ntt(&mut out);
                assert_eq!(out[0].0, out[1].0);
                out[0].0.map(|x| x.rem_euclid(Q))
            };
            assert_eq!(product(backend), product(portable));
            for bits in [3, 4, 6, 10, 13, 18, 20] {
                let bytes = rng.bytes(32 * bits);
                let b = 1 << (bits - 1);
                let (mut x, mut y) = (Poly::ZERO, Poly::ZERO);
                backend.bit_unpack(&mut x, &bytes, b);
                portable.bit_unpack(&mut y, &bytes, b);
                assert_eq!(x.0, y.0);
                let mut packed = vec![0; bytes.len()];
                backend.bit_pack(&mut packed, &x, b);
                assert_eq!(packed, bytes);
                backend.simple_bit_unpack(&mut x, &bytes);
                backend.simple_bit_pack(&mut packed, &x);
                assert_eq!(packed, bytes);
            }
            // Block by block as all at once.
            let bytes = rng.bytes(7 * 168);
            let sample = |backend: Backend, rate: usize, len: usize, uniform: bool, eta: i32| {
                let (mut poly, mut count) = (Poly::ZERO, 0);
                for block in bytes[..len].chunks(rate) {
                    if count < 256 {
                        count = if uniform {
                            backend.rej_ntt_poly(&mut poly, count, block)
                        } else {
                            backend.rej_bounded_poly(&mut poly, eta, count, block)
                        };
                    }
                }
                if uniform && count == 256 {
                    let mut polys = [poly];
                    backend.inverse_ntt(&mut polys);
                    poly.0 = polys[0].0.map(|x| x.rem_euclid(Q));
                }
                (count, if count == 256 { poly.0 } else { [0; 256] })
            };
            for (uniform, eta, rate) in [(true, 0, 168), (false, 2, 136), (false, 4, 136)] {
                for len in [0, 8 * 3, rate, 2 * rate, 5 * rate, 6 * rate] {
                    let blocks = sample(backend, rate, len, uniform, eta);
                    assert_eq!(blocks, sample(backend, len.max(1), len, uniform, eta));
                    let expected = sample(portable, len.max(1), len, uniform, eta);
                    if uniform {
                        // Products carry a factor of the implementation's own.
                        assert_eq!(blocks.0, expected.0);
                    } else {
                        assert_eq!(blocks, expected);
                    }
                }
            }
        }
        let mut poly = Poly::ZERO;
        assert_eq!(backend.rej_ntt_poly(&mut poly, 0, &[0xff; 168]), 0);
        assert_eq!(backend.rej_ntt_poly(&mut poly, 0, &[0; 765]), 255);
        assert_eq!(backend.rej_ntt_poly(&mut poly, 0, &[0; 768]), 256);
    });
}

/// What works on each coefficient by itself, of numbers of either sign.
#[test]
fn coefficients() {
    let mut rng = TestRng::new(4);
    let portable = Backend::portable();
    table!(Backend).for_each(|backend| {
        for round in 0..200 {
            let mut poly = || {
                let near = |x: usize| (round % 2 * x) as i32;
                [Poly(::core::array::from_fn(|_| match rng.below(8) {
                    0 => Q - 1 - near(rng.below(4)),
                    1 => 1 - Q + near(rng.below(4)),
                    2 => near(rng.below(4)) - 2,
                    _ => rng.below(2 * Q as usize - 1) as i32 - (Q - 1),
                }))]
            };
            let (f, g) = (poly(), poly());
            assert_eq!(backend.norm(&f), portable.norm(&f));
            for gamma2 in [(Q - 1) / 88, (Q - 1) / 32] {
                let hints = [Poly(g[0].0.map(|x| x & 1))];
                let all = |backend: Backend| {
                    let (mut low, mut high) = (f, [Poly::ZERO]);
                    backend.decompose(&mut low, gamma2, &mut high);
                    let mut hint = [Poly::ZERO];
                    let ones = backend.make_hint(&mut hint, &low, &high, gamma2);
                    let mut hinted = f;
                    backend.use_hint(&mut hinted, &hints, gamma2);
                    let [low, high, hint, hinted] = [low, high, hint, hinted].map(|[p]| p.0);
                    (low, high, hint, ones, hinted)
                };
                assert_eq!(all(backend), all(portable));
            }
            let rounded = |backend: Backend| {
                let (mut high, mut low) = (f, [Poly::ZERO]);
                backend.power2round(&mut high, &mut low);
                (high[0].0, low[0].0)
            };
            assert_eq!(rounded(backend), rounded(portable));
        }
    });
}

/// The largest numbers that the table allows, of either sign.
#[test]
fn extremes() {
    let mut rng = TestRng::new(5);
    let portable = Backend::portable();
    // Positive or negative, by the bits of the pattern or at random.
    let mut signs = |pattern: usize| {
        Poly(::core::array::from_fn(|i| match pattern {
            0 => Q - 1,
            1..9 if i >> (pattern - 1) & 1 == 0 => Q - 1,
            9.. if rng.below(2) == 0 => Q - 1,
            _ => 1 - Q,
        }))
    };
    let modulo = |poly: &Poly| {
        assert!(poly.0.iter().all(|x| x.abs() < Q));
        poly.0.map(|x| x.rem_euclid(Q))
    };
    table!(Backend).for_each(|backend| {
        for pattern in 0..40 {
            let f = signs(pattern);
            for columns in [1, 4, 5, 7] {
                let product = |backend: Backend| {
                    let mut b = [f; 7];
                    backend.ntt(&mut b);
                    // A matrix of q − 1 is one in any order.
                    let a = [Poly([Q - 1; 256]); 14];
                    let mut to = [Poly::ZERO; 2];
                    backend.multiply(&mut to, &a[..2 * columns], &b[..columns]);
                    backend.inverse_ntt(&mut to);
                    to.map(|poly| modulo(&poly))
                };
                assert_eq!(product(backend), product(portable));
            }
            let square = |backend: Backend| {
                let mut f = [f];
                backend.ntt(&mut f);
                let mut to = [Poly::ZERO];
                backend.scale(&mut to, &f[0], &f);
                backend.inverse_ntt(&mut to);
                modulo(&to[0])
            };
            assert_eq!(square(backend), square(portable));
            // As of small numbers that are congruent.
            let (mut large, mut small) = ([f], [Poly(f.0.map(|x| x - x.signum() * Q))]);
            backend.inverse_ntt(&mut large);
            backend.inverse_ntt(&mut small);
            assert_eq!(modulo(&large[0]), modulo(&small[0]));

            let g = signs(9);
            let (mut a, mut b) = ([f], [f]);
            backend.add(&mut a, &[g]);
            portable.add(&mut b, &[g]);
            assert_eq!(modulo(&a[0]), modulo(&b[0]));
            let (mut a, mut b) = ([f], [f]);
            backend.subtract(&mut a, &[g]);
            portable.subtract(&mut b, &[g]);
            assert_eq!(modulo(&a[0]), modulo(&b[0]));
        }
    });
}

#[test]
fn malformed_keys_and_signatures_are_refused() {
    use super::ml_dsa_44::*;
    let key = PrivateKey::from_seed(&[1; 32]);
    let bytes = key.to_bytes();
    table!(Backend).for_each(|backend| {
        let read = |bytes: &_| PrivateKey::from_bytes_on(bytes, backend).err();
        assert_eq!(read(&bytes), None);
        // tr, s₁, s₂, t₀; and a coefficient beyond η.
        for at in [64, 128, 128 + 384, 128 + 768, PRIVATE_KEY_LEN - 1] {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1;
            assert_eq!(read(&wrong), Some(Error::BadPrivateKey), "{at}");
        }
        let mut wrong = bytes.clone();
        wrong[128] |= 7;
        assert_eq!(read(&wrong), Some(Error::BadPrivateKey));
    });
    let length = |expected: usize| {
        let actual = expected - 1;
        Some(Error::BadLength { expected, actual })
    };
    let private = PrivateKey::try_from(&bytes[1..]).err();
    assert_eq!(private, length(PRIVATE_KEY_LEN));
    let public = PublicKey::try_from(&key.public_key().to_bytes()[1..]);
    assert_eq!(public.err(), length(PUBLIC_KEY_LEN));
    let signature = Signature::try_from(&key.sign(b"").to_bytes()[1..]);
    assert_eq!(signature.err(), length(SIGNATURE_LEN));

    // Hints of another encoding: two of them exchanged, one twice, counts that fall, too many,
    // padding that is not zero.
    let public = key.public_key();
    let (message, signature) = (0u8..)
        .map(|i| ([i], key.sign(&[i]).to_bytes()))
        .find(|(_, s)| s[SIGNATURE_LEN - 4] >= 2 && s[SIGNATURE_LEN - 1] < 80)
        .unwrap();
    let hints = SIGNATURE_LEN - 84;
    let check = |change: &dyn Fn(&mut [u8])| {
        let mut wrong = signature;
        change(&mut wrong[hints..]);
        let wrong = Signature::from_bytes(&wrong);
        public.verify(&message, &wrong)
    };
    assert_eq!(check(&|_| ()), Ok(()));
    let refused = Err(Error::BadSignature);
    assert_eq!(check(&|h| h.swap(0, 1)), refused);
    assert_eq!(check(&|h| h[1] = h[0]), refused);
    assert_eq!(check(&|h| h[81] = h[80] - 1), refused);
    assert_eq!(check(&|h| h[83] = 81), refused);
    assert_eq!(check(&|h| h[79] = 1), refused);
}

/// Batches of every size give what single calls give.
#[test]
fn batches_equal_single_calls() {
    use super::ml_dsa_44::*;
    for count in [0, 1, 3, 8, 11, 17] {
        let keys = generate_batch(count, &mut TestRng::new(6)).unwrap();
        let mut rng = TestRng::new(6);
        for key in &keys {
            let single = PrivateKey::generate(&mut rng).unwrap();
            assert_eq!(*key.to_bytes(), *single.to_bytes());
            // With and without a matrix.
            let mut expanded = key.clone();
            expanded.expand();
            let signature = single.sign(b"message");
            for key in [key, &expanded] {
                assert_eq!(key.sign(b"message"), signature);
                let mut public = key.public_key();
                assert_eq!(public.verify(b"message", &signature), Ok(()));
                public.expand();
                assert_eq!(public.verify(b"message", &signature), Ok(()));
                assert!(public.verify(b"massage", &signature).is_err());
            }
        }
        let messages: Vec<Vec<u8>> = (0..count).map(|i| rng.bytes(20 * i)).collect();
        let items: Vec<_> = keys
            .iter()
            .zip(&messages)
            .map(|(k, m)| (k, &m[..]))
            .collect();
        let signatures = sign_batch(&items);
        let expected = Err(Error::BadLength {
            expected: count,
            actual: count + 1,
        });
        let places = &mut vec![Signature::from_bytes(&[7; SIGNATURE_LEN]); count + 1];
        assert_eq!(sign_batch_into(&items, places), expected);
        assert!(
            places
                .iter()
                .all(|place| place.as_ref() == [7; SIGNATURE_LEN])
        );
        for ((key, message), signature) in items.iter().zip(&signatures) {
            assert_eq!(key.sign(message), *signature);
        }
        let publics: Vec<_> = keys.iter().map(PrivateKey::public_key).collect();
        let mut wrong = signatures.clone();
        for signature in wrong.iter_mut().step_by(3) {
            let mut bytes = signature.to_bytes();
            bytes[count] ^= 1;
            *signature = Signature::from_bytes(&bytes);
        }
        let items: Vec<_> = (0..count)
            .map(|i| (&publics[i], &messages[i][..], &wrong[i]))
            .collect();
        for (i, result) in verify_batch(&items).iter().enumerate() {
            assert_eq!(result.is_err(), i % 3 == 0);
        }
        let places = &mut vec![Ok(()); count + 1];
        assert_eq!(verify_batch_into(&items, places), expected);
    }
}

#[test]
fn contexts_hashes_and_representatives() {
    use super::ml_dsa_65::*;
    let key = PrivateKey::from_seed(&[1; 32]);
    let public = key.public_key();
    let plain = key.sign(b"message");
    assert_eq!(key.sign_with_context(b"message", b"").unwrap(), plain);
    let other = key.sign_with_context(b"message", b"context").unwrap();
    assert_eq!(
        public.verify_with_context(b"message", b"context", &other),
        Ok(())
    );
    assert_eq!(public.verify(b"message", &other), Err(Error::BadSignature));
    let too_long = Err(Error::BadParameter("context"));
    assert_eq!(key.sign_with_context(b"", &[0; 256]), too_long);
    assert!(key.sign_with_context(b"", &[0; 255]).is_ok());

    let hedged = key.sign_hedged(b"message", &mut TestRng::new(1)).unwrap();
    assert_ne!(hedged, plain);
    assert_eq!(public.verify(b"message", &hedged), Ok(()));
    let hedged = key.sign_hedged_with_context(b"message", b"context", &mut TestRng::new(1));
    let hedged = hedged.unwrap();
    assert_ne!(hedged, other);
    let verdict = public.verify_with_context(b"message", b"context", &hedged);
    assert_eq!(verdict, Ok(()));

    let mut mu = [0; 64];
    let parts = [&public.hash()[..], &[0, 0], b"message"].concat();
    adamant_hash::Shake256::digest(&parts, &mut mu);
    assert_eq!(key.sign_mu(&mu), plain);
    assert_eq!(public.verify_mu(&mu, &plain), Ok(()));
    let refused = Err(Error::BadSignature);
    assert_eq!(public.verify_mu(&mu, &other), refused);
    assert_eq!(public.verify_mu(&[7; 64], &plain), refused);
    let hedged = key.sign_hedged_mu(&mu, &mut TestRng::new(1)).unwrap();
    assert_eq!(
        hedged,
        key.sign_hedged(b"message", &mut TestRng::new(1)).unwrap()
    );

    let digest = adamant_hash::Sha512::digest(b"message");
    let hash = PreHash::Sha512;
    let signature = key.sign_prehashed(&digest, hash, b"c").unwrap();
    let hedged = key.sign_hedged_prehashed(&digest, hash, b"c", &mut TestRng::new(1));
    let hedged = hedged.unwrap();
    assert_ne!(signature, hedged);
    for signature in [signature, hedged] {
        let verify = |hash| public.verify_prehashed(&digest, hash, b"c", &signature);
        assert_eq!(verify(hash), Ok(()));
        assert!(verify(PreHash::Sha3_512).is_err());
    }
    let short = Err(Error::BadLength {
        expected: 64,
        actual: 63,
    });
    assert_eq!(key.sign_prehashed(&digest[1..], hash, b""), short);
    let rng = &mut BrokenRng;
    assert_eq!(
        key.sign_hedged_prehashed(&digest[1..], hash, b"", rng),
        short
    );
    let none = Err(Error::NoEntropy);
    assert_eq!(key.sign_hedged_prehashed(&digest, hash, b"", rng), none);
    assert_eq!(key.sign_hedged_mu(&mu, rng), none);
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
    fn check<K: Signer>(key: impl Fn(&mut TestRng, Backend) -> Result<K, Error>, counts: &[usize]) {
        let rows: Vec<_> = Backend::available().collect();
        let key = |i: usize, rng: &mut TestRng| key(rng, rows[i % rows.len()]).unwrap();
        suites::batches::signatures(key, counts);
    }
    check(ml_dsa_44::PrivateKey::generate_on, suites::batches::COUNTS);
    check(ml_dsa_65::PrivateKey::generate_on, &[9]);
    check(ml_dsa_87::PrivateKey::generate_on, &[9]);
}

#[test]
fn suites() {
    suites::signature::check(ml_dsa_44::PrivateKey::generate);
    suites::signature::check(ml_dsa_65::PrivateKey::generate);
    suites::signature::check(ml_dsa_87::PrivateKey::generate);
}
