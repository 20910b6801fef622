//! The certification authority: what it refuses, what it tells, and what a crash cannot take.

mod batches;
mod crash;
mod delegated;
mod lint;
mod lists;
mod simulation;
mod strict;
mod tampering;

use std::sync::Arc;

use adamant::SystemRng;
use adamant::x509::extensions::{
    BasicConstraints, GeneralName, GeneralSubtree, KeyUsage, NameConstraints, SubjectKeyIdentifier,
};
use adamant::x509::{
    Certificate, CertificateBuilder, DistinguishedName, FullCertificate, KeyAlgorithm, PrivateKey,
    PublicKey, SerialNumber, SignatureAlgorithm,
};
use adamant_pki::ca::{
    Authority, CaSigner, Error, LocalKey, Profile, Request, RootRequest, Settings, system_clock,
};
use adamant_pki::store::{CaStore, SqliteCa};

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
        let certificate = FullCertificate::from_der(der).unwrap();
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

/// A key that fails at one of its signatures.
struct Failing(LocalKey, usize);

impl CaSigner for Failing {
    fn algorithm(&self) -> SignatureAlgorithm {
        self.0.algorithm()
    }

    fn public_key(&self) -> PublicKey {
        self.0.public_key()
    }

    fn sign_batch(&self, messages: &[&[u8]]) -> adamant_pki::Result<Vec<Vec<u8>>> {
        let mut made = self.0.sign_batch(messages)?;
        // A signature all the same, of something else.
        if let Some(bad) = made.get_mut(self.1) {
            *bad = self.0.sign_batch(&[b"something else"])?.swap_remove(0);
        }
        Ok(made)
    }
}

/// One wrong signature of a batch, wherever it is: nothing of the batch is stored or given away.
#[test]
fn a_wrong_signature() {
    for algorithm in [KeyAlgorithm::P256, KeyAlgorithm::Ed25519, KeyAlgorithm::Rsa] {
        for bad in [1, 6] {
            let store = Arc::new(SqliteCa::in_memory().unwrap());
            let key = Failing(LocalKey::new(generate(algorithm)).unwrap(), bad);
            let root = RootRequest::new(name("CN=Root"));
            let settings = Settings::default();
            let ca = Authority::init_root(store, Box::new(key), settings, &root, system_clock);
            let mut ca = ca.unwrap();
            let requests = || (0..10).map(|i| request(&format!("h{i}.example")));
            let first: Vec<_> = requests().take(7).collect();
            let refused = ca.issue_batch(&first).unwrap_err().to_string();
            assert!(
                refused.contains(&format!("for request {bad}, ")),
                "{refused}"
            );
            let counts = ca.store().counts().unwrap();
            assert_eq!((counts.intents, counts.certificates), (7, 0));
            let mut given = 0;
            let done = ca.issue_all(requests().map(Ok), 7, |_, all| {
                given += all.len();
                Ok(())
            });
            let refused = done.unwrap_err().to_string();
            assert!(
                refused.contains(&format!("for request {bad}, ")),
                "{refused}"
            );
            assert_eq!((given, ca.store().counts().unwrap().certificates), (0, 0));
        }
    }
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
    use adamant_pki::store::Error::StaleLease;
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
        asked.public_key = generate(algorithm).public_key().into();
        let der = ca.issue(&asked).unwrap();
        let certificate = FullCertificate::from_der(&der).unwrap();
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
    let signer = LocalKey::new(PrivateKey::from_der(&key.to_der()).unwrap()).unwrap();
    let settings = Settings::default();
    let now = system_clock();
    let csr = Authority::init_subordinate(&store, &signer, &settings, &name("CN=Sub"), &[], now);
    let request = Request::from_csr("intermediate", &csr.unwrap()).unwrap();
    let certificate = root.issue(&request).unwrap();

    let other = root.issue(&self::request("a.example")).unwrap();
    assert!(
        Authority::install(&store, &other, &[], now).is_err(),
        "another key"
    );
    let store: Arc<dyn CaStore> = Arc::new(store);
    let early = Authority::open(store.clone(), Box::new(signer), system_clock);
    assert!(early.is_err(), "no certificate yet");
    Authority::install(&*store, &certificate, &[], now).unwrap();
    let signer = LocalKey::new(key).unwrap();
    let ca = Authority::open(store, Box::new(signer), system_clock).unwrap();
    let der = ca.issue(&self::request("b.example")).unwrap();
    Certificate::from_der(&der)
        .unwrap()
        .verify(&ca.public_key().unwrap())
        .unwrap();
    // pathLenConstraint is 0: nobody below.
    let mut another = request.clone();
    another.subject = name("CN=Below");
    another.public_key = subscriber().into();
    let refused = ca.issue(&another).unwrap_err().to_string();
    assert!(refused.contains("RFC 5280, 4.2.1.9"), "{refused}");
}

