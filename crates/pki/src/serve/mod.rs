//! A certification authority on the network: an OCSP responder (RFC 6960, RFC 5019, RFC 9654) and
//! the distribution of lists and of the CA's certificate, over HTTP.
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::TcpStream;
//! # use std::sync::Arc;
//! # use adamant::x509::{KeyAlgorithm, PrivateKey};
//! # use adamant_pki::ca::{Authority, LocalKey, RootRequest, Settings, system_clock};
//! # use adamant_pki::store::SqliteCa;
//! use adamant_pki::serve::{Options, Responder, Server};
//! # let store = Arc::new(SqliteCa::in_memory()?);
//! # let key = PrivateKey::generate(KeyAlgorithm::P256, &mut adamant::SystemRng)?;
//! # let key = Box::new(LocalKey::new(key)?);
//! # let root = RootRequest::new("CN=Root".parse()?);
//! # let ca = Authority::init_root(store, key, Settings::default(), &root, system_clock)?;
//!
//! let options = Options { listen: "127.0.0.1:0".parse()?, ..Options::default() };
//! let server = Server::bind(Responder::with_key(ca)?, options, |event| eprintln!("{event}"))?;
//! let (address, stopper) = (server.address(), server.stopper());
//! let running = std::thread::spawn(move || server.run());
//!
//! let mut client = TcpStream::connect(address)?;
//! client.write_all(b"GET /issuer.cer HTTP/1.1\r\nHost: pki\r\nConnection: close\r\n\r\n")?;
//! let mut answer = Vec::new();
//! client.read_to_end(&mut answer)?;
//! assert!(answer.starts_with(b"HTTP/1.1 200 OK\r\n"));
//! stopper.stop();
//! running.join().unwrap()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | path | gives |
//! |---|---|
//! | `/`, `/ocsp`, that of the CA's OCSP URL | OCSP: POST, or GET with the request in base64 at the end of the path |
//! | `/crl`, `/crl/N`, those of the CA's URLs | the full list, of shard N |
//! | `/crl/delta`, `/crl/N/delta`, those of the CA's URLs | the changes since |
//! | `/issuer.cer`, that of the CA's URL | the CA's certificate |
//! | `/metrics`, `/healthz` | counters for Prometheus; whether store and lists are as they should be |
//!
//! Responses that were signed beforehand are answered from memory; a thread reads the store's
//! changes every [`Options::refresh`], so a revocation takes effect after at most that time and a
//! moment for its signature. A request with a nonce is answered with a new signature if the key is
//! here, and without the nonce if there is none, as RFC 9654 allows. Responses are signed anew,
//! in batches, when half their time is over, and lists when three quarters are.

mod http;
mod limit;
mod metrics;
mod refresh;
mod reply;
mod responder;
mod route;

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::watch;

use http::Shared;
use refresh::Refresher;
pub use responder::Responder;

/// How a server works.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens; port 0 is any that is free.
    pub listen: SocketAddr,
    /// Requests a second of one address (of IPv6: of one network of 64 bits), and as many at
    /// once; 0 is no limit. Requests above it get 429.
    pub rate: u32,
    /// Between two looks into the store: how long a revocation can stay unseen.
    pub refresh: Duration,
    /// The longest request, in octets.
    pub longest: usize,
    /// Open connections; further ones wait.
    pub connections: u32,
    /// Open connections of one address (of IPv6: of one network of 64 bits); 0 is no limit. Further
    /// ones are closed at once.
    pub peer_connections: u32,
    /// For the header of a request, from the end of the one before, and for its body.
    pub patience: Duration,
    /// The longest time of one connection, whatever comes through it.
    pub longest_connection: Duration,
    /// How long requests under way may take when the server stops.
    pub grace: Duration,
    /// Responses in memory; what is beyond is read from the store.
    pub hot: usize,
    /// Threads that answer; 0 is one for each processor.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            rate: 500,
            refresh: Duration::from_secs(1),
            longest: 8 << 10,
            connections: 4096,
            peer_connections: 256,
            patience: Duration::from_secs(10),
            longest_connection: Duration::from_secs(600),
            grace: Duration::from_secs(10),
            hot: 1_000_000,
            threads: 0,
        }
    }
}

