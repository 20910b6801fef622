//! Engines in a thread behind two pipes.

use std::io::{BufReader, PipeReader, PipeWriter, pipe};
use std::thread;
use std::time::Duration;

use adamant_bench::client::{Client, Failure};

/// How long an engine may think.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1500);

/// An engine that serves its ends of two pipes in a thread.
pub(crate) fn piped(
    serve: impl FnOnce(BufReader<PipeReader>, PipeWriter) + Send + 'static,
) -> Result<Client, Failure> {
    let (request_reader, request_writer) = pipe().unwrap();
    let (reply_reader, reply_writer) = pipe().unwrap();
    thread::spawn(move || serve(BufReader::new(request_reader), reply_writer));
    Client::connect(reply_reader, request_writer, PATIENCE)
}
