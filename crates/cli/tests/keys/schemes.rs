//! The ways to sign and to encrypt, and their options.

use super::Folder;

/// Options for a kind of keys; what is signed in one way verifies in no other.
const WAYS: &[(&str, &[&str])] = &[
    (
        "rsa --bits 2048",
        &[
            "",
            "--hash sha512",
            "--hash sha3-256",
            "--salt-length 20",
            "--padding pkcs1",
            "--padding pkcs1 --hash sha384",
        ],
    ),
    (
        "p-256",
        &["", "--hash sha512", "--hash sha3-384", "--encoding fixed"],
    ),
    ("p-521", &["", "--hash sha256", "--encoding fixed"]),
    (
        "ed25519",
        &[
            "",
            "--context letters",
            "--context hex:00ff",
            "--prehash",
            "--prehash --context letters",
        ],
    ),
    (
        "ed448",
        &[
            "",
            "--context letters",
            "--prehash",
            "--prehash --context letters",
        ],
    ),
    (
        "ml-dsa-65",
        &[
            "",
            "--context letters",
            "--prehash",
            "--prehash --hash shake256",
            "--prehash --hash sha256 --context letters",
        ],
    ),
    (
        "slh-dsa-shake-128f",
        &[
            "",
            "--context letters",
            "--prehash",
            "--prehash --hash shake128",
        ],
    ),
];

fn line(parts: &[&str]) -> String {
    let parts: Vec<_> = parts
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect();
    parts.join(" ")
}

/// The length of the salt need not be known; everything else must be right.
#[test]
fn any_salt_length_verifies() {
    let folder = Folder::new();
    folder.pair("key", "rsa --bits 2048");
    for salt in ["0", "20", "32", "222"] {
        folder.run(&format!(
            "sign -k key.pem --salt-length {salt} message -o s{salt}"
        ));
        let verify = format!("verify -k key.pub -s s{salt} --salt-length any");
        folder.run(&format!("{verify} message"));
        folder.fail(&format!("{verify} key.pub"), 1);
        folder.fail(&format!("{verify} --hash sha384 message"), 1);
    }
    folder.run("sign -k key.pem --padding pkcs1 message -o pkcs1");
    folder.fail("verify -k key.pub -s pkcs1 --salt-length any message", 1);
}

#[test]
fn ways_are_kept_apart() {
    for (name, ways) in WAYS {
        let folder = Folder::new();
        folder.pair("key", name);
        for (i, way) in ways.iter().enumerate() {
            folder.run(&line(&[
                "sign -k key.pem message -o",
                &format!("s{i}"),
                way,
            ]));
            for (j, other) in ways.iter().enumerate() {
                let verify = line(&["verify -k key.pub message -s", &format!("s{i}"), other]);
                if i == j {
                    folder.run(&verify);
                } else {
                    let errors = folder.fail(&verify, 1);
                    assert!(
                        errors.contains("does not verify"),
                        "{name} {way} {other} {errors}"
                    );
                }
            }
        }
    }
}

/// Deterministic signatures are so, others are not, and both verify.
#[test]
fn randomness() {
    for (name, option) in [
        ("ml-dsa-44", "--deterministic"),
        ("slh-dsa-sha2-128f", "--deterministic"),
        ("slh-dsa-sha2-128f", "--prehash --deterministic"),
        ("ed25519", ""),
        ("p-384", ""),
        ("rsa --bits 2048", "--padding pkcs1"),
    ] {
        let folder = Folder::new();
        folder.pair("key", name);
        let sign = line(&["sign -k key.pem message", option]);
        assert_eq!(folder.run(&sign), folder.run(&sign), "{name}");
        let other = sign
            .replace(" --deterministic", "")
            .replace(" --padding pkcs1", "");
        if other != sign {
            assert_ne!(folder.run(&other), folder.run(&other), "{name}");
        }
    }
}

