//! `std::io::Write` for what takes in bytes.

#[doc(hidden)]
pub use std::io::{Result, Write};

/// Implements `std::io::Write` by `update`, which takes in everything.
#[doc(hidden)]
#[macro_export]
macro_rules! write_by_update {
    ($($(#[$meta:meta])* [$($generics:tt)*] $name:ty;)+) => { $(
        /// Everything that is written is taken in; nothing fails.
        $(#[$meta])*
        impl<$($generics)*> $crate::io::Write for $name {
            #[inline]
            fn write(&mut self, data: &[u8]) -> $crate::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }
            fn flush(&mut self) -> $crate::io::Result<()> {
                Ok(())
            }
        }
    )+ };
}
