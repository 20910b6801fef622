//! Vectors of the standards.

use super::keccak::{Function, cshake, kmac};
use super::{BLAKE2B, BLAKE2S, Blake3, MD5, SHA1, SHA224, SHA256, SHA384, SHA512, SHA512_256, SM3};
use super::{kdf, passwords};
use hex_literal::hex;

/// RFC 1321, A.5; FIPS 180-4's examples of one block and of two; GB/T 32905, A.1 and A.2.
#[test]
fn merkle_damgard() {
    let two = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    let wide = b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
        hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    let digits =
        b"12345678901234567890123456789012345678901234567890123456789012345678901234567890";
    assert_eq!(MD5.digest(b""), hex!("d41d8cd98f00b204e9800998ecf8427e"));
    assert_eq!(MD5.digest(digits), hex!("57edf4a22be3c955ac49da2e2107b67a"));
    assert_eq!(
        SHA1.digest(b"abc"),
        hex!("a9993e364706816aba3e25717850c26c9cd0d89d")
    );
    assert_eq!(
        SHA1.digest(two),
        hex!("84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    );
    assert_eq!(
        SHA224.digest(two),
        hex!("75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525")
    );
    assert_eq!(
        SHA256.digest(b"abc"),
        hex!("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    );
    assert_eq!(
        SHA256.digest(two),
        hex!("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    );
    assert_eq!(
        SHA384.digest(wide),
        hex!(
            "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"
        )
    );
    assert_eq!(
        SHA512.digest(wide),
        hex!(
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
        )
    );
    assert_eq!(
        SHA512_256.digest(wide),
        hex!("3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a")
    );
    assert_eq!(
        SM3.digest(b"abc"),
        hex!("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0")
    );
    assert_eq!(
        SM3.digest(&b"abcd".repeat(16)),
        hex!("debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732")
    );
}

/// A message of one block more, whose length is not in the examples: state and length carry on.
#[test]
fn behind_a_block() {
    let message = [7; 200];
    let mut state = crate::sha256::IV;
    (SHA256.compress)(&mut state, &message[..64]);
    assert_eq!(
        SHA256.digest_from(state, 64, &message[64..]),
        SHA256.digest(&message)
    );
}

/// FIPS 202's function of the empty message and of 1600 bits, SP 800-185's samples, RFC 9861.
#[test]
fn keccak() {
    let bits = [0xa3; 200];
    let sha3 = |output, message: &[u8]| Function::sha3(output).output(message, output);
    assert_eq!(
        sha3(28, b"abc"),
        hex!("e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf")
    );
    assert_eq!(
        sha3(32, &bits),
        hex!("79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787")
    );
    assert_eq!(
        sha3(64, b""),
        hex!(
            "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26"
        )
    );
    assert_eq!(
        Function::shake(128).output(b"", 32),
        hex!("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26")
    );
    // The last 32 of 512 bytes.
    let long = Function::shake(256).output(&bits, 512);
    assert_eq!(
        long[480..],
        hex!("6a1a9d7846436e4dca5728b6f760eef0ca92bf0be5615e96959d767197a0beeb")
    );
    assert_eq!(
        cshake(128, &[0, 1, 2, 3], 32, b"", b"Email Signature"),
        hex!("c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5")
    );
    let key: Vec<u8> = (0x40..0x60).collect();
    let tag = kmac(
        128,
        &key,
        &[0, 1, 2, 3],
        32,
        b"My Tagged Application",
        false,
    );
    assert_eq!(
        tag,
        hex!("3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5")
    );
    let xof = kmac(128, &key, &[0, 1, 2, 3], 32, b"", true);
    assert_eq!(
        xof,
        hex!("cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35")
    );
    let turbo = Function::turboshake(128, 0x1f).output(b"", 32);
    assert_eq!(
        turbo,
        hex!("1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c")
    );
}

/// The hash, the keyed hash and key derivation for messages of these lengths.
const BLAKE3: [(usize, [[u8; 32]; 3]); 3] = [
    (
        64,
        [
            hex!("4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98"),
            hex!("ba8ced36f327700d213f120b1a207a3b8c04330528586f414d09f2f7d9ccb7e6"),
            hex!("a5c4a7053fa86b64746d4bb688d06ad1f02a18fce9afd3e818fefaa7126bf73e"),
        ],
    ),
    (
        1025,
        [
            hex!("d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"),
            hex!("357dc55de0c7e382c900fd6e320acc04146be01db6a8ce7210b7189bd664ea69"),
            hex!("effaa245f065fbf82ac186839a249707c3bddf6d3fdda22d1b95a3c970379bcb"),
        ],
    ),
    (
        7168,
        [
            hex!("61da957ec2499a95d6b8023e2b0e604ec7f6b50e80a9678b89d2628e99ada77a"),
            hex!("b42835e40e9d4a7f42ad8cc04f85a963a76e18198377ed84adddeaecacc6f3fc"),
            hex!("11c37a112765370c94a51415d0d651190c288566e295d505defdad895dae2237"),
        ],
    ),
];

/// RFC 7693, A and B, and vectors of the authors; BLAKE3's of one block, of one chunk and a byte,
/// and of seven chunks, in its three modes.
#[test]
fn blake() {
    let bytes: Vec<u8> = (0..=255).collect();
    assert_eq!(
        BLAKE2B.digest(64, &[], b"abc"),
        hex!(
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        )
    );
    assert_eq!(
        BLAKE2S.digest(32, &[], b"abc"),
        hex!("508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982")
    );
    assert_eq!(
        BLAKE2B.digest(64, &bytes[..64], &bytes[..128]),
        hex!(
            "72065ee4dd91c2d8509fa1fc28a37c7fc9fa7d5b3f8ad3d0d7a25626b57b1b44788d4caf806290425f9890a3a2a35a905ab4b37acfd0da6e4517b2525c9651e4"
        )
    );
    let message: Vec<u8> = (0..=250).cycle().take(7 * 1024).collect();
    let key = b"whats the Elvish word for friend";
    let context = "BLAKE3 2019-12-27 16:29:52 test vectors context";
    let modes = [
        Blake3::HASH,
        Blake3::keyed(key),
        Blake3::derive_key(context),
    ];
    for (len, expected) in BLAKE3 {
        for (mode, expected) in modes.iter().zip(expected) {
            assert_eq!(mode.output(&message[..len], 0, 32), expected, "{len}");
            let part = mode.output(&message[..len], 61, 100);
            assert_eq!(part, mode.output(&message[..len], 0, 161)[61..]);
        }
    }
}

/// RFC 4231, 4.2 and 4.7; RFC 7914, 11; RFC 6979, A.2.5; the vector of SipHash's paper, and the last
/// of its authors' for 128 bits.
#[test]
fn hmac_and_siphash() {
    let hash = kdf::Hash {
        digest: &|message| SHA256.digest(message),
        block: 64,
    };
    assert_eq!(
        hash.hmac(&[0x0b; 20], b"Hi There"),
        hex!("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    );
    let tag = hash.hmac(
        &[0xaa; 131],
        b"Test Using Larger Than Block-Size Key - Hash Key First",
    );
    assert_eq!(
        tag,
        hex!("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    );
    assert_eq!(
        hash.pbkdf2(b"passwd", b"salt", 1, 64),
        hex!(
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
            "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
        )
    );
    let x = hex!("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
    let k = hash.rfc6979(&x, &SHA256.digest(b"sample"), 32, &|_| true);
    assert_eq!(
        k,
        hex!("a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60")
    );
    let bytes: [u8; 16] = core::array::from_fn(|i| i as u8);
    assert_eq!(
        kdf::siphash(2, 4, &bytes, &bytes[..15], 8),
        0xa129_ca61_49be_45e5_u64.to_le_bytes()
    );
    assert_eq!(
        kdf::siphash(2, 4, &bytes, b"", 16),
        hex!("a3817f04ba25a8e66df67214c7550293")
    );
}

/// RFC 7914, 12; RFC 9106, 5.
#[test]
fn passwords() {
    assert_eq!(
        passwords::scrypt(b"", b"", [16, 1, 1], 64),
        hex!(
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
            "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        )
    );
    for (variant, tag) in [
        hex!("512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb"),
        hex!("c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8"),
        hex!("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"),
    ]
    .into_iter()
    .enumerate()
    {
        let argon2 = passwords::Argon2 {
            variant: variant as u32,
            memory: 32,
            passes: 3,
            lanes: 4,
            secret: &[3; 8],
            associated_data: &[4; 12],
        };
        assert_eq!(argon2.derive(&[1; 32], &[2; 16], 32), tag);
    }
}
