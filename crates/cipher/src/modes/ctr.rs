//! CTR (SP 800-38A, 6.5): a stream cipher of encrypted counters.

use adamant_base::{Block, BlockCipher, Error, Wipe};

use super::xor;
use crate::aes::lanes::{self, BESIDE, SHORT, Stream};

/// The key stream from one counter block on.
///
/// ```
/// use adamant_cipher::{aes::Aes128, modes::ctr::Ctr};
/// let aes = Aes128::new(&[7; 16]);
/// let mut data = *b"attack at dawn";
/// // The last four bytes of the block count.
/// Ctr::new(&aes, [0; 16], 4).apply_keystream(&mut data).unwrap();
/// let mut stream = Ctr::new(&aes, [0; 16], 4);
/// let (first, rest) = data.split_at_mut(3);
/// stream.apply_keystream(first).unwrap();
/// stream.apply_keystream(rest).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// ```
pub struct Ctr<'a, C: BlockCipher> {
    cipher: &'a C,
    counter: C::Block,
    width: usize,
    /// Blocks that the counter still gives before it would repeat.
    left: u128,
    /// The block of which a part is used.
    partial: C::Block,
    /// How much of it.
    used: usize,
}

impl<'a, C: BlockCipher> Ctr<'a, C> {
    /// The key stream from the block `counter` on, whose last `width` bytes are a big-endian
    /// number that counts and wraps around; a width beyond the block is that of the block.
    #[inline]
    #[must_use]
    pub fn new(cipher: &'a C, counter: C::Block, width: usize) -> Self {
        let width = width.min(counter.as_ref().len());
        Ctr {
            cipher,
            counter,
            width,
            left: blocks_of(width),
            partial: C::Block::ZERO,
            used: counter.as_ref().len(),
        }
    }

    /// Takes the exclusive or of `data` and the next bytes of key stream: encrypts or decrypts.
    ///
    /// # Errors
    /// [`Error::BadLength`] when the counter would come back to where it began; `data` is then
    /// untouched.
    #[inline]
    pub fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), Error> {
        let len = self.partial.as_ref().len();
        let beyond = data.len().saturating_sub(len - self.used);
        let blocks = beyond.div_ceil(len) as u128;
        if blocks > self.left {
            return Err(self.too_long(data.len()));
        }
        self.left -= blocks;
        let data = if self.used < len {
            self.apply_partial(data)
        } else {
            data
        };
        // Whole blocks.
        let (blocks, tail) = C::Block::split_mut(data);
        if !blocks.is_empty() {
            self.cipher.ctr(&mut self.counter, self.width, blocks);
        }
        if !tail.is_empty() {
            self.apply_next(tail);
        }
        Ok(())
    }

    fn too_long(&self, actual: usize) -> Error {
        let len = self.partial.as_ref().len();
        let left = self.left.saturating_mul(len as u128) + (len - self.used) as u128;
        Error::BadLength {
            expected: usize::try_from(left).unwrap_or(usize::MAX),
            actual,
        }
    }

    /// With what is left of the last block; the rest of the data.
    fn apply_partial<'d>(&mut self, data: &'d mut [u8]) -> &'d mut [u8] {
        let left = &self.partial.as_ref()[self.used..];
        let (head, data) = data.split_at_mut(left.len().min(data.len()));
        xor(head, left);
        self.used += head.len();
        data
    }

    /// With the start of another block, when the last one is used up.
    fn apply_next(&mut self, tail: &mut [u8]) {
        let mut last = [C::Block::ZERO];
        self.cipher.ctr(&mut self.counter, self.width, &mut last);
        [self.partial] = last;
        xor(tail, self.partial.as_ref());
        self.used = tail.len();
    }
}

/// How many blocks a counter of `width` bytes gives.
#[inline]
fn blocks_of(width: usize) -> u128 {
    1u128.checked_shl(8 * width as u32).unwrap_or(u128::MAX)
}

/// Encrypts or decrypts many messages in place, each under a key of its own and from a block of
/// counters of its own on, of which the last `width` bytes count: short messages share the CPU.
///
/// ```
/// use adamant_cipher::{aes::Aes128, modes::{Message, ctr}};
/// let (one, two) = (Aes128::new(&[1; 16]), Aes128::new(&[2; 16]));
/// let (mut a, mut b) = ([3; 20], [4; 7]);
/// ctr::encrypt_batch(4, &mut [
///     Message { cipher: &one, iv: [5; 16], data: &mut a },
///     Message { cipher: &two, iv: [6; 16], data: &mut b },
/// ])
/// .unwrap();
/// ctr::Ctr::new(&one, [5; 16], 4).apply_keystream(&mut a).unwrap();
/// assert_eq!(a, [3; 20]);
/// ```
///
/// # Errors
/// [`Error::BadLength`] when a counter would come back to where it began; all messages are then
/// untouched.
pub fn encrypt_batch<const KEY_LEN: usize>(
    width: usize,
    messages: &mut [lanes::Message<'_, KEY_LEN>],
) -> Result<(), Error> {
    on::ctr_encrypt_on(width, messages, lanes::Backend::best())
}

/// What `hazmat` has of this mode.
pub(crate) mod on {
    use super::*;

    /// [`ctr::encrypt_batch`](encrypt_batch) on this implementation.
    ///
    /// # Errors
    /// As there.
    pub fn ctr_encrypt_on<const KEY_LEN: usize>(
        width: usize,
        messages: &mut [lanes::Message<'_, KEY_LEN>],
        backend: lanes::Backend,
    ) -> Result<(), Error> {
        let most = blocks_of(width);
        for message in &*messages {
            let actual = message.data.len();
            if actual.div_ceil(16) as u128 > most {
                let expected = usize::try_from(most.saturating_mul(16)).unwrap_or(usize::MAX);
                return Err(Error::BadLength { expected, actual });
            }
        }
        // The bits of the low half that count.
        let mask = u64::MAX.unbounded_shr(64 - 8 * width.min(8) as u32);
        let mut streams: [Stream<'_, '_>; BESIDE] = core::array::from_fn(|_| Stream::none());
        let mut waiting = 0;
        for message in messages {
            let number = u128::from_be_bytes(message.iv);
            let far = mask - (number as u64 & mask) >= 3;
            if message.data.is_empty() || message.data.len() > SHORT || !far {
                Ctr::new(message.cipher, message.iv, width).apply_keystream(message.data)?;
                continue;
            }
            streams[waiting] = Stream::new(message.cipher, number, message.data);
            waiting += 1;
            if waiting == BESIDE {
                backend.ctr(&mut streams);
                waiting = 0;
            }
        }
        backend.ctr(&mut streams[..waiting]);
        Ok(())
    }
}

impl<C: BlockCipher> Drop for Ctr<'_, C> {
    fn drop(&mut self) {
        self.partial.as_mut().wipe();
    }
}
