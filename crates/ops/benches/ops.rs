//! Criterion benches of every operation, on the implementation that this CPU gets.

use std::time::Duration;

use adamant_ops::{registry, time};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn operations(criterion: &mut Criterion) {
    adamant_ops::pin();
    for op in registry() {
        let mut group = criterion.benchmark_group(op.name().replace('/', "."));
        for size in op.sizes(None, &[64]) {
            let inputs = op.inputs(size);
            let mut prepared = match op.prepare(size, &inputs, None) {
                Ok(prepared) => prepared,
                Err(e) => panic!("{}: {e}", op.name()),
            };
            let (bytes, batch) = (size.bytes as u64, size.batch as u64);
            group.throughput(if bytes > 0 {
                Throughput::Bytes(bytes * batch)
            } else {
                Throughput::Elements(batch)
            });
            let id = BenchmarkId::from_parameter(format!("{bytes}B-x{batch}"));
            group.bench_function(id, |bencher| {
                bencher.iter_custom(|iterations| time(prepared.as_mut(), iterations));
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .sample_size(15);
    targets = operations
}
criterion_main!(benches);
