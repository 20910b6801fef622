//! Criterion over the operations of one target, on the implementation that this CPU gets.
//!
//! A benchmark is named for its operation and, where there are several, the bytes and the batch:
//! `sha256/digest/64`, `sha256/digest_batch/64x1024`. So a filter is the start of a name:
//! `cargo bench ed25519/sign`.
//!
//! Every target begins with what measuring costs: `empty/run` is the loop around an operation,
//! `empty/call` a loop of one iteration with the calls that lead to it.

mod targets;

use std::hint::black_box;
use std::time::Duration;

use adamant_ops::{Operation, Size, empty, registry, time};
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
        let fits = |patterns: &[&str]| {
            patterns
                .iter()
                .any(|p| adamant_tool::select::matches(p, op.name()))
        };
        let of = targets::TARGETS.iter().find(|(_, patterns)| fits(patterns));
        of.is_some_and(|(name, _)| *name == target)
    });
    cost(&mut criterion);
    for of_one in ops.chunk_by(|a, b| a.algorithm() == b.algorithm()) {
        let mut group = criterion.benchmark_group(of_one[0].algorithm());
        for op in of_one {
            operation(&mut group, op.as_ref());
        }
        group.finish();
    }
    criterion.final_summary();
}

fn cost(criterion: &mut Criterion) {
    let (op, size) = (empty(), Size { bytes: 0, batch: 1 });
    let mut group = criterion.benchmark_group(op.algorithm());
    operation(&mut group, op.as_ref());
    let prepared = op.prepare(size, &op.inputs(size), None);
    let mut prepared = prepared.expect("nothing to prepare");
    group.bench_function("call", |bencher| {
        bencher.iter(|| black_box(prepared.as_mut()).run(1));
    });
    group.finish();
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
