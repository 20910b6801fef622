//! `std::io::Write` for what takes in bytes.

/// Implements `std::io::Write` by `update`, which takes in everything.
#[macro_export]
macro_rules! write_by_update {
    ($($(#[$meta:meta])* [$($generics:tt)*] $name:ty;)+) => { $(
        /// Everything that is written is taken in; nothing fails.
        $(#[$meta])*
        impl<$($generics)*> $crate::support::io::Write for $name {
            #[inline]
            fn write(&mut self, data: &[u8]) -> $crate::support::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }
            fn flush(&mut self) -> $crate::support::io::Result<()> {
                Ok(())
            }
        }
    )+ };
}
