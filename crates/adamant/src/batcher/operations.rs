//! The operations that have a batch, of any scheme.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::marker::PhantomData;

use adamant_base::family::{Kem, KeyAgreement, Signer, Verifier};

use super::Operation;
use crate::{Error, Secret, SystemRng};

/// The signature of a message by a key `K`, in the scheme's usual way, as its `sign` makes it:
/// `Sign<adamant::ec::p256::PrivateKey>`.
#[derive(Clone, Copy, Debug)]
pub struct Sign<K>(PhantomData<fn(K)>);

impl<K: Signer<Verifier: Verifier<Signature: 'static>> + 'static> Operation for Sign<K> {
    type Item = (Arc<K>, Vec<u8>);
    type Output = <K::Verifier as Verifier>::Signature;

    fn one((key, message): &Self::Item) -> Self::Output {
        key.sign(message)
    }

    fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
        let items: Vec<_> = items.iter().map(|(k, m)| (&**k, &m[..])).collect();
        K::sign_batch(&items)
    }
}

/// The verdict of a key `K` on a signature, as its `verify` gives it:
/// `Verify<adamant::ec::p256::PublicKey>`.
#[derive(Clone, Copy, Debug)]
pub struct Verify<K>(PhantomData<fn(K)>);

impl<K: Verifier<Signature: 'static> + 'static> Operation for Verify<K> {
    type Item = (Arc<K>, Vec<u8>, K::Signature);
    type Output = Result<(), Error>;

    fn one((key, message, signature): &Self::Item) -> Self::Output {
        key.verify(message, signature)
    }

    fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
        let items: Vec<_> = items.iter().map(|(k, m, s)| (&**k, &m[..], s)).collect();
        K::verify_batch(&items)
    }
}

/// The secret of a key `K` and a peer's, as its `agree` gives it:
/// `Agree<adamant::ec::x25519::PrivateKey>`.
#[derive(Clone, Copy, Debug)]
pub struct Agree<K>(PhantomData<fn(K)>);

impl<K> Operation for Agree<K>
where
    K: KeyAgreement<PublicKey: 'static, SharedSecret: 'static> + 'static,
{
    type Item = (Arc<K>, K::PublicKey);
    type Output = Result<Secret<K::SharedSecret>, Error>;

    fn one((key, peer): &Self::Item) -> Self::Output {
        key.agree(peer)
    }

    fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
        let items: Vec<_> = items.iter().map(|(key, peer)| (&**key, peer)).collect();
        K::agree_batch(&items)
    }
}

/// A ciphertext and the fresh secret in it by the mechanism `K`, with the system's generator:
/// `Encapsulate<adamant::pq::ml_kem_768::MlKem>`.
#[derive(Clone, Copy, Debug)]
pub struct Encapsulate<K>(PhantomData<fn(K)>);

impl<K> Operation for Encapsulate<K>
where
    K: Kem<EncapsulationKey: 'static, Ciphertext: 'static, SharedSecret: 'static> + 'static,
{
    type Item = Arc<K::EncapsulationKey>;
    type Output = Result<(K::Ciphertext, K::SharedSecret), Error>;
    const WORTH: usize = 8;

    fn one(key: &Self::Item) -> Self::Output {
        K::encapsulate(key, &mut SystemRng)
    }

    fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
        let keys: Vec<_> = items.iter().map(|key| &***key).collect();
        K::encapsulate_batch(&keys, &mut SystemRng)
    }
}

/// The secret of a ciphertext by the mechanism `K`: `Decapsulate<adamant::pq::ml_kem_768::MlKem>`.
#[derive(Clone, Copy, Debug)]
pub struct Decapsulate<K>(PhantomData<fn(K)>);

impl<K> Operation for Decapsulate<K>
where
    K: Kem<DecapsulationKey: 'static, Ciphertext: 'static, SharedSecret: 'static> + 'static,
{
    type Item = (Arc<K::DecapsulationKey>, Box<K::Ciphertext>);
    type Output = Result<K::SharedSecret, Error>;
    const WORTH: usize = 8;

    fn one((key, ciphertext): &Self::Item) -> Self::Output {
        K::decapsulate(key, ciphertext)
    }

    fn many(items: &[&Self::Item]) -> Vec<Self::Output> {
        let items: Vec<_> = items.iter().map(|(key, c)| (&**key, &**c)).collect();
        K::decapsulate_batch(&items)
    }
}
