//! The build that is checked, under Valgrind and by following secrets, made once for both.
//!
//! It is of the release profile, so that what is checked is what is shipped, with line tables. Other
//! people's crates are not optimised, as they are not checked, but for the one that moves machine
//! code. It has a target directory of its own: the lock on the usual
//! one may be held.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A program of a crate, built with the crate's feature `taint` when it is first asked for.
#[derive(Debug)]
pub struct Build {
    manifest_dir: &'static str,
    target: [&'static str; 2],
    /// What cargo says of what it made, a line each.
    made: OnceLock<String>,
}

impl Build {
    /// The target (`["--bin", "name"]`) of the crate in `manifest_dir`
    /// (`env!("CARGO_MANIFEST_DIR")`).
    #[must_use]
    pub const fn new(manifest_dir: &'static str, target: [&'static str; 2]) -> Self {
        let made = OnceLock::new();
        Build {
            manifest_dir,
            target,
            made,
        }
    }

    /// The program.
    ///
    /// # Panics
    /// When it does not compile.
    #[must_use]
    pub fn program(&self) -> PathBuf {
        let path = quoted(self.made(), "\"executable\":\"");
        path.expect("the program's path").into()
    }

    fn made(&self) -> &str {
        self.made.get_or_init(|| {
            let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
            cargo
                .args(["build", "--quiet", "--release", "--features", "taint"])
                .args(self.target)
                .arg("--manifest-path")
                .arg(Path::new(self.manifest_dir).join("Cargo.toml"))
                .arg("--target-dir")
                .arg(target_dir())
                .args(["--config", "profile.release.debug=\"line-tables-only\""])
                .args(["--config", "profile.release.package.\"*\".opt-level=0"])
                .args(["--config", "profile.release.package.iced-x86.opt-level=2"])
                .args(["--message-format", "json-render-diagnostics"])
                .env("RUSTFLAGS", "-C symbol-mangling-version=v0");
            let output = cargo.output().expect("cargo starts");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{cargo:?} failed:\n{errors}");
            String::from_utf8(output.stdout).expect("JSON")
        })
    }
}

/// What is between `before` and the next quotation mark.
fn quoted<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split('"').next()
}

/// Beside the profile that the running test was built in.
fn target_dir() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this program");
    let profile_dir = test
        .ancestors()
        .find(|dir| dir.ends_with("deps") || dir.ends_with("examples"))
        .and_then(Path::parent)
        .expect("a test that cargo built");
    profile_dir.with_file_name("checks")
}
