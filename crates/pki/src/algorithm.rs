//! The algorithms that CA and subscriber keys can have, by name.

use std::fmt;
use std::str::FromStr;

use adamant::x509::{KeyAlgorithm, SignatureAlgorithm};

use crate::Error;

/// An algorithm for CA and subscriber keys: a row of one table.
///
/// ```
/// use adamant_pki::Algorithm;
/// let p256: Algorithm = "p256".parse()?;
/// assert_eq!(p256.name(), "ecdsa-p256");
/// assert_eq!(Algorithm::all().next(), Some(p256));
/// # Ok::<(), adamant_pki::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Algorithm(&'static Row);

struct Row {
    name: &'static str,
    aliases: &'static [&'static str],
    key: KeyAlgorithm,
    signature: SignatureAlgorithm,
}

static ROWS: &[Row] = &[
    Row {
        name: "ecdsa-p256",
        aliases: &["p256", "p-256", "prime256v1", "secp256r1"],
        key: KeyAlgorithm::P256,
        signature: SignatureAlgorithm::EcdsaWithSha256,
    },
    Row {
        name: "ed25519",
        aliases: &["eddsa-ed25519"],
        key: KeyAlgorithm::Ed25519,
        signature: SignatureAlgorithm::Ed25519,
    },
];

/// The names, without aliases.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name)
}

impl Algorithm {
    /// Every algorithm.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        ROWS.iter().map(Algorithm)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What the keys are.
    #[must_use]
    pub fn key(self) -> KeyAlgorithm {
        self.0.key
    }

    /// What the keys sign with.
    #[must_use]
    pub fn signature(self) -> SignatureAlgorithm {
        self.0.signature
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let matches = |known: &&str| known.eq_ignore_ascii_case(name);
        let row = ROWS
            .iter()
            .find(|row| matches(&row.name) || row.aliases.iter().any(matches));
        row.map(Algorithm)
            .ok_or_else(|| Error::UnknownAlgorithm(name.to_owned()))
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Algorithm {}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
