//! The time that a build from nothing takes, which is kept as long as nothing changes.
//!
//! What was built stays in a folder of its own, with the time beside it. It is measured anew where cargo
//! would compile any part again (for another source, feature, profile, compiler or lock file), and where
//! something differs of which cargo knows nothing: the machine, the compiler of C, the environment.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use adamant_tool::strict::Object;
use serde::{Deserialize, Serialize};

use super::build::{EMPTY, Workshop, c_compiler, empty, output};
use super::cpu;
use super::error::Error;
use super::list::Level;
use crate::machine::Machine;

/// What a build took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Took {
    pub(super) nanoseconds: f64,
    /// The time in UTC at its end.
    date: String,
    /// The CPU's seconds in a second, where the system tells: well below 1 if others had the cores.
    cores: Option<f64>,
    /// What it depends on that cargo does not see.
    surroundings: Vec<String>,
}

/// The file of a folder with what building it took.
const FILE: &str = "took.json";

/// What variables begin with that reach compilers, `make` and build scripts.
const VARIABLES: [&str; 9] = [
    "CC",
    "CFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
    "SODIUM_",
    "CARGO_BUILD_",
    "HOST_",
    "TARGET_",
];

impl Took {
    /// Of when it is, and what a reader has to know of it.
    pub(super) fn told(&self) -> String {
        match self.cores {
            Some(cores) if cores < BUSY => {
                format!("{} (it had {cores:.2} of a core: others ran)", self.date)
            }
            _ => self.date.clone(),
        }
    }
}

/// Of a core, what a build has at least that has the machine to itself.
const BUSY: f64 = 0.9;

impl Workshop {
    /// What building a library takes with these features, and what it needs, from nothing, on all cores;
    /// and whether it is kept from an earlier run. The folder is its own.
    pub(super) fn compile(
        &self,
        features: &str,
        level: Level,
        folder: &Path,
    ) -> Result<(Took, bool), Error> {
        let (file, surroundings) = (folder.join(FILE), surroundings());
        let kept = kept(&file).filter(|kept| kept.surroundings == surroundings);
        if let Some(took) = kept.filter(|_| self.is_built(features, level, folder)) {
            return Ok((took, true));
        }
        empty(folder)?;
        let (start, before) = (Instant::now(), cpu::children());
        self.built(features, level, EMPTY, folder)?;
        let took = start.elapsed();
        let own = cpu::children().and_then(|after| Ok(after - before?));
        let took = Took {
            nanoseconds: took.as_nanos() as f64,
            date: Machine::here().date,
            cores: own.ok().map(|seconds| seconds / took.as_secs_f64()),
            surroundings,
        };
        let text = serde_json::to_string_pretty(&took).unwrap_or_default();
        fs::write(&file, text).map_err(|e| Error::file(&file, &e))?;
        Ok((took, false))
    }

    /// Whether cargo had nothing to compile in this folder.
    fn is_built(&self, features: &str, level: Level, folder: &Path) -> bool {
        let (mut cargo, _) = self.cargo(features, level, folder);
        cargo.args(["--bin", EMPTY, "--message-format", "json"]);
        output(&mut cargo, &[]).is_ok_and(|said| all_fresh(&String::from_utf8_lossy(&said)))
    }
}

/// What the last build here took; `None` where there is none, or where it did not come to its end.
fn kept(file: &Path) -> Option<Took> {
    let Object(took) = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    Some(took)
}

/// Whether every part of a build, of which cargo tells in JSON, was there before.
fn all_fresh(said: &str) -> bool {
    let parts = said.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        (message["reason"] == "compiler-artifact").then(|| message["fresh"] == true)
    });
    let parts = Vec::from_iter(parts);
    !parts.is_empty() && !parts.contains(&false)
}

