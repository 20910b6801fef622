//! What every signature algorithm does.

use crate::{BrokenRng, TestRng};
use adamant_base::Error;
use adamant_base::family::{Signer, Verifier};

/// Checks the algorithm whose private keys `generate` makes.
///
/// # Panics
/// At the first breach.
pub fn check<S: Signer>(generate: impl Fn(&mut TestRng) -> Result<S, Error>) {
    let mut rng = TestRng::new(5);
    let broken = S::generate(&mut BrokenRng).err();
    assert_eq!(broken, Some(Error::NoEntropy), "a key without randomness");
    let key = generate(&mut rng).expect("a key");
    let other = generate(&mut rng).expect("a key").verifier();
    let verifier = key.verifier();
    check_each(
        &mut rng,
        &|message| key.sign(message).as_ref().to_vec(),
        &|message, signature| verdict(&verifier, message, signature),
        &|message, signature| verdict(&other, message, signature),
    );
    assert_eq!(key.check_pair(), Ok(()), "the halves of a key");
    let signature = key.sign(b"a certificate");
    let bits = S::Verifier::signature_to_x509(&signature);
    let read = S::Verifier::signature_from_x509(&bits).map(|read| read.as_ref().to_vec());
    let expected = signature.as_ref().to_vec();
    assert_eq!(read, Ok(expected), "a signature as certificates have it");
}

/// The verdict on octets.
fn verdict<V: Verifier>(verifier: &V, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    verifier.verify(message, &V::signature(signature)?)
}

/// Checks a key that signs, its public half and another's.
fn check_each(
    rng: &mut TestRng,
    sign: &dyn Fn(&[u8]) -> Vec<u8>,
    verify: &dyn Fn(&[u8], &[u8]) -> Result<(), Error>,
    other: &dyn Fn(&[u8], &[u8]) -> Result<(), Error>,
) {
    let refused = |message: &[u8], signature: &[u8], why: &str| {
        let result = verify(message, signature);
        assert_eq!(result, Err(Error::BadSignature), "{why}");
    };

    for len in [0, 1, 31, 64, 1000] {
        let message = rng.bytes(len);
        let signature = &sign(&message)[..];
        assert_eq!(verify(&message, signature), Ok(()), "length {len}");
        assert_eq!(sign(&message), signature, "not deterministic");
        let result = other(&message, signature);
        assert_eq!(result, Err(Error::BadSignature), "another key accepts");

        let longer = [&message[..], &[0]].concat();
        refused(&longer, signature, "a longer message");
        if let Some((_, shorter)) = message.split_last() {
            refused(shorter, signature, "a shorter message");
            for byte in [0, len / 2, len - 1] {
                let mut changed = message.clone();
                changed[byte] ^= 1;
                refused(&changed, signature, &format!("byte {byte} of the message"));
            }
        }
    }

    let message = rng.bytes(50);
    let signature = &sign(&message)[..];
    for byte in 0..signature.len() {
        let mut changed = signature.to_vec();
        changed[byte] ^= 1 << rng.below(8);
        refused(&message, &changed, &format!("byte {byte} of the signature"));
    }
    for len in 0..signature.len() {
        refused(&message, &signature[..len], &format!("cut to {len} bytes"));
    }
    for extra in [1, 2, signature.len()] {
        let longer = [signature, &vec![0; extra]].concat();
        refused(&message, &longer, &format!("{extra} bytes more"));
    }
    for byte in [0, 0xff] {
        let constant = vec![byte; signature.len()];
        refused(&message, &constant, "a signature of equal bytes");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::{assert_refuses, toy_digest};
    use adamant_base::Rng;
    use std::sync::atomic::{AtomicU8, Ordering};

    const NONE: u8 = 0;
    const LAST_BYTE_IGNORED: u8 = 1;
    const EXTENSION_ACCEPTED: u8 = 2;
    const KEY_IGNORED: u8 = 3;
    const RANDOMISED: u8 = 4;
    const MESSAGE_CUT: u8 = 5;
    const WRONG_ERROR: u8 = 6;
    const RNG_ERROR_IGNORED: u8 = 7;
    const ZEROS_ACCEPTED: u8 = 8;
    const LOST_IN_CERTIFICATES: u8 = 9;

    /// "Signs" with a digest under the key, which the "public" key therefore holds too.
    struct Toy<const BUG: u8> {
        key: [u8; 8],
        count: AtomicU8,
    }

    impl<const BUG: u8> Signer for Toy<BUG> {
        type Verifier = Self;

        fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
            let mut key = [0; 8];
            let result = rng.fill(&mut key);
            if BUG != RNG_ERROR_IGNORED {
                result?;
            }
            let key = if BUG == KEY_IGNORED { [0; 8] } else { key };
            Ok(Toy {
                key,
                count: AtomicU8::new(0),
            })
        }

        fn verifier(&self) -> Self {
            Toy {
                key: self.key,
                count: AtomicU8::new(0),
            }
        }

        fn sign(&self, message: &[u8]) -> Vec<u8> {
            let message = &message[..message
                .len()
                .min(if BUG == MESSAGE_CUT { 64 } else { 4096 })];
            let more = u8::from(BUG == RANDOMISED);
            let nonce = [self.count.fetch_add(more, Ordering::Relaxed) + more];
            [&nonce[..], &toy_digest(&[&self.key, &nonce, message])].concat()
        }
    }

    impl<const BUG: u8> Verifier for Toy<BUG> {
        type Signature = Vec<u8>;

        fn signature(octets: &[u8]) -> Result<Vec<u8>, Error> {
            Ok(octets.to_vec())
        }

        fn signature_to_x509(signature: &Vec<u8>) -> Vec<u8> {
            let lost = BUG == LOST_IN_CERTIFICATES;
            if lost { vec![] } else { signature.clone() }
        }

        fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), Error> {
            if BUG == ZEROS_ACCEPTED && *signature == [0; 9] {
                return Ok(());
            }
            let nonce = signature.first().copied().unwrap_or(0);
            let before = nonce.saturating_sub(u8::from(BUG == RANDOMISED));
            self.count.store(before, Ordering::Relaxed);
            let expected = self.sign(message);
            let equal = match BUG {
                LAST_BYTE_IGNORED => signature.len() == 9 && signature[..8] == expected[..8],
                EXTENSION_ACCEPTED => signature.starts_with(&expected),
                _ => *signature == expected,
            };
            match (equal, BUG) {
                (true, _) => Ok(()),
                (false, WRONG_ERROR) => Err(Error::BadTag),
                (false, _) => Err(Error::BadSignature),
            }
        }
    }

    fn run<const BUG: u8>() {
        check(Toy::<BUG>::generate);
    }

    #[test]
    fn a_sound_signature_passes() {
        run::<NONE>();
    }

    #[test]
    fn broken_signatures_do_not() {
        assert_refuses("byte 8 of the signature", run::<LAST_BYTE_IGNORED>);
        assert_refuses("1 bytes more", run::<EXTENSION_ACCEPTED>);
        assert_refuses("another key", run::<KEY_IGNORED>);
        assert_refuses("deterministic", run::<RANDOMISED>);
        assert_refuses("message", run::<MESSAGE_CUT>);
        assert_refuses("BadTag", run::<WRONG_ERROR>);
        assert_refuses("without randomness", run::<RNG_ERROR_IGNORED>);
        assert_refuses("equal bytes", run::<ZEROS_ACCEPTED>);
        assert_refuses("certificates", run::<LOST_IN_CERTIFICATES>);
    }
}
