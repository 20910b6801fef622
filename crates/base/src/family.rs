//! Traits of the algorithm families.
//!
//! They let generic code (HMAC over any hash, a mode over any block cipher, the behaviour suites
//! of the tests) and users' own implementations join without a change in this project.

mod aead;
mod keys;

pub use aead::Aead;
pub use keys::{Kem, KeyAgreement, Signer, Verifier};

use crate::{Error, Wipe, same_length};

/// A source of random bytes fit for keys.
///
/// ```
/// use adamant_base::{Error, Rng};
/// struct Counter(u8); // for the example only: not random at all
/// impl Rng for Counter {
///     fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
///         for b in out { self.0 = self.0.wrapping_add(1); *b = self.0 }
///         Ok(())
///     }
/// }
/// let mut key = [0; 3];
/// Counter(0).fill(&mut key).unwrap();
/// assert_eq!(key, [1, 2, 3]);
/// ```
pub trait Rng {
    /// Fills `out` with random bytes.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] when the system gives none; `out` must then not be used.
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error>;
}

/// A hash function with output of fixed length.
pub trait Hash: Clone {
    /// The digest, an array of [`Self::OUTPUT_LEN`] bytes.
    type Output: Block + PartialEq + core::fmt::Debug;
    /// Bytes of one input block, as HMAC needs it.
    const BLOCK_LEN: usize;
    /// Bytes of a digest.
    const OUTPUT_LEN: usize;

    /// The state before any input, on the best implementation of this CPU.
    fn new() -> Self;
    /// Takes in more of the message.
    fn update(&mut self, data: &[u8]);
    /// The digest of everything taken in.
    fn finalize(self) -> Self::Output;
    /// [`Self::finalize`] where the state stays: no use may be made of it afterwards, but to drop
    /// or overwrite it.
    #[doc(hidden)] // For what is built over a hash; easy to misuse.
    fn finish(&mut self) -> Self::Output {
        self.clone().finalize()
    }
    /// The digest of everything taken in and these parts after it; the state stays as it is.
    fn finish_with(&self, parts: &[&[u8]]) -> Self::Output {
        let mut hash = self.clone();
        for part in parts {
            hash.update(part);
        }
        hash.finish()
    }
    /// HMAC (RFC 2104) of these parts under `key`, where the hash has a quicker way than its own
    /// steps for such lengths. Nothing must have been fed into this state yet.
    #[doc(hidden)] // For `Hmac`, which users call.
    #[inline]
    fn hmac(&self, _key: &[u8], _parts: &[&[u8]]) -> Option<Self::Output> {
        None
    }
    /// The digest of `data`.
    fn digest(data: &[u8]) -> Self::Output {
        let mut h = Self::new();
        h.update(data);
        h.finalize()
    }
    /// The digests of many messages, in their order: one after the other, unless the hash has a
    /// quicker way.
    ///
    /// # Errors
    /// [`Error::BadLength`] when there are not as many places as messages; `out` is then
    /// untouched.
    fn digest_batch_into(messages: &[&[u8]], out: &mut [Self::Output]) -> Result<(), Error> {
        same_length(messages.len(), out.len())?;
        for (message, digest) in messages.iter().zip(out) {
            *digest = Self::digest(message);
        }
        Ok(())
    }
    /// Runs the inner loop of PBKDF2 on each chain, `count` times. Implementations may do many
    /// chains at once; the result is that of [`HmacChain::run`].
    fn hmac_chains(chains: &mut [HmacChain<Self>], count: u32) {
        for chain in chains {
            chain.run(count);
        }
    }
}

/// HMAC fed with its own tag again and again: the inner loop of PBKDF2.
#[derive(Clone)]
pub struct HmacChain<H: Hash> {
    /// The hash after the block K ⊕ ipad.
    pub inner: H,
    /// The hash after the block K ⊕ opad.
    pub outer: H,
    /// The last tag.
    pub value: H::Output,
    /// The exclusive or of the tags.
    pub sum: H::Output,
}

impl<H: Hash> HmacChain<H> {
    /// `count` times: `value = HMAC(K, value)`, `sum ^= value`.
    pub fn run(&mut self, count: u32) {
        for _ in 0..count {
            let mut inner = self.inner.clone();
            inner.update(self.value.as_ref());
            self.value = inner.finalize();
            let mut outer = self.outer.clone();
            outer.update(self.value.as_ref());
            self.value = outer.finalize();
            for (s, v) in self.sum.as_mut().iter_mut().zip(self.value.as_ref()) {
                *s ^= v;
            }
        }
    }
}

impl<H: Hash> Wipe for HmacChain<H> {
    /// Wipes the tags; the hashes wipe themselves when dropped, if they are ones that do.
    fn wipe(&mut self) {
        self.value.as_mut().wipe();
        self.sum.as_mut().wipe();
    }
}

/// A function with output of any length.
pub trait Xof: Clone {
    /// The source of the output.
    type Reader: XofReader;
    /// Bytes of one input block.
    const BLOCK_LEN: usize;

