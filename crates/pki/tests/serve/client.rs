//! A client of HTTP that knows no more than it needs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

pub(crate) struct Client(BufReader<TcpStream>);

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| &**value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream))
    }

    pub(crate) fn send(&mut self, octets: &[u8]) {
        self.0.get_mut().write_all(octets).unwrap();
    }

    /// Whether the server has ended the connection.
    pub(crate) fn is_over(&mut self) -> bool {
        let mut rest = Vec::new();
        let read = self.0.read_to_end(&mut rest);
        assert!(rest.is_empty(), "{rest:?}");
        read.is_ok() || read.is_err_and(|e| e.kind() == std::io::ErrorKind::ConnectionReset)
    }

    /// All that still comes.
    pub(crate) fn rest(&mut self, rest: &mut Vec<u8>) {
        // A connection that was cut has said what it said.
        let _ = self.0.read_to_end(rest);
    }

    pub(crate) fn receive(&mut self) -> Reply {
        let mut line = || {
            let mut line = String::new();
            self.0.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        let status = line();
        let status = status.split(' ').nth(1).expect("a status").parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = line();
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        let mut reply = Reply {
            status,
            headers,
            body: Vec::new(),
        };
        let length = reply
            .header("content-length")
            .map_or(0, |n| n.parse().unwrap());
        reply.body.resize(length, 0);
        self.0.read_exact(&mut reply.body).unwrap();
        reply
    }

    pub(crate) fn get(&mut self, path: &str, header: &str) -> Reply {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: test\r\n{header}\r\n").as_bytes());
        self.receive()
    }

    pub(crate) fn post(&mut self, path: &str, body: &[u8]) -> Reply {
        let mut request = format!(
            "POST {path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/ocsp-request\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.send(&request);
        self.receive()
    }
}
