//! The state in which an operation finds the vector registers.
//!
//! Code for AVX that ends without `vzeroupper` leaves the upper halves in use, and whatever runs
//! next in the same process may pay for it: on a Zen 5, SHA-256 with SHA-NI takes 18 % longer after
//! OpenSSL 4.0's ChaCha20-Poly1305. That is no property of SHA-256, so every measurement starts
//! from clean halves.
#![allow(unsafe_code)]

/// Marks the upper halves of the vector registers as unused, where there are such.
#[inline]
pub fn clear_upper_halves() {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx") {
        // SAFETY: the CPU has AVX; the calling convention keeps nothing in the upper halves over
        // a call, and this function is one.
        unsafe { upper_halves() }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
fn upper_halves() {
    std::arch::x86_64::_mm256_zeroupper();
}
