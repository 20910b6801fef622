//! The SHA-256 of what stands in its input, a piece at a time.
#![no_std]
#![no_main]

mod bare;

use adamant_hash::Sha256;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64];
    bare::input(&mut bytes);
    let mut hash = Sha256::new();
    hash.update(&bytes[..7]);
    hash.update(&bytes[7..]);
    bare::output(&hash.finalize());
    0
}
