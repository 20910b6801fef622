//! A key of OpenSSL 3.0's, its signatures over `attack at dawn` and its ciphertexts of `a key`
//! (`openssl genrsa -traditional`, `openssl dgst -sign`, `openssl pkeyutl -encrypt`); round trips.

use super::{KEY, key};
use crate::hazmat::Backend;
use crate::*;
use adamant_base::Error;
use adamant_hash::{Sha1, Sha3_512, Sha256, Sha384, Sha512};
use adamant_testkit::{BrokenRng, TestRng, table};

const MESSAGE: &[u8] = b"attack at dawn";
const PKCS1: &[u8] = include_bytes!("../../testdata/pkcs1_sha256.sig");
const PSS: &[u8] = include_bytes!("../../testdata/pss_sha384.sig");
const OAEP: &[u8] = include_bytes!("../../testdata/oaep_sha256.ct");
const PKCS1_CIPHERTEXT: &[u8] = include_bytes!("../../testdata/pkcs1.ct");

#[test]
fn signatures() {
    table!(Backend).for_each(|backend| {
        let mut rng = TestRng::new(1);
        let key = key(backend);
        let public = key.public_key();
        assert_eq!(key.sign_pkcs1::<Sha256>(MESSAGE, &mut rng).unwrap(), PKCS1);
        assert_eq!(public.verify_pkcs1::<Sha256>(MESSAGE, PKCS1), Ok(()));
        assert_eq!(public.verify_pss::<Sha384>(MESSAGE, PSS), Ok(()));
        let wrong = Err(Error::BadSignature);
        assert_eq!(public.verify_pss::<Sha256>(MESSAGE, PSS), wrong);
        assert_eq!(public.verify_pkcs1::<Sha512>(MESSAGE, PKCS1), wrong);
        for len in [0, 1, 200] {
            let message = rng.bytes(len);
            let pkcs1 = key.sign_pkcs1::<Sha3_512>(&message, &mut rng).unwrap();
            let pss = key.sign_pss::<Sha1>(&message, &mut rng).unwrap();
            assert_eq!(public.verify_pkcs1::<Sha3_512>(&message, &pkcs1), Ok(()));
            assert_eq!(public.verify_pss::<Sha1>(&message, &pss), Ok(()));
            for at in [0, 100, 255] {
                for signature in [&pkcs1, &pss] {
                    let mut changed = signature.clone();
                    changed[at] ^= 1;
                    assert_eq!(public.verify_pkcs1::<Sha3_512>(&message, &changed), wrong);
                    assert_eq!(public.verify_pss::<Sha1>(&message, &changed), wrong);
                    let digest = Sha1::digest(&message);
                    let any = public.verify_pss_prehashed::<Sha1, Sha1>(&digest, None, &changed);
                    assert_eq!(any, wrong);
                }
            }
        }
        let digest = [7; 32];
        for salt_len in [0, 20, 222] {
            let pss = key.sign_pss_prehashed::<Sha256, Sha512>(&digest, salt_len, &mut rng);
            let verify = |len| {
                public.verify_pss_prehashed::<Sha256, Sha512>(&digest, len, pss.as_ref().unwrap())
            };
            assert_eq!([Some(salt_len), None].map(verify), [Ok(()); 2]);
            assert_eq!(verify(Some(salt_len + 1)), wrong);
        }
        for too_long in [223, usize::MAX] {
            let result = key.sign_pss_prehashed::<Sha256, Sha256>(&digest, too_long, &mut rng);
            assert_eq!(result, Err(Error::BadParameter("salt length")));
        }
        let broken = key.sign_pkcs1::<Sha256>(MESSAGE, &mut BrokenRng);
        assert_eq!(broken, Err(Error::NoEntropy));
    });
}

#[test]
fn encryption() {
    table!(Backend).for_each(|backend| {
        let mut rng = TestRng::new(2);
        let key = key(backend);
        let public = key.public_key();
        let opened = key.decrypt_oaep::<Sha256>(OAEP, b"label", &mut rng);
        assert_eq!(opened.unwrap()[..], *b"a key");
        let opened = key.decrypt_oaep::<Sha256>(OAEP, b"lapel", &mut rng);
        assert_eq!(opened.err(), Some(Error::BadTag));
        let opened = key.decrypt_pkcs1(PKCS1_CIPHERTEXT, &mut rng);
        assert_eq!(opened.unwrap()[..], *b"a key");
        for len in [0, 1, 190] {
            let message = rng.bytes(len);
            let ciphertext = public
                .encrypt_oaep::<Sha256>(&message, b"", &mut rng)
                .unwrap();
            let opened = key.decrypt_oaep::<Sha256>(&ciphertext, b"", &mut rng);
            assert_eq!(opened.unwrap()[..], message);
            let message = rng.bytes(len + 55);
            let ciphertext = public.encrypt_pkcs1(&message, &mut rng).unwrap();
            let opened = key.decrypt_pkcs1(&ciphertext, &mut rng);
            assert_eq!(opened.unwrap()[..], message);
        }
        assert!(
            public
                .encrypt_oaep::<Sha256>(&[0; 191], b"", &mut rng)
                .is_err()
        );
        assert!(public.encrypt_pkcs1(&[0; 246], &mut rng).is_err());
    });
}

