//! The system's CA certificates: each is read with all fields and extensions, and written anew
//! from these to the same octets.

use adamant_der::{self as der, pem};
use adamant_x509::certificate::read_bundle;
use adamant_x509::{ErrorKind, FullCertificate, PublicKey};

use crate::common::{leaf, root};

const BUNDLES: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
];

#[test]
fn system_bundle() {
    let Some(text) = BUNDLES.iter().find_map(|path| std::fs::read(path).ok()) else {
        println!("no bundle of CA certificates on this system: nothing tested");
        return;
    };
    let (mut all, mut known, mut verified) = (0, 0, 0);
    for block in pem::decode(&text) {
        let block = block.expect("a block of PEM");
        assert_eq!(block.label(), "CERTIFICATE");
        let certificate = FullCertificate::from_der(block.der())
            .unwrap_or_else(|error| panic!("certificate {all}: {error}"));
        let subject = certificate.subject;
        assert!(certificate.to_der() == block.der(), "{subject} differs");
        assert!(!subject.is_empty() && !subject.to_string().is_empty());

        let key = certificate.public_key().expect("a key");
        known += usize::from(!matches!(key, PublicKey::Unknown(_)));
        assert_eq!(key.to_der(), certificate.spki_der(), "{subject}");
        match certificate.verify(&key).map_err(|error| error.kind()) {
            Ok(()) => verified += 1,
            Err(ErrorKind::UnknownAlgorithm(_) | ErrorKind::WeakAlgorithm(_)) => {}
            Err(other) => panic!("{subject}: {other}"),
        }
        all += 1;
    }
    assert_eq!(read_bundle(&text).unwrap().len(), all);
    println!("{all} certificates, {known} with known keys, {verified} signatures verified");
    assert!(all > 0 && verified * 2 >= all);
}

/// Blocks of other labels are passed over, and one that is no certificate is refused where it begins.
#[test]
fn blocks() {
    let (root, leaf) = (root(), leaf());
    let other = pem::encode("CERTIFICATES", &[5, 0]);
    let [first, second] = [&root, &leaf].map(|der| pem::encode("CERTIFICATE", der));
    for (text, expected) in [
        (format!("{first}{second}"), vec![&root, &leaf]),
        (
            format!("before\n{second}{other}between\n{first}{other}"),
            vec![&leaf, &root],
        ),
        (format!("{other}{first}{first}"), vec![&root, &root]),
    ] {
        let read = read_bundle(&text).unwrap();
        assert!(read.iter().eq(expected), "{text}");
    }
    let kind = |text: &str| {
        let error = read_bundle(text).unwrap_err();
        (error.kind(), error.position())
    };
    for text in ["", "nothing\n", &other] {
        assert_eq!(
            kind(text),
            (ErrorKind::Der(der::ErrorKind::PemMissing), text.len())
        );
    }
    let broken = pem::encode("CERTIFICATE", &[0x30, 0]);
    let truncated = ErrorKind::Der(der::ErrorKind::Truncated);
    assert_eq!(kind(&format!("{first}{broken}")), (truncated, first.len()));
}
