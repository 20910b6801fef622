use super::*;
use adamant_testkit::table;
use hex_literal::hex;

/// RFC 7914, 12, on every implementation. The fourth, of 1 GiB, is the third with N = 2^20 and
/// runs when `ADAMANT_LONG_TESTS` is set to 1.
#[test]
fn rfc7914() {
    let long = std::env::var("ADAMANT_LONG_TESTS").is_ok_and(|v| v == "1");
    let cases: [(&[u8], &[u8], (u64, u32, u32), [u8; 64]); 4] = [
        (
            b"",
            b"",
            (16, 1, 1),
            hex!(
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
        ),
        (
            b"password",
            b"NaCl",
            (1024, 8, 16),
            hex!(
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
        ),
        (
            b"pleaseletmein",
            b"SodiumChloride",
            (16384, 8, 1),
            hex!(
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
            ),
        ),
        (
            b"pleaseletmein",
            b"SodiumChloride",
            (1 << 20, 8, 1),
            hex!(
                "2101cb9b6a511aaeaddbbe09cf70f881ec568d574a2ffd4dabe5ee9820adaa47"
                "8e56fd8f4ba5d09ffa1c6d927c40f4c337304049e8a952fbcbf45c6fa77a41a4"
            ),
        ),
    ];
    for (password, salt, (n, r, p), key) in cases {
        if n > 16384 && !long {
            continue;
        }
        let params = Params::new(n, r, p).unwrap();
        table!(Backend).for_each(|backend| {
            let mut out = [0; 64];
            let params = params.with_backend(backend);
            params.derive(password, salt, &mut out).unwrap();
            assert_eq!(out, key, "{params:?}");
        });
    }
}

/// A batch is the first and the fourth of RFC 7914's inputs with its first parameters.
#[test]
fn batch() {
    let params = Params::new(16, 1, 1).unwrap();
    let inputs: [(&[u8], &[u8]); 2] = [(b"", b""), (b"pleaseletmein", b"SodiumChloride")];
    let keys = params.derive_batch::<64>(&inputs).unwrap();
    let [first, second] = &keys[..] else {
        panic!("{} keys", keys.len());
    };
    assert_eq!(first[..8], hex!("77d6576238657b20"));
    let mut alone = [0; 64];
    let (password, salt) = inputs[1];
    params.derive(password, salt, &mut alone).unwrap();
    assert_eq!(**second, alone);
}

#[test]
fn as_many_places_as_inputs() {
    let params = Params::new(4, 1, 1).unwrap();
    let refused = params.derive_batch_into(&[(b"one", b""), (b"two", b"")], &mut [&mut [0; 8]]);
    assert_eq!(
        refused,
        Err(Error::BadLength {
            expected: 2,
            actual: 1
        })
    );
}

#[test]
fn bad_parameters() {
    for (n, r, p, which) in [
        (0, 1, 1, "n"),
        (1, 1, 1, "n"),
        (3, 1, 1, "n"),
        (1 << 16, 1, 1, "n"),
        (16, 0, 1, "n"),
        (1 << 63, 8, 1, "n"),
        (16, 1 << 30, 1, "r"),
        (16, 1, 0, "p"),
        (16, 1 << 20, 1 << 10, "p"),
    ] {
        let refused = Params::new(n, r, p);
        assert_eq!(refused, Err(Error::BadParameter(which)), "{n} {r} {p}");
    }
    assert!(Params::new(1 << 15, 1, 1).is_ok());
    // More than any machine has: told, not crashed over; more than addresses tell apart: at once.
    let huge = Params::new(1 << 40, 1 << 12, 1);
    if usize::BITS < 64 {
        assert_eq!(huge, Err(Error::BadParameter("n")));
        return;
    }
    let mut out = [1; 8];
    let refused = huge.unwrap().derive(b"", b"", &mut out);
    assert_eq!(refused, Err(Error::OutOfMemory));
    assert_eq!(out, [1; 8]);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("haswell", "x86_64"),
            ("zen4", "x86_avx512vl"),
            ("zen5", "x86_64"),
        ],
    );
}

/// In memory of the caller's, which is wiped: what lies behind it stays.
#[test]
fn within() {
    let params = Params::new(16, 2, 3).unwrap();
    let (mut out, mut expected) = ([0; 24], [0; 24]);
    params.derive(b"password", b"salt", &mut expected).unwrap();
    let mut blocks = vec![[7; 16]; params.blocks() + 1];
    let mut bytes = vec![7; params.bytes() + 1];
    for (fewer, of_bytes) in [(2, 1), (1, 2)] {
        let few = params.derive_within(
            b"password",
            b"salt",
            &mut blocks[fewer..],
            &mut bytes[of_bytes..],
            &mut out,
        );
        assert_eq!((few, out), (Err(Error::OutOfMemory), [0; 24]));
    }
    params
        .derive_within(b"password", b"salt", &mut blocks, &mut bytes, &mut out)
        .unwrap();
    assert_eq!(out, expected);
    let (last, blocks) = blocks.split_last().unwrap();
    assert!(blocks.as_flattened().iter().all(|word| *word == 0));
    let (last_byte, bytes) = bytes.split_last().unwrap();
    assert!(bytes.iter().all(|byte| *byte == 0));
    assert_eq!((*last, *last_byte), ([7; 16], 7));
}
