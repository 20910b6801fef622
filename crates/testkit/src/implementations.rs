//! Runs a test on every implementation of an operation that this CPU can run.
//!
//! A CPU without some feature skips the implementations that need it, which a green test run does
//! not show. The environment variable `ADAMANT_REQUIRE` names those that must be there: a list of
//! implementations (`ADAMANT_REQUIRE=x86_sha,x86_avx2`) or `all`. Where a table has a row of that
//! name and this CPU cannot run it, the test fails.

use crate::skipped;
use adamant_base::Implementation;
use adamant_base::cpu::{Features, profile};
use core::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The [`Table`] of a `Backend` type made by [`adamant_base::backends!`].
///
/// ```
/// # mod double {
/// #     adamant_base::backends! {
/// #         /// Doubles.
/// #         pub struct Backend {
/// #             /// `2x`.
/// #             fn double(x: u32) -> u32;
/// #         }
/// #         _ => portable;
/// #     }
/// #     mod portable { pub fn double(x: u32) -> u32 { x + x } }
/// # }
/// use adamant_testkit::table;
/// table!(double::Backend).for_each(|backend| assert_eq!(backend.double(3), 6));
/// ```
#[macro_export]
macro_rules! table {
    ($backend:ty) => {
        $crate::Table::new(
            <$backend>::available(),
            <$backend>::implementations(),
            <$backend>::portable(),
        )
    };
}

/// Checks what CPUs of recorded profiles ([`adamant_base::cpu::PROFILES`]) get: pairs of a profile
/// and the name of the implementation. Those of another architecture, whose rows are not compiled
/// in, are passed over; where none is left the check is [skipped], unless
/// `ADAMANT_REQUIRE_ROWS=1`.
///
/// # Panics
/// When another implementation is chosen, and on an unknown profile.
pub fn check_choices(
    best_for: impl Fn(Features) -> &'static Implementation,
    choices: &[(&str, &str)],
) {
    check_each_choice(&|features| best_for(features).name, choices);
}

fn check_each_choice(best_for: &dyn Fn(Features) -> &'static str, choices: &[(&str, &str)]) {
    assert!(!choices.is_empty());
    let mut checked = 0;
    for (cpu, name) in choices {
        let features = profile(cpu).expect("a recorded profile");
        if is_of_this_architecture(features) {
            assert_eq!(best_for(features), *name, "{cpu}");
            checked += 1;
        }
    }
    if checked == 0 {
        let why = "recorded are CPUs of other architectures";
        skipped("the choice of implementations", why, REQUIREMENT);
    }
}

/// What makes tests fail that have nothing to compare.
const REQUIREMENT: &str = "ADAMANT_REQUIRE_ROWS";

/// Whether a CPU of this recorded profile runs what is compiled here. The profile without features
/// counts to x86-64, which has every row: what is portable there may be narrow elsewhere.
fn is_of_this_architecture(profile: Features) -> bool {
    let architecture = if profile.has("neon") {
        "aarch64"
    } else if profile.has("power8-crypto") {
        "powerpc64"
    } else {
        "x86_64"
    };
    std::env::consts::ARCH == architecture
}

/// The implementations of one operation, as [`table!`](crate::table) collects them.
#[derive(Debug)]
pub struct Table<B> {
    available: Vec<B>,
    /// What `available` print as, in the same order.
    names: Vec<String>,
    portable: B,
}

impl<B: Copy + Debug> Table<B> {
    /// The table of what can run here and of all that is compiled in, both best first, and the
    /// portable implementation, which the others are compared with.
    ///
    /// # Panics
    /// When `ADAMANT_REQUIRE` asks for an implementation that cannot run here.
    pub fn new(
        available: impl IntoIterator<Item = B>,
        implementations: impl IntoIterator<Item = &'static Implementation>,
        portable: B,
    ) -> Self {
        let required = std::env::var("ADAMANT_REQUIRE").unwrap_or_default();
        Self::requiring(&required, available, implementations, portable)
    }

