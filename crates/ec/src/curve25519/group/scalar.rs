//! What users call of the arithmetic modulo the order of the base point.

use super::super::scalar::{Scalar, words};
use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Rng, Secret, Wipe};
use alloc::vec::Vec;
use core::fmt;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

adamant_base::try_from_slice!(Scalar);

impl Scalar {
    /// Reads 32 bytes, least significant first; `try_from` reads them in a slice.
    ///
    /// # Errors
    /// [`Error::BadParameter`] unless the value is below l. Only that is told of a secret.
    ///
    /// ```
    /// # use adamant_ec::curve25519::Scalar;
    /// assert!(Scalar::from_bytes(&[7; 32]).is_ok());
    /// assert!(Scalar::from_bytes(&[0xff; 32]).is_err());
    /// assert!(Scalar::try_from(&[7; 31][..]).is_err());
    /// ```
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        let words = words(bytes);
        // Public: the caller learns it from the error.
        if Scalar::is_canonical(&words).declassify() {
            Ok(Scalar::from_words(words))
        } else {
            Err(Error::BadParameter("scalar"))
        }
    }

    /// The value of 32 bytes, least significant first, mod l: for the scalars of X25519 and
    /// Ed25519, which are clamped rather than reduced. Bytes that are to be uniform mod l take 64
    /// ([`Scalar::from_wide_bytes`]).
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn from_bytes_mod_order(bytes: &[u8; 32]) -> Self {
        Scalar::reduce(bytes)
    }

    /// The value of 64 bytes, least significant first, mod l: uniform for uniform bytes.
    ///
    /// ```
    /// # use adamant_ec::curve25519::Scalar;
    /// let mut bytes = [0; 64];
    /// bytes[32] = 1;
    /// let mut square = [0; 32];
    /// square[16] = 1;
    /// let root = Scalar::from_bytes(&square).unwrap();
    /// assert_eq!(Scalar::from_wide_bytes(&bytes), root * root);
    /// ```
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn from_wide_bytes(bytes: &[u8; 64]) -> Self {
        Scalar::reduce_wide(bytes)
    }

    /// A uniform scalar.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn random(rng: &mut impl Rng) -> Result<Self, Error> {
        let mut bytes = Secret::new([0; 64]);
        rng.fill(&mut *bytes)?;
        Ok(Scalar::reduce_wide(&bytes))
    }

    /// The clamped scalar of 32 bytes (RFC 7748, section 5): a multiple of 8 from 2^254 on, below
    /// 2^255. It is not reduced, as no point of the whole curve may tell the difference, and so it
    /// is no [`Scalar`]: [`super::MontgomeryPoint::mul_clamped`] takes it.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn clamp(mut bytes: [u8; 32]) -> [u8; 32] {
        bytes[0] &= 248;
        bytes[31] &= 127;
        bytes[31] |= 64;
        bytes
    }

    /// Whether the value is zero.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn is_zero(&self) -> Choice {
        Choice::eq_u64(self.words().iter().fold(0, |all, word| all | word), 0)
    }

    /// Whether the values are equal.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn equals(&self, other: &Self) -> Choice {
        (*self - *other).is_zero()
    }

    /// Replaces each scalar by its inverse, and 0 by 0, with one inversion for all (Montgomery's
    /// trick). Constant time, for as many scalars.
    ///
    /// ```
    /// # use adamant_ec::curve25519::Scalar;
    /// let mut scalars = [Scalar::from(2), Scalar::ZERO, Scalar::from(3)];
    /// Scalar::invert_batch(&mut scalars);
    /// assert_eq!(scalars[0] * Scalar::from(2), Scalar::ONE);
    /// assert_eq!(scalars[1], Scalar::ZERO);
    /// assert_eq!(scalars[2], Scalar::from(3).invert());
    /// ```
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn invert_batch(scalars: &mut [Self]) {
        // products[i] = scalars[0] * ... * scalars[i - 1], with ones for zeros
        let mut products: Vec<Scalar> = Vec::with_capacity(scalars.len());
        let mut product = Scalar::ONE;
        for scalar in &*scalars {
            products.push(product);
            product *= scalar.or_one();
        }
        let mut inverse = product.invert();
        for (scalar, before) in scalars.iter_mut().zip(&products).rev() {
            let factor = scalar.or_one();
            let zero = scalar.is_zero();
            let words = *(inverse * *before).words();
            *scalar = Scalar::from_words(words.map(|word| zero.select_u64(0, word)));
            inverse *= factor;
        }
        Wipe::wipe_all(&mut products);
        product.wipe();
        inverse.wipe();
    }

    /// One for zero, else itself.
    #[cfg_attr(not(feature = "lab"), inline)]
    fn or_one(&self) -> Self {
        let mut words = *self.words();
        words[0] |= self.is_zero().bit();
        Scalar::from_words(words)
    }
}

impl From<u64> for Scalar {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn from(value: u64) -> Self {
        Scalar::from_words([value, 0, 0, 0])
    }
}

/// In constant time; the result is public.
impl PartialEq for Scalar {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn eq(&self, other: &Self) -> bool {
        ct::eq(&self.to_bytes(), &other.to_bytes()).declassify()
    }
}

impl Eq for Scalar {}

/// Says nothing of the value.
impl fmt::Debug for Scalar {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scalar")
    }
}

impl Neg for Scalar {
    type Output = Scalar;
    #[inline]
    fn neg(self) -> Scalar {
        self.minus()
    }
}

impl Add for Scalar {
    type Output = Scalar;
    #[inline]
    fn add(self, other: Scalar) -> Scalar {
        Scalar::add(self, other)
    }
}

impl Sub for Scalar {
    type Output = Scalar;
    #[inline]
    fn sub(self, other: Scalar) -> Scalar {
        Scalar::add(self, other.minus())
    }
}

impl Mul for Scalar {
    type Output = Scalar;
    #[inline]
    fn mul(self, other: Scalar) -> Scalar {
        Scalar::mul(&self, &other)
    }
}

macro_rules! assign {
    ($($trait:ident $function:ident $operator:tt;)+) => { $(
        impl $trait for Scalar {
            #[inline]
            fn $function(&mut self, other: Scalar) {
                *self = *self $operator other;
            }
        }
    )+ };
}
assign! {
    AddAssign add_assign +;
    SubAssign sub_assign -;
    MulAssign mul_assign *;
}

impl Sum for Scalar {
    fn sum<I: Iterator<Item = Scalar>>(scalars: I) -> Scalar {
        scalars.fold(Scalar::ZERO, |sum, scalar| sum + scalar)
    }
}

impl Product for Scalar {
    fn product<I: Iterator<Item = Scalar>>(scalars: I) -> Scalar {
        scalars.fold(Scalar::ONE, |product, scalar| product * scalar)
    }
}
