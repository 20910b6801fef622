//! The weight of what is compiled, by the symbols of this very program, which has every operation
//! in it: each crate's code, its large functions, how many times a generic function is there, and
//! how many closures of kernels are functions of their own.
//!
//! `weight.toml` is what they may be, and `release.toml` with `--release`; a test that fails names
//! the line. Where growth is worth it, that line changes with it: `ADAMANT_WEIGHT=print cargo test
//! --workspace --test weight` prints the table anew, with a tenth to spare.

use std::collections::BTreeMap;
use std::fmt::Write;

use adamant_testkit::skipped;
use object::{Object, ObjectSymbol, SymbolKind};
use serde::Deserialize;

const TABLE: &str = match cfg!(debug_assertions) {
    true => include_str!("weight.toml"),
    false => include_str!("release.toml"),
};

/// How many instances a generic may have without a line of its own.
const INSTANCES: usize = 64;

/// The most bytes of a function without a line of its own: half of the smallest cache for
/// instructions that we know on x86-64, and more.
const LARGE: u64 = 24 << 10;

/// What a crate may have.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Weight {
    /// KiB of code.
    text: u64,
    /// KiB by the path of a function, where they are more than [`LARGE`] bytes.
    #[serde(default)]
    large: BTreeMap<String, u64>,
    /// Closures of kernels that did not become part of them: a call for each, with registers that
    /// travel through memory (`simd::from_fn` of `base`).
    #[serde(default)]
    closures: usize,
    /// By the path of a generic, where they are more than [`INSTANCES`].
    #[serde(default)]
    instances: BTreeMap<String, usize>,
}

/// What a crate has, in bytes.
#[derive(Debug, Default)]
struct Crate {
    text: u64,
    closures: usize,
    /// Of functions of one path, the largest.
    large: BTreeMap<String, u64>,
    instances: BTreeMap<String, usize>,
}

/// The crates of ours among functions, given by their paths and sizes.
fn crates<'a>(functions: impl Iterator<Item = (&'a str, u64)>) -> BTreeMap<String, Crate> {
    let mut crates: BTreeMap<String, Crate> = BTreeMap::new();
    for (symbol, size) in functions {
        let name = format!("{:#}", rustc_demangle::demangle(symbol));
        let path = without_arguments(&name);
        let Some(owner) = owner(&path) else {
            continue;
        };
        let owner = crates.entry(owner).or_default();
        owner.text += size;
        if size > LARGE {
            let largest = owner.large.entry(path.clone()).or_default();
            *largest = size.max(*largest);
        }
        owner.closures += usize::from(path.contains("::x86_") && path.contains("{closure"));
        *owner.instances.entry(path).or_default() += 1;
    }
    for owner in crates.values_mut() {
        // A closure is there as often as its function.
        let counted = |path: &str, number| number > INSTANCES && !path.contains('{');
        owner
            .instances
            .retain(|path, number| counted(path, *number));
    }
    crates
}

/// The crate of ours that a path without arguments names: that of the type or, where an
/// implementation is for types of others, of the trait.
fn owner(path: &str) -> Option<String> {
    let of_trait = path.split_once(" as ").map_or("", |(_, of_trait)| of_trait);
    [path.trim_start_matches(['<', '&']), of_trait]
        .into_iter()
        .filter_map(|path| Some(path.split_once("::")?.0))
        .find(|name| {
            name.contains("adamant") && !name.contains(|c: char| !c.is_alphanumeric() && c != '_')
        })
        .map(str::to_owned)
}

