//! Threads and tasks that meet in any order: in every schedule that Shuttle tries, all callers get
//! their own results, and nobody waits for ever.
//!
//! ```text
//! RUSTFLAGS="--cfg shuttle" cargo test -p adamant --lib --no-default-features --features batcher \
//!     --target-dir target/shuttle schedules
//! ```

use super::*;
use alloc::string::String;
use alloc::vec;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::Poll;
use shuttle::rand::{Rng, thread_rng};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Doubles a number, one or many; a batch with 13 panics, and so does 13.
struct Double;

impl Operation for Double {
    type Item = u64;
    type Output = u64;
    const BATCH: usize = 3;
    const WORTH: usize = 2;

    fn one(item: &u64) -> u64 {
        // Others run meanwhile.
        thread::yield_now();
        assert_ne!(*item, 13, "unlucky");
        2 * item
    }

    fn many(items: &[&u64]) -> Vec<u64> {
        items.iter().map(|item| Self::one(item)).collect()
    }
}

/// A batcher on one core, whose callers know of a crowd or are to find one.
fn batcher() -> Arc<Batcher<Double>> {
    let batcher = Batcher::with_config(Config {
        batch: None,
        deadline: [Duration::ZERO, Duration::MAX][thread_rng().gen_range(0..2)],
        cores: Some(1),
    });
    let gathering = &batcher.gatherings[0];
    gathering
        .crowd
        .store(thread_rng().gen_range(0..2) * CROWD, Ordering::Relaxed);
    gathering.in_place.store(LOOK - 2, Ordering::Relaxed);
    Arc::new(batcher)
}

/// Runs callers, and sees that nobody is left inside.
fn among(callers: Vec<Box<dyn FnOnce(&Batcher<Double>) + Send>>) {
    let batcher = batcher();
    let threads: Vec<_> = (callers.into_iter())
        .map(|caller| {
            let batcher = batcher.clone();
            thread::spawn(move || caller(&batcher))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(batcher.gatherings[0].inside.load(Ordering::Relaxed), 0);
}

/// A thread's calls.
fn calls(numbers: &'static [u64]) -> Box<dyn FnOnce(&Batcher<Double>) + Send> {
    Box::new(move |batcher| {
        for number in numbers {
            let result = catch_unwind(AssertUnwindSafe(|| batcher.call(*number)));
            match (number, result) {
                (13, Err(panic)) => assert!(panic.downcast_ref::<String>().is_some()),
                (_, Ok(Ok(double))) if *number != 13 => assert_eq!(double, 2 * number),
                (_, Ok(Err(Closed))) => assert!(batcher.closed.load(Ordering::Relaxed)),
                (number, result) => panic!("{number}: {result:?}"),
            }
        }
    })
}

/// A task's call, given up after this many polls.
fn task(number: u64, polls: usize) -> Box<dyn FnOnce(&Batcher<Double>) + Send> {
    Box::new(move |batcher| {
        let mut call = Some(batcher.call_async(number));
        let mut left = polls;
        let result = shuttle::future::block_on(poll_fn(|context| {
            let Some(waiting) = call.as_mut().filter(|_| left > 0) else {
                call = None;
                return Poll::Ready(None);
            };
            left -= 1;
            let polled = Pin::new(waiting).poll(context);
            if polled.is_pending() && left == 0 {
                // A caller that gives up needs nobody else to wake it.
                context.waker().wake_by_ref();
            }
            polled.map(Some)
        }));
        match result {
            None | Some(Err(Closed)) => {}
            Some(Ok(double)) => assert_eq!(double, 2 * number),
        }
    })
}

/// In random schedules, and in those with few changes at unlikely places.
fn schedules(run: fn()) {
    shuttle::check_random(run, 2000);
    shuttle::check_pct(run, 2000, 3);
}

#[test]
fn threads() {
    schedules(|| {
        among(vec![
            calls(&[1, 2]),
            calls(&[3, 4]),
            calls(&[5]),
            calls(&[6]),
        ])
    });
}

#[test]
fn one_panics() {
    schedules(|| among(vec![calls(&[1, 13]), calls(&[13, 2]), calls(&[3])]));
}

#[test]
fn tasks_among_threads() {
    schedules(|| {
        let given_up = thread_rng().gen_range(1..4);
        among(vec![
            task(1, usize::MAX),
            task(2, given_up),
            task(3, usize::MAX),
            calls(&[4, 5]),
        ]);
    });
}

#[test]
fn closed_meanwhile() {
    schedules(|| {
        among(vec![
            calls(&[1, 2, 3]),
            calls(&[4, 5]),
            task(6, usize::MAX),
            Box::new(Batcher::close),
        ]);
    });
}
