//! ChaCha20-Poly1305: seals what is in its input, and opens it again.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

use facade::cipher::chacha20_poly1305::ChaCha20Poly1305;

fn seal_and_open(bytes: &mut [u8; 64]) -> Option<()> {
    let (key, rest) = bytes.split_first_chunk_mut()?;
    let (nonce, rest) = rest.split_first_chunk_mut()?;
    let (aad, data) = rest.split_first_chunk_mut::<4>()?;
    let cipher = ChaCha20Poly1305::new(key);
    let tag = cipher.seal(nonce, aad, data).ok()?;
    bare::output(data);
    bare::output(&tag);
    cipher.open(nonce, aad, data, &tag).ok()?;
    bare::output(data);
    Some(())
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64];
    bare::input(&mut bytes);
    i32::from(seal_and_open(&mut bytes).is_none())
}
