use super::*;
use adamant_ec::{p256, p384, x25519};
use adamant_pq::{ml_kem_768, ml_kem_1024};
use adamant_testkit::{BrokenRng, TestRng, suites};

#[test]
fn x25519mlkem768_is_its_halves() {
    use x25519mlkem768::{CIPHERTEXT_LEN, DecapsulationKey, EncapsulationKey};
    let mut rng = TestRng::new(7);
    let classic = x25519::PrivateKey::generate(&mut rng).unwrap();
    let lattice = ml_kem_768::DecapsulationKey::generate(&mut rng).unwrap();
    let key = DecapsulationKey::from_halves(classic.clone(), lattice.clone());
    // ML-KEM first, in all three.
    let share = key.encapsulation_key().to_bytes();
    assert_eq!(share[..1184], lattice.encapsulation_key().to_bytes());
    assert_eq!(share[1184..], classic.public_key().to_bytes());
    let public = EncapsulationKey::from_bytes(&share).unwrap();
    let (ciphertext, secret) = public.encapsulate(&mut rng).unwrap();
    assert_eq!((ciphertext.len(), CIPHERTEXT_LEN), (1120, 1120));
    let (c, point) = ciphertext.split_first_chunk::<1088>().unwrap();
    let peer = x25519::PublicKey::try_from(point).unwrap();
    assert_eq!(secret.as_ref()[..32], *lattice.decapsulate(c).as_ref());
    assert_eq!(secret.as_ref()[32..], *classic.agree(&peer).unwrap());
    assert_eq!(
        key.decapsulate(&ciphertext).unwrap().as_ref(),
        secret.as_ref()
    );
    let encoded = [&lattice.seed().unwrap()[..], &classic.to_bytes()[..]].concat();
    assert_eq!(key.to_bytes().unwrap()[..], encoded);
    let again = DecapsulationKey::try_from(&encoded[..]).unwrap();
    assert_eq!(again.encapsulation_key(), public);
}

/// One that gives no secret is told apart in a batch, as alone.
#[test]
fn a_weak_share_in_a_batch() {
    use x25519mlkem768::{DecapsulationKey, EncapsulationKey, encapsulate_batch};
    let mut rng = TestRng::new(11);
    let good = DecapsulationKey::generate(&mut rng).unwrap();
    let good = good.encapsulation_key();
    let mut share = good.to_bytes();
    share[1184..].fill(0);
    let weak = EncapsulationKey::from_bytes(&share).unwrap();
    let sent = encapsulate_batch(&[&good, &weak, &good], &mut rng);
    let errors: Vec<_> = sent.iter().map(|sent| sent.as_ref().err()).collect();
    assert_eq!(errors, [None, Some(&Error::WeakSharedSecret), None]);
    let sent = encapsulate_batch(&[&good; 9], &mut BrokenRng);
    assert!(
        sent.iter()
            .all(|sent| sent.as_ref().err() == Some(&Error::NoEntropy))
    );
}

macro_rules! curve_first {
    ($($test:ident $module:ident: $curve:ident $point:literal, $lattice:ident, $secret:literal;)*) => { $(
        /// The curve first, in all three.
        #[test]
        fn $test() {
            use $module::{CIPHERTEXT_LEN, DecapsulationKey, EncapsulationKey};
            let mut rng = TestRng::new(8);
            let classic = $curve::PrivateKey::generate(&mut rng).unwrap();
            let lattice = $lattice::DecapsulationKey::generate(&mut rng).unwrap();
            let key = DecapsulationKey::from_halves(classic.clone(), lattice.clone());
            let share = key.encapsulation_key().to_bytes();
            assert_eq!(share[..$point], classic.public_key().to_sec1());
            assert_eq!(share[$point..], lattice.encapsulation_key().to_bytes());
            let public = EncapsulationKey::from_bytes(&share).unwrap();
            let (ciphertext, secret) = public.encapsulate(&mut rng).unwrap();
            assert_eq!(CIPHERTEXT_LEN, $point + $lattice::CIPHERTEXT_LEN);
            let (point, c) = ciphertext.split_at($point);
            let peer = $curve::PublicKey::from_sec1(point).unwrap();
            let c = c.try_into().unwrap();
            let (agreed, encapsulated) = secret.as_ref().split_at($secret);
            assert_eq!(*agreed, *classic.agree(&peer).unwrap());
            assert_eq!(*encapsulated, *lattice.decapsulate(c).as_ref());
            assert_eq!(
                key.decapsulate(&ciphertext).unwrap().as_ref(),
                secret.as_ref()
            );
            // Halves of a key travel in the same order.
            let seed = lattice.seed().unwrap();
            let encoded = [&classic.to_bytes()[..], &seed[..]].concat();
            let again = DecapsulationKey::try_from(&encoded[..]).unwrap();
            assert_eq!(again.encapsulation_key(), public);
            assert_eq!(key.to_bytes().unwrap()[..], encoded);
            assert_eq!(again.to_bytes().unwrap()[..], encoded);
            // A key without its seed has no such bytes.
            let expanded = $lattice::DecapsulationKey::from_bytes(&lattice.to_bytes()).unwrap();
            assert!(DecapsulationKey::from_halves(classic.clone(), expanded).to_bytes().is_none());
            // The compressed form of the point is not what travels.
            let compressed = classic.public_key().to_sec1_compressed();
            let compressed = [&compressed[..], &share[$point..]].concat();
            assert_eq!(
                EncapsulationKey::try_from(&compressed[..]).err(),
                Some(Error::BadLength {
                    expected: share.len(),
                    actual: compressed.len(),
                })
            );
        }
    )* };
}

