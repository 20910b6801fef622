//! Bytes determined by a name, the same on every machine: block `i` is SHA-256(name ‖ i), `i` as
//! eight big-endian bytes. It is not a random generator.

use adamant::hash::Sha256;

/// Bytes determined by a name.
pub struct Stream(Box<dyn Iterator<Item = u8>>);

impl Stream {
    /// The stream of this name, from its start.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let name = name.as_bytes().to_owned();
        let block = move |i: u64| Sha256::digest(&[&name[..], &i.to_be_bytes()].concat());
        Stream(Box::new((0..).flat_map(block)))
    }

    /// The next `len` bytes.
    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        self.0.by_ref().take(len).collect()
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
