//! Files of private keys with their certificates.

use adamant_rand::SystemRng;
use adamant_x509::pbes2::{Cipher, Limits, Pbes2, Prf};
use adamant_x509::pkcs12::{Pkcs12, Protection};
use adamant_x509::{ErrorKind, KeyAlgorithm, PrivateKey};

use super::entity::Entity;
use super::program::{ALGORITHMS, OpenSsl};

const PASSWORD: &str = "open s\u{e9}same";

#[test]
fn ours_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.write("password", PASSWORD);
    let ca = Entity::ca(KeyAlgorithm::P256, "CA", None);
    for &algorithm in ALGORITHMS {
        let leaf = Entity::server(algorithm, "Leaf", &ca);
        for scheme in [
            Pbes2::pbkdf2(Prf::HmacSha256, 2048),
            Pbes2::pbkdf2(Prf::HmacSha512, 2048).with_cipher(Cipher::Aes128Cbc),
            Pbes2::scrypt(1024, 8, 1),
        ] {
            let protection = Protection {
                scheme,
                mac_iterations: 2048,
            };
            let key = PrivateKey::from_pem(&leaf.key.to_pem()).unwrap();
            let file = Pkcs12::new()
                .key(key, Some("server"))
                .certificate(&leaf.der, Some("server"))
                .unwrap()
                .certificate(&ca.der, None)
                .unwrap();
            let der = file.to_der(PASSWORD, &protection, &mut SystemRng).unwrap();
            ssl.write("file.p12", der);
            let said = ssl.run("pkcs12 -in file.p12 -passin file:password -nodes -info");
            assert!(said.contains("friendlyName: server"), "{said}");
            assert_eq!(said.matches("BEGIN CERTIFICATE").count(), 2, "{said}");
            assert!(said.contains(&*leaf.key.to_pem()), "{said}");
        }
    }
}

#[test]
fn theirs_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.write("password", PASSWORD);
    let ca = Entity::ca(KeyAlgorithm::P256, "CA", None);
    let read = |der: &[u8], password| {
        let file = Pkcs12::from_der(der, password, &Limits::default());
        file.map_err(|error| error.kind())
    };
    for (i, &algorithm) in ALGORITHMS.iter().enumerate() {
        let leaf = Entity::server(algorithm, "Leaf", &ca);
        ssl.write("leaf.key", leaf.key.to_pem().as_bytes());
        ssl.write("leaf.pem", leaf.pem());
        ssl.write("ca.pem", ca.pem());
        let export = "pkcs12 -export -inkey leaf.key -in leaf.pem -certfile ca.pem \
                      -passout file:password -out file.p12";
        for options in [
            "-name server",
            "-name server -macalg sha512 -iter 10000",
            "-name server -macalg sha1 -certpbe AES-128-CBC -keypbe AES-192-CBC",
            "-name server -certpbe NONE -keypbe NONE",
        ] {
            ssl.run(&format!("{export} {options}"));
            let der = ssl.read("file.p12");
            let file = read(&der, PASSWORD).unwrap();
            assert_eq!(file.keys.len(), 1, "{options}");
            assert_eq!(file.keys[0].key.public_key(), leaf.key.public_key());
            assert_eq!(file.keys[0].name.as_deref(), Some("server"));
            let certificates: Vec<_> = file.certificates.iter().map(|c| &c.der).collect();
            assert_eq!(certificates, [&leaf.der, &ca.der]);
            assert_eq!(file.certificates[0].local_key_id, file.keys[0].local_key_id);
            assert_eq!(read(&der, "open").unwrap_err(), ErrorKind::WrongPassword);
        }
        if i == 0 {
            ssl.run(&format!("{export} -nomac"));
            let error = read(&ssl.read("file.p12"), PASSWORD).unwrap_err();
            assert!(matches!(error, ErrorKind::Der(_)), "{error}");
        }
    }
}

/// What a test beside this one reads is BER that others read.
#[test]
fn a_file_in_ber() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.write("file.p12", include_bytes!("../../testdata/indefinite.p12"));
    let said = ssl.run("pkcs12 -in file.p12 -passin pass:1234 -nodes");
    assert!(said.contains("friendlyName: indefinite"), "{said}");
}
