//! Whose cases are next: of the operations that have cases left, that which has had the least time.
//!
//! So every operation has its first case before any has many, the cheap ones before the others; those
//! that are quick are done with their share soon, and the time that they leave is divided among
//! the slow.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::draw::Class;
use super::subject::Progress;

/// How long a turn lasts, unless it is the first, which is one case.
const TURN: Duration = Duration::from_millis(20);

/// The cases of one operation.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// How many there are to be.
    pub(super) share: u64,
    /// What they gave so far.
    pub(super) progress: Progress,
    class: Class,
    taken: Duration,
}

impl Work {
    pub(super) fn new(class: Class, share: u64) -> Self {
        Work {
            share,
            class,
            ..Work::default()
        }
    }

    fn is_done(&self) -> bool {
        self.progress.cases >= self.share
    }
}

/// An operation in the hands of a thread.
pub(super) struct Turn {
    pub(super) index: usize,
    work: Work,
    end: Option<Instant>,
}

impl Turn {
    /// Does cases until the turn is over, and counts them.
    pub(super) fn go(&mut self, mut case: impl FnMut(&mut Progress, u64)) {
        let start = Instant::now();
        let first = self.work.progress.cases == 0;
        loop {
            let number = self.work.progress.cases;
            case(&mut self.work.progress, number);
            self.work.progress.cases += 1;
            let over = self.end.is_some_and(|end| Instant::now() >= end);
            if first || over || self.work.is_done() || start.elapsed() >= TURN {
                break;
            }
        }
        self.work.taken += start.elapsed();
    }
}

/// All operations, those in hand left out.
pub(super) struct Turns {
    works: Mutex<Vec<Option<Work>>>,
    end: Option<Instant>,
}

impl Turns {
    pub(super) fn new(
        works: impl Iterator<Item = Work>,
        begun: Instant,
        limit: Option<Duration>,
    ) -> Self {
        Turns {
            works: Mutex::new(works.map(Some).collect()),
            end: limit.map(|limit| begun + limit),
        }
    }

    /// The next turn; none when the time is over, or where others have all that is left in hand.
    pub(super) fn next(&self) -> Option<Turn> {
        if self.end.is_some_and(|end| Instant::now() >= end) {
            return None;
        }
        let mut works = self.works.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = works.iter().enumerate().filter_map(|(index, work)| {
            let work = work.as_ref().filter(|work| !work.is_done())?;
            Some((work.taken, work.class, index))
        });
        let (_, _, index) = waiting.min()?;
        let work = works[index].take()?;
        let end = self.end;
        Some(Turn { index, work, end })
    }

    pub(super) fn put_back(&self, turn: Turn) {
        let mut works = self.works.lock().unwrap_or_else(PoisonError::into_inner);
        works[turn.index] = Some(turn.work);
    }

    /// Everything, in order.
    pub(super) fn into_works(self) -> Vec<Work> {
        let works = self.works.into_inner();
        let works = works.unwrap_or_else(PoisonError::into_inner);
        works.into_iter().map(Option::unwrap_or_default).collect()
    }
}
