//! The implementations that Valgrind cannot run: their assembly jumps over blocks alone.

use crate::scan;
use adamant_hash::hazmat::{
    argon2, blake2b, blake2s, blake3, keccak, md5, pbkdf2, sha1, sha256, sha512, sm3,
};
use adamant_testkit::asm_scan::Function;

/// What the kernels of many lanes jump over.
const LENGTHS: &str = "lengths, number of blocks, of states, of words and of iterations";

#[test]
fn no_jump_depends_on_a_secret() {
    scan(
        "adamant_hash",
        &[
            Function::row(
                "sha256",
                "compress",
                sha256::Backend::implementations(),
                "x86_sha",
            )
            .allow(1, 1, "number of blocks"),
            Function::row(
                "sha256",
                "compress_pair",
                sha256::Backend::implementations(),
                "x86_sha",
            )
            .allow(1, 3, "number of blocks"),
            Function::row(
                "sha512",
                "compress",
                sha512::Backend::implementations(),
                "x86_avx512",
            )
            .allow(9, 2, "number of blocks and of groups, where in a group"),
            Function::row(
                "sha512",
                "compress",
                sha512::Backend::implementations(),
                "x86_avxvnni512",
            )
            .allow(
                9,
                3,
                "number of blocks and of groups, where in a group and a block",
            ),
            Function::row(
                "sha256::lanes",
                "hmac_chain",
                sha256::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(6, 15, LENGTHS),
            Function::row(
                "sha256::lanes",
                "hmac_chain",
                sha256::lanes::Backend::implementations(),
                "x86_avx512_registers",
            )
            .allow(6, 15, LENGTHS),
            Function::row(
                "sha256::chains",
                "run",
                sha256::chains::Backend::implementations(),
                "x86_avx512",
            )
            .allow(18, 41, LENGTHS),
            Function::row(
                "sha256::chains",
                "run",
                sha256::chains::Backend::implementations(),
                "x86_sha",
            )
            .allow(15, 79, LENGTHS),
            Function::row(
                "keccak::lanes",
                "chain",
                keccak::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(2, 12, LENGTHS),
            Function::row(
                "sha512::lanes",
                "hmac_chain",
                sha512::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(6, 14, LENGTHS),
            Function::row(
                "sha512::lanes",
                "hmac_chain",
                sha512::lanes::Backend::implementations(),
                "x86_avx512_registers",
            )
            .allow(5, 14, LENGTHS),
            Function::row(
                "sm3::lanes",
                "hmac_chain",
                sm3::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(6, 47, LENGTHS),
            Function::row(
                "sha1::lanes",
                "hmac_chain",
                sha1::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(11, 20, LENGTHS),
            Function::row(
                "md5",
                "compress",
                md5::Backend::implementations(),
                "x86_avx512vl",
            )
            .allow(1, 1, "number of blocks"),
            Function::row(
                "md5::lanes",
                "hmac_chain",
                md5::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(14, 35, LENGTHS),
            Function::row(
                "blake2b::lanes",
                "compress",
                blake2b::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(11, 66, LENGTHS),
            Function::row(
                "blake2s::lanes",
                "compress",
                blake2s::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(11, 83, LENGTHS),
            Function::row(
                "blake2b",
                "compress",
                blake2b::Backend::implementations(),
                "x86_avx512vl",
            )
            .allow(1, 1, "number of blocks"),
            Function::row(
                "blake2b",
                "compress_last",
                blake2b::Backend::implementations(),
                "x86_avx512vl",
            )
            .allow(0, 0, "nothing"),
            Function::row(
                "blake2s",
                "compress",
                blake2s::Backend::implementations(),
                "x86_avx512vl",
            )
            .allow(1, 1, "number of blocks"),
            Function::row(
                "blake2s",
                "compress_last",
                blake2s::Backend::implementations(),
                "x86_avx512vl",
            )
            .allow(0, 0, "nothing"),
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
            .allow(2, 2, "number of blocks"),
            Function::row(
                "sha1",
                "compress",
                sha1::Backend::implementations(),
                "x86_sha_avx512vl",
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
                "x86_avx512",
            )
            .allow(
                24,
                29,
                "number of chunks: which lanes are filled, and groups of lanes",
            ),
            Function::row(
                "blake3",
                "chunks",
                blake3::Backend::implementations(),
                "x86_avx512vbmi2",
            )
            .allow(
                24,
                29,
                "number of chunks: which lanes are filled, and groups of lanes",
            ),
            Function::row(
                "blake3",
                "parents",
                blake3::Backend::implementations(),
                "x86_avx512",
            )
            .allow(
                16,
                13,
                "number of nodes: which lanes are filled, and groups of lanes",
            ),
            Function::row(
                "blake3",
                "parents",
                blake3::Backend::implementations(),
                "x86_avx512vbmi2",
            )
            .allow(
                16,
                13,
                "number of nodes: which lanes are filled, and groups of lanes",
            ),
            Function::row(
                "sha256::lanes",
                "compress",
                sha256::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(14, 52, LENGTHS),
            Function::row(
                "sha256::lanes",
                "compress",
                sha256::lanes::Backend::implementations(),
                "x86_avx512_registers",
            )
            .allow(14, 52, LENGTHS),
            Function::row(
                "sha256::lanes",
                "compress",
                sha256::lanes::Backend::implementations(),
                "x86_sha",
            )
            .allow(6, 12, LENGTHS),
            Function::row(
                "sha256::lanes",
                "hmac_chain",
                sha256::lanes::Backend::implementations(),
                "x86_sha",
            )
            .allow(13, 36, LENGTHS),
            Function::row(
                "sha512::lanes",
                "compress",
                sha512::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(15, 35, LENGTHS),
            Function::row(
                "sha512::lanes",
                "compress",
                sha512::lanes::Backend::implementations(),
                "x86_avx512_registers",
            )
            .allow(14, 35, LENGTHS),
            Function::row(
                "sm3::lanes",
                "compress",
                sm3::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(14, 84, LENGTHS),
            Function::row(
                "sha1::lanes",
                "compress",
                sha1::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(15, 55, LENGTHS),
            Function::row(
                "sha1::lanes",
                "compress",
                sha1::lanes::Backend::implementations(),
                "x86_sha",
            )
            .allow(6, 12, LENGTHS),
            Function::row(
                "sha1::lanes",
                "hmac_chain",
                sha1::lanes::Backend::implementations(),
                "x86_sha",
            )
            .allow(11, 23, LENGTHS),
            Function::row(
                "md5::lanes",
                "compress",
                md5::lanes::Backend::implementations(),
                "x86_avx512",
            )
            .allow(20, 69, LENGTHS),
            Function::row(
                "pbkdf2::sha256",
                "run",
                pbkdf2::sha256::Backend::implementations(),
                "x86_sha",
            )
            .allow(4, 7, "number of chains and of iterations"),
            Function::row(
                "argon2",
                "compress",
                argon2::Backend::implementations(),
                "x86_avx512",
            )
            .allow(1, 1, "whether the old block is added"),
        ],
    );
}