    /// The state before any input, on the best implementation of this CPU.
    fn new() -> Self;
    /// Takes in more of the message.
    fn update(&mut self, data: &[u8]);
    /// The output for everything taken in.
    fn finalize_xof(self) -> Self::Reader;
    /// Fills `out` with the first bytes of the output for `data`.
    fn digest(data: &[u8], out: &mut [u8]) {
        let mut xof = Self::new();
        xof.update(data);
        xof.finalize_xof().read(out);
    }
}

/// The output of an [`Xof`].
pub trait XofReader: Clone {
    /// Fills `out` with the next bytes of the output.
    fn read(&mut self, out: &mut [u8]);
}

/// A message authentication code.
pub trait Mac: Clone + Sized {
    /// The tag.
    type Output: AsRef<[u8]> + AsMut<[u8]> + Copy;

    /// A state under `key`.
    ///
    /// # Errors
    /// [`Error::BadLength`] when the algorithm does not accept keys of this length.
    fn new(key: &[u8]) -> Result<Self, Error>;
    /// Takes in more of the message.
    fn update(&mut self, data: &[u8]);
    /// The tag of everything taken in.
    fn finalize(self) -> Self::Output;
}

/// A block of a block cipher: this many bytes.
pub trait Block: Copy + AsRef<[u8]> + AsMut<[u8]> + 'static {
    /// Zeros.
    const ZERO: Self;
    /// The whole blocks of `data`, and the rest.
    fn split_mut(data: &mut [u8]) -> (&mut [Self], &mut [u8]);
    /// The whole blocks of `data`, and the rest.
    fn split(data: &[u8]) -> (&[Self], &[u8]);
    /// These bytes as one block.
    ///
    /// # Errors
    /// [`Error::BadLength`] where there are more or fewer.
    #[inline]
    fn from_slice(data: &[u8]) -> Result<&Self, Error> {
        same_length(size_of::<Self>(), data.len())?;
        Ok(&Self::split(data).0[0])
    }
    /// As [`Self::from_slice`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    fn from_mut_slice(data: &mut [u8]) -> Result<&mut Self, Error> {
        same_length(size_of::<Self>(), data.len())?;
        Ok(&mut Self::split_mut(data).0[0])
    }
    /// The exclusive or.
    #[must_use]
    fn xor(mut self, other: Self) -> Self {
        for (a, b) in self.as_mut().iter_mut().zip(other.as_ref()) {
            *a ^= b;
        }
        self
    }
}

impl<const LEN: usize> Block for [u8; LEN] {
    const ZERO: Self = [0; LEN];
    fn split_mut(data: &mut [u8]) -> (&mut [Self], &mut [u8]) {
        data.as_chunks_mut()
    }
    fn split(data: &[u8]) -> (&[Self], &[u8]) {
        data.as_chunks()
    }
}

/// A block cipher under one key.
///
/// Modes and AEADs are generic over this trait, so an accelerator or a cipher of your own joins
/// with the first two methods. The others are the loops of the modes of NIST SP 800-38A; an
/// implementation that can do better than the ones given here replaces them.
///
/// ```
/// use adamant_base::BlockCipher;
/// struct Complement; // for the example only: not a cipher
/// impl BlockCipher for Complement {
///     type Block = [u8; 2];
///     fn encrypt_blocks(&self, blocks: &mut [[u8; 2]]) {
///         blocks.as_flattened_mut().iter_mut().for_each(|b| *b = !*b);
///     }
///     fn decrypt_blocks(&self, blocks: &mut [[u8; 2]]) {
///         self.encrypt_blocks(blocks);
///     }
/// }
/// let mut data = [[0; 2]; 2];
/// Complement.ctr(&mut [0x00, 0xff], 1, &mut data);
/// assert_eq!(data, [[0xff, 0x00], [0xff, 0xff]]); // the counter is the last byte
/// ```
pub trait BlockCipher {
    /// One block.
    type Block: Block;

    /// Encrypts each block in place, independently: ECB.
    fn encrypt_blocks(&self, blocks: &mut [Self::Block]);
    /// Decrypts each block in place, independently.
    fn decrypt_blocks(&self, blocks: &mut [Self::Block]);

    /// CTR: takes the exclusive or of each block and the encrypted counter, which then counts
    /// one on. The last `width` bytes of a counter are a big-endian number that wraps around.
    fn ctr(&self, counter: &mut Self::Block, width: usize, blocks: &mut [Self::Block]) {
        for blocks in blocks.chunks_mut(AT_ONCE) {
            let mut stream = Masks([Self::Block::ZERO; AT_ONCE]);
            let stream = &mut stream.0[..blocks.len()];
            for block in &mut *stream {
                *block = *counter;
                increment(counter.as_mut(), width);
            }
            self.encrypt_blocks(stream);
            for (block, mask) in blocks.iter_mut().zip(stream) {
                *block = block.xor(*mask);
            }
        }
    }

