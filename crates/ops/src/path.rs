//! Validation of a path, as a client of TLS does it: the certificates of a server and of its CA
//! come in, and lead to a root that is trusted.
//!
//! | operation | does |
//! |---|---|
//! | `x509/validate` | reads both, finds the path, checks it at a time, for a host and as a TLS server's (RFC 5280, 6; RFC 9525; the Baseline Requirements), with two signatures on P-256 |
//! | `x509/validate-circle` | reads 82 certificates, of a server and of nine CAs with one key that issued each other and whose names differ in case, and finds that no path leads to the root |
//!
//! Others are given the root as an anchor that is read beforehand; here it is read each time.

use std::marker::PhantomData;

use adamant::der::Time;
use adamant::rand::FastRng;
use adamant::x509::extensions::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, SubjectKeyIdentifier,
};
use adamant::x509::path::{Options, PeerName, Profile, TrustAnchor, validate};
use adamant::x509::{
    Certificate, CertificateBuilder, DistinguishedName, Error, KeyAlgorithm, PrivateKey, PublicKey,
    SerialNumber,
};

use crate::stream::Stream;
use crate::table::OnlyPortable;
use crate::task::{Registry, Start, Task, Wrong, copied, field, item, start};
use crate::x509::{Ca, split};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    to.single::<Validate<Chain>>("x509/validate");
    to.single::<Validate<Circle>>("x509/validate-circle");
}

/// What the certificate is for.
const HOST: &str = "www.adamant.example";
/// Whom the path leads to.
const ROOT: &str = "CN=Adamant Example Root,O=Adamant,C=DE";
/// When it is looked at: 2026-02-01, in seconds since 1970.
const TIME: u32 = 1_769_904_000;

/// A root's own certificate, or that which it gives to a CA below.
fn certify_ca(
    root: &PrivateKey,
    serial: SerialNumber,
    name: &DistinguishedName,
    key: &PublicKey,
) -> Result<Vec<u8>, Error> {
    let issuer: DistinguishedName = ROOT.parse()?;
    let is_root = *name == issuer;
    let (from, until) = ("2025-01-01".parse()?, "2035-01-01".parse()?);
    let path_len = (!is_root).then_some(0);
    CertificateBuilder::new(serial, issuer.as_name(), from, until, name.as_name(), key)
        .extension(&BasicConstraints::ca(path_len))
        .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN))
        .extension(&SubjectKeyIdentifier(&key.key_id()))
        .extension(&AuthorityKeyIdentifier::new(&root.public_key().key_id()))
        .sign(root.signer()?)
}

/// Server and CA one after another, and the root.
fn chain(stream: &mut Stream) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let mut rng = FastRng::from_seed(stream.array());
    let root_name = ROOT.parse()?;
    let root_key = PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?;
    let ca = Ca::new(PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?)?;
    let server = PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?.public_key();
    let mut serial = || SerialNumber::random(&mut rng);
    let root = certify_ca(&root_key, serial()?, &root_name, &root_key.public_key())?;
    let below = certify_ca(&root_key, serial()?, &ca.name, &ca.key.public_key())?;
    let server = ca.certify(&server, serial()?)?;
    Ok(([server, below].concat(), root))
}

/// What a client knows and is sent.
struct State {
    certificates: Vec<Vec<u8>>,
    root: Vec<u8>,
    host: String,
    time: Time,
}

impl State {
    fn validate(&self) -> Result<usize, String> {
        let text = |e: Error| e.to_string();
        let root = Certificate::from_der(&self.root).map_err(text)?;
        let anchors = [TrustAnchor::from_certificate(&root).map_err(text)?];
        let certificates = self
            .certificates
            .iter()
            .map(|der| Certificate::from_der(der));
        let certificates = certificates.collect::<Result<Vec<_>, _>>().map_err(text)?;
        let (server, others) = certificates.split_first().ok_or("no certificate")?;
        let names = [PeerName::Dns(&self.host)];
        let options = Options {
            purpose: Some(ExtendedKeyUsage::SERVER_AUTH),
            names: &names,
            ..Options::new(Profile::WebPki, self.time)
        };
        let path = validate(server, others, &anchors, &options).map_err(|e| e.to_string())?;
        Ok(path.certificates.len())
    }
}

/// Certificates that a peer may send.
trait Peer: Send + Sync + 'static {
    /// The server's certificate and others after it, and the root.
    fn certificates(stream: &mut Stream) -> Result<(Vec<u8>, Vec<u8>), Error>;
}

struct Chain;

impl Peer for Chain {
    fn certificates(stream: &mut Stream) -> Result<(Vec<u8>, Vec<u8>), Error> {
        chain(stream)
    }
}

