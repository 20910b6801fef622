//! Common to BLAKE2b and BLAKE2s (RFC 7693): the schedule of message words and the type around
//! the compression function. They differ in the width of a word, in the rotations and in the
//! number of rounds.

pub(crate) mod lanes;
pub(crate) mod portable;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod vectors;

/// RFC 7693, 2.7: which word of the message goes where, in each of ten rounds.
#[rustfmt::skip]
pub(crate) const SIGMA: [[usize; 16]; 10] = [
    [ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15],
    [14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3],
    [11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4],
    [ 7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8],
    [ 9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13],
    [ 2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9],
    [12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11],
    [13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10],
    [ 6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5],
    [10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0],
];

/// Makes the hash, its parameters and its keyed form around the `Backend` and the `IV` of the
/// module at hand. `counter` is the type of the count of bytes: twice the width of a word.
macro_rules! blake2 {
    (
        $(#[$meta:meta])*
        pub struct $name:ident;
        $(#[$mac_meta:meta])*
        pub struct $mac:ident;
        word: $word:ty,
        counter: $counter:ty,
        block: $block:literal,
        output: $max:literal,
        salt: $salt:literal,
    ) => {
        /// What may be set beside the message: a key, a salt and a personalisation.
        ///
        /// Wiped on drop.
        #[derive(Clone)]
        pub struct Parameters {
            key: [u8; $max],
            key_len: usize,
            salt: [u8; $salt],
            personalization: [u8; $salt],
        }

        impl Parameters {
            /// No key, and zeros for the salt and the personalisation.
            #[inline]
            #[must_use]
            pub const fn new() -> Self {
                Parameters {
                    key: [0; $max],
                    key_len: 0,
                    salt: [0; $salt],
                    personalization: [0; $salt],
                }
            }

            /// With this key; the empty key is not a key.
            ///
            /// # Errors
            /// [`Error::BadLength`] for a key longer than the longest digest.
            pub fn key(mut self, key: &[u8]) -> Result<Self, Error> {
                if key.len() > $max {
                    return Err(Error::BadLength {
                        expected: $max,
                        actual: key.len(),
                    });
                }
                self.key = [0; $max];
                self.key[..key.len()].copy_from_slice(key);
                self.key_len = key.len();
                Ok(self)
            }

            /// With this salt.
            #[inline]
            #[must_use]
            pub const fn salt(mut self, salt: &[u8; $salt]) -> Self {
                self.salt = *salt;
                self
            }

            /// With this personalisation, which keeps the digests of different uses apart.
            #[inline]
            #[must_use]
            pub const fn personalization(mut self, personalization: &[u8; $salt]) -> Self {
                self.personalization = *personalization;
                self
            }
        }

        impl Default for Parameters {
            fn default() -> Self {
                Self::new()
            }
        }

        impl Drop for Parameters {
            #[inline]
            fn drop(&mut self) {
                self.key.wipe();
            }
        }

        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name<const N: usize> {
            h: [$word; 8],
            /// The bytes that were not compressed yet, with zeros after them: a whole block too,
            /// as long as it may be the last.
            buffer: [u8; $block],
            used: usize,
            /// Bytes compressed.
            t: $counter,
            backend: Backend,
        }

        impl<const N: usize> $name<N> {
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
                Self::with_parameters_on(&Parameters::new(), backend)
            }

            /// The state before any input, with these parameters.
            #[inline]
            #[must_use]
            pub fn with_parameters(parameters: &Parameters) -> Self {
                Self::with_parameters_on(parameters, Backend::best())
            }

            /// [`Self::with_parameters`] on this implementation.
            #[inline]
            #[must_use]
            pub fn with_parameters_on(parameters: &Parameters, backend: Backend) -> Self {
                const { assert!(1 <= N && N <= $max) };
                Self::start(backend, parameters, N)
            }

            /// RFC 7693, 2.5 and 3.3; the digest will have `len` bytes.
            #[inline]
            fn start(backend: Backend, parameters: &Parameters, len: usize) -> Self {
                let mut h = IV;
                h[0] ^= (0x0101_0000 | parameters.key_len << 8 | len) as $word;
                let tail = [parameters.salt, parameters.personalization];
                let words = tail.as_flattened().as_chunks().0;
                for (h, bytes) in h[4..].iter_mut().zip(words) {
                    *h ^= <$word>::from_le_bytes(*bytes);
                }
                let mut buffer = [0; $block];
                buffer[..$max].copy_from_slice(&parameters.key);
                let used = if parameters.key_len > 0 { $block } else { 0 };
                $name {
                    h,
                    buffer,
                    used,
                    t: 0,
                    backend,
                }
            }

            /// The state `h` after `t` bytes, whole blocks.
            #[cfg(test)]
            pub(crate) fn behind(backend: Backend, h: [$word; 8], t: $counter) -> Self {
                let mut hash = Self::new_on(backend);
                (hash.h, hash.t) = (h, t);
                hash
            }

            /// Takes in more of the message.
            #[inline]
            pub fn update(&mut self, mut data: &[u8]) {
                let free = &mut self.buffer[self.used..];
                if data.len() <= free.len() {
                    free[..data.len()].copy_from_slice(data);
                    self.used += data.len();
                    return;
                }
                if self.used > 0 {
                    let (head, rest) = data.split_at(free.len());
                    free.copy_from_slice(head);
                    let block = core::slice::from_ref(&self.buffer);
                    self.backend.compress(&mut self.h, block, self.t);
                    self.t = self.t.wrapping_add($block);
                    data = rest;
                }
                // Something is left, and the last block of it waits.
                let whole = (data.len() - 1) / $block * $block;
                let (blocks, rest) = data.split_at(whole);
                self.backend
                    .compress(&mut self.h, blocks.as_chunks().0, self.t);
                self.t = self.t.wrapping_add(whole as $counter);
                self.buffer = [0; $block];
                self.buffer[..rest.len()].copy_from_slice(rest);
                self.used = rest.len();
            }

            /// The digest of everything taken in.
            #[inline(always)] // A call would move the state.
            #[must_use]
            pub fn finalize(mut self) -> [u8; N] {
                self.finish()
            }

            fn finish(&mut self) -> [u8; N] {
                let mut digest = [0; N];
                self.finalize_into(&mut digest);
                digest
            }

            #[inline]
            fn finalize_into(&mut self, digest: &mut [u8]) {
                let t = self.t.wrapping_add(self.used as $counter);
                self.backend.compress_last(&mut self.h, &self.buffer, t);
                read(&self.h, digest);
            }

            /// The digest of `data`.
            #[inline]
            #[must_use]
            pub fn digest(data: &[u8]) -> [u8; N] {
                let mut hash = Self::new();
                hash.update(data);
                hash.finish()
            }

            /// The digests of many messages, many at once, on the best implementation of this CPU.
            #[cfg(feature = "alloc")]
            #[cfg_attr(not(feature = "lab"), inline)]
            #[must_use]
            pub fn digest_batch(messages: &[&[u8]]) -> alloc::vec::Vec<[u8; N]> {
                let mut out = alloc::vec![[0; N]; messages.len()];
                Self::digest_batch_into(messages, &mut out).expect("as many places as messages");
                out
            }

            /// [`Self::digest_batch`] to these places.
            ///
            /// # Errors
            /// [`Error::BadLength`] when there are not as many places as messages; `out` is then
            /// untouched.
            pub fn digest_batch_into(messages: &[&[u8]], out: &mut [[u8; N]]) -> Result<(), Error> {
                <Self as crate::hmac::BatchHash>::digest_batch_on(messages, out, lanes::Backend::best())
            }
        }

        impl<const N: usize> crate::hmac::BatchHash for $name<N> {
            type Lanes = lanes::Backend;

            #[inline]
            fn lanes() -> lanes::Backend {
                lanes::Backend::best()
            }
            fn digest_batch_on(
                messages: &[&[u8]],
                out: &mut [Self::Output],
                lanes: lanes::Backend,
            ) -> Result<(), Error> {
                let start = Self::new().h;
                let words = [0, <$word>::MAX];
                crate::blake2::lanes::digest(lanes, start, words, messages, out, output)
            }
        }

        impl<const N: usize> Hash for $name<N> {
            type Output = [u8; N];
            const BLOCK_LEN: usize = $block;
            const OUTPUT_LEN: usize = N;

            #[inline]
            fn new() -> Self {
                $name::new()
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                $name::update(self, data);
            }
            #[inline(always)]
            fn finalize(self) -> Self::Output {
                $name::finalize(self)
            }
            #[inline]
            fn finish(&mut self) -> Self::Output {
                $name::finish(self)
            }
            fn digest_batch_into(messages: &[&[u8]], out: &mut [Self::Output]) -> Result<(), Error> {
                $name::digest_batch_into(messages, out)
            }
        }

        impl<const N: usize> Default for $name<N> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<const N: usize> Wipe for $name<N> {
            #[inline]
            fn wipe(&mut self) {
                self.h.wipe();
                self.buffer.wipe();
                self.used.wipe();
                self.t.wipe();
            }
        }

        impl<const N: usize> Drop for $name<N> {
            #[inline]
            fn drop(&mut self) {
                self.wipe();
            }
        }

        /// The first bytes of a state.
        #[inline]
        fn read(h: &[$word; 8], digest: &mut [u8]) {
            for (bytes, word) in digest.chunks_mut(size_of::<$word>()).zip(h) {
                bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
            }
        }

        /// The digest that a state is read as.
        #[inline]
        fn output<const N: usize>(h: &[$word; 8]) -> [u8; N] {
            let mut digest = [0; N];
            read(h, &mut digest);
            digest
        }

        $(#[$mac_meta])*
        #[derive(Clone)]
        pub struct $mac<const N: usize>($name<N>);

        impl<const N: usize> $mac<N> {
            /// A state under `key`, on the best implementation of this CPU.
            ///
            /// # Errors
            /// [`Error::BadLength`] for an empty key, and one longer than the longest digest.
            pub fn new(key: &[u8]) -> Result<Self, Error> {
                Self::new_on(key, Backend::best())
            }

            /// A state under `key`, on this implementation.
            ///
            /// # Errors
            /// As [`Self::new`].
            pub fn new_on(key: &[u8], backend: Backend) -> Result<Self, Error> {
                if key.is_empty() {
                    return Err(Error::BadLength {
                        expected: $max,
                        actual: 0,
                    });
                }
                let parameters = Parameters::new().key(key)?;
                Ok($mac($name::with_parameters_on(&parameters, backend)))
            }

            /// Takes in more of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }

            /// The tag of everything taken in.
            #[inline]
            #[must_use]
            pub fn finalize(self) -> [u8; N] {
                self.0.finalize()
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

        impl<const N: usize> Mac for $mac<N> {
            type Output = [u8; N];

            fn new(key: &[u8]) -> Result<Self, Error> {
                $mac::new(key)
            }
            fn update(&mut self, data: &[u8]) {
                $mac::update(self, data);
            }
            fn finalize(self) -> [u8; N] {
                $mac::finalize(self)
            }
        }

        /// The digest of `data` of as many bytes as `out` has, for lengths known at run time only.
        /// It is no prefix of a longer digest: the length is hashed too.
        ///
        /// # Errors
        /// [`Error::BadLength`] when `out` is empty, or longer than the longest digest.
        pub fn digest_into(data: &[u8], out: &mut [u8]) -> Result<(), Error> {
            if out.is_empty() || out.len() > $max {
                return Err(Error::BadLength {
                    expected: $max,
                    actual: out.len(),
                });
            }
            let mut hash = $name::<$max>::start(Backend::best(), &Parameters::new(), out.len());
            hash.update(data);
            hash.finalize_into(out);
            Ok(())
        }
    };
}
pub(crate) use blake2;
