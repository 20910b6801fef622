//! The groups edwards25519 and ristretto255, and the scalars of both. All of it is determined.
//!
//! Scalars are below 2^252, which is below the order of the groups.

use adamant::ec::ed25519::PrivateKey;
use adamant_engine::Item;
use hex_literal::hex;

use super::{Kind, Stream};

const EDWARDS: &str = "edwards25519";
const RISTRETTO: &str = "ristretto255";
const SCALARS: &str = "scalar25519";

/// The base point of ristretto255, twice and three times that (RFC 9496, A.1).
const MULTIPLES: [[u8; 32]; 3] = [
    hex!("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"),
    hex!("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"),
    hex!("94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259"),
];

/// Whether an operation works on all items of a batch, whatever its name ends in.
pub(super) fn is_sum(operation: &str) -> bool {
    ["msm", "msm-vartime"].contains(&operation)
}

pub(super) fn kind(algorithm: &str, operation: &str) -> Option<Kind> {
    fields(algorithm, operation).map(|_| Kind::Same)
}

pub(super) fn lengths(algorithm: &str, operation: &str) -> Option<&'static [usize]> {
    fields(algorithm, operation).map(|_| &[0][..])
}

pub(super) fn input(algorithm: &str, operation: &str, stream: &mut Stream) -> Option<Item> {
    let value = |name: &str, stream: &mut Stream| match name {
        "point" => point(algorithm, stream),
        "other" if algorithm != SCALARS => point(algorithm, stream),
        _ => scalar(stream),
    };
    let mut item = Item::new();
    for name in fields(algorithm, operation)? {
        item.insert((*name).to_owned(), value(name, stream));
    }
    Some(item)
}

fn fields(algorithm: &str, operation: &str) -> Option<&'static [&'static str]> {
    Some(match (algorithm, operation) {
        (SCALARS, "mul" | "add") => &["scalar", "other"],
        (SCALARS, "invert") => &["scalar"],
        (EDWARDS | RISTRETTO, operation) => match operation {
            "mul-base" => &["scalar"],
            "mul" => &["scalar", "point"],
            "double-base-vartime" => &["scalar", "point", "base_scalar"],
            "add" => &["point", "other"],
            "double" | "compress" | "decompress" => &["point"],
            _ if is_sum(operation) => &["scalar", "point"],
            _ => return None,
        },
        _ => return None,
    })
}

fn scalar(stream: &mut Stream) -> Vec<u8> {
    let mut scalar = stream.bytes(32);
    scalar[31] &= 0x0f;
    scalar
}

fn point(algorithm: &str, stream: &mut Stream) -> Vec<u8> {
    let bytes = stream.bytes(32);
    if algorithm == RISTRETTO {
        return MULTIPLES[usize::from(bytes[0]) % MULTIPLES.len()].to_vec();
    }
    let mut seed = [0; 32];
    seed.copy_from_slice(&bytes);
    PrivateKey::from_seed(&seed)
        .public_key()
        .to_bytes()
        .to_vec()
}
