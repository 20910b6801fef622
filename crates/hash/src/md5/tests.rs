use super::*;
use adamant_testkit::{equivalence, suites, table};
use hex_literal::hex;

/// RFC 1321, A.5.
#[test]
fn known_answers() {
    for (message, digest) in [
        ("", hex!("d41d8cd98f00b204e9800998ecf8427e")),
        ("a", hex!("0cc175b9c0f1b6a831c399e269772661")),
        ("abc", hex!("900150983cd24fb0d6963f7d28e17f72")),
        ("message digest", hex!("f96b697d7cb7938d525a2f31aaf161d0")),
        (
            "abcdefghijklmnopqrstuvwxyz",
            hex!("c3fcd3d76192e4007dfb496cca67e13b"),
        ),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            hex!("d174ab98d277d9f5a5611c2c9f419d9f"),
        ),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            hex!("57edf4a22be3c955ac49da2e2107b67a"),
        ),
    ] {
        assert_eq!(Md5::digest(message.as_bytes()), digest);
    }
}

#[test]
fn table_of_sines() {
    for (i, t) in (1..).zip(T) {
        assert_eq!(t, (f64::from(i).sin().abs() * 2f64.powi(32)) as u32);
    }
}

#[test]
fn implementations_agree() {
    let table = table!(Backend);
    equivalence::hash(&table, Md5::new_on);
    table.for_each(|backend| suites::hash::check(|| Md5::new_on(backend)));
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("zen4", "portable"),
            ("sapphire-rapids", "x86_avx512vl"),
            ("armv8", "portable"),
            ("neoverse-v1", "portable"),
        ],
    );
}
