//! What the Diffie-Hellman functions share: derivation as an operation.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::{Error, Secret};

use crate::keys::{self, KeyPair};
use crate::stream::Stream;
use crate::task::{
    BatchTask, Registry, Start, Task, Wrong, batch, each, fields, insert, one_field, single,
};
use crate::{Item, Length};

/// A Diffie-Hellman function.
pub(crate) trait Agreement: KeyPair {
    type Shared: SharedSecret;
    fn agree(key: &Self::Private, peer: &Self::Public) -> Result<Self::Shared, Error>;
    fn agree_batch(
        items: &[(&Self::Private, &Self::Public)],
        out: &mut [Result<Self::Shared, Error>],
    ) -> Result<(), Error>;
}

/// A shared secret of any length.
pub(crate) trait SharedSecret: 'static {
    fn bytes(&self) -> &[u8];
}

impl<const N: usize> SharedSecret for Secret<[u8; N]> {
    fn bytes(&self) -> &[u8] {
        &**self
    }
}

impl SharedSecret for adamant::dh::SharedSecret {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// Adds every operation of a function.
pub(crate) fn register<A: Agreement>(to: &mut Registry, algorithm: &str) {
    keys::register::<A>(to, algorithm);
    to.add(
        algorithm,
        const {
            &[
                ("/derive", single::<Derive<A>>()),
                ("/derive_batch", batch::<Derive<A>>()),
            ]
        },
    );
}

#[inline(never)]
fn with_peer(stream: &mut Stream, key: fn(&mut Stream) -> Item) -> Item {
    let (mut peer, mut item) = (key(stream), key(stream));
    let public = peer.remove("public_key").unwrap_or_default();
    insert(&mut item, "peer_public_key", public);
    item
}

struct Derive<A>(PhantomData<fn(A)>);

impl<A: Agreement> Task for Derive<A> {
    type Table = A::Table;
    type State = (A::Private, A::Public);
    type Output = Result<A::Shared, Error>;
    const LENGTH: Length = Length::None;
    const START: Start = Self::START_BATCH;

    fn input(stream: &mut Stream, _: usize) -> Item {
        with_peer(stream, keys::input::<A>)
    }
    fn ready(table: A::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let [key, peer] = fields(input, ["private_key", "peer_public_key"])?;
        let key = keys::private::<A>(key, table)?;
        Ok((key, keys::public::<A>(peer, table)?))
    }
    fn run((key, peer): &mut Self::State) -> Self::Output {
        A::agree(key, peer)
    }
    fn encode(_: &Self::State, secret: &Self::Output) -> Item {
        let secret = secret.as_ref().ok();
        one_field("shared_secret", secret.map(SharedSecret::bytes))
    }
}

impl<A: Agreement> BatchTask for Derive<A> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let items = each(states, |(key, peer)| (key, peer));
        let mut secrets = each(&items, |_| Err(Error::BadPublicKey));
        for _ in 0..iterations {
            let done = A::agree_batch(black_box(&items), black_box(&mut secrets));
            done.expect("as many places as pairs");
        }
        secrets
    }
}
