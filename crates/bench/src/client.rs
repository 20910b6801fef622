//! The driver's end of the protocol: an engine that may be wrong, slow, silent,
//! talkative or dead, and must not take the driver along.
//!
//! Two threads are in between: one writes requests, so that an engine which does not read cannot
//! block us; one reads replies, so that waiting can end. The lines in flight are bounded, and so
//! is the length of a line.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use adamant_engine::protocol::{self, Hello, Job, LINE_LIMIT, Reply, Request};
use adamant_engine::{Item, Size};

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It said why not, and goes on.
    Refused(String),
    /// It gave something else than what is right.
    Wrong(String),
    /// It is of no more use.
    Broken(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused(sentence) | Failure::Broken(sentence) => f.write_str(sentence),
            Failure::Wrong(why) => write!(f, "its output is wrong and it is not timed: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

/// A running engine that has said hello.
pub struct Client {
    requests: Sender<Vec<u8>>,
    replies: Receiver<Line>,
    child: Option<Child>,
    patience: Duration,
    hello: Hello,
    operations: Vec<String>,
    /// Lines that it sent.
    lines: usize,
}

/// Why there is no line where there is no more.
const ENDED: &str = "it ended";

/// A line of an engine, or why there is none.
type Line = Result<Vec<u8>, String>;

impl Client {
    /// Starts the program and waits at most `patience` for each reply; for a run, that much
    /// beyond what it should take.
    ///
    /// # Errors
    /// [`Failure::Broken`]: it does not start, does not answer, or speaks another version.
    pub fn spawn(mut command: Command, patience: Duration) -> Result<Self, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| {
            let program = command.get_program().to_string_lossy();
            Failure::Broken(format!("{program} does not start: {e}"))
        })?;
        let ends = child.stdout.take().zip(child.stdin.take());
        let (output, input) =
            ends.ok_or_else(|| Failure::Broken("it has no standard input and output".into()))?;
        Self::start(output, input, Some(child), patience)
    }

    /// Talks to an engine at the other end of two streams.
    ///
    /// # Errors
    /// As [`Self::spawn`].
    pub fn connect(
        replies: impl Read + Send + 'static,
        requests: impl Write + Send + 'static,
        patience: Duration,
    ) -> Result<Self, Failure> {
        Self::start(replies, requests, None, patience)
    }

    fn start(
        output: impl Read + Send + 'static,
        mut input: impl Write + Send + 'static,
        child: Option<Child>,
        patience: Duration,
    ) -> Result<Self, Failure> {
        let (requests, lines) = channel::<Vec<u8>>();
        thread::spawn(move || {
            for line in lines {
                // An engine that does not listen shows in the replies that do not come.
                if input.write_all(&line).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        let (sender, replies) = sync_channel(2);
        thread::spawn(move || read_lines(output, LINE_LIMIT, &sender));
        let hello = Hello {
            protocol: protocol::VERSION,
            name: String::new(),
            version: String::new(),
            build: String::new(),
        };
        let mut client = Client {
            requests,
            replies,
            child,
            patience,
            hello,
            operations: Vec::new(),
            lines: 0,
        };
        client.greet()?;
        Ok(client)
    }

    fn greet(&mut self) -> Result<(), Failure> {
        let protocol = protocol::VERSION;
        match self.ask(&Request::Hello { protocol }, self.patience)? {
            Reply::Hello(hello) if hello.protocol == protocol => {
                self.hello = Hello {
                    protocol,
                    name: printable(&hello.name),
                    version: printable(&hello.version),
                    build: printable(&hello.build),
                };
                if self.hello.name.is_empty() {
                    return Err(Failure::Broken("it does not tell its name".into()));
                }
            }
            Reply::Hello(other) => {
                return Err(Failure::Broken(format!(
                    "it speaks version {} of the protocol, not {protocol}",
                    other.protocol
                )));
            }
            other => return Err(unasked(&other)),
        }
        match self.ask(&Request::List, self.patience)? {
            Reply::List { operations } => self.operations = operations,
            other => return Err(unasked(&other)),
        }
        Ok(())
    }

    /// Who it is.
    #[must_use]
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// The names of its operations.
    #[must_use]
    pub fn operations(&self) -> &[String] {
        &self.operations
    }

    /// Whether it has the operation.
    #[must_use]
    pub fn offers(&self, op: &str) -> bool {
        self.operations.iter().any(|name| name == op)
    }

    /// What the operation gives.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn check(&mut self, op: &str, size: Size, inputs: &[Item]) -> Result<Vec<Item>, Failure> {
        let request = Request::Check(Job::new(op, size, Some(inputs)));
        match self.ask(&request, self.patience)? {
            Reply::Outputs { outputs } => {
                protocol::decode(&outputs).map_err(|e| Failure::Refused(printable(&e)))
            }
            other => Err(unasked(&other)),
        }
    }

    /// How long `iterations` take of the operation that was checked last; `expected` is about as
    /// long.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn run(
        &mut self,
        op: &str,
        size: Size,
        iterations: u64,
        expected: Duration,
    ) -> Result<Duration, Failure> {
        let job = Job::new(op, size, None);
        let limit = self.patience + 10 * expected;
        let start = Instant::now();
        match self.ask(&Request::Run { job, iterations }, limit)? {
            Reply::Ran { nanoseconds } => {
                let claimed = Duration::from_nanos(nanoseconds);
                let seen = start.elapsed();
                if claimed > seen {
                    return Err(Failure::Refused(format!(
                        "it claims {claimed:?} for a run that took {seen:?} with all around it"
                    )));
                }
                Ok(claimed)
            }
            other => Err(unasked(&other)),
        }
    }

    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Reply, Failure> {
        let mut line = serde_json::to_vec(request).map_err(|e| Failure::Refused(e.to_string()))?;
        line.push(b'\n');
        // Where the writer has ended, the reader will say more.
        let _ = self.requests.send(line);
        let line = match self.replies.recv_timeout(limit) {
            Ok(Ok(line)) => line,
            Ok(Err(why)) => return Err(Failure::Broken(self.epitaph(why))),
            Err(RecvTimeoutError::Timeout) => {
                return Err(Failure::Broken(format!(
                    "it gave no reply in {:.0} s",
                    limit.as_secs_f64().max(1.0)
                )));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Broken(self.epitaph(ENDED.into())));
            }
        };
        self.lines += 1;
        match Reply::read(&line) {
            Ok(Reply::Error { message }) => Err(Failure::Refused(printable(&message))),
            Ok(reply) => Ok(reply),
            Err(why) => {
                let text = printable(&String::from_utf8_lossy(&line[..line.len().min(200)]));
                Err(Failure::Broken(format!(
                    "line {} of its replies: {}: {text:?}",
                    self.lines,
                    printable(&why)
                )))
            }
        }
    }

    /// How it ended, where it did and the system knows.
    fn epitaph(&mut self, why: String) -> String {
        let child = self.child.as_mut().filter(|_| why == ENDED);
        let Some(child) = child else {
            return why;
        };
        match wait(child, Duration::from_millis(500)) {
            Some(status) => format!("it ended ({status})"),
            None => why,
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let Some(child) = &mut self.child else {
            return;
        };
        let quit = serde_json::to_vec(&Request::Quit).map(|mut line| {
            line.push(b'\n');
            self.requests.send(line)
        });
        if quit.is_err() || wait(child, Duration::from_millis(300)).is_none() {
            // It may have ended meanwhile; there is nothing more to do then.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits so long for the end of a process.
fn wait(child: &mut Child, limit: Duration) -> Option<std::process::ExitStatus> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if start.elapsed() < limit => thread::sleep(Duration::from_millis(5)),
            _ => return None,
        }
    }
}

fn read_lines(output: impl Read, limit: usize, to: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = (&mut output)
            .take(limit as u64 + 1)
            .read_until(b'\n', &mut line);
        let message = match read {
            Ok(0) => Err(ENDED.to_owned()),
            Ok(n) if n > limit => Err(format!("it sent a line of over {limit} bytes")),
            Ok(_) => Ok(line),
            Err(e) => Err(format!("its output cannot be read: {e}")),
        };
        let last = message.is_err();
        if to.send(message).is_err() || last {
            break;
        }
    }
}

