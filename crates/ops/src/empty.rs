//! An operation that does nothing.

use crate::stream::Stream;
use crate::table::OnlyPortable;
use crate::task::{Registry, Task, Wrong};
use crate::{Item, Length, Operation};

/// An operation that does nothing, measured as all are: its time is what measuring adds to theirs.
///
/// It is not an algorithm, so the [registry](crate::registry) is without it.
///
/// ```
/// use adamant_ops::{Effort, Size, empty, measure};
/// let size = Size { bytes: 0, batch: 1 };
/// let row = measure(empty().as_ref(), size, None, Effort::Seconds(0.01)).unwrap();
/// assert_eq!(row.op, "empty/run");
/// ```
#[must_use]
pub fn empty() -> Box<dyn Operation> {
    let mut registry = Registry::default();
    registry.single::<Run>("empty/run");
    registry.operations.remove(0)
}

struct Run;

impl Task for Run {
    type Table = OnlyPortable;
    type State = ();
    type Output = ();
    const LENGTH: Length = Length::None;

    fn input(_: &mut Stream, _: usize) -> Item {
        Item::new()
    }
    fn ready(_: OnlyPortable, _: &Item, _: usize) -> Result<(), Wrong> {
        Ok(())
    }
    fn run((): &mut ()) {}
    fn encode((): &(), (): &()) -> Item {
        Item::new()
    }
}
