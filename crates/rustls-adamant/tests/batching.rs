//! Handshakes of many connections at once, by [`together`] and by threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use adamant::x509::KeyAlgorithm::{
    Ed448, Ed25519, MlDsa44, MlDsa65, MlDsa87, P256, P384, P521, Rsa,
};
use adamant_engine::tls::Connection;
use rustls::{ClientConfig, ConnectionCommon, Error, ServerConfig, SideData};
use rustls_adamant::{default_provider, kx_group, sm_provider, together, with_batching};

use crate::support::{self, Identity, client, connection, only, server, talk};

const AES_128_GCM: u16 = 0x1301;

/// What `from` has to say, as far as `to` has taken it in.
fn carry<A: SideData, B: SideData>(from: &mut ConnectionCommon<A>, to: &mut ConnectionCommon<B>) {
    let mut wire = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut wire).unwrap();
    }
    let mut rest = &wire[..];
    while !rest.is_empty() {
        to.read_tls(&mut rest).unwrap();
    }
}

/// This many handshakes at once, both sides in steps of [`together`]; the first error.
fn handshakes(
    count: usize,
    client: &Arc<ClientConfig>,
    server: &Arc<ServerConfig>,
) -> Result<Vec<Connection>, Error> {
    let connections = (0..count).map(|_| connection(client, server));
    let mut connections: Vec<_> = connections.collect();
    for _ in 0..3 {
        for connection in &mut connections {
            carry(&mut connection.client, &mut connection.server);
        }
        connections = each(connections, |connection| {
            connection.server.process_new_packets().map(drop)
        })?;
        for connection in &mut connections {
            carry(&mut connection.server, &mut connection.client);
        }
        connections = each(connections, |connection| {
            connection.client.process_new_packets().map(drop)
        })?;
    }
    Ok(connections)
}

fn each(
    connections: Vec<Connection>,
    step: fn(&mut Connection) -> Result<(), Error>,
) -> Result<Vec<Connection>, Error> {
    let done = together(connections, step).into_iter();
    done.map(|(connection, result)| result.map(|()| connection))
        .collect()
}

#[test]
fn every_key() {
    for key in [
        Rsa, P256, P384, P521, Ed25519, Ed448, MlDsa44, MlDsa65, MlDsa87,
    ] {
        let identity = Identity::new(key, P256);
        let provider = with_batching(default_provider());
        let client = Arc::new(client(provider.clone(), &identity));
        let server = Arc::new(server(provider, &identity));
        for count in [1, 2, 9] {
            for connection in handshakes(count, &client, &server).unwrap() {
                assert!(!connection.client.is_handshaking() && !connection.server.is_handshaking());
            }
        }
    }
}

#[test]
fn every_group() {
    let identity = Identity::new(P256, P256);
    for group in kx_group::DEFAULT_KX_GROUPS {
        let name = group.name();
        let provider = only(with_batching(default_provider()), AES_128_GCM, name.into());
        let plain = only(default_provider(), AES_128_GCM, name.into());
        for (ours, theirs) in [
            (&provider, &provider),
            (&provider, &plain),
            (&plain, &provider),
        ] {
            let client = Arc::new(client(ours.clone(), &identity));
            let server = Arc::new(server(theirs.clone(), &identity));
            let mut connections = handshakes(9, &client, &server).unwrap();
            for connection in &mut connections {
                let used = connection.server.negotiated_key_exchange_group().unwrap();
                assert_eq!(used.name(), name);
                support::say(&mut connection.client, &mut connection.server, b"hello");
            }
            // Nobody has the keys of another.
            let mut exported: Vec<_> = (connections.iter())
                .map(|connection| {
                    let exported = connection
                        .server
                        .export_keying_material([0; 32], b"l", None);
                    exported.unwrap()
                })
                .collect();
            exported.sort_unstable();
            exported.dedup();
            assert_eq!(exported.len(), 9);
        }
    }
}

