//! Faults, keys that are inconsistent, and implicit rejection.

use super::{KEY, key};
use crate::generate::assemble;
use crate::hazmat::Backend;
use crate::mgf::mgf1_xor;
use crate::primitive::private_with;
use crate::*;
use adamant_base::Error;
use adamant_bignum::{Modulus, Number, invert, limbs};
use adamant_hash::Sha256;
use adamant_testkit::{TestRng, table};

#[test]
fn a_fault_in_one_half_leaves_nothing() {
    table!(Backend).for_each(|backend| {
        let mut rng = TestRng::new(1);
        let key = key(backend);
        let input = Number::from_limbs(&[3]).resized(32);
        for half in 0..2 {
            for (limb, bit) in [(0, 0), (7, 33), (15, 1)] {
                let tamper = |halves: [&mut Number; 2]| {
                    halves.into_iter().nth(half).unwrap()[limb] ^= 1 << bit
                };
                let result = private_with(&[&key], core::slice::from_ref(&input), &mut rng, tamper);
                assert_eq!(result.err(), Some(Error::BadPrivateKey));
            }
        }
        assert!(private_with(&[&key], core::slice::from_ref(&input), &mut rng, |_| ()).is_ok());
    });
}

fn integers(der: &[u8]) -> Vec<Vec<u8>> {
    let read = adamant_der::parse(der, |r| {
        r.sequence(|r| (0..9).map(|_| Ok(r.unsigned()?.to_vec())).collect())
    });
    read.unwrap()
}

fn import(numbers: &[Vec<u8>]) -> Result<PrivateKey, KeyError> {
    PrivateKey::from_components(Components {
        n: &numbers[1],
        e: &numbers[2],
        d: &numbers[3],
        p: &numbers[4],
        q: &numbers[5],
        d_p: &numbers[6],
        d_q: &numbers[7],
        q_inv: &numbers[8],
    })
}

#[test]
fn inconsistent_keys_are_refused_with_the_reason() {
    let numbers = integers(KEY);
    assert!(import(&numbers).is_ok());
    for (field, xor, reason) in [
        (1, 2, KeyError::PrimesDoNotMatch),
        (1, 1, KeyError::EvenModulus),
        (2, 1, KeyError::PublicExponent),
        (2, 2, KeyError::PrivateExponent),
        (3, 2, KeyError::PrivateExponent),
        (4, 2, KeyError::PrimesDoNotMatch),
        (4, 1, KeyError::Prime),
        (5, 4, KeyError::PrimesDoNotMatch),
        (6, 2, KeyError::CrtExponent),
        (7, 2, KeyError::CrtExponent),
        (8, 1, KeyError::CrtCoefficient),
    ] {
        let mut changed = numbers.clone();
        *changed[field].last_mut().unwrap() ^= xor;
        assert_eq!(import(&changed).err(), Some(reason), "{field} {xor}");
    }
    let mut short = numbers.clone();
    short[1] = vec![0xff; 128];
    assert_eq!(import(&short).err(), Some(KeyError::ModulusBits(1024)));
    let mut long = numbers.clone();
    long[3] = vec![0xff; 256];
    assert_eq!(import(&long).err(), Some(KeyError::PrivateExponent));
    let mut one = numbers;
    (one[4], one[5]) = (one[1].clone(), vec![1]);
    assert_eq!(import(&one).err(), Some(KeyError::Prime));
    for len in 0..KEY.len() {
        assert!(PrivateKey::from_pkcs1_der(&KEY[..len]).is_err());
    }
    let mut three_primes = KEY.to_vec();
    assert_eq!(three_primes[4..7], [2, 1, 0]);
    three_primes[6] = 1;
    let refused = PrivateKey::from_pkcs1_der(&three_primes).err();
    assert!(matches!(refused, Some(KeyError::Encoding(_))));
}

/// Numbers that belong together, of which one is no prime: only a trial tells.
#[test]
fn a_prime_that_is_none_fails_the_check() {
    table!(Backend).for_each(|backend| {
        let sound = key(backend);
        assert_eq!(sound.check_pair(), Ok(()));
        let (p, q) = (&sound.inner.p, &sound.inner.q);
        let mut composite = Number::from_limbs(p.limbs());
        limbs::add(&mut composite, &[4]);
        let composite = Modulus::new(&composite).unwrap();
        let inverse = invert::invert(&composite.reduce(q.limbs()), composite.limbs()).0;
        let mut wrong = assemble(composite, q.clone(), &[0x1_0001], backend).unwrap();
        wrong.inner.q_inv = inverse;
        let wrong = PrivateKey::from_pkcs1_der(&wrong.to_pkcs1_der()).unwrap();
        let checked = wrong.with_backend(backend).check_pair();
        assert_eq!(checked, Err(Error::BadPrivateKey));
    });
}

#[test]
fn public_keys_that_are_refused() {
    let n = [0xff; 256];
    for e in [&[][..], &[1], &[2], &[4], &[1; 33]] {
        let refused = PublicKey::new(&n, e).err();
        assert_eq!(refused, Some(KeyError::PublicExponent), "{e:?}");
    }
    for len in [0, 1, 127, 1025] {
        let refused = PublicKey::new(&vec![0xff; len], &[3]).err();
        assert_eq!(refused, Some(KeyError::ModulusBits(8 * len)));
    }
    let short = PublicKey::new(&[0xff; 128], &[3]).unwrap();
    let mut rng = TestRng::new(1);
    let refused = short.encrypt_oaep::<Sha256>(b"", b"", &mut rng);
    assert_eq!(refused, Err(Error::BadPublicKey));
    assert_eq!(short.encrypt_pkcs1(b"", &mut rng), Err(Error::BadPublicKey));
}

