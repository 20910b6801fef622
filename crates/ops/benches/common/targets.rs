//! Which operations each target measures.

/// The targets and the patterns of their operations; the first pattern that fits counts.
pub(crate) const TARGETS: &[(&str, &[&str])] = &[
    ("hash", &["*/digest", "*/digest_batch"]),
    (
        "cipher",
        &[
            "*/encrypt",
            "*/encrypt_batch",
            "*/decrypt",
            "*/wrap",
            "*/unwrap",
        ],
    ),
    ("aead", &["*/seal", "*/open"]),
    ("mac", &["*/mac", "*/mac_batch"]),
    ("ecdsa", &["ecdsa-*"]),
    ("ecdh", &["ecdh-*"]),
    ("ed25519", &["ed25519/*"]),
    ("x25519", &["x25519/*"]),
    (
        "kem",
        &["ml-kem-*", "*mlkem768/*", "*mlkem1024/*", "x-wing/*"],
    ),
    ("ed448", &["ed448/*"]),
    ("x448", &["x448/*"]),
    ("ml_dsa", &["ml-dsa-*"]),
    ("slh_dsa", &["slh-dsa-*"]),
    ("x509", &["x509/*"]),
    ("pki", &["pki/*"]),
    ("dh", &["dh-*"]),
    ("rsa", &["rsa-*"]),
    ("sm2", &["sm2/*"]),
    ("bignum", &["bignum-*"]),
    ("field_arithmetic", &["field25519/*", "scalar25519/*"]),
    (
        "point_operations",
        &["*/mul", "*/mul-base", "edwards25519/*", "ristretto255/*"],
    ),
    // After key agreement, which derives too.
    ("kdf", &["*/derive", "*/derive_batch"]),
];
