//! ECDSA and ECDH on brainpoolP512r1 (RFC 5639, 3.7).
//!
//! The names are those of [`p256`](crate::p256), where there are examples.
//!
//! ```
//! use adamant_ec::brainpoolp512r1::{PrivateKey, PublicKey};
//! let key = PrivateKey::from_bytes(&[1; 64])?;
//! let signature = key.sign(b"a message");
//! let public = PublicKey::from_sec1(&key.public_key().to_sec1_compressed())?;
//! public.verify(b"a message", &signature)?;
//! # Ok::<(), adamant_base::Error>(())
//! ```

use super::curve::Curve;
use super::field::Field;
use super::words::from_hex;
use adamant_hash::Sha512;

/// The curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrainpoolP512r1;

impl Curve<8> for BrainpoolP512r1 {
    const NAME: &'static str = "brainpoolp512r1";
    const P: [u64; 8] = from_hex(
        "aadd9db8 dbe9c48b 3fd4e6ae 33c9fc07 cb308db3 b3c9d20e d6639cca 70330871 \
         7d4d9b00 9bc66842 aecda12a e6a380e6 2881ff2f 2d82c685 28aa6056 583a48f3",
    );
    const A: [u64; 8] = from_hex(
        "7830a331 8b603b89 e2327145 ac234cc5 94cbdd8d 3df91610 a83441ca ea9863bc \
         2ded5d5a a8253aa1 0a2ef1c9 8b9ac8b5 7f1117a7 2bf2c7b9 e7c1ac4d 77fc94ca",
    );
    const B: [u64; 8] = from_hex(
        "3df91610 a83441ca ea9863bc 2ded5d5a a8253aa1 0a2ef1c9 8b9ac8b5 7f1117a7 \
         2bf2c7b9 e7c1ac4d 77fc94ca dc083e67 984050b7 5ebae5dd 2809bd63 8016f723",
    );
    const G: [[u64; 8]; 2] = [
        from_hex(
            "81aee4bd d82ed964 5a21322e 9c4c6a93 85ed9f70 b5d916c1 b43b62ee f4d0098e \
         ff3b1f78 e2d0d48d 50d1687b 93b97d5f 7c6d5047 406a5e68 8b352209 bcb9f822",
        ),
        from_hex(
            "7dde385d 566332ec c0eabfa9 cf7822fd f209f700 24a57b1a a000c55b 881f8111 \
         b2dcde49 4a5f485e 5bca4bd8 8a2763ae d1ca2b2f a8f05406 78cd1e0f 3ad80892",
        ),
    ];
    const N: [u64; 8] = from_hex(
        "aadd9db8 dbe9c48b 3fd4e6ae 33c9fc07 cb308db3 b3c9d20e d6639cca 70330870 \
         553e5c41 4ca92619 41866119 7fac1047 1db1d381 085ddadd b5879682 9ca90069",
    );
    type Scalar = [u8; 64];
    type Uncompressed = [u8; 129];
    type Compressed = [u8; 65];
    type SignatureBytes = [u8; 128];
    type Hash = Sha512;
    type Group = Backend;
}

impl Field<8> for BrainpoolP512r1 {
    // The Z of the twisted curve, on which a = -3.
    const TWIST: [u64; 8] = from_hex(
        "12ee58e6 764838b6 9782136f 0f2d3ba0 6e276957 16054092 e60a80be db212b64 \
         e585d90b ce13761f 85c3f1d2 a64e3be8 fea2220f 01eba5ee b0f35dbd 29d922ab",
    );
    super::table::lazy!(8);
}

super::rows::prime! {
    BrainpoolP512r1, 8 x86_ifma512 { limbs: 10, fewest: [4, 3, 3] },
    arm_mul::any, x86_bmi2;
}
