//! Algorithm identifiers (RFC 5280, 4.1.1.2) and the signature algorithms.
//!
//! Of every algorithm in the tables here the parameters are checked wherever its identifier is
//! read, also of those that are only known by name. Other algorithms may have any parameters.

#[cfg(feature = "small")]
mod packed;
mod pss;

use adamant_der::{Oid, Reader, Tag, Tlv, Writer, oid};

use crate::element::{is_oid, within};
use crate::{Element, ErrorKind, Result};

#[cfg(feature = "small")]
use packed::rule;
pub(crate) use pss::Pss;

/// `id-ecPublicKey` (RFC 5480, 2.1.1).
pub const EC_PUBLIC_KEY: Oid = oid!("1.2.840.10045.2.1");
/// `id-X25519` (RFC 8410, 3).
pub const X25519: Oid = oid!("1.3.101.110");
/// `id-Ed25519` (RFC 8410, 3).
pub const ED25519: Oid = oid!("1.3.101.112");
/// `id-X448` (RFC 8410, 3).
pub const X448: Oid = oid!("1.3.101.111");
/// `id-Ed448` (RFC 8410, 3).
pub const ED448: Oid = oid!("1.3.101.113");
/// `id-sha256` (RFC 5754, 2).
pub const SHA256: Oid = oid!("2.16.840.1.101.3.4.2.1");

/// The rule for an algorithm's parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Absent,
    Null,
    NullOrAbsent,
    /// An object identifier, that of a curve.
    NamedCurve,
}

impl Rule {
    fn allows(self, parameters: Option<&[u8]>) -> bool {
        match (self, parameters) {
            (Self::Absent | Self::NullOrAbsent, None) => true,
            (Self::Null | Self::NullOrAbsent, Some(parameters)) => parameters == NULL,
            (Self::NamedCurve, Some(parameters)) => {
                adamant_der::parse(parameters, Reader::oid).is_ok()
            }
            _ => false,
        }
    }
}

/// Keys and hashes, and the signatures that are known only by name.
const KNOWN: &[(Oid, Rule)] = &[
    (EC_PUBLIC_KEY, Rule::NamedCurve),
    (oid!("1.2.840.113549.1.1.1"), Rule::Null),
    (oid!("1.2.840.113549.1.1.14"), Rule::NullOrAbsent),
    (X25519, Rule::Absent),
    (X448, Rule::Absent),
    (oid!("1.2.840.10045.4.1"), Rule::Absent),
    (oid!("2.16.840.1.101.3.4.4.1"), Rule::Absent),
    (oid!("2.16.840.1.101.3.4.4.2"), Rule::Absent),
    (oid!("2.16.840.1.101.3.4.4.3"), Rule::Absent),
    (SHA256, Rule::NullOrAbsent),
    (oid!("2.16.840.1.101.3.4.2.2"), Rule::NullOrAbsent),
    (oid!("2.16.840.1.101.3.4.2.3"), Rule::NullOrAbsent),
    (oid!("2.16.840.1.101.3.4.2.4"), Rule::NullOrAbsent),
    (oid!("1.3.14.3.2.26"), Rule::NullOrAbsent),
];

/// The rules of signature algorithms, in a place of their own: what is read most often.
static OF_SIGNATURES: [(Oid, Option<Rule>); SignatureAlgorithm::ALL.len()] = {
    let all = SignatureAlgorithm::ALL;
    let mut rules = [(pss::OID, None); SignatureAlgorithm::ALL.len()];
    let mut i = 0;
    while i < all.len() {
        rules[i] = (all[i].oid(), all[i].rule());
        i += 1;
    }
    rules
};

/// The identifiers of the signature algorithms in the same order, each with its parameters: the
/// first octet lowest, then zeros. Those that have more octets are zero.
static ENCODED: [u128; SignatureAlgorithm::ALL.len()] = {
    let all = SignatureAlgorithm::ALL;
    let mut encoded = [0; SignatureAlgorithm::ALL.len()];
    let mut i = 0;
    while i < all.len() {
        encoded[i] = all[i].encoded();
        i += 1;
    }
    encoded
};

