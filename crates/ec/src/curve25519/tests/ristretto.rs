//! ristretto255: the vectors of RFC 9496, appendix A, and that representatives do not show.

use super::group::order_8;
use crate::curve25519::group::EdwardsPoint;
use crate::curve25519::{RistrettoPoint, Scalar, TableSize};
use adamant_base::Error;
use adamant_hash::Sha512;
use hex_literal::hex;

/// A.1: the multiples 0 to 15 of the generator.
const MULTIPLES: [[u8; 32]; 16] = [
    hex!("0000000000000000000000000000000000000000000000000000000000000000"),
    hex!("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"),
    hex!("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"),
    hex!("94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259"),
    hex!("da80862773358b466ffadfe0b3293ab3d9fd53c5ea6c955358f568322daf6a57"),
    hex!("e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e"),
    hex!("f64746d3c92b13050ed8d80236a7f0007c3b3f962f5ba793d19a601ebb1df403"),
    hex!("44f53520926ec81fbd5a387845beb7df85a96a24ece18738bdcfa6a7822a176d"),
    hex!("903293d8f2287ebe10e2374dc1a53e0bc887e592699f02d077d5263cdd55601c"),
    hex!("02622ace8f7303a31cafc63f8fc48fdc16e1c8c8d234b2f0d6685282a9076031"),
    hex!("20706fd788b2720a1ed2a5dad4952b01f413bcf0e7564de8cdc816689e2db95f"),
    hex!("bce83f8ba5dd2fa572864c24ba1810f9522bc6004afe95877ac73241cafdab42"),
    hex!("e4549ee16b9aa03099ca208c67adafcafa4c3f3e4e5303de6026e3ca8ff84460"),
    hex!("aa52e000df2e16f55fb1032fc33bc42742dad6bd5a8fc0be0167436c5948501f"),
    hex!("46376b80f409b29dc2b5f6f0c52591990896e5716f41477cd30085ab7f10301e"),
    hex!("e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e"),
];

