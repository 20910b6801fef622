//! No operation's time depends on a secret: the taint check of what Valgrind can run, and secrets
//! followed through the machine code of what it cannot. Both are of one build of the program of this
//! crate; secrets are followed through another one for ARM64, in an emulator.

mod arm64;
mod follow;

use adamant_testkit::build::Build;
use adamant_testkit::taint::Program;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static BUILD: Build = Build::new(
    env!("CARGO_MANIFEST_DIR"),
    ["--bin", "adamant-constant-time"],
);

static PROGRAM: LazyLock<Option<Program>> = LazyLock::new(|| Program::prove(&BUILD));

/// The taint check of each group of operations.
macro_rules! taint {
    ($($group:ident)*) => {
        mod taint {
            $(
                #[test]
                fn $group() {
                    super::check(stringify!($group));
                }
            )*

            #[test]
            fn no_group_is_left_out() {
                if let Some(program) = &*super::PROGRAM {
                    assert_eq!(program.groups(), [$(stringify!($group)),*]);
                }
            }
        }
    };
}

taint!(cipher der dh ec hash hybrid pq rand rsa);

fn check(group: &str) {
    if let Some(program) = &*PROGRAM {
        program.check(group);
    }
}

/// What each planted leak's name begins with was found, in the file that it names if it does; nothing
/// in those that are clean.
fn check_planted(found: &BTreeMap<&str, Vec<String>>, is_in: impl Fn(&str, &str) -> bool) {
    for (name, leaks) in found {
        let (kind, rest) = name.split_once(' ').expect("a name of some words");
        let file = rest
            .strip_prefix("in ")
            .filter(|f| f.starts_with("crates/"));
        let is_it =
            |leak: &String| leak.starts_with(kind) && file.is_none_or(|file| is_in(leak, file));
        match kind {
            "clean" => assert!(leaks.is_empty(), "{name}: {leaks:?}"),
            _ => assert!(leaks.iter().any(is_it), "{name}: {leaks:#?}"),
        }
    }
}
