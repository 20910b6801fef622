//! The scan of emitted assembly: secret functions have no jump but the loops that are allowed.
//!
//! It is for implementations that Valgrind cannot run (see [`taint`](crate::taint)), and works
//! without running them: on any machine of the architecture, whatever its CPU has.
//!
//! [`check`] reads what the compiler made of a crate ([`Build`]) and looks at the functions named
//! and at every function of the crate that they call. Reported are
//!
//! * conditional jumps beyond what the function is allowed, with the reason, for public loop
//!   bounds and lengths;
//! * jumps and calls to computed addresses (a `match` on a secret becomes one);
//! * integer divisions, gathers and scatters;
//! * calls that leave the crate, but for copies of memory and for panics. `memcmp` is a leak.
//!
//! It does not see addresses of loads: a table lookup by a secret index passes. So it is a second
//! line: the same algorithm's portable implementation goes through the taint check.
//!
//! A function must exist in the assembly: methods of generic types and inlined functions vanish.
//! Those listed in a `backends!` table always exist, as [`Function::row`] names them; for others
//! use `#[inline(never)]`. On other architectures than x86-64 the check is
//! [skipped], unless `ADAMANT_REQUIRE_ASM_SCAN=1`.

mod held;
mod line;
mod parse;

use crate::build::{Build, compiler};
use crate::skipped;
use adamant_base::Implementation;
use parse::{Assembly, Effect, Instruction};
use std::collections::BTreeSet;

/// A secret function, and the jumps that it may have.
#[derive(Clone, Debug)]
pub struct Function<'a> {
    path: String,
    row: Option<(usize, &'a str)>,
    loops: usize,
    guards: usize,
    calls: &'a [&'a str],
}

impl<'a> Function<'a> {
    /// The function of this path, which may leave out leading modules
    /// (`sha256::x86_sha::compress`, `Type::method`), without any jump.
    #[must_use]
    pub fn new(path: &str) -> Self {
        Function {
            path: path.to_owned(),
            row: None,
            loops: 0,
            guards: 0,
            calls: &[],
        }
    }

    /// The function that the `backends!` table in `module` has under this name in the row of the
    /// implementation `name`; `implementations` is the table's list.
    ///
    /// # Panics
    /// When the table has no such row, on x86-64: elsewhere nothing is scanned.
    #[must_use]
    pub fn row(
        module: &str,
        function: &str,
        mut implementations: impl Iterator<Item = &'static Implementation>,
        name: &'a str,
    ) -> Self {
        let row = implementations.position(|i| i.name == name);
        let scanned = cfg!(target_arch = "x86_64");
        assert!(
            row.is_some() || !scanned,
            "{module} has no implementation {name}"
        );
        let row = row.map(|number| (number, name));
        Function {
            row,
            ..Self::new(&format!("{module}::{function}"))
        }
    }

    /// Allows up to `loops` conditional jumps back and `guards` ahead (a loop that may run zero
    /// times has one of each); `reason` says what public value each depends on.
    ///
    /// # Panics
    /// Without a reason.
    #[must_use]
    pub fn allow(mut self, loops: usize, guards: usize, reason: &str) -> Self {
        assert!(
            !reason.is_empty(),
            "why are the jumps of {} public?",
            self.path
        );
        (self.loops, self.guards) = (loops, guards);
        self
    }

    /// Allows calls out of the crate to functions of these paths, which are checked elsewhere.
    #[must_use]
    pub fn calling(mut self, paths: &'a [&'a str]) -> Self {
        self.calls = paths;
        self
    }
}

/// The compiler whose jumps are counted in what functions are allowed.
const COMPILER: &str = "rustc 1.95.";

/// What makes a scan that tells nothing fail.
const REQUIREMENT: &str = "ADAMANT_REQUIRE_ASM_SCAN";

/// Scans functions of a library of the build.
///
/// How many jumps a public loop takes is the compiler's choice, and the counts allowed are those
/// of rustc 1.95: with another compiler the findings are printed, for a person to judge, and make
/// the check fail only where `ADAMANT_REQUIRE_ASM_SCAN=1`.
///
/// # Panics
/// With every finding; when the build fails or a function is not in its assembly.
pub fn check(build: &Build, library: &str, functions: &[Function]) {
    let Some(asm) = assembly(build, library) else {
        return;
    };
    let findings = scan(&asm, functions);
    if findings.is_empty() {
        return;
    }
    let findings = findings.join("\n");
    let compiler = compiler();
    if compiler.starts_with(COMPILER) {
        panic!("{findings}");
    }
    let why =
        format!("the counts are those of {COMPILER}x, this is {compiler}; found:\n{findings}");
    skipped("assembly scan", &why, REQUIREMENT);
}

