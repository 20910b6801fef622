//! Which signatures verify: small orders, mixed orders, encodings that are not canonical.

use super::group::{add, order_8};
use crate::curve25519::ed25519::{
    Backend, PublicKey, Signature, verify_batch_into, verify_batch_scratch, verify_batch_strict,
    verify_batch_strict_into, verify_batch_strict_within, verify_batch_zip215,
    verify_batch_zip215_into, verify_batch_zip215_within,
};
use crate::curve25519::edwards::Affine;
use crate::curve25519::scalar::Scalar;
use adamant_base::Error;
use adamant_base::hazmat::FromBytesOn;
use adamant_hash::Sha512;
use hex_literal::hex;

/// What every implementation says, alone and in a batch, of a signature in its encodings.
fn verdict(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Result<(), Error> {
    let verdicts: Vec<Result<(), Error>> = Backend::available()
        .map(|backend| {
            let key = PublicKey::from_bytes_on(public, backend)?;
            let signature = Signature::from_bytes(signature)?;
            let alone = key.verify(message, &signature);
            let mut batch = [Err(Error::NoEntropy); 3];
            verify_batch_into(&[(&key, message, &signature); 3], &mut batch).unwrap();
            assert_eq!(batch, [alone; 3]);
            alone
        })
        .collect();
    assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]));
    verdicts[0]
}

/// What every implementation says by the rule of ZIP 215, and by the strict one, alone and in
/// batches small and large.
fn other_verdicts(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> [bool; 2] {
    let verdicts: Vec<[bool; 2]> = Backend::available()
        .map(|backend| {
            let Ok(signature) = Signature::from_bytes(signature) else {
                return [false; 2];
            };
            let key = PublicKey::read(public, backend).unwrap();
            let alone = [
                key.verify_zip215(message, &signature),
                key.verify_strict(message, &signature),
            ];
            let mut batches = [[Err(Error::NoEntropy); 9]; 2];
            for len in [1, 9] {
                let items = [(&key, message, &signature); 9];
                verify_batch_zip215_into(&items[..len], &mut batches[0][..len]).unwrap();
                verify_batch_strict_into(&items[..len], &mut batches[1][..len]).unwrap();
                assert_eq!(batches.map(|batch| batch[len - 1]), alone);
            }
            assert_eq!(batches, alone.map(|verdict| [verdict; 9]));
            let items = [(&key, message, &signature); 9];
            let made = [verify_batch_zip215(&items), verify_batch_strict(&items)];
            assert_eq!(made, batches);
            // With room to combine in, which the strict rule must not.
            let mut scratch = vec![0; verify_batch_scratch(9)];
            let mut within = [[Err(Error::NoEntropy); 9]; 2];
            verify_batch_zip215_within(&items, &mut within[0], &mut scratch).unwrap();
            verify_batch_strict_within(&items, &mut within[1], &mut scratch).unwrap();
            assert_eq!(within, batches);
            alone.map(|verdict| verdict.is_ok())
        })
        .collect();
    assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]));
    verdicts[0]
}

/// By ZIP 215 all cases hold but those with S from l on and the one whose k comes from the
/// canonical encoding of R; by the strict rule, the one with points of mixed order that fulfils the
/// equation without the cofactor.
#[test]
fn taming_the_many_eddsas_by_the_other_rules() {
    for (case, (message, public, r, s, _)) in CASES.iter().enumerate() {
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(r);
        signature[32..].copy_from_slice(s);
        assert_eq!(
            other_verdicts(public, message, &signature),
            [![6, 7, 8].contains(&case), case == 3],
            "case {case}"
        );
    }
}

