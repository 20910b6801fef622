//! RFC 9380: its vectors (appendices J.4, J.5 and K), and the maps at their exceptions.

use crate::curve25519::hash_to_curve::{expand_message_xmd, expand_message_xof};
use crate::curve25519::{RistrettoPoint, Scalar};
use crate::hazmat::group::EdwardsPoint;
use adamant_base::Error;
use adamant_hash::{Sha256, Sha512, Shake128, Shake256};
use hex_literal::hex;

/// The messages of all suites.
fn messages() -> [Vec<u8>; 5] {
    let long = |start: &str, letter: &str, count| format!("{start}{}", letter.repeat(count));
    [
        String::new(),
        "abc".to_owned(),
        "abcdef0123456789".to_owned(),
        long("q128_", "q", 128),
        long("a512_", "a", 512),
    ]
    .map(String::into_bytes)
}

/// Two coordinates, most significant byte first.
type Coordinates = ([u8; 32], [u8; 32]);

const EDWARDS_RO: [Coordinates; 5] = [
    (
        hex!("3c3da6925a3c3c268448dcabb47ccde5439559d9599646a8260e47b1e4822fc6"),
        hex!("09a6c8561a0b22bef63124c588ce4c62ea83a3c899763af26d795302e115dc21"),
    ),
    (
        hex!("608040b42285cc0d72cbb3985c6b04c935370c7361f4b7fbdb1ae7f8c1a8ecad"),
        hex!("1a8395b88338f22e435bbd301183e7f20a5f9de643f11882fb237f88268a5531"),
    ),
    (
        hex!("6d7fabf47a2dc03fe7d47f7dddd21082c5fb8f86743cd020f3fb147d57161472"),
        hex!("53060a3d140e7fbcda641ed3cf42c88a75411e648a1add71217f70ea8ec561a6"),
    ),
    (
        hex!("5fb0b92acedd16f3bcb0ef83f5c7b7a9466b5f1e0d8d217421878ea3686f8524"),
        hex!("2eca15e355fcfa39d2982f67ddb0eea138e2994f5956ed37b7f72eea5e89d2f7"),
    ),
    (
        hex!("0efcfde5898a839b00997fbe40d2ebe950bc81181afbd5cd6b9618aa336c1e8c"),
        hex!("6dc2fc04f266c5c27f236a80b14f92ccd051ef1ff027f26a07f8c0f327d8f995"),
    ),
];

const EDWARDS_NU: [Coordinates; 5] = [
    (
        hex!("1ff2b70ecf862799e11b7ae744e3489aa058ce805dd323a936375a84695e76da"),
        hex!("222e314d04a4d5725e9f2aff9fb2a6b69ef375a1214eb19021ceab2d687f0f9b"),
    ),
    (
        hex!("5f13cc69c891d86927eb37bd4afc6672360007c63f68a33ab423a3aa040fd2a8"),
        hex!("67732d50f9a26f73111dd1ed5dba225614e538599db58ba30aaea1f5c827fa42"),
    ),
    (
        hex!("1dd2fefce934ecfd7aae6ec998de088d7dd03316aa1847198aecf699ba6613f1"),
        hex!("2f8a6c24dd1adde73909cada6a4a137577b0f179d336685c4a955a0a8e1a86fb"),
    ),
    (
        hex!("35fbdc5143e8a97afd3096f2b843e07df72e15bfca2eaf6879bf97c5d3362f73"),
        hex!("2af6ff6ef5ebba128b0774f4296cb4c2279a074658b083b8dcca91f57a603450"),
    ),
    (
        hex!("6e5e1f37e99345887fc12111575fc1c3e36df4b289b8759d23af14d774b66bff"),
        hex!("2c90c3d39eb18ff291d33441b35f3262cdd307162cc97c31bfcc7a4245891a37"),
    ),
];

