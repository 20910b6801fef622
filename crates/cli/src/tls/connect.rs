//! `adamant tls connect`: a client for trying servers.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use adamant::x509::Untrusted;
use rustls::client::Tls12Resumption;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, ProtocolVersion, StreamOwned};

use super::choice::Choice;
use super::failed;
use super::files::{Identity, roots};
use super::session::open;
use crate::Failure;
use crate::failure::sentence;
use crate::text::Json;

type Connection = StreamOwned<ClientConnection, TcpStream>;

/// Where most systems keep the roots that they trust.
const SYSTEM_ROOTS: &str = "/etc/ssl/certs/ca-certificates.crt";

/// Connect to a TLS server and say what was agreed on.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant tls connect example.com:443 --alpn http/1.1
  adamant tls connect localhost:4433 --ca root.pem --send 'hello' --json
  adamant tls connect localhost:4433 --ca root.pem --times 2

The second of two connections resumes the session, where the server gives tickets.")]
pub(super) struct Args {
    /// The server
    #[arg(value_name = "HOST:PORT")]
    server: String,

    /// The name that its certificate has to have; without it, the host
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// The roots to trust (PEM); without it, those of the system
    #[arg(long, value_name = "FILE", default_value = SYSTEM_ROOTS)]
    ca: PathBuf,

    #[command(flatten)]
    choice: Choice,

    /// Application protocols, best first
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    alpn: Vec<String>,

    /// The client's certificate, and those between it and the root after it (PEM)
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,

    /// Its key (PEM)
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,

    /// Send this and a line end, and print the answer
    #[arg(long, value_name = "TEXT")]
    send: Option<String>,

    /// Connect this many times, one connection after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    times: u32,

    /// Print one JSON object for each connection
    #[arg(long)]
    json: bool,
}

impl Args {
    fn config(&self) -> Result<ClientConfig, Failure> {
        let provider = self.choice.provider()?;
        let versions = self.choice.versions(&provider);
        let builder = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&versions)
            .map_err(failed)?
            .with_root_certificates(roots(&self.ca)?);
        let mut config = match (&self.cert, &self.key) {
            (Some(chain), Some(key)) => {
                let own = Identity::read(chain, key)?;
                builder
                    .with_client_auth_cert(own.chain, own.key)
                    .map_err(failed)?
            }
            _ => builder.with_no_client_auth(),
        };
        config.resumption = config
            .resumption
            .tls12_resumption(Tls12Resumption::SessionIdOrTickets);
        config.alpn_protocols = self
            .alpn
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect();
        Ok(config)
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let host = args.server.rsplit_once(':').map(|(host, _)| host);
    let host = host.ok_or_else(|| Failure::Usage("the server must be HOST:PORT".into()))?;
    let name = args
        .name
        .as_deref()
        .unwrap_or(host)
        .trim_matches(['[', ']']);
    if !name.is_ascii() {
        return Err(crate::pki::beyond_ascii(name));
    }
    let name = ServerName::try_from(name.to_owned());
    let name = name.map_err(|_| Failure::Usage("not the name of a server".into()))?;
    let config = Arc::new(args.config()?);
    for _ in 0..args.times {
        let told = once(args, &config, name.clone());
        told.map_err(|error| Failure::Run(format!("{}: {}", args.server, sentence(&error))))?;
    }
    Ok(())
}

fn once(args: &Args, config: &Arc<ClientConfig>, name: ServerName<'static>) -> io::Result<()> {
    let tcp = TcpStream::connect(&args.server)?;
    let connection = ClientConnection::new(Arc::clone(config), name).map_err(io::Error::other)?;
    let (mut stream, session) = open(connection, tcp)?;
    let mut answer = Vec::new();
    if let Some(text) = &args.send {
        // A server that has refused may have closed by now: why is in what can still be read.
        exchange(&mut stream, text, &mut answer).map_err(|error| match is_tls(&error) {
            true => error,
            false => hear(&mut stream).err().filter(is_tls).unwrap_or(error),
        })?;
    }
    farewell(&mut stream, !answer.is_empty())?;
    let tickets = stream.conn.tls13_tickets_received();
    let mut out = io::stdout().lock();
    if args.json {
        let mut json = session.json();
        json["tickets"] = tickets.into();
        if args.send.is_some() {
            json["answer"] = String::from_utf8_lossy(&answer).into();
        }
        return writeln!(out, "{}", Json(&json));
    }
    writeln!(out, "{}tickets    {tickets}", session.text())?;
    if !answer.is_empty() {
        writeln!(out)?;
        // The server's text; `--json` has it as it is.
        for line in answer.split_inclusive(|b| *b == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            writeln!(out, "{}", Untrusted::new(line).escaped_but("\t\\"))?;
        }
    }
    out.flush()
}

/// Sends a line and reads what comes back.
fn exchange(stream: &mut Connection, text: &str, answer: &mut Vec<u8>) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.write_all(b"\n")?;
    stream.flush()?;
    let mut room = vec![0; 1 << 16];
    // An echo has no end: it has come when it is as long as what was sent.
    while answer.len() <= text.len() {
        match stream.read(&mut room) {
            Ok(0) => break,
            Ok(read) => answer.extend_from_slice(&room[..read]),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// How long a server may take to close what the client has closed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Ends the connection, and hears what the server has still to say: in TLS 1.3 the handshake is
/// over for the client before the server has looked at the client's certificate, so that tickets
/// come after it, and a refusal too.
fn farewell(stream: &mut Connection, answered: bool) -> io::Result<()> {
    stream.conn.send_close_notify();
    // Whether it can still be sent shows in what is heard.
    let _ = stream.conn.write_tls(&mut stream.sock);
    let Err(error) = hear(stream) else {
        return Ok(());
    };
    // Before TLS 1.3 the server had the last word of the handshake.
    let accepted = answered
        || stream.conn.tls13_tickets_received() > 0
        || stream.conn.protocol_version() == Some(ProtocolVersion::TLSv1_2);
    match error.kind() {
        // It keeps the connection: it has not refused it.
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Ok(()),
        io::ErrorKind::ConnectionReset if accepted => Ok(()),
        _ => Err(error),
    }
}

/// Reads to the end, whether there is a farewell or not, and writes nothing. A server that goes on
/// and on is heard no longer than one that is silent.
fn hear(stream: &mut Connection) -> io::Result<()> {
    let end = Instant::now() + PATIENCE;
    let mut room = [0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.sock.set_read_timeout(Some(left))?;
        if stream.conn.read_tls(&mut stream.sock)? == 0 {
            return Ok(());
        }
        let state = stream.conn.process_new_packets();
        let state = state.map_err(io::Error::other)?;
        // Anything else it says is not wanted, and must not fill the buffer for it.
        while matches!(stream.conn.reader().read(&mut room), Ok(1..)) {}
        if state.peer_has_closed() {
            return Ok(());
        }
    }
}

/// Whether an error is one of TLS, and not of the connection below.
fn is_tls(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner.is_some_and(|inner| inner.is::<rustls::Error>())
}
