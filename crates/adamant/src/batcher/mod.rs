//! One call from each of many threads or tasks, done many at a time.
//!
//! A server signs or derives once per connection, and each connection has its thread or its task:
//! nobody holds the many items that a batch takes. A [`Batcher`] gathers them:
//!
//! ```
//! use adamant::SystemRng;
//! use adamant::batcher::{Batcher, Sign};
//! use adamant::ec::p256::PrivateKey;
//! use std::sync::Arc;
//!
//! let key = Arc::new(PrivateKey::generate(&mut SystemRng)?);
//! let signer = Batcher::<Sign<PrivateKey>>::new();
//! std::thread::scope(|scope| {
//!     for message in [b"one", b"two"] {
//!         let (signer, key) = (&signer, key.clone());
//!         scope.spawn(move || {
//!             let signature = signer.call((key.clone(), message.to_vec())).expect("not closed");
//!             assert_eq!(signature, key.sign(message));
//!         });
//!     }
//! });
//! # Ok::<(), adamant::Error>(())
//! ```
//!
//! In a task it is `signer.call_async(…).await`, on any executor.
//!
//! # How calls meet
//!
//! There is no thread behind a batcher and no timer. Each core has one open batch, so that callers
//! that can run at the same time do not meet, and no core waits for what another computes:
//!
//! 1. As long as no crowd is known of, a caller computes in place, and pays two atomic additions for
//!    it. One in 64 goes on with 2, to look whether there is one, and so does whoever comes meanwhile.
//! 2. In a crowd, a caller puts its item into the open batch of its core, and lets the others run
//!    once: a thread yields, a task wakes itself and returns. Whoever else is ready to run on this
//!    core puts an item in.
//! 3. The first whose turn comes again and that finds the batch still open takes it and computes
//!    all of it, for everyone. So does a caller that fills it, and one that finds that it has been
//!    open for longer than [`Config::deadline`]. A task, whose turns cost little, lets the batch
//!    grow: it takes one that is as large as at its last turn.
//! 4. The others find their result, when their turn comes again: a call costs its thread one turn.
//!    Only one that was moved to another core meanwhile may find the batch half done; it yields
//!    for a while, and sleeps until the results are there.
//!
//! Nobody waits for callers that may never come. There is a crowd when a batch turned out large
//! enough to gain something ([`Operation::WORTH`]), and none when several in a row did not.
//! A batch is full at as many items as its core has had callers, rounded down to whole groups of
//! lanes, and never at more than [`Config::batch`]: as everyone that finds it full computes, no queue
//! can overflow, and whoever brings more than the cores can do is held back by computing.
//!
//! # What one caller can do to another
//!
//! Nothing: each has its own result, an error too. Where computing a batch panics, its items are
//! computed one by one, and the panic goes on in the call whose item it is. A future may be dropped
//! at any time; its item is then left out, if nobody computes it yet. One that is no longer polled
//! holds up nobody, because everyone who waits can take the batch.
//!
//! Keys are behind an [`Arc`], so that no copy of them lies in a batch; secret
//! results are wiped there when all callers of the batch have theirs.

mod batch;
mod call;
#[cfg(feature = "dh")]
mod dh;
mod operations;
#[cfg(feature = "rsa")]
mod rsa;
#[cfg(all(test, shuttle))]
mod schedules;
mod sync;
#[cfg(all(test, not(shuttle)))]
mod tests;

pub use call::Call;
#[cfg(feature = "dh")]
pub use dh::*;
pub use operations::{Agree, Decapsulate, Encapsulate, Sign, Verify};
#[cfg(feature = "rsa")]
pub use rsa::*;

use adamant_base::process::core_hint;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use batch::{Batch, Open, lock};
use core::fmt;
use core::mem;
use core::time::Duration;
use sync::{AtomicBool, AtomicUsize, Mutex, MutexGuard, Ordering, thread};

/// An operation that has a batch.
///
/// ```
/// use adamant::batcher::{Batcher, Operation};
/// use adamant::hash::Sha256;
///
/// struct Digest;
/// impl Operation for Digest {
///     type Item = Vec<u8>;
///     type Output = [u8; 32];
///     fn one(message: &Vec<u8>) -> [u8; 32] {
///         Sha256::digest(message)
///     }
///     fn many(messages: &[&Vec<u8>]) -> Vec<[u8; 32]> {
///         let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
///         Sha256::digest_batch(&messages)
///     }
/// }
/// let batcher = Batcher::<Digest>::new();
/// assert_eq!(batcher.call(b"abc".to_vec()), Ok(Sha256::digest(b"abc")));
/// ```
pub trait Operation: 'static {
    /// The input of a call. It is moved about: a secret belongs behind a pointer.
    type Item: Send + 'static;
    /// The result of a call: a copy of what the batch holds. A secret wipes itself when dropped.
    type Output: Clone + Send + Sync + 'static;
    /// Items of a full batch, unless [`Config::batch`] says otherwise.
    const BATCH: usize = 64;
    /// Items from which on a batch is quicker than as many single computations.
    const WORTH: usize = 4;

    /// The result of one item.
    fn one(item: &Self::Item) -> Self::Output;
    /// The result of each item, in their order: what [`Self::one`] gives.
    fn many(items: &[&Self::Item]) -> Vec<Self::Output>;
}

