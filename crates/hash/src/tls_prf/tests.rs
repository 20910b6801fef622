use super::*;
use crate::{Sha224, Sha256, Sha384, Sha512, Sm3, sha256, sha512};
use hex_literal::hex;

fn check<B, H: Hash>(
    new: impl Fn(B) -> H,
    backends: impl Iterator<Item = B>,
    secret: &[u8],
    seed: &[u8],
    expected: &[u8],
) {
    for backend in backends {
        let mut out = vec![0; expected.len()];
        derive_with_hash(&new(backend), secret, b"test label", seed, &mut out);
        assert_eq!(out, expected);
    }
}

/// The vectors from the mailing list of the TLS working group.
#[test]
fn mailing_list() {
    check(
        Sha256::new_on,
        sha256::Backend::available(),
        &hex!("9bbe436ba940f017b17652849a71db35"),
        &hex!("a0ba9f936cda311827a6f796ffd5198c"),
        &hex!(
            "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66"
        ),
    );
    check(
        Sha224::new_on,
        sha256::Backend::available(),
        &hex!("e18828740352b530d69b34c6597dea2e"),
        &hex!("f5a3fe6d34e2e28560fdcaf6823f9091"),
        &hex!(
            "224d8af3c0453393a9779789d21cf7da5ee62ae6b617873d489428efc8dd58d1566e7029e2ca3a5ecd355dc64d4d927e2fbd78c4233e8604b14749a77a92a70fddf614bc0df623d798604e4ca5512794d802a258e82f86cf"
        ),
    );
    check(
        Sha384::new_on,
        sha512::Backend::available(),
        &hex!("b80b733d6ceefcdc71566ea48e5567df"),
        &hex!("cd665cf6a8447dd6ff8b27555edb7465"),
        &hex!(
            "7b0c18e9ced410ed1804f2cfa34a336a1c14dffb4900bb5fd7942107e81c83cde9ca0faa60be9fe34f82b1233c9146a0e534cb400fed2700884f9dc236f80edd8bfa961144c9e8d792eca722a7b32fc3d416d473ebc2c5fd4abfdad05d9184259b5bf8cd4d90fa0d31e2dec479e4f1a26066f2eea9a69236a3e52655c9e9aee691c8f3a26854308d5eaa3be85e0990703d73e56f"
        ),
    );
    check(
        Sha512::new_on,
        sha512::Backend::available(),
        &hex!("b0323523c1853599584d88568bbb05eb"),
        &hex!("d4640e12e4bcdbfb437f03e6ae418ee5"),
        &hex!(
            "1261f588c798c5c201ff036e7a9cb5edcd7fe3f94c669a122a4638d7d508b283042df6789875c7147e906d868bc75c45e20eb40c1cf4a1713b27371f68432592f7dc8ea8ef223e12ea8507841311bf68653d0cfc4056d811f025c45ddfa6e6fec702f054b409d6f28dd0a3233e498da41a3e75c5630eedbe22fe254e33a1b0e9f6b9826675bec7d01a845658dc9c397545401d40b9f46c7a400ee1b8f81ca0a60d1a397a1028bff5d2ef5066126842fb8da4197632bdb54ff6633f86bbc836e640d4d898"
        ),
    );
}

/// What OpenSSL gives with another hash.
#[test]
fn openssl() {
    let mut out = [0; 100];
    derive::<Sm3>(&[0x0b; 48], b"master secret", &[0x0c; 64], &mut out);
    assert_eq!(
        out,
        hex!(
            "09be842d83b909e97681e316d215b7c894bdedccb6054aa897839a419fe7317b8ec5286aa8818b2b3af7f6b9a6625f7f954df4569356d52c812bd23086710fa3f78e6c11b083c08a20b87be8489f20a779db46d880af1f1c212da0ecc95f0a1351a4c143"
        )
    );
}
