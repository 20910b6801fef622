//! Operations without their types: what gathers items is compiled once, not for each operation.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use adamant::batcher::{Batcher, Config, Operation};

use super::fibers;

/// An item of some operation.
pub(crate) type Item = Box<dyn Any + Send>;
/// Its result.
pub(crate) type Output = Arc<dyn Any + Send + Sync>;

/// The functions of an operation.
pub(super) struct Functions {
    batch: usize,
    worth: usize,
    one: fn(&Item) -> Output,
    many: fn(&[&Item]) -> Vec<Output>,
}

impl Functions {
    /// The result of each item.
    pub(super) fn compute(&self, items: &[&Item]) -> Vec<Output> {
        match items.len() < self.worth {
            true => items.iter().map(|item| (self.one)(item)).collect(),
            false => (self.many)(items),
        }
    }
}

fn typed<O: Operation>(item: &Item) -> &O::Item {
    item.downcast_ref().expect("an item of the operation")
}

fn one<O: Operation>(item: &Item) -> Output {
    Arc::new(O::one(typed::<O>(item)))
}

fn many<O: Operation>(items: &[&Item]) -> Vec<Output> {
    let items: Vec<_> = items.iter().map(|item| typed::<O>(item)).collect();
    let mut outputs = Vec::with_capacity(items.len());
    for output in O::many(&items) {
        outputs.push(Arc::new(output) as Output);
    }
    outputs
}

/// An operation that all handshakes of the program share.
pub(crate) struct Common<const WORTH: usize> {
    functions: Functions,
    /// The batcher that gathers it from threads.
    batcher: OnceLock<Batcher<Untyped<WORTH>>>,
}

impl<const WORTH: usize> Common<WORTH> {
    pub(crate) const fn new<O: Operation>() -> Self {
        Common {
            functions: Functions {
                batch: O::BATCH,
                worth: O::WORTH,
                one: one::<O>,
                many: many::<O>,
            },
            batcher: OnceLock::new(),
        }
    }

    /// The result of one item, computed with those of other fibers or other threads.
    pub(crate) fn gather(&'static self, item: Item) -> Output {
        let functions = &self.functions;
        let item = match fibers::wait(functions, item) {
            Ok(output) => return output,
            Err(item) => item,
        };
        let batcher = self.batcher.get_or_init(|| {
            Batcher::with_config(Config {
                batch: Some(functions.batch),
                ..Config::default()
            })
        });
        (batcher.call((functions, item))).expect("nobody closes it")
    }
}

/// The operation that its items name, the same in all of a batch.
struct Untyped<const WORTH: usize>;

impl<const WORTH: usize> Operation for Untyped<WORTH> {
    type Item = (&'static Functions, Item);
    type Output = Output;
    const WORTH: usize = WORTH;

    fn one((functions, item): &Self::Item) -> Output {
        (functions.one)(item)
    }

    fn many(items: &[&Self::Item]) -> Vec<Output> {
        let untyped: Vec<_> = items.iter().map(|(_, item)| item).collect();
        (items.first()).map_or_else(Vec::new, |(functions, _)| (functions.many)(&untyped))
    }
}
