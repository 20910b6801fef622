//! What the pipeline makes, checked by the `openssl` program, where version 3 or later is
//! installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use adamant_pipeline::{Adamant, Algorithm, make};

/// Whether there is the program.
fn installed() -> bool {
    let output = Command::new("openssl").arg("version").output();
    let major = output.ok().and_then(|output| {
        let version = String::from_utf8(output.stdout).ok()?;
        let number = version.strip_prefix("OpenSSL ")?.split('.').next()?;
        number.parse::<u32>().ok()
    });
    if major.is_none_or(|major| major < 3) {
        println!("no openssl program of version 3 or later: nothing tested");
        return false;
    }
    true
}

/// Runs the program, which must succeed, and gives all it says.
fn openssl(folder: &Path, arguments: &str) -> String {
    let output = Command::new("openssl")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "openssl {arguments}\n{said}");
    said
}

#[test]
fn openssl_accepts_what_is_made() {
    if !installed() {
        return;
    }
    // OpenSSL 3.0, which is what is often installed, knows no ML-DSA and SLH-DSA; it takes SM2
    // with an empty identity where none can be said.
    let unknown = ["ml-dsa", "slh-dsa", "sm2"];
    let classic = |a: &Algorithm| !unknown.iter().any(|name| a.name().starts_with(name));
    for algorithm in Algorithm::all().filter(classic) {
        let batch = if algorithm.modulus_bits().is_some() {
            9
        } else {
            300
        };
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let made = make(&Adamant, algorithm, batch).unwrap();
        fs::write(folder.join("ca.der"), &made.ca).unwrap();
        fs::write(folder.join("crl.der"), &made.crl).unwrap();
        openssl(folder, "x509 -in ca.der -out ca.pem");

        let said = openssl(
            folder,
            "verify -x509_strict -check_ss_sig -CAfile ca.pem ca.pem",
        );
        assert!(said.contains("ca.pem: OK"), "{said}");
        let said = openssl(folder, "crl -in crl.der -CAfile ca.pem -noout -text");
        assert!(said.contains("verify OK"), "{said}");
        assert_eq!(said.matches("Serial Number: ").count(), batch, "{said}");

        for item in [0, batch / 2, batch - 1] {
            fs::write(folder.join("one.der"), &made.certificates[item]).unwrap();
            fs::write(folder.join("ocsp.der"), &made.ocsp_responses[item]).unwrap();
            openssl(folder, "x509 -in one.der -out one.pem");

            let name = format!("{}.adamant.example", item + 1);
            let said = openssl(
                folder,
                &format!(
                    "verify -x509_strict -purpose sslserver -verify_hostname {name} \
                     -CAfile ca.pem one.pem"
                ),
            );
            assert!(said.contains("one.pem: OK"), "{said}");

            let said = openssl(
                folder,
                "ocsp -respin ocsp.der -CAfile ca.pem -issuer ca.pem -sha256 -cert one.pem",
            );
            assert!(said.contains("Response verify OK"), "{said}");
            assert!(said.contains("one.pem: good"), "{said}");
        }
    }
}
