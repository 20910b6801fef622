//! Hashing to curves (RFC 9380): [`hash_to_curve`](EdwardsPoint::hash_to_curve), whose results are
//! uniform, and `encode_to_curve`, whose results are not, in the suites
//!
//! | suite | function |
//! |---|---|
//! | `edwards25519_XMD:SHA-512_ELL2_RO_` | [`EdwardsPoint::hash_to_curve`] |
//! | `edwards25519_XMD:SHA-512_ELL2_NU_` | [`EdwardsPoint::encode_to_curve`] |
//! | `curve25519_XMD:SHA-512_ELL2_RO_`, `…_NU_` | the same, then [`EdwardsPoint::to_montgomery_coordinates`] |
//! | `ristretto255_XMD:SHA-512_R255MAP_RO_` | [`RistrettoPoint::hash_to_curve`] |
//!
//! A suite's name is part of the domain separation tag, which the caller chooses. The forms of the
//! curve correspond point by point, so their suites give corresponding points for the same tag.
//!
//! All of it runs in constant time for messages of one length.

use super::edwards::{Extended, SQRT_M1};
use super::field::Fe;
use super::fields::Field;
use super::group::{Backend, EdwardsPoint};
use super::ristretto::RistrettoPoint;
use super::roots::{SQRT_MINUS_486664, is_negative, negate_if, select};
use adamant_base::Error;
use adamant_base::ct::Choice;
use adamant_base::family::{Hash, Xof, XofReader};
use adamant_hash::Sha512;

/// What a tag of more than 255 bytes is hashed after (RFC 9380, section 5.3.3).
const OVERSIZE: &[u8] = b"H2C-OVERSIZE-DST-";

/// Fills `out` with bytes that look random, from a message and a domain separation tag:
/// `expand_message_xmd` of RFC 9380, section 5.3.1. `message` is the sum of its parts.
///
/// # Errors
/// [`Error::BadLength`] for more than 255 digests or 65,535 bytes of output,
/// [`Error::BadParameter`] for an empty tag.
///
/// ```
/// use adamant_ec::curve25519::hash_to_curve::expand_message_xmd;
/// use adamant_hash::Sha256;
/// let mut out = [0; 0x20];
/// let tag = b"QUUX-V01-CS02-with-expander-SHA256-128";
/// expand_message_xmd::<Sha256>(&[b"abc"], tag, &mut out)?;
/// assert_eq!(out[..4], [0xd8, 0xcc, 0xab, 0x23]);
/// # Ok::<(), adamant_base::Error>(())
/// ```
pub fn expand_message_xmd<H: Hash>(
    message: &[&[u8]],
    tag: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    let limit = usize::min(255 * H::OUTPUT_LEN, 65_535);
    let length = checked(tag, out, limit)?;
    let hashed;
    let tag = if tag.len() > 255 {
        let mut hash = H::new();
        hash.update(OVERSIZE);
        hash.update(tag);
        hashed = hash.finalize();
        hashed.as_ref()
    } else {
        tag
    };
    let tag_length = [tag.len() as u8];
    let mut hash = H::new();
    let mut zeros = H::BLOCK_LEN;
    while zeros > 0 {
        let some = zeros.min(64);
        hash.update(&[0; 64][..some]);
        zeros -= some;
    }
    for part in message {
        hash.update(part);
    }
    for part in [&length[..], &[0], tag, &tag_length] {
        hash.update(part);
    }
    let first = hash.finalize();
    // b_i = H((b_0 xor b_(i - 1)) || i || tag), with zeros for the b before the first.
    let mut mixed = first;
    for (i, out) in out.chunks_mut(H::OUTPUT_LEN).enumerate() {
        let mut hash = H::new();
        for part in [mixed.as_ref(), &[i as u8 + 1], tag, &tag_length] {
            hash.update(part);
        }
        let block = hash.finalize();
        out.copy_from_slice(&block.as_ref()[..out.len()]);
        let pairs = first.as_ref().iter().zip(block.as_ref());
        for (mixed, (a, b)) in mixed.as_mut().iter_mut().zip(pairs) {
            *mixed = a ^ b;
        }
    }
    Ok(())
}

