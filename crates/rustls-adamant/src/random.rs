//! Randomness: one fast generator for each thread.

use std::cell::RefCell;

use adamant::{Error, FastRng, Rng, SystemRng};
use rustls::crypto::{GetRandomFailed, SecureRandom};

thread_local! {
    static THREAD: RefCell<Option<FastRng>> = const { RefCell::new(None) };
}

/// The thread's generator, seeded by the system at first use, after every MiB and after a fork;
/// the system itself while the thread is being torn down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random;

impl Rng for Random {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let filled = THREAD.try_with(|thread| {
            let mut thread = thread.borrow_mut();
            let rng = match &mut *thread {
                Some(rng) => rng,
                none => none.insert(FastRng::new()?),
            };
            rng.fill(out)
        });
        filled.unwrap_or_else(|_| SystemRng.fill(out))
    }
}

impl SecureRandom for Random {
    fn fill(&self, buf: &mut [u8]) -> Result<(), GetRandomFailed> {
        Rng::fill(&mut Random, buf).map_err(|_| GetRandomFailed)
    }
}
