//! STREAM: a long message as a sequence of sealed segments, over any AEAD (Hoang, Reyhanitabar,
//! Rogaway and Vizár, "Online authenticated-encryption and its nonce-reuse misuse-resistance",
//! CRYPTO 2015).
//!
//! Each segment is a message of the AEAD, with a tag of its own and the nonce
//!
//! ```text
//! prefix || counter (4 bytes, big-endian, from 0) || 1 for the last segment, 0 for the others
//! ```
//!
//! So the plaintext of a segment can be released as soon as its tag is checked, whatever follows.
//! A segment that is missing, repeated, changed or in another place, and a stream that ends early
//! or goes on after its end, do not open. The prefix is five bytes shorter than a nonce
//! ([`prefix_len`]); it must be new for every stream under one key: random where it is long
//! enough (19 bytes with [`XChaCha20Poly1305`]), counted or under a fresh key where it has 7.
//!
//! Data that has to be one message of the AEAD, its tag at the end, goes through [`message`].
//!
//! [`XChaCha20Poly1305`]: crate::chacha20_poly1305::XChaCha20Poly1305

#[cfg(all(feature = "aes", feature = "chacha20"))]
pub mod message;
#[cfg(test)]
mod tests;

use adamant_base::{Aead, Block, Error, Wipe, same_length};

/// Bytes after the prefix: the counter and the flag.
const BEHIND: usize = 5;
/// Segments of the longest stream.
const SEGMENTS: u64 = 1 << 32;

/// Bytes of the prefix of the nonces with this AEAD: 7 for nonces of 12 bytes, 19 for 24.
#[must_use]
pub const fn prefix_len<A: Aead>() -> usize {
    A::NONCE_LEN - BEHIND
}

/// The nonces of one stream.
struct Stream<A: Aead> {
    cipher: A,
    /// The prefix, and zeros.
    nonce: A::Nonce,
    /// Segments done.
    done: u64,
}

impl<A: Aead> Stream<A> {
    fn new(cipher: A, prefix: &[u8]) -> Result<Self, Error> {
        let len = const { prefix_len::<A>() };
        same_length(len, prefix.len())?;
        let mut nonce = A::Nonce::ZERO;
        nonce.as_mut()[..len].copy_from_slice(prefix);
        Ok(Stream {
            cipher,
            nonce,
            done: 0,
        })
    }

    /// Runs `crypt` with the nonce of the next segment, which then counts as done.
    fn segment<T>(
        &mut self,
        last: bool,
        crypt: impl FnOnce(&A, &A::Nonce) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Ok(number) = u32::try_from(self.done) else {
            return Err(Error::BadLength {
                expected: usize::try_from(SEGMENTS).unwrap_or(usize::MAX),
                actual: usize::try_from(self.done + 1).unwrap_or(usize::MAX),
            });
        };
        let prefix = const { prefix_len::<A>() };
        let end = &mut self.nonce.as_mut()[prefix..];
        end[..4].copy_from_slice(&number.to_be_bytes());
        end[4] = u8::from(last);
        let result = crypt(&self.cipher, &self.nonce)?;
        self.done += 1;
        Ok(result)
    }
}

/// Seals the segments of one stream, in their order.
///
/// ```
/// use adamant_cipher::chacha20_poly1305::ChaCha20Poly1305;
/// use adamant_cipher::stream::{Opener, Sealer};
/// let (key, prefix) = ([7; 32], [1; 7]); // a prefix serves one stream
/// let (mut first, mut second) = (*b"attack ", *b"at dawn");
/// let mut sealer = Sealer::<ChaCha20Poly1305>::new(&key, &prefix).unwrap();
/// let tags = [sealer.seal_next(&mut first).unwrap(), sealer.seal_last(&mut second).unwrap()];
///
/// let mut opener = Opener::<ChaCha20Poly1305>::new(&key, &prefix).unwrap();
/// opener.open_next(&mut first, &tags[0]).unwrap();
/// opener.open_last(&mut second, &tags[1]).unwrap();
/// assert_eq!((&first, &second), (b"attack ", b"at dawn"));
/// ```
#[must_use = "a stream is complete with its last segment only"]
pub struct Sealer<A: Aead>(Stream<A>);

impl<A: Aead> Sealer<A> {
    /// A stream under `key`, whose prefix of [`prefix_len`] bytes must be new.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a key or a prefix of another length.
    pub fn new(key: &[u8], prefix: &[u8]) -> Result<Self, Error> {
        Self::with_cipher(A::new(key)?, prefix)
    }

