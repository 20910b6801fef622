//! What a TLS server saves by [`rustls_adamant::with_batching`]: processor time of the server's
//! threads for each full handshake (X25519, a key on P-256), with 64 clients at once over TCP, in
//! interleaved rounds.
//!
//! ```sh
//! cargo run --release -p rustls-adamant --example batching [SECONDS]
//! ```
//!
//! Servers that wait for all connections on one thread, without batches and, a millisecond apart,
//! with [`rustls_adamant::together`]; and servers with a thread for each connection, without batches
//! and with those that threads make among themselves. The clients are in this process too, on
//! threads of their own, whose time is not counted.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use adamant::SystemRng;
use adamant::x509::{KeyAlgorithm, PrivateKey};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::time::{ClockId, clock_gettime};
use rustls::client::Resumption;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{PrivatePkcs8KeyDer, ServerName};
use rustls::server::NoServerSessionStorage;
use rustls::{
    ClientConfig, ClientConnection, Connection, RootCertStore, ServerConfig, ServerConnection,
};
use rustls_adamant::trial::Authority;
use rustls_adamant::{default_provider, kx_group, together, with_batching};

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Result<T> = std::result::Result<T, Failure>;

const CLIENTS: usize = 64;
/// How long the server that does many at once lets them gather: the more, the cheaper each.
const GATHER: Duration = Duration::from_millis(1);
/// Threads of clients: enough for the server to have more to do than it can.
const CALLERS: usize = 4;
const ROUNDS: usize = 5;

/// A connection and what carries it.
struct Link {
    tls: Connection,
    tcp: TcpStream,
    /// Of a client, where it goes.
    to: Option<SocketAddr>,
}

impl Link {
    fn server(config: &Arc<ServerConfig>, tcp: TcpStream) -> Result<Self> {
        tcp.set_nonblocking(true)?;
        tcp.set_nodelay(true)?;
        let tls = ServerConnection::new(Arc::clone(config))?.into();
        Ok(Link { tls, tcp, to: None })
    }

    fn client(config: &Arc<ClientConfig>, to: SocketAddr) -> Result<Self> {
        let tcp = TcpStream::connect(to)?;
        tcp.set_nonblocking(true)?;
        tcp.set_nodelay(true)?;
        let name = ServerName::try_from("localhost")?;
        let tls = ClientConnection::new(Arc::clone(config), name)?.into();
        let to = Some(to);
        let mut link = Link { tls, tcp, to };
        link.write()?;
        Ok(link)
    }

    /// Takes in what has arrived; whether the other side is still there.
    fn read(&mut self) -> bool {
        match self.tls.read_tls(&mut self.tcp) {
            Ok(read) => read > 0,
            Err(error) => error.kind() == io::ErrorKind::WouldBlock,
        }
    }

    fn step(&mut self) -> std::result::Result<(), rustls::Error> {
        self.tls.process_new_packets().map(drop)
    }

    fn write(&mut self) -> io::Result<()> {
        while self.tls.wants_write() {
            self.tls.write_tls(&mut self.tcp)?;
        }
        Ok(())
    }
}

/// Waits until something has arrived for some, and takes these out.
fn arrived(links: &mut Vec<Link>, listener: Option<&TcpListener>) -> Result<Vec<Link>> {
    let mut fds: Vec<_> = (links.iter())
        .map(|link| PollFd::new(&link.tcp, PollFlags::IN))
        .collect();
    fds.extend(listener.map(|listener| PollFd::new(listener, PollFlags::IN)));
    let patience = Timespec {
        tv_sec: 0,
        tv_nsec: 20_000_000,
    };
    poll(&mut fds, Some(&patience))?;
    let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
    let mut taken = Vec::new();
    for i in (0..links.len()).rev().filter(|i| ready[*i]) {
        taken.push(links.swap_remove(i));
    }
    taken.retain_mut(Link::read);
    Ok(taken)
}

/// What a server did.
#[derive(Default)]
struct Work {
    handshakes: u64,
    cpu: Duration,
}

/// What this thread has used.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// All connections on this thread.
fn serve_all(
    listener: &TcpListener,
    config: &Arc<ServerConfig>,
    batched: bool,
    stop: &AtomicBool,
) -> Result<Work> {
    listener.set_nonblocking(true)?;
    let mut links = Vec::new();
    let mut handshakes = 0;
    while !stop.load(Ordering::Relaxed) {
        if batched {
            thread::sleep(GATHER);
        }
        let ready = arrived(&mut links, Some(listener))?;
        let done: Vec<_> = if batched {
            together(ready, Link::step)
        } else {
            let step = |mut link: Link| {
                let result = link.step();
                (link, result)
            };
            ready.into_iter().map(step).collect()
        };
        for (mut link, result) in done {
            result?;
            link.write()?;
            if link.tls.is_handshaking() {
                links.push(link);
            } else {
                handshakes += 1;
            }
        }
        while let Ok((tcp, _)) = listener.accept() {
            links.push(Link::server(config, tcp)?);
        }
    }
    let cpu = cpu();
    Ok(Work { handshakes, cpu })
}

/// One connection after the other on this thread.
fn serve_one(
    listener: &TcpListener,
    config: &Arc<ServerConfig>,
    stop: &AtomicBool,
) -> Result<Work> {
    let mut handshakes = 0;
    loop {
        let (mut tcp, _) = listener.accept()?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        tcp.set_nodelay(true)?;
        let mut tls = ServerConnection::new(Arc::clone(config))?;
        // At the end of a round, clients go away in the middle.
        while tls.is_handshaking() && tls.complete_io(&mut tcp).is_ok() {}
        handshakes += u64::from(!tls.is_handshaking());
    }
    let cpu = cpu();
    Ok(Work { handshakes, cpu })
}

