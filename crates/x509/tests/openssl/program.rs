//! The program.

use std::fs;
use std::path::Path;
use std::process::Command;

use adamant_der::pem;
use adamant_x509::KeyAlgorithm;
use tempfile::TempDir;

/// A folder, and the program that works in it.
pub(crate) struct OpenSsl(TempDir);

impl OpenSsl {
    /// Nothing where there is no such program.
    pub(crate) fn new() -> Option<Self> {
        let version = Command::new("openssl").arg("version").output().ok();
        let version = version.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
        let major = version
            .as_deref()
            .and_then(|text| text.strip_prefix("OpenSSL "))
            .and_then(|text| text.split('.').next()?.parse::<u32>().ok());
        if major.is_some_and(|major| major >= 3) {
            return Some(Self(tempfile::tempdir().unwrap()));
        }
        println!("no openssl program of version 3 or later: nothing tested");
        None
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), contents).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }

    pub(crate) fn read_text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The contents of the first PEM block of a file.
    pub(crate) fn read_pem(&self, name: &str) -> Vec<u8> {
        let text = self.read_text(name);
        pem::decode(&text).next().unwrap().unwrap().into_der()
    }

    /// Runs the program; its success and all it says.
    pub(crate) fn try_run(&self, arguments: &str) -> (bool, String) {
        let output = Command::new("openssl")
            .args(arguments.split_whitespace())
            .current_dir(self.path())
            .env("OPENSSL_CONF", self.path().join("empty.cnf"))
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8_lossy(&said).into_owned(),
        )
    }

    pub(crate) fn run(&self, arguments: &str) -> String {
        self.write("empty.cnf", "");
        let (success, said) = self.try_run(arguments);
        assert!(success, "openssl {arguments}\n{said}");
        said
    }
}

/// All that sign and that version 3.0 has, but SM2, whose certificates it verifies with an option.
macro_rules! algorithms {
    (curves { $({ $feature:tt $curve:ident $($_c:tt)* })* } $($_groups:tt)*) => {
        pub(crate) const ALGORITHMS: &[KeyAlgorithm] = &[
            KeyAlgorithm::Ed25519,
            KeyAlgorithm::Rsa,
            KeyAlgorithm::Ed448,
            $(KeyAlgorithm::$curve,)*
        ];
    };
}
adamant_base::schemes!(algorithms);

/// The arguments that make a key.
pub(crate) fn genpkey(algorithm: KeyAlgorithm) -> String {
    let curve = |name| format!("EC -pkeyopt ec_paramgen_curve:{name}");
    let algorithm = match algorithm {
        KeyAlgorithm::Rsa => "RSA -pkeyopt rsa_keygen_bits:2048".to_owned(),
        KeyAlgorithm::Ed25519
        | KeyAlgorithm::X25519
        | KeyAlgorithm::Ed448
        | KeyAlgorithm::X448
        | KeyAlgorithm::Sm2 => algorithm.name().to_owned(),
        curve_of => curve(curve_of.name()),
    };
    format!("genpkey -algorithm {algorithm}")
}