fn unasked(reply: &Reply) -> Failure {
    let kind = match reply {
        Reply::Hello(_) => "hello",
        Reply::List { .. } => "list",
        Reply::Outputs { .. } => "outputs",
        Reply::Ran { .. } => "ran",
        Reply::Error { .. } => "error",
        Reply::Bye => "bye",
    };
    Failure::Broken(format!("it replied {kind:?} to another question"))
}

/// What is fit for a terminal: no control characters, and not too long.
pub(crate) fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded() {
        let lines = |text: &'static [u8]| {
            let (sender, receiver) = sync_channel(9);
            read_lines(text, 5, &sender);
            receiver.try_iter().collect::<Vec<_>>()
        };
        let ended = Err("it ended".to_owned());
        let line = |text: &str| Ok(text.as_bytes().to_vec());
        assert_eq!(
            lines(b"1234\n12\n"),
            [line("1234\n"), line("12\n"), ended.clone()]
        );
        assert_eq!(lines(b"12"), [line("12"), ended]);
        let long = Err("it sent a line of over 5 bytes".to_owned());
        assert_eq!(lines(b"1\n12345678"), [line("1\n"), long]);
    }

    #[test]
    fn terminals_are_safe() {
        assert_eq!(printable("a\x1b[31mb\n"), "a[31mb");
        assert_eq!(printable(&"x".repeat(1000)).len(), 300);
    }
}
