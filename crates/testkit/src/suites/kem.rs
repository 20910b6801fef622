//! What every key encapsulation mechanism does.

use crate::{BrokenRng, TestRng};
use adamant_base::Error;
use adamant_base::family::Kem;

/// Checks the mechanism `K`.
///
/// A changed ciphertext may be refused or, with implicit rejection, give another secret; it never
/// gives the right one.
///
/// # Panics
/// At the first breach.
pub fn check<K: Kem>() {
    let mut rng = TestRng::new(7);
    let broken = K::generate(&mut BrokenRng).err();
    assert_eq!(broken, Some(Error::NoEntropy), "keys without randomness");
    let key = K::generate(&mut rng).expect("a key");
    let public = K::encapsulation_key(&key);
    let other_key = K::generate(&mut rng).expect("a key");
    let broken = K::encapsulate(&public, &mut BrokenRng).err();
    assert_eq!(
        broken,
        Some(Error::NoEntropy),
        "a secret without randomness"
    );
    let decapsulate = |key, ciphertext: &[u8]| {
        let secret = K::decapsulate(key, &K::ciphertext(ciphertext)?)?;
        Ok(secret.as_ref().to_vec())
    };
    check_each(
        &mut rng,
        &|rng| {
            let (ciphertext, secret) = K::encapsulate(&public, rng).expect("encapsulation");
            (secret.as_ref().to_vec(), ciphertext.as_ref().to_vec())
        },
        &|ciphertext| decapsulate(&key, ciphertext),
        &|ciphertext| decapsulate(&other_key, ciphertext),
    );
    assert_eq!(K::check_pair(&key), Ok(()), "the halves of a key");
}

type Decapsulate<'a> = &'a dyn Fn(&[u8]) -> Result<Vec<u8>, Error>;

/// Checks what a public key encapsulates, its private key and another decapsulate.
fn check_each(
    rng: &mut TestRng,
    encapsulate: &dyn Fn(&mut TestRng) -> (Vec<u8>, Vec<u8>),
    decapsulate: Decapsulate<'_>,
    other: Decapsulate<'_>,
) {
    let mut secrets = vec![];
    for _ in 0..4 {
        let (secret, ciphertext) = encapsulate(rng);
        let same = |by: Decapsulate<'_>, ciphertext: &[u8]| {
            by(ciphertext).is_ok_and(|other| other == secret)
        };
        assert!(
            same(decapsulate, &ciphertext),
            "both sides must share the secret"
        );
        assert!(same(decapsulate, &ciphertext), "not deterministic");
        assert!(!same(other, &ciphertext), "another key decapsulates");
        for byte in 0..ciphertext.len() {
            let mut changed = ciphertext.clone();
            changed[byte] ^= 1 << rng.below(8);
            assert!(
                !same(decapsulate, &changed),
                "byte {byte} of the ciphertext is ignored"
            );
        }
        for len in [0, 1, ciphertext.len() - 1, ciphertext.len() + 1] {
            let mut resized = ciphertext.clone();
            resized.resize(len, 0);
            let result = decapsulate(&resized).err();
            assert!(
                matches!(result, Some(Error::BadLength { .. })),
                "a ciphertext of {len} bytes: {result:?}"
            );
        }
        secrets.push(secret);
    }
    secrets.sort_unstable();
    secrets.dedup();
    assert_eq!(secrets.len(), 4, "one secret twice");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::{assert_refuses, toy_digest};
    use adamant_base::Rng;

    const NONE: u8 = 0;
    const LAST_BYTE_IGNORED: u8 = 1;
    const LENGTH_UNCHECKED: u8 = 2;
    const KEY_IGNORED: u8 = 3;
    const CONSTANT: u8 = 4;
    const RNG_ERROR_IGNORED: u8 = 5;

    /// "Encapsulates" with a digest under the key, which the "public" key therefore holds too.
    struct Toy<const BUG: u8>;

    impl<const BUG: u8> Toy<BUG> {
        fn secret(key: [u8; 8], ciphertext: &[u8]) -> [u8; 8] {
            match BUG {
                KEY_IGNORED => toy_digest(&[ciphertext]),
                LAST_BYTE_IGNORED => toy_digest(&[&key, &ciphertext[..7]]),
                _ => toy_digest(&[&key, ciphertext]),
            }
        }
    }

    impl<const BUG: u8> Kem for Toy<BUG> {
        type DecapsulationKey = [u8; 8];
        type EncapsulationKey = [u8; 8];
        type Ciphertext = Vec<u8>;
        type SharedSecret = [u8; 8];

        fn generate(rng: &mut impl Rng) -> Result<[u8; 8], Error> {
            let mut key = [0; 8];
            rng.fill(&mut key)?;
            Ok(key)
        }

        fn encapsulation_key(key: &[u8; 8]) -> [u8; 8] {
            *key
        }

        fn encapsulate(key: &[u8; 8], rng: &mut impl Rng) -> Result<(Vec<u8>, [u8; 8]), Error> {
            let mut ciphertext = [0; 8];
            let result = rng.fill(&mut ciphertext);
            if BUG != RNG_ERROR_IGNORED {
                result?;
            }
            if BUG == CONSTANT {
                ciphertext = [0; 8];
            }
            Ok((ciphertext.to_vec(), Self::secret(*key, &ciphertext)))
        }

        fn ciphertext(octets: &[u8]) -> Result<Vec<u8>, Error> {
            if BUG != LENGTH_UNCHECKED && octets.len() != 8 {
                return Err(Error::BadLength {
                    expected: 8,
                    actual: octets.len(),
                });
            }
            Ok(octets.to_vec())
        }

        fn decapsulate(key: &[u8; 8], ciphertext: &Vec<u8>) -> Result<[u8; 8], Error> {
            Ok(Self::secret(*key, ciphertext))
        }

        fn check_pair(_: &[u8; 8]) -> Result<(), Error> {
            Ok(())
        }
    }

    #[test]
    fn a_sound_mechanism_passes() {
        check::<Toy<NONE>>();
    }

    #[test]
    fn broken_mechanisms_do_not() {
        assert_refuses("byte 7", check::<Toy<LAST_BYTE_IGNORED>>);
        assert_refuses("a ciphertext of", check::<Toy<LENGTH_UNCHECKED>>);
        assert_refuses("another key", check::<Toy<KEY_IGNORED>>);
        assert_refuses("one secret", check::<Toy<CONSTANT>>);
        assert_refuses("without randomness", check::<Toy<RNG_ERROR_IGNORED>>);
    }
}
