//! Moduli that are not whole octets, whose primes may differ in length: what OpenSSL made with such
//! keys (`testdata/odd_bits.py`), and what it would have to read. Where the modulus has one bit
//! more than whole octets, the encoding of PSS is an octet shorter than the modulus.

use crate::hazmat::Backend;
use crate::*;
use adamant_base::Error;
use adamant_hash::{Sha256, Sha512};
use adamant_testkit::{TestRng, table};

const MESSAGE: &[u8] = b"attack at dawn";
const VECTORS: &str = include_str!("../../testdata/odd_bits.txt");

fn unhex(digits: &str) -> Vec<u8> {
    let octet = |i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(octet).collect()
}

/// Calls `check` for each signature and ciphertext of each key, with name and octets.
fn each(check: &mut dyn FnMut(usize, &PrivateKey, &str, &[u8])) {
    let mut lengths = Vec::new();
    for block in VECTORS.split_terminator("\n\n") {
        let lines = block.lines().map(|line| line.split_once(" = ").unwrap());
        let (mut bits, mut key) = (0, None);
        for (name, value) in lines {
            match (name, &key) {
                ("bits", _) => bits = value.parse().unwrap(),
                ("key", _) => key = Some(PrivateKey::from_pkcs1_der(&unhex(value)).unwrap()),
                (name, Some(key)) => check(bits, key, name, &unhex(value)),
                (_, None) => panic!("{name} before a key"),
            }
        }
        lengths.push(bits);
    }
    assert_eq!(lengths, [2049, 2050, 2055, 2057, 3071, 3073]);
}

/// With one bit of each octet at either end changed, and with an octet more or less.
fn spoilt(octets: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![octets[1..].to_vec(), [&[0], octets].concat()];
    for at in [0, 1, octets.len() - 2, octets.len() - 1] {
        let mut one = octets.to_vec();
        one[at] ^= 1;
        all.push(one);
    }
    all
}

#[test]
fn what_openssl_made() {
    table!(Backend).for_each(|backend| {
        let mut rng = TestRng::new(1);
        each(&mut |bits, key, name, octets| {
            let key = key.clone().with_backend(backend);
            let public = key.public_key();
            assert_eq!((public.bits(), public.size()), (bits, bits.div_ceil(8)));
            let mut parts = name.split('_');
            let salt = parts.clone().next_back().and_then(|len| len.parse().ok());
            let verify = |signature: &[u8]| match (name, salt) {
                ("pkcs1_sha256", _) => public.verify_pkcs1::<Sha256>(MESSAGE, signature),
                (_, Some(salt)) if name.contains("sha256") => {
                    let digest = Sha256::digest(MESSAGE);
                    public.verify_pss_prehashed::<Sha256, Sha256>(&digest, Some(salt), signature)
                }
                (_, Some(salt)) => {
                    // No longer salt has room.
                    assert_eq!(salt, (bits - 1).div_ceil(8) - 64 - 2);
                    let digest = Sha512::digest(MESSAGE);
                    public.verify_pss_prehashed::<Sha512, Sha512>(&digest, Some(salt), signature)
                }
                _ => unreachable!("{name}"),
            };
            let mut open = |ciphertext: &[u8]| match name {
                "oaep_sha256" => key.decrypt_oaep::<Sha256>(ciphertext, b"label", &mut rng),
                "oaep_sha512" => key.decrypt_oaep::<Sha512>(ciphertext, b"", &mut rng),
                _ => key.decrypt_pkcs1(ciphertext, &mut rng),
            };
            match parts.next() {
                Some("pkcs1" | "pss") => {
                    assert_eq!(verify(octets), Ok(()), "{bits} {name}");
                    for wrong in spoilt(octets) {
                        assert_eq!(verify(&wrong), Err(Error::BadSignature), "{bits} {name}");
                    }
                }
                Some("oaep") => {
                    let message: &[u8] = if name == "oaep_sha256" { b"a key" } else { b"" };
                    assert_eq!(open(octets).unwrap()[..], *message, "{bits} {name}");
                    for wrong in spoilt(octets) {
                        assert!(open(&wrong).is_err(), "{bits} {name}");
                    }
                }
                _ => assert_eq!(open(octets).unwrap()[..], *b"a key", "{bits} {name}"),
            }
        });
    });
}

/// What is made here is what OpenSSL made where that is told, and verifies and opens where not.
#[test]
fn what_is_made() {
    table!(Backend).for_each(|backend| {
        let mut rng = TestRng::new(2);
        each(&mut |bits, key, name, octets| {
            if name != "pkcs1_sha256" {
                return;
            }
            let key = key.clone().with_backend(backend);
            let public = key.public_key();
            let signature = key.sign_pkcs1::<Sha256>(MESSAGE, &mut rng).unwrap();
            assert_eq!(signature, octets);
            let em_len = (bits - 1).div_ceil(8);
            let digest = Sha512::digest(MESSAGE);
            for (salt, fits) in [
                (0, true),
                (64, true),
                (em_len - 66, true),
                (em_len - 65, false),
            ] {
                let signature = key.sign_pss_prehashed::<Sha512, Sha512>(&digest, salt, &mut rng);
                let Ok(signature) = signature else {
                    assert!(!fits, "{bits} {salt}");
                    assert_eq!(signature, Err(Error::BadParameter("salt length")));
                    continue;
                };
                assert!(fits && signature.len() == public.size(), "{bits} {salt}");
                let verified =
                    public.verify_pss_prehashed::<Sha512, Sha512>(&digest, Some(salt), &signature);
                assert_eq!(verified, Ok(()), "{bits} {salt}");
            }
            let longest = public.size() - 2 * 32 - 2;
            for len in [0, 1, longest] {
                let message = rng.bytes(len);
                let sealed = public
                    .encrypt_oaep::<Sha256>(&message, b"", &mut rng)
                    .unwrap();
                let opened = key.decrypt_oaep::<Sha256>(&sealed, b"", &mut rng).unwrap();
                assert_eq!(opened[..], message, "{bits}");
            }
            let message = rng.bytes(longest + 1);
            let refused = public.encrypt_oaep::<Sha256>(&message, b"", &mut rng);
            assert!(refused.is_err());
            // Batches of keys whose halves differ in length, beside one whose do not.
            let other = super::key(backend);
            let items = [(&key, MESSAGE), (&other, MESSAGE), (&key, b"".as_slice())];
            let batch = sign_pkcs1_batch::<Sha256>(&items, &mut rng).unwrap();
            assert_eq!(batch[0], octets);
            let batch = sign_pss_batch::<Sha256>(&items, &mut rng).unwrap();
            let signed: Vec<_> = items
                .iter()
                .zip(&batch)
                .map(|((key, message), signature)| (key.public(), *message, &signature[..]))
                .collect();
            assert_eq!(verify_pss_batch::<Sha256>(&signed), [Ok(()); 3]);
            let again = PrivateKey::from_pkcs1_der(&key.to_pkcs1_der()).unwrap();
            assert_eq!(again.public_key(), public);
        });
    });
}
