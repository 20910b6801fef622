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

/// CAVS 14.3 of NIST, files without prediction resistance: with and without personalization and additional
/// input. What comes second counts.
#[test]
#[rustfmt::skip]
fn cavs() {
    check::<Sha256>(
        [&hex!("06032cd5eed33f39265f49ecb142c511da9aff2af71203bffaf34a9ca5bd9c0d"), &hex!("0e66f71edc43e42a45ad3c6fc6cdc4df"), b""],
        [&hex!("01920a4e669ed3a85ae8a33b35a74ad7fb2a6bb4cf395ce00334a9c9a5a5d552"), b""],
        [b"", b""],
        &hex!(
            "76fc79fe9b50beccc991a11b5635783a83536add03c157fb30645e611c2898bb"
            "2b1bc215000209208cd506cb28da2a51bdb03826aaf2bd2335d576d519160842"
            "e7158ad0949d1a9ec3e66ea1b1a064b005de914eac2e9d4f2d72a8616a802254"
            "22918250ff66a41bd2f864a6a38cc5b6499dc43f7f2bd09e1e0f8f5885935124"
        ),
    );
    check::<Sha256>(
        [&hex!("05ac9fc4c62a02e3f90840da5616218c6de5743d66b8e0fbf833759c5928b53d"), &hex!("2b89a17904922ed8f017a63044848545"), b""],
        [&hex!("2791126b8b52ee1fd9392a0a13e0083bed4186dc649b739607ac70ec8dcecf9b"), &hex!("43bac13bae715092cf7eb280a2e10a962faf7233c41412f69bc74a35a584e54c")],
        [&hex!("3f2fed4b68d506ecefa21f3f5bb907beb0f17dbc30f6ffbba5e5861408c53a1e"), &hex!("529030df50f410985fde068df82b935ec23d839cb4b269414c0ede6cffea5b68")],
        &hex!(
            "02ddff5173da2fcffa10215b030d660d61179e61ecc22609b1151a75f1cbcbb4"
            "363c3a89299b4b63aca5e581e73c860491010aa35de3337cc6c09ebec8c91a62"
            "87586f3a74d9694b462d2720ea2e11bbd02af33adefb4a16e6b370fa0effd57d"
            "607547bdcfbb7831f54de7073ad2a7da987a0016a82fa958779a168674b56524"
        ),
    );
    check::<Sha256>(
        [&hex!("fa0ee1fe39c7c390aa94159d0de97564342b591777f3e5f6a4ba2aea342ec840"), &hex!("dd0820655cb2ffdb0da9e9310a67c9e5"), &hex!("f2e58fe60a3afc59dad37595415ffd318ccf69d67780f6fa0797dc9aa43e144c")],
        [&hex!("e0629b6d7975ddfa96a399648740e60f1f9557dc58b3d7415f9ba9d4dbb501f6"), b""],
        [b"", b""],
        &hex!(
            "f92d4cf99a535b20222a52a68db04c5af6f5ffc7b66a473a37a256bd8d298f9b"
            "4aa4af7e8d181e02367903f93bdb744c6c2f3f3472626b40ce9bd6a70e7b8f93"
            "992a16a76fab6b5f162568e08ee6c3e804aefd952ddd3acb791c50f2ad69e9a0"
            "4028a06a9c01d3a62aca2aaf6efe69ed97a016213a2dd642b4886764072d9cbe"
        ),
    );
    check::<Sha256>(
        [&hex!("cdb0d9117cc6dbc9ef9dcb06a97579841d72dc18b2d46a1cb61e314012bdf416"), &hex!("d0c0d01d156016d0eb6b7e9c7c3c8da8"), &hex!("6f0fb9eab3f9ea7ab0a719bfa879bf0aaed683307fda0c6d73ce018b6e34faaa")],
        [&hex!("8ec6f7d5a8e2e88f43986f70b86e050d07c84b931bcf18e601c5a3eee3064c82"), &hex!("1ab4ca9014fa98a55938316de8ba5a68c629b0741bdd058c4d70c91cda5099b3")],
        [&hex!("16e2d0721b58d839a122852abd3bf2c942a31c84d82fca74211871880d7162ff"), &hex!("53686f042a7b087d5d2eca0d2a96de131f275ed7151189f7ca52deaa78b79fb2")],
        &hex!(
            "dda04a2ca7b8147af1548f5d086591ca4fd951a345ce52b3cd49d47e84aa31a1"
            "83e31fbc42a1ff1d95afec7143c8008c97bc2a9c091df0a763848391f68cb4a3"
            "66ad89857ac725a53b303ddea767be8dc5f605b1b95f6d24c9f06be65a973a08"
            "9320b3cc42569dcfd4b92b62a993785b0301b3fc452445656fce22664827b88f"
        ),
    );
    check::<Sha384>(
        [&hex!("c4868db5c46fde0a10008838b5be62c349209fded42fab461b01e11723c8242a"), &hex!("618faba54acba1e0afd4b27cbd731ed9"), &hex!("135132cf2b8a57554bdc13c68e90dc434353e4f65a4d5ca07c3e0a13c62e7265")],
        [&hex!("d30016b5827dc2bfe4034c6654d69775fe98432b19e3da373213d939d391f54a"), &hex!("a0bbd02f6aa71a06d1642ca2cc7cdc5e8857e431b176bcf1ecd20f041467bd2d")],
        [&hex!("93ee30a9e7a0e244aa91da62f2215c7233bdfc415740d2770780cbbad61b9ba2"), &hex!("36d922cacca00ae89db8f0c1cae5a47d2de8e61ae09357ca431c28a07907fce1")],
        &hex!(
            "2aac4cebed080c68ef0dcff348506eca568180f7370c020deda1a4c9050ce94d"
            "4db90fd827165846d6dd6cb2031eec1634b0e7f3e0e89504e34d248e23a8fb31"
            "cd32ff39a486946b2940f54c968f96cfc508cd871c84e68458ca7dccabc6dcfb"
            "1e9fbef9a47caae14c5239c28686e0fc0942b0c847c9d8d987970c1c5f5f06ea"
            "a8385575dacb1e925c0ed85e13edbb9922083f9bbbb79405411ff5dfe7061568"
            "5df1f1e49867d0b6ed69afe8ac5e76ffab6ff3d71b4dae998faf8c7d5bc6ae4d"
        ),
    );
    check::<Sha512>(
        [&hex!("4686a959e17dfb96c294b09c0f7a60efb386416cfb4c8972bcc55e44a151607a"), &hex!("5226543b4c89321bbfb0f11f18ee3462"), b""],
        [&hex!("5ef50daaf29929047870235c17762f5df5d9ab1af656e0e215fcc6fd9fc0d85d"), &hex!("d2383c3e528492269e6c3b3aaa2b54fbf48731f5aa52150ce7fc644679a5e7c6")],
        [&hex!("c841e7a2d9d13bdb8644cd7f5d91d241a369e12dc6c9c2be50d1ed29484bff98"), &hex!("9054cf9216af66a788d3bf6757b8987e42d4e49b325e728dc645d5e107048245")],
        &hex!(
            "b60d8803531b2b8583d17bdf3ac7c01f3c65cf9b069862b2d39b9024b34c172b"
            "712db0704acb078a1ab1aec0390dbaee2dec9be7b234e63da481fd469a92c77b"
            "c7bb2cfca586855520e0f9e9d47dcb9bdf2a2fdfa9f2b4342ef0ea582616b554"
            "77717cfd516d46d6383257743656f7cf8b38402ba795a8c9d35a4aa88bec6233"
            "13dad6ead689d152b54074f183b2fee556f554db343626cea853718f18d386bc"
            "8bebb0c07b3c5e96ceb391ffceece88864dbd3be83a613562c5c417a24807d5f"
            "9332974f045e79a9ade36994af6cf9bbeeb71d0025fcb4ad50f121cbc2df7cd1"
            "2ff5a50cddfd9a4bbc6d942d743c8b8fbebe00eeccea3d14e07ff8454fa715da"
        ),
    );

    fn check<H: Hash>(
        [entropy, nonce, personalization]: [&[u8]; 3],
        [fresh, with_it]: [&[u8]; 2],
        [first, second]: [&[u8]; 2],
        expected: &[u8],
    ) {
        let mut generator = HmacDrbg::<H>::new(entropy, nonce, personalization).unwrap();
        generator.reseed(fresh, with_it).unwrap();
        let mut out = vec![0; expected.len()];
        generator.generate(&mut out, first).unwrap();
        generator.generate(&mut out, second).unwrap();
        assert_eq!(out, expected);
    }
}

