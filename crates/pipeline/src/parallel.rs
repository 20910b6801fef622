//! Batches in parts, one for each call of a provider, on all threads of the pool.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::Result;

/// A part has no more items: what several threads can still share at the end of a batch.
const MAX: usize = 256;

/// Parts are multiples of this where a thread has more of them: the lanes of the widest kernels.
pub(crate) const LANES: usize = 16;

/// Items of one part of a batch: all that a thread has where they fill no more than the lanes, or
/// else about four parts for each thread.
fn part(items: usize, threads: usize) -> usize {
    let share = items.div_ceil(threads);
    if share <= LANES {
        return share.max(1);
    }
    let part = items.div_ceil(4 * threads);
    part.next_multiple_of(LANES).min(MAX)
}

/// Runs every part of this many: there once, whatever the parts are of.
fn each(parts: usize, run: &(dyn Fn(usize) -> Result<()> + Sync)) -> Result<()> {
    let parts = (0..parts).into_par_iter().with_max_len(1);
    parts.try_for_each(run)
}

/// Makes an item for each index of the batch, part by part: `make` gets the indices of a part.
pub(crate) fn make<T: Send>(
    batch: usize,
    make: &(dyn Fn(Range<usize>) -> Result<Vec<T>> + Sync),
) -> Result<Vec<T>> {
    let part = part(batch, rayon::current_num_threads());
    let count = batch.div_ceil(part);
    let mut parts = Vec::with_capacity(count);
    parts.resize_with(count, || Mutex::new(Vec::new()));
    each(count, &|i| {
        let made = make(i * part..batch.min((i + 1) * part))?;
        // Nobody else has this part.
        *parts[i].lock().unwrap_or_else(PoisonError::into_inner) = made;
        Ok(())
    })?;
    let mut all = Vec::with_capacity(batch);
    for made in parts {
        all.append(&mut made.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    Ok(all)
}

/// Looks at `items`, part by part: `look` gets the index of a part's first item, and the part.
pub(crate) fn look<T: Sync>(
    items: &[T],
    look: &(dyn Fn(usize, &[T]) -> Result<()> + Sync),
) -> Result<()> {
    let part = part(items.len(), rayon::current_num_threads());
    each(items.len().div_ceil(part), &|i| {
        let (first, end) = (i * part, items.len().min((i + 1) * part));
        look(first, &items[first..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        assert_eq!(part(0, 2), 1);
        assert_eq!(part(1, 2), 1);
        assert_eq!(part(3, 1), 3);
        assert_eq!(part(64, 2), 16);
        assert_eq!(part(64, 16), 4);
        assert_eq!(part(1024, 2), 128);
        assert_eq!(part(100_000, 2), MAX);
    }

    #[test]
    fn every_item_once() {
        for items in [0, 1, 2, 7, 8, 9, 63, 64, 65, 1000] {
            let out = make(items, &|part| Ok(part.collect())).unwrap();
            assert!(out.iter().copied().eq(0..items));
            look(&out, &|first, part| {
                assert!(part.iter().copied().eq(first..first + part.len()));
                Ok(())
            })
            .unwrap();
        }
    }
}
