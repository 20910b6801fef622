//! What every kind of asymmetric key shares: its encodings, and key generation as an operation.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::base::Error;
use adamant::rand::FastRng;

use crate::stream::Stream;
use crate::table::{Best, Table};
use crate::task::{BatchTask, Judge, Registry, Task, batch, field, item, single};
use crate::{Item, Length};

/// A kind of keys.
pub(crate) trait KeyPair: Sync + 'static {
    /// Whether making a key is a search that takes as long as chance will have it.
    const SEARCH: bool = false;
    type Table: Table;
    type Private: 'static;
    type Public: 'static;

    fn generate(rng: &mut FastRng, table: Self::Table) -> Result<Self::Private, Error>;
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error>;

    fn private(bytes: &[u8], table: Self::Table) -> Result<Self::Private, Error>;
    fn private_bytes(key: &Self::Private) -> Vec<u8>;
    /// What travels beside the bytes of a private key, where some know only that.
    fn seed(_: &Self::Private) -> Option<Vec<u8>> {
        None
    }
    /// The private key of a seed, which is all that some libraries give; `None` where there are no
    /// seeds, or this is none.
    fn of_seed(_: &[u8]) -> Option<Self::Private> {
        None
    }
    fn public(bytes: &[u8], table: Self::Table) -> Result<Self::Public, Error>;
    fn public_bytes(key: &Self::Public) -> Vec<u8>;
    fn public_of(key: &Self::Private) -> Self::Public;
    /// Whether a key is that of its seed, where it has one, and its halves belong together, where
    /// parsing does not tell.
    fn check(_: &Self::Private, _seed: Option<&[u8]>) -> Result<(), Error> {
        Ok(())
    }
}

/// Adds key generation for an algorithm.
pub(crate) fn register<K: KeyPair>(to: &mut Registry, algorithm: &str) {
    to.add(
        algorithm,
        const {
            &[
                ("/keygen", single::<Keygen<K>>()),
                ("/keygen_batch", batch::<KeygenBatch<K>>()),
            ]
        },
    );
}

/// The sentence of an error.
#[inline(never)]
pub(crate) fn text(error: Error) -> String {
    error.to_string()
}

/// A private key with its encodings.
struct Encoded {
    private: Vec<u8>,
    public: Vec<u8>,
    seed: Option<Vec<u8>>,
}

#[inline(never)]
fn encoded<K: KeyPair>(key: &Result<K::Private, Error>) -> Option<Encoded> {
    let key = key.as_ref().ok()?;
    Some(Encoded {
        private: K::private_bytes(key),
        public: K::public_bytes(&K::public_of(key)),
        seed: K::seed(key),
    })
}

/// A pair of keys made for the inputs of operations; both halves encoded, as some libraries want
/// both to sign.
pub(crate) fn input<K: KeyPair>(stream: &mut Stream) -> Item {
    let generate = |rng: &mut FastRng| encoded::<K>(&K::generate(rng, K::Table::portable()));
    let parse = |bytes: &[u8]| {
        let key = K::private(bytes, K::Table::portable());
        let fits = key.as_ref().is_ok_and(|key| K::check(key, None).is_ok());
        Some((encoded::<K>(&key)?, fits))
    };
    drawn(stream, generate, parse)
}

#[inline(never)]
fn drawn(
    stream: &mut Stream,
    generate: fn(&mut FastRng) -> Option<Encoded>,
    parse: fn(&[u8]) -> Option<(Encoded, bool)>,
) -> Item {
    let key = generate(&mut FastRng::from_seed(stream.array()));
    if let (Some(key), true) = (&key, stream.is_weighed()) {
        // Private keys that are bytes of almost any kind come from the stream itself.
        let mut bytes = (0..8).map(|_| stream.bytes(key.private.len()));
        let found = bytes.find_map(|b| parse(&b));
        // Where the public half stands beside the secrets, they have to fit.
        if let Some((key, true)) = found {
            return pair(Some(key));
        }
    }
    pair(key)
}

/// Both halves of a key; nothing where key generation failed.
#[inline(never)]
fn pair(key: Option<Encoded>) -> Item {
    let Some(key) = key else {
        return Item::new();
    };
    let mut pair = item([("private_key", &key.private), ("public_key", &key.public)]);
    pair.extend(key.seed.map(|seed| ("seed".into(), seed)));
    pair
}

fn judge<K: KeyPair>(_: &Item, output: &Item) -> Result<(), String> {
    judge_halves(output, public_half::<K>)
}

