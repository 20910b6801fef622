//! Where a message and what becomes of it lie.
//!
//! Where an allocator happens to put them shows in the time: wide loads and stores that straddle
//! lines of the cache are slower, and many CPUs make a load wait for an earlier store to the same
//! offset within a page. So both start on a line, half a page apart.

/// A message and room for what becomes of it, each on a line of the cache, half a page apart
/// modulo the page.
///
/// ```
/// use adamant_engine::buffers::Buffers;
///
/// let mut buffers = Buffers::new(b"abc", 32);
/// let (message, out) = buffers.parts();
/// assert_eq!((message, out.len()), (&b"abc"[..], 35));
/// let distance = out.as_ptr() as usize - message.as_ptr() as usize;
/// assert_eq!(distance % 4096, 2048);
/// out[..3].copy_from_slice(b"xyz");
/// assert_eq!(&buffers.out()[..3], b"xyz");
/// ```
pub struct Buffers {
    memory: Vec<u8>,
    message: usize,
    message_len: usize,
    out: usize,
    out_len: usize,
}

const LINE: usize = 64;
const PAGE: usize = 4096;

impl Buffers {
    /// A copy of the message, and room for as much and `more` bytes.
    #[must_use]
    pub fn new(message: &[u8], more: usize) -> Self {
        let (message_len, out_len) = (message.len(), message.len() + more);
        let distance = message_len.next_multiple_of(PAGE) + PAGE / 2;
        let mut memory = vec![0; LINE + distance + out_len];
        let start = memory.as_ptr().align_offset(LINE).min(LINE);
        memory[start..start + message_len].copy_from_slice(message);
        Buffers {
            memory,
            message: start,
            message_len,
            out: start + distance,
            out_len,
        }
    }

    /// The message, and the room.
    #[inline]
    pub fn parts(&mut self) -> (&[u8], &mut [u8]) {
        let (front, back) = self.memory.split_at_mut(self.out);
        let message = &front[self.message..self.message + self.message_len];
        (message, &mut back[..self.out_len])
    }

    /// The message.
    #[must_use]
    #[inline]
    pub fn message(&self) -> &[u8] {
        &self.memory[self.message..self.message + self.message_len]
    }

    /// What was written.
    #[must_use]
    #[inline]
    pub fn out(&self) -> &[u8] {
        &self.memory[self.out..self.out + self.out_len]
    }
}
