//! Both ways with the `openssl` program, version 3: keys, signatures, secrets, ciphertexts.

use std::process::Command;

use super::{Folder, common, text, words};

/// Whether there is an `openssl` of version 3 or later; if not, what is skipped is told.
fn is_there(test: &str) -> bool {
    let version = Command::new("openssl").arg("version").output();
    let version = version
        .map(|output| text(&output.stdout))
        .unwrap_or_default();
    let there = version.starts_with("OpenSSL") && !version.starts_with("OpenSSL 1");
    if !there {
        adamant_testkit::skipped(
            test,
            "no openssl program of version 3",
            "ADAMANT_REQUIRE_OPENSSL",
        );
    }
    there
}

/// A run of `openssl` with these words for arguments: standard output, or the complaint.
fn openssl(folder: &Folder, line: &str) -> Result<Vec<u8>, String> {
    let output = common::run(Command::new("openssl").args(words(line)), &folder.0, b"");
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(format!("openssl {line}: {}", text(&output.stderr)))
}

fn must(folder: &Folder, line: &str) -> Vec<u8> {
    openssl(folder, line).unwrap_or_else(|e| panic!("{e}"))
}

/// The kinds that it knows, and how it makes a key.
fn kinds() -> Vec<(&'static str, String)> {
    let curve = |name| format!("-algorithm EC -pkeyopt ec_paramgen_curve:{name}");
    let mut kinds = vec![
        (
            "rsa",
            "-algorithm RSA -pkeyopt rsa_keygen_bits:2048".to_owned(),
        ),
        ("sm2", curve("SM2")),
        ("ed25519", "-algorithm ED25519".to_owned()),
        ("ed448", "-algorithm ED448".to_owned()),
        ("x25519", "-algorithm X25519".to_owned()),
        ("x448", "-algorithm X448".to_owned()),
    ];
    kinds.extend(CURVES.iter().map(|(name, _)| (*name, curve(name))));
    kinds
}

/// The curves of the list of the schemes, and the digest that each signs with.
macro_rules! curves {
    (
        curves { $({ $feature:tt $curve:ident $module:ident $words:literal $bytes:literal
            $name:literal $oid:literal $signs:ident $($_c:tt)* })* }
        $($_groups:tt)*
    ) => {
        const CURVES: &[(&str, &str)] = &[$(($name, stringify!($signs))),*];
    };
}
adamant::hazmat::base::schemes!(curves);

/// Our key as `ours.pem` and `ours.pub`, and one of theirs.
fn pairs(name: &str, how: &str) -> Folder {
    let folder = Folder::new();
    folder.pair("ours", &super::kinds::asked(name));
    must(&folder, &format!("genpkey {how} -out theirs.pem"));
    must(&folder, "pkey -in theirs.pem -pubout -out theirs.pub");
    folder
}

#[test]
fn keys() {
    if !is_there("keys") {
        return;
    }
    for (name, how) in &kinds() {
        let folder = pairs(name, how);
        // Theirs here, ours there.
        folder.run("pkey theirs.pem --check");
        assert_eq!(
            folder.run("pkey theirs.pem --public"),
            folder.read("theirs.pub"),
            "{name}"
        );
        assert_eq!(
            must(&folder, "pkey -in ours.pem -pubout"),
            folder.read("ours.pub"),
            "{name}"
        );
        must(&folder, "pkey -in ours.pem -check -noout");
        folder.run("pkey ours.pem --format der -o ours.der");
        assert_eq!(
            must(&folder, "pkey -inform der -in ours.der -pubout"),
            folder.read("ours.pub")
        );
        must(&folder, "pkey -in theirs.pem -outform der -out theirs.der");
        assert_eq!(
            folder.run("pkey theirs.der --public"),
            folder.read("theirs.pub"),
            "{name}"
        );
        // Under a passphrase.
        for kdf in ["scrypt", "pbkdf2"] {
            folder.run(&format!(
                "pkey ours.pem --encrypt --kdf {kdf} --new-passphrase-file password -o sealed -f"
            ));
            let public = must(&folder, "pkey -in sealed -passin file:password -pubout");
            assert_eq!(public, folder.read("ours.pub"), "{name} {kdf}");
        }
        for way in [
            "-v2 aes-256-cbc",
            "-v2 aes-128-cbc -v2prf hmacWithSHA512",
            "-scrypt",
        ] {
            must(
                &folder,
                &format!("pkcs8 -topk8 -in theirs.pem {way} -passout file:password -out sealed"),
            );
            let public = folder.run("pkey sealed --passphrase-file password --public");
            assert_eq!(public, folder.read("theirs.pub"), "{name} {way}");
        }
    }
}

