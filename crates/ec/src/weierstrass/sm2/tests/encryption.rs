//! Encryption: the standard's example, OpenSSL's vectors, everything that has to be refused.

use super::{Constant, EXAMPLE_KEY, EXAMPLE_NONCE};
use crate::hazmat::sm2::Backend;
use crate::sm2::{
    Ciphertext, PrivateKey, PublicKey, decrypt_batch, decrypt_batch_into, encrypt_batch,
};
use crate::weierstrass;
use crate::weierstrass::sm2::keys::to_bytes;
use adamant_base::Error;
use adamant_testkit::{BrokenRng, TestRng, table};
use hex_literal::hex;

fn key() -> PrivateKey {
    PrivateKey::from_bytes(&EXAMPLE_KEY).unwrap()
}

fn decrypt(key: &PrivateKey, ciphertext: &Ciphertext) -> Result<Vec<u8>, Error> {
    let mut message = vec![0xaa; ciphertext.message_len()];
    let result = key.decrypt_into(ciphertext, &mut message);
    if result.is_err() {
        assert_eq!(message, vec![0; message.len()], "released");
    }
    let result = result.map(|()| message);
    let returned = key.decrypt(ciphertext).map(|message| message.to_vec());
    assert_eq!(returned, result);
    result
}

/// GB/T 32918.5, A.3.
#[test]
fn the_example_of_the_standard() {
    let c1 = hex!(
        "04"
        "04EBFC718E8D1798620432268E77FEB6415E2EDE0E073C0F4F640ECD2E149A73"
        "E858F9D81E5430A57B36DAAB8F950A3C64E6EE6A63094D99283AFF767E124DF0"
    );
    let c2 = hex!("21886CA989CA9C7D58087307CA93092D651EFA");
    let c3 = hex!("59983C18F809E262923C53AEC295D30383B54E39D609D160AFCB1908D0BD8766");
    table!(Backend).for_each(|backend| {
        let key = key().with_backend(backend);
        let public = key.public_key();
        let message = b"encryption standard";
        let ciphertext = public
            .encrypt(message, &mut Constant(EXAMPLE_NONCE))
            .unwrap();
        assert_eq!(ciphertext.to_bytes(), [&c1[..], &c3, &c2].concat());
        assert_eq!(ciphertext.to_c1c2c3(), [&c1[..], &c2, &c3].concat());
        assert_eq!(decrypt(&key, &ciphertext).unwrap(), message);
        let read = Ciphertext::from_bytes(&ciphertext.to_bytes()).unwrap();
        assert_eq!(read, ciphertext);
        assert_eq!(Ciphertext::from_c1c2c3(&ciphertext.to_c1c2c3()), Ok(read));
    });
}

/// The ciphertexts of OpenSSL's `evppkey_sm2.txt` (Apache License 2.0): coordinates of 31, 32 and
/// 33 octets among them.
#[test]
fn vectors_of_openssl() {
    let key = PrivateKey::from_bytes(&hex!(
        "d09156733017bdad809fd9bbd8c693f60230593169b6f94aaf1c8ee138cc99b5"
    ))
    .unwrap();
    let cases: [(&[u8], &[u8]); 3] = [
        (
            &hex!(
                "30818A0220466BE2EF5C11782EC77864A0055417F407A5AFC11D653C6BCE69E417BB1D05B6"
                "022062B572E21FF0DDF5C726BD3F9FF2EAE56E6294713A607E9B9525628965F62CC8"
                "04203C1B5713B5DB2728EB7BF775E44F4689FC32668BDC564F52EA45B09E8DF2A5F4"
                "0422084A9D0CC2997092B7D3C404FCE95956EB604D732B2307A8E5B8900ED6608CA5B197"
            ),
            b"The floofy bunnies hop at midnight",
        ),
        (
            &hex!(
                "3072022070DAD60CDA7C30D64CF4F278A849003581223F5324BFEC9BB329229BFFAD21A6"
                "021F18AFAB2B35459D2643243B242BE4EA80C6FA5071D2D847340CC57EB9309E5D"
                "04200B772E4DB664B2601E3B85E39C4AA8C2C1910308BE13B331E009C5A9258C29FD"
                "040B6D588BE9260A94DA18E0E6"
            ),
            b"Hello World",
        ),
        (
            &hex!(
                "3081DD022100CD49634BBCB21CAFFFA6D33669A5A867231CB2A942A14352EF4CAF6DC3344D54"
                "022100C35B41D4DEBB3A2735EFEE821B9EBA566BD86900176A0C06672E30EE5CC04E93"
                "0420C4190A3D80D86C4BD20E99F7E4B59BF6427C6808793533EEA9591D1188EC56B5"
                "0473747295470E81D951BED279AC1B86A1AFE388CD2833FA9632799EC199C7D364E5663D5A94"
                "888BB2358CFCBF6283184DE0CBC41CCEA91D24746E99D231A1DA77AFD83CDF908190ED628B73"
                "69724494568A27C782A1D1D7294BCAD80C34569ED22859896301128A8118F48924D8CCD43E99"
                "8D9533"
            ),
            b"Some longer plaintext for testing SM2 decryption. Blah blah blah blah blah blah \
              blah blah blah blah blah blah blah.",
        ),
    ];
    for (der, message) in cases {
        let ciphertext = Ciphertext::from_der(der).unwrap();
        assert_eq!(ciphertext.to_der(), der);
        table!(Backend).for_each(|backend| {
            let key = key.clone().with_backend(backend);
            assert_eq!(decrypt(&key, &ciphertext).unwrap(), message);
        });
    }
}

