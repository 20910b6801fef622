use super::*;
use adamant_testkit::{equivalence, suites, table};
use hex_literal::hex;

/// GB/T 32905's examples (A.1 and A.2) and two lengths more, on every implementation.
#[test]
fn known_answers() {
    let million = vec![b'a'; 1_000_000];
    table!(Backend).for_each(|backend| {
        for (message, digest) in [
            (
                &b"abc"[..],
                hex!("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
            ),
            (
                &b"abcd".repeat(16),
                hex!("debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"),
            ),
            (
                b"",
                hex!("1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b"),
            ),
            (
                &million,
                hex!("c8aaf89429554029e231941a2acc0ad61ff2a5acd8fadd25847a3a732b3b02c3"),
            ),
        ] {
            let mut hash = Sm3::new_on(backend);
            hash.update(message);
            assert_eq!(hash.finalize(), digest, "{backend:?}");
        }
    });
}

#[test]
fn implementations_agree() {
    let table = table!(Backend);
    equivalence::hash(&table, Sm3::new_on);
    table.for_each(|backend| suites::hash::check(|| Sm3::new_on(backend)));
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("haswell", "portable"),
            ("zen4", "x86_avx512"),
            ("armv8", "portable"),
            ("apple-m1", "portable"),
            ("neoverse-v1", "arm_sm4"),
        ],
    );
}
