//! The responder's HTTP: a connection that says this and ends, with a pause where the input has a
//! zero octet twice. Whatever it says, the answer is HTTP, and the next connection is answered.

#![no_main]

use adamant::SystemRng;
use adamant::x509::{KeyAlgorithm, PrivateKey};
use adamant_pki::ca::{Authority, LocalKey, RootRequest, Settings, system_clock};
use adamant_pki::serve::{Options, Responder, Server};
use adamant_pki::store::SqliteCa;
use libfuzzer_sys::fuzz_target;
use std::error::Error;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| serve().expect("a server"));

fn serve() -> Result<SocketAddr, Box<dyn Error>> {
    let store = Arc::new(SqliteCa::in_memory()?);
    let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
    let key = Box::new(LocalKey::new(key)?);
    let root = RootRequest::new("CN=Root".parse()?);
    let ca = Authority::init_root(store, key, Settings::default(), &root, system_clock)?;
    let options = Options {
        listen: "127.0.0.1:0".parse()?,
        rate: 0,
        peer_connections: 0,
        threads: 1,
        ..Options::default()
    };
    let server = Server::bind(Responder::with_key(ca)?, options, |_| ())?;
    let address = server.address();
    std::thread::spawn(move || server.run());
    Ok(address)
}

/// The answer to what is said. The server drops what it has not answered when it hears that its client
/// is done, so that comes a moment later.
fn say(parts: &[&[u8]], moment: Duration) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(*SERVER)?;
    stream.set_nodelay(true)?;
    for part in parts {
        // A server that has refused the request reads no more of it.
        if stream.write_all(part).is_err() {
            break;
        }
    }
    let mut answer = vec![0; 1 << 16];
    stream.set_read_timeout(Some(moment))?;
    let len = stream.read(&mut answer).unwrap_or(0);
    answer.truncate(len);
    let _ = stream.shutdown(Shutdown::Write);
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    match stream.read_to_end(&mut answer) {
        Err(e) if e.kind() != std::io::ErrorKind::ConnectionReset => Err(e),
        _ => Ok(answer),
    }
}

fuzz_target!(|data: &[u8]| {
    let mut parts = vec![data];
    if let Some(at) = data.windows(2).position(|pair| pair == [0, 0]) {
        parts = vec![&data[..at], &data[at + 2..]];
    }
    let answer = say(&parts, Duration::from_millis(5)).expect("an end of the connection");
    assert!(
        answer.is_empty() || answer.starts_with(b"HTTP/1."),
        "{answer:?}"
    );
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    if COUNT
        .fetch_add(1, std::sync::atomic::Ordering::Relaxed)
        .is_multiple_of(64)
    {
        let request = b"GET /issuer.cer HTTP/1.1\r\nHost: pki\r\nConnection: close\r\n\r\n";
        let next = say(&[request], Duration::from_secs(5)).expect("an answer");
        assert!(next.starts_with(b"HTTP/1.1 200 OK\r\n"), "{next:?}");
    }
});
