//! Signatures of digests: what another implementation makes of them.

use adamant_hash::*;
use adamant_pq::ml_dsa::PreHash;

/// SHA-256 of the signatures of “message” in “context” that @noble/post-quantum 0.7.1 makes,
/// ML-DSA-44 and SLH-DSA-SHA2-128f, without random bytes, of the key of the seed 0, 1, 2 and so on. It
/// was made to take digests of 224 bits too, which it calls too short for these sets.
const ANSWERS: &[(PreHash, fn(&[u8]) -> Vec<u8>, [&str; 2])] = &[
    (
        PreHash::Sha256,
        |m| Sha256::digest(m).to_vec(),
        [
            "f8d78cb19dd423a5dc8d3e82f75905cab34aeab87cf47716c7db63b49352ad06",
            "47480c091037ec33e448461019f0d5b7fb02c62981cf6198d3e8ad6d931e10fa",
        ],
    ),
    (
        PreHash::Sha384,
        |m| Sha384::digest(m).to_vec(),
        [
            "18ddf6ef075dc24f6203eb87fbfa1aaaaad72dcbb06985b6a4641c562882520f",
            "24fcf5055c06ee39ba70029c64b249e48ae63b667fe00c6525ce2e2101632739",
        ],
    ),
    (
        PreHash::Sha512,
        |m| Sha512::digest(m).to_vec(),
        [
            "f0dcc5ad58155c8663e012ce906bafff99ff470b65f55074d3cd654a312e2543",
            "4b123aa87635b10785cbfa18830252ef7e5b09636ef63f7463f2a7e4410814d4",
        ],
    ),
    (
        PreHash::Sha224,
        |m| Sha224::digest(m).to_vec(),
        [
            "f787d81e3349fe1ce3ea926a8fc46c3dcfd8120b7f222d2f98034420923d590e",
            "ca178469caae03579b1c6a79935166b17b26be5ed60cd307916e6f40b9765964",
        ],
    ),
    (
        PreHash::Sha512_224,
        |_| hex::decode(SHA512_224).unwrap(),
        [
            "d3e7923dd0d42c400b5def6e5c290b876d4e574bbffc2544b81fcebade35f61f",
            "d99eeeaa71aada01d48853939d3071880f7b89a3670bb042a5c8e15989986817",
        ],
    ),
    (
        PreHash::Sha512_256,
        |m| Sha512_256::digest(m).to_vec(),
        [
            "967d611b978956b28e7c5dae24e3622555690c4106724b2fc98e3c1c79f680f6",
            "6b012fcbde01ff8166ff23ab51d5a78b0bc76f32dc1934150ac74fe09b74a918",
        ],
    ),
    (
        PreHash::Sha3_224,
        |m| Sha3_224::digest(m).to_vec(),
        [
            "0013e7f374df74135c1dfcac9d3aa0b3b37f366ba9c8144d66fb8f04912e5bb4",
            "199969207f42408037696a7fafa76faa390487eac95e1ada98378f5c0bc8654c",
        ],
    ),
    (
        PreHash::Sha3_256,
        |m| Sha3_256::digest(m).to_vec(),
        [
            "460ac48261966606be2b04871b0045b5e5627efbff97aa9bdd513f04420f13a6",
            "51b5f4ac542b053dee115c75d744ccf067e4a6c1d6fb4c59dcbf8688d6437cdf",
        ],
    ),
    (
        PreHash::Sha3_384,
        |m| Sha3_384::digest(m).to_vec(),
        [
            "03fc84eaaa5ca71583697c0faa8691f469df5de6a965a4cb4ad9da13de586a70",
            "479d5a5405c37c384b446ec58b784308d8613e993b43b1bb9fb35c68bea9d41b",
        ],
    ),
    (
        PreHash::Sha3_512,
        |m| Sha3_512::digest(m).to_vec(),
        [
            "90b7f9caa82d20646f77a4af6e8f4c28f303a9c521e2b68e74fc384d9f8e5072",
            "03dba0228d04e0c03623842d1c5e3a298e0b012810ccd92b273143b191f9aa86",
        ],
    ),
    (
        PreHash::Shake128,
        |m| {
            let mut d = [0; 32];
            Shake128::digest(m, &mut d);
            d.to_vec()
        },
        [
            "1ee3c77e95f8433e7c85df844de05ac52c91a22b6cfb84f8eb89fa55d4e93e40",
            "79e1d8d31e5de3acc635cd94b7beebbbd19ccaca0315931c05dafa01d38d22ca",
        ],
    ),
    (
        PreHash::Shake256,
        |m| {
            let mut d = [0; 64];
            Shake256::digest(m, &mut d);
            d.to_vec()
        },
        [
            "fb07243da3fe25a92d777019dc1f619cede96a233a63bd41210fa33993ee4b6b",
            "6e4c1bb64de289b1fb0f9364e443c662c3221a3b8efd39f64c1b43c3939c70a1",
        ],
    ),
];

/// Of “message”, by `openssl dgst`.
const SHA512_224: &str = "6812ad79f4cfb2d4ea53ffc059f1364df5395978265ce1e68b739cdd";

/// A seed of some length.
fn seed<const N: usize>() -> [u8; N] {
    std::array::from_fn(|i| i as u8)
}

#[test]
fn every_hash() {
    for (hash, digest, answers) in ANSWERS {
        let digest = digest(b"message");
        macro_rules! check {
            ($set:ident, $answer:expr) => {{
                let key = adamant_pq::$set::PrivateKey::from_seed(&seed());
                let made = key.sign_prehashed(&digest, *hash, b"context").unwrap();
                assert_eq!(
                    hex::encode(Sha256::digest(made.as_ref())),
                    $answer,
                    "{hash:?}"
                );
                let public = key.public_key();
                let verdict = public.verify_prehashed(&digest, *hash, b"context", &made);
                assert_eq!(verdict, Ok(()), "{hash:?}");
            }};
        }
        check!(ml_dsa_44, answers[0]);
        check!(slh_dsa_sha2_128f, answers[1]);
    }
}
