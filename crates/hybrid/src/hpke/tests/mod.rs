//! The vectors of RFC 9180, appendix A, and what is not in them.

use super::*;
use adamant_testkit::TestRng;
use std::collections::BTreeMap;

const KEMS: [Kem; 6] = [
    Kem::P256,
    Kem::P384,
    Kem::P521,
    Kem::X25519,
    Kem::X448,
    Kem::XWing,
];

type Fields = BTreeMap<String, String>;

fn fields(line: &str) -> Fields {
    let words = line.split_whitespace();
    let pairs = words.filter_map(|word| word.split_once('='));
    pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect()
}

fn bytes(fields: &Fields, name: &str) -> Vec<u8> {
    hex::decode(&fields[name]).unwrap()
}

fn kem(id: &str) -> Kem {
    let mut all = KEMS.into_iter();
    let found = all.find(|&kem| (kem as u16).to_string() == id);
    found.expect("a KEM of the list")
}

fn suite(fields: &Fields) -> Suite {
    let kem = kem(&fields["kem_id"]);
    let kdf = match fields["kdf_id"].as_str() {
        "1" => Kdf::HkdfSha256,
        "2" => Kdf::HkdfSha384,
        "3" => Kdf::HkdfSha512,
        other => panic!("{other}"),
    };
    let aead = match fields["aead_id"].as_str() {
        "1" => Aead::Aes128Gcm,
        "2" => Aead::Aes256Gcm,
        "3" => Aead::ChaCha20Poly1305,
        "65535" => Aead::ExportOnly,
        other => panic!("{other}"),
    };
    Suite::new(kem, kdf, aead)
}

fn mode<'a, K>(fields: &Fields, key: Option<&'a K>, psk: Psk<'a>) -> Mode<'a, K> {
    match (fields["mode"].as_str(), key) {
        ("0", None) => Mode::Base,
        ("1", None) => Mode::Psk(psk),
        ("2", Some(key)) => Mode::Auth(key),
        ("3", Some(key)) => Mode::AuthPsk(key, psk),
        _ => panic!("{fields:?}"),
    }
}

/// Goes through a file of vectors, which has this many set-ups, messages and exported values.
fn check(vectors: &str, expected: (usize, usize, usize)) {
    let mut contexts: Option<(Sender, Receiver)> = None;
    let (mut setups, mut messages, mut exports) = (0, 0, 0);
    for line in vectors.lines() {
        let fields = fields(line);
        if line.starts_with("mode=") {
            let suite = suite(&fields);
            let key = PrivateKey::derive(suite.kem(), &bytes(&fields, "ikmR")).unwrap();
            assert_eq!(key.to_bytes()[..], bytes(&fields, "skRm"));
            assert_eq!(key.public_key().to_bytes(), bytes(&fields, "pkRm"));
            let ephemeral = PrivateKey::derive(suite.kem(), &bytes(&fields, "ikmE")).unwrap();
            let from = fields.contains_key("ikmS").then(|| {
                let ikm = bytes(&fields, "ikmS");
                PrivateKey::derive(suite.kem(), &ikm).unwrap()
            });
            let from_public = from.as_ref().map(PrivateKey::public_key);
            let (psk, id) = if fields.contains_key("psk") {
                (bytes(&fields, "psk"), bytes(&fields, "psk_id"))
            } else {
                (Vec::new(), Vec::new())
            };
            let psk = Psk { key: &psk, id: &id };
            let info = bytes(&fields, "info");
            let public = key.public_key();
            let (secret, enc) = public.encapsulate_with(from.as_ref(), &ephemeral).unwrap();
            assert_eq!(enc, bytes(&fields, "enc"));
            assert_eq!(secret.as_bytes(), bytes(&fields, "shared_secret"));
            let sending = mode(&fields, from.as_ref(), psk);
            let context =
                Context::new(&suite, &secret, &info, sending.number(), sending.psk()).unwrap();
            let receiving = mode(&fields, from_public.as_ref(), psk);
            let receiver = suite.receiver(&enc, &key, &info, receiving).unwrap();
            contexts = Some((Sender(context), receiver));
            setups += 1;
        }
        let Some((sender, receiver)) = &mut contexts else {
            continue;
        };
        if line.starts_with("  seal") {
            let sequence = fields["sequence"].parse().unwrap();
            sender.0.skip_to(sequence);
            receiver.0.skip_to(sequence);
            let (aad, message) = (bytes(&fields, "aad"), bytes(&fields, "pt"));
            let sealed = sender.seal(&aad, &message).unwrap();
            assert_eq!(sealed, bytes(&fields, "ct"));
            assert_eq!(receiver.open(&aad, &sealed).unwrap(), message);
            messages += 1;
        } else if line.starts_with("  export") {
            let mut value = vec![0; fields["len"].parse().unwrap()];
            for context in [&sender.0, &receiver.0] {
                context
                    .export(&bytes(&fields, "context"), &mut value)
                    .unwrap();
                assert_eq!(value, bytes(&fields, "value"));
            }
            exports += 1;
        }
    }
    assert_eq!((setups, messages, exports), expected);
}

