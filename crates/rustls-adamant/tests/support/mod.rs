//! Identities and configurations for the tests.
#![allow(dead_code)] // Each test program uses a part.

use std::sync::Arc;

use adamant::SystemRng;
use adamant::x509::{KeyAlgorithm, PrivateKey};
use adamant_engine::tls::Connection;
use rustls::client::Resumption;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{
    ClientConfig, ClientConnection, Error, RootCertStore, ServerConfig, ServerConnection,
    SupportedCipherSuite,
};
use rustls_adamant::trial::Authority;

/// A server's or client's key and certificate, and who vouches for it.
pub(crate) struct Identity {
    pub(crate) root: CertificateDer<'static>,
    pub(crate) certificate: CertificateDer<'static>,
    pub(crate) key: PrivateKey,
}

/// A new key; of RSA the shortest that is allowed.
pub(crate) fn key(algorithm: KeyAlgorithm) -> PrivateKey {
    match algorithm {
        KeyAlgorithm::Rsa => {
            let key = adamant::rsa::PrivateKey::generate(2048, &mut SystemRng);
            PrivateKey::Rsa(key.unwrap())
        }
        _ => PrivateKey::generate(algorithm, &mut SystemRng).unwrap(),
    }
}

impl Identity {
    /// A key of one kind under an authority of another.
    pub(crate) fn new(algorithm: KeyAlgorithm, authority: KeyAlgorithm) -> Self {
        Self::valid(algorithm, authority, "localhost", -1, 30)
    }

    /// With this name, for these days.
    pub(crate) fn valid(
        algorithm: KeyAlgorithm,
        authority: KeyAlgorithm,
        name: &str,
        from: i64,
        to: i64,
    ) -> Self {
        let authority = Authority::new(key(authority)).unwrap();
        let key = key(algorithm);
        let certificate = authority.issue_for(&key.public_key(), name, from, to);
        Identity {
            root: authority.certificate(),
            certificate: certificate.unwrap(),
            key,
        }
    }

    pub(crate) fn private_key(&self) -> PrivateKeyDer<'static> {
        PrivatePkcs8KeyDer::from(self.key.to_der().to_vec()).into()
    }

    pub(crate) fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.root.clone()).unwrap();
        roots
    }
}

/// The provider with one suite and one group.
pub(crate) fn only(provider: CryptoProvider, suite: u16, group: u16) -> CryptoProvider {
    adamant_engine::tls::only(provider, suite, group).unwrap()
}

pub(crate) fn client(provider: CryptoProvider, identity: &Identity) -> ClientConfig {
    let mut config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(identity.roots())
        .with_no_client_auth();
    config.resumption = Resumption::disabled();
    config
}

pub(crate) fn server(provider: CryptoProvider, identity: &Identity) -> ServerConfig {
    ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![identity.certificate.clone()], identity.private_key())
        .unwrap()
}

/// Two ends that have not spoken yet.
pub(crate) fn connection(client: &Arc<ClientConfig>, server: &Arc<ServerConfig>) -> Connection {
    let name = ServerName::try_from("localhost").unwrap();
    Connection {
        client: ClientConnection::new(Arc::clone(client), name).unwrap(),
        server: ServerConnection::new(Arc::clone(server)).unwrap(),
    }
}

/// A handshake, and messages of many lengths both ways.
pub(crate) fn talk(client: ClientConfig, server: ServerConfig) -> Result<Connection, Error> {
    let mut connection = connection(&Arc::new(client), &Arc::new(server));
    connection.handshake()?;
    for len in [0, 1, 15, 16, 17, 255, 1000, 16_383, 16_384, 16_385, 50_000] {
        let message: Vec<u8> = (0..len).map(|i| (i * 7 + len) as u8).collect();
        say(&mut connection.client, &mut connection.server, &message);
        say(&mut connection.server, &mut connection.client, &message);
    }
    Ok(connection)
}

/// Sends a message, and checks that it arrives.
pub(crate) fn say<A: rustls::SideData, B: rustls::SideData>(
    from: &mut rustls::ConnectionCommon<A>,
    to: &mut rustls::ConnectionCommon<B>,
    message: &[u8],
) {
    use std::io::{Read, Write};

    let mut arrived = Vec::new();
    for part in message.chunks(16_384) {
        from.writer().write_all(part).unwrap();
        let mut wire = Vec::new();
        while from.wants_write() {
            from.write_tls(&mut wire).unwrap();
        }
        let mut rest = &wire[..];
        while !rest.is_empty() {
            to.read_tls(&mut rest).unwrap();
            to.process_new_packets().unwrap();
        }
        let mut room = vec![0; part.len()];
        to.reader().read_exact(&mut room).unwrap();
        arrived.extend(room);
    }
    assert_eq!(arrived, message);
}

/// The code point.
pub(crate) fn code(suite: &SupportedCipherSuite) -> u16 {
    suite.suite().into()
}
