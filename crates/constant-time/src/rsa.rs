//! RSA.

use adamant_base::ct::Choice;
use adamant_bignum::prime;
use adamant_hash::Sha256;
use adamant_rsa::hazmat::Backend;
use adamant_rsa::{Components, PrivateKey};
use adamant_testkit::TestRng;
use adamant_testkit::taint::{self, Operation, SecretRng};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "import and sign",
        run: sign,
    },
    Operation {
        name: "decrypt",
        run: decrypt,
    },
    Operation {
        name: "search for a prime",
        run: search,
    },
];

const KEY: &[u8] = include_bytes!("../../rsa/testdata/rsa2048.der");

/// The key, with everything but the modulus and the exponent marked secret.
fn key(backend: Backend) -> PrivateKey {
    let numbers = adamant_der::parse(KEY, |r| {
        r.sequence(|r| {
            (0..9)
                .map(|_| Ok(r.unsigned()?.to_vec()))
                .collect::<Result<Vec<_>, _>>()
        })
    });
    let mut numbers = numbers.expect("our own encoding");
    for number in &mut numbers[3..] {
        // That no byte in front is zero is public, for these.
        let (_, rest) = number.split_at_mut(1);
        adamant_base::ct::mark_secret(rest);
    }
    let key = PrivateKey::from_components(Components {
        n: &numbers[1],
        e: &numbers[2],
        d: &numbers[3],
        p: &numbers[4],
        q: &numbers[5],
        d_p: &numbers[6],
        d_q: &numbers[7],
        q_inv: &numbers[8],
    });
    key.expect("a consistent key").with_backend(backend)
}

/// Short primes, of whole words and not, as the long ones take minutes here; the code is the same.
fn search() {
    for backend in rows!(Backend) {
        for bits in [192, 180] {
            let mut rng = SecretRng::new(1);
            let accept = |p: &[u64]| Choice::from_bit(p[0] >> 2 & 1);
            let prime = prime::search(backend, bits, 9, accept, &mut rng).unwrap();
            assert_eq!(taint::public(prime.limbs()[0]) & 7, 7);
        }
    }
}

fn sign() {
    let mut rng = TestRng::new(1);
    for backend in rows!(Backend) {
        let key = key(backend);
        let public = key.public_key();
        let signature = key.sign_pss::<Sha256>(b"message", &mut rng).unwrap();
        assert_eq!(public.verify_pss::<Sha256>(b"message", &signature), Ok(()));
        let signature = key.sign_pkcs1::<Sha256>(b"message", &mut rng).unwrap();
        assert_eq!(
            public.verify_pkcs1::<Sha256>(b"message", &signature),
            Ok(())
        );
    }
}

fn decrypt() {
    let mut rng = TestRng::new(1);
    for backend in rows!(Backend) {
        let key = key(backend);
        let public = key.public_key();
        let ciphertext = public
            .encrypt_oaep::<Sha256>(b"message", b"", &mut rng)
            .unwrap();
        let opened = key
            .decrypt_oaep::<Sha256>(&ciphertext, b"", &mut rng)
            .unwrap();
        adamant_base::ct::mark_public(&opened);
        assert_eq!(opened[..], *b"message");
        let ciphertext = public.encrypt_pkcs1(b"message", &mut rng).unwrap();
        let opened = key.decrypt_pkcs1(&ciphertext, &mut rng).unwrap();
        adamant_base::ct::mark_public(&opened);
        assert_eq!(opened[..], *b"message");
    }
}
