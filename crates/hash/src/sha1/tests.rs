use super::*;
use adamant_testkit::{equivalence, suites, table};
use hex_literal::hex;

/// The examples of FIPS 180 and the empty message, on every implementation.
#[test]
fn known_answers() {
    let million = vec![b'a'; 1_000_000];
    table!(Backend).for_each(|backend| {
        for (message, digest) in [
            (
                &b"abc"[..],
                hex!("a9993e364706816aba3e25717850c26c9cd0d89d"),
            ),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                hex!("84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
            ),
            (&million, hex!("34aa973cd4c4daa4f61eeb2bdbad27316534016f")),
            (b"", hex!("da39a3ee5e6b4b0d3255bfef95601890afd80709")),
        ] {
            let mut hash = Sha1::new_on(backend);
            hash.update(message);
            assert_eq!(hash.finalize(), digest, "{backend:?}");
        }
    });
}

#[test]
fn implementations_agree() {
    let table = table!(Backend);
    equivalence::hash(&table, Sha1::new_on);
    table.for_each(|backend| suites::hash::check(|| Sha1::new_on(backend)));
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("haswell", "portable"),
            ("zen4", "x86_sha"),
            ("sapphire-rapids", "x86_sha_avx512vl"),
            ("armv8", "arm_neon"),
            ("cortex-a72", "arm_sha2"),
            ("neoverse-n1", "arm_sha2"),
            ("apple-m1", "arm_sha2"),
            ("neoverse-v1", "arm_sha2"),
        ],
    );
}