/// The machine, the compiler of C, and the environment.
fn surroundings() -> Vec<String> {
    let Machine { cpu, cores, os, .. } = Machine::here();
    let compiler = output(Command::new(c_compiler()).arg("--version"), &[]);
    let compiler = compiler.unwrap_or_default();
    let compiler = String::from_utf8_lossy(&compiler);
    let first = compiler.lines().next().unwrap_or("no compiler of C");
    let variables = env::vars_os().filter_map(|(name, value)| {
        let name = name.to_string_lossy();
        let is_one = VARIABLES.iter().any(|start| name.starts_with(start));
        is_one.then(|| format!("{name}={}", value.to_string_lossy()))
    });
    let mut variables = Vec::from_iter(variables);
    variables.sort();
    [cpu, format!("{cores} cores"), os, first.to_owned()]
        .into_iter()
        .chain(variables)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{FOOTPRINT, Places};

    #[test]
    fn freshness_is_that_of_every_part() {
        let part = |fresh| format!("{{\"reason\":\"compiler-artifact\",\"fresh\":{fresh}}}\n");
        let script = "{\"reason\":\"build-script-executed\"}\n";
        assert!(all_fresh(&(part(true) + script + &part(true))));
        assert!(!all_fresh(&(part(true) + script + &part(false))));
        // Without a part nothing is known.
        assert!(!all_fresh(script));
        assert!(!all_fresh("error: no such package"));
    }

    #[test]
    fn a_disturbed_build_says_so() {
        let told = |cores| {
            let (date, surroundings) = ("2026-01-02 03:04 UTC".into(), Vec::new());
            let nanoseconds = 1.0;
            let took = Took {
                nanoseconds,
                date,
                cores,
                surroundings,
            };
            took.told()
        };
        assert_eq!([None, Some(1.7)].map(told), ["2026-01-02 03:04 UTC"; 2]);
        let disturbed = "2026-01-02 03:04 UTC (it had 0.21 of a core: others ran)";
        assert_eq!(told(Some(0.206)), disturbed);
    }

    /// A package like that of the programs, which is gone afterwards.
    struct Package(std::path::PathBuf);

    impl Package {
        fn write(&self, file: &str, text: &str) {
            let path = self.0.join(FOOTPRINT).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    impl Drop for Package {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MANIFEST: &str = "[package]\nname = \"p\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\
                            [features]\nmore = []\n\
                            [[bin]]\nname = \"empty\"\npath = \"src/empty.rs\"\n[workspace]\n";

    #[test]
    fn times_are_kept_until_something_changes() {
        let name = format!("adamant-compile-{}", std::process::id());
        let package = Package(env::temp_dir().join(name));
        package.write("Cargo.toml", MANIFEST);
        let lock = "version = 4\n\n[[package]]\nname = \"p\"\nversion = \"1.0.0\"\n";
        package.write("Cargo.lock", lock);
        package.write("src/lib.rs", "pub fn one() -> u32 {\n    1\n}\n");
        package.write("src/empty.rs", "fn main() {\n    p::one();\n}\n");
        let places = Places {
            own: Some(package.0.clone()),
            folders: Vec::new(),
        };
        let workshop = Workshop::open(&places).unwrap();
        let folder = workshop.target().join("compile/p");
        let with = |features| workshop.compile(features, Level::Debug, &folder).unwrap();
        let anew = |why| {
            let (first, was_kept) = with("");
            assert!(!was_kept && first.nanoseconds > 0.0, "{why}");
            assert_eq!(with(""), (first, true), "{why}");
        };
        anew("nothing is there");
        package.write("src/lib.rs", "pub fn one() -> u32 {\n    2\n}\n");
        anew("a source has changed");
        let optimised = format!("{MANIFEST}[profile.dev]\nopt-level = 1\n");
        package.write("Cargo.toml", &optimised);
        anew("the profile has changed");
        assert!(!with("more").1);
        assert!(with("more").1);
        anew("the features have changed");
        let file = folder.join(FILE);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace(" cores", " other cores")).unwrap();
        anew("the machine has changed");
        fs::remove_file(&file).unwrap();
        anew("the last build was stopped");
    }
}
