//! One message of an AEAD that comes in pieces.
//!
//! A [`Sealer`] gives the ciphertext of each piece at once, and the tag at the end. An [`Opener`]
//! keeps the ciphertext until it has seen the tag, then gives the plaintext to a sink: nothing
//! unverified gets out, at the cost of memory for the whole message. Where that is too much, seal
//! in segments ([`crate::stream`]).
//!
//! The result is what the AEAD makes of the whole message: either side may have it in one
//! piece.

use adamant_base::{BlockCipher, Error, Secret};
#[cfg(feature = "std")]
use adamant_base::{Wipe, ct};

use crate::chacha20::{ChaCha20, Nonce};
use crate::chacha20_poly1305;
use crate::gcm::{self, Gcm};
use crate::gmac::{Pieces, first_block};
use crate::modes::ctr::Ctr;
use crate::poly1305::{OneTimeKey, Poly1305};

/// An AEAD in the middle of a message: [`GcmMessage`] or [`ChaChaMessage`].
pub trait Message {
    /// Bytes of the longest message.
    const MAX_LEN: u64;
    /// Encrypts or decrypts the next bytes in place; they are not more than there may be.
    ///
    /// # Errors
    /// [`Error::BadLength`] after the end of the key stream.
    fn crypt(&mut self, data: &mut [u8]) -> Result<(), Error>;
    /// Takes the next bytes of ciphertext into the tag.
    fn authenticate(&mut self, ciphertext: &[u8]);
    /// The tag of the bytes taken in, this many.
    fn tag(&mut self, len: u64) -> [u8; 16];
}

/// A message of GCM.
pub struct GcmMessage<'a, C: BlockCipher<Block = [u8; 16]>> {
    stream: Ctr<'a, C>,
    hash: Pieces<'a>,
    aad: usize,
    mask: [u8; 16],
}

impl<'a, C: BlockCipher<Block = [u8; 16]>> GcmMessage<'a, C> {
    /// A message under this nonce, which must be new where it is sealed, with associated data.
    #[must_use]
    pub fn new(gcm: &'a Gcm<C>, nonce: &[u8; 12], aad: &[u8]) -> Self {
        let (cipher, key) = gcm.halves();
        let mut stream = Ctr::new(cipher, first_block(nonce), 4);
        let mut mask = [0; 16];
        // A first block is always there.
        let _ = stream.apply_keystream(&mut mask);
        let mut hash = Pieces::new(key);
        hash.update(aad);
        hash.pad();
        GcmMessage {
            stream,
            hash,
            aad: aad.len(),
            mask,
        }
    }
}

impl<C: BlockCipher<Block = [u8; 16]>> Message for GcmMessage<'_, C> {
    const MAX_LEN: u64 = gcm::MAX_TEXT;
    fn crypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.stream.apply_keystream(data)
    }
    fn authenticate(&mut self, ciphertext: &[u8]) {
        self.hash.update(ciphertext);
    }
    fn tag(&mut self, len: u64) -> [u8; 16] {
        let sum = self.hash.finalize(self.aad, len as usize);
        core::array::from_fn(|i| sum[i] ^ self.mask[i])
    }
}

/// A message of ChaCha20-Poly1305, or with a nonce of 24 bytes XChaCha20-Poly1305.
pub struct ChaChaMessage {
    stream: ChaCha20,
    /// Until the tag is made.
    mac: Option<Poly1305>,
    aad: u64,
}

/// Fills the last block up with zeros (RFC 8439, 2.8).
fn pad(mac: &mut Poly1305, len: u64) {
    mac.update(&[0; 15][..(len.wrapping_neg() % 16) as usize]);
}

impl ChaChaMessage {
    /// A message under this nonce, of 12 or 24 bytes, which must be new where it is sealed, with
    /// associated data.
    #[must_use]
    pub fn new<N: Nonce<Counter = u32>>(key: &[u8; 32], nonce: &N, aad: &[u8]) -> Self {
        let mut stream = ChaCha20::new(key, nonce, 0);
        let mut first = Secret::new([0; 64]);
        // A first block is always there.
        let _ = stream.apply_keystream(&mut *first);
        let mut mac = Poly1305::new(OneTimeKey::new(core::array::from_fn(|i| first[i])));
        let aad_len = aad.len() as u64;
        mac.update(aad);
        pad(&mut mac, aad_len);
        ChaChaMessage {
            stream,
            mac: Some(mac),
            aad: aad_len,
        }
    }
}

impl Message for ChaChaMessage {
    const MAX_LEN: u64 = chacha20_poly1305::MAX_TEXT;
    fn crypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.stream.apply_keystream(data)
    }
    fn authenticate(&mut self, ciphertext: &[u8]) {
        if let Some(mac) = &mut self.mac {
            mac.update(ciphertext);
        }
    }
    fn tag(&mut self, len: u64) -> [u8; 16] {
        let Some(mut mac) = self.mac.take() else {
            return [0; 16]; // never: a message has one tag
        };
        pad(&mut mac, len);
        mac.update(&self.aad.to_le_bytes());
        mac.update(&len.to_le_bytes());
        mac.finalize()
    }
}

