//! Every kind of keys, in all its uses.

use serde_json::Value;

use super::{Folder, text};

/// Each kind's name and its uses.
pub(crate) fn kinds() -> Vec<(String, Vec<String>)> {
    let list = Folder::new().run("genkey --list --json");
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let uses = row["uses"].as_array().unwrap().iter();
        let uses = uses.map(|u| u.as_str().unwrap().to_owned());
        (row["name"].as_str().unwrap().to_owned(), uses.collect())
    };
    text(&list).lines().map(row).collect()
}

/// What `genkey` is asked for: RSA keys are short here.
pub(crate) fn asked(name: &str) -> String {
    match name {
        "rsa" => "rsa --bits 2048".to_owned(),
        name => name.to_owned(),
    }
}

#[test]
fn every_kind_in_every_use() {
    let kinds = kinds();
    assert!(kinds.len() >= 31);
    for (name, uses) in kinds {
        let folder = Folder::new();
        folder.pair("mine", &asked(&name));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let data = folder.0.path().join("mine.pem").metadata().unwrap();
            assert_eq!(data.permissions().mode() & 0o777, 0o600, "{name}");
        }
        let shown = text(&folder.run("pkey mine.pem --check"));
        let title = shown.lines().next().unwrap().to_ascii_lowercase();
        assert!(title.starts_with(&format!("{name} private key")), "{title}");
        assert!(shown.contains("fits"), "{shown}");
        let public: Value = serde_json::from_slice(&folder.run("pkey mine.pub --json")).unwrap();
        let private: Value = serde_json::from_slice(&folder.run("pkey mine.pem --json")).unwrap();
        assert_eq!(public["key_id"], private["key_id"], "{name}");
        assert_eq!(
            (&public["half"], &private["half"]),
            (&"public".into(), &"private".into())
        );
        for one in &uses {
            match &**one {
                "sign" => signs(&folder, &name),
                "derive" => derives(&folder, &name),
                "encapsulate" => encapsulates(&folder, &name),
                "encrypt" => encrypts(&folder, &name),
                other => panic!("{name}: {other}"),
            }
        }
        let others = ["sign", "derive", "encapsulate", "encrypt"];
        for other in others
            .iter()
            .filter(|other| !uses.iter().any(|one| one == *other))
        {
            let line = match *other {
                "sign" => "sign -k mine.pem message -o no",
                "derive" => "derive -k mine.pem -p mine.pub -o no",
                "encapsulate" => "encapsulate -k mine.pub -c no -s nor",
                _ => "encrypt -k mine.pub message -o no",
            };
            let errors = folder.fail(line, 1);
            assert!(errors.contains("keys do not"), "{name} {errors}");
        }
    }
}

fn signs(folder: &Folder, name: &str) {
    folder.run("sign -k mine.pem message -o signature");
    let said = folder.run("verify -k mine.pub -s signature message");
    assert_eq!(said, b"signature verifies\n", "{name}");
    let verify = "verify -k mine.pub -s signature";
    let other = super::adamant_with(&folder.0, None, b"attack at dusk", &super::words(verify));
    let (out, errors) = super::failure(other, 1);
    assert!(
        out.is_empty() && errors.contains("signature does not verify"),
        "{name} {errors}"
    );
    // Cut, and with a bit changed at either end.
    let signature = folder.read("signature");
    let mut changed = signature.clone();
    changed[0] ^= 1;
    let mut last = signature.clone();
    *last.last_mut().unwrap() ^= 1;
    for wrong in [&signature[..signature.len() - 1], &[], &changed, &last] {
        folder.write("wrong", wrong);
        let errors = folder.fail("verify -k mine.pub -s wrong message", 1);
        assert_eq!(errors, "error: signature does not verify\n", "{name}");
    }
}

fn derives(folder: &Folder, name: &str) {
    folder.pair("theirs", name);
    let here = folder.run("derive -k mine.pem -p theirs.pub");
    let there = folder.run("derive -k theirs.pem -p mine.pub --format hex");
    let hex: String = here.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(text(&there), hex + "\n", "{name}");
}

fn encapsulates(folder: &Folder, name: &str) {
    for format in ["raw", "hex", "base64"] {
        let line = format!("encapsulate -k mine.pub -c ciphertext -s secret --format {format} -f");
        folder.run(&line);
        let line = format!("decapsulate -k mine.pem ciphertext --format {format}");
        assert_eq!(folder.run(&line), folder.read("secret"), "{name} {format}");
    }
    let errors = folder.fail("decapsulate -k mine.pem message -o no", 1);
    assert!(errors.contains("length"), "{name} {errors}");
}

fn encrypts(folder: &Folder, name: &str) {
    folder.run("encrypt -k mine.pub message -o sealed --format base64");
    let opened = folder.run("decrypt -k mine.pem sealed --format base64");
    assert_eq!(opened, folder.read("message"), "{name}");
    folder.run("encrypt -k mine.pub message -o sealed -f");
    let sealed = folder.read("sealed");
    for cut in [0, 1, sealed.len() - 1] {
        folder.write("cut", &sealed[..cut]);
        let errors = folder.fail("decrypt -k mine.pem cut -o no", 1);
        assert!(errors.contains("decryption failed"), "{name} {errors}");
    }
}
