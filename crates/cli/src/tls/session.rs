//! What a connection has agreed on, in words and as JSON.

use std::fmt::Write;
use std::io;
use std::net::TcpStream;
use std::ops::{Deref, DerefMut};

use adamant::x509::{Certificate, FullCertificate};
use rustls::pki_types::CertificateDer;
use rustls::{CommonState, ConnectionCommon, HandshakeKind, SideData, StreamOwned};
use serde_json::{Value, json};

use super::choice::{group_name, suite_name, version_name};
use crate::text::shown;

/// Does the handshake over a connection.
pub(super) fn open<C, S>(
    connection: C,
    tcp: TcpStream,
) -> io::Result<(StreamOwned<C, TcpStream>, Session)>
where
    C: DerefMut + Deref<Target = ConnectionCommon<S>>,
    S: SideData,
{
    tcp.set_nodelay(true)?;
    let mut stream = StreamOwned::new(connection, tcp);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    let session = Session::of(&stream.conn);
    Ok((stream, session))
}

/// One certificate of a chain.
struct Link {
    subject: String,
    issuer: String,
    not_after: String,
    key: String,
}

impl Link {
    fn of(der: &CertificateDer<'_>) -> Self {
        let Ok(certificate) = FullCertificate::from_der(der) else {
            return Link {
                subject: "not readable".into(),
                issuer: String::new(),
                not_after: String::new(),
                key: String::new(),
            };
        };
        let key = Certificate::from_der(der).and_then(|certificate| certificate.public_key());
        Link {
            subject: certificate.subject.to_string(),
            issuer: certificate.issuer.to_string(),
            not_after: certificate.validity.not_after().to_string(),
            key: key.map_or_else(|_| "unknown".into(), |key| key_name(&key)),
        }
    }
}

/// The algorithm of a key.
fn key_name(key: &adamant::x509::PublicKey) -> String {
    match key {
        adamant::x509::PublicKey::Rsa(key) => format!("RSA {}", key.bits()),
        adamant::x509::PublicKey::Unknown(_) => "unknown".into(),
        key => key
            .algorithm()
            .map_or("unknown", |algorithm| algorithm.name())
            .into(),
    }
}

/// A connection after its handshake.
pub(super) struct Session {
    protocol: &'static str,
    suite: String,
    group: Option<String>,
    kind: &'static str,
    alpn: Option<String>,
    peer: Vec<Link>,
}

impl Session {
    fn of(state: &CommonState) -> Self {
        let version = state.protocol_version().map_or("unknown", version_name);
        let suite = state.negotiated_cipher_suite();
        let group = state.negotiated_key_exchange_group();
        let alpn = state.alpn_protocol();
        Session {
            protocol: version,
            suite: suite.map_or_else(String::new, |suite| suite_name(suite.suite())),
            group: group.map(|group| group_name(group.name().into())),
            kind: match state.handshake_kind() {
                Some(HandshakeKind::Resumed) => "resumed",
                Some(HandshakeKind::FullWithHelloRetryRequest) => "full, with a second hello",
                _ => "full",
            },
            alpn: alpn.map(|name| shown(name).to_string()),
            peer: state
                .peer_certificates()
                .unwrap_or_default()
                .iter()
                .map(Link::of)
                .collect(),
        }
    }

    /// Several lines.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "protocol   {}\nsuite      {}\ngroup      {}\nhandshake  {}\n",
            self.protocol,
            self.suite,
            self.group.as_deref().unwrap_or("-"),
            self.kind,
        );
        if let Some(alpn) = &self.alpn {
            let _ = writeln!(text, "alpn       {alpn}");
        }
        for (i, link) in self.peer.iter().enumerate() {
            let Link {
                subject,
                issuer,
                not_after,
                key,
            } = link;
            let _ = writeln!(
                text,
                "peer {i}     {subject} ({key}), by {issuer}, until {not_after}"
            );
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let peer = self.peer.iter().map(|link| {
            json!({
                "subject": link.subject,
                "issuer": link.issuer,
                "not_after": link.not_after,
                "key": link.key,
            })
        });
        json!({
            "protocol": self.protocol,
            "suite": self.suite,
            "group": self.group,
            "handshake": self.kind,
            "alpn": self.alpn,
            "peer": peer.collect::<Vec<_>>(),
        })
    }
}