/// A.2: encodings that are not canonical, negative, of no square, of a negative x y, of y = 0.
const INVALID: [[u8; 32]; 29] = [
    hex!("00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    hex!("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    hex!("f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    hex!("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    hex!("0100000000000000000000000000000000000000000000000000000000000000"),
    hex!("01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    hex!("ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20"),
    hex!("c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562"),
    hex!("c940e5a4404157cfb1628b108db051a8d439e1a421394ec4ebccb9ec92a8ac78"),
    hex!("47cfc5497c53dc8e61c91d17fd626ffb1c49e2bca94eed052281b510b1117a24"),
    hex!("f1c6165d33367351b0da8f6e4511010c68174a03b6581212c71c0e1d026c3c72"),
    hex!("87260f7a2f12495118360f02c26a470f450dadf34a413d21042b43b9d93e1309"),
    hex!("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371"),
    hex!("4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f"),
    hex!("de6a7b00deadc788eb6b6c8d20c0ae96c2f2019078fa604fee5b87d6e989ad7b"),
    hex!("bcab477be20861e01e4a0e295284146a510150d9817763caf1a6f4b422d67042"),
    hex!("2a292df7e32cababbd9de088d1d1abec9fc0440f637ed2fba145094dc14bea08"),
    hex!("f4a9e534fc0d216c44b218fa0c42d99635a0127ee2e53c712f70609649fdff22"),
    hex!("8268436f8c4126196cf64b3c7ddbda90746a378625f9813dd9b8457077256731"),
    hex!("2810e5cbc2cc4d4eece54f61c6f69758e289aa7ab440b3cbeaa21995c2f4232b"),
    hex!("3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e"),
    hex!("a45fdc55c76448c049a1ab33f17023edfb2be3581e9c7aade8a6125215e04220"),
    hex!("d483fe813c6ba647ebbfd3ec41adca1c6130c2beeee9d9bf065c8d151c5f396e"),
    hex!("8a2e1d30050198c65a54483123960ccc38aef6848e1ec8f5f780e8523769ba32"),
    hex!("32888462f8b486c68ad7dd9610be5192bbeaf3b443951ac1a8118419d9fa097b"),
    hex!("227142501b9d4355ccba290404bde41575b037693cef1f438c47f8fbf35d1165"),
    hex!("5c37cc491da847cfeb9281d407efc41e15144c876e0170b499a96a22ed31e01e"),
    hex!("445425117cb8c90edcbc7c1cc0e74f747f2c1efa5630a967c64f287792a48a4b"),
    hex!("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
];

/// A.3: what the hashes of labels are mapped to.
const MAPPED: [(&str, [u8; 32]); 7] = [
    (
        "Ristretto is traditionally a short shot of espresso coffee",
        hex!("3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46"),
    ),
    (
        "made with the normal amount of ground coffee but extracted with",
        hex!("f26e5b6f7d362d2d2a94c5d0e7602cb4773c95a2e5c31a64f133189fa76ed61b"),
    ),
    (
        "about half the amount of water in the same amount of time",
        hex!("006ccd2a9e6867e6a2c5cea83d3302cc9de128dd2a9a57dd8ee7b9d7ffe02826"),
    ),
    (
        "by using a finer grind.",
        hex!("f8f0c87cf237953c5890aec3998169005dae3eca1fbb04548c635953c817f92a"),
    ),
    (
        "This produces a concentrated shot of coffee per volume.",
        hex!("ae81e7dedf20a497e10c304a765c1767a42d6e06029758d2d7e8ef7cc4c41179"),
    ),
    (
        "Just pulling a normal shot short will produce a weaker shot",
        hex!("e2705652ff9f5e44d3e841bf1c251cf7dddb77d140870d1ab2ed64f1a9ce8628"),
    ),
    (
        "and is not a Ristretto as some believe.",
        hex!("80bd07262511cdde4863f8a7434cef696750681cb9510eea557088f76d9e5065"),
    ),
];

#[test]
fn multiples_of_the_generator() {
    let mut sum = RistrettoPoint::NEUTRAL;
    for (i, encoded) in MULTIPLES.iter().enumerate() {
        let scalar = Scalar::from(i as u64);
        let decoded = RistrettoPoint::decompress(encoded).unwrap();
        for point in [
            sum,
            decoded,
            RistrettoPoint::mul_base(&scalar),
            RistrettoPoint::BASE * scalar,
            RistrettoPoint::BASE.table(TableSize::Kib60).mul(&scalar),
        ] {
            assert_eq!(point.compress(), *encoded);
            assert_eq!(point, decoded);
        }
        sum += RistrettoPoint::BASE;
        assert_ne!(sum, decoded);
    }
}

#[test]
fn invalid_encodings() {
    for encoded in INVALID {
        assert_eq!(
            RistrettoPoint::decompress(&encoded),
            Err(Error::BadPublicKey)
        );
        let refused = RistrettoPoint::try_from(&encoded[..]);
        assert_eq!(refused, Err(Error::BadPublicKey));
    }
    for len in [0, 31, 33, 64] {
        let refused = Err(Error::BadLength {
            expected: 32,
            actual: len,
        });
        assert_eq!(RistrettoPoint::try_from(&vec![0; len][..]), refused);
        let refused = EdwardsPoint::try_from(&vec![0; len][..]).err();
        assert_eq!(refused, RistrettoPoint::try_from(&vec![0; len][..]).err());
    }
    let base = RistrettoPoint::try_from(&MULTIPLES[1][..]);
    assert_eq!(base, Ok(RistrettoPoint::BASE));
    let base = EdwardsPoint::try_from(&EdwardsPoint::BASE.compress()[..]);
    assert_eq!(base, Ok(EdwardsPoint::BASE));
}

#[test]
fn one_way_map() {
    for (label, encoded) in MAPPED {
        let element = RistrettoPoint::from_uniform_bytes(&Sha512::digest(label.as_bytes()));
        assert_eq!(element.compress(), encoded);
    }
}

#[test]
fn all_representatives_are_equal() {
    // Points of order 4 lead from one to the next.
    let order_4 = EdwardsPoint(order_8().extend()).double();
    for (i, encoded) in MULTIPLES.iter().enumerate() {
        let mut point = RistrettoPoint::mul_base(&Scalar::from(i as u64)).representative();
        let decoded = RistrettoPoint::decompress(encoded).unwrap();
        for _ in 0..4 {
            point += order_4;
            let element = RistrettoPoint::of(point);
            assert_eq!(element.compress(), *encoded);
            assert_eq!(element, decoded);
        }
    }
}

#[test]
fn batches() {
    let valid = MULTIPLES.map(|encoded| RistrettoPoint::decompress(&encoded).unwrap());
    let mut encoded = [[0; 32]; 16];
    RistrettoPoint::compress_batch_into(&valid, &mut encoded).unwrap();
    assert_eq!(encoded, MULTIPLES);
    let bytes: Vec<_> = MULTIPLES.iter().chain(&INVALID).copied().collect();
    let mut decoded = vec![Ok(RistrettoPoint::NEUTRAL); bytes.len()];
    RistrettoPoint::decompress_batch_into(&bytes, &mut decoded).unwrap();
    for (bytes, decoded) in bytes.iter().zip(&decoded) {
        assert_eq!(*decoded, RistrettoPoint::decompress(bytes));
    }
    assert!(RistrettoPoint::decompress_batch_into(&bytes, &mut decoded[1..]).is_err());
    assert!(RistrettoPoint::compress_batch_into(&valid, &mut encoded[1..]).is_err());
}
