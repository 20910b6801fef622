//! ECDSA and ECDH on the curves in short Weierstrass form: private keys travel as big-endian
//! scalars, public keys as uncompressed points, signatures in DER.

use adamant::base::{Error, Secret};
use adamant::ec::p256;
use adamant::rand::FastRng;

use crate::agreement::{self, Agreement};
use crate::keys::KeyPair;
use crate::signature::{self, Scheme};
use crate::table::tables;
use crate::task::Registry;

tables!(p256::Backend);

pub(crate) fn register(to: &mut Registry) {
    signature::register::<P256>(to, "ecdsa-p256");
    agreement::register::<P256>(to, "ecdh-p256");
}

struct P256;

impl KeyPair for P256 {
    type Table = p256::Backend;
    type Private = p256::PrivateKey;
    type Public = p256::PublicKey;

    fn generate(rng: &mut FastRng, table: Self::Table) -> Result<Self::Private, Error> {
        Self::Private::generate_on(rng, table)
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
        p256::keygen_batch(count, rng)
    }
    fn private(bytes: &[u8], table: Self::Table) -> Result<Self::Private, Error> {
        Self::Private::from_bytes_on(bytes, table)
    }
    fn private_bytes(key: &Self::Private) -> Vec<u8> {
        key.to_bytes().to_vec()
    }
    fn public(bytes: &[u8], table: Self::Table) -> Result<Self::Public, Error> {
        Self::Public::from_sec1_on(bytes, table)
    }
    fn public_bytes(key: &Self::Public) -> Vec<u8> {
        key.to_sec1().to_vec()
    }
    fn public_of(key: &Self::Private) -> Self::Public {
        key.public_key()
    }
}

impl Scheme for P256 {
    type Signature = p256::Signature;
    const DETERMINED: bool = false;

    fn signature(bytes: &[u8]) -> Result<Self::Signature, Error> {
        Self::Signature::from_der(bytes)
    }
    fn signature_bytes(signature: &Self::Signature) -> Vec<u8> {
        signature.to_der().as_ref().to_vec()
    }
    fn sign(key: &Self::Private, message: &[u8]) -> Self::Signature {
        key.sign(message)
    }
    fn sign_batch(
        items: &[(&Self::Private, &[u8])],
        out: &mut [Self::Signature],
    ) -> Result<(), Error> {
        p256::sign_batch(items, out)
    }
    fn verify(key: &Self::Public, message: &[u8], s: &Self::Signature) -> Result<(), Error> {
        key.verify(message, s)
    }
    fn verify_batch(
        items: &[(&Self::Public, &[u8], &Self::Signature)],
        out: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        p256::verify_batch(items, out)
    }
}

impl Agreement for P256 {
    fn agree(key: &Self::Private, peer: &Self::Public) -> Result<Secret<[u8; 32]>, Error> {
        key.agree(peer)
    }
    fn agree_batch(
        items: &[(&Self::Private, &Self::Public)],
        out: &mut [Result<Secret<[u8; 32]>, Error>],
    ) -> Result<(), Error> {
        p256::agree_batch(items, out)
    }
}