/// Fills `out` with bytes that look random, from a message and a domain separation tag, by a
/// function with output of any length and a security level of `security` bits:
/// `expand_message_xof` of RFC 9380, section 5.3.2.
///
/// # Errors
/// [`Error::BadLength`] for more than 65,535 bytes of output, [`Error::BadParameter`] for an empty
/// tag or more than 256 bits of security.
///
/// ```
/// use adamant_ec::curve25519::hash_to_curve::expand_message_xof;
/// use adamant_hash::Shake128;
/// let mut out = [0; 0x20];
/// let tag = b"QUUX-V01-CS02-with-expander-SHAKE128";
/// expand_message_xof::<Shake128>(&[b"abc"], tag, 128, &mut out)?;
/// assert_eq!(out[..4], [0x86, 0x96, 0xaf, 0x52]);
/// # Ok::<(), adamant_base::Error>(())
/// ```
pub fn expand_message_xof<X: Xof>(
    message: &[&[u8]],
    tag: &[u8],
    security: usize,
    out: &mut [u8],
) -> Result<(), Error> {
    let length = checked(tag, out, 65_535)?;
    let mut hashed = [0; 64];
    let hashed = hashed
        .get_mut(..security.div_ceil(4))
        .ok_or(Error::BadParameter("security"))?;
    let tag = if tag.len() > 255 {
        let mut xof = X::new();
        xof.update(OVERSIZE);
        xof.update(tag);
        xof.finalize_xof().read(hashed);
        &*hashed
    } else {
        tag
    };
    let mut xof = X::new();
    for part in message {
        xof.update(part);
    }
    for part in [&length[..], tag, &[tag.len() as u8]] {
        xof.update(part);
    }
    xof.finalize_xof().read(out);
    Ok(())
}

/// The length of the output as two bytes, if it and the tag are as they should be.
#[cfg_attr(not(feature = "lab"), inline)]
fn checked(tag: &[u8], out: &[u8], limit: usize) -> Result<[u8; 2], Error> {
    if tag.is_empty() {
        return Err(Error::BadParameter("DST"));
    }
    if out.len() > limit {
        return Err(Error::BadLength {
            expected: limit,
            actual: out.len(),
        });
    }
    Ok((out.len() as u16).to_be_bytes())
}

/// A field element of 48 bytes, most significant first (RFC 9380, section 5.2).
#[cfg_attr(not(feature = "lab"), inline)]
fn element(bytes: &[u8; 48]) -> Fe {
    let mut reversed = *bytes;
    reversed.reverse();
    let mut low = [0; 32];
    low.copy_from_slice(&reversed[..32]);
    let mut high = [0; 32];
    high[..16].copy_from_slice(&reversed[32..]);
    // 2^255 = 19, and 2^256 = 38
    let top = Fe::small(19 * u32::from(low[31] >> 7));
    let high = Fe::from_bytes(&high).mul_small(38);
    Fe::from_bytes(&low).add(top).add(high).tighten()
}

