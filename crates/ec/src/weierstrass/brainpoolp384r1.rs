//! ECDSA and ECDH on brainpoolP384r1 (RFC 5639, 3.6).
//!
//! The names are those of [`p256`](crate::p256), where there are examples.
//!
//! ```
//! use adamant_ec::brainpoolp384r1::{PrivateKey, PublicKey};
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
pub struct BrainpoolP384r1;

impl Curve<6> for BrainpoolP384r1 {
    const NAME: &'static str = "brainpoolp384r1";
    const P: [u64; 6] = from_hex(
        "8cb91e82 a3386d28 0f5d6f7e 50e641df 152f7109 ed5456b4 12b1da19 7fb71123 \
         acd3a729 901d1a71 87470013 3107ec53",
    );
    const A: [u64; 6] = from_hex(
        "7bc382c6 3d8c150c 3c72080a ce05afa0 c2bea28e 4fb22787 139165ef ba91f90f \
         8aa5814a 503ad4eb 04a8c7dd 22ce2826",
    );
    const B: [u64; 6] = from_hex(
        "04a8c7dd 22ce2826 8b39b554 16f0447c 2fb77de1 07dcd2a6 2e880ea5 3eeb62d5 \
         7cb43902 95dbc994 3ab78696 fa504c11",
    );
    const G: [[u64; 6]; 2] = [
        from_hex(
            "1d1c64f0 68cf45ff a2a63a81 b7c13f6b 8847a3e7 7ef14fe3 db7fcafe 0cbd10e8 \
         e826e034 36d646aa ef87b2e2 47d4af1e",
        ),
        from_hex(
            "8abe1d75 20f9c2a4 5cb1eb8e 95cfd552 62b70b29 feec5864 e19c054f f9912928 \
         0e464621 77918111 42820341 263c5315",
        ),
    ];
    const N: [u64; 6] = from_hex(
        "8cb91e82 a3386d28 0f5d6f7e 50e641df 152f7109 ed5456b3 1f166e6c ac0425a7 \
         cf3ab6af 6b7fc310 3b883202 e9046565",
    );
    type Scalar = [u8; 48];
    type Uncompressed = [u8; 97];
    type Compressed = [u8; 49];
    type SignatureBytes = [u8; 96];
    type Hash = Sha384;
    type Group = Backend;
}

impl Field<6> for BrainpoolP384r1 {
    // The Z of the twisted curve, on which a = -3.
    const TWIST: [u64; 6] = from_hex(
        "41dfe8dd 399331f7 166a6607 6734a89c d0d2bcdb 7d068e44 e1f378f4 1ecbae97 \
         d2d63dbc 87bccddc cc5da39e 8589291c",
    );
    super::table::lazy!(6);
}

super::rows::prime! {
    BrainpoolP384r1, 6 x86_ifma512 { limbs: 8, fewest: [3, 3, 3] },
    arm_mul::any, x86_adx::any;
}
