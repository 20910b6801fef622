//! Chains of certificates, and lists of revoked ones.

use adamant_x509::crl::{CertificateList, CrlBuilder, FullCertificateList, Revocation};
use adamant_x509::extensions::*;
use adamant_x509::{KeyAlgorithm, SerialNumber};

use super::entity::{Entity, days, now};
use super::program::{ALGORITHMS, OpenSsl};
use crate::common;

#[test]
fn our_chains_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    for (root, middle, leaf) in [
        (KeyAlgorithm::P256, KeyAlgorithm::P256, KeyAlgorithm::P256),
        (
            KeyAlgorithm::Ed25519,
            KeyAlgorithm::Ed25519,
            KeyAlgorithm::Ed25519,
        ),
        (KeyAlgorithm::Rsa, KeyAlgorithm::Rsa, KeyAlgorithm::Rsa),
        (
            KeyAlgorithm::P256,
            KeyAlgorithm::Ed25519,
            KeyAlgorithm::X25519,
        ),
    ] {
        let root = Entity::ca(root, "Root", None);
        let middle = Entity::ca(middle, "Middle", Some(&root));
        let leaf = Entity::server(leaf, "Leaf", &middle);
        let revoked = Entity::server(KeyAlgorithm::P256, "Revoked", &middle);
        ssl.write("root.pem", root.pem());
        ssl.write("middle.pem", middle.pem());
        ssl.write("leaf.pem", leaf.pem());
        ssl.write("revoked.pem", revoked.pem());
        let verify = "verify -x509_strict -purpose sslserver -verify_hostname adamant.example \
                      -CAfile root.pem -untrusted middle.pem";
        ssl.run(&format!("{verify} leaf.pem"));
        assert!(!ssl.try_run("verify -CAfile root.pem leaf.pem").0);

        // Lists of both CAs.
        for (name, ca) in [("root.crl", &root), ("middle.crl", &middle)] {
            let entry = Revocation::new(*revoked.certificate().serial(), now())
                .reason(RevocationReason::KeyCompromise);
            let der = CrlBuilder::new(ca.name.as_name(), now(), days(now(), 7))
                .authority_key_id(&ca.key.public_key().key_id())
                .number(SerialNumber::from(1))
                .sign(
                    (name == "middle.crl").then_some(entry),
                    ca.key.signer().unwrap(),
                )
                .unwrap();
            ssl.write(name, CertificateList::from_der(&der).unwrap().to_pem());
        }
        let said = ssl.run("crl -in middle.crl -CAfile middle.pem -noout -text");
        assert!(
            said.contains("verify OK") && said.contains("Key Compromise"),
            "{said}"
        );
        let lists = [ssl.read_text("root.crl"), ssl.read_text("middle.crl")].concat();
        ssl.write("all.crl", lists);
        let verify = format!("{verify} -crl_check_all -CRLfile all.crl");
        ssl.run(&format!("{verify} leaf.pem"));
        let (success, said) = ssl.try_run(&format!("{verify} revoked.pem"));
        assert!(!success && said.contains("certificate revoked"), "{said}");
    }
}

/// The file in which `openssl ca` and `openssl ocsp` keep certificates.
pub(crate) fn index(revoked: &SerialNumber, good: &SerialNumber) -> String {
    let until = "20991231235959Z";
    // Digits above nine are capital letters there.
    let [revoked, good] = [revoked, good].map(|serial| serial.to_string().to_uppercase());
    format!(
        "R\t{until}\t250102030405Z,keyCompromise\t{revoked}\tunknown\t/CN=Revoked\n\
         V\t{until}\t\t{good}\tunknown\t/CN=Leaf\n"
    )
}

#[test]
fn their_lists_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.write(
        "ca.cnf",
        "[ca]
        default_ca = it
        [it]
        database = index.txt
        crlnumber = number.txt
        default_md = default
        default_crl_days = 7
        crl_extensions = list
        [list]
        authorityKeyIdentifier = keyid:always
        issuingDistributionPoint = critical, @point
        [point]
        fullname = URI:http://crl.example/
        onlyuser = TRUE",
    );
    let (revoked, good) = (common::serial(), SerialNumber::from(0x1234));
    ssl.write("index.txt", index(&revoked, &good));
    for &algorithm in ALGORITHMS {
        let ca = Entity::ca(algorithm, "CA", None);
        ssl.write("ca.key", ca.key.to_pem().as_bytes());
        ssl.write("ca.pem", ca.pem());
        ssl.write("number.txt", "8001\n");
        ssl.run("ca -config ca.cnf -gencrl -keyfile ca.key -cert ca.pem -out ca.crl");
        let der = ssl.read_pem("ca.crl");
        let list = FullCertificateList::from_der(&der).unwrap();
        list.verify(&ca.key.public_key()).unwrap();
        assert_eq!(list.to_der(), der);
        assert_eq!(
            list.extensions.crl_number,
            Some(CrlNumber(SerialNumber::from(0x8001)))
        );
        assert!(
            list.extensions
                .issuing_distribution_point
                .unwrap()
                .only_user_certs
        );
        let entry = list.find(&revoked).unwrap().unwrap();
        assert_eq!(entry.date.to_string(), "2025-01-02T03:04:05Z");
        assert_eq!(entry.reason(), Ok(Some(RevocationReason::KeyCompromise)));
        assert!(list.find(&good).unwrap().is_none());
    }
}