#[test]
fn rfc_9180_appendix_a() {
    check(include_str!("rfc9180.txt"), (28, 144, 84));
}

#[test]
fn rfc_9180_x448() {
    check(include_str!("x448.txt"), (5, 16, 15));
}

/// Whose senders have no key known beforehand, or whose KDF is not here: the receivers' side.
#[test]
fn drafts() {
    let mut receiver: Option<Receiver> = None;
    let (mut keys, mut messages, mut exports) = (0, 0, 0);
    for line in include_str!("drafts.txt").lines() {
        let fields = fields(line);
        if line.starts_with("mode=") {
            let kem = kem(&fields["kem_id"]);
            let key = PrivateKey::from_bytes(kem, &bytes(&fields, "skRm")).unwrap();
            assert_eq!(key.public_key().to_bytes(), bytes(&fields, "pkRm"));
            let enc = bytes(&fields, "enc");
            let secret = key.decapsulate(&enc, None).unwrap();
            assert_eq!(secret.as_bytes(), bytes(&fields, "shared_secret"));
            if kem == Kem::P384 {
                let derived = PrivateKey::derive(kem, &bytes(&fields, "ikmR")).unwrap();
                assert_eq!(*derived.to_bytes(), *key.to_bytes());
                let ephemeral = PrivateKey::derive(kem, &bytes(&fields, "ikmE")).unwrap();
                let sent = key.public_key().encapsulate_with(None, &ephemeral);
                let (secret, sent) = sent.unwrap();
                assert_eq!(sent, enc);
                assert_eq!(secret.as_bytes(), bytes(&fields, "shared_secret"));
            }
            receiver = ["1", "2", "3"].contains(&&*fields["kdf_id"]).then(|| {
                let info = bytes(&fields, "info");
                let receiver = suite(&fields).receiver(&enc, &key, &info, Mode::Base);
                receiver.unwrap()
            });
            keys += 1;
        } else if let (true, Some(receiver)) = (line.starts_with("  seal"), &mut receiver) {
            receiver.0.skip_to(fields["sequence"].parse().unwrap());
            let opened = receiver.open(&bytes(&fields, "aad"), &bytes(&fields, "ct"));
            assert_eq!(opened.unwrap(), bytes(&fields, "pt"));
            messages += 1;
        } else if let (true, Some(receiver)) = (line.starts_with("  export"), &mut receiver) {
            let mut value = vec![0; fields["len"].parse().unwrap()];
            let context = bytes(&fields, "context");
            receiver.export(&context, &mut value).unwrap();
            assert_eq!(value, bytes(&fields, "value"));
            exports += 1;
        }
    }
    assert_eq!((keys, messages, exports), (3, 3, 3));
}