const MONTGOMERY_RO: [Coordinates; 5] = [
    (
        hex!("2de3780abb67e861289f5749d16d3e217ffa722192d16bbd9d1bfb9d112b98c0"),
        hex!("3b5dc2a498941a1033d176567d457845637554a2fe7a3507d21abd1c1bd6e878"),
    ),
    (
        hex!("2b4419f1f2d48f5872de692b0aca72cc7b0a60915dd70bde432e826b6abc526d"),
        hex!("1b8235f255a268f0a6fa8763e97eb3d22d149343d495da1160eff9703f2d07dd"),
    ),
    (
        hex!("68ca1ea5a6acf4e9956daa101709b1eee6c1bb0df1de3b90d4602382a104c036"),
        hex!("2a375b656207123d10766e68b938b1812a4a6625ff83cb8d5e86f58a4be08353"),
    ),
    (
        hex!("096e9c8bae6c06b554c1ee69383bb0e82267e064236b3a30608d4ed20b73ac5a"),
        hex!("1eb5a62612cafb32b16c3329794645b5b948d9f8ffe501d4e26b073fef6de355"),
    ),
    (
        hex!("1bc61845a138e912f047b5e70ba9606ba2a447a4dade024c8ef3dd42b7bbc5fe"),
        hex!("623d05e47b70e25f7f1d51dda6d7c23c9a18ce015fe3548df596ea9e38c69bf1"),
    ),
];

const MONTGOMERY_NU: [Coordinates; 5] = [
    (
        hex!("1bb913f0c9daefa0b3375378ffa534bda5526c97391952a7789eb976edfe4d08"),
        hex!("4548368f4f983243e747b62a600840ae7c1dab5c723991f85d3a9768479f3ec4"),
    ),
    (
        hex!("7c22950b7d900fa866334262fcaea47a441a578df43b894b4625c9b450f9a026"),
        hex!("5547bc00e4c09685dcbc6cb6765288b386d8bdcb595fa5a6e3969e08097f0541"),
    ),
    (
        hex!("31ad08a8b0deeb2a4d8b0206ca25f567ab4e042746f792f4b7973f3ae2096c52"),
        hex!("405070c28e78b4fa269427c82827261991b9718bd6c6e95d627d701a53c30db1"),
    ),
    (
        hex!("027877759d155b1997d0d84683a313eb78bdb493271d935b622900459d52ceaa"),
        hex!("54d691731a53baa30707f4a87121d5169fb5d587d70fb0292b5830dedbec4c18"),
    ),
    (
        hex!("5fd892c0958d1a75f54c3182a18d286efab784e774d1e017ba2fb252998b5dc1"),
        hex!("750af3c66101737423a4519ac792fb93337bd74ee751f19da4cf1e94f4d6d0b8"),
    ),
];

fn tag(suite: &str) -> Vec<u8> {
    format!("QUUX-V01-CS02-with-{suite}").into_bytes()
}

fn reversed(mut bytes: [u8; 32]) -> [u8; 32] {
    bytes.reverse();
    bytes
}

/// A function of this module's namesake.
type ToCurve = fn(&[&[u8]], &[u8]) -> Result<EdwardsPoint, Error>;

#[test]
fn edwards25519() {
    for (suite, function, expected) in [
        (
            "edwards25519_XMD:SHA-512_ELL2_RO_",
            EdwardsPoint::hash_to_curve as ToCurve,
            EDWARDS_RO,
        ),
        (
            "edwards25519_XMD:SHA-512_ELL2_NU_",
            EdwardsPoint::encode_to_curve,
            EDWARDS_NU,
        ),
    ] {
        for (message, (x, y)) in messages().iter().zip(expected) {
            let point = function(&[message], &tag(suite)).unwrap();
            let mut encoded = reversed(y);
            encoded[31] |= x[31] << 7;
            assert_eq!(point.compress(), encoded);
            assert_eq!(point.0.to_affine().x.to_bytes(), reversed(x));
            assert!(point.is_torsion_free().declassify());
        }
    }
}

