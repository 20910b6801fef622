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
    pub(crate) time: Duration,
    pub(crate) der_bytes: usize,
}

/// What a run needs of a toolkit.
pub(crate) trait Passes: Sync {
    fn name(&self) -> &str;

    fn has(&self, algorithm: Algorithm) -> bool;

    /// How many keys of a batch can be made in so many seconds: all of them, if nothing is said.
    fn keys(&self, algorithm: Algorithm, batch: usize, seconds: Option<f64>) -> Result<usize>;

    /// All stages once, in all variants.
    fn pass(
        &self,
        store: &mut (dyn Store + Send),
        algorithm: Algorithm,
        size: Size,
        thorough: bool,
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
        thorough: bool,
        settings: &[Synchronous],
    ) -> Result<Vec<Timed>> {
        let mut pass = Pass::new(self, store, algorithm, size, thorough)?;
        let mut all = Vec::new();
        for stage in table::<T>() {
            for variant in stage.varies.variants(settings) {
                pass.store.set_synchronous(variant.synchronous)?;
                (stage.prepare)(&mut pass, variant)?;
                let start = Instant::now();
                (stage.run)(&mut pass)?;
                let mut time = start.elapsed();
                if variant.keys == Keys::Counted && size.keys < size.batch {
                    time = time.mul_f64(size.batch as f64 / size.keys as f64);
                }
                let der_bytes = (stage.check)(&mut pass)?;
                all.push(Timed {
                    stage: stage.name,
                    items: stage.items,
                    variant,
                    has_keys: matches!(stage.varies, Varies::Keys),
                    time,
                    der_bytes,
                });
            }
        }
        Ok(all)
    }
}
