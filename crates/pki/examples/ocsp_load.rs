//! How many OCSP requests a second the server answers, and the `openssl ocsp` program beside it.
//!
//! ```console
//! $ cargo run --release -p adamant-pki --features serve --example ocsp_load -- 1000 16 5
//! ```
//!
//! Certificates, connections, seconds. The CA has a P-256 key; every response of ours was signed
//! beforehand. Server and clients share the machine's processors. Clients keep their connections
//! and verify the first response for each certificate; later ones must be the same octets. OpenSSL
//! closes each connection and signs each response, and its responses are only counted.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use adamant::SystemRng;
use adamant::der::pem;
use adamant::x509::ocsp::{IssuerId, OcspRequestBuilder, OcspResponse};
use adamant::x509::{Certificate, KeyAlgorithm, PrivateKey, PublicKey};
use adamant_pki::ca::{Authority, LocalKey, Request, RootRequest, Settings, system_clock};
use adamant_pki::serve::{Event, Options, Responder, Server};
use adamant_pki::store::SqliteCa;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// What clients ask, and who answers.
struct Load {
    /// Whole requests of HTTP.
    requests: Vec<Vec<u8>>,
    issuer: PublicKey,
    connections: usize,
    seconds: u64,
}

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let mut next = |usual| numbers.next().unwrap_or(Ok(usual));
    let (count, connections, seconds) = (next(1000)?.max(1), next(16)?.max(1), next(5)?.max(1));

    let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
    let key_der = key.to_der();
    let signer = Box::new(LocalKey::new(key)?);
    let root = RootRequest::new("CN=Root,O=Load".parse()?);
    let store = Arc::new(SqliteCa::in_memory()?);
    let settings = Settings::default();
    let ca = Authority::init_root(store, signer, settings, &root, system_clock)?;
    let subscriber = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?.public_key();
    let request = |i| -> Result<Request> {
        let host = format!("h{i}.example");
        let request = Request::new("server", format!("CN={host}").parse()?, subscriber.clone());
        Ok(request.name(host.parse()?))
    };
    let requests = (0..count).map(request).collect::<Result<Vec<_>>>()?;
    let issued = ca.issue_batch(&requests)?;
    let certificate = ca.certificate().to_vec();
    let load = Load {
        requests: requests_for(&certificate, &issued)?,
        issuer: ca.public_key()?,
        connections,
        seconds: seconds as u64,
    };

    let ours = ours(ca, &load)?;
    println!("adamant: {ours:.0} requests a second");
    let folder = tempfile::tempdir()?;
    match openssl(folder.path(), &certificate, &key_der, &issued, &load) {
        Err(error) => println!("openssl ocsp: left out: {error}"),
        Ok((mut child, address)) => {
            let theirs = measure(address, &load, false);
            let _ = child.kill();
            child.wait()?;
            let theirs = theirs?;
            println!("openssl ocsp: {theirs:.0} requests a second");
            println!("ratio: {:.1}", ours / theirs);
        }
    }
    Ok(())
}

/// A request of HTTP for each certificate.
fn requests_for(ca: &[u8], issued: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
    let id = IssuerId::with_hash(
        &Certificate::from_der(ca)?,
        &adamant::der::oid!("1.3.14.3.2.26"),
    )?;
    let request = |der: &Vec<u8>| {
        let serial = *Certificate::from_der(der)?.serial();
        let body = OcspRequestBuilder::new()
            .certificate(id.cert_id(serial))
            .build();
        let mut request = format!(
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/ocsp-request\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(&body);
        Ok(request)
    };
    issued.iter().map(request).collect()
}

fn ours(ca: Authority, load: &Load) -> Result<f64> {
    let options = Options {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        rate: 0,
        peer_connections: 0,
        ..Options::default()
    };
    let (told, warm) = std::sync::mpsc::channel();
    let server = Server::bind(Responder::with_key(ca)?, options, move |event| {
        if let Event::Warm { responses } = event {
            let _ = told.send(*responses);
        }
    })?;
    let (address, stopper) = (server.address(), server.stopper());
    let running = std::thread::spawn(move || server.run());
    let responses = warm.recv_timeout(Duration::from_secs(60))?;
    println!("{responses} responses in memory");
    let rate = measure(address, load, true);
    stopper.stop();
    running.join().map_err(|_| "the server panicked")??;
    rate
}

/// Requests a second.
fn measure(address: SocketAddr, load: &Load, keep_alive: bool) -> Result<f64> {
    let (answered, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let start = Instant::now();
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..load.connections)
            .map(|number| {
                let (answered, over) = (&answered, &over);
                scope.spawn(move || {
                    let done = client(address, load, number, keep_alive, answered, over);
                    over.fetch_or(done.is_err(), Relaxed);
                    done
                })
            })
            .collect();
        while start.elapsed() < Duration::from_secs(load.seconds) && !over.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let rate = answered.load(Relaxed) as f64 / start.elapsed().as_secs_f64();
        over.store(true, Relaxed);
        for client in clients {
            client.join().map_err(|_| "a client panicked")??;
        }
        Ok(rate)
    })
}