#[test]
fn all_suites_and_modes_work() {
    let mut rng = TestRng::new(20);
    let psk = Psk {
        key: &[9; 32],
        id: b"nine",
    };
    for kem in KEMS {
        let key = PrivateKey::generate(kem, &mut rng).unwrap();
        let from = PrivateKey::generate(kem, &mut rng).unwrap();
        assert_eq!(key.check_pair(), Ok(()));
        let encoded = key.to_bytes();
        let key = PrivateKey::from_bytes(kem, &encoded).unwrap();
        let public = PublicKey::from_bytes(kem, &key.public_key().to_bytes()).unwrap();
        let from_public = from.public_key();
        for kdf in [Kdf::HkdfSha256, Kdf::HkdfSha384, Kdf::HkdfSha512] {
            for aead in [Aead::Aes128Gcm, Aead::Aes256Gcm, Aead::ChaCha20Poly1305] {
                let suite = Suite::new(kem, kdf, aead);
                let modes = [
                    (Mode::Base, Mode::Base),
                    (Mode::Psk(psk), Mode::Psk(psk)),
                    (Mode::Auth(&from), Mode::Auth(&from_public)),
                    (Mode::AuthPsk(&from, psk), Mode::AuthPsk(&from_public, psk)),
                ];
                for (sending, receiving) in modes {
                    let sealed = suite.seal(&public, b"i", sending, b"a", b"m", &mut rng);
                    if kem == Kem::XWing && sending.key().is_some() {
                        assert_eq!(sealed.err(), Some(Error::BadPrivateKey));
                        continue;
                    }
                    let (enc, sealed) = sealed.unwrap();
                    let opened = suite.open(&enc, &key, b"i", receiving, b"a", &sealed);
                    assert_eq!(opened.unwrap(), b"m");
                    let wrong = suite.open(&enc, &key, b"j", receiving, b"a", &sealed);
                    assert_eq!(wrong, Err(Error::BadTag));
                    let wrong = suite.open(&enc, &key, b"i", receiving, b"b", &sealed);
                    assert_eq!(wrong, Err(Error::BadTag));
                }
            }
        }
    }
}

#[test]
fn a_message_that_fails_is_still_the_next() {
    let mut rng = TestRng::new(21);
    let suite = Suite::new(Kem::X25519, Kdf::HkdfSha256, Aead::ChaCha20Poly1305);
    let key = PrivateKey::generate(Kem::X25519, &mut rng).unwrap();
    let (enc, mut sender) = suite
        .sender(&key.public_key(), b"", Mode::Base, &mut rng)
        .unwrap();
    let mut receiver = suite.receiver(&enc, &key, b"", Mode::Base).unwrap();
    let first = sender.seal(b"", b"first").unwrap();
    let second = sender.seal(b"", b"second").unwrap();
    assert_eq!(receiver.open(b"", &second), Err(Error::BadTag));
    assert_eq!(receiver.open(b"", &first[..15]).err(), {
        let (expected, actual) = (16, 15);
        Some(Error::BadLength { expected, actual })
    });
    assert_eq!(receiver.open(b"", &first).unwrap(), b"first");
    assert_eq!(receiver.open(b"", &second).unwrap(), b"second");
    sender.0.skip_to(u64::MAX);
    let refused = sender.seal(b"", b"one too many").err();
    assert_eq!(refused, Some(Error::BadParameter("sequence number")));
}

#[test]
fn misuse_is_refused() {
    let mut rng = TestRng::new(22);
    let suite = Suite::new(Kem::X25519, Kdf::HkdfSha256, Aead::ExportOnly);
    let key = PrivateKey::generate(Kem::X25519, &mut rng).unwrap();
    let public = key.public_key();
    for (secret, id) in [(&[1; 31][..], &b"id"[..]), (&[1; 32], b"")] {
        let mode = Mode::Psk(Psk { key: secret, id });
        let refused = suite.sender(&public, b"", mode, &mut rng).err();
        assert_eq!(refused, Some(Error::BadParameter("psk")));
    }
    let (enc, mut sender) = suite.sender(&public, b"", Mode::Base, &mut rng).unwrap();
    let refused = sender.seal(b"", b"message");
    assert_eq!(refused, Err(Error::BadParameter("aead")));
    let refused = sender.export(b"", &mut [0; 255 * 32 + 1]);
    assert!(matches!(refused, Err(Error::BadLength { .. })));
    // Keys of another KEM.
    let other = PrivateKey::generate(Kem::P256, &mut rng).unwrap();
    let refused = suite.sender(&other.public_key(), b"", Mode::Base, &mut rng);
    assert_eq!(refused.err(), Some(Error::BadPublicKey));
    let refused = suite.sender(&public, b"", Mode::Auth(&other), &mut rng);
    assert_eq!(refused.err(), Some(Error::BadPrivateKey));
    let refused = suite.receiver(&enc, &other, b"", Mode::Base).err();
    assert_eq!(refused, Some(Error::BadPrivateKey));
    let refused = suite.receiver(&enc[1..], &key, b"", Mode::Base).err();
    assert_eq!(refused, Some(Error::BadPublicKey));
    let refused = suite.receiver(&[0; 32], &key, b"", Mode::Base).err();
    assert_eq!(refused, Some(Error::WeakSharedSecret));
    assert!(PrivateKey::from_bytes(Kem::P256, &[0; 32]).is_err());
    assert!(PublicKey::from_bytes(Kem::P256, &[4; 65]).is_err());
}
