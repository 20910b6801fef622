//! TLS over rustls with any provider of its cryptography: client and server in one process, with
//! buffers for a network.
//!
//! | operation | is | `bytes` |
//! |---|---|---|
//! | `tls/full` | a full handshake, both sides; no tickets | 0 |
//! | `tls/resumed` | a handshake that resumes a session, both sides | 0 |
//! | `tls/transfer` | a message from the server to the client over an open connection | of the message |
//!
//! Inputs: `suite` and `group` (code points of two bytes), `root`, `certificate` and `private_key`
//! (PKCS #8) as DER; the certificate is one for `localhost`. The client verifies the chain and the
//! name. The output of a check is what was negotiated: `suite`, `group`, and `resumed` (0 or 1).

use std::sync::Arc;

use rustls::client::{ClientSessionMemoryCache, Resumption};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::server::{NoServerSessionStorage, ProducesTickets};
use rustls::{
    ClientConfig, ClientConnection, HandshakeKind, RootCertStore, ServerConfig, ServerConnection,
};

use crate::Item;
use crate::op::{array, field, item, text};
use crate::serve::{Engine, Single};

/// Makes what seals session tickets.
pub type Ticketer = fn() -> Result<Arc<dyn ProducesTickets>, rustls::Error>;

/// Registers the operations of a provider.
pub fn register(engine: &mut Engine, provider: fn() -> CryptoProvider, ticketer: Ticketer) {
    engine.single("tls/full", move |_, input| {
        let sides = Sides::new(provider(), None, input)?;
        sides.once(HandshakeKind::Full).map_err(text)?;
        Ok(Handshakes(sides, HandshakeKind::Full))
    });
    engine.single("tls/resumed", move |_, input| {
        let sides = Sides::new(provider(), Some(ticketer), input)?;
        sides.once(HandshakeKind::Full).map_err(text)?;
        Ok(Handshakes(sides, HandshakeKind::Resumed))
    });
    engine.single("tls/transfer", move |bytes, input| {
        let sides = Sides::new(provider(), None, input)?;
        Ok(Transfer {
            connection: sides.once(HandshakeKind::Full).map_err(text)?,
            message: vec![0x5a; bytes],
            received: vec![0; bytes],
            wire: Vec::new(),
        })
    });
}

/// The configurations of both sides.
struct Sides {
    client: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
}

/// The two ends of a connection.
pub struct Connection {
    /// The end that began.
    pub client: ClientConnection,
    /// The other end.
    pub server: ServerConnection,
}

/// The provider, with only this suite and this group.
///
/// # Errors
/// A sentence where it has not both.
pub fn only(
    mut provider: CryptoProvider,
    suite: u16,
    group: u16,
) -> Result<CryptoProvider, String> {
    let suites = &mut provider.cipher_suites;
    suites.retain(|one| u16::from(one.suite()) == suite);
    let groups = &mut provider.kx_groups;
    groups.retain(|one| u16::from(one.name()) == group);
    if suites.is_empty() || groups.is_empty() {
        let sentence = "the provider has not both of";
        return Err(format!(
            "{sentence} suite {suite:#06x} and group {group:#06x}"
        ));
    }
    Ok(provider)
}

impl Sides {
    fn new(
        provider: CryptoProvider,
        ticketer: Option<Ticketer>,
        input: &Item,
    ) -> Result<Self, String> {
        let code = |name| array(input, name).map(u16::from_be_bytes);
        let provider = Arc::new(only(provider, code("suite")?, code("group")?)?);
        let versions = [provider.cipher_suites[0].version()];
        let mut roots = RootCertStore::empty();
        let root = CertificateDer::from(field(input, "root")?);
        roots.add(root).map_err(text)?;
        let mut client = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&versions)
            .map_err(text)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let chain = vec![CertificateDer::from(field(input, "certificate")?)];
        let key = PrivatePkcs8KeyDer::from(field(input, "private_key")?);
        let mut server = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&versions)
            .map_err(text)?
            .with_no_client_auth()
            .with_single_cert(chain, PrivateKeyDer::from(key))
            .map_err(text)?;
        server.session_storage = Arc::new(NoServerSessionStorage {});
        if let Some(ticketer) = ticketer {
            server.ticketer = ticketer().map_err(text)?;
            server.send_tls13_tickets = 1;
            let store = Arc::new(ClientSessionMemoryCache::new(32));
            client.resumption = Resumption::store(store);
        } else {
            server.send_tls13_tickets = 0;
            client.resumption = Resumption::disabled();
        }
        Ok(Sides {
            client: Arc::new(client),
            server: Arc::new(server),
        })
    }

    /// One handshake, which has to be of this kind.
    fn once(&self, kind: HandshakeKind) -> Result<Connection, rustls::Error> {
        let name = ServerName::try_from("localhost");
        let name = name.map_err(|_| rustls::Error::General("not a name".into()))?;
        let mut connection = Connection {
            client: ClientConnection::new(Arc::clone(&self.client), name)?,
            server: ServerConnection::new(Arc::clone(&self.server))?,
        };
        connection.handshake()?;
        let was = connection.client.handshake_kind();
        if was != Some(kind) {
            let sentence = format!("the handshake was {was:?}, not {kind:?}");
            return Err(rustls::Error::General(sentence));
        }
        Ok(connection)
    }
}

