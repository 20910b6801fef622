//! ECDSA and ECDH on brainpoolP256r1 (RFC 5639, 3.4).
//!
//! The names are those of [`p256`](crate::p256), where there are examples.
//!
//! ```
//! use adamant_ec::brainpoolp256r1::{PrivateKey, PublicKey};
//! let key = PrivateKey::from_bytes(&[1; 32])?;
//! let signature = key.sign(b"a message");
//! let public = PublicKey::from_sec1(&key.public_key().to_sec1_compressed())?;
//! public.verify(b"a message", &signature)?;
//! # Ok::<(), adamant_base::Error>(())
//! ```

use super::curve::Curve;
use super::field::Field;
use super::words::from_hex;
use adamant_hash::Sha256;

/// The curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrainpoolP256r1;

impl Curve<4> for BrainpoolP256r1 {
    const NAME: &'static str = "brainpoolp256r1";
    const P: [u64; 4] =
        from_hex("a9fb57db a1eea9bc 3e660a90 9d838d72 6e3bf623 d5262028 2013481d 1f6e5377");
    const A: [u64; 4] =
        from_hex("7d5a0975 fc2c3057 eef67530 417affe7 fb8055c1 26dc5c6c e94a4b44 f330b5d9");
    const B: [u64; 4] =
        from_hex("26dc5c6c e94a4b44 f330b5d9 bbd77cbf 95841629 5cf7e1ce 6bccdc18 ff8c07b6");
    const G: [[u64; 4]; 2] = [
        from_hex("8bd2aeb9 cb7e57cb 2c4b482f fc81b7af b9de27e1 e3bd23c2 3a4453bd 9ace3262"),
        from_hex("547ef835 c3dac4fd 97f8461a 14611dc9 c2774513 2ded8e54 5c1d54c7 2f046997"),
    ];
    const N: [u64; 4] =
        from_hex("a9fb57db a1eea9bc 3e660a90 9d838d71 8c397aa3 b561a6f7 901e0e82 974856a7");
    type Scalar = [u8; 32];
    type Uncompressed = [u8; 65];
    type Compressed = [u8; 33];
    type SignatureBytes = [u8; 64];
    type Hash = Sha256;
    type Group = Backend;
}

impl Field<4> for BrainpoolP256r1 {
    // The Z of the twisted curve, on which a = -3.
    const TWIST: [u64; 4] =
        from_hex("3e2d4bd9 597b5863 9ae7aa66 9cab9837 cf5cf20a 2c852d10 f655668d fc150ef0");
    super::table::lazy!(4);
}

super::rows::prime! {
    BrainpoolP256r1, 4 x86_ifma512 { limbs: 5, single: 6, fewest: [3, 2, 2] },
    arm_mul::any, x86_adx::any;
}
