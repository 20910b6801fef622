//! The functions of the running program, by its table of symbols.

use crate::machine::exit_address;
use crate::translate::decode;
use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeSet;

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    /// Where it begins.
    pub address: u64,
    /// Its length.
    pub size: u64,
    /// Its path, without generic arguments; its symbol where the path is of several.
    pub name: String,
}

/// The functions of this program, by address; none without a table.
#[must_use]
pub fn functions() -> Vec<Function> {
    let bytes = std::fs::read("/proc/self/exe").unwrap_or_default();
    let Ok(file) = object::File::parse(&*bytes) else {
        return vec![];
    };
    let exit = file
        .symbols()
        .find(|s| s.name() == Ok("adamant_taint_exit"));
    let moved = exit_address().wrapping_sub(exit.map_or(0, |symbol| symbol.address()));
    let symbols = file
        .symbols()
        .filter(|s| s.kind() == SymbolKind::Text && s.size() > 0);
    let functions = symbols.filter_map(|symbol| {
        let address = symbol.address().wrapping_add(moved);
        Some(Function {
            address,
            size: symbol.size(),
            name: path(symbol.name().ok()?),
        })
    });
    let mut functions: Vec<_> = functions.collect();
    functions.sort();
    functions
}

/// The path that a symbol names: `sha256::x86_sha::compress`, of whatever crate and types.
fn path(symbol: &str) -> String {
    // Rows of a table.
    if symbol.contains("4ROWS") {
        return symbol.to_owned();
    }
    let name = format!("{:#}", rustc_demangle::demangle(symbol));
    let (mut path, mut depth) = (String::new(), 0);
    for (at, c) in name.char_indices() {
        match c {
            // A method's path begins with its type's.
            '<' if at > 0 => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => path.push(c),
            _ => {}
        }
    }
    path.replace("::::", "::").trim_end_matches("::").to_owned()
}

impl Function {
    /// The CPU features that its instructions need, in the compiler's words.
    #[must_use]
    pub fn features(&self) -> BTreeSet<String> {
        let (mut ip, end) = (self.address, self.address + self.size);
        let mut names = BTreeSet::new();
        while ip < end {
            let line = decode(ip);
            ip = line.next_ip();
            let features = line.cpuid_features().iter();
            names.extend(features.map(|f| format!("{f:?}").to_lowercase().replace('_', "")));
        }
        names
    }
}
