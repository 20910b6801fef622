//! ECDSA, ECDH and the group itself on the curves in short Weierstrass form: scalars and private
//! keys travel big-endian, points and public keys uncompressed, signatures in DER.

use std::marker::PhantomData;

use adamant::ec::weierstrass::{self, Curve, PrivateKey, PublicKey, Signature};
use adamant::ec::{self, p256};
use adamant::hazmat::base::GenerateOn;
use adamant::hazmat::ec::Group;
use adamant::rand::FastRng;
use adamant::{Error, Secret};

use crate::agreement::{self, Agreement, SharedSecret};
use crate::keys::{self, KeyPair, put};
use crate::signature::{self, Scheme};
use crate::stream::Stream;
use crate::table::{Choice, Table, tables};
use crate::task::{Registry, Task, Wrong, field, item, single};
use crate::{Item, Length};

/// The curves, of the list of the schemes.
macro_rules! curves {
    (
        curves { $({ $feature:tt $curve:ident $module:ident $words:literal $($_c:tt)* })* }
        $($_groups:tt)*
    ) => {
        tables!($(adamant::hazmat::ec::$module::Backend),*);

        pub(crate) fn register(to: &mut Registry) {
            $(curve::<ec::$module::$curve, $words>(to);)*
        }
    };
}
adamant::hazmat::base::schemes!(curves);

/// Adds every operation of a curve.
fn curve<C: Curve<W>, const W: usize>(to: &mut Registry)
where
    C::Group: Table,
    Secret<C::Scalar>: SharedSecret,
{
    signature::register::<Keys<C, W>>(to, &format!("ecdsa-{}", C::NAME));
    agreement::register::<Keys<C, W>>(to, &format!("ecdh-{}", C::NAME));
    group::<C, W>(to, C::NAME);
}

/// Adds the operations of a curve's group.
pub(crate) fn group<C: Curve<W>, const W: usize>(to: &mut Registry, algorithm: &str)
where
    C::Group: Table,
{
    to.add(
        algorithm,
        const {
            &[
                ("/mul", single::<Mul<C, W>>()),
                ("/mul-base", single::<MulBase<C, W>>()),
            ]
        },
    );
}

/// The keys of a curve.
pub(crate) struct Keys<C, const W: usize>(PhantomData<fn(C)>);

/// Those of P-256.
pub(crate) type P256 = Keys<p256::P256, 4>;

impl<C: Curve<W>, const W: usize> KeyPair for Keys<C, W>
where
    C::Group: Table,
{
    type Table = C::Group;
    type Private = PrivateKey<C, W>;
    type Public = PublicKey<C, W>;

    fn generate(rng: &mut FastRng, table: C::Group) -> Result<Self::Private, Error> {
        PrivateKey::generate_on(rng, table)
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
        weierstrass::generate_batch(count, rng)
    }
    fn private(bytes: &[u8], table: C::Group) -> Result<Self::Private, Error> {
        Ok(PrivateKey::try_from(bytes)?.with_backend(table))
    }
    fn private_bytes(key: &Self::Private, to: &mut Vec<u8>) {
        put(to, (*key.to_bytes()).as_ref());
    }
    fn public(bytes: &[u8], table: C::Group) -> Result<Self::Public, Error> {
        Ok(PublicKey::from_sec1(bytes)?.with_backend(table))
    }
    fn public_bytes(key: &Self::Public, to: &mut Vec<u8>) {
        put(to, key.to_sec1().as_ref());
    }
    fn public_of(key: &Self::Private) -> Self::Public {
        key.public_key()
    }
}

impl<C: Curve<W>, const W: usize> Scheme for Keys<C, W>
where
    C::Group: Table,
{
    type Signature = Signature<C, W>;
    const DETERMINED: bool = false;

    fn signature(bytes: &[u8]) -> Result<Self::Signature, Error> {
        Signature::from_der(bytes)
    }
    fn signature_bytes(signature: &Self::Signature, to: &mut Vec<u8>) {
        put(to, signature.to_der().as_ref());
    }
    fn sign(key: &Self::Private, message: &[u8]) -> Self::Signature {
        key.sign(message)
    }
    fn sign_batch(
        items: &[(&Self::Private, &[u8])],
        out: &mut [Self::Signature],
    ) -> Result<(), Error> {
        weierstrass::sign_batch_into(items, out)
    }
    fn verify(key: &Self::Public, message: &[u8], s: &Self::Signature) -> Result<(), Error> {
        key.verify(message, s)
    }
    fn verify_batch(
        items: &[(&Self::Public, &[u8], &Self::Signature)],
        out: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        weierstrass::verify_batch_into(items, out)
    }
}