#[test]
fn curve25519() {
    for (suite, function, expected) in [
        (
            "curve25519_XMD:SHA-512_ELL2_RO_",
            EdwardsPoint::hash_to_curve as ToCurve,
            MONTGOMERY_RO,
        ),
        (
            "curve25519_XMD:SHA-512_ELL2_NU_",
            EdwardsPoint::encode_to_curve,
            MONTGOMERY_NU,
        ),
    ] {
        for (message, (u, v)) in messages().iter().zip(expected) {
            // In two parts, too.
            let (start, end) = message.split_at(message.len() / 2);
            let point = function(&[start, end], &tag(suite)).unwrap();
            let coordinates = (reversed(u), reversed(v));
            assert_eq!(point.to_montgomery_coordinates(), coordinates);
            assert_eq!(point.to_montgomery().to_bytes(), reversed(u));
        }
    }
}

/// The blinded element of RFC 9497, appendix A.1.1.1, which hides a hashed input.
#[test]
fn ristretto255() {
    let tag = b"HashToGroup-OPRFV1-\0-ristretto255-SHA512";
    let element = RistrettoPoint::hash_to_curve(&[&[0]], tag).unwrap();
    let blind = hex!("64d37aed22a27f5191de1c1d69fadb899d8862b58eb4220029e036ec4c1f6706");
    let blinded = element * Scalar::from_bytes(&blind).unwrap();
    assert_eq!(
        blinded.compress(),
        hex!("609a0ae68c15a3cf6903766461307e5c8bb2f95e7e6550e1ffa2dc99e412803c")
    );
}

/// Checks the first bytes of the outputs for each message and both lengths, 32 and 128.
fn check(expand: impl Fn(&[u8], &mut [u8]), expected: [[u8; 32]; 10]) {
    for (i, expected) in expected.iter().enumerate() {
        let mut out = vec![0; if i < 5 { 32 } else { 128 }];
        expand(&messages()[i % 5], &mut out);
        assert_eq!(out[..32], expected[..]);
    }
}

#[test]
fn expand_xmd_sha256_38() {
    let tag = "QUUX-V01-CS02-with-expander-SHA256-128";
    check(
        |message, out| expand_message_xmd::<Sha256>(&[message], tag.as_bytes(), out).unwrap(),
        [
            hex!("68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"),
            hex!("d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"),
            hex!("eff31487c770a893cfb36f912fbfcbff40d5661771ca4b2cb4eafe524333f5c1"),
            hex!("b23a1d2b4d97b2ef7785562a7e8bac7eed54ed6e97e29aa51bfe3f12ddad1ff9"),
            hex!("4623227bcc01293b8c130bf771da8c298dede7383243dc0993d2d94823958c4c"),
            hex!("af84c27ccfd45d41914fdff5df25293e221afc53d8ad2ac06d5e3e29485dadbe"),
            hex!("abba86a6129e366fc877aab32fc4ffc70120d8996c88aee2fe4b32d6c7b6437a"),
            hex!("ef904a29bffc4cf9ee82832451c946ac3c8f8058ae97d8d629831a74c6572bd9"),
            hex!("80be107d0884f0d881bb460322f0443d38bd222db8bd0b0a5312a6fedb49c1bb"),
            hex!("546aff5444b5b79aa6148bd81728704c32decb73a3ba76e9e75885cad9def1d0"),
        ],
    );
}

#[test]
fn expand_xmd_sha256_256() {
    let tag = format!(
        "QUUX-V01-CS02-with-expander-SHA256-128-long-DST-{}",
        "1".repeat(208)
    );
    check(
        |message, out| expand_message_xmd::<Sha256>(&[message], tag.as_bytes(), out).unwrap(),
        [
            hex!("e8dc0c8b686b7ef2074086fbdd2f30e3f8bfbd3bdf177f73f04b97ce618a3ed3"),
            hex!("52dbf4f36cf560fca57dedec2ad924ee9c266341d8f3d6afe5171733b16bbb12"),
            hex!("35387dcf22618f3728e6c686490f8b431f76550b0b2c61cbc1ce7001536f4521"),
            hex!("01b637612bb18e840028be900a833a74414140dde0c4754c198532c3a0ba42bc"),
            hex!("20cce7033cabc5460743180be6fa8aac5a103f56d481cf369a8accc0c374431b"),
            hex!("14604d85432c68b757e485c8894db3117992fc57e0e136f71ad987f789a0abc2"),
            hex!("1a30a5e36fbdb87077552b9d18b9f0aee16e80181d5b951d0471d55b66684914"),
            hex!("d2ecef3635d2397f34a9f86438d772db19ffe9924e28a1caf6f1c8f15603d402"),
            hex!("ed6e8c036df90111410431431a232d41a32c86e296c05d426e5f44e75b9a50d3"),
            hex!("78b53f2413f3c688f07732c10e5ced29a17c6a16f717179ffbe38d92d6c9ec29"),
        ],
    );
}

