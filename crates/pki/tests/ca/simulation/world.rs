//! A schedule: whose turn it is, and what has happened so far.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use adamant::x509::extensions::RevocationReason;
use adamant_pki::store::{
    self, AuditHead, CrlRecord, Error as StoreError, Failpoints, Number, Point,
};
use adamant_testkit::TestRng;

use super::RANGE;

/// One of this many steps is the last of its process.
const ENDS: usize = 24;
/// One of this many steps is followed by a jump of the process's clock.
const JUMPS: usize = 12;

/// A schedule, and what has happened so far.
pub(super) struct World {
    pub(super) state: Mutex<Shared>,
    /// Wakes the process whose turn it is.
    turns: Vec<Condvar>,
    /// The clocks of the processes, in seconds.
    pub(super) clocks: Vec<AtomicU64>,
}

pub(super) struct Shared {
    pub(super) rng: TestRng,
    pub(super) turn: usize,
    pub(super) running: Vec<bool>,
    pub(super) ended: Vec<bool>,
    /// A process has panicked: so do the others, who would wait for it.
    pub(super) failed: bool,
    /// Counts beginnings and ends of what processes do.
    pub(super) moment: u64,
    pub(super) signed: Vec<Vec<u8>>,
    pub(super) given: Vec<(Number, Vec<u8>)>,
    pub(super) revocations: BTreeMap<Number, Vec<Act>>,
    pub(super) lists: Vec<List>,
    pub(super) anchors: Vec<AuditHead>,
    /// The highest token that was seen of each lease.
    pub(super) tokens: BTreeMap<String, u64>,
}

/// A change of a revocation.
pub(super) struct Act {
    pub(super) begun: u64,
    /// When it was acknowledged.
    pub(super) done: Option<u64>,
    pub(super) reason: RevocationReason,
}

/// A list that its maker was given.
pub(super) struct List {
    pub(super) begun: u64,
    pub(super) done: u64,
    pub(super) record: CrlRecord,
}

impl World {
    pub(super) fn new(seed: u64, processes: usize) -> Arc<Self> {
        let mut rng = TestRng::new(seed);
        let turn = rng.below(processes);
        let state = Shared {
            rng,
            turn,
            running: vec![true; processes],
            ended: vec![false; processes],
            failed: false,
            moment: 0,
            signed: vec![],
            given: vec![],
            revocations: BTreeMap::new(),
            lists: vec![],
            anchors: vec![],
            tokens: BTreeMap::new(),
        };
        let clock = |_| AtomicU64::new(RANGE as u64);
        Arc::new(Self {
            state: Mutex::new(state),
            turns: (0..processes).map(|_| Condvar::new()).collect(),
            clocks: (0..processes).map(clock).collect(),
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, Shared> {
        self.state
            .lock()
            .unwrap_or_else(|_| panic!("another process failed"))
    }

    /// Waits for the process's turn.
    pub(super) fn wait<'a>(
        &self,
        mut state: MutexGuard<'a, Shared>,
        me: usize,
    ) -> MutexGuard<'a, Shared> {
        while state.turn != me && !state.failed {
            state = self.turns[me].wait(state).expect("another process failed");
        }
        assert!(!state.failed, "another process failed");
        state
    }

    /// Says whose turn it is next.
    pub(super) fn hand_over(&self, mut state: MutexGuard<'_, Shared>) {
        let all = 0..state.running.len();
        let running: Vec<_> = all.filter(|&n| state.running[n]).collect();
        if running.is_empty() {
            return;
        }
        let next = running[state.rng.below(running.len())];
        state.turn = next;
        // Whoever wakes finds the state free.
        drop(state);
        self.turns[next].notify_one();
    }

    /// A step of a process: it may be its last one.
    fn step(&self, me: usize, point: Point) -> store::Result<()> {
        let mut state = self.state();
        if !state.ended[me] && state.rng.below(ENDS) == 0 {
            state.ended[me] = true;
        }
        if state.ended[me] {
            return Err(StoreError::Injected(point));
        }
        if state.rng.below(JUMPS) == 0 {
            let to = state.rng.below(2 * RANGE) as u64;
            self.clocks[me].store(to, Ordering::Relaxed);
        }
        use Point::{AuditWritten, BeforeCommit, Begun, HalfWritten};
        if ![Begun, HalfWritten, AuditWritten, BeforeCommit].contains(&point) {
            self.hand_over(state);
            drop(self.wait(self.state(), me));
        }
        Ok(())
    }

    pub(super) fn failpoints(self: &Arc<Self>, me: usize) -> Failpoints {
        let world = Arc::clone(self);
        Failpoints::new(move |point| world.step(me, point))
    }

    pub(super) fn moment(&self) -> u64 {
        let mut state = self.state();
        state.moment += 1;
        state.moment
    }

    pub(super) fn below(&self, bound: usize) -> usize {
        self.state().rng.below(bound)
    }
}

/// Tells the others of a panic.
pub(super) struct Fails<'a>(pub(super) &'a World);

impl Drop for Fails<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let state = self.0.state.lock();
            state.unwrap_or_else(PoisonError::into_inner).failed = true;
            self.0.turns.iter().for_each(Condvar::notify_one);
        }
    }
}
