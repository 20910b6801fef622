//! What each family takes of a build, by our feature sets and by other libraries: CPU seconds, code,
//! stack. [`crate::report::weights`] prints it.
//!
//! A row is a program that does one thing. Its library is built from nothing with a program that is
//! empty, and then the program, whose build instantiates what the library left generic: the CPU
//! seconds are those of both, of cargo and of all that it starts, compilers of C among them. Rows with
//! the same features have the first part in common, which is then measured once.

use std::collections::BTreeMap;
use std::process::Command;

use adamant_tool::select::matches;

use super::build::{EMPTY, Workshop, empty, read, right};
use super::error::Error;
use super::list::Level;
use super::{cpu, elf};
use crate::engines::Places;

/// One program on one library.
#[derive(Clone, Debug)]
pub struct Weight {
    /// What the program does.
    pub family: &'static str,
    /// The library.
    pub library: &'static str,
    /// The library's features, and how it is built where that is not the release profile.
    pub features: &'static str,
    /// The package and its version.
    pub version: String,
    /// What it takes, or why nothing can be said.
    pub taken: Result<Taken, Error>,
}

/// What a program takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// Seconds of CPU from nothing to the program; `None` where the library comes built.
    pub build: Option<f64>,
    /// Bytes of code.
    pub text: u64,
    /// Those beyond the program that does nothing.
    pub beyond: Option<i64>,
    /// Bytes in memory of code, constants and what variables start with.
    pub loaded: u64,
    /// Bytes of stack, of `main` and all that it calls.
    pub stack: Result<u64, Error>,
}

/// What is built.
#[derive(Clone, Copy, Debug)]
struct Subject {
    program: &'static str,
    family: &'static str,
    library: &'static str,
    package: Package,
    /// The features as a user of the library would name them.
    told: &'static str,
    make: Make,
}

/// Where the version is.
#[derive(Clone, Copy, Debug)]
enum Package {
    /// In the lock file, under this name.
    Locked(&'static str),
    /// The system's package tells.
    Debian(&'static str),
    /// There is none.
    None,
}

/// How a program is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Make {
    /// By cargo, with features of the package `engines/footprint`.
    Cargo(Level, &'static str),
    /// By the C compiler, on BearSSL.
    C,
}

impl Make {
    /// Whether they have the same program around the library.
    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Make::Cargo(level, _), Make::Cargo(other, _)) => level == other,
            (Make::C, Make::C) => true,
            _ => false,
        }
    }
}

impl Subject {
    fn name(&self) -> String {
        format!("{}/{}", self.program, self.library)
    }

    fn is_baseline(&self) -> bool {
        self.program == NOTHING
    }
}

/// The program that does nothing, which all begin with.
const NOTHING: &str = "nothing";

/// The library, its package, its features as told, and how the program on it is made.
type Side = (&'static str, Package, &'static str, Make);

const fn ours(told: &'static str, make: Make) -> Side {
    ("adamant", Package::Locked("adamant"), told, make)
}

const fn hosted(features: &'static str) -> Make {
    Make::Cargo(Level::User, features)
}

const fn small(features: &'static str) -> Make {
    Make::Cargo(Level::Small, features)
}

/// Another library's crate, with the features that the program needs, or that it has by default.
const fn theirs(
    library: &'static str,
    package: &'static str,
    told: &'static str,
    features: &'static str,
) -> Side {
    (library, Package::Locked(package), told, hosted(features))
}

const WHOLE: Side = ours("default", hosted("hosted,facade/default"));
const RING: Side = theirs("ring", "ring", "default", "hosted,ring");
const GRAVIOLA: Side = theirs("graviola", "graviola", "default", "hosted,graviola");
const AWS_LC: Side = theirs("aws-lc-rs", "aws-lc-rs", "default", "hosted,aws-lc-rs");
const SODIUM: Side = theirs(
    "libsodium",
    "libsodium-sys-stable",
    "default",
    "hosted,libsodium",
);
const BEARSSL: Side = (
    "BearSSL",
    Package::Debian("libbearssl-dev"),
    "cc -Os",
    Make::C,
);

