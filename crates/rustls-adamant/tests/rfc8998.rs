//! The suites of RFC 8998, between ourselves.

use std::sync::Arc;

use adamant::x509::KeyAlgorithm::{P256, Sm2};
use rustls::client::Resumption;
use rustls::{HandshakeKind, NamedGroup, SignatureScheme};
use rustls_adamant::{SM2SIG_SM3, Ticketer, default_provider, load_private_key, sm_provider};

use crate::support::{Identity, client, code, connection, only, server, talk};

#[test]
fn both_suites() {
    let identity = Identity::new(Sm2, Sm2);
    for suite in [0x00c6, 0x00c7] {
        let provider = only(sm_provider(), suite, 41);
        let talked = talk(
            client(provider.clone(), &identity),
            server(provider, &identity),
        );
        let talked = talked.unwrap();
        let used = talked.server.negotiated_cipher_suite().unwrap();
        assert_eq!(code(&used), suite);
        let group = talked.client.negotiated_key_exchange_group().unwrap();
        assert_eq!(group.name(), NamedGroup::Unknown(41));
    }
}

#[test]
fn sessions_are_resumed() {
    let identity = Identity::new(Sm2, Sm2);
    let mut client = client(sm_provider(), &identity);
    client.resumption = Resumption::default();
    let mut server = server(sm_provider(), &identity);
    server.ticketer = Ticketer::new().unwrap();
    let (client, server) = (Arc::new(client), Arc::new(server));
    for kind in [HandshakeKind::Full, HandshakeKind::Resumed] {
        let mut connection = connection(&client, &server);
        connection.handshake().unwrap();
        assert_eq!(connection.client.handshake_kind(), Some(kind));
    }
}

/// The one provider does not speak with the other.
#[test]
fn nothing_in_common() {
    let (sm, other) = (Identity::new(Sm2, Sm2), Identity::new(P256, P256));
    assert!(talk(client(default_provider(), &sm), server(sm_provider(), &sm)).is_err());
    assert!(
        talk(
            client(sm_provider(), &other),
            server(default_provider(), &other)
        )
        .is_err()
    );
}

/// CertificateVerify is signed under its own identity, not that of certificates.
#[test]
fn the_identity_of_handshakes() {
    let identity = Identity::new(Sm2, Sm2);
    let key = load_private_key(&identity.private_key()).unwrap();
    assert!(
        key.choose_scheme(&[SignatureScheme::ECDSA_NISTP256_SHA256])
            .is_none()
    );
    let signer = key.choose_scheme(&[SM2SIG_SM3]).unwrap();
    let made = signer.sign(b"a transcript").unwrap();
    let adamant::x509::PublicKey::Sm2(public) = identity.key.public_key() else {
        panic!("not SM2");
    };
    let made = adamant::ec::sm2::Signature::from_der(&made).unwrap();
    let handshake = b"TLSv1.3+GM+Cipher+Suite";
    assert!(
        public
            .verify_with_identity(b"a transcript", handshake, &made)
            .is_ok()
    );
    assert!(public.verify(b"a transcript", &made).is_err());
}
