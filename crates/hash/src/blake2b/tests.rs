use super::*;
use adamant_testkit::{equivalence, suites, table};
use hex_literal::hex;

/// RFC 7693, appendix A.
#[test]
fn abc() {
    let digest = hex!("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1" "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
    table!(Backend).for_each(|backend| {
        let mut hash = Blake2b512::with_backend(backend);
        hash.update(b"abc");
        assert_eq!(hash.finalize(), digest, "{backend:?}");
    });
}

/// The authors' vectors: the message 00 01 02 … of the length given, without a key and under the
/// key 00 01 … 3f.
#[test]
#[rustfmt::skip]
fn known_answers() {
    let bytes: [u8; 256] = core::array::from_fn(|i| i as u8);
    let cases = [
        (0, hex!("786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419" "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce"), hex!("10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786" "b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568")),
        (1, hex!("2fa3f686df876995167e7c2e5d74c4c7b6e48f8068fe0e44208344d480f7904c" "36963e44115fe3eb2a3ac8694c28bcb4f5a0f3276f2e79487d8219057a506e4b"), hex!("961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4" "187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd")),
        (127, hex!("b6292669ccd38d5f01caae96ba272c76a879a45743afa0725d83b9ebb26665b7" "31f1848c52f11972b6644f554c064fa90780dbbbf3a89d4fc31f67df3e5857ef"), hex!("76d2d819c92bce55fa8e092ab1bf9b9eab237a25267986cacf2b8ee14d214d73" "0dc9a5aa2d7b596e86a1fd8fa0804c77402d2fcd45083688b218b1cdfa0dcbcb")),
        (128, hex!("2319e3789c47e2daa5fe807f61bec2a1a6537fa03f19ff32e87eecbfd64b7e0e" "8ccff439ac333b040f19b0c4ddd11a61e24ac1fe0f10a039806c5dcc0da3d115"), hex!("72065ee4dd91c2d8509fa1fc28a37c7fc9fa7d5b3f8ad3d0d7a25626b57b1b44" "788d4caf806290425f9890a3a2a35a905ab4b37acfd0da6e4517b2525c9651e4")),
        (129, hex!("f59711d44a031d5f97a9413c065d1e614c417ede998590325f49bad2fd444d3e" "4418be19aec4e11449ac1a57207898bc57d76a1bcf3566292c20c683a5c4648f"), hex!("64475dfe7600d7171bea0b394e27c9b00d8e74dd1e416a79473682ad3dfdbb70" "6631558055cfc8a40e07bd015a4540dcdea15883cbbf31412df1de1cd4152b91")),
        (255, hex!("5b21c5fd8868367612474fa2e70e9cfa2201ffeee8fafab5797ad58fefa17c9b" "5b107da4a3db6320baaf2c8617d5a51df914ae88da3867c2d41f0cc14fa67928"), hex!("142709d62e28fcccd0af97fad0f8465b971e82201dc51070faa0372aa43e9248" "4be1c1e73ba10906d5d1853db6a4106e0a7bf9800d373d6dee2d46d62ef2a461")),
    ];
    table!(Backend).for_each(|backend| {
        for (len, digest, keyed) in cases {
            let mut hash = Blake2b::<64>::with_backend(backend);
            hash.update(&bytes[..len]);
            assert_eq!(hash.finalize(), digest, "{backend:?} {len}");
            let mut mac = Blake2bMac::<64>::with_backend(backend, &bytes[..64]).unwrap();
            mac.update(&bytes[..len]);
            assert_eq!(mac.clone().finalize(), keyed, "{backend:?} {len}");
            assert_eq!(mac.verify(&keyed), Ok(()));
        }
    });
}

/// RFC 7693, appendix E: a digest of the digests of several lengths, keyed and not.
#[test]
fn self_test() {
    fn sequence(len: usize) -> Vec<u8> {
        let (mut a, mut b) = (0xdead_4bad_u32.wrapping_mul(len as u32), 1u32);
        let next = |_| {
            (a, b) = (b, a.wrapping_add(b));
            (b >> 24) as u8
        };
        (0..len).map(next).collect()
    }
    fn digests<const N: usize>(backend: Backend, all: &mut Blake2b<32>) {
        for len in [0, 3, 128, 129, 255, 1024] {
            let message = sequence(len);
            let mut hash = Blake2b::<N>::with_backend(backend);
            hash.update(&message);
            all.update(&hash.finalize());
            let mut mac = Blake2bMac::<N>::with_backend(backend, &sequence(N)).unwrap();
            mac.update(&message);
            all.update(&mac.finalize());
        }
    }
    let expected = hex!("c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475");
    table!(Backend).for_each(|backend| {
        let mut all = Blake2b::<32>::with_backend(backend);
        digests::<20>(backend, &mut all);
        digests::<32>(backend, &mut all);
        digests::<48>(backend, &mut all);
        digests::<64>(backend, &mut all);
        assert_eq!(all.finalize(), expected, "{backend:?}");
    });
}

/// Made with the reference implementation.
#[test]
fn salt_and_personalization() {
    let parameters = Parameters::new()
        .salt(&hex!("101112131415161718191a1b1c1d1e1f"))
        .personalization(&hex!("202122232425262728292a2b2c2d2e2f"))
        .key(b"key")
        .unwrap();
    table!(Backend).for_each(|backend| {
        let mut hash = Blake2b::<20>::with_parameters(backend, &parameters);
        hash.update(b"abc");
        assert_eq!(
            hash.finalize(),
            hex!("1723ffeffacd67cafb947d7e906169f63343e169")
        );
    });
}

#[test]
fn implementations_agree() {
    let table = table!(Backend);
    equivalence::hash(&table, Blake2b::<64>::with_backend);
    equivalence::streaming(
        &table,
        128,
        |backend| Blake2bMac::<20>::with_backend(backend, &[7; 20]).unwrap(),
        Blake2bMac::update,
        Blake2bMac::finalize,
    );
    table.for_each(|backend| {
        suites::hash::check(|| Blake2b::<64>::with_backend(backend));
        suites::hash::check(|| Blake2b::<20>::with_backend(backend));
        suites::mac::check(64, |key| Blake2bMac::<64>::with_backend(backend, key));
        suites::mac::check(9, |key| Blake2bMac::<16>::with_backend(backend, key));
    });
}

/// Counters beyond one word.
#[test]
fn long_messages() {
    let block = [7; 128];
    table!(Backend).against_portable(|backend, portable| {
        for t in [u64::MAX - 100, u64::MAX] {
            let run = |backend: Backend| {
                let mut h = IV;
                backend.compress(&mut h, &[block; 2], t.into());
                backend.compress_last(&mut h, &block, u128::from(t) * 3);
                h
            };
            assert_eq!(run(backend), run(portable));
        }
    });
}

#[test]
fn lengths() {
    let mut out = [0; 65];
    digest_into(b"abc", &mut out[..20]).unwrap();
    assert_eq!(out[..20], Blake2b::<20>::digest(b"abc"));
    digest_into(b"abc", &mut out[..64]).unwrap();
    assert_eq!(out[..64], Blake2b::<64>::digest(b"abc"));
    let bad = |actual| Error::BadLength {
        expected: 64,
        actual,
    };
    assert_eq!(digest_into(b"", &mut out), Err(bad(65)));
    assert_eq!(digest_into(b"", &mut []), Err(bad(0)));
    assert_eq!(Blake2bMac::<16>::new(&out).err(), Some(bad(65)));
    assert_eq!(Blake2bMac::<16>::new(&[]).err(), Some(bad(0)));
    assert!(Parameters::new().key(&[]).is_ok());
}

#[test]
fn refused_tags() {
    let mut mac = Blake2bMac::<16>::new(b"key").unwrap();
    mac.update(b"message");
    let tag = mac.clone().finalize();
    for bit in 0..128 {
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(mac.clone().verify(&wrong), Err(Error::BadTag));
    }
    assert_eq!(mac.clone().verify(&tag[..15]), Err(Error::BadTag));
    assert_eq!(mac.verify(&tag), Ok(()));
}
