use super::*;
use adamant_testkit::{equivalence, suites, table};
use hex_literal::hex;

/// FIPS 180-4's examples, on every implementation.
#[test]
fn known_answers() {
    let million = vec![b'a'; 1_000_000];
    table!(Backend).for_each(|backend| {
        for (message, sha256, sha224) in [
            (
                &b""[..],
                hex!("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
                hex!("d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"),
            ),
            (
                b"abc",
                hex!("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
                hex!("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
            ),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                hex!("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
                hex!("75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525"),
            ),
            (
                &million,
                hex!("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
                hex!("20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67"),
            ),
        ] {
            let mut hash = Sha256::new_on(backend);
            hash.update(message);
            assert_eq!(hash.finalize(), sha256, "{backend:?}");
            let mut hash = Sha224::new_on(backend);
            hash.update(message);
            assert_eq!(hash.finalize(), sha224, "{backend:?}");
        }
    });
}

#[test]
fn implementations_agree() {
    let table = table!(Backend);
    equivalence::hash(&table, Sha256::new_on);
    equivalence::hash(&table, Sha224::new_on);
    table.for_each(|backend| {
        suites::hash::check(|| Sha256::new_on(backend));
        suites::hash::check(|| Sha224::new_on(backend));
    });
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("haswell", "portable"),
            ("zen2", "x86_sha"),
            ("zen4", "x86_sha"),
            ("armv8", "arm_neon"),
            ("cortex-a72", "arm_sha2"),
            ("neoverse-n1", "arm_sha2"),
            ("apple-m1", "arm_sha2"),
            ("neoverse-v1", "arm_sha2"),
            ("power8", "power_crypto"),
        ],
    );
}

#[test]
fn wiped() {
    let mut hash = Sha256::new();
    hash.update(&[0xa5; 100]);
    hash.wipe();
    assert_eq!((hash.state, hash.length), ([0; 8], 0));
    hash.buffer
        .update(&[0; 64], |blocks| assert_eq!(blocks, [[0; 64]]));
}

#[test]
fn the_small_form_is_the_same() {
    let mut block = [0u8; 64];
    let (mut one, mut other) = (IV, IV);
    for round in 0..50usize {
        for (i, byte) in block.iter_mut().enumerate() {
            *byte = byte.wrapping_mul(5).wrapping_add((i * 7 + round) as u8);
        }
        portable::rolled(&mut one, &block);
        portable::unrolled(&mut other, &block);
        assert_eq!(one, other);
    }
}