impl Connection {
    /// Carries everything back and forth until both sides have nothing left to say.
    ///
    /// # Errors
    /// The first error of either side; its alert has then reached the other.
    pub fn handshake(&mut self) -> Result<(), rustls::Error> {
        let mut wire = Vec::with_capacity(8 << 10);
        loop {
            let to_server = carry(&mut self.client, &mut self.server, &mut wire)?;
            let to_client = carry(&mut self.server, &mut self.client, &mut wire)?;
            if !to_server && !to_client {
                return Ok(());
            }
        }
    }
}

/// Moves what one side has to say to the other, which takes it in; whether there was any.
fn carry<A, B>(
    from: &mut rustls::ConnectionCommon<A>,
    to: &mut rustls::ConnectionCommon<B>,
    wire: &mut Vec<u8>,
) -> Result<bool, rustls::Error>
where
    A: rustls::SideData,
    B: rustls::SideData,
{
    let io = |error: std::io::Error| rustls::Error::General(error.to_string());
    wire.clear();
    while from.wants_write() {
        from.write_tls(wire).map_err(io)?;
    }
    let mut rest = &wire[..];
    while !rest.is_empty() {
        to.read_tls(&mut rest).map_err(io)?;
        if let Err(error) = to.process_new_packets() {
            // The alert goes back; what its receiver makes of it is not the first error.
            let mut alert = Vec::new();
            while to.wants_write() {
                to.write_tls(&mut alert).map_err(io)?;
            }
            let _ = from
                .read_tls(&mut &alert[..])
                .map(|_| from.process_new_packets());
            return Err(error);
        }
    }
    Ok(!wire.is_empty())
}

/// Handshakes of a kind.
struct Handshakes(Sides, HandshakeKind);

impl Single for Handshakes {
    fn once(&mut self) -> Result<(), String> {
        self.0.once(self.1).map_err(text).map(drop)
    }

    fn output(&mut self) -> Result<Item, String> {
        negotiated(&self.0.once(self.1).map_err(text)?)
    }
}

/// What both sides agreed on.
fn negotiated(connection: &Connection) -> Result<Item, String> {
    let client = &connection.client;
    let suite = client.negotiated_cipher_suite().ok_or("no suite")?;
    let group = client.negotiated_key_exchange_group();
    let group = group.map_or(0, |group| u16::from(group.name()));
    let resumed = client.handshake_kind() == Some(HandshakeKind::Resumed);
    Ok(item([
        ("suite", &u16::from(suite.suite()).to_be_bytes()),
        ("group", &group.to_be_bytes()),
        ("resumed", &[u8::from(resumed)]),
    ]))
}

/// A message from server to client, again and again.
struct Transfer {
    connection: Connection,
    message: Vec<u8>,
    received: Vec<u8>,
    wire: Vec<u8>,
}

impl Single for Transfer {
    fn once(&mut self) -> Result<(), String> {
        use std::io::{Read, Write};

        let Connection { client, server } = &mut self.connection;
        let mut received = 0;
        // No more than one record at a time is buffered.
        for record in self.message.chunks(1 << 14) {
            server.writer().write_all(record).map_err(text)?;
            carry(server, client, &mut self.wire).map_err(text)?;
            while received < self.message.len() {
                match client.reader().read(&mut self.received[received..]) {
                    Ok(read) => received += read,
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => break,
                    Err(error) => return Err(text(error)),
                }
            }
        }
        if received != self.message.len() {
            return Err(format!("{received} bytes arrived"));
        }
        Ok(())
    }

    fn output(&mut self) -> Result<Item, String> {
        if self.received != self.message {
            return Err("the message was changed on its way".into());
        }
        negotiated(&self.connection)
    }
}
