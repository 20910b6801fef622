use super::*;

crate::blake2::tests::tests! {
    Blake2b, Blake2bMac, longest: 64, word: u64, counter: u128,
    // RFC 7693, appendix A.
    abc: "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1" "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
    // The authors' vectors: the message 00 01 02 … of the length given, without a key and under
    // the key 00 01 … 3f.
    known_answers: [
        (0, "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419" "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce", "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786" "b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568")
        (1, "2fa3f686df876995167e7c2e5d74c4c7b6e48f8068fe0e44208344d480f7904c" "36963e44115fe3eb2a3ac8694c28bcb4f5a0f3276f2e79487d8219057a506e4b", "961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4" "187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd")
        (127, "b6292669ccd38d5f01caae96ba272c76a879a45743afa0725d83b9ebb26665b7" "31f1848c52f11972b6644f554c064fa90780dbbbf3a89d4fc31f67df3e5857ef", "76d2d819c92bce55fa8e092ab1bf9b9eab237a25267986cacf2b8ee14d214d73" "0dc9a5aa2d7b596e86a1fd8fa0804c77402d2fcd45083688b218b1cdfa0dcbcb")
        (128, "2319e3789c47e2daa5fe807f61bec2a1a6537fa03f19ff32e87eecbfd64b7e0e" "8ccff439ac333b040f19b0c4ddd11a61e24ac1fe0f10a039806c5dcc0da3d115", "72065ee4dd91c2d8509fa1fc28a37c7fc9fa7d5b3f8ad3d0d7a25626b57b1b44" "788d4caf806290425f9890a3a2a35a905ab4b37acfd0da6e4517b2525c9651e4")
        (129, "f59711d44a031d5f97a9413c065d1e614c417ede998590325f49bad2fd444d3e" "4418be19aec4e11449ac1a57207898bc57d76a1bcf3566292c20c683a5c4648f", "64475dfe7600d7171bea0b394e27c9b00d8e74dd1e416a79473682ad3dfdbb70" "6631558055cfc8a40e07bd015a4540dcdea15883cbbf31412df1de1cd4152b91")
        (255, "5b21c5fd8868367612474fa2e70e9cfa2201ffeee8fafab5797ad58fefa17c9b" "5b107da4a3db6320baaf2c8617d5a51df914ae88da3867c2d41f0cc14fa67928", "142709d62e28fcccd0af97fad0f8465b971e82201dc51070faa0372aa43e9248" "4be1c1e73ba10906d5d1853db6a4106e0a7bf9800d373d6dee2d46d62ef2a461")
    ],
    // RFC 7693, appendix E: a digest of the digests of several lengths, keyed and not.
    self_test: "c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475", of digests [20 32 48 64], of messages [0, 3, 128, 129, 255, 1024],
    // Made with the reference implementation.
    salt: "101112131415161718191a1b1c1d1e1f", personalization: "202122232425262728292a2b2c2d2e2f", salted: "1723ffeffacd67cafb947d7e906169f63343e169",
}

#[cfg(target_arch = "x86_64")]
#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("haswell", "portable64"),
            ("zen4", "x86_avx512vl"),
            ("zen5", "portable64"),
        ],
    );
}
