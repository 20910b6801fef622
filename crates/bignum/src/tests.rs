//! Every implementation against long multiplication and long division, with operands from the
//! edges where carries go wrong.

use crate::{Backend, MAX_LIMBS, Modulus, Number, Task, Uint, invert, jacobi_vartime, limbs};
use adamant_base::ct::Choice;
use adamant_base::{Rng, Wipe};
use adamant_testkit::{TestRng, table};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Limbs, half of them from the edges.
pub(crate) fn limbs_of(rng: &mut TestRng, len: usize) -> Vec<u64> {
    (0..len).map(|_| rng.words::<1>()[0]).collect()
}

/// An odd modulus of `len` limbs, often with edges at both ends.
pub(crate) fn modulus_of(rng: &mut TestRng, len: usize) -> Modulus {
    let mut m = limbs_of(rng, len);
    match rng.below(4) {
        0 => m[len - 1] = u64::MAX,
        1 => m[len - 1] |= 1 << 63,
        2 => m[len - 1] = m[len - 1].max(2),
        _ => m.fill(u64::MAX),
    }
    m[0] |= if len == 1 { 3 } else { 1 };
    Modulus::new(&m).expect("odd and above 1")
}

/// Below the modulus: the edges among them.
pub(crate) fn below(rng: &mut TestRng, m: &Modulus) -> Vec<u64> {
    let mut out = vec![0; m.len()];
    match rng.below(8) {
        0 => {}
        1 => out[0] = 1,
        2 => {
            out.copy_from_slice(m.limbs());
            limbs::sub(&mut out, &[1]);
        }
        _ => limbs::remainder(&limbs_of(rng, m.len()), m.limbs(), &mut out),
    }
    out
}

fn school(a: &[u64], b: &[u64], m: &Modulus) -> Vec<u64> {
    let mut product = vec![0; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let p = u128::from(*x) * u128::from(*y);
            limbs::add(&mut product[i + j..], &[p as u64, (p >> 64) as u64]);
        }
    }
    let mut out = vec![0; m.len()];
    limbs::remainder(&product, m.limbs(), &mut out);
    out
}

fn school_power(base: &[u64], exponent: &[u64], m: &Modulus) -> Vec<u64> {
    let mut out = vec![0; m.len()];
    out[0] = 1;
    for i in (0..64 * exponent.len()).rev() {
        out = school(&out, &out, m);
        if limbs::bit(exponent, i) == 1 {
            out = school(&out, base, m);
        }
    }
    out
}