/// The length of a message after `more` bytes.
fn longer<M: Message>(len: u64, more: usize) -> Result<u64, Error> {
    let sum = len.saturating_add(more as u64);
    if sum > M::MAX_LEN {
        return Err(Error::BadLength {
            expected: usize::try_from(M::MAX_LEN).unwrap_or(usize::MAX),
            actual: usize::try_from(sum).unwrap_or(usize::MAX),
        });
    }
    Ok(sum)
}

/// Seals a message as it comes.
///
/// ```
/// use adamant_cipher::chacha20_poly1305::ChaCha20Poly1305;
/// use adamant_cipher::stream::message::{ChaChaMessage, Sealer};
/// let (key, nonce) = ([7; 32], [1; 12]);
/// let mut data = *b"attack at dawn";
/// let mut sealer = Sealer::new(ChaChaMessage::new(&key, &nonce, b"header"));
/// let (first, second) = data.split_at_mut(5);
/// sealer.update(first).unwrap();
/// sealer.update(second).unwrap();
/// let tag = sealer.finish();
/// ChaCha20Poly1305::new(&key).open(&nonce, b"header", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// ```
#[must_use = "a message without its tag does not open"]
pub struct Sealer<M> {
    message: M,
    len: u64,
}

impl<M: Message> Sealer<M> {
    /// Seals this message, of which nothing has come yet.
    pub fn new(message: M) -> Self {
        Sealer { message, len: 0 }
    }

    /// Encrypts the next piece in place.
    ///
    /// # Errors
    /// [`Error::BadLength`] when the message gets longer than the AEAD allows; the piece is then
    /// untouched.
    pub fn update(&mut self, data: &mut [u8]) -> Result<(), Error> {
        let len = longer::<M>(self.len, data.len())?;
        self.message.crypt(data)?;
        self.message.authenticate(data);
        self.len = len;
        Ok(())
    }

    /// The tag of all pieces.
    #[must_use]
    pub fn finish(mut self) -> [u8; 16] {
        self.message.tag(self.len)
    }
}

/// Opens a message whose ciphertext comes in pieces and whose tag comes last (feature `std`).
///
/// ```
/// use adamant_cipher::aes::Aes128;
/// use adamant_cipher::gcm::Gcm;
/// use adamant_cipher::stream::message::{GcmMessage, Opener};
/// let gcm = Gcm::with_cipher(Aes128::new(&[7; 16]));
/// let mut data = *b"attack at dawn";
/// let tag = gcm.seal(&[1; 12], b"header", &mut data).unwrap();
///
/// let mut opener = Opener::new(GcmMessage::new(&gcm, &[1; 12], b"header"));
/// for piece in data.chunks(5) {
///     opener.update(piece).unwrap();
/// }
/// let mut plain = vec![];
/// opener.finish(&tag, |piece| plain.extend_from_slice(piece)).unwrap();
/// assert_eq!(plain, b"attack at dawn");
/// ```
#[cfg(feature = "std")]
#[must_use = "nothing comes out before the tag is checked"]
pub struct Opener<M> {
    message: M,
    kept: alloc::vec::Vec<u8>,
}

#[cfg(feature = "std")]
impl<M: Message> Opener<M> {
    /// Opens this message, of which nothing has come yet.
    pub fn new(message: M) -> Self {
        Opener {
            message,
            kept: alloc::vec::Vec::new(),
        }
    }

    /// Takes in and keeps the next piece of ciphertext.
    ///
    /// # Errors
    /// [`Error::BadLength`] when the message gets longer than the AEAD allows,
    /// [`Error::OutOfMemory`] when it cannot be kept; the piece is then not taken in.
    pub fn update(&mut self, ciphertext: &[u8]) -> Result<(), Error> {
        longer::<M>(self.kept.len() as u64, ciphertext.len())?;
        self.kept
            .try_reserve(ciphertext.len())
            .map_err(|_| Error::OutOfMemory)?;
        self.kept.extend_from_slice(ciphertext);
        self.message.authenticate(ciphertext);
        Ok(())
    }

    /// Checks the tag, and only then decrypts: `sink` gets the plaintext, piece by piece.
    ///
    /// # Errors
    /// [`Error::BadTag`]: `sink` is then not called.
    pub fn finish(mut self, tag: &[u8; 16], mut sink: impl FnMut(&[u8])) -> Result<(), Error> {
        let expected = self.message.tag(self.kept.len() as u64);
        // Whether a tag is right is public.
        if !ct::eq(&expected, tag).declassify() {
            return Err(Error::BadTag);
        }
        for piece in self.kept.chunks_mut(AT_ONCE) {
            let done = self.message.crypt(piece);
            if done.is_ok() {
                sink(piece);
            }
            piece.wipe();
            done?;
        }
        Ok(())
    }
}

