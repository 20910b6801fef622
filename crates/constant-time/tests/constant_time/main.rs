//! No operation's time depends on a secret: the taint check of what Valgrind can run, and secrets
//! followed through the machine code of what it cannot. Both are of one build of the program of this
//! crate; secrets are followed through another one for ARM64, in an emulator.

mod arm64;
mod follow;
mod followed;

use adamant_testkit::build::Build;
use adamant_testkit::taint::Program;
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
