//! `pki verify`: what passes only where it is asked for.

use adamant::der::{Oid, Time, oid};
use adamant::ec::p256;
use adamant::x509::crl::CrlBuilder;
use adamant::x509::extensions::{
    AuthorityKeyIdentifier, BasicConstraints, KeyUsage, SubjectKeyIdentifier,
};
use adamant::x509::{CertificateBuilder, DistinguishedName, PrivateKey, PublicKey, SerialNumber};

use super::Folder;

const BASIC_CONSTRAINTS: Oid = oid!("2.5.29.19");
/// `SEQUENCE { BOOLEAN FALSE }`, which is the default.
const NO_CA: [u8; 5] = [0x30, 3, 1, 1, 0];

struct Entity {
    name: DistinguishedName,
    key: PrivateKey,
    public: PublicKey,
    id: [u8; 20],
}

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

impl Entity {
    fn new(name: &str, seed: u8) -> Self {
        let key = PrivateKey::P256(p256::PrivateKey::from_bytes(&[seed; 32]).unwrap());
        let public = key.public_key();
        Self {
            name: DistinguishedName::new().common_name(name),
            id: public.key_id(),
            key,
            public,
        }
    }

    fn issue(
        &self,
        subject: &Self,
        serial: u64,
        more: impl FnOnce(CertificateBuilder<'_>) -> CertificateBuilder<'_>,
    ) -> Vec<u8> {
        let builder = CertificateBuilder::new(
            SerialNumber::from(serial),
            self.name.as_name(),
            time("2020-01-01"),
            time("2040-01-01"),
            subject.name.as_name(),
            &subject.public,
        )
        .extension(&AuthorityKeyIdentifier::new(&self.id))
        .extension(&SubjectKeyIdentifier(&subject.id));
        more(builder).sign(self.key.signer().unwrap()).unwrap()
    }

    /// A list that names nobody.
    fn list(&self) -> Vec<u8> {
        let (from, until) = (time("2025-12-31"), time("2026-01-02"));
        CrlBuilder::new(self.name.as_name(), from, until)
            .number(SerialNumber::from(1))
            .authority_key_id(&self.id)
            .sign([], self.key.signer().unwrap())
            .unwrap()
    }
}

fn authority(builder: CertificateBuilder<'_>) -> CertificateBuilder<'_> {
    builder
        .extension(&BasicConstraints::ca(None))
        .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN))
}

fn files(files: &[(&str, Vec<u8>)]) -> Folder {
    let folder = Folder::new();
    for (name, der) in files {
        std::fs::write(folder.0.path().join(name), der).unwrap();
    }
    folder
}

#[test]
fn faults_of_encoding() {
    let root = Entity::new("Root", 1);
    let leaf = root.issue(&Entity::new("Leaf", 2), 2, |builder| {
        builder
            .raw_extension(BASIC_CONSTRAINTS, true, &NO_CA)
            .extension(&KeyUsage::DIGITAL_SIGNATURE)
    });
    let folder = files(&[("root", root.issue(&root, 1, authority)), ("leaf", leaf)]);
    let line = "verify leaf --ca root --at 2026-01-01";
    folder.refused(line);
    folder.refused(&format!(
        "{line} --lenient long-serials --lenient leading-dots"
    ));
    folder.pki(&format!(
        "{line} --lenient long-serials --lenient encoded-defaults"
    ));
}

#[test]
fn dedicated_issuers_of_lists() {
    let (root, ca) = (Entity::new("Root", 1), Entity::new("CA", 2));
    // The CA's name, with a key only for lists.
    let lists = Entity::new("CA", 3);
    let folder = files(&[
        ("root", root.issue(&root, 1, authority)),
        ("ca", root.issue(&ca, 2, authority)),
        (
            "lists",
            root.issue(&lists, 3, |builder| builder.extension(&KeyUsage::CRL_SIGN)),
        ),
        (
            "leaf",
            ca.issue(&Entity::new("Leaf", 4), 4, |builder| {
                builder.extension(&KeyUsage::DIGITAL_SIGNATURE)
            }),
        ),
        ("root.crl", root.list()),
        ("ca.crl", lists.list()),
    ]);
    let line = "verify leaf --ca root --untrusted ca --untrusted lists --crl root.crl --crl ca.crl \
                --at 2026-01-01";
    folder.refused(line);
    folder.pki(&format!("{line} --dedicated-crl-issuers"));
}
