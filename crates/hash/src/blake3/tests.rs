use super::*;
use crate::Sha256;
use adamant_testkit::{equivalence, suites, table};
use hex_literal::hex;

const KEY: &[u8; 32] = b"whats the Elvish word for friend";
const CONTEXT: &str = "BLAKE3 2019-12-27 16:29:52 test vectors context";

/// The three modes, under the key and the context of the vectors.
fn modes(backend: Backend) -> [Blake3; 3] {
    [
        Blake3::new_on(backend),
        on::keyed_on(KEY, backend),
        on::derive_key_on(CONTEXT, backend),
    ]
}

/// All of the authors' vectors: the message counts 0 1 … 250 0 1 … up to the length given. Of the
/// outputs, 131 bytes each, the first 32 are here, and a digest of all of them.
#[test]
#[rustfmt::skip]
fn known_answers() {
    let message: Vec<u8> = (0..=250).cycle().take(102_400).collect();
    let cases = [
        (0, hex!("af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"), hex!("92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26"), hex!("2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d")),
        (1, hex!("2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"), hex!("6d7878dfff2f485635d39013278ae14f1454b8c0a3a2d34bc1ab38228a80c95b"), hex!("b3e2e340a117a499c6cf2398a19ee0d29cca2bb7404c73063382693bf66cb06c")),
        (2, hex!("7b7015bb92cf0b318037702a6cdd81dee41224f734684c2c122cd6359cb1ee63"), hex!("5392ddae0e0a69d5f40160462cbd9bd889375082ff224ac9c758802b7a6fd20a"), hex!("1f166565a7df0098ee65922d7fea425fb18b9943f19d6161e2d17939356168e6")),
        (3, hex!("e1be4d7a8ab5560aa4199eea339849ba8e293d55ca0a81006726d184519e647f"), hex!("39e67b76b5a007d4921969779fe666da67b5213b096084ab674742f0d5ec62b9"), hex!("440aba35cb006b61fc17c0529255de438efc06a8c9ebf3f2ddac3b5a86705797")),
        (4, hex!("f30f5ab28fe047904037f77b6da4fea1e27241c5d132638d8bedce9d40494f32"), hex!("7671dde590c95d5ac9616651ff5aa0a27bee5913a348e053b8aa9108917fe070"), hex!("f46085c8190d69022369ce1a18880e9b369c135eb93f3c63550d3e7630e91060")),
        (5, hex!("b40b44dfd97e7a84a996a91af8b85188c66c126940ba7aad2e7ae6b385402aa2"), hex!("73ac69eecf286894d8102018a6fc729f4b1f4247d3703f69bdc6a5fe3e0c8461"), hex!("1f24eda69dbcb752847ec3ebb5dd42836d86e58500c7c98d906ecd82ed9ae47f")),
        (6, hex!("06c4e8ffb6872fad96f9aaca5eee1553eb62aed0ad7198cef42e87f6a616c844"), hex!("82d3199d0013035682cc7f2a399d4c212544376a839aa863a0f4c91220ca7a6d"), hex!("be96b30b37919fe4379dfbe752ae77b4f7e2ab92f7ff27435f76f2f065f6a5f4")),
        (7, hex!("3f8770f387faad08faa9d8414e9f449ac68e6ff0417f673f602a646a891419fe"), hex!("af0a7ec382aedc0cfd626e49e7628bc7a353a4cb108855541a5651bf64fbb28a"), hex!("dc3b6485f9d94935329442916b0d059685ba815a1fa2a14107217453a7fc9f0e")),
        (8, hex!("2351207d04fc16ade43ccab08600939c7c1fa70a5c0aaca76063d04c3228eaeb"), hex!("be2f5495c61cba1bb348a34948c004045e3bd4dae8f0fe82bf44d0da245a0600"), hex!("2b166978cef14d9d438046c720519d8b1cad707e199746f1562d0c87fbd32940")),
        (63, hex!("e9bc37a594daad83be9470df7f7b3798297c3d834ce80ba85d6e207627b7db7b"), hex!("bb1eb5d4afa793c1ebdd9fb08def6c36d10096986ae0cfe148cd101170ce37ae"), hex!("b6451e30b953c206e34644c6803724e9d2725e0893039cfc49584f991f451af3")),
        (64, hex!("4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98"), hex!("ba8ced36f327700d213f120b1a207a3b8c04330528586f414d09f2f7d9ccb7e6"), hex!("a5c4a7053fa86b64746d4bb688d06ad1f02a18fce9afd3e818fefaa7126bf73e")),
        (65, hex!("de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee"), hex!("c0a4edefa2d2accb9277c371ac12fcdbb52988a86edc54f0716e1591b4326e72"), hex!("51fd05c3c1cfbc8ed67d139ad76f5cf8236cd2acd26627a30c104dfd9d3ff8a8")),
        (127, hex!("d81293fda863f008c09e92fc382a81f5a0b4a1251cba1634016a0f86a6bd640d"), hex!("c64200ae7dfaf35577ac5a9521c47863fb71514a3bcad18819218b818de85818"), hex!("c91c090ceee3a3ac81902da31838012625bbcd73fcb92e7d7e56f78deba4f0c3")),
        (128, hex!("f17e570564b26578c33bb7f44643f539624b05df1a76c81f30acd548c44b45ef"), hex!("b04fe15577457267ff3b6f3c947d93be581e7e3a4b018679125eaf86f6a628ec"), hex!("81720f34452f58a0120a58b6b4608384b5c51d11f39ce97161a0c0e442ca0225")),
        (129, hex!("683aaae9f3c5ba37eaaf072aed0f9e30bac0865137bae68b1fde4ca2aebdcb12"), hex!("d4a64dae6cdccbac1e5287f54f17c5f985105457c1a2ec1878ebd4b57e20d38f"), hex!("938d2d4435be30eafdbb2b7031f7857c98b04881227391dc40db3c7b21f41fc1")),
        (1023, hex!("10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"), hex!("c951ecdf03288d0fcc96ee3413563d8a6d3589547f2c2fb36d9786470f1b9d6e"), hex!("74a16c1c3d44368a86e1ca6df64be6a2f64cce8f09220787450722d85725dea5")),
        (1024, hex!("42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"), hex!("75c46f6f3d9eb4f55ecaaee480db732e6c2105546f1e675003687c31719c7ba4"), hex!("7356cd7720d5b66b6d0697eb3177d9f8d73a4a5c5e968896eb6a689684302706")),
        (1025, hex!("d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"), hex!("357dc55de0c7e382c900fd6e320acc04146be01db6a8ce7210b7189bd664ea69"), hex!("effaa245f065fbf82ac186839a249707c3bddf6d3fdda22d1b95a3c970379bcb")),
        (2048, hex!("e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"), hex!("879cf1fa2ea0e79126cb1063617a05b6ad9d0b696d0d757cf053439f60a99dd1"), hex!("7b2945cb4fef70885cc5d78a87bf6f6207dd901ff239201351ffac04e1088a23")),
        (2049, hex!("5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030"), hex!("9f29700902f7c86e514ddc4df1e3049f258b2472b6dd5267f61bf13983b78dd5"), hex!("2ea477c5515cc3dd606512ee72bb3e0e758cfae7232826f35fb98ca1bcbdf273")),
        (3072, hex!("b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2"), hex!("044a0e7b172a312dc02a4c9a818c036ffa2776368d7f528268d2e6b5df191770"), hex!("050df97f8c2ead654d9bb3ab8c9178edcd902a32f8495949feadcc1e0480c46b")),
        (3073, hex!("7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3"), hex!("68dede9bef00ba89e43f31a6825f4cf433389fedae75c04ee9f0cf16a427c95a"), hex!("72613c9ec9ff7e40f8f5c173784c532ad852e827dba2bf85b2ab4b76f7079081")),
        (4096, hex!("015094013f57a5277b59d8475c0501042c0b642e531b0a1c8f58d2163229e969"), hex!("befc660aea2f1718884cd8deb9902811d332f4fc4a38cf7c7300d597a081bfc0"), hex!("1e0d7f3db8c414c97c6307cbda6cd27ac3b030949da8e23be1a1a924ad2f25b9")),
        (4097, hex!("9b4052b38f1c5fc8b1f9ff7ac7b27cd242487b3d890d15c96a1c25b8aa0fb995"), hex!("00df940cd36bb9fa7cbbc3556744e0dbc8191401afe70520ba292ee3ca80abbc"), hex!("aca51029626b55fda7117b42a7c211f8c6e9ba4fe5b7a8ca922f34299500ead8")),
        (5120, hex!("9cadc15fed8b5d854562b26a9536d9707cadeda9b143978f319ab34230535833"), hex!("2c493e48e9b9bf31e0553a22b23503c0a3388f035cece68eb438d22fa1943e20"), hex!("7a7acac8a02adcf3038d74cdd1d34527de8a0fcc0ee3399d1262397ce5817f60")),
        (5121, hex!("628bd2cb2004694adaab7bbd778a25df25c47b9d4155a55f8fbd79f2fe154cff"), hex!("6ccf1c34753e7a044db80798ecd0782a8f76f33563accaddbfbb2e0ea4b2d024"), hex!("b07f01e518e702f7ccb44a267e9e112d403a7b3f4883a47ffbed4b48339b3c34")),
        (6144, hex!("3e2e5b74e048f3add6d21faab3f83aa44d3b2278afb83b80b3c35164ebeca205"), hex!("3d6b6d21281d0ade5b2b016ae4034c5dec10ca7e475f90f76eac7138e9bc8f1d"), hex!("2a95beae63ddce523762355cf4b9c1d8f131465780a391286a5d01abb5683a15")),
        (6145, hex!("f1323a8631446cc50536a9f705ee5cb619424d46887f3c376c695b70e0f0507f"), hex!("9ac301e9e39e45e3250a7e3b3df701aa0fb6889fbd80eeecf28dbc6300fbc539"), hex!("379bcc61d0051dd489f686c13de00d5b14c505245103dc040d9e4dd1facab8e5")),
        (7168, hex!("61da957ec2499a95d6b8023e2b0e604ec7f6b50e80a9678b89d2628e99ada77a"), hex!("b42835e40e9d4a7f42ad8cc04f85a963a76e18198377ed84adddeaecacc6f3fc"), hex!("11c37a112765370c94a51415d0d651190c288566e295d505defdad895dae2237")),
        (7169, hex!("a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817"), hex!("ed9b1a922c046fdb3d423ae34e143b05ca1bf28b710432857bf738bcedbfa511"), hex!("554b0a5efea9ef183f2f9b931b7497995d9eb26f5c5c6dad2b97d62fc5ac31d9")),
        (8192, hex!("aae792484c8efe4f19e2ca7d371d8c467ffb10748d8a5a1ae579948f718a2a63"), hex!("dc9637c8845a770b4cbf76b8daec0eebf7dc2eac11498517f08d44c8fc00d58a"), hex!("ad01d7ae4ad059b0d33baa3c01319dcf8088094d0359e5fd45d6aeaa8b2d0c3d")),
        (8193, hex!("bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b"), hex!("954a2a75420c8d6547e3ba5b98d963e6fa6491addc8c023189cc519821b4a1f5"), hex!("af1e0346e389b17c23200270a64aa4e1ead98c61695d917de7d5b00491c9b0f1")),
        (16384, hex!("f875d6646de28985646f34ee13be9a576fd515f76b5b0a26bb324735041ddde4"), hex!("9e9fc4eb7cf081ea7c47d1807790ed211bfec56aa25bb7037784c13c4b707b0d"), hex!("160e18b5878cd0df1c3af85eb25a0db5344d43a6fbd7a8ef4ed98d0714c3f7e1")),
        (31744, hex!("62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"), hex!("efa53b389ab67c593dba624d898d0f7353ab99e4ac9d42302ee64cbf9939a419"), hex!("39772aef80e0ebe60596361e45b061e8f417429d529171b6764468c22928e28e")),
        (102400, hex!("bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"), hex!("1c35d1a5811083fd7119f5d5d1ba027b4d01c0c6c49fb6ff2cf75393ea5db4a7"), hex!("4652cff7a3f385a6103b5c260fc1593e13c778dbe608efb092fe7ee69df6e9c6")),
    ];
    let all = hex!("8f89c4586f2e359633b1c488eeb7a70c8c772a140d02a8082942a7b21d2e9eaf");
    table!(Backend).for_each(|backend| {
        let mut outputs = Sha256::new();
        for (len, hash, keyed, derived) in cases {
            for (mut state, expected) in modes(backend).into_iter().zip([hash, keyed, derived]) {
                state.update(&message[..len]);
                assert_eq!(state.clone().finalize(), expected, "{backend:?} {len}");
                let mut output = [0; 131];
                state.finalize_xof().read(&mut output);
                assert_eq!(output[..32], expected);
                outputs.update(&output);
            }
        }
        assert_eq!(outputs.finalize(), all, "{backend:?}");
    });
}

