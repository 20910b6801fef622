//! What `adamant speed` measures.

use adamant_ops::{Operation, Size};

/// One row still to be measured.
pub(crate) struct Row<'a> {
    pub(crate) op: &'a dyn Operation,
    pub(crate) size: Size,
    pub(crate) backend: Option<&'static str>,
}
