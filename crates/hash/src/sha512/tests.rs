use super::*;
#[cfg(target_arch = "x86_64")]
use adamant_base::cpu::{self, Features};
use adamant_testkit::{equivalence, suites, table};
use hex_literal::hex;

/// FIPS 180-4's examples, on every implementation.
#[test]
fn known_answers() {
    let million = vec![b'a'; 1_000_000];
    table!(Backend).for_each(|backend| {
        for (message, sha512, sha384, sha512_256) in [
            (
                &b""[..],
                hex!(
                    "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
                ),
                hex!(
                    "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da"
                    "274edebfe76f65fbd51ad2f14898b95b"
                ),
                hex!("c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
            ),
            (
                b"abc",
                hex!(
                    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
                ),
                hex!(
                    "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                    "8086072ba1e7cc2358baeca134c825a7"
                ),
                hex!("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
            ),
            (
                b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
              hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                hex!(
                    "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                    "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
                ),
                hex!(
                    "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712"
                    "fcc7c71a557e2db966c3e9fa91746039"
                ),
                hex!("3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"),
            ),
            (
                &million,
                hex!(
                    "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                    "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
                ),
                hex!(
                    "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b"
                    "07b8b3dc38ecc4ebae97ddd87f3d8985"
                ),
                hex!("9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21"),
            ),
        ] {
            let mut hash = Sha512::new_on(backend);
            hash.update(message);
            assert_eq!(hash.finalize(), sha512, "{backend:?}");
            let mut hash = Sha384::new_on(backend);
            hash.update(message);
            assert_eq!(hash.finalize(), sha384, "{backend:?}");
            let mut hash = Sha512_256::new_on(backend);
            hash.update(message);
            assert_eq!(hash.finalize(), sha512_256, "{backend:?}");
        }
    });
}

/// FIPS 180-4, 5.3.6: the function that makes the initial value of SHA-512/t.
#[test]
fn initial_value_of_sha512_256() {
    let mut hash = Sha512::new();
    for word in &mut hash.state {
        *word ^= 0xa5a5_a5a5_a5a5_a5a5;
    }
    hash.update(b"SHA-512/256");
    let made = hash.finalize();
    let words = made.as_chunks().0.iter().map(|w| u64::from_be_bytes(*w));
    assert!(words.eq(SHA512_256_IV));
}

#[test]
fn implementations_agree() {
    let table = table!(Backend);
    equivalence::hash(&table, Sha512::new_on);
    equivalence::hash(&table, Sha384::new_on);
    equivalence::hash(&table, Sha512_256::new_on);
    table.for_each(|backend| {
        suites::hash::check(|| Sha512::new_on(backend));
        suites::hash::check(|| Sha384::new_on(backend));
        suites::hash::check(|| Sha512_256::new_on(backend));
    });
}

/// Groups of four blocks, and what is left after them.
#[test]
fn many_blocks() {
    let table = table!(Backend);
    equivalence::in_place(&table, (0..=34).map(|n| 128 * n), |backend, data| {
        let mut state = IV;
        backend.compress(&mut state, data.as_chunks().0);
        state
    });
}

/// The rows of AVX-VNNI use no instruction of it.
#[cfg(target_arch = "x86_64")]
#[test]
#[allow(unsafe_code)]
fn rows_of_wider_cpus() {
    use super::{portable64, x86_avxvnni, x86_avxvnni512};
    let features = cpu::features();
    let data: Vec<u8> = (0..34 * 128).map(|i| (i * i / 7) as u8).collect();
    let blocks = data.as_chunks().0;
    for count in 0..=blocks.len() {
        let blocks = &blocks[..count];
        let mut expected = IV;
        portable64::compress(&mut expected, blocks);
        if features.contains(Features::from_names(&["avx2", "bmi1", "bmi2"])) {
            let mut state = IV;
            // SAFETY: the features, detected.
            unsafe { x86_avxvnni::compress(&mut state, blocks) };
            assert_eq!(state, expected, "{count} blocks");
        }
        if features.contains(Features::from_names(&["avx512bw", "bmi1", "bmi2"])) {
            let mut state = IV;
            // SAFETY: the features, detected.
            unsafe { x86_avxvnni512::compress(&mut state, blocks) };
            assert_eq!(state, expected, "{count} blocks in groups");
        }
    }
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("westmere", "portable64"),
            ("haswell", "x86_avx2"),
            ("skylake-x", "x86_avx512"),
            ("zen4", "x86_avx512"),
            ("alder-lake", "x86_avxvnni"),
            ("sapphire-rapids", "x86_avxvnni512"),
            ("zen5", "x86_avxvnni512"),
            ("armv8", "arm_neon"),
            ("cortex-a72", "arm_neon"),
            ("neoverse-n1", "arm_neon"),
            ("apple-m1", "arm_sha3"),
            ("neoverse-v1", "arm_sha3"),
            ("power8", "power_crypto"),
        ],
    );
}
