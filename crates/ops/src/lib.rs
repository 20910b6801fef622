//! Every measurable operation, named once.
