//! Post-quantum schemes.

use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_pq::hazmat::{ml_dsa, ml_kem, ml_kem::DecapsulateOn, slh_dsa};
use adamant_pq::slh_dsa::{slh_dsa_sha2_128f, slh_dsa_sha2_192f, slh_dsa_shake_128f};
use adamant_testkit::taint::{Operation, SecretRng, public, secret};

macro_rules! ml_kem {
    ($($module:ident)*) => { $(
        use adamant_pq::$module;

        fn $module() {
            use $module::DecapsulationKey;
            for backend in rows!(ml_kem::Backend) {
                let key = DecapsulationKey::from_seed_on(&secret([0x5a; 64]), backend);
                let bytes = key.to_bytes();
                let key = DecapsulationKey::from_bytes_on(&bytes, backend).unwrap();
                let encapsulation = key.encapsulation_key();
                let (mut c, shared) = encapsulation.encapsulate_deterministic(&secret([7; 32]));
                let opened = key.decapsulate(&c);
                assert_eq!(key.check_pair(), Ok(()));
                assert_eq!(public(*opened.as_bytes()), public(*shared.as_bytes()));
                c[0] ^= 1;
                assert_ne!(public(*key.decapsulate(&c).as_bytes()), public(*shared.as_bytes()));
                let once = DecapsulationKey::decapsulate_encoded_on(&bytes, &c, backend).unwrap();
                assert_eq!(public(*once.as_bytes()), public(*key.decapsulate(&c).as_bytes()));
            }
        }
    )* };
}

macro_rules! ml_dsa {
    ($($module:ident)*) => { $(
        use adamant_pq::$module;

        fn $module() {
            use $module::PrivateKey;
            for backend in rows!(ml_dsa::Backend) {
                let key = PrivateKey::from_seed_on(&secret([0x5a; 32]), backend);
                let bytes = key.to_bytes();
                let key = PrivateKey::from_bytes_on(&bytes, backend).unwrap();
                let verifier = key.public_key();
                for message in [b"one", b"two"] {
                    let signature = key.sign(message);
                    assert_eq!(verifier.verify(message, &signature), Ok(()));
                }
                let mu = [7; 64];
                let signature = key.sign_hedged_mu(&mu, &mut SecretRng::new(1)).unwrap();
                assert_eq!(verifier.verify_mu(&mu, &signature), Ok(()));
                assert_eq!(key.check_pair(), Ok(()));
            }
        }
    )* };
}

/// The sets differ only in their hashes.
macro_rules! slh_dsa {
    ($($module:ident)*) => { $(
        fn $module() {
            use $module::{PrivateKey, RANDOM_LEN, SEED_LEN};
            for backend in rows!(slh_dsa::Backend) {
                let key = PrivateKey::from_seed_on(&secret([0x5a; SEED_LEN]), backend);
                let bytes = key.to_bytes();
                let key = PrivateKey::from_bytes_on(&bytes, backend).unwrap();
                let verifier = key.public_key();
                let signature = key.sign_internal(b"two", Some(&secret([8; RANDOM_LEN])));
                assert_eq!(verifier.verify_internal(b"two", &signature), Ok(()));
                // The rest goes the same ways again, for hundreds of millions of instructions.
                if crate::following::is_on() || !adamant_testkit::is_full() {
                    continue;
                }
                assert_eq!(key.check_pair(), Ok(()));
                let signature = key.sign(b"one");
                assert_eq!(verifier.verify(b"one", &signature), Ok(()));
            }
        }
    )* };
}
slh_dsa! { slh_dsa_sha2_128f slh_dsa_sha2_192f slh_dsa_shake_128f }

/// The operations: those of ML-KEM and ML-DSA in the list of the schemes, and SLH-DSA's.
macro_rules! operations {
    (
        curves { $($_curves:tt)* }
        signatures {
            $({ "curve25519" $($_e:tt)* })*
            $({ "curve448" $($_g:tt)* })*
            $({ "ml-dsa" $ml:ident $mc:ident $ml_dsa:ident $dsa_name:literal $($_m:tt)* })*
            $({ "slh-dsa" $($_s:tt)* })*
        }
        agreements { $($_agreements:tt)* }
        kems {
            $({ "ml-kem" $kem:ident $kc:ident $ml_kem:ident $kem_name:literal $($_k:tt)* })*
            $({ "hybrid" $($_h:tt)* })*
        }
    ) => {
        ml_kem! { $($ml_kem)* }
        ml_dsa! { $($ml_dsa)* }

        pub(crate) const OPERATIONS: &[Operation] = &[
            $(Operation {
                name: concat!($kem_name, " keys, encapsulation, decapsulation"),
                run: $ml_kem,
            },)*
            $(Operation {
                name: concat!($dsa_name, " keys, signing"),
                run: $ml_dsa,
            },)*
            Operation {
                name: "slh-dsa-sha2-128f keys, signing",
                run: slh_dsa_sha2_128f,
            },
            Operation {
                name: "slh-dsa-sha2-192f keys, signing",
                run: slh_dsa_sha2_192f,
            },
            Operation {
                name: "slh-dsa-shake-128f keys, signing",
                run: slh_dsa_shake_128f,
            },
        ];
    };
}
adamant_base::schemes!(operations);