/// The path of a function without the arguments of generics: `<a::B<c::D> as e::F>::g::<h::I>` is
/// `<a::B as e::F>::g`.
fn without_arguments(name: &str) -> String {
    let mut path = String::new();
    // For each open angle whether it is that of `<type as trait>`, which stays.
    let mut open: Vec<bool> = vec![];
    let mut before = ' ';
    for c in name.chars() {
        let kept = open.iter().all(|kept| *kept);
        match c {
            '<' => {
                let word = before.is_alphanumeric() || matches!(before, '_' | ':' | '}');
                open.push(!word);
                if kept && word {
                    path.truncate(path.trim_end_matches("::").len());
                }
                if kept && !word {
                    path.push(c);
                }
            }
            // The arrow of a function's type is no angle.
            '>' if before != '-' => {
                let kept = open.iter().all(|kept| *kept);
                open.pop();
                if kept {
                    path.push(c);
                }
            }
            _ if kept => path.push(c),
            _ => {}
        }
        before = c;
    }
    path
}

/// What is heavier than the table has it.
fn findings(crates: &BTreeMap<String, Crate>, table: &BTreeMap<String, Weight>) -> Vec<String> {
    let mut findings = vec![];
    let none = Weight::default();
    for (name, found) in crates {
        let limit = table.get(name).unwrap_or(&none);
        if found.text > limit.text << 10 {
            let (text, limit) = (found.text >> 10, limit.text);
            findings.push(format!("[{name}] text = {limit}: it has {text} KiB"));
        }
        if found.closures > limit.closures {
            let (closures, limit) = (found.closures, limit.closures);
            findings.push(format!(
                "[{name}] closures = {limit}: {closures} of kernels are functions of their own"
            ));
        }
        for (path, size) in &found.large {
            let limit = *limit.large.get(path).unwrap_or(&(LARGE >> 10));
            if *size > limit << 10 {
                let size = size >> 10;
                findings.push(format!(
                    "[{name}.large] {path:?} = {limit}: it has {size} KiB"
                ));
            }
        }
        for (path, number) in &found.instances {
            let limit = *limit.instances.get(path).unwrap_or(&INSTANCES);
            if *number > limit {
                findings.push(format!(
                    "[{name}.instances] {path:?} = {limit}: it is there {number} times"
                ));
            }
        }
    }
    findings
}

/// The table of these crates, with a tenth to spare.
fn print(crates: &BTreeMap<String, Crate>) -> String {
    let spared = |bytes: u64| (bytes * 11 / 10).div_ceil(1 << 10);
    let mut table = String::new();
    for (name, found) in crates {
        let text = spared(found.text);
        let _ = writeln!(table, "\n[{name}]\ntext = {text}");
        if found.closures > 0 {
            let _ = writeln!(table, "closures = {}", found.closures);
        }
        if !found.large.is_empty() {
            let _ = writeln!(table, "[{name}.large]");
        }
        for (path, size) in &found.large {
            let _ = writeln!(table, "{path:?} = {}", spared(*size));
        }
        if !found.instances.is_empty() {
            let _ = writeln!(table, "[{name}.instances]");
        }
        for (path, number) in &found.instances {
            let _ = writeln!(table, "{path:?} = {number}");
        }
    }
    table
}

#[test]
fn nothing_grows_unseen() {
    // This brings every operation into the program.
    assert!(!adamant_ops::registry().is_empty());
    let table: BTreeMap<String, Weight> = toml::from_str(TABLE).expect("the table");
    let program = std::env::current_exe().and_then(std::fs::read);
    let program = program.expect("this program");
    let file = match object::File::parse(&*program) {
        Ok(file) if cfg!(target_arch = "x86_64") => file,
        _ => {
            let why = "the table is of ELF programs on x86-64";
            skipped("weight", why, "ADAMANT_REQUIRE_WEIGHT");
            return;
        }
    };
    let functions = file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    let functions =
        functions.filter_map(|symbol| Some((symbol.name().ok()?, symbol.address(), symbol.size())));
    let mut functions: Vec<_> = functions.collect();
    // Equal functions that were merged are there once.
    functions.sort_by_key(|&(_, address, _)| address);
    functions.dedup_by_key(|&mut (_, address, _)| address);
    let crates = crates(functions.into_iter().map(|(name, _, size)| (name, size)));
    if std::env::var_os("ADAMANT_WEIGHT").is_some_and(|value| value == "print") {
        println!("{}", print(&crates));
        return;
    }
    assert!(
        crates.contains_key("adamant_ec"),
        "symbols are those of rustc"
    );
    let findings = findings(&crates, &table);
    assert!(
        findings.is_empty(),
        "heavier than the table in crates/ops/tests/weight allows; make it lighter, or change the \
         line and say in the commit what for (ADAMANT_WEIGHT=print prints all):\n{}",
        findings.join("\n")
    );
}

