//! The builds that the taint check and the following of secrets look at, each made once.
//!
//! It is of the release profile, so that what is checked is what is shipped, with line tables. Other
//! people's crates are not optimised, as they are not checked, but for the one that moves machine
//! code. It has a target directory of its own: the lock on the usual one may be held.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A program of a crate, or a library that another program loads, built when it is first asked for.
#[derive(Debug)]
pub struct Build {
    manifest_dir: &'static str,
    target: [&'static str; 2],
    options: &'static [&'static str],
    program: OnceLock<PathBuf>,
}

impl Build {
    /// The target (`["--bin", "name"]`) of the crate in `manifest_dir`
    /// (`env!("CARGO_MANIFEST_DIR")`), with the crate's feature `taint`.
    #[must_use]
    pub const fn new(manifest_dir: &'static str, target: [&'static str; 2]) -> Self {
        Build::with(manifest_dir, target, &["--features", "taint"])
    }

    /// The same with these options of Cargo instead.
    #[must_use]
    pub const fn with(
        manifest_dir: &'static str,
        target: [&'static str; 2],
        options: &'static [&'static str],
    ) -> Self {
        Build {
            manifest_dir,
            target,
            options,
            program: OnceLock::new(),
        }
    }

    /// The program.
    ///
    /// # Panics
    /// When it does not compile.
    #[must_use]
    pub fn program(&self) -> &Path {
        self.program.get_or_init(|| {
            let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
            cargo
                .args(["build", "--quiet", "--release"])
                .args(self.options)
                .args(self.target)
                .arg("--manifest-path")
                .arg(Path::new(self.manifest_dir).join("Cargo.toml"))
                .arg("--target-dir")
                .arg(target_dir())
                .args(["--config", "profile.release.debug=\"line-tables-only\""])
                .args(["--config", "profile.release.package.\"*\".opt-level=0"])
                .args(["--config", "profile.release.package.iced-x86.opt-level=2"])
                .args(["--message-format", "json-render-diagnostics"])
                // For ARM64 neither a compiler nor a library of C is needed.
                .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld")
                .env("RUSTFLAGS", "-C symbol-mangling-version=v0");
            let output = cargo.output().expect("cargo starts");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{cargo:?} failed:\n{errors}");
            let messages = String::from_utf8(output.stdout).expect("JSON");
            // Of the last one, what is built of others comes before.
            let (_, files) = messages
                .rsplit_once("\"filenames\":[\"")
                .expect("a program");
            files.split('"').next().expect("the program's path").into()
        })
    }
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
