//! Generated chains against `openssl verify`, where version 3 or later is installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use adamant_der::pem;
use adamant_x509::path::{Limits, Profile};

use super::chain::{Chain, at, generate};

fn write<'a>(path: &Path, certificates: impl IntoIterator<Item = &'a Vec<u8>>) {
    let encode = |der: &Vec<u8>| pem::encode("CERTIFICATE", der);
    let text: String = certificates.into_iter().map(encode).collect();
    fs::write(path, text).unwrap();
}

fn validate(folder: &Path, chain: &Chain) -> (bool, String) {
    write(&folder.join("leaf.pem"), [&chain.leaf]);
    write(&folder.join("root.pem"), [&chain.root]);
    write(&folder.join("others.pem"), &chain.intermediates);
    let mut command = Command::new("openssl");
    command
        .current_dir(folder)
        .args(["verify", "-CAfile", "root.pem", "-no-CApath"]);
    command.args([
        "-purpose",
        "sslserver",
        "-attime",
        &at().to_unix().to_string(),
    ]);
    command.args(["-verify_hostname", chain.host]);
    if !chain.intermediates.is_empty() {
        command.args(["-untrusted", "others.pem"]);
    }
    let output = command.arg("leaf.pem").output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn generated_chains() {
    let version = Command::new("openssl").arg("version").output();
    if !version.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).starts_with("OpenSSL 3")) {
        println!("no openssl program of version 3: nothing tested");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for number in 0..150 {
        let chain = generate(number);
        let ours = chain.validate(Profile::Path, Limits::DEFAULT);
        let (theirs, said) = validate(folder.path(), &chain);
        assert_eq!(
            ours.is_ok(),
            theirs,
            "{number}: {ours:?}, {said}; {:?} for {}",
            chain.faults,
            chain.host,
        );
    }
}
