use super::*;
use adamant_testkit::table;
use hex_literal::hex;

/// RFC 9106, 5, on every implementation: 32 KiB, three passes, four lanes, all inputs.
#[test]
fn rfc9106() {
    for (variant, tag) in [
        (
            Variant::D,
            hex!("512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb"),
        ),
        (
            Variant::I,
            hex!("c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8"),
        ),
        (
            Variant::Id,
            hex!("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"),
        ),
    ] {
        let argon2 = Argon2::new(variant, 32, 3, 4)
            .unwrap()
            .with_secret(&[3; 8])
            .with_associated_data(&[4; 12]);
        table!(Backend).for_each(|backend| {
            let mut out = [0; 32];
            argon2
                .with_backend(backend)
                .derive(&[1; 32], &[2; 16], &mut out)
                .unwrap();
            assert_eq!(out, tag, "{variant:?}");
        });
    }
}

/// RFC 9106, 5.3, in memory of the caller's, which is wiped: what lies behind it stays.
#[test]
fn within() {
    let argon2 = Argon2::new(Variant::Id, 35, 3, 4)
        .unwrap()
        .with_secret(&[3; 8])
        .with_associated_data(&[4; 12]);
    let mut expected = [0; 32];
    let (password, salt) = (&[1; 32], &[2; 16]);
    argon2.derive(password, salt, &mut expected).unwrap();
    let mut memory = [[7; 128]; 33];
    let mut out = [0; 32];
    let few = argon2.derive_within(password, salt, &mut memory[..31], &mut out);
    assert_eq!((few, out), (Err(Error::OutOfMemory), [0; 32]));
    argon2
        .derive_within(password, salt, &mut memory, &mut out)
        .unwrap();
    assert_eq!(out, expected);
    assert!(memory[..32].as_flattened().iter().all(|word| *word == 0));
    assert_eq!(memory[32], [7; 128]);
}

/// The values that the reference implementation's test program checks for version 0x13.
#[test]
fn reference_implementation() {
    use Variant::{I, Id};
    let cases: [(Variant, u32, u32, u32, &[u8], &[u8], [u8; 32]); 14] = [
        (
            I,
            1 << 16,
            2,
            1,
            b"password",
            b"somesalt",
            hex!("c1628832147d9720c5bd1cfd61367078729f6dfb6f8fea9ff98158e0d7816ed0"),
        ),
        (
            I,
            1 << 8,
            2,
            1,
            b"password",
            b"somesalt",
            hex!("89e9029f4637b295beb027056a7336c414fadd43f6b208645281cb214a56452f"),
        ),
        (
            I,
            1 << 8,
            2,
            2,
            b"password",
            b"somesalt",
            hex!("4ff5ce2769a1d7f4c8a491df09d41a9fbe90e5eb02155a13e4c01e20cd4eab61"),
        ),
        (
            I,
            1 << 16,
            1,
            1,
            b"password",
            b"somesalt",
            hex!("d168075c4d985e13ebeae560cf8b94c3b5d8a16c51916b6f4ac2da3ac11bbecf"),
        ),
        (
            I,
            1 << 16,
            4,
            1,
            b"password",
            b"somesalt",
            hex!("aaa953d58af3706ce3df1aefd4a64a84e31d7f54175231f1285259f88174ce5b"),
        ),
        (
            I,
            1 << 16,
            2,
            1,
            b"differentpassword",
            b"somesalt",
            hex!("14ae8da01afea8700c2358dcef7c5358d9021282bd88663a4562f59fb74d22ee"),
        ),
        (
            I,
            1 << 16,
            2,
            1,
            b"password",
            b"diffsalt",
            hex!("b0357cccfbef91f3860b0dba447b2348cbefecadaf990abfe9cc40726c521271"),
        ),
        (
            Id,
            1 << 16,
            2,
            1,
            b"password",
            b"somesalt",
            hex!("09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"),
        ),
        (
            Id,
            1 << 8,
            2,
            1,
            b"password",
            b"somesalt",
            hex!("9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"),
        ),
        (
            Id,
            1 << 8,
            2,
            2,
            b"password",
            b"somesalt",
            hex!("6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037"),
        ),
        (
            Id,
            1 << 16,
            1,
            1,
            b"password",
            b"somesalt",
            hex!("f6a5adc1ba723dddef9b5ac1d464e180fcd9dffc9d1cbf76cca2fed795d9ca98"),
        ),
        (
            Id,
            1 << 16,
            4,
            1,
            b"password",
            b"somesalt",
            hex!("9025d48e68ef7395cca9079da4c4ec3affb3c8911fe4f86d1a2520856f63172c"),
        ),
        (
            Id,
            1 << 16,
            2,
            1,
            b"differentpassword",
            b"somesalt",
            hex!("0b84d652cf6b0c4beaef0dfe278ba6a80df6696281d7e0d2891b817d8c458fde"),
        ),
        (
            Id,
            1 << 16,
            2,
            1,
            b"password",
            b"diffsalt",
            hex!("bdf32b05ccc42eb15d58fd19b1f856b113da1e9a5874fdcc544308565aa8141c"),
        ),
    ];
    for (variant, memory, passes, lanes, password, salt, tag) in cases {
        let argon2 = Argon2::new(variant, memory, passes, lanes).unwrap();
        let mut out = [0; 32];
        argon2.derive(password, salt, &mut out).unwrap();
        assert_eq!(out, tag, "{variant:?} {memory} {passes} {lanes}");
    }
}

#[test]
fn bad_parameters() {
    for (memory, passes, lanes, which) in [
        (7, 1, 1, "memory"),
        (8, 0, 1, "passes"),
        (8, 1, 0, "lanes"),
        (u32::MAX, 1, 1 << 24, "lanes"),
        (15, 1, 2, "memory"),
    ] {
        let refused = Argon2::new(Variant::Id, memory, passes, lanes).err();
        assert_eq!(refused, Some(Error::BadParameter(which)));
    }
    let argon2 = Argon2::new(Variant::Id, 8, 1, 1).unwrap();
    let refused = |expected, actual| Err(Error::BadLength { expected, actual });
    let mut out = [1; 4];
    assert_eq!(argon2.derive(b"", b"seven b", &mut out), refused(8, 7));
    assert_eq!(
        argon2.derive(b"", b"eight by", &mut out[..3]),
        refused(4, 3)
    );
    assert_eq!(out, [1; 4]);
    assert_eq!(argon2.derive(b"", b"eight by", &mut out), Ok(()));
}
