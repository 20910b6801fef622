//! What makes no sense, and what must not be replaced.

use super::{Folder, text};

#[test]
fn arguments() {
    let folder = Folder::new();
    folder.pair("rsa", "rsa --bits 2048");
    folder.pair("p", "p256");
    folder.pair("ed", "ed25519");
    folder.pair("x", "x25519");
    folder.pair("dsa", "ml-dsa-44");
    for (line, code, says) in [
        ("genkey", 2, "ALG"),
        ("genkey p257 -o no", 2, "p-256"),
        ("genkey rsa --bits 1024 -o no", 2, "2048"),
        ("genkey rsa --bits 2049 -o no", 2, "multiple of 8"),
        ("genkey p-256 --bits 2048 -o no", 2, "--bits"),
        ("genkey p-256 --kdf scrypt -o no", 2, "--encrypt"),
        (
            "genkey p-256 --passphrase-file password -o no",
            2,
            "--encrypt",
        ),
        ("genkey p-256 --passphrase horse -o no", 2, "--passphrase"),
        ("genkey p-256 -o p.pem", 2, "--force"),
        ("genkey p-256 -o no/such/folder", 1, "no/such/folder"),
        ("pkey message", 1, "this is no key"),
        ("pkey p.pub --check", 2, "--check"),
        (
            "pkey p.pub --encrypt --new-passphrase-file password -o no",
            1,
            "public key",
        ),
        ("pkey p.pem --public -o rsa.pub", 2, "--force"),
        ("sign -k p.pub message -o no", 1, "private"),
        ("sign -k x.pem message -o no", 1, "derive"),
        ("sign -k p.pem missing -o no", 1, "missing"),
        ("sign -k p.pem --padding pss message -o no", 2, "--padding"),
        ("sign -k p.pem --prehash message -o no", 2, "--prehash"),
        ("sign -k p.pem --hash shake128 message -o no", 2, "shake128"),
        ("sign -k p.pem --hash sha1 message -o no", 2, "sha1"),
        (
            "sign -k rsa.pem --context letters message -o no",
            2,
            "--context",
        ),
        (
            "sign -k rsa.pem --padding pkcs1 --salt-length 3 message -o no",
            2,
            "--salt-length",
        ),
        (
            "sign -k rsa.pem --salt-length any message -o no",
            2,
            "--salt-length any is for verifying",
        ),
        (
            "sign -k rsa.pem --salt-length some message -o no",
            2,
            "a number of bytes, or any",
        ),
        (
            "sign -k rsa.pem --salt-length 300 message -o no",
            1,
            "salt length",
        ),
        ("sign -k ed.pem --digest message -o no", 2, "--prehash"),
        ("sign -k ed.pem --hash sha512 message -o no", 2, "--hash"),
        (
            "sign -k dsa.pem --hash sha512 message -o no",
            2,
            "--prehash",
        ),
        ("sign -k dsa.pem --context hex:0 message -o no", 2, "hex"),
        ("verify -k p.pub -s missing message", 1, "missing"),
        ("derive -k x.pem -p p.pub -o no", 1, "X25519"),
        ("derive -k ed.pem -p ed.pub -o no", 1, "do not derive"),
        ("encrypt -k rsa.pub --form der message -o no", 2, "--form"),
        ("encapsulate -k rsa.pub -c no -s no", 2, "a file each"),
        ("encapsulate -k rsa.pub -c no -s nor", 1, "encrypt"),
    ] {
        let errors = folder.fail(line, code);
        assert!(errors.contains(says), "{line}: {errors}");
    }
    let long = "a".repeat(256);
    for key in ["ed.pem", "dsa.pem"] {
        let errors = folder.fail(&format!("sign -k {key} --context {long} message -o no"), 1);
        assert!(errors.contains("context"), "{errors}");
    }
}

/// A point of small order gives no secret, and a failure leaves what was there.
#[test]
fn nothing_is_lost() {
    let folder = Folder::new();
    folder.pair("x", "x25519");
    let mut der = folder.run("pkey x.pub --format der");
    let len = der.len();
    der[len - 32..].fill(0);
    folder.write("small", &der);
    folder.write("there", b"old");
    let errors = folder.fail("derive -k x.pem -p small -o there -f", 1);
    assert!(errors.contains("contributory"), "{errors}");
    assert_eq!(folder.read("there"), b"old");
    folder.fail("sign -k x.pem message -o there -f", 1);
    assert_eq!(folder.read("there"), b"old");
    folder.run("derive -k x.pem -p x.pub -o there -f");
    assert_eq!(folder.read("there").len(), 32);
}

/// What has to be in memory as a whole has a limit, which is checked before anything is read: the
/// files here have holes, and would be zeros for minutes. The message names the way.
#[test]
fn what_is_too_long() {
    let folder = Folder::new();
    for name in ["ed25519", "ed448", "slh-dsa-sha2-128f", "x25519", "sm2"] {
        folder.pair(name, name);
    }
    folder.write("sig", &[0; 64]);
    let most = 64 << 20;
    for (name, len) in [("long", most + 1), ("longest", 1 << 40)] {
        let file = std::fs::File::create(folder.0.path().join(name)).unwrap();
        if file.set_len(len).is_err() {
            continue; // some file systems have no such files
        }
        for (line, says) in [
            ("sign -k ed25519.pem FILE -o no", "--prehash (Ed25519ph)"),
            (
                "sign -k ed25519.pem --context a FILE -o no",
                "--prehash (Ed25519ph)",
            ),
            ("sign -k ed448.pem FILE -o no", "--prehash (Ed448ph)"),
            (
                "sign -k slh-dsa-sha2-128f.pem FILE -o no",
                "--prehash (HashSLH-DSA)",
            ),
            (
                "hpke seal -k x25519.pub FILE -o no",
                "adamant enc --key-file",
            ),
            ("encrypt -k sm2.pub FILE -o no", "adamant enc --key-file"),
        ] {
            let errors = folder.fail(&line.replace("FILE", name), 1);
            assert!(errors.contains(says), "{line}: {errors}");
            assert!(
                errors.contains(&format!("{name}: more than {most} bytes")),
                "{errors}"
            );
        }
    }
    for line in [
        "verify -k ed25519.pub -s sig longest",
        "verify -k ed25519.pub -s longest message",
        "hpke open -k x25519.pem longest -o no",
        "decrypt -k sm2.pem longest -o no",
        "pkey longest",
        "pki show longest",
        "pki lint longest",
        "pki verify longest --ca longest",
        "pki init --name CN=a --profiles longest --store no --passphrase-file password",
        "hash sha256 --check longest",
    ] {
        let output = folder.output(line);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {errors}");
        assert!(errors.contains("longest: more than"), "{line}: {errors}");
    }
}