/// The limits of a [`Batcher`].
///
/// ```
/// use adamant::batcher::{Agree, Batcher, Config};
/// use adamant::ec::x25519;
/// let config = Config { batch: Some(16), ..Config::default() };
/// let batcher = Batcher::<Agree<x25519::PrivateKey>>::with_config(config);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Items of a full batch; by default what the operation says.
    pub batch: Option<usize>,
    /// How long a batch stays open at most while callers come: by default 100 microseconds.
    pub deadline: Duration,
    /// Callers that may compute at once: by default as many as this process has cores.
    pub cores: Option<usize>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            batch: None,
            deadline: Duration::from_micros(100),
            cores: None,
        }
    }
}

/// The batcher was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the batcher is closed")
    }
}

impl core::error::Error for Closed {}

/// Turns that a thread whose item is being computed gives to others before it sleeps.
const TURNS: usize = if cfg!(all(test, shuttle)) { 1 } else { 64 };
/// Of this many calls in place, one looks whether there are more callers: on a single core they
/// never meet in the middle of a call.
const LOOK: usize = 64;

/// Small batches in a row after which there is no crowd any more.
const CROWD: usize = 8;

/// Gathers the calls of many threads or tasks into batches: see the [module](self).
pub struct Batcher<O: Operation> {
    /// Of each core, for those who run on it.
    gatherings: Box<[Gathering<O>]>,
    closed: AtomicBool,
    deadline: Duration,
}

/// The callers of one core, apart from those of others in memory.
#[repr(align(128))]
struct Gathering<O: Operation> {
    open: Mutex<Open<O>>,
    /// Callers in the middle of a call.
    inside: AtomicUsize,
    /// There is a crowd as long as this is not zero: [`CROWD`] after a batch that was worth it, and
    /// one less after each that was not.
    crowd: AtomicUsize,
    /// Calls in place, by a count that may miss some.
    in_place: AtomicUsize,
    /// Whether somebody may be waiting in the open batch.
    looking: AtomicBool,
}

/// A caller in the middle of a call.
struct Inside<'a>(&'a AtomicUsize);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The outcome of a call.
enum Entered<'a, O: Operation> {
    /// The caller computes its own.
    Alone(Inside<'a>, O::Item),
    /// The item is in a batch.
    Waiting(Place<'a, O>),
}

/// A place in a batch.
struct Place<'a, O: Operation> {
    gathering: &'a Gathering<O>,
    batch: Arc<Batch<O>>,
    index: usize,
    _inside: Inside<'a>,
}

impl<O: Operation> Batcher<O> {
    /// A batcher with the usual limits.
    #[must_use]
    pub fn new() -> Self {
        Self::with_config(Config::default())
    }

    /// A batcher with these limits.
    #[must_use]
    pub fn with_config(config: Config) -> Self {
        let cores = config
            .cores
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
            .max(1);
        let limit = config.batch.unwrap_or(O::BATCH);
        Batcher {
            gatherings: (0..cores).map(|_| Gathering::new(limit)).collect(),
            closed: AtomicBool::new(false),
            deadline: config.deadline,
        }
    }

    /// The result of this item. The thread waits while others compute it, or computes for others.
    ///
    /// # Errors
    /// [`Closed`] after [`close`](Self::close).
    ///
    /// # Panics
    /// As [`Operation::one`] does on this item.
    pub fn call(&self, item: O::Item) -> Result<O::Output, Closed> {
        let place = match self.enter(item)? {
            Entered::Alone(_inside, item) => return Ok(O::one(&item)),
            Entered::Waiting(place) => place,
        };
        let mut turns = 0;
        loop {
            if let Some(output) = place.output() {
                return Ok(output);
            }
            if turns < TURNS {
                thread::yield_now();
            } else {
                place.batch.sleep();
            }
            turns += 1;
            place.lead();
        }
    }

