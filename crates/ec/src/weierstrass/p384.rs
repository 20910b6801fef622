//! ECDSA and ECDH on P-384, also called secp384r1 (SP 800-186, 3.2.1.4).
//!
//! The names are those of [`p256`](crate::p256), where there are examples.
//!
//! ```
//! use adamant_ec::p384::{PrivateKey, PublicKey};
//! let key = PrivateKey::from_bytes(&[1; 48])?;
//! let signature = key.sign(b"a message");
//! let public = PublicKey::from_sec1(&key.public_key().to_sec1_compressed())?;
//! public.verify(b"a message", &signature)?;
//! # Ok::<(), adamant_base::Error>(())
//! ```

use super::curve::Curve;
use super::field::Field;
use super::words::from_hex;
use adamant_hash::Sha384;

/// The curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct P384;

impl Curve<6> for P384 {
    const NAME: &'static str = "p384";
    const P: [u64; 6] = from_hex(
        "ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff fffffffe \
         ffffffff 00000000 00000000 ffffffff",
    );
    const A: [u64; 6] = from_hex(
        "ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff fffffffe \
         ffffffff 00000000 00000000 fffffffc",
    );
    const B: [u64; 6] = from_hex(
        "b3312fa7 e23ee7e4 988e056b e3f82d19 181d9c6e fe814112 0314088f 5013875a \
         c656398d 8a2ed19d 2a85c8ed d3ec2aef",
    );
    const G: [[u64; 6]; 2] = [
        from_hex(
            "aa87ca22 be8b0537 8eb1c71e f320ad74 6e1d3b62 8ba79b98 59f741e0 82542a38 \
         5502f25d bf55296c 3a545e38 72760ab7",
        ),
        from_hex(
            "3617de4a 96262c6f 5d9e98bf 9292dc29 f8f41dbd 289a147c e9da3113 b5f0b8c0 \
         0a60b1ce 1d7e819d 7a431d7c 90ea0e5f",
        ),
    ];
    const N: [u64; 6] = from_hex(
        "ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff c7634d81 f4372ddf \
         581a0db2 48b0a77a ecec196a ccc52973",
    );
    type Scalar = [u8; 48];
    type Uncompressed = [u8; 97];
    type Compressed = [u8; 49];
    type SignatureBytes = [u8; 96];
    type Hash = Sha384;
    type Group = Backend;
}

impl Field<6> for P384 {
    super::table::lazy!(6);
}

super::rows::prime! {
    P384, 6 x86_ifma512 { limbs: 8, fewest: [3, 3, 3] } [],
    arm_mul::p384, x86_adx::p384;
}
