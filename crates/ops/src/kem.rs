//! What the key encapsulation mechanisms share: their operations.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::Error;
use adamant::rand::FastRng;

use crate::keys::{self, KeyPair};
use crate::stream::Stream;
use crate::table::{Choice, Table};
use crate::task::{
    BatchTask, Judge, Registry, Start, Task, Wrong, batch, copied, each, field, fields, insert,
    item, one_field, owned, single,
};
use crate::{Item, Length};

/// A key encapsulation mechanism.
pub(crate) trait Mechanism: KeyPair {
    type Ciphertext: AsRef<[u8]> + Clone + 'static;
    type Secret: AsRef<[u8]> + Clone + 'static;

    /// What a batch writes over.
    fn place() -> (Self::Ciphertext, Self::Secret);
    fn ciphertext(bytes: &[u8]) -> Result<Self::Ciphertext, Error>;

    fn encapsulate(
        key: &Self::Public,
        rng: &mut FastRng,
    ) -> Result<(Self::Ciphertext, Self::Secret), Error>;
    fn encapsulate_batch(
        keys: &[&Self::Public],
        rng: &mut FastRng,
        out: &mut [Result<(Self::Ciphertext, Self::Secret), Error>],
    ) -> Result<(), Error>;
    fn decapsulate(key: &Self::Private, ciphertext: &Self::Ciphertext) -> Self::Secret;
    fn decapsulate_batch(
        items: &[(&Self::Private, &Self::Ciphertext)],
        out: &mut [Self::Secret],
    ) -> Result<(), Error>;
}

/// A mechanism with calls for keys that are used once, as they travel.
pub(crate) trait Encoded: Mechanism {
    fn encapsulate_encoded_batch(
        keys: &[&[u8]],
        rng: &mut FastRng,
        out: &mut [Result<(Self::Ciphertext, Self::Secret), Error>],
    ) -> Result<(), Error>;
    fn decapsulate_encoded(
        key: &[u8],
        ciphertext: &Self::Ciphertext,
        table: Self::Table,
    ) -> Result<Self::Secret, Error>;
    fn decapsulate_encoded_batch(
        items: &[(&[u8], &Self::Ciphertext)],
        out: &mut [Result<Self::Secret, Error>],
    ) -> Result<(), Error>;
}

/// Adds what such a mechanism has beside the operations of [`register`].
pub(crate) fn register_encoded<M: Encoded>(to: &mut Registry, algorithm: &str) {
    to.add(
        algorithm,
        const {
            &[
                (
                    "/encapsulate-encoded_batch",
                    batch::<EncapsulateEncoded<M>>(),
                ),
                ("/decapsulate-encoded", single::<DecapsulateEncoded<M>>()),
                (
                    "/decapsulate-encoded_batch",
                    batch::<DecapsulateEncoded<M>>(),
                ),
            ]
        },
    );
}

/// Adds every operation of a mechanism.
pub(crate) fn register<M: Mechanism>(to: &mut Registry, algorithm: &str) {
    keys::register::<M>(to, algorithm);
    to.add(
        algorithm,
        const {
            &[
                ("/encapsulate", single::<Encapsulate<M>>()),
                ("/encapsulate_batch", batch::<Encapsulate<M>>()),
                ("/encapsulate-encoded", single::<EncapsulateEncoded<M>>()),
                ("/decapsulate", single::<Decapsulate<M>>()),
                ("/decapsulate_batch", batch::<Decapsulate<M>>()),
            ]
        },
    );
}

#[inline(never)]
fn generator() -> FastRng {
    FastRng::from_seed(Stream::new("encapsulation").array())
}

#[inline(never)]
fn public_half(mut item: Item) -> Item {
    item.retain(|name, _| name == "public_key");
    item
}

/// Only the public key: whose private key it is stays outside.
fn public_only<M: Mechanism>(stream: &mut Stream, _: usize) -> Item {
    public_half(keys::input::<M>(stream))
}

fn encode<M: Mechanism>(output: &Result<(M::Ciphertext, M::Secret), Error>) -> Item {
    match output {
        Ok((ciphertext, secret)) => item([
            ("ciphertext", ciphertext.as_ref()),
            ("shared_secret", secret.as_ref()),
        ]),
        Err(_) => Item::new(),
    }
}

/// The private key must open what another library made.
fn judge<M: Mechanism>(input: &Item, output: &Item) -> Result<(), Wrong> {
    let key = keys::private::<M>(
        field(input, "private_key")?,
        M::Table::chosen(Choice::Portable),
    )?;
    let ciphertext = M::ciphertext(field(output, "ciphertext")?)?;
    if M::decapsulate(&key, &ciphertext).as_ref() == field(output, "shared_secret")?.as_slice() {
        Ok(())
    } else {
        Err("shared_secret is not the one in ciphertext".into())
    }
}

/// To a parsed key.
struct Encapsulate<M>(PhantomData<fn(M)>);

impl<M: Mechanism> Task for Encapsulate<M> {
    type Table = M::Table;
    type State = (M::Public, FastRng);
    type Output = Result<(M::Ciphertext, M::Secret), Error>;
    const LENGTH: Length = Length::None;
    const START: Start = Self::START_BATCH;
    const JUDGE: Judge = Judge::Each(judge::<M>);

    fn input(stream: &mut Stream, _: usize) -> Item {
        keys::input::<M>(stream)
    }
    const DRAW: fn(&mut Stream, usize) -> Item = public_only::<M>;
    const DRAW_JUDGED: fn(&mut Stream, usize) -> Item = Self::input;
    fn ready(table: M::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let key = keys::public::<M>(field(input, "public_key")?, table)?;
        Ok((key, generator()))
    }
    fn run((key, rng): &mut Self::State) -> Self::Output {
        M::encapsulate(key, rng)
    }
    fn encode(_: &Self::State, output: &Self::Output) -> Item {
        encode::<M>(output)
    }
}

