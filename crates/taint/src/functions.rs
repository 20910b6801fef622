//! The functions of the running program, by its table of symbols.

use crate::machine::exit_address;
use crate::translate::decode;
use object::{File, Object, ObjectSymbol, SymbolKind};
use std::path::Path;

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
    functions_of(Path::new("/proc/self/exe"), |file| {
        let exit = file
            .symbols()
            .find(|s| s.name() == Ok("adamant_taint_exit"));
        exit_address().wrapping_sub(exit.map_or(0, |symbol| symbol.address()))
    })
}

/// The functions of a program, which is so much above the addresses of its file.
pub(crate) fn functions_of(path: &Path, moved: impl FnOnce(&File<'_>) -> u64) -> Vec<Function> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let Ok(file) = File::parse(&*bytes) else {
        return vec![];
    };
    let moved = moved(&file);
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
