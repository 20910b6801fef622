use super::*;
use adamant_testkit::{equivalence, suites, table};
use hex_literal::hex;

/// RFC 7693, appendix B.
#[test]
fn abc() {
    let digest = hex!("508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982");
    table!(Backend).for_each(|backend| {
        let mut hash = Blake2s256::with_backend(backend);
        hash.update(b"abc");
        assert_eq!(hash.finalize(), digest, "{backend:?}");
    });
}

/// The authors' vectors: the message 00 01 02 … of the length given, without a key and under the
/// key 00 01 … 1f.
#[test]
#[rustfmt::skip]
fn known_answers() {
    let bytes: [u8; 256] = core::array::from_fn(|i| i as u8);
    let cases = [
        (0, hex!("69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9"), hex!("48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49")),
        (1, hex!("e34d74dbaf4ff4c6abd871cc220451d2ea2648846c7757fbaac82fe51ad64bea"), hex!("40d15fee7c328830166ac3f918650f807e7e01e177258cdc0a39b11f598066f1")),
        (63, hex!("e57cb79487dd57902432b250733813bd96a84efce59f650fac26e6696aefafc3"), hex!("c65382513f07460da39833cb666c5ed82e61b9e998f4b0c4287cee56c3cc9bcd")),
        (64, hex!("56f34e8b96557e90c1f24b52d0c89d51086acf1b00f634cf1dde9233b8eaaa3e"), hex!("8975b0577fd35566d750b362b0897a26c399136df07bababbde6203ff2954ed4")),
        (65, hex!("1b53ee94aaf34e4b159d48de352c7f0661d0a40edff95a0b1639b4090e974472"), hex!("21fe0ceb0052be7fb0f004187cacd7de67fa6eb0938d927677f2398c132317a8")),
        (128, hex!("1fa877de67259d19863a2a34bcc6962a2b25fcbf5cbecd7ede8f1fa36688a796"), hex!("0c311f38c35a4fb90d651c289d486856cd1413df9b0677f53ece2cd9e477c60a")),
        (129, hex!("5bd169e67c82c2c2e98ef7008bdf261f2ddf30b1c00f9e7f275bb3e8a28dc9a2"), hex!("46a73a8dd3e70f59d3942c01df599def783c9da82fd83222cd662b53dce7dbdf")),
        (255, hex!("f03f5789d3336b80d002d59fdf918bdb775b00956ed5528e86aa994acb38fe2d"), hex!("3fb735061abc519dfe979e54c1ee5bfad0a9d858b3315bad34bde999efd724dd")),
    ];
    table!(Backend).for_each(|backend| {
        for (len, digest, keyed) in cases {
            let mut hash = Blake2s::<32>::with_backend(backend);
            hash.update(&bytes[..len]);
            assert_eq!(hash.finalize(), digest, "{backend:?} {len}");
            let mut mac = Blake2sMac::<32>::with_backend(backend, &bytes[..32]).unwrap();
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
    fn digests<const N: usize>(backend: Backend, all: &mut Blake2s<32>) {
        for len in [0, 3, 64, 65, 255, 1024] {
            let message = sequence(len);
            let mut hash = Blake2s::<N>::with_backend(backend);
            hash.update(&message);
            all.update(&hash.finalize());
            let mut mac = Blake2sMac::<N>::with_backend(backend, &sequence(N)).unwrap();
            mac.update(&message);
            all.update(&mac.finalize());
        }
    }
    let expected = hex!("6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe");
    table!(Backend).for_each(|backend| {
        let mut all = Blake2s::<32>::with_backend(backend);
        digests::<16>(backend, &mut all);
        digests::<20>(backend, &mut all);
        digests::<28>(backend, &mut all);
        digests::<32>(backend, &mut all);
        assert_eq!(all.finalize(), expected, "{backend:?}");
    });
}

/// Made with the reference implementation.
#[test]
fn salt_and_personalization() {
    let parameters = Parameters::new()
        .salt(&hex!("1011121314151617"))
        .personalization(&hex!("2021222324252627"))
        .key(b"key")
        .unwrap();
    table!(Backend).for_each(|backend| {
        let mut hash = Blake2s::<20>::with_parameters(backend, &parameters);
        hash.update(b"abc");
        assert_eq!(
            hash.finalize(),
            hex!("2597bee7f4697aca044ec3428b774de0dea785d8")
        );
    });
}

#[test]
fn implementations_agree() {
    let table = table!(Backend);
    equivalence::hash(&table, Blake2s::<32>::with_backend);
    equivalence::streaming(
        &table,
        64,
        |backend| Blake2sMac::<20>::with_backend(backend, &[7; 20]).unwrap(),
        Blake2sMac::update,
        Blake2sMac::finalize,
    );
    table.for_each(|backend| {
        suites::hash::check(|| Blake2s::<32>::with_backend(backend));
        suites::hash::check(|| Blake2s::<20>::with_backend(backend));
        suites::mac::check(32, |key| Blake2sMac::<32>::with_backend(backend, key));
        suites::mac::check(9, |key| Blake2sMac::<16>::with_backend(backend, key));
    });
}

/// Counters beyond one word.
#[test]
fn long_messages() {
    let block = [7; 64];
    table!(Backend).against_portable(|backend, portable| {
        for t in [u32::MAX - 100, u32::MAX] {
            let run = |backend: Backend| {
                let mut h = IV;
                backend.compress(&mut h, &[block; 2], t.into());
                backend.compress_last(&mut h, &block, u64::from(t) * 3);
                h
            };
            assert_eq!(run(backend), run(portable));
        }
    });
}

#[test]
fn lengths() {
    let mut out = [0; 33];
    digest_into(b"abc", &mut out[..20]).unwrap();
    assert_eq!(out[..20], Blake2s::<20>::digest(b"abc"));
    digest_into(b"abc", &mut out[..32]).unwrap();
    assert_eq!(out[..32], Blake2s::<32>::digest(b"abc"));
    let bad = |actual| Error::BadLength {
        expected: 32,
        actual,
    };
    assert_eq!(digest_into(b"", &mut out), Err(bad(33)));
    assert_eq!(digest_into(b"", &mut []), Err(bad(0)));
    assert_eq!(Blake2sMac::<16>::new(&out).err(), Some(bad(33)));
    assert_eq!(Blake2sMac::<16>::new(&[]).err(), Some(bad(0)));
    assert!(Parameters::new().key(&[]).is_ok());
}

#[test]
fn refused_tags() {
    let mut mac = Blake2sMac::<16>::new(b"key").unwrap();
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
