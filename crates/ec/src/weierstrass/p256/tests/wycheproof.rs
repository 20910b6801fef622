//! Project Wycheproof's vectors.

use crate::p256::{Backend, PrivateKey, PublicKey, Signature};
use adamant_base::family::Hash;
use adamant_hash::{Sha256, Sha512};
use adamant_testkit::table;
use std::collections::HashMap;
use wycheproof::{TestResult, ecdh, ecdsa};

type Parse = fn(&[u8]) -> Option<Signature>;

/// Checks sets with one digest. They repeat each other's numbers in other encodings: all of them are
/// read, and a row computes with the same numbers once.
fn check_ecdsa<H: Hash>(sets: [(ecdsa::TestName, Parse); 2]) {
    let sets = sets.map(|(name, parse)| {
        let set = ecdsa::TestSet::load(name).expect("the vectors load");
        (set, parse)
    });
    table!(Backend).for_each(|backend| {
        let mut known = HashMap::new();
        for (set, parse) in &sets {
            let mut accepted = 0;
            for group in &set.test_groups {
                let key = PublicKey::from_sec1(&group.key.key).expect("a valid key");
                let key = key.with_backend(backend);
                for test in &group.tests {
                    let digest = H::digest(&test.msg).as_ref().to_vec();
                    let valid = parse(&test.sig).is_some_and(|signature| {
                        let verify = || key.verify_prehashed(&digest, &signature).is_ok();
                        let numbers = (key.to_sec1(), digest.clone(), signature.to_bytes());
                        *known.entry(numbers).or_insert_with(verify)
                    });
                    assert_eq!(valid, test.result == TestResult::Valid, "{test:?}");
                    accepted += usize::from(valid);
                }
            }
            assert!(accepted > 50);
        }
    });
}

fn der(bytes: &[u8]) -> Option<Signature> {
    Signature::from_der(bytes).ok()
}

fn fixed(bytes: &[u8]) -> Option<Signature> {
    Signature::try_from(bytes).ok()
}

#[test]
fn ecdsa_sha256() {
    check_ecdsa::<Sha256>([
        (ecdsa::TestName::EcdsaSecp256r1Sha256, der),
        (ecdsa::TestName::EcdsaSecp256r1Sha256P1363, fixed),
    ]);
}

#[test]
fn ecdsa_sha512() {
    check_ecdsa::<Sha512>([
        (ecdsa::TestName::EcdsaSecp256r1Sha512, der),
        (ecdsa::TestName::EcdsaSecp256r1Sha512P1363, fixed),
    ]);
}

/// An integer of any length as 32 bytes.
fn private_key(bytes: &[u8]) -> Option<PrivateKey> {
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    let mut key = vec![0; 32usize.saturating_sub(bytes.len() - zeros)];
    key.extend_from_slice(&bytes[zeros..]);
    PrivateKey::try_from(&key[..]).ok()
}

/// The point in a `SubjectPublicKeyInfo` whose parameters are the name of the curve.
fn point_of_spki(spki: &[u8]) -> Option<&[u8]> {
    // SEQUENCE { SEQUENCE { ecPublicKey, prime256v1 }, BIT STRING, no unused bits
    const NAMES: [u8; 21] = hex_literal::hex!("3013 06072a8648ce3d0201 06082a8648ce3d030107");
    let (len, rest) = spki.strip_prefix(&[0x30])?.split_first()?;
    let bits = rest.strip_prefix(&NAMES)?.strip_prefix(&[3])?;
    let (bits_len, bits) = bits.split_first()?;
    let fits = usize::from(*len) == rest.len() && usize::from(*bits_len) == bits.len();
    bits.strip_prefix(&[0]).filter(|_| fits)
}

/// A set, and how its points are encoded; numbers that come again are computed with once on a row.
type Points = (ecdh::TestName, fn(&[u8]) -> Option<&[u8]>);

#[test]
fn ecdh_of_points_and_keys() {
    let sets: [Points; 2] = [
        (ecdh::TestName::EcdhSecp256r1Ecpoint, |point| Some(point)),
        (ecdh::TestName::EcdhSecp256r1, point_of_spki),
    ];
    let sets = sets.map(|(name, point)| {
        let set = ecdh::TestSet::load(name).expect("the vectors load");
        (set, point)
    });
    table!(Backend).for_each(|backend| {
        let mut known = HashMap::new();
        for (set, point) in &sets {
            let mut agreed = 0;
            for test in set.test_groups.iter().flat_map(|group| &group.tests) {
                let key = private_key(&test.private_key).expect("a valid key");
                let key = key.with_backend(backend);
                let peer = point(&test.public_key).and_then(|p| PublicKey::from_sec1(p).ok());
                let Some(peer) = peer else {
                    assert_ne!(test.result, TestResult::Valid, "{test:?}");
                    continue;
                };
                assert_ne!(test.result, TestResult::Invalid, "{test:?}");
                let secret = known
                    .entry((key.to_bytes().to_vec(), peer.to_sec1()))
                    .or_insert_with(|| key.agree(&peer).unwrap().to_vec());
                assert_eq!(secret[..], test.shared_secret[..], "{test:?}");
                agreed += 1;
            }
            assert!(agreed > 200);
        }
    });
}
