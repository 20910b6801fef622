use super::Backend;

crate::lanes::tests::kernels_agree! {
    Backend, SHA512, state: [u64; 8], block: 128, order: to_be_bytes
}

mod as_many_places_as_messages {
    crate::lanes::tests::places!(Sha384 Sha512 Sha512_256);
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("westmere", "portable"),
            ("zen2", "x86_avx2"),
            ("skylake-x", "x86_avx512"),
            ("sapphire-rapids", "x86_avx512_registers"),
            ("armv8", "portable"),
            ("cortex-a72", "portable"),
            ("neoverse-n1", "portable"),
            ("apple-m1", "arm_sha3"),
            ("neoverse-v1", "arm_sha3"),
        ],
    );
}