/// What is longer than one call may ask for is what calls give; nothing is done on a seed that is too short,
/// or after too many calls.
#[test]
fn requests() {
    let new = || HmacDrbg::<Sha256>::new(&[1; 14], b"", b"").unwrap();
    let (mut long, mut parts) = (vec![0; 65_537], vec![0; 65_537]);
    new().fill(&mut long).unwrap();
    let mut generator = new();
    generator.generate(&mut parts[..65_536], b"").unwrap();
    generator.generate(&mut parts[65_536..], b"").unwrap();
    assert!(long == parts);

    let (expected, actual) = (65_536, 65_537);
    let error = Error::BadLength { expected, actual };
    assert_eq!(generator.generate(&mut long, b""), Err(error));
    let error = Error::BadLength {
        expected: 14,
        actual: 13,
    };
    assert_eq!(
        HmacDrbg::<Sha256>::new(&[1; 13], b"nonce", b"").err(),
        Some(error)
    );
    assert_eq!(
        generator.reseed(&[1; 13], b"longer than entropy"),
        Err(error)
    );
    assert!(long == parts);
    // All of these left it as it was.
    let mut last = new();
    last.fill(&mut parts).unwrap();
    let mut next = [[0; 5]; 2];
    last.fill(&mut next[0]).unwrap();
    generator.fill(&mut next[1]).unwrap();
    assert_eq!(next[0], next[1]);

    last.requests = 1 << 48;
    let mut out = [7; 3];
    assert_eq!(last.fill(&mut out), Err(Error::NoEntropy));
    assert_eq!(out, [7; 3]);
    last.reseed(&[2; 14], b"").unwrap();
    last.fill(&mut out).unwrap();
    assert_ne!(out, [7; 3]);
}

/// A seed from another generator is half as long again as a digest.
#[test]
fn seeds_of_generators() {
    struct Counter(u8);
    impl Rng for Counter {
        fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
            for byte in out {
                self.0 = self.0.checked_add(1).ok_or(Error::NoEntropy)?;
                *byte = self.0;
            }
            Ok(())
        }
    }
    let mut source = Counter(0);
    let mut generator = HmacDrbg::<Sha256>::from_rng(&mut source, b"who").unwrap();
    assert_eq!(source.0, 48);
    let seed: [u8; 48] = core::array::from_fn(|i| i as u8 + 1);
    let mut same = HmacDrbg::<Sha256>::new(&seed[..32], &seed[32..], b"who").unwrap();
    let mut out = [[0; 40]; 2];
    generator.fill(&mut out[0]).unwrap();
    same.fill(&mut out[1]).unwrap();
    assert_eq!(out[0], out[1]);
    let mut source = Counter(255 - 95);
    assert!(HmacDrbg::<Sha512>::from_rng(&mut source, b"").is_err());
}
