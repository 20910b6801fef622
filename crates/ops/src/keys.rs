//! What every kind of asymmetric key shares: its encodings, and key generation as an operation.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::Error;
use adamant::rand::FastRng;

use crate::stream::Stream;
use crate::table::{Choice, Table};
use crate::task::{
    BatchTask, Judge, Registry, Start, Task, Wrong, batch_on_best, field, item, single,
};
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
    fn private_bytes(key: &Self::Private, to: &mut Vec<u8>);
    /// A seed that is sent beside the bytes of a private key, for those that know only it.
    fn seed(_: &Self::Private) -> Option<Vec<u8>> {
        None
    }
    /// The private key of a seed, which is all that some libraries give.
    fn of_seed(_: &[u8]) -> Result<Self::Private, Error> {
        Err(Error::BadPrivateKey)
    }
    fn public(bytes: &[u8], table: Self::Table) -> Result<Self::Public, Error>;
    fn public_bytes(key: &Self::Public, to: &mut Vec<u8>);
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
                ("/keygen_batch", batch_on_best::<Keygen<K>>()),
            ]
        },
    );
}

/// Reads a private key: a function that is there once for each kind of keys, as several tasks and
/// judges do it. So are those below.
#[inline(never)]
pub(crate) fn private<K: KeyPair>(bytes: &[u8], table: K::Table) -> Result<K::Private, Error> {
    K::private(bytes, table)
}

/// Reads a public key.
#[inline(never)]
pub(crate) fn public<K: KeyPair>(bytes: &[u8], table: K::Table) -> Result<K::Public, Error> {
    K::public(bytes, table)
}

/// What a key encodes to, written where it belongs.
#[inline(never)]
pub(crate) fn put(to: &mut Vec<u8>, bytes: &[u8]) {
    to.extend_from_slice(bytes);
}

/// The encodings of a private key, and whether it passes its check.
struct Encoded {
    private: Vec<u8>,
    public: Vec<u8>,
    seed: Option<Vec<u8>>,
    checked: Result<(), Error>,
}

impl Encoded {
    const NONE: Encoded = Encoded {
        private: Vec::new(),
        public: Vec::new(),
        seed: None,
        checked: Ok(()),
    };
}

#[inline(never)]
fn encode<K: KeyPair>(key: &K::Private, to: &mut Encoded) {
    K::private_bytes(key, &mut to.private);
    K::public_bytes(&K::public_of(key), &mut to.public);
    if let Some(seed) = K::seed(key) {
        to.seed = Some(seed);
    }
}

