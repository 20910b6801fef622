//! Batches against single calls, on every implementation, for any number of items.

use super::{Fixed, edge_scalars, integer::Integer};
use crate::curve25519::{ed25519, edwards::Affine, x25519};
use adamant_base::{Error, Implementation};

/// Numbers of items around the edges of groups and chunks.
const COUNTS: [usize; 17] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 130, 261];

/// Those for an implementation: narrow words, which have no lanes, are slow in long batches.
fn counts(implementation: &Implementation) -> impl Iterator<Item = usize> {
    let most = match implementation.name {
        "portable32" | "portable16" | "bignum64" | "bignum32" | "bignum16" => 9,
        _ => 261,
    };
    COUNTS.into_iter().filter(move |count| *count <= most)
}

#[test]
fn multiples_of_the_base_point() {
    let scalars = edge_scalars();
    let clamped: Vec<[u8; 32]> = scalars
        .iter()
        .map(|scalar| {
            let mut scalar = *scalar;
            scalar[0] &= 248;
            scalar[31] |= 64;
            scalar
        })
        .collect();
    for backend in ed25519::Backend::available() {
        for len in [1, 7, 8, 9, scalars.len()] {
            let mut out = vec![Affine::NEUTRAL; len];
            backend.mul_base_batch(&scalars[..len], &mut out);
            for (scalar, point) in scalars.iter().zip(out) {
                assert_eq!(point.compress(), backend.mul_base(scalar).compress());
            }
        }
    }
    for backend in x25519::Backend::available() {
        for len in [1, 7, 8, 9, clamped.len()] {
            let mut out = vec![[0; 32]; len];
            backend.mul_base_u_batch(&clamped[..len], &mut out);
            for (scalar, u) in clamped.iter().zip(out) {
                assert_eq!(u, backend.mul_base_u(scalar));
            }
        }
    }
}

#[test]
fn ladders() {
    let scalars = edge_scalars();
    let mut rng = Fixed(31);
    let mut us: Vec<[u8; 32]> = (0..scalars.len()).map(|_| rng.bytes()).collect();
    // Points of small order, and coordinates from p on.
    let p = Integer::prime();
    for i in 0..10u32 {
        us[7 * i as usize] = Integer::from(i).to_bytes();
        us[7 * i as usize + 3] = p.add(&i.into()).to_bytes();
    }
    us[5] = [0xff; 32];
    let portable = x25519::Backend::portable();
    for backend in x25519::Backend::available() {
        for len in [1, 8, 9, scalars.len()] {
            let mut out = vec![[1; 32]; len];
            backend.ladder_batch(&scalars[..len], &us[..len], &mut out);
            for ((scalar, u), out) in scalars.iter().zip(&us).zip(out) {
                assert_eq!(out, portable.ladder(scalar, u));
            }
        }
    }
}

#[test]
fn keys_are_those_of_single_calls() {
    for count in COUNTS {
        let (mut rng, mut same) = (Fixed(41), Fixed(41));
        for key in ed25519::generate_batch(count, &mut rng).unwrap() {
            let single = ed25519::PrivateKey::generate(&mut same).unwrap();
            assert_eq!(*key.seed(), *single.seed());
            assert_eq!(key.public_key(), single.public_key());
            assert_eq!(key.sign(b"message"), single.sign(b"message"));
        }
        for key in x25519::generate_batch(count, &mut rng).unwrap() {
            let single = x25519::PrivateKey::generate(&mut same).unwrap();
            assert_eq!(*key.to_bytes(), *single.to_bytes());
            assert_eq!(key.public_key(), single.public_key());
        }
        let mut keys = vec![None; count];
        ed25519::generate_batch_into(&mut keys, &mut rng).unwrap();
        for key in keys.into_iter().flatten() {
            let single = ed25519::PrivateKey::generate(&mut same).unwrap();
            assert_eq!(key.public_key(), single.public_key());
        }
        let mut keys = vec![None; count];
        x25519::generate_batch_into(&mut keys, &mut rng).unwrap();
        for key in keys.into_iter().flatten() {
            let single = x25519::PrivateKey::generate(&mut same).unwrap();
            assert_eq!(key.public_key(), single.public_key());
        }
    }
}

#[test]
fn agreements_are_those_of_single_calls() {
    for backend in x25519::Backend::available() {
        let keys: Vec<x25519::PrivateKey> = x25519::generate_batch(130, &mut Fixed(43))
            .unwrap()
            .into_iter()
            .map(|key| key.with_backend(backend))
            .collect();
        let mut peers: Vec<x25519::PublicKey> =
            keys.iter().rev().map(|key| key.public_key()).collect();
        for i in [0, 3, 64, 100] {
            peers[i] = x25519::PublicKey::from_bytes(&[0; 32]);
        }
        for count in counts(backend.implementation()).filter(|count| *count <= 130) {
            let items: Vec<_> = keys.iter().zip(&peers).take(count).collect();
            let mut out: Vec<_> = items.iter().map(|_| Err(Error::NoEntropy)).collect();
            x25519::agree_batch_into(&items, &mut out).unwrap();
            for (i, (key, peer)) in items.iter().enumerate() {
                match (&out[i], key.agree(peer)) {
                    (Ok(batch), Ok(single)) => assert_eq!(**batch, *single),
                    (batch, single) => assert_eq!(batch.as_ref().err(), single.as_ref().err()),
                }
            }
        }
    }
}

