//! Ciphers and authenticated encryption.

use std::ffi::CStr;

use super::ffi::Libcrypto;
use super::ffi::cipher::{Cipher, Direction, ROOM, Shape, TAG_LEN, Tag};
use crate::Item;
use crate::buffers::Buffers;
use crate::op::{self, field, item};
use crate::serve::Engine;

const fn shape(name: &'static CStr, key_len: usize, iv_len: usize, tag: Tag) -> Shape {
    Shape {
        name,
        key_len,
        iv_len,
        tag,
    }
}

const fn plain(name: &'static CStr, key_len: usize, iv_len: usize) -> Shape {
    shape(name, key_len, iv_len, Tag::None)
}

/// With nonces of 12 bytes.
const fn aead(name: &'static CStr, key_len: usize) -> Shape {
    shape(name, key_len, 12, Tag::Last)
}

const fn siv(name: &'static CStr, key_len: usize) -> Shape {
    shape(name, key_len, 12, Tag::Kept)
}

const fn wrap(name: &'static CStr, key_len: usize) -> Shape {
    shape(name, key_len, 0, Tag::Inside)
}

const fn ccm(name: &'static CStr, key_len: usize) -> Shape {
    shape(name, key_len, 12, Tag::First)
}

#[rustfmt::skip]
const CIPHERS: [(&str, Shape); 32] = [
    ("aes-128-ecb", plain(c"AES-128-ECB", 16, 0)),
    ("aes-192-ecb", plain(c"AES-192-ECB", 24, 0)),
    ("aes-256-ecb", plain(c"AES-256-ECB", 32, 0)),
    ("aes-128-cbc", plain(c"AES-128-CBC", 16, 16)),
    ("aes-192-cbc", plain(c"AES-192-CBC", 24, 16)),
    ("aes-256-cbc", plain(c"AES-256-CBC", 32, 16)),
    ("aes-128-ctr", plain(c"AES-128-CTR", 16, 16)),
    ("aes-192-ctr", plain(c"AES-192-CTR", 24, 16)),
    ("aes-256-ctr", plain(c"AES-256-CTR", 32, 16)),
    ("aes-128-cfb", plain(c"AES-128-CFB", 16, 16)),
    ("aes-192-cfb", plain(c"AES-192-CFB", 24, 16)),
    ("aes-256-cfb", plain(c"AES-256-CFB", 32, 16)),
    ("aes-128-ofb", plain(c"AES-128-OFB", 16, 16)),
    ("aes-192-ofb", plain(c"AES-192-OFB", 24, 16)),
    ("aes-256-ofb", plain(c"AES-256-OFB", 32, 16)),
    ("aes-128-xts", plain(c"AES-128-XTS", 32, 16)),
    ("aes-256-xts", plain(c"AES-256-XTS", 64, 16)),
    ("sm4-ecb", plain(c"SM4-ECB", 16, 0)),
    ("sm4-cbc", plain(c"SM4-CBC", 16, 16)),
    ("sm4-ctr", plain(c"SM4-CTR", 16, 16)),
    ("sm4-cfb", plain(c"SM4-CFB", 16, 16)),
    ("sm4-ofb", plain(c"SM4-OFB", 16, 16)),
    ("3des-ecb", plain(c"DES-EDE3-ECB", 24, 0)),
    ("3des-cbc", plain(c"DES-EDE3-CBC", 24, 8)),
    ("3des-cfb", plain(c"DES-EDE3-CFB", 24, 8)),
    ("3des-ofb", plain(c"DES-EDE3-OFB", 24, 8)),
    ("des-ecb", plain(c"DES-ECB", 8, 0)),
    ("des-cbc", plain(c"DES-CBC", 8, 8)),
    ("camellia-128-cbc", plain(c"CAMELLIA-128-CBC", 16, 16)),
    ("camellia-256-cbc", plain(c"CAMELLIA-256-CBC", 32, 16)),
    ("aria-128-cbc", plain(c"ARIA-128-CBC", 16, 16)),
    ("aria-256-cbc", plain(c"ARIA-256-CBC", 32, 16)),
];

/// Key wrapping (RFC 3394, and RFC 5649 with its padding) with the standards' own initial values.
const WRAPS: [(&str, Shape); 6] = [
    ("aes-128-kw", wrap(c"AES-128-WRAP", 16)),
    ("aes-192-kw", wrap(c"AES-192-WRAP", 24)),
    ("aes-256-kw", wrap(c"AES-256-WRAP", 32)),
    ("aes-128-kwp", wrap(c"AES-128-WRAP-PAD", 16)),
    ("aes-192-kwp", wrap(c"AES-192-WRAP-PAD", 24)),
    ("aes-256-kwp", wrap(c"AES-256-WRAP-PAD", 32)),
];

