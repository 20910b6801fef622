//! RSA in batches.

use super::Operation;
use crate::rsa::{self, DigestInfo};
use crate::{Error, SystemRng};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::marker::PhantomData;

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
                    // One item would spoil the batch for the others.
                    Err(_) => items.iter().map(|item| Self::one(item)).collect(),
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
