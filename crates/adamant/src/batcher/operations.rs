//! The operations that have a batch.

use super::Operation;
use crate::ec::{
    brainpoolp256r1, brainpoolp384r1, brainpoolp512r1, ed448, ed25519, p224, p256, p384, p521,
    secp256k1, sm2, x448, x25519,
};
use crate::hybrid::tls::{secp256r1mlkem768, secp384r1mlkem1024, x25519mlkem768};
use crate::hybrid::x_wing;
use crate::pq::{ml_dsa_44, ml_dsa_65, ml_dsa_87, ml_kem};
use crate::rsa::{self, DigestInfo};
use crate::{Error, SystemRng, dh};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Signatures and their verification, of modules with the same names: `filler` is a signature to be
/// written over.
macro_rules! signatures {
    ($($title:literal: $module:ident, $sign:ident, $verify:ident, $filler:expr;)*) => { $(
        #[doc = concat!($title, ": the signature of a message, as `PrivateKey::sign` makes it.")]
        #[derive(Clone, Copy, Debug)]
        pub enum $sign {}

        impl Operation for $sign {
            type Item = (Arc<$module::PrivateKey>, Vec<u8>);
            type Output = $module::Signature;

            fn one((key, message): &Self::Item) -> Self::Output {
                key.sign(message)
            }

            fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                let items: Vec<_> = items.iter().map(|(k, m)| (&**k, &m[..])).collect();
                let filler = $module::Signature::from_bytes(&$filler);
                let mut out = vec![filler.expect("the form of a signature"); items.len()];
                $module::sign_batch(&items, &mut out).expect("as many places");
                out
            }
        }

        #[doc = concat!($title, ": the verdict on a signature, as `PublicKey::verify` gives it.")]
        #[derive(Clone, Copy, Debug)]
        pub enum $verify {}

        impl Operation for $verify {
            type Item = (Arc<$module::PublicKey>, Vec<u8>, $module::Signature);
            type Output = Result<(), Error>;

            fn one((key, message, signature): &Self::Item) -> Self::Output {
                key.verify(message, signature)
            }

            fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                let items: Vec<_> = items.iter().map(|(k, m, s)| (&**k, &m[..], s)).collect();
                let mut out = vec![Err(Error::BadSignature); items.len()];
                $module::verify_batch(&items, &mut out).expect("as many places");
                out
            }
        }
    )* };
}

signatures! {
    "ECDSA on P-224": p224, P224Sign, P224Verify, [1; 56];
    "ECDSA on P-256": p256, P256Sign, P256Verify, [1; 64];
    "ECDSA on P-384": p384, P384Sign, P384Verify, [1; 96];
    "ECDSA on P-521": p521, P521Sign, P521Verify, [1; 132];
    "ECDSA on secp256k1": secp256k1, Secp256k1Sign, Secp256k1Verify, [1; 64];
    "ECDSA on brainpoolP256r1":
        brainpoolp256r1, BrainpoolP256r1Sign, BrainpoolP256r1Verify, [1; 64];
    "ECDSA on brainpoolP384r1":
        brainpoolp384r1, BrainpoolP384r1Sign, BrainpoolP384r1Verify, [1; 96];
    "ECDSA on brainpoolP512r1":
        brainpoolp512r1, BrainpoolP512r1Sign, BrainpoolP512r1Verify, [1; 128];
    "SM2 under the default identity": sm2, Sm2Sign, Sm2Verify, [1; 64];
    "Ed25519": ed25519, Ed25519Sign, Ed25519Verify, [0; 64];
    "Ed448": ed448, Ed448Sign, Ed448Verify, [0; 114];
    "ML-DSA-44": ml_dsa_44, MlDsa44Sign, MlDsa44Verify, [0; ml_dsa_44::SIGNATURE_LEN];
    "ML-DSA-65": ml_dsa_65, MlDsa65Sign, MlDsa65Verify, [0; ml_dsa_65::SIGNATURE_LEN];
    "ML-DSA-87": ml_dsa_87, MlDsa87Sign, MlDsa87Verify, [0; ml_dsa_87::SIGNATURE_LEN];
}

