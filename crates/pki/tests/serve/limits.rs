//! Clients that ask too much, or too slowly, and the end.

use std::time::{Duration, Instant};

use adamant::x509::ocsp::CertStatus;
use adamant_pki::ca::Settings;
use adamant_pki::serve::{Options, Responder};

use super::{Ca, Running, options};

fn with(ca: &Ca, options: Options) -> Running {
    Running::new(Responder::with_key(ca.authority()).unwrap(), options)
}

#[test]
fn too_long() {
    let ca = Ca::new(Settings::default(), 1);
    let server = Running::with_key(&ca);
    let mut client = server.client();
    let reply = client.post("/", &[0x30; 8193]);
    assert_eq!(reply.status, 413);
    assert!(client.is_over());
    // As pieces whose sum is not said before.
    let mut client = server.client();
    client.send(
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/ocsp-request\r\n\
          Transfer-Encoding: chunked\r\n\r\n",
    );
    let piece = [b"2001\r\n".to_vec(), vec![0x30; 0x2001], b"\r\n".to_vec()].concat();
    client.send(&piece);
    assert_eq!(client.receive().status, 413);
    let mut client = server.client();
    let long = format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "A".repeat(20_000));
    client.send(long.as_bytes());
    assert!([414, 431].contains(&client.receive().status));
    let mut client = server.client();
    client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(client.receive().status, 415);
    let mut client = server.client();
    client.send(b"DELETE /crl HTTP/1.1\r\nHost: a\r\n\r\n");
    let reply = client.receive();
    assert_eq!(
        (reply.status, reply.header("allow")),
        (405, Some("GET, HEAD"))
    );
}

#[test]
fn too_often() {
    let ca = Ca::new(Settings::default(), 1);
    let server = with(
        &ca,
        Options {
            rate: 20,
            ..options()
        },
    );
    let mut client = server.client();
    let start = Instant::now();
    let replies: Vec<_> = (0..200).map(|_| client.get("/issuer.cer", "")).collect();
    let refused = replies.iter().filter(|reply| reply.status == 429);
    assert!(
        refused
            .clone()
            .all(|reply| reply.header("retry-after") == Some("1"))
    );
    let allowed = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!(allowed + refused.count(), 200);
    let most = 21 + (20.0 * start.elapsed().as_secs_f64()) as usize;
    assert!((20..=most).contains(&allowed), "{allowed} of {most}");
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(client.get("/issuer.cer", "").status, 200);
}

#[test]
fn too_slow() {
    let ca = Ca::new(Settings::default(), 1);
    let patience = Duration::from_millis(200);
    let server = with(
        &ca,
        Options {
            patience,
            connections: 2,
            ..options()
        },
    );
    // Both places are taken by clients that do not finish; a third gets one all the same.
    let (mut header, mut body) = (server.client(), server.client());
    header.send(b"GET /crl HTTP/1.1\r\nHo");
    body.send(
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/ocsp-request\r\n\
          Content-Length: 100\r\n\r\n0",
    );
    assert_eq!(server.client().get("/issuer.cer", "").status, 200);
    assert_eq!(body.receive().status, 408);
    let mut rest = Vec::new();
    header.rest(&mut rest);
}

/// One peer has this many connections and no more, until one of them ends.
#[test]
fn too_many() {
    let ca = Ca::new(Settings::default(), 1);
    let server = with(
        &ca,
        Options {
            peer_connections: 2,
            ..options()
        },
    );
    let mut both = [server.client(), server.client()];
    for client in &mut both {
        assert_eq!(client.get("/issuer.cer", "").status, 200);
    }
    assert!(server.client().is_over());
    drop(both);
    // The server sees the end a moment later.
    let start = Instant::now();
    let mut answer = Vec::new();
    while !answer.starts_with(b"HTTP/1.1 200") {
        assert!(start.elapsed() < Duration::from_secs(10));
        let mut client = server.client();
        client.send(b"GET /issuer.cer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        client.rest(&mut answer);
    }
}

#[test]
fn an_end_in_grace() {
    let ca = Ca::new(Settings::default(), 1);
    let mut server = Running::with_key(&ca);
    let serial = ca.serial(0);
    let request = ca.request(&[serial], None);
    let mut busy = server.client();
    let mut idle = server.client();
    assert_eq!(idle.get("/issuer.cer", "").status, 200);
    busy.send(
        format!(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/ocsp-request\r\n\
             Content-Length: {}\r\n\r\n",
            request.len()
        )
        .as_bytes(),
    );
    busy.send(&request[..10]);
    std::thread::sleep(Duration::from_millis(100));
    server.stopper.stop();
    std::thread::sleep(Duration::from_millis(100));
    assert!(
        std::net::TcpStream::connect(server.address).is_err(),
        "nobody listens"
    );
    busy.send(&request[10..]);
    let reply = busy.receive();
    assert_eq!(ca.read(&reply, &serial).0, CertStatus::Good);
    let start = Instant::now();
    server.stop();
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(busy.is_over() && idle.is_over());
}

/// RFC 9112, 3.2: one host, in its form; before HTTP/1.1 there may be none.
#[test]
fn one_host() {
    let ca = Ca::new(Settings::default(), 0);
    let server = Running::with_key(&ca);
    for (version, hosts, status) in [
        ("1.1", &["a.example"][..], 200),
        ("1.1", &["a.example:8080"], 200),
        ("1.1", &["[::1]:80"], 200),
        ("1.1", &[""], 200),
        ("1.1", &[], 400),
        ("1.1", &["a.example", "a.example"], 400),
        ("1.1", &["a.example", "b.example"], 400),
        ("1.1", &["a.example", ""], 400),
        ("1.1", &["a b"], 400),
        ("1.1", &["u@a.example"], 400),
        ("1.1", &["a.example/x"], 400),
        ("1.1", &["a.example, b.example"], 400),
        ("1.0", &[], 200),
        ("1.0", &["a.example"], 200),
        ("1.0", &["a.example", "b.example"], 400),
    ] {
        for path in ["/issuer.cer", "/healthz", "/nothing"] {
            let hosts: String = hosts
                .iter()
                .map(|host| format!("Host: {host}\r\n"))
                .collect();
            let request = format!("GET {path} HTTP/{version}\r\n{hosts}\r\n");
            let mut client = server.client();
            client.send(request.as_bytes());
            let expected = if path == "/nothing" && status == 200 {
                404
            } else {
                status
            };
            assert_eq!(client.receive().status, expected, "{request}");
            if status == 400 {
                assert!(client.is_over(), "{request}");
            }
        }
    }
}