/// TLS 1.2, and the half of a hybrid that a client completes for a server that knows no more.
#[test]
fn older_peers() {
    let identity = Identity::new(P256, P256);
    let provider = only(with_batching(default_provider()), 0xc02b, 29);
    talk(
        client(provider.clone(), &identity),
        server(provider, &identity),
    )
    .unwrap();
    let mut knows = default_provider();
    knows.kx_groups = vec![kx_group::X25519, kx_group::SECP256R1];
    let mut offers = with_batching(default_provider());
    for first in [kx_group::X25519MLKEM768, kx_group::SECP256R1MLKEM768] {
        let rest = default_provider().kx_groups;
        offers.kx_groups = std::iter::once(first).chain(rest).collect();
        let offers = with_batching(offers.clone());
        let server = Arc::new(server(knows.clone(), &identity));
        handshakes(9, &Arc::new(client(offers, &identity)), &server).unwrap();
    }
}

#[test]
fn threads_share_too() {
    let identity = Identity::new(P256, P256);
    let provider = with_batching(default_provider());
    let client = Arc::new(client(provider.clone(), &identity));
    let server = Arc::new(server(provider, &identity));
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..20 {
                    connection(&client, &server).handshake().unwrap();
                }
            });
        }
    });
}

/// RFC 8998 has no batches here, and goes on as before.
#[test]
fn sm_is_as_it_was() {
    let identity = Identity::new(
        adamant::x509::KeyAlgorithm::Sm2,
        adamant::x509::KeyAlgorithm::Sm2,
    );
    let provider = with_batching(sm_provider());
    let client = Arc::new(client(provider.clone(), &identity));
    let server = Arc::new(server(provider, &identity));
    handshakes(3, &client, &server).unwrap();
}

/// A wrong share is the error of its own connection.
#[test]
fn one_refused() {
    let identity = Identity::new(P256, P256);
    let provider = only(with_batching(default_provider()), AES_128_GCM, 29);
    let client = Arc::new(client(provider.clone(), &identity));
    let server = Arc::new(server(provider, &identity));
    let mut connections: Vec<_> = (0..9).map(|_| connection(&client, &server)).collect();
    for (i, connection) in connections.iter_mut().enumerate() {
        let mut wire = Vec::new();
        connection.client.write_tls(&mut wire).unwrap();
        if i == 4 {
            // The share: group, length, and a point of small order instead.
            let at = wire.windows(4).position(|w| w == [0, 29, 0, 32]).unwrap();
            wire[at + 4..at + 36].fill(0);
        }
        connection.server.read_tls(&mut &wire[..]).unwrap();
    }
    let done = together(connections, |connection| {
        connection.server.process_new_packets().map(drop)
    });
    for (i, (_, result)) in done.into_iter().enumerate() {
        assert_eq!(result.is_err(), i == 4, "{i}");
    }
}

#[test]
fn steps_of_any_kind() {
    let none: Vec<((), ())> = together(Vec::<()>::new(), |()| ());
    assert!(none.is_empty());
    let doubled = together(0..100, |i| *i * 2);
    assert!(doubled.into_iter().all(|(i, twice)| twice == 2 * i));
    // Fibers within fibers are taken one after the other.
    let nested = together(0..4, |i| together(0..*i, |j| *j).len() as i32);
    assert!(nested.into_iter().all(|(i, len)| len == i));
}

/// The panic of a step goes on when the others have been taken, and nothing is left behind.
#[test]
fn a_step_panics() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static TAKEN: AtomicUsize = AtomicUsize::new(0);
    for _ in 0..3 {
        TAKEN.store(0, Ordering::Relaxed);
        let step = |i: &mut i32| {
            assert!(*i != 3, "three");
            TAKEN.fetch_add(1, Ordering::Relaxed);
        };
        catch_unwind(AssertUnwindSafe(|| together(0..8, step))).unwrap_err();
        assert_eq!(TAKEN.load(Ordering::Relaxed), 7);
    }
    still_works();
}

fn still_works() {
    let identity = Identity::new(P256, P256);
    let provider = with_batching(default_provider());
    let client = Arc::new(client(provider.clone(), &identity));
    let server = Arc::new(server(provider, &identity));
    handshakes(5, &client, &server).unwrap();
}
