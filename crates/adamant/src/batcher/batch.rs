//! A batch, from the first item to the last result.

use super::Operation;
use super::sync::thread::{self, Thread};
use super::sync::{AtomicBool, Mutex, MutexGuard, OnceLock, Ordering};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::task::Wake;
use alloc::vec::Vec;
use core::any::Any;
use core::mem;
use core::panic::AssertUnwindSafe;
use core::task::Waker;
use core::time::Duration;
use std::panic::{catch_unwind, resume_unwind};
use std::sync::PoisonError;
use std::time::Instant;

/// Nothing is left half done under these locks when something panics.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lanes of most batches: this many items take as long as one more does.
const LANES: usize = 8;

/// The batch that takes items.
pub(super) struct Open<O: Operation> {
    pub(super) batch: Arc<Batch<O>>,
    /// None for a caller who gave up.
    pub(super) items: Vec<Option<O::Item>>,
    /// When the first item came.
    since: Option<Instant>,
    /// Items at which the batch is full: everyone is in, but for those who would not fill lanes.
    full: usize,
    /// The largest number of callers, which is forgotten slowly.
    peak: usize,
    limit: usize,
}

impl<O: Operation> Open<O> {
    pub(super) fn new(limit: usize) -> Self {
        let limit = limit.max(1);
        Open {
            batch: Arc::default(),
            items: Vec::new(),
            since: None,
            full: limit,
            peak: 0,
            limit,
        }
    }

    /// Adds an item, and says where it is.
    pub(super) fn push(&mut self, item: O::Item) -> usize {
        let place = self.items.len();
        self.items.push(Some(item));
        place
    }

    /// Whether somebody ought to compute the batch without looking for more callers. The first item
    /// starts the clock.
    pub(super) fn is_due(&mut self, deadline: Duration) -> bool {
        match self.since {
            None => self.since = Some(Instant::now()),
            Some(since) if since.elapsed() >= deadline => return true,
            Some(_) => {}
        }
        self.items.len() >= self.full
    }

    /// Takes the batch, of this many callers, and opens the next.
    pub(super) fn take(&mut self, callers: usize) -> (Arc<Batch<O>>, Vec<Option<O::Item>>) {
        self.peak = callers.max(self.peak - self.peak.div_ceil(8));
        let whole = self.peak - self.peak % LANES;
        self.full = if whole > 0 { whole } else { self.peak }.clamp(1, self.limit);
        self.since = None;
        let batch = mem::take(&mut self.batch);
        batch.taken.store(true, Ordering::Release);
        let room = Vec::with_capacity(self.full);
        (batch, mem::replace(&mut self.items, room))
    }
}

/// The payload of a panic.
type Payload = Box<dyn Any + Send>;

/// The results of a batch: of the places of those who stayed, in their order.
struct Results<T> {
    /// Places of callers who gave up.
    left: Vec<usize>,
    outputs: Outputs<T>,
}

enum Outputs<T> {
    All(Vec<T>),
    /// The batch panicked: one by one.
    Each(Vec<Result<T, Mutex<Option<Payload>>>>),
}

/// A batch as its callers see it.
pub(super) struct Batch<O: Operation> {
    taken: AtomicBool,
    results: OnceLock<Results<O::Output>>,
    /// Those to be woken when the results are there.
    sleepers: Mutex<Vec<Waker>>,
}

impl<O: Operation> Default for Batch<O> {
    fn default() -> Self {
        Batch {
            taken: AtomicBool::new(false),
            results: OnceLock::new(),
            sleepers: Mutex::new(Vec::new()),
        }
    }
}

impl<O: Operation> Batch<O> {
    /// Whether somebody computes it, or has.
    pub(super) fn is_taken(&self) -> bool {
        self.taken.load(Ordering::Acquire)
    }

    /// The result of a place, if it is there. Where computing it panicked, the panic goes on.
    pub(super) fn output(&self, place: usize) -> Option<O::Output> {
        let Results { left, outputs } = self.results.get()?;
        let index = place - left.iter().filter(|left| **left < place).count();
        match outputs {
            Outputs::All(outputs) => Some(outputs[index].clone()),
            Outputs::Each(outputs) => match &outputs[index] {
                Ok(output) => Some(output.clone()),
                Err(payload) => {
                    let payload = lock(payload).take();
                    resume_unwind(payload.expect("each result is asked for once"))
                }
            },
        }
    }

    /// Computes the results, and wakes those who sleep.
    pub(super) fn compute(&self, items: &[Option<O::Item>]) {
        let stayed: Vec<&O::Item> = items.iter().flatten().collect();
        let many = || match stayed.len() < O::WORTH {
            true => stayed.iter().map(|item| O::one(item)).collect(),
            false => O::many(&stayed),
        };
        let outputs = match catch_unwind(AssertUnwindSafe(many)) {
            Ok(outputs) if outputs.len() == stayed.len() => Outputs::All(outputs),
            _ => Outputs::Each(stayed.iter().map(|item| one::<O>(item)).collect()),
        };
        let left = items.iter().enumerate();
        let left = left.filter(|(_, item)| item.is_none()).map(|(i, _)| i);
        let results = Results {
            left: left.collect(),
            outputs,
        };
        let first = self.results.set(results).is_ok();
        debug_assert!(first, "a batch is computed by the one who took it");
        for waker in mem::take(&mut *lock(&self.sleepers)) {
            waker.wake();
        }
    }

    /// Sees to it that this waker is called when the results are there, unless they are: then it
    /// says so.
    pub(super) fn wake_later(&self, waker: Waker) -> bool {
        let mut sleepers = lock(&self.sleepers);
        // Under the lock: it is either seen here, or the waker is seen there.
        let wait = self.results.get().is_none();
        if wait {
            sleepers.push(waker);
        }
        wait
    }

    /// Puts the thread to sleep until the results are there.
    pub(super) fn sleep(&self) {
        if self.wake_later(Arc::new(Sleeper(thread::current())).into()) {
            while self.results.get().is_none() {
                thread::park();
            }
        }
    }
}

/// The result of one item, or what its panic carries.
fn one<O: Operation>(item: &O::Item) -> Result<O::Output, Mutex<Option<Payload>>> {
    catch_unwind(AssertUnwindSafe(|| O::one(item))).map_err(|payload| Mutex::new(Some(payload)))
}

/// A thread to be woken.
struct Sleeper(Thread);

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
