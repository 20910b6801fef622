//! Parsing: a certificate goes in, what it says comes out.
//!
//! | operation | parses |
//! |---|---|
//! | `x509/parse`, `x509/parse_full` | a server's certificate on P-256, with the extensions that such certificates have |
//! | `x509/…-ml-dsa-65` | the same on ML-DSA-65 |
//! | `x509/…-ber` | a server's on P-256 in BER, which is made DER first: lengths within it have four octets, as where a writer leaves room for them |
//! | `x509/…-roots` | the certificates of version 3 in the system's bundle of roots, one after another; if there is none, eight servers' |

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::der::ber::to_der;
use adamant::der::{self, Oid, Reader, Tag, Time, Writer, oid};
use adamant::rand::FastRng;
use adamant::x509::certificate::read_bundle;
use adamant::x509::extensions::{
    AccessDescription, AuthorityInfoAccess, AuthorityKeyIdentifier, BasicConstraints,
    CertificatePolicies, CrlDistributionPoints, DistributionPoint, ExtendedKeyUsage, GeneralName,
    KeyUsage, PolicyInformation, SubjectAltName, SubjectKeyIdentifier,
};
use adamant::x509::{
    Certificate, CertificateBuilder, DistinguishedName, Error, FullCertificate, KeyAlgorithm,
    PrivateKey, PublicKey, SerialNumber,
};

use crate::stream::Stream;
use crate::table::OnlyPortable;
use crate::task::{Registry, Start, Task, Wrong, field, item, start};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    to.single::<Parse<P256>>("x509/parse");
    to.single::<ParseFull<P256>>("x509/parse_full");
    to.single::<Parse<MlDsa65>>("x509/parse-ml-dsa-65");
    to.single::<ParseFull<MlDsa65>>("x509/parse_full-ml-dsa-65");
    to.single::<ParseBer>("x509/parse-ber");
    to.single::<ParseFullBer>("x509/parse_full-ber");
    to.single::<Parse<Roots>>("x509/parse-roots");
    to.single::<ParseFull<Roots>>("x509/parse_full-roots");
}

/// Domain validated, in the list of the CA/Browser Forum.
const POLICY: Oid = oid!("2.23.140.1.2.1");

/// A CA, ready to certify servers.
pub(crate) struct Ca {
    pub(crate) key: PrivateKey,
    key_id: [u8; 20],
    pub(crate) name: DistinguishedName,
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

/// Which certificates are parsed.
trait Certificates: Sync + 'static {
    /// Their encodings, one after another.
    fn make(stream: &mut Stream) -> Result<Vec<u8>, Error>;
}

/// A certificate whose keys and serial number depend on the stream.
fn server(algorithm: KeyAlgorithm, stream: &mut Stream) -> Result<Vec<u8>, Error> {
    let mut rng = FastRng::from_seed(stream.array());
    let ca_key = PrivateKey::generate(algorithm, &mut rng)?;
    let key = PrivateKey::generate(algorithm, &mut rng)?.public_key();
    Ca::new(ca_key)?.certify(&key, SerialNumber::random(&mut rng)?)
}

struct P256;

impl Certificates for P256 {
    fn make(stream: &mut Stream) -> Result<Vec<u8>, Error> {
        server(KeyAlgorithm::P256, stream)
    }
}

struct MlDsa65;

impl Certificates for MlDsa65 {
    fn make(stream: &mut Stream) -> Result<Vec<u8>, Error> {
        server(KeyAlgorithm::MlDsa65, stream)
    }
}

/// The elements, and those within them, with lengths of four octets.
fn with_long_lengths(der: &[u8]) -> der::Result<Vec<u8>> {
    let (mut rest, mut ber) = (Reader::new(der), Vec::new());
    while !rest.is_empty() {
        let element = rest.read_any()?;
        let inner = match element.tag.is_constructed() {
            true => with_long_lengths(element.value)?,
            false => element.value.to_vec(),
        };
        ber.extend([element.tag.octet(), 0x84]);
        ber.extend((inner.len() as u32).to_be_bytes());
        ber.extend(inner);
    }
    Ok(ber)
}

struct Ber;

