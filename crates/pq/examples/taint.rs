//! The operations on secrets, for the taint check (`tests/taint.rs`).

use adamant_pq::ml_kem::Backend;
use adamant_pq::{ml_kem_512, ml_kem_768, ml_kem_1024};
use adamant_testkit::taint::{self, Operation, public, secret};

fn main() {
    taint::main(&[
        Operation {
            name: "ml-kem-512 keys, encapsulation, decapsulation",
            run: ml_kem_512,
        },
        Operation {
            name: "ml-kem-768 keys, encapsulation, decapsulation",
            run: ml_kem_768,
        },
        Operation {
            name: "ml-kem-1024 keys, encapsulation, decapsulation",
            run: ml_kem_1024,
        },
    ]);
}

macro_rules! ml_kem {
    ($($module:ident)*) => { $(
        fn $module() {
            use $module::DecapsulationKey;
            for backend in Backend::available() {
                let key = DecapsulationKey::from_seed_on(&secret([0x5a; 64]), backend);
                let bytes = key.to_bytes();
                let key = DecapsulationKey::from_bytes_on(&*bytes, backend).unwrap();
                let encapsulation = key.encapsulation_key();
                let (shared, mut c) = encapsulation.encapsulate_deterministic(&secret([7; 32]));
                let opened = key.decapsulate(&c);
                assert_eq!(public(*opened.as_bytes()), public(*shared.as_bytes()));
                c[0] ^= 1;
                assert_ne!(public(*key.decapsulate(&c).as_bytes()), public(*shared.as_bytes()));
            }
        }
    )* };
}
ml_kem! { ml_kem_512 ml_kem_768 ml_kem_1024 }
