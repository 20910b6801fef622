//! What keys and signatures are refused, and the forms of those that are not.

use crate::weierstrass::curve::{Curve, Derived};
use crate::weierstrass::{
    PrivateKey, PublicKey, Signature, agree_batch_into, generate_batch, sign_batch_into,
    verify_batch_into, words,
};
use adamant_base::Error;
use adamant_base::family::{Hash, KeyAgreement};
use adamant_testkit::{BrokenRng, TestRng};

fn bytes<const W: usize>(x: &[u64; W], len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    words::to_be_bytes(x, &mut bytes);
    bytes
}

/// Offers 0, n and n + 1, which are no nonces, and then n - 1.
fn offered<C: Curve<W>, const W: usize>(
    _: &[u8],
    _: &[u8],
    _: &[u8],
    place: &mut [u8],
    accepts: &dyn Fn(&[u8]) -> bool,
) {
    let one = words::one();
    let [below, above] = [words::sub(&C::N, &one).0, words::add(&C::N, &one).0];
    for (nonce, good) in [
        ([0; W], false),
        (C::N, false),
        (above, false),
        (below, true),
    ] {
        // The leftmost bits count.
        let candidate = (0..C::SPARE_BITS).fold(nonce, |k, _| words::add(&k, &k).0);
        words::to_be_bytes(&candidate, place);
        assert_eq!(accepts(place), good);
    }
}

