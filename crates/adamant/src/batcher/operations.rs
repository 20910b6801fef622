//! The operations that have a batch.
// Without some of the families.
#![allow(dead_code, unused_imports, unused_macros)]

use super::Operation;
use crate::{Error, SystemRng};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

/// Signatures and their verification, of modules with the same names: `filler` is a signature to be
/// written over.
macro_rules! signatures {
    ($($feature:tt $title:literal: $from:ident $module:ident, $sign:ident, $verify:ident, $filler:expr;)*) => { $(
        #[cfg(feature = $feature)]
        #[doc = concat!($title, ": the signature of a message, as `PrivateKey::sign` makes it.")]
        #[derive(Clone, Copy, Debug)]
        pub enum $sign {}

        #[cfg(feature = $feature)]
        impl Operation for $sign {
            type Item = (Arc<crate::$from::$module::PrivateKey>, Vec<u8>);
            type Output = crate::$from::$module::Signature;

            #[cfg_attr(not(feature = "lab"), inline)]
            fn one((key, message): &Self::Item) -> Self::Output {
                key.sign(message)
            }

            #[cfg_attr(not(feature = "lab"), inline)]
            fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                let items: Vec<_> = items.iter().map(|(k, m)| (&**k, &m[..])).collect();
                let filler = crate::$from::$module::Signature::from_bytes(&$filler);
                let mut out = vec![filler.expect("the form of a signature"); items.len()];
                crate::$from::$module::sign_batch(&items, &mut out).expect("as many places");
                out
            }
        }

        #[cfg(feature = $feature)]
        #[doc = concat!($title, ": the verdict on a signature, as `PublicKey::verify` gives it.")]
        #[derive(Clone, Copy, Debug)]
        pub enum $verify {}

        #[cfg(feature = $feature)]
        impl Operation for $verify {
            type Item =
                (Arc<crate::$from::$module::PublicKey>, Vec<u8>, crate::$from::$module::Signature);
            type Output = Result<(), Error>;

            #[cfg_attr(not(feature = "lab"), inline)]
            fn one((key, message, signature): &Self::Item) -> Self::Output {
                key.verify(message, signature)
            }

            #[cfg_attr(not(feature = "lab"), inline)]
            fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                let items: Vec<_> = items.iter().map(|(k, m, s)| (&**k, &m[..], s)).collect();
                let mut out = vec![Err(Error::BadSignature); items.len()];
                crate::$from::$module::verify_batch(&items, &mut out).expect("as many places");
                out
            }
        }
    )* };
}

signatures! {
    "ecdsa" "ECDSA on P-224": ec p224, P224Sign, P224Verify, [1; 56];
    "ecdsa" "ECDSA on P-256": ec p256, P256Sign, P256Verify, [1; 64];
    "ecdsa" "ECDSA on P-384": ec p384, P384Sign, P384Verify, [1; 96];
    "ecdsa" "ECDSA on P-521": ec p521, P521Sign, P521Verify, [1; 132];
    "ecdsa" "ECDSA on secp256k1": ec secp256k1, Secp256k1Sign, Secp256k1Verify, [1; 64];
    "ecdsa" "ECDSA on brainpoolP256r1":
        ec brainpoolp256r1, BrainpoolP256r1Sign, BrainpoolP256r1Verify, [1; 64];
    "ecdsa" "ECDSA on brainpoolP384r1":
        ec brainpoolp384r1, BrainpoolP384r1Sign, BrainpoolP384r1Verify, [1; 96];
    "ecdsa" "ECDSA on brainpoolP512r1":
        ec brainpoolp512r1, BrainpoolP512r1Sign, BrainpoolP512r1Verify, [1; 128];
    "sm" "SM2 under the default identity": ec sm2, Sm2Sign, Sm2Verify, [1; 64];
    "curve25519" "Ed25519": ec ed25519, Ed25519Sign, Ed25519Verify, [0; 64];
    "curve448" "Ed448": ec ed448, Ed448Sign, Ed448Verify, [0; 114];
    "ml-dsa" "ML-DSA-44":
        pq ml_dsa_44, MlDsa44Sign, MlDsa44Verify, [0; crate::pq::ml_dsa_44::SIGNATURE_LEN];
    "ml-dsa" "ML-DSA-65":
        pq ml_dsa_65, MlDsa65Sign, MlDsa65Verify, [0; crate::pq::ml_dsa_65::SIGNATURE_LEN];
    "ml-dsa" "ML-DSA-87":
        pq ml_dsa_87, MlDsa87Sign, MlDsa87Verify, [0; crate::pq::ml_dsa_87::SIGNATURE_LEN];
}

/// Key agreement, of modules with the same names.
macro_rules! agreements {
    ($($feature:tt $title:literal: $from:ident $module:ident, $name:ident, $secret:ty;)*) => { $(
        #[cfg(feature = $feature)]
        #[doc = concat!($title, ": the secret of two keys, as `PrivateKey::agree` gives it.")]
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        #[cfg(feature = $feature)]
        impl Operation for $name {
            type Item = (Arc<crate::$from::$module::PrivateKey>, crate::$from::$module::PublicKey);
            type Output = Result<$secret, Error>;

            #[cfg_attr(not(feature = "lab"), inline)]
            fn one((key, peer): &Self::Item) -> Self::Output {
                key.agree(peer)
            }

            #[cfg_attr(not(feature = "lab"), inline)]
            fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                let items: Vec<_> = items.iter().map(|(key, peer)| (&**key, peer)).collect();
                let mut out: Vec<_> = items.iter().map(|_| Err(Error::BadPublicKey)).collect();
                crate::$from::$module::agree_batch(&items, &mut out).expect("as many places");
                out
            }
        }
    )* };
}

