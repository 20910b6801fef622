//! Operations one by one, for their cycles to be counted. The input is the name of one, in 24 bytes, that
//! of an implementation, or nothing for what the CPU gets, in 16, how often it is done, in four,
//! little-endian, and a key of RSA in PKCS #1 form after its length in two, big-endian. The output is
//! the sum of the bytes that it made.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

extern crate alloc;

mod bare;
#[path = "bare/heap.rs"]
mod heap;

use core::str::from_utf8;

use facade::cipher::aes::{Aes128, Aes256};
use facade::cipher::chacha20::ChaCha20;
use facade::cipher::des::TripleDes;
use facade::cipher::modes::{cbc, ctr::Ctr};
use facade::cipher::poly1305::{OneTimeKey, Poly1305};
use facade::ec::x25519;
use facade::hash::{Md5, Sha1, Sha256, Sha512};
use facade::hazmat::cipher as ciphers;
use facade::hazmat::ec as curves;
use facade::hazmat::rsa::Backend as RsaBackend;
use facade::rsa;

/// A long message.
const LENGTH: usize = 8192;
/// The first block of the counter: as in TLS.
const COUNTER: [u8; 16] = [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0, 0, 0, 1];
const NAME: usize = 24;
const ROW: usize = 16;

/// The operation of this name on this implementation, `times` times, on the message.
fn run(name: &str, row: &str, times: u32, key: &[u8], message: &mut [u8]) -> Option<()> {
    macro_rules! on {
        ($backend:ty) => {
            if row.is_empty() {
                <$backend>::best()
            } else {
                <$backend>::named(row)?
            }
        };
    }
    macro_rules! digest {
        ($hash:ty, $module:ident) => {{
            let backend = on!(facade::hazmat::hash::$module::Backend);
            for _ in 0..times {
                let mut hash = <$hash>::new_on(backend);
                hash.update(message);
                let digest = hash.finalize();
                message[..digest.len()].copy_from_slice(&digest);
            }
        }};
    }
    macro_rules! cipher {
        ($cipher:ident, $backend:ty, $call:expr) => {{
            let cipher = $cipher::new_on(&[7; _], on!($backend));
            for _ in 0..times {
                let done: Result<(), facade::Error> = $call(&cipher, message);
                done.ok()?;
            }
        }};
    }
    macro_rules! multiply {
        ($module:ident, $words:literal, $base:literal) => {{
            let group = on!(curves::$module::Backend);
            // From 1 to n - 1: the bits of a random number, but for the first.
            let mut scalar = [0x1234_5678_9abc_def1 * 5; $words];
            scalar[$words - 1] = 0xfe;
            let mut point = group.mul_base(&scalar);
            for _ in 0..times {
                point = if $base {
                    group.mul_base(&scalar)
                } else {
                    group.mul(&scalar, &point)
                };
                scalar[0] = point[0][0];
            }
            message[..8].copy_from_slice(&point[1][0].to_be_bytes());
        }};
    }
    match name {
        "md5" => digest!(Md5, md5),
        "sha1" => digest!(Sha1, sha1),
        "sha256" => digest!(Sha256, sha256),
        "sha512" => digest!(Sha512, sha512),
        "aes-128-cbc/encrypt" => cipher!(Aes128, ciphers::aes::Backend, |c, m| cbc::encrypt(
            c, &[5; 16], m
        )),
        "aes-128-cbc/decrypt" => cipher!(Aes128, ciphers::aes::Backend, |c, m| cbc::decrypt(
            c, &[5; 16], m
        )),
        "aes-128-ctr" => cipher!(Aes128, ciphers::aes::Backend, |c, m| Ctr::new(
            c, COUNTER, 4
        )
        .apply_keystream(m)),
        "aes-256-cbc/encrypt" => cipher!(Aes256, ciphers::aes::Backend, |c, m| cbc::encrypt(
            c, &[5; 16], m
        )),
        "aes-256-cbc/decrypt" => cipher!(Aes256, ciphers::aes::Backend, |c, m| cbc::decrypt(
            c, &[5; 16], m
        )),
        "aes-256-ctr" => cipher!(Aes256, ciphers::aes::Backend, |c, m| Ctr::new(
            c, COUNTER, 4
        )
        .apply_keystream(m)),
        "3des-cbc/encrypt" => cipher!(TripleDes, ciphers::des::Backend, |c, m| cbc::encrypt(
            c, &[5; 8], m
        )),
        "3des-cbc/decrypt" => cipher!(TripleDes, ciphers::des::Backend, |c, m| cbc::decrypt(
            c, &[5; 8], m
        )),
        "chacha20" => {
            let backend = on!(ciphers::chacha20::Backend);
            for _ in 0..times {
                let mut cipher = ChaCha20::new_on(&[7; 32], &[9; 12], 1, backend);
                cipher.apply_keystream(message).ok()?;
            }
        }
        "ghash" => {
            let key = ciphers::ghash::Key::new_on(&[7; 16], on!(ciphers::ghash::Backend));
            let mut sum = [5; 16];
            for _ in 0..times {
                key.update(&mut sum, message.as_chunks().0);
            }
            message[..16].copy_from_slice(&sum);
        }
        "poly1305" => {
            let backend = on!(ciphers::poly1305::Backend);
            for _ in 0..times {
                let key = OneTimeKey::new([0x39; 32]).with_backend(backend);
                let tag = Poly1305::mac(key, message);
                message[..16].copy_from_slice(&tag);
            }
        }
        "p256" => multiply!(p256, 4, false),
        "p256/base" => multiply!(p256, 4, true),
        "p384" => multiply!(p384, 6, false),
        "p384/base" => multiply!(p384, 6, true),
        "p521" => multiply!(p521, 9, false),
        "p521/base" => multiply!(p521, 9, true),
        "x25519" => {
            let backend = on!(curves::x25519::Backend);
            let key = x25519::PrivateKey::from_bytes(&[0x77; 32]).with_backend(backend);
            let mut shared = [9; 32];
            for _ in 0..times {
                shared = *key.agree(&x25519::PublicKey::from_bytes(&shared)).ok()?;
            }
            message[..32].copy_from_slice(&shared);
        }
        "rsa-2048/private" => {
            let key = rsa::PrivateKey::from_pkcs1_der(key)
                .ok()?
                .with_backend(on!(RsaBackend));
            for _ in 0..times {
                let signature = key
                    .sign_pkcs1::<Sha256>(&message[..32], &mut bare::Generator)
                    .ok()?;
                message[..32].copy_from_slice(&signature[..32]);
            }
        }
        "rsa-2048/public" => {
            let key = rsa::PrivateKey::from_pkcs1_der(key).ok()?;
            let signature = key
                .sign_pkcs1::<Sha256>(&[1; 32], &mut bare::Generator)
                .ok()?;
            let key = key.public_key().with_backend(on!(RsaBackend));
            for _ in 0..times {
                key.verify_pkcs1::<Sha256>(&[1; 32], &signature).ok()?;
            }
        }
        _ => return None,
    }
    Some(())
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut input = [0; NAME + ROW + 4 + 2 + 1400];
    bare::input(&mut input);
    let (name, rest) = input.split_at(NAME);
    let (row, rest) = rest.split_at(ROW);
    let [t0, t1, t2, t3, k0, k1, key @ ..] = rest else {
        return 1;
    };
    let word = |bytes| from_utf8(bytes).unwrap_or_default().trim_end_matches('\0');
    let times = u32::from_le_bytes([*t0, *t1, *t2, *t3]);
    let key = &key[..usize::from(u16::from_be_bytes([*k0, *k1])).min(key.len())];
    let mut message = [0x5a; LENGTH];
    if run(word(name), word(row), times, key, &mut message).is_none() {
        return 1;
    }
    let sum = message.iter().fold(0_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add((*byte).into())
    });
    bare::output(&sum.to_be_bytes());
    0
}
