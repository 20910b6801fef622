//! The server, in this process, and a plain client.

mod answers;
mod client;
mod files;
mod limits;
mod openssl;

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use adamant::SystemRng;
use adamant::x509::extensions::RevocationReason;
use adamant::x509::ocsp::{CertId, CertStatus, IssuerId, OcspRequestBuilder, OcspResponse};
use adamant::x509::{
    Certificate, KeyAlgorithm, PrivateKey, PublicKey, SerialNumber, SignatureAlgorithm,
};
use adamant_pki::ca::{
    Authority, CaSigner, LocalKey, Request, RootRequest, Settings, system_clock,
};
use adamant_pki::serve::{Options, Responder, Server, Stopper};
use adamant_pki::store::{CaStore, Number, Revocation, SqliteCa};

use client::{Client, Reply};

/// A key that several have.
struct Shared(Arc<LocalKey>);

impl CaSigner for Shared {
    fn algorithm(&self) -> SignatureAlgorithm {
        self.0.algorithm()
    }

    fn public_key(&self) -> PublicKey {
        self.0.public_key()
    }

    fn sign_batch(&self, messages: &[&[u8]]) -> adamant_pki::Result<Vec<Vec<u8>>> {
        self.0.sign_batch(messages)
    }
}

/// A CA in memory, its key, and the certificates that it issued.
pub(crate) struct Ca {
    pub(crate) store: Arc<dyn CaStore>,
    key: Arc<LocalKey>,
    pub(crate) certificate: Vec<u8>,
    pub(crate) issued: Vec<Vec<u8>>,
}

impl Ca {
    pub(crate) fn new(settings: Settings, certificates: usize) -> Self {
        let store: Arc<dyn CaStore> = Arc::new(SqliteCa::in_memory().unwrap());
        let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng).unwrap();
        let root = RootRequest::new("CN=Root,O=Adamant".parse().unwrap());
        let key = Arc::new(LocalKey::new(key).unwrap());
        let signer = Box::new(Shared(key.clone()));
        let ca = Authority::init_root(store.clone(), signer, settings, &root, system_clock);
        let ca = ca.unwrap();
        let mut made = Self {
            store,
            key,
            certificate: ca.certificate().to_vec(),
            issued: Vec::new(),
        };
        for i in 0..certificates {
            made.issue(&format!("h{i}.example"));
        }
        made
    }

    pub(crate) fn authority(&self) -> Authority {
        let signer = Box::new(Shared(self.key.clone()));
        Authority::open(self.store.clone(), signer, system_clock).unwrap()
    }

    pub(crate) fn issue(&mut self, host: &str) -> SerialNumber {
        let subscriber = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng).unwrap();
        let subject = format!("CN={host}").parse().unwrap();
        let request = Request::new("server", subject, subscriber.public_key());
        let der = self.authority().issue(&request.name(host.parse().unwrap()));
        self.issued.push(der.unwrap());
        self.serial(self.issued.len() - 1)
    }

    pub(crate) fn serial(&self, i: usize) -> SerialNumber {
        *Certificate::from_der(&self.issued[i]).unwrap().serial()
    }

    pub(crate) fn revoke(&self, serial: &SerialNumber) {
        let revocation = Revocation {
            reason: RevocationReason::KeyCompromise,
            date: system_clock(),
            invalidity_date: None,
        };
        let number = Number::try_from(serial).unwrap();
        self.store
            .revoke(number, &revocation, system_clock())
            .unwrap();
    }

    /// A request in the way of most clients.
    pub(crate) fn request(&self, serials: &[SerialNumber], nonce: Option<&[u8]>) -> Vec<u8> {
        let certificate = Certificate::from_der(&self.certificate).unwrap();
        let usual = IssuerId::with_hash(&certificate, &adamant::der::oid!("1.3.14.3.2.26"));
        let usual = usual.unwrap();
        let mut builder = OcspRequestBuilder::new();
        for serial in serials {
            builder = builder.certificate(usual.cert_id(*serial));
        }
        match nonce {
            Some(nonce) => builder.nonce(nonce).build(),
            None => builder.build(),
        }
    }

    /// What a verified response says of a serial number, and its nonce.
    pub(crate) fn read(
        &self,
        reply: &Reply,
        serial: &SerialNumber,
    ) -> (CertStatus, Option<Vec<u8>>) {
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(
            reply.header("content-type"),
            Some("application/ocsp-response")
        );
        let response = OcspResponse::from_der(&reply.body).unwrap();
        let basic = response.basic().unwrap();
        let certificate = Certificate::from_der(&self.certificate).unwrap();
        basic.verify_for(&certificate, system_clock()).unwrap();
        let id = |single: &CertId<'_>| single.serial == *serial;
        let single = basic
            .responses
            .iter()
            .find(|single| id(&single.cert_id))
            .unwrap();
        assert!(single.is_current(system_clock()));
        let nonce = basic.extensions.nonce.map(|nonce| nonce.0.to_vec());
        (single.status, nonce)
    }
}

/// A server that runs.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) stopper: Stopper,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

pub(crate) fn options() -> Options {
    Options {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        rate: 0,
        refresh: Duration::from_millis(50),
        threads: 1,
        ..Options::default()
    }
}

impl Running {
    /// With this responder, when it has read the store.
    pub(crate) fn new(responder: Responder, options: Options) -> Self {
        let (told, warm) = std::sync::mpsc::channel();
        let server = Server::bind(responder, options, move |event| {
            if matches!(event, adamant_pki::serve::Event::Warm { .. }) {
                let _ = told.send(());
            }
        });
        let server = server.unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run()));
        warm.recv_timeout(Duration::from_secs(30))
            .expect("it has read the store");
        Self {
            address,
            stopper,
            thread,
        }
    }

    pub(crate) fn with_key(ca: &Ca) -> Self {
        Self::new(Responder::with_key(ca.authority()).unwrap(), options())
    }

    pub(crate) fn without_key(ca: &Ca) -> Self {
        let responder = Responder::without_key(ca.store.clone(), system_clock);
        Self::new(responder.unwrap(), options())
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Ends it, and waits until it has.
    pub(crate) fn stop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }

    /// Asks until it is so, for as long as it may take.
    pub(crate) fn until(&self, is_so: impl Fn(&mut Client) -> bool) {
        let (mut client, start) = (self.client(), Instant::now());
        while !is_so(&mut client) {
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "it did not become so"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
