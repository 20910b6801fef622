//! HMAC (RFC 2104, FIPS 198-1) over any hash.
//!
//! HMAC(K, text) = H((K ⊕ opad) ‖ H((K ⊕ ipad) ‖ text)). The states after the two padded keys
//! are kept, so a clone is a key schedule ready for another message.

pub(crate) mod batch;
#[cfg(test)]
mod tests;

#[cfg(feature = "alloc")]
use adamant_base::Block;
use adamant_base::family::{Hash, Mac};
use adamant_base::{Error, Wipe, ct, same_length};

/// Room for one block of any hash; Keccak's whole state is the largest.
const MAX_BLOCK: usize = 200;

/// HMAC under one key.
///
/// ```
/// use adamant_hash::{Hmac, Sha256};
/// let keyed = Hmac::<Sha256>::new(b"key");
/// let mut mac = keyed.clone();
/// mac.update(b"message");
/// let tag = mac.finalize();
/// assert_eq!(tag, Hmac::<Sha256>::mac(b"key", b"message"));
///
/// let mut mac = keyed.clone();
/// mac.update(b"massage");
/// assert!(mac.verify(&tag).is_err());
/// ```
///
/// Keys of every length are accepted. The key schedule is wiped on drop, as the hashes of this
/// crate wipe their states.
#[derive(Clone)]
pub struct Hmac<H: Hash> {
    /// After K ⊕ ipad and the message so far.
    inner: H,
    /// After K ⊕ opad.
    outer: H,
}

impl<H: Hash> Hmac<H> {
    /// A state under `key`.
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        Self::with_hash(&H::new(), key)
    }

    /// A state under `key`, on the implementation of `hash`, which must not have taken anything
    /// in yet.
    ///
    /// ```
    /// use adamant_hash::{Hmac, Sha256, hazmat::sha256};
    /// let hash = Sha256::new_on(sha256::Backend::portable());
    /// let mac = Hmac::with_hash(&hash, b"key");
    /// assert_eq!(mac.finalize(), Hmac::<Sha256>::mac(b"key", b""));
    /// ```
    #[must_use]
    pub fn with_hash(hash: &H, key: &[u8]) -> Self {
        const { assert!(H::OUTPUT_LEN <= H::BLOCK_LEN && H::BLOCK_LEN <= MAX_BLOCK) };
        let mut room = [0; MAX_BLOCK];
        let block = &mut room[..H::BLOCK_LEN];
        if key.len() <= H::BLOCK_LEN {
            block[..key.len()].copy_from_slice(key);
        } else {
            let mut short = hash.finish_with(&[key]);
            block[..H::OUTPUT_LEN].copy_from_slice(short.as_ref());
            short.as_mut().wipe();
        }
        for byte in block.iter_mut() {
            *byte ^= 0x36;
        }
        let (mut inner, mut outer) = (hash.clone(), hash.clone());
        inner.update(block);
        for byte in block.iter_mut() {
            *byte ^= 0x36 ^ 0x5c;
        }
        outer.update(block);
        block.wipe();
        Hmac { inner, outer }
    }

    /// The states after what was taken in, and after the outer key.
    pub(crate) fn states(&self) -> (&H, &H) {
        (&self.inner, &self.outer)
    }

    /// HMAC whose states are these.
    #[cfg(test)]
    pub(crate) fn behind(inner: H, outer: H) -> Self {
        Hmac { inner, outer }
    }

    /// Takes in more of the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.inner.update(data);
    }

    /// The tag of everything taken in.
    #[inline(always)] // A call would move the two states.
    #[must_use]
    pub fn finalize(mut self) -> H::Output {
        let mut digest = self.inner.finish();
        if cfg!(feature = "small") {
            self.outer.update(digest.as_ref());
            digest.as_mut().wipe();
            return self.outer.finish();
        }
        self.outer(digest)
    }

    /// The tag of everything taken in and these parts after it. The state stays as it is: a key
    /// schedule gives the tags of many messages, and quicker than clones of it do.
    ///
    /// ```
    /// use adamant_hash::{Hmac, Sha256};
    /// let keyed = Hmac::<Sha256>::new(b"key");
    /// assert_eq!(keyed.tag(&[b"mess", b"age"]), Hmac::<Sha256>::mac(b"key", b"message"));
    /// assert_eq!(keyed.tag(&[b"other"]), Hmac::<Sha256>::mac(b"key", b"other"));
    /// ```
    #[inline]
    #[must_use]
    pub fn tag(&self, parts: &[&[u8]]) -> H::Output {
        self.outer(self.inner.finish_with(parts))
    }

    #[inline]
    fn outer(&self, mut digest: H::Output) -> H::Output {
        let tag = self.outer.finish_with(&[digest.as_ref()]);
        digest.as_mut().wipe();
        tag
    }

    /// Compares the tag of everything taken in with `tag`, in constant time. Only whole tags
    /// count.
    ///
    /// # Errors
    /// [`Error::BadTag`] when they differ.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        let mut expected = self.finalize();
        let equal = ct::eq(expected.as_ref(), tag);
        expected.as_mut().wipe();
        // Whether the tag matched is the answer.
        if equal.declassify() {
            Ok(())
        } else {
            Err(Error::BadTag)
        }
    }

    /// The tag of `message` under `key`.
    #[must_use]
    pub fn mac(key: &[u8], message: &[u8]) -> H::Output {
        Self::mac_with(&H::new(), key, &[message])
    }

    /// The tag of these parts under `key`, on the implementation of `hash`, which must not have
    /// taken anything in yet.
    pub(crate) fn mac_with(hash: &H, key: &[u8], parts: &[&[u8]]) -> H::Output {
        let tag = hash.hmac(key, parts);
        tag.unwrap_or_else(|| Self::with_hash(hash, key).tag(parts))
    }
}

