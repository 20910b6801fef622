//! Authenticated encryption with associated data.

use core::ops::Range;

use super::Block;
use crate::{Error, Wipe};

/// Authenticated encryption with associated data under one key.
///
/// Nonces and tags are arrays. An algorithm brings the first three methods, which work in place beside
/// a detached tag. The other forms follow from these:
///
/// | form | message | tag |
/// |---|---|---|
/// | [`Self::seal`], [`Self::open`] | in place | beside it |
/// | [`Self::seal_appended`], [`Self::open_appended`] | in place | after it |
/// | [`Self::seal_within`], [`Self::open_within`] | moved within a buffer | after it |
/// | [`Self::seal_parts`], [`Self::open_parts`] | in place, in parts (feature `alloc`) | beside it |
///
/// ```
/// use adamant_base::{Aead, Error};
/// struct Sum(u8); // for the example only: neither secret nor authentic
/// impl Aead for Sum {
///     const KEY_LEN: usize = 1;
///     type Nonce = [u8; 1];
///     type Tag = [u8; 1];
///     fn new(key: &[u8]) -> Result<Self, Error> {
///         Ok(Sum(key[0]))
///     }
///     fn seal(&self, nonce: &[u8; 1], aad: &[u8], data: &mut [u8]) -> Result<[u8; 1], Error> {
///         let tag = data.iter().chain(aad).fold(self.0, |sum, b| sum.wrapping_add(*b));
///         data.iter_mut().for_each(|b| *b ^= nonce[0]);
///         Ok([tag])
///     }
///     fn open(
///         &self,
///         nonce: &[u8; 1],
///         aad: &[u8],
///         data: &mut [u8],
///         tag: &[u8; 1],
///     ) -> Result<(), Error> {
///         data.iter_mut().for_each(|b| *b ^= nonce[0]);
///         let sum = self.seal(&[0], aad, data)?;
///         if sum == *tag { Ok(()) } else { data.fill(0); Err(Error::BadTag) }
///     }
/// }
/// let cipher = Sum::new(&[1]).unwrap();
/// let mut buffer = [2, 3, 0]; // two bytes, and room for the tag
/// cipher.seal_appended(&[4], b"", &mut buffer).unwrap();
/// assert_eq!(buffer, [2 ^ 4, 3 ^ 4, 1 + 2 + 3]);
/// assert_eq!(cipher.open_appended(&[4], b"", &mut buffer), Ok(&mut [2, 3][..]));
/// ```
pub trait Aead: Sized {
    /// Bytes of a key.
    const KEY_LEN: usize;
    /// An array of bytes.
    type Nonce: Block;
    /// An array of bytes.
    type Tag: Block;
    /// Bytes of a nonce.
    const NONCE_LEN: usize = size_of::<Self::Nonce>();
    /// Bytes of a tag.
    const TAG_LEN: usize = size_of::<Self::Tag>();

    /// A cipher under `key`.
    ///
    /// # Errors
    /// [`Error::BadLength`] when `key` has not [`Self::KEY_LEN`] bytes.
    fn new(key: &[u8]) -> Result<Self, Error>;
    /// Encrypts `data` in place; the tag.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a message that is longer than the algorithm allows; `data` is then
    /// untouched.
    fn seal(&self, nonce: &Self::Nonce, aad: &[u8], data: &mut [u8]) -> Result<Self::Tag, Error>;
    /// Checks the tag, then decrypts `data` in place.
    ///
    /// # Errors
    /// [`Error::BadTag`]; `data` is then zeroed. [`Error::BadLength`] as for [`Self::seal`].
    fn open(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        data: &mut [u8],
        tag: &Self::Tag,
    ) -> Result<(), Error>;

    /// Encrypts all of `buffer` but the last [`Self::TAG_LEN`] bytes in place, and makes these
    /// the tag.
    ///
    /// # Errors
    /// As [`Self::seal`]; [`Error::BadLength`] too when there is no room for a tag.
    fn seal_appended(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        buffer: &mut [u8],
    ) -> Result<(), Error> {
        let (data, tag) = split_tag::<Self>(buffer)?;
        *tag = self.seal(nonce, aad, data)?;
        Ok(())
    }

