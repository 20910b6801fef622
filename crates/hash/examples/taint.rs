//! The operations of this crate on secrets, for the taint check (`tests/taint.rs`).

use adamant_base::family::Hash;
use adamant_hash::hmac_drbg::Rfc6979;
use adamant_hash::{
    Hmac, Kmac128, Sha3_256, Sha256, Sha512, Shake128, hkdf, keccak, sha256, sha512,
};
use adamant_testkit::taint::{self, Operation, public, secret};

fn main() {
    taint::main(&[
        Operation {
            name: "sha256",
            run: || sha256::Backend::available().for_each(|b| hash(Sha256::with_backend(b))),
        },
        Operation {
            name: "sha512",
            run: || sha512::Backend::available().for_each(|b| hash(Sha512::with_backend(b))),
        },
        Operation {
            name: "sha3-256",
            run: || keccak::Backend::available().for_each(|b| hash(Sha3_256::with_backend(b))),
        },
        Operation {
            name: "shake128",
            run: || keccak::Backend::available().for_each(|b| xof(Shake128::with_backend(b))),
        },
        Operation {
            name: "sha3-256-batch",
            run: || keccak::lanes::Backend::available().for_each(batch),
        },
        Operation {
            name: "hmac-sha256",
            run: || sha256::Backend::available().for_each(|b| hmac(&Sha256::with_backend(b))),
        },
        Operation {
            name: "hmac-sha512",
            run: || sha512::Backend::available().for_each(|b| hmac(&Sha512::with_backend(b))),
        },
        Operation {
            name: "kmac128",
            run: || keccak::Backend::available().for_each(kmac),
        },
        Operation {
            name: "hkdf-sha256",
            run: derive,
        },
        Operation {
            name: "rfc6979-sha256",
            run: || sha256::Backend::available().for_each(|b| nonces(Sha256::with_backend(b))),
        },
    ]);
}

fn hash<H: Hash>(mut hash: H) {
    let message = secret([7u8; 200]);
    hash.update(&message[..70]);
    hash.update(&message[70..]);
    public(hash.finalize());
}

fn xof(mut xof: Shake128) {
    xof.update(&secret([7u8; 200]));
    let (mut reader, mut out) = (xof.finalize_xof(), [0; 200]);
    for piece in [0..7, 7..200] {
        reader.read(&mut out[piece]);
    }
    public(out);
}

fn batch(backend: keccak::lanes::Backend) {
    let message = secret([7u8; 400]);
    let messages: [&[u8]; 10] = core::array::from_fn(|i| &message[..40 * i]);
    let mut digests = [[0; 32]; 10];
    Sha3_256::digest_batch_with_backend(backend, &messages, &mut digests).unwrap();
    public(digests);
}

fn hmac<H: Hash>(fresh: &H) {
    for len in [16, 200] {
        let mut mac = Hmac::with_hash(fresh, &secret([7u8; 200])[..len]);
        mac.update(&secret([9u8; 100]));
        let right = public(mac.clone().finalize());
        assert_eq!(mac.clone().verify(right.as_ref()), Ok(()));
        assert!(mac.verify(&right.as_ref()[1..]).is_err());
    }
}

fn kmac(backend: keccak::Backend) {
    let mut mac = Kmac128::<32>::with_backend(backend, &secret([7u8; 32]), b"");
    mac.update(&secret([9u8; 100]));
    let right = public(mac.clone().finalize());
    assert_eq!(mac.clone().verify(&right), Ok(()));
    assert!(mac.verify(&right[1..]).is_err());
}

fn derive() {
    let mut key = [0; 100];
    let ikm = secret([7u8; 32]);
    hkdf::derive::<Sha256>(b"salt", &ikm, b"info", &mut key).unwrap();
    public(key);
}

fn nonces<H: Hash>(fresh: H) {
    let (private_key, digest) = (secret([7u8; 32]), secret([9u8; 32]));
    let mut nonces = Rfc6979::with_hash(fresh, &private_key, &digest, &secret([1u8; 32]));
    for _ in 0..2 {
        let mut k = [0; 32];
        nonces.next(&mut k);
        public(k);
    }
}
