use super::*;
use crate::{Sha224, Sha256, Sha512, sha256};
use hex_literal::hex;

/// The first case of each width and place of the counter for HMAC-SHA224 in NIST's
/// `KDFCTR_gen.rsp`: in front of the fixed input, after it, in the middle.
#[test]
fn nist() {
    type Case<'a> = (Counter, &'a [u8], &'a [u8], &'a [u8], [u8; 16]);
    let cases: [Case; 12] = [
        (
            Counter::R8,
            &hex!("7e2f7a5ab3e82ef927a005308456823da473787bf33d18a864aca63f"),
            b"",
            &hex!(
                "b35695a6e23a765105b87756468d442a53a60cd4225186dc94221c06c5d6f1e98462135656ebca90468a939f29112b811413567d498df9867914d94c"
            ),
            hex!("10ba5c6ea609da8fa8abe8be552c97a1"),
        ),
        (
            Counter::R16,
            &hex!("093b2ce84c6175d1723fbe94b9ee963b6251d018fcf8c05c2e3e9b0b"),
            b"",
            &hex!(
                "083e114aca1f97166551b03f27b135c0c802294aa4845a46170b26ec0549cb59c70a85557a3fc3a37d23eed6947d50f10c15baf5c52a7b918ca80bf5"
            ),
            hex!("94ced61c3665616d4a368f83a7283648"),
        ),
        (
            Counter::R24,
            &hex!("f09e65e8de7500847b43bd95e6c3506e01aadd484e9699b027897542"),
            b"",
            &hex!(
                "c20f6188517b2ca10086b9f7f8d6f2d38d66f24193c037008d035f361c6bd74db26aef588a87aa8a1c3cdad2ba0207f7e7b39def0df797c4cb3bf614"
            ),
            hex!("73d30c2af54744eb1efb70429f8e303a"),
        ),
        (
            Counter::R32,
            &hex!("f5cb7cc6207f5920dd60155ddb68c3fbbdf5104365305d2c1abcd311"),
            b"",
            &hex!(
                "4e5ac7539803da89581ee088c7d10235a10536360054b72b8e9f18f77c25af01019b290656b60428024ce01fccf49022d831941407e6bd27ff9e2d28"
            ),
            hex!("0adbaab43edd532b560a322c84ac540e"),
        ),
        (
            Counter::R8,
            &hex!("ab56556b107a3a79fe084df0f1bb3ad049a6cc1490f20da4b3df282c"),
            &hex!(
                "7f50fc1f77c3ac752443154c1577d3c47b86fccffe82ff43aa1b91eeb5730d7e9e6aab78374d854aecb7143faba6b1eb90d3d9e7a2f6d78dd9a6c4a7"
            ),
            b"",
            hex!("b8894c6133a46701909b5c8a84322dec"),
        ),
        (
            Counter::R16,
            &hex!("473905e06f47138e9a4e3b8bdd5ae10dface4ba8f6dd16b142c38e14"),
            &hex!(
                "4bf2e149227498945b061db33cd4695eb88d1d47b05b344cc01105df91136732eaa3c60f3e0c97a81a00148e390d37f000a6de6f15adfdc676911ae7"
            ),
            b"",
            hex!("125f1ddd2f36cb3262fdc9413fbf88c3"),
        ),
        (
            Counter::R24,
            &hex!("4435e0203ca73e356595d8c237b549463055b27dc259ef1f31a57e3d"),
            &hex!(
                "d486f6a5c54f88b6104d078791489d7c1c768bca7ef9f61571fc9a6daeb0acfd113d8623b84d3af98fa732517d3a18aa04c2174592cc261875883df2"
            ),
            b"",
            hex!("dc0bbe8781137001eed5925bfc6d8321"),
        ),
        (
            Counter::R32,
            &hex!("a31c0ed2aedb5fb260d1307d33db883f681d3efd300efcfd8fe306d7"),
            &hex!(
                "43ebd9bc28ac01d90b86eccfff188113d1d4703f9f56762206e6d90747c3d20f7ea130727893db5fb6cf18cb59c62bd02599fd3e6403d55139cf862a"
            ),
            b"",
            hex!("4cab02879876d630b6f8aee1c32253ca"),
        ),
        (
            Counter::R8,
            &hex!("92edfe9fddd85a3d13f183f57988d45d459657fee0d31679a6a2c293"),
            &hex!(
                "598b5733a34c47c2b8c91ce4e6d588eaa3d874a20f430a9748970e499f3ca3d671f038986e084ff9dc1d308728276581864f"
            ),
            &hex!("4b1aea8ab1bd24b56527"),
            hex!("9d68a6108f912bd823025dfb5441ca3f"),
        ),
        (
            Counter::R16,
            &hex!("7078b224ee6867f43ac3d2d555bb2dfc935fca44faec5f88124f6e1d"),
            &hex!(
                "b9466561ff1bc6d2058bbe708e695601196fda17978188e6264cd57e1fc298f554bb769699c49a825d6e278206f6614cbbae"
            ),
            &hex!("6f4792fc8bc75a003773"),
            hex!("4b81681a8c56d5d6aa2f4d44cae06693"),
        ),
        (
            Counter::R24,
            &hex!("8d6af06e28ef54e21463f86cd02335e7efff7cb21215dd05537b8dd6"),
            &hex!(
                "acf7fdce77544ce24d135c5040a4ac6ceb38ab7a4e526ac4aef3f2b2d670bf045dac9e5380ef32d4d6b72561797e11fa3e7b"
            ),
            &hex!("ac233ffa791c96b42569"),
            hex!("4261c3e8e28e2dc518f0a048572d8bbe"),
        ),
        (
            Counter::R32,
            &hex!("497bb6b1ff3c1d1bbd14a69dd7ccfa500ab9fc60849ce8083a1b2d58"),
            &hex!(
                "193819c01c6d73a629ef71d8159e22aa635c7e7c96ceb8b7b4867be2a8f518139c2c678eefd15c9957ad261bd27a78745881"
            ),
            &hex!("1731446c3dc54a4ae669"),
            hex!("9a5a67b2dbf4ade2bc6864da5efd2b56"),
        ),
    ];
    for (counter, key, before, behind, expected) in cases {
        for backend in sha256::Backend::available() {
            let mut out = [0; 16];
            let hash = Sha224::new_on(backend);
            counter_mode(&hash, key, counter, &[before], &[behind], &mut out).unwrap();
            assert_eq!(out, expected, "{counter:?}");
        }
    }
}

