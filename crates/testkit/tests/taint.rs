//! The taint runner catches what leaks and nothing else.

use adamant_testkit::taint::{Failure, Program};

#[test]
fn leaks_are_caught_and_clean_code_passes() {
    let Some(program) = Program::build(env!("CARGO_MANIFEST_DIR"), "taint_control") else {
        return;
    };
    let operations = program.operations();
    assert_eq!(operations.len(), 4);
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
