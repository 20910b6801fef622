//! The build that the taint check, the following of secrets and the scan of assembly look at, made
//! once for all.
//!
//! It is of the release profile, so that what is checked is what is shipped, but in one unit a
//! crate, by which jumps are counted, and with line tables. Other people's crates are not
//! optimised, as they are not checked, but for the one that moves machine code. It has a target directory of its own: the lock on the usual
//! one may be held.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A program of a crate, built with the crate's feature `taint` when it is first asked for, and the
/// assembly of everything in it.
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

    /// The assembly of a library (`adamant_hash`) or of the program.
    ///
    /// # Panics
    /// When it does not compile, or has no such library.
    #[must_use]
    pub fn assembly(&self, name: &str) -> String {
        let library = quoted(self.made(), &format!("/lib{name}-"));
        let path = match library.and_then(|file| file.strip_suffix(".rlib")) {
            Some(hash) => {
                let target = self.program();
                let profile = target.ancestors().find(|dir| dir.ends_with("release"));
                let profile = profile.expect("the directory of the profile");
                profile.join(format!("deps/{name}-{hash}.s"))
            }
            None => self.own_assembly(name),
        };
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// Cargo does not tell the hash in the names of what a program is made from: the newest is it.
    fn own_assembly(&self, name: &str) -> PathBuf {
        let program = self.program();
        let dir = program.parent().expect("a directory of programs");
        let files = std::fs::read_dir(dir).expect("the directory of programs");
        let files = files.map(|entry| entry.expect("an entry").path());
        let prefix = format!("{name}-");
        files
            .filter(|path| path.extension().is_some_and(|extension| extension == "s"))
            .filter(|path| {
                let file = path.file_name().and_then(|file| file.to_str());
                file.is_some_and(|file| file.starts_with(&prefix))
            })
            .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
            .unwrap_or_else(|| panic!("no assembly of {name} in {}", dir.display()))
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
                .args(["--config", "profile.release.codegen-units=1"])
                .args(["--config", "profile.release.debug=\"line-tables-only\""])
                .args(["--config", "profile.release.package.\"*\".opt-level=0"])
                .args(["--config", "profile.release.package.iced-x86.opt-level=2"])
                .args(["--message-format", "json-render-diagnostics"])
                .env("RUSTFLAGS", "--emit=asm -C symbol-mangling-version=v0");
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

/// What the compiler says of its version.
pub(crate) fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let output = output.expect("rustc starts");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
