//! The stages of the store, for each kind.

use crate::Result;
use crate::pass::{Pass, ensure, mean_len, number};
use crate::store::Kind;
use crate::toolkit::Toolkit;

/// Removes what the variant or pass before has inserted.
pub(crate) fn empty<T: Toolkit>(pass: &mut Pass<'_, T>, kind: Kind) -> Result<()> {
    pass.store.clear(kind)
}

/// Drops what the run before has read.
pub(crate) fn forget<T: Toolkit>(pass: &mut Pass<'_, T>, kind: Kind) -> Result<()> {
    pass.made(kind).0.read = Vec::new();
    Ok(())
}

/// Inserts all items, numbered from 1.
pub(crate) fn insert<T: Toolkit>(pass: &mut Pass<'_, T>, kind: Kind) -> Result<()> {
    let (made, store) = pass.made(kind);
    let items = made.der.iter().enumerate();
    store.insert(
        kind,
        &mut items.map(|(item, der)| (number(item), der.as_slice())),
    )
}

/// Reads all items.
pub(crate) fn read<T: Toolkit>(pass: &mut Pass<'_, T>, kind: Kind) -> Result<()> {
    let (made, store) = pass.made(kind);
    made.read = store.read(kind)?;
    Ok(())
}

/// What was read is what was inserted.
pub(crate) fn check_read<T: Toolkit>(
    pass: &mut Pass<'_, T>,
    kind: Kind,
    stage: &'static str,
) -> Result<usize> {
    let (made, _) = pass.made(kind);
    let differs = made.der.iter().zip(&made.read).position(|(a, b)| a != b);
    let right = differs.is_none() && made.der.len() == made.read.len();
    ensure(
        right,
        stage,
        differs.unwrap_or(made.der.len().min(made.read.len())),
        "what was read is not what was inserted",
    )?;
    Ok(mean_len(&made.read))
}

/// The octets of one item.
pub(crate) fn len<T: Toolkit>(pass: &mut Pass<'_, T>, kind: Kind) -> Result<usize> {
    Ok(mean_len(&pass.made(kind).0.der))
}
