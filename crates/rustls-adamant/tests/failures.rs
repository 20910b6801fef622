//! Handshakes that have to fail, and the alert that the other side gets.

use std::sync::Arc;

use adamant::x509::KeyAlgorithm::{Ed25519, P256};
use rustls::{AlertDescription, CertificateError, Error, PeerMisbehaved};
use rustls_adamant::{default_provider, load_private_key};

use crate::support::{self, Identity, client, connection, only, server};

/// The client's error, and the alert that the server hears.
fn refused_by_client(trusting: &Identity, serving: &Identity) -> (Error, Error) {
    let client = Arc::new(client(default_provider(), trusting));
    let server = Arc::new(server(default_provider(), serving));
    let mut connection = connection(&client, &server);
    let error = connection.handshake().unwrap_err();
    let heard = connection.server.process_new_packets().unwrap_err();
    (error, heard)
}

#[test]
fn a_wrong_name() {
    let identity = Identity::valid(P256, P256, "elsewhere.example", -1, 30);
    let (error, heard) = refused_by_client(&identity, &identity);
    let Error::InvalidCertificate(CertificateError::NotValidForNameContext { .. }) = error else {
        panic!("{error:?}");
    };
    // RFC 8446 has no alert for names.
    assert_eq!(
        heard,
        Error::AlertReceived(AlertDescription::BadCertificate)
    );
}

#[test]
fn out_of_date() {
    let past = Identity::valid(P256, P256, "localhost", -20, -10);
    let (error, heard) = refused_by_client(&past, &past);
    let Error::InvalidCertificate(CertificateError::ExpiredContext { .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(
        heard,
        Error::AlertReceived(AlertDescription::CertificateExpired)
    );
    let future = Identity::valid(P256, P256, "localhost", 10, 20);
    let (error, _) = refused_by_client(&future, &future);
    let Error::InvalidCertificate(CertificateError::NotValidYetContext { .. }) = error else {
        panic!("{error:?}");
    };
}

#[test]
fn an_unknown_authority() {
    for key in [P256, Ed25519] {
        let (error, heard) =
            refused_by_client(&Identity::new(key, key), &Identity::new(key, Ed25519));
        // The name of the authority is the same, its key another.
        assert!(matches!(error, Error::InvalidCertificate(_)), "{error:?}");
        let Error::AlertReceived(alert) = heard else {
            panic!("{heard:?}");
        };
        assert!(
            matches!(
                alert,
                AlertDescription::UnknownCA | AlertDescription::DecryptError
            ),
            "{alert:?}"
        );
    }
}

/// A certificate whose key the server does not have.
#[test]
fn anothers_certificate() {
    let (one, other) = (Identity::new(P256, P256), Identity::new(P256, P256));
    let mixed = Identity {
        root: one.root.clone(),
        certificate: one.certificate.clone(),
        key: other.key,
    };
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![mixed.certificate.clone()], mixed.private_key());
    assert!(matches!(config, Err(Error::InconsistentKeys(_))));
}

/// Every record with a bit changed on its way is refused with `bad_record_mac`.
#[test]
fn an_altered_record() {
    use std::io::Write;

    let identity = Identity::new(P256, P256);
    for suite in [0x1301, 0x1302, 0x1303, 0xc02b, 0xc02c, 0xcca9] {
        let provider = only(default_provider(), suite, 29);
        let client = Arc::new(client(provider.clone(), &identity));
        let server = Arc::new(server(provider, &identity));
        // A byte of the ciphertext (in GCM of TLS 1.2, of the nonce), and one of the tag.
        for from_end in [1, 17, 20, 30] {
            let mut connection = connection(&client, &server);
            connection.handshake().unwrap();
            connection.client.writer().write_all(&[7; 40]).unwrap();
            let mut wire = Vec::new();
            connection.client.write_tls(&mut wire).unwrap();
            let at = wire.len() - from_end;
            wire[at] ^= 0x10;
            connection.server.read_tls(&mut &wire[..]).unwrap();
            let error = connection.server.process_new_packets().unwrap_err();
            assert_eq!(error, Error::DecryptError, "{suite:#06x} {from_end}");
            let mut alert = Vec::new();
            connection.server.write_tls(&mut alert).unwrap();
            connection.client.read_tls(&mut &alert[..]).unwrap();
            let heard = connection.client.process_new_packets().unwrap_err();
            assert_eq!(heard, Error::AlertReceived(AlertDescription::BadRecordMac));
        }
    }
}

/// Both sides know TLS 1.3; somebody between them pretends that the client does not.
#[test]
fn a_downgrade() {
    let identity = Identity::new(P256, P256);
    let new = Arc::new(client(default_provider(), &identity));
    let old = rustls::ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS12])
        .unwrap()
        .with_root_certificates(identity.roots())
        .with_no_client_auth();
    let server = Arc::new(server(default_provider(), &identity));
    let mut fooled = connection(&new, &server);
    let mut replayed = connection(&Arc::new(old), &server);
    let (mut unread, mut hello, mut answer) = (Vec::new(), Vec::new(), Vec::new());
    fooled.client.write_tls(&mut unread).unwrap();
    replayed.client.write_tls(&mut hello).unwrap();
    replayed.server.read_tls(&mut &hello[..]).unwrap();
    replayed.server.process_new_packets().unwrap();
    replayed.server.write_tls(&mut answer).unwrap();
    fooled.client.read_tls(&mut &answer[..]).unwrap();
    let error = fooled.client.process_new_packets().unwrap_err();
    let downgraded = PeerMisbehaved::AttemptedDowngradeToTls12WhenTls13IsSupported;
    assert_eq!(error, Error::PeerMisbehaved(downgraded));
}

