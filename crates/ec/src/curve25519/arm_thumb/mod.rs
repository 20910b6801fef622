//! The operations for the smallest ARM cores: a field of eight words, whose arithmetic is in assembly.

pub(super) mod field;

super::kernel::row!(field::Fe, super::edwards::Completed::NEUTRAL;);
