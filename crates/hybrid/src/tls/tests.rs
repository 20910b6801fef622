use super::*;
use adamant_ec::{p256, x25519};
use adamant_pq::ml_kem_768;
use adamant_testkit::TestRng;

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
    let (secret, ciphertext) = public.encapsulate(&mut rng).unwrap();
    assert_eq!((ciphertext.len(), CIPHERTEXT_LEN), (1120, 1120));
    let (c, point) = ciphertext.split_first_chunk::<1088>().unwrap();
    let peer = x25519::PublicKey::from_bytes(point).unwrap();
    assert_eq!(secret.as_ref()[..32], *lattice.decapsulate(c).as_ref());
    assert_eq!(secret.as_ref()[32..], *classic.agree(&peer).unwrap());
    assert_eq!(
        key.decapsulate(&ciphertext).unwrap().as_ref(),
        secret.as_ref()
    );
}

#[test]
fn secp256r1mlkem768_is_its_halves() {
    use secp256r1mlkem768::{DecapsulationKey, EncapsulationKey};
    let mut rng = TestRng::new(8);
    let classic = p256::PrivateKey::generate(&mut rng).unwrap();
    let lattice = ml_kem_768::DecapsulationKey::generate(&mut rng).unwrap();
    let key = DecapsulationKey::from_halves(classic.clone(), lattice.clone());
    // The curve first, in all three.
    let share = key.encapsulation_key().to_bytes();
    assert_eq!(share[..65], classic.public_key().to_sec1());
    assert_eq!(share[65..], lattice.encapsulation_key().to_bytes());
    let public = EncapsulationKey::from_bytes(&share).unwrap();
    let (secret, ciphertext) = public.encapsulate(&mut rng).unwrap();
    let (point, c) = ciphertext.split_at(65);
    let peer = p256::PublicKey::from_sec1(point).unwrap();
    let c = c.try_into().unwrap();
    assert_eq!(secret.as_ref()[..32], *classic.agree(&peer).unwrap());
    assert_eq!(secret.as_ref()[32..], *lattice.decapsulate(c).as_ref());
    assert_eq!(
        key.decapsulate(&ciphertext).unwrap().as_ref(),
        secret.as_ref()
    );
    // The compressed form of the point is not what travels.
    let compressed = [&classic.public_key().to_sec1_compressed()[..], &share[65..]].concat();
    assert_eq!(
        EncapsulationKey::from_bytes(&compressed).err(),
        Some(Error::BadPublicKey)
    );
}

#[test]
fn what_is_no_share_is_refused() {
    use x25519mlkem768::{CIPHERTEXT_LEN, DecapsulationKey, EncapsulationKey};
    let mut rng = TestRng::new(9);
    let key = DecapsulationKey::generate(&mut rng).unwrap();
    let mut share = key.encapsulation_key().to_bytes();
    for len in [0, 1, 1184, 1215] {
        let refused = EncapsulationKey::from_bytes(&share[..len]).err();
        assert_eq!(refused, Some(Error::BadPublicKey));
        let refused = key.decapsulate(&share[..len]).err();
        let expected = CIPHERTEXT_LEN;
        assert_eq!(
            refused,
            Some(Error::BadLength {
                expected,
                actual: len
            })
        );
    }
    // A point of small order, on either side.
    share[1184..].fill(0);
    let weak = EncapsulationKey::from_bytes(&share).unwrap();
    let refused = weak.encapsulate(&mut rng).err();
    assert_eq!(refused, Some(Error::WeakSharedSecret));
    let mut ciphertext = key.encapsulation_key().encapsulate(&mut rng).unwrap().1;
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
                let keys = keygen_batch(count, &mut rng).unwrap();
                let public: Vec<_> = keys.iter().map(|key| key.encapsulation_key()).collect();
                let mut places = vec![Err(Error::BadSignature); count];
                let public: Vec<_> = public.iter().collect();
                encapsulate_batch(&public, &mut rng, &mut places).unwrap();
                let mut sent: Vec<_> = places.into_iter().map(Result::unwrap).collect();
                // One that is not to be opened does not disturb the others.
                if let Some((_, c)) = sent.get_mut(3) {
                    *c = [0; CIPHERTEXT_LEN];
                }
                let items: Vec<_> = keys.iter().zip(&sent).map(|(key, (_, c))| (key, c)).collect();
                let mut opened = vec![Err(Error::BadSignature); count];
                decapsulate_batch(&items, &mut opened).unwrap();
                for (i, (opened, (secret, c))) in opened.into_iter().zip(&sent).enumerate() {
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
                assert!(decapsulate_batch(&items, &mut short).is_err());
            }
        }
    )* };
}

batches! { x25519mlkem768_in_batches x25519mlkem768 secp256r1mlkem768_in_batches secp256r1mlkem768 }
