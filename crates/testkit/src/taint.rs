//! The taint check: no branch and no address depends on a secret.
//!
//! A program lists secret operations for [`main`]; each marks its secret inputs ([`secret`]), runs
//! on every available implementation and marks its outputs public ([`public`]). A test proves the
//! program ([`Program::prove`]) and checks its groups: each operation runs under Valgrind's
//! Memcheck, where secret bytes count as uninitialised, so that Memcheck reports every jump and
//! every load or store that depends on them.
//!
//! The proof is of built-in controls: a branch on a secret and a table lookup by a secret must be
//! reported, a masked choice must not. Without Valgrind, and on other architectures than x86-64,
//! the check is [skipped], unless `ADAMANT_REQUIRE_VALGRIND=1`.
//!
//! Valgrind hides from CPUID the features that it cannot run (AVX-512 and SHA, in version 3.19), so
//! implementations that need them are not available there and are not checked: `crates/taint`
//! follows the same marks through these, and through the code of ARM64. Nor does Memcheck know that the time of a division depends
//! on its operands.

use crate::build::Build;
use crate::{TestRng, skipped};
use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Rng};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;

/// An operation on secrets.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// What it is called in reports; unique in its group.
    pub name: &'static str,
    /// Marks its secrets, runs on every available implementation, and marks the results public.
    pub run: fn(),
}

/// `value`, an integer or an array of integers, marked secret: what an operation starts from. The
/// compiler does not know the result, so it cannot compute anything in advance.
///
/// ```
/// assert_eq!(adamant_testkit::taint::secret([7u8; 32])[0], 7);
/// ```
#[inline(never)]
pub fn secret<T: Copy>(value: T) -> T {
    let mut value = black_box(value);
    ct::mark_secret_value(&mut value);
    black_box(value)
}

/// `value`, an integer or an array of integers, marked public: what an operation ends with.
///
/// ```
/// assert_eq!(adamant_testkit::taint::public(5u64), 5);
/// ```
#[inline(never)]
pub fn public<T: Copy>(value: T) -> T {
    let mut value = black_box(value);
    ct::mark_public_value(&mut value);
    black_box(value)
}

/// A generator of secret bytes.
///
/// ```
/// use adamant_base::Rng;
/// let mut bytes = [0; 8];
/// adamant_testkit::taint::SecretRng::new(1).fill(&mut bytes)?;
/// assert_ne!(adamant_testkit::taint::public(bytes), [0; 8]);
/// # Ok::<(), adamant_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SecretRng(TestRng);

impl SecretRng {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        SecretRng(TestRng::new(seed))
    }
}

impl Rng for SecretRng {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.0.fill(out)?;
        ct::mark_secret(out);
        Ok(())
    }
}

/// The group of controls, which every program has and none lists.
const CONTROL: &str = "control";

const CONTROLS: &[Operation] = &[
    Operation {
        name: "branch on a secret",
        run: control_branch,
    },
    Operation {
        name: "load by a secret",
        run: control_load,
    },
    Operation {
        name: "masked choice",
        run: control_choice,
    },
];

fn control_branch() {
    if secret(1u64) == 1 {
        black_box("one");
    } else {
        black_box("zero");
    }
}

fn control_load() {
    let table = black_box([1u8, 2]);
    black_box(table[usize::from(secret(1u8) & 1)]);
}

fn control_choice() {
    let chosen = public(Choice::eq_u64(secret(1), 1).select_u64(10, 20));
    assert_eq!(chosen, 10);
}

