//! What the fuzz targets share.

pub mod elements;
pub mod openssl;

/// Lets a target's inputs be changed by elements of DER half of the time: see [`elements`].
#[macro_export]
macro_rules! by_elements {
    () => {
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::elements::mutate(data, size, max_size, seed)
        });
    };
}
