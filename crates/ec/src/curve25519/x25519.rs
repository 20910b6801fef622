//! X25519 key agreement (RFC 7748).
//!
//! ```
//! use adamant_base::{Error, Rng};
//! use adamant_ec::x25519::{PrivateKey, PublicKey};
//! # struct Fixed(u8);
//! # impl Rng for Fixed {
//! #     fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
//! #         for b in out { self.0 = self.0.wrapping_mul(5).wrapping_add(7); *b = self.0 }
//! #         Ok(())
//! #     }
//! # }
//! # let mut rng = Fixed(1); // any generator; the program's own is the system's
//! let alice = PrivateKey::generate(&mut rng)?;
//! let bob = PrivateKey::generate(&mut rng)?;
//! // Each side sends 32 bytes.
//! let to_bob = alice.public_key().to_bytes();
//! let to_alice = bob.public_key().to_bytes();
//! let at_alice = alice.agree(&PublicKey::from_bytes(&to_alice))?;
//! let at_bob = bob.agree(&PublicKey::from_bytes(&to_bob))?;
//! assert_eq!(*at_alice, *at_bob);
//! # Ok::<(), Error>(())
//! ```
//!
//! The shared secret is a coordinate of a point, not uniform bytes: feed it, with both public
//! keys, to a key derivation function.
//!
//! Every operation on a private key runs in constant time.

#[cfg(target_arch = "aarch64")]
use super::arm_mul;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
use super::arm_thumb;
#[cfg(all(target_arch = "aarch64", feature = "simd"))]
use super::arm_umull;
#[cfg(feature = "lab")]
use super::bignum::{bignum16, bignum32, bignum64};
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", not(feature = "small")))
))]
use super::portable16;
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", feature = "small"))
))]
use super::portable32;
#[cfg(target_pointer_width = "64")]
use super::portable64;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::x86_avx2;
#[cfg(target_arch = "x86_64")]
use super::x86_bmi2;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
use super::x86_ifma;
#[cfg(all(target_arch = "x86", feature = "simd"))]
use super::x86_sse2;

adamant_base::backends! {
    /// An implementation of X25519's scalar multiplications.
    pub(crate) struct Backend: own {
        /// The u-coordinate of the scalar times the point of u-coordinate `u` (RFC 7748's
        /// function X25519 without the clamping of the scalar, which must be below 2^255).
        fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32];
        /// The u-coordinate of the scalar times the base point, for a clamped scalar.
        fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] = |own| own.ladder(scalar, &BASE);
        batch {
            /// `mul_base_u` of each; there is as much room as there are scalars.
            fn mul_base_u_batch(scalars: &[[u8; 32]], out: &mut [[u8; 32]]) = |own| {
                for (scalar, out) in scalars.iter().zip(&mut out[..scalars.len()]) {
                    *out = own.mul_base_u(scalar);
                }
            };
            /// `ladder` of each scalar and its u-coordinate. There is as much room as there are
            /// scalars.
            fn ladder_batch(scalars: &[[u8; 32]], us: &[[u8; 32]], out: &mut [[u8; 32]]) = |own| {
                let (us, out) = (&us[..scalars.len()], &mut out[..scalars.len()]);
                for ((scalar, u), out) in scalars.iter().zip(us).zip(out) {
                    *out = own.ladder(scalar, u);
                }
            };
        }
    }
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
    x86_ifma if ["avx512f", "avx512ifma", "avx512vl", "bmi2"];
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    x86_avx2 if ["avx2", "bmi2"];
    #[cfg(target_arch = "x86_64")]
    x86_bmi2 if ["bmi2"];
    #[cfg(all(target_arch = "x86", feature = "simd"))]
    x86_sse2 if ["sse2"];
    #[cfg(all(target_arch = "aarch64", feature = "simd"))]
    arm_mul if ["neon"; "mul64quick"];
    #[cfg(all(target_arch = "aarch64", feature = "simd"))]
    arm_umull if ["neon"];
    #[cfg(all(target_arch = "aarch64", not(feature = "simd")))]
    arm_mul if ["neon"];
    // ARMv6-M, known by its lack of compare-and-swap, has no long products.
    #[cfg(all(
        target_arch = "arm",
        not(any(target_has_atomic = "ptr", feature = "small"))
    ))]
    arm_thumb if [];
    #[cfg(target_pointer_width = "64")]
    portable64 if [];
    #[cfg(any(
        feature = "lab",
        not(any(target_pointer_width = "64", feature = "small"))
    ))]
    portable32 if [];
    #[cfg(feature = "lab")]
    bignum64 if [];
    #[cfg(feature = "lab")]
    bignum32 if [];
    #[cfg(feature = "lab")]
    bignum16 if [];
    #[cfg(any(
        feature = "lab",
        not(any(target_pointer_width = "64", not(feature = "small")))
    ))]
    portable16 if [];
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        target_has_atomic = "ptr",
        not(feature = "small"),
        feature = "lab"
    ))]
    arm_thumb if [];
}

