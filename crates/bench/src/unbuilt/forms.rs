//! What an item of an operation's inputs holds besides keys, by `forms.txt`.

use std::sync::LazyLock;

use adamant::ec::ed25519::PrivateKey;
use adamant_engine::Item;
use adamant_tool::select::matches;
use hex_literal::hex;

use super::{Keys, Stream};

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Form {
    algorithms: &'static str,
    operations: &'static str,
    fields: &'static str,
    pub(super) lengths: Vec<usize>,
    pub(super) keys: Keys,
}

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let rows = include_str!("forms.txt").lines();
    let rows = rows.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows = rows.map(|line| match line.split('|').collect::<Vec<_>>()[..] {
        [algorithms, operations, fields, lengths, keys] => Form {
            algorithms,
            operations,
            fields,
            lengths: lengths.split_whitespace().flat_map(str::parse).collect(),
            keys: match keys.trim() {
                "pair" => Keys::Pair,
                "peers" => Keys::Peers,
                "point" => Keys::Point,
                _ => Keys::Stream,
            },
        },
        _ => unreachable!("{line} in forms.txt"),
    });
    rows.collect()
});

/// The lengths of key and block.
const CIPHERS: [(&str, usize, usize); 12] = [
    ("aes-128", 16, 16),
    ("aes-192", 24, 16),
    ("aes-256", 32, 16),
    ("aria-128", 16, 16),
    ("aria-192", 24, 16),
    ("aria-256", 32, 16),
    ("camellia-128", 16, 16),
    ("camellia-192", 24, 16),
    ("camellia-256", 32, 16),
    ("sm4", 16, 16),
    ("des", 8, 8),
    ("3des", 24, 8),
];

/// Curves, and the bytes of their scalars: those of the list of the schemes, and SM2's.
macro_rules! curves {
    (
        curves { $({ $feature:tt $curve:ident $module:ident $words:literal $bytes:literal
            $($_c:tt)* })* }
        $($_groups:tt)*
    ) => {
        const CURVES: &[(&str, usize)] = &[$((stringify!($module), $bytes),)* ("sm2", 32)];
    };
}
adamant::base::schemes!(curves);

/// The base point of ristretto255, twice and three times that (RFC 9496, A.1).
const MULTIPLES: [[u8; 32]; 3] = [
    hex!("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"),
    hex!("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"),
    hex!("94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259"),
];

impl Form {
    /// The row that fits a name.
    pub(super) fn of(algorithm: &str, operation: &str) -> Option<&'static Form> {
        FORMS.iter().find(|form| {
            form.operations
                .split_whitespace()
                .any(|known| known == operation)
                && form.input(algorithm, &mut Stream::new(""), 64).is_some()
        })
    }

    /// An item; `None` where the algorithm does not fit.
    pub(super) fn input(&self, algorithm: &str, stream: &mut Stream, bytes: usize) -> Option<Item> {
        let mut patterns = self.algorithms.split_whitespace();
        let (key, block) = patterns.find_map(|pattern| match pattern.split_once('C') {
            Some((before, after)) => {
                let name = algorithm.strip_prefix(before)?.strip_suffix(after)?;
                let (_, key, block) = CIPHERS.iter().find(|(known, ..)| *known == name)?;
                Some((*key, *block))
            }
            None => matches(pattern, algorithm).then_some((0, 0)),
        })?;
        let mut item = Item::new();
        for field in self.fields.split_whitespace() {
            let (name, of) = field.split_once(['=', ':']).unwrap_or((field, "m"));
            let value = match of {
                "m" => stream.bytes(bytes),
                "k" => stream.bytes(key),
                "2k" => stream.bytes(2 * key),
                "b" => stream.bytes(block),
                "n" => stream.bytes(of_number(algorithm)?),
                // Below 2^252, which is below the order of the groups.
                "s" => masked(stream.bytes(32), 31, 0x0f),
                "p" => point(algorithm, stream),
                // Below the order of every curve, whatever the stream says: p521 has seven idle
                // bits in its first byte, the others fill theirs.
                "v" => {
                    let (_, len) = CURVES.iter().find(|(name, _)| *name == algorithm)?;
                    masked(masked(stream.bytes(*len), 0, 0), 1, 0)
                }
                number if field.contains(':') => number.parse::<u32>().ok()?.to_be_bytes().to_vec(),
                len => stream.bytes(len.parse().ok()?),
            };
            // Labels are text: some libraries end them at a zero.
            let value = match name {
                "label" => value.into_iter().map(|byte| b'a' + byte % 26).collect(),
                _ => value,
            };
            item.insert(name.to_owned(), value);
        }
        Some(item)
    }
}

/// The bytes of a large number.
fn of_number(algorithm: &str) -> Option<usize> {
    let bits: usize = algorithm.strip_prefix("bignum-")?.parse().ok()?;
    (bits.is_multiple_of(8) && bits <= 1 << 16).then_some(bits / 8)
}

fn masked(mut bytes: Vec<u8>, place: usize, mask: u8) -> Vec<u8> {
    bytes[place] &= mask;
    bytes
}

fn point(group: &str, stream: &mut Stream) -> Vec<u8> {
    let bytes = stream.bytes(32);
    if group == "ristretto255" {
        return MULTIPLES[usize::from(bytes[0]) % MULTIPLES.len()].to_vec();
    }
    let mut seed = [0; 32];
    seed.copy_from_slice(&bytes);
    let key = PrivateKey::from_seed(&seed).public_key();
    key.to_bytes().to_vec()
}

/// The operations that make keys, best first: ECDH, ECDSA and the bare curve have the same.
pub(super) fn keygens(algorithm: &str) -> Vec<String> {
    let curve = algorithm
        .strip_prefix("ecdh-")
        .or(algorithm.strip_prefix("ecdsa-"));
    let is_curve = CURVES.iter().any(|(name, _)| *name == algorithm);
    match curve.or(is_curve.then_some(algorithm)) {
        Some(curve) => ["ecdh-", "ecdsa-", ""]
            .map(|kind| format!("{kind}{curve}/keygen"))
            .into(),
        None => vec![format!("{algorithm}/keygen")],
    }
}