pub(super) fn check<C: Curve<W>, const W: usize>() {
    let len = C::LEN;
    let one = words::one();
    let private = |x: &[u64; W]| PrivateKey::<C, W>::try_from(&bytes(x, len)[..]);
    let n_less_1 = words::sub(&C::N, &one).0;
    for bad in [[0; W], C::N, words::add(&C::N, &one).0] {
        assert_eq!(private(&bad).err(), Some(Error::BadPrivateKey));
    }
    assert!(PrivateKey::<C, W>::try_from(&vec![1; len - 1][..]).is_err());
    assert!(PrivateKey::<C, W>::try_from(&vec![0xff; len][..]).is_err());
    for good in [one, n_less_1] {
        let key = private(&good).unwrap();
        assert_eq!((*key.to_bytes()).as_ref(), bytes(&good, len));
        assert_eq!(key.public_key().point[0], C::G[0], "±G");
    }

    let mut keys = generate_batch::<C, W>(65, &mut TestRng::new(3)).unwrap();
    assert_eq!(keys.len(), 65);
    keys.truncate(9);
    let [mut mixed, mut negated] = [keys[0].clone(), keys[0].clone()];
    mixed.public = keys[1].public;
    negated.public.point[1] = words::sub(&C::P, &negated.public.point[1]).0;
    for wrong in [mixed, negated] {
        assert_eq!(wrong.check_pair(), Err(Error::BadPrivateKey));
        assert_eq!(KeyAgreement::check_pair(&wrong), Err(Error::BadPrivateKey));
    }
    let mut rng = TestRng::new(3);
    for key in &keys {
        let single = PrivateKey::<C, W>::generate(&mut rng).unwrap();
        assert!(*single.to_bytes() == *key.to_bytes());
        let public = key.public_key();
        let (full, short) = (public.to_sec1(), public.to_sec1_compressed());
        assert_eq!(PublicKey::from_sec1(full.as_ref()), Ok(public));
        assert_eq!(PublicKey::from_sec1(short.as_ref()), Ok(public));
        let mut other = short.as_ref().to_vec();
        other[0] ^= 1;
        let other = PublicKey::<C, W>::from_sec1(&other).unwrap();
        assert!(other != public && other.point[0] == public.point[0]);
        let refused = |encoding: &[u8]| {
            let result = PublicKey::<C, W>::from_sec1(encoding);
            assert_eq!(result, Err(Error::BadPublicKey), "{encoding:x?}");
        };
        for byte in (0..=2 * len).step_by(7) {
            let mut changed = full.as_ref().to_vec();
            changed[byte] ^= 1;
            refused(&changed);
        }
        refused(&full.as_ref()[..2 * len]);
        refused(&[full.as_ref(), &[0]].concat());
        refused(&short.as_ref()[..len]);
        refused(&[0]);
        refused(&[&[2], &bytes(&C::P, len)[..]].concat());
        refused(&[&[4], &bytes(&C::P, len)[..], &full.as_ref()[1 + len..]].concat());
    }

    let items: Vec<_> = keys.iter().map(|key| (key, &b"message"[..])).collect();
    let mut signatures = vec![keys[0].sign(b""); keys.len()];
    sign_batch_into(&items, &mut signatures).unwrap();
    let short = sign_batch_into(&items[1..], &mut signatures.clone());
    assert!(short.is_err());
    for (signature, key) in signatures.iter().zip(&keys) {
        assert_eq!(*signature, key.sign(b"message"));
        assert_eq!(Signature::try_from(signature.as_ref()), Ok(*signature));
        let der = signature.to_der();
        let der = der.as_ref();
        assert_eq!(Signature::from_der(der), Ok(*signature));
        for cut in 0..der.len() {
            assert!(Signature::<C, W>::from_der(&der[..cut]).is_err());
        }
        assert!(Signature::<C, W>::from_der(&[der, &[0]].concat()).is_err());
        let low = signature.normalize_s();
        assert!(low.has_low_s() && (!C::LOW_S || low == *signature));
        assert_eq!(key.public_key().verify(b"message", &low), Ok(()));
        let (r, s) = low.integers();
        let high = Signature::<C, W>::from_integers(&r, &words::sub(&C::N, &s).0);
        assert!(!high.has_low_s() && high.normalize_s() == low);
        assert_eq!(key.public_key().verify(b"message", &high), Ok(()));
        let mut same = rng.clone();
        let hedged = key.sign_hedged(b"message", &mut rng).unwrap();
        assert_ne!(hedged, *signature);
        let digest = C::Hash::digest(b"message");
        let prehashed = key.sign_hedged_prehashed(digest.as_ref(), &mut same);
        assert_eq!(prehashed, Ok(hedged));
        let broken = key.sign_hedged_prehashed(digest.as_ref(), &mut BrokenRng);
        assert_eq!(broken, Err(Error::NoEntropy));
        assert_eq!(key.public_key().verify(b"message", &hedged), Ok(()));
    }
    for (r, s) in [([0; W], one), (one, [0; W]), (C::N, one), (one, C::N)] {
        let both = [bytes(&r, len), bytes(&s, len)].concat();
        let result = Signature::<C, W>::try_from(&both[..]);
        assert_eq!(result, Err(Error::BadSignature));
    }
    signatures.swap(2, 3);
    let publics: Vec<_> = keys.iter().map(PrivateKey::public_key).collect();
    let checks: Vec<_> = (publics.iter().zip(&signatures))
        .map(|(key, signature)| (key, &b"message"[..], signature))
        .collect();
    let mut verdicts = vec![Ok(()); checks.len()];
    verify_batch_into(&checks, &mut verdicts).unwrap();
    assert!(verify_batch_into(&checks[1..], &mut verdicts.clone()).is_err());
    for (i, verdict) in verdicts.iter().enumerate() {
        assert_eq!(verdict.is_ok(), i != 2 && i != 3, "{i}");
    }
    let pairs: Vec<_> = keys.iter().zip(publics.iter().rev()).collect();
    let mut secrets: Vec<_> = pairs.iter().map(|_| Err(Error::NoEntropy)).collect();
    agree_batch_into(&pairs, &mut secrets).unwrap();
    for (secret, (key, peer)) in secrets.iter().zip(&pairs) {
        assert!(**secret.as_ref().unwrap() == *key.agree(peer).unwrap());
    }

    // Integers of every length, and lengths of another form from 128 octets on.
    for octets in 1..len {
        let mut both = vec![0; 2 * len];
        (both[len - octets], both[2 * len - octets]) = (0x40, 0x40);
        let signature = Signature::<C, W>::try_from(&both[..]).unwrap();
        let (der, length) = (signature.to_der(), 2 * (2 + octets) as u8);
        let start: &[u8] = if length < 128 {
            &[0x30, length]
        } else {
            &[0x30, 0x81, length]
        };
        assert!(der.as_ref().starts_with(start), "{octets}");
        assert_eq!(Signature::from_der(der.as_ref()), Ok(signature));
    }
    let signature = keys[0].sign_prehashed_by(&[7; 20], offered::<C, W>);
    assert_eq!(signature.integers().0, C::NUMBERS.order.reduce(&C::G[0]));
    assert_eq!(publics[0].verify_prehashed(&[7; 20], &signature), Ok(()));

    // Digests of every length: as many bits count as n has, from the left.
    for digest_len in 0..2 * len {
        let digest: Vec<u8> = (0..digest_len).map(|i| 0xff - i as u8).collect();
        let signature = keys[0].sign_prehashed(&digest);
        assert_eq!(publics[0].verify_prehashed(&digest, &signature), Ok(()));
        let mut same = digest.clone();
        same.truncate(len);
        if C::SPARE_BITS == 0 {
            while same.len() < len {
                same.insert(0, 0);
            }
        }
        assert_eq!(publics[0].verify_prehashed(&same, &signature), Ok(()));
        if let Some(last) = same.last_mut() {
            // The lowest bit does not count where the digest is longer than n.
            *last ^= if digest_len >= len {
                1 << C::SPARE_BITS
            } else {
                1
            };
            let verdict = publics[0].verify_prehashed(&same, &signature);
            assert_eq!(verdict, Err(Error::BadSignature));
        }
    }
}
