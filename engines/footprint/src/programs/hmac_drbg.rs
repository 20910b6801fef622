//! HMAC_DRBG with SHA-256: random bytes from the entropy, the nonce and the personalization of its input.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

use facade::hash::{HmacDrbg, Sha256};

fn generate(seed: &[u8; 64]) -> Option<[u8; 40]> {
    let mut generator = HmacDrbg::<Sha256>::new(&seed[..32], &seed[32..48], &seed[48..]).ok()?;
    let mut out = [0; 40];
    generator.generate(&mut out, b"").ok()?;
    Some(out)
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64];
    bare::input(&mut bytes);
    let Some(out) = generate(&bytes) else {
        return 1;
    };
    bare::output(&out);
    0
}
