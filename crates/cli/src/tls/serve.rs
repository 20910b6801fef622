//! `adamant tls serve`: a server for trying clients.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use adamant::SystemRng;
use adamant::x509::{KeyAlgorithm, PrivateKey};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{ServerConfig, ServerConnection};
use rustls_adamant::Ticketer;
use rustls_adamant::trial::Authority;

use super::choice::Choice;
use super::failed;
use super::files::{Identity, roots};
use super::session::open;
use crate::Failure;
use crate::failure::{safe, sentence};
use crate::keys;
use crate::output::Target;
use crate::text::Json;

/// Serve TLS, and answer every request with what was agreed on.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant tls serve --cert chain.pem --key key.pem
  adamant tls serve --trial ml-dsa-65 --trust root.pem --groups x25519mlkem768
  adamant tls serve --trial sm2 --trust root.pem --force --suites sm4-gcm

Then: adamant tls connect localhost:4433 --ca root.pem")]
pub(super) struct Args {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:4433")]
    listen: String,

    /// The certificate, and those between it and the root after it (PEM)
    #[arg(
        long,
        value_name = "FILE",
        requires = "key",
        required_unless_present = "trial"
    )]
    cert: Option<PathBuf>,

    /// Its key (PEM)
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,

    /// Make a key of this kind and a certificate for localhost, for trying out
    #[arg(long, value_name = "ALG", conflicts_with = "cert", value_parser = algorithm)]
    trial: Option<KeyAlgorithm>,

    /// Where to write the root of the trial (PEM)
    #[arg(long, value_name = "FILE", requires = "trial")]
    trust: Option<PathBuf>,

    /// Replace that file if it exists
    #[arg(short, long, requires = "trust")]
    force: bool,

    #[command(flatten)]
    choice: Choice,

    /// Application protocols, best first
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    alpn: Vec<String>,

    /// Ask clients for certificates under these roots (PEM), and refuse those without
    #[arg(long, value_name = "FILE")]
    client_ca: Option<PathBuf>,

    /// Echo what is received instead
    #[arg(long)]
    echo: bool,

    /// Exit after this many connections
    #[arg(long, value_name = "N")]
    count: Option<usize>,

    /// Print one JSON object for each connection
    #[arg(long)]
    json: bool,
}

/// The kind of keys of that name.
pub(crate) fn algorithm(name: &str) -> Result<KeyAlgorithm, String> {
    keys::find_kind(name).map_err(|failure| failure.sentence())
}

fn refused(error: adamant::x509::Error) -> Failure {
    Failure::Run(error.to_string())
}

impl Args {
    fn identity(&self) -> Result<Identity, Failure> {
        if let (Some(chain), Some(key)) = (&self.cert, &self.key) {
            return Identity::read(chain, key);
        }
        let trust = self.trust.as_deref();
        let trust = trust.map(|path| Target::file(path, self.force));
        let trust = trust.transpose()?;
        let kind = self.trial.unwrap_or(KeyAlgorithm::P256);
        let generate = || PrivateKey::generate(kind, &mut SystemRng).map_err(refused);
        let authority = Authority::new(generate()?).map_err(refused)?;
        let key = generate()?;
        let certificate = authority
            .issue(&key.public_key(), "localhost")
            .map_err(refused)?;
        if let Some(target) = trust {
            let root = authority.certificate();
            target.write(adamant::der::pem::encode("CERTIFICATE", &root).as_bytes())?;
        }
        Ok(Identity {
            chain: vec![certificate],
            key: PrivatePkcs8KeyDer::from(key.to_der().to_vec()).into(),
        })
    }

    fn config(&self) -> Result<ServerConfig, Failure> {
        let provider = self.choice.provider()?;
        let versions = self.choice.versions(&provider);
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&versions)
            .map_err(failed)?;
        let builder = match &self.client_ca {
            None => builder.with_no_client_auth(),
            Some(path) => {
                let roots = Arc::new(roots(path)?);
                let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider);
                let verifier = verifier.build().map_err(|e| Failure::Run(e.to_string()))?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let identity = self.identity()?;
        let mut config = builder
            .with_single_cert(identity.chain, identity.key)
            .map_err(failed)?;
        config.ticketer = Ticketer::new().map_err(failed)?;
        config.alpn_protocols = self
            .alpn
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect();
        Ok(config)
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let config = Arc::new(args.config()?);
    let listener = TcpListener::bind(&args.listen)
        .map_err(|e| Failure::Run(format!("{}: {}", args.listen, sentence(&e))))?;
    eprintln!("listening on {}", listener.local_addr()?);
    let (echo, json) = (args.echo, args.json);
    let mut threads = Vec::new();
    for (number, stream) in listener.incoming().enumerate() {
        let stream = stream?;
        let config = Arc::clone(&config);
        let thread = thread::spawn(move || {
            let from = stream
                .peer_addr()
                .map_or_else(|_| "?".into(), |from| from.to_string());
            if let Err(error) = talk(config, stream, echo, json) {
                eprintln!("{from}: {}", safe(&sentence(&error)));
            }
        });
        if let Some(count) = args.count {
            threads.push(thread);
            if number + 1 == count {
                break;
            }
        }
    }
    for thread in threads {
        let _ = thread.join();
    }
    Ok(())
}

/// One connection, until the client ends it.
fn talk(config: Arc<ServerConfig>, tcp: TcpStream, echo: bool, json: bool) -> io::Result<()> {
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let (mut stream, session) = open(connection, tcp)?;
    let mut line = match json {
        true => Json(&session.json()).to_string(),
        false => session.text(),
    };
    line.push('\n');
    io::stdout().write_all(line.as_bytes())?;
    let mut room = vec![0; 1 << 16];
    loop {
        let read = match stream.read(&mut room) {
            Ok(0) => break,
            Ok(read) => &room[..read],
            // Gone without a farewell.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        };
        if echo {
            stream.write_all(read)?;
            stream.flush()?;
            continue;
        }
        let body = session.text();
        write!(
            stream,
            "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        stream.conn.send_close_notify();
        stream.flush()?;
        break;
    }
    stream.conn.send_close_notify();
    let _ = stream.conn.complete_io(&mut stream.sock);
    Ok(())
}
