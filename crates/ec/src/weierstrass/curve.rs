//! What the keys and signatures of this module ask of a curve.

use super::modulus::Modulus;
use super::operations::Operations;
use crate::limbs::bits;
use adamant_base::family::Block;
use adamant_base::{Implementation, Wipe};
use adamant_hash::hazmat::hmac_drbg::NonceHash;
use core::fmt::Debug;

/// A check of a signature: `u1`, `u2`, the coordinates of Q, and `r`.
pub type Check<const W: usize> = ([u64; W], [u64; W], [[u64; W]; 2], [u64; W]);

/// An encoding of fixed length: an array of bytes.
pub trait Bytes: Block + Wipe + Eq + Debug + Send + Sync {}

impl<const LEN: usize> Bytes for [u8; LEN] {}

/// A curve y^2 = x^3 + a x + b over the integers modulo a prime p, with a base point of prime order
/// n that generates all its points; numbers are integers of `W` 64-bit words, the lowest first.
///
/// [`PrivateKey`](super::PrivateKey), [`PublicKey`](super::PublicKey) and
/// [`Signature`](super::Signature) are generic over this trait, which the curves of this crate have.
/// p and n are of the same length in bytes, which is at most 72, and above 2^64.
///
/// ```
/// use adamant_ec::weierstrass::{Curve, p256::P256};
/// let [x, _] = P256::G;
/// assert_eq!(x[3] >> 32, 0x6b17_d1f2);
/// ```
pub trait Curve<const W: usize>: Operations<W> + Copy + Eq + Debug + Send + Sync + 'static {
    /// The name, as in `p256`.
    const NAME: &'static str;
    /// The prime p.
    const P: [u64; W];
    /// The coefficient a.
    const A: [u64; W];
    /// The coefficient b.
    const B: [u64; W];
    /// The base point: x and y.
    const G: [[u64; W]; 2];
    /// The order n of the base point.
    const N: [u64; W];
    /// Whether signatures are made with the smaller of s and n - s, as Bitcoin asks for.
    const LOW_S: bool = false;

    /// A number, big-endian: as many bytes as p has.
    type Scalar: Bytes;
    /// 4, x and y.
    type Uncompressed: Bytes;
    /// 2 or 3, and x.
    type Compressed: Bytes;
    /// r and s.
    type SignatureBytes: Bytes;
    /// The hash that messages are signed with.
    type Hash: NonceHash;
    /// The arithmetic.
    type Group: Group<W>;
}

/// An implementation of the multiplication of points of one curve.
///
/// These functions trust their caller: with a scalar that is zero or not below n, or with
/// coordinates that are not those of a point, the result means nothing. The keys check. Batches ask
/// for as much room as there are items, and panic for less.
pub trait Group<const W: usize>: Copy + Eq + Debug + Send + Sync + 'static {
    /// The best for this CPU.
    fn best() -> Self;
    /// The reference.
    fn portable() -> Self;
    /// What is known of this one.
    fn implementation(self) -> &'static Implementation;
    /// `k G`: x and y, for a secret `k` from 1 to n - 1.
    fn mul_base(self, k: &[u64; W]) -> [[u64; W]; 2];
    /// `k P`: x and y, for a secret `k` from 1 to n - 1.
    fn mul(self, k: &[u64; W], point: &[[u64; W]; 2]) -> [[u64; W]; 2];
    /// Whether the x coordinate of `u1 G + u2 Q`, taken modulo n, is `r`, for public numbers below
    /// n.
    fn has_x_vartime(self, u1: &[u64; W], u2: &[u64; W], q: &[[u64; W]; 2], r: &[u64; W]) -> bool;
    /// `mul_base` of each.
    fn mul_base_batch(self, ks: &[[u64; W]], out: &mut [[[u64; W]; 2]]);
    /// `mul` of each scalar and its point.
    fn mul_batch(self, ks: &[[u64; W]], points: &[[[u64; W]; 2]], out: &mut [[[u64; W]; 2]]);
    /// `has_x_vartime` of each.
    fn has_x_batch_vartime(self, items: &[Check<W>], out: &mut [bool]);
}

/// The most bytes of a number.
pub(crate) const MAX_LEN: usize = 72;

