//! Building the programs of `engines/footprint`, and running them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use adamant_tool::strict::Object;
use serde::Deserialize;

use super::error::Error;
use super::list::{Level, Measurement, What};
use super::{check, elf};
use crate::engines::{FOOTPRINT, Places};
use crate::results::Footprint;

const WASM: &str = "wasm32-unknown-unknown";
const SERIAL: &str = "--cfg=curve25519_dalek_backend=\"serial\"";

/// Where programs are built.
pub(super) struct Workshop {
    /// The folder of the package.
    folder: PathBuf,
    cargo: OsString,
}

/// A line of a program's output.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    name: String,
    value: f64,
}

impl Workshop {
    /// # Errors
    /// The source tree or cargo is missing.
    pub(super) fn open(places: &Places) -> Result<Self, Error> {
        let manifest = places.source(FOOTPRINT).ok_or(Error::NoSource)?;
        let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
        let works = Command::new(&cargo).arg("--version").output();
        if !works.is_ok_and(|output| output.status.success()) {
            return Err(Error::NoCargo);
        }
        let folder = manifest.parent().unwrap_or(Path::new(".")).to_owned();
        Ok(Workshop { folder, cargo })
    }

    /// # Errors
    /// What is missing, or what went wrong.
    pub(super) fn figures(&self, measurement: &Measurement) -> Result<Vec<Footprint>, Error> {
        let mut kept = None;
        let figures = match measurement.what {
            What::Lines(program, _) => {
                let program = self.program(measurement, program)?;
                lines(&output(&mut Command::new(program), &[])?)?
            }
            What::File(name, figure) => {
                let program = self.program(measurement, name)?;
                checked(&program, name)?;
                vec![(figure.to_owned(), length(&program)?)]
            }
            What::Loaded(name) => parts(&self.program(measurement, name)?, name)?,
            What::C(name) => parts(&self.compiled(name)?, name)?,
            What::Compile(figure) => {
                let folder = format!("compile/{}-{figure}", measurement.library);
                let (features, level) = (measurement.features, measurement.level);
                let (took, was_kept) =
                    self.compile(features, level, &self.target().join(folder))?;
                kept = was_kept.then(|| took.told());
                vec![(figure.to_owned(), took.nanoseconds)]
            }
            What::Wasm => lines(&self.under_node(measurement)?)?,
        };
        Ok(figures
            .into_iter()
            .map(|(name, value)| Footprint {
                name: measurement.name(&name),
                library: measurement.library.into(),
                value,
                kept: kept.clone(),
            })
            .collect())
    }

    /// The folder in which everything is built.
    pub(super) fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    /// The versions that the programs are built with.
    pub(super) fn lock(&self) -> Result<String, Error> {
        let path = self.folder.join("Cargo.lock");
        fs::read_to_string(&path).map_err(|e| Error::file(&path, &e))
    }

    /// Downloads what is built.
    pub(super) fn fetch(&self) -> Result<(), Error> {
        let mut cargo = Command::new(&self.cargo);
        cargo.args(["fetch", "--quiet", "--locked", "--manifest-path"]);
        run(cargo.arg(self.folder.join("Cargo.toml")), &[]).map(drop)
    }

    /// `cargo build` with these features, into a folder; the folder that the profile has there.
    pub(super) fn cargo(
        &self,
        features: &str,
        level: Level,
        target: &Path,
    ) -> (Command, &'static str) {
        let mut cargo = Command::new(&self.cargo);
        cargo
            .args(["build", "--quiet", "--locked", "--no-default-features"])
            .args(["--features", features])
            .arg("--manifest-path")
            .arg(self.folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target)
            // What was compiled elsewhere would cost nothing here.
            .env("RUSTC_WRAPPER", "")
            .env_remove("SODIUM_LIB_DIR")
            .env_remove("SODIUM_USE_PKG_CONFIG")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET")
            .env_remove("RUSTFLAGS");
        let folder = match level {
            Level::Debug => "debug",
            Level::Release(level) => {
                cargo.arg("--release");
                cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
                "release"
            }
            Level::Serial => {
                cargo.arg("--release").env("RUSTFLAGS", SERIAL);
                "release"
            }
            Level::User => {
                cargo.args(["--profile", "user"]);
                "user"
            }
            Level::Small => {
                cargo.args(["--profile", "small"]);
                "small"
            }
        };
        (cargo, folder)
    }

