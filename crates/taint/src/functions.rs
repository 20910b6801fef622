//! The functions of the running program, by its table of symbols.

use crate::machine::exit_address;
use crate::translate::decode;
use object::{Object, ObjectSymbol, SymbolKind};

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    /// Where it begins.
    pub address: u64,
    /// Its length.
    pub size: u64,
    /// Its symbol.
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
            name: symbol.name().ok()?.to_owned(),
        })
    });
    let mut functions: Vec<_> = functions.collect();
    functions.sort();
    functions
}

impl Function {
    /// The addresses of its instructions that need such a CPU feature, which has the compiler's name.
    #[must_use]
    pub fn instructions(&self, is_needed: impl Fn(&str) -> bool) -> Vec<u64> {
        let (mut ip, end) = (self.address, self.address + self.size);
        let mut found = vec![];
        while ip < end {
            let line = decode(ip);
            let features = line.cpuid_features().iter();
            let mut names = features.map(|f| format!("{f:?}").to_lowercase().replace('_', ""));
            if names.any(|name| is_needed(&name)) {
                found.push(ip);
            }
            ip = line.next_ip();
        }
        found
    }
}
