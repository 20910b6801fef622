//! Points and scalars against those of curve25519-dalek.

use crate::curve25519::group::Backend;
use crate::curve25519::{RistrettoPoint, Scalar, TableSize};
use crate::hazmat::group::{EdwardsPoint, FixedBase};
use adamant_testkit::{TestRng, is_slow};
use curve25519_dalek::edwards::CompressedEdwardsY;
use curve25519_dalek::ristretto::CompressedRistretto;
use curve25519_dalek::traits::{IsIdentity, VartimeMultiscalarMul};
use curve25519_dalek::{constants, edwards, ristretto, scalar};

fn bytes<const N: usize>(rng: &mut TestRng) -> [u8; N] {
    let mut bytes = [0; N];
    adamant_base::Rng::fill(rng, &mut bytes).unwrap();
    bytes
}

/// A scalar, often with long runs of equal bits, of both libraries.
fn scalars(rng: &mut TestRng) -> (Scalar, scalar::Scalar) {
    let mut wide = bytes::<64>(rng);
    match wide[63] % 4 {
        0 => wide[2..].fill(0),
        1 => wide[8..40].fill(0xff),
        _ => {}
    }
    let ours = Scalar::from_wide_bytes(&wide);
    let theirs = scalar::Scalar::from_bytes_mod_order_wide(&wide);
    assert_eq!(ours.to_bytes(), theirs.to_bytes());
    (ours, theirs)
}

/// A point of both libraries, half of the time with a part of small order.
fn points(rng: &mut TestRng) -> (EdwardsPoint, edwards::EdwardsPoint) {
    let (_, scalar) = scalars(rng);
    let [small] = bytes::<1>(rng);
    let torsion = constants::EIGHT_TORSION[usize::from(small % 16).min(8) % 8];
    let theirs = edwards::EdwardsPoint::mul_base(&scalar) + torsion;
    let ours = EdwardsPoint::decompress(theirs.compress().as_bytes()).unwrap();
    (ours, theirs)
}

#[test]
fn scalar_arithmetic() {
    let mut rng = TestRng::new(1);
    for _ in 0..500 {
        let ((a, x), (b, y)) = (scalars(&mut rng), scalars(&mut rng));
        assert_eq!((a + b).to_bytes(), (x + y).to_bytes());
        assert_eq!((a - b).to_bytes(), (x - y).to_bytes());
        assert_eq!((a * b).to_bytes(), (x * y).to_bytes());
        assert_eq!((-a).to_bytes(), (-x).to_bytes());
        if a != Scalar::ZERO {
            assert_eq!(a.invert().to_bytes(), x.invert().to_bytes());
        }
        let mut any = bytes::<32>(&mut rng);
        any[31] &= 0x1f;
        let read = Scalar::from_bytes(&any)
            .ok()
            .map(|scalar| scalar.to_bytes());
        let theirs = Option::from(scalar::Scalar::from_canonical_bytes(any));
        assert_eq!(read, theirs.map(|scalar: scalar::Scalar| scalar.to_bytes()));
    }
}

#[test]
fn point_arithmetic() {
    let mut rng = TestRng::new(2);
    for i in 0..60 {
        let ((a, x), (b, y)) = (scalars(&mut rng), scalars(&mut rng));
        let ((p, s), (q, t)) = (points(&mut rng), points(&mut rng));
        let same = |ours: EdwardsPoint, theirs: edwards::EdwardsPoint| {
            assert_eq!(ours.compress(), theirs.compress().to_bytes());
        };
        for backend in Backend::available() {
            if i % 5 != 0 && is_slow(backend.implementation()) {
                continue;
            }
            same(backend.add_points(&p, &q), s + t);
            same(backend.double(&p), s + s);
            same(backend.mul(&a.to_bytes(), &p), s * x);
            same(
                backend.mul_base(&a.to_bytes()),
                edwards::EdwardsPoint::mul_base(&x),
            );
            let sum = edwards::EdwardsPoint::vartime_double_scalar_mul_basepoint(&x, &s, &y);
            same(backend.double_base_vartime(&a, &p, &b), sum);
        }
        same(p - q, s - t);
        assert_eq!(p == q, s == t);
        assert_eq!(p.is_torsion_free().declassify(), s.is_torsion_free());
        assert_eq!(p.has_small_order().declassify(), s.is_small_order());
        assert_eq!(p.is_neutral().declassify(), s.is_identity());
        assert_eq!(p.to_montgomery().to_bytes(), s.to_montgomery().to_bytes());
    }
}

