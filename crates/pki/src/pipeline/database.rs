//! The stages of the store, for each kind.

use super::pass::{Pass, ensure, mean_len, number};
use crate::store::Kind;
use crate::{Provider, Result};

/// Removes what the variant or pass before has inserted.
pub(super) fn empty<P: Provider>(pass: &mut Pass<'_, P>, kind: Kind) -> Result<()> {
    pass.store.clear(kind)
}

/// Inserts all items, numbered from 1.
pub(super) fn insert<P: Provider>(pass: &mut Pass<'_, P>, kind: Kind) -> Result<()> {
    let (made, store) = pass.made(kind);
    let items = made.der.iter().enumerate();
    store.insert(
        kind,
        &mut items.map(|(item, der)| (number(item), der.as_slice())),
    )
}

/// Reads all items.
pub(super) fn read<P: Provider>(pass: &mut Pass<'_, P>, kind: Kind) -> Result<()> {
    let (made, store) = pass.made(kind);
    made.read = store.read(kind)?;
    Ok(())
}

/// What was read is what was inserted.
pub(super) fn check_read<P: Provider>(
    pass: &mut Pass<'_, P>,
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
pub(super) fn len<P: Provider>(pass: &mut Pass<'_, P>, kind: Kind) -> Result<usize> {
    Ok(mean_len(&pass.made(kind).0.der))
}
