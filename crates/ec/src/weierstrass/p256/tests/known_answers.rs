//! Known answers: RFC 6979, A.2.5, and multiples of the base point from the NSA's "Mathematical
//! routines for the NIST prime elliptic curves".

use crate::p256::{Backend, PrivateKey, PublicKey, Signature};
use adamant_base::family::Hash;
use adamant_base::hazmat::FromBytesOn;
use adamant_hash::{Sha224, Sha256, Sha384, Sha512};
use adamant_testkit::{TestRng, table};
use hex_literal::hex;

/// k, x and y of k G.
const MULTIPLES: [(&str, [u8; 64]); 7] = [
    (
        "02",
        hex!(
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978"
            "07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1"
        ),
    ),
    (
        "03",
        hex!(
            "5ecbe4d1a6330a44c8f7ef951d4bf165e6c6b721efada985fb41661bc6e7fd6c"
            "8734640c4998ff7e374b06ce1a64a2ecd82ab036384fb83d9a79b127a27d5032"
        ),
    ),
    (
        "14",
        hex!(
            "83a01a9378395bab9bcd6a0ad03cc56d56e6b19250465a94a234dc4c6b28da9a"
            "76e49b6de2f73234ae6a5eb9d612b75c9f2202bb6923f54ff8240aaa86f640b8"
        ),
    ),
    (
        "018ebbb95eed0e13", // 112233445566778899
        hex!(
            "339150844ec15234807fe862a86be77977dbfb3ae3d96f4c22795513aeaab82f"
            "b1c14ddfdc8ec1b2583f51e85a5eb3a155840f2034730e9b5ada38b674336a21"
        ),
    ),
    (
        "159d893d4cdd747246cdca43590e13", // 112233445566778899112233445566778899
        hex!(
            "1b7e046a076cc25e6d7fa5003f6729f665cc3241b5adab12b498cd32f2803264"
            "bfea79be2b666b073db69a2a241adab0738fe9d2dd28b5604eb8c8cf097c457b"
        ),
    ),
    (
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254f", // n - 2
        hex!(
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978"
            "f888aaee24712fc0d6c26539608bcf244582521ac3167dd661fb4862dd878c2e"
        ),
    ),
    (
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", // n - 1
        hex!(
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
            "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a"
        ),
    ),
];

#[test]
fn multiples_of_the_base_point() {
    table!(Backend).for_each(|backend| {
        for (k, point) in &MULTIPLES {
            let k = hex::decode(format!("{k:0>64}")).unwrap();
            let key = PrivateKey::try_from(&k[..]).unwrap().with_backend(backend);
            assert_eq!(key.public_key().to_sec1()[1..], *point);
            // And with the base point as any point.
            let one = PrivateKey::from_bytes(&{
                let mut one = [0; 32];
                one[31] = 1;
                one
            });
            let secret = key.agree(&one.unwrap().public_key()).unwrap();
            assert_eq!(*secret, point[..32]);
        }
    });
}

/// The private key of RFC 6979, A.2.5.
const X: [u8; 32] = hex!("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");

fn check_rfc6979<H: Hash>(message: &str, expected: [u8; 64]) {
    table!(Backend).for_each(|backend| {
        let key = PrivateKey::from_bytes_on(&X, backend).unwrap();
        let digest = H::digest(message.as_bytes());
        let signature = key.sign_prehashed_with::<H>(digest.as_ref());
        assert_eq!(signature.to_bytes(), expected, "{message}");
        let verdict = key
            .public_key()
            .verify_prehashed(digest.as_ref(), &signature);
        assert_eq!(verdict, Ok(()));
    });
}

