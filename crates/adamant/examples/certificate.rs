//! Makes a root, issues a certificate for a server, and validates it for the server's name.

use adamant::SystemRng;
use adamant::x509::extensions::{BasicConstraints, GeneralName, KeyUsage, SubjectAltName};
use adamant::x509::path::{Options, PeerName, Profile, TrustAnchor, validate};
use adamant::x509::{
    Certificate, CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, SerialNumber,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ca = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
    let key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut SystemRng)?;
    let (ca_public, public) = (ca.public_key(), key.public_key());
    let host = "www.example.org";
    let root = DistinguishedName::new().common_name("Example Root");
    let server = DistinguishedName::new().common_name(host);
    let (root, server) = (root.as_name(), server.as_name());
    let (from, until) = ("2026-01-01".parse()?, "2027-01-01".parse()?);

    let serial = SerialNumber::random(&mut SystemRng)?;
    let root_der = CertificateBuilder::new(serial, root, from, until, root, &ca_public)
        .extension(&BasicConstraints::ca(None))
        .extension(&KeyUsage::KEY_CERT_SIGN)
        .sign(ca.signer()?)?;
    let serial = SerialNumber::random(&mut SystemRng)?;
    let server_der = CertificateBuilder::new(serial, root, from, until, server, &public)
        .extension(&SubjectAltName((&[GeneralName::Dns(host)]).into()))
        .sign(ca.signer()?)?;

    let anchors = [TrustAnchor::from_certificate(&Certificate::from_der(
        &root_der,
    )?)?];
    let names = [PeerName::Dns(host)];
    let mut options = Options::new(Profile::Path, "2026-06-01".parse()?);
    options.names = &names;
    let certificate = Certificate::from_der(&server_der)?;
    validate(&certificate, &[], &anchors, &options)?;
    print!("{}", certificate.to_pem());
    Ok(())
}
