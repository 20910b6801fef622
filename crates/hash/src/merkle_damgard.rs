//! Common to the hashes of the Merkle–Damgård construction: buffering, padding and the type
//! around a compression function.

use crate::lanes::batch::Lanes;
use adamant_base::Wipe;
use adamant_base::family::Hash;

/// A hash of the MD4 family with blocks of `N` bytes, as its batch calls need it.
pub(crate) trait MerkleDamgard<const N: usize>: Hash {
    /// The words that the compression function changes.
    type State: Copy + Wipe;
    /// The table of its compression function on many states.
    type Lanes: Lanes<Self::State, N>;
    /// The state before the first block.
    const INITIAL: Self::State;

    /// Lays out the last blocks of an input of `length` bytes that ends with `tail`, less than a
    /// block, and returns their number.
    fn pad(tail: &[u8], length: u64, blocks: &mut [[u8; N]; 2]) -> usize;
    /// The digest that a state is read as.
    fn output(state: &Self::State) -> Self::Output;
    /// The state, and the bytes taken in; `None` while part of a block waits.
    fn state(&self) -> Option<(&Self::State, u64)>;
}

/// The bytes of the message that do not fill a block yet: always fewer than `N`. The space after
/// them has no meaning.
#[derive(Clone)]
pub(crate) struct BlockBuffer<const N: usize> {
    bytes: [u8; N],
    used: usize,
}

impl<const N: usize> BlockBuffer<N> {
    /// The block after a message of whole blocks, but for the length.
    const ONE_BIT: [u8; N] = {
        let mut block = [0; N];
        block[0] = 0x80;
        block
    };

