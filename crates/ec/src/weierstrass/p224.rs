//! ECDSA and ECDH on P-224, also called secp224r1 (SP 800-186, 3.2.1.2).
//!
//! The names are those of [`p256`](crate::p256), where there are examples.
//!
//! ```
//! use adamant_ec::p224::{PrivateKey, PublicKey};
//! let key = PrivateKey::from_bytes(&[1; 28])?;
//! let signature = key.sign(b"a message");
//! let public = PublicKey::from_sec1(&key.public_key().to_sec1_compressed())?;
//! public.verify(b"a message", &signature)?;
//! # Ok::<(), adamant_base::Error>(())
//! ```

use super::curve::Curve;
use super::field::Field;
use super::words::from_hex;
use adamant_hash::Sha224;

/// The curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct P224;

impl Curve<4> for P224 {
    const NAME: &'static str = "p224";
    const P: [u64; 4] = from_hex("ffffffff ffffffff ffffffff ffffffff 00000000 00000000 00000001");
    const A: [u64; 4] = from_hex("ffffffff ffffffff ffffffff fffffffe ffffffff ffffffff fffffffe");
    const B: [u64; 4] = from_hex("b4050a85 0c04b3ab f5413256 5044b0b7 d7bfd8ba 270b3943 2355ffb4");
    const G: [[u64; 4]; 2] = [
        from_hex("b70e0cbd 6bb4bf7f 321390b9 4a03c1d3 56c21122 343280d6 115c1d21"),
        from_hex("bd376388 b5f723fb 4c22dfe6 cd4375a0 5a074764 44d58199 85007e34"),
    ];
    const N: [u64; 4] = from_hex("ffffffff ffffffff ffffffff ffff16a2 e0b8f03e 13dd2945 5c5c2a3d");
    type Scalar = [u8; 28];
    type Uncompressed = [u8; 57];
    type Compressed = [u8; 29];
    type SignatureBytes = [u8; 56];
    type Hash = Sha224;
    type Group = Backend;
}

impl Field<4> for P224 {
    super::table::lazy!(4);
}

super::rows::prime! {
    P224, 4 x86_ifma512 { limbs: 5, fewest: [2, 3, 3] },
    arm_mul::any, x86_adx::any;
}
