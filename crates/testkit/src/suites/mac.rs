//! What every message authentication code does.

use crate::TestRng;
use adamant_base::Error;
use adamant_base::family::Mac;

/// Checks the code whose state under a key `new` gives; keys have `key_len` bytes.
///
/// # Panics
/// At the first breach.
pub fn check<M: Mac + 'static>(key_len: usize, new: impl Fn(&[u8]) -> Result<M, Error>) {
    check_each(key_len, &|key| {
        Box::new(new(key).expect("a key of the right length"))
    });
}

/// What a [`Mac`] does, with tags in vectors.
trait State {
    fn update(&mut self, data: &[u8]);
    fn copy(&self) -> Box<dyn State>;
    fn finalize(self: Box<Self>) -> Vec<u8>;
}

impl<M: Mac + 'static> State for M {
    fn update(&mut self, data: &[u8]) {
        Mac::update(self, data);
    }
    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
    fn finalize(self: Box<Self>) -> Vec<u8> {
        Mac::finalize(*self).as_ref().to_vec()
    }
}

fn check_each(key_len: usize, new: &dyn Fn(&[u8]) -> Box<dyn State>) {
    let mut rng = TestRng::new(4);
    let key = rng.bytes(key_len);
    let data = rng.bytes(300);
    let mac = |key: &[u8], parts: &[&[u8]]| {
        let mut state = new(key);
        for part in parts {
            state.update(part);
        }
        state.finalize()
    };

    assert_eq!(mac(&key, &[]), mac(&key, &[b"", b""]), "empty updates");
    let mut seen = vec![];
    for len in 0..data.len() {
        let message = &data[..len];
        let whole = mac(&key, &[message]);
        let (a, b) = message.split_at(len / 2);
        assert_eq!(mac(&key, &[a, b"", b]), whole, "cut in the middle of {len}");
        let mut state = new(&key);
        state.update(a);
        let mut copy = state.copy();
        copy.update(b"other");
        state.update(b);
        assert_eq!(state.finalize(), whole, "a clone disturbs its original");
        assert_eq!(copy.finalize(), mac(&key, &[a, b"other"]), "clone");
        seen.push(whole);
    }
    for bit in 0..8 * data.len() {
        let mut changed = data.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        seen.push(mac(&key, &[&changed]));
    }
    // Tags may be short, but a message of this suite shares its tag with no other by chance.
    for byte in 0..key_len {
        let mut changed = key.clone();
        changed[byte] ^= 1;
        let other = mac(&changed, &[&data]);
        assert_ne!(
            other,
            mac(&key, &[&data]),
            "byte {byte} of the key is ignored"
        );
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count, "different messages, one tag");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::{assert_refuses, toy_digest};

    const NONE: u8 = 0;
    const CHUNKS_COUNT: u8 = 1;
    const KEY_CUT: u8 = 2;
    const LONG_MESSAGES_CUT: u8 = 3;

    #[derive(Clone)]
    struct Toy<const BUG: u8> {
        key: Vec<u8>,
        message: Vec<u8>,
    }

    impl<const BUG: u8> Mac for Toy<BUG> {
        type Output = [u8; 8];

        fn new(key: &[u8]) -> Result<Self, Error> {
            let key = key[..key.len() - usize::from(BUG == KEY_CUT)].to_vec();
            Ok(Toy {
                key,
                message: vec![],
            })
        }

        fn update(&mut self, data: &[u8]) {
            self.message.extend_from_slice(data);
            if BUG == CHUNKS_COUNT {
                self.message.push(0);
            }
        }

        fn finalize(mut self) -> [u8; 8] {
            if BUG == LONG_MESSAGES_CUT {
                self.message.truncate(255);
            }
            toy_digest(&[&self.key, &self.message])
        }
    }

    #[test]
    fn a_sound_mac_passes() {
        check(16, Toy::<NONE>::new);
    }

    #[test]
    fn broken_macs_do_not() {
        assert_refuses("empty updates", || check(16, Toy::<CHUNKS_COUNT>::new));
        assert_refuses("byte 15 of the key", || check(16, Toy::<KEY_CUT>::new));
        assert_refuses("one tag", || check(16, Toy::<LONG_MESSAGES_CUT>::new));
    }
}
