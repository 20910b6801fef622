//! The certification authority: what it refuses, what it tells, and what a crash cannot take.

mod crash;
mod lint;
mod lists;
mod tampering;

use std::sync::Arc;

use adamant::SystemRng;
use adamant::x509::{Certificate, DistinguishedName, KeyAlgorithm, PrivateKey, PublicKey};
use adamant_pki::ca::{
    Authority, Error, LocalKey, Profile, Request, RootRequest, Settings, system_clock,
};
use adamant_pki::store::ca::{CaStore, SqliteCa};

pub(crate) fn name(text: &str) -> DistinguishedName {
    text.parse().unwrap()
}

pub(crate) fn generate(algorithm: KeyAlgorithm) -> PrivateKey {
    PrivateKey::generate(algorithm, &mut SystemRng).unwrap()
}

pub(crate) fn subscriber() -> PublicKey {
    generate(KeyAlgorithm::P256).public_key()
}

pub(crate) fn request(host: &str) -> Request {
    Request::new("server", name(&format!("CN={host}")), subscriber()).name(host.parse().unwrap())
}

pub(crate) fn root_with(store: Arc<dyn CaStore>, settings: Settings) -> Authority {
    let key = LocalKey::new(generate(KeyAlgorithm::P256)).unwrap();
    let root = RootRequest::new(name("CN=Root,O=Adamant"));
    Authority::init_root(store, Box::new(key), settings, &root, system_clock).unwrap()
}

pub(crate) fn root(settings: Settings) -> Authority {
    root_with(Arc::new(SqliteCa::in_memory().unwrap()), settings)
}

#[test]
fn issues_in_every_way() {
    let mut ca = root(Settings::default());
    ca.claim("test").unwrap();
    let hosts: Vec<_> = (0..25).map(|i| format!("h{i}.example")).collect();
    let requests: Vec<_> = hosts.iter().map(|host| request(host)).collect();
    let one = ca.issue(&requests[0]).unwrap();
    let batch = ca.issue_batch(&requests[1..5]).unwrap();
    let mut bulk = Vec::new();
    let all = requests[5..].iter().cloned().map(Ok);
    let done = ca.issue_all(all, 6, |first, certificates| {
        assert_eq!(first, bulk.len());
        bulk.extend(certificates);
        Ok(())
    });
    assert_eq!(done.unwrap(), 20);
    let key = ca.public_key().unwrap();
    let issued = [vec![one], batch, bulk].concat();
    assert_eq!(issued.len(), hosts.len());
    for (der, host) in issued.iter().zip(&hosts) {
        let certificate = Certificate::parse_full(der).unwrap();
        certificate.verify(&key).unwrap();
        assert_eq!(
            certificate.subject.common_name().as_deref(),
            Some(&host[..])
        );
        let number = adamant_pki::store::Number::try_from(certificate.serial()).unwrap();
        assert_eq!(ca.store().certificate(number).unwrap().as_ref(), Some(der));
    }
    ca.release().unwrap();
    let counts = ca.store().counts().unwrap();
    assert_eq!((counts.intents, counts.certificates), (25, 25));
    assert!(
        adamant_pki::ca::audit::audit(&**ca.store(), &[])
            .unwrap()
            .is_ok()
    );
}

/// What was issued before the one that is refused stays, and is given away.
#[test]
fn bulk_ends_at_what_is_refused() {
    let mut ca = root(Settings::default());
    let requests = (0..10).map(|i| Ok(request(if i == 7 { "not a name" } else { "a.example" })));
    let mut given = 0;
    let done = ca.issue_all(requests, 3, |_, certificates| {
        given += certificates.len();
        Ok(())
    });
    assert!(matches!(done, Err(Error::Lint { item: 7, .. })), "{done:?}");
    assert_eq!(given, 6);
    let counts = ca.store().counts().unwrap();
    assert_eq!((counts.intents, counts.certificates), (6, 6));
}

/// A process that was thought dead does not write any more, and what it left is given up.
#[test]
fn a_lost_place() {
    let store: Arc<dyn CaStore> = Arc::new(SqliteCa::in_memory().unwrap());
    let mut ca = root_with(store.clone(), Settings::default());
    ca.claim("first").unwrap();
    ca.issue(&request("a.example")).unwrap();
    let far = system_clock().saturating_add(10_000);
    let lease = store.acquire_lease("issuer-1", "second", far, 10).unwrap();
    assert_eq!(lease.token, 2);
    let refused = ca.issue(&request("b.example"));
    use adamant_pki::store::ca::Error::StaleLease;
    assert!(matches!(refused, Err(Error::Store(StaleLease { .. }))));
    assert_eq!(store.counts().unwrap().intents, 1);
}