    fn requiring(
        required: &str,
        available: impl IntoIterator<Item = B>,
        implementations: impl IntoIterator<Item = &'static Implementation>,
        portable: B,
    ) -> Self {
        let available: Vec<B> = available.into_iter().collect();
        let names: Vec<String> = available.iter().map(|b| format!("{b:?}")).collect();
        check_required(required, &names, &mut implementations.into_iter());
        Table {
            available,
            names,
            portable,
        }
    }

    /// The portable implementation.
    #[must_use]
    pub fn portable(&self) -> B {
        self.portable
    }

    /// Runs `test` on each implementation available here, best first.
    ///
    /// # Panics
    /// When `test` does; the message then names the implementation.
    pub fn for_each(&self, mut test: impl FnMut(B)) {
        for_each(&self.names, &mut |i| test(self.available[i]));
    }

    /// Runs `test(backend, portable)` on each implementation but the portable one. Where that is
    /// alone the test is [skipped], unless `ADAMANT_REQUIRE_ROWS=1`.
    ///
    /// # Panics
    /// When `test` does; the message then names the implementation.
    pub fn against_portable(&self, mut test: impl FnMut(B, B)) {
        for_each_but(&self.names, &self.portable, &mut |i| {
            test(self.available[i], self.portable);
        });
    }
}

/// Whether a row is there to be small, or for narrower words than this CPU's, so that everything
/// takes many times as long.
#[must_use]
pub fn is_slow(row: &Implementation) -> bool {
    let slow: &[&str] = match cfg!(target_pointer_width = "64") {
        true => &["portable32", "portable16", "bignum32", "bignum16", "small"],
        false => &["portable16", "bignum16", "small"],
    };
    slow.contains(&row.name)
}

/// Whether tests take the time for all cases: `ADAMANT_FULL=1`, as in `.ci/deep`.
#[must_use]
pub fn is_full() -> bool {
    std::env::var_os("ADAMANT_FULL").is_some_and(|full| full == "1")
}

/// The cases that a row is tested on: all, but every eleventh on [slow](is_slow) rows, unless the
/// tests are [full](is_full).
///
/// ```
/// # mod double {
/// #     adamant_base::backends! {
/// #         /// Doubles.
/// #         pub struct Backend {
/// #             /// `2x`.
/// #             fn double(x: u32) -> u32;
/// #         }
/// #         portable16 if [];
/// #         _ => portable;
/// #     }
/// #     mod portable { pub fn double(x: u32) -> u32 { x + x } }
/// #     mod portable16 { pub fn double(x: u32) -> u32 { x + x } }
/// # }
/// use adamant_testkit::share;
/// let rows: Vec<_> = double::Backend::implementations().collect();
/// let (slow, portable) = (rows[0], rows[1]);
/// assert_eq!(share(portable, 0..12).count(), 12);
/// # if std::env::var_os("ADAMANT_FULL").is_none() {
/// assert!(share(slow, 0..12).eq([0, 11]));
/// # }
/// ```
pub fn share<T>(
    row: &Implementation,
    cases: impl IntoIterator<Item = T>,
) -> impl Iterator<Item = T> {
    let all = !is_slow(row) || is_full();
    cases.into_iter().step_by(if all { 1 } else { 11 })
}

// What tables do by the numbers of their rows, compiled once for all tests.

fn check_required(
    required: &str,
    names: &[String],
    implementations: &mut dyn Iterator<Item = &'static Implementation>,
) {
    assert!(!names.is_empty(), "a table without implementations");
    let missing: Vec<&str> = implementations
        .map(|i| i.name)
        .filter(|name| !names.iter().any(|run| run == name))
        .filter(|name| {
            required
                .split(',')
                .any(|r| matches!(r.trim(), "all") || r.trim() == *name)
        })
        .collect();
    assert!(
        missing.is_empty(),
        "required by ADAMANT_REQUIRE, but this CPU cannot run: {missing:?}"
    );
}

