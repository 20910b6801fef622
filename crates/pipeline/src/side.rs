//! A toolkit whose types nobody needs to know: what is run in turns with others.

use std::time::{Duration, Instant};

use crate::parallel::{self, LANES};
use crate::pass::{Pass, Size, Variant};
use crate::stage::{Items, Varies, table};
use crate::store::{Store, Synchronous};
use crate::toolkit::Toolkit;
use crate::{Adamant, Algorithm, Keys, Result};

/// One of the libraries that are compared.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub(crate) passes: &'a dyn Passes,
}

impl Side<'static> {
    /// This project's side, which is compiled here for all who ask.
    #[must_use]
    #[inline(never)]
    pub fn ours() -> Self {
        Side::new(&Adamant)
    }
}

impl<'a> Side<'a> {
    /// The side of this toolkit.
    pub fn new<T: Toolkit>(toolkit: &'a T) -> Self {
        Side { passes: toolkit }
    }

    /// Its name in reports.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.passes.name()
    }

    /// Whether it has the algorithm.
    #[must_use]
    pub fn has(&self, algorithm: Algorithm) -> bool {
        self.passes.has(algorithm)
    }
}

/// One stage and variant of one pass.
pub(crate) struct Timed {
    pub(crate) stage: &'static str,
    pub(crate) items: Items,
    pub(crate) variant: Variant,
    /// Whether it varies by the subscribers' keys.
    pub(crate) has_keys: bool,
    /// Of each run that counts.
    pub(crate) times: Vec<Duration>,
    pub(crate) der_bytes: usize,
}

/// What a run needs of a toolkit.
pub(crate) trait Passes: Sync {
    fn name(&self) -> &str;

    fn has(&self, algorithm: Algorithm) -> bool;

    /// How many keys of a batch can be made in so many seconds: all of them, if nothing is said.
    fn keys(&self, algorithm: Algorithm, batch: usize, seconds: Option<f64>) -> Result<usize>;

    /// All stages in all variants, once; those that take less than `long`, again and again for so
    /// long. Without it this pass warms up, and verifies all signatures once more.
    fn pass(
        &self,
        store: &mut (dyn Store + Send),
        algorithm: Algorithm,
        size: Size,
        long: Option<Duration>,
        settings: &[Synchronous],
    ) -> Result<Vec<Timed>>;
}

impl<T: Toolkit> Passes for T {
    fn name(&self) -> &str {
        Toolkit::name(self)
    }

    fn has(&self, algorithm: Algorithm) -> bool {
        Toolkit::has(self, algorithm)
    }

    fn keys(&self, algorithm: Algorithm, batch: usize, seconds: Option<f64>) -> Result<usize> {
        let Some(seconds) = seconds else {
            return Ok(batch);
        };
        // Of RSA's, some take many times as long as others.
        let tried = batch.min(2 * rayon::current_num_threads());
        let start = Instant::now();
        parallel::make(tried, &|part| self.generate(algorithm, part.len()))?;
        let each = start.elapsed().as_secs_f64() / tried as f64;
        let keys = ((seconds / each) as usize).clamp(tried, batch);
        // Whole groups, where there is one: they are signed as fast as a batch.
        let group = if keys < LANES { 1 } else { LANES };
        Ok(keys.next_multiple_of(group).min(batch))
    }

    fn pass(
        &self,
        store: &mut (dyn Store + Send),
        algorithm: Algorithm,
        size: Size,
        long: Option<Duration>,
        settings: &[Synchronous],
    ) -> Result<Vec<Timed>> {
        let mut pass = Pass::new(self, store, algorithm, size, long.is_none())?;
        let mut all = Vec::new();
        for stage in table::<T>() {
            for variant in stage.varies.variants(settings) {
                pass.store.set_synchronous(variant.synchronous)?;
                let mut times = repeat(long.unwrap_or_default(), &mut || {
                    (stage.prepare)(&mut pass, variant)?;
                    let start = Instant::now();
                    (stage.run)(&mut pass)?;
                    Ok(start.elapsed())
                })?;
                if variant.keys == Keys::Counted && size.keys < size.batch {
                    let whole = size.batch as f64 / size.keys as f64;
                    for time in &mut times {
                        *time = time.mul_f64(whole);
                    }
                }
                let der_bytes = (stage.check)(&mut pass)?;
                all.push(Timed {
                    stage: stage.name,
                    items: stage.items,
                    variant,
                    has_keys: matches!(stage.varies, Varies::Keys),
                    times,
                    der_bytes,
                });
            }
        }
        Ok(all)
    }
}

/// The times of runs that begin within `long`. Where there are several, the first has warmed up what
/// the stages and libraries before it left cold, and does not count.
fn repeat(long: Duration, run: &mut dyn FnMut() -> Result<Duration>) -> Result<Vec<Duration>> {
    let begin = Instant::now();
    let first = run()?;
    let mut times = Vec::new();
    while begin.elapsed() < long {
        times.push(run()?);
    }
    if times.is_empty() {
        times.push(first);
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_several_runs_does_not_count() {
        let runs = |long: u64, each: u64| {
            let mut begun = 0;
            let times = repeat(Duration::from_millis(long), &mut || {
                begun += 1;
                std::thread::sleep(Duration::from_millis(each));
                Ok(Duration::from_secs(begun))
            });
            (times.unwrap(), begun as usize)
        };
        let (times, begun) = runs(0, 0);
        assert_eq!((times, begun), (vec![Duration::from_secs(1)], 1));
        let (times, begun) = runs(1, 2);
        assert_eq!((times, begun), (vec![Duration::from_secs(1)], 1));
        let (times, begun) = runs(5, 1);
        assert!((1..=5).contains(&times.len()), "{times:?}");
        assert_eq!(times.len(), begun.max(2) - 1);
        assert!(!times.contains(&Duration::from_secs(1)) || begun == 1);
    }
}
