//! Keys as PKCS#1 encodes them (RFC 8017, A.1), in DER.

use crate::key::bytes;
use crate::{Components, KeyError, PrivateKey, PublicKey, SecretBytes};
use adamant_bignum::{MAX_LIMBS, Modulus};
use adamant_der::{Error, ErrorKind, Writer, parse};
use alloc::vec::Vec;

/// Bytes of the longest INTEGER of a key, with the octet of its sign.
const LONGEST: usize = 8 * MAX_LIMBS + 1;

impl PublicKey {
    /// Reads an `RSAPublicKey`.
    ///
    /// # Errors
    /// [`KeyError::Encoding`], or as for [`PublicKey::new`].
    pub fn from_pkcs1_der(der: &[u8]) -> Result<Self, KeyError> {
        let (n, e) = parse(der, |r| {
            r.sequence(|r| Ok((r.unsigned_bounded(LONGEST)?, r.unsigned_bounded(LONGEST)?)))
        })?;
        Self::new(n, e)
    }

    /// The `RSAPublicKey`.
    #[must_use]
    pub fn to_pkcs1_der(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.sequence(|w| {
            w.integer_unsigned(&self.n());
            w.integer_unsigned(&self.e());
        });
        w.finish()
    }
}

impl PrivateKey {
    /// Reads an `RSAPrivateKey` with two primes.
    ///
    /// # Errors
    /// [`KeyError::Encoding`], or as for [`PrivateKey::from_components`].
    pub fn from_pkcs1_der(der: &[u8]) -> Result<Self, KeyError> {
        let components = parse(der, |r| {
            r.sequence(|r| {
                if r.u8()? != 0 {
                    let kind = ErrorKind::UnexpectedValue("a key of more than two primes");
                    return Err(Error::new(kind, 0));
                }
                let mut next = || r.unsigned_bounded(LONGEST);
                Ok(Components {
                    n: next()?,
                    e: next()?,
                    d: next()?,
                    p: next()?,
                    q: next()?,
                    d_p: next()?,
                    d_q: next()?,
                    q_inv: next()?,
                })
            })
        })?;
        Self::from_components(components)
    }

    /// The `RSAPrivateKey`.
    #[must_use]
    pub fn to_pkcs1_der(&self) -> SecretBytes {
        let key = &*self.inner;
        // Room for all, so that no copy is left behind: 4.5 times the modulus, and the headers.
        let mut w = Writer::with_capacity(5 * key.public.size() + 128);
        let of = |m: &Modulus| SecretBytes::from(bytes(m.limbs(), 8 * m.len()));
        let number = |n: &[u64]| SecretBytes::from(bytes(n, 8 * n.len()));
        let numbers = [
            of(&key.public.n),
            number(&key.public.e),
            number(&key.d),
            of(&key.p),
            of(&key.q),
            number(&key.d_p),
            number(&key.d_q),
            number(&key.q_inv),
        ];
        w.sequence(|w| {
            w.integer_u64(0);
            for number in &numbers {
                w.integer_unsigned(number);
            }
        });
        w.finish().into()
    }
}
