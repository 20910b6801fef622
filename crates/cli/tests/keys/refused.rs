//! What makes no sense, and what must not be replaced.

use super::Folder;

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
        ("genkey rsa --bits 2049 -o no", 2, "128"),
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
