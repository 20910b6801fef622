//! Builds for the checks that need another build than the one that runs.
//!
//! They use the release profile, so that what is checked is what is shipped, but without link-time
//! optimisation and with line tables. Each kind of check has a target directory of its own: the
//! lock on the usual one may be held, and a crate's two checks build at the same time.
//! Dev-dependencies are built without optimisation, as they are not checked.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory of a check's builds, in the target directory that the running test was built in.
pub(crate) fn target_dir(check: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this program");
    let profile_dir = test
        .ancestors()
        .find(|dir| dir.ends_with("deps") || dir.ends_with("examples"))
        .and_then(Path::parent)
        .expect("a test that cargo built");
    profile_dir.with_file_name("checks").join(check)
}

/// The path of what is made there of a crate: the same name for no other crate or checkout.
pub(crate) fn output(check: &str, manifest_dir: &str, name: &str) -> PathBuf {
    let place = manifest_dir.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    target_dir(check).join(format!("{name}{place}"))
}

/// `cargo SUBCOMMAND` on the crate in `manifest_dir`, with the options named above.
pub(crate) fn command(check: &str, subcommand: &str, manifest_dir: &str) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo
        .arg(subcommand)
        .args(["--quiet", "--release", "--manifest-path"])
        .arg(Path::new(manifest_dir).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target_dir(check))
        .args(["--config", "profile.release.lto=false"])
        .args(["--config", "profile.release.debug=\"line-tables-only\""])
        .args(["--config", "profile.release.package.\"*\".opt-level=0"]);
    cargo
}

/// What the compiler says of its version.
pub(crate) fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let output = output.expect("rustc starts");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Runs a build.
///
/// # Panics
/// When it fails, with what it printed.
pub(crate) fn build(cargo: &mut Command) {
    let output = cargo.output().expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{cargo:?} failed:\n{errors}");
}