/// What is built for each program: our families first, then the whole, then the others.
const FAMILIES: &[(&str, &str, &[Side])] = &[
    (
        NOTHING,
        "nothing",
        &[
            ("Rust", Package::None, "std", hosted("hosted")),
            ("Rust", Package::None, "opt-level z, LTO", small("")),
            ("C", Package::None, "cc -Os", Make::C),
        ],
    ),
    (
        "sha256",
        "SHA-256",
        &[
            ours("std, sha2", hosted("hosted,facade/sha2")),
            WHOLE,
            theirs("RustCrypto", "sha2", "none", "hosted,rustcrypto-sha2"),
            GRAVIOLA,
            RING,
            AWS_LC,
            SODIUM,
            ours("sha2, small; opt-level z, LTO", small("small,facade/sha2")),
            BEARSSL,
        ],
    ),
    (
        "aes_gcm",
        "AES-128-GCM",
        &[
            ours("std, aes-gcm", hosted("hosted,facade/aes-gcm")),
            WHOLE,
            theirs("RustCrypto", "aes-gcm", "aes", "hosted,rustcrypto-aes-gcm"),
            GRAVIOLA,
            RING,
            AWS_LC,
            ours(
                "aes-gcm, small; opt-level z, LTO",
                small("small,facade/aes-gcm"),
            ),
            BEARSSL,
        ],
    ),
    (
        "ed25519",
        "Ed25519",
        &[
            ours("std, ed25519", hosted("hosted,facade/ed25519")),
            ours(
                "std, ed25519, simd",
                hosted("hosted,facade/ed25519,facade/simd"),
            ),
            WHOLE,
            theirs(
                "dalek",
                "ed25519-dalek",
                "fast, zeroize",
                "hosted,dalek-ed25519,tables",
            ),
            GRAVIOLA,
            RING,
            AWS_LC,
            SODIUM,
        ],
    ),
    (
        "x25519",
        "X25519",
        &[
            ours("std, x25519", hosted("hosted,facade/x25519")),
            ours(
                "std, x25519, simd",
                hosted("hosted,facade/x25519,facade/simd"),
            ),
            WHOLE,
            theirs(
                "dalek",
                "x25519-dalek",
                "precomputed-tables, static_secrets, zeroize",
                "hosted,dalek-x25519,tables",
            ),
            GRAVIOLA,
            RING,
            AWS_LC,
            SODIUM,
            ours(
                "x25519, small; opt-level z, LTO",
                small("small,facade/x25519"),
            ),
            BEARSSL,
        ],
    ),
    (
        "ecdsa_p256",
        "ECDSA P-256, verification",
        &[
            ours("std, ecdsa", hosted("hosted,facade/ecdsa")),
            WHOLE,
            theirs("RustCrypto", "p256", "ecdsa", "hosted,rustcrypto-p256"),
            GRAVIOLA,
            RING,
            AWS_LC,
            ours(
                "ecdsa, small; opt-level z, LTO",
                small("small,facade/ecdsa"),
            ),
            BEARSSL,
        ],
    ),
    (
        "rsa",
        "RSA-2048 signatures",
        &[
            ours("std, rsa", hosted("hosted,facade/rsa")),
            WHOLE,
            theirs("RustCrypto", "rsa", "encoding", "hosted,rustcrypto-rsa"),
            GRAVIOLA,
            RING,
            AWS_LC,
        ],
    ),
    (
        "ml_kem",
        "ML-KEM-768",
        &[
            ours("std, ml-kem", hosted("hosted,facade/ml-kem")),
            WHOLE,
            theirs(
                "RustCrypto",
                "ml-kem",
                "getrandom",
                "hosted,rustcrypto-ml-kem",
            ),
            GRAVIOLA,
            AWS_LC,
            SODIUM,
        ],
    ),
    (
        "ml_dsa",
        "ML-DSA-65",
        &[
            ours("std, ml-dsa", hosted("hosted,facade/ml-dsa")),
            WHOLE,
            theirs("RustCrypto", "ml-dsa", "none", "hosted,rustcrypto-ml-dsa"),
            AWS_LC,
        ],
    ),
    (
        "certificate",
        "X.509, a path on P-256",
        &[
            ours(
                "std, x509, ecdsa",
                hosted("hosted,facade/x509,facade/ecdsa"),
            ),
            WHOLE,
            ours(
                "x509, ecdsa, small; opt-level z, LTO",
                small("small,facade/x509,facade/ecdsa"),
            ),
            BEARSSL,
        ],
    ),
];

fn subjects() -> impl Iterator<Item = Subject> {
    FAMILIES.iter().flat_map(|&(program, family, sides)| {
        let subject = move |&(library, package, told, make): &Side| Subject {
            program,
            family,
            library,
            package,
            told,
            make,
        };
        sides.iter().map(subject)
    })
}

/// Those whose names fit a pattern, all if there is none, and the program that does nothing.
fn chosen(patterns: &[String]) -> Result<Vec<Subject>, Error> {
    let fits = |pattern: &String, subject: &Subject| matches(pattern, &subject.name());
    if let Some(pattern) = patterns.iter().find(|p| !subjects().any(|s| fits(p, &s))) {
        return Err(Error::NoMatch(pattern.clone()));
    }
    let asked: Vec<Subject> = subjects()
        .filter(|s| patterns.is_empty() || patterns.iter().any(|p| fits(p, s)))
        .collect();
    let needed = |s: &Subject| s.is_baseline() && asked.iter().any(|a| a.make.is_like(s.make));
    Ok(subjects()
        .filter(needed)
        .chain(asked.iter().filter(|s| !s.is_baseline()).copied())
        .collect())
}

