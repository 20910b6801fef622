//! Single operations, and batches whose results have their places already, take no heap.
#![cfg(feature = "curve448")]

use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_base::{Error, Rng};
use adamant_ec::curve25519::{RistrettoPoint, Scalar, TableSize};
use adamant_ec::hazmat;
use adamant_ec::hazmat::group::{EdwardsPoint, FixedBase};
use adamant_ec::{ed448, ed25519, x448, x25519};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};

/// The system's allocator, which counts what this thread takes.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is left to the system's allocator.
#[allow(unsafe_code)] // An allocator is one.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

struct Zeros;

impl Rng for Zeros {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        out.fill(0);
        Ok(())
    }
}

#[track_caller]
fn none<T>(operation: impl Fn() -> T) {
    // What is detected once may take some.
    operation();
    let before = COUNT.get();
    let result = operation();
    assert_eq!(COUNT.get() - before, 0);
    drop(result);
}

#[test]
fn the_counter_counts() {
    let before = COUNT.get();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert!(COUNT.get() > before);
}

#[test]
fn curve25519() {
    for backend in hazmat::ed25519::Backend::available() {
        let key = ed25519::PrivateKey::from_seed_on(&[7; 32], backend);
        let (public, signature) = (key.public_key(), key.sign(b"message"));
        none(|| ed25519::PrivateKey::from_seed_on(&[8; 32], backend));
        none(|| key.sign(b"message"));
        none(|| public.verify(b"message", &signature));
        none(|| public.verify_strict(b"message", &signature));
        none(|| ed25519::PublicKey::from_bytes_on(&public.to_bytes(), backend));
        none(|| {
            let items: [(&ed25519::PrivateKey, &[u8]); 100] = [(&key, b"message"); 100];
            let mut signatures = [signature; 100];
            ed25519::sign_batch_within(&items, &mut signatures, &mut [0; 64 * 71]).unwrap();
            assert_eq!(signatures, [signature; 100]);
            // Without a place for each.
            ed25519::sign_batch_within(&items, &mut signatures, &mut [0; 100]).unwrap();
            assert_eq!(signatures, [signature; 100]);
        });
        let scratch = RefCell::new(vec![0; ed25519::verify_batch_scratch(64)]);
        for verify in [
            ed25519::verify_batch_within,
            ed25519::verify_batch_zip215_within,
            ed25519::verify_batch_strict_within,
        ] {
            none(|| {
                let items: [_; 70] = [(&public, &b"message"[..], &signature); 70];
                let mut verdicts = [Err(Error::BadSignature); 70];
                verify(&items, &mut verdicts, &mut scratch.borrow_mut()).unwrap();
                assert_eq!(verdicts, [Ok(()); 70]);
            });
        }
    }
    for backend in hazmat::x25519::Backend::available() {
        let key = x25519::PrivateKey::from_seed_on(&[7; 32], backend);
        let peer = key.public_key();
        none(|| x25519::PrivateKey::from_seed_on(&[8; 32], backend));
        none(|| key.agree(&peer));
        none(|| {
            let mut out = [const { Err(Error::NoEntropy) }; 100];
            x25519::agree_batch_into(&[(&key, &peer); 100], &mut out)
        });
    }
    none(|| {
        let mut keys = [const { None }; 70];
        ed25519::generate_batch_into(&mut keys, &mut Zeros).unwrap();
        let mut keys = [const { None }; 70];
        x25519::generate_batch_into(&mut keys, &mut Zeros).unwrap();
    });
    let scalar = Scalar::from(5).invert();
    let point = EdwardsPoint::mul_base(&scalar);
    let table = FixedBase::new(&point, TableSize::Kib60);
    none(|| EdwardsPoint::mul_base(&scalar));
    none(|| point * scalar);
    none(|| table.mul(&scalar));
    none(|| EdwardsPoint::double_base_mul_vartime(&scalar, &point, &scalar));
    none(|| EdwardsPoint::decompress(&point.compress()));
    none(|| RistrettoPoint::mul_base(&scalar).compress());
    none(|| {
        let mut points = [Ok(point); 100];
        EdwardsPoint::decompress_batch_into(&[point.compress(); 100], &mut points)
    });
    none(|| EdwardsPoint::compress_batch_into(&[point; 100], &mut [[0; 32]; 100]));
}

#[test]
fn curve448() {
    for backend in hazmat::ed448::Backend::available() {
        let key = ed448::PrivateKey::from_seed_on(&[7; 57], backend);
        let (public, signature) = (key.public_key(), key.sign(b"message"));
        none(|| key.sign(b"message"));
        none(|| public.verify(b"message", &signature));
        let key = x448::PrivateKey::from_seed_on(&[7; 56], backend);
        let peer = key.public_key();
        none(|| key.agree(&peer));
        none(|| {
            let mut out = [const { Err(Error::NoEntropy) }; 100];
            x448::agree_batch_into(&[(&key, &peer); 100], &mut out)
        });
    }
}