curve_first! {
    secp256r1mlkem768_is_its_halves secp256r1mlkem768: p256 65, ml_kem_768, 32;
    secp384r1mlkem1024_is_its_halves secp384r1mlkem1024: p384 97, ml_kem_1024, 48;
}

#[test]
fn lengths_and_code_points_of_the_draft() {
    use {secp256r1mlkem768 as p256, secp384r1mlkem1024 as p384, x25519mlkem768 as x25519};
    let code_points = [x25519::CODE_POINT, p256::CODE_POINT, p384::CODE_POINT];
    assert_eq!(code_points, [4588, 4587, 4589]);
    let client = [
        x25519::ENCAPSULATION_KEY_LEN,
        p256::ENCAPSULATION_KEY_LEN,
        p384::ENCAPSULATION_KEY_LEN,
    ];
    assert_eq!(client, [1216, 1249, 1665]);
    let server = [
        x25519::CIPHERTEXT_LEN,
        p256::CIPHERTEXT_LEN,
        p384::CIPHERTEXT_LEN,
    ];
    assert_eq!(server, [1120, 1153, 1665]);
    let secrets = [
        x25519::SHARED_SECRET_LEN,
        p256::SHARED_SECRET_LEN,
        p384::SHARED_SECRET_LEN,
    ];
    assert_eq!(secrets, [64, 64, 80]);
}

#[test]
fn what_is_no_share_is_refused() {
    use x25519mlkem768::{CIPHERTEXT_LEN, DecapsulationKey, EncapsulationKey, Hybrid};
    let mut rng = TestRng::new(9);
    let key = DecapsulationKey::generate(&mut rng).unwrap();
    let mut share = key.encapsulation_key().to_bytes();
    for len in [0, 1, 1184, 1215] {
        let length = |expected| {
            let actual = len;
            Some(Error::BadLength { expected, actual })
        };
        let refused = EncapsulationKey::try_from(&share[..len]).err();
        assert_eq!(refused, length(share.len()));
        let refused = Hybrid::ciphertext(&share[..len]).err();
        assert_eq!(refused, length(CIPHERTEXT_LEN));
    }
    // A point of small order, on either side.
    share[1184..].fill(0);
    let weak = EncapsulationKey::from_bytes(&share).unwrap();
    let refused = weak.encapsulate(&mut rng).err();
    assert_eq!(refused, Some(Error::WeakSharedSecret));
    let mut ciphertext = key.encapsulation_key().encapsulate(&mut rng).unwrap().0;
    ciphertext[1088..].fill(0);
    let refused = key.decapsulate(&ciphertext).err();
    assert_eq!(refused, Some(Error::WeakSharedSecret));
    // A coefficient that is not below q.
    share[..2].fill(0xff);
    let refused = EncapsulationKey::from_bytes(&share).err();
    assert_eq!(refused, Some(Error::BadPublicKey));
}

macro_rules! batches {
    ($($test:ident $module:ident)*) => { $(
        #[test]
        fn $test() {
            use $module::*;
            let mut rng = TestRng::new(10);
            for count in [0, 1, 7, 8, 9, 17] {
                let keys = generate_batch(count, &mut rng).unwrap();
                let public: Vec<_> = keys.iter().map(|key| key.encapsulation_key()).collect();
                let public: Vec<_> = public.iter().collect();
                let sent = encapsulate_batch(&public, &mut rng);
                let mut sent: Vec<_> = sent.into_iter().map(Result::unwrap).collect();
                // One that is not to be opened does not disturb the others.
                if let Some((c, _)) = sent.get_mut(3) {
                    *c = [0; CIPHERTEXT_LEN];
                }
                let items: Vec<_> = keys.iter().zip(&sent).map(|(key, (c, _))| (key, c)).collect();
                let opened = decapsulate_batch(&items);
                for (i, (opened, (c, secret))) in opened.into_iter().zip(&sent).enumerate() {
                    let single = keys[i].decapsulate(c);
                    if i == 3 {
                        assert_eq!(opened.err(), single.err());
                    } else {
                        let opened = opened.unwrap();
                        assert_eq!(opened.as_ref(), secret.as_ref());
                        assert_eq!(opened.as_ref(), single.unwrap().as_ref());
                    }
                }
                let mut short = vec![Err(Error::BadSignature); count + 1];
                assert!(decapsulate_batch_into(&items, &mut short).is_err());
            }
        }
    )* };
}

batches! {
    x25519mlkem768_in_batches x25519mlkem768
    secp256r1mlkem768_in_batches secp256r1mlkem768
    secp384r1mlkem1024_in_batches secp384r1mlkem1024
}

#[test]
fn batches_are_single_calls() {
    fn check<K: Kem>() {
        suites::batches::kems::<K>(|_, rng| K::generate(rng).unwrap(), &[0, 1, 2, 9]);
    }
    check::<x25519mlkem768::Hybrid>();
    check::<secp256r1mlkem768::Hybrid>();
    check::<secp384r1mlkem1024::Hybrid>();
}
