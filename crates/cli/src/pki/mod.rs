//! `adamant pki`: the work of a certification authority.
//!
//! | file | holds |
//! |---|---|
//! | `place` | the database and the CA's key: every command's options |
//! | `init` | `init`, `install`, `configure` |
//! | `issue`, `bulk` | `issue` and `sign-csr`; thousands at once |
//! | `revocation` | `revoke`, `crl`, `ocsp` |
//! | `serve` | `serve` |
//! | `export` | `export` |
//! | `show` | `list`, `show`, `audit` |
//! | `which` | the entries that `list` and `export` take |
//! | `inspect` | `show` of files, `lint` |
//! | `verify` | `verify` |

mod bulk;
mod export;
mod init;
mod inspect;
mod issue;
mod place;
mod revocation;
mod serve;
mod show;
mod verify;
mod which;

pub(crate) use verify::beyond_ascii;

use adamant::x509::DistinguishedName;
use adamant_pki::ca::SubjectName;

use crate::Failure;
#[cfg(feature = "bench")]
use crate::bench::pki as bench;

/// Run a certification authority: make one, issue, revoke, verify.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki init --name 'CN=Example Root,O=Example'
  adamant pki issue --san www.example.org --key-out www.key -o www.pem
  adamant pki sign-csr request.pem --profile client -o client.pem
  adamant pki revoke 4c0ffee… --reason keyCompromise
  adamant pki crl -o ca.crl
  adamant pki export --valid -o valid.pem
  adamant pki serve --listen 127.0.0.1:8080
  adamant pki verify --host www.example.org www.pem
  adamant pki show www.pem
  adamant pki lint www.pem ca.crl

The CA lives in one file, ca.db here unless --store names another, or in a
PostgreSQL database (--store postgres://USER@HOST/DATABASE). Its key is
encrypted in it; the passphrase is asked for, or read from --passphrase-file or
--passphrase-fd.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,

    /// The CA's database: a file, or the URL of one in PostgreSQL
    #[arg(long, global = true, value_name = "FILE|URL", default_value = "ca.db")]
    store: String,
}

#[derive(clap::Subcommand)]
enum Command {
    Init(init::InitArgs),
    Install(init::InstallArgs),
    Configure(init::ConfigureArgs),
    Issue(issue::IssueArgs),
    SignCsr(issue::SignCsrArgs),
    Revoke(revocation::RevokeArgs),
    Crl(revocation::CrlArgs),
    Ocsp(revocation::OcspArgs),
    Serve(serve::Args),
    List(show::ListArgs),
    Export(export::Args),
    Show(show::ShowArgs),
    Lint(inspect::LintArgs),
    Verify(verify::Args),
    Audit(show::AuditArgs),
    #[cfg(feature = "bench")]
    Bench(bench::Args),
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let store = &args.store;
    match &args.command {
        Command::Init(args) => init::init(store, args),
        Command::Install(args) => init::install(store, args),
        Command::Configure(args) => init::configure(store, args),
        Command::Issue(args) => issue::issue(store, args),
        Command::SignCsr(args) => issue::sign_csr(store, args),
        Command::Revoke(args) => revocation::revoke(store, args),
        Command::Crl(args) => revocation::crl(store, args),
        Command::Ocsp(args) => revocation::ocsp(store, args),
        Command::Serve(args) => serve::run(store, args),
        Command::List(args) => show::list(store, args),
        Command::Export(args) => export::run(store, args),
        Command::Show(args) => show::show(store, args),
        Command::Lint(args) => inspect::lint(args),
        Command::Verify(args) => verify::run(store, args),
        Command::Audit(args) => show::audit(store, args),
        #[cfg(feature = "bench")]
        Command::Bench(args) => bench::run(args),
    }
}

/// The first domain, address or mail address as a common name, if it fits in one.
fn common_name(names: &[SubjectName]) -> DistinguishedName {
    let text = names.first().map(|name| match name {
        SubjectName::Dns(name) | SubjectName::Email(name) => name.clone(),
        other => other.to_string().trim_start_matches("IP:").to_owned(),
    });
    let text = text.filter(|text| text.len() <= 64);
    text.map_or_else(DistinguishedName::new, |text| {
        DistinguishedName::new().common_name(&text)
    })
}
