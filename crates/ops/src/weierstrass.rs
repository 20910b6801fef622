//! ECDSA, ECDH and the group itself on the curves in short Weierstrass form: scalars and private
//! keys travel big-endian, points and public keys uncompressed, signatures in DER.

use adamant::base::{Error, Secret};
use adamant::ec::p256;
use adamant::rand::FastRng;

use crate::agreement::{self, Agreement};
use crate::keys::{self, KeyPair, text};
use crate::signature::{self, Scheme};
use crate::stream::Stream;
use crate::table::tables;
use crate::task::{Registry, Task, field, item};
use crate::{Item, Length};

tables!(p256::Backend);

pub(crate) fn register(to: &mut Registry) {
    signature::register::<P256>(to, "ecdsa-p256");
    agreement::register::<P256>(to, "ecdh-p256");
    to.single::<Mul>("p256/mul");
    to.single::<MulBase>("p256/mul-base");
}

pub(crate) struct P256;

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
        Ok(Self::Public::from_sec1(bytes)?.with_backend(table))
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
    type Shared = Secret<[u8; 32]>;
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

/// An integer of four 64-bit words, the lowest first.
type Limbs = [u64; 4];

fn limbs(bytes: &[u8]) -> Result<Limbs, String> {
    let words = bytes.rchunks_exact(8).map(|word| {
        let word = word.try_into().unwrap_or_default();
        u64::from_be_bytes(word)
    });
    let words: Vec<u64> = words.collect();
    words
        .try_into()
        .map_err(|_| format!("{} bytes for a number of 32", bytes.len()))
}

/// The scalar of an item: in the range of private keys.
fn scalar(input: &Item) -> Result<Limbs, String> {
    let bytes = field(input, "scalar")?;
    p256::PrivateKey::from_bytes(bytes).map_err(text)?;
    limbs(bytes)
}

fn point_item(point: &[Limbs; 2]) -> Item {
    let words = point.iter().flat_map(|number| number.iter().rev());
    let mut bytes = vec![4];
    bytes.extend(words.flat_map(|word| word.to_be_bytes()));
    item([("point", &bytes)])
}

/// A secret scalar times a point.
struct Mul;

impl Task for Mul {
    type Table = p256::Backend;
    type State = (p256::Backend, Limbs, [Limbs; 2]);
    type Output = [Limbs; 2];
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        let (scalar, point) = (keys::input::<P256>(stream), keys::input::<P256>(stream));
        item([
            ("scalar", &scalar["private_key"]),
            ("point", &point["public_key"]),
        ])
    }
    fn ready(table: p256::Backend, input: &Item, _: usize) -> Result<Self::State, String> {
        let key = p256::PublicKey::from_sec1(field(input, "point")?).map_err(text)?;
        let encoded = key.to_sec1();
        let point = [limbs(&encoded[1..33])?, limbs(&encoded[33..])?];
        Ok((table, scalar(input)?, point))
    }
    fn run((table, scalar, point): &mut Self::State) -> Self::Output {
        table.mul(scalar, point)
    }
    fn encode(_: &Self::State, point: Self::Output) -> Item {
        point_item(&point)
    }
}

/// A secret scalar times the base point.
struct MulBase;

impl Task for MulBase {
    type Table = p256::Backend;
    type State = (p256::Backend, Limbs);
    type Output = [Limbs; 2];
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        item([("scalar", &keys::input::<P256>(stream)["private_key"])])
    }
    fn ready(table: p256::Backend, input: &Item, _: usize) -> Result<Self::State, String> {
        Ok((table, scalar(input)?))
    }
    fn run((table, scalar): &mut Self::State) -> Self::Output {
        table.mul_base(scalar)
    }
    fn encode(_: &Self::State, point: Self::Output) -> Item {
        point_item(&point)
    }
}
