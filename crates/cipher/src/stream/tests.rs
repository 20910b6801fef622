//! The nonces as they are described, and every way to tamper with a sequence.

use adamant_testkit::TestRng;

use super::*;
use crate::chacha20_poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use crate::gcm::Aes128Gcm;

const KEY: [u8; 32] = [3; 32];
const PREFIX: [u8; 7] = [9; 7];

type Segment = (Vec<u8>, [u8; 16]);

/// A sealed stream of these segments.
fn sealed(messages: &[Vec<u8>]) -> Vec<Segment> {
    let mut sealer = Sealer::<ChaCha20Poly1305>::new(&KEY, &PREFIX).unwrap();
    let (last, others) = messages.split_last().unwrap();
    let mut all = vec![];
    for message in others {
        let mut data = message.clone();
        let tag = sealer.seal_next(&mut data).unwrap();
        all.push((data, tag));
    }
    let mut data = last.clone();
    let tag = sealer.seal_last(&mut data).unwrap();
    all.push((data, tag));
    all
}

/// What opens of a stream, and whether all does.
fn opened(segments: &[Segment]) -> (Vec<Vec<u8>>, bool) {
    let mut opener = Opener::<ChaCha20Poly1305>::new(&KEY, &PREFIX).unwrap();
    let mut messages = vec![];
    let Some(((last, tag), others)) = segments.split_last() else {
        return (messages, false);
    };
    for (data, tag) in others {
        let mut data = data.clone();
        if opener.open_next(&mut data, tag).is_err() {
            assert!(data.iter().all(|b| *b == 0));
            return (messages, false);
        }
        messages.push(data);
    }
    let mut data = last.clone();
    match opener.open_last(&mut data, tag) {
        Ok(()) => messages.push(data),
        Err(_) => {
            assert!(data.iter().all(|b| *b == 0));
            return (messages, false);
        }
    }
    (messages, true)
}

/// The segments are messages of the AEAD under the nonces of the description.
#[test]
fn nonces() {
    fn check<A: Aead>(rng: &mut TestRng) {
        let (key, prefix) = (rng.bytes(A::KEY_LEN), rng.bytes(prefix_len::<A>()));
        let cipher = A::new(&key).unwrap();
        let mut sealer = Sealer::<A>::new(&key, &prefix).unwrap();
        for number in 0..300u32 {
            let message = rng.bytes(20);
            let mut data = message.clone();
            let tag = sealer.seal_next_with(b"aad", &mut data).unwrap();
            let nonce = [&prefix[..], &number.to_be_bytes(), &[0]].concat();
            let nonce = A::Nonce::from_slice(&nonce).unwrap();
            cipher.open(nonce, b"aad", &mut data, &tag).unwrap();
            assert_eq!(data, message);
        }
        let nonce = [&prefix[..], &300u32.to_be_bytes(), &[1]].concat();
        let mut data = [4; 9];
        let tag = sealer.seal_last_with(b"end", &mut data).unwrap();
        let nonce = A::Nonce::from_slice(&nonce).unwrap();
        cipher.open(nonce, b"end", &mut data, &tag).unwrap();
        assert_eq!(data, [4; 9]);
    }
    let mut rng = TestRng::new(1);
    check::<ChaCha20Poly1305>(&mut rng);
    check::<XChaCha20Poly1305>(&mut rng);
    check::<Aes128Gcm>(&mut rng);
}

#[test]
fn sequences() {
    let mut rng = TestRng::new(2);
    let messages: Vec<Vec<u8>> = [40, 40, 0, 40, 7].map(|len| rng.bytes(len)).into();
    let whole = sealed(&messages);
    assert_eq!(opened(&whole), (messages.clone(), true));
    for count in 0..whole.len() {
        // Cut off, by whole segments: what was sealed as one of many is not the last.
        let (shown, complete) = opened(&whole[..count]);
        assert!(!complete);
        assert_eq!(shown, messages[..count.saturating_sub(1)]);
    }
    for i in 0..whole.len() {
        let refused_from = |segments: &[Segment]| {
            let (shown, complete) = opened(segments);
            assert!(!complete, "{i}");
            assert!(shown[..] == messages[..shown.len()], "{i}");
            assert!(shown.len() <= i, "{i}");
        };
        let mut missing = whole.clone();
        missing.remove(i);
        refused_from(&missing);
        let mut repeated = whole.clone();
        repeated.insert(i, whole[i].clone());
        // The first copy is in its place, the second is not.
        let (shown, complete) = opened(&repeated);
        assert!(!complete && shown.len() <= i + 1);
        if i > 0 {
            let mut exchanged = whole.clone();
            exchanged.swap(i - 1, i);
            refused_from(&exchanged);
        }
        let mut changed = whole.clone();
        changed[i].1[0] ^= 1;
        refused_from(&changed);
    }
    let mut longer = whole.clone();
    longer.push(whole[0].clone());
    let (shown, complete) = opened(&longer);
    assert!(!complete && shown[..] == messages[..4]);
}

/// A segment that did not open leaves nothing to go on with, not even with what is right.
#[test]
fn failure_stays() {
    let segments = sealed(&[vec![1; 20], vec![2; 20]]);
    let mut opener = Opener::<ChaCha20Poly1305>::new(&KEY, &PREFIX).unwrap();
    let ((mut wrong, tag), (mut right, last)) = (segments[1].clone(), segments[1].clone());
    assert_eq!(opener.open_next(&mut wrong, &tag), Err(Error::BadTag));
    let (mut data, tag) = segments[0].clone();
    assert_eq!(opener.open_next(&mut data, &tag), Err(Error::BadTag));
    assert_eq!(data, [0; 20]);
    assert_eq!(opener.open_last(&mut right, &last), Err(Error::BadTag));
    assert_eq!(right, [0; 20]);
}

#[test]
fn lengths_are_checked() {
    for len in [0, 6, 8, 12] {
        assert!(Sealer::<ChaCha20Poly1305>::new(&KEY, &vec![0; len]).is_err());
        assert!(Opener::<ChaCha20Poly1305>::new(&KEY, &vec![0; len]).is_err());
    }
    assert!(Sealer::<ChaCha20Poly1305>::new(&KEY[1..], &PREFIX).is_err());
    // The counter does not come back to where it began.
    let mut sealer = Sealer::<ChaCha20Poly1305>::new(&KEY, &PREFIX).unwrap();
    sealer.0.done = SEGMENTS - 1;
    sealer.seal_next(&mut []).unwrap();
    let mut data = [5; 3];
    let ended = Err(Error::BadLength {
        expected: usize::try_from(1u64 << 32).unwrap_or(usize::MAX),
        actual: usize::try_from((1u64 << 32) + 1).unwrap_or(usize::MAX),
    });
    assert_eq!(sealer.seal_next(&mut data), ended);
    assert_eq!(sealer.seal_last(&mut data), ended);
    assert_eq!(data, [5; 3]);
}
