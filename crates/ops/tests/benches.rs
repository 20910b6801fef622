//! Every operation has a target among the criterion benches, and every target has operations.

#[path = "../benches/common/targets.rs"]
mod targets;

use adamant_ops::registry;

#[test]
fn every_operation_has_a_target() {
    let mut used = vec![false; targets::TARGETS.len()];
    for op in registry() {
        let fits = |patterns: &[&str]| {
            patterns
                .iter()
                .any(|p| adamant_tool::select::matches(p, op.name()))
        };
        let target = targets::TARGETS
            .iter()
            .position(|(_, patterns)| fits(patterns));
        let name = op.name();
        let target = target.unwrap_or_else(|| {
            panic!("{name}: add it to benches/common/targets.rs, or a target for its family")
        });
        used[target] = true;
    }
    for ((name, _), used) in targets::TARGETS.iter().zip(used) {
        assert!(used, "{name} has no operations");
    }
}

#[test]
fn every_target_is_built() {
    let manifest = include_str!("../Cargo.toml");
    for (name, _) in targets::TARGETS {
        let entry = format!("[[bench]]\nname = \"{name}\"\nharness = false\n");
        assert!(manifest.contains(&entry), "{name} is missing in Cargo.toml");
        let file = format!("{}/benches/{name}.rs", env!("CARGO_MANIFEST_DIR"));
        let source = std::fs::read_to_string(file).unwrap();
        assert!(
            source.contains(&format!("common::run(\"{name}\")")),
            "{name}"
        );
    }
    assert_eq!(
        manifest.matches("[[bench]]").count(),
        targets::TARGETS.len()
    );
}