/// A digest in place of the message gives what the message gives.
#[test]
fn digests() {
    for (name, hash, ways) in [
        ("p-256", "sha256", ""),
        ("p-256", "sha512", "--hash sha512"),
        ("rsa --bits 2048", "sha384", "--padding pkcs1 --hash sha384"),
        ("ed25519", "sha512", "--prehash"),
        ("ml-dsa-44", "sha512", "--prehash --deterministic"),
    ] {
        let folder = Folder::new();
        folder.pair("key", name);
        let digest = folder.run(&format!("hash {hash} message"));
        let digits = core::str::from_utf8(&digest)
            .unwrap()
            .split(' ')
            .next()
            .unwrap();
        let bytes = (0..digits.len()).step_by(2);
        let bytes: Vec<u8> = bytes
            .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap())
            .collect();
        folder.write("digest", &bytes);
        let whole = folder.run(&line(&["sign -k key.pem message", ways]));
        assert_eq!(
            folder.run(&line(&["sign -k key.pem digest --digest", ways])),
            whole
        );
        folder.write("signature", &whole);
        folder.run(&line(&[
            "verify -k key.pub -s signature digest --digest",
            ways,
        ]));
        let errors = folder.fail(&line(&["sign -k key.pem message --digest -o no", ways]), 1);
        assert!(errors.contains("bytes"), "{errors}");
    }
}

#[test]
fn signatures_as_text() {
    let folder = Folder::new();
    folder.pair("key", "ed25519");
    let raw = folder.run("sign -k key.pem message");
    assert_eq!(raw.len(), 64);
    for (format, len) in [("hex", 129), ("base64", 89)] {
        let signed = folder.run(&format!("sign -k key.pem message --format {format}"));
        assert_eq!(signed.len(), len);
        folder.write("signature", &signed);
        folder.run(&format!(
            "verify -k key.pub -s signature message --format {format}"
        ));
        folder.fail("verify -k key.pub -s signature message", 1);
        let verify = format!("verify -k key.pub -s message message --format {format}");
        let errors = folder.fail(&verify, 1);
        assert!(errors.starts_with("error: message: "), "{errors}");
    }
    let args = [
        "verify", "-k", "key.pub", "-s", "message", "--json", "message",
    ];
    let (out, _) = super::failure(super::adamant(&folder.0, &args), 1);
    assert_eq!(out, b"{\"verifies\":false}\n");
}

/// Long messages go through in pieces.
#[test]
fn long_messages() {
    let long: Vec<u8> = (0..1_000_003u64).map(|i| (i * i % 251) as u8).collect();
    for name in ["p-256", "ed25519", "ml-dsa-44"] {
        let folder = Folder::new();
        folder.pair("key", name);
        folder.write("long", &long);
        folder.run("sign -k key.pem long -o signature");
        folder.pipe("verify -k key.pub -s signature", &long);
        folder.write("long", &long[..long.len() - 1]);
        folder.fail("verify -k key.pub -s signature long", 1);
    }
}

#[test]
fn oaep() {
    let folder = Folder::new();
    folder.pair("key", "rsa --bits 2048");
    for way in [
        "",
        "--hash sha384",
        "--label letters",
        "--label hex:00 --hash sha3-256",
    ] {
        folder.run(&line(&["encrypt -k key.pub message -o sealed -f", way]));
        assert_eq!(
            folder.run(&line(&["decrypt -k key.pem sealed", way])),
            folder.read("message")
        );
        let errors = folder.fail("decrypt -k key.pem sealed --label other -o no", 1);
        assert!(errors.contains("decryption failed"), "{errors}");
    }
    folder.write("long", &[0; 191]);
    let errors = folder.fail("encrypt -k key.pub long -o no", 1);
    assert!(errors.contains("190 bytes"), "{errors}");
    folder.write("long", &[0; 190]);
    folder.run("encrypt -k key.pub long -o sealed -f");
    assert_eq!(folder.run("decrypt -k key.pem sealed"), [0; 190]);
}

#[test]
fn sm2() {
    if !super::kinds::kinds().iter().any(|(name, _)| name == "sm2") {
        return;
    }
    let folder = Folder::new();
    folder.pair("key", "sm2");
    let ways = ["", "--identity alice@example", "--encoding fixed"];
    for way in ways {
        folder.run(&line(&["sign -k key.pem message -o signature -f", way]));
        for other in ways {
            let verify = line(&["verify -k key.pub -s signature message", other]);
            if way == other {
                folder.run(&verify);
            } else {
                folder.fail(&verify, 1);
            }
        }
    }
    for form in ["der", "c1c3c2", "c1c2c3"] {
        folder.run(&format!(
            "encrypt -k key.pub message --form {form} -o sealed -f"
        ));
        let opened = folder.run(&format!("decrypt -k key.pem sealed --form {form}"));
        assert_eq!(opened, folder.read("message"));
    }
    folder.fail("decrypt -k key.pem sealed -o no", 1);
    folder.write("empty", b"");
    folder.fail("encrypt -k key.pub empty -o no", 1);
}