#[test]
fn batches() {
    table!(Backend).for_each(|backend| {
        let mut rng = TestRng::new(3);
        let key = key(backend);
        let public = key.public_key();
        for count in [0, 1, 2, 3, 4, 9] {
            let messages: Vec<_> = (0..count).map(|i| rng.bytes(i * 11)).collect();
            let items: Vec<_> = messages.iter().map(|m| (&key, m.as_slice())).collect();
            let pkcs1 = sign_pkcs1_batch::<Sha256>(&items, &mut rng).unwrap();
            let mut pss = sign_pss_batch::<Sha256>(&items, &mut rng).unwrap();
            for (message, signature) in messages.iter().zip(&pkcs1) {
                let single = key.sign_pkcs1::<Sha256>(message, &mut rng).unwrap();
                assert_eq!(*signature, single);
            }
            if let Some(last) = pss.last_mut() {
                last[5] ^= 1;
            }
            let signed = |signatures: &[Vec<u8>]| -> Vec<_> {
                let each = messages.iter().zip(signatures);
                let items: Vec<_> = each.map(|(m, s)| (&public, &m[..], &s[..])).collect();
                let pkcs1 = verify_pkcs1_batch::<Sha256>(&items);
                pkcs1
                    .into_iter()
                    .zip(verify_pss_batch::<Sha256>(&items))
                    .collect()
            };
            let bad = Err(Error::BadSignature);
            assert_eq!(signed(&pkcs1), vec![(Ok(()), bad); count]);
            let mut expected = vec![(bad, Ok(())); count];
            if let Some(last) = expected.last_mut() {
                last.1 = bad;
            }
            assert_eq!(signed(&pss), expected);

            let mut ciphertexts: Vec<_> = messages
                .iter()
                .map(|m| public.encrypt_oaep::<Sha256>(m, b"", &mut rng).unwrap())
                .collect();
            if let Some(first) = ciphertexts.first_mut() {
                first.pop();
            }
            let items: Vec<_> = ciphertexts.iter().map(|c| (&key, c.as_slice())).collect();
            let opened = decrypt_oaep_batch::<Sha256>(&items, &mut rng).unwrap();
            for (i, (opened, message)) in opened.into_iter().zip(&messages).enumerate() {
                match opened {
                    Ok(opened) => assert_eq!(opened[..], *message),
                    Err(error) => assert_eq!((i, error), (0, Error::BadTag)),
                }
            }
        }
    });
}

/// Batches to memory of the caller's: as many places as items, for signatures each as long as the
/// modulus.
#[test]
fn batches_to_places() {
    let (key, mut rng) = (key(Backend::best()), TestRng::new(4));
    let public = key.public_key();
    for count in [0, 1, 3] {
        let messages: Vec<_> = (0..count).map(|i| rng.bytes(i * 11)).collect();
        let items: Vec<_> = messages.iter().map(|m| (&key, m.as_slice())).collect();
        let mut sign = |count, len| {
            let mut made = [vec![vec![7; len]; count], vec![vec![7; len]; count]];
            let [pkcs1, pss] = made.each_mut();
            let mut pkcs1: Vec<_> = pkcs1.iter_mut().map(Vec::as_mut_slice).collect();
            let mut pss: Vec<_> = pss.iter_mut().map(Vec::as_mut_slice).collect();
            let done = [
                sign_pkcs1_batch_into::<Sha256>(&items, &mut pkcs1, &mut rng),
                sign_pss_batch_into::<Sha256>(&items, &mut pss, &mut rng),
            ];
            (done, made)
        };
        let wrong = |expected, actual| Err(Error::BadLength { expected, actual });
        for len in [255, 257].into_iter().filter(|_| count > 0) {
            let (done, made) = sign(count, len);
            assert_eq!(done, [wrong(256, len); 2]);
            assert_eq!(made.concat(), vec![vec![7; len]; 2 * count], "touched");
        }
        let (done, made) = sign(count + 1, 256);
        assert_eq!(done, [wrong(count, count + 1); 2]);
        assert_eq!(made.concat(), vec![vec![7; 256]; 2 * count + 2], "touched");
        let (done, made) = sign(count, 256);
        assert_eq!(done, [Ok(()); 2]);

        for (signatures, expected) in made.iter().zip([
            [Ok(()), Err(Error::BadSignature)],
            [Err(Error::BadSignature), Ok(())],
        ]) {
            let each = messages.iter().zip(signatures);
            let items: Vec<_> = each.map(|(m, s)| (&public, &m[..], &s[..])).collect();
            let verify = |count| {
                let mut out = [(); 2].map(|()| vec![Err(Error::BadTag); count]);
                let done = [
                    verify_pkcs1_batch_into::<Sha256>(&items, &mut out[0]),
                    verify_pss_batch_into::<Sha256>(&items, &mut out[1]),
                ];
                (done, out)
            };
            let verdicts = expected.map(|verdict| vec![verdict; count]);
            assert_eq!(verify(count), ([Ok(()); 2], verdicts));
            let untouched = [(); 2].map(|()| vec![Err(Error::BadTag); count + 1]);
            assert_eq!(verify(count + 1), ([wrong(count, count + 1); 2], untouched));
        }
    }
}

#[test]
fn encodings() {
    let key = key(Backend::best());
    assert_eq!(key.to_pkcs1_der()[..], *KEY);
    let der = key.public_key().to_pkcs1_der();
    assert_eq!(PublicKey::from_pkcs1_der(&der).unwrap(), key.public_key());
    assert_eq!(key.public_key().e(), [1, 0, 1]);
}
