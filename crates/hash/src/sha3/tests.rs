use super::*;
use crate::keccak::Backend;
use adamant_base::family::{Hash, Xof, XofReader};
use adamant_testkit::{equivalence, suites, table};
use hex_literal::hex;

/// The messages of NIST's example values for FIPS 202 (the fifth is its message of 1600 bits) and
/// a million letters, on every implementation.
#[test]
fn known_answers() {
    let million = vec![b'a'; 1_000_000];
    table!(Backend).for_each(|backend| {
        let cases: [(&[u8], [u8; 28], [u8; 32], [u8; 48], [u8; 64]); 6] = [
            (
                b"",
                hex!("6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7"),
                hex!("a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
                hex!(
                    "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2a"
                    "c3713831264adb47fb6bd1e058d5f004"
                ),
                hex!(
                    "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6"
                    "15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26"
                ),
            ),
            (
                b"abc",
                hex!("e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
                hex!("3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
                hex!(
                    "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b2"
                    "98d88cea927ac7f539f1edf228376d25"
                ),
                hex!(
                    "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
                    "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"
                ),
            ),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                hex!("8a24108b154ada21c9fd5574494479ba5c7e7ab76ef264ead0fcce33"),
                hex!("41c0dba2a9d6240849100376a8235e2c82e1b9998a999e21db32dd97496d3376"),
                hex!(
                    "991c665755eb3a4b6bbdfb75c78a492e8c56a22c5c4d7e429bfdbc32b9d4ad5a"
                    "a04a1f076e62fea19eef51acd0657c22"
                ),
                hex!(
                    "04a371e84ecfb5b8b77cb48610fca8182dd457ce6f326a0fd3d7ec2f1e91636d"
                    "ee691fbe0c985302ba1b0d8dc78c086346b533b49c030d99a27daf1139d6e75e"
                ),
            ),
            (
                b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
              hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                hex!("543e6868e1666c1a643630df77367ae5a62a85070a51c14cbf665cbc"),
                hex!("916f6061fe879741ca6469b43971dfdb28b1a32dc36cb3254e812be27aad1d18"),
                hex!(
                    "79407d3b5916b59c3e30b09822974791c313fb9ecc849e406f23592d04f625dc"
                    "8c709b98b43b3852b337216179aa7fc7"
                ),
                hex!(
                    "afebb2ef542e6579c50cad06d2e578f9f8dd6881d7dc824d26360feebf18a4fa"
                    "73e3261122948efcfd492e74e82e2189ed0fb440d187f382270cb455f21dd185"
                ),
            ),
            (
                &[0xa3; 200],
                hex!("9376816aba503f72f96ce7eb65ac095deee3be4bf9bbc2a1cb7e11e0"),
                hex!("79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787"),
                hex!(
                    "1881de2ca7e41ef95dc4732b8f5f002b189cc1e42b74168ed1732649ce1dbcdd"
                    "76197a31fd55ee989f2d7050dd473e8f"
                ),
                hex!(
                    "e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca8"
                    "1b7c13c30adf52a3659584739a2df46be589c51ca1a4a8416df6545a1ce8ba00"
                ),
            ),
            (
                &million,
                hex!("d69335b93325192e516a912e6d19a15cb51c6ed5c15243e7a7fd653c"),
                hex!("5c8875ae474a3634ba4fd55ec85bffd661f32aca75c6d699d0cdcb6c115891c1"),
                hex!(
                    "eee9e24d78c1855337983451df97c8ad9eedf256c6334f8e948d252d5e0e7684"
                    "7aa0774ddb90a842190d2c558b4b8340"
                ),
                hex!(
                    "3c3a876da14034ab60627c077bb98f7e120a2a5370212dffb3385a18d4f38859"
                    "ed311d0a9d5141ce9cc5c66ee689b266a8aa18ace8282a0e0db596c90b0a7b87"
                ),
            ),
        ];
        for (message, sha3_224, sha3_256, sha3_384, sha3_512) in cases {
            assert_eq!(of(Sha3_224::new_on(backend), message), sha3_224);
            assert_eq!(of(Sha3_256::new_on(backend), message), sha3_256);
            assert_eq!(of(Sha3_384::new_on(backend), message), sha3_384);
            assert_eq!(of(Sha3_512::new_on(backend), message), sha3_512);
        }
    });
}

fn of<H: Hash>(mut hash: H, message: &[u8]) -> H::Output {
    hash.update(message);
    hash.finalize()
}

/// The same messages; 64 bytes of output.
#[test]
fn shake() {
    let million = vec![b'a'; 1_000_000];
    table!(Backend).for_each(|backend| {
        let cases: [(&[u8], [u8; 64], [u8; 64]); 6] = [
            (
                b"",
                hex!(
                    "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"
                    "3cb1eea988004b93103cfb0aeefd2a686e01fa4a58e8a3639ca8a1e3f9ae57e2"
                ),
                hex!(
                    "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
                    "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be"
                ),
            ),
            (
                b"abc",
                hex!(
                    "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8"
                    "44c50af32acd3f2cdd066568706f509bc1bdde58295dae3f891a9a0fca578378"
                ),
                hex!(
                    "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739"
                    "d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb06bd8801e751e4"
                ),
            ),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                hex!(
                    "1a96182b50fb8c7e74e0a707788f55e98209b8d91fade8f32f8dd5cff7bf21f5"
                    "4ee5f19550825a6e070030519e944263ac1c6765287065621f9fcb3201723e32"
                ),
                hex!(
                    "4d8c2dd2435a0128eefbb8c36f6f87133a7911e18d979ee1ae6be5d4fd2e3329"
                    "40d8688a4e6a59aa8060f1f9bc996c05aca3c696a8b66279dc672c740bb224ec"
                ),
            ),
            (
                b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
              hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                hex!(
                    "7b6df6ff181173b6d7898d7ff63fb07b7c237daf471a5ae5602adbccef9ccf4b"
                    "37e06b4a3543164ffbe0d0557c02f9b25ad434005526d88ca04a6094b93ee57a"
                ),
                hex!(
                    "98be04516c04cc73593fef3ed0352ea9f6443942d6950e29a372a681c3deaf45"
                    "35423709b02843948684e029010badcc0acd8303fc85fdad3eabf4f78cae1656"
                ),
            ),
            (
                &[0xa3; 200],
                hex!(
                    "131ab8d2b594946b9c81333f9bb6e0ce75c3b93104fa3469d3917457385da037"
                    "cf232ef7164a6d1eb448c8908186ad852d3f85a5cf28da1ab6fe343817197846"
                ),
                hex!(
                    "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d"
                    "2d700caae7396ece96604440577da4f3aa22aeb8857f961c4cd8e06f0ae6610b"
                ),
            ),
            (
                &million,
                hex!(
                    "9d222c79c4ff9d092cf6ca86143aa411e369973808ef97093255826c5572ef58"
                    "424c4b5c28475ffdcf981663867fec6321c1262e387bccf8ca676884c4a9d0c1"
                ),
                hex!(
                    "3578a7a4ca9137569cdf76ed617d31bb994fca9c1bbf8b184013de8234dfd13a"
                    "3fd124d4df76c0a539ee7dd2f6e1ec346124c815d9410e145eb561bcd97b18ab"
                ),
            ),
        ];
        for (message, shake128, shake256) in cases {
            assert_eq!(squeeze(Shake128::new_on(backend), message), shake128);
            assert_eq!(squeeze(Shake256::new_on(backend), message), shake256);
        }
    });
}

/// The first `N` bytes of output.
fn squeeze<X: Xof, const N: usize>(mut xof: X, message: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    xof.update(message);
    xof.finalize_xof().read(&mut out);
    out
}

/// A thousand times the digest of the digest, from zeros.
#[test]
fn chains() {
    fn chain<H: Hash>(fresh: H) -> H::Output {
        let mut digest = fresh.clone().finalize();
        digest.as_mut().fill(0);
        for _ in 0..1000 {
            digest = of(fresh.clone(), digest.as_ref());
        }
        digest
    }
    table!(Backend).for_each(|backend| {
        assert_eq!(chain(Sha3_224::new_on(backend)), hex!("2db04ef1b136af82088395338533e4d68ed0717e2662115a7c9b0c4b"));
        assert_eq!(chain(Sha3_256::new_on(backend)), hex!("52cf48e88ce4dea40f272b6aaf083675ade26504a0129f51ec30204a2fdb1c5b"));
        assert_eq!(chain(Sha3_384::new_on(backend)), hex!("3914f3a61363f7eb3533d7c7e5591daacd7e4daf8a24d7a6943841d49ce8cea0" "97aa0e5d658d81de513b22b66b52becc"));
        assert_eq!(chain(Sha3_512::new_on(backend)), hex!("b112cc21f9b0a180de604c35307ad587834ec7e4bb50e2fb404c0961e3f712cc" "484489f1d449160b78ad66bf882c555e519b1ca835259bb85a600ad0b3872dac"));
    });
}

/// SP 800-185's samples for cSHAKE: data of 4 and of 200 bytes.
#[test]
fn cshake() {
    let data: Vec<u8> = (0..200).collect();
    let customization = b"Email Signature";
    table!(Backend).for_each(|backend| {
        for (len, cshake128, cshake256) in [
            (4, hex!("c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5"),
            hex!("d008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd1" "64020e2be0560858d9c00c037e34a96937c561a74c412bb4c746469527281c8c")),
            (200, hex!("c5221d50e4f822d96a2e8881a961420f294b7b24fe3d2094baed2c6524cc166b"),
            hex!("07dc27b11e51fbac75bc7b3c1d983e8b4b85fb1defaf218912ac864302730917" "27f42b17ed1df63e8ec118f04b23633c1dfb1574c8fb55cb45da8e25afb092bb")),
        ] {
            let hash = CShake128::new_on(b"", customization, backend);
            assert_eq!(squeeze(hash, &data[..len]), cshake128);
            let hash = CShake256::new_on(b"", customization, backend);
            assert_eq!(squeeze(hash, &data[..len]), cshake256);
        }
    });
    // SP 800-185, 3.3: without strings it is SHAKE.
    assert_eq!(
        squeeze::<_, 300>(CShake128::new(b"", b""), &data),
        squeeze(Shake128::new(), &data)
    );
    assert_eq!(
        squeeze::<_, 300>(CShake256::new(b"", b""), &data),
        squeeze(Shake256::new(), &data)
    );
}

/// RFC 9861, 5: empty messages, the pattern 00 to fa over and over, runs of ff in other domains.
#[test]
fn turboshake() {
    let ff = [0xff; 7];
    let pattern: Vec<u8> = (0..17usize.pow(4)).map(|i| (i % 251) as u8).collect();
    table!(Backend).for_each(|backend| {
        for (message, domain, turboshake128, turboshake256) in [
            (&b""[..], 0x1f, hex!("1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c" "3e8ccae2a4dae56c84a04c2385c03c15e8193bdf58737363321691c05462c8df"), hex!("367a329dafea871c7802ec67f905ae13c57695dc2c6663c61035f59a18f8e7db" "11edc0e12e91ea60eb6b32df06dd7f002fbafabb6e13ec1cc20d995547600db0")),
            (&pattern[..1], 0x1f, hex!("55cedd6f60af7bb29a4042ae832ef3f58db7299f893ebb9247247d856958daa9" "35275fa0f35dc02df50b1ad0f586325dec773b5e117ca4b32b3f02a49f240860"), hex!("3e1712f928f8eaf1054632b2aa0a246ed8b0c378728f60bc970410155c28820e" "90cc90d8a3006aa2372c5c5ea176b0682bf22bae7467ac94f74d43d39b0482e2")),
            (&pattern[..17], 0x1f, hex!("9c97d036a3bac819db70ede0ca554ec6e4c2a1a4ffbfd9ec269ca6a111161233" "ac6570fdc9f2ea31e1ac6d1d65f7d04662e4cf67bbbf7d89f8b4ece2f23a7e57"), hex!("b3bab0300e6a191fbe6137939835923578794ea54843f5011090fa2f3780a9e5" "cb22c59d78b40a0fbff9e672c0fbe0970bd2c845091c6044d687054da5d8e9c7")),
            (&pattern[..289], 0x1f, hex!("96c77c279e0126f7fc07c9b07f5cdae1e0be60bdbe10620040e75d7223a624d2" "a7880f91d4d6b5732674fa038bb6a46a8cb87127deb0fc7d346a004ed0a17745"), hex!("66b810db8e90780424c0847372fdc95710882fde31c6df75beb9d4cd9305cfca" "e35e7b83e8b7e6eb4b78605880116316fe2c078a09b94ad7b8213c0a738b65c0")),
            (&pattern[..4913], 0x1f, hex!("d4976eb56bcf118520582b709f73e1d6853e001fdaf80e1b13e0d0599d5fb372" "1ef4022ad184757a7aba930cc62775658581bb248a125bb5225e0a65178f50f6"), hex!("c74ebc919a5b3b0dd1228185ba02d29ef442d69d3d4276a93efe0bf9a16a7dc0" "cd4eabadab8cd7a5edd96695f5d360abe09e2c6511a3ec397da3b76b9e1674fb")),
            (&pattern[..83521], 0x1f, hex!("da67c7039e98bf530cf7a37830c6664e14cbab7f540f58403b1b82951318ee5c" "52e4347ba56109a97dfd21d6e0d5d0d0596d87d29a6c1cefd53b9fd7592d426c"), hex!("02cc3a8897e6f4f6ccb6fd46631b1f5207b66c6de9c7b55b2d1a23134a170afd" "ac234eaba9a77cff88c1f020b73724618c5687b362c430b248cd38647f848a1d")),
            (&ff[..3], 0x01, hex!("bf323f940494e88ee1c540fe660be8a0c93f43d15ec006998462fa994eed5dab" "270264fc2ab98d3ed0b21d7ea24e5f3001b8543accd57cf9ed0547174bc0b3f1"), hex!("d21c6fbbf587fa2282f29aea620175fb0257413af78a0b1b2a87419ce031d933" "ae7a4d383327a8a17641a34f8a1d1003ad7da6b72dba84bb62fef28f62f12424")),
            (&ff[..1], 0x06, hex!("8ec9c66465ed0d4a6c35d13506718d687a25cb05c74cca1e42501abd83874a67" "2a4419481997e72dd87dc8353915a3d2af42c9e3c84a49f5e3969e7ced400a4c"), hex!("738d7b4e37d18b7f22ad1b5313e357e3dd7d07056a26a303c433fa3533455280" "f4f5a7d4f700efb437fe6d281405e07be32a0a972e22e63adc1b090daefe004b")),
            (&ff[..3], 0x07, hex!("b658576001cad9b1e5f399a9f77723bba05458042d68206f7252682dba3663ed" "f5d29728f2cf09bfe3ac9c91374df3b9c9839ce0efbf6b8c07617e8707a4f664"), hex!("18b3b5b7061c2e67c1753a00e6ad7ed7ba1c906cf93efb7092eaf27fbeebb755" "ae6e292493c110e48d260028492b8e09b5500612b8f2578985ded5357d00ec67")),
            (&ff[..7], 0x0b, hex!("8deeaa1aec47ccee569f659c21dfa8e112db3cee37b18178b2acd805b799cc37" "b92dde49749b59644faee95d117a982f5f1f79235b6800b7daf4ed184d246c86"), hex!("bb36764951ec97e9d85f7ee9a67a7718fc005cf42556be79ce12c0bde50e5736" "d6632b0d0dfb202d1bbb8ffe3dd74cb00834fa756cb03471bab13a1e2c16b3c0")),
            (&ff[..1], 0x30, hex!("553122e2135e363c3292bed2c6421fa232bab03daa07c7d6636603286506325b" "e1cb5d3d2ba9aacd6a4cdaf4a67bfe1a17c7703defcb571b434c6a439dbfd83d"), hex!("f3fe12873d34bcbb2e608779d6b70e7f86bec7e90bf113cbd4fdd0c4e2f4625e" "148dd7ee1a52776cf77f240514d9ccfc3b5ddab8ee255e39ee389072962c111a")),
            (&ff[..3], 0x7f, hex!("16274cc656d44cefd422395d0f9053bda6d28e122aba15c765e5ad0e6eaf26f9" "ed6cab2c5af7666899fec0b1f2901a27516f5412cfbc2ad66268abc4c3039aae"), hex!("abe569c1f77ec340f02705e7d37c9ab7e155516e4a6a150021d70b6fac0bb40c" "069f9a9828a0d575cd99f9bae435ab1acf7ed9110ba97ce0388d074bac768776")),
        ] {
            let domain = Domain::new(domain).unwrap();
            let hash = TurboShake128::new_on(domain, backend);
            assert_eq!(squeeze(hash, message), turboshake128);
            let hash = TurboShake256::new_on(domain, backend);
            assert_eq!(squeeze(hash, message), turboshake256);
        }
        // The last 32 of 10,032 bytes.
        let long: [u8; 10032] = squeeze(TurboShake128::new_on(Domain::DEFAULT, backend), b"");
        let last = hex!("a3b9b0385900ce761f22aed548e754da10a5242d62e8c658e3f3a923a7555607");
        assert_eq!(long[10000..], last);
        let long: [u8; 10032] = squeeze(TurboShake256::new_on(Domain::DEFAULT, backend), b"");
        let last = hex!("abefa11630c661269249742685ec082f207265dccf2f43534e9c61ba0c9d1d75");
        assert_eq!(long[10000..], last);
    });
}

/// The first 300 bytes of an XOF, as a hash: the suites and comparisons are for hashes.
#[derive(Clone)]
struct Cut<X>(X);

impl<X: Xof> Hash for Cut<X> {
    type Output = [u8; 300];
    const BLOCK_LEN: usize = X::BLOCK_LEN;
    const OUTPUT_LEN: usize = 300;
    fn new() -> Self {
        Cut(X::new())
    }
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
    fn finalize(self) -> [u8; 300] {
        squeeze(self.0, b"")
    }
}

fn check<H: Hash + 'static>(new: impl Fn(Backend) -> H) {
    let table = table!(Backend);
    equivalence::hash(&table, &new);
    table.for_each(|backend| suites::hash::check(|| new(backend)));
}

