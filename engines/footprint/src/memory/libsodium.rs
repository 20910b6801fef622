//! The group, by libsodium: its points come and go encoded, whose decoding and encoding need less
//! stack than the product. It has no batches and no sums of products.

use crate::{keep, row};
use libsodium_sys as sodium;

pub(crate) fn rows() {
    let [scalar, other] = [6, 4].map(inverse);
    let mut point = [0; 32];
    // SAFETY: both have the 32 bytes that the function reads and writes.
    let done = unsafe {
        sodium::crypto_scalarmult_ed25519_base_noclamp(point.as_mut_ptr(), other.as_ptr())
    };
    assert_eq!(done, 0, "a point");
    row("mul", &|| {
        let mut product = [0; 32];
        let to = product.as_mut_ptr();
        // SAFETY: all three have the 32 bytes that the function reads and writes.
        let done = unsafe {
            sodium::crypto_scalarmult_ed25519_noclamp(to, scalar.as_ptr(), point.as_ptr())
        };
        assert_eq!(done, 0, "a product");
        keep(product);
    });
    row("mul-base", &|| {
        let mut product = [0; 32];
        let to = product.as_mut_ptr();
        // SAFETY: as above.
        let done = unsafe { sodium::crypto_scalarmult_ed25519_base_noclamp(to, scalar.as_ptr()) };
        assert_eq!(done, 0, "a product");
        keep(product);
    });
}

/// That of a number: a scalar that is no special one.
fn inverse(number: u8) -> [u8; 32] {
    let (mut scalar, mut inverse) = ([0; 32], [0; 32]);
    scalar[0] = number;
    // SAFETY: both have the 32 bytes that the function reads and writes.
    let done =
        unsafe { sodium::crypto_core_ed25519_scalar_invert(inverse.as_mut_ptr(), scalar.as_ptr()) };
    assert_eq!(done, 0, "an inverse");
    inverse
}
