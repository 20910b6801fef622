//! Instructions in place of the time on machines that are not here.
//!
//! Where a document measured a 32-bit machine, the implementation of ours with the same idea, in
//! words of 32 or 16 bits, is run under Valgrind on this one, and its instructions are counted.
//! They are those of 64-bit code: the arithmetic is that of a 32-bit machine, while registers are
//! more and addresses longer. So they stand for the work that is done, not for a time. Code
//! written in words of 64 bits or with vectors tells nothing of such a machine, and is not counted.
//!
//! An operation is counted twice by a program of its own, `adamant engine self`, which does it once
//! and once more often: of the difference nothing is left of the start and the end.

use std::io::Write;
use std::process::{Command, Stdio};

use adamant_engine::protocol::{Job, Request, VERSION};
use adamant_ops::Operation;
use adamant_tool::text::distinct;

use crate::engines::SELF;
use crate::plan::Planned;
use crate::results::Count;
use crate::suites::choose::{find, targets};
use crate::suites::{self, Suite, Target};

/// How much more often the second program does it.
const MORE: u64 = 4;

/// Whether an implementation of this name tells something of a 32-bit machine.
///
/// ```
/// use adamant_bench::emulate::is_narrow;
/// assert!(is_narrow("portable32") && is_narrow("portable16") && is_narrow("portable"));
/// assert!(!is_narrow("portable64") && !is_narrow("x86_aesni") && !is_narrow("arm_aes"));
/// ```
#[must_use]
pub fn is_narrow(implementation: &str) -> bool {
    let is_of = |cpu: &str| implementation.starts_with(cpu);
    !implementation.ends_with("64") && !["x86", "arm"].into_iter().any(is_of)
}

/// The instructions of every operation that the suites emulate; `told` hears each name before it
/// is counted.
///
/// # Errors
/// A sentence where Valgrind or this very program does not run.
pub fn counts(
    suites: &[&Suite],
    registry: &[Box<dyn Operation>],
    told: &mut impl FnMut(&str),
) -> Result<Vec<Count>, String> {
    let emulated = targets(suites).filter_map(|target| match target {
        Target::Emulated(operation, _) => Some(operation),
        _ => None,
    });
    let mut counts = Vec::new();
    for operation in distinct(emulated) {
        let Ok(planned) = find(operation, registry, true) else {
            continue;
        };
        told(&operation.op);
        let [once, more] = [1, 1 + MORE].map(|times| executed(&planned, times));
        counts.push(Count {
            op: operation.op.clone(),
            bytes: operation.size.bytes,
            pattern: operation.implementation.clone().unwrap_or_default(),
            backend: planned.forced.unwrap_or_default().into(),
            instructions: more?.saturating_sub(once?) as f64 / MORE as f64,
        });
    }
    Ok(counts)
}

/// Whether a count is of this operation.
pub(crate) fn is_of(count: &Count, operation: &suites::Operation) -> bool {
    let pattern = operation.implementation.as_deref().unwrap_or_default();
    (&count.op, count.bytes, &*count.pattern) == (&operation.op, operation.size.bytes, pattern)
}

/// The instructions of this program doing the operation so often.
fn executed(planned: &Planned<'_>, iterations: u64) -> Result<u64, String> {
    let program = std::env::current_exe();
    let program = program.map_err(|e| format!("this program cannot find itself: {e}"))?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind
        .arg(program)
        .args(["engine", SELF, "--implementation"]);
    valgrind.args(planned.forced);
    let Planned { op, size, .. } = *planned;
    let job = Job::new(op.name(), size, Some(&op.inputs(size)));
    counted(valgrind, job, iterations, "Collected :")
}

/// The instructions of an engine that does the job so often: the number that its emulator says in the
/// line with these words.
///
/// # Errors
/// A sentence where it does not start, or no such line comes: with the last one that does; and the
/// engine's refusal.
pub fn counted(
    mut emulator: Command,
    job: Job,
    iterations: u64,
    words: &str,
) -> Result<u64, String> {
    let name = emulator.get_program().to_string_lossy().into_owned();
    emulator.stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = emulator.stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|e| format!("{name} does not start: {e}"))?;
    let (protocol, quit) = (VERSION, Request::Quit);
    for request in [
        Request::Hello { protocol },
        Request::Run { job, iterations },
        quit,
    ] {
        let line = serde_json::to_string(&request).map_err(|e| e.to_string())?;
        // A program that does not read shows in what it says.
        let _ = child.stdin.as_mut().map(|input| writeln!(input, "{line}"));
    }
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let replies = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    let mut replies = replies.lines();
    if let Some(refusal) = replies.find(|line| line.contains("\"reply\":\"error\"")) {
        return Err(refusal.into());
    }
    number(&said, words).ok_or_else(|| {
        let last = said.lines().next_back().unwrap_or("nothing");
        format!("{name} counts nothing: it says {last}")
    })
}

/// The number at the end of the line with these words.
fn number(said: &str, words: &str) -> Option<u64> {
    let line = said.lines().find(|line| line.contains(words))?;
    line.split_whitespace().next_back()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_callgrind_says_is_read() {
        let said = "==1== \n==1== Events    : Ir\n==1== Collected : 123456\n==1== \n";
        assert_eq!(number(said, "Collected :"), Some(123_456));
        assert_eq!(number("==1== Killed", "Collected :"), None);
    }

    #[test]
    fn the_columns_of_a_32_bit_machine_are_emulated() {
        let bearssl = [suites::find("bearssl").unwrap()];
        let emulated = targets(&bearssl).filter(|t| matches!(t, Target::Emulated(..)));
        assert!(emulated.count() > 40);
    }
}
