//! The form of each kind of keys in SubjectPublicKeyInfo and PKCS #8.

use alloc::vec::Vec;

use adamant_base::{Error as CryptoError, Rng, Secret, SecretBytes, Wipe};
use adamant_der::{Tag, Tlv, Writer};

use super::PrivateKeyInfo;
use crate::element::within;
use crate::{ErrorKind, Result};

/// A kind of keys.
pub(super) trait Kind {
    type Private;
    type Public;

    /// A new key.
    fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError>;
    /// The key in the octets of a BIT STRING.
    fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError>;
    /// These octets.
    fn public_octets(key: &Self::Public) -> Vec<u8>;
    fn public_of(key: &Self::Private) -> Self::Public;
    /// The key in its PKCS #8 structure.
    fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private>;
    /// The contents of the OCTET STRING in PKCS #8.
    fn write_private(key: &Self::Private) -> SecretBytes;
    /// Whether these octets stand for this public key too.
    fn is_public(key: &Self::Public, octets: &[u8]) -> Result<bool, CryptoError> {
        Ok(Self::public_octets(key) == octets)
    }
}

/// CurvePrivateKey (RFC 8410, section 7): an OCTET STRING within that of PKCS #8.
fn curve_private_key<T>(
    info: &PrivateKeyInfo<'_>,
    read: impl FnOnce(&[u8]) -> Option<T>,
) -> Result<T> {
    within(info.key, |r| {
        let octets = r.enter(Tag::OCTET_STRING)?;
        let bad = ErrorKind::Crypto(CryptoError::BadPrivateKey).at(octets.position());
        read(octets.rest()).ok_or(bad)
    })
}

fn octet_string(octets: &[u8]) -> SecretBytes {
    let mut w = Writer::with_capacity(octets.len() + 8);
    w.octet_string(octets);
    w.finish().into()
}

/// Keys of RFC 8410: the seeds and scalars are all keys of their length. Public keys of small order
/// are refused: under such a key, one signature fits every message.
macro_rules! rfc8410 {
    ($feature:tt $kind:ident $module:ident $from:ident $to:ident $($weak:ident)?) => {
        #[cfg(feature = $feature)]
        pub(super) struct $kind;

        #[cfg(feature = $feature)]
        impl Kind for $kind {
            type Private = adamant_ec::$module::PrivateKey;
            type Public = adamant_ec::$module::PublicKey;

            fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
                Self::Private::generate(rng)
            }
            fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
                let key = Self::Public::try_from(octets).map_err(|_| CryptoError::BadPublicKey)?;
                $(if key.$weak() {
                    return Err(CryptoError::BadPublicKey);
                })?
                Ok(key)
            }
            fn public_octets(key: &Self::Public) -> Vec<u8> {
                key.to_bytes().to_vec()
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.public_key()
            }
            fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
                curve_private_key(info, |octets| Some(Self::Private::$from(octets.try_into().ok()?)))
            }
            fn write_private(key: &Self::Private) -> SecretBytes {
                octet_string(&*key.$to())
            }
        }
    };
}

/// Octets, and where they are.
type Octets<'a> = (&'a [u8], usize);

/// The private keys of ML-DSA (RFC 9881, section 6) and ML-KEM (RFC 9935, section 6): a CHOICE of
/// the seed, the expanded key, and both in a row.
enum Lattice<'a> {
    Seed(Octets<'a>),
    Expanded(Octets<'a>),
    Both(Octets<'a>, Octets<'a>),
}

impl<'a> Lattice<'a> {
    /// The key, and whether nothing follows it, which counts if the key is good.
    fn read(info: &PrivateKeyInfo<'a>) -> Result<(Self, Result<()>)> {
        let mut r = info.key;
        let octets = |tlv: Tlv<'a>| (tlv.value, tlv.value_position());
        if let Some(tlv) = r.optional(Tag::context(0))? {
            return Ok((Self::Seed(octets(tlv)), r.finish().map_err(Into::into)));
        }
        if let Some(tlv) = r.optional(Tag::OCTET_STRING)? {
            return Ok((Self::Expanded(octets(tlv)), r.finish().map_err(Into::into)));
        }
        let mut inner = r.enter(Tag::SEQUENCE)?;
        let seed = octets(inner.read(Tag::OCTET_STRING)?);
        let expanded = octets(inner.read(Tag::OCTET_STRING)?);
        let end = inner.finish().and_then(|()| r.finish());
        Ok((Self::Both(seed, expanded), end.map_err(Into::into)))
    }
}

fn read_lattice<const SEED: usize, T, B: AsRef<[u8]> + Wipe>(
    info: &PrivateKeyInfo<'_>,
    from_seed: impl Fn(&[u8; SEED]) -> T,
    from_expanded: impl Fn(&[u8]) -> Result<T, CryptoError>,
    expanded_of: impl Fn(&T) -> Secret<B>,
) -> Result<T> {
    let bad = |position| move |error| ErrorKind::Crypto(error).at(position);
    let (form, end) = Lattice::read(info)?;
    let key = match form {
        Lattice::Seed((octets, at)) | Lattice::Both((octets, at), _) => {
            let seed = octets.try_into().map_err(|_| CryptoError::BadPrivateKey);
            from_seed(seed.map_err(bad(at))?)
        }
        Lattice::Expanded((octets, at)) => from_expanded(octets).map_err(bad(at))?,
    };
    // The seed decides; an expanded key that is not its own is refused.
    if let Lattice::Both(_, (expanded, at)) = form
        && !adamant_base::ct::eq((*expanded_of(&key)).as_ref(), expanded).declassify()
    {
        return Err(ErrorKind::KeyMismatch.at(at));
    }
    end?;
    Ok(key)
}

/// The seed where there is one, the expanded key otherwise.
fn write_lattice(seed: Option<&[u8]>, expanded: &[u8]) -> SecretBytes {
    let mut w = Writer::with_capacity(expanded.len() + 8);
    match seed {
        Some(seed) => w.nested(Tag::context(0), |w| w.raw(seed)),
        None => w.octet_string(expanded),
    }
    w.finish().into()
}

macro_rules! lattice {
    ($feature:tt $kind:ident $module:ident $private:ident $public:ident $of:ident) => {
        #[cfg(feature = $feature)]
        pub(super) struct $kind;

        #[cfg(feature = $feature)]
        impl Kind for $kind {
            type Private = adamant_pq::$module::$private;
            type Public = adamant_pq::$module::$public;

            fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
                Self::Private::generate(rng)
            }
            fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
                Self::Public::try_from(octets)
            }
            fn public_octets(key: &Self::Public) -> Vec<u8> {
                key.to_bytes().to_vec()
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.$of()
            }
            fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
                read_lattice(
                    info,
                    Self::Private::from_seed,
                    |octets| octets.try_into(),
                    Self::Private::to_bytes,
                )
            }
            fn write_private(key: &Self::Private) -> SecretBytes {
                let seed = key.seed();
                write_lattice(seed.as_deref().map(|seed| &seed[..]), &*key.to_bytes())
            }
        }
    };
}