/// Keys, messages of many lengths, some of them long, and signatures.
struct Signed {
    keys: Vec<ed25519::PrivateKey>,
    publics: Vec<ed25519::PublicKey>,
    messages: Vec<Vec<u8>>,
    signatures: Vec<ed25519::Signature>,
}

impl Signed {
    fn new(count: usize, backend: ed25519::Backend) -> Signed {
        let mut rng = Fixed(47 + count as u64);
        let keys: Vec<ed25519::PrivateKey> = ed25519::generate_batch(count, &mut rng)
            .unwrap()
            .into_iter()
            .map(|key| key.with_backend(backend))
            .collect();
        let lengths = [
            0, 1, 31, 32, 63, 64, 65, 111, 112, 200, 1000, 4095, 4096, 9000,
        ];
        let messages: Vec<Vec<u8>> = (0..count)
            .map(|i| vec![i as u8; lengths[i % lengths.len()]])
            .collect();
        let items: Vec<(&ed25519::PrivateKey, &[u8])> = keys
            .iter()
            .zip(messages.iter().map(Vec::as_slice))
            .collect();
        let mut signatures = vec![ed25519::Signature::from_bytes(&[0; 64]).unwrap(); count];
        ed25519::sign_batch_into(&items, &mut signatures).unwrap();
        Signed {
            publics: keys.iter().map(|key| key.public_key()).collect(),
            keys,
            messages,
            signatures,
        }
    }

    fn items(&self) -> Vec<(&ed25519::PublicKey, &[u8], &ed25519::Signature)> {
        (0..self.keys.len())
            .map(|i| {
                (
                    &self.publics[i],
                    self.messages[i].as_slice(),
                    &self.signatures[i],
                )
            })
            .collect()
    }
}

#[test]
fn signatures_are_those_of_single_calls() {
    for backend in ed25519::Backend::available() {
        for count in counts(backend.implementation()) {
            let signed = Signed::new(count, backend);
            for (i, signature) in signed.signatures.iter().enumerate() {
                assert_eq!(*signature, signed.keys[i].sign(&signed.messages[i]));
            }
        }
    }
}

#[test]
fn verdicts_are_those_of_single_calls() {
    let mut rng = Fixed(53);
    for backend in ed25519::Backend::available() {
        for count in counts(backend.implementation()) {
            let mut signed = Signed::new(count, backend);
            let mut touched = vec![false; count];
            for bad in [0, 1, 2, count / 2, count] {
                for _ in 0..bad.min(count) {
                    let i = usize::from(u16::from_le_bytes(rng.bytes())) % count;
                    let mut bytes = signed.signatures[i].to_bytes();
                    // In R, where it may not be a point any more, or in the lower part of S.
                    bytes[usize::from(rng.bytes::<1>()[0]) % 60] ^= 1;
                    if let Ok(changed) = ed25519::Signature::from_bytes(&bytes) {
                        signed.signatures[i] = changed;
                        touched[i] = true;
                    }
                }
                let items = signed.items();
                let mut out = vec![Err(Error::NoEntropy); count];
                ed25519::verify_batch_into(&items, &mut out).unwrap();
                let mut zip215 = out.clone();
                ed25519::verify_batch_zip215_into(&items, &mut zip215).unwrap();
                // Nothing to combine in, a table for each eight, and room for all.
                let room = [0, 8, 64][(count + bad) % 3];
                let mut scratch = vec![0; ed25519::verify_batch_scratch(room)];
                let mut within = vec![Err(Error::NoEntropy); count];
                ed25519::verify_batch_within(&items, &mut within, &mut scratch).unwrap();
                assert_eq!(within, out);
                let mut strict = out.clone();
                ed25519::verify_batch_strict_into(&items, &mut strict).unwrap();
                for (i, (key, message, signature)) in items.into_iter().enumerate() {
                    if !touched[i] {
                        assert_eq!([out[i], zip215[i], strict[i]], [Ok(()); 3]);
                        continue;
                    }
                    assert_eq!(out[i], key.verify(message, signature));
                    assert_eq!(zip215[i], key.verify_zip215(message, signature));
                    assert_eq!(strict[i], key.verify_strict(message, signature));
                }
            }
        }
    }
}