/// The public half of a private key or of a seed, once checked against its seed; `None` where
/// there are no seeds, or this is none.
fn public_half<K: KeyPair>(
    bytes: &[u8],
    is_seed: bool,
    seed: Option<&[u8]>,
) -> Result<Option<Vec<u8>>, Error> {
    let key = match is_seed {
        true => K::of_seed(bytes),
        false => Some(K::private(bytes, K::Table::portable())?),
    };
    let Some(key) = key else {
        return Ok(None);
    };
    K::check(&key, seed)?;
    Ok(Some(K::public_bytes(&K::public_of(&key))))
}

type PublicHalf = fn(&[u8], bool, Option<&[u8]>) -> Result<Option<Vec<u8>>, Error>;

#[inline(never)]
fn judge_halves(output: &Item, public_half: PublicHalf) -> Result<(), String> {
    let seed = output.get("seed").map(Vec::as_slice);
    let mut public = None;
    if let (Some(alone), false) = (seed, output.contains_key("private_key")) {
        public = public_half(alone, true, seed).map_err(text)?;
    }
    if public.is_none() {
        public = public_half(field(output, "private_key")?, false, seed).map_err(text)?;
    }
    if Some(field(output, "public_key")?) == public.as_ref() {
        Ok(())
    } else {
        Err("public_key does not belong to private_key".into())
    }
}

/// A key from the fast generator; the output holds both halves.
struct Keygen<K>(PhantomData<fn(K)>);

impl<K: KeyPair> Task for Keygen<K> {
    type Table = K::Table;
    type State = (K::Table, FastRng);
    type Output = Result<K::Private, Error>;
    const LENGTH: Length = Length::None;
    const SEARCH: bool = K::SEARCH;
    const JUDGE: Judge = Judge::Each(judge::<K>);

    fn input(_: &mut Stream, _: usize) -> Item {
        Item::new()
    }
    const DRAW: fn(&mut Stream, usize) -> Item = seed;
    fn ready(table: K::Table, input: &Item, _: usize) -> Result<Self::State, String> {
        Ok((table, generator(input)?))
    }
    fn run((table, rng): &mut Self::State) -> Self::Output {
        K::generate(rng, *table)
    }
    fn encode(_: &Self::State, key: Self::Output) -> Item {
        pair(encoded::<K>(&key))
    }
}

/// Many keys from one generator; the call chooses its implementation itself.
struct KeygenBatch<K>(PhantomData<fn(K)>);

impl<K: KeyPair> Task for KeygenBatch<K> {
    type Table = Best<K::Table>;
    type State = FastRng;
    type Output = Result<K::Private, Error>;
    const LENGTH: Length = Length::None;
    const SEARCH: bool = K::SEARCH;
    const JUDGE: Judge = Judge::Each(judge::<K>);

    fn input(_: &mut Stream, _: usize) -> Item {
        Item::new()
    }
    const DRAW: fn(&mut Stream, usize) -> Item = seed;
    fn ready(_: Self::Table, input: &Item, _: usize) -> Result<FastRng, String> {
        generator(input)
    }
    fn run(rng: &mut FastRng) -> Self::Output {
        K::generate(rng, K::Table::best())
    }
    fn encode(_: &FastRng, key: Self::Output) -> Item {
        pair(encoded::<K>(&key))
    }
}

impl<K: KeyPair> BatchTask for KeygenBatch<K> {
    fn run_batch(states: &mut [FastRng], iterations: u64) -> Vec<Self::Output> {
        let count = states.len();
        let mut keys = Ok(Vec::new());
        if let Some(rng) = states.first_mut() {
            for _ in 0..iterations {
                keys = black_box(K::keygen_batch(black_box(count), rng));
            }
        }
        match keys {
            Ok(keys) => keys.into_iter().map(Ok).collect(),
            Err(e) => (0..count).map(|_| Err(e)).collect(),
        }
    }
}

/// What the generator of a drawn key starts from.
#[inline(never)]
fn seed(stream: &mut Stream, _: usize) -> Item {
    item([("seed", &stream.array::<32>())])
}

/// The generator that keys are drawn from in measurements; an item may choose its seed.
#[inline(never)]
fn generator(input: &Item) -> Result<FastRng, String> {
    let seed = match input.get("seed") {
        Some(seed) => seed
            .as_slice()
            .try_into()
            .map_err(|_| "a seed has 32 bytes")?,
        None => Stream::new("keys".into()).array(),
    };
    Ok(FastRng::from_seed(seed))
}