#[test]
fn shorthands() {
    for (mut short, mut long) in [
        Blake3::new(),
        Blake3::keyed(KEY),
        Blake3::derive_key(CONTEXT),
    ]
    .into_iter()
    .zip(modes(Backend::portable()))
    {
        short.update(b"abc");
        long.update(b"abc");
        assert_eq!(short.finalize(), long.finalize());
    }
}

#[test]
fn implementations_agree() {
    let table = table!(Backend);
    equivalence::hash(&table, Blake3::new_on);
    // Over chunks and subtrees.
    for unit in [1024, 4096, 17 * 1024] {
        equivalence::streaming(
            &table,
            unit,
            |backend| on::keyed_on(KEY, backend),
            Blake3::update,
            Blake3::finalize,
        );
    }
    table.for_each(|backend| suites::hash::check(|| Blake3::new_on(backend)));
}

#[test]
fn one_shot() {
    let message: Vec<u8> = (0..67 * 1024).map(|i| (i % 251) as u8).collect();
    table!(Backend).for_each(|backend| {
        let chunks = (1..=66).flat_map(|n| [1024 * n, 1024 * n + 1, 1024 * n + 700]);
        for len in (0..=1100).chain(chunks) {
            let mut hash = Blake3::new_on(backend);
            hash.update(&message[..len]);
            let digest = Blake3::new_on(backend).finish_with(&[&message[..len]]);
            assert_eq!(digest, hash.finalize(), "{backend:?} {len}");
        }
    });
}

