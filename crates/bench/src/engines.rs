//! Where engines are found.
//!
//! | asked for | is |
//! |---|---|
//! | `openssl-system` | the OpenSSL of the system, served by this program |
//! | `nss-system` | the NSS of the system, served by this program |
//! | `self` | our own operations, served by this program: the comparison with it shows 1.00 |
//! | `NAME` | `engines/NAME/target/release/adamant-engine-NAME` |
//! | `NAME-native` | `engines/NAME/target-native/release/adamant-engine-NAME`, built with `RUSTFLAGS=-Ctarget-cpu=native` |
//! | a path, which has a slash in it | that program |
//! | `all` | those of the system, and all that are built |
//!
//! The folder `engines` is looked for in the current folder and those above it, then above the
//! program. The folder that `ADAMANT_ENGINES` names comes first; in it, an engine may also lie
//! as the bare program `adamant-engine-NAME`.

use std::collections::BTreeSet;
use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::process::Command;

use adamant_engine::serve::Engine;

use crate::rival::Rival;

/// The OpenSSL of the system.
pub const OPENSSL_SYSTEM: &str = "openssl-system";

/// The NSS of the system.
pub const NSS_SYSTEM: &str = "nss-system";

/// Our own operations.
pub const SELF: &str = "self";

/// The engine [`SELF`], on the implementations of this name or on the best.
#[must_use]
pub fn own(implementation: Option<&str>) -> Engine {
    adamant_ops::engine(env!("ADAMANT_BUILD"), implementation)
}

/// The libraries of the system that this program serves.
pub const SYSTEM: &[&str] = &[OPENSSL_SYSTEM, NSS_SYSTEM];

/// The name for every engine in `--engine`.
pub const ALL: &str = "all";

/// The folder of the programs of [`mod@crate::footprint`].
pub(crate) const FOOTPRINT: &str = "footprint";

/// The folders that are not engines; the second has the pipeline's rival on synta-certificate.
const NO_ENGINES: [&str; 2] = [FOOTPRINT, "synta-pki"];

const PROGRAM: &str = "adamant-engine-";
const NATIVE: &str = "-native";

/// The folders to look in.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Of the user's choice, with programs or with engines' folders in it.
    pub own: Option<PathBuf>,
    /// Folders that hold a folder for each engine, nearest first.
    pub folders: Vec<PathBuf>,
}

impl Places {
    /// Those of this process.
    #[must_use]
    pub fn here() -> Self {
        let current = env::current_dir().ok();
        let program = env::current_exe().ok();
        let starts = current.iter().chain(&program);
        let above = starts.flat_map(|start| start.ancestors());
        let candidates = above.map(|folder| folder.join("engines"));
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in candidates.filter(|folder| folder.is_dir()) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        Places {
            own: env::var_os("ADAMANT_ENGINES").map(PathBuf::from),
            folders,
        }
    }