agreements! {
    "curve25519" "X25519": ec x25519, X25519Derive, crate::Secret<[u8; 32]>;
    "curve448" "X448": ec x448, X448Derive, crate::Secret<[u8; 56]>;
    "ecdsa" "ECDH on P-256": ec p256, P256Derive, crate::Secret<[u8; 32]>;
    "ecdsa" "ECDH on P-384": ec p384, P384Derive, crate::Secret<[u8; 48]>;
    "ecdsa" "ECDH on P-521": ec p521, P521Derive, crate::Secret<[u8; 66]>;
}

/// One by one, where one item would spoil the batch for the others.
pub(super) fn each<O: Operation>(items: &[&O::Item]) -> Vec<O::Output> {
    items.iter().map(|item| O::one(item)).collect()
}

/// KEMs, of modules with the same names: `ok` is what their batches wrap a result in, `empty` a
/// place to be written over.
macro_rules! kems {
    ($($feature:tt $title:literal: $module:path, $secret:ty, $encapsulate:ident, $decapsulate:ident;)*) => { $(
        kems!(@one $feature $title, $module, $secret, $encapsulate, $decapsulate,
            (<$secret>::zero(), [0; CIPHERTEXT_LEN]), Ok, <$secret>::zero(), $secret);
    )* };
    (fallible
        $($feature:tt $title:literal: $module:path, $secret:ty, $encapsulate:ident, $decapsulate:ident;)*
    ) => { $(
        kems!(@one $feature $title, $module, $secret, $encapsulate, $decapsulate, Err(Error::BadPublicKey),
            core::convert::identity, Err(Error::BadPublicKey), Result<$secret, Error>);
    )* };
    (@one $feature:tt $title:literal, $module:path, $secret:ty, $encapsulate:ident, $decapsulate:ident,
        $empty:expr, $ok:expr, $no_secret:expr, $opened:ty) => {
        #[cfg(feature = $feature)]
        #[doc = concat!($title, ": a fresh secret and its ciphertext, as ")]
        /// `EncapsulationKey::encapsulate` makes them, with the system's generator.
        #[derive(Clone, Copy, Debug)]
        pub enum $encapsulate {}

        #[cfg(feature = $feature)]
        #[doc = concat!($title, ": the secret of a ciphertext, as ")]
        /// `DecapsulationKey::decapsulate` gives it.
        #[derive(Clone, Copy, Debug)]
        pub enum $decapsulate {}

        #[cfg(feature = $feature)]
        const _: () = {
            use $module::*;

            impl Operation for $encapsulate {
                type Item = Arc<EncapsulationKey>;
                type Output = Result<($secret, Ciphertext), Error>;
                const WORTH: usize = 8;

                #[cfg_attr(not(feature = "lab"), inline)]
                fn one(key: &Self::Item) -> Self::Output {
                    key.encapsulate(&mut SystemRng)
                }

                #[cfg_attr(not(feature = "lab"), inline)]
                fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                    let keys: Vec<_> = items.iter().map(|key| &***key).collect();
                    let mut out: Vec<_> = keys.iter().map(|_| $empty).collect();
                    match encapsulate_batch(&keys, &mut SystemRng, &mut out) {
                        Ok(()) => out.into_iter().map($ok).collect(),
                        Err(_) => each::<Self>(items),
                    }
                }
            }

            impl Operation for $decapsulate {
                type Item = (Arc<DecapsulationKey>, Box<Ciphertext>);
                type Output = $opened;
                const WORTH: usize = 8;

                #[cfg_attr(not(feature = "lab"), inline)]
                fn one((key, ciphertext): &Self::Item) -> Self::Output {
                    key.decapsulate(&**ciphertext)
                }

                #[cfg_attr(not(feature = "lab"), inline)]
                fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                    let items: Vec<_> = items.iter().map(|(key, c)| (&**key, &**c)).collect();
                    let mut out: Vec<_> = items.iter().map(|_| $no_secret).collect();
                    decapsulate_batch(&items, &mut out).expect("as many places");
                    out
                }
            }
        };
    };
}

kems! {
    "ml-kem" "ML-KEM-512":
        crate::pq::ml_kem_512, crate::pq::ml_kem::SharedSecret,
        MlKem512Encapsulate, MlKem512Decapsulate;
    "ml-kem" "ML-KEM-768":
        crate::pq::ml_kem_768, crate::pq::ml_kem::SharedSecret,
        MlKem768Encapsulate, MlKem768Decapsulate;
    "ml-kem" "ML-KEM-1024":
        crate::pq::ml_kem_1024, crate::pq::ml_kem::SharedSecret,
        MlKem1024Encapsulate, MlKem1024Decapsulate;
    "hybrid" "X-Wing":
        crate::hybrid::x_wing, crate::hybrid::x_wing::SharedSecret,
        XWingEncapsulate, XWingDecapsulate;
}

kems! { fallible
    "hybrid" "X25519MLKEM768":
        crate::hybrid::tls::x25519mlkem768,
        crate::hybrid::tls::x25519mlkem768::SharedSecret,
        X25519MlKem768Encapsulate, X25519MlKem768Decapsulate;
    "hybrid" "SecP256r1MLKEM768":
        crate::hybrid::tls::secp256r1mlkem768,
        crate::hybrid::tls::secp256r1mlkem768::SharedSecret,
        Secp256r1MlKem768Encapsulate, Secp256r1MlKem768Decapsulate;
    "hybrid" "SecP384r1MLKEM1024":
        crate::hybrid::tls::secp384r1mlkem1024,
        crate::hybrid::tls::secp384r1mlkem1024::SharedSecret,
        Secp384r1MlKem1024Encapsulate, Secp384r1MlKem1024Decapsulate;
}