struct Circle;

impl Peer for Circle {
    fn certificates(stream: &mut Stream) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let mut rng = FastRng::from_seed(stream.array());
        let root_key = PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?;
        let root = ROOT.parse()?;
        let serial = SerialNumber::random(&mut rng)?;
        let root = certify_ca(&root_key, serial, &root, &root_key.public_key())?;
        let mut ca = Ca::new(PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?)?;
        let spelt = |i: usize| {
            let name = "adamant example ca".char_indices().map(|(at, letter)| {
                let capital = at < 4 && i >> at & 1 == 1;
                if capital {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                }
            });
            DistinguishedName::new().common_name(&name.collect::<String>())
        };
        let public = ca.key.public_key();
        let server = PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?.public_key();
        ca.name = spelt(0);
        let mut all = ca.certify(&server, SerialNumber::random(&mut rng)?)?;
        let (from, until) = ("2025-01-01".parse()?, "2035-01-01".parse()?);
        for i in 0..81 {
            ca.name = spelt(i % 9);
            let (issuer, subject) = (ca.name.as_name(), spelt(i / 9));
            let serial = SerialNumber::random(&mut rng)?;
            let subject = subject.as_name();
            let one = CertificateBuilder::new(serial, issuer, from, until, subject, &public)
                .extension(&BasicConstraints::ca(None))
                .extension(&KeyUsage::KEY_CERT_SIGN)
                .extension(&SubjectKeyIdentifier(&public.key_id()))
                .extension(&AuthorityKeyIdentifier::new(&public.key_id()))
                .sign(ca.key.signer()?)?;
            all.extend(one);
        }
        Ok((all, root))
    }
}

struct Validate<P>(PhantomData<fn(P)>);

impl<P: Peer> Task for Validate<P> {
    type Table = OnlyPortable;
    type State = State;
    type Output = Result<usize, String>;
    const LENGTH: Length = Length::None;
    const START: Start = start::<Validate<Chain>>();

    fn input(stream: &mut Stream, _: usize) -> Item {
        let made = P::certificates(stream);
        let (certificates, root) = made.expect("its parts are well-formed");
        item([
            ("certificate", &certificates),
            ("root", &root),
            ("host", HOST.as_bytes()),
            ("time", &TIME.to_be_bytes()),
        ])
    }
    fn ready(_: OnlyPortable, input: &Item, _: usize) -> Result<State, Wrong> {
        let time = field(input, "time")?[..].try_into();
        let time = u32::from_be_bytes(time.map_err(|_| "time has four bytes")?);
        Ok(State {
            certificates: split(input)?,
            root: field(input, "root")?.clone(),
            host: String::from_utf8(copied(input, "host")?)?,
            time: Time::from_unix(i64::from(time)).ok_or("no time")?,
        })
    }
    fn run(state: &mut State) -> Result<usize, String> {
        state.validate()
    }
    fn encode(_: &State, path: &Result<usize, String>) -> Item {
        item([("valid", &[u8::from(*path == Ok(2))])])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path is valid, and none of its parts is there for nothing.
    #[test]
    fn valid_and_not() {
        let ready = |change: fn(&mut Item)| {
            let mut input = Validate::<Chain>::input(&mut Stream::new("a path"), 0);
            change(&mut input);
            Validate::<Chain>::ready(OnlyPortable, &input, 0).unwrap()
        };
        assert_eq!(ready(|_| {}).validate(), Ok(2));
        let changes: [fn(&mut Item); 4] = [
            |input| drop(input.insert("host".into(), b"other.example".to_vec())),
            |input| drop(input.insert("time".into(), vec![0; 4])),
            |input| *input.get_mut("root").unwrap().iter_mut().last().unwrap() ^= 1,
            |input| {
                *input
                    .get_mut("certificate")
                    .unwrap()
                    .iter_mut()
                    .last()
                    .unwrap() ^= 1
            },
        ];
        for (i, change) in changes.into_iter().enumerate() {
            // The root's own signature is nobody's business.
            assert_eq!(ready(change).validate().is_ok(), i == 2, "{i}");
        }
    }

    /// No path, and no limit that says so.
    #[test]
    fn circle() {
        let input = Validate::<Circle>::input(&mut Stream::new("a circle"), 0);
        let state = Validate::<Circle>::ready(OnlyPortable, &input, 0).unwrap();
        assert_eq!(state.certificates.len(), 82);
        let error = state.validate().unwrap_err();
        assert!(
            error.starts_with("certificate 1: no certificate of the issuer"),
            "{error}"
        );
    }
}
