//! A TLS handshake with our provider on both sides, whose flights are changed on the way: the input
//! says in which flight, where and how. Where both sides end the handshake, they have the same keys
//! and understand each other.

#![no_main]

use adamant::SystemRng;
use adamant::x509::{KeyAlgorithm, PrivateKey};
use libfuzzer_sys::fuzz_target;
use rustls::pki_types::{PrivatePkcs8KeyDer, ServerName};
use rustls::version::{TLS12, TLS13};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection,
    SupportedProtocolVersion,
};
use rustls_adamant::trial::Authority;
use std::io::{Read, Write};
use std::sync::{Arc, LazyLock};

type Pair = (Arc<ClientConfig>, Arc<ServerConfig>);

static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
    let algorithms = [KeyAlgorithm::P256, KeyAlgorithm::Ed25519];
    let versions = [&TLS13, &TLS12];
    let pairs = algorithms
        .iter()
        .flat_map(|key| versions.map(|version| pair(*key, version)));
    pairs.collect()
});

fn pair(algorithm: KeyAlgorithm, version: &'static SupportedProtocolVersion) -> Pair {
    let provider = Arc::new(rustls_adamant::default_provider());
    let key = PrivateKey::generate(algorithm, &mut SystemRng).expect("a key");
    let root = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng).expect("a key");
    let authority = Authority::new(root).expect("an authority");
    let certificate = authority
        .issue(&key.public_key(), "localhost")
        .expect("a certificate");
    let mut roots = RootCertStore::empty();
    roots.add(authority.certificate()).expect("a root");
    let mut client = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&[version])
        .expect("a version")
        .with_root_certificates(roots)
        .with_no_client_auth();
    client.resumption = rustls::client::Resumption::disabled();
    let key = PrivatePkcs8KeyDer::from(key.to_der().to_vec());
    let server = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[version])
        .expect("a version")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key.into())
        .expect("a certificate with its key");
    (Arc::new(client), Arc::new(server))
}

/// One change: in this flight, at this place, of this kind, with this octet.
struct Edit<'a>(&'a [u8; 5]);

impl Edit<'_> {
    fn apply(&self, flight: usize, octets: &mut Vec<u8>) {
        let [number, high, low, kind, value] = *self.0;
        if usize::from(number % 8) != flight || octets.is_empty() {
            return;
        }
        let at = usize::from(u16::from_be_bytes([high, low])) % octets.len();
        match kind % 5 {
            0 => octets[at] ^= value,
            1 => octets.insert(at, value),
            2 => drop(octets.remove(at)),
            3 => octets.truncate(at),
            _ => {
                let end = octets.len().min(at + usize::from(value));
                let copy = octets[at..end].to_vec();
                octets.extend(copy);
            }
        }
    }
}

/// Gives one side what the other sent; whether it goes on.
macro_rules! deliver {
    ($from:expr, $to:expr, $flight:expr, $edits:expr) => {{
        let mut octets = Vec::new();
        while $from.wants_write() {
            $from.write_tls(&mut octets).expect("room in memory");
        }
        for edit in $edits {
            Edit(edit).apply($flight, &mut octets);
        }
        let mut rest = &octets[..];
        let mut goes_on = true;
        while goes_on && !rest.is_empty() {
            goes_on = $to.read_tls(&mut rest).is_ok() && $to.process_new_packets().is_ok();
        }
        goes_on
    }};
}

fuzz_target!(|data: &[u8]| {
    let Some((which, edits)) = data.split_first() else {
        return;
    };
    let (edits, _) = edits.as_chunks::<5>();
    let (client, server) = &PAIRS[usize::from(*which) % PAIRS.len()];
    let name = ServerName::try_from("localhost").expect("a name");
    let mut client = ClientConnection::new(Arc::clone(client), name).expect("a client");
    let mut server = ServerConnection::new(Arc::clone(server)).expect("a server");
    for flight in (0..8).step_by(2) {
        if !deliver!(client, server, flight, edits) || !deliver!(server, client, flight + 1, edits)
        {
            return;
        }
    }
    if client.is_handshaking() || server.is_handshaking() {
        return;
    }
    let keys = |exported: Result<[u8; 32], rustls::Error>| exported.expect("keys of a handshake");
    let of_client = keys(client.export_keying_material([0; 32], b"fuzz", None));
    assert_eq!(
        of_client,
        keys(server.export_keying_material([0; 32], b"fuzz", None))
    );
    client
        .writer()
        .write_all(b"a message")
        .expect("room in memory");
    assert!(
        deliver!(client, server, 8, &[]),
        "a message that does not open"
    );
    let mut message = [0; 9];
    server
        .reader()
        .read_exact(&mut message)
        .expect("the message");
    assert_eq!(&message, b"a message");
});
