//! What a build of a library takes: memory, size, the time to compile it, and the time of operations
//! where it is built otherwise than here.
//!
//! The programs are those of `engines/footprint`: small ones, each with one library in one
//! configuration, built by `cargo` while this runs, so it needs the source tree, `cargo`, and some
//! minutes. Each prints its figures as lines of JSON, or its file is looked at. Its results are
//! checked before that.
//!
//! | module | holds |
//! |---|---|
//! | `list` | what is measured, in which configuration |
//! | `build` | the building and the running |
//! | `compile` | the time that a build takes, kept until something changes |
//! | `check` | what the small programs read, and must write |
//! | `elf` | the bytes that a program's file has in memory |
//! | `cortex_m` | tests: the small programs on microcontrollers |
//! | `families` | tests: what the program of all families without an allocator does |
//! | `cpu` | the CPU time of what was started |
//! | [`weights`] | the table of all families beside other libraries: build, code, stack |
//! | `error` | what goes wrong |

mod build;
mod check;
mod compile;
#[cfg(test)]
mod cortex_m;
mod cpu;
mod elf;
mod error;
#[cfg(test)]
#[path = "../../../../engines/footprint/src/programs/families/results.rs"]
mod families;
mod list;
pub mod weights;

use crate::engines::Places;
use crate::results::Footprint;
use build::Workshop;
pub use check::known;
pub use error::Error;
use list::{MEASUREMENTS, Measurement};

/// Our name among the libraries.
pub const OURS: &str = "adamant";

/// The names of everything that can be measured; some have several libraries.
///
/// ```
/// use adamant_bench::footprint::names;
/// assert!(names().any(|name| name == "heap/sign"));
/// assert!(names().any(|name| name == "opt-z/size"));
/// ```
pub fn names() -> impl Iterator<Item = String> {
    MEASUREMENTS.iter().flat_map(Measurement::names)
}

/// What builds take of what is asked for by [its name](names); `told` hears of each before it is
/// measured. Sentences tell what could not be.
///
/// # Errors
/// Why nothing can be measured.
pub fn measure(
    asked: &[&String],
    told: &mut impl FnMut(&str),
) -> Result<(Vec<Footprint>, Vec<String>), Error> {
    let workshop = Workshop::open(&Places::here())?;
    let (mut found, mut failures) = (Vec::new(), Vec::new());
    let wanted = |m: &&Measurement| m.names().any(|name| asked.contains(&&name));
    for measurement in MEASUREMENTS.iter().filter(wanted) {
        let name = format!("{} of {}", measurement.title(), measurement.library);
        told(&name);
        match workshop.figures(measurement) {
            Ok(figures) => found.extend(figures),
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    Ok((found, failures))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites;
    use crate::suites::choose::footprints;

    /// Of our own: the rivals' need what may not be here.
    #[test]
    #[ignore = "builds programs, which takes minutes"]
    fn small_programs_are_measured() {
        let suite = suites::find("bearssl").unwrap();
        let (found, failures) =
            measure(&footprints(&[suite]), &mut |name| println!("{name}")).unwrap();
        println!("{found:#?}\n{failures:#?}");
        for program in ["sha256", "x25519", "aes_gcm", "ecdsa_p256", "certificate"] {
            let name = format!("{program}/loaded");
            let is_it = |f: &&Footprint| f.name == name && f.library == OURS;
            let bytes = found.iter().find(is_it).unwrap().value;
            assert!(bytes > 1000.0 && bytes < 200_000.0, "{program}: {bytes}");
        }
    }

    #[test]
    fn every_footprint_is_ours_and_has_a_row() {
        let suites: Vec<_> = suites::ALL.iter().collect();
        let asked = footprints(&suites);
        for name in &asked {
            assert!(names().any(|known| known == **name), "{name}");
        }
        for measurement in MEASUREMENTS {
            let used = |name: String| asked.contains(&&name);
            assert!(measurement.names().any(used), "{}", measurement.title());
            let ours = MEASUREMENTS.iter().filter(|other| other.library == OURS);
            let ours: Vec<String> = ours.flat_map(Measurement::names).collect();
            for name in measurement.names() {
                assert!(ours.contains(&name), "{name}");
            }
        }
    }
}
