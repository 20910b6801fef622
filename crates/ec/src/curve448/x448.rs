//! X448 key agreement (RFC 7748).
//!
//! ```
//! use adamant_base::{Error, Rng};
//! use adamant_ec::x448::{PrivateKey, PublicKey};
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
//! // Each side sends 56 bytes.
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

pub(crate) use super::Backend;

use super::scalar::Scalar;

crate::xdh::xdh!(
    "x448" 56
    /// A public key: any 56 bytes. Those that are not canonical stand for their value modulo p, as
    /// RFC 7748, section 5 asks.
);

/// The scalar of a private key (`decodeScalar448` of RFC 7748, section 5): a multiple of 4 from
/// 2^447 on.
fn clamp(bytes: &[u8; 56]) -> Secret<[u8; 56]> {
    let mut scalar = Secret::new(*bytes);
    scalar[0] &= 252;
    scalar[55] |= 128;
    scalar
}

/// The same modulo the order of the base point.
fn base_scalar(bytes: &[u8; 56]) -> Secret<Scalar> {
    Secret::new(Scalar::reduce(&clamp(bytes)))
}

fn multiple(backend: Backend, bytes: &[u8; 56]) -> [u8; 56] {
    backend.mul_base_u(base_scalar(bytes).words())
}

/// Makes `count` keys, those that as many calls of [`PrivateKey::generate`] make.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
#[cfg(feature = "alloc")]
pub fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<PrivateKey>, Error> {
    let backend = Backend::best();
    let mut keys = Vec::with_capacity(count);
    while keys.len() < count {
        let len = CHUNK.min(count - keys.len());
        let mut all = Secret::new([[0; 56]; CHUNK]);
        let mut scalars = Secret::new([[0; 7]; CHUNK]);
        for (bytes, scalar) in all.iter_mut().zip(&mut *scalars).take(len) {
            rng.fill(bytes)?;
            *scalar = *base_scalar(bytes).words();
        }
        let mut publics = [[0; 56]; CHUNK];
        backend.mul_base_u_batch(&scalars[..len], &mut publics[..len]);
        let made = all.iter().zip(publics).take(len);
        keys.extend(made.map(|(bytes, public)| PrivateKey::from_parts(bytes, public, backend)));
    }
    Ok(keys)
}

/// [`PrivateKey::agree`] for many pairs: `out[i]` is what `items[i]` gives. The implementation is
/// that of the first key.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn agree_batch_into(
    items: &[(&PrivateKey, &PublicKey)],
    out: &mut [Result<Secret<[u8; 56]>, Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let len = items.len();
        let mut inputs = Secret::new([[[0; 56]; 2]; CHUNK]);
        for (input, (key, peer)) in inputs.iter_mut().zip(items) {
            *input = [*clamp(&key.bytes), peer.0];
        }
        let mut shared = Secret::new([[0; 56]; CHUNK]);
        let backend = items[0].0.backend;
        backend.ladder_batch(&inputs[..len], &mut shared[..len]);
        for (result, shared) in out.iter_mut().zip(&*shared) {
            *result = checked(Secret::new(*shared));
        }
    }
    Ok(())
}
