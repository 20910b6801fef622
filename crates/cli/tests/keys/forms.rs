//! Keys in their forms: PEM, DER, before PKCS #8, encrypted.

use super::{Folder, adamant_with, failure, stdout, text};

#[test]
fn forms_lead_back() {
    for (name, traditional) in [
        ("rsa --bits 2048", true),
        ("p-256", true),
        ("brainpoolp384r1", true),
        ("ed25519", false),
        ("ml-dsa-44", false),
        ("slh-dsa-sha2-128f", false),
    ] {
        let folder = Folder::new();
        folder.pair("key", name);
        let pem = folder.read("key.pem");
        folder.run("pkey key.pem --format der -o key.der");
        assert_ne!(folder.read("key.der"), pem);
        assert_eq!(folder.run("pkey key.der --format pem"), pem, "{name}");
        assert_eq!(folder.pipe("pkey --format pem", &pem), pem, "{name}");
        folder.run("pkey key.pub --format der -o public.der");
        assert_eq!(
            folder.run("pkey public.der --format pem"),
            folder.read("key.pub")
        );
        assert_eq!(folder.run("pkey key.der --public"), folder.read("key.pub"));
        if !traditional {
            let errors = folder.fail("pkey key.pem --traditional -o no", 2);
            assert!(errors.contains("PKCS #8"), "{errors}");
            continue;
        }
        for form in ["pem", "der"] {
            folder.run(&format!(
                "pkey key.pem --traditional --format {form} -o old -f"
            ));
            assert_eq!(folder.run("pkey old --format pem"), pem, "{name} {form}");
        }
    }
}

#[test]
fn encrypted_keys() {
    for (name, kdf) in [
        ("rsa --bits 2048", "scrypt"),
        ("ed25519", "pbkdf2"),
        ("ml-kem-768", "scrypt"),
    ] {
        let folder = Folder::new();
        let with = "--passphrase-file password";
        folder.run(&format!(
            "genkey {name} --encrypt --kdf {kdf} {with} -o sealed"
        ));
        assert!(
            text(&folder.read("sealed")).starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
        );
        let shown = text(&folder.run(&format!("pkey sealed {with}")));
        assert!(shown.contains("encrypted"), "{shown}");
        // Not in the clear without being asked.
        let errors = folder.fail(&format!("pkey sealed {with} -o no"), 2);
        assert!(errors.contains("--decrypt"), "{errors}");
        folder.run(&format!("pkey sealed {with} --decrypt -o open"));
        folder.run(&format!("pkey sealed {with} --public -o public"));
        assert_eq!(folder.run("pkey open --public"), folder.read("public"));
        // From one passphrase to another, and to DER.
        folder.write("other", b"battery staple\r\n");
        folder.run(&format!(
            "pkey sealed {with} --encrypt --new-passphrase-file other --format der -o again"
        ));
        let back = folder.run("pkey again --passphrase-file other --decrypt");
        assert_eq!(back, folder.read("open"));
        for wrong in [
            "pkey again --passphrase-file password",
            "pkey sealed --passphrase-file other",
        ] {
            let errors = folder.fail(wrong, 1);
            assert!(errors.contains("wrong passphrase"), "{errors}");
            assert!(
                !errors.contains("horse") && !errors.contains("battery"),
                "{errors}"
            );
        }
        // From a descriptor, and from the environment.
        let fd = folder.pipe(
            "pkey sealed --passphrase-fd 0 --decrypt",
            b"correct horse\n",
        );
        assert_eq!(fd, folder.read("open"));
        let args = ["pkey", "sealed", "--decrypt"];
        let output = adamant_with(&folder.0, Some("correct horse"), b"", &args);
        assert_eq!(stdout(output), folder.read("open"));
        let (_, errors) = failure(adamant_with(&folder.0, Some(""), b"", &args), 1);
        assert!(errors.contains("empty"), "{errors}");
        // Where a public key is wanted, no passphrase is asked for.
        let errors = folder.fail("encapsulate -k sealed -c no -s nor", 1);
        assert!(errors.contains("--public"), "{errors}");
    }
}

/// Cut anywhere, or with a changed byte, a key is refused.
#[test]
fn damaged_keys() {
    let folder = Folder::new();
    let with = "--passphrase-file password";
    folder.run("genkey p-256 --format der -o key");
    folder.run(&format!(
        "genkey p-256 --encrypt --kdf pbkdf2 {with} --format der -o sealed"
    ));
    folder.run("pkey key --public --format der -o public");
    for name in ["key", "sealed", "public"] {
        let der = folder.read(name);
        for len in [0, 1, 2, 10, der.len() / 2, der.len() - 1] {
            folder.write("cut", &der[..len]);
            let errors = folder.fail(&format!("pkey cut {with}"), 1);
            assert!(errors.starts_with("error: cut: "), "{errors}");
        }
        let longer = [&der[..], &[0]].concat();
        folder.write("cut", &longer);
        folder.fail(&format!("pkey cut {with}"), 1);
    }
    // A private key with the public one of another.
    let (mut der, other) = (folder.read("key"), folder.run("genkey p-256 --format der"));
    let len = der.len();
    der[len - 64..].copy_from_slice(&other[len - 64..]);
    folder.write("mixed", &der);
    let errors = folder.fail("pkey mixed", 1);
    assert!(
        errors.contains("public key of another private key"),
        "{errors}"
    );
    let pem = text(&folder.run("pkey key --format pem"));
    folder.write("cut", &pem.as_bytes()[..pem.len() / 2]);
    folder.fail("sign -k cut message -o no", 1);
    folder.write("empty", b"");
    folder.fail("sign -k empty message -o no", 1);
    folder.fail("sign -k missing message -o no", 1);
}
