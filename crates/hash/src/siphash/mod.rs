//! SipHash (Aumasson and Bernstein, 2012): a fast MAC for short messages, and a keyed hash for
//! tables whose keys an attacker may choose.
//!
//! SipHash-c-d does c rounds a word of the message and d at the end; the state is four 64-bit
//! words, and words are in little-endian order. Tags of 64 bits are too short against forgers that
//! may try often. Time depends only on the length.

#[cfg(test)]
mod tests;

use adamant_base::family::Mac;
use adamant_base::{Error, Wipe, ct, exactly};

/// SipHash-2-4 with tags of 64 bits, the authors' choice.
pub type SipHash24 = SipHash<2, 4, 8>;

/// SipHash-1-3 with tags of 64 bits: quicker, for hash tables.
pub type SipHash13 = SipHash<1, 3, 8>;

/// SipHash-2-4 with tags of 128 bits.
pub type SipHash24Wide = SipHash<2, 4, 16>;

/// SipHash-1-3 with tags of 128 bits.
pub type SipHash13Wide = SipHash<1, 3, 16>;

/// SipHash-`C`-`D` under one key, with tags of `LEN` bytes, 8 or 16.
///
/// ```
/// use adamant_hash::siphash::SipHash24;
/// let keyed = SipHash24::new(&[7; 16]);
/// let mut mac = keyed.clone();
/// mac.update(b"message");
/// assert_eq!(mac.finalize(), SipHash24::mac(&[7; 16], b"message"));
/// assert!(keyed.verify(&[0; 8]).is_err());
/// ```
///
/// The state is wiped on drop.
#[derive(Clone)]
pub struct SipHash<const C: usize, const D: usize, const LEN: usize> {
    v: [u64; 4],
    /// The bytes of the message that do not fill a word yet, with zeros after them.
    rest: [u8; 8],
    /// Bytes taken in; only the lowest byte is used, and the lowest three bits tell how many
    /// bytes `rest` has.
    length: u64,
}

impl<const C: usize, const D: usize, const LEN: usize> SipHash<C, D, LEN> {
    /// A state under `key`.
    #[inline]
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        const { assert!(LEN == 8 || LEN == 16) };
        let words = key.as_chunks::<8>().0;
        let (k0, k1) = (u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1]));
        // "somepseudorandomlygeneratedbytes"
        let mut v = [
            k0 ^ 0x736f_6d65_7073_6575,
            k1 ^ 0x646f_7261_6e64_6f6d,
            k0 ^ 0x6c79_6765_6e65_7261,
            k1 ^ 0x7465_6462_7974_6573,
        ];
        if LEN == 16 {
            v[1] ^= 0xee;
        }
        SipHash {
            v,
            rest: [0; 8],
            length: 0,
        }
    }

    /// Takes in more of the message.
    #[inline]
    pub fn update(&mut self, mut data: &[u8]) {
        let used = self.length as usize % 8;
        self.length = self.length.wrapping_add(data.len() as u64);
        if used > 0 {
            let free = &mut self.rest[used..];
            let Some((head, tail)) = data.split_at_checked(free.len()) else {
                free[..data.len()].copy_from_slice(data);
                return;
            };
            free.copy_from_slice(head);
            compress::<C>(&mut self.v, u64::from_le_bytes(self.rest));
            data = tail;
        }
        let (words, tail) = data.as_chunks();
        let mut v = self.v;
        for word in words {
            compress::<C>(&mut v, u64::from_le_bytes(*word));
        }
        self.v = v;
        self.rest = [0; 8];
        self.rest[..tail.len()].copy_from_slice(tail);
    }

    /// The tag of everything taken in.
    #[inline]
    #[must_use]
    pub fn finalize(mut self) -> [u8; LEN] {
        self.rest[7] = self.length as u8;
        let mut v = self.v;
        compress::<C>(&mut v, u64::from_le_bytes(self.rest));
        v[2] ^= if LEN == 16 { 0xee } else { 0xff };
        let mut tag = [0; LEN];
        for half in tag.as_chunks_mut().0 {
            rounds::<D>(&mut v);
            *half = (v[0] ^ v[1] ^ v[2] ^ v[3]).to_le_bytes();
            v[1] ^= 0xdd;
        }
        tag
    }

    /// Compares the tag of everything taken in with `tag`, in constant time. Only whole tags
    /// count.
    ///
    /// # Errors
    /// [`Error::BadTag`] when they differ.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        let mut expected = self.finalize();
        let equal = ct::eq(&expected, tag);
        expected.wipe();
        // Whether the tag matched is the answer.
        if equal.declassify() {
            Ok(())
        } else {
            Err(Error::BadTag)
        }
    }

    /// The tag of `message` under `key`.
    #[inline]
    #[must_use]
    pub fn mac(key: &[u8; 16], message: &[u8]) -> [u8; LEN] {
        let mut mac = Self::new(key);
        mac.update(message);
        mac.finalize()
    }
}

/// By `new`, with [`Error::BadLength`] for another length.
impl<const C: usize, const D: usize, const LEN: usize> TryFrom<&[u8]> for SipHash<C, D, LEN> {
    type Error = Error;

    #[inline]
    fn try_from(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(exactly(key)?))
    }
}

/// Takes in one word of the message.
#[inline]
fn compress<const C: usize>(v: &mut [u64; 4], m: u64) {
    v[3] ^= m;
    rounds::<C>(v);
    v[0] ^= m;
}

/// SipRound, `N` times.
#[inline]
fn rounds<const N: usize>(v: &mut [u64; 4]) {
    for _ in 0..N {
        v[0] = v[0].wrapping_add(v[1]);
        v[2] = v[2].wrapping_add(v[3]);
        v[1] = v[1].rotate_left(13) ^ v[0];
        v[3] = v[3].rotate_left(16) ^ v[2];
        v[0] = v[0].rotate_left(32);

        v[2] = v[2].wrapping_add(v[1]);
        v[0] = v[0].wrapping_add(v[3]);
        v[1] = v[1].rotate_left(17) ^ v[2];
        v[3] = v[3].rotate_left(21) ^ v[0];
        v[2] = v[2].rotate_left(32);
    }
}

impl<const C: usize, const D: usize, const LEN: usize> Mac for SipHash<C, D, LEN> {
    type Output = [u8; LEN];

    fn new(key: &[u8]) -> Result<Self, Error> {
        Self::try_from(key)
    }
    fn update(&mut self, data: &[u8]) {
        SipHash::update(self, data);
    }
    fn finalize(self) -> [u8; LEN] {
        SipHash::finalize(self)
    }
}

impl<const C: usize, const D: usize, const LEN: usize> Wipe for SipHash<C, D, LEN> {
    #[inline]
    fn wipe(&mut self) {
        self.v.wipe();
        self.rest.wipe();
        self.length.wipe();
    }
}

impl<const C: usize, const D: usize, const LEN: usize> Drop for SipHash<C, D, LEN> {
    #[inline]
    fn drop(&mut self) {
        self.wipe();
    }
}
