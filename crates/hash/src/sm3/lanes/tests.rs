use super::Backend;

crate::lanes::tests::kernels_agree! {
    Backend, SM3, state: [u32; 8], block: 64, order: to_be_bytes
}

mod as_many_places_as_messages {
    crate::lanes::tests::places!(Sm3);
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("westmere", "portable"),
            ("zen2", "x86_avx2"),
            ("skylake-x", "x86_avx512"),
            ("armv8", "arm_neon"),
            ("neoverse-n1", "arm_neon"),
            ("apple-m1", "arm_neon"),
            ("neoverse-v1", "arm_sm4"),
        ],
    );
}