/// The signature algorithm with this identifier, whose octets `rest` begins with, if it is short
/// and has the parameters that it is written with: one comparison for all that is read otherwise.
#[inline]
fn known(identifier: &Tlv<'_>, rest: &[u8]) -> Option<&'static Oid> {
    let octets = u128::from_le_bytes(*rest.first_chunk()?);
    let others = 128_usize.checked_sub(8 * identifier.raw.len())?;
    let octets = octets << others >> others;
    let found = ENCODED.iter().position(|&encoded| encoded == octets)?;
    Some(&OF_SIGNATURES[found].0)
}

/// The rule of the algorithm with these octets for an identifier.
#[cfg(not(feature = "small"))]
fn rule(octets: &[u8]) -> Option<Rule> {
    let signature = OF_SIGNATURES
        .iter()
        .find(|(known, _)| is_oid(octets, known.as_bytes()));
    match signature {
        Some((_, rule)) => *rule,
        None => KNOWN
            .iter()
            .find(|(known, _)| is_oid(octets, known.as_bytes()))
            .map(|(_, rule)| *rule),
    }
}

/// An algorithm and its parameters.
///
/// ```
/// use adamant_der::{Reader, oid};
/// use adamant_x509::{AlgorithmIdentifier, Element, ErrorKind};
///
/// let ed25519 = [0x30, 5, 0x06, 3, 0x2b, 0x65, 0x70];
/// let algorithm = AlgorithmIdentifier::read(&mut Reader::new(&ed25519))?;
/// assert_eq!((algorithm.oid, algorithm.parameters), (oid!("1.3.101.112"), None));
///
/// // Ed25519 with NULL for parameters (RFC 8410, 3: they are absent).
/// let null = [0x30, 7, 0x06, 3, 0x2b, 0x65, 0x70, 0x05, 0];
/// let error = AlgorithmIdentifier::read(&mut Reader::new(&null)).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::WrongParameters(oid!("1.3.101.112")));
/// assert_eq!(error.position(), 7);
/// # Ok::<(), adamant_x509::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmIdentifier<'a> {
    /// The algorithm.
    pub oid: Oid,
    /// The element that its parameters are.
    pub parameters: Option<&'a [u8]>,
    position: usize,
}

impl<'a> AlgorithmIdentifier<'a> {
    /// An algorithm with these parameters.
    pub const fn new(oid: Oid, parameters: Option<&'a [u8]>) -> Self {
        Self {
            oid,
            parameters,
            position: 0,
        }
    }

    /// Where it was read.
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Reads it, and tells its octets.
    #[inline]
    pub(crate) fn read_whole(r: &mut Reader<'a>) -> Result<(Self, &'a [u8])> {
        let rest = r.rest();
        let tlv = r.read_inline(Tag::SEQUENCE)?;
        let known = match cfg!(feature = "small") {
            true => None,
            false => known(&tlv, rest),
        };
        let identifier = match known {
            Some(oid) => {
                let parameters = tlv.value.get(2 + oid.as_bytes().len()..);
                Self {
                    oid: *oid,
                    parameters: parameters.filter(|element| !element.is_empty()),
                    position: tlv.position,
                }
            }
            None => Self::read_in(&tlv)?,
        };
        Ok((identifier, tlv.raw))
    }

    fn read_in(tlv: &Tlv<'a>) -> Result<Self> {
        within(tlv.reader()?, |r| {
            let identifier = r.read(Tag::OID)?;
            let oid = identifier.oid()?;
            let here = r.position();
            let parameters = if r.is_empty() {
                None
            } else {
                Some(r.read_any()?.raw)
            };
            if rule(identifier.value).is_some_and(|rule| !rule.allows(parameters)) {
                return Err(ErrorKind::WrongParameters(oid).at(here));
            }
            Ok(Self {
                oid,
                parameters,
                position: tlv.position,
            })
        })
    }

    /// The object identifier that its parameters are.
    pub(crate) fn parameters_oid(&self) -> Option<Oid> {
        adamant_der::parse(self.parameters?, Reader::oid).ok()
    }
}

impl PartialEq for AlgorithmIdentifier<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.oid, self.parameters) == (other.oid, other.parameters)
    }
}

impl<'a> Element<'a> for AlgorithmIdentifier<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Self::read_whole(r).map(|(identifier, _)| identifier)
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.oid(&self.oid);
            w.raw(self.parameters.unwrap_or_default());
        });
    }
}

/// The parameters of a row.
macro_rules! parameters {
    () => {
        None
    };
    ($parameters:expr) => {
        Some($parameters)
    };
}
pub(crate) use parameters;

pub(crate) const NULL: &[u8] = &[0x05, 0x00];