fn connect(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    Ok(stream)
}

/// One client: a request, its response, and on to the next certificate.
fn client(
    address: SocketAddr,
    load: &Load,
    number: usize,
    keep_alive: bool,
    answered: &AtomicU64,
    over: &AtomicBool,
) -> Result<()> {
    let mut known: Vec<Vec<u8>> = vec![Vec::new(); load.requests.len()];
    let mut room = vec![0; 1 << 14];
    let mut stream = None;
    let mut i = number * load.requests.len() / load.connections;
    while !over.load(Relaxed) {
        let mut open = match stream.take() {
            Some(open) => open,
            None => connect(address)?,
        };
        i = (i + 1) % load.requests.len();
        open.write_all(&load.requests[i])?;
        let body = receive(&mut open, &mut room)?;
        if keep_alive {
            if known[i].is_empty() {
                OcspResponse::from_der(body)?
                    .basic()?
                    .verify(&load.issuer)?;
                known[i] = body.to_vec();
            } else if known[i] != body {
                return Err("another response than before".into());
            }
            stream = Some(open);
        }
        answered.fetch_add(1, Relaxed);
    }
    Ok(())
}

/// The body of a response whose header tells its length, or that ends with the connection.
fn receive<'a>(stream: &mut TcpStream, room: &'a mut [u8]) -> Result<&'a [u8]> {
    let mut read = 0;
    loop {
        let more = stream.read(&mut room[read..])?;
        read += more;
        let header = room[..read].windows(4).position(|end| end == b"\r\n\r\n");
        if let Some(header) = header {
            let text = std::str::from_utf8(&room[..header])?;
            if text.split(' ').nth(1) != Some("200") {
                return Err(text.to_owned().into());
            }
            let mut lines = text.lines().filter_map(|line| line.split_once(": "));
            let length = lines.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
            let end = match length {
                Some((_, length)) => header + 4 + length.trim().parse::<usize>()?,
                None if more == 0 => read,
                None => usize::MAX,
            };
            if read >= end {
                return Ok(&room[header + 4..end]);
            }
        }
        if more == 0 {
            return Err("the connection ended within a response".into());
        }
    }
}

/// `openssl ocsp` as a responder for the same certificates.
fn openssl(
    folder: &Path,
    ca: &[u8],
    key: &[u8],
    issued: &[Vec<u8>],
    load: &Load,
) -> Result<(Child, SocketAddr)> {
    std::fs::write(folder.join("ca.pem"), pem::encode("CERTIFICATE", ca))?;
    std::fs::write(folder.join("ca.key"), pem::encode("PRIVATE KEY", key))?;
    let mut index = String::new();
    for (i, der) in issued.iter().enumerate() {
        let serial = Certificate::from_der(der)?.serial().as_bytes().to_vec();
        let serial: String = serial.iter().map(|octet| format!("{octet:02X}")).collect();
        index += &format!("V\t391231235959Z\t\t{serial}\tunknown\t/CN=h{i}.example\n");
    }
    std::fs::write(folder.join("index.txt"), index)?;
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut child = Command::new("openssl")
        .args(["ocsp", "-index", "index.txt", "-CA", "ca.pem"])
        .args(["-rsigner", "ca.pem", "-rkey", "ca.key", "-ndays", "3"])
        .args(["-port", &address.port().to_string(), "-ignore_err"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(50));
        // A whole request: it does not get over a connection without one.
        if let Ok(mut stream) = connect(address)
            && stream.write_all(&load.requests[0]).is_ok()
            && receive(&mut stream, &mut [0; 1 << 14]).is_ok()
        {
            return Ok((child, address));
        }
    }
    child.kill()?;
    child.wait()?;
    Err("it does not answer".into())
}
