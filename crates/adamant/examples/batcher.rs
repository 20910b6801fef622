//! What a batcher gains: calls through it against calls without, in interleaved rounds, by threads
//! and by tasks of as many workers as there are cores.
//!
//! ```sh
//! cargo run --release -p adamant --example batcher [NAME] [CALLERS…]
//! ```

use adamant::SystemRng;
use adamant::batcher::{
    Batcher, Ed25519Sign, MlKem768Decapsulate, Operation, P256Sign, X25519Derive,
};
use adamant::ec::{ed25519, p256, x25519};
use adamant::pq::ml_kem_768;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// One round of one way to call.
const ROUND: Duration = Duration::from_millis(60);
const ROUNDS: usize = 9;

fn main() -> Result<(), adamant::Error> {
    let mut args = std::env::args().skip(1).peekable();
    let only = args.next_if(|arg| arg.parse::<usize>().is_err());
    let mut callers: Vec<usize> = args.filter_map(|arg| arg.parse().ok()).collect();
    if callers.is_empty() {
        callers = vec![1, 2, 8, 64];
    }
    let rng = &mut SystemRng;
    println!(
        "{:<24}{:>8}{:>9}{:>9}{:>8}{:>22}{:>22}",
        "", "", "single", "batcher", "", "single", "batcher"
    );
    println!(
        "{:<24}{:>8}{:>9}{:>9}{:>8}{:>22}{:>22}",
        "operation", "callers", "ns/call", "ns/call", "ratio", "p50 / p99 µs", "p50 / p99 µs"
    );
    let wanted = |name: &str| {
        only.as_ref()
            .is_none_or(|only| name.contains(only.as_str()))
    };
    if wanted("p256") {
        let key = Arc::new(p256::PrivateKey::generate(rng)?);
        measure::<P256Sign>("p256/sign", &callers, &move || (key.clone(), vec![7; 32]));
    }
    if wanted("ed25519") {
        let key = Arc::new(ed25519::PrivateKey::generate(rng)?);
        measure::<Ed25519Sign>("ed25519/sign", &callers, &move || {
            (key.clone(), vec![7; 32])
        });
    }
    if wanted("x25519") {
        let key = Arc::new(x25519::PrivateKey::generate(rng)?);
        let peer = x25519::PrivateKey::generate(rng)?.public_key();
        measure::<X25519Derive>("x25519/derive", &callers, &move || (key.clone(), peer));
    }
    if wanted("ml-kem-768") {
        let key = Arc::new(ml_kem_768::DecapsulationKey::generate(rng)?);
        let (_, ciphertext) = key.encapsulation_key().encapsulate(rng)?;
        let item = move || (key.clone(), Box::new(ciphertext));
        measure::<MlKem768Decapsulate>("ml-kem-768/decapsulate", &callers, &item);
    }
    Ok(())
}

/// Who calls.
#[derive(Clone, Copy)]
enum Callers {
    Threads,
    Tasks,
}