/// Bytes given to a sink at once.
#[cfg(feature = "std")]
const AT_ONCE: usize = 16384;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aes::Aes;
    use crate::chacha20_poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
    use crate::gcm::Aes256Gcm;
    use adamant_base::{Aead, Block};
    use adamant_testkit::TestRng;

    /// Any cuts give what the AEAD gives for the whole message, and only the right tag opens it.
    fn check<A: Aead<Tag = [u8; 16]>, M: Message>(aead: &A, new: impl Fn(&[u8], &[u8]) -> M) {
        let mut rng = TestRng::new(1);
        for len in (0..70).chain([255, 256, 257, 1000, 16384, 20000, 40000]) {
            let (nonce, aad) = (rng.bytes(A::NONCE_LEN), rng.bytes(len % 40));
            let plain = rng.bytes(len);
            let mut whole = plain.clone();
            let number = A::Nonce::from_slice(&nonce).unwrap();
            let mut tag = aead.seal(number, &aad, &mut whole).unwrap();

            let mut sealer = Sealer::new(new(&nonce, &aad));
            let mut opener = Opener::new(new(&nonce, &aad));
            let mut rejecting = Opener::new(new(&nonce, &aad));
            let mut data = plain.clone();
            let mut rest = &mut data[..];
            while !rest.is_empty() {
                let (piece, others) = rest.split_at_mut(rng.below(rest.len().min(5000)) + 1);
                sealer.update(piece).unwrap();
                opener.update(piece).unwrap();
                rejecting.update(piece).unwrap();
                rest = others;
            }
            assert!(data == whole, "{len}");
            assert_eq!(sealer.finish(), tag, "{len}");
            let mut opened = vec![];
            opener
                .finish(&tag, |piece| opened.extend_from_slice(piece))
                .unwrap();
            assert!(opened == plain, "{len}");
            tag[len % 16] ^= 1;
            let wrong = rejecting.finish(&tag, |_| panic!("plaintext released"));
            assert_eq!(wrong, Err(Error::BadTag));
        }
    }

    #[test]
    fn gcm() {
        let gcm = Gcm::with_cipher(Aes::<32>::new(&[3; 32]));
        check(&Aes256Gcm::new(&[3; 32]), |nonce, aad| {
            GcmMessage::new(&gcm, nonce.try_into().unwrap(), aad)
        });
    }

    #[test]
    fn chacha() {
        let key = [3; 32];
        check(&ChaCha20Poly1305::new(&key), |nonce, aad| {
            ChaChaMessage::new::<[u8; 12]>(&key, nonce.try_into().unwrap(), aad)
        });
        check(&XChaCha20Poly1305::new(&key), |nonce, aad| {
            ChaChaMessage::new::<[u8; 24]>(&key, nonce.try_into().unwrap(), aad)
        });
    }

    /// An AEAD with messages of 40 bytes and a key stream of 30, of nothing.
    struct Short(usize);

    impl Message for Short {
        const MAX_LEN: u64 = 40;
        fn crypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
            self.0 += data.len();
            let actual = self.0;
            match actual {
                0..=30 => Ok(()),
                _ => Err(Error::BadLength {
                    expected: 30,
                    actual,
                }),
            }
        }
        fn authenticate(&mut self, _: &[u8]) {}
        fn tag(&mut self, len: u64) -> [u8; 16] {
            [len as u8; 16]
        }
    }

    /// What there can be no more of is refused on both sides, and nothing comes out then.
    #[test]
    fn refusals() {
        let refused = |expected, actual| Err(Error::BadLength { expected, actual });
        let mut sealer = Sealer::new(Short(0));
        sealer.update(&mut [5; 30]).unwrap();
        assert_eq!(sealer.update(&mut [5; 11]), refused(40, 41));
        assert_eq!(sealer.update(&mut [5; 9]), refused(30, 39));
        assert_eq!(sealer.finish(), [30; 16]);
        for len in [0, 29, 30, 31, 40] {
            let mut opener = Opener::new(Short(0));
            opener.update(&vec![5; len]).unwrap();
            assert_eq!(opener.update(&vec![5; 41 - len]), refused(40, 41));
            let mut opened = 0;
            let result = opener.finish(&[len as u8; 16], |piece| opened += piece.len());
            match len {
                0..=30 => assert_eq!((result, opened), (Ok(()), len)),
                _ => assert_eq!((result, opened), (refused(30, len), 0)),
            }
        }
    }

    /// A message at the limit takes no byte more, and leaves it as it is.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn limits() {
        let gcm = Gcm::with_cipher(Aes::<16>::new(&[3; 16]));
        let mut sealer = Sealer::new(GcmMessage::new(&gcm, &[1; 12], b""));
        sealer.len = (1 << 36) - 33;
        sealer.update(&mut [0]).unwrap();
        let mut data = [5];
        let expected = Err(Error::BadLength {
            expected: (1 << 36) - 32,
            actual: (1 << 36) - 31,
        });
        assert_eq!((sealer.update(&mut data), data), (expected, [5]));
        let mut sealer = Sealer::new(ChaChaMessage::new(&[3; 32], &[1; 12], b""));
        sealer.len = (1 << 38) - 64;
        assert!(sealer.update(&mut data).is_err());
        assert_eq!(data, [5]);
    }
}
