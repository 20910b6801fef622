//! Every operation runs once on every implementation that this CPU has, and judges its outputs;
//! wrong ones are refused.
//!
//! The slow ones ([`select::is_slow`]) are in the tests that are ignored, and so are signatures and keys
//! of SLH-DSA and keys of RSA on other implementations than the best.

use std::collections::BTreeSet;

use adamant_ops::{Effort, Item, Length, Operation, Size, measure, registry, select};

/// A small size of each kind: one item, or a batch with an odd end.
fn size(op: &dyn Operation) -> Size {
    Size {
        bytes: if op.length() == Length::None { 0 } else { 100 },
        batch: if op.is_batch() { 3 } else { 1 },
    }
}

/// The operation's inputs, with the costs of a password hash at the lowest.
fn inputs(op: &dyn Operation, size: Size) -> Vec<Item> {
    let mut items = op.inputs(size);
    for item in &mut items {
        for (cost, low) in [("iterations", 3u32), ("n", 4), ("memory", 8)] {
            if let Some(number) = item.get_mut(cost) {
                *number = low.to_be_bytes().to_vec();
            }
        }
    }
    items
}

/// Operations, either quick or slow.
fn operations(slow: bool) -> impl Iterator<Item = Box<dyn Operation>> {
    let registry = registry().into_iter();
    registry.filter(move |op| select::is_slow(op.name()) == slow)
}

#[test]
fn every_operation_runs_on_every_implementation() {
    for op in operations(false) {
        let one = takes_long(op.as_ref());
        runs_on_implementations(op.as_ref(), if one { 1 } else { usize::MAX });
    }
}

fn takes_long(op: &dyn Operation) -> bool {
    let mut all = ["slh-dsa-*/sign*", "slh-dsa-*/keygen*", "rsa-*/keygen*"].into_iter();
    all.any(|pattern| adamant_tool::select::matches(pattern, op.name()))
}

#[test]
#[ignore = "minutes: cargo test -p adamant-ops --test suites smoke -- --ignored"]
fn every_slow_operation_runs_on_every_implementation() {
    let quick = operations(false).filter(|op| takes_long(op.as_ref()));
    for op in operations(true).chain(quick) {
        runs_on_implementations(op.as_ref(), usize::MAX);
    }
}

/// On the best `most` implementations that this CPU has.
fn runs_on_implementations(op: &dyn Operation, most: usize) {
    let name = op.name();
    let size = size(op);
    let inputs = inputs(op, size);
    assert_eq!(inputs.len(), size.batch, "{name}");
    assert_eq!(
        inputs,
        self::inputs(op, size),
        "{name}: inputs are the same at each call"
    );
    let available = op
        .implementations()
        .into_iter()
        .filter(|i| i.is_available())
        .take(most);
    let mut ran = 0;
    for implementation in available {
        let backend = implementation.name;
        let mut prepared = op.prepare(size, &inputs, Some(backend)).unwrap();
        assert_eq!(prepared.backend(), backend, "{name}");
        prepared.run(1);
        let outputs = prepared.outputs();
        op.judge(size, &inputs, &outputs)
            .unwrap_or_else(|e| panic!("{name} on {backend}: {e}"));
        ran += 1;
    }
    assert!(ran > 0, "{name} has no implementation for this CPU");
}

#[test]
fn wrong_outputs_are_refused() {
    operations(false).for_each(|op| refuses_wrong_outputs(op.as_ref()));
}

#[test]
#[ignore = "minutes: cargo test -p adamant-ops --test suites smoke -- --ignored"]
fn wrong_outputs_of_slow_operations_are_refused() {
    operations(true).for_each(|op| refuses_wrong_outputs(op.as_ref()));
}

