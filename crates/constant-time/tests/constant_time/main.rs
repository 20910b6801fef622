//! No operation's time depends on a secret: the taint check of what Valgrind can run, and secrets
//! followed through the machine code of what it cannot, whose assembly is scanned as well. All are
//! of one build of the program of this crate.

mod follow;

use adamant_testkit::asm_scan::{self, Function};
use adamant_testkit::build::Build;
use adamant_testkit::taint::Program;
use std::sync::LazyLock;

// Scans, by crate.
mod bignum;
mod cipher;
mod ec;
mod hash;
mod pq;

static BUILD: Build = Build::new(
    env!("CARGO_MANIFEST_DIR"),
    ["--bin", "adamant-constant-time"],
);

static PROGRAM: LazyLock<Option<Program>> = LazyLock::new(|| Program::prove(&BUILD));

/// Scans functions of a library of ours.
fn scan(library: &str, functions: &[Function]) {
    asm_scan::check(&BUILD, library, functions);
}

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