    /// A stream with this cipher.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a prefix of another length.
    pub fn with_cipher(cipher: A, prefix: &[u8]) -> Result<Self, Error> {
        Stream::new(cipher, prefix).map(Sealer)
    }

    /// Encrypts the next segment in place, one that others follow; its tag.
    ///
    /// # Errors
    /// [`Error::BadLength`] when there have been 2^32 segments, or this one is longer than the
    /// AEAD allows; it is then untouched.
    pub fn seal_next(&mut self, data: &mut [u8]) -> Result<A::Tag, Error> {
        self.seal_next_with(b"", data)
    }

    /// Encrypts the last segment in place, which may be empty; its tag.
    ///
    /// # Errors
    /// As [`Self::seal_next`].
    pub fn seal_last(self, data: &mut [u8]) -> Result<A::Tag, Error> {
        self.seal_last_with(b"", data)
    }

    /// [`Self::seal_next`] with associated data, which opening the segment takes again.
    ///
    /// # Errors
    /// As [`Self::seal_next`].
    pub fn seal_next_with(&mut self, aad: &[u8], data: &mut [u8]) -> Result<A::Tag, Error> {
        self.seal(false, aad, data)
    }

    /// [`Self::seal_last`] with associated data.
    ///
    /// # Errors
    /// As [`Self::seal_next`].
    pub fn seal_last_with(mut self, aad: &[u8], data: &mut [u8]) -> Result<A::Tag, Error> {
        self.seal(true, aad, data)
    }

    fn seal(&mut self, last: bool, aad: &[u8], data: &mut [u8]) -> Result<A::Tag, Error> {
        self.0
            .segment(last, |cipher, nonce| cipher.seal(nonce, aad, data))
    }
}

/// Opens the segments of one stream, in their order: only after [`Self::open_last`] is the
/// message known to be whole. After a segment that did not open no other does.
///
/// An example is at [`Sealer`].
#[must_use = "a stream is whole only when its last segment has been opened"]
pub struct Opener<A: Aead> {
    stream: Stream<A>,
    failed: bool,
}

impl<A: Aead> Opener<A> {
    /// A stream under `key` with this prefix.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a key or a prefix of another length.
    pub fn new(key: &[u8], prefix: &[u8]) -> Result<Self, Error> {
        Self::with_cipher(A::new(key)?, prefix)
    }

    /// A stream with this cipher.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a prefix of another length.
    pub fn with_cipher(cipher: A, prefix: &[u8]) -> Result<Self, Error> {
        Ok(Opener {
            stream: Stream::new(cipher, prefix)?,
            failed: false,
        })
    }

    /// Decrypts the next segment in place, one that others follow.
    ///
    /// # Errors
    /// [`Error::BadTag`]: the segment was changed, comes from elsewhere or is the last one;
    /// `data` is then zeroed. [`Error::BadLength`] when there have been 2^32 segments, or this one
    /// is longer than the AEAD allows; it is then untouched.
    pub fn open_next(&mut self, data: &mut [u8], tag: &A::Tag) -> Result<(), Error> {
        self.open_next_with(b"", data, tag)
    }

    /// Decrypts the last segment in place: the stream ends here as it did when it was sealed.
    ///
    /// # Errors
    /// As [`Self::open_next`], [`Error::BadTag`] for a segment that others followed.
    pub fn open_last(self, data: &mut [u8], tag: &A::Tag) -> Result<(), Error> {
        self.open_last_with(b"", data, tag)
    }

    /// [`Self::open_next`] with associated data.
    ///
    /// # Errors
    /// As [`Self::open_next`].
    pub fn open_next_with(
        &mut self,
        aad: &[u8],
        data: &mut [u8],
        tag: &A::Tag,
    ) -> Result<(), Error> {
        self.open(false, aad, data, tag)
    }

    /// [`Self::open_last`] with associated data.
    ///
    /// # Errors
    /// As [`Self::open_last`].
    pub fn open_last_with(
        mut self,
        aad: &[u8],
        data: &mut [u8],
        tag: &A::Tag,
    ) -> Result<(), Error> {
        self.open(true, aad, data, tag)
    }

    fn open(&mut self, last: bool, aad: &[u8], data: &mut [u8], tag: &A::Tag) -> Result<(), Error> {
        if self.failed {
            data.wipe();
            return Err(Error::BadTag);
        }
        let open = |cipher: &A, nonce: &A::Nonce| cipher.open(nonce, aad, data, tag);
        let result = self.stream.segment(last, open);
        self.failed = result.is_err();
        result
    }
}
