//! What each kind of keys is in SubjectPublicKeyInfo and PKCS #8.

use alloc::vec::Vec;

use adamant_base::{Error as CryptoError, Rng, Secret, SecretBytes, Wipe};
use adamant_der::{Tag, Tlv, Writer};

use super::PrivateKeyInfo;
#[cfg(feature = "hybrid")]
pub(super) use super::x_wing::XWing;
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
    /// What is in the OCTET STRING of PKCS #8.
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
    ($($feature:tt $kind:ident $module:ident $from:ident $to:ident $($weak:ident)?;)*) => { $(
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
    )* };
}

rfc8410! {
    "curve25519" Ed25519 ed25519 from_seed seed has_small_order;
    "curve25519" X25519 x25519 from_bytes to_bytes;
    "curve448" Ed448 ed448 from_seed seed has_small_order;
    "curve448" X448 x448 from_bytes to_bytes;
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

macro_rules! lattices {
    ($($feature:tt $kind:ident $module:ident $private:ident $public:ident $of:ident;)*) => { $(
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
    )* };
}

lattices! {
    "ml-dsa" MlDsa44 ml_dsa_44 PrivateKey PublicKey public_key;
    "ml-dsa" MlDsa65 ml_dsa_65 PrivateKey PublicKey public_key;
    "ml-dsa" MlDsa87 ml_dsa_87 PrivateKey PublicKey public_key;
    "ml-kem" MlKem512 ml_kem_512 DecapsulationKey EncapsulationKey encapsulation_key;
    "ml-kem" MlKem768 ml_kem_768 DecapsulationKey EncapsulationKey encapsulation_key;
    "ml-kem" MlKem1024 ml_kem_1024 DecapsulationKey EncapsulationKey encapsulation_key;
}

/// The keys of SLH-DSA, whose octets are not wrapped (RFC 9909, sections 4 and 6).
macro_rules! slh_dsa {
    ($($kind:ident $module:ident;)*) => { $(
        #[cfg(feature = "slh-dsa")]
        pub(super) struct $kind;

        #[cfg(feature = "slh-dsa")]
        impl Kind for $kind {
            type Private = adamant_pq::$module::PrivateKey;
            type Public = adamant_pq::$module::PublicKey;

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
                key.public_key()
            }
            fn read_private(info: &PrivateKeyInfo<'_>) -> Result<Self::Private> {
                Self::Private::try_from(info.private_key)
                    .map_err(|error| ErrorKind::Crypto(error).at(info.key.position()))
            }
            fn write_private(key: &Self::Private) -> SecretBytes {
                key.to_bytes().to_vec().into()
            }
        }
    )* };
}

slh_dsa! {
    SlhDsaSha2_128s slh_dsa_sha2_128s;
    SlhDsaSha2_128f slh_dsa_sha2_128f;
    SlhDsaSha2_192s slh_dsa_sha2_192s;
    SlhDsaSha2_192f slh_dsa_sha2_192f;
    SlhDsaSha2_256s slh_dsa_sha2_256s;
    SlhDsaSha2_256f slh_dsa_sha2_256f;
    SlhDsaShake128s slh_dsa_shake_128s;
    SlhDsaShake128f slh_dsa_shake_128f;
    SlhDsaShake192s slh_dsa_shake_192s;
    SlhDsaShake192f slh_dsa_shake_192f;
    SlhDsaShake256s slh_dsa_shake_256s;
    SlhDsaShake256f slh_dsa_shake_256f;
}