#[test]
fn sums_of_multiples() {
    let mut rng = TestRng::new(3);
    for count in [1, 2, 5, 8, 33, 128, 200, 600] {
        let (ours, theirs): (Vec<_>, Vec<_>) = (0..count).map(|_| scalars(&mut rng)).unzip();
        let (points, their_points): (Vec<_>, Vec<_>) = (0..count).map(|_| points(&mut rng)).unzip();
        let expected = edwards::EdwardsPoint::vartime_multiscalar_mul(theirs, their_points);
        let expected = expected.compress().to_bytes();
        for backend in Backend::available() {
            let sum = backend.multiscalar_mul_vartime(&ours, &points);
            assert_eq!(sum.compress(), expected, "{backend:?} {count}");
            let sum = backend.multiscalar_mul(&ours, &points);
            assert_eq!(sum.compress(), expected, "{backend:?} {count}");
        }
    }
}

/// Also for encodings that are not canonical, which they accept: then ours refuse.
#[test]
fn encodings() {
    let mut rng = TestRng::new(4);
    let mut all: Vec<[u8; 32]> = (0..300).map(|_| bytes(&mut rng)).collect();
    all.extend(constants::EIGHT_TORSION.map(|point| point.compress().to_bytes()));
    for low in 0..=255 {
        for high in [0, 0x7f, 0x80, 0xff] {
            let mut bytes = [if high & 0x7f == 0 { 0 } else { 0xff }; 32];
            (bytes[0], bytes[31]) = (low, high);
            all.push(bytes);
        }
    }
    for bytes in &all {
        let theirs = CompressedEdwardsY(*bytes).decompress();
        let canonical = theirs.is_some_and(|point| point.compress().to_bytes() == *bytes);
        for backend in Backend::available() {
            assert_eq!(backend.decompress(bytes).is_ok(), canonical, "{bytes:02x?}");
        }
        let theirs = CompressedRistretto(*bytes).decompress();
        let ours = RistrettoPoint::decompress(bytes);
        assert_eq!(ours.is_ok(), theirs.is_some());
        if let (Ok(ours), Some(theirs)) = (ours, theirs) {
            assert_eq!(
                ours.double().compress(),
                (theirs + theirs).compress().to_bytes()
            );
        }
    }
}

#[test]
fn ristretto() {
    let mut rng = TestRng::new(5);
    for _ in 0..50 {
        let wide = bytes::<64>(&mut rng);
        let p = RistrettoPoint::from_uniform_bytes(&wide);
        let s = ristretto::RistrettoPoint::from_uniform_bytes(&wide);
        let (a, x) = scalars(&mut rng);
        assert_eq!(p.compress(), s.compress().to_bytes());
        assert_eq!((p * a).compress(), (s * x).compress().to_bytes());
        let table = p.table(TableSize::Kib60);
        assert_eq!(table.mul(&a).compress(), (s * x).compress().to_bytes());
    }
}

#[test]
fn tables() {
    let mut rng = TestRng::new(6);
    let (p, s) = points(&mut rng);
    for size in TableSize::ALL {
        let table = FixedBase::new(&p, size);
        for _ in 0..20 {
            let (a, x) = scalars(&mut rng);
            assert_eq!(table.mul(&a).compress(), (s * x).compress().to_bytes());
        }
    }
}
