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

use adamant::base::family::{self, Hash};
use adamant::hash as ours;
use core::fmt;
use core::mem;
use digest::common::{BlockSizeUser, Output, OutputSizeUser, Reset};
use digest::consts::{U16, U20, U28, U32, U48, U64, U72, U104, U128, U136, U144, U168};
use digest::{ExtendableOutput, FixedOutput, FixedOutputReset, HashMarker, Update};

/// A hash function of this module, for what is built on one: [`Hmac`](crate::mac::Hmac).
pub trait Adapter: OutputSizeUser + BlockSizeUser {
    /// The hash of `adamant`.
    type Hash: Hash;
}

macro_rules! hashes {
    ($($title:literal: $name:ident($ours:ty), $output:ty, $block:ty;)*) => { $(
        #[doc = concat!($title, ".")]
        #[derive(Clone)]
        pub struct $name(pub $ours);

        impl Adapter for $name {
            type Hash = $ours;
        }

        impl HashMarker for $name {}

        impl OutputSizeUser for $name {
            type OutputSize = $output;
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

        state!($name, $ours, Hash, $block);
    )* };
}

/// What hashes have in common with functions of any output length.
macro_rules! state {
    ($name:ident, $ours:ty, $family:path, $block:ty) => {
        impl Default for $name {
            fn default() -> Self {
                $name(<$ours as $family>::new())
            }
        }

        impl BlockSizeUser for $name {
            type BlockSize = $block;
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
    "MD5, broken: only for old formats": Md5(ours::Md5), U16, U64;
    "SHA-1, broken: only for old formats": Sha1(ours::Sha1), U20, U64;
    "SHA-224": Sha224(ours::Sha224), U28, U64;
    "SHA-256": Sha256(ours::Sha256), U32, U64;
    "SHA-384": Sha384(ours::Sha384), U48, U128;
    "SHA-512": Sha512(ours::Sha512), U64, U128;
    "SHA-512/256": Sha512_256(ours::Sha512_256), U32, U128;
    "SHA3-224": Sha3_224(ours::Sha3_224), U28, U144;
    "SHA3-256": Sha3_256(ours::Sha3_256), U32, U136;
    "SHA3-384": Sha3_384(ours::Sha3_384), U48, U104;
    "SHA3-512": Sha3_512(ours::Sha3_512), U64, U72;
    "SM3": Sm3(ours::Sm3), U32, U64;
    "BLAKE2b with 64 bytes of output": Blake2b512(ours::Blake2b<64>), U64, U128;
    "BLAKE2b with 32 bytes of output": Blake2b256(ours::Blake2b<32>), U32, U128;
    "BLAKE2s with 32 bytes of output": Blake2s256(ours::Blake2s<32>), U32, U64;
    "BLAKE2s with 16 bytes of output": Blake2s128(ours::Blake2s<16>), U16, U64;
    "BLAKE3": Blake3(ours::Blake3), U32, U64;
}

macro_rules! xofs {
    ($($title:literal: $name:ident($ours:ty), $block:ty;)*) => { $(
        #[doc = concat!($title, ".")]
        #[derive(Clone)]
        pub struct $name(pub $ours);

        state!($name, $ours, family::Xof, $block);
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
    "SHAKE128": Shake128(ours::Shake128), U168;
    "SHAKE256": Shake256(ours::Shake256), U136;
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