/// The structures before PKCS #8.
#[test]
fn traditional_keys() {
    if !is_there("traditional keys") {
        return;
    }
    let old = |name: &str| name == "rsa" || name.starts_with("P-");
    for (name, how) in kinds().iter().filter(|(name, _)| old(name)) {
        let folder = pairs(name, how);
        folder.run("pkey ours.pem --traditional -o old");
        assert_eq!(
            must(&folder, "pkey -in old -pubout"),
            folder.read("ours.pub"),
            "{name}"
        );
        must(&folder, "pkey -in theirs.pem -traditional -out old");
        assert_eq!(
            folder.run("pkey old --public"),
            folder.read("theirs.pub"),
            "{name}"
        );
        must(
            &folder,
            "pkey -in theirs.pem -traditional -aes256 -passout file:password -out old",
        );
        let errors = folder.fail("pkey old --passphrase-file password", 1);
        assert!(errors.contains("pkcs8 -topk8"), "{errors}");
    }
    // With a block of parameters in front, and as a certificate.
    let folder = Folder::new();
    must(&folder, "ecparam -genkey -name prime256v1 -out key");
    folder.run("sign -k key message -o signature");
    must(
        &folder,
        "req -x509 -new -key key -subj /CN=example -out certificate",
    );
    folder.run("verify -k certificate -s signature message");
}

/// A kind of keys, our options, and theirs: of `dgst`, or of `pkeyutl` where there is no hash.
const SIGNATURES: &[(&str, &str, &str)] = &[
    ("rsa", "--padding pkcs1", "-sha256"),
    ("rsa", "--padding pkcs1 --hash sha512", "-sha512"),
    ("rsa", "--padding pkcs1 --hash sha3-256", "-sha3-256"),
    (
        "rsa",
        "--hash sha256",
        "-sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32",
    ),
    (
        "rsa",
        "--hash sha384 --salt-length 20",
        "-sha384 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:20",
    ),
    ("P-256", "--hash sha3-512", "-sha3-512"),
    (
        "sm2",
        "--encoding der",
        "-sm3 -sigopt distid:1234567812345678",
    ),
    (
        "sm2",
        "--identity alice@example",
        "-sm3 -sigopt distid:alice@example",
    ),
    ("ed25519", "--format raw", ""),
    ("ed448", "--format raw", ""),
];

#[test]
fn signatures() {
    if !is_there("signatures") {
        return;
    }
    let kinds = kinds();
    let curves = CURVES.iter().map(|(name, algorithm)| {
        let digest = algorithm.strip_prefix("EcdsaWith").unwrap();
        (
            *name,
            "--encoding der",
            format!("-{}", digest.to_lowercase()),
        )
    });
    let others = SIGNATURES
        .iter()
        .map(|(name, ours, theirs)| (*name, *ours, (*theirs).to_owned()));
    for (name, ours, theirs) in others.chain(curves) {
        let how = &kinds.iter().find(|(kind, _)| *kind == name).unwrap().1;
        let folder = pairs(name, how);
        folder.run(&format!("sign -k ours.pem message -o signature {ours}"));
        must(
            &folder,
            &match &theirs[..] {
                "" => {
                    "pkeyutl -verify -pubin -inkey ours.pub -rawin -in message -sigfile signature"
                        .to_owned()
                }
                hash => format!("dgst {hash} -verify ours.pub -signature signature message"),
            },
        );
        must(
            &folder,
            &match &theirs[..] {
                "" => {
                    "pkeyutl -sign -inkey theirs.pem -rawin -in message -out signature".to_owned()
                }
                hash => format!("dgst {hash} -sign theirs.pem -out signature message"),
            },
        );
        folder.run(&format!("verify -k theirs.pub message -s signature {ours}"));
        folder.write("other", b"attack at dusk");
        folder.fail(
            &format!("verify -k theirs.pub other -s signature {ours}"),
            1,
        );
    }
}

#[test]
fn secrets() {
    if !is_there("secrets") {
        return;
    }
    for (name, how) in &kinds() {
        if ["rsa", "sm2", "ed25519", "ed448"].contains(name) {
            continue;
        }
        let folder = pairs(name, how);
        let here = folder.run("derive -k ours.pem -p theirs.pub");
        must(
            &folder,
            "pkeyutl -derive -inkey theirs.pem -peerkey ours.pub -out secret",
        );
        assert_eq!(here, folder.read("secret"), "{name}");
    }
}

#[test]
fn ciphertexts() {
    if !is_there("ciphertexts") {
        return;
    }
    let oaep = "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md";
    let label = "-pkeyopt rsa_oaep_label:6c657474657273";
    for (name, ours, theirs) in [
        ("rsa", "--hash sha256", format!("{oaep}:sha256")),
        (
            "rsa",
            "--hash sha512 --label letters",
            format!("{oaep}:sha512 {label}"),
        ),
        ("sm2", "--form der", "-pkeyopt digest:sm3".to_owned()),
    ] {
        let kinds = kinds();
        let how = &kinds.iter().find(|(kind, _)| *kind == name).unwrap().1;
        let folder = pairs(name, how);
        folder.run(&format!("encrypt -k theirs.pub message -o sealed {ours}"));
        let decrypt = format!("pkeyutl -decrypt -inkey theirs.pem -in sealed {theirs} -out opened");
        must(&folder, &decrypt);
        assert_eq!(
            folder.read("opened"),
            folder.read("message"),
            "{name} {ours}"
        );
        must(
            &folder,
            &format!("pkeyutl -encrypt -pubin -inkey ours.pub -in message {theirs} -out sealed"),
        );
        let opened = folder.run(&format!("decrypt -k ours.pem sealed {ours}"));
        assert_eq!(opened, folder.read("message"), "{name} {ours}");
    }
}
