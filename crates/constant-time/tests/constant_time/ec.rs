//! The implementations that Valgrind cannot run: their assembly has public loops alone.

use crate::scan;
use adamant_ec::hazmat::{ed448, ed25519, group, x25519};
use adamant_testkit::asm_scan::Function;

/// Multiplications of single points on the curves of the list of the schemes, and on SM2's.
macro_rules! weierstrass {
    (curves { $({ $feature:tt $curve:ident $module:ident $($_c:tt)* })* } $($_groups:tt)*) => {
        weierstrass!($($module)* sm2p256v1)
    };
    ($($module:ident)*) => {
        [$(
            Function::row(
                stringify!($module),
                "mul",
                adamant_ec::hazmat::$module::Backend::implementations(),
                "x86_ifma512",
            )
            .allow(
                16,
                24,
                "the words, the windows, the edges of words, the table, whether a scalar is in \
                 halves, the last window, the doublings, the steps of the inversion",
            ),
        )*]
    };
}

#[test]
fn no_jump_depends_on_a_secret() {
    let of_ed25519 = || ed25519::Backend::implementations();
    let of_x25519 = || x25519::Backend::implementations();
    let of_group = || group::Backend::implementations();
    let of_448 = || ed448::Backend::implementations();
    let mut functions = vec![
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
            6,
            "the items, their groups, the bits of a scalar",
        ),
        Function::new("curve25519::x86_ifma_x8::base::mul_base_lanes").allow(
            5,
            8,
            "the scalars, the digits, the rows, the edges of words, the doublings",
        ),
        Function::new("curve25519::x86_ifma_x8::inverse::invert").allow(
            12,
            2,
            "the elements, the lanes, the squarings of the inversion",
        ),
        Function::row("group", "mul", of_group(), "x86_ifma").allow(
            4,
            1,
            "the multiples, the digits, the doublings",
        ),
        Function::row("group", "mul_base", of_group(), "x86_ifma").allow(
            2,
            3,
            "the table, the doublings, the edges of words",
        ),
        Function::row("curve448", "mul_base", of_448(), "x86_ifma").allow(
            11,
            4,
            "the table, the doublings, the squarings and the runs of ones of the inversion",
        ),
    ];
    functions.extend(adamant_base::schemes!(weierstrass));
    scan("adamant_ec", &functions);
}
