//! What works with pairs of keys, made by the engines themselves: signatures, encapsulation,
//! encryption, agreement, and the arithmetic of curves.

use adamant_engine::{Item, op::item};

use super::{Keys, Kind, Stream};

/// An operation, the one that undoes or verifies it, and the field that has to come back.
pub(super) const FORWARD: [(&str, &str, &str); 6] = [
    ("sign", "verify", "valid"),
    ("sign-pkcs1", "verify-pkcs1", "valid"),
    ("sign-pss", "verify-pss", "valid"),
    ("encapsulate", "decapsulate", "shared_secret"),
    ("encrypt-oaep", "decrypt-oaep", "message"),
    ("encrypt", "decrypt", "message"),
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

/// Whether signing twice gives the same.
fn is_deterministic(algorithm: &str, operation: &str) -> bool {
    ["ed25519", "ed448"].contains(&algorithm) || operation == "sign-pkcs1"
}

pub(super) fn kind(algorithm: &str, operation: &str) -> Option<(Kind, Keys)> {
    let (forward, inverse, field) = match operation {
        "keygen" => return Some((Kind::Keygen, Keys::Stream)),
        "derive" | "derive-encoded" => return Some((Kind::Same, Keys::Peers)),
        "mul-base" => return scalar(algorithm).map(|_| (Kind::Same, Keys::Stream)),
        "mul" => return scalar(algorithm).map(|_| (Kind::Same, Keys::Point)),
        "verify-encoded" => ("sign", "verify-encoded", "valid"),
        "encapsulate-encoded" => ("encapsulate-encoded", "decapsulate", "shared_secret"),
        "decapsulate-encoded" => ("encapsulate", "decapsulate-encoded", "shared_secret"),
        _ => *FORWARD
            .iter()
            .find(|(forward, inverse, _)| [*forward, *inverse].contains(&operation))?,
    };
    let kind = if operation == inverse {
        Kind::Inverse { forward, field }
    } else if is_deterministic(algorithm, operation) {
        Kind::Same
    } else {
        Kind::Random { inverse }
    };
    Some((kind, Keys::Pair))
}

pub(super) fn lengths(operation: &str) -> &'static [usize] {
    match operation {
        "keygen" | "mul" | "mul-base" | "decapsulate" | "decapsulate-encoded" => &[0],
        _ if operation.starts_with("derive") || operation.starts_with("encapsulate") => &[0],
        _ => &[32],
    }
}

pub(super) fn input(algorithm: &str, operation: &str, stream: &mut Stream, bytes: usize) -> Item {
    match operation {
        "mul" | "mul-base" => {
            let mut scalar = stream.bytes(scalar(algorithm).unwrap_or_default());
            // Below the order of every curve, whatever the stream says: p521 has seven idle bits
            // in its first byte, the others fill theirs.
            scalar.iter_mut().take(2).for_each(|byte| *byte = 0);
            item([("scalar", &scalar)])
        }
        _ if lengths(operation) == [0] => Item::new(),
        _ => item([("message", &stream.bytes(bytes))]),
    }
}

fn scalar(curve: &str) -> Option<usize> {
    let found = CURVES.iter().find(|(name, _)| *name == curve);
    found.map(|(_, len)| *len)
}

/// The operations that make keys: ECDH, ECDSA and the bare curve have the same.
pub(super) fn keygens(algorithm: &str) -> Vec<String> {
    let curve = ["ecdh-", "ecdsa-"]
        .iter()
        .find_map(|kind| algorithm.strip_prefix(kind));
    let curve = curve.or_else(|| scalar(algorithm).map(|_| algorithm));
    match curve {
        Some(curve) => ["ecdh", "ecdsa"]
            .map(|kind| format!("{kind}-{curve}/keygen"))
            .into_iter()
            .chain([format!("{curve}/keygen")])
            .collect(),
        None => vec![format!("{algorithm}/keygen")],
    }
}
