//! Building the programs of `engines/footprint`, and running them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use adamant_engine::strict::Object;
use serde::Deserialize;

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
    /// A sentence where the source tree or cargo is missing.
    pub(super) fn open(places: &Places) -> Result<Self, String> {
        let manifest = places
            .source(FOOTPRINT)
            .ok_or("it needs the source tree: no engines/footprint is here or above")?;
        let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
        let works = Command::new(&cargo).arg("--version").output();
        if !works.is_ok_and(|output| output.status.success()) {
            return Err("it needs cargo, which does not start".into());
        }
        let folder = manifest.parent().unwrap_or(Path::new(".")).to_owned();
        Ok(Workshop { folder, cargo })
    }

    /// # Errors
    /// A sentence: what is missing, or what went wrong.
    pub(super) fn figures(&self, measurement: &Measurement) -> Result<Vec<Footprint>, String> {
        let figures = match measurement.what {
            What::Lines(program, _) => {
                let program = self.built(measurement, program)?;
                lines(&output(&mut Command::new(program), &[])?)?
            }
            What::File(name, figure) => {
                let program = self.built(measurement, name)?;
                checked(&program, name)?;
                vec![(figure.to_owned(), length(&program)?)]
            }
            What::Loaded(name) => parts(&self.built(measurement, name)?, name)?,
            What::C(name) => parts(&self.compiled(name)?, name)?,
            What::Compile(figure) => vec![(figure.to_owned(), self.compile(measurement)?)],
            What::Wasm => lines(&self.under_node(measurement)?)?,
        };
        Ok(figures
            .into_iter()
            .map(|(name, value)| Footprint {
                name: measurement.name(&name),
                library: measurement.library.into(),
                value,
            })
            .collect())
    }

    /// `cargo build` for a measurement, into a folder; the folder that the profile has there.
    fn cargo(&self, measurement: &Measurement, target: &Path) -> (Command, &'static str) {
        let mut cargo = Command::new(&self.cargo);
        cargo
            .args(["build", "--quiet", "--locked", "--no-default-features"])
            .args(["--features", measurement.features])
            .arg("--manifest-path")
            .arg(self.folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET")
            .env_remove("RUSTFLAGS");
        let folder = match measurement.level {
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
            Level::Small => {
                cargo.args(["--profile", "small"]);
                "small"
            }
        };
        (cargo, folder)
    }

    /// The program of a measurement.
    fn built(&self, measurement: &Measurement, program: &str) -> Result<PathBuf, String> {
        let target = self.folder.join("target");
        let (mut cargo, folder) = self.cargo(measurement, &target);
        output(cargo.args(["--bin", program]), &[])?;
        let file = format!("{program}{}", env::consts::EXE_SUFFIX);
        Ok(target.join(folder).join(file))
    }

    /// The nanoseconds of building the library, and what it needs, from nothing, on all cores.
    fn compile(&self, measurement: &Measurement) -> Result<f64, String> {
        let target = self.folder.join("target/compile");
        let empty = || match fs::remove_dir_all(&target) {
            Err(e) if target.exists() => Err(format!("{}: {e}", target.display())),
            _ => Ok(()),
        };
        empty()?;
        let (mut cargo, _) = self.cargo(measurement, &target);
        let start = Instant::now();
        output(cargo.args(["--bin", "empty"]), &[])?;
        let took = start.elapsed();
        empty()?;
        Ok(took.as_nanos() as f64)
    }

    /// What the module's driver prints.
    fn under_node(&self, measurement: &Measurement) -> Result<String, String> {
        let target = self.folder.join("target");
        let (mut cargo, folder) = self.cargo(measurement, &target);
        cargo.args(["--target", WASM, "--example", "wasm"]);
        output(&mut cargo, &[])
            .map_err(|e| format!("it needs the target {WASM} (rustup target add {WASM}): {e}"))?;
        let module = target.join(WASM).join(folder).join("examples/wasm.wasm");
        let script = self.folder.join("src/wasm.js");
        output(Command::new("node").arg(script).arg(module), &[])
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A program in C, linked with the static BearSSL.
    fn compiled(&self, name: &str) -> Result<PathBuf, String> {
        let target = self.folder.join("target");
        fs::create_dir_all(&target).map_err(|e| format!("{}: {e}", target.display()))?;
        let program = target.join(format!("bearssl-{name}"));
        let mut cc = Command::new(env::var_os("CC").unwrap_or("cc".into()));
        cc.args(["-Os", "-s", "-ffunction-sections", "-fdata-sections"])
            .args(["-Wl,--gc-sections", "-o"])
            .arg(&program)
            .arg(self.folder.join(format!("bearssl/{name}.c")));
        if let Some(folder) = env::var_os("BEARSSL_LIB") {
            cc.arg("-L").arg(folder);
        }
        cc.args(["-Wl,-Bstatic", "-lbearssl", "-Wl,-Bdynamic"]);
        output(&mut cc, &[])
            .map_err(|e| format!("it needs a C compiler and Debian's libbearssl-dev: {e}"))?;
        Ok(program)
    }
}

/// What a small program has in memory, and its file, once it was seen to work.
fn parts(program: &Path, name: &str) -> Result<Vec<(String, f64)>, String> {
    checked(program, name)?;
    let file = fs::read(program).map_err(|e| format!("{}: {e}", program.display()))?;
    let loaded = elf::loaded(&file).ok_or("its file is no ELF of 64 bits")?;
    Ok(vec![
        ("loaded".into(), loaded as f64),
        ("file".into(), file.len() as f64),
    ])
}

fn length(program: &Path) -> Result<f64, String> {
    let found = fs::metadata(program).map_err(|e| format!("{}: {e}", program.display()))?;
    Ok(found.len() as f64)
}

/// # Errors
/// A sentence where the program does not write what it must.
fn checked(program: &Path, name: &str) -> Result<(), String> {
    let (input, expected) = check::known(name).ok_or("nothing tells what it must write")?;
    if output(&mut Command::new(program), &input)? == expected {
        Ok(())
    } else {
        Err("its output is wrong".into())
    }
}

/// What a command writes to standard output.
fn output(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, String> {
    let name = Path::new(command.get_program()).display().to_string();
    let failed = |e: std::io::Error| format!("{name} does not start: {e}");
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
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| !line.trim().is_empty());
    Err(format!(
        "{name}: {}",
        line.unwrap_or("it failed, and says nothing")
    ))
}

/// The figures that a program printed.
fn lines(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<Vec<(String, f64)>, String> {
    let text = String::from_utf8_lossy(text.as_ref());
    let figure = |line: &str| {
        let Object::<Figure>(figure) =
            serde_json::from_str(line).map_err(|e| format!("it prints {line:?}: {e}"))?;
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
                .contains("panicked")
        );
        assert_eq!(lines(""), Ok(Vec::new()));
    }

    #[test]
    fn without_the_source_tree_it_says_so() {
        let sentence = Workshop::open(&Places::default()).err().unwrap();
        assert!(sentence.contains("source tree"), "{sentence}");
    }

    #[test]
    fn commands_say_why_they_fail() {
        let missing = output(&mut Command::new("/no/such/program"), &[]).unwrap_err();
        assert!(missing.contains("does not start"), "{missing}");
    }
}
