//! What every key agreement does.

use crate::{BrokenRng, TestRng};
use adamant_base::Error;
use adamant_base::family::KeyAgreement;

/// Checks the algorithm whose private keys `generate` makes.
///
/// # Panics
/// At the first breach.
pub fn check<K: KeyAgreement>(generate: impl Fn(&mut TestRng) -> Result<K, Error>) {
    let broken = K::generate(&mut BrokenRng).err();
    assert_eq!(broken, Some(Error::NoEntropy), "a key without randomness");
    let mut rng = TestRng::new(6);
    let keys: Vec<K> = (0..6).map(|_| generate(&mut rng).expect("a key")).collect();
    check_each(keys.len(), &|a, b| {
        let secret = keys[a].agree(&keys[b].public_key()).expect("agreement");
        AsRef::<[u8]>::as_ref(&*secret).to_vec()
    });
    assert_eq!(keys[0].check_pair(), Ok(()), "the halves of a key");
}

/// Checks what this many keys agree on with each other.
fn check_each(keys: usize, agree: &dyn Fn(usize, usize) -> Vec<u8>) {
    let mut secrets = vec![];
    for a in 0..keys {
        for b in a..keys {
            let secret = agree(a, b);
            assert_eq!(agree(b, a), secret, "both sides must agree");
            assert_eq!(agree(a, b), secret, "not deterministic");
            assert!(secret.iter().any(|&x| x != 0), "an all-zero secret");
            secrets.push(secret);
        }
    }
    let count = secrets.len();
    secrets.sort_unstable();
    secrets.dedup();
    assert_eq!(secrets.len(), count, "different peers, one secret");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::assert_refuses;
    use adamant_base::{Rng, Secret};

    const NONE: u8 = 0;
    const ONE_SIDED: u8 = 1;
    const CONSTANT: u8 = 2;
    const RNG_ERROR_IGNORED: u8 = 3;

    /// Diffie-Hellman modulo the prime 2^61 - 1.
    struct Toy<const BUG: u8>(u64);

    fn power(mut base: u64, mut exponent: u64) -> u64 {
        const P: u128 = (1 << 61) - 1;
        let mut result = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = (u128::from(result) * u128::from(base) % P) as u64;
            }
            base = (u128::from(base) * u128::from(base) % P) as u64;
            exponent >>= 1;
        }
        result
    }

    impl<const BUG: u8> KeyAgreement for Toy<BUG> {
        type PublicKey = u64;
        type SharedSecret = [u8; 8];

        fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
            let mut key = [1; 8];
            let result = rng.fill(&mut key);
            if BUG != RNG_ERROR_IGNORED {
                result?;
            }
            Ok(Toy(u64::from_le_bytes(key) >> 4))
        }

        fn public_key(&self) -> u64 {
            power(37, self.0)
        }

        fn agree(&self, peer: &u64) -> Result<Secret<[u8; 8]>, Error> {
            let shared = match BUG {
                ONE_SIDED => power(37, self.0),
                CONSTANT => 1,
                _ => power(*peer, self.0),
            };
            Ok(Secret::new(shared.to_le_bytes()))
        }

        fn check_pair(&self) -> Result<(), Error> {
            Ok(())
        }
    }

    fn run<const BUG: u8>() {
        check(Toy::<BUG>::generate);
    }

    #[test]
    fn a_sound_agreement_passes() {
        run::<NONE>();
    }

    #[test]
    fn broken_agreements_do_not() {
        assert_refuses("both sides", run::<ONE_SIDED>);
        assert_refuses("one secret", run::<CONSTANT>);
        assert_refuses("without randomness", run::<RNG_ERROR_IGNORED>);
    }
}
