//! Hash functions: `digest::Digest`, `digest::ExtendableOutput`.
//!
//! ```
//! use adamant_traits::hash::{Sha3_256, Shake128};
//! use digest::{Digest, ExtendableOutput, Update, XofReader};
//!
//! let digest = Sha3_256::digest(b"abc");
//! assert_eq!(digest[..4], [0x3a, 0x98, 0x5d, 0xa7]);
//! let mut output = [0; 200];
//! Shake128::default().chain(b"abc").finalize_xof().read(&mut output);
//! assert_eq!(output[..4], [0x58, 0x81, 0x09, 0x2d]);
//! ```

use adamant::family::{self, Hash};
use adamant::hash as ours;
use core::fmt;
use core::mem;
use digest::common::{BlockSizeUser, Output, OutputSizeUser, Reset};
use digest::typenum::U;
use digest::{ExtendableOutput, FixedOutput, FixedOutputReset, HashMarker, Update};

/// A hash function of this module, for what is built on one: [`Hmac`](crate::mac::Hmac).
pub trait Adapter: OutputSizeUser + BlockSizeUser {
    /// The hash of `adamant`.
    type Hash: Hash;
}

macro_rules! hashes {
    ($($title:literal: $name:ident($ours:ty);)*) => { $(
        #[doc = concat!($title, ".")]
        #[derive(Clone)]
        pub struct $name(pub $ours);

        impl Adapter for $name {
            type Hash = $ours;
        }

        impl HashMarker for $name {}

        impl OutputSizeUser for $name {
            type OutputSize = U<{ <$ours as Hash>::OUTPUT_LEN }>;
        }

        impl FixedOutput for $name {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(Hash::finalize(self.0).as_ref());
            }
        }

        impl FixedOutputReset for $name {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                mem::take(self).finalize_into(out);
            }
        }

        state!($name, $ours, Hash);
    )* };
}

/// What hashes have in common with functions of any output length.
macro_rules! state {
    ($name:ident, $ours:ty, $family:path) => {
        impl Default for $name {
            fn default() -> Self {
                $name(<$ours as $family>::new())
            }
        }

        impl BlockSizeUser for $name {
            type BlockSize = U<{ <$ours as $family>::BLOCK_LEN }>;
        }

        impl Update for $name {
            fn update(&mut self, data: &[u8]) {
                <$ours as $family>::update(&mut self.0, data);
            }
        }

        impl Reset for $name {
            fn reset(&mut self) {
                *self = Self::default();
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }
    };
}

hashes! {
    "MD5, broken: only for old formats": Md5(ours::Md5);
    "SHA-1, broken: only for old formats": Sha1(ours::Sha1);
    "SHA-224": Sha224(ours::Sha224);
    "SHA-256": Sha256(ours::Sha256);
    "SHA-384": Sha384(ours::Sha384);
    "SHA-512": Sha512(ours::Sha512);
    "SHA-512/256": Sha512_256(ours::Sha512_256);
    "SHA3-224": Sha3_224(ours::Sha3_224);
    "SHA3-256": Sha3_256(ours::Sha3_256);
    "SHA3-384": Sha3_384(ours::Sha3_384);
    "SHA3-512": Sha3_512(ours::Sha3_512);
    "SM3": Sm3(ours::Sm3);
    "BLAKE2b with 64 bytes of output": Blake2b512(ours::Blake2b<64>);
    "BLAKE2b with 32 bytes of output": Blake2b256(ours::Blake2b<32>);
    "BLAKE2s with 32 bytes of output": Blake2s256(ours::Blake2s<32>);
    "BLAKE2s with 16 bytes of output": Blake2s128(ours::Blake2s<16>);
    "BLAKE3": Blake3(ours::Blake3);
}

macro_rules! xofs {
    ($($title:literal: $name:ident($ours:ty);)*) => { $(
        #[doc = concat!($title, ".")]
        #[derive(Clone)]
        pub struct $name(pub $ours);

        state!($name, $ours, family::Xof);
        output!($name, $ours);
    )* };
}

macro_rules! output {
    ($name:ident, $ours:ty) => {
        impl ExtendableOutput for $name {
            type Reader = Reader<<$ours as family::Xof>::Reader>;

            fn finalize_xof(self) -> Self::Reader {
                Reader(family::Xof::finalize_xof(self.0))
            }
        }

        impl digest::ExtendableOutputReset for $name {
            fn finalize_xof_reset(&mut self) -> Self::Reader {
                mem::take(self).finalize_xof()
            }
        }
    };
}

xofs! {
    "SHAKE128": Shake128(ours::Shake128);
    "SHAKE256": Shake256(ours::Shake256);
}
output!(Blake3, ours::Blake3);

/// The output of a function that gives as much as one wants.
#[derive(Clone)]
pub struct Reader<R>(pub R);

impl<R: family::XofReader> digest::XofReader for Reader<R> {
    fn read(&mut self, out: &mut [u8]) {
        self.0.read(out);
    }
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader { .. }")
    }
}
