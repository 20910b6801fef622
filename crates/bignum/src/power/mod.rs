//! Products and modular exponentiation: the table of implementations.

#[cfg(target_arch = "aarch64")]
mod arm_mul;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod digits;
mod montgomery;
#[cfg(any(
    feature = "lab",
    all(target_arch = "arm", not(target_has_atomic = "ptr"))
))]
mod portable16;
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
mod portable32;
#[cfg(target_pointer_width = "64")]
mod portable64;
pub(crate) mod strong;
#[cfg(target_arch = "x86_64")]
mod x86_adx;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod x86_ifma512;
#[cfg(target_arch = "x86")]
mod x86_sse2;

use crate::Modulus;
use adamant_base::ct::Choice;
use montgomery::Multiplier;

/// An exponentiation: `out = base^exponent mod modulus`.
pub struct Task<'a> {
    /// The modulus.
    pub modulus: &'a Modulus,
    /// As long as the modulus, and below it.
    pub base: &'a [u64],
    /// Of any length, which is public.
    pub exponent: &'a [u64],
    /// As long as the modulus.
    pub out: &'a mut [u64],
}

impl Task<'_> {
    /// # Panics
    /// When lengths differ that may not.
    fn check(&self) {
        let n = self.modulus.len();
        assert!(self.base.len() == n && self.out.len() == n, "lengths");
    }
}

adamant_base::backends! {
    /// Implementations of products and modular exponentiation.
    ///
    /// ```
    /// let mut product = [0; 4];
    /// adamant_bignum::hazmat::Backend::best().mul(&mut product, &[u64::MAX; 2], &[u64::MAX; 2]);
    /// assert_eq!(product, [1, 0, u64::MAX - 1, u64::MAX]);
    /// ```
    pub(crate) struct Backend {
        /// `out = a b`; `out` is as long as both together. It panics when it is not.
        fn mul(out: &mut [u64], a: &[u64], b: &[u64]);
        /// `out = a b / R` modulo the modulus, for R = 2^(64 n) and n limbs: for `a` below R and
        /// `b` below the modulus, or the other way round. It panics when one is not as long as the
        /// modulus.
        fn multiply(out: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus);
        /// Exponentiations with secret bases, exponents and moduli. It panics when a base or an
        /// output is not as long as its modulus.
        fn power(tasks: &mut [Task<'_>]);
        /// As `power`, with public exponents: the time depends on them.
        fn power_vartime(tasks: &mut [Task<'_>]);
        /// Whether each of these secret numbers passes the test of Miller and Rabin to base 2: all
        /// are of one length, 3 modulo 4 and above 3, with their highest bits set. It panics when
        /// there are not as many places as numbers.
        fn strong_to_two(numbers: &[&[u64]], passed: &mut [Choice]);
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_ifma512 if ["avx512f", "avx512ifma", "adx", "bmi2"];
    #[cfg(target_arch = "x86_64")]
    x86_adx if ["adx", "bmi2"];
    #[cfg(target_arch = "x86")]
    x86_sse2 if ["sse2"];
    #[cfg(target_arch = "aarch64")]
    arm_mul if ["neon"];
    // Of ARM's cores those without atomics, of ARMv6-M, have no longer products.
    #[cfg(all(target_arch = "arm", not(target_has_atomic = "ptr")))]
    portable16 if [];
    #[cfg(target_pointer_width = "64")]
    portable64 if [];
    #[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
    portable32 if [];
    #[cfg(all(
        feature = "lab",
        not(all(target_arch = "arm", not(target_has_atomic = "ptr")))
    ))]
    portable16 if [];
}