/// What a key comes from.
enum Source<'a> {
    Generator(&'a mut FastRng),
    /// Its bytes, and its seed if that is known.
    Bytes(&'a [u8], Option<&'a [u8]>),
    Seed(&'a [u8]),
}

/// Makes a key of some kind and encodes it.
type Make = fn(Source<'_>, &mut Encoded) -> Result<(), Error>;

fn make<K: KeyPair>(from: Source<'_>, to: &mut Encoded) -> Result<(), Error> {
    let on = match from {
        // The inputs of operations, whichever implementation makes them; the others are judged.
        Source::Generator(_) => Choice::Best,
        Source::Bytes(..) | Source::Seed(_) => Choice::Portable,
    };
    let table = K::Table::chosen(on);
    let (key, seed) = match from {
        Source::Generator(rng) => (K::generate(rng, table), None),
        Source::Bytes(bytes, seed) => (private::<K>(bytes, table), Some(seed)),
        Source::Seed(seed) => (K::of_seed(seed), Some(Some(seed))),
    };
    // Keys are long, and stay where they are.
    match &key {
        Ok(key) => {
            to.checked = seed.map_or(Ok(()), |seed| K::check(key, seed));
            encode::<K>(key, to);
            Ok(())
        }
        Err(error) => Err(*error),
    }
}

fn made(make: Make, from: Source<'_>) -> Result<Encoded, Error> {
    let mut key = Encoded::NONE;
    make(from, &mut key)?;
    Ok(key)
}

/// A pair of keys made for the inputs of operations; both halves encoded, as some libraries want
/// both to sign.
pub(crate) fn input<K: KeyPair>(stream: &mut Stream) -> Item {
    drawn(stream, make::<K>)
}

#[inline(never)]
fn drawn(stream: &mut Stream, make: Make) -> Item {
    let mut rng = FastRng::from_seed(stream.array());
    let Ok(mut key) = made(make, Source::Generator(&mut rng)) else {
        return Item::new();
    };
    if stream.is_weighed() {
        // Private keys that are bytes of almost any kind come from the stream itself, after the
        // zeros of the generated one where its length, which is public, is to be kept.
        let zeros = match stream.has_any_length() {
            true => 0,
            false => key.private.iter().take_while(|byte| **byte == 0).count(),
        };
        let mut bytes = (0..8).map(|_| {
            let mut bytes = stream.bytes(key.private.len());
            bytes[..zeros].fill(0);
            bytes
        });
        let found = bytes.find_map(|b| made(make, Source::Bytes(&b, None)).ok());
        // Where the public half is beside the secrets, they have to fit.
        if let Some(found) = found.filter(|found| found.checked.is_ok()) {
            key = found;
        }
    }
    pair(key)
}

/// Both halves of a key.
#[inline(never)]
fn pair(key: Encoded) -> Item {
    let mut pair = item([("private_key", &key.private), ("public_key", &key.public)]);
    pair.extend(key.seed.map(|seed| ("seed".into(), seed)));
    pair
}

fn judge<K: KeyPair>(_: &Item, output: &Item) -> Result<(), Wrong> {
    judge_halves(output, make::<K>)
}

#[inline(never)]
fn judge_halves(output: &Item, make: Make) -> Result<(), Wrong> {
    let seed = output.get("seed").map(Vec::as_slice);
    let mut key = None;
    if let (Some(alone), false) = (seed, output.contains_key("private_key")) {
        key = made(make, Source::Seed(alone)).ok();
    }
    let key = match key {
        Some(key) => key,
        None => made(make, Source::Bytes(field(output, "private_key")?, seed))?,
    };
    key.checked?;
    if *field(output, "public_key")? == key.public {
        Ok(())
    } else {
        Err("public_key does not belong to private_key".into())
    }
}

/// Keys from the fast generator; the output holds both halves.
struct Keygen<K>(PhantomData<fn(K)>);

impl<K: KeyPair> Task for Keygen<K> {
    type Table = K::Table;
    type State = (K::Table, FastRng);
    type Output = K::Private;
    const LENGTH: Length = Length::None;
    const START: Start = Self::START_BATCH;
    const SEARCH: bool = K::SEARCH;
    const JUDGE: Judge = Judge::Each(judge::<K>);
    const DRAW: fn(&mut Stream, usize) -> Item = seed;

    fn input(_: &mut Stream, _: usize) -> Item {
        Item::new()
    }
    fn ready(table: K::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        Ok((table, generator(input)?))
    }
    fn run((table, rng): &mut Self::State) -> K::Private {
        K::generate(rng, *table).expect("a seeded generator")
    }
    fn encode(_: &Self::State, key: &K::Private) -> Item {
        let mut encoded = Encoded::NONE;
        encode::<K>(key, &mut encoded);
        pair(encoded)
    }
}

/// From the generator of the first item.
impl<K: KeyPair> BatchTask for Keygen<K> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<K::Private> {
        let count = states.len();
        let mut keys = Vec::new();
        if let Some((_, rng)) = states.first_mut() {
            for _ in 0..iterations {
                let made = K::keygen_batch(black_box(count), rng);
                keys = made.expect("a seeded generator");
                black_box(&keys);
            }
        }
        keys
    }
}

/// What the generator of a drawn key starts from.
#[inline(never)]
fn seed(stream: &mut Stream, _: usize) -> Item {
    item([("seed", &stream.array::<32>())])
}

/// The generator that keys are drawn from in measurements; an item may choose its seed.
#[inline(never)]
fn generator(input: &Item) -> Result<FastRng, Wrong> {
    let seed = match input.get("seed") {
        Some(seed) => seed
            .as_slice()
            .try_into()
            .map_err(|_| "a seed has 32 bytes")?,
        None => Stream::new("keys").array(),
    };
    Ok(FastRng::from_seed(seed))
}