/// Builds the programs that the patterns choose by `PROGRAM/LIBRARY`, all if there is none, and
/// tells what each takes; `told` hears of each before.
///
/// # Errors
/// Why nothing can be built; what is missing for one program is said in its row.
pub fn weigh(patterns: &[String], told: &mut impl FnMut(&str)) -> Result<Vec<Weight>, Error> {
    let subjects = chosen(patterns)?;
    let workshop = Workshop::open(&Places::here())?;
    let lock = workshop.lock()?;
    told("fetching missing crates");
    // What is still missing then shows in its row.
    let _ = workshop.fetch();
    let mut bench = Bench {
        workshop: &workshop,
        libraries: BTreeMap::new(),
        nothing: Vec::new(),
    };
    let mut weights = Vec::new();
    for (i, subject) in subjects.iter().enumerate() {
        let (name, of) = (subject.name(), subjects.len());
        told(&format!("{} of {of}: {name} ({})", i + 1, subject.told));
        weights.push(Weight {
            family: subject.family,
            library: subject.library,
            features: subject.told,
            version: version(subject.package, &lock)?,
            taken: bench.taken(subject),
        });
    }
    empty(&workshop.target().join(FOLDER))?;
    Ok(weights)
}

/// Where it is built.
const FOLDER: &str = "weights";

/// What has been built.
struct Bench<'a> {
    workshop: &'a Workshop,
    /// Of each set of features the CPU seconds of the library, in the folder of this number.
    libraries: BTreeMap<(Level, &'static str), (usize, Result<f64, Error>)>,
    /// The code of programs that do nothing.
    nothing: Vec<(Make, u64)>,
}

impl Bench<'_> {
    fn taken(&mut self, subject: &Subject) -> Result<Taken, Error> {
        let (program, build) = match subject.make {
            Make::Cargo(level, features) => {
                let (folder, library) = self.library(level, features);
                let folder = self.workshop.target().join(FOLDER).join(folder.to_string());
                let build = || {
                    self.workshop
                        .built(features, level, subject.program, &folder)
                };
                let library = library?;
                let (program, own) = cpu::seconds(build)?;
                (program, Some(library + own))
            }
            Make::C => (self.workshop.compiled(subject.program)?, None),
        };
        right(&mut Command::new(&program), subject.program)?;
        let file = read(&program)?;
        let (text, loaded) = (elf::text(&file), elf::loaded(&file));
        let (text, loaded) = (text.ok_or(Error::NoElf)?, loaded.ok_or(Error::NoElf)?);
        if subject.is_baseline() {
            self.nothing.push((subject.make, text));
        }
        let mut like = self
            .nothing
            .iter()
            .filter(|(make, _)| make.is_like(subject.make));
        let stack = self.workshop.gauge().and_then(|gauge| {
            let mut program = Command::new(&program);
            program.env("LD_PRELOAD", gauge).env("LD_BIND_NOW", "1");
            stack(&right(&mut program, subject.program)?).ok_or(Error::NoStack)
        });
        Ok(Taken {
            build,
            text,
            beyond: like
                .next()
                .map(|(_, nothing)| text as i64 - *nothing as i64),
            loaded,
            stack,
        })
    }

    /// The library with these features, built from nothing once.
    fn library(&mut self, level: Level, features: &'static str) -> (usize, Result<f64, Error>) {
        let (workshop, number) = (self.workshop, self.libraries.len());
        let build = || {
            let folder = workshop.target().join(FOLDER).join(number.to_string());
            empty(&folder)?;
            let (_, took) = cpu::seconds(|| workshop.built(features, level, EMPTY, &folder))?;
            Ok(took)
        };
        let built = self.libraries.entry((level, features));
        built.or_insert_with(|| (number, build())).clone()
    }
}

/// What the gauge says.
fn stack(said: &str) -> Option<u64> {
    let line = said.lines().find_map(|line| line.strip_prefix("stack "));
    line?.parse().ok()
}

fn version(package: Package, lock: &str) -> Result<String, Error> {
    match package {
        Package::Locked(name) => {
            let found = locked(name, lock).ok_or(Error::NoVersion(name))?;
            Ok(format!("{name} {found}"))
        }
        Package::Debian(name) => {
            let query = ["-W", "-f", "${Version}", name];
            let output = Command::new("dpkg-query").args(query).output();
            let known = output.ok().filter(|output| output.status.success());
            let found = known.map_or("of an unknown version".into(), |output| {
                String::from_utf8_lossy(&output.stdout).into_owned()
            });
            Ok(format!("{name} {found}"))
        }
        Package::None => Ok(String::new()),
    }
}

