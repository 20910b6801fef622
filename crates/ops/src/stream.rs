//! The inputs of operations: a stream of bytes determined by a name, the same on every machine.
//!
//! Block `i` is SHA-256(name ‖ i), `i` as eight big-endian bytes. It is not a random generator.

use adamant::hash::Sha256;

/// Bytes determined by a name.
pub struct Stream {
    /// What has read the name.
    named: Sha256,
    next_block: u64,
    block: [u8; 32],
    /// How many bytes of the block are taken.
    taken: usize,
    /// A bit is one where eight bits of the blocks are a number below this.
    ones: Option<u8>,
    any_length: bool,
}

impl Stream {
    /// The stream of this name, from its start.
    ///
    /// ```
    /// use adamant_ops::Stream;
    /// let [mut one, mut other] = ["name"; 2].map(Stream::new);
    /// assert_eq!(one.bytes(40), [other.bytes(8), other.bytes(32)].concat());
    /// ```
    #[must_use]
    pub fn new(name: &str) -> Self {
        let mut named = Sha256::new();
        named.update(name.as_bytes());
        Stream {
            named,
            next_block: 0,
            block: [0; 32],
            taken: 32,
            ones: None,
            any_length: false,
        }
    }

    /// The stream of this name whose bits are one with this probability.
    pub(crate) fn with_ones(name: &str, ones: f64) -> Self {
        Stream {
            ones: Some((ones.clamp(0.0, 1.0) * 255.0).round() as u8),
            ..Stream::new(name)
        }
    }

    /// The same, for keys that may be longer numbers than generated ones.
    pub(crate) fn of_any_length(self) -> Self {
        Stream {
            any_length: true,
            ..self
        }
    }

    /// Whether keys may be longer than generated ones.
    pub(crate) fn has_any_length(&self) -> bool {
        self.any_length
    }

    /// Whether its bits were asked to be one with some probability.
    pub(crate) fn is_weighed(&self) -> bool {
        self.ones.is_some()
    }

    /// The next `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.read(&mut out);
        out
    }

    /// The next `len` bytes.
    #[inline(never)]
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.read(&mut out);
        out
    }

    /// A number below `n`, up to 255, that the asked-for part of ones has no say in.
    pub(crate) fn below(&mut self, n: u8) -> u8 {
        self.byte() % n
    }

    /// The length of an input that usually has this one: where [`Self::has_any_length`], about half
    /// the time another, around the ends of blocks or at random.
    #[inline(never)]
    pub(crate) fn length(&mut self, usual: usize) -> usize {
        if !self.any_length {
            return usual;
        }
        match self.below(8) {
            0 => self.below(4).into(),
            1 => 15 + usize::from(self.below(3)),
            2 => (64 << self.below(2)) - 1 + usize::from(self.below(3)),
            3 => self.below(255).into(),
            _ => usual,
        }
    }

    #[inline(never)]
    fn read(&mut self, out: &mut [u8]) {
        match self.ones {
            None => {
                let mut out = out;
                while !out.is_empty() {
                    let ready = self.ready();
                    let count = ready.len().min(out.len());
                    let (now, later) = out.split_at_mut(count);
                    now.copy_from_slice(&ready[..count]);
                    self.taken += count;
                    out = later;
                }
            }
            Some(ones) => {
                for byte in out {
                    *byte = (0..8).fold(0, |bits, _| bits << 1 | u8::from(self.byte() < ones));
                }
            }
        }
    }

    /// What is left of the block, or the next one.
    fn ready(&mut self) -> &[u8] {
        if self.taken == self.block.len() {
            let mut hash = self.named.clone();
            hash.update(&self.next_block.to_be_bytes());
            self.block = hash.finalize();
            self.next_block += 1;
            self.taken = 0;
        }
        &self.block[self.taken..]
    }

    fn byte(&mut self) -> u8 {
        let byte = self.ready()[0];
        self.taken += 1;
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_follow_their_names() {
        let first = Sha256::digest(b"name\0\0\0\0\0\0\0\0");
        let second = Sha256::digest(b"name\0\0\0\0\0\0\0\x01");
        let mut stream = Stream::new("name");
        assert_eq!(stream.bytes(40), [&first[..], &second[..8]].concat());
        assert_eq!(stream.array::<24>(), second[8..]);
        assert_eq!(Stream::with_ones("name", 0.0).bytes(9), [0; 9]);
        let ones = |part| {
            let bytes = Stream::with_ones("name", part).bytes(1000);
            bytes.iter().map(|b| b.count_ones()).sum::<u32>()
        };
        assert!((600..1000).contains(&ones(0.1)) && (5800..6200).contains(&ones(0.75)));
        assert_ne!(Stream::new("other").array::<32>(), first);
    }
}