/// Many tags at once, for hashes with a batch of their own; see [`BatchHash`].
impl<H: BatchHash> Hmac<H> {
    /// The tags of many messages, each under the key of the same index.
    ///
    /// ```
    /// use adamant_hash::{Hmac, Sha256};
    /// let tags = Hmac::<Sha256>::mac_batch(&[b"key", b"kay"], &[b"one", b"another"])?;
    /// assert_eq!(tags[1], Hmac::<Sha256>::mac(b"kay", b"another"));
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadLength`] when there are not as many keys as messages.
    #[cfg(feature = "alloc")]
    pub fn mac_batch(
        keys: &[&[u8]],
        messages: &[&[u8]],
    ) -> Result<alloc::vec::Vec<H::Output>, Error> {
        let mut out = alloc::vec![H::Output::ZERO; messages.len()];
        Self::mac_batch_into(keys, messages, &mut out)?;
        Ok(out)
    }

    /// [`Self::mac_batch`] to these places.
    ///
    /// # Errors
    /// [`Error::BadLength`] when there are not as many keys, or places, as messages; `out` is then
    /// untouched.
    pub fn mac_batch_into(
        keys: &[&[u8]],
        messages: &[&[u8]],
        out: &mut [H::Output],
    ) -> Result<(), Error> {
        H::hmac_batch_on(keys, messages, out, H::lanes())
    }

    /// The tags of many messages under this key: of each after what was taken in, if anything.
    ///
    /// ```
    /// use adamant_hash::{Hmac, Sha256};
    /// let keyed = Hmac::<Sha256>::new(b"key");
    /// let tags = keyed.mac_each(&[b"one", b"another"]);
    /// assert_eq!(tags[1], Hmac::<Sha256>::mac(b"key", b"another"));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn mac_each(&self, messages: &[&[u8]]) -> alloc::vec::Vec<H::Output> {
        let mut out = alloc::vec![H::Output::ZERO; messages.len()];
        self.mac_each_into(messages, &mut out)
            .expect("as many places as messages");
        out
    }

    /// [`Self::mac_each`] to these places.
    ///
    /// # Errors
    /// [`Error::BadLength`] when there are not as many places as messages; `out` is then untouched.
    pub fn mac_each_into(&self, messages: &[&[u8]], out: &mut [H::Output]) -> Result<(), Error> {
        H::hmac_batch_one_key_on(self, messages, out, H::lanes())
    }
}

/// Hashes of many messages side by side, on an implementation of the caller's choice; for messages
/// too few to fill it, on narrower ones. Every hash can have it: what is given here takes one message
/// after the other.
pub trait BatchHash: Hash {
    /// An implementation of many states.
    type Lanes: Copy;

    /// The best one of this CPU.
    fn lanes() -> Self::Lanes;

    /// [`Hash::digest_batch_into`] on this implementation.
    ///
    /// # Errors
    /// As there.
    fn digest_batch_on(
        messages: &[&[u8]],
        out: &mut [Self::Output],
        _lanes: Self::Lanes,
    ) -> Result<(), Error> {
        Self::digest_batch_into(messages, out)
    }

    /// [`Hmac::mac_batch_into`] on this implementation.
    ///
    /// # Errors
    /// As there.
    fn hmac_batch_on(
        keys: &[&[u8]],
        messages: &[&[u8]],
        out: &mut [Self::Output],
        _lanes: Self::Lanes,
    ) -> Result<(), Error> {
        same_length(messages.len(), keys.len())?;
        same_length(messages.len(), out.len())?;
        for ((key, message), tag) in keys.iter().zip(messages).zip(out) {
            *tag = Hmac::<Self>::mac(key, message);
        }
        Ok(())
    }

    /// [`Hmac::mac_each_into`] on this implementation.
    ///
    /// # Errors
    /// As there.
    fn hmac_batch_one_key_on(
        keyed: &Hmac<Self>,
        messages: &[&[u8]],
        out: &mut [Self::Output],
        _lanes: Self::Lanes,
    ) -> Result<(), Error> {
        same_length(messages.len(), out.len())?;
        one_by_one(keyed, messages, out);
        Ok(())
    }
}

#[cfg(feature = "blake")]
impl BatchHash for crate::Blake3 {
    type Lanes = ();

    fn lanes() {}
}

/// Tags under one key, one after the other, for as many messages as places.
pub(crate) fn one_by_one<H: Hash>(keyed: &Hmac<H>, messages: &[&[u8]], out: &mut [H::Output]) {
    for (message, tag) in messages.iter().zip(out) {
        let mut mac = keyed.clone();
        mac.update(message);
        *tag = mac.finalize();
    }
}

impl<H: Hash> Mac for Hmac<H> {
    type Output = H::Output;

    fn new(key: &[u8]) -> Result<Self, Error> {
        Ok(Hmac::new(key))
    }
    fn update(&mut self, data: &[u8]) {
        Hmac::update(self, data);
    }
    fn finalize(self) -> H::Output {
        Hmac::finalize(self)
    }
}