#[test]
fn implicit_rejection() {
    let mut rng = TestRng::new(1);
    let key = key(Backend::best());
    let size = key.public_key().size();
    let mut lengths = Vec::new();
    // Paddings that are wrong in one place each.
    for (at, value) in [
        (0, 1),
        (1, 1),
        (1, 0),
        (2, 0),
        (5, 0),
        (9, 0),
        (size - 6, 1),
    ] {
        let mut padded = vec![0xaa; size];
        padded[..2].copy_from_slice(&[0, 2]);
        padded[size - 6] = 0;
        padded[at] = value;
        if at == 0 {
            padded[1] = 2;
        }
        let ciphertext = match key.public_key().encrypt_padded(&padded) {
            Ok(ciphertext) => ciphertext,
            Err(_) => continue,
        };
        let first = key.decrypt_pkcs1(&ciphertext, &mut rng).unwrap();
        let second = key.decrypt_pkcs1(&ciphertext, &mut rng).unwrap();
        assert_eq!(first[..], second[..], "always the same");
        assert_ne!(first[..], padded[size - first.len()..], "{at}");
        assert!(first.len() <= size - 11);
        lengths.push(first.len());
    }
    lengths.dedup();
    assert!(lengths.len() > 2, "{lengths:?}");
    for (bytes, len) in [(0xff, size), (1, size - 1), (1, size + 1)] {
        let refused = key.decrypt_pkcs1(&vec![bytes; len], &mut rng);
        assert_eq!(refused.err(), Some(Error::BadTag));
    }
}

/// OAEP, wrong in one place each.
#[test]
fn paddings_of_oaep() {
    let mut rng = TestRng::new(1);
    let key = key(Backend::best());
    let (size, hash) = (key.public_key().size(), 32);
    let start = 1 + 2 * hash;
    for (at, value, good) in [
        (size - 6, 1, true),
        (0, 1, false),
        (1, 7, true),
        (1 + hash, 7, false),
        (start - 1, 7, false),
        (start, 1, true),
        (start, 2, false),
        (size - 7, 2, false),
        (size - 6, 2, false),
        (size - 6, 0, false),
        (size - 5, 2, true),
    ] {
        // 00, seed, H(label) 00 … 00 01 message.
        let mut padded = vec![0; size];
        padded[1 + hash..start].copy_from_slice(&Sha256::digest(b"label"));
        padded[size - 6] = 1;
        padded[at] = value;
        let (seed, data) = padded[1..].split_at_mut(hash);
        let message = data.iter().skip(hash).skip_while(|byte| **byte == 0);
        let message: Vec<_> = message.copied().skip(1).collect();
        mgf1_xor::<Sha256>(seed, data);
        mgf1_xor::<Sha256>(data, seed);
        let Ok(ciphertext) = key.public_key().encrypt_padded(&padded) else {
            continue;
        };
        let opened = key.decrypt_oaep::<Sha256>(&ciphertext, b"label", &mut rng);
        match good {
            true => assert_eq!(opened.unwrap()[..], message, "{at} {value}"),
            false => assert_eq!(opened.err(), Some(Error::BadTag), "{at} {value}"),
        }
    }
}

/// Seeds, paddings and salts are drawn; and a digest is as long as the hash makes it.
#[test]
fn what_is_drawn_and_how_long_digests_are() {
    let mut rng = TestRng::new(1);
    let key = key(Backend::best());
    let public = key.public_key();
    let drawn = [(); 2].map(|()| {
        [
            public.encrypt_oaep::<Sha256>(b"", b"", &mut rng).unwrap(),
            public.encrypt_pkcs1(b"", &mut rng).unwrap(),
            key.sign_pss::<Sha256>(b"", &mut rng).unwrap(),
            sign_pss_batch::<Sha256>(&[(&key, b"")], &mut rng)
                .unwrap()
                .remove(0),
        ]
    });
    for (one, other) in drawn[0].iter().zip(&drawn[1]) {
        assert_ne!(one, other);
    }
    let signature = key.sign_pkcs1::<Sha256>(b"", &mut rng).unwrap();
    for actual in [0, 31, 33, 64] {
        let digest = vec![0; actual];
        let refused = key.sign_pkcs1_prehashed::<Sha256>(&digest, &mut rng);
        let expected = 32;
        assert_eq!(refused.err(), Some(Error::BadLength { expected, actual }));
        let refused = public.verify_pkcs1_prehashed::<Sha256>(&digest, &signature);
        assert_eq!(refused, Err(Error::BadSignature));
    }
}

/// A signature is as long as the modulus: its number does not matter, and neither does what was
/// where the verdict goes.
#[test]
fn signatures_of_other_lengths() {
    let mut rng = TestRng::new(1);
    let key = key(Backend::best());
    let public = key.public_key();
    let (message, signature) = (0u16..)
        .map(|i| i.to_be_bytes())
        .map(|message| {
            (
                message,
                key.sign_pkcs1::<Sha256>(&message, &mut rng).unwrap(),
            )
        })
        .find(|(_, signature)| signature[0] == 0)
        .unwrap();
    let longer = [&[0], &signature[..]].concat();
    for (signature, expected) in [
        (&signature[..], Ok(())),
        (&signature[1..], Err(Error::BadSignature)),
        (&longer, Err(Error::BadSignature)),
        (&[], Err(Error::BadSignature)),
    ] {
        assert_eq!(public.verify_pkcs1::<Sha256>(&message, signature), expected);
        let items = [(&public, &message[..], signature)];
        for before in [Ok(()), Err(Error::BadSignature)] {
            let mut verdicts = [before];
            verify_pkcs1_batch_into::<Sha256>(&items, &mut verdicts).unwrap();
            assert_eq!(verdicts, [expected]);
        }
    }
}
