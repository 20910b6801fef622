//! What a batcher gains: calls through it against calls without, in interleaved rounds, by threads
//! and by tasks of as many workers as there are cores. Before that, what sets the limit: each
//! operation on one core, alone and in batches, and a turn of threads or tasks that do nothing else,
//! of which a call through a batcher takes one at least.
//!
//! ```sh
//! cargo run --release -p adamant-ops --example batcher [NAME] [CALLERS…]
//! ```

use adamant::SystemRng;
use adamant::batcher::{Agree, Batcher, Decapsulate, Operation, Sign};
use adamant::ec::{ed25519, p256, x25519};
use adamant::pq::ml_kem_768;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// One round of one way to call.
const ROUND: Duration = Duration::from_millis(100);
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
        "{:<24}{:>8}{:>9}{:>9}{:>8}{:>7}{:>22}{:>22}",
        "", "", "single", "batcher", "", "turn", "single", "batcher"
    );
    println!(
        "{:<24}{:>8}{:>9}{:>9}{:>8}{:>7}{:>22}{:>22}",
        "operation", "callers", "ns/call", "ns/call", "ratio", "ns", "p50 / p99 µs", "p50 / p99 µs"
    );
    let wanted = |name: &str| {
        only.as_ref()
            .is_none_or(|only| name.contains(only.as_str()))
    };
    if wanted("p256") {
        let key = Arc::new(p256::PrivateKey::generate(rng)?);
        measure::<Sign<p256::PrivateKey>>("p256/sign", &callers, &move || {
            (key.clone(), vec![7; 32])
        });
    }
    if wanted("ed25519") {
        let key = Arc::new(ed25519::PrivateKey::generate(rng)?);
        measure::<Sign<ed25519::PrivateKey>>("ed25519/sign", &callers, &move || {
            (key.clone(), vec![7; 32])
        });
    }
    if wanted("x25519") {
        let key = Arc::new(x25519::PrivateKey::generate(rng)?);
        let peer = x25519::PrivateKey::generate(rng)?.public_key();
        measure::<Agree<x25519::PrivateKey>>("x25519/derive", &callers, &move || {
            (key.clone(), peer)
        });
    }
    if wanted("ml-kem-768") {
        let key = Arc::new(ml_kem_768::DecapsulationKey::generate(rng)?);
        let (ciphertext, _) = key.encapsulation_key().encapsulate(rng)?;
        let item = move || (key.clone(), Box::new(ciphertext));
        measure::<Decapsulate<ml_kem_768::MlKem>>("ml-kem-768/decapsulate", &callers, &item);
    }
    Ok(())
}

/// Who calls.
#[derive(Clone, Copy)]
enum Callers {
    Threads,
    Tasks,
}

/// What a caller does with its turn.
enum Way<O: Operation> {
    Single,
    Batcher(Arc<Batcher<O>>),
    /// Nothing: the next one's turn.
    Turn,
}

impl<O: Operation> Clone for Way<O> {
    fn clone(&self) -> Self {
        match self {
            Way::Single => Way::Single,
            Way::Batcher(batcher) => Way::Batcher(batcher.clone()),
            Way::Turn => Way::Turn,
        }
    }
}

/// Nanoseconds of each of this many that `run` computes: the median of rounds.
fn alone(count: usize, run: impl Fn()) -> f64 {
    let mut rounds = [0.0; ROUNDS];
    for ns in &mut rounds {
        let (start, mut calls) = (Instant::now(), 0);
        while start.elapsed() < ROUND / 4 {
            run();
            calls += count;
        }
        *ns = start.elapsed().as_nanos() as f64 / calls as f64;
    }
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}

