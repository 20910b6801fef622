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
    /// Bits of the modulus, of RSA.
    bits: usize,
}

const fn row(
    name: &'static str,
    aliases: &'static [&'static str],
    key: KeyAlgorithm,
    signature: SignatureAlgorithm,
) -> Row {
    Row {
        name,
        aliases,
        key,
        signature,
        bits: 0,
    }
}

const fn rsa(name: &'static str, aliases: &'static [&'static str], bits: usize) -> Row {
    Row {
        bits,
        ..row(
            name,
            aliases,
            KeyAlgorithm::Rsa,
            SignatureAlgorithm::RsaSha256,
        )
    }
}

/// The rows: the curves, of the list of the schemes, and what CAs want of the others.
macro_rules! rows {
    (
        curves { $({ $feature:tt $curve:ident $module:ident $words:literal $bytes:literal $name:literal
            $oid:literal $signature:ident $standard:literal [$($other:literal)*] })* }
        $($_groups:tt)*
    ) => {
static ROWS: &[Row] = {
    use {KeyAlgorithm as Key, SignatureAlgorithm as Signature};
    &[
        $(row(
            concat!("ecdsa-", stringify!($module)),
            &[stringify!($module), $name $(, $other)*],
            Key::$curve,
            Signature::$signature,
        ),)*
        row(
            "ed25519",
            &["eddsa-ed25519"],
            Key::Ed25519,
            Signature::Ed25519,
        ),
        row("ed448", &["eddsa-ed448"], Key::Ed448, Signature::Ed448),
        row(
            "ml-dsa-44",
            &["mldsa44", "ml-dsa44"],
            Key::MlDsa44,
            Signature::MlDsa44,
        ),
        row(
            "ml-dsa-65",
            &["mldsa65", "ml-dsa65"],
            Key::MlDsa65,
            Signature::MlDsa65,
        ),
        row(
            "ml-dsa-87",
            &["mldsa87", "ml-dsa87"],
            Key::MlDsa87,
            Signature::MlDsa87,
        ),
        rsa("rsa-2048", &["rsa2048"], 2048),
        rsa("rsa-3072", &["rsa3072"], 3072),
        rsa("rsa-4096", &["rsa4096"], 4096),
        row(
            "sm2",
            &["sm2-sm3", "sm2p256v1"],
            Key::Sm2,
            Signature::Sm2WithSm3,
        ),
        row(
            "slh-dsa-sha2-128s",
            &["slhdsa-sha2-128s"],
            Key::SlhDsaSha2_128s,
            Signature::SlhDsaSha2_128s,
        ),
        row(
            "slh-dsa-sha2-128f",
            &["slhdsa-sha2-128f"],
            Key::SlhDsaSha2_128f,
            Signature::SlhDsaSha2_128f,
        ),
        row(
            "slh-dsa-shake-128s",
            &["slhdsa-shake-128s"],
            Key::SlhDsaShake128s,
            Signature::SlhDsaShake128s,
        ),
        row(
            "slh-dsa-shake-128f",
            &["slhdsa-shake-128f"],
            Key::SlhDsaShake128f,
            Signature::SlhDsaShake128f,
        ),
    ]
};
    };
}
adamant::base::schemes!(rows);

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

    /// The kind of keys.
    #[must_use]
    pub fn key(self) -> KeyAlgorithm {
        self.0.key
    }

    /// Bits of the keys' modulus, where they are RSA's.
    #[must_use]
    pub fn modulus_bits(self) -> Option<usize> {
        (self.0.bits > 0).then_some(self.0.bits)
    }

    /// The scheme that the keys sign with.
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