/// Shares that are no points, of no contribution, or too long.
#[test]
fn bad_shares() {
    for group in default_provider().kx_groups {
        let started = || group.start().unwrap();
        let len = started().pub_key().len();
        for bad in [
            vec![],
            vec![0; len],
            vec![0xff; len],
            vec![4; len + 1],
            vec![2; 33],
        ] {
            let bad_share = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);
            // A client's key of a hybrid group is as long as its share; the answer is not.
            let refused = started().complete(&bad).err();
            let taken = bad.len() == len && matches!(u16::from(group.name()), 29 | 30);
            if !(taken && bad[0] == 0xff) {
                assert_eq!(refused, Some(bad_share.clone()), "{group:?} {}", bad.len());
                let refused = group.start_and_complete(&bad).err();
                assert_eq!(refused, Some(bad_share), "{group:?} {}", bad.len());
            }
        }
        let share = started();
        if let Some((_, half)) = share.hybrid_component() {
            let half = vec![0; half.len()];
            assert!(started().complete_hybrid_component(&half).is_err());
        }
    }
}

#[test]
fn keys_that_do_not_sign() {
    use adamant::x509::KeyAlgorithm;

    let x25519 = support::key(KeyAlgorithm::X25519).to_der().to_vec();
    for der in [x25519, vec![0x30, 0], vec![]] {
        let der = rustls::pki_types::PrivatePkcs8KeyDer::from(der).into();
        assert!(matches!(load_private_key(&der), Err(Error::General(_))));
    }
}

#[test]
fn keys_in_every_encoding() {
    use adamant::x509::{KeyAlgorithm, PrivateKey};
    use rustls::pki_types::{PrivatePkcs1KeyDer, PrivateSec1KeyDer};

    let p384 = support::key(KeyAlgorithm::P384);
    let sec1 = PrivateSec1KeyDer::from(p384.to_sec1_der().unwrap().to_vec());
    let read = load_private_key(&sec1.into()).unwrap();
    assert_eq!(
        read.public_key().unwrap().as_ref(),
        p384.public_key().to_der()
    );
    let PrivateKey::Rsa(rsa) = support::key(KeyAlgorithm::Rsa) else {
        panic!("not RSA");
    };
    let pkcs1 = PrivatePkcs1KeyDer::from(rsa.to_pkcs1_der().to_vec());
    assert!(load_private_key(&pkcs1.into()).is_ok());
}
