//! SHAKE (FIPS 202, 6.2) and cSHAKE (SP 800-185, 3).

use super::encoding::{encode_string, left_encode};
use crate::keccak::lanes::{self, batch::Function};
use crate::keccak::{Backend, Rounds, Sponge};
use adamant_base::Error;
use adamant_base::family::{Xof, XofReader};

/// FIPS 202, 6.2: the bits 1111 after the message, then the first one of the padding.
pub(super) const SHAKE_SUFFIX: u8 = 0b1_1111;
/// SP 800-185, 3.3: the bits 00 after the message, then the first one of the padding.
pub(crate) const CSHAKE_SUFFIX: u8 = 0b100;

/// The output of a sponge with `RATE` bytes in a block: it never ends.
///
/// ```
/// use adamant_hash::Shake128;
/// let mut whole = [0; 500];
/// Shake128::digest(b"abc", &mut whole);
///
/// let mut hash = Shake128::new();
/// hash.update(b"abc");
/// let mut reader = hash.finalize_xof();
/// let (mut head, mut tail) = ([0; 7], [0; 493]);
/// reader.read(&mut head);
/// reader.read(&mut tail);
/// assert_eq!([&head[..], &tail].concat(), whole);
/// ```
#[derive(Clone)]
pub struct Reader<const RATE: usize>(Sponge<RATE>);

impl<const RATE: usize> Reader<RATE> {
    /// Ends the input of `sponge` with `suffix`.
    #[inline]
    pub(crate) fn new(mut sponge: Sponge<RATE>, suffix: u8) -> Self {
        sponge.finish(suffix);
        Reader(sponge)
    }

    /// Fills `out` with the next bytes of the output.
    #[inline]
    pub fn read(&mut self, out: &mut [u8]) {
        self.0.squeeze(out);
    }
}

impl<const RATE: usize> XofReader for Reader<RATE> {
    #[inline]
    fn read(&mut self, out: &mut [u8]) {
        Reader::read(self, out);
    }
}

/// The methods that every function of this kind has: its first field is the sponge; `$suffix`
/// makes the bits after the message from `self`.
macro_rules! xof {
    ($name:ident, block: $block:literal, |$self:ident| $suffix:expr) => {
        impl $name {
            /// Takes in more of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                self.sponge.absorb(data);
            }

            /// The output for everything taken in.
            #[inline]
            #[must_use]
            pub fn finalize_xof(self) -> Reader<$block> {
                let $self = self;
                let suffix = $suffix;
                Reader::new($self.sponge, suffix)
            }

            /// Fills `out` with the first bytes of the output for `data`.
            #[inline]
            pub fn digest(data: &[u8], out: &mut [u8]) {
                <Self as Xof>::digest(data, out);
            }
        }

        #[cfg(feature = "std")]
        adamant_base::write_by_update! { [] $name; }

        impl Xof for $name {
            type Reader = Reader<$block>;
            const BLOCK_LEN: usize = $block;

            #[inline]
            fn new() -> Self {
                Self::default()
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                $name::update(self, data);
            }
            #[inline]
            fn finalize_xof(self) -> Self::Reader {
                $name::finalize_xof(self)
            }
            fn digest(data: &[u8], out: &mut [u8]) {
                // The state stays where it is.
                let mut hash = Self::default();
                hash.update(data);
                let $self = &hash;
                let suffix = $suffix;
                hash.sponge.finish(suffix);
                hash.sponge.squeeze(out);
            }
        }
    };
}
pub(super) use xof;