fn measure<O: Operation>(
    name: &str,
    callers: &[usize],
    item: &(impl Fn() -> O::Item + Clone + Send + Sync + 'static),
) {
    let items: Vec<_> = (0..64).map(|_| item()).collect();
    print!(
        "{name}, ns on one core: {:.0}",
        alone(1, || drop(black_box(O::one(&items[0]))))
    );
    for count in [8, 16, 32, 64] {
        let items: Vec<_> = items[..count].iter().collect();
        print!(
            "; {count}: {:.0}",
            alone(count, || drop(black_box(O::many(&items))))
        );
    }
    println!();
    for who in [Callers::Threads, Callers::Tasks] {
        for &count in callers {
            let kind = match who {
                Callers::Threads => "threads",
                Callers::Tasks => "tasks",
            };
            let batcher = Arc::new(Batcher::<O>::new());
            let ways = [Way::Single, Way::Batcher(batcher), Way::Turn];
            // Interleaved, so that a drifting clock meets all.
            let mut rounds = [const { Vec::new() }; 3];
            let mut latencies = [const { Vec::new() }; 2];
            for _ in 0..ROUNDS {
                for (way, rounds) in ways.iter().zip(&mut rounds) {
                    rounds.push(round(who, count, way, item, None));
                }
            }
            for (way, latencies) in ways.iter().zip(&mut latencies) {
                round(who, count, way, item, Some(latencies));
                latencies.sort_unstable();
            }
            for ns in &mut rounds {
                ns.sort_by(f64::total_cmp);
            }
            let [single, batched, turn] = rounds.map(|ns| ns[ROUNDS / 2]);
            let [a, b] = latencies.map(|ns| {
                let at = |q: usize| ns[(ns.len() - 1) * q / 100] as f64 / 1000.0;
                format!("{:.1} / {:.1}", at(50), at(99))
            });
            println!(
                "{:<24}{count:>8}{single:>9.0}{batched:>9.0}{:>7.2}×{turn:>7.0}{a:>22}{b:>22}",
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
    way: &Way<O>,
    item: &(impl Fn() -> O::Item + Clone + Send + Sync + 'static),
    latencies: Option<&mut Vec<u64>>,
) -> f64 {
    let stop = Arc::new(AtomicBool::new(false));
    // Nobody begins before everybody is there.
    let begin = Arc::new(Barrier::new(count + 1));
    let caller = || Caller::<O, _> {
        way: way.clone(),
        item: item.clone(),
        stop: stop.clone(),
        timed: latencies.is_some(),
        done: Done {
            calls: 0,
            begin: Instant::now(),
            end: Instant::now(),
            latencies: Vec::new(),
        },
    };
    let wait = || {
        std::thread::sleep(ROUND);
        stop.store(true, Ordering::Relaxed);
    };
    let done: Vec<Done> = match who {
        Callers::Threads => {
            let threads: Vec<_> = (0..count)
                .map(|_| {
                    let (caller, begin) = (caller(), begin.clone());
                    std::thread::spawn(move || {
                        begin.wait();
                        caller.block()
                    })
                })
                .collect();
            begin.wait();
            wait();
            let done = threads.into_iter().map(|thread| thread.join().unwrap());
            done.collect()
        }
        Callers::Tasks => {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(workers)
                .build()
                .expect("a runtime");
            let tasks: Vec<_> = (0..count).map(|_| runtime.spawn(caller().run())).collect();
            wait();
            let done = tasks
                .into_iter()
                .map(|task| runtime.block_on(task).unwrap());
            done.collect()
        }
    };
    // From the first call of all to the last: threads do not begin and end at the same moment.
    let begin = done.iter().map(|done| done.begin).min();
    let end = done.iter().map(|done| done.end).max();
    let calls = done.iter().map(|done| done.calls).sum::<u64>();
    if let Some(latencies) = latencies {
        latencies.extend(done.into_iter().flat_map(|done| done.latencies));
    }
    let elapsed = end.zip(begin).map(|(end, begin)| end - begin);
    elapsed.unwrap_or_default().as_nanos() as f64 / calls as f64
}

/// What a caller did.
struct Done {
    calls: u64,
    begin: Instant,
    end: Instant,
    latencies: Vec<u64>,
}

struct Caller<O: Operation, F> {
    way: Way<O>,
    item: F,
    stop: Arc<AtomicBool>,
    timed: bool,
    done: Done,
}

impl<O: Operation, F: Fn() -> O::Item> Caller<O, F> {
    fn block(mut self) -> Done {
        self.done.begin = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            let start = self.timed.then(Instant::now);
            match &self.way {
                Way::Single => drop(black_box(O::one(&(self.item)()))),
                Way::Batcher(batcher) => drop(black_box(batcher.call((self.item)()))),
                Way::Turn => std::thread::yield_now(),
            }
            self.count(start);
        }
        self.done.end = Instant::now();
        self.done
    }

    async fn run(mut self) -> Done {
        self.done.begin = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            let start = self.timed.then(Instant::now);
            match &self.way {
                Way::Single => drop(black_box(O::one(&(self.item)()))),
                Way::Batcher(batcher) => drop(black_box(batcher.call_async((self.item)()).await)),
                Way::Turn => tokio::task::yield_now().await,
            }
            self.count(start);
        }
        self.done.end = Instant::now();
        self.done
    }

    fn count(&mut self, start: Option<Instant>) {
        self.done.calls += 1;
        if let Some(start) = start {
            self.done.latencies.push(start.elapsed().as_nanos() as u64);
        }
    }
}
