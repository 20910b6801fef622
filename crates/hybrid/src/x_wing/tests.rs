use super::*;
use adamant_hash::Sha256;
use adamant_testkit::{TestRng, suites};
use hex_literal::hex;

/// The test vectors of the draft: seed, encapsulation seed, SHA-256 of the encapsulation key and
/// of the ciphertext, shared secret.
const VECTORS: [([u8; 32], [u8; 64], [u8; 32], [u8; 32], [u8; 32]); 3] = [
    (
        hex!("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"),
        hex!(
            "3cb1eea988004b93103cfb0aeefd2a686e01fa4a58e8a3639ca8a1e3f9ae57e2"
            "35b8cc873c23dc62b8d260169afa2f75ab916a58d974918835d25e6a435085b2"
        ),
        hex!("2e816deebcd76c5c80d0cd2d174478871658e8e2ff42bc9d4a6e486372e856bb"),
        hex!("17cd532d657e44c897ca6583e548a5424fc70bf54f99515a4d2bcf99e3469f33"),
        hex!("d2df0522128f09dd8e2c92b1e905c793d8f57a54c3da25861f10bf4ca613e384"),
    ),
    (
        hex!("badfd6dfaac359a5efbb7bcc4b59d538df9a04302e10c8bc1cbf1a0b3a5120ea"),
        hex!(
            "17cda7cfad765f5623474d368ccca8af0007cd9f5e4c849f167a580b14aabdef"
            "aee7eef47cb0fca9767be1fda69419dfb927e9df07348b196691abaeb580b32d"
        ),
        hex!("c42ba5f8430d7d2c83739338203819f090e8303ce9c8b02107c272bfa5376916"),
        hex!("1661ea86d608a1924ba30840cb0a65f13ae051e3aec9cf0f064efc0bc92f2154"),
        hex!("f2e86241c64d60f6649fbc6c5b7d17180b780a3f34355e64a85749949c45f150"),
    ),
    (
        hex!("ef58538b8d23f87732ea63b02b4fa0f4873360e2841928cd60dd4cee8cc0d4c9"),
        hex!(
            "22a96188d032675c8ac850933c7aff1533b94c834adbb69c6115bad4692d8619"
            "f90b0cdf8a7b9c264029ac185b70b83f2801f2f4b3f70c593ea3aeeb613a7f1b"
        ),
        hex!("6b080d6b84f095342092fa7a22423e58bd681397ad0ef00eac92bd254db4fa95"),
        hex!("d3ca5578500344b5896cffc4fd740c9311946b82951df155e6fd86a7966b43c6"),
        hex!("953f7f4e8c5b5049bdc771d1dffada0dd961477d1a2ae0988baa7ea6898d893f"),
    ),
];

#[test]
fn vectors_of_the_draft() {
    for (seed, encapsulation_seed, public, ciphertext, secret) in VECTORS {
        let key = DecapsulationKey::from_seed(&seed);
        let encoded = key.encapsulation_key().to_bytes();
        assert_eq!(Sha256::digest(&encoded), public);
        let (c, shared) = EncapsulationKey::from_bytes(&encoded)
            .unwrap()
            .encapsulate_deterministic(&encapsulation_seed);
        assert_eq!(Sha256::digest(&c), ciphertext);
        assert_eq!(*shared.as_bytes(), secret);
        assert_eq!(*key.decapsulate(&c).as_bytes(), secret);
    }
}

#[test]
fn what_was_tampered_with_gives_another_secret() {
    let mut rng = TestRng::new(3);
    let key = DecapsulationKey::generate(&mut rng).unwrap();
    let (c, secret) = key.encapsulation_key().encapsulate(&mut rng).unwrap();
    for at in [0, 1087, 1088, 1119] {
        let mut wrong = c;
        wrong[at] ^= 1;
        assert_ne!(key.decapsulate(&wrong).as_bytes(), secret.as_bytes());
    }
    // Keys of small order are not told apart.
    let mut weak = c;
    weak[1088..].fill(0);
    assert_ne!(key.decapsulate(&weak).as_bytes(), secret.as_bytes());
}

#[test]
fn lengths_are_checked() {
    let key = DecapsulationKey::from_seed(&[1; 32]);
    let bytes = key.encapsulation_key().to_bytes();
    assert!(EncapsulationKey::try_from(&bytes[1..]).is_err());
    assert!(EncapsulationKey::try_from(&[&bytes[..], &[0]].concat()[..]).is_err());
    assert!(XWing::ciphertext(&[0; CIPHERTEXT_LEN - 1]).is_err());
    let read = DecapsulationKey::try_from(&key.to_bytes()[..]).unwrap();
    assert_eq!(*read.seed(), [1; 32]);
    for len in [0, 31, 33] {
        let refused = DecapsulationKey::try_from(&vec![1; len][..]).err();
        let (expected, actual) = (DECAPSULATION_KEY_LEN, len);
        assert_eq!(refused, Some(Error::BadLength { expected, actual }));
    }
}

#[test]
fn batches_are_the_single_calls() {
    let mut rng = TestRng::new(4);
    for count in [0, 1, 8, 13] {
        let keys = generate_batch(count, &mut rng).unwrap();
        let public: Vec<_> = keys.iter().map(|key| key.encapsulation_key()).collect();
        let public: Vec<_> = public.iter().collect();
        let sent = encapsulate_batch(&public, &mut rng).into_iter();
        let sent: Vec<_> = sent.map(Result::unwrap).collect();
        let items: Vec<_> = keys
            .iter()
            .zip(&sent)
            .map(|(key, (c, _))| (key, c))
            .collect();
        let opened = decapsulate_batch(&items);
        for ((key, (c, secret)), opened) in keys.iter().zip(&sent).zip(&opened) {
            assert_eq!(opened.as_bytes(), secret.as_bytes());
            assert_eq!(key.decapsulate(c).as_bytes(), secret.as_bytes());
        }
        let places = &mut vec![SharedSecret::zero(); count + 1];
        assert!(decapsulate_batch_into(&items, places).is_err());
    }
}

#[test]
fn batches_are_single_calls() {
    let key = |_, rng: &mut TestRng| XWing::generate(rng).unwrap();
    suites::batches::kems::<XWing>(key, suites::batches::COUNTS);
}

#[test]
fn behaves_as_a_kem() {
    suites::kem::check::<XWing>();
}
