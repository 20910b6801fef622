//! What every hash function does.

use crate::TestRng;
use crate::equivalence::edge_lengths;
use adamant_base::family::Hash;

/// Checks the hash function whose empty state `new` gives.
///
/// # Panics
/// At the first breach.
pub fn check<H: Hash + 'static>(new: impl Fn() -> H) {
    check_each(&Function {
        block_len: H::BLOCK_LEN,
        output_len: H::OUTPUT_LEN,
        new: &|| Box::new(new()),
        digest: |data| H::digest(data).as_ref().to_vec(),
    });
}

/// A hash function of whatever type.
struct Function<'a> {
    block_len: usize,
    output_len: usize,
    new: &'a dyn Fn() -> Box<dyn State>,
    /// On the default implementation.
    digest: fn(&[u8]) -> Vec<u8>,
}

/// What a [`Hash`] does, with digests in vectors.
trait State {
    fn update(&mut self, data: &[u8]);
    fn copy(&self) -> Box<dyn State>;
    fn finalize(self: Box<Self>) -> Vec<u8>;
    fn finish(&mut self) -> Vec<u8>;
    fn finish_with(&self, parts: &[&[u8]]) -> Vec<u8>;
}

impl<H: Hash + 'static> State for H {
    fn update(&mut self, data: &[u8]) {
        Hash::update(self, data);
    }
    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
    fn finalize(self: Box<Self>) -> Vec<u8> {
        Hash::finalize(*self).as_ref().to_vec()
    }
    fn finish(&mut self) -> Vec<u8> {
        Hash::finish(self).as_ref().to_vec()
    }
    fn finish_with(&self, parts: &[&[u8]]) -> Vec<u8> {
        Hash::finish_with(self, parts).as_ref().to_vec()
    }
}

fn check_each(function: &Function<'_>) {
    let (new, block_len) = (function.new, function.block_len);
    let digest = |parts: &[&[u8]]| {
        let mut state = new();
        for part in parts {
            state.update(part);
        }
        state.finalize()
    };
    let data = TestRng::new(3).bytes(9 * block_len + 16);

    let empty = digest(&[]);
    assert_eq!(empty.len(), function.output_len, "output length");
    assert_eq!(digest(&[b"", b""]), empty, "empty updates");
    assert_eq!((function.digest)(b""), empty, "the default implementation");

    let mut seen = vec![];
    for len in edge_lengths(block_len) {
        let message = &data[..len];
        let whole = digest(&[message]);
        assert_eq!((function.digest)(message), whole, "one-shot, length {len}");
        for cut in [len / 2, len.min(1), len - len.min(1)] {
            let (a, b) = message.split_at(cut);
            assert_eq!(digest(&[a, b"", b]), whole, "cut at {cut} of {len}");

            let mut state = new();
            state.update(a);
            let mut copy = state.copy();
            copy.update(b"other");
            state.update(b);
            assert_eq!(state.finalize(), whole, "a clone disturbs its original");
            assert_eq!(copy.finalize(), digest(&[a, b"other"]), "clone at {cut}");
        }
        seen.push(whole);
        // Padding is no part of the message.
        seen.push(digest(&[message, &[0]]));
        seen.push(digest(&[message, &[0x80]]));
    }
    for len in 0..=2 * block_len {
        let (message, whole) = (&data[..len], digest(&[&data[..len]]));
        let (a, b) = message.split_at(len / 3);
        let (fresh, mut behind_a) = (new(), new());
        behind_a.update(a);
        for _ in 0..2 {
            assert_eq!(fresh.finish_with(&[message]), whole, "length {len}");
            assert_eq!(fresh.finish_with(&[a, b"", b]), whole, "length {len}");
            assert_eq!(behind_a.finish_with(&[b]), whole, "length {len}");
        }
        behind_a.update(b);
        assert_eq!(behind_a.finish(), whole, "length {len}");
    }

    for bit in 0..8 * data.len() {
        let mut changed = data.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        seen.push(digest(&[&changed]));
    }
    let distinct: std::collections::BTreeSet<&[u8]> = seen.iter().map(Vec::as_slice).collect();
    // The messages above differ in pairs, but for those that end in a zero or 0x80 by chance.
    let repeated = edge_lengths(block_len)
        .filter(|&len| len > 0 && matches!(data[len - 1], 0 | 0x80))
        .filter(|len| edge_lengths(block_len).any(|other| other + 1 == *len))
        .count();
    assert_eq!(
        distinct.len() + repeated,
        seen.len(),
        "different messages, one digest"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::{assert_refuses, toy_digest};

    const NONE: u8 = 0;
    const CHUNKS_COUNT: u8 = 1;
    const LAST_BYTE_IGNORED: u8 = 2;
    const PADDING_AMBIGUOUS: u8 = 3;
    const SHARED_BY_CLONES: u8 = 4;
    const HIGH_BIT_IGNORED: u8 = 5;

    struct Toy<const BUG: u8>(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);

    impl<const BUG: u8> Clone for Toy<BUG> {
        fn clone(&self) -> Self {
            if BUG == SHARED_BY_CLONES {
                return Toy(self.0.clone());
            }
            Toy(std::rc::Rc::new(self.0.as_ref().clone()))
        }
    }

    impl<const BUG: u8> Hash for Toy<BUG> {
        type Output = [u8; 8];
        const BLOCK_LEN: usize = 8;
        const OUTPUT_LEN: usize = 8;

        fn new() -> Self {
            Toy(std::rc::Rc::default())
        }

        fn update(&mut self, data: &[u8]) {
            let mut buffer = self.0.borrow_mut();
            buffer.extend_from_slice(data);
            if BUG == CHUNKS_COUNT {
                buffer.push(1);
            }
            if BUG == HIGH_BIT_IGNORED {
                buffer.iter_mut().for_each(|b| *b &= 0x7f);
            }
        }

        fn finalize(self) -> [u8; 8] {
            let mut buffer = self.0.borrow().clone();
            match BUG {
                LAST_BYTE_IGNORED => drop(buffer.pop()),
                PADDING_AMBIGUOUS => buffer.resize(buffer.len().next_multiple_of(8), 0),
                _ => {}
            }
            toy_digest(&[&buffer])
        }
    }

    #[test]
    fn a_sound_hash_passes() {
        check(Toy::<NONE>::new);
    }

    #[test]
    fn broken_hashes_do_not() {
        assert_refuses("empty updates", || check(Toy::<CHUNKS_COUNT>::new));
        assert_refuses("one digest", || check(Toy::<LAST_BYTE_IGNORED>::new));
        assert_refuses("one digest", || check(Toy::<PADDING_AMBIGUOUS>::new));
        assert_refuses("clone", || check(Toy::<SHARED_BY_CLONES>::new));
        assert_refuses("one digest", || check(Toy::<HIGH_BIT_IGNORED>::new));
    }
}