    /// The result of this item, for a task: a future that needs no particular executor. Nothing is
    /// done before it is polled; a poll may compute a batch. It may be dropped at any time.
    ///
    /// ```
    /// use adamant::batcher::{Agree, Batcher};
    /// # use adamant::{SystemRng, ec::x25519::PrivateKey};
    /// # use std::sync::Arc;
    /// # fn generate() -> Arc<PrivateKey> { Arc::new(PrivateKey::generate(&mut SystemRng).unwrap()) }
    /// async fn key(batcher: &Batcher<Agree<PrivateKey>>) {
    ///     let (alice, bob) = (generate(), generate());
    ///     let shared = batcher.call_async((alice.clone(), bob.public_key())).await.expect("open");
    ///     assert_eq!(*shared.unwrap(), *bob.agree(&alice.public_key()).unwrap());
    /// }
    /// ```
    ///
    /// # Panics
    /// The future does, as [`Operation::one`] does on this item.
    pub fn call_async(&self, item: O::Item) -> Call<'_, O> {
        Call::new(self, item)
    }

    /// Lets nobody in any more, and computes what waits.
    pub fn close(&self) {
        for gathering in &self.gatherings {
            let mut open = lock(&gathering.open);
            // Under the lock: every caller that saw it open has its item in the batch.
            self.closed.store(true, Ordering::Relaxed);
            let taken = open.take(gathering.inside.load(Ordering::Relaxed));
            drop(open);
            gathering.compute(taken);
        }
    }

    /// Counts the caller, and puts the item into the open batch of this core if there are others.
    fn enter(&self, item: O::Item) -> Result<Entered<'_, O>, Closed> {
        let cores = self.gatherings.len();
        let gathering = &self.gatherings[if cores == 1 { 0 } else { core_hint() % cores }];
        let others = gathering.inside.fetch_add(1, Ordering::Relaxed);
        let inside = Inside(&gathering.inside);
        if !gathering.wanted() {
            return match self.closed.load(Ordering::Relaxed) {
                true => Err(Closed),
                false => Ok(Entered::Alone(inside, item)),
            };
        }
        let mut open = lock(&gathering.open);
        if self.closed.load(Ordering::Relaxed) {
            return Err(Closed);
        }
        let place = Place {
            gathering,
            index: open.push(item),
            batch: open.batch.clone(),
            _inside: inside,
        };
        gathering.looking.store(true, Ordering::Relaxed);
        if open.is_due(self.deadline) {
            let taken = open.take(others + 1);
            drop(open);
            gathering.compute(taken);
        }
        Ok(Entered::Waiting(place))
    }
}

impl<O: Operation> Gathering<O> {
    fn new(limit: usize) -> Self {
        Gathering {
            open: Mutex::new(Open::new(limit)),
            inside: AtomicUsize::new(0),
            crowd: AtomicUsize::new(0),
            in_place: AtomicUsize::new(0),
            looking: AtomicBool::new(false),
        }
    }

    /// Whether the next item belongs into the open batch: others are there, or it is time to look
    /// for some.
    fn wanted(&self) -> bool {
        if self.crowd.load(Ordering::Relaxed) > 0 || self.looking.load(Ordering::Relaxed) {
            return true;
        }
        let count = self.in_place.load(Ordering::Relaxed).wrapping_add(1);
        self.in_place.store(count, Ordering::Relaxed);
        count.is_multiple_of(LOOK)
    }

    fn compute(&self, (batch, items): (Arc<Batch<O>>, Vec<Option<O::Item>>)) {
        let crowd = match items.len() >= O::WORTH.max(2) {
            true => CROWD,
            false => self.crowd.load(Ordering::Relaxed).saturating_sub(1),
        };
        self.crowd.store(crowd, Ordering::Relaxed);
        self.looking.store(false, Ordering::Relaxed);
        batch.compute(&items);
    }
}

impl<O: Operation> Place<'_, O> {
    /// The result, if it is there.
    fn output(&self) -> Option<O::Output> {
        self.batch.output(self.index)
    }

    /// The batch, if it still takes items.
    fn open(&self) -> Option<MutexGuard<'_, Open<O>>> {
        if self.batch.is_taken() {
            return None;
        }
        let open = lock(&self.gathering.open);
        Arc::ptr_eq(&open.batch, &self.batch).then_some(open)
    }

    /// Whether the batch is still open and has grown since it had this many items: then it is worth
    /// another turn, which costs a task next to nothing.
    fn grows(&self, seen: &mut usize, deadline: Duration) -> bool {
        self.open().is_some_and(|mut open| {
            let before = mem::replace(seen, open.items.len());
            *seen > before && !open.is_due(deadline)
        })
    }

    /// Computes the batch, if it is still open.
    fn lead(&self) {
        if let Some(mut open) = self.open() {
            let taken = open.take(self.gathering.inside.load(Ordering::Relaxed));
            drop(open);
            self.gathering.compute(taken);
        }
    }

    /// Takes the item of a caller who gives up out of the batch, if it is still open.
    fn leave(&self) {
        if let Some(mut open) = self.open() {
            let item = open.items[self.index].take();
            // Dropped outside the lock, so that its drop does not hold up the others.
            drop(open);
            drop(item);
        }
    }
}

impl<O: Operation> Default for Batcher<O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Operation> fmt::Debug for Batcher<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batcher")
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}
