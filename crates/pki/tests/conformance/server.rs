//! A PostgreSQL server that ends with the tests: Debian's package, on a temporary folder.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

const SCRIPT: &str = include_str!("postgres.sh");

/// A running server.
pub(crate) struct Server {
    script: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    port: u16,
    schemas: AtomicUsize,
    _folder: TempDir,
}

/// The server of all tests, or none where the package is not installed. It ends with this process,
/// whose end is that of the script's input.
pub(crate) fn shared() -> Option<&'static Server> {
    static SHARED: LazyLock<Option<Server>> = LazyLock::new(Server::start);
    SHARED.as_ref()
}

impl Server {
    /// A server of its own.
    pub(crate) fn start() -> Option<Server> {
        let folder = tempfile::tempdir().unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        // Processes end here, not machines.
        let mut script = Command::new("sh")
            .args(["-c", SCRIPT, "postgres.sh"])
            .arg(folder.path())
            .args([port.to_string().as_str(), "fsync=off", "max_connections=40"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut server = Server {
            commands: script.stdin.take(),
            answers: BufReader::new(script.stdout.take().unwrap()),
            script,
            port,
            schemas: AtomicUsize::new(0),
            _folder: folder,
        };
        if server.answer() == "ready" {
            return Some(server);
        }
        let required = std::env::var_os("ADAMANT_REQUIRE_POSTGRES").is_some_and(|v| v == "1");
        assert!(!required, "ADAMANT_REQUIRE_POSTGRES: no PostgreSQL here");
        // Past the test harness, which keeps the output of tests that pass.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: no PostgreSQL in /usr/lib/postgresql (Debian's package postgresql)"
        );
        None
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    /// Ends the server as the end of its machine would, and starts it again.
    pub(crate) fn restart(&mut self) {
        let commands = self.commands.as_mut().unwrap();
        commands.write_all(b"restart\n").unwrap();
        assert_eq!(self.answer(), "ready");
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The URL of an empty schema.
    pub(crate) fn place(&self) -> String {
        let schema = format!("s{}", self.schemas.fetch_add(1, Ordering::Relaxed));
        let mut client = self.client("");
        client
            .batch_execute(&format!("CREATE SCHEMA {schema}"))
            .unwrap();
        format!("{}?options=-csearch_path%3D{schema}", self.url())
    }

    fn url(&self) -> String {
        format!("postgres://ca@127.0.0.1:{}/postgres", self.port)
    }

    /// A connection of a test's own, to a place or to the whole.
    pub(crate) fn client(&self, place: &str) -> postgres::Client {
        let whole = self.url();
        let url = if place.is_empty() { &whole } else { place };
        postgres::Client::connect(url, postgres::NoTls).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The end of its input ends the script, and the script the server; so does a test
        // process that is killed.
        drop(self.commands.take());
        let _ = self.script.wait();
    }
}