macro_rules! shake {
    ($(#[$meta:meta])* $name:ident, block: $block:literal) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name {
            sponge: Sponge<$block>,
        }

        impl $name {
            /// The state before any input, on the best implementation of this CPU.
            #[inline]
            #[must_use]
            pub fn new() -> Self {
                Self::new_on(Backend::best())
            }

            /// The state before any input, on this implementation.
            #[inline]
            #[must_use]
            pub fn new_on(backend: Backend) -> Self {
                $name {
                    sponge: Sponge::new(backend, Rounds::ALL),
                }
            }

            /// The first `N` bytes of the output for each message, eight at once, on the best implementation
            /// of this CPU.
            #[cfg(feature = "alloc")]
            #[cfg_attr(not(feature = "lab"), inline)]
            #[must_use]
            pub fn digest_batch<const N: usize>(messages: &[&[u8]]) -> alloc::vec::Vec<[u8; N]> {
                let mut out = alloc::vec![[0; N]; messages.len()];
                Self::digest_batch_into(messages, &mut out).expect("as many places as messages");
                out
            }

            /// Fills each place of `out`, of any length, with the first bytes of the output for
            /// the message of the same index: eight at once, on the best implementation of this
            /// CPU.
            ///
            /// # Errors
            /// [`Error::BadLength`] when there are not as many places as messages; `out` is then
            /// untouched.
            pub fn digest_batch_into<O: AsMut<[u8]>>(
                messages: &[&[u8]],
                out: &mut [O],
            ) -> Result<(), Error> {
                Self::FUNCTION.batch(lanes::Backend::best(), messages, out)
            }

            /// The function, for lanes of the caller's choice ([`hazmat`](crate::hazmat::keccak::lanes)).
            pub const FUNCTION: Function<$block> = Function {
                suffix: SHAKE_SUFFIX,
                rounds: Rounds::ALL,
            };
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        xof!($name, block: $block, |_hash| SHAKE_SUFFIX);
    };
}

shake! {
    /// SHAKE128: 128 bits of security, output of any length.
    ///
    /// ```
    /// use adamant_hash::Shake128;
    /// let mut out = [0; 4];
    /// Shake128::digest(b"", &mut out);
    /// assert_eq!(out, [0x7f, 0x9c, 0x2b, 0xa4]);
    ///
    /// let mut outs = [[0; 4]; 2];
    /// Shake128::digest_batch_into(&[b"", b"another"], &mut outs).unwrap();
    /// assert_eq!(outs[0], out);
    /// ```
    Shake128, block: 168
}
shake! {
    /// SHAKE256: 256 bits of security, output of any length.
    ///
    /// ```
    /// use adamant_hash::Shake256;
    /// let mut out = [0; 4];
    /// Shake256::digest(b"", &mut out);
    /// assert_eq!(out, [0x46, 0xb9, 0xdd, 0x2b]);
    /// ```
    Shake256, block: 136
}

/// The sponge of cSHAKE after its name and customization strings, and the bits that then end the
/// message: with both strings empty it is SHAKE.
pub(crate) fn cshake<const RATE: usize>(
    backend: Backend,
    name: &[u8],
    customization: &[u8],
) -> (Sponge<RATE>, u8) {
    let mut sponge = Sponge::new(backend, Rounds::ALL);
    if name.is_empty() && customization.is_empty() {
        return (sponge, SHAKE_SUFFIX);
    }
    // bytepad(encode_string(N) || encode_string(S), rate)
    left_encode(&mut sponge, RATE as u128);
    encode_string(&mut sponge, name);
    encode_string(&mut sponge, customization);
    sponge.next_block();
    (sponge, CSHAKE_SUFFIX)
}

macro_rules! cshake {
    ($(#[$meta:meta])* $name:ident, block: $block:literal) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name {
            sponge: Sponge<$block>,
            suffix: u8,
        }

        impl $name {
            /// The state before any input, on the best implementation of this CPU. The name of
            /// the function is NIST's to give: others leave it empty.
            #[must_use]
            pub fn new(name: &[u8], customization: &[u8]) -> Self {
                Self::new_on(name, customization, Backend::best())
            }

            /// The same on this implementation.
            #[must_use]
            pub fn new_on(name: &[u8], customization: &[u8], backend: Backend) -> Self {
                let (sponge, suffix) = cshake(backend, name, customization);
                $name { sponge, suffix }
            }
        }

        /// With both strings empty, which is SHAKE.
        impl Default for $name {
            fn default() -> Self {
                Self::new(b"", b"")
            }
        }

        xof!($name, block: $block, |hash| hash.suffix);
    };
}

cshake! {
    /// cSHAKE128: SHAKE128 with strings that keep its uses apart.
    ///
    /// ```
    /// use adamant_hash::sha3::CShake128;
    /// let mut hash = CShake128::new(b"", b"Email Signature");
    /// hash.update(&[0, 1, 2, 3]);
    /// let mut out = [0; 4];
    /// hash.finalize_xof().read(&mut out);
    /// assert_eq!(out, [0xc1, 0xc3, 0x69, 0x25]);
    /// ```
    CShake128, block: 168
}
cshake! {
    /// cSHAKE256: SHAKE256 with strings that keep its uses apart.
    ///
    /// ```
    /// use adamant_hash::sha3::CShake256;
    /// let mut hash = CShake256::new(b"", b"Email Signature");
    /// hash.update(&[0, 1, 2, 3]);
    /// let mut out = [0; 4];
    /// hash.finalize_xof().read(&mut out);
    /// assert_eq!(out, [0xd0, 0x08, 0x82, 0x8e]);
    /// ```
    CShake256, block: 136
}
