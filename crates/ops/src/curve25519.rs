//! Ed25519, whose private keys travel as seeds and whose signatures are determined, and X25519.

use adamant::base::{Error, Rng, Secret};
use adamant::ec::{ed25519, x25519};
use adamant::rand::FastRng;

use crate::agreement::{self, Agreement};
use crate::keys::KeyPair;
use crate::signature::{self, Scheme};
use crate::table::tables;
use crate::task::Registry;

tables!(ed25519::Backend, x25519::Backend);

pub(crate) fn register(to: &mut Registry) {
    signature::register::<Ed25519>(to, "ed25519");
    agreement::register::<X25519>(to, "x25519");
}

fn random(rng: &mut FastRng) -> Result<Secret<[u8; 32]>, Error> {
    let mut bytes = Secret::new([0; 32]);
    rng.fill(&mut *bytes)?;
    Ok(bytes)
}

fn exactly(bytes: &[u8]) -> Result<&[u8; 32], Error> {
    bytes.try_into().map_err(|_| Error::BadPrivateKey)
}

struct Ed25519;

impl KeyPair for Ed25519 {
    type Table = ed25519::Backend;
    type Private = ed25519::PrivateKey;
    type Public = ed25519::PublicKey;

    fn generate(rng: &mut FastRng, table: Self::Table) -> Result<Self::Private, Error> {
        Ok(Self::Private::from_seed_on(&*random(rng)?, table))
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
        ed25519::keygen_batch(count, rng)
    }
    fn private(bytes: &[u8], table: Self::Table) -> Result<Self::Private, Error> {
        Ok(Self::Private::from_seed_on(exactly(bytes)?, table))
    }
    fn private_bytes(key: &Self::Private) -> Vec<u8> {
        key.seed().to_vec()
    }
    fn public(bytes: &[u8], table: Self::Table) -> Result<Self::Public, Error> {
        Self::Public::from_bytes_on(bytes, table)
    }
    fn public_bytes(key: &Self::Public) -> Vec<u8> {
        key.to_bytes().to_vec()
    }
    fn public_of(key: &Self::Private) -> Self::Public {
        key.public_key()
    }
}

impl Scheme for Ed25519 {
    type Signature = ed25519::Signature;
    const DETERMINED: bool = true;

    fn signature(bytes: &[u8]) -> Result<Self::Signature, Error> {
        Self::Signature::from_bytes(bytes)
    }
    fn signature_bytes(signature: &Self::Signature) -> Vec<u8> {
        signature.to_bytes().to_vec()
    }
    fn sign(key: &Self::Private, message: &[u8]) -> Self::Signature {
        key.sign(message)
    }
    fn sign_batch(
        items: &[(&Self::Private, &[u8])],
        out: &mut [Self::Signature],
    ) -> Result<(), Error> {
        ed25519::sign_batch(items, out)
    }
    fn verify(key: &Self::Public, message: &[u8], s: &Self::Signature) -> Result<(), Error> {
        key.verify(message, s)
    }
    fn verify_batch(
        items: &[(&Self::Public, &[u8], &Self::Signature)],
        out: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        ed25519::verify_batch(items, out)
    }
}

struct X25519;

impl KeyPair for X25519 {
    type Table = x25519::Backend;
    type Private = x25519::PrivateKey;
    type Public = x25519::PublicKey;

    fn generate(rng: &mut FastRng, table: Self::Table) -> Result<Self::Private, Error> {
        Ok(Self::Private::from_bytes_on(&*random(rng)?, table))
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
        x25519::keygen_batch(count, rng)
    }
    fn private(bytes: &[u8], table: Self::Table) -> Result<Self::Private, Error> {
        Ok(Self::Private::from_bytes_on(exactly(bytes)?, table))
    }
    fn private_bytes(key: &Self::Private) -> Vec<u8> {
        key.to_bytes().to_vec()
    }
    fn public(bytes: &[u8], _: Self::Table) -> Result<Self::Public, Error> {
        Self::Public::from_bytes(bytes)
    }
    fn public_bytes(key: &Self::Public) -> Vec<u8> {
        key.to_bytes().to_vec()
    }
    fn public_of(key: &Self::Private) -> Self::Public {
        key.public_key()
    }
}

impl Agreement for X25519 {
    type Shared = Secret<[u8; 32]>;
    fn agree(key: &Self::Private, peer: &Self::Public) -> Result<Secret<[u8; 32]>, Error> {
        key.agree(peer)
    }
    fn agree_batch(
        items: &[(&Self::Private, &Self::Public)],
        out: &mut [Result<Secret<[u8; 32]>, Error>],
    ) -> Result<(), Error> {
        x25519::agree_batch(items, out)
    }
}
