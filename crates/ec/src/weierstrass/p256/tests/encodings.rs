//! What keys and signatures are refused, and the forms of those that are not.

use crate::p256::{PrivateKey, PublicKey, Signature};
use adamant_base::{Error, Rng};
use adamant_testkit::TestRng;
use hex_literal::hex;

const P: [u8; 32] = hex!("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
const N: [u8; 32] = hex!("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");

/// `bytes` as a number plus `by`, which stays within the last byte.
fn plus(mut bytes: [u8; 32], by: i8) -> [u8; 32] {
    bytes[31] = bytes[31].checked_add_signed(by).unwrap();
    bytes
}

#[test]
fn private_keys() {
    for good in [plus([0; 32], 1), plus(N, -1)] {
        assert_eq!(*PrivateKey::from_bytes(&good).unwrap().to_bytes(), good);
    }
    for bad in [[0; 32], N, plus(N, 1), [0xff; 32]] {
        let error = PrivateKey::from_bytes(&bad).err();
        assert_eq!(error, Some(Error::BadPrivateKey), "{bad:x?}");
    }
    for len in (0..70).filter(|&len| len != 32) {
        assert!(
            PrivateKey::try_from(&vec![1; len][..]).is_err(),
            "{len} bytes"
        );
    }
}

#[test]
fn generation_passes_over_what_is_out_of_range_and_gives_up_on_nonsense() {
    struct Bytes(Vec<[u8; 32]>);
    impl Rng for Bytes {
        fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
            let next = if self.0.len() > 1 {
                self.0.remove(0)
            } else {
                self.0[0]
            };
            out.copy_from_slice(&next);
            Ok(())
        }
    }
    let key = PrivateKey::generate(&mut Bytes(vec![[0; 32], N, [7; 32]])).unwrap();
    assert_eq!(*key.to_bytes(), [7; 32]);
    for broken in [[0; 32], [0xff; 32]] {
        let error = PrivateKey::generate(&mut Bytes(vec![broken])).err();
        assert_eq!(error, Some(Error::NoEntropy));
    }
}

#[test]
fn public_keys() {
    let mut rng = TestRng::new(11);
    for _ in 0..20 {
        let key = PrivateKey::generate(&mut rng).unwrap().public_key();
        assert_eq!(PublicKey::from_sec1(&key.to_sec1()), Ok(key));
        assert_eq!(PublicKey::from_sec1(&key.to_sec1_compressed()), Ok(key));
        let mut other = key.to_sec1_compressed();
        other[0] ^= 1;
        let other = PublicKey::from_sec1(&other).unwrap();
        assert_eq!(other.to_sec1()[..33], key.to_sec1()[..33]);
        assert_ne!(other, key);
    }
    let key = PrivateKey::from_bytes(&[7; 32]).unwrap().public_key();
    let good = key.to_sec1();
    let refused = |bytes: &[u8], why: &str| {
        let result = PublicKey::from_sec1(bytes);
        assert_eq!(result, Err(Error::BadPublicKey), "{why}");
    };
    refused(&[0], "the point at infinity");
    for byte in 1..65 {
        let mut changed = good;
        changed[byte] ^= 1 << (byte % 8);
        refused(&changed, "not on the curve");
    }
    for form in [0, 1, 2, 3, 5, 6, 7, 0x84] {
        let mut changed = good;
        changed[0] = form;
        refused(&changed, "another form with 65 bytes");
        let mut changed = key.to_sec1_compressed();
        changed[0] = if form == 2 || form == 3 { 4 } else { form };
        refused(&changed, "another form with 33 bytes");
    }
    for len in 0..65 {
        refused(&good[..len], "cut");
    }
    refused(&[&good[..], &[0]].concat(), "longer");
    refused(&key.to_sec1_compressed()[..32], "cut");

    // The point with x = 0 exists; with x = p the same point is written in a second way.
    let zero = PublicKey::from_sec1(&[2; 1].into_iter().chain([0; 32]).collect::<Vec<_>>());
    let y: [u8; 32] = zero.unwrap().to_sec1()[33..].try_into().unwrap();
    refused(&[&[4], &P[..], &y].concat(), "x = p");
    refused(&[&[2], &P[..]].concat(), "x = p");
    refused(&[&[2], &[0xff; 32][..]].concat(), "x above p");
    refused(&[&[4], &good[1..33], &P].concat(), "y = p");
    // x^3 - 3 x + b is not a square for one of these.
    let bad = (1..20).filter(|&x| {
        let bytes: Vec<u8> = [&[2], &plus([0; 32], x)[..]].concat();
        PublicKey::from_sec1(&bytes).is_err()
    });
    assert!((5..15).contains(&bad.count()));
}

