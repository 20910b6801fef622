//! Issuers of one CA under a schedule of a seed: which process goes on at each step, which one ends
//! there, and where its clock jumps to. Afterwards nothing that was acknowledged is missing, and
//! nothing is there that must not be.
//!
//! Each process has a thread, of which one runs at a time: it hands over between its transactions,
//! and ends within them too. A schedule that fails is run again by its seed, which the test prints:
//! `ADAMANT_SCHEDULES=SEED..` runs it alone. Serial numbers are drawn anew each time.
//!
//! | module | holds |
//! |---|---|
//! | `world` | whose turn it is, and what has happened |
//! | `process` | what processes do |
//! | `check` | what must hold afterwards |

mod check;
mod process;
mod world;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use adamant::der::Time;
use adamant::x509::{KeyAlgorithm, PrivateKey, PublicKey};
use adamant_pki::ca::{Authority, LocalKey, RootRequest, Settings};
use adamant_pki::store::{CaStore, Failpoints, SqliteCa};
use adamant_testkit::TestRng;

use super::{generate, name, subscriber};
use check::check;
use process::Process;
use world::World;

/// Items of the batch that all processes issue.
const ITEMS: u64 = 3;
/// Seconds that clocks are apart at most.
const RANGE: usize = 1000;

fn start() -> Time {
    "2026-01-01".parse().unwrap()
}

/// What all schedules begin with.
struct Site {
    key: Vec<u8>,
    subscriber: PublicKey,
}

impl Site {
    fn new() -> Self {
        Self {
            key: generate(KeyAlgorithm::Ed25519).to_der().to_vec(),
            subscriber: subscriber(),
        }
    }

    fn key(&self) -> LocalKey {
        LocalKey::new(PrivateKey::from_der(&self.key).unwrap()).unwrap()
    }

    fn prepare(&self, store: Arc<dyn CaStore>) {
        let (root, settings) = (RootRequest::new(name("CN=Root")), Settings::default());
        Authority::init_root(store, Box::new(self.key()), settings, &root, start).unwrap();
    }
}

/// Runs a schedule, and gives what follows in its numbers, and the moments in it.
fn simulate(
    seed: u64,
    site: &Site,
    open: &(dyn Fn(Failpoints) -> Arc<dyn CaStore> + Sync),
) -> (u64, u64) {
    let mut rng = TestRng::new(seed ^ 0x5eed);
    let (processes, works) = (2 + rng.below(2), 4 + rng.below(8));
    let world = World::new(seed, processes);
    std::thread::scope(|scope| {
        for me in 0..processes {
            let world = &world;
            let process = Process {
                me,
                world,
                site,
                open,
            };
            scope.spawn(move || process.run(works));
        }
    });
    let key = Box::new(site.key());
    let after = || start().saturating_add(2 * RANGE as u64);
    let ca = Authority::open(open(Failpoints::default()), key, after).unwrap();
    let mut state = world.state();
    check(&ca, &state);
    (state.rng.next_u64(), state.moment)
}

/// Runs schedules on two threads, and says the seed of the first that fails.
fn schedules(count: u64, run: impl Fn(u64) + Sync) {
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
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        break;
                    }
                    let run = std::panic::AssertUnwindSafe(|| run(seed));
                    if let Err(panic) = std::panic::catch_unwind(run) {
                        eprintln!("the schedule of seed {seed} failed");
                        std::panic::resume_unwind(panic);
                    }
                }
            });
        }
    });
}

/// A folder in memory, where there is such a place.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    match memory.is_dir() {
        true => tempfile::tempdir_in(memory).unwrap(),
        false => tempfile::tempdir().unwrap(),
    }
}

/// Schedules on SQLite: each begins with a copy of a file.
struct OnSqlite {
    site: Site,
    folder: tempfile::TempDir,
}

impl OnSqlite {
    fn new() -> Self {
        let (site, folder) = (Site::new(), folder());
        let first = SqliteCa::open(&folder.path().join("first"));
        site.prepare(Arc::new(first.unwrap()));
        Self { site, folder }
    }

    fn run(&self, seed: u64) -> (u64, u64) {
        let place = |end: &str| self.folder.path().join(format!("{seed}{end}"));
        std::fs::copy(self.folder.path().join("first"), place("")).unwrap();
        let end = simulate(seed, &self.site, &|failpoints| {
            let store = SqliteCa::open(&place("")).unwrap();
            Arc::new(store.with_failpoints(failpoints))
        });
        for file in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(place(file));
        }
        end
    }
}

#[test]
fn schedules_on_sqlite() {
    let sqlite = OnSqlite::new();
    schedules(1000, |seed| _ = sqlite.run(seed));
}

#[test]
#[ignore = "half an hour"]
fn many_schedules_on_sqlite() {
    let sqlite = OnSqlite::new();
    schedules(100_000, |seed| _ = sqlite.run(seed));
}

#[test]
fn a_schedule_is_the_same_again() {
    let sqlite = OnSqlite::new();
    for seed in 0..20 {
        assert_eq!(sqlite.run(seed), sqlite.run(seed), "{seed}");
    }
}

#[cfg(feature = "postgres")]
#[test]
fn schedules_on_postgres() {
    use adamant_pki::store::PostgresCa;

    let Some(server) = crate::conformance::server::shared() else {
        return;
    };
    let site = Site::new();
    schedules(100, |seed| {
        let place = server.place();
        site.prepare(Arc::new(PostgresCa::open(&place).unwrap()));
        simulate(seed, &site, &|failpoints| {
            Arc::new(
                PostgresCa::open(&place)
                    .unwrap()
                    .with_failpoints(failpoints),
            )
        });
    });
}
