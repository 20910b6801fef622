//! `adamant hpke`.

use super::Folder;

#[test]
fn modes() {
    for name in ["p-256", "p-384", "p-521", "x25519", "x448"] {
        let folder = Folder::new();
        folder.pair("key", name);
        folder.pair("sender", name);
        folder.write("psk", &[7; 32]);
        let modes = [
            ("", ""),
            (
                "--psk-file psk --psk-id ours",
                "--psk-file psk --psk-id ours",
            ),
            ("--sender sender.pem", "--sender sender.pub"),
            (
                "--sender sender.pem --psk-file psk --psk-id hex:00",
                "--sender sender.pub --psk-file psk --psk-id hex:00",
            ),
        ];
        for (seal, open) in modes {
            for options in [
                "",
                "--info letters --aad 2026",
                "--aead aes-128-gcm --kdf hkdf-sha512",
            ] {
                let words = ["hpke seal -k key.pub message -o sealed -f", seal, options].join(" ");
                folder.run(words.trim_end().replace("  ", " ").as_str());
                for (_, other) in modes {
                    let words =
                        ["hpke open -k key.pem sealed -o opened -f", other, options].join(" ");
                    let words = words.trim_end().replace("  ", " ");
                    if other == open {
                        folder.run(&words);
                        assert_eq!(folder.read("opened"), b"attack at dawn");
                    } else {
                        let errors = folder.fail(&words, 1);
                        assert!(errors.contains("wrong key or options"), "{errors}");
                    }
                }
            }
        }
    }
}

#[test]
fn damaged_files() {
    let folder = Folder::new();
    folder.pair("key", "x25519");
    folder.pair("other", "x25519");
    folder.run("hpke seal -k key.pub message -o sealed --aead chacha20-poly1305");
    let sealed = folder.read("sealed");
    assert_eq!(sealed.len(), 32 + 14 + 16);
    let open = "hpke open -k key.pem damaged -o no --aead chacha20-poly1305";
    for len in [0, 31, 32, 47, 48, sealed.len() - 1] {
        folder.write("damaged", &sealed[..len]);
        folder.fail(open, 1);
    }
    for at in [0, 31, 32, sealed.len() - 1] {
        let mut damaged = sealed.clone();
        damaged[at] ^= 1;
        folder.write("damaged", &damaged);
        folder.fail(open, 1);
    }
    folder.write("damaged", &sealed);
    folder.fail(&open.replace("key.pem", "other.pem"), 1);
    folder.fail(&open.replace("key.pem", "key.pub"), 1);
    folder.fail(&format!("{open} --info letters"), 1);
    folder.fail("hpke open -k key.pem damaged -o no", 1);
    folder.run(&open.replace("-o no", "-o opened"));
}

/// The encapsulated key in a file of its own is the beginning of the one file.
#[test]
fn two_files() {
    let folder = Folder::new();
    folder.pair("key", "p-256");
    folder.run("hpke seal -k key.pub message -o sealed --enc enc");
    assert_eq!(folder.read("enc").len(), 65);
    assert_eq!(folder.read("sealed").len(), 14 + 16);
    assert_eq!(
        folder.run("hpke open -k key.pem --enc enc sealed"),
        b"attack at dawn"
    );
    folder.write("one", &[folder.read("enc"), folder.read("sealed")].concat());
    assert_eq!(folder.run("hpke open -k key.pem one"), b"attack at dawn");
    folder.fail("hpke seal -k key.pub message -o sealed --enc enc", 2);
}

#[test]
fn refused() {
    let folder = Folder::new();
    folder.pair("key", "x25519");
    folder.pair("other", "p-256");
    folder.pair("signer", "ed25519");
    let errors = folder.fail("hpke seal -k signer.pub message -o no", 1);
    assert!(errors.contains("no KEM"), "{errors}");
    folder.fail("hpke seal -k key.pub --sender other.pem message -o no", 1);
    folder.fail("hpke seal -k key.pub --psk-id ours message -o no", 2);
    let errors = folder.fail(
        "hpke seal -k key.pub --psk-id ours --psk-file message message -o no",
        1,
    );
    assert!(errors.contains("32 bytes"), "{errors}");
}

/// X-Wing authenticates no sender.
#[test]
fn x_wing() {
    let folder = Folder::new();
    folder.pair("key", "x-wing");
    folder.write("psk", &[7; 32]);
    for options in ["--info letters", "--psk-file psk --psk-id ours"] {
        folder.run(&format!(
            "hpke seal -k key.pub message -o sealed -f {options}"
        ));
        folder.run(&format!(
            "hpke open -k key.pem sealed -o opened -f {options}"
        ));
        assert_eq!(folder.read("opened"), b"attack at dawn");
    }
    folder.fail("hpke seal -k key.pub --sender key.pem message -o no", 1);
}
