//! The implementations that Valgrind cannot run: their assembly jumps over blocks alone.
//!
//! An AEAD that is merely composed of a cipher and a hash has the code between them in common with
//! its portable implementations, which Valgrind runs; here are the cipher and the hash.

use crate::scan;
use adamant_base::Implementation;
use adamant_cipher::hazmat::{aes, chacha20, chacha20_poly1305, des, gcm, ghash, poly1305, sm4};
use adamant_testkit::asm_scan::Function;

/// The functions of a row, with their jumps back and ahead.
fn row<I: Iterator<Item = &'static Implementation>>(
    module: &str,
    implementations: impl Fn() -> I,
    name: &'static str,
    functions: &[(&str, usize, usize)],
) -> Vec<Function<'static>> {
    functions
        .iter()
        .map(|&(function, loops, guards)| {
            Function::row(module, function, implementations(), name).allow(
                loops,
                guards,
                "lengths, number of blocks and of rounds, and where a counter wraps",
            )
        })
        .collect()
}

#[test]
fn no_jump_depends_on_a_secret() {
    let functions = [
        row(
            "aes",
            aes::Backend::implementations,
            "x86_vaes512",
            &[
                ("expand", 1, 22),
                ("encrypt_blocks", 46, 61),
                ("decrypt_blocks", 40, 66),
                ("ctr", 42, 82),
                ("cbc_encrypt", 3, 9),
                ("cbc_decrypt", 39, 58),
                ("cbc_mac", 3, 11),
                ("xts_encrypt", 21, 42),
                ("xts_decrypt", 19, 45),
            ],
        ),
        row(
            "aes",
            aes::Backend::implementations,
            "x86_vaes256",
            &[
                ("expand", 1, 22),
                ("encrypt_blocks", 27, 33),
                ("decrypt_blocks", 23, 37),
                ("ctr", 24, 31),
                ("cbc_decrypt", 24, 37),
                ("xts_encrypt", 23, 51),
                ("xts_decrypt", 19, 60),
            ],
        ),
        row(
            "aes::lanes",
            aes::lanes::Backend::implementations,
            "x86_vaes512",
            &[("cbc_encrypt", 120, 442), ("ctr", 68, 160)],
        ),
        row(
            "des",
            des::Backend::implementations,
            "x86_vbmi512",
            &[
                ("encrypt_blocks", 2, 7),
                ("decrypt_blocks", 2, 8),
                ("cbc_decrypt", 5, 10),
            ],
        ),
        row(
            "des",
            des::Backend::implementations,
            "x86_avx512",
            &[
                ("encrypt_blocks", 15, 25),
                ("decrypt_blocks", 15, 25),
                ("cbc_decrypt", 18, 28),
            ],
        ),
        row(
            "sm4",
            sm4::Backend::implementations,
            "x86_gfni512",
            &[
                ("expand", 1, 0),
                ("encrypt_blocks", 5, 7),
                ("decrypt_blocks", 5, 7),
                ("ctr", 17, 23),
                ("cbc_encrypt", 2, 2),
                ("cbc_decrypt", 9, 10),
                ("cbc_mac", 2, 1),
                ("xts_encrypt", 11, 10),
                ("xts_decrypt", 11, 10),
            ],
        ),
        row(
            "ghash",
            ghash::Backend::implementations,
            "x86_vpclmul512",
            &[("init", 10, 12), ("update", 3, 11), ("finish", 3, 11)],
        ),
        row(
            "ghash",
            ghash::Backend::implementations,
            "x86_vpclmul256",
            &[("init", 1, 0), ("update", 3, 5), ("finish", 3, 7)],
        ),
        row(
            "gcm",
            gcm::Backend::implementations,
            "x86_vaes256",
            &[("init", 4, 27), ("ghash", 3, 5)],
        ),
        row(
            "gcm",
            gcm::Backend::implementations,
            "x86_vaes512",
            &[
                ("init", 13, 39),
                ("seal", 77, 178),
                ("open", 73, 169),
                ("ghash", 3, 11),
            ],
        ),
        row(
            "chacha20",
            chacha20::Backend::implementations,
            "x86_avx512",
            &[("xor", 17, 46)],
        ),
        row(
            "chacha20_poly1305",
            chacha20_poly1305::Backend::implementations,
            "x86_ifma512",
            &[("seal", 47, 143), ("open", 47, 143)],
        ),
        row(
            "poly1305",
            poly1305::Backend::implementations,
            "x86_ifma512",
            &[("update", 7, 10)],
        ),
    ];
    scan("adamant_cipher", &functions.concat());
}
