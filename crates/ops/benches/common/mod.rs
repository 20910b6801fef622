//! Criterion over the operations of one target, on the implementation that this CPU gets.
//!
//! A benchmark is named for its operation and, where there are several, the bytes and the batch:
//! `sha256/digest/64`, `sha256/digest_batch/64x1024`. So a filter is the start of a name:
//! `cargo bench ed25519/sign`.

mod targets;

use std::time::Duration;

use adamant_ops::{Operation, Size, registry, select, time};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};

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
    let mut ops = registry();
    ops.retain(|op| {
        let fits = |patterns: &[&str]| patterns.iter().any(|p| select::matches(p, op.name()));
        let of = targets::TARGETS.iter().find(|(_, patterns)| fits(patterns));
        of.is_some_and(|(name, _)| *name == target)
    });
    for of_one in ops.chunk_by(|a, b| a.algorithm() == b.algorithm()) {
        let mut group = criterion.benchmark_group(of_one[0].algorithm());
        for op in of_one {
            operation(&mut group, op.as_ref());
        }
        group.finish();
    }
    criterion.final_summary();
}

fn operation(group: &mut BenchmarkGroup<'_, WallTime>, op: &dyn Operation) {
    for size in op.sizes(None, &[BATCH]) {
        let (bytes, batch) = (size.bytes as u64, size.batch as u64);
        group.throughput(if bytes > 0 {
            Throughput::Bytes(bytes * batch)
        } else {
            Throughput::Elements(batch)
        });
        // Inputs are made only for what the filter lets through.
        let mut prepared = None;
        group.bench_function(id(op, size), |bencher| {
            let prepared = prepared.get_or_insert_with(|| {
                let prepared = op.prepare(size, &op.inputs(size), None);
                prepared.unwrap_or_else(|e| panic!("{}: {e}", op.name()))
            });
            bencher.iter_custom(|iterations| time(prepared.as_mut(), iterations));
        });
    }
}

/// What follows the algorithm in the name of a benchmark.
fn id(op: &dyn Operation, size: Size) -> String {
    let algorithm = format!("{}/", op.algorithm());
    let operation = op.name().strip_prefix(&algorithm).unwrap_or_default();
    match (op.is_batch(), size.bytes) {
        (true, 0) => format!("{operation}/{}", size.batch),
        (true, bytes) => format!("{operation}/{}x{bytes}", size.batch),
        (false, 0) => operation.to_owned(),
        (false, bytes) => format!("{operation}/{bytes}"),
    }
}