    pub(crate) const fn new() -> Self {
        BlockBuffer {
            bytes: [0; N],
            used: 0,
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Passes whole blocks on and keeps the rest.
    #[inline]
    pub(crate) fn update(&mut self, mut data: &[u8], mut compress: impl FnMut(&[[u8; N]])) {
        debug_assert!(self.used < N);
        if self.used > 0 {
            let free = &mut self.bytes[self.used..];
            let Some((head, rest)) = data.split_at_checked(free.len()) else {
                free[..data.len()].copy_from_slice(data);
                self.used += data.len();
                return;
            };
            free.copy_from_slice(head);
            compress(core::slice::from_ref(&self.bytes));
            data = rest;
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            compress(blocks);
        }
        if !rest.is_empty() {
            self.bytes[..rest.len()].copy_from_slice(rest);
        }
        self.used = rest.len();
    }

    /// Ends the message: a one bit, zeros, and `length`, to whole blocks (FIPS 180-4, 5.1).
    #[inline]
    pub(crate) fn pad<const L: usize>(
        &mut self,
        length: [u8; L],
        mut compress: impl FnMut(&[[u8; N]]),
    ) {
        if self.used == 0 {
            // In one piece: a load that finds its bytes in several stores waits for all of them.
            self.bytes = Self::ONE_BIT;
        } else {
            let free = &mut self.bytes[self.used..];
            free.fill(0);
            free[0] = 0x80;
        }
        if self.used + 1 + L > N {
            compress(core::slice::from_ref(&self.bytes));
            self.bytes = [0; N];
        }
        self.bytes[N - L..].copy_from_slice(&length);
        compress(core::slice::from_ref(&self.bytes));
    }
}

/// Puts a message of at most a block, in `parts`, with its padding into blocks, compresses them in
/// one call, and wipes them.
#[inline(always)]
pub(crate) fn compress_short<const N: usize, const L: usize>(
    parts: &[&[u8]],
    length: [u8; L],
    compress: impl FnOnce(&[[u8; N]]),
) {
    // The compression function loads sixteen bytes and more at once. A load that finds its bytes
    // in several stores waits until they are in the cache, so for all that was computed before.
    // So a message in one part gets only stores of sixteen bytes and more.
    let len: usize = parts.iter().map(|part| part.len()).sum();
    debug_assert!(len <= N);
    let count = if len + 1 + L > N { 2 } else { 1 };
    let mut length_field = [0; 16];
    length_field[16 - L..].copy_from_slice(&length);
    let mut last = u128::from_le_bytes(length_field);
    let last_at = count * N / 16 - 1;

    let mut blocks;
    if let [part] = parts
        && let Ok(block) = <&[u8; N]>::try_from(*part)
    {
        blocks = [*block, BlockBuffer::ONE_BIT];
    } else {
        blocks = [[0; N]; 2];
        if let [part] = parts {
            let (whole, tail) = part.as_chunks();
            let chunks = blocks.as_flattened_mut().as_chunks_mut().0;
            // A loop would become a call.
            macro_rules! copy {
                ($($i:literal)*) => { $(if 16 * $i + 16 < N && $i < whole.len() {
                    chunks[$i] = whole[$i];
                })* };
            }
            copy!(0 1 2 3 4 5 6);
            let end = with_one_bit(tail);
            if whole.len() == last_at {
                last |= end;
            } else {
                store_at_once(&mut chunks[whole.len()], end);
            }
        } else {
            let bytes = blocks.as_flattened_mut();
            let mut at = 0;
            for part in parts {
                bytes[at..][..part.len()].copy_from_slice(part);
                at += part.len();
            }
            if len.is_multiple_of(16) {
                store_at_once(&mut bytes.as_chunks_mut().0[len / 16], 0x80);
            } else {
                bytes[len] = 0x80;
            }
            last |= u128::from_le_bytes(bytes.as_chunks().0[last_at]);
        }
    }
    store_at_once(
        &mut blocks.as_flattened_mut().as_chunks_mut().0[last_at],
        last,
    );
    compress(&blocks[..count]);
    blocks.wipe();
}

/// Fewer than sixteen bytes, a one bit and zeros, as a number with the first byte lowest.
#[inline(always)]
fn with_one_bit(tail: &[u8]) -> u128 {
    let len = tail.len();
    debug_assert!(len < 16);
    // The first and the last bytes meet or overlap.
    let bytes = if let (Some(first), Some(last)) = (tail.first_chunk(), tail.last_chunk()) {
        u128::from(u64::from_le_bytes(*first))
            | u128::from(u64::from_le_bytes(*last)) << (8 * (len - 8))
    } else if let (Some(first), Some(last)) = (tail.first_chunk(), tail.last_chunk()) {
        u128::from(u32::from_le_bytes(*first))
            | u128::from(u32::from_le_bytes(*last)) << (8 * (len - 4))
    } else if let [first, ..] = tail
        && let [.., last] = tail
    {
        u128::from(*first)
            | u128::from(tail[len / 2]) << (8 * (len / 2))
            | u128::from(*last) << (8 * (len - 1))
    } else {
        0
    };
    bytes | 0x80 << (8 * len)
}

/// Stores a number in one store, where a compiler would make two.
#[inline(always)]
fn store_at_once(to: &mut [u8; 16], number: u128) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[allow(unsafe_code)]
    // SAFETY: the block writes the sixteen bytes of `to`.
    unsafe {
        core::arch::asm!(
            "movq {x}, {low}",
            "movq {y}, {high}",
            "punpcklqdq {x}, {y}",
            "movdqu xmmword ptr [{to}], {x}",
            x = out(xmm_reg) _,
            y = out(xmm_reg) _,
            low = in(reg) number as u64,
            high = in(reg) (number >> 64) as u64,
            to = in(reg) to,
            options(nostack, preserves_flags),
        );
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    {
        *to = number.to_le_bytes();
    }
}

impl<const N: usize> Wipe for BlockBuffer<N> {
    #[inline]
    fn wipe(&mut self) {
        self.bytes.wipe();
        self.used = 0;
    }
}

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
                Self::with_backend(Backend::best())
            }

            /// The state before any input, on this implementation.
            #[inline]
            #[must_use]
            pub fn with_backend(backend: Backend) -> Self {
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
                let mut hash = Self::with_backend(backend);
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
            fn finish_with(&self, parts: &[&[u8]]) -> [u8; $output] {
                if let [data] = parts && self.buffer.is_empty() {
                    return Self::digest_behind(self.backend, &self.state, self.length, data);
                }
                let len: usize = parts.iter().map(|part| part.len()).sum();
                if len > $block || !self.buffer.is_empty() {
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
                Self::digest_on(data, Backend::best())
            }

            /// The digest of `data`, on this implementation.
            #[inline]
            #[must_use]
            pub fn digest_on(data: &[u8], backend: Backend) -> [u8; $output] {
                Self::digest_behind(backend, &$iv, 0, data)
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
                Self::digest_batch_on(messages, out, lanes::Backend::best())
            }

            /// The digests of many messages on this implementation; for messages too few to fill
            /// it, on narrower ones.
            ///
            /// # Errors
            /// As for [`Self::digest_batch_into`].
            #[cfg_attr(not(feature = "lab"), inline)]
            pub fn digest_batch_on(
                messages: &[&[u8]],
                out: &mut [[u8; $output]],
                backend: lanes::Backend,
            ) -> Result<(), Error> {
                crate::lanes::batch::digest::<Self, $block>(backend, messages, out)
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
                $crate::merkle_damgard::hasher!(@each self.backend, states, keys $(, $pair)?);
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
    use super::Hash;

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
