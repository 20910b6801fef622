//! Keys, and what makes them consistent.

use crate::{MAX_BITS, MIN_BITS, MIN_VERIFY_BITS};
use adamant_base::ct::Choice;
use adamant_base::{Error, Rng, SecretVec};
use adamant_bignum::{Modulus, Number, hazmat::Backend, limbs};
use adamant_hash::Sha256;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// Limbs of the longest public exponent: FIPS 186-5 wants it below 2^256.
pub(crate) const EXPONENT_LIMBS: usize = 4;

/// Why a key was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The encoding, and at which byte.
    Encoding(adamant_der::Error),
    /// The modulus has this many bits: too few, or too many.
    ModulusBits(usize),
    /// The modulus is even.
    EvenModulus,
    /// The public exponent is even, below 3, or not below 2^256 or the modulus.
    PublicExponent,
    /// A prime is even, 1, or has too few bits.
    Prime,
    /// p q is not the modulus.
    PrimesDoNotMatch,
    /// The private exponent does not invert the public one.
    PrivateExponent,
    /// An exponent of the two halves does not invert the public one.
    CrtExponent,
    /// The coefficient does not invert q modulo p.
    CrtCoefficient,
}

impl From<adamant_der::Error> for KeyError {
    fn from(error: adamant_der::Error) -> Self {
        KeyError::Encoding(error)
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyError::Encoding(error) => error.fmt(f),
            KeyError::ModulusBits(bits) => write!(f, "a modulus of {bits} bits"),
            KeyError::EvenModulus => f.write_str("the modulus is even"),
            KeyError::PublicExponent => f.write_str("the public exponent is out of range"),
            KeyError::Prime => f.write_str("a prime factor is out of range"),
            KeyError::PrimesDoNotMatch => f.write_str("the primes do not multiply to the modulus"),
            KeyError::PrivateExponent => {
                f.write_str("the private exponent does not invert the public one")
            }
            KeyError::CrtExponent => {
                f.write_str("an exponent modulo p - 1 or q - 1 does not invert the public one")
            }
            KeyError::CrtCoefficient => f.write_str("the coefficient does not invert q modulo p"),
        }
    }
}

impl core::error::Error for KeyError {}

impl From<KeyError> for Error {
    /// The primitives' one error for it, where the reason is not wanted.
    fn from(_: KeyError) -> Self {
        Error::BadPrivateKey
    }
}

/// A public key: the modulus n and the exponent e.
///
/// ```
/// use adamant_rsa::{KeyError, PublicKey};
/// assert_eq!(PublicKey::new(&[0xff; 64], &[3]).err(), Some(KeyError::ModulusBits(512)));
/// let key = PublicKey::new(&[0xff; 256], &[1, 0, 1]).unwrap();
/// assert_eq!((key.bits(), key.size()), (2048, 256));
/// ```
#[derive(Clone)]
pub struct PublicKey {
    pub(crate) n: Modulus,
    pub(crate) e: [u64; EXPONENT_LIMBS],
    pub(crate) backend: Backend,
}

impl PublicKey {
    /// The key of a modulus and an exponent in big-endian bytes.
    ///
    /// # Errors
    /// [`KeyError::ModulusBits`], [`KeyError::EvenModulus`], [`KeyError::PublicExponent`].
    pub fn new(n: &[u8], e: &[u8]) -> Result<Self, KeyError> {
        let (n, e) = (without_zeros(n), without_zeros(e));
        let bits = 8 * n.len() - n.first().map_or(0, |top| top.leading_zeros() as usize);
        if !(MIN_VERIFY_BITS..=MAX_BITS).contains(&bits) {
            return Err(KeyError::ModulusBits(bits));
        }
        let n = Number::from_be_bytes(n, bits.div_ceil(64)).ok_or(KeyError::ModulusBits(bits))?;
        let mut exponent = [0; EXPONENT_LIMBS];
        let fits = limbs::from_be_bytes(e, &mut exponent).declassify();
        if !fits || exponent[0] & 1 == 0 || limbs::bits_vartime(&exponent) < 2 {
            return Err(KeyError::PublicExponent);
        }
        Ok(PublicKey {
            n: Modulus::new(&n).ok_or(KeyError::EvenModulus)?,
            e: exponent,
            backend: Backend::best(),
        })
    }

