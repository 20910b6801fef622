//! What the tests with files of vectors share.

use adamant_dh::Named;

/// The group of this name.
pub(crate) fn named(name: &str) -> Named {
    let mut all = Named::ALL.into_iter();
    all.find(|group| group.name() == name).expect("a group")
}