    /// All folders that may hold engines' folders.
    fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.own.iter().chain(&self.folders)
    }

    /// The program of the engine, where it is built.
    #[must_use]
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let file = |name: &str| format!("{PROGRAM}{name}{EXE_SUFFIX}");
        let bare = self.own.iter().map(|own| own.join(file(name)));
        let plain = |folder: &PathBuf| folder.join(name).join("target/release").join(file(name));
        let native = |folder: &PathBuf| {
            let name = name.strip_suffix(NATIVE)?;
            let target = folder.join(name).join("target-native/release");
            Some(target.join(file(name)))
        };
        let folders = || self.all();
        let built = folders().map(plain).chain(folders().filter_map(native));
        bare.chain(built).find(|path| path.is_file())
    }

    /// The manifest of the package in the folder of this name.
    #[must_use]
    pub fn source(&self, name: &str) -> Option<PathBuf> {
        let mut manifests = self
            .all()
            .map(|folder| folder.join(name).join("Cargo.toml"));
        manifests.find(|manifest| manifest.is_file())
    }

    /// How to build the engine, where its source is here.
    fn build(&self, name: &str) -> Option<String> {
        let cargo = "cargo build --release --manifest-path";
        if let Some(manifest) = self.source(name) {
            // From a clone of its library, where the script says which.
            let script = manifest.with_file_name("build.sh");
            return Some(if script.is_file() {
                format!("sh {} DIR", shown(&script))
            } else {
                format!("{cargo} {}", shown(&manifest))
            });
        }
        let manifest = self.source(name.strip_suffix(NATIVE)?)?;
        let target = manifest.with_file_name("target-native");
        Some(format!(
            "RUSTFLAGS=-Ctarget-cpu=native {cargo} {} --target-dir {}",
            shown(&manifest),
            shown(&target)
        ))
    }

    /// The names of all engines that are built, or only have their source here.
    fn names(&self) -> BTreeSet<String> {
        let entries = |folder: &PathBuf| fs::read_dir(folder).into_iter().flatten().flatten();
        let name = |entry: fs::DirEntry| entry.file_name().into_string().ok();
        let folders = self.all().flat_map(entries);
        let folders = folders.filter(|entry| entry.path().join("Cargo.toml").is_file());
        let bare = self.own.iter().flat_map(entries).filter_map(name);
        let bare = bare.filter_map(|file| {
            let name = file.strip_prefix(PROGRAM)?.strip_suffix(EXE_SUFFIX)?;
            // Beside programs, cargo leaves lists of their sources.
            (!name.contains('.')).then(|| name.to_owned())
        });
        let engine = |name: &String| !NO_ENGINES.contains(&name.as_str());
        let named = folders.filter_map(name).filter(engine);
        let both = named.flat_map(|name| [format!("{name}{NATIVE}"), name]);
        both.chain(bare).collect()
    }

    /// The names of the engines that are built.
    #[must_use]
    pub fn built(&self) -> Vec<String> {
        let names = self.names().into_iter();
        names.filter(|name| self.program(name).is_some()).collect()
    }

    /// The rivals that are asked for, each once. One that is not built is there, and says so when
    /// the comparison starts it.
    ///
    /// # Errors
    /// A sentence for a name that nothing has.
    pub fn rivals(&self, asked: &[String]) -> Result<Vec<Rival>, String> {
        let mut names: Vec<String> = Vec::new();
        for name in asked {
            let all = || SYSTEM.iter().map(|&name| name.into()).chain(self.built());
            let these = if name == ALL {
                all().collect()
            } else {
                vec![name.clone()]
            };
            for name in these {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names.iter().map(|name| self.rival(name)).collect()
    }

    fn rival(&self, name: &str) -> Result<Rival, String> {
        if name == SELF || SYSTEM.contains(&name) {
            return Ok(Rival::own(name));
        }
        if name.contains(['/', MAIN_SEPARATOR]) {
            let path = PathBuf::from(name);
            return Ok(Rival::program(name, move || Command::new(&path)));
        }
        if let Some(path) = self.program(name) {
            return Ok(Rival::program(name, move || Command::new(&path)).labelled());
        }
        if let Some(command) = self.build(name) {
            let why = format!("it is not built; {command} builds it");
            return Ok(Rival::absent(name, &why));
        }
        let known = SYSTEM.iter().copied().chain([SELF, ALL]).map(str::to_owned);
        let source = self.names().into_iter();
        let source = source.filter(|name| !name.ends_with(NATIVE));
        let known: Vec<_> = known.chain(source).collect();
        Err(format!(
            "no engine is called {name:?}; there are {}, and paths with a slash in them",
            known.join(", ")
        ))
    }
}

/// A path as the user would write it from here.
fn shown(path: &Path) -> String {
    let current = env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&current).unwrap_or(path);
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that goes away with it.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let name = format!("adamant-bench-{name}-{}", std::process::id());
            let scratch = Scratch(env::temp_dir().join(name));
            fs::create_dir_all(&scratch.0).unwrap();
            scratch
        }
        fn file(&self, path: &str) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn program(path: &str) -> String {
        format!("{path}{EXE_SUFFIX}")
    }

    #[test]
    fn engines_are_found_where_they_are_built() {
        let scratch = Scratch::new("built");
        for name in ["ring", "dalek", "botan"] {
            scratch.file(&format!("engines/{name}/Cargo.toml"));
        }
        let ring = program("engines/ring/target/release/adamant-engine-ring");
        let native = program("engines/dalek/target-native/release/adamant-engine-dalek");
        let bare = program("own/adamant-engine-mine");
        for path in [
            &ring,
            &native,
            &bare,
            "own/adamant-engine-mine.d",
            "engines/README.md",
        ] {
            scratch.file(path);
        }
        let mut places = Places {
            own: Some(scratch.0.join("own")),
            folders: vec![scratch.0.join("engines")],
        };
        assert_eq!(places.built(), ["dalek-native", "mine", "ring"]);
        let found = |places: &Places, name| places.program(name);
        assert_eq!(found(&places, "ring"), Some(scratch.0.join(&ring)));
        assert_eq!(
            found(&places, "dalek-native"),
            Some(scratch.0.join(&native))
        );
        assert_eq!(found(&places, "dalek"), None);
        // The user's own folder comes first.
        scratch.file(&program("own/adamant-engine-ring"));
        let own = scratch.0.join(program("own/adamant-engine-ring"));
        assert_eq!(found(&places, "ring"), Some(own));
        places.own = None;
        assert_eq!(places.built(), ["dalek-native", "ring"]);
    }

    #[test]
    fn what_is_not_built_can_be() {
        let scratch = Scratch::new("source");
        scratch.file("engines/dalek/Cargo.toml");
        let places = Places {
            own: None,
            folders: vec![scratch.0.join("engines")],
        };
        scratch.file("engines/gcrypt/Cargo.toml");
        scratch.file("engines/gcrypt/build.sh");
        let script = places.build("gcrypt").unwrap();
        assert!(
            script.starts_with("sh ") && script.ends_with("build.sh DIR"),
            "{script}"
        );
        let plain = places.build("dalek").unwrap();
        assert!(
            plain.starts_with("cargo build --release --manifest-path "),
            "{plain}"
        );
        let native = places.build("dalek-native").unwrap();
        assert!(
            native.starts_with("RUSTFLAGS=-Ctarget-cpu=native cargo "),
            "{native}"
        );
        assert!(native.ends_with("target-native"), "{native}");
        assert!(places.build("ring").is_none() && places.build("ring-native").is_none());

        let asked = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            let rivals = places.rivals(&names)?;
            Ok::<_, String>(
                rivals
                    .iter()
                    .map(|r| r.name().to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        let names = ["all", "self", "dalek", "openssl-system", "./x/y"];
        assert_eq!(
            asked(&names).unwrap(),
            ["openssl-system", "nss-system", "self", "dalek", "./x/y"]
        );
        let sentence = asked(&["dalex"]).unwrap_err();
        assert!(
            sentence.contains("\"dalex\"") && sentence.contains("all, dalek, gcrypt"),
            "{sentence}"
        );
    }
}
