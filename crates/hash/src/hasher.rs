//! What a hash of the MD4 family is around its compression function: digests, batches, HMAC, nonces.

/// Makes a hash of the MD4 family around the `Backend` of the module at hand.
///
/// `length` is the type of the length field at the message's end; it counts bits. `order` turns
/// this field and the words of the digest into bytes: `to_be_bytes` or `to_le_bytes`. `chains`
/// runs chains of HMACs in a way of its own, or says that it does not; `pair` is the method of the
/// `Backend` that takes one block into each of two states, where this is quicker than in turn.
macro_rules! hasher {
    (@each $backend:expr, $states:ident, $blocks:ident, $pair:ident) => {
        $backend.$pair(&mut $states, &$blocks)
    };
    (@each $backend:expr, $states:ident, $blocks:ident) => {
        for (state, block) in $states.iter_mut().zip(&$blocks) {
            $backend.compress(state, core::slice::from_ref(block));
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            state: [$word:ty; $words:literal] = $iv:expr,
            block: $block:literal,
            length: $length:ty,
            order: $order:ident,
            output: $output:literal,
            $(chains: $chains:path,)?
            $(pair: $pair:ident,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name {
            state: [$word; $words],
            buffer: BlockBuffer<$block>,
            /// Bytes taken in.
            length: $length,
            backend: Backend,
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
                    state: $iv,
                    buffer: BlockBuffer::new(),
                    length: 0,
                    backend,
                }
            }

            /// The state after `length` bytes, whole blocks, that led to `state`.
            #[cfg(test)]
            pub(crate) fn behind(
                backend: Backend,
                state: [$word; $words],
                length: $length,
            ) -> Self {
                let mut hash = Self::new_on(backend);
                (hash.state, hash.length) = (state, length);
                hash
            }

            /// Takes in more of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                self.length = self.length.wrapping_add(data.len() as $length);
                self.buffer
                    .update(data, |blocks| self.backend.compress(&mut self.state, blocks));
            }

            /// The digest of everything taken in.
            #[inline(always)] // A call would move the state.
            #[must_use]
            pub fn finalize(mut self) -> [u8; $output] {
                self.finish()
            }

            fn finish(&mut self) -> [u8; $output] {
                let bits = self.length.wrapping_mul(8);
                self.buffer.pad(bits.$order(), |blocks| {
                    self.backend.compress(&mut self.state, blocks);
                });
                Self::output(&self.state)
            }

            /// The digest of everything taken in and these parts.
            #[inline]
            fn finish_with(&self, parts: &[&[u8]]) -> [u8; $output] {
                match parts {
                    [data] if !cfg!(feature = "small") && self.buffer.is_empty() => {
                        Self::digest_behind(self.backend, &self.state, self.length, data)
                    }
                    _ => self.finish_parts(parts),
                }
            }

            fn finish_parts(&self, parts: &[&[u8]]) -> [u8; $output] {
                let len: usize = parts.iter().map(|part| part.len()).sum();
                if cfg!(feature = "small") || len > $block || !self.buffer.is_empty() {
                    let mut hash = self.clone();
                    for part in parts {
                        hash.update(part);
                    }
                    return hash.finish();
                }
                let length = self.length.wrapping_add(len as $length);
                Self::finish_short(self.backend, &mut self.state.clone(), parts, length)
            }

            /// The digest of an input of `length` bytes, of which these parts, a block at most, are
            /// not in the state yet, which is wiped.
            #[inline(always)]
            fn finish_short(
                backend: Backend,
                state: &mut [$word; $words],
                parts: &[&[u8]],
                length: $length,
            ) -> [u8; $output] {
                let bits = length.wrapping_mul(8);
                compress_short(parts, bits.$order(), |blocks| backend.compress(state, blocks));
                let digest = Self::output(state);
                state.wipe();
                digest
            }

            /// The digest of an input of `before` bytes, whole blocks, that led to `state`, and
            /// `data`. Compiled here, not where it is called: with cold caches each place costs.
            #[inline(never)]
            fn digest_behind(
                backend: Backend,
                state: &[$word; $words],
                before: $length,
                data: &[u8],
            ) -> [u8; $output] {
                let mut state = *state;
                let (mut blocks, mut rest) = data.as_chunks();
                let length = before.wrapping_add(data.len() as $length);
                if cfg!(feature = "small") {
                    backend.compress(&mut state, blocks);
                    let mut last = [[0; $block]; 2];
                    let count = Self::pad(rest, length as u64, &mut last);
                    backend.compress(&mut state, &last[..count]);
                    last.wipe();
                    return Self::output(&state);
                }
                if let [_] = blocks && rest.is_empty() {
                    (blocks, rest) = (&[], data); // in one call with the padding
                }
                if !blocks.is_empty() {
                    backend.compress(&mut state, blocks);
                }
                Self::finish_short(backend, &mut state, &[rest], length)
            }

            /// The digest of `data`.
            #[inline]
            #[must_use]
            pub fn digest(data: &[u8]) -> [u8; $output] {
                Self::digest_behind(Backend::best(), &$iv, 0, data)
            }
        }

        impl $name {
            /// The digests of many messages, many at once, on the best implementation of this CPU.
            #[cfg(feature = "alloc")]
            #[cfg_attr(not(feature = "lab"), inline)]
            #[must_use]
            pub fn digest_batch(messages: &[&[u8]]) -> alloc::vec::Vec<[u8; $output]> {
                let mut out = alloc::vec![[0; $output]; messages.len()];
                Self::digest_batch_into(messages, &mut out).expect("as many places as messages");
                out
            }

            /// [`Self::digest_batch`] to these places.
            ///
            /// # Errors
            /// [`Error::BadLength`] when there are not as many places as messages; `out` is then
            /// untouched.
            #[cfg_attr(not(feature = "lab"), inline)]
            pub fn digest_batch_into(
                messages: &[&[u8]],
                out: &mut [[u8; $output]],
            ) -> Result<(), Error> {
                <Self as crate::hmac::BatchHash>::digest_batch_on(messages, out, lanes::Backend::best())
            }
        }

        impl crate::hmac::BatchHash for $name {
            type Lanes = lanes::Backend;

            #[inline]
            fn lanes() -> lanes::Backend {
                lanes::Backend::best()
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn digest_batch_on(
                messages: &[&[u8]],
                out: &mut [Self::Output],
                lanes: lanes::Backend,
            ) -> Result<(), Error> {
                crate::lanes::batch::digest::<Self, $block>(lanes, messages, out)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn hmac_batch_on(
                keys: &[&[u8]],
                messages: &[&[u8]],
                out: &mut [Self::Output],
                lanes: lanes::Backend,
            ) -> Result<(), Error> {
                crate::hmac::batch::hmac_batch::<Self, $block>(lanes, keys, messages, out)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn hmac_batch_one_key_on(
                keyed: &crate::Hmac<Self>,
                messages: &[&[u8]],
                out: &mut [Self::Output],
                lanes: lanes::Backend,
            ) -> Result<(), Error> {
                crate::hmac::batch::hmac_one_key::<Self, $block>(lanes, keyed, messages, out)
            }
        }

        impl crate::hmac_drbg::NonceHash for $name {
            #[cfg_attr(not(feature = "lab"), inline)]
            fn in_step(
                items: &[(&[u8], &[u8])],
                out: &mut [&mut [u8]],
                accept: &dyn Fn(&[u8]) -> bool,
            ) {
                let backend = lanes::Backend::best();
                crate::hmac_drbg::batch::in_step::<Self, $block>(backend, items, out, accept);
            }
        }

        impl MerkleDamgard<$block> for $name {
            type State = [$word; $words];
            type Lanes = lanes::Backend;
            const INITIAL: [$word; $words] = $iv;

            #[inline]
            fn pad(tail: &[u8], length: u64, blocks: &mut [[u8; $block]; 2]) -> usize {
                const LENGTH: usize = size_of::<$length>();
                debug_assert!(tail.len() < $block);
                let bits = (length as $length).wrapping_mul(8);
                let count = if tail.len() + 1 + LENGTH > $block { 2 } else { 1 };
                // Whole blocks are cleared first: their length is known when compiling.
                blocks[0] = [0; $block];
                if count == 2 {
                    blocks[1] = [0; $block];
                }
                blocks[count - 1][$block - LENGTH..].copy_from_slice(&bits.$order());
                blocks[0][..tail.len()].copy_from_slice(tail);
                blocks[0][tail.len()] = 0x80;
                count
            }
            #[inline]
            fn output(state: &[$word; $words]) -> [u8; $output] {
                let mut digest = [0; $output];
                for (bytes, word) in digest.chunks_mut(size_of::<$word>()).zip(state) {
                    bytes.copy_from_slice(&word.$order()[..bytes.len()]);
                }
                digest
            }
            #[inline]
            fn state(&self) -> Option<(&[$word; $words], u64)> {
                let whole = self.buffer.is_empty();
                whole.then_some((&self.state, self.length as u64))
            }
        }

        impl Hash for $name {
            type Output = [u8; $output];
            const BLOCK_LEN: usize = $block;
            const OUTPUT_LEN: usize = $output;

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
            #[cfg_attr(not(feature = "lab"), inline)]
            fn hmac_chains(
                chains: &mut [adamant_base::family::HmacChain<Self>],
                count: u32,
            ) {
                $crate::pbkdf2::hmac_chains!(
                    chains count, [$word; $words], block: $block, length: $length, order: $order,
                    output: $output $(, run: $chains)?
                );
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn digest_batch_into(messages: &[&[u8]], out: &mut [Self::Output]) -> Result<(), Error> {
                $name::digest_batch_into(messages, out)
            }
            #[inline]
            fn finish(&mut self) -> Self::Output {
                $name::finish(self)
            }
            #[inline]
            fn finish_with(&self, parts: &[&[u8]]) -> Self::Output {
                $name::finish_with(self, parts)
            }
            fn hmac(&self, key: &[u8], parts: &[&[u8]]) -> Option<Self::Output> {
                let len: usize = parts.iter().map(|part| part.len()).sum();
                if key.len() > $block || len > $block || self.length > 0 {
                    return None;
                }
                // K ⊕ ipad and K ⊕ opad.
                let mut keys = [[0x36; $block], [0x5c; $block]];
                for block in &mut keys {
                    for (byte, key) in block.iter_mut().zip(key) {
                        *byte ^= key;
                    }
                }
                let mut states = [self.state; 2];
                $crate::hasher::hasher!(@each self.backend, states, keys $(, $pair)?);
                keys.wipe();
                let [inner, outer] = &mut states;
                let finish = |state, parts: &[&[u8]], len| {
                    let length = ($block + len) as $length;
                    Self::finish_short(self.backend, state, parts, length)
                };
                let mut digest = finish(inner, parts, len);
                let tag = finish(outer, &[&digest], $output);
                digest.wipe();
                Some(tag)
            }
            #[inline]
            fn digest(data: &[u8]) -> Self::Output {
                $name::digest(data)
            }
        }

        #[cfg(feature = "std")]
        adamant_base::write_by_update! { [] $name; }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl Wipe for $name {
            #[inline]
            fn wipe(&mut self) {
                self.state.wipe();
                self.buffer.wipe();
                self.length.wipe();
            }
        }

        impl Drop for $name {
            #[inline]
            fn drop(&mut self) {
                self.wipe();
            }
        }
    };
}
pub(crate) use hasher;

#[cfg(test)]
mod tests {
    use adamant_base::family::Hash;

    /// A message at once and in two parts has the digest that its bytes one by one have.
    fn check<H: Hash>() {
        let message: Vec<u8> = (0..3 * H::BLOCK_LEN).map(|i| (7 * i + 1) as u8).collect();
        for len in 0..=message.len() {
            let message = &message[..len];
            let mut hash = H::new();
            for byte in message.chunks(1) {
                hash.update(byte);
            }
            let digest = hash.finish();
            assert!(H::digest(message).as_ref() == digest.as_ref(), "{len}");
            let (head, tail) = message.split_at(len / 3);
            let parts = H::new().finish_with(&[head, tail]);
            assert!(parts.as_ref() == digest.as_ref(), "{len}");
        }
    }

    #[test]
    fn at_once_and_in_parts() {
        check::<crate::Md5>();
        check::<crate::Sha1>();
        check::<crate::Sha224>();
        check::<crate::Sha256>();
        check::<crate::Sha384>();
        check::<crate::Sha512>();
        check::<crate::Sm3>();
    }
}
