//! Criterion over the operations of one target, on the implementation that this CPU gets.
//!
//! A benchmark is named for its operation and, where there are several, the bytes and the batch:
//! `sha256/digest/64`, `sha256/digest_batch/64x1024`. So a filter is the start of a name:
//! `cargo bench ed25519/sign`.

mod targets;

use std::time::Duration;

use adamant_ops::{Operation, Size, registry, select, time};
use criterion::{Criterion, Throughput};

/// Items at once, for batch operations.
const BATCH: usize = 64;

/// Measures every operation of a target.
pub(crate) fn run(target: &str) {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20)
        .configure_from_args();
    adamant_ops::pin();
    for op in registry() {
        let fits = |patterns: &[&str]| patterns.iter().any(|p| select::matches(p, op.name()));
        let of = targets::TARGETS.iter().find(|(_, patterns)| fits(patterns));
        if of.is_some_and(|(name, _)| *name == target) {
            operation(&mut criterion, op.as_ref());
        }
    }
    criterion.final_summary();
}

fn operation(criterion: &mut Criterion, op: &dyn Operation) {
    let mut group = criterion.benchmark_group(op.name());
    for size in op.sizes(None, &[BATCH]) {
        let (bytes, batch) = (size.bytes as u64, size.batch as u64);
        group.throughput(if bytes > 0 {
            Throughput::Bytes(bytes * batch)
        } else {
            Throughput::Elements(batch)
        });
        // Inputs are made only for what the filter lets through.
        let mut prepared = None;
        group.bench_function(parameter(op, size), |bencher| {
            let prepared = prepared.get_or_insert_with(|| {
                let prepared = op.prepare(size, &op.inputs(size), None);
                prepared.unwrap_or_else(|e| panic!("{}: {e}", op.name()))
            });
            bencher.iter_custom(|iterations| time(prepared.as_mut(), iterations));
        });
    }
    group.finish();
}

fn parameter(op: &dyn Operation, size: Size) -> String {
    match (op.is_batch(), size.bytes) {
        (true, 0) => size.batch.to_string(),
        (true, bytes) => format!("{}x{bytes}", size.batch),
        (false, bytes) => bytes.to_string(),
    }
}
