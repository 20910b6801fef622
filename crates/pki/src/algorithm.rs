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

/// The rows: those of the list of the schemes, RSA of three lengths, and SM2.
macro_rules! rows {
    (
        curves { $({ $cf:tt $curve:ident $module:ident $words:literal $bytes:literal $name:literal
            $oid:literal $signature:ident $standard:literal [$($other:literal)*] })* }
        signatures { $({ $sf:tt $signs:ident $sc:ident $sm:ident $command:literal $($_s:tt)* })* }
        $($_groups:tt)*
    ) => {
static ROWS: &[Row] = {
    use {KeyAlgorithm as Key, SignatureAlgorithm as Signature};
    const fn rsa(name: &'static str, bits: usize) -> Row {
        Row {
            bits,
            ..row(name, &[], Key::Rsa, Signature::RsaSha256)
        }
    }
    &[
        $(row(
            concat!("ecdsa-", stringify!($module)),
            &[$name $(, $other)*],
            Key::$curve,
            Signature::$signature,
        ),)*
        $(row($command, &[], Key::$signs, Signature::$signs),)*
        rsa("rsa-2048", 2048),
        rsa("rsa-3072", 3072),
        rsa("rsa-4096", 4096),
        row("sm2", &["sm2-sm3", "sm2p256v1"], Key::Sm2, Signature::Sm2WithSm3),
    ]
};
    };
}
adamant::hazmat::base::schemes!(rows);

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

    /// The algorithm of this name, in capitals or not, with hyphens or without.
    fn from_str(name: &str) -> Result<Self, Error> {
        let plain = |name: &str| name.replace('-', "").to_ascii_lowercase();
        // Some say EdDSA before the curve, as all say ECDSA.
        let asked = plain(name).replace("eddsaed", "ed");
        let matches = |known: &&str| plain(known) == asked;
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