/// A batch in which every case is beside many good signatures.
#[test]
fn cases_in_one_batch() {
    for backend in Backend::available() {
        let keys = crate::curve25519::ed25519::generate_batch(20, &mut super::Fixed(3)).unwrap();
        let mut publics: Vec<PublicKey> = keys
            .iter()
            .map(|key| key.public_key().with_backend(backend))
            .collect();
        let mut signatures: Vec<Signature> = keys.iter().map(|key| key.sign(b"good")).collect();
        let mut messages: Vec<&[u8]> = vec![b"good"; 20];
        for (message, public, r, s, _) in &CASES {
            let mut bytes = [0; 64];
            bytes[..32].copy_from_slice(r);
            bytes[32..].copy_from_slice(s);
            if let Ok(signature) = Signature::from_bytes(&bytes) {
                publics.push(PublicKey::read(public, backend).unwrap());
                signatures.push(signature);
                messages.push(message);
            }
        }
        let items: Vec<(&PublicKey, &[u8], &Signature)> = (0..publics.len())
            .map(|i| (&publics[i], messages[i], &signatures[i]))
            .collect();
        let mut out = vec![Err(Error::NoEntropy); items.len()];
        verify_batch_into(&items, &mut out).unwrap();
        for (i, (key, message, signature)) in items.iter().enumerate() {
            assert_eq!(out[i], key.verify(message, signature));
            assert_eq!(out[i].is_ok(), i < 26, "{i}");
        }
    }
}

/// The twelve cases of Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs" (2020),
/// table 5.
#[test]
fn taming_the_many_eddsas() {
    use Error::{BadPublicKey, BadSignature};
    for (case, (message, public, r, s, expected)) in CASES.iter().enumerate() {
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(r);
        signature[32..].copy_from_slice(s);
        let expected = match expected {
            // S = 0; A and R of small or mixed order; only with the cofactor; k times 8 not
            // reduced mod l.
            Accept => Ok(()),
            // S from l on; R with x = 0 and its sign set.
            BadS | BadR => Err(BadSignature),
            // A with x = 0 and its sign set.
            BadA => Err(BadPublicKey),
        };
        assert_eq!(
            verdict(public, message, &signature),
            expected,
            "case {case}"
        );
    }
}

enum Rule {
    Accept,
    BadS,
    BadR,
    BadA,
}
use Rule::{Accept, BadA, BadR, BadS};

/// Message, A, R, S.
type Case = ([u8; 32], [u8; 32], [u8; 32], [u8; 32], Rule);