/// Numbers of chunks beyond one word, and every number of lanes.
#[test]
fn lanes() {
    let chunks: Vec<[u8; 1024]> = (0..40)
        .map(|i| core::array::from_fn(|j| (i + j) as u8))
        .collect();
    let children: Vec<[u32; 16]> = (0..40)
        .map(|i| core::array::from_fn(|j| i * 77 + j as u32))
        .collect();
    table!(Backend).against_portable(|backend, portable| {
        for len in 0..=40 {
            for t in [0, u64::from(u32::MAX) - 7, 1 << 53] {
                let run = |backend: Backend| {
                    let mut out = vec![[0; 8]; len];
                    backend.chunks(&IV, &chunks[..len], t, KEYED_HASH, &mut out);
                    out
                };
                assert_eq!(run(backend), run(portable), "{len} chunks from {t}");
            }
            let run = |backend: Backend| {
                let mut out = vec![[0; 8]; len];
                backend.parents(&IV, &children[..len], PARENT, &mut out);
                out
            };
            assert_eq!(run(backend), run(portable), "{len} parents");
        }
    });
}

/// Subtrees that begin where an earlier update ended.
#[test]
fn pieces_of_many_chunks() {
    let message: Vec<u8> = (0..150 * 1024).map(|i| (i % 241) as u8).collect();
    let expected = Blake3::new_on(Backend::portable()).finish_with(&[&message]);
    table!(Backend).for_each(|backend| {
        for first in [1, 2, 3, 7, 31, 33, 64, 65, 100] {
            for second in [0, 1, 5, 40, 49] {
                let (a, rest) = message.split_at(first * 1024);
                let (b, c) = rest.split_at(second * 1024 + first % 2);
                let mut hash = Blake3::new_on(backend);
                for piece in [a, b, c] {
                    hash.update(piece);
                }
                assert_eq!(hash.finalize(), expected, "{backend:?} {first} {second}");
            }
        }
    });
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("westmere", "x86_sse41"),
            ("haswell", "x86_avx2"),
            ("skylake-x", "x86_avx512"),
            ("zen4", "x86_avx512vbmi2"),
            ("zen5", "x86_avx512"),
            ("armv8", "arm_neon"),
            ("neoverse-v1", "arm_neon"),
        ],
    );
}

