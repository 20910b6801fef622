//! What needs no pair of keys: digests, codes, derivation, ciphers, large numbers. All of it is
//! determined.

use adamant_engine::Item;

use super::{Kind, Stream};

/// Lengths of messages: odd ones, but where a mode asks for whole blocks.
const ANY: &[usize] = &[61, 1024];
const BLOCKS: &[usize] = &[64, 1024];
/// The length of derived and of wrapped keys.
const DERIVED: &[usize] = &[32];

/// The associated data of an AEAD: as much as TLS 1.2 has.
const AAD: usize = 13;

const MODES: [&str; 6] = ["-ecb", "-cbc", "-ctr", "-cfb", "-ofb", "-xts"];

pub(super) fn kind(algorithm: &str, operation: &str) -> Option<Kind> {
    input(algorithm, operation, &mut Stream::new(""), 64)?;
    Some(match operation {
        "open" => Kind::Inverse {
            forward: "seal",
            field: "message",
        },
        "unwrap" => Kind::Inverse {
            forward: "wrap",
            field: "message",
        },
        _ => Kind::Same,
    })
}

pub(super) fn lengths(algorithm: &str, operation: &str) -> Option<&'static [usize]> {
    let whole_blocks = ["-ecb", "-cbc", "-cfb", "-xts"]
        .iter()
        .any(|mode| algorithm.ends_with(mode));
    Some(match operation {
        "digest" | "mac" | "seal" | "open" => ANY,
        "wrap" | "unwrap" => DERIVED,
        "add" | "mul" if bignum(algorithm).is_some() => &[0],
        "derive" => {
            input(algorithm, operation, &mut Stream::new(""), 0)?;
            DERIVED
        }
        "encrypt" | "decrypt" if whole_blocks => BLOCKS,
        "encrypt" | "decrypt" if cipher(algorithm).is_some() || algorithm == "chacha20" => ANY,
        _ => return None,
    })
}

pub(super) fn input(
    algorithm: &str,
    operation: &str,
    stream: &mut Stream,
    bytes: usize,
) -> Option<Item> {
    let fields: Vec<(&str, usize)> = match operation {
        "digest" => vec![("message", bytes)],
        "mac" => mac(algorithm, bytes)?,
        "derive" => return derive(algorithm, stream),
        "encrypt" => encrypt(algorithm, "message", bytes)?,
        "decrypt" => encrypt(algorithm, "ciphertext", bytes)?,
        "seal" | "open" => {
            let (key, nonce) = aead(algorithm)?;
            vec![
                ("key", key),
                ("nonce", nonce),
                ("aad", AAD),
                ("message", bytes),
            ]
        }
        "wrap" | "unwrap" => {
            let (cipher, "kw" | "kwp") = algorithm.rsplit_once('-')? else {
                return None;
            };
            let (key, _) = block_cipher(cipher)?;
            vec![("key", key), ("message", bytes)]
        }
        "add" | "mul" => {
            let len = bignum(algorithm)?;
            vec![("a", len), ("b", len)]
        }
        _ => return None,
    };
    let mut item = Item::new();
    for (name, len) in fields {
        item.insert(name.to_owned(), stream.bytes(len));
    }
    Some(item)
}

/// The lengths of key and block.
fn block_cipher(name: &str) -> Option<(usize, usize)> {
    Some(match name {
        "aes-128" | "aria-128" | "camellia-128" | "sm4" => (16, 16),
        "aes-192" | "aria-192" | "camellia-192" => (24, 16),
        "aes-256" | "aria-256" | "camellia-256" => (32, 16),
        "des" => (8, 8),
        "3des" => (24, 8),
        _ => return None,
    })
}

/// The bytes of a number.
fn bignum(algorithm: &str) -> Option<usize> {
    let bits: usize = algorithm.strip_prefix("bignum-")?.parse().ok()?;
    (bits.is_multiple_of(8) && bits <= 1 << 16).then_some(bits / 8)
}

/// The lengths of key and block of a cipher in a mode.
fn cipher(algorithm: &str) -> Option<(usize, usize)> {
    let name = MODES.iter().find_map(|mode| algorithm.strip_suffix(mode))?;
    let (key, block) = block_cipher(name)?;
    let keys = if algorithm.ends_with("-xts") { 2 } else { 1 };
    Some((keys * key, block))
}

fn encrypt(
    algorithm: &str,
    message: &'static str,
    bytes: usize,
) -> Option<Vec<(&'static str, usize)>> {
    if algorithm == "chacha20" {
        return Some(vec![("key", 32), ("nonce", 12), (message, bytes)]);
    }
    let (key, block) = cipher(algorithm)?;
    let mut fields = vec![("key", key), (message, bytes)];
    if !algorithm.ends_with("-ecb") {
        fields.push(("iv", block));
    }
    Some(fields)
}

/// The lengths of key and nonce.
fn aead(algorithm: &str) -> Option<(usize, usize)> {
    match algorithm {
        "chacha20-poly1305" => return Some((32, 12)),
        "xchacha20-poly1305" => return Some((32, 24)),
        "aegis-128l" => return Some((16, 16)),
        "aegis-256" => return Some((32, 32)),
        _ => {}
    }
    let modes = ["-gcm-siv", "-gcm", "-ccm", "-ocb", "-eax"];
    let name = modes.iter().find_map(|mode| algorithm.strip_suffix(mode))?;
    Some((block_cipher(name)?.0, 12))
}

fn mac(algorithm: &str, bytes: usize) -> Option<Vec<(&'static str, usize)>> {
    if let Some(name) = algorithm.strip_prefix("gmac-") {
        let key = block_cipher(name)?.0;
        return Some(vec![("key", key), ("nonce", 12), ("message", bytes)]);
    }
    let key = match algorithm.strip_prefix("cmac-") {
        Some(name) => block_cipher(name)?.0,
        None if algorithm.starts_with("siphash-") || algorithm == "ghash" => 16,
        None => 32,
    };
    Some(vec![("key", key), ("message", bytes)])
}

fn derive(algorithm: &str, stream: &mut Stream) -> Option<Item> {
    let numbers: &[(&str, u32)] = match algorithm {
        "scrypt" => &[("n", 1024), ("r", 8), ("p", 1)],
        "argon2id" | "argon2i" | "argon2d" => &[("memory", 1024), ("passes", 3), ("lanes", 1)],
        _ if algorithm.starts_with("pbkdf2-") => &[("iterations", 1000)],
        _ => &[],
    };
    let strings: &[(&str, usize)] = match algorithm.split('-').next()? {
        "scrypt" | "argon2id" | "argon2i" | "argon2d" | "pbkdf2" => {
            &[("password", 16), ("salt", 16)]
        }
        "hkdf" => &[("ikm", 32), ("salt", 32), ("info", 16)],
        "kbkdf" => &[("key", 32), ("label", 16), ("context", 16)],
        "x963" => &[("secret", 32), ("info", 16)],
        "tls12" => &[("secret", 48), ("label", 16), ("seed", 32)],
        _ => return None,
    };
    let mut item = Item::new();
    for &(name, len) in strings {
        let mut bytes = stream.bytes(len);
        // Labels are text: some libraries end them at a zero.
        if name == "label" {
            bytes.iter_mut().for_each(|byte| *byte = b'a' + *byte % 26);
        }
        item.insert(name.to_owned(), bytes);
    }
    for (name, number) in numbers {
        item.insert((*name).to_owned(), number.to_be_bytes().to_vec());
    }
    Some(item)
}