/// The version of a package in a lock file.
fn locked<'a>(name: &str, lock: &'a str) -> Option<&'a str> {
    let start = format!("\nname = \"{name}\"\nversion = \"");
    let (_, rest) = lock.split_once(&start)?;
    rest.split('"').next()
}

#[cfg(test)]
pub(crate) mod samples {
    use super::*;

    /// Nothing, one that was built, one that comes built, and one that cannot be.
    pub(crate) fn weights() -> Vec<Weight> {
        let nothing = Taken {
            build: Some(0.25),
            text: 230_000,
            beyond: Some(0),
            loaded: 300_000,
            stack: Ok(88),
        };
        let built = Taken {
            build: Some(12.04),
            text: 245_411,
            beyond: Some(15_411),
            loaded: 311_000,
            stack: Ok(1256),
        };
        let c = Taken {
            build: None,
            stack: Err(Error::NoStack),
            ..built.clone()
        };
        let row = |family, library, features, taken| Weight {
            family,
            library,
            features,
            version: format!("{library} 1.0"),
            taken,
        };
        vec![
            row("nothing", "Rust", "std", Ok(nothing)),
            row("SHA-256", "adamant", "std, sha2", Ok(built)),
            row("SHA-256", "BearSSL", "cc -Os", Ok(c)),
            row("SHA-256", "ring", "default", Err(Error::NoCargo)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn every_program_has_its_output() {
        for (program, ..) in FAMILIES {
            let (input, output) = check::known(program).unwrap();
            // What is written at once is there at once.
            assert!(input.len() <= 4096 && !output.is_empty(), "{program}");
        }
    }

    #[test]
    fn names_choose() {
        let names = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(|&p| p.to_owned()).collect();
            let chosen = chosen(&patterns)?;
            Ok::<_, Error>(chosen.iter().map(Subject::name).collect::<Vec<_>>())
        };
        let ring = names(&["sha256/ring", "x*/BearSSL"]).unwrap();
        assert_eq!(
            ring,
            ["nothing/Rust", "nothing/C", "sha256/ring", "x25519/BearSSL"]
        );
        assert_eq!(names(&[]).unwrap().len(), subjects().count());
        let error = names(&["sha256/*", "tea/*"]).unwrap_err();
        assert_eq!(error, Error::NoMatch("tea/*".into()));
    }

    /// Every family has ours and a rival; what has no vectors has no second build.
    #[test]
    fn families_stand_beside_others() {
        for (program, _, sides) in &FAMILIES[1..] {
            let ours = sides.iter().filter(|(library, ..)| *library == "adamant");
            assert!(ours.count() >= 2 && sides.len() >= 4, "{program}");
            assert!(sides.iter().any(|(library, ..)| *library != "adamant"));
        }
        let nothing = |make: Make| {
            let sides = FAMILIES[0].2.iter();
            sides.clone().any(|(.., other)| other.is_like(make))
        };
        assert!(subjects().all(|subject| nothing(subject.make)));
    }

    #[test]
    fn the_gauge_speaks_in_a_line() {
        assert_eq!(stack("stack 1256\n"), Some(1256));
        assert_eq!(stack("a warning\nstack 8"), Some(8));
        assert_eq!(stack("stack -8\n"), None);
        assert_eq!(stack(""), None);
    }

    #[test]
    fn versions_stand_in_the_lock_file() {
        let lock = "[[package]]\nname = \"x-ring\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"ring\"\nversion = \"0.17.14\"\nsource = \"…\"\n";
        assert_eq!(locked("ring", lock), Some("0.17.14"));
        let missing = version(Package::Locked("graviola"), lock);
        assert_eq!(missing, Err(Error::NoVersion("graviola")));
        let lock = include_str!("../../../../engines/footprint/Cargo.lock");
        for subject in subjects() {
            if let Package::Locked(name) = subject.package {
                assert!(locked(name, lock).is_some(), "{name}");
            }
        }
    }

    #[test]
    #[ignore = "builds programs, which takes minutes"]
    fn programs_are_weighed() {
        let patterns = ["sha256/adamant".to_owned()];
        let weights = weigh(&patterns, &mut |name| println!("{name}")).unwrap();
        for weight in &weights {
            let taken = weight.taken.as_ref().unwrap();
            assert!(taken.text > 100 && taken.loaded >= taken.text, "{weight:?}");
            assert!(taken.stack.as_ref().unwrap() > &16, "{weight:?}");
        }
        assert!(weights.len() >= 4);
    }
}
