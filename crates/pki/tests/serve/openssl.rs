//! The `openssl` program as a client.

use std::process::Command;

use adamant::der::pem;
use adamant_pki::ca::Settings;

use super::{Ca, Running};

#[test]
fn openssl_asks() {
    if Command::new("openssl").arg("version").output().is_err() {
        adamant_testkit::skipped(
            "what openssl says of it",
            "there is no such program",
            "ADAMANT_REQUIRE_OPENSSL",
        );
        return;
    }
    let ca = Ca::new(Settings::default(), 2);
    ca.revoke(&ca.serial(1));
    let server = Running::with_key(&ca);
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, der: &[u8]| {
        std::fs::write(folder.path().join(name), pem::encode("CERTIFICATE", der)).unwrap();
    };
    write("ca.pem", &ca.certificate);
    write("good.pem", &ca.issued[0]);
    write("revoked.pem", &ca.issued[1]);
    let url = format!("http://{}/ocsp", server.address);
    for (certificate, told) in [
        ("good.pem", "good.pem: good"),
        ("revoked.pem", "revoked.pem: revoked"),
    ] {
        for nonce in ["-nonce", "-no_nonce"] {
            let output = Command::new("openssl")
                .args([
                    "ocsp",
                    "-issuer",
                    "ca.pem",
                    "-cert",
                    certificate,
                    "-url",
                    &url,
                ])
                .args(["-CAfile", "ca.pem", nonce])
                .current_dir(folder.path())
                .output()
                .unwrap();
            let text = [&output.stdout[..], &output.stderr].concat();
            let text = String::from_utf8(text).unwrap();
            assert!(output.status.success(), "{text}");
            assert!(text.contains("Response verify OK"), "{text}");
            assert!(text.contains(told), "{text}");
            assert!(!text.contains("WARNING"), "{nonce}: {text}");
        }
    }
}
