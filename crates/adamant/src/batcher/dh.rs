//! Diffie-Hellman in batches.

use super::Operation;
use crate::{Error, dh};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Finite-field Diffie-Hellman: the secret of two keys, as `PrivateKey::agree` gives it.
#[derive(Clone, Copy, Debug)]
pub enum DhDerive {}

impl Operation for DhDerive {
    type Item = (Arc<dh::PrivateKey>, dh::PublicKey);
    type Output = Result<Arc<dh::SharedSecret>, Error>;
    const BATCH: usize = 16;

    #[cfg_attr(not(feature = "lab"), inline)]
    fn one((key, peer): &Self::Item) -> Self::Output {
        key.agree(peer).map(Arc::new)
    }

    #[cfg_attr(not(feature = "lab"), inline)]
    fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
        let items: Vec<_> = items.iter().map(|(key, peer)| (&**key, peer)).collect();
        let share = |secret: Result<_, Error>| secret.map(Arc::new);
        dh::agree_batch(&items).into_iter().map(share).collect()
    }
}
