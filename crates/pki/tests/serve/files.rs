//! Lists, the CA's certificate, and what tells of the server itself.

use adamant::x509::Certificate;
use adamant::x509::crl::FullCertificateList;
use adamant_pki::ca::Settings;
use adamant_pki::store::CrlScope;

use super::{Ca, Running};

#[test]
fn lists_and_certificate() {
    let settings = Settings {
        crl_url: Some("http://pki.example/lists/root.crl".into()),
        delta_crl_url: Some("http://pki.example/lists/root-delta.crl".into()),
        issuer_url: Some("http://pki.example/root.cer".into()),
        ..Settings::default()
    };
    let ca = Ca::new(settings, 1);
    ca.revoke(&ca.serial(0));
    let server = Running::with_key(&ca);
    let mut client = server.client();
    assert_eq!(client.get("/healthz", "").text(), "ok\n");
    let list = client.get("/crl", "");
    assert_eq!(list.status, 200);
    assert_eq!(list.header("content-type"), Some("application/pkix-crl"));
    assert!(
        list.header("cache-control")
            .unwrap()
            .starts_with("max-age=60"),
        "{list:?}"
    );
    assert!(list.header("expires").unwrap().ends_with(" GMT"));
    let parsed = FullCertificateList::from_der(&list.body).unwrap();
    let key = Certificate::from_der(&ca.certificate)
        .unwrap()
        .public_key()
        .unwrap();
    parsed.verify(&key).unwrap();
    assert!(parsed.find(&ca.serial(0)).unwrap().is_some());
    for path in ["/crl/0", "/lists/root.crl", "/crl?x=y"] {
        assert_eq!(client.get(path, "").body, list.body, "{path}");
    }
    let delta = client.get("/crl/delta", "");
    let parsed = FullCertificateList::from_der(&delta.body).unwrap();
    assert!(parsed.extensions.delta_crl_indicator.is_some());
    assert_eq!(client.get("/lists/root-delta.crl", "").body, delta.body);
    for path in ["/issuer.cer", "/root.cer"] {
        let reply = client.get(path, "");
        assert_eq!(reply.body, ca.certificate);
        assert_eq!(reply.header("content-type"), Some("application/pkix-cert"));
    }
    // A list that another process makes is seen.
    let all = CrlScope {
        shard: None,
        delta: false,
    };
    let made = ca.authority().make_crl(all).unwrap();
    server.until(|client| client.get("/crl", "").body == made.der);
    let known = format!("If-None-Match: {}\r\n", list.header("etag").unwrap());
    assert_eq!(client.get("/crl", &known).status, 200);
    client.send(b"HEAD /issuer.cer HTTP/1.1\r\nHost: test\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n");
    let mut rest = Vec::new();
    client.rest(&mut rest);
    let rest = String::from_utf8(rest).unwrap();
    assert_eq!(
        rest.matches(" 200 OK").count(),
        2,
        "no body between: {rest}"
    );
}

#[test]
fn of_shards() {
    let settings = Settings {
        crl_url: Some("http://pki.example/{shard}.crl".into()),
        crl_shards: 2,
        ..Settings::default()
    };
    let ca = Ca::new(settings, 0);
    let server = Running::with_key(&ca);
    let mut client = server.client();
    let zero = client.get("/crl/0", "").body;
    assert_eq!(client.get("/0.crl", "").body, zero);
    assert_eq!(client.get("/1.crl", "").body, client.get("/crl/1", "").body);
    for path in ["/crl/2", "/2.crl", "/crl", "/crl/0/delta"] {
        assert_eq!(client.get(path, "").status, 404, "{path}");
    }
    assert_eq!(client.get("/healthz", "").status, 200);
}

#[test]
fn ill_without_a_list() {
    let ca = Ca::new(Settings::default(), 0);
    let server = Running::without_key(&ca);
    let mut client = server.client();
    let reply = client.get("/healthz", "");
    assert_eq!((reply.status, reply.text()), (503, "there is no CRL\n"));
    assert!(
        client
            .get("/metrics", "")
            .text()
            .contains("adamant_healthy 0\n")
    );
    assert_eq!(client.get("/crl", "").status, 404);
}

/// Clients take nothing from a CA, or a responder, whose certificate does not hold.
#[test]
fn ill_outside_of_the_validity() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    use adamant::der::Time;
    use adamant::x509::{KeyAlgorithm, PrivateKey};
    use adamant_pki::ca::{Authority, LocalKey, Request, RootRequest, system_clock};
    use adamant_pki::serve::Responder;
    use adamant_pki::store::SqliteCa;

    const DAY: i64 = 86_400;

    let now = system_clock();
    let days = Arc::new(AtomicI64::new(0));
    let clock = || {
        let days = Arc::clone(&days);
        move || Time::from_unix(now.to_unix() + DAY * days.load(Ordering::Relaxed)).unwrap()
    };
    let generate = || PrivateKey::generate(KeyAlgorithm::P256, &mut adamant::SystemRng).unwrap();
    let store = Arc::new(SqliteCa::in_memory().unwrap());
    let settings = Settings {
        crl_hours: 24 * 1000,
        ..Settings::default()
    };
    let root = RootRequest {
        days: 100,
        ..RootRequest::new("CN=Root".parse().unwrap())
    };
    let key = Box::new(LocalKey::new(generate()).unwrap());
    let ca = Authority::init_root(store.clone(), key, settings, &root, clock()).unwrap();
    let all = CrlScope {
        shard: None,
        delta: false,
    };
    ca.make_crl(all).unwrap();
    let key = generate();
    let mut request = Request::new("ocsp", "CN=Responder".parse().unwrap(), key.public_key());
    request.days = Some(20);
    let certificate = ca.issue(&request).unwrap();
    let key = Box::new(LocalKey::new(key).unwrap());
    let delegated = Authority::open_delegated(store.clone(), &certificate, key, clock()).unwrap();
    let keyless = Responder::without_key(store, clock()).unwrap();
    let servers = [
        (Responder::with_key(ca).unwrap(), false),
        (Responder::with_key(delegated).unwrap(), true),
        (keyless, false),
    ];
    for (responder, is_delegate) in servers {
        days.store(0, Ordering::Relaxed);
        let server = Running::new(responder, super::options());
        let ended = "the responder's certificate has ended\n";
        for (day, said) in [
            (0, None),
            (19, None),
            (20, is_delegate.then_some(ended)),
            (99, is_delegate.then_some(ended)),
            (100, Some("the CA's certificate has ended\n")),
            (-1, Some("the CA's certificate does not hold yet\n")),
        ] {
            days.store(day, Ordering::Relaxed);
            let mut client = server.client();
            let reply = client.get("/healthz", "");
            let status = if said.is_some() { 503 } else { 200 };
            assert_eq!(
                (reply.status, reply.text()),
                (status, said.unwrap_or("ok\n")),
                "{day}"
            );
            let metrics = client.get("/metrics", "").text().to_owned();
            let healthy = format!("adamant_healthy {}\n", u8::from(said.is_none()));
            assert!(metrics.contains(&healthy), "{day}");
        }
    }
}
