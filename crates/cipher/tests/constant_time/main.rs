//! No operation's time depends on a secret: the taint check of `examples/taint.rs`, and the
//! assembly scan of what Valgrind cannot run, each with a build of its own, side by side.

mod asm_scan;

#[test]
fn no_branch_or_address_depends_on_a_secret() {
    adamant_testkit::taint::check(env!("CARGO_MANIFEST_DIR"));
}