/// The rows state every number of chunks or nodes at which they go another way.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn rows_state_their_lanes() {
    let rows: &[(&str, &[usize])] = &[
        #[cfg(target_arch = "x86_64")]
        ("x86_avx512vbmi2", x86_avx512vbmi2::PLACES),
        #[cfg(target_arch = "x86_64")]
        ("x86_avx512", x86_avx512::PLACES),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        ("x86_avx2", x86_avx2::PLACES),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        ("x86_sse41", x86_sse41::PLACES),
        #[cfg(target_arch = "aarch64")]
        ("arm_neon", arm_neon::PLACES),
    ];
    for (name, places) in rows {
        let row = Backend::implementations().find(|row| row.name == *name);
        let stated = row.expect("a row of this name").lanes;
        assert!(
            places.iter().all(|place| stated.contains(place)),
            "{name}: {places:?}"
        );
    }
}

#[test]
fn positions_of_output() {
    let mut whole = [0; 300];
    let mut reader = Blake3::new().finalize_xof();
    reader.read(&mut whole);
    for start in 0..300 {
        for len in [0, 1, 63, 64, 65, 130] {
            let len = len.min(300 - start);
            let mut part = vec![0; len];
            reader.set_position(start as u64);
            let (a, b) = part.split_at_mut(len / 2);
            reader.read(a);
            reader.read(b);
            assert_eq!(part, whole[start..start + len]);
        }
    }
}

#[test]
fn wiped() {
    let mut hash = Blake3::keyed(KEY);
    hash.update(&[0xa5; 5000]);
    hash.wipe();
    let mut fresh = Blake3::keyed(&[0; 32]);
    hash.update(b"abc");
    fresh.update(b"abc");
    assert_eq!(hash.finalize(), fresh.finalize());
}
