use super::Backend;

crate::lanes::tests::kernels_agree! {
    Backend, crate::sha256::Backend, state: [u32; 8], block: 64, order: to_be_bytes
}

crate::lanes::tests::batches_agree!(super::super::Backend, Sha224 Sha256);

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("haswell", "x86_avx2"),
            ("zen2", "x86_sha"),
            ("skylake-x", "x86_avx512"),
            ("zen4", "x86_avx512"),
            ("sapphire-rapids", "x86_avx512fp16"),
        ],
    );
}
