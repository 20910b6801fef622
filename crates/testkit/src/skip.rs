//! Checks that a machine cannot run are named, and can be required.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Mutex;

/// Says on stderr that the running test does not check `what`, and `why`. A test that passes has
/// its output kept back; this line is shown nevertheless, once for each test and reason.
///
/// `requirement` names the environment variable by which the line becomes a failure: the one of a
/// machine that is known to have what it takes sets it to 1.
///
/// ```
/// use adamant_testkit::skipped;
/// skipped("the answers of the other program", "it is not installed", "ADAMANT_REQUIRE_OTHER");
/// // skipped: main: the answers of the other program: it is not installed
/// ```
///
/// # Panics
/// Where the variable is 1.
pub fn skipped(what: &str, why: &str, requirement: &str) {
    let required = std::env::var_os(requirement).is_some_and(|value| value == "1");
    let line = line(what, why, requirement, required);
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    // The set is whole whatever panicked while it was locked.
    let mut said = SAID.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if said.insert(line.clone()) {
        // Not `eprintln!`, which the test harness keeps back. Without a stderr nobody is told.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// What to say.
///
/// # Panics
/// With it, where it is required.
fn line(what: &str, why: &str, requirement: &str, required: bool) -> String {
    assert!(!required, "{requirement}: {what}: {why}");
    // The harness names a test's thread after it.
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a thread");
    format!("skipped: {test}: {what}: {why}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implementations::panic_message;

    #[test]
    fn the_line_names_the_test() {
        assert_eq!(
            line("leaks", "no tool", "ADAMANT_REQUIRE_TOOL", false),
            "skipped: skip::tests::the_line_names_the_test: leaks: no tool\n"
        );
    }

    #[test]
    fn what_is_required_is_not_skipped() {
        let required = || drop(line("leaks", "no tool", "ADAMANT_REQUIRE_TOOL", true));
        let payload = std::panic::catch_unwind(required).unwrap_err();
        assert_eq!(
            panic_message(&*payload),
            "ADAMANT_REQUIRE_TOOL: leaks: no tool"
        );
    }
}
