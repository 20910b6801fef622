//! The implementations that Valgrind cannot run: their assembly has public loops alone.
#![cfg(target_arch = "x86_64")]

use adamant_ec::{ed25519, x25519};
use adamant_testkit::asm_scan::{Function, check};

#[test]
fn no_jump_depends_on_a_secret() {
    let of_ed25519 = || ed25519::Backend::implementations();
    let of_x25519 = || x25519::Backend::implementations();
    check(
        env!("CARGO_MANIFEST_DIR"),
        &[
            Function::row("ed25519", "mul_base", of_ed25519(), "x86_ifma").allow(
                12,
                4,
                "the table, the doublings, the squarings of the inversion",
            ),
            Function::row("x25519", "mul_base_u", of_x25519(), "x86_ifma").allow(
                12,
                4,
                "the table, the doublings, the squarings of the inversion",
            ),
            Function::row("x25519", "ladder", of_x25519(), "x86_ifma").allow(
                9,
                0,
                "the bits of a scalar, the squarings of the inversion",
            ),
            Function::row("x25519", "ladder_batch", of_x25519(), "x86_ifma").allow(
                8,
                4,
                "the items, the bits of a scalar",
            ),
            Function::new("curve25519::x86_ifma_x8::base::mul_base_8").allow(
                5,
                5,
                "the scalars, the digits, the edges of words, the doublings",
            ),
            Function::new("curve25519::x86_ifma_x8::convert::invert").allow(
                12,
                2,
                "the elements, the lanes, the squarings of the inversion",
            ),
        ],
    );
}
