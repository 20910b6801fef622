//! KMAC (SP 800-185, 4): a MAC made from cSHAKE.
//!
//! [`Kmac128`] and [`Kmac256`] bind the length of the tag, `N` bytes, into it; [`KmacXof128`] and
//! [`KmacXof256`] give output of any length. The state after the key is kept, so a clone is a key
//! schedule ready for another message; it is wiped on drop.

#[cfg(test)]
mod tests;

use crate::keccak::{Backend, Sponge};
use crate::sha3::encoding::{encode_string, left_encode, right_encode};
use crate::sha3::{CSHAKE_SUFFIX, Reader, cshake};
use adamant_base::family::Mac;
use adamant_base::{Error, Wipe, ct};

/// newX but for the message: bytepad(encode_string(K), rate) after the strings of cSHAKE.
fn keyed<const RATE: usize>(backend: Backend, key: &[u8], customization: &[u8]) -> Sponge<RATE> {
    let (mut sponge, _) = cshake(backend, b"KMAC", customization);
    left_encode(&mut sponge, RATE as u128);
    encode_string(&mut sponge, key);
    sponge.next_block();
    sponge
}

macro_rules! kmac {
    (
        $(#[$meta:meta])* $name:ident,
        $(#[$xof_meta:meta])* $xof:ident,
        $(#[$fn_meta:meta])* $function:ident,
        block: $block:literal
    ) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name<const N: usize>(Sponge<$block>);

        impl<const N: usize> $name<N> {
            /// A state under `key`, of any length; `customization` keeps uses apart and may be
            /// empty.
            #[must_use]
            pub fn new(key: &[u8], customization: &[u8]) -> Self {
                Self::new_on(key, customization, Backend::best())
            }

            /// The same on this implementation.
            #[must_use]
            pub fn new_on(key: &[u8], customization: &[u8], backend: Backend) -> Self {
                const { assert!(N > 0) };
                $name(keyed(backend, key, customization))
            }

            /// Takes in more of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                self.0.absorb(data);
            }

            /// The tag of everything taken in.
            #[inline]
            #[must_use]
            pub fn finalize(mut self) -> [u8; N] {
                let mut tag = [0; N];
                right_encode(&mut self.0, 8 * N as u128);
                self.0.finish(CSHAKE_SUFFIX);
                self.0.squeeze(&mut tag);
                tag
            }

            /// Compares the tag of everything taken in with `tag`, in constant time. Only whole
            /// tags count.
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
        }

        impl<const N: usize> Mac for $name<N> {
            type Output = [u8; N];

            fn new(key: &[u8]) -> Result<Self, Error> {
                Ok($name::new(key, b""))
            }
            fn update(&mut self, data: &[u8]) {
                $name::update(self, data);
            }
            fn finalize(self) -> [u8; N] {
                $name::finalize(self)
            }
        }

        $(#[$xof_meta])*
        #[derive(Clone)]
        pub struct $xof(Sponge<$block>);

        impl $xof {
            /// A state under `key`, of any length; `customization` keeps uses apart and may be
            /// empty.
            #[must_use]
            pub fn new(key: &[u8], customization: &[u8]) -> Self {
                Self::new_on(key, customization, Backend::best())
            }

            /// The same on this implementation.
            #[must_use]
            pub fn new_on(key: &[u8], customization: &[u8], backend: Backend) -> Self {
                $xof(keyed(backend, key, customization))
            }

            /// Takes in more of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                self.0.absorb(data);
            }

            /// The output for everything taken in.
            #[inline]
            #[must_use]
            pub fn finalize_xof(mut self) -> Reader<$block> {
                right_encode(&mut self.0, 0);
                Reader::new(self.0, CSHAKE_SUFFIX)
            }
        }

        $(#[$fn_meta])*
        pub fn $function(key: &[u8], message: &[u8], customization: &[u8], out: &mut [u8]) {
            let mut sponge = keyed::<$block>(Backend::best(), key, customization);
            sponge.absorb(message);
            right_encode(&mut sponge, 8 * out.len() as u128);
            sponge.finish(CSHAKE_SUFFIX);
            sponge.squeeze(out);
        }
    };
}

kmac! {
    /// KMAC128 with tags of `N` bytes.
    ///
    /// ```
    /// use adamant_hash::Kmac128;
    /// let keyed = Kmac128::<32>::new(&[7; 32], b"My Application");
    /// let mut mac = keyed.clone();
    /// mac.update(b"message");
    /// let tag = mac.finalize();
    ///
    /// let mut mac = keyed.clone();
    /// mac.update(b"massage");
    /// assert!(mac.verify(&tag).is_err());
    /// ```
    Kmac128,
    /// KMACXOF128: KMAC128 with output of any length.
    ///
    /// ```
    /// use adamant_hash::kmac::KmacXof128;
    /// let mut mac = KmacXof128::new(&[7; 32], b"My Application");
    /// mac.update(b"message");
    /// let mut out = [0; 500];
    /// mac.finalize_xof().read(&mut out);
    /// ```
    KmacXof128,
    /// KMAC128 of a length known when it runs: fills `out`, whose length counts.
    ///
    /// ```
    /// use adamant_hash::kmac::{Kmac128, kmac128};
    /// let mut tag = [0; 32];
    /// kmac128(&[7; 32], b"message", b"", &mut tag);
    /// let mut mac = Kmac128::<32>::new(&[7; 32], b"");
    /// mac.update(b"message");
    /// assert_eq!(mac.finalize(), tag);
    /// ```
    kmac128,
    block: 168
}

kmac! {
    /// KMAC256 with tags of `N` bytes.
    ///
    /// ```
    /// use adamant_hash::Kmac256;
    /// let mut mac = Kmac256::<64>::new(&[7; 32], b"My Application");
    /// mac.update(b"message");
    /// let tag: [u8; 64] = mac.finalize();
    /// ```
    Kmac256,
    /// KMACXOF256: KMAC256 with output of any length.
    ///
    /// ```
    /// use adamant_hash::kmac::KmacXof256;
    /// let mut mac = KmacXof256::new(&[7; 32], b"My Application");
    /// mac.update(b"message");
    /// let mut out = [0; 500];
    /// mac.finalize_xof().read(&mut out);
    /// ```
    KmacXof256,
    /// KMAC256 of a length known when it runs: fills `out`, whose length counts.
    ///
    /// ```
    /// use adamant_hash::kmac::kmac256;
    /// let mut key = [0; 48];
    /// kmac256(b"secret", b"context", b"KDF", &mut key);
    /// ```
    kmac256,
    block: 136
}
