//! SM2 ciphertexts and their three encodings.

use super::PublicKey;
use adamant_base::Error;
use adamant_der::{ErrorKind, Reader, Writer};
use alloc::vec::Vec;

/// A ciphertext: a point C1, a tag C3 and the encrypted message C2, of one byte or more.
///
/// ```
/// use adamant_ec::sm2::{Ciphertext, PrivateKey};
/// # struct Counter(u8);
/// # impl adamant_base::Rng for Counter {
/// #     fn fill(&mut self, out: &mut [u8]) -> Result<(), adamant_base::Error> {
/// #         out.fill_with(|| { self.0 = self.0.wrapping_add(1); self.0 });
/// #         Ok(())
/// #     }
/// # }
/// # let mut rng = Counter(0); // a real program takes a generator fit for keys
/// let key = PrivateKey::generate(&mut rng)?;
/// let ciphertext = key.public_key().encrypt(b"a message", &mut rng)?;
/// assert_eq!(ciphertext.to_bytes().len(), 65 + 32 + 9);
/// assert_eq!(Ciphertext::from_bytes(&ciphertext.to_bytes()), Ok(ciphertext.clone()));
/// assert_eq!(Ciphertext::from_c1c2c3(&ciphertext.to_c1c2c3()), Ok(ciphertext.clone()));
/// assert_eq!(Ciphertext::from_der(&ciphertext.to_der()), Ok(ciphertext));
/// # Ok::<(), adamant_base::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ciphertext {
    pub(super) point: PublicKey,
    pub(super) tag: [u8; 32],
    pub(super) message: Vec<u8>,
}

/// The bytes of C3.
const TAG: usize = 32;

impl Ciphertext {
    /// What is encrypted: the length of the message in bytes, at least 1.
    #[must_use]
    pub fn message_len(&self) -> usize {
        self.message.len()
    }

    fn new(point: &[u8], tag: &[u8], message: &[u8]) -> Result<Self, Error> {
        let point = PublicKey::from_sec1(point)?;
        let &tag = tag.try_into().map_err(|_| Error::BadTag)?;
        if message.is_empty() {
            return Err(Error::BadTag);
        }
        Ok(Ciphertext {
            point,
            tag,
            message: message.to_vec(),
        })
    }

    /// C1 ‖ C3 ‖ C2, the order of GB/T 32918.4. C1 may be compressed.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] where C1 is not a point, [`Error::BadTag`] where something is missing
    /// after it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (point, rest) = split_point(bytes)?;
        let (tag, message) = rest.split_at_checked(TAG).ok_or(Error::BadTag)?;
        Self::new(point, tag, message)
    }

    /// C1 ‖ C2 ‖ C3, the order that was in use before the standard.
    ///
    /// # Errors
    /// As [`Ciphertext::from_bytes`].
    pub fn from_c1c2c3(bytes: &[u8]) -> Result<Self, Error> {
        let (point, rest) = split_point(bytes)?;
        let end = rest.len().checked_sub(TAG).ok_or(Error::BadTag)?;
        let (message, tag) = rest.split_at(end);
        Self::new(point, tag, message)
    }

    /// The ASN.1 form of GM/T 0009, 7.2, only in DER:
    /// `SEQUENCE { x INTEGER, y INTEGER, C3 OCTET STRING, C2 OCTET STRING }`.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] where x and y are not of a point, [`Error::BadTag`] for anything
    /// else but the one encoding.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        let mut point = [4; 65];
        let (_, coordinates) = point.split_at_mut(1);
        let coordinate = |r: &mut Reader<'_>, to: &mut [u8]| {
            let magnitude = r.unsigned()?;
            let zeros = to.len().checked_sub(magnitude.len());
            let zeros = zeros.ok_or(r.error(ErrorKind::IntegerTooLong))?;
            to[..zeros].fill(0);
            to[zeros..].copy_from_slice(magnitude);
            Ok(())
        };
        let parts = adamant_der::parse(der, |r| {
            r.sequence(|r| {
                let (x, y) = coordinates.split_at_mut(32);
                coordinate(r, x)?;
                coordinate(r, y)?;
                Ok((r.octet_string()?, r.octet_string()?))
            })
        });
        let (tag, message) = parts.map_err(|_| Error::BadTag)?;
        Self::new(&point, tag, message)
    }

    /// C1 ‖ C3 ‖ C2: 97 bytes more than the message has.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.point.to_sec1()[..], &self.tag, &self.message].concat()
    }

    /// C1 ‖ C2 ‖ C3: 97 bytes more than the message has.
    #[must_use]
    pub fn to_c1c2c3(&self) -> Vec<u8> {
        [&self.point.to_sec1()[..], &self.message, &self.tag].concat()
    }

    /// The ASN.1 form, in DER.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        let coordinates = self.point.coordinates();
        let (x, y) = coordinates.split_at(32);
        let mut w = Writer::with_capacity(self.message.len() + 128);
        w.sequence(|w| {
            w.integer_unsigned(x);
            w.integer_unsigned(y);
            w.octet_string(&self.tag);
            w.octet_string(&self.message);
        });
        w.finish()
    }
}

/// The encoding of a point that begins `bytes`, and what follows.
fn split_point(bytes: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    let len = match bytes.first() {
        Some(4) => 65,
        Some(2 | 3) => 33,
        _ => return Err(Error::BadPublicKey),
    };
    bytes.split_at_checked(len).ok_or(Error::BadPublicKey)
}