impl<C: Curve<W>, const W: usize> Agreement for Keys<C, W>
where
    C::Group: Table,
    Secret<C::Scalar>: SharedSecret,
{
    type Shared = Secret<C::Scalar>;
    fn agree(key: &Self::Private, peer: &Self::Public) -> Result<Secret<C::Scalar>, Error> {
        key.agree(peer)
    }
    fn agree_batch(
        items: &[(&Self::Private, &Self::Public)],
        out: &mut [Result<Secret<C::Scalar>, Error>],
    ) -> Result<(), Error> {
        weierstrass::agree_batch_into(items, out)
    }
}

/// A number of `W` 64-bit words, the lowest first.
fn words<const W: usize>(bytes: &[u8]) -> [u64; W] {
    let mut words = [0; W];
    write_words(bytes, &mut words);
    words
}

#[inline(never)]
fn write_words(bytes: &[u8], words: &mut [u64]) {
    for (word, chunk) in words.iter_mut().zip(bytes.rchunks(8)) {
        *word = chunk.iter().fold(0, |word, b| word << 8 | u64::from(*b));
    }
}

/// The scalar of an item: in the range of private keys.
fn scalar<C: Curve<W>, const W: usize>(input: &Item) -> Result<[u64; W], Wrong>
where
    C::Group: Table,
{
    let bytes = field(input, "scalar")?;
    keys::private::<Keys<C, W>>(bytes, <C::Group as Table>::chosen(Choice::Portable))?;
    Ok(words(bytes))
}

/// A point whose coordinates have this many bytes.
#[inline(never)]
fn point_item([x, y]: [&[u64]; 2], len: usize) -> Item {
    let mut bytes = vec![4];
    for number in [x, y] {
        let all: Vec<u8> = number.iter().rev().flat_map(|w| w.to_be_bytes()).collect();
        bytes.extend_from_slice(&all[all.len() - len..]);
    }
    item([("point", &bytes)])
}

/// A scalar and a point, of the halves of two keys.
#[inline(never)]
fn scalar_and_point(stream: &mut Stream, key: fn(&mut Stream) -> Item) -> Item {
    let (scalar, point) = (key(stream), key(stream));
    item([
        ("scalar", &scalar["private_key"]),
        ("point", &point["public_key"]),
    ])
}

/// The scalar of a key.
#[inline(never)]
fn scalar_alone(key: &Item) -> Item {
    item([("scalar", &key["private_key"])])
}

/// A secret scalar times a point.
struct Mul<C, const W: usize>(PhantomData<fn(C)>);

impl<C: Curve<W>, const W: usize> Task for Mul<C, W>
where
    C::Group: Table,
{
    type Table = C::Group;
    type State = (C::Group, [u64; W], [[u64; W]; 2]);
    type Output = [[u64; W]; 2];
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        scalar_and_point(stream, keys::input::<Keys<C, W>>)
    }
    fn ready(table: C::Group, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let key = keys::public::<Keys<C, W>>(field(input, "point")?, table)?;
        let mut encoded = Vec::new();
        Keys::<C, W>::public_bytes(&key, &mut encoded);
        let (x, y) = encoded[1..].split_at(size_of::<C::Scalar>());
        Ok((table, scalar::<C, W>(input)?, [words(x), words(y)]))
    }
    fn run((table, scalar, point): &mut Self::State) -> Self::Output {
        table.mul(scalar, point)
    }
    fn encode(_: &Self::State, [x, y]: &Self::Output) -> Item {
        point_item([x, y], size_of::<C::Scalar>())
    }
}

/// A secret scalar times the base point.
struct MulBase<C, const W: usize>(PhantomData<fn(C)>);

impl<C: Curve<W>, const W: usize> Task for MulBase<C, W>
where
    C::Group: Table,
{
    type Table = C::Group;
    type State = (C::Group, [u64; W]);
    type Output = [[u64; W]; 2];
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        scalar_alone(&keys::input::<Keys<C, W>>(stream))
    }
    fn ready(table: C::Group, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        Ok((table, scalar::<C, W>(input)?))
    }
    fn run((table, scalar): &mut Self::State) -> Self::Output {
        table.mul_base(scalar)
    }
    fn encode(_: &Self::State, [x, y]: &Self::Output) -> Item {
        point_item([x, y], size_of::<C::Scalar>())
    }
}