/// The `main` of a program with groups of operations: without arguments it runs all, with `--list`
/// it prints their names (`group: name`), with names it runs these.
///
/// # Panics
/// When an operation does, and on an unknown name.
pub fn main(groups: &[(&str, &'static [Operation])]) {
    let all = groups.iter().flat_map(named);
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted == ["--list"] {
        all.for_each(|(name, _)| println!("{name}"));
    } else if wanted.is_empty() {
        all.for_each(|(_, run)| run());
    } else {
        let all: HashMap<_, _> = all.chain(named(&(CONTROL, CONTROLS))).collect();
        for name in &wanted {
            all.get(name).expect("the name of an operation")();
        }
    }
}

/// The operations of a group, by their names.
fn named(
    &(group, operations): &(&str, &'static [Operation]),
) -> impl Iterator<Item = (String, fn())> {
    let group = group.to_owned();
    operations
        .iter()
        .map(move |operation| (format!("{group}: {}", operation.name), operation.run))
}

/// A program with operations, built with marks, and proven to tell leaks from none.
#[derive(Debug)]
pub struct Program(PathBuf);

impl Program {
    /// Runs the controls on the program of a build; none where it cannot run under Valgrind and
    /// need not.
    ///
    /// # Panics
    /// When the build fails, the controls are not told apart, or it is required and cannot run.
    #[must_use]
    pub fn prove(build: &Build) -> Option<Self> {
        let found = || {
            let output = Command::new("valgrind").arg("--version").output();
            output.is_ok_and(|output| output.status.success())
        };
        let lacks = match cfg!(target_arch = "x86_64") {
            false => Some("marks are only those of x86-64"),
            true => (!found()).then_some("no valgrind here"),
        };
        if let Some(lacks) = lacks {
            skipped("taint check", lacks, "ADAMANT_REQUIRE_VALGRIND");
            return None;
        }
        let program = Program(build.program().to_owned());
        let run = |control: &Operation| program.run(&format!("{CONTROL}: {}", control.name));
        let verdicts: Vec<_> = CONTROLS.iter().map(run).collect();
        assert!(
            matches!(
                verdicts[..],
                [Err(Failure::Leak(_)), Err(Failure::Leak(_)), Ok(())]
            ),
            "Memcheck does not see the marks (is the feature taint passed on?): {verdicts:?}"
        );
        Some(program)
    }

    /// Runs the operations of a group.
    ///
    /// # Panics
    /// When Memcheck reports something, with its reports; when an operation fails, and when there
    /// is none.
    pub fn check(&self, group: &str) {
        let mut operations = self.operations();
        operations.retain(|name| group_of(name) == group);
        assert!(!operations.is_empty(), "no operation to check");
        // Valgrind takes longer to start than most operations to run: what is wrong, and with
        // which, is asked where something is.
        let Err(why) = self.run_all(&operations, &["--read-inline-info=no"]) else {
            return;
        };
        let failures = operations.iter().filter_map(|name| {
            let why = self.run(name).err()?;
            Some(format!("{name}: {why}"))
        });
        let failures: Vec<_> = failures.collect();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
        panic!("{group}, one operation after another: {why}");
    }

    /// The names of its groups, in their order.
    #[must_use]
    pub fn groups(&self) -> Vec<String> {
        let names = self.operations();
        let mut groups: Vec<_> = names.iter().map(|name| group_of(name).to_owned()).collect();
        groups.dedup();
        groups
    }

    /// The names of its operations.
    ///
    /// # Panics
    /// When the program does not list them.
    #[must_use]
    pub fn operations(&self) -> Vec<String> {
        let output = Command::new(&self.0)
            .arg("--list")
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Runs one operation under Memcheck.
    ///
    /// # Errors
    /// Why it does not pass.
    ///
    /// # Panics
    /// When Valgrind does not start.
    pub fn run(&self, operation: &str) -> Result<(), Failure> {
        self.run_all(&[operation], &[])
    }

    fn run_all(&self, operations: &[impl AsRef<OsStr>], options: &[&str]) -> Result<(), Failure> {
        const LEAK: i32 = 99;
        let output = Command::new("valgrind")
            .args([
                "-q",
                "--tool=memcheck",
                "--leak-check=no",
                "--num-callers=25",
            ])
            .arg(format!("--error-exitcode={LEAK}"))
            .args(options)
            .arg(&self.0)
            .args(operations)
            .output()
            .expect("valgrind starts");
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => Ok(()),
            Some(LEAK) => Err(Failure::Leak(report)),
            _ => Err(Failure::Broken(report)),
        }
    }
}

/// Why an operation does not pass.
#[derive(Debug)]
pub enum Failure {
    /// A jump or an address depends on a secret: Memcheck's report.
    Leak(String),
    /// It panicked or Valgrind could not run it: what was printed.
    Broken(String),
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Failure::Leak(report) => write!(f, "depends on a secret:\n{report}"),
            Failure::Broken(output) => write!(f, "did not run:\n{output}"),
        }
    }
}

fn group_of(name: &str) -> &str {
    name.split(": ").next().unwrap_or_default()
}
