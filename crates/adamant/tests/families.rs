//! The table of the families, with which the documentation of the crate opens, is the catalog's.

use adamant::catalog::{ALGORITHMS, Family};
use std::fmt::Write;

/// What the table says of a family: its title, and where it is.
const FAMILIES: [(Family, &str, &str); 12] = [
    (Family::Hash, "Hashes", "[`hash`]"),
    (
        Family::Mac,
        "Message authentication",
        "[`hash`], [`cipher`]",
    ),
    (Family::Kdf, "Key derivation, passwords", "[`hash`]"),
    (Family::Aead, "Authenticated encryption", "[`cipher`]"),
    (
        Family::Cipher,
        "Ciphers and modes without authentication",
        "[`cipher`]",
    ),
    (Family::Signature, "Signatures", "[`ec`], [`pq`], [`rsa`]"),
    (Family::KeyAgreement, "Key agreement", "[`ec`], [`dh`]"),
    (Family::Kem, "Key encapsulation", "[`pq`], [`hybrid`]"),
    (Family::Group, "Groups", "[`ec`]"),
    (
        Family::Arithmetic,
        "Arithmetic",
        "[`bignum`](hazmat::bignum)",
    ),
    (Family::Generator, "Random generators", "[`rand`]"),
    (Family::Format, "Formats", "[`x509`], [`der`]"),
];

#[test]
fn the_table_is_the_catalogs() {
    let mut table = String::from("| Family | In | Algorithms |\n|---|---|---|\n");
    for (family, title, place) in FAMILIES {
        let names = ALGORITHMS.iter().filter(|a| a.family == family);
        let names: Vec<_> = names.map(|a| format!("`{}`", a.name)).collect();
        assert!(!names.is_empty(), "{title}");
        writeln!(table, "| {title} | {place} | {} |", names.join(", ")).unwrap();
    }
    let listed = ALGORITHMS
        .iter()
        .all(|a| FAMILIES.iter().any(|(family, ..)| a.family == *family));
    assert!(listed, "a family is not in the table");

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/families.md");
    if std::env::var_os("ADAMANT_WRITE").is_some() {
        std::fs::write(path, &table).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == table,
        "src/families.md is not the catalog's: ADAMANT_WRITE=1 cargo test --workspace --test families writes it"
    );
}
