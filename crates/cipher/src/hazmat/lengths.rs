//! Nonces and tags of lengths other than a mode's usual ones, for protocols that dictate them.
//!
//! An [`Aead`] has one length of nonces and one of tags. This module is easier to use wrongly:
//!
//! * A tag of n bits is guessed with 2^n tries at most. In GCM each guess that holds also tells of
//!   the key of the hash, so short tags there fall sooner (SP 800-38D, appendix C).
//! * A nonce of GCM that is not 12 bytes long is hashed first: of many random ones two will start
//!   from the same counter, however long they are.
//! * The longer a nonce of CCM, the shorter its longest message: 65,535 bytes with 13.
//!
//! [`Lengths`] fixes both lengths in a type; [`AnyLengths`] takes them as they come.

use adamant_base::{Aead, BlockCipher, Error};

use crate::gmac::{self, Gmac};

/// An AEAD whose nonces and tags may have several lengths.
///
/// | AEAD | nonces | tags |
/// |---|---|---|
/// | GCM | 1 byte and more | 12 to 16 bytes |
/// | CCM | 7 to 13 bytes | 4, 6, 8, 10, 12, 14 or 16 bytes |
/// | EAX | any | 8 to 16 bytes |
///
/// ```
/// use adamant_cipher::{gcm::Aes128Gcm, hazmat::AnyLengths};
/// let cipher = Aes128Gcm::new(&[7; 16]);
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 12]);
/// cipher.seal_any(b"a nonce of 20 bytes.", b"", &mut data, &mut tag).unwrap();
/// cipher.open_any(b"a nonce of 20 bytes.", b"", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// ```
pub trait AnyLengths {
    /// As [`Aead::seal`], into `tag`, which is the start of the whole one.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a nonce, a tag or a message of a length that the AEAD does not
    /// have; `data` is then untouched.
    fn seal_any(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error>;

    /// As [`Aead::open`].
    ///
    /// # Errors
    /// [`Error::BadTag`]; `data` is then zeroed. [`Error::BadLength`] as for [`Self::seal_any`].
    fn open_any(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error>;
}

/// An AEAD with nonces of `NONCE_LEN` and tags of `TAG_LEN` bytes.
///
/// ```
/// use adamant_base::Aead;
/// use adamant_cipher::{ccm::AesCcm, hazmat::Lengths};
/// /// AES-128-CCM as Bluetooth has it.
/// type Link = Lengths<AesCcm<16>, 13, 4>;
/// let cipher = Link::new(&[7; 16]).unwrap();
/// let mut packet = *b"attack at dawn\0\0\0\0";
/// cipher.seal_appended(&[1; 13], b"header", &mut packet).unwrap();
/// assert_eq!(cipher.open_appended(&[1; 13], b"header", &mut packet).unwrap(), b"attack at dawn");
/// ```
pub struct Lengths<A, const NONCE_LEN: usize, const TAG_LEN: usize>(pub A);

impl<A: AnyLengths + Aead, const NONCE_LEN: usize, const TAG_LEN: usize> Aead
    for Lengths<A, NONCE_LEN, TAG_LEN>
{
    const KEY_LEN: usize = A::KEY_LEN;
    type Nonce = [u8; NONCE_LEN];
    type Tag = [u8; TAG_LEN];

    fn new(key: &[u8]) -> Result<Self, Error> {
        A::new(key).map(Lengths)
    }

    fn seal(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        data: &mut [u8],
    ) -> Result<[u8; TAG_LEN], Error> {
        let mut tag = [0; TAG_LEN];
        self.0.seal_any(nonce, aad, data, &mut tag)?;
        Ok(tag)
    }

    fn open(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; TAG_LEN],
    ) -> Result<(), Error> {
        self.0.open_any(nonce, aad, data, tag)
    }
}

/// A message of GMAC under a nonce of any length but zero.
///
/// ```
/// use adamant_cipher::{aes::Aes128, gmac::Gmac, hazmat};
/// let gmac = Gmac::with_cipher(Aes128::new(&[7; 16]));
/// let mut message = hazmat::gmac_message(&gmac, b"a nonce of 20 bytes.").unwrap();
/// message.update(b"attack at dawn");
/// assert_ne!(message.finalize(), gmac.tag(&[1; 12], b"attack at dawn"));
/// ```
///
/// # Errors
/// [`Error::BadLength`] for an empty nonce.
pub fn gmac_message<'a, C: BlockCipher<Block = [u8; 16]>>(
    gmac: &'a Gmac<C>,
    nonce: &[u8],
) -> Result<gmac::Message<'a, C>, Error> {
    gmac.any_message(nonce)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ccm::AesCcm;
    use crate::eax::AesEax;
    use crate::gcm::AesGcm;
    use crate::sm4::{Sm4Ccm, Sm4Gcm};
    use adamant_testkit::suites::aead::check;

    macro_rules! own_lengths {
        (aeads { $({ $feature:tt ($($aead:tt)*) $($_a:tt)* })* }) => {
            /// Every AEAD, with its own lengths.
            #[test]
            fn own_lengths() {
                $(check(<crate::$($aead)* as Aead>::new);)*
            }
        };
    }
    adamant_base::aeads!(own_lengths);

    /// And some with others.
    #[test]
    fn other_lengths() {
        check(Lengths::<AesGcm<16>, 16, 12>::new);
        check(Lengths::<AesGcm<32>, 8, 13>::new);
        check(Lengths::<AesCcm<16>, 13, 8>::new);
        check(Lengths::<Sm4Ccm, 12, 8>::new);
        check(Lengths::<AesEax<16>, 16, 16>::new);
    }

    /// What no mode has is refused, and leaves the data.
    #[test]
    fn other_lengths_are_refused() {
        fn refused(cipher: &impl AnyLengths, nonce: usize, tag: usize) -> bool {
            let (nonce, mut data, mut tag) = (vec![1; nonce], [5; 3], vec![0; tag]);
            let sealed = cipher.seal_any(&nonce, b"", &mut data, &mut tag);
            let is_data = data == [5; 3];
            let opened = cipher.open_any(&nonce, b"", &mut data, &tag);
            assert_eq!((sealed.is_err(), sealed), (is_data, opened));
            assert_eq!(data, [5; 3]);
            is_data
        }
        let gcm = AesGcm::new(&[0; 16]);
        let sm4 = Sm4Gcm::new(&[0; 16]);
        let ccm = <AesCcm<16> as Aead>::new(&[0; 16]).unwrap();
        let eax = <AesEax<16> as Aead>::new(&[0; 16]).unwrap();
        for len in 0..40 {
            assert_eq!(refused(&gcm, 12, len), !(12..=16).contains(&len), "{len}");
            assert_eq!(refused(&sm4, 12, len), !(12..=16).contains(&len), "{len}");
            assert_eq!(
                (refused(&gcm, len, 16), refused(&sm4, len, 16)),
                (len == 0, len == 0)
            );
            assert_eq!(refused(&ccm, len, 16), !(7..=13).contains(&len), "{len}");
            let even = (4..=16).contains(&len) && len % 2 == 0;
            assert_eq!(refused(&ccm, 12, len), !even, "{len}");
            assert_eq!(refused(&eax, 12, len), !(8..=16).contains(&len), "{len}");
            assert!(!refused(&eax, len, 16), "{len}");
        }
    }
}