/// `map_to_curve_elligator2_edwards25519` (RFC 9380, sections 6.7.1 and 6.8.2, Z = 2).
#[cfg_attr(not(feature = "lab"), inline)]
fn map(u: Fe) -> EdwardsPoint {
    const J: Fe = Fe::small(486_662);
    // A square root of -2 i: (1 - i)^2 = 1 - 2 i + i^2.
    const SQRT_MINUS_2I: Fe = Fe::ONE.sub(SQRT_M1).tighten();
    let square = u.square();
    let factor = square.add(square).tighten();
    // x1 = -J / (1 + 2 u^2), whose denominator is not zero, as -1/2 is not a square;
    // g(x) = x^3 + J x^2 + x = x ((x + J) x + 1)
    let below = factor.add(Fe::ONE).tighten();
    let above = J.neg();
    let below2 = below.square();
    let inner = above.add(J.mul(below)).tighten().mul(above).add(below2);
    let gx = above.mul(inner);
    let (is_square, root) = Backend::best().sqrt_ratio(&gx, &below2.mul(below));
    // Where g(x1) is not a square, x2 = 2 u^2 x1 and g(x2) = 2 u^2 g(x1), whose root is that of
    // i g(x1) times u times that of -2 i.
    let x = select(is_square, above, above.mul(factor));
    let y = select(is_square, root, root.mul(u).mul(SQRT_MINUS_2I));
    // The root is to be odd in the first case and even in the second.
    let wrong = Choice::from_bit(is_negative(y).bit() ^ is_square.bit());
    let y = negate_if(wrong, y);
    to_edwards(x, below, y)
}

/// The point of edwards25519 for (x / below, y) on Curve25519: (sqrt(-486664) x / y,
/// (x - 1) / (x + 1)), and the neutral one where that divides by zero.
#[cfg_attr(not(feature = "lab"), inline)]
fn to_edwards(x: Fe, below: Fe, y: Fe) -> EdwardsPoint {
    let (xn, xd) = (x.mul(SQRT_MINUS_486664), below.mul(y));
    let (yn, yd) = (x.sub(below).tighten(), x.add(below).tighten());
    let z = xd.mul(yd);
    let point = EdwardsPoint(Extended {
        x: xn.mul(yd),
        y: yn.mul(xd),
        z,
        t: xn.mul(yn),
    });
    EdwardsPoint::select(z.is_zero(), &EdwardsPoint::NEUTRAL, &point)
}

impl EdwardsPoint {
    /// A point of the group of prime order for a message, given in parts, uniform over all
    /// messages: `hash_to_curve` of the suite `edwards25519_XMD:SHA-512_ELL2_RO_`.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for an empty tag.
    ///
    /// ```
    /// # use adamant_ec::hazmat::group::EdwardsPoint;
    /// let tag = b"QUUX-V01-CS02-with-edwards25519_XMD:SHA-512_ELL2_RO_";
    /// let point = EdwardsPoint::hash_to_curve(&[b"abc"], tag)?;
    /// assert!(point.is_torsion_free().declassify());
    /// assert_eq!(point.compress()[..4], [0x31, 0x55, 0x8a, 0x26]);
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn hash_to_curve(message: &[&[u8]], tag: &[u8]) -> Result<Self, Error> {
        let mut bytes = [0; 96];
        expand_message_xmd::<Sha512>(message, tag, &mut bytes)?;
        let (halves, _) = bytes.as_chunks::<48>();
        let [a, b] = [0, 1].map(|i| map(element(&halves[i])));
        Ok((a + b).mul_by_cofactor())
    }

    /// A point of the group of prime order for a message, given in parts, with half the work:
    /// about half of all points are never hit. `encode_to_curve` of the suite
    /// `edwards25519_XMD:SHA-512_ELL2_NU_`.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for an empty tag.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn encode_to_curve(message: &[&[u8]], tag: &[u8]) -> Result<Self, Error> {
        let mut bytes = [0; 48];
        expand_message_xmd::<Sha512>(message, tag, &mut bytes)?;
        Ok(map(element(&bytes)).mul_by_cofactor())
    }
}

impl RistrettoPoint {
    /// An element for a message, given in parts, uniform over all messages: `hash_to_curve` of the
    /// suite `ristretto255_XMD:SHA-512_R255MAP_RO_` (RFC 9380, appendix B).
    ///
    /// # Errors
    /// [`Error::BadParameter`] for an empty tag.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn hash_to_curve(message: &[&[u8]], tag: &[u8]) -> Result<Self, Error> {
        let mut bytes = [0; 64];
        expand_message_xmd::<Sha512>(message, tag, &mut bytes)?;
        Ok(Self::from_uniform_bytes(&bytes))
    }
}
