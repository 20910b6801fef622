//! `adamant pki serve`: OCSP and lists over HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use adamant_pki::ca::system_clock;
use adamant_pki::serve::{Event, Options, Responder, Server};
use serde_json::json;

use super::place::{self, Delegated, say};
use crate::Failure;
use crate::failure::{safe, sentence};
use crate::keys::Passphrase;

/// Serve OCSP, CRLs and the CA's certificate over HTTP.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki serve
  adamant pki serve --listen 0.0.0.0:8080 --passphrase-file pass --json
  adamant pki serve --responder ocsp.pem --responder-key ocsp.key
  adamant pki serve --no-key     # what `adamant pki ocsp --presign` and `crl` made

Then: curl -O http://127.0.0.1:8080/crl
      curl http://127.0.0.1:8080/metrics     # and /healthz

SIGTERM and SIGINT end it when the requests under way are answered; a second one
ends it at once.")]
pub(super) struct Args {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// Sign nothing: serve what is in the store
    #[arg(long, conflicts_with_all = ["passphrase_file", "passphrase_fd", "responder"])]
    no_key: bool,

    #[command(flatten)]
    delegated: Delegated,

    /// Requests per second from one address; 0 for no limit (behind a proxy)
    #[arg(long, value_name = "N", default_value_t = Options::default().rate)]
    rate: u32,

    /// Seconds until a revocation takes effect
    #[arg(long, value_name = "SECONDS", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    refresh: u64,

    /// Open connections; further ones wait
    #[arg(long, value_name = "N", default_value_t = Options::default().connections,
          value_parser = clap::value_parser!(u32).range(1..))]
    connections: u32,

    /// Open connections from one address, 0 for no limit (behind a proxy); further ones are closed
    #[arg(long, value_name = "N", default_value_t = Options::default().peer_connections)]
    peer_connections: u32,

    #[command(flatten)]
    passphrase: Passphrase,

    /// Print each event as a line of JSON on standard output
    #[arg(long)]
    json: bool,
}

pub(super) fn run(store: &str, args: &Args) -> Result<(), Failure> {
    let responder = if args.no_key {
        Responder::without_key(place::open(store)?, system_clock)?
    } else {
        Responder::with_key(args.delegated.unlock(store, &args.passphrase)?)?
    };
    let options = Options {
        listen: args.listen,
        rate: args.rate,
        refresh: Duration::from_secs(args.refresh),
        connections: args.connections,
        peer_connections: args.peer_connections,
        ..Options::default()
    };
    let json = args.json;
    let server = Server::bind(responder, options, move |event| tell(event, json));
    let failed = |e| Failure::Run(format!("{}: {}", args.listen, sentence(&e)));
    let server = server.map_err(failed)?;
    let stopper = server.stopper();
    crate::signal::on_request(move || stopper.stop());
    Ok(server.run()?)
}

fn tell(event: &Event, as_json: bool) {
    let now = system_clock().to_string();
    if !as_json {
        eprintln!("{now} {}", safe(&event.to_string()));
        return;
    }
    let mut line = json!(event);
    line["time"] = now.into();
    // A closed standard output is no reason to stop answering.
    let _ = say(&line);
}