/// Key agreement, of modules with the same names.
macro_rules! agreements {
    ($($title:literal: $module:ident, $name:ident, $secret:ty;)*) => { $(
        #[doc = concat!($title, ": the secret of two keys, as `PrivateKey::agree` gives it.")]
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl Operation for $name {
            type Item = (Arc<$module::PrivateKey>, $module::PublicKey);
            type Output = Result<$secret, Error>;

            fn one((key, peer): &Self::Item) -> Self::Output {
                key.agree(peer)
            }

            fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                let items: Vec<_> = items.iter().map(|(key, peer)| (&**key, peer)).collect();
                let mut out: Vec<_> = items.iter().map(|_| Err(Error::BadPublicKey)).collect();
                $module::agree_batch(&items, &mut out).expect("as many places");
                out
            }
        }
    )* };
}

agreements! {
    "X25519": x25519, X25519Derive, crate::Secret<[u8; 32]>;
    "X448": x448, X448Derive, crate::Secret<[u8; 56]>;
    "ECDH on P-256": p256, P256Derive, crate::Secret<[u8; 32]>;
    "ECDH on P-384": p384, P384Derive, crate::Secret<[u8; 48]>;
    "ECDH on P-521": p521, P521Derive, crate::Secret<[u8; 66]>;
}

/// One by one, where one item would spoil the batch for the others.
fn each<O: Operation>(items: &[&O::Item]) -> Vec<O::Output> {
    items.iter().map(|item| O::one(item)).collect()
}