fn for_each(names: &[String], test: &mut dyn FnMut(usize)) {
    for (i, name) in names.iter().enumerate() {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| test(i))) {
            panic!("implementation {name}: {}", panic_message(&*payload));
        }
    }
}

fn for_each_but(names: &[String], portable: &dyn Debug, test: &mut dyn FnMut(usize)) {
    let portable = format!("{portable:?}");
    let mut compared = 0;
    for_each(names, &mut |i| {
        if names[i] != portable {
            test(i);
            compared += 1;
        }
    });
    if compared == 0 {
        let what = "comparison of implementations";
        skipped(what, &format!("{portable} is alone"), REQUIREMENT);
    }
}

/// What a caught panic said.
pub(crate) fn panic_message(payload: &(dyn core::any::Any + Send)) -> &str {
    let literal = payload.downcast_ref::<&str>().copied();
    let formatted = payload.downcast_ref::<String>().map(String::as_str);
    literal.or(formatted).unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn row(name: &'static str) -> Implementation {
        Implementation::new(name, Features::NONE)
    }
    static ROWS: [Implementation; 3] = [row("fast"), row("medium"), row("portable")];

    /// Stands in for a backend: prints as its name.
    #[derive(Clone, Copy, PartialEq)]
    struct Name(&'static str);
    impl Debug for Name {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str(self.0)
        }
    }

    fn table(required: &str, available: &[&'static str]) -> Table<Name> {
        let available = available.iter().copied().map(Name);
        Table::requiring(required, available, &ROWS, Name("portable"))
    }

    fn panic_of(f: impl FnOnce()) -> String {
        let payload = catch_unwind(AssertUnwindSafe(f)).unwrap_err();
        panic_message(&*payload).to_string()
    }

    #[test]
    fn every_available_one_runs_best_first() {
        let mut seen = Vec::new();
        table("", &["medium", "portable"]).for_each(|b| seen.push(b.0));
        assert_eq!(seen, ["medium", "portable"]);
        let mut pairs = Vec::new();
        // After the portable one, there may be others that need no features.
        table("", &["fast", "medium", "portable", "narrow"])
            .against_portable(|b, p| pairs.push((b.0, p.0)));
        let others = ["fast", "medium", "narrow"];
        assert_eq!(pairs, others.map(|name| (name, "portable")));
    }

    #[test]
    fn a_failure_names_the_implementation() {
        let message = panic_of(|| {
            table("", &["medium", "portable"]).for_each(|b| assert_eq!(b.0, "medium", "wrong"));
        });
        assert!(
            message.starts_with("implementation portable: "),
            "{message}"
        );
        assert!(message.contains("wrong"), "{message}");
    }

    #[test]
    fn a_required_implementation_is_not_skipped() {
        let here = ["medium", "portable"];
        assert_eq!(
            table("medium,other-table", &here).portable(),
            Name("portable")
        );
        for required in ["fast", "medium, fast", "all"] {
            let message = panic_of(|| drop(table(required, &here)));
            assert!(message.contains("[\"fast\"]"), "{message}");
        }
        table("all", &["fast", "medium", "portable"]);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_wrong_choice_is_told() {
        let best_for = |features: Features| &ROWS[if features.has("avx2") { 0 } else { 2 }];
        check_choices(best_for, &[("westmere", "portable"), ("haswell", "fast")]);
        let message = panic_of(|| check_choices(best_for, &[("zen4", "portable")]));
        assert!(message.contains("zen4"), "{message}");
    }

    #[test]
    fn choices_of_another_architecture_are_passed_over() {
        for (name, features) in adamant_base::cpu::PROFILES {
            let architecture = match *name {
                "armv8" | "cortex-a72" | "neoverse-n1" | "apple-m1" | "neoverse-v1" => "aarch64",
                "power8" => "powerpc64",
                _ => "x86_64",
            };
            let here = architecture == std::env::consts::ARCH;
            assert_eq!(is_of_this_architecture(*features), here, "{name}");
        }
    }
}
