//! Issuers of one CA under a schedule of a seed: which process goes on at each step, which one ends
//! there, and where its clock jumps to. Afterwards nothing that was acknowledged is missing, and
//! nothing is there that must not be.
//!
//! Each process has a thread, of which one runs at a time: it hands over between its transactions,
//! and ends within them too. A schedule that fails is run again by its seed, which the test prints:
//! `ADAMANT_SCHEDULES=SEED..` runs it alone, and `FIRST..LAST` after those before it. Serial numbers
//! are drawn anew each time.
//!
//! | module | holds |
//! |---|---|
//! | `world` | whose turn it is, and what has happened |
//! | `process` | what processes do |
//! | `check` | what must hold afterwards |
//! | `stores` | the stores, which a schedule may have from the one before |

mod check;
mod process;
mod stores;
mod world;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use adamant::der::Time;
use adamant::x509::{KeyAlgorithm, PublicKey, SignatureAlgorithm};
use adamant_pki::ca::{Authority, CaSigner, LocalKey, RootRequest, Settings};
use adamant_pki::store::{CaStore, Failpoints};
use adamant_testkit::TestRng;

use super::{generate, name, subscriber};
use check::check;
use process::Process;
use stores::{OnSqlite, Open, Place};
use world::World;

/// Processes of a schedule at most.
const MOST: usize = 3;
/// Items of the batch that all processes issue.
const ITEMS: u64 = 3;
/// Seconds that clocks are apart at most.
const RANGE: usize = 1000;

fn start() -> Time {
    "2026-01-01".parse().unwrap()
}

/// The CA's key.
#[derive(Clone)]
struct Key(Arc<LocalKey>);

impl CaSigner for Key {
    fn algorithm(&self) -> SignatureAlgorithm {
        self.0.algorithm()
    }

    fn public_key(&self) -> PublicKey {
        self.0.public_key()
    }

    fn sign_batch(&self, messages: &[&[u8]]) -> adamant_pki::Result<Vec<Vec<u8>>> {
        self.0.sign_batch(messages)
    }
}

/// What all schedules begin with.
struct Site {
    key: Key,
    subscriber: PublicKey,
}

impl Site {
    fn new() -> Self {
        let key = LocalKey::new(generate(KeyAlgorithm::Ed25519));
        Self {
            key: Key(Arc::new(key.unwrap())),
            subscriber: subscriber(),
        }
    }

    fn prepare(&self, store: Arc<dyn CaStore>) {
        let (root, settings) = (RootRequest::new(name("CN=Root")), Settings::default());
        Authority::init_root(store, Box::new(self.key.clone()), settings, &root, start).unwrap();
    }
}

/// Runs a schedule, and gives what follows in its numbers, and the moments in it.
fn simulate(seed: u64, site: &Site, open: &Open<'_>) -> (u64, u64) {
    let mut rng = TestRng::new(seed ^ 0x5eed);
    let (processes, works) = (2 + rng.below(MOST - 1), 4 + rng.below(8));
    let world = World::new(seed, processes);
    let process = |me| Process {
        me,
        works,
        world: &world,
        site,
        open,
    };
    std::thread::scope(|scope| {
        for me in 1..processes {
            let process = process(me);
            scope.spawn(|| process.run());
        }
        process(0).run();
    });
    let key = Box::new(site.key.clone());
    let after = || start().saturating_add(2 * RANGE as u64);
    let ca = Authority::open(open(MOST, Failpoints::default()), key, after).unwrap();
    let mut state = world.state();
    check(&ca, &state);
    (state.rng.next_u64(), state.moment)
}

/// Runs schedules on two threads, and says the seed of the first that fails.
fn schedules<P: Place>(count: u64, place: &P) {
    let wanted = std::env::var("ADAMANT_SCHEDULES").ok();
    let mut seeds = 0..count;
    if let Some(wanted) = &wanted {
        let (first, last) = wanted.split_once("..").expect("FIRST..LAST");
        let first = first.parse().expect("a seed");
        seeds = first..last.parse().unwrap_or(first + 1);
    }
    let next = AtomicU64::new(seeds.start);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut kept = place.keep();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        break;
                    }
                    let run = std::panic::AssertUnwindSafe(|| match seed.is_multiple_of(P::ANEW) {
                        true => place.anew(seed),
                        false => place.again(&mut kept, seed),
                    });
                    if let Err(panic) = std::panic::catch_unwind(run) {
                        eprintln!("the schedule of seed {seed} failed");
                        next.store(seeds.end, Ordering::Relaxed);
                        std::panic::resume_unwind(panic);
                    }
                }
            });
        }
    });
}

#[test]
fn schedules_on_sqlite() {
    schedules(10_000, &OnSqlite::new());
}

#[test]
#[ignore = "half an hour"]
fn many_schedules_on_sqlite() {
    schedules(1_000_000, &OnSqlite::new());
}

#[cfg(feature = "postgres")]
#[test]
fn schedules_on_postgres() {
    if let Some(postgres) = stores::OnPostgres::new() {
        schedules(200, &postgres);
    }
}

/// However its processes come to their stores.
#[test]
fn a_schedule_is_the_same_again() {
    let sqlite = OnSqlite::new();
    let mut kept = sqlite.keep();
    for seed in 0..20 {
        let end = sqlite.anew(seed);
        assert_eq!(end, sqlite.again(&mut kept, seed), "{seed}");
        assert_eq!(end, sqlite.anew(seed), "{seed}");
    }
}