const AEADS: [(&str, Shape); 15] = [
    ("aes-128-gcm", aead(c"AES-128-GCM", 16)),
    ("aes-192-gcm", aead(c"AES-192-GCM", 24)),
    ("aes-256-gcm", aead(c"AES-256-GCM", 32)),
    ("aes-128-ccm", ccm(c"AES-128-CCM", 16)),
    ("aes-192-ccm", ccm(c"AES-192-CCM", 24)),
    ("aes-256-ccm", ccm(c"AES-256-CCM", 32)),
    ("aes-128-ocb", aead(c"AES-128-OCB", 16)),
    ("aes-192-ocb", aead(c"AES-192-OCB", 24)),
    ("aes-256-ocb", aead(c"AES-256-OCB", 32)),
    ("aes-128-gcm-siv", siv(c"AES-128-GCM-SIV", 16)),
    ("aes-192-gcm-siv", siv(c"AES-192-GCM-SIV", 24)),
    ("aes-256-gcm-siv", siv(c"AES-256-GCM-SIV", 32)),
    ("chacha20-poly1305", aead(c"ChaCha20-Poly1305", 32)),
    ("sm4-gcm", aead(c"SM4-GCM", 16)),
    ("sm4-ccm", ccm(c"SM4-CCM", 16)),
];

pub(super) fn register(engine: &mut Engine, lib: Libcrypto) {
    use Direction::{Decrypt, Encrypt};
    for (name, shape) in CIPHERS {
        let iv = move |input: &Item| match shape.iv_len {
            0 => Ok(Vec::new()),
            _ => field(input, "iv"),
        };
        both_ways(engine, lib, name, ["encrypt", "decrypt"], shape, iv);
    }
    for (name, shape) in WRAPS {
        both_ways(engine, lib, name, ["wrap", "unwrap"], shape, |_| {
            Ok(Vec::new())
        });
    }
    // OpenSSL's nonce of ChaCha20 begins with the counter.
    let counted = |input: &Item| Ok([vec![0; 4], field(input, "nonce")?].concat());
    let chacha20 = plain(c"ChaCha20", 32, 16);
    both_ways(
        engine,
        lib,
        "chacha20",
        ["encrypt", "decrypt"],
        chacha20,
        counted,
    );

    for (name, shape) in AEADS {
        if !Cipher::exists(lib, shape.name) {
            continue;
        }
        engine.single(&format!("{name}/seal"), move |_, input| {
            let buffers = Buffers::new(&field(input, "message")?, ROOM);
            let nonce_and_aad = [field(input, "nonce")?, field(input, "aad")?];
            let cipher = Cipher::new(lib, shape, Encrypt, &field(input, "key")?)?;
            Ok(op::filling(
                (cipher, nonce_and_aad, buffers, [0; TAG_LEN]),
                |(cipher, [nonce, aad], buffers, tag)| {
                    let (message, out) = buffers.parts();
                    cipher.seal(nonce, aad, message, out, tag)
                },
                |(_, _, buffers, tag)| {
                    let len = buffers.message().len();
                    item([("ciphertext", &buffers.out()[..len]), ("tag", tag)])
                },
            ))
        });
        engine.single(&format!("{name}/open"), move |_, input| {
            let buffers = Buffers::new(&field(input, "ciphertext")?, ROOM);
            let nonce_and_aad = [field(input, "nonce")?, field(input, "aad")?];
            let tag = field(input, "tag")?;
            let tag: [u8; TAG_LEN] = tag.try_into().map_err(|_| "tag has to have 16 bytes")?;
            let cipher = Cipher::new(lib, shape, Decrypt, &field(input, "key")?)?;
            Ok(op::filling(
                (cipher, nonce_and_aad, buffers, tag),
                |(cipher, [nonce, aad], buffers, tag)| {
                    let (ciphertext, out) = buffers.parts();
                    cipher.open(nonce, aad, ciphertext, out, tag)
                },
                |(_, _, buffers, _)| {
                    let len = buffers.message().len();
                    item([("message", &buffers.out()[..len])])
                },
            ))
        });
    }
}

/// Encryption and decryption, where the library has the cipher.
fn both_ways(
    engine: &mut Engine,
    lib: Libcrypto,
    name: &str,
    operations: [&str; 2],
    shape: Shape,
    iv: impl Fn(&Item) -> Result<Vec<u8>, String> + Copy + 'static,
) {
    if !Cipher::exists(lib, shape.name) {
        return;
    }
    let ways = [
        (Direction::Encrypt, "message", "ciphertext"),
        (Direction::Decrypt, "ciphertext", "message"),
    ];
    for (operation, (direction, from, to)) in operations.into_iter().zip(ways) {
        engine.single(&format!("{name}/{operation}"), move |_, input| {
            let cipher = Cipher::new(lib, shape, direction, &field(input, "key")?)?;
            let buffers = Buffers::new(&field(input, from)?, ROOM);
            Ok(op::filling(
                (cipher, iv(input)?, buffers, 0),
                |(cipher, iv, buffers, len)| {
                    let (data, out) = buffers.parts();
                    *len = cipher.run(iv, data, out)?;
                    Ok(())
                },
                move |(_, _, buffers, len)| item([(to, &buffers.out()[..*len])]),
            ))
        });
    }
}
