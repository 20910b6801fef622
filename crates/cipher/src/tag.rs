//! The end of every opening.

use adamant_base::{Error, Wipe, ct};

/// Whether the tag is the expected one, or the start of it; if not, nothing is left of the data.
pub(crate) fn check(expected: &[u8; 16], tag: &[u8], data: &mut [u8]) -> Result<(), Error> {
    // Whether a tag is right is told to everyone.
    if ct::eq(&expected[..tag.len()], tag).declassify() {
        Ok(())
    } else {
        data.wipe();
        Err(Error::BadTag)
    }
}
