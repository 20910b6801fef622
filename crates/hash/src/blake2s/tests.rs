use super::*;

crate::blake2::tests::tests! {
    Blake2s, Blake2sMac, longest: 32, word: u32, counter: u64,
    // RFC 7693, appendix B.
    abc: "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
    // The authors' vectors: the message 00 01 02 … of the length given, without a key and under
    // the key 00 01 … 1f.
    known_answers: [
        (0, "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9", "48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49")
        (1, "e34d74dbaf4ff4c6abd871cc220451d2ea2648846c7757fbaac82fe51ad64bea", "40d15fee7c328830166ac3f918650f807e7e01e177258cdc0a39b11f598066f1")
        (63, "e57cb79487dd57902432b250733813bd96a84efce59f650fac26e6696aefafc3", "c65382513f07460da39833cb666c5ed82e61b9e998f4b0c4287cee56c3cc9bcd")
        (64, "56f34e8b96557e90c1f24b52d0c89d51086acf1b00f634cf1dde9233b8eaaa3e", "8975b0577fd35566d750b362b0897a26c399136df07bababbde6203ff2954ed4")
        (65, "1b53ee94aaf34e4b159d48de352c7f0661d0a40edff95a0b1639b4090e974472", "21fe0ceb0052be7fb0f004187cacd7de67fa6eb0938d927677f2398c132317a8")
        (128, "1fa877de67259d19863a2a34bcc6962a2b25fcbf5cbecd7ede8f1fa36688a796", "0c311f38c35a4fb90d651c289d486856cd1413df9b0677f53ece2cd9e477c60a")
        (129, "5bd169e67c82c2c2e98ef7008bdf261f2ddf30b1c00f9e7f275bb3e8a28dc9a2", "46a73a8dd3e70f59d3942c01df599def783c9da82fd83222cd662b53dce7dbdf")
        (255, "f03f5789d3336b80d002d59fdf918bdb775b00956ed5528e86aa994acb38fe2d", "3fb735061abc519dfe979e54c1ee5bfad0a9d858b3315bad34bde999efd724dd")
    ],
    // RFC 7693, appendix E: a digest of the digests of several lengths, keyed and not.
    self_test: "6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe", of digests [16 20 28 32], of messages [0, 3, 64, 65, 255, 1024],
    // Made with the reference implementation.
    salt: "1011121314151617", personalization: "2021222324252627", salted: "2597bee7f4697aca044ec3428b774de0dea785d8",
}

#[cfg(target_arch = "x86_64")]
#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("haswell", "portable"),
            ("zen4", "x86_avx512vl"),
            ("zen5", "portable"),
        ],
    );
}