#[test]
fn expand_xmd_sha512_38() {
    let tag = "QUUX-V01-CS02-with-expander-SHA512-256";
    check(
        |message, out| expand_message_xmd::<Sha512>(&[message], tag.as_bytes(), out).unwrap(),
        [
            hex!("6b9a7312411d92f921c6f68ca0b6380730a1a4d982c507211a90964c394179ba"),
            hex!("0da749f12fbe5483eb066a5f595055679b976e93abe9be6f0f6318bce7aca8dc"),
            hex!("087e45a86e2939ee8b91100af1583c4938e0f5fc6c9db4b107b83346bc967f58"),
            hex!("7336234ee9983902440f6bc35b348352013becd88938d2afec44311caf8356b3"),
            hex!("57b5f7e766d5be68a6bfe1768e3c2b7f1228b3e4b3134956dd73a59b954c66f4"),
            hex!("41b037d1734a5f8df225dd8c7de38f851efdb45c372887be655212d07251b921"),
            hex!("7f1dddd13c08b543f2e2037b14cefb255b44c83cc397c1786d975653e36a6b11"),
            hex!("3f721f208e6199fe903545abc26c837ce59ac6fa45733f1baaf0222f8b7acb04"),
            hex!("b799b045a58c8d2b4334cf54b78260b45eec544f9f2fb5bd12fb603eaee70db7"),
            hex!("05b0bfef265dcee87654372777b7c44177e2ae4c13a27f103340d9cd11c86cb2"),
        ],
    );
}

#[test]
fn expand_xof_shake128_36() {
    let tag = "QUUX-V01-CS02-with-expander-SHAKE128";
    check(
        |message, out| {
            expand_message_xof::<Shake128>(&[message], tag.as_bytes(), 128, out).unwrap()
        },
        [
            hex!("86518c9cd86581486e9485aa74ab35ba150d1c75c88e26b7043e44e2acd735a2"),
            hex!("8696af52a4d862417c0763556073f47bc9b9ba43c99b505305cb1ec04a9ab468"),
            hex!("912c58deac4821c3509dbefa094df54b34b8f5d01a191d1d3108a2c89077acca"),
            hex!("1adbcc448aef2a0cebc71dac9f756b22e51839d348e031e63b33ebb50faeaf3f"),
            hex!("df3447cc5f3e9a77da10f819218ddf31342c310778e0e4ef72bbaecee786a4fe"),
            hex!("7314ff1a155a2fb99a0171dc71b89ab6e3b2b7d59e38e64419b8b6294d03ffee"),
            hex!("c952f0c8e529ca8824acc6a4cab0e782fc3648c563ddb00da7399f2ae35654f4"),
            hex!("19b65ee7afec6ac06a144f2d6134f08eeec185f1a890fe34e68f0e377b7d0312"),
            hex!("ca1b56861482b16eae0f4a26212112362fcc2d76dcc80c93c4182ed66c5113fe"),
            hex!("9d763a5ce58f65c91531b4100c7266d479a5d9777ba761693d052acd37d149e7"),
        ],
    );
}

