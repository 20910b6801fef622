//! A toolkit whose types nobody needs to know: what is run in turns with others.

use std::time::{Duration, Instant};

use crate::pass::{Pass, Variant};
use crate::stage::{Items, table};
use crate::store::{Store, Synchronous};
use crate::toolkit::Toolkit;
use crate::{Adamant, Algorithm, Result};

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
    pub(crate) time: Duration,
    pub(crate) der_bytes: usize,
}

/// What a run needs of a toolkit.
pub(crate) trait Passes: Sync {
    fn name(&self) -> &str;

    fn has(&self, algorithm: Algorithm) -> bool;

    /// All stages once, in all variants.
    fn pass(
        &self,
        store: &mut (dyn Store + Send),
        algorithm: Algorithm,
        batch: usize,
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

    fn pass(
        &self,
        store: &mut (dyn Store + Send),
        algorithm: Algorithm,
        batch: usize,
        thorough: bool,
        settings: &[Synchronous],
    ) -> Result<Vec<Timed>> {
        let mut pass = Pass::new(self, store, algorithm, batch, thorough)?;
        let mut all = Vec::new();
        for stage in table::<T>() {
            for variant in stage.varies.variants(settings) {
                pass.store.set_synchronous(variant.synchronous)?;
                (stage.prepare)(&mut pass, variant)?;
                let start = Instant::now();
                (stage.run)(&mut pass)?;
                let time = start.elapsed();
                let der_bytes = (stage.check)(&mut pass)?;
                all.push(Timed {
                    stage: stage.name,
                    items: stage.items,
                    variant,
                    time,
                    der_bytes,
                });
            }
        }
        Ok(all)
    }
}