impl<M: Mechanism> BatchTask for Encapsulate<M> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let mut rng = generator();
        let keys = each(states, |(key, _)| key);
        let mut out = vec![Ok(M::place()); keys.len()];
        for _ in 0..iterations {
            let done = M::encapsulate_batch(black_box(&keys), &mut rng, black_box(&mut out));
            done.expect("as many places as keys");
        }
        out
    }
}

/// To a key as it travels.
struct EncapsulateEncoded<M>(PhantomData<fn(M)>);

impl<M: Mechanism> Task for EncapsulateEncoded<M> {
    type Table = M::Table;
    type State = (M::Table, Vec<u8>, FastRng);
    type Output = Result<(M::Ciphertext, M::Secret), Error>;
    const LENGTH: Length = Length::None;
    const JUDGE: Judge = Judge::Each(judge::<M>);

    fn input(stream: &mut Stream, _: usize) -> Item {
        keys::input::<M>(stream)
    }
    const DRAW: fn(&mut Stream, usize) -> Item = public_only::<M>;
    const DRAW_JUDGED: fn(&mut Stream, usize) -> Item = Self::input;
    fn ready(table: M::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        Ok((table, copied(input, "public_key")?, generator()))
    }
    fn run((table, key, rng): &mut Self::State) -> Self::Output {
        M::encapsulate(&M::public(key, *table)?, rng)
    }
    fn encode(_: &Self::State, output: &Self::Output) -> Item {
        encode::<M>(output)
    }
}

impl<M: Encoded> BatchTask for EncapsulateEncoded<M> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let mut rng = generator();
        let keys = each(states, |(_, key, _)| &key[..]);
        let mut out = vec![Ok(M::place()); keys.len()];
        for _ in 0..iterations {
            let done =
                M::encapsulate_encoded_batch(black_box(&keys), &mut rng, black_box(&mut out));
            // A key has another length.
            if let Err(error) = done {
                out.fill(Err(error));
            }
        }
        out
    }
}

/// A pair of keys, and a ciphertext for it.
#[inline(never)]
fn with_ciphertext<M: Mechanism>(stream: &mut Stream) -> Item {
    let mut item = keys::input::<M>(stream);
    let mut rng = FastRng::from_seed(stream.array());
    let key = keys::public::<M>(&item["public_key"], M::Table::chosen(Choice::Portable));
    let key = key.expect("our own encoding");
    let (ciphertext, _) = M::encapsulate(&key, &mut rng).expect("a seeded generator");
    insert(&mut item, "ciphertext", owned(ciphertext.as_ref()));
    item
}

/// With a key as it is stored.
struct DecapsulateEncoded<M>(PhantomData<fn(M)>);

impl<M: Encoded> Task for DecapsulateEncoded<M> {
    type Table = M::Table;
    type State = (M::Table, Vec<u8>, M::Ciphertext);
    type Output = Result<M::Secret, Error>;
    const LENGTH: Length = Length::None;
    const START: Start = Self::START_BATCH;

    fn input(stream: &mut Stream, _: usize) -> Item {
        with_ciphertext::<M>(stream)
    }
    fn ready(table: M::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let key = copied(input, "private_key")?;
        let ciphertext = M::ciphertext(field(input, "ciphertext")?)?;
        Ok((table, key, ciphertext))
    }
    fn run((table, key, ciphertext): &mut Self::State) -> Self::Output {
        M::decapsulate_encoded(key, ciphertext, *table)
    }
    fn encode(_: &Self::State, secret: &Self::Output) -> Item {
        one_field("shared_secret", secret.as_ref().ok().map(AsRef::as_ref))
    }
}

impl<M: Encoded> BatchTask for DecapsulateEncoded<M> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let items = each(states, |(_, key, c)| (&key[..], c));
        let mut secrets = each(&items, |_| Ok(M::place().1));
        for _ in 0..iterations {
            let done = M::decapsulate_encoded_batch(black_box(&items), black_box(&mut secrets));
            // A key has another length.
            if let Err(error) = done {
                secrets.fill(Err(error));
            }
        }
        secrets
    }
}

struct Decapsulate<M>(PhantomData<fn(M)>);

impl<M: Mechanism> Task for Decapsulate<M> {
    type Table = M::Table;
    type State = (M::Private, M::Ciphertext);
    type Output = M::Secret;
    const LENGTH: Length = Length::None;
    const START: Start = Self::START_BATCH;

    fn input(stream: &mut Stream, _: usize) -> Item {
        with_ciphertext::<M>(stream)
    }
    fn ready(table: M::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let [key, ciphertext] = fields(input, ["private_key", "ciphertext"])?;
        let key = keys::private::<M>(key, table)?;
        Ok((key, M::ciphertext(ciphertext)?))
    }
    fn run((key, ciphertext): &mut Self::State) -> M::Secret {
        M::decapsulate(key, ciphertext)
    }
    fn encode(_: &Self::State, secret: &M::Secret) -> Item {
        one_field("shared_secret", Some(secret.as_ref()))
    }
}

impl<M: Mechanism> BatchTask for Decapsulate<M> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<M::Secret> {
        let items = each(states, |(key, c)| (key, c));
        let mut secrets = vec![M::place().1; items.len()];
        for _ in 0..iterations {
            let done = M::decapsulate_batch(black_box(&items), black_box(&mut secrets));
            done.expect("as many places as ciphertexts");
        }
        secrets
    }
}
