//! What operations take besides time: a line of JSON for the bytes of heap of each, and one for
//! those of stack.

#[path = "../curve25519/mod.rs"]
mod curve25519;
#[cfg(feature = "adamant")]
#[path = "adamant.rs"]
mod group;
#[cfg(feature = "dalek")]
#[path = "dalek.rs"]
mod group;
#[cfg(feature = "libsodium")]
#[path = "libsodium.rs"]
mod group;
#[cfg_attr(feature = "libsodium", path = "malloc.rs")]
mod heap;

use curve25519::{Keys, NAME};
use std::hint::black_box;

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

fn heap(operation: &dyn Fn()) -> usize {
    let before = heap::allocated();
    operation();
    heap::allocated() - before
}

/// The figures of an operation.
pub(crate) fn row(name: &str, operation: &dyn Fn()) {
    // Memory of what is detected or made once does not count.
    operation();
    for (what, bytes) in [("heap", heap(operation)), ("stack", stack(operation))] {
        println!("{{\"name\":\"{what}/{name}\",\"value\":{bytes}}}");
    }
}

/// Computes something for nothing.
pub(crate) fn keep<T>(result: T) {
    black_box(result);
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
    let thousand = || keep(Vec::<u8>::with_capacity(1000));
    assert_eq!(heap(&thousand), 1000, "what is allocated is not counted");
    let keys = Keys::new(&[7; 32], b"message");
    assert!(keys.verify(b"message"), "the signature of {NAME} is wrong");
    row("sign", &|| keep(keys.sign(b"message")));
    row("verify", &|| keep(keys.verify(b"message")));
    row("derive", &|| keep(keys.derive()));
    group::rows();
}
