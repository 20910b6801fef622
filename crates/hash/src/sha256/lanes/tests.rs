use super::Backend;

crate::lanes::tests::kernels_agree! {
    Backend, SHA256, state: [u32; 8], block: 64, order: to_be_bytes
}

mod as_many_places_as_messages {
    crate::lanes::tests::places!(Sha224 Sha256);
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("haswell", "x86_avx2"),
            ("zen2", "x86_sha"),
            ("skylake-x", "x86_avx512"),
            ("zen4", "x86_avx512"),
            ("sapphire-rapids", "x86_avx512_registers"),
            ("armv8", "arm_neon"),
            ("cortex-a72", "arm_sha2"),
            ("neoverse-n1", "arm_sha2"),
            ("apple-m1", "arm_sha2"),
            ("neoverse-v1", "arm_sha2"),
        ],
    );
}