    /// Opens what [`Self::seal_appended`] made; the message, which is the start of the buffer.
    ///
    /// # Errors
    /// As [`Self::open`]; [`Error::BadLength`] too when `buffer` is shorter than a tag.
    fn open_appended<'a>(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        buffer: &'a mut [u8],
    ) -> Result<&'a mut [u8], Error> {
        let (data, tag) = split_tag::<Self>(buffer)?;
        self.open(nonce, aad, data, tag)?;
        Ok(data)
    }

    /// Seals the bytes of `buffer` in the range `message` and puts ciphertext and tag, which may
    /// overlap with them, at `to`; these bytes.
    ///
    /// # Errors
    /// [`Error::BadLength`] when either place exceeds the buffer, which is then untouched; errors
    /// of [`Self::seal`], and the place of the output is then zeroed.
    fn seal_within<'a>(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        buffer: &'a mut [u8],
        message: Range<usize>,
        to: usize,
    ) -> Result<&'a mut [u8], Error> {
        let out = move_within(buffer, message, to, Self::TAG_LEN)?;
        let done = self.seal_appended(nonce, aad, out);
        if done.is_err() {
            out.wipe();
        }
        done.map(|()| out)
    }

    /// Opens the bytes of `buffer` in the range `sealed`, ciphertext and tag, and puts the
    /// message, which may overlap with them, at `to`; the message.
    ///
    /// # Errors
    /// [`Error::BadLength`] when either place exceeds the buffer, which is then untouched; errors
    /// of [`Self::open_appended`], and the place of the output is then zeroed.
    fn open_within<'a>(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        buffer: &'a mut [u8],
        sealed: Range<usize>,
        to: usize,
    ) -> Result<&'a mut [u8], Error> {
        let out = move_within(buffer, sealed, to, 0)?;
        let mut tag_at = 0;
        let done = split_tag::<Self>(out).and_then(|(data, tag)| {
            tag_at = data.len();
            self.open(nonce, aad, data, tag)
        });
        match done {
            Ok(()) => Ok(&mut out[..tag_at]),
            Err(error) => {
                out.wipe();
                Err(error)
            }
        }
    }

    /// [`Self::seal`] with associated data and message in parts: the result is that of their
    /// concatenations, and the ciphertext takes the places of the message.
    ///
    /// # Errors
    /// As [`Self::seal`]; [`Error::OutOfMemory`] when the parts cannot be joined, all of them
    /// being then untouched.
    #[cfg(feature = "alloc")]
    fn seal_parts(
        &self,
        nonce: &Self::Nonce,
        aad: &[&[u8]],
        data: &mut [&mut [u8]],
    ) -> Result<Self::Tag, Error> {
        joined(aad, data, |aad, data| self.seal(nonce, aad, data))
    }

    /// [`Self::open`] with associated data and ciphertext in parts, which need not be cut as they
    /// were when sealed.
    ///
    /// # Errors
    /// As [`Self::open`]; every part is zeroed when the tag is wrong. [`Error::OutOfMemory`] as
    /// for [`Self::seal_parts`].
    #[cfg(feature = "alloc")]
    fn open_parts(
        &self,
        nonce: &Self::Nonce,
        aad: &[&[u8]],
        data: &mut [&mut [u8]],
        tag: &Self::Tag,
    ) -> Result<(), Error> {
        joined(aad, data, |aad, data| self.open(nonce, aad, data, tag))
    }
}

/// The part before the tag, and the tag.
fn split_tag<A: Aead>(buffer: &mut [u8]) -> Result<(&mut [u8], &mut A::Tag), Error> {
    let (expected, actual) = (A::TAG_LEN, buffer.len());
    let wrong = Error::BadLength { expected, actual };
    let (data, tag) = buffer.split_at_mut(actual.checked_sub(expected).ok_or(wrong)?);
    Ok((data, A::Tag::from_mut_slice(tag)?))
}

/// Moves a range of the buffer to `to`; that place and `more` bytes after it.
fn move_within(
    buffer: &mut [u8],
    from: Range<usize>,
    to: usize,
    more: usize,
) -> Result<&mut [u8], Error> {
    let len = from.end.saturating_sub(from.start);
    let end = to.saturating_add(len).saturating_add(more);
    let (expected, actual) = (buffer.len(), end.max(from.start).max(from.end));
    if actual > expected || from.start > from.end {
        return Err(Error::BadLength { expected, actual });
    }
    buffer.copy_within(from, to);
    Ok(&mut buffer[to..end])
}

/// Runs `crypt` on the joined parts, and puts what it leaves in the parts of the data.
#[cfg(feature = "alloc")]
fn joined<T>(
    aad: &[&[u8]],
    data: &mut [&mut [u8]],
    crypt: impl FnOnce(&[u8], &mut [u8]) -> Result<T, Error>,
) -> Result<T, Error> {
    let header = match aad {
        [] | [_] => alloc::vec::Vec::new(),
        parts => join(parts)?,
    };
    let header = match aad {
        [only] => only,
        _ => &header[..],
    };
    if let [only] = data {
        return crypt(header, only);
    }
    let mut whole = join(data)?;
    let done = crypt(header, &mut whole);
    let mut rest = &whole[..];
    for part in data {
        let (head, tail) = rest.split_at(part.len());
        part.copy_from_slice(head);
        rest = tail;
    }
    // It may be the message.
    whole.wipe();
    done
}

/// The concatenation.
#[cfg(feature = "alloc")]
fn join<P: AsRef<[u8]>>(parts: &[P]) -> Result<alloc::vec::Vec<u8>, Error> {
    let len = parts.iter().map(|part| part.as_ref().len());
    let len = len.fold(0, usize::saturating_add);
    let mut whole = alloc::vec::Vec::new();
    whole
        .try_reserve_exact(len)
        .map_err(|_| Error::OutOfMemory)?;
    for part in parts {
        whole.extend_from_slice(part.as_ref());
    }
    Ok(whole)
}
