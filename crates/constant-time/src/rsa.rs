//! RSA.

use crate::following::is_on;
use adamant_base::ct::Choice;
use adamant_bignum::hazmat::Task;
use adamant_bignum::{Modulus, prime};
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
        name: "products",
        run: products,
    },
    Operation {
        name: "powers",
        run: powers,
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

/// Of short numbers and long ones, of one length and not, and modulo a number.
fn products() {
    let (a, b) = (taint::secret([0x5a; 80]), taint::secret([7; 80]));
    for backend in rows!(Backend) {
        for (n, m) in (1..40)
            .map(|n| (n, n))
            .chain([(17, 3), (33, 32), (64, 64), (80, 70)])
        {
            let mut out = vec![0; n + m];
            backend.mul(&mut out, &a[..n], &b[..m]);
        }
        for len in [4, 16, 17, 32, 48, 64] {
            let modulus = Modulus::new(&vec![u64::MAX; len]).unwrap();
            let mut out = vec![0; len];
            backend.multiply(&mut out, &a[..len], &b[..len], &modulus);
        }
    }
}

/// Powers modulo numbers of many lengths, with a short exponent; and tests of numbers side by side.
fn powers() {
    let (base, exponent) = (taint::secret([0x5a; 128]), taint::secret([0x5a; 2]));
    // In an emulator the longest take minutes, and no row goes another way for them.
    let longest = if cfg!(target_arch = "aarch64") {
        40
    } else {
        128
    };
    let all: Vec<_> = (1..=24)
        .chain([26, 28, 32, 40, 48, 51, 52, 64, 96, 128])
        .filter(|&len| len <= longest)
        .collect();
    let (lengths, tested) = match is_on() {
        true => (&all[..], &[8, 16, 24][..]),
        false => (&[4, 17][..], &[3][..]),
    };
    for backend in rows!(Backend) {
        let mut number = vec![u64::MAX; 128];
        number[0] = taint::secret(u64::MAX);
        for &len in lengths {
            let modulus = Modulus::new(&number[..len]).unwrap();
            for count in [1, 2, 9] {
                let mut out = vec![vec![0; len]; count];
                let tasks = out.iter_mut().map(|out| Task {
                    modulus: &modulus,
                    base: &base[..len],
                    exponent: &exponent,
                    out,
                });
                backend.power(&mut tasks.collect::<Vec<_>>());
            }
        }
        for &len in tested {
            let mut passed = [Choice::FALSE; 9];
            backend.strong_to_two(&[&number[..len]; 9], &mut passed);
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
        assert_eq!(key.check_pair(), Ok(()));
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
