use super::Backend;

crate::lanes::tests::kernels_agree! {
    Backend, crate::md5::Backend, state: [u32; 4], block: 64, order: to_le_bytes
}

crate::lanes::tests::batches_agree!(super::super::Backend, Md5);

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("westmere", "portable"),
            ("zen2", "x86_avx2"),
            ("skylake-x", "x86_avx512"),
        ],
    );
}