const CASES: [Case; 12] = [
    (
        hex!("8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6"),
        hex!("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"),
        hex!("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
        hex!("0000000000000000000000000000000000000000000000000000000000000000"),
        Accept,
    ),
    (
        hex!("9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79"),
        hex!("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"),
        hex!("f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43"),
        hex!("a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04"),
        Accept,
    ),
    (
        hex!("aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab"),
        hex!("f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43"),
        hex!("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"),
        hex!("8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e"),
        Accept,
    ),
    (
        hex!("9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79"),
        hex!("cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d"),
        hex!("9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f"),
        hex!("87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009"),
        Accept,
    ),
    (
        hex!("e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c"),
        hex!("cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d"),
        hex!("160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed512"),
        hex!("5ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09"),
        Accept,
    ),
    (
        hex!("e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c"),
        hex!("cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d"),
        hex!("21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7"),
        hex!("e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405"),
        Accept,
    ),
    (
        hex!("85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40"),
        hex!("442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623"),
        hex!("e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e"),
        hex!("547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514"),
        BadS,
    ),
    (
        hex!("85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40"),
        hex!("442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623"),
        hex!("8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa1942"),
        hex!("7e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22"),
        BadS,
    ),
    (
        hex!("9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41"),
        hex!("f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43"),
        hex!("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        hex!("03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f"),
        BadR,
    ),
    (
        hex!("9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41"),
        hex!("f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43"),
        hex!("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        hex!("ca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908"),
        BadR,
    ),
    (
        hex!("e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b"),
        hex!("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        hex!("a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"),
        hex!("a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04"),
        BadA,
    ),
    (
        hex!("39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f"),
        hex!("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        hex!("a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"),
        hex!("a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04"),
        BadA,
    ),
];

/// The encodings of the eight points of small order.
fn small_order() -> Vec<[u8; 32]> {
    let mut points = vec![order_8()];
    for _ in 1..8 {
        points.push(add(points.last().unwrap(), &order_8()));
    }
    points.iter().map(Affine::compress).collect()
}

#[test]
fn points_of_small_order_are_accepted() {
    let points = small_order();
    let mut distinct = points.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 8);
    for a in &points {
        let key = PublicKey::from_bytes(a).unwrap();
        assert!(key.has_small_order());
        for r in &points {
            // [8][0]B = [8]R + [8][k]A whatever k.
            let mut signature = [0; 64];
            signature[..32].copy_from_slice(r);
            assert_eq!(verdict(a, b"any message", &signature), Ok(()));
            signature[32] = 1;
            assert!(verdict(a, b"any message", &signature).is_err());
        }
    }
}

#[test]
fn points_of_mixed_order_are_accepted() {
    let backend = Backend::portable();
    let [a, r] = [[0x11; 32], [0x0e; 32]].map(|bytes| Scalar::reduce(&bytes));
    let [mut public, mut nonce] = [a, r].map(|x| backend.mul_base(&x.to_bytes()));
    for _ in 0..8 {
        public = add(&public, &order_8());
        assert!(
            !PublicKey::from_bytes(&public.compress())
                .unwrap()
                .has_small_order()
        );
        for _ in 0..8 {
            nonce = add(&nonce, &order_8());
            let mut hash = Sha512::new();
            hash.update(&nonce.compress());
            hash.update(&public.compress());
            hash.update(b"message");
            let k = Scalar::reduce_wide(&hash.finalize());
            let mut signature = [0; 64];
            signature[..32].copy_from_slice(&nonce.compress());
            signature[32..].copy_from_slice(&k.mul_add(&a, &r).to_bytes());
            assert_eq!(verdict(&public.compress(), b"message", &signature), Ok(()));
            assert!(verdict(&public.compress(), b"massage", &signature).is_err());
        }
    }
}

/// Encodings with y from p on, or of a zero with a sign.
const NOT_CANONICAL: [[u8; 32]; 6] = [
    hex!("0100000000000000000000000000000000000000000000000000000000000080"), // y = 1, x = "-0"
    hex!("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"), // y = -1, x = "-0"
    hex!("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), // y = p
    hex!("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    hex!("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), // y = p + 1
    hex!("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
];

#[test]
fn encodings_that_are_not_canonical_are_refused() {
    let neutral = hex!("0100000000000000000000000000000000000000000000000000000000000000");
    for bytes in &NOT_CANONICAL {
        for backend in Backend::available() {
            assert!(PublicKey::from_bytes_on(bytes, backend).is_err());
        }
        assert_eq!(PublicKey::from_bytes(bytes), Err(Error::BadPublicKey));
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(bytes);
        assert_eq!(
            verdict(&neutral, b"message", &signature),
            Err(Error::BadSignature)
        );
    }
    // Every y from p to 2^255 - 1, with either sign.
    for low in 0xed..=0xffu8 {
        for high in [0x7f, 0xff] {
            let mut bytes = [0xff; 32];
            (bytes[0], bytes[31]) = (low, high);
            assert_eq!(PublicKey::from_bytes(&bytes), Err(Error::BadPublicKey));
        }
    }
}

#[test]
fn half_of_all_y_have_no_point() {
    let mut points = 0;
    for y in 0..200 {
        let mut bytes = [0; 32];
        bytes[0] = y;
        points += usize::from(PublicKey::from_bytes(&bytes).is_ok());
    }
    assert!((70..130).contains(&points));
    // y = 2: (y^2 - 1) / (d y^2 + 1) is not a square.
    let mut two = [0; 32];
    two[0] = 2;
    assert_eq!(PublicKey::from_bytes(&two), Err(Error::BadPublicKey));
}

/// Canonical encodings have a y below p, and no sign where x is zero, which it is where y is 1 or -1.
#[test]
fn canonical_encodings() {
    let mut prime = [0xff; 32];
    (prime[0], prime[31]) = (0xed, 0x7f);
    let (mut less, mut one) = (prime, [0; 32]);
    (less[0], one[0]) = (0xec, 1);
    let below = |y: &[u8; 32]| y.iter().rev().lt(prime.iter().rev());
    for near in [[0; 32], one, less, prime, [0xff; 32]] {
        for (at, change) in (0..32).flat_map(|at| [0, 1, 2, 0x80, 0xff].map(|change| (at, change)))
        {
            let mut bytes = near;
            bytes[at] ^= change;
            for sign in [0, 0x80] {
                let mut y = bytes;
                y[31] &= 0x7f;
                let canonical = below(&y) && (sign == 0 || ![one, less].contains(&y));
                let mut encoding = y;
                encoding[31] |= sign;
                let says = Affine::is_canonical_vartime(&encoding);
                assert_eq!(says, canonical, "{encoding:02x?}");
            }
        }
    }
}
