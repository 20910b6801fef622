//! ECDSA and ECDH on P-256, also called secp256r1 and prime256v1: FIPS 186-5 (signatures),
//! SP 800-186 (curve), SP 800-56A (key agreement, 5.7.1.2), RFC 6979 (nonces), SEC 1 (encodings).
//!
//! ```
//! use adamant_ec::p256::{PrivateKey, PublicKey, Signature};
//! # struct Counter(u8);
//! # impl adamant_base::Rng for Counter {
//! #     fn fill(&mut self, out: &mut [u8]) -> Result<(), adamant_base::Error> {
//! #         out.fill_with(|| { self.0 = self.0.wrapping_add(1); self.0 });
//! #         Ok(())
//! #     }
//! # }
//! # let mut rng = Counter(0); // a real program takes a generator fit for keys
//! let alice = PrivateKey::generate(&mut rng)?;
//! let signature = alice.sign(b"a message");
//! // What travels:
//! let (key, signature) = (alice.public_key().to_sec1(), signature.to_bytes());
//! // The other side:
//! let key = PublicKey::from_sec1(&key)?;
//! key.verify(b"a message", &Signature::from_bytes(&signature)?)?;
//!
//! // Key agreement: both sides get the same secret. Feed it to a KDF.
//! let bob = PrivateKey::generate(&mut rng)?;
//! assert_eq!(*alice.agree(&bob.public_key())?, *bob.agree(&key)?);
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! What depends on a private key, a nonce or an agreed secret takes the same time for every value.
//! Verification does not: all that it reads is public. So are, once made, public keys and
//! signatures. The number of candidates that a generator of keys or nonces has to be asked for
//! shows (2^-32 of them are refused), and tells nothing of the one taken.

mod field;
mod kernel;
mod limbs;
mod point;
mod portable64;
mod table;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_adx;
#[cfg(target_arch = "x86_64")]
mod x86_bmi2;
/// Eight multiplications side by side, and one of the base point with eight lanes; another single
/// one is that of [`x86_adx`].
#[cfg(target_arch = "x86_64")]
mod x86_ifma512 {
    pub(super) use super::super::x86_ifma512::p256::*;
    pub(super) use super::x86_adx::{has_x_vartime, mul};
}

use super::Curve;
use adamant_hash::Sha256;

/// The curve (SP 800-186, 3.2.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct P256;

impl Curve<4> for P256 {
    const NAME: &'static str = "p256";
    const P: [u64; 4] = field::P;
    const A: [u64; 4] = [
        0xffff_ffff_ffff_fffc,
        0x0000_0000_ffff_ffff,
        0x0000_0000_0000_0000,
        0xffff_ffff_0000_0001,
    ];
    const B: [u64; 4] = [
        0x3bce_3c3e_27d2_604b,
        0x651d_06b0_cc53_b0f6,
        0xb3eb_bd55_7698_86bc,
        0x5ac6_35d8_aa3a_93e7,
    ];
    const G: [[u64; 4]; 2] = [
        [
            0xf4a1_3945_d898_c296,
            0x7703_7d81_2deb_33a0,
            0xf8bc_e6e5_63a4_40f2,
            0x6b17_d1f2_e12c_4247,
        ],
        [
            0xcbb6_4068_37bf_51f5,
            0x2bce_3357_6b31_5ece,
            0x8ee7_eb4a_7c0f_9e16,
            0x4fe3_42e2_fe1a_7f9b,
        ],
    ];
    const N: [u64; 4] = [
        0xf3b9_cac2_fc63_2551,
        0xbce6_faad_a717_9e84,
        0xffff_ffff_ffff_ffff,
        0xffff_ffff_0000_0000,
    ];
    type Scalar = [u8; 32];
    type Uncompressed = [u8; 65];
    type Compressed = [u8; 33];
    type SignatureBytes = [u8; 64];
    type Hash = Sha256;
    type Group = Backend;
}

/// The order n of the group.
const N: [u64; 4] = P256::N;

super::curve::group! { P256, 4;
    #[cfg(target_arch = "x86_64")]
    x86_ifma512 if ["avx512f", "avx512ifma", "bmi2", "adx"];
    #[cfg(target_arch = "x86_64")]
    x86_adx if ["bmi2", "adx"];
    #[cfg(target_arch = "x86_64")]
    x86_bmi2 if ["bmi2"];
    _ => portable64;
}