#[test]
fn rfc6979_a_2_5() {
    let public = PrivateKey::from_bytes(&X).unwrap().public_key();
    assert_eq!(
        public.to_sec1()[1..],
        hex!(
            "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
            "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        )
    );
    check_rfc6979::<Sha224>(
        "sample",
        hex!(
            "53b2fff5d1752b2c689df257c04c40a587fababb3f6fc2702f1343af7ca9aa3f"
            "b9afb64fdc03dc1a131c7d2386d11e349f070aa432a4acc918bea988bf75c74c"
        ),
    );
    check_rfc6979::<Sha256>(
        "sample",
        hex!(
            "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
            "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
        ),
    );
    check_rfc6979::<Sha384>(
        "sample",
        hex!(
            "0eafea039b20e9b42309fb1d89e213057cbf973dc0cfc8f129edddc800ef7719"
            "4861f0491e6998b9455193e34e7b0d284ddd7149a74b95b9261f13abde940954"
        ),
    );
    check_rfc6979::<Sha512>(
        "sample",
        hex!(
            "8496a60b5e9b47c825488827e0495b0e3fa109ec4568fd3f8d1097678eb97f00"
            "2362ab1adbe2b8adf9cb9edab740ea6049c028114f2460f96554f61fae3302fe"
        ),
    );
    check_rfc6979::<Sha224>(
        "test",
        hex!(
            "c37edb6f0ae79d47c3c27e962fa269bb4f441770357e114ee511f662ec34a692"
            "c820053a05791e521fcaad6042d40aea1d6b1a540138558f47d0719800e18f2d"
        ),
    );
    check_rfc6979::<Sha256>(
        "test",
        hex!(
            "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
            "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
        ),
    );
    check_rfc6979::<Sha384>(
        "test",
        hex!(
            "83910e8b48bb0c74244ebdf7f07a1c5413d61472bd941ef3920e623fbccebeb6"
            "8ddbec54cf8cd5874883841d712142a56a8d0f218f5003cb0296b6b509619f2c"
        ),
    );
    check_rfc6979::<Sha512>(
        "test",
        hex!(
            "461d93f31b6540894788fd206c07cfa0cc35f46fa3c91816fff1040ad1581a04"
            "39af9f15de0db8d97e72719c74820d304ce5226e32dedae67519e840d1194e55"
        ),
    );
}

#[test]
fn hedged_signatures_differ_and_verify() {
    let mut rng = TestRng::new(9);
    let key = PrivateKey::generate(&mut rng).unwrap();
    let signatures: [Signature; 3] =
        core::array::from_fn(|_| key.sign_hedged(b"message", &mut rng).unwrap());
    assert!(signatures[0] != signatures[1] && signatures[1] != signatures[2]);
    for signature in signatures {
        assert_ne!(signature, key.sign(b"message"));
        assert_eq!(key.public_key().verify(b"message", &signature), Ok(()));
    }
}

#[test]
fn digests_of_every_length() {
    let key = PrivateKey::from_bytes(&X).unwrap();
    for len in 0..70 {
        let digest: Vec<u8> = (0..len).map(|i| 0xff - i).collect();
        let signature = key.sign_prehashed(&digest);
        assert_eq!(
            key.public_key().verify_prehashed(&digest, &signature),
            Ok(())
        );
        // The leftmost 256 bits count; a shorter digest is a number, so zeros in front do nothing.
        let mut same = digest.clone();
        same.truncate(32);
        while same.len() < 32 {
            same.insert(0, 0);
        }
        assert_eq!(key.public_key().verify_prehashed(&same, &signature), Ok(()));
    }
}

#[test]
fn batches_of_more_than_a_chunk() {
    use crate::p256::{agree_batch_into, generate_batch, sign_batch_into, verify_batch_into};
    use adamant_base::Error;
    const COUNT: usize = 67;
    let keys = generate_batch(COUNT, &mut TestRng::new(11)).unwrap();
    let mut rng = TestRng::new(11);
    let single: Vec<_> = keys
        .iter()
        .map(|_| PrivateKey::generate(&mut rng).unwrap())
        .collect();
    let publics: Vec<PublicKey> = single.iter().map(PrivateKey::public_key).collect();
    for (key, public) in keys.iter().zip(&publics) {
        assert_eq!(key.public_key(), *public);
    }
    let items: Vec<(&PrivateKey, &[u8])> = keys.iter().map(|key| (key, &b"m"[..])).collect();
    let mut signatures = vec![keys[0].sign(b""); COUNT];
    sign_batch_into(&items, &mut signatures).unwrap();
    for (signature, key) in signatures.iter().zip(&single) {
        assert_eq!(*signature, key.sign(b"m"));
    }
    // The last of a chunk and the first of the next change places.
    signatures.swap(63, 64);
    let checks: Vec<_> = (publics.iter().zip(&signatures))
        .map(|(key, signature)| (key, &b"m"[..], signature))
        .collect();
    let mut verdicts = [Err(Error::BadSignature); COUNT];
    verify_batch_into(&checks, &mut verdicts).unwrap();
    for (i, verdict) in verdicts.iter().enumerate() {
        assert_eq!(verdict.is_ok(), i != 63 && i != 64, "{i}");
    }
    let pairs: Vec<_> = (0..COUNT)
        .map(|i| (&keys[i], &publics[(i + 1) % COUNT]))
        .collect();
    let mut secrets: Vec<_> = (0..COUNT).map(|_| Err(Error::NoEntropy)).collect();
    agree_batch_into(&pairs, &mut secrets).unwrap();
    for (secret, (key, peer)) in secrets.iter().zip(&pairs) {
        assert_eq!(**secret.as_ref().unwrap(), *key.agree(peer).unwrap());
    }
}

#[test]
fn batches_equal_single_calls() {
    use crate::p256::{agree_batch_into, generate_batch, sign_batch_into, verify_batch_into};
    use adamant_base::Error;
    let keys = generate_batch(5, &mut TestRng::new(10)).unwrap();
    let mut rng = TestRng::new(10);
    for key in &keys {
        let single = PrivateKey::generate(&mut rng).unwrap();
        assert_eq!(*key.to_bytes(), *single.to_bytes());
    }
    let messages: Vec<Vec<u8>> = (0..5).map(|i| vec![i; usize::from(i)]).collect();
    let items: Vec<_> = keys
        .iter()
        .zip(messages.iter().map(Vec::as_slice))
        .collect();
    let mut signatures = vec![keys[0].sign(b""); 5];
    sign_batch_into(&items, &mut signatures).unwrap();
    for (signature, (key, message)) in signatures.iter().zip(&items) {
        assert_eq!(*signature, key.sign(message));
    }
    signatures.swap(2, 3);
    let publics: Vec<PublicKey> = keys.iter().map(PrivateKey::public_key).collect();
    let checks: Vec<_> = (0..5)
        .map(|i| (&publics[i], messages[i].as_slice(), &signatures[i]))
        .collect();
    let mut verdicts = [Ok(()); 5];
    verify_batch_into(&checks, &mut verdicts).unwrap();
    let bad = Err(Error::BadSignature);
    assert_eq!(verdicts, [Ok(()), Ok(()), bad, bad, Ok(())]);

    let pairs: Vec<_> = (0..5).map(|i| (&keys[i], &publics[(i + 1) % 5])).collect();
    let mut secrets: Vec<_> = (0..5).map(|_| Err(Error::WeakSharedSecret)).collect();
    agree_batch_into(&pairs, &mut secrets).unwrap();
    for (secret, (key, peer)) in secrets.iter().zip(&pairs) {
        assert_eq!(**secret.as_ref().unwrap(), *key.agree(peer).unwrap());
    }

    let short = Error::BadLength {
        expected: 5,
        actual: 4,
    };
    assert_eq!(verify_batch_into(&checks, &mut verdicts[..4]), Err(short));
    assert_eq!(sign_batch_into(&items, &mut signatures[..4]), Err(short));
    assert_eq!(agree_batch_into(&pairs, &mut secrets[..4]), Err(short));
}
