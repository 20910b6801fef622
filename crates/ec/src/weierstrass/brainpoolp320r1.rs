//! ECDSA and ECDH on brainpoolP320r1 (RFC 5639, 3.5).
//!
//! The names are those of [`p256`](crate::p256), where there are examples.
//!
//! ```
//! use adamant_ec::brainpoolp320r1::{PrivateKey, PublicKey};
//! let key = PrivateKey::from_bytes(&[1; 40])?;
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
pub struct BrainpoolP320r1;

impl Curve<5> for BrainpoolP320r1 {
    const NAME: &'static str = "brainpoolp320r1";
    const P: [u64; 5] = from_hex(
        "d35e4720 36bc4fb7 e13c785e d201e065 f98fcfa6 f6f40def 4f92b9ec 7893ec28 \
         fcd412b1 f1b32e27",
    );
    const A: [u64; 5] = from_hex(
        "3ee30b56 8fbab0f8 83ccebd4 6d3f3bb8 a2a73513 f5eb79da 66190eb0 85ffa9f4 \
         92f375a9 7d860eb4",
    );
    const B: [u64; 5] = from_hex(
        "52088394 9dfdbc42 d3ad1986 40688a6f e13f4134 9554b49a cc31dccd 88453981 \
         6f5eb4ac 8fb1f1a6",
    );
    const G: [[u64; 5]; 2] = [
        from_hex(
            "43bd7e9a fb53d8b8 5289bcc4 8ee5bfe6 f20137d1 0a087eb6 e7871e2a 10a599c7 \
             10af8d0d 39e20611",
        ),
        from_hex(
            "14fdd055 45ec1cc8 ab409324 7f77275e 0743ffed 117182ea a9c77877 aaac6ac7 \
             d35245d1 692e8ee1",
        ),
    ];
    const N: [u64; 5] = from_hex(
        "d35e4720 36bc4fb7 e13c785e d201e065 f98fcfa5 b68f12a3 2d482ec7 ee8658e9 \
         8691555b 44c59311",
    );
    type Scalar = [u8; 40];
    type Uncompressed = [u8; 81];
    type Compressed = [u8; 41];
    type SignatureBytes = [u8; 80];
    type Hash = Sha384;
    type Group = Backend;
}

impl Field<5> for BrainpoolP320r1 {
    // The Z of the twisted curve, on which a = -3.
    const TWIST: [u64; 5] = from_hex(
        "15f75caf 668077f7 e85b42eb 01f0a81f f56ecd61 91d55cb8 2b7d8614 58a18fef \
         c3e5ab74 96f3c7b1",
    );
    super::table::lazy!(5);
}

super::rows::prime! {
    BrainpoolP320r1, 5 x86_ifma512 { limbs: 7, fewest: [3, 3, 3] },
    arm_mul::any, x86_bmi2;
}
