//! The kernels that Valgrind cannot run: their assembly has public loops alone.

use crate::scan;
use adamant_testkit::asm_scan::Function;

#[test]
fn no_jump_depends_on_a_secret() {
    let blocks = "blocks of digits, and whether it is a square";
    scan(
        "adamant_bignum",
        &[
            Function::new("x86_ifma512::lanes::multiply_by").allow(4, 20, blocks),
            Function::new("x86_ifma512::single::multiply").allow(2, 13, "digits, registers"),
            Function::new("x86_ifma512::single::square").allow(2, 12, "digits, registers"),
            Function::new("x86_ifma512::product::product").allow(10, 26, "digits, registers"),
            Function::new("x86_ifma512::single::lookup").allow(2, 4, "entries, registers"),
        ],
    );
}