/// An event in the life of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Event {
    /// Connections are taken.
    Listening {
        /// Where.
        address: SocketAddr,
    },
    /// Everything in the store has been read once.
    Warm {
        /// Responses in memory.
        responses: usize,
    },
    /// Responses were signed beforehand.
    Signed {
        /// How many.
        responses: usize,
    },
    /// A list was made.
    Crl {
        /// Its number.
        number: u64,
        /// The shard, where there are several.
        shard: Option<u32>,
        /// Whether it has only changes.
        delta: bool,
    },
    /// Something failed, and is tried again.
    Failed {
        /// What went wrong.
        error: String,
    },
    /// No connections are taken any more; requests under way are answered.
    Stopping,
    /// That is over.
    Stopped,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Listening { address } => write!(f, "listening on http://{address}"),
            Event::Warm { responses } => write!(f, "{responses} responses in memory"),
            Event::Signed { responses } => write!(f, "{responses} responses signed"),
            Event::Crl {
                number,
                shard,
                delta,
            } => {
                let what = if *delta { "delta CRL" } else { "CRL" };
                write!(f, "{what} {number} made")?;
                shard.map_or(Ok(()), |shard| write!(f, ", of shard {shard}"))
            }
            Event::Failed { error } => write!(f, "failed: {error}"),
            Event::Stopping => f.write_str("stopping"),
            Event::Stopped => f.write_str("stopped"),
        }
    }
}

/// Who hears of [`Event`]s.
type Log = Box<dyn Fn(&Event) + Send + Sync>;

/// Ends a server.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// No more connections are taken; requests under way are answered, then
    /// [`Server::run`] returns.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Stops a server when it goes.
struct StopOnDrop(Stopper);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A server that has its port.
pub struct Server {
    shared: Arc<Shared>,
    listener: TcpListener,
    address: SocketAddr,
    stopper: Stopper,
}

impl Server {
    /// Takes the port; [`Server::run`] answers.
    ///
    /// # Errors
    /// That of the system, where the port is not available.
    pub fn bind(
        responder: Responder,
        options: Options,
        log: impl Fn(&Event) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(options.listen)?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            stopper: Stopper(watch::Sender::new(false)),
            shared: Arc::new(Shared::new(responder, options, Box::new(log))),
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle that stops it from another thread.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Answers until it is stopped.
    ///
    /// # Errors
    /// That of the system, where no threads or events are available.
    pub fn run(self) -> io::Result<()> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        if self.shared.options.threads > 0 {
            builder.worker_threads(self.shared.options.threads);
        }
        let runtime = builder.enable_io().enable_time().build()?;
        let (end, ended) = mpsc::channel::<()>();
        let shared = &self.shared;
        std::thread::scope(|scope| {
            let stopper = StopOnDrop(self.stopper.clone());
            let refresher = std::thread::Builder::new()
                .name("refresh".to_owned())
                .spawn_scoped(scope, move || {
                    // Without this thread revocations would stay unseen.
                    let _stopper = stopper;
                    refresh(shared, &ended);
                })?;
            (shared.log)(&Event::Listening {
                address: self.address,
            });
            let stop = self.stopper.0.subscribe();
            let serve: http::Task<_> =
                Box::pin(http::serve(Arc::clone(shared), self.listener, stop));
            let served = runtime.block_on(serve);
            // Before the store goes: connections that took too long end here.
            drop(runtime);
            drop(end);
            let followed = refresher.join();
            (shared.log)(&Event::Stopped);
            followed.map_err(|_| io::Error::other("the store was not followed any more"))?;
            served
        })
    }
}

/// The thread that follows the store, until the other end of the channel goes.
fn refresh(shared: &Shared, ended: &mpsc::Receiver<()>) {
    let mut refresher = Refresher::new(shared.options.hot);
    let mut signed = 0;
    let mut last = None;
    loop {
        let warm = refresher.is_warm();
        let mut pause = shared.options.refresh;
        match refresher.step(&shared.responder, &shared.log) {
            Ok(done) => {
                signed += done.signed;
                shared.metrics.signed.fetch_add(done.signed as u64, Relaxed);
                shared.refreshed(Instant::now(), refresher.is_warm());
                last = None;
                if done.more {
                    pause = Duration::ZERO;
                } else if signed > 0 {
                    (shared.log)(&Event::Signed { responses: signed });
                    signed = 0;
                }
            }
            Err(error) => {
                shared.metrics.failed_refreshes.fetch_add(1, Relaxed);
                let error = error.to_string();
                // The same failure is told once.
                if last.as_ref() != Some(&error) {
                    (shared.log)(&Event::Failed {
                        error: error.clone(),
                    });
                }
                last = Some(error);
            }
        }
        if !warm && refresher.is_warm() {
            let responses = shared.responder.hot().len();
            (shared.log)(&Event::Warm { responses });
        }
        match ended.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => return,
        }
    }
}