    /// Bits of the modulus.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.n.bits()
    }

    /// Bytes of the modulus, and so of a signature or a ciphertext.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n.bits().div_ceil(8)
    }

    /// The modulus in [`PublicKey::size`] big-endian bytes.
    #[must_use]
    pub fn n(&self) -> Vec<u8> {
        bytes(self.n.limbs(), self.size())
    }

    /// The exponent in big-endian bytes without leading zeros.
    #[must_use]
    pub fn e(&self) -> Vec<u8> {
        bytes(&self.e, limbs::bits_vartime(&self.e).div_ceil(8))
    }

    /// The key on another implementation.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// The exponent without limbs that are zero.
    pub(crate) fn exponent(&self) -> &[u64] {
        &self.e[..limbs::bits_vartime(&self.e).div_ceil(64)]
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.n.limbs() == other.n.limbs() && self.e == other.e
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rsa::PublicKey({} bits)", self.bits())
    }
}

/// The numbers of a private key, in big-endian bytes (RFC 8017, 3.2): dP = d mod p - 1,
/// dQ = d mod q - 1, qInv = 1/q mod p.
#[derive(Clone, Copy)]
#[allow(missing_docs)] // The standard's names.
pub struct Components<'a> {
    pub n: &'a [u8],
    pub e: &'a [u8],
    pub d: &'a [u8],
    pub p: &'a [u8],
    pub q: &'a [u8],
    pub d_p: &'a [u8],
    pub d_q: &'a [u8],
    pub q_inv: &'a [u8],
}

/// A private key with its two primes.
#[derive(Clone)]
pub struct PrivateKey {
    pub(crate) inner: Box<Inner>,
}

#[derive(Clone)]
pub(crate) struct Inner {
    pub(crate) public: PublicKey,
    /// As long as the modulus.
    pub(crate) d: Number,
    pub(crate) p: Modulus,
    pub(crate) q: Modulus,
    pub(crate) d_p: Number,
    pub(crate) d_q: Number,
    pub(crate) q_inv: Number,
}

impl PrivateKey {
    /// The key of these numbers, if they belong together. Whether the primes are prime is not
    /// looked into: a key with others gives no signatures, and fails [`PrivateKey::check_pair`].
    ///
    /// # Errors
    /// The fault, as [`KeyError`] names it.
    pub fn from_components(components: Components<'_>) -> Result<Self, KeyError> {
        let Components { n, e, .. } = components;
        let public = PublicKey::new(n, e)?;
        if public.bits() < MIN_BITS {
            return Err(KeyError::ModulusBits(public.bits()));
        }
        let (p, q) = (prime(components.p)?, prime(components.q)?);
        if !is_product(&public.n, &p, &q).declassify() {
            return Err(KeyError::PrimesDoNotMatch);
        }
        let read = |bytes, len, error| Number::from_be_bytes(bytes, len).ok_or(error);
        let d = read(components.d, public.n.len(), KeyError::PrivateExponent)?;
        let d_p = read(components.d_p, p.len(), KeyError::CrtExponent)?;
        let d_q = read(components.d_q, q.len(), KeyError::CrtExponent)?;
        let q_inv = read(components.q_inv, p.len(), KeyError::CrtCoefficient)?;
        // Whether a key is accepted is public, and so is the reason.
        let inverts = inverts(&d, &public, &p).and(inverts(&d, &public, &q));
        if !inverts.and(limbs::less(&d, public.n.limbs())).declassify() {
            return Err(KeyError::PrivateExponent);
        }
        let in_range = limbs::less(&d_p, p.limbs()).and(limbs::less(&d_q, q.limbs()));
        let inverts = self::inverts(&d_p, &public, &p).and(self::inverts(&d_q, &public, &q));
        if !in_range.and(inverts).declassify() {
            return Err(KeyError::CrtExponent);
        }
        let one = p.multiply_plain(&p.reduce(q.limbs()), &q_inv);
        let in_range = limbs::less(&q_inv, p.limbs());
        if !in_range.and(limbs::equal(&one, &[1])).declassify() {
            return Err(KeyError::CrtCoefficient);
        }
        let inner = Box::new(Inner {
            public,
            d,
            p,
            q,
            d_p,
            d_q,
            q_inv,
        });
        Ok(PrivateKey { inner })
    }

