//! Generated keys are consistent, and primes are as the standard wants them.

use crate::hazmat::{Backend, generate_on};
use crate::*;
use adamant_base::Error;
use adamant_bignum::{Number, limbs, prime};
use adamant_hash::Sha256;
use adamant_testkit::{BrokenRng, TestRng, table};

#[test]
fn keys_are_consistent() {
    let mut rng = TestRng::new(1);
    table!(Backend).for_each(|backend| {
        let keys = [
            (2048, &[1, 0, 1][..]),
            (2048, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 15]),
            (2056, &[1, 0, 1]),
            (2104, &[1, 0, 1]),
        ];
        for (bits, e) in keys {
            let key = generate_on(bits, e, &mut rng, backend).unwrap();
            assert_eq!(
                (key.public_key().bits(), key.public_key().e()),
                (bits, e.to_vec())
            );
            let again = PrivateKey::from_pkcs1_der(&key.to_pkcs1_der()).unwrap();
            assert_eq!(again.public_key(), key.public_key());
            let signature = key.sign_pkcs1::<Sha256>(b"message", &mut rng).unwrap();
            let verified = again
                .public_key()
                .verify_pkcs1::<Sha256>(b"message", &signature);
            assert_eq!(verified, Ok(()));
            // Libraries that sign with p below q as if it were above fail for some messages.
            let (p, q) = (key.inner.p.limbs(), key.inner.q.limbs());
            assert!(limbs::less(q, p).declassify());
            for p in [&key.inner.p, &key.inner.q] {
                let prime = prime::is_prime_vartime(Backend::best(), p.limbs(), &mut rng);
                assert_eq!((prime, p.bits()), (Ok(true), bits / 2));
            }
            // d is below lcm(p - 1, q - 1), which is at most half of phi.
            assert!(limbs::bits_vartime(&key.inner.d) < bits);
        }
    });
}

#[test]
fn batches_of_keys() {
    let mut rng = TestRng::new(2);
    let keys = PrivateKey::generate_batch(3, 2048, &mut rng).unwrap();
    assert_ne!(keys[0].public_key(), keys[1].public_key());
    for key in &keys {
        assert!(limbs::less(key.inner.q.limbs(), key.inner.p.limbs()).declassify());
    }
    let refused = PrivateKey::generate(2048, &mut BrokenRng).err();
    assert_eq!(refused, Some(Error::NoEntropy));
    for bits in [0, 1024, 2040, 2049, 2052, 8200] {
        let refused = PrivateKey::generate(bits, &mut rng).err();
        assert_eq!(refused, Some(Error::BadParameter("bits")));
    }
    for e in [&[3][..], &[1, 0, 0], &[0xff, 0xff], &[1; 33]] {
        let refused = generate_on(2048, e, &mut rng, Backend::best()).err();
        assert_eq!(refused, Some(Error::BadParameter("e")));
    }
}

#[test]
fn primes_that_are_too_near() {
    let p = Number::from_limbs(&[5, 0, 1 << 63]);
    for (q, apart) in [
        ([5, 0, 1 << 63], false),
        ([4, 0, 1 << 63], false),
        ([6, 0, 1 << 63], false),
        ([5, 1 << 29, 1 << 63], true),
        ([5, 1 << 25, 1 << 63], false),
        ([5, 0, 1 << 62], true),
        ([4, 0u64.wrapping_sub(1 << 29), (1 << 63) - 1], true),
        ([4, 0u64.wrapping_sub(1 << 20), (1 << 63) - 1], false),
    ] {
        assert_eq!(
            crate::generate::far_apart(192, &p, &q).declassify(),
            apart,
            "{q:x?}"
        );
    }
}