#[test]
fn expand_xof_shake128_256() {
    let tag = format!(
        "QUUX-V01-CS02-with-expander-SHAKE128-long-DST-{}",
        "1".repeat(210)
    );
    check(
        |message, out| {
            expand_message_xof::<Shake128>(&[message], tag.as_bytes(), 128, out).unwrap()
        },
        [
            hex!("827c6216330a122352312bccc0c8d6e7a146c5257a776dbd9ad9d75cd880fc53"),
            hex!("690c8d82c7213b4282c6cb41c00e31ea1d3e2005f93ad19bbf6da40f15790c5c"),
            hex!("979e3a15064afbbcf99f62cc09fa9c85028afcf3f825eb0711894dcfc2f57057"),
            hex!("c5a9220962d9edc212c063f4f65b609755a1ed96e62f9db5d1fd6adb5a8dc52b"),
            hex!("f7b96a5901af5d78ce1d071d9c383cac66a1dfadb508300ec6aeaea0d62d5d62"),
            hex!("3890dbab00a2830be398524b71c2713bbef5f4884ac2e6f070b092effdb19208"),
            hex!("41b7ffa7a301b5c1441495ebb9774e2a53dbbf4e54b9a1af6a20fd41eafd69ef"),
            hex!("55317e4a21318472cd2290c3082957e1242241d9e0d04f47026f034016431314"),
            hex!("19fdd2639f082e31c77717ac9bb032a22ff0958382b2dbb39020cdc78f0da433"),
            hex!("945373f0b3431a103333ba6a0a34f1efab2702efde41754c4cb1d5216d5b0a92"),
        ],
    );
}

#[test]
fn expand_xof_shake256_36() {
    let tag = "QUUX-V01-CS02-with-expander-SHAKE256";
    check(
        |message, out| {
            expand_message_xof::<Shake256>(&[message], tag.as_bytes(), 256, out).unwrap()
        },
        [
            hex!("2ffc05c48ed32b95d72e807f6eab9f7530dd1c2f013914c8fed38c5ccc15ad76"),
            hex!("b39e493867e2767216792abce1f2676c197c0692aed061560ead251821808e07"),
            hex!("245389cf44a13f0e70af8665fe5337ec2dcd138890bb7901c4ad9cfceb054b65"),
            hex!("719b3911821e6428a5ed9b8e600f2866bcf23c8f0515e52d6c6c019a03f16f0e"),
            hex!("9181ead5220b1963f1b5951f35547a5ea86a820562287d6ca4723633d17ccbbc"),
            hex!("7a1361d2d7d82d79e035b8880c5a3c86c5afa719478c007d96e6c88737a3f631"),
            hex!("a54303e6b172909783353ab05ef08dd435a558c3197db0c132134649708e0b9b"),
            hex!("e42e4d9538a189316e3154b821c1bafb390f78b2f010ea404e6ac063deb8c085"),
            hex!("4ac054dda0a38a65d0ecf7afd3c2812300027c8789655e47aecf1ecc1a2426b1"),
            hex!("09afc76d51c2cccbc129c2315df66c2be7295a231203b8ab2dd7f95c2772c68e"),
        ],
    );
}

#[test]
fn bad_parameters() {
    let mut out = vec![7; 65_536];
    let too_long = Error::BadLength {
        expected: 255 * 64,
        actual: 255 * 64 + 1,
    };
    let expanded = expand_message_xmd::<Sha512>(&[], b"tag", &mut out[..255 * 64 + 1]);
    assert_eq!(expanded, Err(too_long));
    assert!(expand_message_xof::<Shake256>(&[], b"tag", 256, &mut out).is_err());
    assert!(expand_message_xof::<Shake256>(&[], b"tag", 257, &mut out[..1]).is_err());
    let empty = Err(Error::BadParameter("DST"));
    assert_eq!(expand_message_xmd::<Sha512>(&[], b"", &mut out[..1]), empty);
    assert!(out.iter().all(|byte| *byte == 7));
    expand_message_xmd::<Sha512>(&[], b"tag", &mut out[..255 * 64]).unwrap();
    assert!(EdwardsPoint::hash_to_curve(&[b"message"], b"").is_err());
    assert!(RistrettoPoint::hash_to_curve(&[b"message"], b"").is_err());
}
