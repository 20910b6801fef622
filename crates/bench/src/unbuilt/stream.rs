//! Bytes determined by a name, the same on every machine: block `i` is SHA-256(name ‖ i), `i` as
//! eight big-endian bytes. It is not a random generator.

use adamant::hash::Sha256;

/// Bytes determined by a name.
pub struct Stream {
    name: String,
    next_block: u64,
    rest: Vec<u8>,
}

impl Stream {
    /// The stream of this name, from its start.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Stream {
            name: name.to_owned(),
            next_block: 0,
            rest: Vec::new(),
        }
    }

    /// The next `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        while self.rest.len() < len {
            let mut hash = Sha256::new();
            hash.update(self.name.as_bytes());
            hash.update(&self.next_block.to_be_bytes());
            self.rest.extend(hash.finalize());
            self.next_block += 1;
        }
        let rest = self.rest.split_off(len);
        std::mem::replace(&mut self.rest, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_follow_one_another() {
        let first = Sha256::digest(b"name\0\0\0\0\0\0\0\0");
        let second = Sha256::digest(b"name\0\0\0\0\0\0\0\x01");
        let mut stream = Stream::new("name");
        assert_eq!(stream.bytes(40), [&first[..], &second[..8]].concat());
        assert_eq!(stream.bytes(24), second[8..]);
    }
}