/// A curve's numbers as data, for code that is there once for a number of words.
pub(crate) struct Numbers<const W: usize> {
    /// Arithmetic modulo p.
    pub(crate) field: Modulus<W>,
    /// Arithmetic modulo n.
    pub(crate) order: Modulus<W>,
    /// The coefficients a and b, as integers.
    pub(crate) coefficients: [[u64; W]; 2],
    /// Bytes of a number.
    pub(crate) len: usize,
    /// Bits in these bytes beyond those of n.
    pub(crate) spare_bits: u32,
}

/// What follows from a curve's numbers.
pub(crate) trait Derived<const W: usize>: Curve<W> {
    /// All of it as data.
    const NUMBERS: &'static Numbers<W> = &Numbers {
        field: Modulus::new(&Self::P),
        order: Modulus::new(&Self::N),
        coefficients: [Self::A, Self::B],
        len: Self::LEN,
        spare_bits: Self::SPARE_BITS,
    };
    /// Arithmetic modulo p.
    const FIELD: &'static Modulus<W> = &Self::NUMBERS.field;
    /// Arithmetic modulo n.
    const ORDER: &'static Modulus<W> = &Self::NUMBERS.order;
    /// Bytes of a number.
    const LEN: usize = {
        let len = bits(&Self::N).div_ceil(8);
        assert!(len == bits(&Self::P).div_ceil(8) && len <= MAX_LEN && len <= 8 * W && len > 8);
        assert!(size_of::<Self::Scalar>() == len);
        assert!(size_of::<Self::Uncompressed>() == 1 + 2 * len);
        assert!(size_of::<Self::Compressed>() == 1 + len);
        assert!(size_of::<Self::SignatureBytes>() == 2 * len);
        len
    };
    /// Bits in these bytes beyond those of n.
    const SPARE_BITS: u32 = (8 * Self::LEN - bits(&Self::N)) as u32;
}

impl<C: Curve<W>, const W: usize> Derived<W> for C {}