#[test]
fn choice_of_implementation() {
    let choices = [
        ("haswell", "portable64"),
        ("skylake", "x86_adx"),
        ("zen4", "x86_ifma512"),
        ("armv8", "arm_mul"),
        ("apple-m1", "arm_mul"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}

#[test]
fn products() {
    let mut rng = TestRng::new(1);
    table!(Backend).against_portable(|backend, portable| {
        for la in 1..20 {
            for lb in [1, 2, 3, 4, 7, 16, 17] {
                let (a, b) = (limbs_of(&mut rng, la), limbs_of(&mut rng, lb));
                let (mut x, mut y) = (vec![7; la + lb], vec![9; la + lb]);
                backend.mul(&mut x, &a, &b);
                portable.mul(&mut y, &a, &b);
                assert_eq!(x, y, "{a:x?} {b:x?}");
            }
        }
        // Kernels for numbers of one length begin and end here; all ones carry the most.
        for len in (20..70).chain([96, 128]) {
            for full in [false, true] {
                let number = |rng: &mut TestRng| match full {
                    true => vec![u64::MAX; len],
                    false => limbs_of(rng, len),
                };
                let (a, b) = (number(&mut rng), number(&mut rng));
                let (mut x, mut y) = (vec![7; 2 * len], vec![9; 2 * len]);
                backend.mul(&mut x, &a, &b);
                portable.mul(&mut y, &a, &b);
                assert_eq!(x, y, "{a:x?} {b:x?}");
            }
        }
    });
    table!(Backend).against_portable(|backend, portable| {
        for len in 1..40 {
            let m = modulus_of(&mut rng, len);
            let (a, b) = (limbs_of(&mut rng, len), below(&mut rng, &m));
            let (mut x, mut y) = (vec![7; len], vec![9; len]);
            backend.multiply(&mut x, &a, &b, &m);
            portable.multiply(&mut y, &a, &b, &m);
            assert_eq!(x, y, "{a:x?} {b:x?}");
            // A number with itself, and with the same number elsewhere.
            backend.multiply(&mut x, &b, &b, &m);
            portable.multiply(&mut y, &b, &b.clone(), &m);
            assert_eq!(x, y, "{b:x?}");
        }
    });
    for len in [1, 2, 5] {
        let m = modulus_of(&mut rng, len);
        let (a, b) = (below(&mut rng, &m), below(&mut rng, &m));
        let mut product = vec![0; 2 * len];
        Backend::portable().mul(&mut product, &a, &b);
        let mut out = vec![0; len];
        limbs::remainder(&product, m.limbs(), &mut out);
        assert_eq!(out, school(&a, &b, &m));
    }
}

/// Against the slices.
#[test]
fn of_fixed_length() {
    fn check<const LIMBS: usize>() {
        let mut rng = TestRng::new(LIMBS as u64);
        let mut number = || Uint::<LIMBS>(limbs_of(&mut rng, LIMBS).try_into().unwrap());
        let full = Uint([u64::MAX; LIMBS]);
        for round in 0..100u64 {
            let (a, b) = match round {
                0 => (full, full),
                1 => (full, Uint::ZERO),
                2 => (full, number()),
                _ => (number(), number()),
            };
            for carry in [0, 1] {
                let with_carry = |first: &[u64]| {
                    let mut number = [first, &[0]].concat();
                    limbs::add(&mut number, &[carry]);
                    number
                };
                let (sum, carry_out) = a.carrying_add(&b, carry);
                let mut expected = with_carry(&a.0);
                limbs::add(&mut expected, &b.0);
                assert_eq!(([&sum.0[..], &[carry_out]]).concat(), expected);
                let (difference, borrow) = a.borrowing_sub(&b, carry);
                let mut back = with_carry(&difference.0);
                limbs::add(&mut back, &b.0);
                assert_eq!(back, [&a.0[..], &[borrow]].concat());
            }
            let (low, high) = a.widening_mul(&b);
            let mut product = vec![7; 2 * LIMBS];
            Backend::portable().mul(&mut product, &a.0, &b.0);
            assert_eq!([low.0, high.0].concat(), product);
            let mut same = b;
            same.assign_if(Choice::FALSE, &a);
            assert!(same.equal(&b).declassify());
            same.assign_if(Choice::TRUE, &a);
            assert!(same.equal(&a).declassify());
            let less = a.0.iter().rev().lt(b.0.iter().rev());
            assert_eq!(a.less(&b).declassify(), less);
            assert_eq!(a.equal(&b).declassify(), a.0 == b.0);
            let mut bytes = vec![7; 8 * LIMBS + 3];
            a.to_be_bytes(&mut bytes);
            assert_eq!(bytes[..3], [0; 3]);
            assert_eq!(Uint::<LIMBS>::from_be_bytes(&bytes).unwrap().0, a.0);
            bytes[2] = 1;
            assert!(Uint::<LIMBS>::from_be_bytes(&bytes).is_none());
            same.wipe();
            assert_eq!(same.0, [0; LIMBS]);
        }
    }
    check::<1>();
    check::<2>();
    check::<4>();
    check::<7>();
    check::<8>();
    check::<9>();
    check::<16>();
    check::<32>();
    check::<33>();
    check::<64>();
}

#[test]
fn sums() {
    let mut rng = TestRng::new(3);
    for len in 0..30 {
        let (a, mut b) = (limbs_of(&mut rng, len), limbs_of(&mut rng, len));
        for complement in [false, true] {
            if complement {
                // A carry through all of them.
                b = a.iter().map(|a| !a).collect();
                if let Some(low) = b.first_mut() {
                    *low = low.wrapping_add(1);
                }
            }
            let mut expected = Vec::new();
            let mut carry = false;
            for (a, b) in a.iter().zip(&b) {
                let (sum, first) = a.overflowing_add(*b);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                carry = first | second;
                expected.push(sum);
            }
            let (mut out, mut in_place) = (vec![7; len], a.clone());
            let step = limbs::add_bit;
            assert_eq!(limbs::combine(&mut out, &a, &b, 0, step), u64::from(carry));
            assert_eq!(limbs::add(&mut in_place, &b), u64::from(carry));
            assert_eq!((&out, &in_place), (&expected, &expected));
        }
    }
}

#[test]
fn modular_arithmetic() {
    let mut rng = TestRng::new(2);
    for round in 0..300 {
        let m = modulus_of(&mut rng, 1 + round % 9);
        let (a, b) = (below(&mut rng, &m), below(&mut rng, &m));
        assert_eq!(m.multiply_plain(&a, &b)[..], school(&a, &b, &m));
        let mut sum = a.clone();
        m.add(&mut sum, &b);
        m.sub(&mut sum, &a);
        assert_eq!(sum, b);
        let len = rng.below(30);
        let long = limbs_of(&mut rng, len);
        let mut out = vec![0; m.len()];
        limbs::remainder(&long, m.limbs(), &mut out);
        assert_eq!(m.reduce(&long)[..], out, "{long:x?}");
    }
}

#[test]
fn moduli_that_are_refused() {
    for m in [
        &[][..],
        &[0],
        &[1],
        &[2],
        &[3, 0],
        &[1, 0],
        &[2, 1],
        &[1; MAX_LIMBS + 1],
    ] {
        assert!(Modulus::new(m).is_none(), "{m:?}");
    }
    assert!(Modulus::new(&[1; MAX_LIMBS]).is_some());
    assert_eq!(Modulus::new(&[1, 4]).unwrap().bits(), 67);
}

#[test]
fn powers_agree_with_the_school() {
    let mut rng = TestRng::new(3);
    table!(Backend).for_each(|backend| {
        for round in 0..60 {
            let m = modulus_of(&mut rng, 1 + round % 5);
            let base = below(&mut rng, &m);
            let len = rng.below(3);
            let exponent = limbs_of(&mut rng, len);
            let expected = school_power(&base, &exponent, &m);
            let task = |vartime| {
                let mut out = vec![5; m.len()];
                let mut tasks = [Task {
                    modulus: &m,
                    base: &base,
                    exponent: &exponent,
                    out: &mut out,
                }];
                match vartime {
                    false => backend.power(&mut tasks),
                    true => backend.power_vartime(&mut tasks),
                }
                out
            };
            assert_eq!(task(false), expected, "{base:x?} {exponent:x?}");
            assert_eq!(task(true), expected, "{base:x?} {exponent:x?}");
        }
    });
}

/// A base or an output that is not as long as its modulus is refused, and so is a product's without
/// the room for it.
#[test]
fn lengths_are_checked() {
    let panics = |f: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(f)).is_err();
    let mut rng = TestRng::new(15);
    table!(Backend).for_each(|backend| {
        for len in [1, 2, 8, 16, 17, 33] {
            let modulus = modulus_of(&mut rng, len);
            let lengths = [len - 1, len, len + 1];
            for (base, out) in lengths.into_iter().flat_map(|a| lengths.map(|b| (a, b))) {
                let wrong = (base, out) != (len, len);
                let (base, mut out) = (vec![0; base], vec![0; out]);
                for vartime in [false, true] {
                    let task = Task {
                        modulus: &modulus,
                        base: &base,
                        exponent: &[3],
                        out: &mut out,
                    };
                    let mut tasks = [task];
                    let mut power = || match vartime {
                        false => backend.power(&mut tasks),
                        true => backend.power_vartime(&mut tasks),
                    };
                    assert_eq!(panics(&mut power), wrong);
                }
                let mut multiply = || backend.multiply(&mut out, &base, modulus.limbs(), &modulus);
                assert_eq!(panics(&mut multiply), wrong);
                let mut multiply = || backend.multiply(&mut out, modulus.limbs(), &base, &modulus);
                assert_eq!(panics(&mut multiply), wrong);
                let wrong = base.len() != out.len();
                out.resize(out.len() + len, 0);
                let mut product = || backend.mul(&mut out, &base, modulus.limbs());
                assert_eq!(panics(&mut product), wrong);
            }
        }
    });
}

/// Batches of every size, and moduli of the lengths that have kernels of their own, beside
/// others in the same batch or not. Public exponents are alike in every other batch, as only such go
/// together.
#[test]
fn powers_agree_at_every_length() {
    let mut rng = TestRng::new(4);
    table!(Backend).against_portable(|backend, portable| {
        for (len, counts) in [
            (8, 1..19),
            (9, 1..4),
            (16, 1..20),
            (24, 1..4),
            (32, 1..10),
            (48, 1..3),
            (64, 1..3),
            (65, 1..2),
            (96, 5..7),
            (MAX_LIMBS, 1..2),
        ] {
            for count in counts {
                let other = modulus_of(&mut rng, len + 1 - usize::from(len == MAX_LIMBS));
                let moduli: Vec<_> = (0..count)
                    .map(|i| match i % 7 {
                        5 if count % 3 != 0 => other.clone(),
                        _ => modulus_of(&mut rng, len),
                    })
                    .collect();
                let bases: Vec<_> = moduli.iter().map(|m| below(&mut rng, m)).collect();
                for (exponents, vartime) in [(0..3, false), (0..2, true)] {
                    for words in exponents {
                        let mut exponents: Vec<_> =
                            moduli.iter().map(|_| limbs_of(&mut rng, words)).collect();
                        if vartime && count % 2 == 1 {
                            exponents = vec![exponents[0].clone(); count];
                        }
                        let run = |backend: Backend| {
                            let mut outs: Vec<_> =
                                moduli.iter().map(|m| vec![3; m.len()]).collect();
                            let mut tasks: Vec<_> = (outs.iter_mut().zip(&moduli))
                                .zip(bases.iter().zip(&exponents))
                                .map(|((out, modulus), (base, exponent))| Task {
                                    modulus,
                                    base,
                                    exponent,
                                    out,
                                })
                                .collect();
                            match vartime {
                                false => backend.power(&mut tasks),
                                true => backend.power_vartime(&mut tasks),
                            }
                            outs
                        };
                        assert_eq!(run(backend), run(portable), "{len} {count} {words}");
                    }
                }
            }
        }
    });
}

#[test]
fn inverses() {
    let mut rng = TestRng::new(5);
    let mut found = 0;
    for round in 0..200 {
        let m = modulus_of(&mut rng, 1 + round % 4);
        let x = below(&mut rng, &m);
        let (inverse, exists) = invert::invert(&x, m.limbs());
        if exists.declassify() {
            let mut one = vec![0; m.len()];
            one[0] = 1;
            assert_eq!(school(&x, &inverse, &m), one);
            found += 1;
        }
    }
    assert!(found > 50);
    for _ in 0..200 {
        let m = modulus_of(&mut rng, 1);
        let x = below(&mut rng, &m);
        let (long, exists) = invert::invert(&x, m.limbs());
        let [(short, same)] = invert::invert_limbs([x[0]], [m.limbs()[0]]);
        let exists = exists.declassify();
        assert_eq!(same.declassify(), exists);
        assert!(!exists || long[..] == [short]);
    }
    // 2^127 - 1 is prime.
    let prime = Modulus::new(&[u64::MAX, u64::MAX >> 1]).unwrap();
    let x = [5, 7];
    let fermat = invert::invert_fermat(Backend::best(), &x, &prime);
    assert_eq!(fermat[..], invert::invert(&x, prime.limbs()).0[..]);
}

#[test]
fn division_by_a_limb() {
    let mut rng = TestRng::new(6);
    let m = Modulus::new(&[u64::MAX, u64::MAX >> 1]).unwrap(); // prime
    for _ in 0..200 {
        let a = below(&mut rng, &m);
        let r = [rng.next_u64() | 1, rng.next_u64() | 1];
        let quotient = m.divide_by_limbs(&a, r);
        let back = school(&school(&quotient, &r[..1], &m), &r[1..], &m);
        assert_eq!(back, a, "{a:x?} {r:x?}");
    }
}

/// The symbol against Euler's criterion, a^((p - 1)/2), and against its factors.
#[test]
fn jacobi_symbols() {
    let mut rng = TestRng::new(12);
    // 2^521 - 1 and 2^127 - 1 are primes; the limbs of the one are full of ones.
    let mut long = [u64::MAX; 9];
    long[8] = 0x1ff;
    for prime in [&long[..], &[u64::MAX, u64::MAX >> 1], &[1_000_003], &[3]] {
        let prime = Modulus::new(prime).unwrap();
        let mut exponent = Number::from_limbs(prime.limbs());
        limbs::shift_right(&mut exponent, 0);
        for round in 0..60 {
            let mut a = below(&mut rng, &prime);
            if round % 5 == 0 && a.len() > 1 {
                a[0] = 0; // whole limbs of twos
            }
            let mut euler = vec![0; prime.len()];
            Backend::best().power(&mut [Task {
                modulus: &prime,
                base: &a,
                exponent: &exponent,
                out: &mut euler,
            }]);
            let expected = match limbs::bits_vartime(&euler) {
                0 => 0,
                1 => 1,
                _ => -1,
            };
            assert_eq!(jacobi_vartime(&a, &prime), expected, "{a:x?}");
        }
    }
    let odd = |n: u64| Modulus::new(&[n]).unwrap();
    for m in (3..40).step_by(2) {
        for n in (3..40).step_by(2) {
            for a in 0..60 {
                let symbol = |m| jacobi_vartime(&[a % m], &odd(m));
                assert_eq!(symbol(m * n), symbol(m) * symbol(n), "{a} {m} {n}");
            }
        }
    }
    for _ in 0..200 {
        let [m, n] = [(); 2].map(|()| modulus_of(&mut rng, 1));
        let mut product = [0; 2];
        Backend::portable().mul(&mut product, m.limbs(), n.limbs());
        let len = limbs::bits_vartime(&product).div_ceil(64);
        let product = Modulus::new(&product[..len]).unwrap();
        let a = below(&mut rng, &product);
        let symbol = |m: &Modulus| {
            let mut rest = vec![0; m.len()];
            limbs::remainder(&a, m.limbs(), &mut rest);
            jacobi_vartime(&rest, m)
        };
        assert_eq!(symbol(&product), symbol(&m) * symbol(&n), "{a:x?}");
    }
}

/// The quotient times the divisor and the rest, which is below it.
#[test]
fn quotients() {
    let mut rng = TestRng::new(14);
    for round in 0..400 {
        let (la, lm) = (rng.below(9), 1 + round % 4);
        let a = limbs_of(&mut rng, la);
        let mut m = limbs_of(&mut rng, lm);
        m[0] |= u64::from(m.iter().all(|limb| *limb == 0));
        let (mut quotient, mut rest) = (vec![7; la], vec![9; lm]);
        limbs::divide(&a, &m, &mut quotient, &mut rest);
        assert!(rest.iter().rev().lt(m.iter().rev()));
        let mut back = vec![0; la + lm];
        Backend::portable().mul(&mut back, &quotient, &m);
        limbs::add(&mut back, &rest);
        assert_eq!(back, [a, vec![0; lm]].concat(), "{m:x?}");
    }
}

#[test]
fn bytes() {
    let mut rng = TestRng::new(7);
    for len in 0..40 {
        let mut bytes = vec![0; len];
        rng.fill(&mut bytes).unwrap();
        let number = Number::from_be_bytes(&bytes, 5).unwrap();
        let mut back = vec![1; len];
        limbs::to_be_bytes(&number, &mut back);
        assert_eq!(back, bytes);
    }
    assert!(Number::from_be_bytes(&[1, 0, 0, 0, 0, 0, 0, 0, 0], 1).is_none());
    assert!(Number::from_be_bytes(&[0, 0, 0, 0, 0, 0, 0, 0, 1], 1).is_some());
}