crate::xdh::xdh!(
    "x25519" 32
    /// A public key: any 32 bytes. Those that are not canonical stand for their value modulo p, and
    /// the top bit is ignored, as RFC 7748, section 5 asks.
);

/// The u-coordinate of the base point.
#[cfg(feature = "own")]
const BASE: [u8; 32] = {
    let mut nine = [0; 32];
    nine[0] = 9;
    nine
};

/// The scalar of a private key (`decodeScalar25519` of RFC 7748, section 5): a multiple of 8
/// from 2^254 on, below 2^255.
fn clamp(bytes: &[u8; 32]) -> Secret<[u8; 32]> {
    let mut scalar = Secret::new(*bytes);
    scalar[0] &= 248;
    scalar[31] &= 127;
    scalar[31] |= 64;
    scalar
}

fn multiple(backend: Backend, bytes: &[u8; 32]) -> [u8; 32] {
    backend.mul_base_u(&clamp(bytes))
}

super::keygen::keygen!("x25519");

/// Hands on `count` new keys.
fn generate(
    count: usize,
    rng: &mut impl Rng,
    mut each: impl FnMut(PrivateKey),
) -> Result<(), Error> {
    let backend = Backend::best();
    for start in (0..count).step_by(CHUNK) {
        let len = CHUNK.min(count - start);
        let mut bytes = Secret::new([[0; 32]; CHUNK]);
        let mut scalars = Secret::new([[0; 32]; CHUNK]);
        for (bytes, scalar) in bytes.iter_mut().zip(&mut *scalars).take(len) {
            rng.fill(bytes)?;
            *scalar = *clamp(bytes);
        }
        let mut publics = [[0; 32]; CHUNK];
        backend.mul_base_u_batch(&scalars[..len], &mut publics[..len]);
        for (bytes, public) in bytes.iter().zip(publics).take(len) {
            each(PrivateKey::from_parts(bytes, public, backend));
        }
    }
    Ok(())
}

/// [`PrivateKey::agree`] for many pairs: `out[i]` is what `items[i]` gives. The implementation is
/// that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn agree_batch_into(
    items: &[(&PrivateKey, &PublicKey)],
    out: &mut [Result<Secret<[u8; 32]>, Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        if let [(key, peer)] = items {
            out[0] = key.agree(peer);
            continue;
        }
        let len = items.len();
        let mut scalars = Secret::new([[0; 32]; CHUNK]);
        let mut us = [[0; 32]; CHUNK];
        for (i, (key, peer)) in items.iter().enumerate() {
            scalars[i] = *clamp(&key.bytes);
            us[i] = peer.0;
        }
        let mut shared = Secret::new([[0; 32]; CHUNK]);
        let backend = items[0].0.backend;
        backend.ladder_batch(&scalars[..len], &us[..len], &mut shared[..len]);
        for (shared, result) in shared.iter().zip(out) {
            *result = checked(Secret::new(*shared));
        }
    }
    Ok(())
}