/// KEMs, of modules with the same names: `ok` is what their batches wrap a result in, `empty` a
/// place to be written over.
macro_rules! kems {
    ($($title:literal: $module:path, $secret:ty, $encapsulate:ident, $decapsulate:ident;)*) => { $(
        kems!(@one $title, $module, $secret, $encapsulate, $decapsulate,
            (<$secret>::zero(), [0; CIPHERTEXT_LEN]), Ok, <$secret>::zero(), $secret);
    )* };
    (fallible
        $($title:literal: $module:path, $secret:ty, $encapsulate:ident, $decapsulate:ident;)*
    ) => { $(
        kems!(@one $title, $module, $secret, $encapsulate, $decapsulate, Err(Error::BadPublicKey),
            core::convert::identity, Err(Error::BadPublicKey), Result<$secret, Error>);
    )* };
    (@one $title:literal, $module:path, $secret:ty, $encapsulate:ident, $decapsulate:ident,
        $empty:expr, $ok:expr, $no_secret:expr, $opened:ty) => {
        #[doc = concat!($title, ": a fresh secret and its ciphertext, as ")]
        /// `EncapsulationKey::encapsulate` makes them, with the system's generator.
        #[derive(Clone, Copy, Debug)]
        pub enum $encapsulate {}

        #[doc = concat!($title, ": the secret of a ciphertext, as ")]
        /// `DecapsulationKey::decapsulate` gives it.
        #[derive(Clone, Copy, Debug)]
        pub enum $decapsulate {}

        const _: () = {
            use $module::*;

            impl Operation for $encapsulate {
                type Item = Arc<EncapsulationKey>;
                type Output = Result<($secret, Ciphertext), Error>;
                const WORTH: usize = 8;

                fn one(key: &Self::Item) -> Self::Output {
                    key.encapsulate(&mut SystemRng)
                }

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

                fn one((key, ciphertext): &Self::Item) -> Self::Output {
                    key.decapsulate(&**ciphertext)
                }

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
    "ML-KEM-512":
        crate::pq::ml_kem_512, ml_kem::SharedSecret, MlKem512Encapsulate, MlKem512Decapsulate;
    "ML-KEM-768":
        crate::pq::ml_kem_768, ml_kem::SharedSecret, MlKem768Encapsulate, MlKem768Decapsulate;
    "ML-KEM-1024":
        crate::pq::ml_kem_1024, ml_kem::SharedSecret, MlKem1024Encapsulate, MlKem1024Decapsulate;
    "X-Wing": crate::hybrid::x_wing, x_wing::SharedSecret, XWingEncapsulate, XWingDecapsulate;
}

kems! { fallible
    "X25519MLKEM768": crate::hybrid::tls::x25519mlkem768, x25519mlkem768::SharedSecret,
        X25519MlKem768Encapsulate, X25519MlKem768Decapsulate;
    "SecP256r1MLKEM768": crate::hybrid::tls::secp256r1mlkem768, secp256r1mlkem768::SharedSecret,
        Secp256r1MlKem768Encapsulate, Secp256r1MlKem768Decapsulate;
    "SecP384r1MLKEM1024": crate::hybrid::tls::secp384r1mlkem1024, secp384r1mlkem1024::SharedSecret,
        Secp384r1MlKem1024Encapsulate, Secp384r1MlKem1024Decapsulate;
}

/// Finite-field Diffie-Hellman: the secret of two keys, as `PrivateKey::agree` gives it.
#[derive(Clone, Copy, Debug)]
pub enum DhDerive {}

impl Operation for DhDerive {
    type Item = (Arc<dh::PrivateKey>, dh::PublicKey);
    type Output = Result<Arc<dh::SharedSecret>, Error>;
    const BATCH: usize = 16;

    fn one((key, peer): &Self::Item) -> Self::Output {
        key.agree(peer).map(Arc::new)
    }

    fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
        let items: Vec<_> = items.iter().map(|(key, peer)| (&**key, peer)).collect();
        let mut out: Vec<_> = items.iter().map(|_| Err(Error::BadPublicKey)).collect();
        dh::agree_batch(&items, &mut out).expect("as many places");
        let share = |secret: Result<_, Error>| secret.map(Arc::new);
        out.into_iter().map(share).collect()
    }
}

/// RSA signatures and their verification, over the digest by `H`.
macro_rules! rsa_signatures {
    ($($title:literal: $sign:ident, $verify:ident, $one:ident, $many:ident, $check:ident,
        $check_many:ident;)*) => { $(
        #[doc = concat!($title, " over the digest by `H`: the signature of a message, blinded with")]
        /// the system's generator.
        #[derive(Clone, Copy, Debug)]
        pub struct $sign<H>(PhantomData<H>);

        impl<H: DigestInfo + 'static> Operation for $sign<H> {
            type Item = (Arc<rsa::PrivateKey>, Vec<u8>);
            type Output = Result<Vec<u8>, Error>;
            const BATCH: usize = 16;
            const WORTH: usize = 3;

            fn one((key, message): &Self::Item) -> Self::Output {
                key.$one::<H>(message, &mut SystemRng)
            }

            fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                let pairs: Vec<_> = items.iter().map(|(k, m)| (&**k, &m[..])).collect();
                match rsa::$many::<H>(&pairs, &mut SystemRng) {
                    Ok(signatures) => signatures.into_iter().map(Ok).collect(),
                    Err(_) => each::<Self>(items),
                }
            }
        }

        #[doc = concat!($title, " over the digest by `H`: the verdict on a signature.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $verify<H>(PhantomData<H>);

        impl<H: DigestInfo + 'static> Operation for $verify<H> {
            type Item = (Arc<rsa::PublicKey>, Vec<u8>, Vec<u8>);
            type Output = Result<(), Error>;

            fn one((key, message, signature): &Self::Item) -> Self::Output {
                key.$check::<H>(message, signature)
            }

            fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
                let items: Vec<_> = items.iter().map(|(k, m, s)| (&**k, &m[..], &s[..])).collect();
                rsa::$check_many::<H>(&items)
            }
        }
    )* };
}

rsa_signatures! {
    "RSASSA-PKCS1-v1_5": RsaPkcs1Sign, RsaPkcs1Verify,
        sign_pkcs1, sign_pkcs1_batch, verify_pkcs1, verify_pkcs1_batch;
    "RSASSA-PSS": RsaPssSign, RsaPssVerify,
        sign_pss, sign_pss_batch, verify_pss, verify_pss_batch;
}
