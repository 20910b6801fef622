//! The implementations that Valgrind cannot run: their assembly jumps over blocks alone.
#![cfg(target_arch = "x86_64")]

use adamant_hash::{blake3, keccak, sha1, sha256, sm3};
use adamant_testkit::asm_scan::{Function, check};

#[test]
fn no_jump_depends_on_a_secret() {
    check(
        env!("CARGO_MANIFEST_DIR"),
        &[
            Function::row(
                "sha256",
                "compress",
                sha256::Backend::implementations(),
                "x86_sha",
            )
            .allow(1, 1, "number of blocks"),
            Function::row(
                "keccak",
                "permute",
                keccak::Backend::implementations(),
                "x86_avx512",
            )
            .allow(1, 1, "number of rounds"),
            Function::row(
                "keccak",
                "absorb",
                keccak::Backend::implementations(),
                "x86_avx512",
            )
            .allow(28, 28, "lanes in a block, number of blocks and of rounds"),
            Function::row(
                "keccak::lanes",
                "permute",
                keccak::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(1, 1, "number of rounds"),
            Function::row(
                "keccak::lanes",
                "absorb",
                keccak::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(1, 1, "number of rounds"),
            Function::row(
                "keccak::lanes",
                "absorb_messages",
                keccak::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(
                11,
                48,
                "lengths, lanes in a block, number of blocks and of rounds",
            ),
            Function::row(
                "sm3",
                "compress",
                sm3::Backend::implementations(),
                "x86_avx512",
            )
            .allow(1, 1, "number of blocks"),
            Function::row(
                "sha1",
                "compress",
                sha1::Backend::implementations(),
                "x86_sha",
            )
            .allow(1, 1, "number of blocks"),
            Function::row(
                "blake3",
                "chunks",
                blake3::Backend::implementations(),
                "x86_avx512_x16",
            )
            .allow(
                24,
                10,
                "number of chunks: which lanes are filled, and groups of lanes",
            ),
            Function::row(
                "blake3",
                "parents",
                blake3::Backend::implementations(),
                "x86_avx512_x16",
            )
            .allow(
                16,
                4,
                "number of nodes: which lanes are filled, and groups of lanes",
            ),
        ],
    );
}
