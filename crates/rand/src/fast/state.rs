//! The secret part of a generator: key stream, key, and a mark that is gone from a wiped page.

use adamant_base::Secret;
#[cfg(feature = "std")]
use adamant_base::memory::Memory;

/// Bytes of key stream made at once: sixteen blocks.
pub(super) const STREAM_LEN: usize = 16 * 64;
/// Bytes at their start that become the next key.
pub(super) const KEY_LEN: usize = 32;
/// Where the mark is.
const MARK: usize = STREAM_LEN + KEY_LEN;
const LEN: usize = MARK + 1;

/// Key stream, of which what was handed out is zero; the key; and the mark. Wiped on drop.
// Without `std` there may be no allocator to make the larger one small.
#[allow(clippy::large_enum_variant)]
pub(super) enum State {
    /// Part of the generator.
    OfItsOwn(Secret<[u8; LEN]>),
    /// On a page that no core dump has and no child of a fork.
    #[cfg(feature = "std")]
    Confined(Memory<u8>),
}

impl State {
    pub(super) fn of_its_own() -> Self {
        let mut state = State::OfItsOwn(Secret::new([0; LEN]));
        state.set_seeded();
        state
    }

    /// On a page, if the system has one: without a mark.
    #[cfg(feature = "std")]
    pub(super) fn confined() -> Self {
        match Memory::confined(LEN) {
            Ok(memory) => State::Confined(memory),
            Err(_) => State::OfItsOwn(Secret::new([0; LEN])),
        }
    }

    fn bytes(&self) -> &[u8; LEN] {
        match self {
            State::OfItsOwn(bytes) => bytes,
            // It was made with this length.
            #[cfg(feature = "std")]
            State::Confined(memory) => memory.first_chunk().unwrap(),
        }
    }

    fn bytes_mut(&mut self) -> &mut [u8; LEN] {
        match self {
            State::OfItsOwn(bytes) => bytes,
            #[cfg(feature = "std")]
            State::Confined(memory) => memory.first_chunk_mut().unwrap(),
        }
    }

    pub(super) fn stream_mut(&mut self) -> &mut [u8] {
        &mut self.bytes_mut()[..STREAM_LEN]
    }

    pub(super) fn key(&self) -> &[u8] {
        &self.bytes()[STREAM_LEN..MARK]
    }

    pub(super) fn key_mut(&mut self) -> &mut [u8] {
        &mut self.bytes_mut()[STREAM_LEN..MARK]
    }

    /// The start of the key stream becomes the key, and is zero then.
    pub(super) fn replace_key(&mut self) {
        let (stream, key) = self.bytes_mut().split_at_mut(STREAM_LEN);
        key[..KEY_LEN].copy_from_slice(&stream[..KEY_LEN]);
        stream[..KEY_LEN].fill(0);
    }

    /// Whether a fork wiped the page, or nothing was ever on it.
    #[cfg(feature = "std")]
    pub(super) fn is_wiped(&self) -> bool {
        self.bytes()[MARK] == 0
    }

    pub(super) fn set_seeded(&mut self) {
        self.bytes_mut()[MARK] = 1;
    }
}

#[cfg(test)]
impl State {
    pub(super) fn stream(&self) -> &[u8] {
        &self.bytes()[..STREAM_LEN]
    }

    pub(super) fn copied(&self) -> Self {
        State::OfItsOwn(Secret::new(*self.bytes()))
    }
}