/// What the CA's own certificate and those above it say of names is held to.
#[test]
fn constrained() {
    let dns = |name| GeneralSubtree(GeneralName::Dns(name));
    let (permitted, excluded) = ([dns("a.example")], [dns("no.a.example")]);
    let now = system_clock();
    let keys = [KeyAlgorithm::Ed25519; 3].map(generate);
    let names = ["CN=Root", "CN=Middle", "CN=Below"].map(name);
    // Each but the root has one kind of constraint.
    let certify = |i: usize, constraints: &NameConstraints<'_>| {
        let (issuer, key) = (i.saturating_sub(1), keys[i].public_key());
        let (by, of) = (names[issuer].as_name(), names[i].as_name());
        let serial = SerialNumber::random(&mut SystemRng).unwrap();
        let builder =
            CertificateBuilder::new(serial, by, now, now.saturating_add(86_400), of, &key)
                .extension(&BasicConstraints::ca(None))
                .extension(&KeyUsage::KEY_CERT_SIGN)
                .extension(&SubjectKeyIdentifier(&key.key_id()));
        let builder = match constraints.permitted.or(constraints.excluded) {
            Some(_) => builder.extension(constraints),
            None => builder,
        };
        builder.sign(keys[issuer].signer().unwrap()).unwrap()
    };
    let root = certify(0, &NameConstraints::default());
    let middle = certify(
        1,
        &NameConstraints {
            permitted: None,
            excluded: Some((&excluded).into()),
        },
    );
    let below = certify(
        2,
        &NameConstraints {
            permitted: Some((&permitted).into()),
            excluded: None,
        },
    );
    let open = |chain: &[Vec<u8>]| {
        let key = PrivateKey::from_der(&keys[2].to_der()).unwrap();
        let signer = LocalKey::new(key).unwrap();
        let store = SqliteCa::in_memory().unwrap();
        let settings = Settings::default();
        Authority::init_subordinate(&store, &signer, &settings, &names[2], &[], now).unwrap();
        Authority::install(&store, &below, chain, now)?;
        Authority::open(Arc::new(store), Box::new(signer), system_clock)
    };
    let refused = |ca: &Authority, host: &str| {
        let mut request = request(host);
        request.days = Some(1);
        request.not_before = Some(now);
        match ca.issue(&request) {
            Ok(_) => false,
            Err(Error::Lint { findings, .. }) => {
                assert_eq!(findings.len(), 1, "{findings:?}");
                assert_eq!(findings[0].rule, "RFC 5280, 4.2.1.10");
                true
            }
            Err(other) => panic!("{other}"),
        }
    };
    let alone = open(&[]).unwrap();
    assert!(!refused(&alone, "b.a.example") && !refused(&alone, "no.a.example"));
    assert!(refused(&alone, "b.example"));
    let whole = open(&[middle.clone(), root.clone()]).unwrap();
    assert!(!refused(&whole, "b.a.example"));
    assert!(refused(&whole, "no.a.example") && refused(&whole, "b.example"));
    let wrong = open(&[root]).err().unwrap().to_string();
    assert!(wrong.contains("CN=Root has not signed CN=Below"), "{wrong}");
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
    let certificate = FullCertificate::from_der(&der).unwrap();
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

/// What could pass for the CA where lists are signed.
#[test]
fn nobody_has_the_name_of_the_ca() {
    let ca = root(Settings::default());
    for subject in [
        "CN=Root,O=Adamant",
        "CN=ROOT,O=adamant",
        "CN= Root ,O=Adamant",
    ] {
        for profile in ["client", "code", "ocsp"] {
            let asked = Request::new(profile, name(subject), subscriber());
            let error = ca.issue(&asked).unwrap_err();
            let Error::Lint { findings, .. } = &error else {
                panic!("{error}");
            };
            assert!(
                findings.iter().any(|f| f.what.contains("name of a CA")),
                "{error}"
            );
        }
    }
    let asked = Request::new("client", name("CN=Root,O=Adamant,OU=People"), subscriber());
    assert!(ca.issue(&asked).is_ok());
    // A CA may: the CA itself, with another key.
    let asked = Request::new("intermediate", name("CN=Root,O=Adamant"), subscriber());
    assert!(ca.issue(&asked).is_ok());
}

#[test]
fn every_certificate_says_what_its_key_is_for() {
    let profiles = [
        "[[profile]]\nname = 'silent'",
        "[[profile]]\nname = 'empty'\nkey_usage = []",
        "[[profile]]\nname = 'wraps'\nkey_usage = ['keyEncipherment']",
    ];
    let profiles: Vec<_> = profiles
        .iter()
        .flat_map(|text| Profile::read_toml(text).unwrap())
        .collect();
    let ca = root(Settings {
        profiles,
        ..Settings::default()
    });
    let usage = |profile: &str, key: PublicKey| {
        let mut asked = Request::new(profile, name("CN=Ann"), key);
        if profile == "server" {
            asked = Request {
                subject: name("CN=a.example"),
                ..asked.name("a.example".parse().unwrap())
            };
        }
        let der = ca.issue(&asked)?;
        Ok::<_, Error>(
            FullCertificate::from_der(&der)?
                .extensions
                .key_usage
                .unwrap(),
        )
    };
    for profile in ["silent", "empty"] {
        let usage = usage(profile, subscriber()).unwrap();
        assert_eq!(usage, KeyUsage::DIGITAL_SIGNATURE, "{profile}");
    }
    for profile in Profile::built_in() {
        usage(&profile.name, subscriber()).unwrap();
    }
    // Nothing is left of what the profile says.
    let key = generate(KeyAlgorithm::Ed25519).public_key();
    let refused = usage("wraps", key).unwrap_err().to_string();
    assert!(
        refused.contains("none of the profile's key usages"),
        "{refused}"
    );
    let key = generate(KeyAlgorithm::X25519).public_key();
    assert!(usage("silent", key).is_err());
}