#[test]
fn growth_is_found() {
    let symbol = "_RINvNtCs1_9adamant_a4hash3runhE";
    let other = "_RINvNtCs1_9adamant_a4hash3runtE";
    let functions = (0..70).map(|i| {
        if i % 2 == 0 {
            (symbol, 30 << 10)
        } else {
            (other, 100)
        }
    });
    let crates = crates(functions.chain([("memcpy", 1 << 20)]));
    let weight = |text, large, number| {
        let path = || "adamant_a::hash::run".to_owned();
        let weight = Weight {
            text,
            large: BTreeMap::from([(path(), large)]),
            closures: 0,
            instances: BTreeMap::from([(path(), number)]),
        };
        findings(&crates, &BTreeMap::from([("adamant_a".to_owned(), weight)]))
    };
    assert_eq!(weight(1054, 30, 70), [""; 0]);
    for (found, part) in [
        (weight(1053, 30, 70), "text = 1053: it has 1053 KiB"),
        (
            weight(1054, 29, 70),
            "\"adamant_a::hash::run\" = 29: it has 30 KiB",
        ),
        (weight(1054, 30, 69), "= 69: it is there 70 times"),
    ] {
        assert!(found.len() == 1 && found[0].contains(part), "{found:?}");
    }
    assert_eq!(findings(&crates, &BTreeMap::new()).len(), 3);
    let table: BTreeMap<String, Weight> = toml::from_str(&print(&crates)).expect("a table");
    assert_eq!(findings(&crates, &table), [""; 0]);
}

#[test]
fn closures_of_kernels_are_counted() {
    // adamant_a::x86_b::run::{closure#0}, and one of no kernel.
    let names = [
        "_RNCNvNtCs1_9adamant_a5x86_b3run0B5_",
        "_RNCNvCs1_9adamant_a3run0B3_",
    ];
    let crates = crates(names.into_iter().map(|name| (name, 8)));
    assert_eq!(crates["adamant_a"].closures, 1, "{crates:?}");
    let none = toml::from_str("[adamant_a]\ntext = 1").expect("a table");
    assert_eq!(findings(&crates, &none).len(), 1);
    let printed = toml::from_str(&print(&crates)).expect("a table");
    assert_eq!(findings(&crates, &printed), [""; 0]);
}

#[test]
fn a_path_has_an_owner() {
    for (path, name) in [
        ("adamant_a::b::c", Some("adamant_a")),
        (
            "<&adamant_a::B as core::fmt::Debug>::fmt",
            Some("adamant_a"),
        ),
        ("<[T] as adamant_a::B>::c", Some("adamant_a")),
        ("<[adamant_a::B]>::iter", None),
        ("core::fmt::write", None),
    ] {
        assert_eq!(owner(path).as_deref(), name);
    }
}

#[test]
fn arguments_of_generics_are_left_out() {
    for (name, path) in [
        ("a::b", "a::b"),
        ("a::b::<c::D<e::F>>", "a::b"),
        ("a::b::<fn(u8) -> u8>::{closure#0}", "a::b::{closure#0}"),
        ("<a::B<c::D> as e::F<g::H>>::i::<j::K>", "<a::B as e::F>::i"),
        ("<a::B<c::D>>::new", "<a::B>::new"),
        ("<&a::B<4> as e::F>::i", "<&a::B as e::F>::i"),
    ] {
        assert_eq!(without_arguments(name), path);
    }
}