#[test]
fn messages_of_every_length() {
    let (key, mut rng) = (key(), TestRng::new(3));
    let public = key.public_key();
    let mut lengths: Vec<_> = (1..=100).collect();
    // A chunk of digests ends after 2048 bytes.
    lengths.extend([127, 128, 1000, 2047, 2048, 2049, 5000]);
    for len in lengths {
        let message = rng.bytes(len);
        let ciphertext = public.encrypt(&message, &mut rng).unwrap();
        assert_eq!(ciphertext.message_len(), len);
        assert_eq!(decrypt(&key, &ciphertext), Ok(message));
        let der = Ciphertext::from_der(&ciphertext.to_der());
        assert_eq!(der, Ok(ciphertext));
    }
}

#[test]
fn the_key_stream_is_that_of_x963() {
    let (key, mut rng) = (key(), TestRng::new(4));
    let k = rng.words();
    let message = vec![0; 3000];
    let ciphertext = key
        .public_key()
        .encrypt_with(&k, &message)
        .unwrap()
        .unwrap();
    let shared = Backend::portable().mul(&k, &key.public_key().0.point);
    let z = [to_bytes(&shared[0]), to_bytes(&shared[1])].concat();
    let mut stream = vec![0; 3000];
    adamant_hash::x963::derive::<adamant_hash::Sm3>(&z, &[], &mut stream).unwrap();
    assert_eq!(ciphertext.message, stream);
}

#[test]
fn a_key_stream_of_zeros_is_not_used() {
    // Of a single byte, one in 256 is: nonces from the generator for which it is not come next.
    let (key, mut rng) = (key(), TestRng::new(5));
    let public = key.public_key();
    let k = loop {
        let k = rng.words();
        if let Ok(None) = public.encrypt_with(&k, b"x") {
            break k;
        }
    };
    struct Twice(Option<[u8; 32]>, TestRng);
    impl adamant_base::Rng for Twice {
        fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
            match self.0.take() {
                Some(bytes) => out.copy_from_slice(&bytes),
                None => self.1.fill(out)?,
            }
            Ok(())
        }
    }
    let mut twice = Twice(Some(to_bytes(&k)), TestRng::new(6));
    let ciphertext = public.encrypt(b"x", &mut twice).unwrap();
    assert_eq!(decrypt(&key, &ciphertext), Ok(b"x".to_vec()));
    let mut twice = Twice(Some(to_bytes(&k)), TestRng::new(6));
    let ciphertexts = encrypt_batch(&[(&public, b"x"), (&public, b"y")], &mut twice).unwrap();
    assert_eq!(decrypt(&key, &ciphertexts[0]), Ok(b"x".to_vec()));
    assert_eq!(decrypt(&key, &ciphertexts[1]), Ok(b"y".to_vec()));
    // One that was made all the same is refused.
    let shared = Backend::portable().mul(&k, &public.0.point);
    let mut hash = adamant_hash::Sm3::new();
    hash.update(&to_bytes(&shared[0]));
    hash.update(b"x");
    hash.update(&to_bytes(&shared[1]));
    let point = PublicKey(weierstrass::PublicKey {
        point: Backend::portable().mul_base(&k),
        backend: Backend::best(),
    });
    let bytes = [&point.to_sec1()[..], &hash.finalize(), b"x"].concat();
    let ciphertext = Ciphertext::from_bytes(&bytes).unwrap();
    assert_eq!(decrypt(&key, &ciphertext), Err(Error::BadTag));
}