fn measure<O: Operation>(
    name: &str,
    callers: &[usize],
    item: &(impl Fn() -> O::Item + Clone + Send + Sync + 'static),
) {
    for who in [Callers::Threads, Callers::Tasks] {
        for &count in callers {
            let kind = match who {
                Callers::Threads => "threads",
                Callers::Tasks => "tasks",
            };
            let batcher = Arc::new(Batcher::<O>::new());
            // Interleaved, so that a drifting clock meets both.
            let mut rounds = [Vec::new(), Vec::new()];
            let mut latencies = [Vec::new(), Vec::new()];
            for _ in 0..ROUNDS {
                for (i, batcher) in [None, Some(&batcher)].into_iter().enumerate() {
                    rounds[i].push(round::<O>(who, count, batcher, item, None));
                }
            }
            for (i, batcher) in [None, Some(&batcher)].into_iter().enumerate() {
                round::<O>(who, count, batcher, item, Some(&mut latencies[i]));
                latencies[i].sort_unstable();
            }
            for ns in &mut rounds {
                ns.sort_by(f64::total_cmp);
            }
            let [single, batched] = rounds.map(|ns| ns[ROUNDS / 2]);
            let [a, b] = latencies.map(|ns| {
                let at = |q: usize| ns[(ns.len() - 1) * q / 100] as f64 / 1000.0;
                format!("{:.1} / {:.1}", at(50), at(99))
            });
            println!(
                "{:<24}{count:>8}{single:>9.0}{batched:>9.0}{:>7.2}×{a:>22}{b:>22}",
                format!("{name} {kind}"),
                single / batched
            );
        }
    }
}

/// Nanoseconds between two results, all callers together; and how long each call took.
fn round<O: Operation>(
    who: Callers,
    count: usize,
    batcher: Option<&Arc<Batcher<O>>>,
    item: &(impl Fn() -> O::Item + Clone + Send + Sync + 'static),
    latencies: Option<&mut Vec<u64>>,
) -> f64 {
    let stop = Arc::new(AtomicBool::new(false));
    let timed = latencies.is_some();
    let caller = || Caller::<O, _> {
        batcher: batcher.cloned(),
        item: item.clone(),
        stop: stop.clone(),
        timed,
        calls: 0,
        latencies: Vec::new(),
        output: std::marker::PhantomData,
    };
    let (calls, mut all, elapsed);
    match who {
        Callers::Threads => {
            let start = Instant::now();
            let callers: Vec<_> = (0..count).map(|_| caller()).collect();
            let threads: Vec<_> = (callers.into_iter())
                .map(|caller| std::thread::spawn(|| caller.block()))
                .collect();
            std::thread::sleep(ROUND);
            stop.store(true, Ordering::Relaxed);
            let done: Vec<_> = threads.into_iter().map(|t| t.join().unwrap()).collect();
            elapsed = start.elapsed();
            calls = done.iter().map(|(calls, _)| calls).sum::<u64>();
            all = done.into_iter().flat_map(|(_, ns)| ns).collect::<Vec<_>>();
        }
        Callers::Tasks => {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(workers)
                .build()
                .expect("a runtime");
            let start = Instant::now();
            let tasks: Vec<_> = (0..count).map(|_| runtime.spawn(caller().run())).collect();
            std::thread::sleep(ROUND);
            stop.store(true, Ordering::Relaxed);
            let done: Vec<_> = tasks
                .into_iter()
                .map(|t| runtime.block_on(t).unwrap())
                .collect();
            elapsed = start.elapsed();
            calls = done.iter().map(|(calls, _)| calls).sum::<u64>();
            all = done.into_iter().flat_map(|(_, ns)| ns).collect::<Vec<_>>();
        }
    }
    if let Some(latencies) = latencies {
        latencies.append(&mut all);
    }
    elapsed.as_nanos() as f64 / calls as f64
}

struct Caller<O: Operation, F> {
    batcher: Option<Arc<Batcher<O>>>,
    item: F,
    stop: Arc<AtomicBool>,
    timed: bool,
    calls: u64,
    latencies: Vec<u64>,
    output: std::marker::PhantomData<fn() -> O>,
}

impl<O: Operation, F: Fn() -> O::Item> Caller<O, F> {
    fn block(mut self) -> (u64, Vec<u64>) {
        while !self.stop.load(Ordering::Relaxed) {
            let start = self.timed.then(Instant::now);
            let item = (self.item)();
            match &self.batcher {
                Some(batcher) => drop(black_box(batcher.call(item))),
                None => drop(black_box(O::one(&item))),
            }
            self.count(start);
        }
        (self.calls, self.latencies)
    }

    async fn run(mut self) -> (u64, Vec<u64>) {
        while !self.stop.load(Ordering::Relaxed) {
            let start = self.timed.then(Instant::now);
            let item = (self.item)();
            match &self.batcher {
                Some(batcher) => drop(black_box(batcher.call_async(item).await)),
                None => drop(black_box(O::one(&item))),
            }
            self.count(start);
        }
        (self.calls, self.latencies)
    }

    fn count(&mut self, start: Option<Instant>) {
        self.calls += 1;
        if let Some(start) = start {
            self.latencies.push(start.elapsed().as_nanos() as u64);
        }
    }
}