#[test]
fn every_algorithm_of_keys() {
    for algorithm in [
        KeyAlgorithm::Ed25519,
        KeyAlgorithm::P384,
        KeyAlgorithm::BrainpoolP256r1,
        KeyAlgorithm::MlDsa44,
        KeyAlgorithm::Sm2,
        KeyAlgorithm::Rsa,
    ] {
        let store = Arc::new(SqliteCa::in_memory().unwrap());
        let key = LocalKey::new(generate(algorithm)).unwrap();
        let root = RootRequest::new(name("CN=Root"));
        let settings = Settings::default();
        let ca = Authority::init_root(store, Box::new(key), settings, &root, system_clock);
        let ca = ca.unwrap();
        let mut asked = request("a.example");
        asked.public_key = generate(algorithm).public_key();
        let der = ca.issue(&asked).unwrap();
        let certificate = Certificate::parse_full(&der).unwrap();
        certificate.verify(&ca.public_key().unwrap()).unwrap();
    }
    let exchange = LocalKey::new(generate(KeyAlgorithm::X25519));
    assert!(exchange.is_err(), "a CA's key has to sign");
}

#[test]
fn a_subordinate() {
    let root = root(Settings::default());
    let store = SqliteCa::in_memory().unwrap();
    let key = generate(KeyAlgorithm::P256);
    let signer = LocalKey::new(PrivateKey::from_pkcs8_der(&key.to_pkcs8_der()).unwrap()).unwrap();
    let settings = Settings::default();
    let now = system_clock();
    let csr = Authority::init_subordinate(&store, &signer, &settings, &name("CN=Sub"), &[], now);
    let request = Request::from_csr("intermediate", &csr.unwrap()).unwrap();
    let certificate = root.issue(&request).unwrap();

    let other = root.issue(&self::request("a.example")).unwrap();
    assert!(
        Authority::install(&store, &other, now).is_err(),
        "another key"
    );
    let store: Arc<dyn CaStore> = Arc::new(store);
    let early = Authority::open(store.clone(), Box::new(signer), system_clock);
    assert!(early.is_err(), "no certificate yet");
    Authority::install(&*store, &certificate, now).unwrap();
    let signer = LocalKey::new(key).unwrap();
    let ca = Authority::open(store, Box::new(signer), system_clock).unwrap();
    let der = ca.issue(&self::request("b.example")).unwrap();
    Certificate::parse(&der)
        .unwrap()
        .verify(&ca.public_key().unwrap())
        .unwrap();
    // pathLenConstraint is 0: nobody below.
    let mut another = request.clone();
    another.subject = name("CN=Below");
    another.public_key = subscriber();
    let refused = ca.issue(&another).unwrap_err().to_string();
    assert!(refused.contains("RFC 5280, 4.2.1.9"), "{refused}");
}

#[test]
fn profiles_of_ones_own() {
    let text = r#"
        [[profile]]
        name = "mail"
        days = 30
        key_usage = ["digitalSignature"]
        extended_key_usage = ["emailProtection", "1.2.3.4"]
        require_names = true
        policies = ["1.2.3.5"]
    "#;
    let profiles = Profile::read_toml(text).unwrap();
    let ca = root(Settings {
        profiles,
        ..Settings::default()
    });
    let asked = Request::new("mail", name("CN=Ann"), subscriber());
    let refused = ca.issue(&asked).unwrap_err().to_string();
    assert!(refused.contains("no alternative name"), "{refused}");
    let der = ca
        .issue(&asked.name("ann@example.org".parse().unwrap()))
        .unwrap();
    let certificate = Certificate::parse_full(&der).unwrap();
    let purposes = certificate.extensions.extended_key_usage.unwrap();
    assert!(purposes.allows(&"1.2.3.4".parse().unwrap()));
    let unknown = ca.issue(&Request::new("male", name("CN=Ann"), subscriber()));
    let unknown = unknown.unwrap_err().to_string();
    assert!(unknown.contains("mail, server, client"), "{unknown}");
    for wrong in [
        "[[profile]]\nname = 'a'\nday = 3",
        "[[profile]]\nname = 'a'\ndays = 0",
        "[[profile]]\nname = 'a'\nkey_usage = ['sign']",
        "[[profile]]\nname = 'a'\nca = true",
        "[[profile]]\nname = 'a'\nextended_key_usage = ['mail']",
        "name = 'a'",
    ] {
        assert!(Profile::read_toml(wrong).is_err(), "{wrong}");
    }
}
