//! What keys and signatures do on a curve, as functions of the curve. The generic methods of keys
//! call these, and so are compiled here once, not again in each crate that uses them.

use super::ecdsa::Nonces;
use super::{Curve, PrivateKey, PublicKey, Signature};
use adamant_base::{Error, Rng, Secret};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// What keys and signatures do on one curve, by the names of the methods and functions that call it.
pub trait Operations<const W: usize>: Sized {
    #[doc(hidden)]
    fn generate(rng: &mut dyn Rng, backend: Self::Group) -> Result<PrivateKey<Self, W>, Error>
    where
        Self: Curve<W>;
    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    fn generate_batch(count: usize, rng: &mut dyn Rng) -> Result<Vec<PrivateKey<Self, W>>, Error>
    where
        Self: Curve<W>;
    #[doc(hidden)]
    fn from_bytes(bytes: &[u8], backend: Self::Group) -> Result<PrivateKey<Self, W>, Error>
    where
        Self: Curve<W>;
    #[doc(hidden)]
    fn from_sec1(bytes: &[u8]) -> Result<PublicKey<Self, W>, Error>
    where
        Self: Curve<W>;
    #[doc(hidden)]
    fn agree(key: &PrivateKey<Self, W>, peer: &PublicKey<Self, W>) -> Secret<Self::Scalar>
    where
        Self: Curve<W>;
    #[doc(hidden)]
    fn agree_batch_into(
        items: &[(&PrivateKey<Self, W>, &PublicKey<Self, W>)],
        out: &mut [Result<Secret<Self::Scalar>, Error>],
    ) -> Result<(), Error>
    where
        Self: Curve<W>;
    #[doc(hidden)]
    fn sign(
        key: &PrivateKey<Self, W>,
        digest: &[u8],
        extra: &[u8],
        nonces: Nonces,
    ) -> Signature<Self, W>
    where
        Self: Curve<W>;
    #[doc(hidden)]
    fn sign_message(key: &PrivateKey<Self, W>, message: &[u8], extra: &[u8]) -> Signature<Self, W>
    where
        Self: Curve<W>;
    #[doc(hidden)]
    fn sign_batch_into(
        items: &[(&PrivateKey<Self, W>, &[u8])],
        out: &mut [Signature<Self, W>],
    ) -> Result<(), Error>
    where
        Self: Curve<W>;
    #[doc(hidden)]
    fn verify_prehashed(
        key: &PublicKey<Self, W>,
        digest: &[u8],
        signature: &Signature<Self, W>,
    ) -> Result<(), Error>
    where
        Self: Curve<W>;
    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    fn verify_batch_into(
        items: &[(&PublicKey<Self, W>, &[u8], &Signature<Self, W>)],
        out: &mut [Result<(), Error>],
    ) -> Result<(), Error>
    where
        Self: Curve<W>;
    #[doc(hidden)]
    fn is_signature(bytes: &[u8]) -> bool
    where
        Self: Curve<W>;
}

/// [`Operations`] of the curve, beside its names for keys and signatures.
macro_rules! operations {
    ($curve:ident, $w:tt) => {
        const _: () = {
            use crate::weierstrass::{ecdsa, keys, signature};
            use adamant_base::{Error, Rng, Secret};
            type Scalar = <$curve as crate::weierstrass::Curve<$w>>::Scalar;

            impl crate::weierstrass::operations::Operations<$w> for $curve {
                fn generate(rng: &mut dyn Rng, backend: Backend) -> Result<PrivateKey, Error> {
                    keys::generate(rng, backend)
                }
                #[cfg(feature = "alloc")]
                #[cfg_attr(not(feature = "lab"), inline)]
                fn generate_batch(
                    count: usize,
                    rng: &mut dyn Rng,
                ) -> Result<alloc::vec::Vec<PrivateKey>, Error> {
                    keys::generate_in_chunks(count, rng)
                }
                fn from_bytes(bytes: &[u8], backend: Backend) -> Result<PrivateKey, Error> {
                    keys::read_private(bytes, backend)
                }
                fn from_sec1(bytes: &[u8]) -> Result<PublicKey, Error> {
                    keys::read_public(bytes)
                }
                fn agree(key: &PrivateKey, peer: &PublicKey) -> Secret<Scalar> {
                    keys::agree(key, peer)
                }
                #[cfg_attr(not(feature = "lab"), inline)]
                fn agree_batch_into(
                    items: &[(&PrivateKey, &PublicKey)],
                    out: &mut [Result<Secret<Scalar>, Error>],
                ) -> Result<(), Error> {
                    keys::agree_in_chunks(items, out)
                }
                fn sign(
                    key: &PrivateKey,
                    digest: &[u8],
                    extra: &[u8],
                    nonces: ecdsa::Nonces,
                ) -> Signature {
                    ecdsa::sign(key, digest, extra, nonces)
                }
                fn sign_message(key: &PrivateKey, message: &[u8], extra: &[u8]) -> Signature {
                    ecdsa::sign_message(key, message, extra)
                }
                #[cfg_attr(not(feature = "lab"), inline)]
                fn sign_batch_into(
                    items: &[(&PrivateKey, &[u8])],
                    out: &mut [Signature],
                ) -> Result<(), Error> {
                    ecdsa::sign_in_chunks(items, out)
                }
                fn verify_prehashed(
                    key: &PublicKey,
                    digest: &[u8],
                    signature: &Signature,
                ) -> Result<(), Error> {
                    ecdsa::verify(key, digest, signature)
                }
                #[cfg(feature = "alloc")]
                #[cfg_attr(not(feature = "lab"), inline)]
                fn verify_batch_into(
                    items: &[(&PublicKey, &[u8], &Signature)],
                    out: &mut [Result<(), Error>],
                ) -> Result<(), Error> {
                    ecdsa::verify_in_chunks(items, out)
                }
                fn is_signature(bytes: &[u8]) -> bool {
                    signature::is_valid::<$curve, $w>(bytes)
                }
            }
        };
    };
}
pub(crate) use operations;