    /// The program of a measurement.
    fn program(&self, measurement: &Measurement, program: &str) -> Result<PathBuf, Error> {
        let (features, level) = (measurement.features, measurement.level);
        self.built(features, level, program, &self.target())
    }

    /// The program of this name, built into a folder.
    pub(super) fn built(
        &self,
        features: &str,
        level: Level,
        program: &str,
        target: &Path,
    ) -> Result<PathBuf, Error> {
        let (mut cargo, folder) = self.cargo(features, level, target);
        run(cargo.args(["--bin", program]), &[]).map_err(|e| needing(features, e))?;
        let file = format!("{program}{}", env::consts::EXE_SUFFIX);
        Ok(target.join(folder).join(file))
    }

    /// The program for a microcontroller's board, whose memory begins there.
    #[cfg(test)]
    pub(super) fn for_board(
        &self,
        features: &str,
        level: Level,
        program: &str,
        target: &str,
        base: &str,
    ) -> Result<PathBuf, Error> {
        let (mut cargo, folder) = self.cargo(features, level, &self.target());
        let script = self.folder.join("cortex-m.ld");
        let flags = format!(
            "-Clink-arg=-T{}\x1f-Clink-arg=--defsym=__base={base}",
            script.display()
        );
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags);
        run(cargo.args(["--target", target, "--bin", program]), &[])?;
        Ok(self.target().join(target).join(folder).join(program))
    }

    /// What the module's driver prints.
    fn under_node(&self, measurement: &Measurement) -> Result<String, Error> {
        let target = self.target();
        let (mut cargo, folder) = self.cargo(measurement.features, measurement.level, &target);
        cargo.args(["--target", WASM, "--example", "wasm"]);
        run(&mut cargo, &[])
            .map_err(|e| e.needs("a target (rustup target add wasm32-unknown-unknown)"))?;
        let module = target.join(WASM).join(folder).join("examples/wasm.wasm");
        let script = self.folder.join("src/wasm.js");
        output(Command::new("node").arg(script).arg(module), &[])
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A program in C, linked with the static BearSSL.
    pub(super) fn compiled(&self, name: &str) -> Result<PathBuf, Error> {
        let program = self.target().join(format!("bearssl-{name}"));
        let mut cc = self.cc(&program)?;
        cc.args(["-Os", "-s", "-ffunction-sections", "-fdata-sections"])
            .arg("-Wl,--gc-sections")
            .arg(self.folder.join(format!("bearssl/{name}.c")));
        if let Some(folder) = env::var_os("BEARSSL_LIB") {
            cc.arg("-L").arg(folder);
        }
        cc.args(["-Wl,-Bstatic", "-lbearssl", "-Wl,-Bdynamic"]);
        run(&mut cc, &[]).map_err(|e| e.needs("a C compiler and Debian's libbearssl-dev"))?;
        Ok(program)
    }

    /// What is loaded into a program to tell its stack.
    pub(super) fn gauge(&self) -> Result<PathBuf, Error> {
        let library = self.target().join("stack.so");
        let mut cc = self.cc(&library)?;
        cc.args(["-O2", "-shared", "-fPIC"])
            .arg(self.folder.join("stack.c"));
        run(cc.arg("-ldl"), &[]).map_err(|e| e.needs("a C compiler, and Linux"))?;
        Ok(library)
    }

    /// The C compiler, which makes this file.
    fn cc(&self, file: &Path) -> Result<Command, Error> {
        let target = self.target();
        fs::create_dir_all(&target).map_err(|e| Error::file(&target, &e))?;
        let mut cc = Command::new(c_compiler());
        cc.arg("-o").arg(file);
        Ok(cc)
    }
}

/// The compiler of C that is asked for.
pub(super) fn c_compiler() -> OsString {
    env::var_os("CC").unwrap_or("cc".into())
}

/// The program whose build is that of the library and nothing else.
pub(super) const EMPTY: &str = "empty";

/// Removes a folder, where it is.
pub(super) fn empty(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(e) if folder.exists() => Err(Error::file(folder, &e)),
        _ => Ok(()),
    }
}