#[test]
fn public_keys_print_as_their_encoding() {
    let key = PrivateKey::from_bytes(&plus([0; 32], 1))
        .unwrap()
        .public_key();
    assert!(format!("{key:?}").starts_with("p256::PublicKey(036b17d1f2"));
}

#[test]
fn signatures_in_fixed_width() {
    let one = plus([0; 32], 1);
    for (r, s) in [(one, one), (plus(N, -1), one), (one, plus(N, -1))] {
        let bytes = [r, s].concat();
        let signature = Signature::try_from(&bytes[..]).unwrap();
        assert_eq!(signature.to_bytes()[..], bytes);
    }
    for bad in [[0; 32], N, plus(N, 1), P, [0xff; 32]] {
        for bytes in [[bad, one].concat(), [one, bad].concat()] {
            let refused = Signature::try_from(&bytes[..]);
            assert_eq!(refused, Err(Error::BadSignature));
        }
    }
    for len in (0..130).filter(|&len| len != 64) {
        assert!(
            Signature::try_from(&vec![1; len][..]).is_err(),
            "{len} bytes"
        );
    }
}

#[test]
fn signatures_in_der() {
    let mut rng = TestRng::new(12);
    // r and s of every length.
    for len in 1..=32 {
        let mut bytes = [0; 64];
        for half in [32, 64] {
            rng.fill(&mut bytes[half - len..half]).unwrap();
            bytes[half - len] = if len % 2 == 0 { 0x80 } else { 0x7f };
        }
        let signature = Signature::from_bytes(&bytes).unwrap();
        let der = signature.to_der();
        let der = der.as_ref();
        assert_eq!(Signature::from_der(der), Ok(signature), "{der:x?}");
        for cut in 0..der.len() {
            assert!(Signature::from_der(&der[..cut]).is_err(), "cut");
        }
        assert!(
            Signature::from_der(&[der, &[0]].concat()).is_err(),
            "longer"
        );
    }
    for good in [
        &hex!("30 06 020101 020102")[..],
        &hex!("30 07 020101 02020080"),
    ] {
        assert_eq!(Signature::from_der(good).unwrap().to_der().as_ref(), good);
    }
    for (bad, why) in [
        (&hex!("30 80 020101 020101 0000")[..], "indefinite length"),
        (
            &hex!("30 8106 020101 020101"),
            "long form of a short length",
        ),
        (&hex!("31 06 020101 020101"), "a set"),
        (&hex!("30 06 030101 020101"), "not an integer"),
        (&hex!("30 03 020101"), "one integer"),
        (&hex!("30 09 020101 020101 020101"), "three integers"),
        (&hex!("30 08 020101 020101 0500"), "more inside"),
        (&hex!("30 06 020101 020101 00"), "more after it"),
        (&hex!("30 07 020101 020101"), "length too large"),
        (&hex!("30 05 020101 020101"), "length too small"),
        (&hex!("30 05 0200 020101"), "an empty integer"),
        (&hex!("30 06 020100 020101"), "zero"),
        (&hex!("30 06 020181 020101"), "negative"),
        (&hex!("30 07 02020001 020101"), "a needless zero"),
        (&hex!("30 07 0202ff80 020101"), "a needless sign"),
        (&hex!("30 07 02810101 020101"), "long form inside"),
    ] {
        assert_eq!(Signature::from_der(bad), Err(Error::BadSignature), "{why}");
    }
    // Out of range, and too long for it.
    for r in [
        &[&[0], &N[..]].concat()[..],
        &[1; 33],
        &[&[0], &[0x80; 33][..]].concat(),
        &[1; 60],
    ] {
        let len = r.len() as u8;
        let der = [&[0x30, len + 5, 2, len][..], r, &[2, 1, 1]].concat();
        assert_eq!(Signature::from_der(&der), Err(Error::BadSignature));
    }
}
