//! The hashes through the helpers of `digest`: digests of "abc" and of the bytes 0 to 199, computed
//! with Python's `hashlib` (SM3 and SHA-512/256: OpenSSL).

use adamant_traits::hash::*;
use digest::dev::{TestVector, fixed_reset_test, xof_reset_test};
use hex_literal::hex;

/// The bytes 0 to 199.
static COUNT: [u8; 200] = {
    let mut bytes = [0; 200];
    let mut i = 0;
    while i < 200 {
        bytes[i] = i as u8;
        i += 1;
    }
    bytes
};

macro_rules! hashes {
    ($($test:ident: $hash:ty, $abc:expr, $count:expr;)*) => { $(
        #[test]
        fn $test() {
            let abc = TestVector { input: b"abc", output: $abc };
            fixed_reset_test::<$hash>(&abc).unwrap();
            let count = TestVector { input: &COUNT, output: $count };
            fixed_reset_test::<$hash>(&count).unwrap();
        }
    )* };
}

hashes! {
    md5: Md5,
        &hex!("900150983cd24fb0d6963f7d28e17f72"),
        &hex!("fb7001d34b8e82c9b579be5005d5b0a5");
    sha1: Sha1,
        &hex!("a9993e364706816aba3e25717850c26c9cd0d89d"),
        &hex!("54d11e99127d159799dbce10f51a75e697780478");
    sha224: Sha224,
        &hex!("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        &hex!("ab3e334a37953e18f4f673736dddb64e850bfdf29d5a7ba268c567d9");
    sha256: Sha256,
        &hex!("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        &hex!("1901da1c9f699b48f6b2636e65cbf73abf99d0441ef67f5c540a42f7051dec6f");
    sha384: Sha384,
        &hex!(
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
            "8086072ba1e7cc2358baeca134c825a7"
        ),
        &hex!(
            "7ea4bb2534c67036f49de7beb5fe8a2478df04ff3fef40a9cd4923999a590e99"
            "12df1297217ce1a021aa2fb1013498b8"
        );
    sha512: Sha512,
        &hex!(
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        &hex!(
            "986058e9895e2c2ab8f9e8cbdf801db12a44842a56a91d5a4e87b1fc98b29372"
            "2c4664142e42c3c551ff898646268cd92b84ed230b8c94bed7798d4f27cd7465"
        );
    sha512_256: Sha512_256,
        &hex!("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        &hex!("e511aa65d4e53c0bb6065c9e1d2882248307fc4987e67fca18d7e3c77017df65");
    sha3_224: Sha3_224,
        &hex!("e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
        &hex!("8bcd90dbc5379549b5e78a1fbe24ae120d92caef17750461262b1e97");
    sha3_256: Sha3_256,
        &hex!("3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        &hex!("5f728f63bf5ee48c77f453c0490398fa645b8d4c4e56be9a41cfec344d6ca899");
    sha3_384: Sha3_384,
        &hex!(
            "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b2"
            "98d88cea927ac7f539f1edf228376d25"
        ),
        &hex!(
            "b13febb1b3c54a7c6b69367f693a1d1f3145709b6ddef23ff15874133ea1fb9c"
            "fa48ee7ff4ec9aa987dea641e33ccdf7"
        );
    sha3_512: Sha3_512,
        &hex!(
            "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
            "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"
        ),
        &hex!(
            "ea5d05f19348dd589793354793a15f37a73b4c0bb4e750b9a00757dfce2f8b65"
            "a64191bb9b137de00feef6474cfd47abf7880efbc51614a5715df12cfe0caee3"
        );
    sm3: Sm3,
        &hex!("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
        &hex!("137c8be9a568df1f999ea75e042359e582990c708027d61f20489a368bf5ced5");
    blake2b_512: Blake2b512,
        &hex!(
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        ),
        &hex!(
            "fb3c1f0f56a56f8e316fdf5d853c8c872c39635d083634c3904fc3ac07d1b578"
            "e85ff0e480e92d44ade33b62e893ee32343e79ddf6ef292e89b582d312502314"
        );
    blake2b_256: Blake2b256,
        &hex!("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
        &hex!("63c3d97a9f8894d5e043a707b0fee7f7ec4c049a23bbf1079df20b4165f9e22d");
    blake2s_256: Blake2s256,
        &hex!("508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"),
        &hex!("6d244e1a06ce4ef578dd0f63aff0936706735119ca9c8d22d86c801414ab9741");
    blake2s_128: Blake2s128,
        &hex!("aa4938119b1dc7b87cbad0ffd200d0ae"),
        &hex!("60e1aeb835cbdc82f24af34585a9df13");
}

#[test]
fn blake3() {
    let output = &hex!("6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
    let abc = TestVector {
        input: b"abc",
        output,
    };
    fixed_reset_test::<Blake3>(&abc).unwrap();
    xof_reset_test::<Blake3>(&abc).unwrap();
}

#[test]
fn shake() {
    let output = &hex!(
        "0c4234ca1e31801ae606f8b8d8e0665c66f42a21d601c2681858a92c79ad5d69"
        "e143c3b1393dd894e7abd5621b0d877f3573a34245e6b911f671081664a5fa53"
    );
    xof_reset_test::<Shake128>(&TestVector {
        input: &COUNT,
        output,
    })
    .unwrap();
    let output = &hex!(
        "4ee1ca03272b05d3bfb1e1c79a967f823b9fc5e4bb3987b1ba9e9cb5afb07a5e"
        "e3a07fbd457a94364964a841e7f466e5a022e21ab7f673c18ba98cdb1d5aecfa"
    );
    xof_reset_test::<Shake256>(&TestVector {
        input: &COUNT,
        output,
    })
    .unwrap();
}