#[test]
fn what_is_not_a_ciphertext() {
    let (key, mut rng) = (key(), TestRng::new(7));
    let public = key.public_key();
    let empty = Error::BadLength {
        expected: 1,
        actual: 0,
    };
    assert_eq!(public.encrypt(b"", &mut rng), Err(empty));
    assert_eq!(encrypt_batch(&[(&public, b"")], &mut rng), Err(empty));
    assert_eq!(public.encrypt(b"m", &mut BrokenRng), Err(Error::NoEntropy));
    let ciphertext = public.encrypt(b"a message", &mut rng).unwrap();
    let other = PrivateKey::generate(&mut rng).unwrap();
    assert_eq!(decrypt(&other, &ciphertext), Err(Error::BadTag));
    let mut short = [7; 8];
    let error = Error::BadLength {
        expected: 9,
        actual: 8,
    };
    assert_eq!(key.decrypt_into(&ciphertext, &mut short), Err(error));
    assert_eq!(short, [7; 8], "touched");
    let bytes = ciphertext.to_bytes();
    for i in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[i] ^= 1;
        match Ciphertext::from_bytes(&changed) {
            Ok(changed) => assert_eq!(decrypt(&key, &changed), Err(Error::BadTag), "{i}"),
            Err(error) => assert!(error == Error::BadPublicKey && i < 65, "{i}"),
        }
        match Ciphertext::from_bytes(&bytes[..i]) {
            Ok(cut) => assert_eq!(decrypt(&key, &cut), Err(Error::BadTag), "{i}"),
            Err(Error::BadPublicKey) => assert!(i < 65),
            Err(error) => assert_eq!(error, Error::BadTag),
        }
        assert_eq!(Ciphertext::from_bytes(&bytes[..i]).is_ok(), i > 97);
        assert_eq!(Ciphertext::from_c1c2c3(&bytes[..i]).is_ok(), i > 97);
    }
    let der = ciphertext.to_der();
    for i in 0..der.len() {
        assert!(Ciphertext::from_der(&der[..i]).is_err());
        let mut changed = der.clone();
        changed[i] ^= 1;
        if let Ok(changed) = Ciphertext::from_der(&changed) {
            assert_eq!(decrypt(&key, &changed), Err(Error::BadTag), "{i}");
        }
    }
    assert!(Ciphertext::from_der(&[&der[..], &[0]].concat()).is_err());
    // A compressed point, in the forms without ASN.1.
    let compressed = [&ciphertext.point.to_sec1_compressed()[..], &bytes[65..]].concat();
    assert_eq!(Ciphertext::from_bytes(&compressed), Ok(ciphertext));
}

#[test]
fn batches_do_what_single_calls_do() {
    let mut rng = TestRng::new(8);
    for count in [0, 1, 9, 70] {
        let keys = crate::sm2::generate_batch(count, &mut rng).unwrap();
        let publics: Vec<_> = keys.iter().map(PrivateKey::public_key).collect();
        let messages: Vec<_> = (0..count).map(|i| rng.bytes(1 + i * 7 % 150)).collect();
        let items: Vec<_> = publics
            .iter()
            .zip(&messages)
            .map(|(k, m)| (k, &m[..]))
            .collect();
        let mut ciphertexts = encrypt_batch(&items, &mut rng).unwrap();
        for ((key, message), ciphertext) in keys.iter().zip(&messages).zip(&ciphertexts) {
            assert_eq!(decrypt(key, ciphertext).as_ref(), Ok(message));
        }
        if count > 8 {
            ciphertexts[8].tag[31] ^= 1;
        }
        let items: Vec<_> = keys.iter().zip(&ciphertexts).collect();
        let opened = decrypt_batch(&items);
        assert_eq!(opened.len(), count);
        for (i, opened) in opened.iter().enumerate() {
            let opened = opened.as_ref().map(|message| message.to_vec());
            match i {
                8 => assert_eq!(opened, Err(&Error::BadTag)),
                _ => assert_eq!(opened.as_ref(), Ok(&messages[i])),
            }
        }
        let mut places: Vec<_> = messages.iter().map(|m| vec![0xaa; m.len()]).collect();
        let mut verdicts = vec![Ok(()); count];
        let mut items: Vec<_> = keys
            .iter()
            .zip(&ciphertexts)
            .zip(&mut places)
            .map(|((key, ciphertext), place)| (key, ciphertext, &mut place[..]))
            .collect();
        let wrong = decrypt_batch_into(&mut items, &mut vec![Ok(()); count + 1]);
        assert!(matches!(wrong, Err(Error::BadLength { .. })));
        decrypt_batch_into(&mut items, &mut verdicts).unwrap();
        for (i, (place, message)) in places.iter().zip(&messages).enumerate() {
            if i == 8 {
                assert_eq!(verdicts[i], Err(Error::BadTag));
                assert_eq!(*place, vec![0; place.len()], "released");
            } else {
                assert_eq!((verdicts[i], place), (Ok(()), message));
            }
        }
    }
    assert_eq!(
        encrypt_batch(&[(&key().public_key(), b"m")], &mut BrokenRng),
        Err(Error::NoEntropy)
    );
}