/// HMAC-SHA256 in the same file: 32 bits of counter in front.
#[test]
fn nist_sha256() {
    let mut out = [0; 16];
    derive_fixed::<Sha256>(
        &hex!("dd1d91b7d90b2bd3138533ce92b272fbf8a369316aefe242e659cc0ae238afe0"),
        Counter::R32,
        b"",
        &hex!("01322b96b30acd197979444e468e1c5c6859bf1b1cf951b7e725303e237e46b864a145fab25e517b08f8683d0315bb2911d80a0e8aba17f3b413faac"),
        &mut out,
    )
    .unwrap();
    assert_eq!(out, hex!("10621342bfb0fd40046c0e29f2cfdbf0"));
}

/// What OpenSSL's KBKDF gives for the document's layout.
#[test]
fn openssl() {
    let mut out = [0; 100];
    derive::<Sha512>(&[0x0b; 40], b"label", b"context", &mut out).unwrap();
    assert_eq!(
        out,
        hex!(
            "a7864a40928ec70a8a72a1e9a229122ac2ec4358b7c21bd469d9ec8692b213a35ea73e43a1f42d21d56b170f65d007af2fdae04c2d4c2302c122175bd532ec58158f1c2004ef657d097456594c8c9f9d6d9b63c2f69d31ba0d3d5c21b01646a388396f3c"
        )
    );
    derive::<Sha256>(&[0x0b; 40], b"label", b"context", &mut out).unwrap();
    assert_eq!(
        out,
        hex!(
            "956076c0b5406a29307ca034e7575479790e10e8cfb4ab6143ecc5c8d71dc42d5eb21ff76a9d5a235da285bbc53ab2490bea603bc451634a451074dfbe54b5b25129abea6a9dd0a964c3bb12134a2cc82bab75ce59cd1ced5f9b6f4e60499e4d0a5b716f"
        )
    );
}

#[test]
fn limit_of_the_counter() {
    let mut out = vec![1; 255 * 32 + 1];
    let refused = Error::BadLength {
        expected: 255 * 32,
        actual: 255 * 32 + 1,
    };
    let mut derive =
        |from: usize, counter| derive_fixed::<Sha256>(b"key", counter, b"", b"", &mut out[from..]);
    assert_eq!(derive(0, Counter::R8), Err(refused));
    assert_eq!(derive(1, Counter::R8), Ok(()));
    assert_eq!(derive(0, Counter::R16), Ok(()));
}
