//! Message authentication codes: `digest::Mac`.
//!
//! ```
//! use adamant_traits::hash::Sha256;
//! use adamant_traits::mac::Hmac;
//! use digest::{KeyInit, Mac};
//!
//! let mut mac = Hmac::<Sha256>::new_from_slice(b"key of any length").unwrap();
//! mac.update(b"message");
//! let tag = mac.clone().finalize().into_bytes();
//! mac.verify(&tag).unwrap();
//! ```

use crate::hash::Adapter;
use adamant::cipher::{cmac, sm4};
use adamant::family::Mac;
use adamant::hash as ours;
use core::fmt;
use core::mem;
use digest::common::{InvalidLength, Key, KeyInit, KeySizeUser, Output, OutputSizeUser, Reset};
use digest::consts::{U8, U16, U24, U32, U64};
use digest::{FixedOutput, FixedOutputReset, MacMarker, Update};

/// What all share: a state, and the one under the same key before any message.
macro_rules! mac {
    ([$($generics:tt)*] $name:ty, $label:literal, $output:ty) => {
        impl<$($generics)*> OutputSizeUser for $name {
            type OutputSize = $output;
        }

        impl<$($generics)*> MacMarker for $name {}

        impl<$($generics)*> Update for $name {
            fn update(&mut self, data: &[u8]) {
                Mac::update(&mut self.state, data);
            }
        }

        impl<$($generics)*> FixedOutput for $name {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(Mac::finalize(self.state).as_ref());
            }
        }

        impl<$($generics)*> Reset for $name {
            fn reset(&mut self) {
                self.state = self.fresh.clone();
            }
        }

        impl<$($generics)*> FixedOutputReset for $name {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                let state = mem::replace(&mut self.state, self.fresh.clone());
                out.copy_from_slice(Mac::finalize(state).as_ref());
            }
        }

        impl<$($generics)*> fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($label)
            }
        }
    };
}

/// HMAC over a hash of [`hash`](crate::hash).
#[derive(Clone)]
pub struct Hmac<D: Adapter> {
    state: ours::Hmac<D::Hash>,
    fresh: ours::Hmac<D::Hash>,
}

mac!([D: Adapter] Hmac<D>, "Hmac { .. }", D::OutputSize);

impl<D: Adapter> KeySizeUser for Hmac<D> {
    type KeySize = D::BlockSize;
}

impl<D: Adapter> KeyInit for Hmac<D> {
    fn new(key: &Key<Self>) -> Self {
        let fresh = ours::Hmac::new(key);
        let state = fresh.clone();
        Hmac { state, fresh }
    }

    /// A key of any length.
    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        let fresh = ours::Hmac::new(key);
        let state = fresh.clone();
        Ok(Hmac { state, fresh })
    }
}

macro_rules! macs {
    ($($title:literal: $name:ident($ours:ty), $key:ty, $output:ty;)*) => { $(
        #[doc = concat!($title, ".")]
        #[derive(Clone)]
        pub struct $name {
            state: $ours,
            fresh: $ours,
        }

        mac!([] $name, $title, $output);

        impl KeySizeUser for $name {
            type KeySize = $key;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                Self::new_from_slice(key).expect("a key of the right length")
            }

            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                let fresh = <$ours as Mac>::new(key).map_err(|_| InvalidLength)?;
                let state = fresh.clone();
                Ok($name { state, fresh })
            }
        }
    )* };
}

macs! {
    "CMAC with AES-128": CmacAes128(cmac::CmacAes128), U16, U16;
    "CMAC with AES-192": CmacAes192(cmac::CmacAes192), U24, U16;
    "CMAC with AES-256": CmacAes256(cmac::CmacAes256), U32, U16;
    "CMAC with SM4": CmacSm4(sm4::CmacSm4), U16, U16;
    "SipHash-2-4": SipHash24(ours::siphash::SipHash24), U16, U8;
    "KMAC128 with 32 bytes of output, without a customisation": Kmac128(ours::Kmac128<32>), U32, U32;
    "KMAC256 with 64 bytes of output, without a customisation": Kmac256(ours::Kmac256<64>), U32, U64;
    "BLAKE2b with a key and 64 bytes of output": Blake2bMac512(ours::blake2b::Blake2bMac<64>), U64, U64;
    "BLAKE2s with a key and 32 bytes of output": Blake2sMac256(ours::blake2s::Blake2sMac<32>), U32, U32;
}
