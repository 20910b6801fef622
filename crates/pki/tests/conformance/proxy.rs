//! A network between a store and its server that can be cut at a COMMIT.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::spawn;

/// Where the network is cut; but for [`Cut::Gone`] once, and it is whole again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Nowhere,
    /// The server does not get the COMMIT.
    BeforeCommit,
    /// The client does not get the answer.
    AfterCommit,
    /// As before a COMMIT, and there is no network from then on.
    BeforeCommitForGood,
    /// As after a COMMIT, and there is no network from then on.
    AfterCommitForGood,
    /// There is no network.
    Gone,
}

/// A port of its own in front of a server's.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    cut: Arc<Mutex<Cut>>,
}

impl Proxy {
    pub(crate) fn start(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let cut = Arc::new(Mutex::new(Cut::Nowhere));
        let shared = Arc::clone(&cut);
        spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if *shared.lock().unwrap() != Cut::Gone {
                    let server = TcpStream::connect(("127.0.0.1", server)).unwrap();
                    join(client, server, &shared);
                }
            }
        });
        Self { port, cut }
    }

    pub(crate) fn cut(&self, at: Cut) {
        *self.cut.lock().unwrap() = at;
    }

    pub(crate) fn is_whole(&self) -> bool {
        *self.cut.lock().unwrap() == Cut::Nowhere
    }
}

/// Passes on what comes from both sides, until one side ends or the network is cut.
fn join(client: TcpStream, server: TcpStream, cut: &Arc<Mutex<Cut>>) {
    let swallow = Arc::new(Mutex::new(false));
    let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let (state, answers) = (Arc::clone(cut), Arc::clone(&swallow));
    spawn(move || {
        pass(&mut from, &mut to, |octets| {
            // Not that of READ COMMITTED.
            if !octets.windows(7).any(|w| w == b"COMMIT\0") {
                return true;
            }
            let mut cut = state.lock().unwrap();
            let now = *cut;
            *cut = match now {
                Cut::BeforeCommitForGood | Cut::AfterCommitForGood | Cut::Gone => Cut::Gone,
                _ => Cut::Nowhere,
            };
            *answers.lock().unwrap() = matches!(now, Cut::AfterCommit | Cut::AfterCommitForGood);
            !matches!(
                now,
                Cut::BeforeCommit | Cut::BeforeCommitForGood | Cut::Gone
            )
        });
    });
    let (mut from, mut to) = (server, client);
    spawn(move || pass(&mut from, &mut to, |_| !*swallow.lock().unwrap()));
}

fn pass(from: &mut TcpStream, to: &mut TcpStream, mut passes: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        if !passes(&buffer[..n]) || to.write_all(&buffer[..n]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
