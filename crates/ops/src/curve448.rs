//! Ed448, whose private keys travel as seeds and whose signatures are determined, and X448.

use adamant::base::{Error, Rng, Secret};
use adamant::ec::{ed448, x448};
use adamant::rand::FastRng;

use crate::agreement::{self, Agreement};
use crate::keys::KeyPair;
use crate::signature::{self, Scheme};
use crate::table::tables;
use crate::task::Registry;

tables!(ed448::Backend);

pub(crate) fn register(to: &mut Registry) {
    signature::register::<Ed448>(to, "ed448");
    agreement::register::<X448>(to, "x448");
}

fn random<const N: usize>(rng: &mut FastRng) -> Result<Secret<[u8; N]>, Error> {
    let mut bytes = Secret::new([0; N]);
    rng.fill(&mut *bytes)?;
    Ok(bytes)
}

fn exactly<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], Error> {
    bytes.try_into().map_err(|_| Error::BadPrivateKey)
}

struct Ed448;

impl KeyPair for Ed448 {
    type Table = ed448::Backend;
    type Private = ed448::PrivateKey;
    type Public = ed448::PublicKey;

    fn generate(rng: &mut FastRng, table: Self::Table) -> Result<Self::Private, Error> {
        Ok(Self::Private::from_seed_on(&*random(rng)?, table))
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
        ed448::keygen_batch(count, rng)
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

impl Scheme for Ed448 {
    type Signature = ed448::Signature;
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
        ed448::sign_batch(items, out)
    }
    fn verify(key: &Self::Public, message: &[u8], s: &Self::Signature) -> Result<(), Error> {
        key.verify(message, s)
    }
    fn verify_batch(
        items: &[(&Self::Public, &[u8], &Self::Signature)],
        out: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        ed448::verify_batch(items, out)
    }
}

struct X448;

impl KeyPair for X448 {
    type Table = ed448::Backend;
    type Private = x448::PrivateKey;
    type Public = x448::PublicKey;

    fn generate(rng: &mut FastRng, table: Self::Table) -> Result<Self::Private, Error> {
        Ok(Self::Private::from_bytes_on(&*random(rng)?, table))
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
        x448::keygen_batch(count, rng)
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

impl Agreement for X448 {
    type Shared = Secret<[u8; 56]>;
    fn agree(key: &Self::Private, peer: &Self::Public) -> Result<Secret<[u8; 56]>, Error> {
        key.agree(peer)
    }
    fn agree_batch(
        items: &[(&Self::Private, &Self::Public)],
        out: &mut [Result<Secret<[u8; 56]>, Error>],
    ) -> Result<(), Error> {
        x448::agree_batch(items, out)
    }
}
