//! The families of operations: the catalog's, in the words of a page.

use adamant::catalog;

/// The families by the catalog's names.
const TITLES: &[(&str, &str)] = &[
    ("hash", "Hashes"),
    ("mac", "Message authentication"),
    ("kdf", "Key derivation"),
    ("cipher", "Ciphers"),
    ("aead", "Authenticated encryption"),
    ("signature", "Signatures"),
    ("key-agreement", "Key agreement"),
    ("kem", "Key encapsulation"),
    ("encryption", "Public-key encryption"),
    ("group", "Group arithmetic"),
    ("arithmetic", "Big integers"),
    ("generator", "Random bytes"),
    ("format", "Formats"),
];

/// What is in none of them.
const OTHER: &str = "Other operations";

/// What operations do whose keys serve another family too: their part after the slash begins so.
const OWN_VERBS: &[(&str, &str)] = &[
    ("encrypt-oaep", "encryption"),
    ("decrypt-oaep", "encryption"),
];

/// The same for algorithms that the catalog does not have.
const VERBS: &[(&str, &str)] = &[
    ("encrypt", "cipher"),
    ("decrypt", "cipher"),
    ("wrap", "cipher"),
    ("unwrap", "cipher"),
    ("seal", "aead"),
    ("open", "aead"),
    ("digest", "hash"),
    ("mac", "mac"),
    ("sign", "signature"),
    ("verify", "signature"),
    ("encapsulate", "kem"),
    ("decapsulate", "kem"),
    ("derive", "key-agreement"),
    ("mul", "group"),
];

/// Every title, in the order of a page.
pub(super) fn titles() -> impl Iterator<Item = &'static str> {
    TITLES.iter().map(|(_, title)| *title).chain([OTHER])
}

/// The title of an operation's family.
pub(super) fn family(op: &str) -> &'static str {
    let (algorithm, verb) = op.split_once('/').unwrap_or((op, ""));
    let among = |verbs: &[(&str, &'static str)]| {
        let known = verbs.iter().find(|(start, _)| verb.starts_with(start));
        known.map(|(_, name)| *name)
    };
    let of_algorithm = || catalog::find(algorithm).map(|known| known.family.name());
    let name = among(OWN_VERBS)
        .or_else(of_algorithm)
        .or_else(|| among(VERBS))
        .unwrap_or_default();
    let known = TITLES.iter().find(|(known, _)| *known == name);
    known.map_or(OTHER, |(_, title)| title)
}

/// Whether speed is told in bytes a second: the operation goes through a message.
pub(super) fn streams(op: &str) -> bool {
    let verb = op.split_once('/').map_or("", |(_, verb)| verb);
    let verb = verb.trim_end_matches("_batch");
    ["digest", "mac", "encrypt", "decrypt", "seal", "open"].contains(&verb)
        && !matches!(family(op), "Public-key encryption" | "Signatures")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_families() {
        for (op, title) in [
            ("sha256/digest", "Hashes"),
            ("ed25519/sign", "Signatures"),
            ("no-such-aead/seal", "Authenticated encryption"),
            ("rsa-2048/encrypt-oaep", "Public-key encryption"),
            ("strange", OTHER),
        ] {
            assert_eq!(family(op), title, "{op}");
        }
        assert!(titles().any(|title| title == OTHER));
    }

    #[test]
    fn messages_stream() {
        assert!(streams("sha256/digest_batch") && streams("hmac-sha256/mac"));
        assert!(!streams("ed25519/sign") && !streams("hkdf-sha256/derive"));
    }
}
