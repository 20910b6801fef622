//! Poly1305 (RFC 8439, 2.5): a one-time authenticator.
//!
//! The blocks of a message, each a little-endian number with a one after its last byte, are the
//! coefficients of a polynomial; its value at the point r modulo p = 2^130 - 5, plus s modulo
//! 2^128, is the tag. r and s are the key, which serves one message.
//!
//! Between calls the sum is three 64-bit words, of which the last stays below 8; implementations
//! cut it into limbs of their own. Time depends only on lengths.

#[cfg(target_arch = "aarch64")]
pub(crate) mod arm_neon;
pub(crate) mod portable;
#[cfg(any(
    feature = "lab",
    all(target_arch = "arm", not(target_has_atomic = "ptr"))
))]
pub(crate) mod portable16;
#[cfg(any(
    feature = "lab",
    not(any(
        target_pointer_width = "64",
        all(target_arch = "arm", not(target_has_atomic = "ptr"))
    ))
))]
pub(crate) mod portable32;
#[cfg(target_pointer_width = "64")]
pub(crate) mod portable64;
#[cfg(target_arch = "x86_64")]
mod powers;
#[cfg(any(feature = "lab", feature = "small"))]
pub(crate) mod small;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", all(feature = "lab", target_arch = "x86_64")))]
pub(crate) mod x86_avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_ifma512;
#[cfg(any(target_arch = "x86", all(feature = "lab", target_arch = "x86_64")))]
mod x86_lanes;
#[cfg(any(target_arch = "x86", all(feature = "lab", target_arch = "x86_64")))]
pub(crate) mod x86_sse2;

use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Secret, Wipe};

macro_rules! table {
    ($($rows:tt)*) => {
        adamant_base::backends! {
            /// Implementations of Poly1305.
            pub(crate) struct Backend {
                /// For each block: adds it and `high` times 2^128 to the sum, and multiplies that by r.
                /// `high` is 1 for whole blocks and 0 for a last, padded one.
                fn update(state: &mut State, blocks: &[[u8; 16]], high: u32);
            }
            $($rows)*
        }
    };
}

#[cfg(any(feature = "lab", not(feature = "small")))]
table! {
    #[cfg(target_arch = "x86_64")]
    x86_ifma512 if ["avx512f", "avx512ifma", "avx512vbmi2"]
        steps [128, 16 * x86_ifma512::WORTHWHILE, 512, 128 * (1 + x86_ifma512::MANY)];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"] steps [128, 16 * arm_neon::WORTHWHILE];
    // ARMv6-M, known by its lack of compare-and-swap, has products of 32 bits.
    #[cfg(all(target_arch = "arm", not(target_has_atomic = "ptr")))]
    portable16 if [];
    #[cfg(target_pointer_width = "64")]
    portable64 if [];
    // On x86-64 words are wide enough.
    #[cfg(any(target_arch = "x86", all(feature = "lab", target_arch = "x86_64")))]
    x86_avx2 if ["avx2"] steps [16 * x86_avx2::LANES, 16 * x86_avx2::WORTHWHILE];
    #[cfg(any(target_arch = "x86", all(feature = "lab", target_arch = "x86_64")))]
    x86_sse2 if ["sse2"] steps [16 * x86_sse2::LANES, 16 * x86_sse2::WORTHWHILE];
    #[cfg(any(
        feature = "lab",
        not(any(
            target_pointer_width = "64",
            all(target_arch = "arm", not(target_has_atomic = "ptr"))
        ))
    ))]
    portable32 if [];
    #[cfg(all(feature = "lab", not(all(target_arch = "arm", not(target_has_atomic = "ptr")))))]
    portable16 if [];
    #[cfg(feature = "lab")]
    small if [];
}

#[cfg(all(feature = "small", not(feature = "lab")))]
table! {
    small if [];
}

pub(crate) mod key {
    /// A key with the sum of what was taken in.
    pub struct State {
        /// The sum; below 2^131.
        pub(crate) sum: [u64; 3],
        /// r: some of its bits are always zero.
        pub(crate) r: [u64; 2],
        pub(super) s: [u64; 2],
        /// What the vector implementations have computed.
        #[cfg(target_arch = "x86_64")]
        pub(crate) powers: super::powers::Powers,
    }
}
pub(crate) use key::State;

/// The bits that r may have (2.5.1, clamp).
const CLAMP: [u64; 2] = [0x0fff_fffc_0fff_ffff, 0x0fff_fffc_0fff_fffc];