/// Why a program with these features cannot be built: those on libsodium need more than others.
fn needing(features: &str, error: Error) -> Error {
    match features.contains("libsodium") {
        true => error.needs("a C compiler and make for libsodium"),
        false => error,
    }
}

/// What a small program has in memory, and its file, once it was seen to work.
fn parts(program: &Path, name: &str) -> Result<Vec<(String, f64)>, Error> {
    checked(program, name)?;
    let file = read(program)?;
    let loaded = elf::loaded(&file).ok_or(Error::NoElf)?;
    Ok(vec![
        ("loaded".into(), loaded as f64),
        ("file".into(), file.len() as f64),
    ])
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|e| Error::file(path, &e))
}

fn length(program: &Path) -> Result<f64, Error> {
    let found = fs::metadata(program).map_err(|e| Error::file(program, &e))?;
    Ok(found.len() as f64)
}

/// # Errors
/// The program does not write what it must.
fn checked(program: &Path, name: &str) -> Result<(), Error> {
    right(&mut Command::new(program), name).map(drop)
}

/// What a program of this name, which writes what it must, says on standard error.
pub(super) fn right(program: &mut Command, name: &str) -> Result<String, Error> {
    let (input, expected) = check::known(name).ok_or(Error::Unknown)?;
    let output = run(program, &input)?;
    if output.stdout != expected {
        return Err(Error::Wrong);
    }
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What a command writes to standard output.
pub(super) fn output(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, Error> {
    run(command, input).map(|output| output.stdout)
}

/// What a command writes that succeeds.
fn run(command: &mut Command, input: &[u8]) -> Result<Output, Error> {
    let program = Path::new(command.get_program()).display().to_string();
    let failed = |e: std::io::Error| Error::Start {
        program: program.clone(),
        why: e.to_string(),
    };
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut to) = child.stdin.take() {
        // One that does not read shows in what it writes.
        let _ = to.write_all(input);
    }
    let output = child.wait_with_output().map_err(failed)?;
    if output.status.success() {
        return Ok(output);
    }
    Err(Error::Failed {
        program,
        said: reason(&String::from_utf8_lossy(&output.stderr)),
    })
}

/// The line that says why a program failed: the first error, or the first at all.
fn reason(said: &str) -> String {
    let mut lines = said.lines().filter(|line| !line.trim().is_empty());
    let error = lines.clone().find(|line| line.contains("error"));
    let line = error.or_else(|| lines.next());
    line.unwrap_or("it says nothing").trim().to_owned()
}

/// The figures that a program printed.
fn lines(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<Vec<(String, f64)>, Error> {
    let text = String::from_utf8_lossy(text.as_ref());
    let figure = |line: &str| {
        let Object::<Figure>(figure) =
            serde_json::from_str(line).map_err(|e| Error::line(line, &e))?;
        Ok((figure.name, figure.value))
    };
    text.lines().map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_figures() {
        let text = "{\"name\":\"heap/sign\",\"value\":0}\n{\"name\":\"sign\",\"value\":12.5}\n";
        let expected = [("heap/sign".to_owned(), 0.0), ("sign".to_owned(), 12.5)];
        assert_eq!(lines(text).unwrap(), expected);
        assert!(
            lines("thread 'main' panicked")
                .unwrap_err()
                .to_string()
                .contains("panicked")
        );
        assert_eq!(lines(""), Ok(Vec::new()));
    }

    #[test]
    fn without_the_source_tree_it_says_so() {
        let error = Workshop::open(&Places::default()).err();
        assert_eq!(error, Some(Error::NoSource));
    }

    #[test]
    fn a_library_in_c_says_what_it_needs() {
        let told = |features| needing(features, Error::NoCargo).to_string();
        let needs = "it needs a C compiler and make for libsodium: it needs cargo, which";
        assert!(told("libsodium,std").starts_with(needs));
        assert_eq!(told("dalek,std"), Error::NoCargo.to_string());
    }

    #[test]
    fn commands_say_why_they_fail() {
        let missing = output(&mut Command::new("/no/such/program"), &[]).unwrap_err();
        assert!(matches!(missing, Error::Start { .. }), "{missing}");
        let said = "warning: x is not used\n\nerror: no such file\nerror: two\n";
        assert_eq!(reason(said), "error: no such file");
        assert_eq!(reason("\n  killed\n"), "killed");
        assert_eq!(reason(""), "it says nothing");
    }
}