fn refuses_wrong_outputs(op: &dyn Operation) {
    let name = op.name();
    let size = size(op);
    let inputs = inputs(op, size);
    let outputs = op.prepare(size, &inputs, None).unwrap().outputs();
    let refused = |outputs: &[Item], what: &str| {
        assert!(op.judge(size, &inputs, outputs).is_err(), "{name}: {what}");
    };
    refused(&outputs[1..], "an item too few");
    for field in outputs[size.batch - 1].keys() {
        let with = |change: &dyn Fn(&mut Item)| {
            let mut changed = outputs.clone();
            change(&mut changed[size.batch - 1]);
            changed
        };
        let without = with(&|item| {
            item.remove(field);
        });
        // Some libraries keep no seed of a key, and some nothing else.
        let lattice = adamant_tool::select::matches("ml-*/keygen*", name);
        if field == "seed" || (field == "private_key" && lattice) {
            assert_eq!(op.judge(size, &inputs, &without), Ok(()), "{name}");
        } else {
            refused(&without, "a field is missing");
        }
        let value = &outputs[size.batch - 1][field];
        for at in [0, value.len() / 2, value.len() - 1] {
            refused(
                &with(&|item| item.get_mut(field).unwrap()[at] ^= 0x10),
                &format!("byte {at} of {field} is changed"),
            );
        }
        refused(
            &with(&|item| item.get_mut(field).unwrap().push(0)),
            &format!("a byte after {field}"),
        );
    }
}

#[test]
fn names_are_what_they_say() {
    let registry = registry();
    let names: BTreeSet<_> = registry.iter().map(|op| op.name()).collect();
    assert_eq!(names.len(), registry.len(), "each name once");
    for op in &registry {
        let name = op.name();
        assert_eq!(name.split('/').count(), 2, "{name}");
        let is_msm = name.ends_with("/msm") || name.ends_with("/msm-vartime");
        assert_eq!(op.is_batch(), name.ends_with("_batch") || is_msm, "{name}");
        let has_length = op.length() != Length::None;
        assert_eq!(op.default_bytes() != [0], has_length, "{name}");
        assert_eq!(
            op.sizes(Some(&[7, 8]), &[2]).len(),
            if has_length { 2 } else { 1 }
        );
    }
}

#[test]
fn the_catalog_has_the_algorithms() {
    // The pipeline is above the catalog.
    let primitives = registry().into_iter().filter(|op| op.algorithm() != "pki");
    for op in primitives {
        let algorithm = adamant::catalog::find(op.algorithm());
        let algorithm = algorithm.unwrap_or_else(|| panic!("no row for {}", op.name()));
        if op.is_batch() {
            continue; // A batch may have a table of its own.
        }
        let known = algorithm.implementations();
        for i in op.implementations() {
            assert!(known.contains(&i), "{}: {}", op.name(), i.name);
        }
    }
}

#[test]
fn wrong_implementations_are_named() {
    for op in registry() {
        let size = size(op.as_ref());
        // What is in them is not looked at.
        let inputs = vec![Item::new(); size.batch];
        let error = op.prepare(size, &inputs, Some("abacus")).err().unwrap();
        assert!(error.contains("abacus"), "{error}");
        let error = op.prepare(size, &inputs[1..], None).err().unwrap();
        assert!(error.contains("items"), "{error}");
        for i in op.implementations().iter().filter(|i| !i.is_available()) {
            let error = op.prepare(size, &inputs, Some(i.name)).err().unwrap();
            assert!(error.contains("lacks"), "{error}");
        }
    }
}

#[test]
fn a_measurement_is_the_line_of_the_documentation() {
    let registry = registry();
    let op = registry
        .iter()
        .find(|op| op.name() == "sha256/digest_batch")
        .unwrap();
    let size = Size {
        bytes: 64,
        batch: 5,
    };
    let row = measure(op.as_ref(), size, None, Effort::Iterations(20)).unwrap();
    let line = serde_json::to_string(&row).unwrap();
    assert!(
        line.starts_with(r#"{"op":"sha256/digest_batch","bytes":64,"batch":5,"backend":""#),
        "{line}"
    );
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let ns = value["ns_per_op"].as_f64().unwrap();
    assert!(ns > 0.0);
    // Microseconds carry two digits.
    assert!((value["ops_per_s"].as_f64().unwrap() * ns / 1e9 - 1.0).abs() < 0.11);
    assert!((value["mb_per_s"].as_f64().unwrap() * ns / 64e3 - 1.0).abs() < 0.11);
    assert!(value["spread"].as_f64().unwrap() >= 0.0);
}