impl State {
    /// The state of a key before any input.
    #[inline]
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        let word = |i: usize| {
            let (words, _) = key.as_chunks::<8>();
            u64::from_le_bytes(words[i])
        };
        State {
            sum: [0; 3],
            r: [word(0) & CLAMP[0], word(1) & CLAMP[1]],
            s: [word(2), word(3)],
            #[cfg(target_arch = "x86_64")]
            powers: powers::Powers::NONE,
        }
    }

    /// The sum modulo p, plus s.
    #[inline]
    pub(crate) fn tag(&self) -> [u8; 16] {
        #[cfg(feature = "small")]
        return small::tag(self);
        #[cfg(not(feature = "small"))]
        self.tag_of_words()
    }

    #[cfg(any(test, not(feature = "small")))]
    #[inline]
    fn tag_of_words(&self) -> [u8; 16] {
        let [h0, h1, h2] = portable::fold(self.sum);
        // h - p is h + 5 - 2^130; it is the sum where that is not negative.
        let (low, wide) = (u128::from(h1) << 64 | u128::from(h0), h2);
        let (minus, carry) = low.overflowing_add(5);
        let at_least_p = Choice::from_bit((wide + u64::from(carry)) >> 2 & 1);
        let half =
            |shift: u32| at_least_p.select_u64((minus >> shift) as u64, (low >> shift) as u64);
        let sum = u128::from(half(64)) << 64 | u128::from(half(0));
        let s = u128::from(self.s[1]) << 64 | u128::from(self.s[0]);
        sum.wrapping_add(s).to_le_bytes()
    }
}

impl Wipe for State {
    #[inline]
    fn wipe(&mut self) {
        self.sum.wipe();
        self.r.wipe();
        self.s.wipe();
        #[cfg(target_arch = "x86_64")]
        self.powers.wipe();
    }
}

/// A block of at most 15 bytes with the one after its last byte.
#[inline]
fn padded(rest: &[u8]) -> [u8; 16] {
    let mut block = [0; 16];
    block[..rest.len()].copy_from_slice(rest);
    block[rest.len()] = 1;
    block
}

/// A key for one message: using it takes it away.
///
/// ```compile_fail
/// use adamant_cipher::poly1305::{OneTimeKey, Poly1305};
/// let key = OneTimeKey::new([7; 32]);
/// Poly1305::new(key);
/// Poly1305::new(key); // the second message
/// ```
pub struct OneTimeKey {
    bytes: Secret<[u8; 32]>,
    backend: Backend,
}

impl OneTimeKey {
    /// The key of these bytes, r and then s; any 32 bytes are one.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        OneTimeKey {
            bytes: Secret::new(bytes),
            backend: Backend::best(),
        }
    }

    /// The same key on the given implementation.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }
}

/// The authenticator of one message.
///
/// ```
/// use adamant_cipher::poly1305::{OneTimeKey, Poly1305};
/// let mut mac = Poly1305::new(OneTimeKey::new([7; 32]));
/// mac.update(b"attack ");
/// mac.update(b"at dawn");
/// let tag = mac.finalize();
/// assert_eq!(tag, Poly1305::mac(OneTimeKey::new([7; 32]), b"attack at dawn"));
///
/// let mut mac = Poly1305::new(OneTimeKey::new([7; 32]));
/// mac.update(b"attack at dusk");
/// assert!(mac.verify(&tag).is_err());
/// ```
pub struct Poly1305 {
    state: Secret<State>,
    /// A block that is not yet whole.
    partial: Secret<[u8; 16]>,
    filled: usize,
    backend: Backend,
}

impl Poly1305 {
    /// A state under `key`.
    #[must_use]
    pub fn new(key: OneTimeKey) -> Self {
        Poly1305 {
            state: Secret::new(State::new(&key.bytes)),
            partial: Secret::new([0; 16]),
            filled: 0,
            backend: key.backend,
        }
    }

    /// The tag of a whole message.
    #[must_use]
    pub fn mac(key: OneTimeKey, message: &[u8]) -> [u8; 16] {
        let mut state = Secret::new(State::new(&key.bytes));
        let (blocks, rest) = message.as_chunks();
        if !blocks.is_empty() {
            key.backend.update(&mut state, blocks, 1);
        }
        if !rest.is_empty() {
            key.backend.update(&mut state, &[padded(rest)], 0);
        }
        state.tag()
    }

    /// Takes in more of the message.
    pub fn update(&mut self, mut data: &[u8]) {
        if self.filled > 0 {
            let taken = data.len().min(16 - self.filled);
            let (head, rest) = data.split_at(taken);
            self.partial[self.filled..][..taken].copy_from_slice(head);
            self.filled += taken;
            data = rest;
            if self.filled < 16 {
                return;
            }
            self.backend.update(&mut self.state, &[*self.partial], 1);
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            self.backend.update(&mut self.state, blocks, 1);
        }
        self.partial[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }

    /// The tag of everything taken in.
    #[must_use]
    pub fn finalize(mut self) -> [u8; 16] {
        if self.filled > 0 {
            let last = padded(&self.partial[..self.filled]);
            self.backend.update(&mut self.state, &[last], 0);
        }
        self.state.tag()
    }

    /// Compares the tag of everything taken in with `tag`, in constant time. Only whole tags
    /// count.
    ///
    /// # Errors
    /// [`Error::BadTag`] when they differ.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        // Whether a tag is right is public.
        if ct::eq(&self.finalize(), tag).declassify() {
            Ok(())
        } else {
            Err(Error::BadTag)
        }
    }
}