macro_rules! signature_algorithms {
    ($($variant:ident = $oid:literal $(($parameters:expr))?, $name:literal;)*) => {
        /// The signature algorithms that are implemented.
        ///
        /// Those of RSASSA-PSS (RFC 4055) have a mask of the same hash, and make signatures with a
        /// salt as long as the digest.
        ///
        /// ```
        /// use adamant_der::oid;
        /// use adamant_x509::SignatureAlgorithm;
        ///
        /// let algorithm = SignatureAlgorithm::EcdsaWithSha256;
        /// assert_eq!(algorithm.oid(), oid!("1.2.840.10045.4.3.2"));
        /// let identifier = algorithm.identifier();
        /// assert_eq!(SignatureAlgorithm::from_identifier(&identifier), Some(algorithm));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum SignatureAlgorithm {
            $(#[doc = concat!("`", $name, "`, ", $oid, ".")] $variant,)*
        }

        impl SignatureAlgorithm {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The object identifier.
            pub const fn oid(self) -> Oid {
                match self {
                    $(Self::$variant => const { oid!($oid) },)*
                }
            }

            /// The name in the standard.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The element that the parameters are.
            const fn parameters(self) -> Option<&'static [u8]> {
                match self {
                    $(Self::$variant => parameters!($($parameters)?),)*
                }
            }
        }
    };
}

/// The rows: RSA's, ECDSA's and SM2's, and those of the list of the schemes.
macro_rules! rows {
    (
        curves { $($_curves:tt)* }
        signatures { $({ $_f:tt $variant:ident $_c:ident $_m:ident $_command:literal $name:literal
            $oid:literal $($_s:tt)* })* }
        $($_groups:tt)*
    ) => {
        signature_algorithms! {
            RsaSha1 = "1.2.840.113549.1.1.5" (NULL), "sha1WithRSAEncryption";
            RsaSha256 = "1.2.840.113549.1.1.11" (NULL), "sha256WithRSAEncryption";
            RsaSha384 = "1.2.840.113549.1.1.12" (NULL), "sha384WithRSAEncryption";
            RsaSha512 = "1.2.840.113549.1.1.13" (NULL), "sha512WithRSAEncryption";
            RsaPssSha256 = "1.2.840.113549.1.1.10" (pss::SHA256), "RSASSA-PSS with SHA-256";
            RsaPssSha384 = "1.2.840.113549.1.1.10" (pss::SHA384), "RSASSA-PSS with SHA-384";
            RsaPssSha512 = "1.2.840.113549.1.1.10" (pss::SHA512), "RSASSA-PSS with SHA-512";
            EcdsaWithSha224 = "1.2.840.10045.4.3.1", "ecdsa-with-SHA224";
            EcdsaWithSha256 = "1.2.840.10045.4.3.2", "ecdsa-with-SHA256";
            EcdsaWithSha384 = "1.2.840.10045.4.3.3", "ecdsa-with-SHA384";
            EcdsaWithSha512 = "1.2.840.10045.4.3.4", "ecdsa-with-SHA512";
            Sm2WithSm3 = "1.2.156.10197.1.501", "SM2-with-SM3";
            $($variant = $oid, $name;)*
        }
    };
}
adamant_base::schemes!(rows);

impl SignatureAlgorithm {
    /// The rule for its parameters where they are few; those of PSS are read apart.
    const fn rule(self) -> Option<Rule> {
        match self.parameters() {
            None => Some(Rule::Absent),
            Some(NULL) => Some(Rule::NullOrAbsent),
            Some(_) => None,
        }
    }

    /// The octets of its identifier, the first lowest; zero where there are more than sixteen.
    const fn encoded(self) -> u128 {
        let oid = self.oid();
        let parts: [&[u8]; 3] = [
            &[0x30, 0, 0x06, oid.as_bytes().len() as u8],
            oid.as_bytes(),
            match self.parameters() {
                Some(parameters) => parameters,
                None => &[],
            },
        ];
        let len = parts[0].len() + parts[1].len() + parts[2].len();
        if len > 16 {
            return 0;
        }
        // The length of what follows it.
        let mut encoded = (len as u128 - 2) << 8;
        let (mut part, mut shift) = (0, 0);
        while part < parts.len() {
            let mut i = 0;
            while i < parts[part].len() {
                encoded |= (parts[part][i] as u128) << shift;
                shift += 8;
                i += 1;
            }
            part += 1;
        }
        encoded
    }

    /// The algorithm with this identifier; of RSASSA-PSS, whatever the length of the salt.
    pub fn from_identifier(identifier: &AlgorithmIdentifier<'_>) -> Option<Self> {
        let octets = identifier.oid.as_bytes();
        if is_oid(octets, pss::OID.as_bytes()) {
            return Pss::read(identifier).ok().map(|pss| pss.algorithm);
        }
        Self::ALL
            .iter()
            .copied()
            .find(|algorithm| is_oid(octets, algorithm.oid().as_bytes()))
    }

    /// The identifier.
    pub const fn identifier(self) -> AlgorithmIdentifier<'static> {
        AlgorithmIdentifier::new(self.oid(), self.parameters())
    }

    /// Appends the identifier.
    pub fn write(self, w: &mut Writer) {
        self.identifier().write(w);
    }
}
