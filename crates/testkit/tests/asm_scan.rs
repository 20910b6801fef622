//! The scan catches each kind of leak in compiled code and passes what has none.

use adamant_testkit::asm_scan::{Function, assembly, scan};
use adamant_testkit::build::Build;

static BUILD: Build = Build::new(env!("CARGO_MANIFEST_DIR"), ["--example", "asm_control"]);

#[test]
fn leaks_are_caught_and_clean_code_passes() {
    let Some(asm) = assembly(&BUILD, "asm_control") else {
        return;
    };
    let findings = |function: Function| scan(&asm, &[function]).join("\n");
    for (path, reason) in [
        ("leaky::branch", "1 conditional jumps ahead, 0 allowed"),
        ("leaky::jump_table", "computed target"),
        ("leaky::indirect_call", "computed target"),
        ("leaky::division", "variable time"),
        ("leaky::comparison", "leaves the crate"),
        ("leaky::in_callee", "conditional jump"),
        ("clean::blocks", "conditional jump"),
        ("clean::forgotten", "not in the assembly"),
    ] {
        let found = findings(Function::new(path));
        assert!(found.contains(reason), "{path}: {found:?}");
    }
    assert_eq!(findings(Function::new("clean::choice")), "");
    let blocks = Function::new("clean::blocks").allow(1, 1, "number of words");
    assert_eq!(findings(blocks), "");
}

#[test]
fn rows_of_a_table_are_told_apart() {
    let Some(asm) = assembly(&BUILD, "asm_control") else {
        return;
    };
    let findings = |row| {
        let implementations = kernel::Backend::implementations();
        scan(
            &asm,
            &[Function::row("kernel", "mix", implementations, row)],
        )
        .join("\n")
    };
    assert_eq!(kernel::Backend::portable().mix(1), 1);
    assert!(findings("x86_popcnt").contains("conditional jump"));
    assert_eq!(findings("x86_ssse3"), "");
    assert_eq!(findings("portable"), "");
}

/// The table of `examples/asm_control.rs`, for its list of rows.
mod kernel {
    adamant_base::backends! {
        /// Mixes a secret.
        pub(super) struct Backend {
            /// One step.
            fn mix(x: u64) -> u64;
        }
        #[cfg(target_arch = "x86_64")]
        x86_popcnt if ["popcnt"];
        #[cfg(target_arch = "x86_64")]
        x86_ssse3 if ["ssse3"];
        _ => portable;
    }
    #[cfg(target_arch = "x86_64")]
    use portable as x86_popcnt;
    #[cfg(target_arch = "x86_64")]
    use portable as x86_ssse3;
    mod portable {
        pub(super) fn mix(x: u64) -> u64 {
            x
        }
    }
}
