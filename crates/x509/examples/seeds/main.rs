//! Inputs that the fuzz targets start from: one of everything, of the tests' small public key
//! infrastructure.
//!
//! ```text
//! cargo run --release -p adamant-x509 --example seeds -- fuzz/corpus
//! ```

use std::fs;
use std::path::Path;

use adamant_der::{Writer, pem};
use adamant_ec::sm2;
use adamant_rand::SystemRng;
use adamant_x509::crl::FullCertificateList;
use adamant_x509::csr::CertificationRequest;
use adamant_x509::extensions::Extensions;
use adamant_x509::ocsp::{OcspRequest, OcspResponse};
use adamant_x509::pbes2::{Pbes2, Prf};
use adamant_x509::pkcs12::{Pkcs12, Protection};
use adamant_x509::{Certificate, KeyAlgorithm, PrivateKey};

#[path = "../../tests/path/chain.rs"]
#[allow(dead_code)] // The tests use more of it.
mod chain;
#[path = "../../tests/common/mod.rs"]
mod common;
mod paths;

/// Inputs with their targets.
#[derive(Default)]
struct Seeds(Vec<(&'static str, Vec<u8>)>);

impl Seeds {
    fn add(&mut self, target: &'static str, input: impl AsRef<[u8]>) {
        self.0.push((target, input.as_ref().to_vec()));
    }

    /// Identifier and value of each.
    fn extensions(&mut self, all: Extensions<'_>) {
        for extension in all.iter().flatten() {
            let mut w = Writer::new();
            w.sequence(|w| {
                w.oid(&extension.oid);
                w.octet_string(extension.value());
            });
            self.add("extensions", w.finish());
        }
    }

    fn certificates(&mut self) {
        let (root, leaf, crl) = (common::root(), common::leaf(), common::crl());
        for der in [&root, &leaf] {
            let certificate = Certificate::from_der(der).expect("a certificate");
            self.extensions(certificate.extensions());
            self.add("certificate", der);
            self.add("der", der);
            self.add("text", certificate.to_pem());
            self.add("text", certificate.subject_der());
            self.add("signatures", certificate.signature());
        }
        let response = common::ocsp_response();
        self.add("path", [&leaf[..], &root, &crl, &response].concat());
        let delta = common::delta_crl();
        for der in [&crl, &delta] {
            let list = FullCertificateList::from_der(der).expect("a list");
            self.extensions(list.extensions());
            for entry in list.entries().flatten() {
                self.extensions(entry.extensions);
            }
            self.add("lists", der);
        }
    }

    fn requests(&mut self) {
        let der = common::request();
        let request = CertificationRequest::from_der(&der).expect("a request");
        self.extensions(request.extensions.raw());
        self.add("request", &der);
        for der in [common::ocsp_request(), common::signed_ocsp_request()] {
            let request = OcspRequest::from_der(&der).expect("a request");
            self.extensions(request.extensions.raw());
            self.add("ocsp", &der);
        }
        for der in [common::ocsp_response(), common::ocsp_response_by_key()] {
            let response = OcspResponse::from_der(&der).expect("a response");
            let basic = response.basic().expect("an answer");
            self.extensions(basic.extensions.raw());
            self.add("ocsp", &der);
        }
    }

    fn keys(&mut self) {
        let mut rng = SystemRng;
        for algorithm in KeyAlgorithm::ALL {
            if *algorithm == KeyAlgorithm::Rsa {
                continue;
            }
            let key = PrivateKey::generate(*algorithm, &mut rng).expect("a key");
            self.add("keys", &*key.to_der());
            self.add("keys", key.public_key().to_der());
            if let Some(der) = key.to_sec1_der() {
                self.add("keys", &*der);
            }
        }
        let schemes = [
            Pbes2::pbkdf2(Prf::HmacSha256, 1),
            Pbes2::pbkdf2(Prf::HmacSha512, 2),
        ];
        for scheme in schemes {
            let key = common::leaf_key();
            let encrypted = key.to_encrypted_der(b"password", &scheme, &mut rng);
            let encrypted = encrypted.expect("an encrypted key");
            self.add(
                "encrypted",
                pem::encode("ENCRYPTED PRIVATE KEY", &encrypted),
            );
            self.add("encrypted", encrypted);
            let protection = Protection {
                scheme,
                mac_iterations: 1,
            };
            let file = Pkcs12::new()
                .key(key, Some("key"))
                .certificate(&common::leaf(), None)
                .expect("a certificate")
                .to_der("password", &protection, &mut rng);
            self.add("pkcs12", file.expect("a file"));
        }
        self.add("pkcs12", include_bytes!("../../testdata/indefinite.p12"));
        self.add("pkcs12", include_bytes!("../../testdata/rfc9579_a1.p12"));
        let key = sm2::PrivateKey::generate(&mut rng).expect("a key");
        let ciphertext = key.public_key().encrypt(b"message", &mut rng);
        self.add("signatures", ciphertext.expect("a ciphertext").to_der());
        if let PrivateKey::P256(key) = common::leaf_key() {
            self.add("signatures", key.public_key().to_sec1());
            self.add("signatures", key.public_key().to_sec1_compressed());
        }
    }
}

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of the seeds");
    let mut seeds = Seeds::default();
    seeds.certificates();
    seeds.requests();
    seeds.keys();
    for input in paths::all() {
        seeds.add("path", input);
    }
    for (i, (target, input)) in seeds.0.iter().enumerate() {
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("small-{i}")), input).expect("a writable folder");
    }
    println!("{} inputs", seeds.0.len());
}
