//! The taint check of `examples/taint.rs`.

#[test]
fn no_branch_or_address_depends_on_a_secret() {
    adamant_testkit::taint::check(env!("CARGO_MANIFEST_DIR"));
}
