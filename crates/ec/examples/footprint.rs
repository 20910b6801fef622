//! What operations of Curve25519 take besides time: bytes of heap and of stack.
//!
//! `cargo run --release -p adamant-ec --example footprint` prints a row for each operation, and beside
//! it what `curve25519-dalek` takes for the same, where it has the same.
// Painting the stack is done by address, and a counting allocator is an allocator.
#![allow(unsafe_code)]

use adamant_ec::curve25519::{EdwardsPoint, Scalar};
use adamant_ec::{ed25519, x25519};
use curve25519_dalek::edwards::EdwardsPoint as DalekPoint;
use curve25519_dalek::scalar::Scalar as DalekScalar;
use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, which counts the bytes it gives out.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Relaxed);
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

/// Bytes below the frame of [`stack`] that are painted, and those next to it that are not, for they
/// are of the functions that paint.
const PAINTED: usize = 512 * 1024;
const NEAR: usize = 1024;
const PAINT: u8 = 0xa7;

/// The bytes of stack that an operation takes, [`NEAR`] at least.
#[inline(never)]
fn stack(operation: &dyn Fn()) -> usize {
    let here = black_box(0u8);
    let top = (&raw const here).cast_mut().wrapping_sub(NEAR);
    for i in 0..PAINTED {
        // SAFETY: the thread has four times as much stack below this frame, and nothing lives there.
        unsafe { top.wrapping_sub(i).write_volatile(PAINT) };
    }
    operation();
    // SAFETY: as above; the bytes were written by the loop above or since.
    let used = |i: &usize| unsafe { top.wrapping_sub(*i).read_volatile() } != PAINT;
    NEAR + (0..PAINTED).rev().find(used).map_or(0, |i| i + 1)
}

/// Computes something for nothing.
fn keep<T>(result: T) {
    black_box(result);
}

fn heap(operation: &dyn Fn()) -> usize {
    let before = ALLOCATED.load(Relaxed);
    operation();
    ALLOCATED.load(Relaxed) - before
}

fn row(name: &str, ours: &dyn Fn(), theirs: Option<&dyn Fn()>) {
    // What is detected or made once is not of the operation.
    ours();
    let dalek = theirs.map_or("- | -".to_owned(), |theirs| {
        theirs();
        format!("{} | {}", heap(theirs), stack(theirs))
    });
    println!("| {name} | {} | {} | {dalek} |", heap(ours), stack(ours));
}

fn main() {
    let thread = std::thread::Builder::new().stack_size(4 * PAINTED);
    thread
        .spawn(table)
        .expect("a thread")
        .join()
        .expect("the table");
}

fn table() {
    println!("| operation | heap | stack | dalek's heap | dalek's stack |\n|---|---|---|---|---|");
    let key = ed25519::PrivateKey::from_seed(&[7; 32]);
    let public = key.public_key();
    let signature = key.sign(b"message");
    let exchange = x25519::PrivateKey::from_bytes(&[9; 32]);
    let peer = exchange.public_key();
    let all = [(&public, &b"message"[..], &signature); 32];
    let pairs = [(&exchange, &peer); 32];
    row("ed25519 sign", &|| keep(key.sign(b"message")), None);
    row(
        "ed25519 verify",
        &|| keep(public.verify(b"message", &signature)),
        None,
    );
    row(
        "ed25519 verify_batch of 32",
        &|| ed25519::verify_batch(&all, &mut [Ok(()); 32]).expect("as many places"),
        None,
    );
    row("x25519 derive", &|| keep(exchange.agree(&peer)), None);
    row(
        "x25519 derive_batch of 32",
        &|| {
            let mut out = [const { Err(adamant_base::Error::NoEntropy) }; 32];
            x25519::agree_batch(&pairs, &mut out).expect("as many places");
        },
        None,
    );

    let scalars: Vec<Scalar> = (1..=32u64).map(|i| Scalar::from(i).invert()).collect();
    let points: Vec<EdwardsPoint> = scalars.iter().map(EdwardsPoint::mul_base).collect();
    let dalek_scalars: Vec<DalekScalar> =
        (1..=32u64).map(|i| DalekScalar::from(i).invert()).collect();
    let dalek_points: Vec<DalekPoint> = dalek_scalars.iter().map(DalekPoint::mul_base).collect();
    row(
        "edwards25519 mul",
        &|| keep(points[3] * scalars[5]),
        Some(&|| keep(dalek_points[3] * dalek_scalars[5])),
    );
    row(
        "edwards25519 mul_base",
        &|| keep(EdwardsPoint::mul_base(&scalars[5])),
        Some(&|| keep(DalekPoint::mul_base(&dalek_scalars[5]))),
    );
    row(
        "edwards25519 msm of 32",
        &|| keep(EdwardsPoint::multiscalar_mul(&scalars, &points)),
        Some(&|| keep(DalekPoint::multiscalar_mul(&dalek_scalars, &dalek_points))),
    );
    row(
        "edwards25519 msm-vartime of 32",
        &|| keep(EdwardsPoint::multiscalar_mul_vartime(&scalars, &points)),
        Some(&|| {
            keep(DalekPoint::vartime_multiscalar_mul(
                &dalek_scalars,
                &dalek_points,
            ));
        }),
    );
}