    /// CBC encryption; `iv` becomes the last block of ciphertext.
    fn cbc_encrypt(&self, iv: &mut Self::Block, blocks: &mut [Self::Block]) {
        for block in blocks {
            *block = block.xor(*iv);
            self.encrypt_blocks(core::slice::from_mut(block));
            *iv = *block;
        }
    }

    /// XTS encryption of whole blocks (IEEE 1619), 16 bytes each: block i is added before and
    /// after to the tweak times x^i; the tweak becomes the one of the next block.
    fn xts_encrypt(&self, tweak: &mut Self::Block, blocks: &mut [Self::Block]) {
        with_tweaks(tweak, blocks, |blocks| self.encrypt_blocks(blocks));
    }

    /// XTS decryption of whole blocks.
    fn xts_decrypt(&self, tweak: &mut Self::Block, blocks: &mut [Self::Block]) {
        with_tweaks(tweak, blocks, |blocks| self.decrypt_blocks(blocks));
    }

    /// CBC-MAC: adds each block to the sum and encrypts that.
    fn cbc_mac(&self, sum: &mut Self::Block, blocks: &[Self::Block]) {
        for block in blocks {
            *sum = sum.xor(*block);
            self.encrypt_blocks(core::slice::from_mut(sum));
        }
    }

    /// CBC decryption; `iv` becomes the last block of ciphertext.
    fn cbc_decrypt(&self, iv: &mut Self::Block, blocks: &mut [Self::Block]) {
        for blocks in blocks.chunks_mut(AT_ONCE) {
            let mut previous = [Self::Block::ZERO; AT_ONCE];
            for (to, from) in previous.iter_mut().zip(&*blocks) {
                *to = *from;
            }
            self.decrypt_blocks(blocks);
            for (block, c) in blocks.iter_mut().zip(previous) {
                *block = block.xor(*iv);
                *iv = c;
            }
        }
    }
}

/// A borrowed cipher is one too.
impl<C: BlockCipher + ?Sized> BlockCipher for &C {
    type Block = C::Block;

    fn encrypt_blocks(&self, blocks: &mut [C::Block]) {
        (**self).encrypt_blocks(blocks);
    }
    fn decrypt_blocks(&self, blocks: &mut [C::Block]) {
        (**self).decrypt_blocks(blocks);
    }
    fn ctr(&self, counter: &mut C::Block, width: usize, blocks: &mut [C::Block]) {
        (**self).ctr(counter, width, blocks);
    }
    fn cbc_encrypt(&self, iv: &mut C::Block, blocks: &mut [C::Block]) {
        (**self).cbc_encrypt(iv, blocks);
    }
    fn xts_encrypt(&self, tweak: &mut C::Block, blocks: &mut [C::Block]) {
        (**self).xts_encrypt(tweak, blocks);
    }
    fn xts_decrypt(&self, tweak: &mut C::Block, blocks: &mut [C::Block]) {
        (**self).xts_decrypt(tweak, blocks);
    }
    fn cbc_mac(&self, sum: &mut C::Block, blocks: &[C::Block]) {
        (**self).cbc_mac(sum, blocks);
    }
    fn cbc_decrypt(&self, iv: &mut C::Block, blocks: &mut [C::Block]) {
        (**self).cbc_decrypt(iv, blocks);
    }
}

/// Blocks handed over at once by the loops of [`BlockCipher`].
const AT_ONCE: usize = 32;

/// Blocks that are added to data, and would tell of them: wiped when dropped.
struct Masks<B: Block>([B; AT_ONCE]);

impl<B: Block> Drop for Masks<B> {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|block| block.as_mut().wipe());
    }
}

/// Runs `crypt` on the blocks with their tweaks added before and after.
fn with_tweaks<B: Block>(tweak: &mut B, blocks: &mut [B], crypt: impl Fn(&mut [B])) {
    for blocks in blocks.chunks_mut(AT_ONCE) {
        let mut tweaks = Masks([B::ZERO; AT_ONCE]);
        for (kept, block) in tweaks.0.iter_mut().zip(&mut *blocks) {
            *kept = *tweak;
            *block = block.xor(*tweak);
            times_x(tweak.as_mut());
        }
        crypt(blocks);
        for (block, tweak) in blocks.iter_mut().zip(&tweaks.0) {
            *block = block.xor(*tweak);
        }
    }
}

/// Times x modulo x^128 + x^7 + x^2 + x + 1, the first byte lowest.
fn times_x(tweak: &mut [u8]) {
    let mut carry = 0;
    for byte in &mut *tweak {
        let high = *byte >> 7;
        *byte = *byte << 1 | carry;
        carry = high;
    }
    tweak[0] ^= crate::ct::Choice::from_bit(u64::from(carry)).select_u64(0x87, 0) as u8;
}

/// Adds one to the big-endian number in the last `width` bytes.
fn increment(counter: &mut [u8], width: usize) {
    for byte in counter.iter_mut().rev().take(width) {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
}
