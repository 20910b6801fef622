//! The taint runner catches what leaks and nothing else.

use adamant_testkit::build::Build;
use adamant_testkit::taint::{Failure, Program};

static BUILD: Build = Build::new(env!("CARGO_MANIFEST_DIR"), ["--example", "taint_control"]);

#[test]
fn leaks_are_caught_and_clean_code_passes() {
    let Some(program) = Program::prove(&BUILD) else {
        return;
    };
    let operations = program.operations();
    assert_eq!(operations.len(), 4);
    assert_eq!(program.groups(), ["leaky", "clean", "broken"]);
    program.check("clean");
    for group in ["leaky", "broken"] {
        let checked = std::panic::catch_unwind(|| program.check(group));
        let report = *checked.unwrap_err().downcast::<String>().unwrap();
        let first = format!("{group}: ");
        assert!(report.starts_with(&first), "{report}");
    }
    for name in operations {
        let result = program.run(&name);
        let kind = match &result {
            Ok(()) => "clean",
            Err(Failure::Leak(_)) => "leaky",
            Err(Failure::Broken(_)) => "broken",
        };
        assert_eq!(name.split(':').next(), Some(kind), "{name}: {result:?}");
        if let Err(Failure::Leak(report)) = result {
            assert!(report.contains("uninitialised"), "{report}");
            assert!(report.contains("taint_control.rs:"), "no line in {report}");
        }
    }
}
