//! AES-128-GCM: seals what stands in its input, and opens it again.
#![no_std]
#![no_main]

mod bare;

use adamant_cipher::gcm::Aes128Gcm;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64];
    bare::input(&mut bytes);
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    key.copy_from_slice(&bytes[..16]);
    nonce.copy_from_slice(&bytes[16..28]);
    let (aad, data) = bytes[28..].split_at_mut(4);
    let cipher = Aes128Gcm::new(&key);
    let Ok(tag) = cipher.seal(&nonce, aad, data) else {
        return 1;
    };
    bare::output(data);
    bare::output(&tag);
    if cipher.open(&nonce, aad, data, &tag).is_err() {
        return 1;
    }
    bare::output(data);
    0
}
