//! Which signatures verify: small orders, mixed orders, encodings that are not canonical.

use super::group::{ORDER_4, add};
use super::{encode, prime};
use crate::curve448::ed448::{Backend, PublicKey, Signature, verify_batch_into};
use crate::curve448::edwards::Affine;
use crate::curve448::scalar::Scalar;
use adamant_base::Error;
use adamant_base::hazmat::FromBytesOn;
use adamant_hash::Shake256;

/// What every implementation says, alone and in a batch, of a signature in its encodings.
fn verdict(public: &[u8; 57], message: &[u8], signature: &[u8; 114]) -> Result<(), Error> {
    let verdicts: Vec<Result<(), Error>> = Backend::available()
        .map(|backend| {
            let key = PublicKey::from_bytes_on(public, backend)?;
            let signature = Signature::from_bytes(signature)?;
            let alone = key.verify(message, &signature);
            let mut batch = [Err(Error::NoEntropy); 9];
            verify_batch_into(&[(&key, message, &signature); 9], &mut batch).unwrap();
            assert_eq!(batch, [alone; 9]);
            alone
        })
        .collect();
    assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]));
    verdicts[0]
}

/// The four points of small order.
fn small_order() -> Vec<Affine> {
    let mut points = vec![ORDER_4];
    for _ in 1..4 {
        points.push(add(points.last().unwrap(), &ORDER_4));
    }
    points
}

fn join(r: &[u8; 57], s: &[u8; 57]) -> [u8; 114] {
    let mut signature = [0; 114];
    signature[..57].copy_from_slice(r);
    signature[57..].copy_from_slice(s);
    signature
}

#[test]
fn points_of_small_order_are_refused() {
    let mut distinct: Vec<[u8; 57]> = small_order().iter().map(Affine::compress).collect();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 4);
    for a in &distinct {
        assert!(PublicKey::from_bytes(a).unwrap().has_small_order());
        for r in &distinct {
            // [4][0]B = [4]R + [4][k]A whatever k.
            let refused = verdict(a, b"any message", &join(r, &[0; 57]));
            assert_eq!(refused, Err(Error::BadSignature));
            let key = PublicKey::from_bytes(a).unwrap();
            let signature = Signature::from_bytes(&join(r, &[0; 57])).unwrap();
            assert!(
                key.verify_with_context(b"m", b"context", &signature)
                    .is_err()
            );
            assert!(key.verify_prehashed(&[9; 64], b"", &signature).is_err());
        }
    }
}

/// A point R of small order, under a key that is none, with an S that fulfils the equation: its
/// nonce is zero, which tells the key.
#[test]
fn nonces_of_zero_are_refused() {
    for point in small_order() {
        let (public, signature) = with_nonce_zero(&point.compress());
        let refused = verdict(&public, b"message", &signature);
        assert_eq!(refused, Err(Error::BadSignature));
    }
}

/// A key, and what signs `message` under it if these octets stand for a point of small order.
fn with_nonce_zero(r: &[u8; 57]) -> ([u8; 57], [u8; 114]) {
    let a = Scalar::reduce(&[0x11; 56]);
    let public = Backend::portable().mul_base(a.words()).compress();
    let mut hash = [0; 114];
    let hashed = [b"SigEd448\0\0", &r[..], &public, b"message"].concat();
    Shake256::digest(&hashed, &mut hash);
    let s = Scalar::reduce_wide(&hash).mul_add(&a, &Scalar::reduce(&[0; 56]));
    (public, join(r, &s.to_bytes()))
}

#[test]
fn points_of_mixed_order_are_accepted() {
    let backend = Backend::portable();
    let [a, r] = [[0x11; 56], [0x0e; 56]].map(|bytes| Scalar::reduce(&bytes));
    let [mut public, mut nonce] = [a, r].map(|x| backend.mul_base(x.words()));
    for _ in 0..4 {
        public = add(&public, &ORDER_4);
        let key = public.compress();
        assert!(!PublicKey::from_bytes(&key).unwrap().has_small_order());
        for _ in 0..4 {
            nonce = add(&nonce, &ORDER_4);
            let first = nonce.compress();
            let mut hash = [0; 114];
            let hashed = [b"SigEd448\0\0", &first[..], &key, b"message"].concat();
            Shake256::digest(&hashed, &mut hash);
            let k = Scalar::reduce_wide(&hash);
            let signature = join(&first, &k.mul_add(&a, &r).to_bytes());
            assert_eq!(verdict(&key, b"message", &signature), Ok(()));
            assert!(verdict(&key, b"massage", &signature).is_err());
        }
    }
}

#[test]
fn encodings_that_are_not_canonical_are_refused() {
    let neutral = <Affine>::NEUTRAL.compress();
    let p = prime();
    let mut bad: Vec<[u8; 57]> = Vec::new();
    // y = 1 and y = -1 with x = "-0".
    for y in [1u32.into(), p.sub(&1u32.into())] {
        let mut bytes = encode::<57>(&y);
        assert!(PublicKey::from_bytes(&bytes).is_ok());
        bytes[56] = 0x80;
        bad.push(bytes);
    }
    // y from p on, with either sign, and bits after y.
    for small in [0u32, 1, 2, 5] {
        for last in [0, 0x80] {
            let mut bytes = encode::<57>(&p.add(&small.into()));
            bytes[56] = last;
            bad.push(bytes);
        }
    }
    for last in 1..0x80 {
        let mut bytes = neutral;
        bytes[56] = last;
        bad.push(bytes);
    }
    bad.push([0xff; 57]);
    for bytes in &bad {
        for backend in Backend::available() {
            assert!(backend.decompress_vartime(bytes).is_none());
        }
        assert_eq!(PublicKey::from_bytes(bytes), Err(Error::BadPublicKey));
        let (public, signature) = with_nonce_zero(bytes);
        let refused = verdict(&public, b"message", &signature);
        assert_eq!(refused, Err(Error::BadSignature));
    }
}

#[test]
fn half_of_all_y_have_no_point() {
    let mut points = 0;
    for y in 0..200 {
        let mut bytes = [0; 57];
        bytes[0] = y;
        let one = PublicKey::from_bytes(&bytes).is_ok();
        points += usize::from(one);
        for backend in Backend::available() {
            assert_eq!(backend.decompress_vartime(&bytes).is_some(), one);
        }
    }
    assert!((70..130).contains(&points));
}