impl Certificates for Ber {
    /// The outermost length is that of DER, which is how an input is read.
    fn make(stream: &mut Stream) -> Result<Vec<u8>, Error> {
        let der = server(KeyAlgorithm::P256, stream)?;
        let inner = with_long_lengths(Reader::new(&der).read(Tag::SEQUENCE)?.value)?;
        let mut w = Writer::with_capacity(inner.len() + 4);
        w.tlv(Tag::SEQUENCE, &inner);
        Ok(w.finish())
    }
}

struct Roots;

/// Where systems have their roots.
const BUNDLES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

impl Certificates for Roots {
    fn make(stream: &mut Stream) -> Result<Vec<u8>, Error> {
        let text = BUNDLES.iter().find_map(|path| std::fs::read(path).ok());
        let mut all = Vec::new();
        for der in text.map_or(Ok(Vec::new()), |text| read_bundle(&text))? {
            if Certificate::from_der(&der)?.version() == 3 {
                all.extend(der);
            }
        }
        if all.is_empty() {
            for _ in 0..8 {
                all.extend(server(KeyAlgorithm::P256, stream)?);
            }
        }
        Ok(all)
    }
}

fn input<C: Certificates>(stream: &mut Stream) -> Item {
    let certificates = C::make(stream).expect("its parts are well-formed");
    item([("certificate", &certificates)])
}

/// The certificates of an input.
pub(crate) fn split(input: &Item) -> Result<Vec<Vec<u8>>, Wrong> {
    let mut rest = Reader::new(field(input, "certificate")?);
    let mut all = Vec::new();
    while !rest.is_empty() {
        let one = rest.read(Tag::SEQUENCE)?;
        all.push(one.raw.to_vec());
    }
    Ok(all)
}

/// What a parser tells of the last certificate.
fn structure(certificate: &Certificate<'_>) -> Item {
    item([
        ("serial", certificate.serial().as_bytes()),
        ("issuer", certificate.issuer_der()),
        ("subject", certificate.subject_der()),
        ("spki", certificate.spki_der()),
    ])
}

/// The structure: the outer fields, each where it is.
struct Parse<C>(PhantomData<C>);

/// Every field and extension.
struct ParseFull<C>(PhantomData<C>);

/// The structure, of what becomes DER first.
struct ParseBer;

/// Every field and extension, of what becomes DER first.
struct ParseFullBer;

macro_rules! parsing {
    ($([$($of:tt)*] $task:ty, $certificates:ty, $start:ty: $reads:expr;)*) => { $(
        impl$($of)* Task for $task {
            type Table = OnlyPortable;
            type State = Vec<Vec<u8>>;
            type Output = bool;
            const LENGTH: Length = Length::None;
            const START: Start = start::<$start>();

            fn input(stream: &mut Stream, _: usize) -> Item {
                input::<$certificates>(stream)
            }
            fn ready(_: OnlyPortable, input: &Item, _: usize) -> Result<Vec<Vec<u8>>, Wrong> {
                split(input)
            }
            fn run(all: &mut Vec<Vec<u8>>) -> bool {
                let reads: fn(&[u8]) -> bool = $reads;
                all.iter().all(|octets| reads(black_box(octets)))
            }
            fn encode(all: &Vec<Vec<u8>>, valid: &bool) -> Item {
                // DER stays as it is.
                let last = all.last().and_then(|octets| to_der(octets).ok());
                match last.as_deref().map(Certificate::from_der) {
                    Some(Ok(certificate)) if *valid => structure(&certificate),
                    _ => Item::new(),
                }
            }
        }
    )* };
}

parsing! {
    [<C: Certificates>] Parse<C>, C, Parse<P256>:
        |der| black_box(&Certificate::from_der(der)).is_ok();
    [<C: Certificates>] ParseFull<C>, C, ParseFull<P256>:
        |der| black_box(&FullCertificate::from_der(der)).is_ok();
    [] ParseBer, Ber, Self:
        |ber| to_der(ber).is_ok_and(|der| black_box(&Certificate::from_der(&der)).is_ok());
    [] ParseFullBer, Ber, Self:
        |ber| to_der(ber).is_ok_and(|der| black_box(&FullCertificate::from_der(&der)).is_ok());
}
