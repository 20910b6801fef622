//! The program's commands on keys: `genkey`, `pkey`, `sign`, `verify`, `encrypt`, `decrypt`,
//! `derive`, `encapsulate`, `decapsulate`, `hpke`.

mod forms;
mod hpke;
mod kinds;
mod openssl;
mod readme;
mod refused;
mod schemes;

use std::fs;
use std::process::Output;

use tempfile::TempDir;

use crate::common::{self, adamant, adamant_with, failure, stdout};

/// A folder with keys in it.
struct Folder(TempDir);

impl Folder {
    /// With a message and a password.
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("message", b"attack at dawn");
        folder.write("password", b"correct horse\nsecond line");
        folder
    }

    fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap()
    }

    /// A run of `adamant` with these words for arguments.
    fn output(&self, line: &str) -> Output {
        adamant(&self.0, &words(line))
    }

    /// A run that must succeed: standard output.
    fn run(&self, line: &str) -> Vec<u8> {
        let output = self.output(line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        stdout(output)
    }

    /// The same with this on standard input.
    fn pipe(&self, line: &str, input: &[u8]) -> Vec<u8> {
        stdout(adamant_with(&self.0, None, input, &words(line)))
    }

    /// A run that must fail with this exit code and leave no file: the complaint.
    fn fail(&self, line: &str, code: i32) -> String {
        let before = common::names(&self.0, &[]);
        let output = self.output(line);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{line}: {}",
            text(&output.stderr)
        );
        let (out, errors) = failure(output, code);
        assert_eq!(text(&out), "", "{line}");
        assert_eq!(common::names(&self.0, &[]), before, "{line}");
        errors
    }

    /// Makes `NAME.pem` and `NAME.pub`.
    fn pair(&self, name: &str, algorithm: &str) {
        self.run(&format!("genkey {algorithm} -o {name}.pem"));
        self.run(&format!("pkey {name}.pem --public -o {name}.pub"));
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