/// The table `Backend` of implementations of a curve beside the call, and the names that keys and
/// signatures have there. Rows may be added in front: see [`adamant_base::backends!`].
macro_rules! group {
    ($curve:ident, $w:tt; $($rows:tt)*) => {
        /// A private key: [`PrivateKey`](crate::weierstrass::PrivateKey) on this curve.
        pub type PrivateKey = crate::weierstrass::PrivateKey<$curve, $w>;
        /// A public key: [`PublicKey`](crate::weierstrass::PublicKey) on this curve.
        pub type PublicKey = crate::weierstrass::PublicKey<$curve, $w>;
        /// A signature: [`Signature`](crate::weierstrass::Signature) on this curve.
        pub type Signature = crate::weierstrass::Signature<$curve, $w>;
        /// A check of a signature: `u1`, `u2`, the coordinates of Q, and `r`.
        pub(crate) type Check = crate::weierstrass::Check<$w>;
        pub use crate::weierstrass::{DerSignature, agree_batch_into, sign_batch_into};
        #[cfg(feature = "alloc")]
        pub use crate::weierstrass::{agree_batch, sign_batch, verify_batch, verify_batch_into};

        /// `count` new keys, as [`PrivateKey::generate`] makes them.
        ///
        /// # Errors
        /// [`Error::NoEntropy`](adamant_base::Error::NoEntropy) from the generator.
        #[cfg(feature = "alloc")]
        pub fn generate_batch(
            count: usize,
            rng: &mut impl adamant_base::Rng,
        ) -> Result<alloc::vec::Vec<PrivateKey>, adamant_base::Error> {
            crate::weierstrass::generate_batch(count, rng)
        }

        adamant_base::backends! {
            /// Multiplication of points.
            ///
            /// Scalars and coordinates are integers of 64-bit words, the lowest first. These
            /// functions trust their caller: with a scalar that is zero or not below n, or with
            /// coordinates that are not those of a point, the result means nothing. The keys of
            /// this module check. Batches ask for as much room as there are items, and panic for
            /// less.
            pub(crate) struct Backend: own {
                /// `k G`: x and y, for a secret `k` from 1 to n - 1.
                fn mul_base(k: &[u64; $w]) -> [[u64; $w]; 2] = |own| {
                    own.mul(k, &<$curve as crate::weierstrass::Curve<$w>>::G)
                };
                /// `k P`: x and y, for a secret `k` from 1 to n - 1.
                fn mul(k: &[u64; $w], point: &[[u64; $w]; 2]) -> [[u64; $w]; 2];
                /// Whether the x coordinate of `u1 G + u2 Q`, taken modulo n, is `r`, for public
                /// numbers below n.
                fn has_x_vartime(
                    u1: &[u64; $w],
                    u2: &[u64; $w],
                    q: &[[u64; $w]; 2],
                    r: &[u64; $w],
                ) -> bool = |_own| Backend::detected().has_x_vartime(u1, u2, q, r);
                batch {
                    /// `mul_base` of each.
                    fn mul_base_batch(ks: &[[u64; $w]], out: &mut [[[u64; $w]; 2]]) = |own| {
                        for (k, out) in ks.iter().zip(&mut out[..ks.len()]) {
                            *out = own.mul_base(k);
                        }
                    };
                    /// `mul` of each scalar and its point.
                    fn mul_batch(
                        ks: &[[u64; $w]],
                        points: &[[[u64; $w]; 2]],
                        out: &mut [[[u64; $w]; 2]],
                    ) = |own| {
                        let (points, out) = (&points[..ks.len()], &mut out[..ks.len()]);
                        for ((k, point), out) in ks.iter().zip(points).zip(out) {
                            *out = own.mul(k, point);
                        }
                    };
                    /// `has_x_vartime` of each.
                    fn has_x_batch_vartime(items: &[Check], out: &mut [bool]) = |own| {
                        for ((u1, u2, q, r), out) in items.iter().zip(&mut out[..items.len()]) {
                            *out = own.has_x_vartime(u1, u2, q, r);
                        }
                    };
                }
            }
            $($rows)*
        }

        #[cfg(feature = "own")]
        pub(crate) mod check {
            /// Checks an implementation beside the portable one.
            ///
            /// # Errors
            /// The first difference.
            pub fn check(own: &dyn super::own::Functions) -> Result<(), crate::hazmat::Mismatch> {
                crate::own::multiplication::<super::$curve, $w>(&crate::own::Multiplication {
                    implementation: own.implementation(),
                    mul_base: &|k| own.mul_base(k),
                    mul: &|k, point| own.mul(k, point),
                    has_x: &|u1, u2, q, r| own.has_x_vartime(u1, u2, q, r),
                    mul_base_batch: &|ks, out| own.mul_base_batch(ks, out),
                    mul_batch: &|ks, points, out| own.mul_batch(ks, points, out),
                    has_x_batch: &|items, out| own.has_x_batch_vartime(items, out),
                })
            }
        }

        crate::weierstrass::operations::operations!($curve, $w);

        impl crate::weierstrass::Group<$w> for Backend {
            fn best() -> Self {
                Self::best()
            }
            fn portable() -> Self {
                Self::portable()
            }
            fn implementation(self) -> &'static adamant_base::Implementation {
                self.implementation()
            }
            fn mul_base(self, k: &[u64; $w]) -> [[u64; $w]; 2] {
                self.mul_base(k)
            }
            fn mul(self, k: &[u64; $w], point: &[[u64; $w]; 2]) -> [[u64; $w]; 2] {
                self.mul(k, point)
            }
            fn has_x_vartime(
                self,
                u1: &[u64; $w],
                u2: &[u64; $w],
                q: &[[u64; $w]; 2],
                r: &[u64; $w],
            ) -> bool {
                self.has_x_vartime(u1, u2, q, r)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn mul_base_batch(self, ks: &[[u64; $w]], out: &mut [[[u64; $w]; 2]]) {
                self.mul_base_batch(ks, out);
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn mul_batch(
                self,
                ks: &[[u64; $w]],
                points: &[[[u64; $w]; 2]],
                out: &mut [[[u64; $w]; 2]],
            ) {
                self.mul_batch(ks, points, out);
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            fn has_x_batch_vartime(self, items: &[Check], out: &mut [bool]) {
                self.has_x_batch_vartime(items, out);
            }
        }
    };
}
pub(crate) use group;
