//! The facade stays light: what it brings into a user's build is counted.

use std::collections::BTreeSet;
use std::process::Command;

/// Crates in the default tree, this one included.
const LIMIT: usize = 16;

#[test]
fn the_dependency_tree_stays_small() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "-p", "adamant", "-e", "normal", "--prefix", "none"])
        .args(["--format", "{p}", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    let output = match output {
        Ok(output) if output.status.success() => output,
        Ok(output) => {
            println!("not counted: {}", String::from_utf8_lossy(&output.stderr));
            return;
        }
        Err(e) => {
            println!("not counted: cargo does not run: {e}");
            return;
        }
    };
    let text = String::from_utf8_lossy(&output.stdout);
    // A crate that was listed before has a mark after its name.
    let name = |line: &str| line.split(' ').next().map(str::to_owned);
    let crates: BTreeSet<_> = text
        .lines()
        .filter_map(name)
        .filter(|n| !n.is_empty())
        .collect();
    assert!(crates.contains("adamant"), "{text}");
    assert!(crates.len() <= LIMIT, "{} crates: {crates:?}", crates.len());
}