/// The assembly of a library of the build, or of its program; none on other architectures than
/// x86-64, where that is not required.
///
/// # Panics
/// When it does not compile, or is required and cannot be read.
#[must_use]
pub fn assembly(build: &Build, name: &str) -> Option<String> {
    if !cfg!(target_arch = "x86_64") {
        skipped("assembly scan", "it reads x86-64 alone", REQUIREMENT);
        return None;
    }
    Some(build.assembly(name))
}

/// What is wrong with these functions, a line for each finding; a function that the assembly
/// does not have is a finding too.
#[must_use]
pub fn scan(asm: &str, functions: &[Function]) -> Vec<String> {
    let code = Assembly::new(asm);
    let is_listed = |symbol: &str| functions.iter().any(|function| function.names(symbol));
    let mut findings = vec![];
    for function in functions {
        let symbols: Vec<&str> = code
            .symbols()
            .filter(|symbol| function.names(symbol))
            .collect();
        if symbols.is_empty() {
            findings.push(format!(
                "{function}: not in the assembly: inlined, generic or misspelt"
            ));
        }
        for symbol in symbols {
            findings.extend(function.scan(&code, symbol, is_listed));
        }
    }
    findings
}

impl core::fmt::Display for Function<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.path)?;
        self.row.map_or(Ok(()), |(_, name)| write!(f, " ({name})"))
    }
}

impl Function<'_> {
    fn names(&self, symbol: &str) -> bool {
        match self.row {
            Some((row, _)) => parse::matches_column(symbol, &self.path) == Some(row),
            None => parse::matches(symbol, &self.path).is_some(),
        }
    }

    /// Scans the function of this symbol and all that it reaches in the crate, but for those
    /// that are listed themselves.
    fn scan(&self, code: &Assembly, symbol: &str, is_listed: impl Fn(&str) -> bool) -> Vec<String> {
        let (mut loops, mut guards, mut findings) = (vec![], vec![], vec![]);
        let mut reached = BTreeSet::from([symbol]);
        let mut queue = vec![symbol];
        while let Some(symbol) = queue.pop() {
            for Instruction { effect, text } in code.instructions(symbol) {
                let place = format!("    {symbol}: {text}");
                match effect {
                    Effect::Conditional { backward: true } => loops.push(place),
                    Effect::Conditional { backward: false } => guards.push(place),
                    Effect::Indirect => findings.push(format!("{self}: computed target\n{place}")),
                    Effect::VariableTime => {
                        findings.push(format!("{self}: variable time\n{place}"))
                    }
                    Effect::Call(callee) => match code.symbol(&callee) {
                        Some(callee) if !is_listed(callee) && reached.insert(callee) => {
                            queue.push(callee);
                        }
                        Some(_) => {}
                        None if self.may_call(&callee) => {}
                        None => findings.push(format!("{self}: leaves the crate\n{place}")),
                    },
                }
            }
        }
        for (what, found, allowed) in [("back", loops, self.loops), ("ahead", guards, self.guards)]
        {
            if found.len() > allowed {
                let count = found.len();
                let list = found.join("\n");
                findings.push(format!(
                    "{self}: {count} conditional jumps {what}, {allowed} allowed\n{list}"
                ));
            }
        }
        findings
    }

    fn may_call(&self, symbol: &str) -> bool {
        // Their time depends only on lengths.
        let copies = matches!(symbol, "memcpy" | "memmove" | "memset");
        // What goes on where a panic, which is counted too, has wiped what it passed.
        let unwinds = symbol == "_Unwind_Resume";
        // The end of the program, after a conditional jump that is counted.
        let core_panics = symbol.contains("4core")
            && ["9panicking", "_fail", "5index"]
                .iter()
                .any(|name| symbol.contains(name));
        let listed = self
            .calls
            .iter()
            .any(|path| parse::matches(symbol, path).is_some());
        copies || unwinds || core_panics || listed
    }
}
