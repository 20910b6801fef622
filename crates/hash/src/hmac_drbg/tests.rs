use super::*;
use crate::hmac_drbg::NonceHash;
use crate::{Sha224, Sha256, Sha384, Sha512, sha256, sha512};
use hex_literal::hex;

fn narrow<H>(make: fn(sha256::Backend) -> H) -> impl Iterator<Item = H> {
    sha256::Backend::available().map(make)
}

fn wide<H>(make: fn(sha512::Backend) -> H) -> impl Iterator<Item = H> {
    sha512::Backend::available().map(make)
}

/// RFC 6979, A.2.5: the nonces for P-256, on every implementation.
#[test]
#[rustfmt::skip]
fn p256_nonces() {
    check(narrow(Sha224::new_on), b"sample", hex!("103f90ee9dc52e5e7fb5132b7033c63066d194321491862059967c715985d473"));
    check(narrow(Sha256::new_on), b"sample", hex!("a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60"));
    check(wide(Sha384::new_on), b"sample", hex!("09f634b188cefd98e7ec88b1aa9852d734d0bc272f7d2a47decc6ebeb375aad4"));
    check(wide(Sha512::new_on), b"sample", hex!("5fa81c63109badb88c1f367b47da606da28cad69aa22c4fe6ad7df73a7173aa5"));
    check(narrow(Sha224::new_on), b"test", hex!("669f4426f2688b8be0db3a6bd1989bdaefff84b649eeb84f3dd26080f667faa7"));
    check(narrow(Sha256::new_on), b"test", hex!("d16b6ae827f17175e040871a1c7ec3500192c4c92677336ec2537acaee0008e0"));
    check(wide(Sha384::new_on), b"test", hex!("16aeffa357260b04b1dd199693960740066c1a8f3e8edd79070aa914d361b3b8"));
    check(wide(Sha512::new_on), b"test", hex!("6915d11632aca3c40d5d51c08daf9c555933819548784480e93499000d9f0b7f"));

    fn check<H: Hash>(implementations: impl Iterator<Item = H>, message: &[u8], k: [u8; 32]) {
        let x = hex!("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
        // bits2octets: 256 bits from the left; none of these digests reaches q.
        let digest = H::digest(message);
        let digest = &digest.as_ref()[..H::OUTPUT_LEN.min(32)];
        let mut h1 = [0; 32];
        h1[32 - digest.len()..].copy_from_slice(digest);
        for hash in implementations {
            let mut candidate = [0; 32];
            Rfc6979::with_hash(hash, &x, &h1, b"").next(&mut candidate);
            assert_eq!(candidate, k);
        }
    }
}

/// RFC 6979, A.2.7: 521 bits take more than one digest.
#[test]
fn p521_nonce() {
    let x = hex!(
        "00fad06daa62ba3b25d2fb40133da757205de67f5bb0018fee8c86e1b68c7e75"
        "caa896eb32f1f47c70855836a6d16fcc1466f6d8fbec67db89ec0c08b0e996b83538"
    );
    let k = hex!(
        "01dae2ea071f8110dc26882d4d5eae0621a3256fc8847fb9022e2b7d28e6f101"
        "98b1574fdd03a9053c08a1854a168aa5a57470ec97dd5ce090124ef52a2f7ecbffd3"
    );
    let mut h1 = [0; 66];
    h1[2..].copy_from_slice(&Sha512::digest(b"sample"));
    let mut candidate = [0; 66];
    Rfc6979::<Sha512>::new(&x, &h1, b"").next(&mut candidate);
    // bits2int drops 66 · 8 - 521 bits.
    let mut shifted = [0; 66];
    for i in 0..66 {
        let above = if i > 0 { candidate[i - 1] } else { 0 };
        shifted[i] = candidate[i] >> 7 | above << 1;
    }
    assert_eq!(shifted, k);
}

/// Refused candidates and additional data, against another implementation of RFC 6979.
#[test]
fn further_candidates() {
    let x = hex!("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
    let h1 = Sha256::digest(b"sample");
    let mut candidates = Rfc6979::<Sha256>::new(&x, &h1, b"extra data of any length");
    for expected in [
        hex!("66ee058ff8f0e29ed5bbaf99ac4672e7df9e9e65f5701a963f6983d442663041"),
        hex!("c74b4e7714ee645aa41cae3fb2070f55e417380d1dbbaf00463d105dbe7ad880"),
        hex!("31eb49ef644fc2b4e27917d2cdf87b8992d671a3471c4d0ffa3b9080c35c0eae"),
    ] {
        let mut k = [0; 32];
        candidates.next(&mut k);
        assert_eq!(k, expected);
    }
}

/// Batches of every size around a chunk's edge, with candidates shorter and longer than a digest,
/// and of keys too long for the lanes, are what the generators give one by one; and so are the
/// first below a bound where many are refused.
#[test]
fn accepted_candidates_of_many() {
    fn check<H: NonceHash, const LEN: usize, const OUT: usize>(counts: &[usize]) {
        for &count in counts {
            let xs: Vec<[u8; LEN]> = (0..count).map(|i| [i as u8; LEN]).collect();
            let hs: Vec<[u8; LEN]> = (0..count).map(|i| [!i as u8 / 3; LEN]).collect();
            let items: Vec<(&[u8], &[u8])> = (xs.iter().zip(&hs))
                .map(|(x, h)| (&x[..], &h[..]))
                .collect();
            for bound in [0xff, 0x90, 0x20] {
                let accept = |k: &[u8]| k[0] <= bound;
                let mut candidates = vec![[0; OUT]; count];
                accepted_candidates::<H, _>(&items, &mut candidates, accept).unwrap();
                for ((x, h), candidate) in items.iter().zip(&candidates) {
                    let mut generator = Rfc6979::<H>::new(x, h, b"");
                    let mut expected = [0; OUT];
                    generator.next(&mut expected);
                    while !accept(&expected) {
                        generator.next(&mut expected);
                    }
                    assert_eq!(*candidate, expected);
                }
            }
        }
    }
    check::<Sha256, 32, 32>(&[0, 1, 2, 15, 16, 17, 31, 32, 33, 65]);
    check::<Sha256, 28, 20>(&[5]);
    check::<Sha384, 48, 48>(&[1, 9, 33]);
    check::<Sha512, 66, 66>(&[1, 8, 33]);
    check::<Sha512, 73, 66>(&[3]);
    check::<crate::Sm3, 32, 32>(&[17]);
    // Places of several lengths.
    let xs: Vec<[u8; 32]> = (0..9).map(|i| [i; 32]).collect();
    let items: Vec<(&[u8], &[u8])> = xs.iter().map(|x| (&x[..], &x[..])).collect();
    let mut out: Vec<Vec<u8>> = (0..9).map(|i| vec![0; [32, 72][i % 2]]).collect();
    let accept = |k: &[u8]| k[0] & 3 == 0;
    accepted_candidates::<Sha256, _>(&items, &mut out, accept).unwrap();
    for (x, found) in xs.iter().zip(&out) {
        let mut expected = vec![0; found.len()];
        accepted_candidate::<Sha256>(x, x, b"", &mut expected, &accept);
        assert_eq!(*found, expected);
    }
    let mut out = [[7; 32]; 2];
    let accept = |_: &[u8]| true;
    assert!(accepted_candidates::<Sha256, _>(&[(&[1], &[2])], &mut out, accept).is_err());
    assert_eq!(out, [[7; 32]; 2]);
}