    /// The public key: a copy, with what its arithmetic needs, so that nothing is computed anew.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.public().clone()
    }

    /// The public key where it is.
    pub(crate) fn public(&self) -> &PublicKey {
        &self.inner.public
    }

    /// The pair-wise consistency test (FIPS 140-3, implementation guidance, 10.3.A): signs a
    /// message, and the public key has to confirm it.
    ///
    /// ```
    /// # let der = include_bytes!("../testdata/rsa2048.der");
    /// let key = adamant_rsa::PrivateKey::from_pkcs1_der(der)?;
    /// assert!(key.check_pair().is_ok());
    /// # Ok::<(), adamant_rsa::KeyError>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] where the halves do not fit, as with primes that are none.
    pub fn check_pair(&self) -> Result<(), Error> {
        /// Blinds with a factor that all know: nobody chose the message.
        struct Known;
        impl Rng for Known {
            fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
                out.fill(0x55);
                Ok(())
            }
        }
        // No signature is given out that the public key does not confirm.
        let signature = self.sign_pkcs1::<Sha256>(b"pair-wise consistency", &mut Known);
        signature.map(drop)
    }

    /// The key on another implementation, and with it the public key that it gives out.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.inner.public.backend = backend;
        self
    }
}

/// A factor of the modulus, in as many limbs as it needs.
fn prime(bytes: &[u8]) -> Result<Modulus, KeyError> {
    let bytes = without_zeros(bytes);
    let number = Number::from_be_bytes(bytes, bytes.len().div_ceil(8)).ok_or(KeyError::Prime)?;
    match Modulus::new(&number) {
        // A factor of less would be found in no time; blinding wants p and q above 2^128.
        Some(p) if p.bits() >= 256 => Ok(p),
        _ => Err(KeyError::Prime),
    }
}

/// Whether `p q = n`.
fn is_product(n: &Modulus, p: &Modulus, q: &Modulus) -> Choice {
    if p.len() + q.len() > n.len() + 1 {
        return Choice::FALSE;
    }
    let mut product = Number::zero(p.len() + q.len());
    Backend::best().mul(&mut product, p.limbs(), q.limbs());
    limbs::equal(&product, n.limbs())
}

/// Whether `d e = 1` modulo `p - 1`.
fn inverts(d: &[u64], public: &PublicKey, p: &Modulus) -> Choice {
    let mut order = Number::from_limbs(p.limbs());
    limbs::sub(&mut order, &[1]);
    let mut product = SecretVec::<u64>::zeros(d.len() + EXPONENT_LIMBS);
    Backend::best().mul(&mut product, d, &public.e);
    let mut rest = Number::zero(order.len());
    limbs::remainder(&product, &order, &mut rest);
    limbs::equal(&rest, &[1])
}

/// Big-endian bytes without the zeros in front.
fn without_zeros(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    &bytes[zeros..]
}

/// The number in `len` big-endian bytes.
pub(crate) fn bytes(limbs: &[u64], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    limbs::to_be_bytes(limbs, &mut out);
    out
}

/// A signature or a ciphertext, which is public, in the bytes of the key's modulus.
pub(crate) fn public_bytes(limbs: &[u64], key: &PublicKey) -> Vec<u8> {
    let mut out = vec![0; key.size()];
    write_public(limbs, &mut out);
    out
}

/// As [`public_bytes`], to this place.
pub(crate) fn write_public(limbs: &[u64], out: &mut [u8]) {
    limbs::to_be_bytes(limbs, out);
    adamant_base::ct::mark_public(out);
}
