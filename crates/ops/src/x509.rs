//! `x509/parse` and `x509/parse_full`: a certificate goes in, what it says comes out.
//!
//! The certificate is a server's, on P-256, with the extensions that such certificates have.

use std::hint::black_box;

use adamant::der::{Oid, Time, oid};
use adamant::rand::FastRng;
use adamant::x509::extensions::{
    AccessDescription, AuthorityInfoAccess, AuthorityKeyIdentifier, BasicConstraints,
    CertificatePolicies, CrlDistributionPoints, DistributionPoint, ExtendedKeyUsage, GeneralName,
    KeyUsage, PolicyInformation, SubjectAltName, SubjectKeyIdentifier,
};
use adamant::x509::{
    Certificate, CertificateBuilder, DistinguishedName, Error, KeyAlgorithm, PrivateKey, PublicKey,
    SerialNumber,
};

use crate::stream::Stream;
use crate::table::OnlyPortable;
use crate::task::{Registry, Task, field, item};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    to.single::<Parse>("x509/parse");
    to.single::<ParseFull>("x509/parse_full");
}

/// Domain validated, in the list of the CA/Browser Forum.
const POLICY: Oid = oid!("2.23.140.1.2.1");

/// A CA, ready to certify servers.
pub(crate) struct Ca {
    pub(crate) key: PrivateKey,
    key_id: [u8; 20],
    name: DistinguishedName,
    not_before: Time,
    not_after: Time,
}

impl Ca {
    pub(crate) fn new(key: PrivateKey) -> Result<Self, Error> {
        Ok(Ca {
            key_id: key.public_key().key_id(),
            key,
            name: "CN=Adamant Example CA 1,O=Adamant,C=DE".parse()?,
            not_before: "2026-01-01".parse()?,
            not_after: "2026-04-01".parse()?,
        })
    }

    /// The certificate of a server.
    pub(crate) fn certify(&self, key: &PublicKey, serial: SerialNumber) -> Result<Vec<u8>, Error> {
        let server = DistinguishedName::new().common_name("www.adamant.example");
        let names = ["www.adamant.example", "adamant.example"].map(GeneralName::Dns);
        let list = [GeneralName::Uri("http://crl.adamant.example/1.crl")];
        let points = [DistributionPoint::at((&list).into())];
        let access = [
            AccessDescription::ocsp("http://ocsp.adamant.example"),
            AccessDescription::ca_issuers("http://ca.adamant.example/1.cer"),
        ];
        let purposes = [ExtendedKeyUsage::SERVER_AUTH, ExtendedKeyUsage::CLIENT_AUTH];
        let policies = [PolicyInformation::new(POLICY)];
        CertificateBuilder::new(
            serial,
            self.name.as_name(),
            self.not_before,
            self.not_after,
            server.as_name(),
            key,
        )
        .extension(&KeyUsage::DIGITAL_SIGNATURE)
        .extension(&ExtendedKeyUsage((&purposes).into()))
        .extension(&BasicConstraints::end_entity())
        .extension(&SubjectKeyIdentifier(&key.key_id()))
        .extension(&AuthorityKeyIdentifier::new(&self.key_id))
        .extension(&AuthorityInfoAccess((&access).into()))
        .extension(&SubjectAltName((&names).into()))
        .extension(&CertificatePolicies((&policies).into()))
        .extension(&CrlDistributionPoints((&points).into()))
        .sign(self.key.signer()?)
    }
}

/// A certificate whose keys and serial number depend on the stream.
fn input(stream: &mut Stream) -> Item {
    let mut rng = FastRng::from_seed(stream.array());
    let mut certificate = || {
        let ca_key = PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?;
        let key = PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?.public_key();
        Ca::new(ca_key)?.certify(&key, SerialNumber::random(&mut rng)?)
    };
    item([(
        "certificate",
        &certificate().expect("its parts are well-formed"),
    )])
}

/// The structure: the outer fields, each where it stands.
struct Parse;

impl Task for Parse {
    type Table = OnlyPortable;
    type State = Vec<u8>;
    type Output = bool;
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        input(stream)
    }
    fn ready(_: OnlyPortable, input: &Item, _: usize) -> Result<Vec<u8>, String> {
        Ok(field(input, "certificate")?.clone())
    }
    fn run(der: &mut Vec<u8>) -> bool {
        black_box(&Certificate::parse(der)).is_ok()
    }
    fn encode(der: &Vec<u8>, _: bool) -> Item {
        let Ok(certificate) = Certificate::parse(der) else {
            return Item::new();
        };
        item([
            ("serial", certificate.serial().as_bytes()),
            ("issuer", certificate.issuer_der()),
            ("subject", certificate.subject_der()),
            ("spki", certificate.spki_der()),
        ])
    }
}

/// Every field and extension; written again, they are the certificate.
struct ParseFull;

impl Task for ParseFull {
    type Table = OnlyPortable;
    type State = Vec<u8>;
    type Output = bool;
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        input(stream)
    }
    fn ready(_: OnlyPortable, input: &Item, _: usize) -> Result<Vec<u8>, String> {
        Ok(field(input, "certificate")?.clone())
    }
    fn run(der: &mut Vec<u8>) -> bool {
        black_box(&Certificate::parse_full(der)).is_ok()
    }
    fn encode(der: &Vec<u8>, _: bool) -> Item {
        match Certificate::parse_full(der) {
            Ok(certificate) => item([("certificate", &certificate.encode())]),
            Err(_) => Item::new(),
        }
    }
}
