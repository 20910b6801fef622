//! Every suite, group and key, with ourselves and both ways with the provider of ring.

use adamant::x509::KeyAlgorithm::{
    self, Ed448, Ed25519, MlDsa44, MlDsa65, MlDsa87, P256, P384, P521, Rsa,
};
use rustls::crypto::{CryptoProvider, ring};
use rustls::{HandshakeKind, NamedGroup, ProtocolVersion};
use rustls_adamant::{Ticketer, default_provider, kx_group};
use std::sync::Arc;

use crate::support::{self, Identity, client, code, connection, only, server, talk};

const X25519: u16 = 29;
const AES_128_GCM: u16 = 0x1301;

/// Suites of TLS 1.2 have their kinds of keys; TLS 1.3 takes what TLS 1.2 does not.
fn fits(suite: u16, key: KeyAlgorithm) -> bool {
    match suite {
        0x1301..=0x1303 => true,
        0xc02f | 0xc030 | 0xcca8 => key == Rsa,
        _ => matches!(key, P256 | P384 | P521 | Ed25519),
    }
}

#[test]
fn every_suite_and_key() {
    for key in [
        Rsa, P256, P384, P521, Ed25519, Ed448, MlDsa44, MlDsa65, MlDsa87,
    ] {
        let identity = Identity::new(key, P256);
        for suite in default_provider().cipher_suites.iter().map(code) {
            if fits(suite, key) {
                let provider = only(default_provider(), suite, X25519);
                let talked = talk(
                    client(provider.clone(), &identity),
                    server(provider, &identity),
                );
                let talked = talked.unwrap_or_else(|e| panic!("{suite:#06x} {key:?}: {e}"));
                let used = talked.client.negotiated_cipher_suite().unwrap();
                assert_eq!(code(&used), suite);
            }
        }
    }
}

#[test]
fn every_authority() {
    for authority in [Rsa, P384, P521, Ed25519, Ed448, MlDsa44, MlDsa65, MlDsa87] {
        let identity = Identity::new(P256, authority);
        let provider = default_provider();
        talk(
            client(provider.clone(), &identity),
            server(provider, &identity),
        )
        .unwrap();
    }
}

#[test]
fn every_group() {
    let identity = Identity::new(P256, P256);
    for group in kx_group::DEFAULT_KX_GROUPS {
        let name = group.name();
        for suite in [AES_128_GCM, 0xc02b] {
            if !group.usable_for_version(ProtocolVersion::TLSv1_2) && suite == 0xc02b {
                continue;
            }
            let provider = only(default_provider(), suite, name.into());
            let talked = talk(
                client(provider.clone(), &identity),
                server(provider, &identity),
            );
            let talked = talked.unwrap_or_else(|e| panic!("{name:?}: {e}"));
            let used = talked.server.negotiated_key_exchange_group().unwrap();
            assert_eq!(used.name(), name);
        }
    }
}

/// Pairs of a client's and a server's provider of which one is ring's.
fn with_ring(suite: u16, group: u16) -> [[CryptoProvider; 2]; 2] {
    let ours = only(default_provider(), suite, group);
    let theirs = only(ring::default_provider(), suite, group);
    [[ours.clone(), theirs.clone()], [theirs, ours]]
}

#[test]
fn both_ways_with_ring() {
    for key in [Rsa, P256, P384, Ed25519] {
        let identity = Identity::new(key, P256);
        for suite in ring::ALL_CIPHER_SUITES.iter().map(code) {
            if fits(suite, key) {
                for [a, b] in with_ring(suite, X25519) {
                    let talked = talk(client(a, &identity), server(b, &identity));
                    talked.unwrap_or_else(|e| panic!("{suite:#06x} {key:?}: {e}"));
                }
            }
        }
    }
    let identity = Identity::new(P256, P384);
    for group in ring::ALL_KX_GROUPS {
        for suite in [0x1302, 0xc02c] {
            for [a, b] in with_ring(suite, group.name().into()) {
                let talked = talk(client(a, &identity), server(b, &identity));
                talked.unwrap_or_else(|e| panic!("{suite:#06x} {group:?}: {e}"));
            }
        }
    }
}