/// A client for each address, again and again.
fn call(to: &[SocketAddr], config: &Arc<ClientConfig>, stop: &AtomicBool) -> Result<()> {
    let links = to.iter().map(|to| Link::client(config, *to));
    let mut links = links.collect::<Result<Vec<_>>>()?;
    while !stop.load(Ordering::Relaxed) {
        for (mut link, result) in together(arrived(&mut links, None)?, Link::step) {
            result?;
            link.write()?;
            if !link.tls.is_handshaking() {
                link = Link::client(config, link.to.ok_or("a client")?)?;
            }
            links.push(link);
        }
    }
    Ok(())
}

/// A round of clients with the servers on as many listeners as there are threads.
fn round(
    threads: usize,
    server: impl Fn(&TcpListener, &AtomicBool) -> Result<Work> + Sync,
    config: &Arc<ClientConfig>,
    time: Duration,
) -> Result<(Work, Duration)> {
    let listeners = (0..threads)
        .map(|_| TcpListener::bind("127.0.0.1:0"))
        .collect::<io::Result<Vec<_>>>()?;
    let addresses = (listeners.iter())
        .map(TcpListener::local_addr)
        .collect::<io::Result<Vec<_>>>()?;
    let to: Vec<_> = addresses.iter().copied().cycle().take(CLIENTS).collect();
    let (stop_clients, stop) = (AtomicBool::new(false), AtomicBool::new(false));
    let start = Instant::now();
    thread::scope(|scope| {
        let servers: Vec<_> = (listeners.iter())
            .map(|listener| scope.spawn(|| server(listener, &stop)))
            .collect();
        let clients: Vec<_> = (to.chunks(CLIENTS / CALLERS))
            .map(|to| scope.spawn(|| call(to, config, &stop_clients)))
            .collect();
        thread::sleep(time);
        stop_clients.store(true, Ordering::Relaxed);
        let called: Vec<_> = clients.into_iter().map(|client| client.join()).collect();
        let elapsed = start.elapsed();
        stop.store(true, Ordering::Relaxed);
        // Whoever waits for a connection gets a last one.
        for address in &addresses {
            let _ = TcpStream::connect(address);
        }
        let mut all = Work::default();
        for server in servers {
            let work = server.join().map_err(|_| "a server panicked")??;
            all.handshakes += work.handshakes;
            all.cpu += work.cpu;
        }
        for called in called {
            called.map_err(|_| "a client panicked")??;
        }
        Ok((all, elapsed))
    })
}

fn provider(batched: bool) -> CryptoProvider {
    let mut provider = default_provider();
    provider.kx_groups = vec![kx_group::X25519];
    match batched {
        true => with_batching(provider),
        false => provider,
    }
}

fn main() -> Result<()> {
    let seconds = std::env::args().nth(1).map_or(Ok(1.0), |s| s.parse())?;
    let authority = Authority::new(PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?)?;
    let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
    let chain = vec![authority.issue(&key.public_key(), "localhost")?];
    let server = |batched| -> Result<Arc<ServerConfig>> {
        let key = PrivatePkcs8KeyDer::from(key.to_der().to_vec());
        let mut config = ServerConfig::builder_with_provider(Arc::new(provider(batched)))
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .with_no_client_auth()
            .with_single_cert(chain.clone(), key.into())?;
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
        Ok(Arc::new(config))
    };
    let mut roots = RootCertStore::empty();
    roots.add(authority.certificate())?;
    let mut client = ClientConfig::builder_with_provider(Arc::new(provider(true)))
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    client.resumption = Resumption::disabled();
    let client = Arc::new(client);
    let configs = [server(false)?, server(true)?];
    let time = Duration::from_secs_f64(seconds);
    println!(
        "{:<44}{:>16}{:>14}{:>8}",
        "server", "CPU µs each", "per second", "ratio"
    );
    for threads in [1, CLIENTS] {
        let (mut micros, mut rates) = ([const { Vec::new() }; 2], [const { Vec::new() }; 2]);
        for _ in 0..ROUNDS {
            for (i, config) in configs.iter().enumerate() {
                let serve = |listener: &TcpListener, stop: &AtomicBool| match threads {
                    1 => serve_all(listener, config, i == 1, stop),
                    _ => serve_one(listener, config, stop),
                };
                let (work, elapsed) = round(threads, serve, &client, time)?;
                micros[i].push(work.cpu.as_secs_f64() * 1e6 / work.handshakes as f64);
                rates[i].push(work.handshakes as f64 / elapsed.as_secs_f64());
            }
        }
        for values in micros.iter_mut().chain(&mut rates) {
            values.sort_by(f64::total_cmp);
        }
        let kind = match threads {
            1 => "one thread for all",
            _ => "a thread for each",
        };
        for i in 0..2 {
            let name = format!("{kind}, {}", ["default_provider", "with_batching"][i]);
            let [each, base] = [i, 0].map(|i| micros[i][ROUNDS / 2]);
            println!(
                "{name:<44}{each:>16.1}{:>14.0}{:>8.2}",
                rates[i][ROUNDS / 2],
                each / base
            );
        }
    }
    Ok(())
}