#[test]
fn implementations_agree() {
    check(Sha3_224::new_on);
    check(Sha3_256::new_on);
    check(Sha3_384::new_on);
    check(Sha3_512::new_on);
    check(|backend| Cut(Shake128::new_on(backend)));
    check(|backend| Cut(Shake256::new_on(backend)));
    // Their default is SHAKE, so the suite, which compares with the default, takes no strings.
    check(|backend| Cut(CShake128::new_on(b"", b"", backend)));
    check(|backend| Cut(CShake256::new_on(b"", b"", backend)));
    equivalence::hash(&table!(Backend), |backend| {
        Cut(CShake128::new_on(b"name", b"custom", backend))
    });
    check(|backend| Cut(TurboShake128::new_on(Domain::DEFAULT, backend)));
    check(|backend| Cut(TurboShake256::new_on(Domain::DEFAULT, backend)));
}

/// However the output is cut, the bytes are the same.
#[test]
fn reads() {
    fn check<X: Xof>(mut xof: X) {
        xof.update(b"message");
        let reader = xof.finalize_xof();
        let mut whole = [0; 700];
        reader.clone().read(&mut whole);
        for step in 1..400 {
            let (mut reader, mut copy) = (reader.clone(), [0; 700]);
            for piece in copy.chunks_mut(step) {
                reader.read(&mut []);
                reader.read(piece);
            }
            assert_eq!(copy, whole, "{step} at a time");
        }
    }
    table!(Backend).for_each(|backend| {
        check(Shake128::new_on(backend));
        check(Shake256::new_on(backend));
        check(TurboShake128::new_on(Domain::DEFAULT, backend));
    });
}

mod as_many_places_as_messages {
    crate::lanes::tests::places!(Sha3_224 Sha3_256 Sha3_384 Sha3_512);
}