/// The client's first share is of X25519MLKEM768; a server without it takes the curve's half.
#[test]
fn the_classic_half_of_a_hybrid_is_used_again() {
    let identity = Identity::new(P256, P256);
    for (hybrid, classic) in [
        (kx_group::X25519MLKEM768, kx_group::X25519),
        (kx_group::SECP256R1MLKEM768, kx_group::SECP256R1),
        (kx_group::SECP384R1MLKEM1024, kx_group::SECP384R1),
    ] {
        let mut offering = default_provider();
        offering.kx_groups = vec![hybrid, classic];
        let theirs = server(ring::default_provider(), &identity);
        let talked = talk(client(offering, &identity), theirs).unwrap();
        let used = talked.client.negotiated_key_exchange_group().unwrap();
        assert_eq!(used.name(), classic.name());
        let kind = talked.client.handshake_kind();
        assert_eq!(kind, Some(HandshakeKind::Full), "no second hello");
    }
    let theirs = client(ring::default_provider(), &identity);
    let talked = talk(theirs, server(default_provider(), &identity)).unwrap();
    let used = talked.client.negotiated_key_exchange_group().unwrap();
    assert_eq!(used.name(), NamedGroup::X25519);
}

#[test]
fn a_second_hello() {
    let identity = Identity::new(P256, P256);
    let mut one = default_provider();
    one.kx_groups = vec![kx_group::X25519, kx_group::SECP384R1MLKEM1024];
    let other = only(default_provider(), AES_128_GCM, 0x11ed);
    let talked = talk(client(one, &identity), server(other, &identity)).unwrap();
    let kind = talked.client.handshake_kind();
    assert_eq!(kind, Some(HandshakeKind::FullWithHelloRetryRequest));
}

#[test]
fn sessions_are_resumed() {
    let identity = Identity::new(P256, P256);
    for suite in default_provider().cipher_suites.iter().map(code) {
        if !fits(suite, P256) {
            continue;
        }
        for stateful in [false, true] {
            let provider = only(default_provider(), suite, X25519);
            let mut client = client(provider.clone(), &identity);
            client.resumption = rustls::client::Resumption::default();
            let mut server = server(provider, &identity);
            if !stateful {
                server.ticketer = Ticketer::new().unwrap();
            }
            let (client, server) = (Arc::new(client), Arc::new(server));
            for kind in [
                HandshakeKind::Full,
                HandshakeKind::Resumed,
                HandshakeKind::Resumed,
            ] {
                let mut connection = connection(&client, &server);
                connection.handshake().unwrap();
                assert_eq!(
                    connection.client.handshake_kind(),
                    Some(kind),
                    "{suite:#06x}"
                );
                support::say(&mut connection.client, &mut connection.server, b"again");
            }
        }
    }
}

#[test]
fn clients_have_certificates_too() {
    for key in [Rsa, P256, Ed25519, MlDsa65] {
        let identity = Identity::new(key, P256);
        let provider = Arc::new(default_provider());
        let roots = Arc::new(identity.roots());
        let verifier = rustls::server::WebPkiClientVerifier::builder_with_provider(
            roots,
            Arc::clone(&provider),
        );
        let chain = vec![identity.certificate.clone()];
        for version in [&rustls::version::TLS13, &rustls::version::TLS12] {
            if key == MlDsa65 && version.version == ProtocolVersion::TLSv1_2 {
                continue;
            }
            let server = rustls::ServerConfig::builder_with_provider(Arc::clone(&provider))
                .with_protocol_versions(&[version])
                .unwrap()
                .with_client_cert_verifier(verifier.clone().build().unwrap())
                .with_single_cert(chain.clone(), identity.private_key())
                .unwrap();
            let client = rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_root_certificates(identity.roots())
                .with_client_auth_cert(chain.clone(), identity.private_key())
                .unwrap();
            let talked = talk(client, server).unwrap();
            assert_eq!(talked.server.peer_certificates(), Some(&chain[..]));
        }
    }
}