/// Keys whose octets are not wrapped: of SLH-DSA (RFC 9909, sections 4 and 6), and of X-Wing, of
/// whose private key it is the seed (draft-connolly-cfrg-xwing-kem, "Use in X.509 Public Key
/// Infrastructure").
macro_rules! plain {
    ($feature:tt $kind:ident $private:ty, $public:ty, $of:ident, $read:expr) => {
        #[cfg(feature = $feature)]
        pub(super) struct $kind;

        #[cfg(feature = $feature)]
        impl Kind for $kind {
            type Private = $private;
            type Public = $public;

            fn generate(rng: &mut impl Rng) -> Result<Self::Private, CryptoError> {
                Self::Private::generate(rng)
            }
            fn read_public(octets: &[u8]) -> Result<Self::Public, CryptoError> {
                Self::Public::try_from(octets)
            }
            fn public_octets(key: &Self::Public) -> Vec<u8> {
                key.to_bytes().to_vec()
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.$of()
            }
            fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
                let key = $read(info.private_key);
                key.map_err(|error| ErrorKind::Crypto(error).at(info.key.position()))
            }
            fn write_private(key: &Self::Private) -> SecretBytes {
                key.to_bytes().to_vec().into()
            }
        }
    };
}

/// The kind of a scheme that signs, by the feature that brings it.
macro_rules! signs {
    ("ml-dsa" $kind:ident $module:ident) => {
        lattice! { "ml-dsa" $kind $module PrivateKey PublicKey public_key }
    };
    ("slh-dsa" $kind:ident $module:ident) => {
        plain! {
            "slh-dsa" $kind adamant_pq::$module::PrivateKey, adamant_pq::$module::PublicKey,
            public_key, adamant_pq::$module::PrivateKey::try_from
        }
    };
    ($curve:tt $kind:ident $module:ident) => {
        rfc8410! { $curve $kind $module from_seed seed has_small_order }
    };
}

/// The kind of a scheme that encapsulates.
macro_rules! encapsulates {
    ("ml-kem" $kind:ident $module:ident) => {
        lattice! { "ml-kem" $kind $module DecapsulationKey EncapsulationKey encapsulation_key }
    };
    ("hybrid" $kind:ident $module:ident) => {
        plain! {
            "hybrid" $kind
            adamant_hybrid::$module::DecapsulationKey, adamant_hybrid::$module::EncapsulationKey,
            encapsulation_key,
            |octets| {
                let key = adamant_hybrid::$module::DecapsulationKey::try_from(octets);
                key.map_err(|_| CryptoError::BadPrivateKey)
            }
        }
    };
}

/// The rows, of the list of the schemes.
macro_rules! rows {
    (
        curves { $($_curves:tt)* }
        signatures { $({ $sf:tt $signs:ident $_sc:ident $sm:ident $($_s:tt)* })* }
        agreements { $({ $af:tt $agrees:ident $_ac:ident $am:ident $($_a:tt)* })* }
        kems { $({ $kf:tt $kem:ident $_kc:ident $km:ident $($_k:tt)* })* }
    ) => {
        $(signs! { $sf $signs $sm })*
        $(rfc8410! { $af $agrees $am from_bytes to_bytes })*
        $(encapsulates! { $kf $kem $km })*
    };
}
adamant_base::schemes!(rows);
